// SPDX-License-Identifier: MIT OR Apache-2.0
//! The second wall around an agent: Landlock, by which a process gives up rights for itself and all that it starts.
//!
//! Namespaces decide what there is; Landlock decides what may be done with it, by rules of another part of the
//! kernel. A mistake in the one does not open the other. The helper inside (see `inside`) applies it to itself
//! just before the agent, so that nothing here needs `unsafe`.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd,
    Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
};

/// The versions of Landlock that are made use of, newest first, with the number that the kernel states. Later ones
/// add rules that were never tried here.
const VERSIONS: [(u8, ABI); 7] = [
    (7, ABI::V7),
    (6, ABI::V6),
    (5, ABI::V5),
    (4, ABI::V4),
    (3, ABI::V3),
    (2, ABI::V2),
    (1, ABI::V1),
];
/// The first version that knows signals and abstract sockets.
const SCOPES_SINCE: u8 = 6;
/// The first version that logs denials of programs started later.
const LOGS_SINCE: u8 = 7;

/// What an agent may do with the files that there are. Everything else is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rules {
    /// Version of Landlock, all of which is demanded.
    pub(super) version: u8,
    /// Files and folders to read and run.
    pub(super) readable: Vec<PathBuf>,
    /// Files and folders in which existing files, devices among them, may be read and written.
    pub(super) usable: Vec<PathBuf>,
    /// Folders in which everything may be done but making devices.
    pub(super) writable: Vec<PathBuf>,
}

/// Why Landlock does not hold an agent.
#[derive(Debug, thiserror::Error)]
pub(super) enum LandlockError {
    #[error("Landlock version {0} is none that this program knows")]
    Version(u8),
    #[error("{path}: no rule can be made for it: {source}")]
    Path {
        path: PathBuf,
        source: landlock::PathFdError,
    },
    #[error("the kernel refused the rules: {0}")]
    Rules(#[from] RulesetError),
    #[error("the kernel took the rules only in part")]
    Partly,
}

/// The newest version that this kernel has and that is made use of; 0 when it has none, or has it switched off.
pub(super) fn supported_version() -> u8 {
    let works = |(_, abi): &&(u8, ABI)| ruleset(*abi).and_then(Ruleset::create).is_ok();
    VERSIONS
        .iter()
        .find(works)
        .map_or(0, |(version, _)| *version)
}

/// Everything that `abi` can refuse, refused, but the network: an agent has a loopback of its own.
fn ruleset(abi: ABI) -> Result<Ruleset, RulesetError> {
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))?;
    let scopes = Scope::from_all(abi);
    if scopes.is_empty() {
        return Ok(rules);
    }
    rules.scope(scopes)
}

/// Puts the calling thread, and whatever it starts from now on, under `rules`.
pub(super) fn restrict(rules: &Rules) -> Result<(), LandlockError> {
    let abi = VERSIONS
        .iter()
        .find(|(version, _)| *version == rules.version)
        .map(|(_, abi)| *abi)
        .ok_or(LandlockError::Version(rules.version))?;
    let read = AccessFs::from_read(abi);
    let all = AccessFs::from_all(abi);
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock;
    let mut created = ruleset(abi)?.create()?;
    for (paths, access) in [
        (&rules.readable, read),
        (&rules.usable, read | (AccessFs::from_file(abi) & all)),
        (&rules.writable, all & !devices),
    ] {
        for path in paths {
            created = created.add_rule(rule(path, access, abi)?)?;
        }
    }
    if rules.version >= LOGS_SINCE {
        created = created.log_new_exec(true)?;
    }
    match created.restrict_self()?.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        _ => Err(LandlockError::Partly),
    }
}

/// A rule for a file may name no rights that only folders have.
fn rule(
    path: &Path,
    access: BitFlags<AccessFs>,
    abi: ABI,
) -> Result<PathBeneath<PathFd>, LandlockError> {
    let handle = PathFd::new(path).map_err(|source| LandlockError::Path {
        path: path.to_owned(),
        source,
    })?;
    let access = if path.is_dir() {
        access
    } else {
        access & AccessFs::from_file(abi)
    };
    Ok(PathBeneath::new(handle, access))
}

/// What this version keeps an agent from, in words for people.
pub(super) fn describe(version: u8) -> String {
    match version {
        0 => "Landlock is not there (kernel before 5.13, or left out of its list of security modules)".to_owned(),
        _ if version < SCOPES_SINCE => {
            format!("Landlock version {version}: files; signals and abstract sockets from version {SCOPES_SINCE}")
        }
        _ => format!("Landlock version {version}: files, signals and abstract sockets"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `act` in a thread under rules; rules end with the thread.
    fn under<T: Send + 'static>(rules: Rules, act: impl FnOnce() -> T + Send + 'static) -> T {
        std::thread::spawn(move || {
            restrict(&rules).unwrap();
            act()
        })
        .join()
        .unwrap()
    }

    fn version() -> Option<u8> {
        let version = supported_version();
        if version == 0 {
            eprintln!("skipped: {}", describe(0));
        }
        (version > 0).then_some(version)
    }

    #[test]
    fn refuses_what_no_rule_names() {
        let Some(version) = version() else { return };
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        for name in ["task", "work", "other"] {
            std::fs::create_dir(root.join(name)).unwrap();
            std::fs::write(root.join(name).join("file"), name).unwrap();
        }
        let rules = Rules {
            version,
            readable: vec![root.join("task"), "/etc/passwd".into()],
            usable: vec!["/dev/null".into()],
            writable: vec![root.join("work")],
        };
        under(rules, move || {
            assert_eq!(std::fs::read(root.join("task/file")).unwrap(), b"task");
            std::fs::write(root.join("work/new"), "x").unwrap();
            std::fs::rename(root.join("work/new"), root.join("work/newer")).unwrap();
            std::fs::write("/dev/null", "x").unwrap();
            std::fs::read("/etc/passwd").unwrap();
            for refused in [
                std::fs::read(root.join("other/file")).map(drop),
                std::fs::read(root.join("work/../other/file")).map(drop),
                std::fs::read_dir(&root).map(drop),
                std::fs::write(root.join("task/file"), "x"),
                std::fs::write(root.join("task/new"), "x"),
                std::fs::remove_file(root.join("task/file")),
                std::fs::rename(root.join("other/file"), root.join("work/file2")),
                std::fs::write(root.join("planted"), "x"),
            ] {
                assert!(refused.is_err());
            }
        });
    }

    #[test]
    fn refuses_rules_that_it_cannot_keep() {
        let Some(version) = version() else { return };
        let unknown = Rules {
            version: 99,
            ..Rules::default()
        };
        assert!(matches!(
            restrict(&unknown),
            Err(LandlockError::Version(99))
        ));
        let missing = Rules {
            version,
            readable: vec!["/nonexistent".into()],
            ..Rules::default()
        };
        assert!(matches!(
            restrict(&missing),
            Err(LandlockError::Path { .. })
        ));
        // Neither has restricted this thread.
        std::fs::read_dir("/").unwrap();
    }

    #[test]
    fn says_which_version_keeps_what() {
        assert!(describe(0).contains("not there") && describe(4).contains("from version 6"));
        assert!(describe(7).ends_with("files, signals and abstract sockets"));
    }
}
