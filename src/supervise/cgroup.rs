// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits that the kernel keeps by itself, where it lets us make a control group: no process too many, no byte of
//! memory too much, not even between two looks of the watch.
//!
//! That takes rights that root has and a normal user has not, unless somebody delegated a group. Without them the
//! watch remains, and the kernel's own count of a user's processes inside a namespace. Nothing here is an error: what
//! is kept is said.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::job::Limits;
use super::outcome::KillReason;

/// The kernel counts threads where our own limit counts processes; so many a process are granted, and some of ours.
const THREADS: u64 = 8;
const OWN_TASKS: u64 = 64;
/// How often an emptied group is tried to be removed, and the pause between.
const REMOVALS: (u32, Duration) = (50, Duration::from_millis(2));

/// The tasks that the limit of processes comes to.
pub(super) fn tasks(processes: u64) -> u64 {
    processes.saturating_mul(THREADS).saturating_add(OWN_TASKS)
}

/// One kind of resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Controller {
    Pids,
    Memory,
}

impl Controller {
    const ALL: [Self; 2] = [Self::Pids, Self::Memory];

    fn name(self) -> &'static str {
        match self {
            Self::Pids => "pids",
            Self::Memory => "memory",
        }
    }

    fn what(self) -> &'static str {
        match self {
            Self::Pids => "processes",
            Self::Memory => "memory",
        }
    }
}

/// A group that this process made, and where it came from.
#[derive(Debug, PartialEq, Eq)]
struct Group {
    controller: Controller,
    /// The group that this process is in.
    home: PathBuf,
    /// The group of the agent, below it.
    folder: PathBuf,
}

/// The groups of one agent. They are removed when dropped, after the agent's last process.
#[derive(Debug, Default)]
pub(super) struct Cgroup {
    groups: Vec<Group>,
}

impl Cgroup {
    /// Makes what can be made.
    pub(super) fn make(limits: &Limits) -> Self {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        let homes = homes(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"));
        let made = homes
            .into_iter()
            .filter_map(|home| make_group(home, limits));
        Self {
            groups: made.collect(),
        }
    }

    /// Runs `start` inside the groups, so that whatever it starts is in them from its first instruction.
    pub(super) fn within<T>(&mut self, start: impl FnOnce() -> T) -> T {
        self.groups.retain(|group| join(&group.folder).is_ok());
        let started = start();
        for group in &self.groups {
            // Should it fail, our own few tasks count as the agent's, and the group stays behind.
            _ = join(&group.home);
        }
        started
    }

    /// What the kernel keeps, in words.
    pub(super) fn kept(&self) -> Vec<String> {
        let kept = self.groups.iter().map(|group| group.controller.what());
        kept.map(str::to_owned).collect()
    }

    /// The limit at which the kernel has killed one of the agent's processes, or refused it another.
    pub(super) fn reached(&self) -> Option<KillReason> {
        self.groups.iter().find_map(Group::reached)
    }
}

impl Group {
    fn reached(&self) -> Option<KillReason> {
        let (files, name, reason): (&[&str], _, _) = match self.controller {
            Controller::Pids => (&["pids.events"], "max", KillReason::Processes),
            Controller::Memory => (
                &["memory.events", "memory.oom_control"],
                "oom_kill",
                KillReason::Memory,
            ),
        };
        let counted = files.iter().any(|file| {
            let text = std::fs::read_to_string(self.folder.join(file)).unwrap_or_default();
            counter(&text, name).is_some_and(|count| count > 0)
        });
        counted.then_some(reason)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        let (times, pause) = REMOVALS;
        for group in &self.groups {
            for _ in 0..times {
                if std::fs::remove_dir(&group.folder).is_ok() {
                    break;
                }
                std::thread::sleep(pause);
            }
        }
    }
}

fn join(folder: &Path) -> std::io::Result<()> {
    std::fs::write(folder.join("cgroup.procs"), std::process::id().to_string())
}

fn counter(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(|line| line.split_once(' '));
    lines.find_map(|line| line.filter(|(key, _)| *key == name)?.1.parse().ok())
}

/// Where groups for this process could be made: by controller, in the second version of control groups or the first.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Home {
    controller: Controller,
    folder: PathBuf,
    second: bool,
}

