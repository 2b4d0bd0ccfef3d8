// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why something is no packet, always with the file.

use std::io;
use std::path::PathBuf;

use crate::hash::Sha256Hex;
use crate::json::JsonError;
use crate::tree::TreeError;

/// A packet that cannot be built or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// What is to be written is there already.
    #[error("`{}` exists already, expected a new name; packets are never replaced", path.display())]
    Exists {
        /// Which.
        path: PathBuf,
    },
    /// The input of a packet cannot become one.
    #[error("packet input, {what}: found {found}, expected {expected}")]
    Input {
        /// Which part of the input.
        what: String,
        /// What it is.
        found: String,
        /// What it must be.
        expected: String,
    },
    /// A file that no packet has, or that this one does not name.
    #[error("`{file}` is no file of this packet; remove it, or ask for the packet again")]
    Extra {
        /// Which.
        file: String,
    },
    /// A file that every packet has, or that this one names.
    #[error("`{file}` is missing; ask for the packet again")]
    Missing {
        /// Which.
        file: String,
    },
    /// A file whose bytes are not the ones that the packet names.
    #[error("`{file}` has changed: found the hash {found}, expected {expected}")]
    Changed {
        /// Which.
        file: String,
        /// The hash of what is there.
        found: Sha256Hex,
        /// The hash that `packet.json` states.
        expected: Sha256Hex,
    },
    /// A file that breaks a rule for files of its name.
    #[error("`{file}`: found {found}, expected {expected}")]
    Content {
        /// Which.
        file: String,
        /// What it holds.
        found: String,
        /// What it must hold.
        expected: String,
    },
    /// A JSON file that is not strict.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// A link, a special file, or a name that evidence cannot carry.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}
