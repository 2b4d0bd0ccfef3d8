// SPDX-License-Identifier: MIT OR Apache-2.0
//! opencode (`opencode run --format json`), as measured with version 1.18.
//!
//! Each step is one request to the model with figures of its own: input without cache, output without
//! reasoning. No event says that the turn is over; its last step's reason does.

use serde_json::Value;

use super::failure::{Signs, classify, is_infrastructure_message, is_infrastructure_status};
use super::fields::{number, some_text, text};
use super::lines::{self, Line};
use super::parsed::{count_calls, count_unknown};
use super::turn::text as path_text;
use super::{
    Change, Counts, Habits, Host, HostError, Invocation, Parsed, TerminalState, ToolStatus,
    TraceEvent, TurnRecord, TurnRequest, Usage,
};

const HOST: &str = "opencode";
const BASIS: &str = "opencode: sum over the steps of the turn";

/// The opencode command line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Opencode;

impl Host for Opencode {
    fn name(&self) -> &'static str {
        HOST
    }

    fn habits(&self) -> Habits {
        Habits {
            shows_calls: true,
            keeps_directory: false,
        }
    }

    fn version_arguments(&self) -> Option<&'static [&'static str]> {
        Some(&["--version"])
    }

    fn login(&self) -> Option<&'static str> {
        Some(".local/share/opencode/auth.json")
    }

    fn command(&self, turn: &TurnRequest) -> Result<Invocation, HostError> {
        let mut argv = vec![path_text(HOST, &turn.program)?];
        // Without a title of ours it asks the model for one, in a request that no event counts.
        let words = [
            "run", "--format", "json", "--pure", "--auto", "--title", "trial", "--model",
        ];
        argv.extend(words.map(str::to_owned));
        argv.push(turn.checked_model(HOST)?.to_owned());
        if let Some(effort) = turn.checked_effort(HOST)? {
            argv.extend(["--variant".to_owned(), effort.to_owned()]);
        }
        if let Some(thread) = turn.checked_thread(HOST)? {
            argv.extend(["--session".to_owned(), thread.to_owned()]);
        }
        argv.extend(turn.arguments.iter().cloned());
        let mut environment = turn.base_environment(HOST)?;
        environment.insert("OPENCODE_DISABLE_AUTOUPDATE".to_owned(), "1".to_owned());
        if let Some(url) = &turn.endpoint {
            let config = provider(url, turn.checked_model(HOST)?)?;
            environment.insert("OPENCODE_CONFIG_CONTENT".to_owned(), config);
        }
        Ok(Invocation {
            argv,
            environment,
            stdin: turn.prompt.clone(),
            current_directory: turn.work.clone(),
            folders: Vec::new(),
        })
    }

    fn parse(&self, record: &TurnRecord<'_>) -> Parsed {
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
}

/// A configuration with a provider `suite` at `url` that takes its key from `OPENAI_API_KEY`.
fn provider(url: &str, model: &str) -> Result<String, HostError> {
    let name = model.strip_prefix("suite/").ok_or(HostError::Value {
        host: HOST,
        what: "model",
        found: model.to_owned(),
        expected: "`suite/` and the model's name, since the suite names an endpoint",
    })?;
    let options = serde_json::json!({"baseURL": url, "apiKey": "{env:OPENAI_API_KEY}"});
    let provider = serde_json::json!({"npm": "@ai-sdk/openai-compatible", "name": "suite",
        "options": options, "models": {name: {}}});
    Ok(serde_json::json!({"provider": {"suite": provider}}).to_string())
}

#[derive(Debug, Default)]
struct Reader {
    trace: Vec<TraceEvent>,
    thread: Option<String>,
    /// The reason of each finished step, and its figures.
    steps: Vec<(String, Value)>,
    /// Steps that have begun.
    begun: usize,
    errors: Vec<Value>,
    anomalies: Vec<String>,
}

impl Reader {
    fn event(&mut self, event: &Value) {
        self.thread = some_text(event, "sessionID").or(self.thread.take());
        let part = event.get("part").unwrap_or(&Value::Null);
        match text(event, "type").as_str() {
            "step_start" => {
                self.begun += 1;
                if self.begun == 1 {
                    self.trace.push(TraceEvent::TurnStarted);
                }
            }
            "text" => self.trace.push(TraceEvent::Message {
                text: text(part, "text"),
            }),
            "reasoning" => self.trace.push(TraceEvent::Reasoning {
                text: text(part, "text"),
            }),
            "tool_use" => self.trace.push(call(part)),
            "step_finish" => {
                let tokens = part.get("tokens").cloned().unwrap_or_default();
                self.steps.push((text(part, "reason"), tokens));
            }
            "error" => {
                let error = event.get("error").cloned().unwrap_or_default();
                self.trace.push(TraceEvent::Notice {
                    message: message(&error),
                });
                self.errors.push(error);
            }
            kind => self.trace.push(TraceEvent::Unknown {
                kind: kind.to_owned(),
            }),
        }
    }

