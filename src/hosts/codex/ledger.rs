// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads Codex's own session file, which holds the calls and figures that its event stream leaves out.
//!
//! It lies in the trial's home, so an agent could tamper with it; the stream it cannot. What the stream shows
//! and the ledger lacks is therefore a finding, and what only the ledger shows is added.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::audit::shell_script;
use super::super::fields::{list, some_text, text};
use super::super::lines::{self, Line};
use super::super::parsed::count_calls;
use super::super::{Change, Counts, Loaded, Parsed, TerminalState, ToolStatus, TraceEvent, Usage};
use super::events::counts;

/// The most session files that are looked for.
const MOST_FILES: usize = 1000;

/// The session files below a trial's home, in order of name, which is order of time.
pub(super) fn files(home: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // The agent may have put a link there, which would lead out of its home.
    let plain = |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|data| data.is_dir());
    let sessions = home.join(".codex/sessions");
    if !plain(&home.join(".codex")) || !plain(&sessions) {
        return found;
    }
    let mut left = vec![(sessions, 0)];
    while let Some((folder, depth)) = left.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten().take(MOST_FILES) {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let name = entry.file_name();
            if kind.is_dir() && depth < 3 {
                left.push((entry.path(), depth + 1));
            } else if kind.is_file() && name.to_string_lossy().starts_with("rollout-") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found.truncate(MOST_FILES);
    found
}

/// What a session file says about its last turn.
#[derive(Debug, Default)]
struct Ledger {
    thread: Option<String>,
    version: Option<String>,
    model: Option<String>,
    effort: Option<String>,
    calls: Vec<TraceEvent>,
    loaded: Loaded,
    usage: Option<Counts>,
}

/// Completes `parsed` by the session file of the same thread.
pub(super) fn reconcile(parsed: &mut Parsed, bytes: &[u8]) {
    let ledger = read(bytes);
    if ledger.thread.is_none() || ledger.thread != parsed.thread_id {
        let other = ledger.thread.as_deref().unwrap_or("none");
        parsed
            .anomalies
            .push(format!("the ledger is of another thread: {other}"));
        return;
    }
    parsed.host_version = ledger.version;
    parsed.loaded = Some(ledger.loaded);
    parsed.observed_effort = ledger.effort;
    if parsed.observed_model.is_none() {
        parsed.observed_model = ledger.model;
    }
    let complete = add_hidden_calls(parsed, ledger.calls);
    parsed.tool_calls_complete = complete;
    (parsed.tool_calls, parsed.repeated_call_ids) = count_calls(&parsed.trace);
    compare_usage(parsed, ledger.usage);
}

fn read(bytes: &[u8]) -> Ledger {
    let (lines, _) = lines::read(bytes);
    let mut ledger = Ledger::default();
    for line in &lines {
        if let Line::Object(record) = line
            && let Some(payload) = record.get("payload")
        {
            ledger.record(&text(record, "type"), payload);
        }
    }
    ledger
}

impl Ledger {
    fn record(&mut self, kind: &str, payload: &Value) {
        match (kind, text(payload, "type").as_str()) {
            ("session_meta", _) => {
                self.thread = some_text(payload, "id");
                self.version = some_text(payload, "cli_version");
            }
            ("turn_context", _) => {
                self.model = some_text(payload, "model");
                self.effort = some_text(payload, "effort");
            }
            ("event_msg", "task_started") => {
                self.calls.clear();
                self.usage = None;
            }
            ("token_usage_record", _) => {
                self.usage = payload
                    .get("turn_token_usage")
                    .and_then(|usage| counts(usage).ok());
            }
            ("response_item", "message") => self.message(payload),
            ("response_item", kind) if kind.ends_with("_call") => self.add(call(kind, payload)),
            ("event_msg", "item_completed") => {
                let item = payload.get("item").unwrap_or(&Value::Null);
                self.calls_of_items(item);
            }
            _ => {}
        }
    }

    /// What stands before the conversation, part by part. Each part that is not the host's own
    /// description of the room is something that was loaded.
    fn message(&mut self, message: &Value) {
        if text(message, "role") == "assistant" {
            return;
        }
        for part in list(message, "content") {
            let part = text(part, "text");
            let tag = part
                .strip_prefix('<')
                .and_then(|rest| rest.split('>').next());
            match tag {
                Some("skills_instructions") => self.loaded.skills.extend(skills(&part)),
                Some("tools") => self.loaded.instructions.push("deferred tools".to_owned()),
                Some("user_instructions" | "INSTRUCTIONS") => {
                    self.loaded.instructions.push("instructions".to_owned());
                }
                _ if part.starts_with("# AGENTS.md") => {
                    self.loaded.instructions.push("AGENTS.md".to_owned());
                }
                _ => {}
            }
        }
    }

    /// One call has a record of the model's request and one of its execution, under the same id. Another call
    /// under that id stays a call.
    fn add(&mut self, call: TraceEvent) {
        let same = |other: &TraceEvent| {
            other.call_id() == call.call_id()
                && (matches_call(&call, other) || matches_call(other, &call))
        };
        if !self.calls.iter().any(same) {
            self.calls.push(call);
        }
    }

