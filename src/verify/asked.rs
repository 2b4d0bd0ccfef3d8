// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a packet asked of its reviewers: about the sealed case, on the suite's form.
//!
//! A packet that holds in itself may still have shown another brief, or left a requirement out.
//! The words of the review prompt are this program's and may be another version's; reviews are
//! bound to them by their hash.

use std::path::Path;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_packets::packet::{PacketDocument, VerifiedPacket};

use super::{VerifyError, planned};
use crate::experiment::{Experiment, TrialId};
use crate::review_form;

/// Checks the packet of `trial`, whose `packet.json` is `file`.
pub(super) fn check(
    experiment: &Experiment,
    trial: &TrialId,
    packet: &VerifiedPacket,
    file: &Path,
) -> Result<(), VerifyError> {
    let document = &packet.document;
    let case = experiment.case(&trial.case)?;
    let requirements = json::pretty(&experiment.spec(&trial.case)?.requirements());
    let requirements = Sha256Hex::of(&requirements.map_err(std::io::Error::from)?);
    let other = |what: &str| {
        let found = format!("{what} that the reviewers of `{trial}` should not have had");
        VerifyError::evidence(file, found, "those that the sealed suite gives")
    };
    if hashes(document, "requirements.json") != [&requirements] {
        return Err(other("requirements"));
    }
    let shared = planned::shared(case);
    for (what, head) in [
        ("a brief", "brief.md"),
        ("amendments", "amendments/"),
        ("assets", "assets/"),
    ] {
        let sealed = shared.iter().filter(|(to, _)| to.starts_with(head));
        let sealed: Result<Vec<_>, _> = sealed
            .map(|(_, from)| experiment.input_sha256(from))
            .collect();
        if hashes(document, head) != sealed? {
            return Err(other(what));
        }
    }
    if document.form != review_form::form(&experiment.suite.review) {
        return Err(other("a form"));
    }
    Ok(())
}

/// The hashes of the files whose names begin with `head`, in order.
fn hashes<'a>(document: &'a PacketDocument, head: &str) -> Vec<&'a Sha256Hex> {
    let files = document.files.iter();
    let these = files.filter(|entry| entry.path.as_str().starts_with(head));
    these.map(|entry| &entry.sha256).collect()
}
