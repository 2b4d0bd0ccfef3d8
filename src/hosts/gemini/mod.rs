// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gemini (`gemini --output-format stream-json`), as measured with version 0.61.
//!
//! Its figures are those of one invocation, resumed or not, by the model that answered; thoughts show only as
//! what the total has over input and output. A tool's status is `success` even when its command failed.

use serde_json::Value;

use super::failure::{Signs, classify, is_infrastructure_message};
use super::fields::{number, some_text, text};
use super::lines::{self, Line};
use super::parsed::{count_calls, count_unknown};
use super::turn::text as path_text;
use super::{
    Change, Counts, Habits, Host, HostError, Invocation, Parsed, TerminalState, ToolStatus,
    TraceEvent, TurnRecord, TurnRequest, Usage,
};

const HOST: &str = "gemini";
const BASIS: &str = "gemini: stats of the invocation; output and what the total has above it";

/// The Gemini command line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gemini;

impl Host for Gemini {
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

    fn service(&self) -> &'static [&'static str] {
        &["generativelanguage.googleapis.com:443"]
    }

    fn login(&self) -> Option<&'static str> {
        Some(".gemini/oauth_creds.json")
    }

    fn command(&self, turn: &TurnRequest) -> Result<Invocation, HostError> {
        if let Some(effort) = &turn.effort {
            let expected = "nothing; this program has no option for it";
            return Err(HostError::Value {
                host: HOST,
                what: "effort",
                found: effort.clone(),
                expected,
            });
        }
        let mut argv = vec![path_text(HOST, &turn.program)?];
        let words = [
            "--output-format",
            "stream-json",
            "--approval-mode",
            "yolo",
            "--skip-trust",
            "--model",
        ];
        argv.extend(words.map(str::to_owned));
        argv.push(turn.checked_model(HOST)?.to_owned());
        argv.extend(turn.arguments.iter().cloned());
        if turn.checked_thread(HOST)?.is_some() {
            // The home is the trial's own, so the latest session is its thread; the stream says which.
            argv.extend(["--resume", "latest"].map(str::to_owned));
        }
        let mut environment = turn.base_environment(HOST)?;
        if let Some(url) = &turn.endpoint {
            environment.insert("GOOGLE_GEMINI_BASE_URL".to_owned(), url.clone());
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
        reader.finish(record, oddities.describe())
    }
}

#[derive(Debug, Default)]
struct Reader {
    trace: Vec<TraceEvent>,
    open: Vec<usize>,
    thread: Option<String>,
    results: Vec<Value>,
    /// Whether the last event was a piece of a message, which the next one continues.
    in_message: bool,
}

impl Reader {
    fn event(&mut self, event: &Value) {
        let continues = std::mem::take(&mut self.in_message);
        match text(event, "type").as_str() {
            "init" => {
                self.thread = some_text(event, "session_id");
                self.trace.push(TraceEvent::TurnStarted);
            }
            "message" if text(event, "role") == "user" => {}
            "message" => self.message(event, continues),
            "tool_use" => {
                self.open.push(self.trace.len());
                self.trace.push(call(event));
            }
            "tool_result" => self.tool_result(event),
            "error" => self.trace.push(TraceEvent::Notice {
                message: text(event, "message"),
            }),
            "result" => {
                self.trace.push(TraceEvent::TurnEnded {
                    state: state(event),
                });
                self.results.push(event.clone());
            }
            kind => self.trace.push(TraceEvent::Unknown {
                kind: kind.to_owned(),
            }),
        }
    }

    fn message(&mut self, event: &Value, continues: bool) {
        let more = text(event, "content");
        self.in_message = event.get("delta").and_then(Value::as_bool).unwrap_or(false);
        match self.trace.last_mut() {
            Some(TraceEvent::Message { text }) if continues => text.push_str(&more),
            _ => self.trace.push(TraceEvent::Message { text: more }),
        }
    }

