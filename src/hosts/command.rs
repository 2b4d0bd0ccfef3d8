// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any program as an agent: message on standard input, work folder as current directory, deck in output/.
//!
//! What it does cannot be seen, so its trace holds its words alone. It may state its usage by one last line
//! on standard output, which is then marked as its own word:
//! `{"deckproof_usage":{"input_tokens":1200,"cached_input_tokens":300,"output_tokens":80}}`.

use serde::Deserialize;

use super::failure::{Signs, classify};
use super::turn::text;
use super::{
    Counts, Habits, Host, HostError, Invocation, Parsed, TerminalState, TraceEvent, TurnRecord,
    TurnRequest, Usage,
};

const HOST: &str = "command";
const BASIS: &str = "reported by the command";
/// How much of what the program says is kept in the trace, in bytes. The raw log has all of it.
const MESSAGE_BYTES: usize = 64 << 10;

/// Any program.
#[derive(Debug, Clone, Copy, Default)]
pub struct Command;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct UsageLine {
    deckproof_usage: StatedUsage,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedUsage {
    input_tokens: u64,
    #[serde(default)]
    cached_input_tokens: Option<u64>,
    output_tokens: u64,
    #[serde(default)]
    reasoning_output_tokens: Option<u64>,
}

impl Host for Command {
    fn name(&self) -> &'static str {
        HOST
    }

    fn habits(&self) -> Habits {
        Habits {
            shows_calls: false,
            keeps_directory: false,
        }
    }

    fn needs_thread(&self) -> bool {
        false
    }

    fn version_arguments(&self) -> Option<&'static [&'static str]> {
        None
    }

    fn command(&self, turn: &TurnRequest) -> Result<Invocation, HostError> {
        let mut argv = vec![text(HOST, &turn.program)?];
        argv.extend(turn.arguments.iter().cloned());
        Ok(Invocation {
            argv,
            environment: turn.base_environment(HOST)?,
            stdin: turn.prompt.clone(),
            current_directory: turn.work.clone(),
            folders: Vec::new(),
        })
    }

    fn parse(&self, record: &TurnRecord<'_>) -> Parsed {
        // A program has no terminal event: its exit is its end.
        let terminal = match record.killed_for {
            Some(_) => TerminalState::Truncated,
            None if record.exit.is_success() => TerminalState::Completed,
            None => TerminalState::Failed {
                message: record.exit.to_string(),
            },
        };
        let failure = classify(Signs {
            terminal: &terminal,
            exit: record.exit,
            killed_for: record.killed_for,
            infrastructure: None,
            stalled: false,
        });
        let head = record.events.get(..MESSAGE_BYTES).unwrap_or(record.events);
        let message = String::from_utf8_lossy(head).into_owned();
        let trace = vec![
            TraceEvent::TurnStarted,
            TraceEvent::Message { text: message },
            TraceEvent::TurnEnded {
                state: terminal.clone(),
            },
        ];
        Parsed {
            trace,
            thread_id: None,
            terminal,
            usage: usage(record.events),
            tool_calls: 0,
            repeated_call_ids: 0,
            tool_calls_complete: false,
            unknown_events: Vec::new(),
            anomalies: Vec::new(),
            requested_model: record.model.map(str::to_owned),
            requested_effort: record.effort.map(str::to_owned),
            observed_model: None,
            observed_effort: None,
            host_version: None,
            loaded: None,
            failure,
        }
    }
}

fn usage(events: &[u8]) -> Usage {
    let last = events
        .split(|byte| *byte == b'\n')
        .rfind(|line| !line.trim_ascii().is_empty());
    let Some(line) = last.filter(|line| line.trim_ascii().starts_with(b"{\"deckproof_usage\""))
    else {
        return Usage::unknown(None, "the command states no usage in its last line");
    };
    let stated = match serde_json::from_slice::<UsageLine>(line) {
        Ok(line) => line.deckproof_usage,
        Err(error) => return Usage::unknown(None, format!("the command's usage line: {error}")),
    };
    let counts = Counts::checked(
        stated.input_tokens,
        stated.cached_input_tokens,
        stated.output_tokens,
        stated.reasoning_output_tokens,
    );
    match counts {
        Ok(counts) => Usage::known(counts, counts, BASIS),
        Err(why) => Usage::unknown(None, why),
    }
}

#[cfg(test)]
mod tests {
    use crate::supervise::{Exit, KillReason};

    use super::super::FailureClass;
    use super::super::testing::record;
    use super::super::turn::tests::request;
    use super::*;

    #[test]
    fn runs_the_program_as_it_is() {
        let turn = TurnRequest {
            arguments: vec!["--deck".into()],
            model: None,
            ..request()
        };
        let invocation = Command.command(&turn).unwrap();
        assert_eq!(invocation.argv, ["/opt/agent", "--deck"]);
        assert_eq!(invocation.current_directory, turn.work);
        assert_eq!(invocation.stdin, turn.prompt);
        let names: Vec<&str> = invocation.environment.keys().map(String::as_str).collect();
        assert_eq!(names, ["HOME", "LANG", "PATH", "TMPDIR"]);
    }

    #[test]
    fn reads_a_stated_usage_from_the_last_line_alone() {
        let line =
            r#"{"deckproof_usage":{"input_tokens":12,"cached_input_tokens":3,"output_tokens":5}}"#;
        let stated = usage(format!("working\n{line}\n\n").as_bytes());
        assert_eq!(stated.turn.unwrap().total_tokens, 17);
        assert_eq!(stated.basis, BASIS);
        assert!(!usage(format!("{line}\nmore\n").as_bytes()).known);
        assert!(!usage(b"").known);
        for bad in [
            line.replace("12", "0"),
            line.replace("12", "12.5"),
            line.replace("12", "\"12\""),
            line.replace(
                "\"output_tokens\":5",
                "\"output_tokens\":5,\"output_tokens\":5",
            ),
            line.replace("\"output_tokens\"", "\"tokens\""),
            line.replace("3", "13"),
            format!("{line} {line}"),
        ] {
            assert!(!usage(bad.as_bytes()).known, "{bad}");
        }
    }

    #[test]
    fn the_exit_is_the_end() {
        let class = |exit, killed_for| {
            Command
                .parse(&TurnRecord {
                    killed_for,
                    ..record(b"hello\n", exit)
                })
                .failure
        };
        assert_eq!(class(Exit::Code(0), None), FailureClass::None);
        assert_eq!(class(Exit::Code(2), None), FailureClass::AgentFailed);
        assert_eq!(class(Exit::Signal(11), None), FailureClass::AgentFailed);
        assert_eq!(
            class(Exit::Code(0), Some(KillReason::Time)),
            FailureClass::TimedOut
        );
        assert_eq!(
            class(Exit::Code(0), Some(KillReason::LogBytes)),
            FailureClass::AgentFailed
        );
    }
}