    fn calls_of_items(&mut self, item: &Value) {
        let id = text(item, "id");
        match text(item, "type").as_str() {
            "CommandExecution" => {
                let words = item.get("command").and_then(Value::as_array);
                let last = words.and_then(|words| words.last()).and_then(Value::as_str);
                let command = last.unwrap_or_default().to_owned();
                self.add(TraceEvent::Command {
                    id,
                    command,
                    exit_code: item.get("exit_code").and_then(Value::as_i64),
                    status: ToolStatus::Unknown,
                });
            }
            "FileChange" => {
                let changes = item.get("changes").and_then(Value::as_object);
                let paths = changes.into_iter().flat_map(|changes| changes.keys());
                let change = |path: &String| Change {
                    path: path.clone(),
                    kind: "update".into(),
                };
                let changes = paths.map(change).collect();
                self.add(TraceEvent::FileChange {
                    id,
                    changes,
                    status: ToolStatus::Unknown,
                });
            }
            _ => {}
        }
    }
}

/// The names in a list of skills: `- name: what it is for`.
fn skills(list: &str) -> Vec<String> {
    let name = |line: &str| {
        let (name, _) = line.strip_prefix("- ")?.split_once(':')?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        (!name.is_empty() && name.chars().all(plain)).then(|| name.to_owned())
    };
    let names: Vec<String> = list.lines().filter_map(name).collect();
    if names.is_empty() {
        return vec!["(a list of skills)".to_owned()];
    }
    names
}

/// The call that a response item of the model asks for.
fn call(kind: &str, item: &Value) -> TraceEvent {
    let id = some_text(item, "call_id").unwrap_or_else(|| text(item, "id"));
    let name = some_text(item, "name").unwrap_or_else(|| kind.to_owned());
    let status = ToolStatus::Unknown;
    let given = text(item, "arguments");
    let arguments: Value = serde_json::from_str(&given).unwrap_or(Value::String(given));
    if let ("exec_command", Some(command)) = (name.as_str(), some_text(&arguments, "cmd")) {
        return TraceEvent::Command {
            id,
            command,
            exit_code: None,
            status,
        };
    }
    if name == "apply_patch" {
        let changes = patched(&text(item, "input"));
        return TraceEvent::FileChange {
            id,
            changes,
            status,
        };
    }
    if kind == "web_search_call" {
        let query = item
            .get("action")
            .map(|action| text(action, "query"))
            .unwrap_or_default();
        return TraceEvent::WebSearch { id, query, status };
    }
    let arguments = some_text(item, "input").map_or(arguments, Value::String);
    TraceEvent::Tool {
        id,
        server: some_text(item, "namespace"),
        tool: name,
        arguments,
        status,
    }
}

fn patched(patch: &str) -> Vec<Change> {
    let change = |line: &str| {
        let (kind, path) = line.strip_prefix("*** ")?.split_once(" File: ")?;
        Some(Change {
            path: path.trim().to_owned(),
            kind: kind.to_lowercase(),
        })
    };
    patch.lines().filter_map(change).collect()
}

/// Adds the calls that the stream does not show. Returns whether the ledger has all that it does show.
fn add_hidden_calls(parsed: &mut Parsed, mut calls: Vec<TraceEvent>) -> bool {
    let mut missing = 0_usize;
    for shown in parsed
        .trace
        .iter()
        .filter(|event| event.call_id().is_some())
    {
        match calls.iter().position(|call| matches_call(shown, call)) {
            Some(place) => _ = calls.remove(place),
            None => missing += 1,
        }
    }
    if missing > 0 {
        parsed.anomalies.push(format!(
            "{missing} calls of the stream are not in the ledger"
        ));
    }
    if !calls.is_empty() {
        let message = format!(
            "{} calls show in the ledger alone; they follow here",
            calls.len()
        );
        parsed.trace.push(TraceEvent::Notice { message });
        parsed.trace.append(&mut calls);
    }
    missing == 0
}

/// Whether a call of the stream and one of the ledger are the same. Their ids differ, so what they do decides.
fn matches_call(shown: &TraceEvent, ledger: &TraceEvent) -> bool {
    match (shown, ledger) {
        (TraceEvent::Command { command: shown, .. }, TraceEvent::Command { command, .. }) => {
            shown == command || shell_script(shown).as_deref() == Some(command.as_str())
        }
        (TraceEvent::FileChange { changes: shown, .. }, TraceEvent::FileChange { changes, .. }) => {
            // The one has absolute paths, the other may have relative ones.
            shown.len() == changes.len()
                && changes.iter().all(|change| {
                    shown
                        .iter()
                        .any(|shown| Path::new(&shown.path).ends_with(&change.path))
                })
        }
        (TraceEvent::WebSearch { .. }, TraceEvent::WebSearch { .. }) => true,
        (TraceEvent::Tool { tool: shown, .. }, TraceEvent::Tool { tool, .. }) => {
            tool == shown || tool.ends_with(&format!("__{shown}"))
        }
        // A patch that a command applies shows as a change of files.
        (TraceEvent::FileChange { .. }, TraceEvent::Command { command, .. }) => {
            command.contains("apply_patch")
        }
        _ => false,
    }
}

/// Two sources that disagree are none; a failed turn, of which the stream says nothing, gets its figure here.
fn compare_usage(parsed: &mut Parsed, ledger: Option<Counts>) {
    match (parsed.usage.turn, ledger) {
        (Some(turn), Some(ledger)) if turn != ledger => {
            let why = format!(
                "the stream says {} tokens and the ledger {}",
                turn.total_tokens, ledger.total_tokens
            );
            parsed.usage = Usage::unknown(parsed.usage.reported, why);
        }
        (None, Some(ledger)) if matches!(parsed.terminal, TerminalState::Failed { .. }) => {
            let basis = "codex: turn_token_usage of its session file, as the turn failed";
            // What the thread has used in all stays unknown, and with it the next turn's difference.
            let usage = Usage::known(ledger, ledger, basis);
            parsed.usage = Usage {
                reported: None,
                ..usage
            };
        }
        _ => {}
    }
}