    fn tool_result(&mut self, event: &Value) {
        let id = text(event, "tool_id");
        let place = self.open.iter().position(|place| {
            self.trace.get(*place).and_then(TraceEvent::call_id) == Some(id.as_str())
        });
        let Some(place) = place else {
            return self.trace.push(TraceEvent::Unknown {
                kind: "result of no call".to_owned(),
            });
        };
        let at = self.open.remove(place);
        let code = text(event, "output").lines().find_map(|line| {
            line.trim()
                .strip_prefix("Command exited with code: ")?
                .parse()
                .ok()
        });
        let succeeded = text(event, "status") == "success";
        if let Some(call) = self.trace.get_mut(at) {
            let fails = !succeeded || code.is_some_and(|code: i64| code != 0);
            call.set_status(if fails {
                ToolStatus::Failed
            } else {
                ToolStatus::Completed
            });
            call.set_exit_code(code.or(succeeded.then_some(0)));
        }
    }

    fn finish(mut self, record: &TurnRecord<'_>, anomalies: Vec<String>) -> Parsed {
        for place in std::mem::take(&mut self.open) {
            if let Some(event) = self.trace.get_mut(place) {
                event.set_status(ToolStatus::Interrupted);
            }
        }
        let terminal = match self.results.as_slice() {
            [] if self.trace.is_empty() => TerminalState::Missing,
            [] => TerminalState::Truncated,
            results => results
                .iter()
                .map(state)
                .find(|state| *state != TerminalState::Completed)
                .unwrap_or(TerminalState::Completed),
        };
        let infrastructure = match &terminal {
            TerminalState::Missing => Some("gemini wrote no event".to_owned()),
            TerminalState::Failed { message } if is_infrastructure_message(message) => {
                Some(message.clone())
            }
            _ => None,
        };
        let failure = classify(Signs {
            terminal: &terminal,
            exit: record.exit,
            killed_for: record.killed_for,
            infrastructure: infrastructure.as_deref(),
            stalled: false,
        });
        let (tool_calls, repeated_call_ids) = count_calls(&self.trace);
        Parsed {
            thread_id: self.thread,
            terminal,
            usage: usage(&self.results),
            tool_calls,
            repeated_call_ids,
            tool_calls_complete: true,
            unknown_events: count_unknown(&self.trace),
            anomalies,
            requested_model: record.model.map(str::to_owned),
            requested_effort: record.effort.map(str::to_owned),
            observed_model: served(&self.results),
            observed_effort: None,
            host_version: None,
            loaded: None,
            failure,
            trace: self.trace,
        }
    }
}

fn state(result: &Value) -> TerminalState {
    if text(result, "status") == "success" {
        return TerminalState::Completed;
    }
    let message = result
        .get("error")
        .map(|error| text(error, "message"))
        .unwrap_or_default();
    TerminalState::Failed { message }
}

fn usage(results: &[Value]) -> Usage {
    let [result] = results else {
        return Usage::unknown(
            None,
            format!("{} results in the stream, expected one", results.len()),
        );
    };
    let Some(stats) = result.get("stats") else {
        return Usage::unknown(None, "the result has no stats");
    };
    match counts(stats) {
        Ok(counts) => Usage::known(counts, counts, BASIS),
        Err(why) => Usage::unknown(None, why),
    }
}

fn counts(stats: &Value) -> Result<Counts, String> {
    let whole = |key: &str| {
        number(stats, key).ok_or_else(|| format!("`{key}` is missing or no whole number"))
    };
    let (input, output, total) = (
        whole("input_tokens")?,
        whole("output_tokens")?,
        whole("total_tokens")?,
    );
    let thoughts = total
        .checked_sub(input)
        .and_then(|rest| rest.checked_sub(output))
        .ok_or("the total is less than its parts")?;
    if input == 0 || output == 0 {
        return Err("a figure is zero".to_owned());
    }
    let written = output
        .checked_add(thoughts)
        .ok_or("the sum of tokens overflows")?;
    Counts::checked(input, Some(whole("cached")?), written, Some(thoughts))
}

/// The models that the figures name: those that answered.
fn served(results: &[Value]) -> Option<String> {
    let models = results.last()?.get("stats")?.get("models")?.as_object()?;
    let used = |usage: &Value| number(usage, "total_tokens").is_some_and(|total| total > 0);
    let names: Vec<&str> = models
        .iter()
        .filter(|(_, usage)| used(usage))
        .map(|(name, _)| name.as_str())
        .collect();
    Some(names.join(", ")).filter(|names| !names.is_empty())
}

