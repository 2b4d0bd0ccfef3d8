// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seal: the hash of every input byte that a suite names, in `suite.lock.json`.
//!
//! What reaches an agent or a reviewer is in the lock, and what is not in the lock is not copied.
//! [`Inputs`] is the only way from the suite's folder into an experiment: it hashes the very bytes
//! that it hands on.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use deckproof_packets::atomic;
use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json::{self, JsonError};
use deckproof_packets::relpath::RelPath;
use deckproof_packets::tree::{Tree, TreeError, TreeLimits, open_regular};
use serde::{Deserialize, Serialize};

use crate::suite::{HostKind, Id, Loaded, Skill, Suite};

/// The name of the lock beside `suite.toml`.
pub const LOCK_NAME: &str = "suite.lock.json";
/// Largest input file, in bytes.
const MAX_INPUT: u64 = 512 << 20;

/// The lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Always `deckproof.lock.v1`.
    pub schema: LockSchema,
    /// Hash of `suite.toml`.
    pub suite_sha256: Sha256Hex,
    /// Every input file, sorted by path.
    pub files: Vec<LockedFile>,
    /// The identity of every skill, in the suite's order.
    pub skills: Vec<SkillIdentity>,
}

/// The only schema of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LockSchema {
    /// Version 1.
    #[serde(rename = "deckproof.lock.v1")]
    V1,
}

/// One input file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedFile {
    /// Its path below the suite's folder.
    pub path: RelPath,
    /// Its hash.
    pub sha256: Sha256Hex,
    /// Its size.
    pub bytes: u64,
    /// Whether its owner may run it.
    pub executable: bool,
}

/// What a skill is, so that the copy that ran can be told from another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkillIdentity {
    /// The skill's name.
    pub id: Id,
    /// Its version.
    pub version: String,
    /// Hash of SKILL.md.
    pub skill_md_sha256: Sha256Hex,
    /// Hash of its manifest, when it has one.
    pub manifest_sha256: Option<Sha256Hex>,
    /// Hash of the whole folder with portable modes.
    pub tree_sha256: Sha256Hex,
}

/// A seal that cannot be made or does not hold.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// An input cannot be read or may not be an input.
    #[error("`{path}`: {problem}")]
    Input {
        /// Which input.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// There is no lock.
    #[error("`{path}` does not exist; expected the suite's seal, run `deckproof seal` to write it")]
    NoLock {
        /// Where it should be.
        path: PathBuf,
    },
    /// The lock is not strict JSON of its schema.
    #[error(transparent)]
    Lock(#[from] JsonError),
    /// An input differs from the lock.
    #[error(
        "`{path}` {change} since the suite was sealed; restore it, or run `deckproof seal` to seal it anew"
    )]
    Drift {
        /// Which input.
        path: String,
        /// How it differs.
        change: String,
    },
    /// An installed skill differs from the sealed one.
    #[error(
        "the installed skill `{skill}` at `{path}` is not the sealed one: {change}; install the sealed version"
    )]
    Skill {
        /// The skill's name.
        skill: Id,
        /// The installed copy.
        path: PathBuf,
        /// The first difference.
        change: String,
    },
}

/// Makes the lock of a suite from what is on the disk now.
///
/// # Errors
/// [`SealError::Input`] for the first input that cannot be sealed.
pub fn make(loaded: &Loaded) -> Result<Lock, SealError> {
    let mut files = BTreeMap::new();
    for path in named_paths(&loaded.suite) {
        add(&loaded.root, &path, &mut files)?;
    }
    let skills = loaded
        .suite
        .skill
        .iter()
        .map(|skill| identity(&loaded.root, skill))
        .collect::<Result<_, _>>()?;
    Ok(Lock {
        schema: LockSchema::V1,
        suite_sha256: Sha256Hex::of(&loaded.bytes),
        files: files.into_values().collect(),
        skills,
    })
}

/// The bytes of a lock file.
///
/// # Errors
/// When the lock cannot be written as JSON, which its type does not cause.
pub fn to_bytes(lock: &Lock) -> Result<Vec<u8>, SealError> {
    json::pretty(lock).map_err(|error| SealError::Input {
        path: PathBuf::from(LOCK_NAME),
        problem: error.to_string(),
    })
}

/// Writes the lock beside the suite and returns its path.
///
/// # Errors
/// As [`make`], and any error of the file system.
pub fn write(loaded: &Loaded) -> Result<PathBuf, SealError> {
    let bytes = to_bytes(&make(loaded)?)?;
    let path = loaded.root.join(LOCK_NAME);
    atomic::write(&path, &bytes, 0o644).map_err(|error| input(&path, error))?;
    Ok(path)
}

/// Reads the lock of a suite and compares it with what is on the disk now.
///
/// # Errors
/// [`SealError`] naming the first input that differs.
pub fn verify(loaded: &Loaded) -> Result<(Lock, Vec<u8>), SealError> {
    let path = loaded.root.join(LOCK_NAME);
    let bytes = match std::fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(SealError::NoLock { path });
        }
        other => other.map_err(|error| input(&path, error))?,
    };
    let lock: Lock = json::read(&path.display().to_string(), &bytes)?;
    compare(&lock, &make(loaded)?)?;
    for skill in &loaded.suite.skill {
        check_installed(loaded, skill)?;
    }
    Ok((lock, bytes))
}

