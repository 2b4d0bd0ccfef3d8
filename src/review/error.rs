// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why no response was filed.

use std::io;
use std::path::PathBuf;

use deckproof_packets::journal::JournalError;
use deckproof_packets::json::JsonError;
use deckproof_reviews::review::ReviewError;

use crate::argument::WrongArgument;
use crate::experiment::{ExperimentError, LockError};
use crate::verify::VerifyError;

/// Why no response was filed. None of the given ones was then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AcceptError {
    /// A response does not keep the rules.
    #[error("{0}; mend the response and hand it in again, nothing was filed")]
    Review(#[from] ReviewError),
    /// What was handed in is no response at all.
    #[error(
        "{0}; this is no review response, expected JSON as the review page saves it; nothing was filed"
    )]
    Json(#[from] JsonError),
    /// A response cannot be read.
    #[error("`{}`: {problem}", path.display())]
    Response {
        /// Which response.
        path: PathBuf,
        /// What is wrong and what was expected.
        problem: String,
    },
    /// A response names a packet that the experiment does not have.
    #[error(
        "`{}`: found the packet {found}, expected one of this experiment: {known}", path.display()
    )]
    UnknownPacket {
        /// Which response.
        path: PathBuf,
        /// The packet that it names.
        found: String,
        /// The experiment's packets.
        known: String,
    },
    /// An argument is wrong.
    #[error(transparent)]
    Argument(#[from] WrongArgument),
    /// The evidence does not hold.
    #[error(transparent)]
    Evidence(#[from] VerifyError),
    /// A signature cannot be read.
    #[error(transparent)]
    Signature(#[from] crate::signing::SigningError),
    /// Somebody else is at the experiment.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The experiment cannot be opened.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}
