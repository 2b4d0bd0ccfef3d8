// SPDX-License-Identifier: MIT OR Apache-2.0
//! One trial for a terminal. Words of agents are cut to a line's length and kept in their line; the
//! JSON form has them in full.

use super::{AttemptShown, EndShown, FileShown, TrialShown};
use crate::experiment::records::{CheckRecord, CheckStatus};
use crate::hosts::{TerminalState, ToolStatus, TraceEvent};
use crate::summary::section;
use crate::words::counted;

/// Most characters of one call's arguments.
const MOST_CHARACTERS: usize = 400;

impl TrialShown {
    /// The trial as plain text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let format = self.format.as_str().to_uppercase();
        let mut text = format!(
            "{}  {format} deck, {}\n",
            self.trial,
            one_line(&self.standing)
        );
        for attempt in &self.attempts {
            self.attempt(&mut text, attempt);
        }
        let checks: Vec<_> = self.checks.iter().map(check_row).collect();
        section(&mut text, "Checks", &checks);
        let problem = self.render_problem.iter().map(|one| vec![one.clone()]);
        section(&mut text, "No pictures", &problem.collect::<Vec<_>>());
        if let Some(pictures) = &self.pictures {
            let title = format!("Pictures, drawn by {}", one_line(&pictures.renderer));
            let files = pictures.slides.iter().chain([&pictures.diagnostics]);
            section(&mut text, &title, &files.map(file_row).collect::<Vec<_>>());
        }
        text
    }

    fn attempt(&self, text: &mut String, attempt: &AttemptShown) {
        let named = |title: &str| match self.attempts.len() {
            1 => title.to_owned(),
            _ => format!("{title} of attempt {}", attempt.attempt),
        };
        let Some(ended) = &attempt.ended else {
            section(text, &named("Run"), &[vec![attempt.outcome.clone()]]);
            return;
        };
        section(text, &named("Run"), &run_rows(attempt, ended));
        section(text, &named("What the agent did"), &trace_rows(ended));
        let files: Vec<_> = ended.files.iter().map(file_row).collect();
        section(text, &named("Files"), &files);
    }
}

/// An event as kind, words and standing, for tables.
fn event_words(event: &TraceEvent) -> (&'static str, String, String) {
    let status = |status: ToolStatus| match status {
        ToolStatus::Completed => "completed",
        ToolStatus::Failed => "FAILED",
        ToolStatus::Denied => "DENIED",
        ToolStatus::Interrupted => "interrupted",
        ToolStatus::Unknown => "no status",
    };
    match event {
        TraceEvent::TurnStarted => ("turn", "begins".to_owned(), String::new()),
        TraceEvent::TurnEnded { state } => ("turn", "ends".to_owned(), terminal(state)),
        TraceEvent::Message { text } => ("says", text.clone(), String::new()),
        TraceEvent::Reasoning { text } => ("thinks", text.clone(), String::new()),
        TraceEvent::Command {
            command,
            exit_code,
            status: how,
            ..
        } => {
            let code = exit_code.map_or_else(String::new, |code| format!(", exit code {code}"));
            (
                "command",
                command.clone(),
                format!("{}{code}", status(*how)),
            )
        }
        TraceEvent::FileChange {
            changes,
            status: how,
            ..
        } => {
            let changes: Vec<_> = changes
                .iter()
                .map(|one| format!("{} {}", one.kind, one.path))
                .collect();
            ("files", changes.join(", "), status(*how).to_owned())
        }
        TraceEvent::Tool {
            server,
            tool,
            arguments,
            status: how,
            ..
        } => {
            let name = match server {
                Some(server) => format!("{server}/{tool}"),
                None => tool.clone(),
            };
            (
                "tool",
                format!("{name} {arguments}"),
                status(*how).to_owned(),
            )
        }
        TraceEvent::WebSearch {
            query, status: how, ..
        } => ("search", query.clone(), status(*how).to_owned()),
        TraceEvent::Notice { message } => ("notice", message.clone(), String::new()),
        TraceEvent::Unknown { kind } => ("unknown", kind.clone(), String::new()),
    }
}

fn terminal(state: &TerminalState) -> String {
    match state {
        TerminalState::Completed => "completed".to_owned(),
        TerminalState::Failed { message } => format!("FAILED: {message}"),
        TerminalState::Truncated => "the stream stops".to_owned(),
        TerminalState::Missing => "there is no stream".to_owned(),
    }
}

