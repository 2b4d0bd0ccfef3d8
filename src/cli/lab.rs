// SPDX-License-Identifier: MIT OR Apache-2.0
//! `seal`, `prepare` and `execute`: from a suite to an experiment with packets.

use super::args::{Collect, Execute, PptxRenderer, Prepare, Seal};
use super::message::out;
use super::{Answer, Exit};
use crate::execute::{self, Engine, Options, Progress, Told};
use crate::experiment::TrialId;
use crate::experiment::records::Artifact;
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
    for line in &report.totals {
        out(&format!("{line}\n"))?;
    }
    if let Some(why) = &report.stopped {
        out(&format!(
            "stopped: {why}\n{} judged ({} in this run); then `deckproof execute {shown}` goes on\n",
            counted(report.trials as usize, "trial"),
            counted(report.ran as usize, "attempt")
        ))?;
        return Ok(Exit::FallsShort);
    }
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

pub(super) fn collect(options: &Collect) -> Answer {
    let trial: TrialId = options.trial.parse()?;
    let run = Options {
        program: std::env::current_exe()?,
        pptx: DEFAULT_ENGINE,
    };
    let shown = options.experiment.display();
    if options.begin {
        execute::begin(&options.experiment, &trial, &run)?;
        out(&format!("{trial}: began\n"))?;
        return Ok(Exit::Holds);
    }
    let told = Told {
        input_tokens: options.input_tokens,
        cached_input_tokens: options.cached_input_tokens,
        output_tokens: options.output_tokens,
        thread: options.thread.clone(),
        failed: options.failed.clone(),
    };
    let ended = execute::collect(&options.experiment, &trial, &told, &run)?;
    let deck = match &ended.artifact {
        Artifact::Stored(_) => "its deck is stored",
        Artifact::Missing => "it left no deck",
        Artifact::Refused(problem) => problem,
    };
    out(&format!(
        "{trial}: collected, {deck}\nnext: deckproof execute {shown}\n"
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
