// SPDX-License-Identifier: MIT OR Apache-2.0
//! `seal`, `prepare` and `execute`: from a suite to an experiment with packets.

use super::args::{Execute, PptxRenderer, Prepare, Seal};
use super::message::out;
use super::{Answer, Exit};
use crate::execute::{self, Engine, Options, Progress};
use crate::words::counted;
use crate::{prepare as preparation, seal as sealing, suite};

pub(super) fn seal(options: &Seal) -> Answer {
    let loaded = suite::load(&options.suite)?;
    if options.check {
        let (lock, _) = sealing::verify(&loaded)?;
        out(&format!(
            "the seal holds: {}\n",
            counted(lock.files.len(), "file")
        ))?;
        return Ok(Exit::Holds);
    }
    let path = sealing::write(&loaded)?;
    out(&format!("sealed: {}\n", path.display()))?;
    Ok(Exit::Holds)
}

pub(super) fn prepare(options: &Prepare) -> Answer {
    let loaded = suite::load(&options.suite)?;
    preparation::prepare(&loaded, &options.out)?;
    let shown = options.out.display();
    out(&format!(
        "prepared: {shown}\nnext: deckproof execute {shown}\n"
    ))?;
    Ok(Exit::Holds)
}

pub(super) fn execute(options: &Execute, quiet: bool) -> Answer {
    let run = Options {
        program: std::env::current_exe()?,
        pptx: engine(options.renderer)?,
    };
    let report = execute::execute(&options.experiment, &run, &Progress::new(quiet))?;
    let shown = options.experiment.display();
    out(&format!(
        "executed: {} judged ({} in this run), {} in {shown}/packets\n\
         next: hand the packets to reviewers, then `deckproof review accept {shown} RESPONSE…` and \
         `deckproof summarize {shown}`\n",
        counted(report.trials as usize, "trial"),
        counted(report.ran as usize, "attempt"),
        counted(report.packets as usize, "packet")
    ))?;
    Ok(Exit::Holds)
}

/// A renderer that cannot draw PPTX.
#[derive(Debug, thiserror::Error)]
#[error("`--renderer chromium` draws HTML decks alone; expected `native` or `libreoffice`")]
struct NotForPptx;

/// What draws PPTX decks when nobody says.
pub(super) const DEFAULT_ENGINE: Engine = Engine::Native;

pub(super) fn engine(renderer: Option<PptxRenderer>) -> Result<Engine, Box<dyn std::error::Error>> {
    match renderer {
        None => Ok(DEFAULT_ENGINE),
        Some(PptxRenderer::Libreoffice) => Ok(Engine::LibreOffice),
        Some(PptxRenderer::Native) => Ok(Engine::Native),
        Some(PptxRenderer::Chromium) => Err(NotForPptx.into()),
    }
}