fn call(event: &Value) -> TraceEvent {
    let id = text(event, "tool_id");
    let tool = text(event, "tool_name");
    let arguments = event.get("parameters").cloned().unwrap_or_default();
    let status = ToolStatus::Unknown;
    let file = |kind: &str| {
        vec![Change {
            path: text(&arguments, "file_path"),
            kind: kind.to_owned(),
        }]
    };
    match tool.as_str() {
        "run_shell_command"
            if arguments.get("dir_path").is_none() && arguments.get("directory").is_none() =>
        {
            let command = text(&arguments, "command");
            TraceEvent::Command {
                id,
                command,
                exit_code: None,
                status,
            }
        }
        "write_file" => TraceEvent::FileChange {
            id,
            changes: file("write"),
            status,
        },
        "replace" => TraceEvent::FileChange {
            id,
            changes: file("edit"),
            status,
        },
        "google_web_search" => TraceEvent::WebSearch {
            id,
            query: text(&arguments, "query"),
            status,
        },
        _ => TraceEvent::Tool {
            id,
            server: None,
            tool,
            arguments,
            status,
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::supervise::Exit;

    use super::super::FailureClass;
    use super::super::testing::record;
    use super::super::turn::tests::request;
    use super::*;

    const STREAM: &str = include_str!("../samples/gemini/tools.jsonl");

    fn parse(stream: &str) -> Parsed {
        Gemini.parse(&record(stream.as_bytes(), Exit::Code(0)))
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
            (65, Some(5))
        );
        assert_eq!(parsed.tool_calls, 3);
        assert_eq!(parsed.observed_model.as_deref(), Some("served-model"));
        assert!(parsed.unknown_events.is_empty());
        assert!(parsed.trace.contains(&TraceEvent::Message {
            text: "All done.".into()
        }));
        let failed = |event: &TraceEvent| {
            matches!(
                event,
                TraceEvent::Command {
                    exit_code: Some(3),
                    status: ToolStatus::Failed,
                    ..
                }
            )
        };
        assert!(parsed.trace.iter().any(failed), "{:?}", parsed.trace);
    }

    #[test]
    fn tells_failures_apart() {
        let end = STREAM.lines().last().unwrap();
        let cut = STREAM.replace(end, "");
        assert_eq!(parse(&cut).terminal, TerminalState::Truncated);
        assert_eq!(parse(&cut).failure, FailureClass::AgentFailed);
        let failed = |message: &str| {
            let error = format!(r#""status":"error","error":{{"message":"{message}"}}"#);
            parse(&STREAM.replace(
                r#""status":"success","stats""#,
                &format!("{error},\"stats\""),
            ))
            .failure
        };
        assert_eq!(
            failed("[API Error: bad request]"),
            FailureClass::AgentFailed
        );
        assert!(matches!(
            failed("status: 503"),
            FailureClass::Infrastructure { .. }
        ));
        assert!(matches!(
            parse("").failure,
            FailureClass::Infrastructure { .. }
        ));
    }

    #[test]
    fn unknown_usage_is_never_zero() {
        for (from, to) in [
            (r#""total_tokens":3365"#, r#""total_tokens":3300"#),
            (r#""input_tokens":3300"#, r#""input_tokens":0"#),
            (r#""output_tokens":60"#, r#""output_tokens":0"#),
            (r#""cached":1400"#, r#""cached":"1400""#),
        ] {
            assert!(STREAM.contains(from));
            assert!(!parse(&STREAM.replacen(from, to, 1)).usage.known, "{to}");
        }
    }

    #[test]
    fn is_the_measured_command_line() {
        assert!(Gemini.command(&request()).is_err(), "no effort");
        let turn = TurnRequest {
            effort: None,
            thread: Some("s".into()),
            ..request()
        };
        let argv = Gemini.command(&turn).unwrap().argv.join(" ");
        let expected = "/opt/agent --output-format stream-json --approval-mode yolo --skip-trust \
            --model some-model --resume latest";
        assert_eq!(argv, expected);
    }
}
