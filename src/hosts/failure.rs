// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keeps three failures apart: the agent's, the clock's, and the infrastructure's. Only the last is retried.

use serde::{Deserialize, Serialize};

use crate::supervise::{Exit, KillReason};

use super::parsed::TerminalState;

/// Whose failure a turn is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FailureClass {
    /// The turn is complete and the process ended well.
    None,
    /// The agent failed: it counts as a failed trial.
    AgentFailed,
    /// The time limit ended it: it counts as a failed trial.
    TimedOut,
    /// What the agent needs failed: the attempt says nothing about the agent.
    Infrastructure {
        /// What failed.
        reason: String,
    },
}

/// What decides the class of a failure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signs<'a> {
    pub(super) terminal: &'a TerminalState,
    pub(super) exit: Exit,
    pub(super) killed_for: Option<KillReason>,
    /// What the host itself says went wrong outside the agent. Never the agent's own words: an agent that
    /// could ask for a retry would be run until it likes the outcome.
    pub(super) infrastructure: Option<&'a str>,
    /// Whether that is the last thing in the stream: then the agent was waiting for it when its time ran out.
    pub(super) stalled: bool,
}

/// The class that `signs` point to.
pub(super) fn classify(signs: Signs<'_>) -> FailureClass {
    match signs.killed_for {
        Some(KillReason::Time) if !signs.stalled => return FailureClass::TimedOut,
        Some(KillReason::Time) | None => {}
        Some(_) => return FailureClass::AgentFailed,
    }
    if *signs.terminal == TerminalState::Completed {
        let well = signs.exit.is_success() && signs.killed_for.is_none();
        return if well {
            FailureClass::None
        } else {
            FailureClass::AgentFailed
        };
    }
    match signs.infrastructure {
        Some(reason) => FailureClass::Infrastructure {
            reason: reason.to_owned(),
        },
        None => FailureClass::AgentFailed,
    }
}

/// Words by which hosts report that the model service, the network or the login failed.
/// They were recorded from codex 0.171 and claude 2.1 against a scripted server.
const INFRASTRUCTURE_WORDS: [&str; 31] = [
    "usage limit",
    "rate limit",
    "rate_limit",
    "too many requests",
    "quota",
    "high demand",
    "overloaded",
    "temporarily unavailable",
    "service unavailable",
    "internal server error",
    "server_error",
    "bad gateway",
    "gateway timeout",
    "stream disconnected",
    "stream closed",
    "reconnecting",
    "waiting for network",
    "connection failed",
    "connection refused",
    "connection reset",
    "connection error",
    "error sending request",
    "dns error",
    "idle timeout",
    "timeout waiting for",
    "unauthorized",
    "authentication",
    "invalid api key",
    "not logged in",
    "missing environment variable",
    "exceeded retry limit",
];

/// HTTP statuses of a service that is at fault or does not let us in.
pub(super) fn is_infrastructure_status(status: u64) -> bool {
    matches!(status, 401 | 402 | 403 | 407 | 408 | 425 | 429 | 500..=599)
}

/// Whether a message of the host itself reports a failure of the infrastructure.
pub(super) fn is_infrastructure_message(message: &str) -> bool {
    let message = message.to_lowercase();
    let named = INFRASTRUCTURE_WORDS
        .iter()
        .any(|words| message.contains(words));
    named || statuses(&message).any(is_infrastructure_status)
}

/// Numbers that follow the word `status` (`status 503`, `status: 429`).
fn statuses(message: &str) -> impl Iterator<Item = u64> {
    message.split("status").skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches([' ', ':', '=', '"']);
        let digits: String = rest
            .chars()
            .take_while(char::is_ascii_digit)
            .take(4)
            .collect();
        digits.parse().ok().filter(|_| digits.len() == 3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(
        terminal: &TerminalState,
        exit: Exit,
        killed_for: Option<KillReason>,
        infrastructure: Option<&str>,
    ) -> FailureClass {
        classify(Signs {
            terminal,
            exit,
            killed_for,
            infrastructure,
            stalled: false,
        })
    }

    #[test]
    fn success_needs_both_a_complete_stream_and_exit_zero() {
        let done = TerminalState::Completed;
        assert_eq!(class(&done, Exit::Code(0), None, None), FailureClass::None);
        assert_eq!(
            class(&done, Exit::Code(1), None, None),
            FailureClass::AgentFailed
        );
        assert_eq!(
            class(&done, Exit::Signal(9), None, Some("x")),
            FailureClass::AgentFailed
        );
        let cut = TerminalState::Truncated;
        assert_eq!(
            class(&cut, Exit::Code(0), None, None),
            FailureClass::AgentFailed
        );
    }

    #[test]
    fn a_limit_comes_before_what_the_stream_says() {
        let done = TerminalState::Completed;
        let time = Some(KillReason::Time);
        assert_eq!(
            class(&done, Exit::Code(0), time, Some("x")),
            FailureClass::TimedOut
        );
        let disk = Some(KillReason::WorkBytes);
        assert_eq!(
            class(&done, Exit::Signal(9), disk, Some("x")),
            FailureClass::AgentFailed
        );
    }

    #[test]
    fn an_agent_that_waited_for_a_dead_server_is_not_to_blame() {
        let signs = Signs {
            terminal: &TerminalState::Truncated,
            exit: Exit::Signal(9),
            killed_for: Some(KillReason::Time),
            infrastructure: Some("no network"),
            stalled: true,
        };
        assert_eq!(
            classify(signs),
            FailureClass::Infrastructure {
                reason: "no network".into()
            }
        );
    }

    #[test]
    fn reads_what_hosts_say() {
        for message in [
            "You’ve hit your usage limit. Try again later.",
            "stream disconnected before completion: stream closed before response.completed",
            "unexpected status 401 Unauthorized",
            "unexpected status 503: try later",
            "{\"status\": 429}",
        ] {
            assert!(is_infrastructure_message(message), "{message}");
        }
        for message in [
            "model not supported",
            "status quo of 500 slides",
            "status 200",
            "mock error",
        ] {
            assert!(!is_infrastructure_message(message), "{message}");
        }
    }
}
