// SPDX-License-Identifier: MIT OR Apache-2.0
//! A packet's files in memory, read once: what is checked is what is then used.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use crate::mapping::PacketId;
use crate::relpath::RelPath;
use crate::tree::{TreeError, open_regular};

use super::error::PacketError;

/// Most files of a packet.
pub(super) const MAX_FILES: usize = 4096;
/// Most bytes of all files of a packet.
pub(super) const MAX_BYTES: u64 = 1 << 29;

/// The bytes of a packet's files by path.
pub(super) type Files = BTreeMap<RelPath, Vec<u8>>;

/// A packet's files and where they came from.
#[derive(Debug)]
pub(super) struct Contents {
    /// The folder or zip, for messages.
    pub(super) origin: String,
    /// The id that the packet must have, when its place already says one.
    pub(super) id: Option<PacketId>,
    /// The files.
    pub(super) files: Files,
    /// The first folder without a file, which is refused once no file is missing.
    pub(super) empty: Option<String>,
}

impl Contents {
    /// How messages name a file of this packet.
    pub(super) fn name(&self, path: &str) -> String {
        format!("{}/{path}", self.origin)
    }

    /// Reads a folder. Folders without a file in them are refused, as are links and special files.
    pub(super) fn read_folder(folder: &Path) -> Result<Self, PacketError> {
        let mut reader = Reader {
            root: folder,
            files: Files::new(),
            left: MAX_BYTES,
            empty: None,
        };
        reader.folder(folder, 0)?;
        let origin = folder.display().to_string();
        Ok(Self {
            origin,
            id: None,
            files: reader.files,
            empty: reader.empty,
        })
    }
}

struct Reader<'a> {
    root: &'a Path,
    files: Files,
    left: u64,
    empty: Option<String>,
}

impl Reader<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), PacketError> {
        let mut paths = Vec::new();
        for item in fs_err::read_dir(folder)? {
            paths.push(item?.path());
            if paths.len() > MAX_FILES {
                return Err(limit(folder, format!("{MAX_FILES} files")));
            }
        }
        let extra = |path: &Path| PacketError::Extra {
            file: path.display().to_string(),
        };
        if paths.is_empty() && depth > 0 {
            self.empty
                .get_or_insert_with(|| folder.display().to_string());
        }
        paths.sort();
        for path in paths {
            match fs_err::symlink_metadata(&path)?.is_dir() {
                true if depth > 0 => return Err(extra(&path)),
                true => self.folder(&path, depth + 1)?,
                false => self.file(&path)?,
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path) -> Result<(), PacketError> {
        let relative = self.relative(path)?;
        let mut bytes = Vec::new();
        open_regular(path)?
            .take(self.left + 1)
            .read_to_end(&mut bytes)?;
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return Err(limit(path, format!("{MAX_BYTES} bytes in one packet")));
        };
        self.left = left;
        self.files.insert(relative, bytes);
        if self.files.len() > MAX_FILES {
            return Err(limit(path, format!("{MAX_FILES} files")));
        }
        Ok(())
    }

    fn relative(&self, path: &Path) -> Result<RelPath, PacketError> {
        let relative = path.strip_prefix(self.root).ok();
        let name = relative.and_then(|path| path.to_str()?.parse().ok());
        name.ok_or_else(|| PacketError::Extra {
            file: path.display().to_string(),
        })
    }
}

fn limit(path: &Path, limit: String) -> PacketError {
    let path = path.to_owned();
    TreeError::Limit { path, limit }.into()
}
