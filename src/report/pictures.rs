// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pictures of a cell, baseline and candidates side by side, slide by slide.
//!
//! Pictures under the names of candidate and baseline unblind: those of a cell are shown once no
//! required review of it is missing. Only so many bytes of pictures go into one file, always the
//! first ones; every other picture is named by its hash.

use crate::experiment::records::{Object, RenderSet};
use crate::suite::Id;
use crate::summary::{ArmFigures, CaseFigures};
use crate::verify::VerifyError;
use crate::words::counted;

use super::Report;
use super::page::{Page, grouped};

/// Which pictures go into the report.
#[derive(Debug)]
pub(super) struct Gallery {
    /// Pictures that would be shown if there were room for all.
    pub all: usize,
    /// How many of them are embedded, the first ones.
    pub embedded: usize,
    /// How many have been written so far.
    written: usize,
}

/// One column: who made the deck, and its pictures.
struct Column<'a> {
    title: String,
    render: &'a RenderSet,
}

impl Gallery {
    /// Takes the first pictures of the report that have at most `most` bytes together.
    pub(super) fn plan(report: &Report<'_>, most: u64) -> Self {
        let mut sizes = Vec::new();
        for case in &report.summary.cases {
            for arm in case
                .arms
                .iter()
                .filter(|arm| is_unblinded(report, &case.case, &arm.arm))
            {
                let columns = columns(report, case, arm);
                sizes.extend(in_order(&columns).flatten().map(|(_, slide)| slide.bytes));
            }
        }
        let mut room = most;
        let fits = sizes
            .iter()
            .take_while(|size| match room.checked_sub(**size) {
                Some(rest) => {
                    room = rest;
                    true
                }
                None => false,
            });
        Self {
            embedded: fits.count(),
            all: sizes.len(),
            written: 0,
        }
    }

    /// Says when not all pictures are in the file.
    pub(super) fn notice(&self, page: &mut Page) {
        if self.embedded < self.all {
            let (embedded, all) = (self.embedded, self.all);
            let text = format!(
                "Only the first {embedded} of {all} pictures are in this file; each of the others is named by its hash, under which it lies in objects/ of the experiment."
            );
            page.tag("p class=\"warn\"", text);
        }
    }
}

/// Whether every required review of the cell is in.
pub(super) fn is_unblinded(report: &Report<'_>, case: &Id, arm: &Id) -> bool {
    let mut comparisons = report.summary.comparisons.iter();
    !comparisons
        .any(|one| one.trial.case == *case && one.trial.arm == *arm && !one.missing.is_empty())
}

/// Writes the pictures of one cell, or why there are none.
pub(super) fn write(
    page: &mut Page,
    report: &Report<'_>,
    (case, arm): (&CaseFigures, &ArmFigures),
    gallery: &mut Gallery,
) -> Result<(), VerifyError> {
    problems(page, report, arm);
    if !is_unblinded(report, &case.case, &arm.arm) {
        page.tag("p class=\"warn\"", "The pictures are held back while a required review of them is missing: side by side under these names they would unblind it.");
        return Ok(());
    }
    let columns = columns(report, case, arm);
    if columns.len() < 2 {
        page.tag(
            "p class=\"quiet\"",
            "There is no candidate to show beside the baseline.",
        );
    }
    for (number, row) in in_order(&columns).enumerate() {
        page.raw("<div class=\"slide\"><h5>")
            .text(format!("Slide {}", number + 1));
        page.raw("</h5><div class=\"pair\">\n");
        let mut row = row.into_iter().peekable();
        for (at, column) in columns.iter().enumerate() {
            match row.next_if(|(of, _)| *of == at) {
                Some((_, slide)) => {
                    let alt = format!(
                        "Slide {} of {} by {}, {}",
                        number + 1,
                        case.case,
                        arm.arm,
                        column.title
                    );
                    picture(page, report, gallery, (slide, &column.title, &alt))?;
                }
                None => {
                    page.raw("<figure><div class=\"no-picture\">no such slide</div>");
                    page.tag("figcaption", &column.title).raw("</figure>\n");
                }
            }
        }
        page.raw("</div></div>\n");
    }
    Ok(())
}

/// Why a trial has no pictures.
fn problems(page: &mut Page, report: &Report<'_>, arm: &ArmFigures) {
    for trial in &arm.trials {
        let history = report.verified.history.trials.get(&trial.trial);
        let judged = history.and_then(|history| history.judged.as_ref());
        if let Some(problem) = judged.and_then(|judged| judged.render_problem.as_ref()) {
            let text = format!("{} has no pictures: {problem}", trial.trial);
            page.tag("p class=\"warn\"", text);
        }
    }
}

/// The baseline and every candidate that has pictures.
fn columns<'a>(report: &Report<'a>, case: &CaseFigures, arm: &ArmFigures) -> Vec<Column<'a>> {
    let verified = report.verified;
    let key = (case.case.clone(), arm.arm.clone());
    let baseline = verified.history.baselines.get(&key).map(|one| Column {
        title: "baseline".to_owned(),
        render: &one.render,
    });
    let candidates = arm.trials.iter().filter_map(|trial| {
        let judged = verified.history.trials.get(&trial.trial)?.judged.as_ref()?;
        let title = match arm.trials.len() {
            1 => "candidate".to_owned(),
            _ => format!("candidate, repetition {}", trial.trial.repetition),
        };
        judged
            .render
            .as_ref()
            .map(|render| Column { title, render })
    });
    baseline.into_iter().chain(candidates).collect()
}

/// The slides row by row, each with the number of its column.
fn in_order<'a>(columns: &[Column<'a>]) -> impl Iterator<Item = Vec<(usize, &'a Object)>> {
    let rows = columns.iter().map(|one| one.render.slides.len()).max();
    (0..rows.unwrap_or(0)).map(move |row| {
        let slides = columns.iter().enumerate();
        slides
            .filter_map(|(at, column)| Some((at, column.render.slides.get(row)?)))
            .collect()
    })
}

fn picture(
    page: &mut Page,
    report: &Report<'_>,
    gallery: &mut Gallery,
    (slide, title, alt): (&Object, &str, &str),
) -> Result<(), VerifyError> {
    page.raw("<figure>");
    if gallery.written < gallery.embedded {
        let bytes = report.verified.experiment.store().get(&slide.sha256)?;
        page.raw("<label class=\"picture\"><input type=\"checkbox\" aria-label=\"Enlarge\"><img loading=\"lazy\" width=\"1280\" height=\"720\" alt=\"");
        page.text(alt)
            .raw("\" src=\"")
            .png(&bytes)
            .raw("\"></label>");
    } else {
        let size = format!("not in this file: {} bytes", grouped(slide.bytes));
        page.raw("<div class=\"no-picture\">").tag("span", size);
        page.hash("span", &slide.sha256).raw("</div>");
    }
    gallery.written += 1;
    page.tag("figcaption", title).raw("</figure>\n");
    Ok(())
}

/// How many slides each side has, in words.
pub(super) fn slide_counts(report: &Report<'_>, case: &CaseFigures, arm: &ArmFigures) -> String {
    let count = |column: &Column<'_>| {
        let slides = counted(column.render.slides.len(), "slide");
        format!("{}: {slides}", column.title)
    };
    let counts: Vec<_> = columns(report, case, arm).iter().map(count).collect();
    counts.join(" · ")
}
