// SPDX-License-Identifier: MIT OR Apache-2.0
//! Removes folders that an agent could write, whatever it made of them.
//!
//! An agent can nest folders deeper than any path reaches and any stack holds, and take every right from them. So
//! nothing here recurses: each folder is moved up beside the first before it is emptied, which keeps paths short.

use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Removes what is at `path`, if anything is. A link is removed, not followed. Stopped half-way, the next call for
/// the same path goes on.
///
/// # Errors
/// When the file system refuses.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let found = match fs_err::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        other => Some(other?),
    };
    let heap = heap_of(path);
    match found {
        Some(found) if !found.is_dir() => fs_err::remove_file(path)?,
        Some(_) => {
            make_folder(&heap)?;
            let mut free = Free::in_folder(&heap)?;
            move_to(path, &free.take())?;
        }
        None => {}
    }
    if fs_err::symlink_metadata(&heap).is_ok() {
        empty(&heap)?;
        fs_err::remove_dir(&heap)?;
    }
    Ok(())
}

/// Where folders wait to be emptied.
fn heap_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".removing-{name}"))
}

fn make_folder(path: &Path) -> io::Result<()> {
    match fs_err::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// Names in the heap that are not taken.
struct Free<'a> {
    heap: &'a Path,
    next: u64,
}

impl<'a> Free<'a> {
    /// All names in the heap are ours, so they are numbers.
    fn in_folder(heap: &'a Path) -> io::Result<Self> {
        let mut next = 0;
        for entry in fs_err::read_dir(heap)? {
            let number = entry?.file_name().to_string_lossy().parse::<u64>();
            next = next.max(number.unwrap_or(0).saturating_add(1));
        }
        Ok(Self { heap, next })
    }

    fn take(&mut self) -> PathBuf {
        let path = self.heap.join(self.next.to_string());
        self.next += 1;
        path
    }
}

/// Empties the heap: the folders in it, and the folders that come to it meanwhile.
fn empty(heap: &Path) -> io::Result<()> {
    let mut free = Free::in_folder(heap)?;
    let mut waiting = Vec::new();
    for entry in fs_err::read_dir(heap)? {
        waiting.push(entry?.path());
    }
    while let Some(folder) = waiting.pop() {
        open_up(&folder)?;
        for entry in fs_err::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                let place = free.take();
                move_to(&entry.path(), &place)?;
                waiting.push(place);
            } else {
                fs_err::remove_file(entry.path())?;
            }
        }
        fs_err::remove_dir(&folder)?;
    }
    Ok(())
}

/// A folder can be moved only when its own `..` can be written.
fn move_to(folder: &Path, place: &Path) -> io::Result<()> {
    open_up(folder)?;
    fs_err::rename(folder, place)
}

fn open_up(folder: &Path) -> io::Result<()> {
    fs_err::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_what_no_path_reaches() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("work");
        fs_err::create_dir(&root).unwrap();
        let name = "d".repeat(250);
        let mut at = std::fs::File::open(&root).unwrap();
        for _ in 0..60 {
            rustix::fs::mkdirat(&at, "shut", 0.into()).unwrap();
            rustix::fs::mkdirat(&at, &name, 0o700.into()).unwrap();
            rustix::fs::symlinkat("/", &at, "link").unwrap();
            let flags = rustix::fs::OFlags::DIRECTORY;
            at = rustix::fs::openat(&at, &name, flags, 0.into())
                .unwrap()
                .into();
        }
        fs_err::set_permissions(&root, std::fs::Permissions::from_mode(0)).unwrap();
        remove(&root).unwrap();
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn goes_on_where_it_was_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("work");
        fs_err::create_dir_all(heap_of(&root).join("3/deep")).unwrap();
        fs_err::write(heap_of(&root).join("3/deep/file"), "").unwrap();
        remove(&root).unwrap();
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 0);
        // Nothing there is nothing to do.
        remove(&root).unwrap();
    }

    #[test]
    fn follows_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept");
        fs_err::create_dir(&kept).unwrap();
        fs_err::write(kept.join("file"), "").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&kept, &link).unwrap();
        let root = folder.path().join("work");
        fs_err::create_dir(&root).unwrap();
        std::os::unix::fs::symlink(&kept, root.join("inner")).unwrap();
        remove(&link).unwrap();
        remove(&root).unwrap();
        assert!(kept.join("file").exists() && !link.exists() && !root.exists());
    }
}
