// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line of one Claude Code turn.

use super::super::turn::text;
use super::super::{HostError, Invocation, TurnRequest};

const HOST: &str = "claude";

/// What the agent may use, and the same with skills. Everything else is neither offered nor allowed.
const TOOLS: [&str; 2] = ["Bash,Read,Edit,Write", "Bash,Read,Edit,Write,Skill"];

/// Switches off what reaches out to other services or changes the program.
const QUIET: [&str; 4] = [
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "DISABLE_AUTOUPDATER",
    "DISABLE_TELEMETRY",
    "DISABLE_ERROR_REPORTING",
];

/// The command line of `turn`.
pub(super) fn invocation(turn: &TurnRequest) -> Result<Invocation, HostError> {
    let [plain, with_skills] = TOOLS;
    let tools = if turn.skills { with_skills } else { plain };
    let mut argv = vec![text(HOST, &turn.program)?];
    push(
        &mut argv,
        &["-p", "--output-format", "stream-json", "--verbose"],
    );
    push(&mut argv, &["--model", turn.checked_model(HOST)?]);
    if let Some(effort) = turn.checked_effort(HOST)? {
        push(&mut argv, &["--effort", effort]);
    }
    push(
        &mut argv,
        &[
            "--permission-mode",
            "dontAsk",
            "--tools",
            tools,
            "--allowedTools",
            tools,
        ],
    );
    push(&mut argv, &["--strict-mcp-config"]);
    if !turn.skills {
        // Skills come with the settings of the fresh home; without any, none are read.
        push(
            &mut argv,
            &["--setting-sources", "", "--disable-slash-commands"],
        );
    }
    argv.extend(turn.arguments.iter().cloned());
    if let Some(thread) = turn.checked_thread(HOST)? {
        push(&mut argv, &["--resume", thread]);
    }
    let mut environment = turn.base_environment(HOST)?;
    let home = turn.home.join(".claude");
    environment.insert("CLAUDE_CONFIG_DIR".to_owned(), text(HOST, &home)?);
    if let Some(url) = &turn.endpoint {
        environment.insert("ANTHROPIC_BASE_URL".to_owned(), url.clone());
    }
    for name in QUIET {
        environment.insert(name.to_owned(), "1".to_owned());
    }
    Ok(Invocation {
        argv,
        environment,
        stdin: turn.prompt.clone(),
        current_directory: turn.work.clone(),
        folders: vec![home],
    })
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
        let invocation = invocation(&request()).unwrap();
        let expected = "/opt/agent -p --output-format stream-json --verbose --model some-model \
            --effort xhigh --permission-mode dontAsk --tools Bash,Read,Edit,Write \
            --allowedTools Bash,Read,Edit,Write --strict-mcp-config --setting-sources  \
            --disable-slash-commands";
        assert_eq!(invocation.argv.join(" "), expected);
        assert_eq!(
            invocation.environment["CLAUDE_CONFIG_DIR"],
            "/t/home/.claude"
        );
        assert_eq!(invocation.environment["DISABLE_TELEMETRY"], "1");
    }

    #[test]
    fn continues_a_session_and_loads_skills() {
        let later = TurnRequest {
            thread: Some("8f8dfe81-e09f".into()),
            skills: true,
            ..request()
        };
        let argv = invocation(&later).unwrap().argv.join(" ");
        assert!(
            argv.ends_with("--strict-mcp-config --resume 8f8dfe81-e09f"),
            "{argv}"
        );
        assert!(
            argv.contains("--tools Bash,Read,Edit,Write,Skill "),
            "{argv}"
        );
    }
}