/// Reads the mounts and the groups of this process, as /proc shows them.
fn homes(mounts: &str, groups: &str) -> Vec<Home> {
    let mut found = Vec::new();
    for controller in Controller::ALL {
        let first = groups.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (names, path) = (fields.next()?, fields.next()?);
            let ours = names.split(',').any(|name| name == controller.name());
            ours.then(|| mounted(mounts, "cgroup", Some(controller.name()), path))?
        });
        let second = groups.lines().find_map(|line| {
            let path = line.strip_prefix("0::")?;
            mounted(mounts, "cgroup2", None, path)
        });
        let home = first.map(|folder| (folder, false));
        found.extend(home.or_else(|| second.map(|folder| (folder, true))).map(
            |(folder, second)| Home {
                controller,
                folder,
                second,
            },
        ));
    }
    found
}

/// The folder of the group `path` in the hierarchy of this kind.
fn mounted(mounts: &str, kind: &str, controller: Option<&str>, path: &str) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (place, file_system) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let (root, point) = (place.next()?, place.next()?);
        let mut file_system = file_system.split(' ');
        let fits = file_system.next()? == kind
            && controller.is_none_or(|name| {
                let options = file_system.nth(1).unwrap_or_default();
                options.split(',').any(|option| option == name)
            });
        let below = Path::new(path).strip_prefix(root).ok()?;
        fits.then(|| Path::new(point).join(below))
    })
}

fn make_group(home: Home, limits: &Limits) -> Option<Group> {
    if home.second {
        enable(&home)?;
    }
    let folder = home
        .folder
        .join(format!("deckproof-{}", std::process::id()));
    // One that is there is left from a supervisor with the same number, long gone.
    _ = std::fs::remove_dir(&folder);
    std::fs::create_dir(&folder).ok()?;
    let (file, limit) = match (home.controller, home.second) {
        (Controller::Pids, _) => ("pids.max", tasks(limits.processes)),
        (Controller::Memory, true) => ("memory.max", limits.memory_bytes),
        (Controller::Memory, false) => ("memory.limit_in_bytes", limits.memory_bytes),
    };
    if std::fs::write(folder.join(file), limit.to_string()).is_err() {
        _ = std::fs::remove_dir(&folder);
        return None;
    }
    Some(Group {
        controller: home.controller,
        home: home.folder,
        folder,
    })
}

/// In the second version a group has to hand a controller on to those below it.
fn enable(home: &Home) -> Option<()> {
    let control = home.folder.join("cgroup.subtree_control");
    let name = home.controller.name();
    let has = |text: String| text.split_ascii_whitespace().any(|word| word == name);
    if std::fs::read_to_string(&control).is_ok_and(has) {
        return Some(());
    }
    std::fs::write(&control, format!("+{name}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
25 20 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755
26 25 0:23 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
27 25 0:24 /box /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
28 25 0:25 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";

    fn folders(mounts: &str, groups: &str) -> Vec<(String, bool)> {
        let homes = homes(mounts, groups).into_iter();
        homes
            .map(|home| (home.folder.display().to_string(), home.second))
            .collect()
    }

    #[test]
    fn finds_the_groups_of_both_versions() {
        let both = "8:pids:/box/a\n4:cpu,memory:/jobs/b\n0::/c\n";
        let expected = [
            ("/sys/fs/cgroup/pids/a".to_owned(), false),
            ("/sys/fs/cgroup/memory/jobs/b".to_owned(), false),
        ];
        assert_eq!(folders(MOUNTS, both), expected);
        let second = "/sys/fs/cgroup/unified/c".to_owned();
        assert_eq!(
            folders(MOUNTS, "0::/c\n"),
            [(second.clone(), true), (second, true)]
        );
        assert_eq!(folders(MOUNTS, "8:pids:/elsewhere\n"), []);
        assert_eq!(folders("", both), []);
        assert_eq!(folders("nonsense", "nonsense"), []);
    }

    #[test]
    fn reads_counters() {
        let text = "low 0\noom 3\noom_kill 2\n";
        assert_eq!(counter(text, "oom_kill"), Some(2));
        assert_eq!(counter(text, "oom_group_kill"), None);
        assert_eq!(counter("oom_kill x", "oom_kill"), None);
    }

    #[test]
    fn a_folder_that_is_no_group_keeps_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let home = |folder: &Path, second| Home {
            controller: Controller::Pids,
            folder: folder.to_owned(),
            second,
        };
        assert_eq!(
            make_group(home(Path::new("/nonexistent"), false), &Limits::default()),
            None
        );
        assert_eq!(
            make_group(home(Path::new("/nonexistent"), true), &Limits::default()),
            None
        );
        assert!(make_group(home(folder.path(), false), &Limits::default()).is_some());
    }
}
