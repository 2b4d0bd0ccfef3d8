// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the event stream of `claude -p --output-format stream-json --verbose`.
//!
//! What was measured and is relied on: one `assistant` event for each content block; failures are told by
//! `is_error`, never by `subtype`; a missing `result` is a truncated stream whatever the exit code; there can
//! be several results; `message.model` is the model that answered.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::failure::{Signs, classify, is_infrastructure_status};
use super::super::fields::{list, names, number, some_text, text};
use super::super::lines::{self, Line};
use super::super::parsed::{count_calls, count_unknown};
use super::super::{Change, Loaded, Parsed, TerminalState, ToolStatus, TraceEvent, TurnRecord};
use super::usage::usage;

/// The model name of messages that Claude Code writes itself.
const SYNTHETIC: &str = "<synthetic>";

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
    reader.finish(record)
}

#[derive(Debug, Default)]
struct Reader {
    trace: Vec<TraceEvent>,
    /// Places in `trace` of calls without a result so far.
    open: Vec<usize>,
    denied: BTreeSet<String>,
    sessions: BTreeSet<String>,
    served: BTreeSet<String>,
    results: Vec<Value>,
    loaded: Option<Loaded>,
    version: Option<String>,
    /// Whether the last event was a retry of the model service.
    retrying: bool,
    anomalies: Vec<String>,
}

impl Reader {
    fn event(&mut self, event: &Value) {
        self.sessions.extend(some_text(event, "session_id"));
        self.retrying = false;
        match text(event, "type").as_str() {
            "system" => self.system(event),
            "assistant" => self.assistant(event),
            "user" => self.user(event),
            "result" => self.result(event),
            "rate_limit_event" => self.notice("rate limit event".to_owned()),
            kind => self.unknown(kind),
        }
    }

    fn unknown(&mut self, kind: &str) {
        self.trace.push(TraceEvent::Unknown {
            kind: kind.to_owned(),
        });
    }

    fn notice(&mut self, message: String) {
        self.trace.push(TraceEvent::Notice { message });
    }

    fn system(&mut self, event: &Value) {
        match text(event, "subtype").as_str() {
            "init" => self.init(event),
            "api_retry" => {
                self.retrying = true;
                self.notice(format!(
                    "model service: {}, trying again",
                    text(event, "error")
                ));
            }
            "permission_denied" => {
                let id = text(event, "tool_use_id");
                self.notice(format!("denied: {} {id}", text(event, "tool_name")));
                self.denied.insert(id);
            }
            "thinking_tokens" | "background_tasks_changed" | "status" | "compact_boundary" => {}
            kind if kind.starts_with("task_") => self.notice(format!("sub-agent: {kind}")),
            kind => self.unknown(&format!("system {kind}")),
        }
    }

    fn init(&mut self, event: &Value) {
        self.trace.push(TraceEvent::TurnStarted);
        self.version = some_text(event, "claude_code_version");
        self.loaded = Some(Loaded {
            tools: names(event, "tools"),
            skills: names(event, "skills"),
            mcp_servers: names(event, "mcp_servers"),
            plugins: names(event, "plugins"),
            // The event names the place of memory files whether there are any or not.
            instructions: Vec::new(),
        });
    }

    fn assistant(&mut self, event: &Value) {
        let Some(message) = event.get("message") else {
            return self.unknown("empty assistant");
        };
        let model = text(message, "model");
        let synthetic = model == SYNTHETIC;
        if !synthetic && !model.is_empty() {
            self.served.insert(model);
        }
        for block in list(message, "content") {
            match text(block, "type").as_str() {
                "text" if synthetic => self.notice(text(block, "text")),
                "text" => self.trace.push(TraceEvent::Message {
                    text: text(block, "text"),
                }),
                "thinking" => {
                    self.trace.push(TraceEvent::Reasoning {
                        text: text(block, "thinking"),
                    });
                }
                "redacted_thinking" => {
                    self.trace.push(TraceEvent::Reasoning {
                        text: String::new(),
                    });
                }
                "tool_use" | "server_tool_use" => {
                    self.open.push(self.trace.len());
                    self.trace.push(call(block));
                }
                kind => self.unknown(&format!("content {kind}")),
            }
        }
    }

    fn user(&mut self, event: &Value) {
        let Some(message) = event.get("message") else {
            return self.unknown("empty user");
        };
        for block in list(message, "content") {
            match text(block, "type").as_str() {
                "tool_result" => self.tool_result(block),
                "text" => self.notice(text(block, "text")),
                "image" | "document" => {}
                kind => self.unknown(&format!("content {kind}")),
            }
        }
    }

    fn tool_result(&mut self, block: &Value) {
        let id = text(block, "tool_use_id");
        let place = self.open.iter().position(|place| {
            self.trace.get(*place).and_then(TraceEvent::call_id) == Some(id.as_str())
        });
        let Some(place) = place else {
            return self.unknown("result of no call");
        };
        let failed = block
            .get("is_error")
            .and_then(Value::as_bool)
            .unwrap_or(false);
        let status = match () {
            () if self.denied.contains(&id) => ToolStatus::Denied,
            () if failed => ToolStatus::Failed,
            () => ToolStatus::Completed,
        };
        let at = self.open.remove(place);
        if let Some(event) = self.trace.get_mut(at) {
            event.set_status(status);
            event.set_exit_code(match status {
                ToolStatus::Completed => Some(0),
                ToolStatus::Failed => exit_code(block),
                _ => None,
            });
        }
    }

    fn result(&mut self, event: &Value) {
        for denial in list(event, "permission_denials") {
            self.denied.extend(some_text(denial, "tool_use_id"));
        }
        self.trace.push(TraceEvent::TurnEnded {
            state: state(event),
        });
        self.results.push(event.clone());
    }

