// SPDX-License-Identifier: MIT OR Apache-2.0
//! `demo`: runs the embedded example and tells what happened.

use std::path::Path;

use super::args::{Demo, DemoOutcome};
use super::lab::DEFAULT_ENGINE;
use super::message::out;
use super::{Answer, Exit, place};
use crate::demo::{self, Places};
use crate::execute::{Options, Progress};
use crate::{report, summary};

pub(super) fn run(options: &Demo, quiet: bool) -> Answer {
    if let Some(parent) = options.out.parent() {
        place::expect_folder(parent, "name another with `--out`")?;
    }
    let progress = Progress::new(quiet);
    let run = Options {
        program: std::env::current_exe()?,
        pptx: DEFAULT_ENGINE,
    };
    let fail = options.outcome == DemoOutcome::Fail;
    let places = demo::run(&options.out, fail, &run, &progress)?;
    if options.outcome == DemoOutcome::Tampered {
        let picture = demo::tamper(&places.experiment)?;
        progress.line(format_args!("tampered: one bit of {}", picture.display()));
    }
    let summary = summary::summarize(&places.experiment)?;
    summary::write(&places.experiment, &summary)?;
    // Verifies everything once more, the summary on file included.
    let report = report::write(&places.experiment)?;
    out(&summary.to_text())?;
    out(&closing(&places, &report))?;
    Ok(if summary.passed() {
        Exit::Holds
    } else {
        Exit::FallsShort
    })
}

fn closing(places: &Places, report: &Path) -> String {
    format!(
        "\nsuite        {}\nexperiment   {}\nresponses    {}\nsummary      {}/summary.json\nreport       {}\nreview page  {}\n",
        places.suite.display(),
        places.experiment.display(),
        places.responses.display(),
        places.experiment.display(),
        report.display(),
        places.page.display(),
    )
}
