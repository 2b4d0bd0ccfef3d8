// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys and logins on their way to an agent: by private files, never by arguments, and kept out of
//! the evidence even when the agent prints them.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use deckproof_packets::atomic;

use super::ExecuteError;
use crate::hosts::Host;
use crate::suite::Arm;

/// The shortest text that is looked for: a shorter one stands in every log by chance.
const SHORTEST: usize = 8;
/// The largest login file, and the largest file of a deck that is looked into, in bytes.
const MAX_LOGIN: u64 = 1 << 20;
const MAX_FILE: u64 = 512 << 20;
/// The most files of a deck that are looked into, and how deep.
const MOST_FILES: usize = 10_000;
/// What stands in a log in the place of a secret.
const REMOVED: &[u8] = b"[secret removed]";

/// What one attempt must not show.
#[derive(Default)]
pub(super) struct Secrets {
    /// Variables whose values stand in private files.
    pub files: BTreeMap<String, PathBuf>,
    /// Texts to look for, each with the name of what it comes from.
    needles: Vec<(Vec<u8>, String)>,
    /// The copy of the login in the agent's home.
    login: Option<PathBuf>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Secrets")
            .field("files", &self.files)
            .finish_non_exhaustive()
    }
}

impl Secrets {
    /// Puts the values of the variables that the suite passes on into files in `run`, and a copy of
    /// the login into `home`.
    ///
    /// # Errors
    /// When a variable is not set or the login cannot be read.
    pub(super) fn place(
        arm: &Arm,
        host: &dyn Host,
        run: &Path,
        home: &Path,
    ) -> Result<Self, ExecuteError> {
        let problem = |problem: String| ExecuteError::Arm {
            arm: arm.id.get().to_string(),
            problem,
        };
        let mut secrets = Self::default();
        for (index, name) in arm.pass_environment.iter().enumerate() {
            let value = std::env::var(name).map_err(|_| {
                problem(format!(
                    "`{name}` is not set; the suite passes this variable to the agent"
                ))
            })?;
            let path = run.join(format!("{PREFIX}{index}"));
            atomic::write(&path, value.as_bytes(), 0o600)?;
            secrets.files.insert(name.clone(), path);
            secrets.look_for(value.trim(), name);
        }
        if let (Some(file), Some(place)) = (&arm.credential_file, host.login()) {
            let login = read_login(Path::new(file.get().as_str()))
                .map_err(|error| problem(format!("`{}`: {error}", file.get())))?;
            let copy = home.join(place);
            if let Some(folder) = copy.parent() {
                fs_err::create_dir_all(folder)?;
            }
            atomic::write(&copy, &login, 0o600)?;
            secrets.login = Some(copy);
            secrets.look_into(&login);
        }
        Ok(secrets)
    }

    /// Removes the files once the agent has ended.
    pub(super) fn forget(&self) {
        for path in self.files.values().chain(&self.login) {
            let _ = fs_err::remove_file(path);
        }
    }

    fn look_for(&mut self, value: &str, name: &str) {
        if value.len() < SHORTEST {
            return;
        }
        self.needles
            .push((value.as_bytes().to_vec(), name.to_owned()));
        let quoted = serde_json::to_string(value).unwrap_or_default();
        let escaped = quoted.trim_matches('"');
        if escaped != value {
            let needle = escaped.as_bytes().to_vec();
            self.needles.push((needle, name.to_owned()));
        }
    }

