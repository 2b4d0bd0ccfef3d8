// SPDX-License-Identifier: MIT OR Apache-2.0
//! One browser process with its group, its throw-away profile, and the promise to remove both.

use std::io::{PipeReader, PipeWriter, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt as _, FdMapping};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::BrowserError;
use crate::launch::{
    Isolation, LaunchOptions, NOBODY, command_line, environment, may_become_nobody,
};
use crate::scratch::Scratch;
use crate::watchdog::runs;

/// How long killed processes may take to disappear before their folder is removed anyway.
const GONE_WITHIN: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Pid,
    profile: Scratch,
}

/// A started process and our ends of its debugging pipe.
pub(crate) struct Started {
    pub process: Process,
    pub writer: PipeWriter,
    pub reader: PipeReader,
}

impl Process {
    /// Starts the browser at one level of isolation. Says nothing about whether it works.
    pub(crate) fn start(
        options: &LaunchOptions,
        level: Isolation,
    ) -> Result<Started, BrowserError> {
        let root = may_become_nobody();
        let profile = profile(root)?;
        let (for_browser, writer) = pipe()?;
        let (reader, from_browser) = pipe()?;
        let mut command = command(options, level, root, profile.path())?;
        command
            .fd_mappings(vec![
                FdMapping {
                    parent_fd: for_browser.into(),
                    child_fd: 3,
                },
                FdMapping {
                    parent_fd: from_browser.into(),
                    child_fd: 4,
                },
            ])
            .map_err(|error| {
                BrowserError::io("map the debugging pipe", std::io::Error::other(error))
            })?;
        let what = || format!("start {}", options.executable.path.display());
        let child = command
            .spawn()
            .map_err(|source| BrowserError::io(what(), source))?;
        let group = Pid::from_child(&child);
        let process = Self {
            child,
            group,
            profile,
        };
        Ok(Started {
            process,
            writer,
            reader,
        })
    }

    pub(crate) fn group(&self) -> Pid {
        self.group
    }

    /// The last lines that the browser wrote to its standard error, for messages.
    pub(crate) fn last_words(&self) -> String {
        let mut bytes = Vec::new();
        let file = fs_err::File::open(self.profile.path().join("stderr"));
        let read = file.and_then(|file| file.take(1 << 16).read_to_end(&mut bytes));
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        match (read, lines.as_slice()) {
            (Ok(_), [.., last]) => (*last).to_owned(),
            _ => "it said nothing".to_owned(),
        }
    }

    /// How the process ended, when it has.
    pub(crate) fn ending(&mut self) -> Option<String> {
        self.child
            .try_wait()
            .ok()
            .flatten()
            .map(|status| status.to_string())
    }

    /// Kills the whole group and waits until it is gone.
    pub(crate) fn end(&mut self) {
        kill_group(self.group);
        // An error means that it has been waited for already.
        let _ = self.child.wait();
        let until = Instant::now() + GONE_WITHIN;
        while runs(self.group) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Kills every process of a group. That it is gone already is what we want, not an error.
pub(crate) fn kill_group(group: Pid) {
    let _ = kill_process_group(group, Signal::KILL);
}

fn command(
    options: &LaunchOptions,
    level: Isolation,
    root: bool,
    profile: &Path,
) -> Result<Command, BrowserError> {
    let line = command_line(options, level, root, profile);
    let (program, arguments) = line.split_first().ok_or_else(|| BrowserError::Launch {
        executable: options.executable.path.clone(),
        reason: "empty command line".to_owned(),
    })?;
    let stderr = fs_err::File::create(profile.join("stderr"))
        .map_err(|source| BrowserError::io("create the browser's log", source))?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(environment(profile, options.fontconfig.as_deref()))
        .current_dir(profile)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr.into_parts().0)
        .process_group(0);
    Ok(command)
}

/// A fresh folder that belongs to the browser's user.
fn profile(root: bool) -> Result<Scratch, BrowserError> {
    let failed = |source| BrowserError::io("make the browser's profile folder", source);
    let folder = Scratch::new().map_err(failed)?;
    for name in ["", "tmp", "data", "config", "cache"] {
        let path = folder.path().join(name);
        fs_err::create_dir_all(&path).map_err(failed)?;
        if root {
            std::os::unix::fs::chown(&path, Some(NOBODY), Some(NOBODY)).map_err(failed)?;
        }
    }
    Ok(folder)
}

fn pipe() -> Result<(PipeReader, PipeWriter), BrowserError> {
    std::io::pipe().map_err(|source| BrowserError::io("make the debugging pipe", source))
}
