// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds a program the way a shell would, but on a search path that the caller states.
//!
//! The path that is found is what runs and what gets hashed, so that no later change of a search path can
//! put another program in its place.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Why a program was not found.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// Nothing executable has that name.
    #[error(
        "program `{name}`: found nowhere on `{search_path}`; install it or give its absolute path"
    )]
    Missing {
        /// The name looked for.
        name: String,
        /// Where it was looked for.
        search_path: String,
    },
    /// The path given is no executable file.
    #[error("program {path}: expected an executable file; install it or correct the path")]
    NotExecutable {
        /// The path given.
        path: PathBuf,
    },
}

/// The absolute path of `name`: itself when it is an absolute path, else its first executable match on
/// `search_path` (colon-separated; empty and relative entries are passed over).
///
/// # Errors
/// When there is no such executable file.
pub fn find_program(name: &str, search_path: &str) -> Result<PathBuf, ProgramError> {
    let given = Path::new(name);
    if given.is_absolute() {
        return if is_executable(given) {
            Ok(given.to_owned())
        } else {
            Err(ProgramError::NotExecutable {
                path: given.to_owned(),
            })
        };
    }
    let missing = || ProgramError::Missing {
        name: name.to_owned(),
        search_path: search_path.to_owned(),
    };
    if name.is_empty() || name.contains('/') {
        return Err(missing());
    }
    search_path
        .split(':')
        .map(Path::new)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| is_executable(path))
        .ok_or_else(missing)
}

fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path)
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_by_path_and_by_name() {
        assert_eq!(find_program("/bin/sh", "").unwrap(), Path::new("/bin/sh"));
        assert_eq!(
            find_program("sh", "relative::/nowhere:/bin").unwrap(),
            Path::new("/bin/sh")
        );
    }

    #[test]
    fn refuses_what_is_not_there() {
        let missing = find_program("no-such-program", "/bin")
            .unwrap_err()
            .to_string();
        assert!(
            missing.contains("no-such-program") && missing.contains("/bin"),
            "{missing}"
        );
        assert!(matches!(
            find_program("/etc", "/"),
            Err(ProgramError::NotExecutable { .. })
        ));
        assert!(matches!(
            find_program("/etc/passwd", "/"),
            Err(ProgramError::NotExecutable { .. })
        ));
        assert!(matches!(
            find_program("bin/sh", "/"),
            Err(ProgramError::Missing { .. })
        ));
        assert!(matches!(
            find_program("", "/bin"),
            Err(ProgramError::Missing { .. })
        ));
    }
}
