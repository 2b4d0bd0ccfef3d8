// SPDX-License-Identifier: MIT OR Apache-2.0
//! `packet list`, `packet verify`, `packet export` and `packet void`.

use std::path::{Path, PathBuf};

use deckproof_packets::mapping::PacketId;
use deckproof_packets::packet;

use super::args::{Packet, PacketCommand};
use super::lab::DEFAULT_ENGINE;
use super::message::out;
use super::{Answer, Exit};
use crate::execute::{self, Options, Progress};
use crate::experiment::Layout;
use crate::words::counted;

/// There is nothing to look at.
#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("`{0}` has no folder `packets`; expected an experiment directory")]
    NotAnExperiment(PathBuf),
    #[error(
        "`{0}` holds no packet yet; expected packets; `deckproof execute` writes one for each trial that made a deck that could be drawn"
    )]
    None(PathBuf),
    #[error("`{0}` has no packet.json; expected a packet, such as EXPERIMENT/packets/ID")]
    NotAPacket(PathBuf),
}

pub(super) fn run(options: &Packet, quiet: bool) -> Answer {
    match &options.command {
        PacketCommand::List { experiment } => list(experiment),
        PacketCommand::Verify { path } => verify(path),
        PacketCommand::Export { packet, out } => export(packet, out),
        PacketCommand::Void {
            experiment,
            packet,
            reason,
        } => void(experiment, packet, reason, quiet),
    }
}

fn void(experiment: &Path, packet: &PacketId, reason: &str, quiet: bool) -> Answer {
    let options = Options {
        program: std::env::current_exe()?,
        pptx: DEFAULT_ENGINE,
    };
    let progress = Progress::new(quiet);
    let replacement = execute::void(experiment, packet, reason, &options, &progress)?;
    out(&format!(
        "{packet}: voided; {replacement} is in its place\n"
    ))?;
    Ok(Exit::Holds)
}

fn list(experiment: &Path) -> Answer {
    let mut text = String::new();
    for (id, path) in packets_of(experiment)? {
        let verified = packet::verify(&path)?;
        let slides = &verified.pictures;
        text.push_str(&format!(
            "{id}  A: {}, B: {}\n",
            counted(slides.a.len(), "slide"),
            counted(slides.b.len(), "slide")
        ));
    }
    out(&text)?;
    Ok(Exit::Holds)
}

fn verify(path: &Path) -> Answer {
    let experiment = path.join("packets").is_dir();
    let paths: Vec<PathBuf> = if experiment {
        packets_of(path)?
            .into_iter()
            .map(|(_, path)| path)
            .collect()
    } else {
        expect_packet(path)?;
        vec![path.to_owned()]
    };
    let mut text = String::new();
    for path in paths {
        let verified = packet::verify(&path)?;
        text.push_str(&format!(
            "{}  holds, hash {}\n",
            verified.document.packet, verified.packet_sha256
        ));
    }
    out(&text)?;
    Ok(Exit::Holds)
}

fn export(folder: &Path, zip: &Path) -> Answer {
    expect_packet(folder)?;
    let verified = packet::export(folder, zip)?;
    out(&format!(
        "exported {} to {}\n",
        verified.document.packet,
        zip.display()
    ))?;
    Ok(Exit::Holds)
}

/// A folder that is no packet would be reported as a packet with files too many.
fn expect_packet(path: &Path) -> Result<(), Problem> {
    if path.is_dir() && !path.join("packet.json").is_file() {
        return Err(Problem::NotAPacket(path.to_owned()));
    }
    Ok(())
}

fn packets_of(experiment: &Path) -> Result<Vec<(PacketId, PathBuf)>, Box<dyn std::error::Error>> {
    let folder = Layout::new(experiment).packets();
    if !folder.is_dir() {
        return Err(Problem::NotAnExperiment(experiment.to_owned()).into());
    }
    let found = packet::list(&folder)?;
    if found.is_empty() {
        return Err(Problem::None(folder).into());
    }
    Ok(found)
}
