// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays a recorded trial: its event log, its exit and its deck, as if the agent had just made them.
//!
//! A recording is a folder with `recording.json`, `events.jsonl`, optionally `stderr.txt`, and optionally the
//! tree `output/`. It lets the whole experiment be tried without an account, and a finished one be examined
//! again. Times are the recorded ones and are labelled so; nothing is measured.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::supervise::Exit;

/// The `schema` of a recording.
pub const RECORDING_SCHEMA: &str = "deckproof.recording.v1";
/// The timing basis of a replayed trial.
pub const TIMING_BASIS: &str = "recorded";

/// The largest `recording.json`, in bytes.
const DESCRIPTION_BYTES: u64 = 1 << 20;
/// The largest log, in bytes.
const LOG_BYTES: u64 = 256 << 20;
/// The most files and folders in a recorded output, and their bytes together.
const OUTPUT_ENTRIES: u64 = 50_000;
const OUTPUT_BYTES: u64 = 4 << 30;
/// The deepest folder in a recorded output.
const OUTPUT_DEPTH: usize = 64;
/// The longest time that a recording can claim: 30 days.
const MOST_MS: u64 = 30 * 24 * 3600 * 1000;

/// `recording.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// [`RECORDING_SCHEMA`].
    pub schema: String,
    /// The host whose events these are; one that runs a process.
    pub host: String,
    /// The exit code of the agent.
    pub exit_code: i32,
    /// Its wall time, at least 1 millisecond.
    pub duration_ms: u64,
    /// How long after the start of its pair it started, in milliseconds.
    #[serde(default)]
    pub started_offset_ms: Option<u64>,
    /// The work folder in which the events were recorded, when they hold absolute paths: an audit of the
    /// replayed trace takes it in place of today's.
    #[serde(default)]
    pub work_folder: Option<PathBuf>,
    /// The task tree at that time, likewise.
    #[serde(default)]
    pub task_folder: Option<PathBuf>,
}

/// A recording that was read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Its description.
    pub recording: Recording,
    /// The recorded exit.
    pub exit: Exit,
    /// Standard output of the agent.
    pub events: Vec<u8>,
    /// Standard error of the agent.
    pub stderr: Vec<u8>,
}

/// Why a recording cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The description is no recording.
    #[error("{path}: not a recording: {source}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// A field holds what no recording can hold.
    #[error("{path}: `{field}`: found {found}, expected {expected}")]
    Field {
        /// The file.
        path: PathBuf,
        /// The field.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it has to hold.
        expected: &'static str,
    },
    /// Something in the recording is neither a regular file nor a folder, or is too large.
    #[error("{path}: {expected}")]
    Entry {
        /// The entry.
        path: PathBuf,
        /// What is expected instead.
        expected: &'static str,
    },
}

/// Reads the recording in `folder`. Nothing is written.
///
/// # Errors
/// When it is not a whole and sound recording.
pub fn read(folder: &Path) -> Result<Replayed, ReplayError> {
    let path = folder.join("recording.json");
    let text = read_file(&path, DESCRIPTION_BYTES)?;
    let recording: Recording =
        serde_json::from_slice(&text).map_err(|source| ReplayError::Parse {
            path: path.clone(),
            source,
        })?;
    check(&recording, &path)?;
    let stderr = folder.join("stderr.txt");
    let has_stderr = std::fs::symlink_metadata(&stderr).is_ok();
    Ok(Replayed {
        exit: Exit::Code(recording.exit_code),
        recording,
        events: read_file(&folder.join("events.jsonl"), LOG_BYTES)?,
        stderr: if has_stderr {
            read_file(&stderr, LOG_BYTES)?
        } else {
            Vec::new()
        },
    })
}

/// Copies the recorded output in `folder` to `output`, which must not hold anything yet. Returns whether
/// there was any output to copy.
///
/// # Errors
/// When the output holds links or special files, is too large, or cannot be copied.
pub fn copy_output(folder: &Path, output: &Path) -> Result<bool, ReplayError> {
    let from = folder.join("output");
    match std::fs::symlink_metadata(&from) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(source) => return Err(ReplayError::File { path: from, source }),
        Ok(data) if data.is_dir() => {}
        Ok(_) => {
            return Err(ReplayError::Entry {
                path: from,
                expected: "expected a folder",
            });
        }
    }
    let mut copied = Copied::default();
    copy_folder(&from, output, 0, &mut copied)?;
    Ok(true)
}

fn check(recording: &Recording, path: &Path) -> Result<(), ReplayError> {
    let field = |field, found: String, expected| {
        Err(ReplayError::Field {
            path: path.to_owned(),
            field,
            found,
            expected,
        })
    };
    if recording.schema != RECORDING_SCHEMA {
        return field("schema", recording.schema.clone(), RECORDING_SCHEMA);
    }
    if super::host(&recording.host).is_none() {
        return field("host", recording.host.clone(), "a host that runs a process");
    }
    if recording.duration_ms == 0 || recording.duration_ms > MOST_MS {
        let found = recording.duration_ms.to_string();
        return field("duration_ms", found, "1 millisecond to 30 days");
    }
    if !(0..=255).contains(&recording.exit_code) {
        return field("exit_code", recording.exit_code.to_string(), "0 to 255");
    }
    let folders = [
        ("work_folder", &recording.work_folder),
        ("task_folder", &recording.task_folder),
    ];
    for (name, folder) in folders {
        if let Some(folder) = folder.as_ref().filter(|folder| !is_plain(folder)) {
            return field(
                name,
                folder.display().to_string(),
                "an absolute path without `..`",
            );
        }
    }
    match recording
        .started_offset_ms
        .filter(|offset| *offset > MOST_MS)
    {
        Some(offset) => field("started_offset_ms", offset.to_string(), "at most 30 days"),
        None => Ok(()),
    }
}

