// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a path is a packet, and whether the experiment around it still wants it reviewed.

use std::error::Error;
use std::path::{Path, PathBuf};

use deckproof_packets::mapping::PacketId;

use crate::experiment::plan::{Plan, Voided};
use crate::experiment::{Experiment, ExperimentError, Layout};

/// What was named is no packet, or one that counts no more.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoPacket {
    #[error(
        "`{}` does not exist; expected a packet, such as {}/packets/ID; `deckproof packet list {}` names those that there are",
        path.display(),
        experiment.display(),
        experiment.display()
    )]
    Absent { path: PathBuf, experiment: PathBuf },
    #[error(
        "`{0}` is an experiment; expected one packet of it, {0}/packets/ID; `deckproof packet list {0}` names them"
    )]
    Experiment(PathBuf),
    #[error("`{0}` has no packet.json; expected a packet, such as EXPERIMENT/packets/ID")]
    Other(PathBuf),
    #[error("`{0}` is a file; expected a packet's folder, such as EXPERIMENT/packets/ID")]
    File(PathBuf),
    #[error("`{}`: found a packet that was {voided}, expected one that stands; take the one that replaces it", path.display())]
    Voided { path: PathBuf, voided: Voided },
}

/// A folder that is no packet would be reported as a packet with files too many.
pub(super) fn expect_packet(path: &Path) -> Result<(), NoPacket> {
    if matches!(path.try_exists(), Ok(false)) {
        return Err(NoPacket::Absent {
            path: path.to_owned(),
            experiment: likely_experiment(path),
        });
    }
    if Layout::new(path).journal().is_file() {
        return Err(NoPacket::Experiment(path.to_owned()));
    }
    if path.is_dir() && !path.join("packet.json").is_file() {
        return Err(NoPacket::Other(path.to_owned()));
    }
    Ok(())
}

/// As [`expect_packet`], and no zip.
pub(super) fn expect_folder(path: &Path) -> Result<(), NoPacket> {
    expect_packet(path)?;
    if path.is_file() {
        return Err(NoPacket::File(path.to_owned()));
    }
    Ok(())
}

/// The experiment that somebody meant who named a packet that is not there.
fn likely_experiment(packet: &Path) -> PathBuf {
    let root = packet.parent().and_then(Path::parent);
    root.filter(|root| Layout::new(root).journal().is_file())
        .map_or_else(|| PathBuf::from("EXPERIMENT"), Path::to_owned)
}

/// The experiment that a packet's folder lies in.
pub(super) fn experiment_of(packet: &Path) -> Option<PathBuf> {
    let packet = fs_err::canonicalize(packet).ok()?;
    let packets = packet.parent()?;
    let root = packets.parent()?;
    let inside = packets.file_name()? == "packets" && Layout::new(root).journal().is_file();
    inside.then(|| root.to_owned())
}

/// The plan of the experiment at `root`, which says what was voided. Packets that lie alone have none.
pub(super) fn plan_of(root: Option<&Path>) -> Result<Option<Plan>, ExperimentError> {
    let root = root.filter(|root| Layout::new(root).journal().is_file());
    Ok(root.map(Experiment::open).transpose()?.map(|it| it.plan))
}

/// Refuses the packet `id` at `path` when the experiment around it calls it voided. Of a packet that
/// lies alone nothing is known.
pub(super) fn expect_standing(path: &Path, id: &PacketId) -> Result<(), Box<dyn Error>> {
    let plan = plan_of(experiment_of(path).as_deref())?;
    match plan.and_then(|plan| plan.voided(id)) {
        None => Ok(()),
        Some(voided) => Err(NoPacket::Voided {
            path: path.to_owned(),
            voided,
        }
        .into()),
    }
}