    fn finish(mut self, record: &TurnRecord<'_>) -> Parsed {
        self.settle_calls();
        let terminal = self.terminal();
        let infrastructure = self.infrastructure(&terminal, record.stderr);
        let failure = classify(Signs {
            terminal: &terminal,
            exit: record.exit,
            killed_for: record.killed_for,
            infrastructure: infrastructure.as_deref(),
            stalled: self.retrying,
        });
        if self.sessions.len() > 1 {
            self.anomalies
                .push(format!("{} sessions in one stream", self.sessions.len()));
        }
        let thread_id = self
            .sessions
            .pop_last()
            .filter(|_| self.sessions.is_empty());
        let usage = usage(&self.results, thread_id.as_deref(), record.previous);
        let (tool_calls, repeated_call_ids) = count_calls(&self.trace);
        let served: Vec<String> = self.served.into_iter().collect();
        Parsed {
            thread_id,
            terminal,
            usage,
            tool_calls,
            repeated_call_ids,
            tool_calls_complete: true,
            unknown_events: count_unknown(&self.trace),
            anomalies: self.anomalies,
            requested_model: record.model.map(str::to_owned),
            requested_effort: record.effort.map(str::to_owned),
            observed_model: Some(served.join(", ")).filter(|names| !names.is_empty()),
            observed_effort: None,
            host_version: self.version,
            loaded: self.loaded,
            failure,
            trace: self.trace,
        }
    }

    /// Calls without a result were interrupted; calls that a result lists as denied were denied.
    fn settle_calls(&mut self) {
        for place in std::mem::take(&mut self.open) {
            if let Some(event) = self.trace.get_mut(place) {
                event.set_status(ToolStatus::Interrupted);
            }
        }
        for event in &mut self.trace {
            if event.call_id().is_some_and(|id| self.denied.contains(id)) {
                event.set_status(ToolStatus::Denied);
                event.set_exit_code(None);
            }
        }
    }

    fn terminal(&self) -> TerminalState {
        let failed = self
            .results
            .iter()
            .map(state)
            .find(|state| *state != TerminalState::Completed);
        match (failed, self.results.is_empty()) {
            (Some(failed), _) => failed,
            (None, false) => TerminalState::Completed,
            (None, true) if self.trace.is_empty() => TerminalState::Missing,
            (None, true) => TerminalState::Truncated,
        }
    }

    fn infrastructure(&self, terminal: &TerminalState, stderr: &[u8]) -> Option<String> {
        match terminal {
            TerminalState::Missing => Some(never_started(stderr)),
            TerminalState::Truncated if self.retrying => {
                Some("the model service did not answer".to_owned())
            }
            TerminalState::Failed { message } => {
                let blamed = |result: &Value| {
                    text(result, "terminal_reason") == "api_error"
                        && number(result, "api_error_status").is_none_or(is_infrastructure_status)
                };
                self.results.iter().any(blamed).then(|| message.clone())
            }
            TerminalState::Truncated | TerminalState::Completed => None,
        }
    }
}

fn never_started(stderr: &[u8]) -> String {
    let stderr = String::from_utf8_lossy(stderr);
    let line = stderr
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("(nothing)");
    format!(
        "claude wrote no event; it said: {}",
        line.chars().take(500).collect::<String>()
    )
}

/// The state that a `result` event stands for. A result that does not say that it is no error is one.
fn state(result: &Value) -> TerminalState {
    if result.get("is_error").and_then(Value::as_bool) == Some(false) {
        return TerminalState::Completed;
    }
    let errors: Vec<String> = names(result, "errors");
    let message = [
        text(result, "result"),
        errors.join("; "),
        text(result, "subtype"),
    ]
    .into_iter()
    .find(|message| !message.is_empty())
    .unwrap_or_default();
    TerminalState::Failed { message }
}

/// The exit code of a failed command, which Claude Code gives as the first line of its output.
fn exit_code(block: &Value) -> Option<i64> {
    let content = block.get("content")?;
    let first = content.as_str().map(str::to_owned).or_else(|| {
        content
            .as_array()?
            .first()
            .and_then(|part| some_text(part, "text"))
    })?;
    first
        .lines()
        .next()?
        .strip_prefix("Exit code ")?
        .trim()
        .parse()
        .ok()
}

/// The call that a `tool_use` block is.
fn call(block: &Value) -> TraceEvent {
    let id = text(block, "id");
    let name = text(block, "name");
    let input = block.get("input").cloned().unwrap_or_default();
    let status = ToolStatus::Unknown;
    let file = |kind: &str, key: &str| {
        let change = Change {
            path: text(&input, key),
            kind: kind.to_owned(),
        };
        TraceEvent::FileChange {
            id: id.clone(),
            changes: vec![change],
            status,
        }
    };
    match name.as_str() {
        "Bash" => {
            let command = text(&input, "command");
            TraceEvent::Command {
                id,
                command,
                exit_code: None,
                status,
            }
        }
        "Write" => file("write", "file_path"),
        "Edit" | "MultiEdit" => file("edit", "file_path"),
        "NotebookEdit" => file("edit", "notebook_path"),
        "WebSearch" => TraceEvent::WebSearch {
            id,
            query: text(&input, "query"),
            status,
        },
        _ => {
            let (server, tool) = match name
                .strip_prefix("mcp__")
                .and_then(|it| it.split_once("__"))
            {
                Some((server, tool)) => (Some(server.to_owned()), tool.to_owned()),
                None => (None, name.clone()),
            };
            TraceEvent::Tool {
                id,
                server,
                tool,
                arguments: input,
                status,
            }
        }
    }
}