fn is_plain(folder: &Path) -> bool {
    use std::path::Component;
    let climbs = folder
        .components()
        .any(|component| component == Component::ParentDir);
    // The root itself would put every path on the grounds.
    folder.is_absolute() && !climbs && folder.components().count() > 2
}

fn file_error(path: &Path) -> impl Fn(std::io::Error) -> ReplayError + use<'_> {
    |source| ReplayError::File {
        path: path.to_owned(),
        source,
    }
}

fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, ReplayError> {
    if !std::fs::symlink_metadata(path)
        .map_err(file_error(path))?
        .is_file()
    {
        let expected = "expected a regular file";
        return Err(ReplayError::Entry {
            path: path.to_owned(),
            expected,
        });
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(file_error(path))?;
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(file_error(path))?;
    if bytes.len() as u64 > limit {
        return Err(ReplayError::Entry {
            path: path.to_owned(),
            expected: "expected a smaller file",
        });
    }
    Ok(bytes)
}

#[derive(Debug, Default)]
struct Copied {
    entries: u64,
    bytes: u64,
}

fn copy_folder(
    from: &Path,
    to: &Path,
    depth: usize,
    copied: &mut Copied,
) -> Result<(), ReplayError> {
    let refuse = |path: &Path, expected| {
        Err(ReplayError::Entry {
            path: path.to_owned(),
            expected,
        })
    };
    if depth > OUTPUT_DEPTH {
        return refuse(from, "expected fewer folders inside each other");
    }
    match std::fs::create_dir(to) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && depth == 0 => {
            if std::fs::read_dir(to)
                .map_err(file_error(to))?
                .next()
                .is_some()
            {
                return refuse(to, "expected an empty folder to copy into");
            }
        }
        made => made.map_err(file_error(to))?,
    }
    let mut entries = std::fs::read_dir(from)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(file_error(from))?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let data = std::fs::symlink_metadata(&source).map_err(file_error(&source))?;
        copied.entries += 1;
        copied.bytes = copied.bytes.saturating_add(data.len());
        if copied.entries > OUTPUT_ENTRIES || copied.bytes > OUTPUT_BYTES {
            return refuse(&source, "expected a smaller output");
        }
        if data.is_dir() {
            copy_folder(&source, &target, depth + 1, copied)?;
        } else if data.is_file() {
            std::fs::copy(&source, &target).map_err(file_error(&source))?;
        } else {
            return refuse(&source, "expected a regular file or a folder, no link");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"schema":"deckproof.recording.v1","host":"codex","exit_code":0,"duration_ms":1234,"started_offset_ms":20}"#;

    fn recorded(description: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("recording.json"), description).unwrap();
        std::fs::write(folder.path().join("events.jsonl"), "{}\n").unwrap();
        std::fs::create_dir_all(folder.path().join("output/assets")).unwrap();
        std::fs::write(folder.path().join("output/deck.html"), "<html>").unwrap();
        std::fs::write(folder.path().join("output/assets/a.png"), "png").unwrap();
        folder
    }

    #[test]
    fn plays_a_recording() {
        let folder = recorded(GOOD);
        let replayed = read(folder.path()).unwrap();
        assert_eq!(
            (replayed.exit, replayed.recording.duration_ms),
            (Exit::Code(0), 1234)
        );
        assert_eq!(
            (replayed.events.as_slice(), replayed.stderr.len()),
            (b"{}\n".as_slice(), 0)
        );
        let work = tempfile::tempdir().unwrap();
        let output = work.path().join("output");
        assert!(copy_output(folder.path(), &output).unwrap());
        assert_eq!(std::fs::read(output.join("assets/a.png")).unwrap(), b"png");
        assert!(
            copy_output(folder.path(), &output).is_err(),
            "never over something"
        );
        std::fs::remove_dir_all(folder.path().join("output")).unwrap();
        assert!(!copy_output(folder.path(), &work.path().join("other")).unwrap());
    }

    #[test]
    fn refuses_descriptions_that_are_not_strict() {
        for (from, to) in [
            ("v1", "v2"),
            ("codex", "replay"),
            ("1234", "0"),
            ("1234", "1.5"),
            ("1234", "\"1234\""),
            ("1234", "99999999999999"),
            (":0,", ":-1,"),
            (":0,", ":256,"),
            ("\"host\"", "\"more\":1,\"host\""),
            ("\"host\"", "\"exit_code\":0,\"host\""),
            ("}", "} {}"),
            ("20}", "NaN}"),
            ("20}", "20,\"work_folder\":\"/\"}"),
            ("20}", "20,\"work_folder\":\"/tmp\"}"),
            ("20}", "20,\"task_folder\":\"/a/b/../c\"}"),
        ] {
            let folder = recorded(&GOOD.replacen(from, to, 1));
            let error = read(folder.path()).unwrap_err().to_string();
            assert!(error.contains("recording.json"), "{error}");
        }
    }

    #[test]
    fn refuses_what_is_missing_and_links() {
        let folder = recorded(GOOD);
        std::fs::remove_file(folder.path().join("events.jsonl")).unwrap();
        assert!(
            read(folder.path())
                .unwrap_err()
                .to_string()
                .contains("events.jsonl")
        );

        let folder = recorded(GOOD);
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("stderr.txt")).unwrap();
        assert!(matches!(
            read(folder.path()),
            Err(ReplayError::Entry { .. })
        ));

        let folder = recorded(GOOD);
        std::os::unix::fs::symlink("/etc", folder.path().join("output/link")).unwrap();
        let work = tempfile::tempdir().unwrap();
        let error = copy_output(folder.path(), &work.path().join("output")).unwrap_err();
        assert!(error.to_string().contains("output/link"), "{error}");
    }
}
