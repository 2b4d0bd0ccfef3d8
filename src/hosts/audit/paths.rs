// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decides whether a path lies on the agent's grounds, by its text and by where the links of the disk lead.

use std::path::{Component, Path, PathBuf};

/// Stands for one unquoted glob character in a path's text.
pub(super) const GLOB: char = '\u{10fffd}';
/// The most links that are followed for one path.
const MOST_LINKS: usize = 64;

/// Folders of the system that any program reads, and that hold nothing of an experiment.
const SYSTEM_FOLDERS: [&str; 7] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
];
/// Single files of the same kind.
const SYSTEM_FILES: [&str; 22] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
    "/etc/fonts",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/resolv.conf",
    "/etc/ssl/certs",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/version",
];

/// What one agent may touch, by absolute paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grounds {
    /// The work folder, in which commands start.
    pub work: PathBuf,
    /// The agent's own home.
    pub home: PathBuf,
    /// The agent's own folder for temporary files.
    pub temporary: PathBuf,
    /// Further files and folders that it may read: its task tree, its host's installation, its skill.
    pub readable: Vec<PathBuf>,
    /// Files and folders whose mere mention fails the audit: fixture, other trials, baselines, private/.
    pub forbidden: Vec<PathBuf>,
}

/// The use that is made of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Any,
    Write,
}

impl Grounds {
    /// Whether `path`, absolute and in any form, stays on the grounds both ways.
    pub(super) fn allow(&self, path: &Path, r#use: Use) -> bool {
        let plain = normal(path);
        self.holds(&plain, r#use) && resolve(path).is_some_and(|real| self.holds(&real, r#use))
    }

    fn holds(&self, path: &Path, r#use: Use) -> bool {
        let own = [&self.work, &self.home, &self.temporary];
        let own = own.into_iter().chain(&self.readable);
        let inside = |root: &PathBuf| {
            path.starts_with(root) || resolve(root).is_some_and(|root| path.starts_with(root))
        };
        if own.into_iter().any(inside) {
            return true;
        }
        let devices = SYSTEM_FILES.iter().any(|file| path.starts_with(file));
        match r#use {
            Use::Write => devices && path.starts_with("/dev"),
            Use::Any => devices || SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder)),
        }
    }

    /// The forbidden paths as texts, both as they are given and as their links resolve.
    pub(super) fn forbidden_texts(&self) -> Vec<String> {
        let both = |path: &PathBuf| [Some(path.clone()), resolve(path)];
        let found = self.forbidden.iter().flat_map(both).flatten();
        let mut texts: Vec<String> = found
            .filter_map(|path| path.to_str().map(str::to_owned))
            .collect();
        texts.sort();
        texts.dedup();
        texts
    }
}

/// Whether `text` holds `path`, not merely a longer name that begins with it.
pub(super) fn mentions(text: &str, path: &str) -> bool {
    let goes_on = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-');
    text.match_indices(path).any(|(at, _)| {
        let rest = text.get(at + path.len()..).unwrap_or_default();
        !rest.starts_with(goes_on)
    })
}

/// `path` with its `.` and `..` taken out by text alone. A component that a glob could turn into `..` is one.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::ParentDir => _ = plain.pop(),
            Component::Normal(name) if could_climb(name.to_string_lossy().as_ref()) => {
                _ = plain.pop();
            }
            Component::Normal(name) => plain.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    plain
}

/// Globs that begin with a dot match `..` in many shells.
fn could_climb(name: &str) -> bool {
    name.strip_prefix('.').is_some_and(|rest| {
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        !rest.is_empty() && rest.chars().all(|character| character == GLOB)
    })
}

/// Where `path` leads when its links are followed one by one, as the kernel does: `..` after a link leaves the
/// link's target, not the link. `None` when there are too many links. What does not exist is kept as it is.
pub(super) fn resolve(path: &Path) -> Option<PathBuf> {
    let mut real = PathBuf::from("/");
    let mut left: Vec<PathBuf> = parts(path);
    let mut links = 0;
    while let Some(part) = left.pop() {
        if part.as_os_str() == ".." {
            real.pop();
            continue;
        }
        let next = real.join(&part);
        match std::fs::read_link(&next) {
            Err(_) => real = next,
            Ok(target) => {
                links += 1;
                if links > MOST_LINKS {
                    return None;
                }
                if target.is_absolute() {
                    real = PathBuf::from("/");
                }
                left.extend(parts(&target));
            }
        }
    }
    Some(real)
}

/// The names of `path`, last one first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let name = |component: Component<'_>| match component {
        Component::ParentDir => Some(PathBuf::from("..")),
        Component::Normal(name) if could_climb(&name.to_string_lossy()) => Some("..".into()),
        Component::Normal(name) => Some(PathBuf::from(name)),
        _ => None,
    };
    let mut names: Vec<PathBuf> = path.components().filter_map(name).collect();
    names.reverse();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grounds(root: &Path) -> Grounds {
        Grounds {
            work: root.join("work"),
            home: root.join("home"),
            temporary: root.join("tmp"),
            readable: vec![root.join("task")],
            forbidden: vec![root.join("other"), root.join("work-2")],
        }
    }

    #[test]
    fn decides_by_text() {
        let grounds = grounds(Path::new("/nonexistent/t"));
        let allowed = |path: &str| grounds.allow(Path::new(path), Use::Any);
        for path in [
            "/nonexistent/t/work",
            "/nonexistent/t/work/../task/a",
            "/usr/bin/env",
            "//usr//lib",
        ] {
            assert!(allowed(path), "{path}");
        }
        for path in [
            "/",
            "/nonexistent/t",
            "/nonexistent/t/work/..",
            "/nonexistent/t/work-2",
            "/etc/shadow",
        ] {
            assert!(!allowed(path), "{path}");
        }
        assert!(!grounds.allow(Path::new("/usr/bin/planted"), Use::Write));
        assert!(grounds.allow(Path::new("/dev/null"), Use::Write));
        assert!(!grounds.allow(Path::new("/etc/passwd"), Use::Write));
    }

    #[test]
    fn decides_by_where_links_lead() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["work/deep", "other", "task"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        let link = |target: &str, name: &str| {
            std::os::unix::fs::symlink(target, root.join(name)).unwrap();
        };
        link("../other", "work/out");
        link("deep", "work/in");
        link("loop", "work/loop");
        link("../task", "work/task");
        let grounds = grounds(&root);
        let allowed = |path: &str| grounds.allow(&root.join(path), Use::Any);
        assert!(allowed("work/in/x") && allowed("work/task/brief.md"));
        assert!(!allowed("work/out"));
        assert!(!allowed("work/out/secret"));
        assert!(!allowed("work/loop"));
        // By text this is work/x; the kernel goes to the parent of the link's target.
        assert!(!allowed("work/out/../x"));
    }

    #[test]
    fn mentions_end_where_the_name_ends() {
        assert!(mentions("cat /t/work/a", "/t/work"));
        assert!(mentions("/t/work", "/t/work"));
        assert!(!mentions("cat /t/work-2/a /t/work2", "/t/work"));
        let grounds = grounds(Path::new("/nonexistent/t"));
        assert_eq!(
            grounds.forbidden_texts(),
            ["/nonexistent/t/other", "/nonexistent/t/work-2"]
        );
    }

    #[test]
    fn a_glob_can_be_the_parent() {
        let glob = format!("/t/work/.{GLOB}/x");
        assert_eq!(normal(Path::new(&glob)), Path::new("/t/x"));
        assert_eq!(
            normal(Path::new("/t/work/.hidden")),
            Path::new("/t/work/.hidden")
        );
    }
}
