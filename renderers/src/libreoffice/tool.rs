// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a program of the machine on untrusted input: as nobody, without network where that is
//! possible, within a time limit, and leaving no process behind.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use deckproof_browser::{Isolation, NOBODY, Scratch, may_become_nobody, shut_in};
use rustix::process::{Pid, Signal, kill_process_group};

/// Bytes kept of what a program says.
const MAX_WORDS: u64 = 1 << 20;
/// How often it is looked whether the program has ended.
const LOOK: Duration = Duration::from_millis(10);

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ended {
    /// By itself.
    Done {
        success: bool,
        status: String,
        stdout: String,
        stderr: String,
    },
    /// It was killed after the time limit.
    TimedOut,
}

/// A folder that a program may write, owned by the user it runs as.
#[derive(Debug)]
pub(super) struct Workshop {
    folder: Scratch,
    level: Isolation,
    root: bool,
    fontconfig: PathBuf,
}

impl Workshop {
    pub(super) fn new(level: Isolation, fontconfig: &str) -> std::io::Result<Self> {
        let folder = Scratch::new()?;
        let root = may_become_nobody();
        let file = folder.path().join("fonts.conf");
        fs_err::write(&file, fontconfig)?;
        let workshop = Self {
            folder,
            level,
            root,
            fontconfig: file,
        };
        workshop.give(workshop.folder.path())?;
        workshop.make("tmp")?;
        Ok(workshop)
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Makes a folder inside that the program may write.
    pub(super) fn make(&self, name: &str) -> std::io::Result<PathBuf> {
        let path = self.folder.path().join(name);
        fs_err::create_dir_all(&path)?;
        self.give(&path)?;
        Ok(path)
    }

    fn give(&self, path: &Path) -> std::io::Result<()> {
        match self.root {
            true => std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)),
            false => Ok(()),
        }
    }

    /// Runs a command line to its end, or for at most `limit`.
    pub(super) fn run(&self, line: &[&str], limit: Duration) -> std::io::Result<Ended> {
        let mut words = shut_in(self.level, self.root);
        words.extend(line.iter().map(|word| (*word).to_owned()));
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| std::io::Error::other("an empty command line"))?;
        let (stdout, stderr) = (self.path().join("stdout"), self.path().join("stderr"));
        let child = Command::new(program)
            .args(arguments)
            .env_clear()
            .envs(self.environment())
            .current_dir(self.path())
            .stdin(Stdio::null())
            .stdout(fs_err::File::create(&stdout)?.into_parts().0)
            .stderr(fs_err::File::create(&stderr)?.into_parts().0)
            .process_group(0)
            .spawn()?;
        let status = Group { child }.wait(limit)?;
        Ok(match status {
            None => Ended::TimedOut,
            Some(status) => Ended::Done {
                success: status.success(),
                status: status.to_string(),
                stdout: words_of(&stdout),
                stderr: words_of(&stderr),
            },
        })
    }

    fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        vec![
            ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin".into()),
            ("HOME", self.path().into()),
            ("TMPDIR", self.path().join("tmp")),
            ("XDG_CACHE_HOME", self.path().join("tmp")),
            ("FONTCONFIG_FILE", self.fontconfig.clone()),
            ("LC_ALL", "C.UTF-8".into()),
            ("TZ", "UTC".into()),
            ("SAL_USE_VCLPLUGIN", "svp".into()),
        ]
    }
}

/// The best level of isolation that works for plain programs here.
pub(super) fn best_level() -> Isolation {
    let root = may_become_nobody();
    let words = shut_in(Isolation::Netns, root);
    let mut probe = Command::new(words.first().map_or("true", String::as_str));
    probe
        .args(words.iter().skip(1))
        .arg("true")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match probe.status().is_ok_and(|status| status.success()) {
        true => Isolation::Netns,
        false => Isolation::FetchOnly,
    }
}

/// A running program with everything that it starts.
struct Group {
    child: Child,
}

impl Group {
    fn wait(mut self, limit: Duration) -> std::io::Result<Option<std::process::ExitStatus>> {
        let until = Instant::now() + limit;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            std::thread::sleep(LOOK);
        }
        Ok(None)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Helpers may outlive their leader; that nothing is left to kill is no error.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

fn words_of(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read =
        fs_err::File::open(path).and_then(|file| file.take(MAX_WORDS).read_to_end(&mut bytes));
    match read {
        Ok(_) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_heard_limited_and_ended() {
        let workshop = Workshop::new(best_level(), "").unwrap();
        let minute = Duration::from_secs(60);
        let said = workshop
            .run(&["sh", "-c", "echo out; echo err >&2; exit 3"], minute)
            .unwrap();
        let Ended::Done {
            success,
            stdout,
            stderr,
            ..
        } = said
        else {
            panic!("{said:?}")
        };
        assert_eq!(
            (success, stdout.as_str(), stderr.as_str()),
            (false, "out\n", "err\n")
        );
        let start = Instant::now();
        let late = workshop.run(
            &["sh", "-c", "sleep 600 & sleep 600"],
            Duration::from_millis(100),
        );
        assert_eq!(late.unwrap(), Ended::TimedOut);
        assert!(start.elapsed() < minute);
    }

    #[test]
    fn it_does_not_run_as_root_and_sees_no_environment_of_ours() {
        let workshop = Workshop::new(best_level(), "").unwrap();
        let said = workshop
            .run(&["sh", "-c", "id -u; env"], Duration::from_secs(60))
            .unwrap();
        let Ended::Done { stdout, .. } = said else {
            panic!("{said:?}")
        };
        assert_ne!(stdout.lines().next(), Some("0"));
        assert!(!stdout.contains("CARGO"), "{stdout}");
    }
}
