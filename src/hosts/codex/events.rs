// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the event stream of `codex exec --json`.
//!
//! What was measured and is relied on: usage is cumulative for the thread; `error` ends nothing; a turn ends
//! by `turn.completed` or `turn.failed`; calls that look like sandbox denials, and sub-agents' tokens, never
//! appear.

use serde_json::Value;

use super::super::failure::{Signs, classify, is_infrastructure_message};
use super::super::fields::{list, number, some_text, text};
use super::super::lines::{self, Line};
use super::super::parsed::{count_calls, count_unknown};
use super::super::{
    Change, Counts, Parsed, Previous, TerminalState, ToolStatus, TraceEvent, TurnRecord, Usage,
};

use super::ledger;

const BASIS_FIRST: &str = "codex: cumulative for the thread; first turn, so the figure itself";
const BASIS_LATER: &str = "codex: cumulative for the thread; less the figure of the turn before";

/// Reads a turn.
pub(super) fn parse(record: &TurnRecord<'_>) -> Parsed {
    let (lines, oddities) = lines::read(record.events);
    let mut reader = Reader::default();
    for line in &lines {
        match line {
            Line::Object(event) => reader.event(event),
            Line::Other(kind) => reader.trace.push(Line::unknown(kind)),
        }
    }
    reader.anomalies.extend(oddities.describe());
    let mut parsed = reader.finish(record);
    if let Some(ledger) = record.ledger {
        ledger::reconcile(&mut parsed, ledger);
    }
    parsed
}

#[derive(Debug, Default)]
struct Reader {
    trace: Vec<TraceEvent>,
    /// Places in `trace` of calls that have begun and not ended.
    open: Vec<usize>,
    threads: Vec<String>,
    ends: Vec<TerminalState>,
    usages: Vec<Value>,
    observed_model: Option<String>,
    sub_agents: bool,
    /// The last thing that the host itself complained about.
    complaint: Option<String>,
    /// Whether nothing came after that complaint.
    complaint_is_last: bool,
    anomalies: Vec<String>,
}

impl Reader {
    fn event(&mut self, event: &Value) {
        self.complaint_is_last = false;
        match text(event, "type").as_str() {
            "thread.started" => self.threads.extend(some_text(event, "thread_id")),
            "turn.started" => self.trace.push(TraceEvent::TurnStarted),
            "turn.completed" => {
                self.usages.extend(event.get("usage").cloned());
                self.end(TerminalState::Completed);
            }
            "turn.failed" => {
                let message = event.get("error").map(|error| text(error, "message"));
                self.end(TerminalState::Failed {
                    message: message.unwrap_or_default(),
                });
            }
            "item.started" | "item.updated" => self.item(event, false),
            "item.completed" => self.item(event, true),
            "error" => self.complain(text(event, "message")),
            kind => self.unknown(kind),
        }
    }

    fn end(&mut self, state: TerminalState) {
        self.trace.push(TraceEvent::TurnEnded {
            state: state.clone(),
        });
        self.ends.push(state);
    }

    fn complain(&mut self, message: String) {
        self.complaint = Some(message.clone());
        self.complaint_is_last = true;
        self.trace.push(TraceEvent::Notice { message });
    }

    fn unknown(&mut self, kind: &str) {
        self.trace.push(TraceEvent::Unknown {
            kind: kind.to_owned(),
        });
    }

    fn item(&mut self, event: &Value, complete: bool) {
        let Some(item) = event.get("item") else {
            return self.unknown("item without content");
        };
        match text(item, "type").as_str() {
            "agent_message" => self.trace.push(TraceEvent::Message {
                text: text(item, "text"),
            }),
            "reasoning" => self.trace.push(TraceEvent::Reasoning {
                text: text(item, "text"),
            }),
            "todo_list" => self.trace.push(TraceEvent::Notice {
                message: "todo list".to_owned(),
            }),
            "error" => self.notice(text(item, "message")),
            kind => match call(kind, item) {
                Some(call) => self.call(call, complete),
                None => self.unknown(&format!("item {kind}")),
            },
        }
    }