    fn terminal(&self) -> TerminalState {
        if let Some(error) = self.errors.last() {
            return TerminalState::Failed {
                message: message(error),
            };
        }
        match self.steps.last() {
            Some((reason, _)) if reason == "stop" && self.steps.len() == self.begun => {
                TerminalState::Completed
            }
            None if self.begun == 0 && self.trace.is_empty() => TerminalState::Missing,
            _ => TerminalState::Truncated,
        }
    }

    fn finish(mut self, record: &TurnRecord<'_>) -> Parsed {
        let terminal = self.terminal();
        if terminal == TerminalState::Completed {
            self.trace.push(TraceEvent::TurnEnded {
                state: TerminalState::Completed,
            });
        }
        let infrastructure = match &terminal {
            TerminalState::Missing => Some("opencode wrote no event".to_owned()),
            TerminalState::Failed { message } => {
                let status = self.errors.last().and_then(|error| {
                    error
                        .get("data")
                        .and_then(|data| number(data, "statusCode"))
                });
                let blamed = match status {
                    Some(status) => is_infrastructure_status(status),
                    None => is_infrastructure_message(message),
                };
                blamed.then(|| message.clone())
            }
            TerminalState::Truncated | TerminalState::Completed => None,
        };
        let failure = classify(Signs {
            terminal: &terminal,
            exit: record.exit,
            killed_for: record.killed_for,
            infrastructure: infrastructure.as_deref(),
            // Against a server that fails it waits for ever and says nothing.
            stalled: terminal == TerminalState::Missing,
        });
        let (tool_calls, repeated_call_ids) = count_calls(&self.trace);
        Parsed {
            thread_id: self.thread.take(),
            terminal,
            usage: self.usage(),
            tool_calls,
            repeated_call_ids,
            tool_calls_complete: true,
            unknown_events: count_unknown(&self.trace),
            anomalies: self.anomalies,
            requested_model: record.model.map(str::to_owned),
            requested_effort: record.effort.map(str::to_owned),
            observed_model: None,
            observed_effort: None,
            host_version: None,
            loaded: None,
            failure,
            trace: self.trace,
        }
    }

    fn usage(&self) -> Usage {
        if self.steps.is_empty() {
            return Usage::unknown(None, "the stream has no finished step");
        }
        if self.steps.len() != self.begun {
            return Usage::unknown(None, "a step has no end, and with it no figures");
        }
        match sum(self.steps.iter().map(|(_, tokens)| tokens)) {
            Ok(counts) => Usage::known(counts, counts, BASIS),
            Err(why) => Usage::unknown(None, why),
        }
    }
}

/// Every step has to have figures: one without is a request whose cost is not known.
fn sum<'a>(steps: impl Iterator<Item = &'a Value>) -> Result<Counts, String> {
    let [mut input, mut cached, mut output, mut reasoning] = [0_u64; 4];
    let add = |sum: &mut u64, more: u64| -> Result<(), String> {
        *sum = sum.checked_add(more).ok_or("the sum of tokens overflows")?;
        Ok(())
    };
    for tokens in steps {
        let whole = |from: &Value, key: &str| {
            number(from, key).ok_or_else(|| format!("`{key}` of a step is no whole number"))
        };
        let cache = tokens
            .get("cache")
            .ok_or("a step has no figures of its cache")?;
        let fresh = whole(tokens, "input")?;
        let (read, written) = (whole(cache, "read")?, whole(cache, "write")?);
        if fresh == 0 && read == 0 && written == 0 {
            return Err("a step has no input tokens".to_owned());
        }
        for more in [fresh, read, written] {
            add(&mut input, more)?;
        }
        add(&mut cached, read)?;
        let thoughts = whole(tokens, "reasoning")?;
        add(&mut output, whole(tokens, "output")?)?;
        add(&mut output, thoughts)?;
        add(&mut reasoning, thoughts)?;
    }
    Counts::checked(input, Some(cached), output, Some(reasoning))
}

fn message(error: &Value) -> String {
    let data = error.get("data").unwrap_or(&Value::Null);
    let message = some_text(data, "message").unwrap_or_else(|| text(error, "name"));
    match number(data, "statusCode") {
        Some(status) => format!("{message} (status {status})"),
        None => message,
    }
}