fn compare(lock: &Lock, found: &Lock) -> Result<(), SealError> {
    let drift = |path: &str, change: &str| SealError::Drift {
        path: path.to_owned(),
        change: change.to_owned(),
    };
    if lock.suite_sha256 != found.suite_sha256 {
        return Err(drift("suite.toml", "has changed"));
    }
    let now: BTreeMap<_, _> = found.files.iter().map(|file| (&file.path, file)).collect();
    for file in &lock.files {
        match now.get(&file.path) {
            None => return Err(drift(file.path.as_str(), "is missing")),
            Some(other) if *other != file => return Err(drift(file.path.as_str(), "has changed")),
            Some(_) => {}
        }
    }
    let then: BTreeMap<_, _> = lock.files.iter().map(|file| (&file.path, ())).collect();
    if let Some(extra) = found
        .files
        .iter()
        .find(|file| !then.contains_key(&file.path))
    {
        return Err(drift(extra.path.as_str(), "was added"));
    }
    if lock.skills != found.skills || lock.files.len() != found.files.len() {
        return Err(drift(LOCK_NAME, "does not fit the suite"));
    }
    Ok(())
}

/// Every file and folder that a suite names, in no particular order.
fn named_paths(suite: &Suite) -> Vec<RelPath> {
    let mut paths: Vec<RelPath> = Vec::new();
    let mut add = |path: &RelPath| paths.push(path.clone());
    if let Some(prompt) = &suite.prompt {
        add(prompt);
    }
    suite.skill.iter().for_each(|skill| add(&skill.path));
    for arm in &suite.arm {
        if let Some(recordings) = &arm.recordings {
            add(recordings);
        }
        let program = arm.command.as_ref().and_then(|command| command.first());
        if let (HostKind::Command, Some(program)) = (arm.host, program)
            && let (true, Ok(path)) = (program.contains('/'), program.parse())
        {
            add(&path);
        }
    }
    for case in &suite.case {
        add(&case.brief);
        add(&case.spec);
        case.amendments
            .iter()
            .chain(&case.replies)
            .chain(&case.assets)
            .for_each(|path| add(path));
        case.known.iter().for_each(|deck| add(&deck.artifact));
    }
    for baseline in &suite.baseline {
        add(&baseline.artifact);
        if let Some(start) = &baseline.starting_point {
            add(start);
        }
    }
    paths
}

fn input(path: &Path, problem: impl ToString) -> SealError {
    SealError::Input {
        path: path.to_owned(),
        problem: problem.to_string(),
    }
}

/// The file or folder behind `path`, which must lie inside the suite after links are resolved and
/// must not itself be a link.
fn resolve(root: &Path, path: &RelPath) -> Result<PathBuf, SealError> {
    let plain = path.below(root);
    let resolved = path
        .resolve_inside(root)
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => input(
                &plain,
                "found nothing, expected what suite.toml names; write it, or name another there",
            ),
            _ => input(&plain, error),
        })?;
    let metadata = std::fs::symlink_metadata(&plain).map_err(|error| input(&plain, error))?;
    if metadata.is_symlink() {
        return Err(input(
            &plain,
            "found a symbolic link, expected a regular file or a folder",
        ));
    }
    Ok(resolved)
}

fn add(
    root: &Path,
    path: &RelPath,
    files: &mut BTreeMap<RelPath, LockedFile>,
) -> Result<(), SealError> {
    let resolved = resolve(root, path)?;
    if !resolved.is_dir() {
        let file = lock_file(&resolved, path.clone())?;
        files.insert(path.clone(), file);
        return Ok(());
    }
    let tree = scan(&resolved)?;
    for (entry, hash) in tree.files() {
        let full = path
            .join(entry.path.as_str())
            .map_err(|error| input(&resolved, error))?;
        let file = LockedFile {
            path: full.clone(),
            sha256: hash.clone(),
            bytes: entry.bytes,
            executable: entry.mode & 0o100 != 0,
        };
        files.insert(full, file);
    }
    Ok(())
}

fn lock_file(resolved: &Path, path: RelPath) -> Result<LockedFile, SealError> {
    let mut file = open_regular(resolved).map_err(|error| input(resolved, error))?;
    let mode = file
        .metadata()
        .map_err(|error| input(resolved, error))?
        .permissions();
    let executable = std::os::unix::fs::PermissionsExt::mode(&mode) & 0o100 != 0;
    let (sha256, bytes) =
        Sha256Hex::of_reader(&mut file, MAX_INPUT).map_err(|error| input(resolved, error))?;
    Ok(LockedFile {
        path,
        sha256,
        bytes,
        executable,
    })
}

fn scan(folder: &Path) -> Result<Tree, SealError> {
    let tree = Tree::scan(folder, &TreeLimits::default())
        .map_err(|error: TreeError| input(folder, error))?;
    if tree.files().next().is_none() {
        return Err(input(
            folder,
            "found no file in this folder, expected at least one",
        ));
    }
    Ok(tree.with_portable_modes())
}