    /// A notice that is no failure. One kind of it is the only place where the served model shows.
    fn notice(&mut self, message: String) {
        if let Some(rest) = message.strip_prefix("model rerouted: ") {
            let to = rest
                .split(" -> ")
                .nth(1)
                .and_then(|to| to.split_whitespace().next());
            self.observed_model = to.map(str::to_owned);
        }
        self.trace.push(TraceEvent::Notice { message });
    }

    /// Files a call: its end joins its beginning when both say the same; else each stands for itself.
    fn call(&mut self, call: TraceEvent, complete: bool) {
        self.sub_agents |= matches!(&call, TraceEvent::Tool { server: Some(server), .. }
            if server == COLLABORATION);
        let place = self.open.iter().position(|place| {
            self.trace
                .get(*place)
                .is_some_and(|begun| begun.is_same_call(&call))
        });
        match place {
            Some(place) if complete => {
                let at = self.open.remove(place);
                if let Some(begun) = self.trace.get_mut(at) {
                    *begun = call;
                }
            }
            Some(_) => {}
            None => {
                self.trace.push(call);
                if !complete {
                    self.open.push(self.trace.len() - 1);
                }
            }
        }
    }

    fn finish(mut self, record: &TurnRecord<'_>) -> Parsed {
        for place in std::mem::take(&mut self.open) {
            if let Some(event) = self.trace.get_mut(place) {
                event.set_status(ToolStatus::Interrupted);
            }
        }
        self.refused_calls(record.stderr);
        let terminal = self.terminal();
        let infrastructure = self.infrastructure(&terminal, record.stderr);
        let failure = classify(Signs {
            terminal: &terminal,
            exit: record.exit,
            killed_for: record.killed_for,
            infrastructure: infrastructure.as_deref(),
            stalled: self.complaint_is_last,
        });
        let usage = self.usage(record.previous);
        let (tool_calls, repeated_call_ids) = count_calls(&self.trace);
        Parsed {
            thread_id: self.threads.last().cloned(),
            terminal,
            usage,
            tool_calls,
            repeated_call_ids,
            // Commands that fail like a sandbox denial, view_image and refused calls are not in the stream.
            tool_calls_complete: false,
            unknown_events: count_unknown(&self.trace),
            anomalies: self.anomalies,
            requested_model: record.model.map(str::to_owned),
            requested_effort: record.effort.map(str::to_owned),
            observed_model: self.observed_model,
            observed_effort: None,
            host_version: None,
            loaded: None,
            failure,
            trace: self.trace,
        }
    }

    /// Calls that were refused before they ran show on standard error alone.
    fn refused_calls(&mut self, stderr: &[u8]) {
        let stderr = String::from_utf8_lossy(stderr);
        let lines = stderr
            .lines()
            .filter(|line| line.contains("ERROR codex_core::tools::router"));
        for line in lines.take(1000) {
            let message = format!(
                "refused call: {}",
                line.chars().take(2000).collect::<String>()
            );
            self.trace.push(TraceEvent::Notice { message });
        }
    }

    fn terminal(&mut self) -> TerminalState {
        if self.ends.len() > 1 {
            self.anomalies
                .push(format!("{} ends of a turn, expected one", self.ends.len()));
        }
        let failed = self
            .ends
            .iter()
            .find(|end| matches!(end, TerminalState::Failed { .. }));
        match (failed, self.ends.last()) {
            (Some(failed), _) => failed.clone(),
            (None, Some(end)) => end.clone(),
            (None, None) if self.trace.is_empty() && self.threads.is_empty() => {
                TerminalState::Missing
            }
            (None, None) => TerminalState::Truncated,
        }
    }

    fn infrastructure(&self, terminal: &TerminalState, stderr: &[u8]) -> Option<String> {
        let complaint = match terminal {
            TerminalState::Failed { message } => Some(message),
            TerminalState::Truncated => self.complaint.as_ref().filter(|_| self.complaint_is_last),
            TerminalState::Missing => return Some(never_started(stderr)),
            TerminalState::Completed => None,
        };
        complaint
            .filter(|message| is_infrastructure_message(message))
            .cloned()
    }

