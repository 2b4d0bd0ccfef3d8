// SPDX-License-Identifier: MIT OR Apache-2.0
//! `seal`, `prepare` and `execute`: from a suite to an experiment with packets.

use std::path::Path;

use super::args::{Collect, Execute, PptxRenderer, Prepare, Seal};
use super::message::{next, out};
use super::{Answer, Exit, place};
use crate::execute::{self, Engine, Options, Progress, Told};
use crate::experiment::records::Artifact;
use crate::experiment::{Layout, TrialId};
use crate::words::{self, counted};
use crate::{prepare as preparation, review, seal as sealing, suite};

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

pub(super) fn prepare(options: &Prepare, quiet: bool) -> Answer {
    let loaded = suite::load(&options.suite)?;
    if let Some(parent) = options.out.parent() {
        place::expect_folder(parent, "name another with `--out`")?;
    }
    preparation::prepare(&loaded, &options.out)?;
    let shown = options.out.display();
    out(&format!("prepared: {shown}\n"))?;
    next(quiet, &format!("deckproof execute {shown}"))?;
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
        "executed: {} judged ({} in this run), {} in {shown}/packets\n",
        counted(report.trials as usize, "trial"),
        counted(report.ran as usize, "attempt"),
        counted(report.packets as usize, "packet")
    ))?;
    next(quiet, &after_execute(&options.experiment))?;
    Ok(Exit::Holds)
}

/// What is left to do once every trial is judged.
fn after_execute(experiment: &Path) -> String {
    let shown = experiment.display();
    match missing_reviews(experiment) {
        None => format!(
            "hand the packets to reviewers, then `deckproof review accept {shown} RESPONSE…` and \
             `deckproof summarize {shown}`"
        ),
        Some(0) => format!("every required review is filed; `deckproof summarize {shown}`"),
        Some(missing) => format!(
            "{} {} missing, which `deckproof review status {shown}` lists; then `deckproof summarize {shown}`",
            counted(missing, "required review"),
            words::with(missing, "is", "are")
        ),
    }
}

/// How many required reviews are missing, once there is any. What does not hold is for the commands
/// to say that need it.
fn missing_reviews(experiment: &Path) -> Option<usize> {
    let mut filed = fs_err::read_dir(Layout::new(experiment).reviews()).ok()?;
    filed.next()?.ok()?;
    let packets = review::status(experiment).ok()?;
    Some(packets.iter().map(|packet| packet.missing.len()).sum())
}

pub(super) fn collect(options: &Collect, quiet: bool) -> Answer {
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
    out(&format!("{trial}: collected, {deck}\n"))?;
    next(quiet, &format!("deckproof execute {shown}"))?;
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