fn identity(root: &Path, skill: &Skill) -> Result<SkillIdentity, SealError> {
    let folder = resolve(root, &skill.path)?;
    let tree = scan(&folder)?;
    let hash_of = |name: &str| {
        let path: Option<RelPath> = name.parse().ok();
        path.and_then(|path| tree.get(&path)?.sha256.clone())
            .ok_or_else(|| input(&folder.join(name), "the skill has no such file"))
    };
    Ok(SkillIdentity {
        id: skill.id.get().clone(),
        version: skill.version.clone(),
        skill_md_sha256: hash_of("SKILL.md")?,
        manifest_sha256: skill
            .manifest
            .as_ref()
            .map(|path| hash_of(path.as_str()))
            .transpose()?,
        tree_sha256: tree.sha256(),
    })
}

/// The installed copy must hold exactly the sealed files: a missing or extra one is drift too.
fn check_installed(loaded: &Loaded, skill: &Skill) -> Result<(), SealError> {
    let Some(installed) = &skill.installed else {
        return Ok(());
    };
    let path = expand_home(installed);
    let error = |change: String| SealError::Skill {
        skill: skill.id.get().clone(),
        path: path.clone(),
        change,
    };
    if !path.is_absolute() {
        return Err(error("expected an absolute path".to_owned()));
    }
    let source = scan(&resolve(&loaded.root, &skill.path)?)?;
    let copy = Tree::scan(&path, &TreeLimits::default())
        .map_err(|problem| error(problem.to_string()))?
        .with_portable_modes();
    source
        .difference(&copy)
        .map_or(Ok(()), |change| Err(error(change)))
}

/// The installed copies of the skills hold exactly the files that `lock` seals. For an experiment,
/// which does not need the suite's folder.
///
/// # Errors
/// [`SealError::Skill`] with the first difference.
pub fn check_installed_copies(suite: &Suite, lock: &Lock) -> Result<(), SealError> {
    for skill in &suite.skill {
        let Some(installed) = &skill.installed else {
            continue;
        };
        let path = expand_home(installed);
        let error = |change: String| SealError::Skill {
            skill: skill.id.get().clone(),
            path: path.clone(),
            change,
        };
        let copy = Tree::scan(&path, &TreeLimits::default())
            .map_err(|problem| error(problem.to_string()))?
            .with_portable_modes();
        let found: BTreeMap<_, _> = copy
            .files()
            .map(|(entry, hash)| (entry.path.clone(), hash.clone()))
            .collect();
        let sealed: BTreeMap<_, _> = lock
            .files
            .iter()
            .filter_map(|file| Some((file.path.relative_to(&skill.path)?, file.sha256.clone())))
            .collect();
        let differing = found
            .iter()
            .find(|(path, hash)| sealed.get(*path) != Some(*hash))
            .map(|(path, _)| format!("`{path}` is not the sealed one"));
        let missing = sealed.keys().find(|path| !found.contains_key(*path));
        let missing = missing.map(|path| format!("`{path}` is missing"));
        if let Some(change) = differing.or(missing) {
            return Err(error(change));
        }
    }
    Ok(())
}

fn expand_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(path),
    }
}

/// The sealed inputs of a suite, each read once and hashed as it is read.
#[derive(Debug)]
pub struct Inputs<'a> {
    root: &'a Path,
    files: BTreeMap<&'a RelPath, &'a LockedFile>,
}

impl<'a> Inputs<'a> {
    /// The inputs below `root` that `lock` lists.
    #[must_use]
    pub fn new(root: &'a Path, lock: &'a Lock) -> Self {
        let files = lock.files.iter().map(|file| (&file.path, file)).collect();
        Self { root, files }
    }

    /// The bytes of one input.
    ///
    /// # Errors
    /// [`SealError::Drift`] when the file is not in the lock or its bytes are not the sealed ones.
    pub fn read(&self, path: &RelPath) -> Result<Vec<u8>, SealError> {
        let drift = |change: &str| SealError::Drift {
            path: path.as_str().to_owned(),
            change: change.to_owned(),
        };
        let locked = self
            .files
            .get(path)
            .ok_or_else(|| drift("was not listed"))?;
        let resolved = resolve(self.root, path)?;
        let file = open_regular(&resolved).map_err(|error| input(&resolved, error))?;
        let mut bytes = Vec::new();
        file.take(locked.bytes + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| input(&resolved, error))?;
        if Sha256Hex::of(&bytes) != locked.sha256 {
            return Err(drift("has changed"));
        }
        Ok(bytes)
    }

    /// The sealed files that are `path` or lie below it, with their paths below it. A file's own
    /// path below itself is its name.
    pub fn below(&self, path: &RelPath) -> impl Iterator<Item = (RelPath, &'a LockedFile)> {
        let path = path.clone();
        self.files.values().filter_map(move |file| {
            if file.path == path {
                return Some((path.name().parse().ok()?, *file));
            }
            Some((file.path.relative_to(&path)?, *file))
        })
    }
}
