// SPDX-License-Identifier: MIT OR Apache-2.0
//! `review accept` and `review status`.

use std::path::{Path, PathBuf};

use super::args::{Review, ReviewCommand};
use super::message::out;
use super::{Answer, Exit};
use crate::review;

pub(super) fn run(options: &Review) -> Answer {
    match &options.command {
        ReviewCommand::Accept {
            experiment,
            responses,
        } => accept(experiment, responses),
        ReviewCommand::Status { experiment } => status(experiment),
    }
}

fn accept(experiment: &Path, responses: &[PathBuf]) -> Answer {
    let mut text = String::new();
    for accepted in review::accept(experiment, responses)? {
        let how = if accepted.already {
            "was filed before"
        } else {
            "accepted"
        };
        let (response, packet) = (accepted.response.display(), &accepted.packet);
        text.push_str(&format!("{response}: {how}, for the packet {packet}\n"));
    }
    out(&text)?;
    Ok(Exit::Holds)
}

/// Exits with 1 while a required review is missing, so that a script can wait for 0.
fn status(experiment: &Path) -> Answer {
    let mut text = String::new();
    let mut missing = 0;
    for packet in review::status(experiment)? {
        let names = |kinds: Vec<String>| match kinds.is_empty() {
            true => "none".to_owned(),
            false => kinds.join(", "),
        };
        missing += packet.missing.len();
        let filed = packet
            .reviews
            .iter()
            .map(|seat| format!("{} ({})", seat.reviewer, seat.kind));
        let filed = names(filed.collect());
        let owed = names(packet.missing.iter().map(ToString::to_string).collect());
        text.push_str(&format!(
            "{}  filed: {filed}  missing: {owed}\n",
            packet.packet
        ));
    }
    out(&text)?;
    Ok(if missing == 0 {
        Exit::Holds
    } else {
        Exit::FallsShort
    })
}
