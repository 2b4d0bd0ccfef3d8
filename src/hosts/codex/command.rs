// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line of one Codex turn.

use super::super::turn::text;
use super::super::{Boundary, HostError, Invocation, TurnRequest};

const HOST: &str = "codex";

/// Features that reach out to other services, or hang for ever when the model's server is down.
const DISABLED_FEATURES: [&str; 3] = ["unbounded_connection_retries", "plugins", "apps"];

/// Settings without sub-agents (whose tokens nobody reports), searches of the web, skills of the
/// program's own, and reports to its maker.
const TRIMMED: [&str; 4] = [
    "agents.enabled=false",
    "web_search=\"disabled\"",
    "skills.bundled.enabled=false",
    "analytics.enabled=false",
];

/// The command line of `turn`.
pub(super) fn invocation(turn: &TurnRequest) -> Result<Invocation, HostError> {
    let thread = turn.checked_thread(HOST)?;
    let mut argv = vec![text(HOST, &turn.program)?];
    push(&mut argv, &["exec", "--json"]);
    if thread.is_none() && !turn.more_turns {
        // An ephemeral thread cannot be resumed.
        push(&mut argv, &["--ephemeral"]);
    }
    push(
        &mut argv,
        &[
            "--skip-git-repo-check",
            "--model",
            turn.checked_model(HOST)?,
        ],
    );
    if let Some(effort) = turn.checked_effort(HOST)? {
        push(
            &mut argv,
            &["--config", &format!("model_reasoning_effort=\"{effort}\"")],
        );
    }
    push(
        &mut argv,
        &[
            "--sandbox",
            sandbox(turn.boundary),
            "--cd",
            &text(HOST, &turn.work)?,
        ],
    );
    push(
        &mut argv,
        &["--output-last-message", &text(HOST, &turn.last_message)?],
    );
    for feature in DISABLED_FEATURES {
        push(&mut argv, &["--disable", feature]);
    }
    for setting in TRIMMED {
        push(&mut argv, &["--config", setting]);
    }
    if let Some(url) = &turn.endpoint {
        for setting in provider(url) {
            push(&mut argv, &["--config", &setting]);
        }
    }
    argv.extend(turn.arguments.iter().cloned());
    if let Some(thread) = thread {
        push(&mut argv, &["resume", thread]);
    }
    push(&mut argv, &["-"]);
    let mut environment = turn.base_environment(HOST)?;
    let home = turn.home.join(".codex");
    environment.insert("CODEX_HOME".to_owned(), text(HOST, &home)?);
    Ok(Invocation {
        argv,
        environment,
        stdin: turn.prompt.clone(),
        current_directory: turn.work.clone(),
        // Codex does not make it, and refuses to start without.
        folders: vec![home],
    })
}

/// Settings of a model provider at `url` that takes its key from `OPENAI_API_KEY`.
fn provider(url: &str) -> [String; 5] {
    [
        "model_provider=\"suite\"".to_owned(),
        "model_providers.suite.name=\"suite\"".to_owned(),
        format!("model_providers.suite.base_url=\"{url}\""),
        "model_providers.suite.wire_api=\"responses\"".to_owned(),
        "model_providers.suite.env_key=\"OPENAI_API_KEY\"".to_owned(),
    ]
}

fn sandbox(boundary: Boundary) -> &'static str {
    match boundary {
        Boundary::Outer => "danger-full-access",
        Boundary::Own => "workspace-write",
    }
}

fn push(argv: &mut Vec<String>, words: &[&str]) {
    argv.extend(words.iter().map(|word| (*word).to_owned()));
}

#[cfg(test)]
mod tests {
    use super::super::super::turn::tests::request;
    use super::*;

    #[test]
    fn is_the_measured_command_line() {
        let argv = invocation(&request()).unwrap().argv;
        let expected = "/opt/agent exec --json --ephemeral --skip-git-repo-check --model some-model \
            --config model_reasoning_effort=\"xhigh\" --sandbox workspace-write --cd /t/work \
            --output-last-message /t/last --disable unbounded_connection_retries --disable plugins \
            --disable apps --config agents.enabled=false --config web_search=\"disabled\" \
            --config skills.bundled.enabled=false --config analytics.enabled=false -";
        assert_eq!(argv.join(" "), expected);
    }

    #[test]
    fn continues_a_thread_that_was_kept() {
        let first = TurnRequest {
            more_turns: true,
            ..request()
        };
        assert!(
            !invocation(&first)
                .unwrap()
                .argv
                .contains(&"--ephemeral".to_owned())
        );
        let later = TurnRequest {
            thread: Some("01a2-b".into()),
            ..request()
        };
        let argv = invocation(&later).unwrap().argv.join(" ");
        assert!(
            argv.ends_with("analytics.enabled=false resume 01a2-b -"),
            "{argv}"
        );
        assert!(!argv.contains("--ephemeral"));
        let bad = TurnRequest {
            thread: Some("--last".into()),
            ..request()
        };
        assert!(invocation(&bad).is_err());
    }

    #[test]
    fn is_told_where_its_model_answers() {
        let elsewhere = TurnRequest {
            endpoint: Some("http://127.0.0.1:81/v1".into()),
            ..request()
        };
        let argv = invocation(&elsewhere).unwrap().argv.join(" ");
        let url = "--config model_providers.suite.base_url=\"http://127.0.0.1:81/v1\" ";
        assert!(argv.contains(url), "{argv}");
    }

    #[test]
    fn leaves_the_sandbox_to_an_outer_boundary() {
        let outer = TurnRequest {
            boundary: Boundary::Outer,
            ..request()
        };
        let invocation = invocation(&outer).unwrap();
        assert!(
            invocation
                .argv
                .join(" ")
                .contains("--sandbox danger-full-access")
        );
        assert_eq!(invocation.environment["CODEX_HOME"], "/t/home/.codex");
        assert_eq!(invocation.folders, [std::path::Path::new("/t/home/.codex")]);
        assert_eq!(invocation.environment["TMPDIR"], "/t/tmp");
    }
}