    fn usage(&mut self, previous: Previous<'_>) -> Usage {
        let Some(last) = self.usages.last() else {
            return Usage::unknown(None, "the stream reports no usage");
        };
        let reported = match counts(last) {
            Ok(reported) => reported,
            Err(why) => return Usage::unknown(None, why),
        };
        let unknown = |why: String| Usage::unknown(Some(reported), why);
        if let Err(why) = self.grows() {
            return unknown(why);
        }
        if self.sub_agents {
            return unknown("codex does not report the tokens of sub-agents, and some ran".into());
        }
        let thread = match self.threads.as_slice() {
            [thread] => thread,
            threads => return unknown(format!("{} threads in one stream", threads.len())),
        };
        match previous {
            Previous::First => Usage::known(reported, reported, BASIS_FIRST),
            Previous::Unknown => unknown("the turn before reported no usage".into()),
            Previous::Reported { thread: before, .. } if before != thread => {
                unknown(format!("thread {thread} does not continue thread {before}"))
            }
            Previous::Reported { counts, .. } => match reported.since(counts) {
                Ok(turn) => Usage::known(reported, turn, BASIS_LATER),
                Err(why) => unknown(why),
            },
        }
    }

    /// Several figures in one stream have to grow, or they are not what they are taken for.
    fn grows(&self) -> Result<(), String> {
        let mut before: Option<Counts> = None;
        for usage in &self.usages {
            let now = counts(usage)?;
            if let Some(before) = before {
                now.since(before)?;
            }
            before = Some(now);
        }
        Ok(())
    }
}

fn never_started(stderr: &[u8]) -> String {
    let stderr = String::from_utf8_lossy(stderr);
    let line = stderr
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("(nothing)");
    format!(
        "codex wrote no event; it said: {}",
        line.chars().take(500).collect::<String>()
    )
}

pub(super) fn counts(usage: &Value) -> Result<Counts, String> {
    let whole = |key: &str| {
        number(usage, key).ok_or_else(|| format!("`{key}` is missing or no whole number"))
    };
    let part = |key: &str| match usage.get(key) {
        None => Ok(None),
        Some(_) => whole(key).map(Some),
    };
    Counts::checked(
        whole("input_tokens")?,
        part("cached_input_tokens")?,
        whole("output_tokens")?,
        part("reasoning_output_tokens")?,
    )
}

/// The name under which calls to other agents are filed.
const COLLABORATION: &str = "codex.agents";

/// The call that an item of type `kind` is, if it is one.
fn call(kind: &str, item: &Value) -> Option<TraceEvent> {
    let id = text(item, "id");
    let status = status(item);
    Some(match kind {
        "command_execution" => TraceEvent::Command {
            id,
            command: text(item, "command"),
            exit_code: item.get("exit_code").and_then(Value::as_i64),
            status,
        },
        "file_change" => TraceEvent::FileChange {
            id,
            changes: changes(item),
            status,
        },
        "web_search" => TraceEvent::WebSearch {
            id,
            query: text(item, "query"),
            status: ToolStatus::Completed,
        },
        "mcp_tool_call" => TraceEvent::Tool {
            id,
            server: some_text(item, "server"),
            tool: text(item, "tool"),
            arguments: item.get("arguments").cloned().unwrap_or_default(),
            status,
        },
        "collab_tool_call" => TraceEvent::Tool {
            id,
            server: Some(COLLABORATION.to_owned()),
            tool: text(item, "tool"),
            arguments: item.get("prompt").cloned().unwrap_or_default(),
            status,
        },
        "computer_use" | "image_generation" => TraceEvent::Tool {
            id,
            server: None,
            tool: kind.to_owned(),
            arguments: without_outcome(item),
            status,
        },
        _ => return None,
    })
}

/// What the item says about the call and not about its outcome, so that its two records compare equal.
fn without_outcome(item: &Value) -> Value {
    let mut fields = item.as_object().cloned().unwrap_or_default();
    for name in ["id", "type", "status", "result", "output", "error"] {
        fields.remove(name);
    }
    Value::Object(fields)
}

fn changes(item: &Value) -> Vec<Change> {
    let change = |change: &Value| Change {
        path: text(change, "path"),
        kind: text(change, "kind"),
    };
    list(item, "changes").iter().map(change).collect()
}

fn status(item: &Value) -> ToolStatus {
    match text(item, "status").as_str() {
        "completed" => ToolStatus::Completed,
        "failed" => ToolStatus::Failed,
        "declined" => ToolStatus::Denied,
        "in_progress" => ToolStatus::Interrupted,
        _ => ToolStatus::Unknown,
    }
}