    /// Every long text in a login file may be a token.
    fn look_into(&mut self, login: &[u8]) {
        let mut left = vec![serde_json::from_slice(login).unwrap_or_else(|_| {
            serde_json::Value::String(String::from_utf8_lossy(login).trim().to_owned())
        })];
        while let Some(value) = left.pop() {
            match value {
                serde_json::Value::String(text) if text.len() >= 2 * SHORTEST => {
                    self.look_for(&text, "credential_file");
                }
                serde_json::Value::Array(items) => left.extend(items),
                serde_json::Value::Object(fields) => {
                    left.extend(fields.into_iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
    }

    /// `log` without any secret, and the names of those that it held.
    pub(super) fn redact(&self, mut log: Vec<u8>) -> (Vec<u8>, Vec<String>) {
        let mut found = Vec::new();
        for (needle, name) in &self.needles {
            if let Some(clean) = replace(&log, needle) {
                log = clean;
                found.push(name.clone());
            }
        }
        found.sort();
        found.dedup();
        (log, found)
    }

    /// The name of a secret that stands in a file below `folder`, and the file. Links are not
    /// followed, since none is copied.
    pub(super) fn find_below(&self, folder: &Path) -> Option<(String, PathBuf)> {
        if self.needles.is_empty() {
            return None;
        }
        let (mut left, mut seen) = (vec![folder.to_owned()], 0);
        while let Some(folder) = left.pop() {
            for entry in fs_err::read_dir(&folder).ok()?.flatten() {
                seen += 1;
                let kind = entry.file_type().ok()?;
                if kind.is_dir() {
                    left.push(entry.path());
                } else if kind.is_file()
                    && let Some(name) = self.find_in(&entry.path())
                {
                    return Some((name, entry.path()));
                }
                if seen > MOST_FILES {
                    return None;
                }
            }
        }
        None
    }

    fn find_in(&self, path: &Path) -> Option<String> {
        let mut bytes = Vec::new();
        let file = fs_err::File::open(path).ok()?;
        file.take(MAX_FILE).read_to_end(&mut bytes).ok()?;
        let mut needles = self.needles.iter();
        needles
            .find(|(needle, _)| find(&bytes, needle, 0).is_some())
            .map(|(_, name)| name.clone())
    }
}

fn read_login(path: &Path) -> std::io::Result<Vec<u8>> {
    let metadata = fs_err::metadata(path)?;
    if !metadata.is_file() || metadata.len() > MAX_LOGIN {
        let problem = format!("expected a file of at most {MAX_LOGIN} bytes");
        return Err(std::io::Error::other(problem));
    }
    fs_err::read(path)
}

/// `text` with every `needle` replaced, when there is one.
fn replace(text: &[u8], needle: &[u8]) -> Option<Vec<u8>> {
    let mut at = find(text, needle, 0)?;
    let (mut clean, mut from) = (Vec::with_capacity(text.len()), 0);
    loop {
        clean.extend_from_slice(text.get(from..at)?);
        clean.extend_from_slice(REMOVED);
        from = at + needle.len();
        match find(text, needle, from) {
            Some(next) => at = next,
            None => break,
        }
    }
    clean.extend_from_slice(text.get(from..)?);
    Some(clean)
}

fn find(text: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let first = *needle.first()?;
    let mut at = from;
    loop {
        at += text.get(at..)?.iter().position(|byte| *byte == first)?;
        if text.get(at..)?.starts_with(needle) {
            return Some(at);
        }
        at += 1;
    }
}

/// What the private files of an attempt are called, with a number.
const PREFIX: &str = "secret-";

/// Removes the private files that a run left which was killed.
pub(super) fn forget(run: &Path) -> std::io::Result<()> {
    for entry in fs_err::read_dir(run)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            fs_err::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(values: &[(&str, &str)]) -> Secrets {
        let mut secrets = Secrets::default();
        for (value, name) in values {
            secrets.look_for(value, name);
        }
        secrets
    }

    #[test]
    fn a_log_loses_every_secret_and_nothing_else() {
        let secrets = secrets(&[
            ("sk-12345678", "KEY"),
            ("a\"quoted\"one", "OTHER"),
            ("x", "SHORT"),
        ]);
        let log = b"a sk-12345678sk-12345678 sk-1234567 x {\"k\":\"a\\\"quoted\\\"one\"}".to_vec();
        let (clean, found) = secrets.redact(log);
        let expected =
            "a [secret removed][secret removed] sk-1234567 x {\"k\":\"[secret removed]\"}";
        assert_eq!(String::from_utf8(clean).unwrap(), expected);
        assert_eq!(found, ["KEY", "OTHER"]);
        let (same, none) = secrets.redact(b"nothing".to_vec());
        assert_eq!((same.as_slice(), none.len()), (b"nothing".as_slice(), 0));
    }

    #[test]
    fn tokens_of_a_login_file_are_secrets() {
        let mut secrets = Secrets::default();
        secrets.look_into(br#"{"tokens":{"access":"abcdefghijklmnopqrst"},"mode":"chatgpt"}"#);
        let (clean, found) = secrets.redact(b"abcdefghijklmnopqrst chatgpt".to_vec());
        assert_eq!(clean, b"[secret removed] chatgpt");
        assert_eq!(found, ["credential_file"]);
    }

    #[test]
    fn a_deck_with_a_secret_is_found() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::create_dir(folder.path().join("deep")).unwrap();
        fs_err::write(folder.path().join("deep/a.js"), "key='sk-12345678'").unwrap();
        let (name, path) = secrets(&[("sk-12345678", "KEY")])
            .find_below(folder.path())
            .unwrap();
        assert_eq!((name.as_str(), path.ends_with("deep/a.js")), ("KEY", true));
        assert!(
            secrets(&[("sk-87654321", "KEY")])
                .find_below(folder.path())
                .is_none()
        );
    }
}
