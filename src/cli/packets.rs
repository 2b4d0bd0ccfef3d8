// SPDX-License-Identifier: MIT OR Apache-2.0
//! `packet list`, `packet verify`, `packet export` and `packet void`.

use std::path::{Path, PathBuf};

use deckproof_packets::mapping::PacketId;
use deckproof_packets::packet;

use super::args::{Packet, PacketCommand};
use super::derived::Derived;
use super::lab::DEFAULT_ENGINE;
use super::message::out;
use super::{Answer, Exit, place, standing};
use crate::execute::{self, Options, Progress};
use crate::experiment::Layout;
use crate::experiment::plan::Plan;
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
    let replacement = Derived::around(experiment, &progress, || {
        execute::void(experiment, packet, reason, &options, &progress)
    })?;
    out(&format!(
        "{packet}: voided; {replacement} is in its place\n"
    ))?;
    Ok(Exit::Holds)
}

fn list(experiment: &Path) -> Answer {
    let mut text = String::new();
    let plan = standing::plan_of(Some(experiment))?;
    for (id, path) in packets_of(experiment)? {
        let verified = packet::verify(&path)?;
        let slides = &verified.pictures;
        text.push_str(&format!(
            "{id}  A: {}, B: {}{}\n",
            counted(slides.a.len(), "slide"),
            counted(slides.b.len(), "slide"),
            voided(plan.as_ref(), &id)
        ));
    }
    out(&text)?;
    Ok(Exit::Holds)
}

/// What a line says more of a packet that was voided.
fn voided(plan: Option<&Plan>, id: &PacketId) -> String {
    let voided = plan.and_then(|plan| plan.voided(id));
    voided.map_or_else(String::new, |voided| format!("  {voided}"))
}

fn verify(path: &Path) -> Answer {
    let experiment = path.join("packets").is_dir();
    let paths: Vec<PathBuf> = if experiment {
        packets_of(path)?
            .into_iter()
            .map(|(_, path)| path)
            .collect()
    } else {
        standing::expect_packet(path)?;
        vec![path.to_owned()]
    };
    let around = match experiment {
        true => Some(path.to_owned()),
        false => standing::experiment_of(path),
    };
    let plan = standing::plan_of(around.as_deref())?;
    let mut text = String::new();
    for path in paths {
        let verified = packet::verify(&path)?;
        text.push_str(&format!(
            "{}  holds, hash {}{}\n",
            verified.document.packet,
            verified.packet_sha256,
            voided(plan.as_ref(), &verified.document.packet)
        ));
    }
    out(&text)?;
    Ok(Exit::Holds)
}

fn export(folder: &Path, zip: &Path) -> Answer {
    standing::expect_folder(folder)?;
    place::expect_output(zip)?;
    standing::expect_standing(folder, &packet::verify(folder)?.document.packet)?;
    let verified = packet::export(folder, zip)?;
    out(&format!(
        "exported {} to {}\n",
        verified.document.packet,
        zip.display()
    ))?;
    Ok(Exit::Holds)
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