fn call(part: &Value) -> TraceEvent {
    let id = text(part, "callID");
    let tool = text(part, "tool");
    let state = part.get("state").unwrap_or(&Value::Null);
    let input = state.get("input").cloned().unwrap_or_default();
    let exit_code = state
        .get("metadata")
        .and_then(|metadata| metadata.get("exit"))
        .and_then(Value::as_i64);
    let status = match text(state, "status").as_str() {
        "completed" if exit_code.is_some_and(|code| code != 0) => ToolStatus::Failed,
        "completed" => ToolStatus::Completed,
        "error" => ToolStatus::Failed,
        "pending" | "running" => ToolStatus::Interrupted,
        _ => ToolStatus::Unknown,
    };
    let file = |kind: &str| {
        vec![Change {
            path: text(&input, "filePath"),
            kind: kind.to_owned(),
        }]
    };
    match tool.as_str() {
        "bash" if input.get("workdir").is_none() => TraceEvent::Command {
            id,
            command: text(&input, "command"),
            exit_code,
            status,
        },
        "write" => TraceEvent::FileChange {
            id,
            changes: file("write"),
            status,
        },
        "edit" => TraceEvent::FileChange {
            id,
            changes: file("edit"),
            status,
        },
        "websearch" => TraceEvent::WebSearch {
            id,
            query: text(&input, "query"),
            status,
        },
        _ => TraceEvent::Tool {
            id,
            server: None,
            tool,
            arguments: input,
            status,
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::supervise::{Exit, KillReason};

    use super::super::FailureClass;
    use super::super::testing::record;
    use super::super::turn::tests::request;
    use super::*;

    const STREAM: &str = include_str!("../samples/opencode/tools.jsonl");

    fn parse(stream: &str) -> Parsed {
        Opencode.parse(&record(stream.as_bytes(), Exit::Code(0)))
    }

    #[test]
    fn reads_a_stream() {
        let parsed = parse(STREAM);
        assert_eq!(parsed.failure, FailureClass::None);
        let turn = parsed.usage.turn.unwrap();
        assert_eq!(
            (turn.input_tokens, turn.cached_input_tokens),
            (3300, Some(1400))
        );
        assert_eq!(
            (turn.output_tokens, turn.reasoning_output_tokens),
            (60, Some(5))
        );
        assert_eq!(
            (parsed.tool_calls, parsed.thread_id.as_deref()),
            (2, Some("ses_1"))
        );
        assert!(parsed.unknown_events.is_empty());
        let failed = TraceEvent::Command {
            id: "call-2".into(),
            command: "exit 3".into(),
            exit_code: Some(3),
            status: ToolStatus::Failed,
        };
        assert!(parsed.trace.contains(&failed));
    }

    #[test]
    fn the_last_reason_is_the_end() {
        for reason in ["unknown", "length", "tool-calls", ""] {
            let stream = STREAM.replace(r#""reason":"stop""#, &format!(r#""reason":"{reason}""#));
            assert_eq!(
                parse(&stream).terminal,
                TerminalState::Truncated,
                "{reason}"
            );
        }
        let open = format!("{STREAM}{}", STREAM.lines().next().unwrap());
        assert_eq!(parse(&open).terminal, TerminalState::Truncated);
        assert!(!parse(&open).usage.known);
    }

    #[test]
    fn tells_failures_apart() {
        let failed = |status: &str| {
            let error = format!(
                r#"{{"type":"error","sessionID":"s","error":{{"name":"APIError","data":{{"message":"no","statusCode":{status}}}}}}}"#
            );
            Opencode
                .parse(&record(error.as_bytes(), Exit::Code(1)))
                .failure
        };
        assert_eq!(failed("400"), FailureClass::AgentFailed);
        assert!(matches!(failed("429"), FailureClass::Infrastructure { .. }));
        let silent = TurnRecord {
            killed_for: Some(KillReason::Time),
            ..record(b"", Exit::Signal(9))
        };
        assert!(matches!(
            Opencode.parse(&silent).failure,
            FailureClass::Infrastructure { .. }
        ));
    }

    #[test]
    fn a_step_without_figures_makes_all_unknown() {
        for (from, to) in [
            (r#""input":600"#, r#""input":0.5"#),
            (r#""input":1100"#, r#""input":0"#),
            (r#""cache":{"write":0,"read":0}"#, r#""other":1"#),
            (r#""reasoning":5"#, r#""reasoning":null"#),
        ] {
            assert!(STREAM.contains(from), "{from}");
            assert!(!parse(&STREAM.replacen(from, to, 1)).usage.known, "{to}");
        }
    }

    #[test]
    fn is_the_measured_command_line() {
        let turn = TurnRequest {
            thread: Some("ses_1".into()),
            ..request()
        };
        let argv = Opencode.command(&turn).unwrap().argv.join(" ");
        let expected = "/opt/agent run --format json --pure --auto --title trial --model some-model \
            --variant xhigh --session ses_1";
        assert_eq!(argv, expected);
    }
}
