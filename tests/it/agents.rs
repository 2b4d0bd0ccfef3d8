// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole experiments with the real codex and claude programs, against a scripted model service.
//!
//! DECKPROOF_CODEX and DECKPROOF_CLAUDE name the programs; without them these tests say that they
//! are skipped.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::model_server::{Server, Step, run as command, say};
use crate::support::{Ran, TinySuite, html_deck, program, run};

const KEY: &str = "sk-scripted-0123456789";

/// An agent program and how its arm is written.
struct Agent {
    host: &'static str,
    program: PathBuf,
    model: &'static str,
    key: &'static str,
    path: &'static str,
}

fn agents() -> Vec<Agent> {
    let find = |host, variable: &str, model, key, path| {
        let Some(program) = std::env::var_os(variable) else {
            println!("skipped: {variable} does not name the {host} program");
            return None;
        };
        let program = fs::canonicalize(program).unwrap();
        Some(Agent {
            host,
            program,
            model,
            key,
            path,
        })
    };
    [
        find(
            "codex",
            "DECKPROOF_CODEX",
            "gpt-5.5",
            "OPENAI_API_KEY",
            "/v1",
        ),
        find(
            "claude",
            "DECKPROOF_CLAUDE",
            "claude-sonnet-4-5",
            "ANTHROPIC_API_KEY",
            "",
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Agent {
    /// A suite whose two arms are this agent, one after the other, at `port`.
    fn suite(&self, port: u16) -> TinySuite {
        let suite = TinySuite::new();
        suite.edit(
            "suite.toml",
            "kind = \"paired\"\nmin_overlap_percent = 0",
            "kind = \"sequential\"",
        );
        suite.edit(
            "suite.toml",
            "time_limit_seconds = 60",
            "time_limit_seconds = 300",
        );
        suite.edit(
            "suite.toml",
            "isolation = \"none\"",
            "isolation = \"prevented\"",
        );
        suite.edit(
            "suite.toml",
            "infrastructure_retries = 1",
            "infrastructure_retries = 0",
        );
        for arm in ["new", "old"] {
            let command = format!("host = \"command\"\ncommand = [\"agents/{arm}.sh\"]");
            suite.edit("suite.toml", &command, &self.arm(port));
        }
        suite
    }

    fn arm(&self, port: u16) -> String {
        format!(
            "host = \"{}\"\nprogram = \"{}\"\nmodel = \"{}\"\neffort = \"high\"\n\
             endpoint = \"http://127.0.0.1:{port}{}\"\npass_environment = [\"{}\"]",
            self.host,
            self.program.display(),
            self.model,
            self.path,
            self.key
        )
    }

    fn execute(&self, experiment: &Path) -> Ran {
        program()
            .arg("execute")
            .arg(experiment)
            .env(self.key, KEY)
            .output()
            .unwrap()
            .into()
    }
}

fn deck() -> Step {
    let deck = html_deck("Plan for spring");
    command(
        &format!("cat > output/index.html <<'DECK'\n{deck}DECK\nls output"),
        1000,
        400,
        30,
    )
}

/// The records of ended attempts.
fn ended(experiment: &Path) -> Vec<Value> {
    let journal = fs::read_to_string(experiment.join("journal.jsonl")).unwrap();
    let records = journal
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    records
        .map(|record| record["event"]["attempt_ended"].clone())
        .filter(|event| !event.is_null())
        .collect()
}

/// Whether any file of the experiment holds `text`.
fn holds(folder: &Path, text: &str) -> bool {
    let status = std::process::Command::new("grep")
        .args(["-rqF", text])
        .arg(folder)
        .status()
        .unwrap();
    status.success()
}

#[test]
fn an_agent_makes_a_deck_reaches_its_model_alone_and_shows_no_key() {
    for agent in agents() {
        let reach = "env | grep -c _API_KEY; env; bash -c 'exec 3<>/dev/tcp/127.0.0.1/7777; printf \"CONNECT example.com:443 HTTP/1.1\\r\\n\\r\\n\" >&3; head -1 <&3'";
        let turn = || {
            vec![
                deck(),
                command(reach, 1100, 900, 20),
                say("Done.", 1200, 1000, 10),
            ]
        };
        let server = Server::start([turn(), turn()].concat());
        let experiment_of = agent.suite(server.port);
        let experiment = experiment_of.prepare();
        let ran = agent.execute(&experiment).expect(0);
        assert!(
            ran.stderr.contains("refused to reach example.com:443"),
            "{}",
            ran.stderr
        );
        let ended = ended(&experiment);
        assert_eq!(ended.len(), 2);
        for one in &ended {
            let host = agent.host;
            assert_eq!(one["outcome"], "completed", "{host}: {one}");
            assert_eq!(one["usage"]["total_tokens"], 3360, "{host}: {one}");
            assert_eq!(one["run"]["isolation"], "prevented");
            assert_eq!(one["run"]["refused_connections"][0], "example.com:443");
            assert_eq!(
                one["run"]["redacted"][0], agent.key,
                "{host}: {}",
                one["run"]
            );
            assert_eq!(
                one["trace"]["calls_complete"], true,
                "{host}: {}",
                one["trace"]
            );
            assert_eq!(one["trace"]["observed_model"], agent.model);
            assert_eq!(one["turns"][0]["ledger"].is_object(), host == "codex");
        }
        assert!(!holds(&experiment, KEY), "{}", agent.host);
        run(["verify", experiment.to_str().unwrap()]).expect(0);
        let text = run(["summarize", experiment.to_str().unwrap()])
            .expect(1)
            .stdout;
        // Commands that read the environment and open sockets cannot be followed, but were kept in.
        assert!(!text.contains("calls_known:"), "{text}");
    }
}

#[test]
fn a_script_of_several_messages_is_one_conversation() {
    for agent in agents() {
        let turns = || {
            vec![
                say("Which colours?", 1000, 0, 10),
                deck(),
                say("Done.", 2000, 1000, 20),
            ]
        };
        let server = Server::start([turns(), turns()].concat());
        let suite = agent.suite(server.port);
        suite.write("reply.md", "Blue, please.\n");
        suite.edit(
            "suite.toml",
            "spec = \"spec.json\"",
            "spec = \"spec.json\"\nreplies = [\"reply.md\"]",
        );
        let experiment = suite.prepare();
        agent.execute(&experiment).expect(0);
        for one in ended(&experiment) {
            assert_eq!(one["outcome"], "completed", "{one}");
            let turns = one["turns"].as_array().unwrap();
            assert_eq!(turns.len(), 2, "{}: {one}", agent.host);
            assert_eq!(turns[0]["used"]["total_tokens"], 1010, "{one}");
            assert_eq!(turns[1]["used"]["total_tokens"], 3050, "{one}");
            assert_eq!(one["usage"]["total_tokens"], 4060);
        }
        let last = server.requests().pop().unwrap().to_string();
        assert!(last.contains("Blue, please.") && last.contains("Which colours?"));
        run(["verify", experiment.to_str().unwrap()]).expect(0);
    }
}

#[test]
fn a_failing_service_is_no_failure_of_the_agent() {
    for agent in agents() {
        let server = Server::start(vec![Step::Status(500); 60]);
        let suite = agent.suite(server.port);
        let retries = match agent.host {
            "codex" => {
                "arguments = [\"--config\", \"model_providers.suite.request_max_retries=0\", \"--config\", \"model_providers.suite.stream_max_retries=0\"]\npass_environment"
            }
            _ => "environment = { CLAUDE_CODE_MAX_RETRIES = \"0\" }\npass_environment",
        };
        suite.edit("suite.toml", "pass_environment", retries);
        let experiment = suite.prepare();
        agent.execute(&experiment).expect(0);
        for one in ended(&experiment) {
            assert!(one["outcome"]["infrastructure_failed"].is_string(), "{one}");
        }
        run(["verify", experiment.to_str().unwrap()]).expect(0);
    }
}
