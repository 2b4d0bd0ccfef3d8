// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why evidence cannot be used, always with the file.

use std::io;
use std::path::{Path, PathBuf};

use deckproof_packets::journal::JournalError;
use deckproof_packets::json::JsonError;
use deckproof_packets::packet::PacketError;
use deckproof_packets::store::StoreError;
use deckproof_packets::tree::TreeError;

use crate::experiment::ExperimentError;

/// Evidence that does not hold.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A file is not what the rest of the evidence says.
    #[error(
        "`{}`: found {found}, expected {expected}; restore the experiment from an untouched copy, or run it anew",
        file.display()
    )]
    Evidence {
        /// Which file.
        file: PathBuf,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A signature that was asked for is missing, or by somebody else.
    #[error("`{}`: found {found}, expected {expected}; {way_out}", file.display())]
    Signature {
        /// Where the signature belongs.
        file: PathBuf,
        /// What was found.
        found: &'static str,
        /// What was expected.
        expected: String,
        /// How it is signed, or not asked for.
        way_out: String,
    },
    /// A file that nothing names, where files are named by their hash.
    #[error(
        "`{}`: found a stray file, {found}, expected files alone that are named by the hash of their content (two digits, a slash, 62 digits); if it never belonged here, move it out of the experiment, otherwise restore the experiment from an untouched copy",
        file.display()
    )]
    Stray {
        /// Which file.
        file: PathBuf,
        /// Why it is none of the objects.
        found: String,
    },
    /// `execute` has not finished.
    #[error(
        "`{}` is not finished: {found}; `deckproof execute {}` continues it",
        root.display(),
        root.display()
    )]
    Unfinished {
        /// The experiment directory.
        root: PathBuf,
        /// How far it came.
        found: String,
    },
    /// Another process is at work on the experiment.
    #[error("`{}` is held by another deckproof process; wait for it to end", lock.display())]
    Busy {
        /// The lock file.
        lock: PathBuf,
    },
    /// The summary on file is not the one that the records give.
    #[error(
        "`{}`: found another summary than the one that the records give; `deckproof summarize {}` writes that one",
        file.display(),
        root.display()
    )]
    Summary {
        /// The summary's file.
        file: PathBuf,
        /// The experiment directory.
        root: PathBuf,
    },
    /// The report on file is not the one that the records give.
    #[error(
        "`{}`: found another report than the one that the records give, with this version; `deckproof report {}` writes that one",
        file.display(),
        root.display()
    )]
    Report {
        /// The report's file.
        file: PathBuf,
        /// The experiment directory.
        root: PathBuf,
    },
    /// Plan, suite, lock and journal do not fit together.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A packet does not hold.
    #[error(transparent)]
    Packet(#[from] PacketError),
    /// A folder holds what evidence may not hold.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// An object is missing or changed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The journal does not hold.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file is not strict JSON of its schema.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What was found and what was expected.
pub(crate) type Fault = (String, String);

impl VerifyError {
    /// `file` holds `found` where `expected` must be.
    pub(crate) fn evidence(
        file: &Path,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self::Evidence {
            file: file.to_owned(),
            found: found.into(),
            expected: expected.into(),
        }
    }
}

/// `Ok` when `holds`.
pub(crate) fn must(
    holds: bool,
    found: impl Into<String>,
    expected: impl Into<String>,
) -> Result<(), Fault> {
    if holds {
        return Ok(());
    }
    Err((found.into(), expected.into()))
}
