// SPDX-License-Identifier: MIT OR Apache-2.0
//! `report`: the verdict with everything that people want to see behind it, as one HTML file.
//!
//! The file needs nothing beside it: no network, no script, no font. It is made from verified
//! evidence and from nothing else, so the same experiment gives the same bytes wherever it lies.
//! Words of suites, agents and reviewers are escaped by the type of [`page::Page`].

mod audit;
mod cases;
mod charts;
mod page;
mod pictures;
mod reviews;
mod statistics;
mod svg;
mod traces;
mod verdict;

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use deckproof_packets::atomic;

use crate::summary::{self, Summary};
use crate::verify::{self, Verified, VerifyError};
use page::Page;
use pictures::Gallery;

/// The report's name in an experiment directory.
pub const REPORT_NAME: &str = "report.html";

/// Most bytes of pictures in one report. More would be a file that browsers choke on.
pub const MAX_PICTURES: u64 = 40 << 20;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The evidence cannot be used, or an object of it cannot be read.
    #[error(transparent)]
    Evidence(#[from] VerifyError),
    /// The output would lie among the evidence.
    #[error(
        "`{}`: found an output inside the experiment, expected `{}` or a path outside of it; name another with `--out`",
        out.display(),
        own.display()
    )]
    Inside {
        /// The output that was asked for.
        out: PathBuf,
        /// The only file of the experiment that may be written.
        own: PathBuf,
    },
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Verifies the experiment at `root` and writes its report into it. Returns the report's path.
///
/// # Errors
/// [`ReportError`]: the evidence cannot be used, `execute` has not finished, or the file cannot be
/// written.
pub fn write(root: &Path) -> Result<PathBuf, ReportError> {
    let out = root.join(REPORT_NAME);
    write_to(root, &out)?;
    Ok(out)
}

/// As [`write`], to another file: outside of the experiment, or its own report.
///
/// # Errors
/// As [`write`], and [`ReportError::Inside`].
pub fn write_to(root: &Path, out: &Path) -> Result<(), ReportError> {
    let verified = verify::check_with_summary(root)?;
    refuse_evidence(root, out)?;
    Ok(atomic::write(out, &bytes(&verified)?, 0o644)?)
}

/// The report that the records give.
pub(crate) fn bytes(verified: &Verified) -> Result<Vec<u8>, VerifyError> {
    render(verified, &summary::derive(verified)?, MAX_PICTURES)
}

/// A file that no rule names would spoil the experiment, and one that a rule names is evidence.
fn refuse_evidence(root: &Path, out: &Path) -> Result<(), ReportError> {
    let folder = match out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (folder, real_root) = (fs_err::canonicalize(folder)?, fs_err::canonicalize(root)?);
    let own = folder == real_root && out.file_name() == Some(OsStr::new(REPORT_NAME));
    if own || !folder.starts_with(&real_root) {
        return Ok(());
    }
    Err(ReportError::Inside {
        out: out.to_owned(),
        own: root.join(REPORT_NAME),
    })
}

/// What every part of the report is made from.
struct Report<'a> {
    verified: &'a Verified,
    summary: &'a Summary,
}

/// The report's bytes, with at most `most` bytes of pictures.
fn render(verified: &Verified, summary: &Summary, most: u64) -> Result<Vec<u8>, VerifyError> {
    let report = Report { verified, summary };
    let mut gallery = Gallery::plan(&report, most);
    let mut page = Page::default();
    head(&mut page, &report);
    verdict::write(&mut page, &report);
    charts::write(&mut page, &report);
    statistics::write(&mut page, &report);
    cases::write(&mut page, &report, &mut gallery)?;
    audit::renderers(&mut page, &report);
    audit::trail(&mut page, &report);
    audit::limits(&mut page, &report);
    page.raw("</main>\n</body>\n</html>\n");
    Ok(page.into_bytes())
}

fn head(page: &mut Page, report: &Report<'_>) {
    page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n");
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.tag(
        "title",
        format!("Deckproof report: {}", report.summary.suite),
    );
    page.raw("\n<style>\n")
        .raw(include_str!("style.css"))
        .raw("</style>\n</head>\n<body>\n");
    page.raw("<nav aria-label=\"Parts\"><a href=\"#verdict\">Verdict</a><a href=\"#gates\">Gates</a><a href=\"#controls\">Controls</a><a href=\"#figures\">Figures</a><a href=\"#statistics\">Statistics</a>");
    for case in &report.summary.cases {
        page.raw("<a class=\"of-case\" href=\"#case-")
            .text(case.case.as_str())
            .raw("\">");
        page.text(case.case.as_str()).raw("</a>");
    }
    page.raw("<a href=\"#renderers\">Renderers</a><a href=\"#audit\">Audit trail</a><a href=\"#limits\">Limits</a></nav>\n<main>\n");
}
