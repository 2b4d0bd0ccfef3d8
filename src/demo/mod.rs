// SPDX-License-Identifier: MIT OR Apache-2.0
//! The whole pipeline on the embedded example: what `deckproof demo` does.
//!
//! Only the agents are recordings and only the reviewer is a script, and both say so in every
//! record. The seal, the checks, the pictures, the packets and the verdict are made here and now.

mod reviewer;
mod tamper;

use std::error::Error;
use std::path::{Path, PathBuf};

use crate::execute::{self, Options, Progress};
use crate::experiment::Layout;
use crate::{embedded, prepare, review, seal, suite};

/// Where a demo put things.
#[derive(Debug, Clone)]
pub struct Places {
    /// The suite.
    pub suite: PathBuf,
    /// The experiment directory.
    pub experiment: PathBuf,
    /// The responses that the scripted reviewer handed in.
    pub responses: PathBuf,
    /// The review page of one packet.
    pub page: PathBuf,
}

/// There is something at the output path.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` already exists; expected a new folder, name another with `--out` or remove it")]
struct Taken(String);

/// Runs the example from its suite to its accepted reviews in the new folder `out`. With `fail`, the
/// suite has the recording that misses a gate.
///
/// # Errors
/// Whatever a step of the pipeline says.
pub fn run(
    out: &Path,
    fail: bool,
    options: &Options,
    progress: &Progress,
) -> Result<Places, Box<dyn Error>> {
    if fs_err::symlink_metadata(out).is_ok() {
        return Err(Taken(out.display().to_string()).into());
    }
    fs_err::create_dir_all(out)?;
    let suite_folder = out.join("suite");
    embedded::write("suite", &suite_folder)?;
    if fail {
        embedded::write("outcomes/fail/suite", &suite_folder)?;
    }
    let loaded = suite::load(&suite_folder)?;
    let lock = seal::write(&loaded)?;
    progress.line(format_args!("sealed: {}", lock.display()));
    let experiment = out.join("experiment");
    let layout = prepare::prepare(&loaded, &experiment)?;
    progress.line(format_args!("prepared: {}", experiment.display()));
    execute::execute(&experiment, options, progress)?;
    let responses = out.join("responses");
    let files = reviewer::respond(&layout, &responses)?;
    let accepted = review::accept(&experiment, &files)?;
    progress.line(format_args!(
        "accepted: {} reviews by the demo's scripted reviewer, who looks at nothing",
        accepted.len()
    ));
    let page = first_page(&layout)?;
    Ok(Places {
        suite: suite_folder,
        experiment,
        responses,
        page,
    })
}

/// Changes one byte of a stored picture, as a cheat or a bad disk would. Returns the picture's path.
///
/// # Errors
/// When the experiment has no picture, or the file system fails.
pub fn tamper(experiment: &Path) -> Result<PathBuf, Box<dyn Error>> {
    tamper::flip_a_byte(experiment)
}

fn first_page(layout: &Layout) -> Result<PathBuf, Box<dyn Error>> {
    let packets = deckproof_packets::packet::list(&layout.packets())?;
    let (_, first) = packets.first().ok_or("the demo wrote no packet")?;
    Ok(first.join("page.html"))
}