fn trace_rows(ended: &EndShown) -> Vec<Vec<String>> {
    if let Some(problem) = &ended.trace_problem {
        let said = format!("the trace cannot be read: {problem}; the event log is below");
        return vec![vec![said]];
    }
    if ended.trace.is_empty() {
        return vec![vec!["nothing is on record".to_owned()]];
    }
    let row = |(number, kind, words, status): (String, &str, String, String)| {
        // Words may be long: they stand last, where they push nothing aside.
        vec![number, kind.to_owned(), cut(&status), cut(&words)]
    };
    numbered(&ended.trace).into_iter().map(row).collect()
}

/// Every event with its number, as turn or as call, its kind, its words and how it went.
pub(crate) fn numbered(events: &[TraceEvent]) -> Vec<(String, &'static str, String, String)> {
    let (mut call, mut turn) = (0, 0);
    let number = |event: &TraceEvent| {
        let (kind, words, status) = event_words(event);
        let number = match event {
            TraceEvent::TurnStarted => {
                turn += 1;
                format!("turn {turn}")
            }
            event if event.call_id().is_some() => {
                call += 1;
                format!("call {call}")
            }
            _ => String::new(),
        };
        (number, kind, words, status)
    };
    events.iter().map(number).collect()
}

fn run_rows(attempt: &AttemptShown, ended: &EndShown) -> Vec<Vec<String>> {
    let (run, usage) = (&ended.run, &ended.usage);
    let stated = |text: &Option<String>| text.clone().unwrap_or_else(|| "none stated".to_owned());
    let count = |count: Option<u64>| count.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
    let timing = run.timing.words();
    let end = match (run.exit_code, run.signal) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit".to_owned(),
    };
    let mut rows = vec![
        vec!["ended".to_owned(), format!("{}, {end}", attempt.outcome)],
        vec![
            "time".to_owned(),
            format!(
                "{}.{:03} s, {timing}, from {} to {}",
                run.duration_ms / 1000,
                run.duration_ms % 1000,
                run.started_at,
                run.ended_at
            ),
        ],
        vec![
            "tokens".to_owned(),
            format!(
                "{}: {} input, of them {} cached, {} output ({})",
                count(usage.total_tokens),
                count(usage.input_tokens),
                count(usage.cached_input_tokens),
                count(usage.output_tokens),
                usage.basis
            ),
        ],
        vec!["tool calls".to_owned(), count(usage.tool_calls)],
        vec![
            "model".to_owned(),
            format!(
                "asked for {}, effort {}; observed {}",
                stated(&ended.requested_model),
                stated(&ended.requested_effort),
                stated(&ended.observed_model)
            ),
        ],
        vec!["session".to_owned(), stated(&ended.thread_id)],
        vec!["host".to_owned(), program(ended)],
        vec!["command".to_owned(), cut(&run.argv.join(" "))],
        vec![
            "isolation".to_owned(),
            format!("{:?}", run.isolation).to_lowercase(),
        ],
    ];
    let audit = if ended.audit.passed {
        "nothing found".to_owned()
    } else {
        ended.audit.findings.join("; ")
    };
    rows.push(vec!["read audit".to_owned(), audit]);
    if !run.leftover_processes.is_empty() {
        let left =
            counted(run.leftover_processes.len(), "process").replace("processs", "processes");
        let said = format!(
            "{left} ended afterwards: {}",
            run.leftover_processes.join("; ")
        );
        rows.push(vec!["left over".to_owned(), cut(&said)]);
    }
    rows
}

fn program(ended: &EndShown) -> String {
    let run = &ended.run;
    let version = run
        .program_version
        .as_deref()
        .unwrap_or("no version stated");
    let hash = match &run.program_sha256 {
        Some(hash) => hash.to_string(),
        None => "no hash".to_owned(),
    };
    format!("{}, {version}, {hash}", run.host)
}

fn check_row(check: &CheckRecord) -> Vec<String> {
    let word = match check.status {
        CheckStatus::Pass => "pass",
        CheckStatus::Fail => "FAIL",
        CheckStatus::Error => "ERROR",
    };
    vec![word.to_owned(), check.name.clone(), check.reason.clone()]
}

fn file_row(file: &FileShown) -> Vec<String> {
    let bytes = counted(usize::try_from(file.bytes).unwrap_or(usize::MAX), "byte");
    vec![file.what.clone(), file.path.clone(), bytes]
}

fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// One line of at most so many characters.
fn cut(text: &str) -> String {
    let line = one_line(text);
    if line.chars().count() <= MOST_CHARACTERS {
        return line;
    }
    let head: String = line.chars().take(MOST_CHARACTERS).collect();
    format!(
        "{head}… ({} in all)",
        counted(line.chars().count(), "character")
    )
}
