// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the agent of a trial did, call by call, with its turns, its program and its log.

use super::Report;
use super::page::{Page, seconds};
use crate::show;
use crate::summary::ArmFigures;
use crate::verify::VerifyError;
use crate::words::counted;

/// Most events of one trial in a report; `show` has all of them.
const MOST_EVENTS: usize = 300;
/// Most characters of one event.
const MOST_CHARACTERS: usize = 600;

/// The traces of one cell, each folded up.
pub(super) fn write(
    page: &mut Page,
    report: &Report<'_>,
    arm: &ArmFigures,
) -> Result<(), VerifyError> {
    page.raw("<h5>What the agents did</h5>\n");
    for trial in &arm.trials {
        let history = report.verified.history.trials.get(&trial.trial);
        let Some((attempt, ended, _)) = history.and_then(|history| history.counted()) else {
            continue;
        };
        let events = match show::trace(report.verified, &ended.trace.events)? {
            Ok(events) => events,
            Err(_) => {
                let said = format!(
                    "{}: the trace cannot be read; the event log is the object {}",
                    trial.trial, ended.run.events.sha256
                );
                page.tag("p class=\"quiet\"", said);
                continue;
            }
        };
        let calls = events.iter().filter(|one| one.call_id().is_some()).count();
        let said = format!(
            "{}: {} in {}, {}",
            trial.trial,
            counted(calls, "call"),
            seconds(ended.run.duration_ms),
            counted(events.len(), "event")
        );
        if events.is_empty() {
            page.tag("p class=\"quiet\"", said);
            continue;
        }
        page.raw("<details class=\"trace\"><summary>")
            .text(said)
            .raw("</summary>\n");
        let from_to = format!(
            "Attempt {}, from {} to {}.",
            attempt.started.attempt, ended.run.started_at, ended.run.ended_at
        );
        page.tag("p class=\"quiet\"", from_to);
        rows(page, &events);
        page.raw("</details>\n");
    }
    Ok(())
}

fn rows(page: &mut Page, events: &[crate::hosts::TraceEvent]) {
    page.table(&["", "what", "arguments or words", "how it went"]);
    let shown = show::numbered(events);
    for (number, kind, words, status) in shown.iter().take(MOST_EVENTS) {
        page.raw("<tr>")
            .tag("td class=\"quiet\"", number)
            .tag("td", kind);
        page.tag("td class=\"words\"", cut(words));
        page.tag("td", cut(status)).raw("</tr>\n");
    }
    page.end_table();
    if let Some(rest) = shown
        .len()
        .checked_sub(MOST_EVENTS)
        .filter(|rest| *rest > 0)
    {
        let said = format!(
            "and {} more, all of them in `deckproof show`",
            counted(rest, "event")
        );
        page.tag("p class=\"quiet\"", said);
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= MOST_CHARACTERS {
        return text.to_owned();
    }
    text.chars().take(MOST_CHARACTERS).chain(['…']).collect()
}
