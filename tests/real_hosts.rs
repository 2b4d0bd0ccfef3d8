// SPDX-License-Identifier: MIT OR Apache-2.0
//! The real codex and claude programs, driven by our command lines against a scripted model service.
//!
//! The programs are large and come from the npm registry: `make hosts` installs them, or DECKPROOF_CODEX and
//! DECKPROOF_CLAUDE name them. Without them these tests say that they are skipped.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod model_server;
mod real_agents;
mod supervising;

use std::path::PathBuf;

use deckproof::hosts::audit::{Grounds, Verdict, audit};
use deckproof::hosts::{
    Boundary, Counts, FailureClass, Host, Parsed, Previous, TerminalState, TurnRecord, TurnRequest,
    host,
};
use deckproof::supervise::{Bubblewrap, Direct, Ended, Exit, Launcher, Network, Room, Supervised};
use model_server::{Server, Step, run, say};
use real_agents::real_agent;
use supervising::{Bench, EXE, running, until};

const KEY: &str = "s3cr3t-key";

/// One agent, its trial's folders, and its scripted service.
struct Trial {
    bench: Bench,
    host: Box<dyn Host>,
    program: PathBuf,
    launcher: Box<dyn Launcher>,
    /// Whether the network is closed but for the service.
    closed: bool,
    port: u16,
    turn: u32,
    thread: Option<String>,
    reported: Option<Counts>,
    more_turns: bool,
}

impl Trial {
    fn new(name: &str, server: &Server) -> Option<Self> {
        let program = real_agent(name)?;
        let mut bench = Bench::new("");
        // Generous, as these programs are large and the machine may be busy.
        bench.job.time_limit_ms = 300_000;
        for folder in ["home", "tmp", "task"] {
            std::fs::create_dir_all(bench.path(folder)).unwrap();
        }
        std::fs::write(bench.path("task/brief.md"), "Make a deck.\n").unwrap();
        std::fs::write(bench.path("key"), KEY).unwrap();
        Some(Self {
            bench,
            host: host(name).unwrap(),
            program,
            launcher: Box::new(Direct),
            closed: false,
            port: server.port,
            turn: 0,
            thread: None,
            reported: None,
            more_turns: false,
        })
    }

    /// What a suite would add to reach this service.
    fn service(&self) -> (Vec<String>, &'static str) {
        if self.host.name() == "claude" {
            return (vec![], "ANTHROPIC_API_KEY");
        }
        let url = format!(
            "model_providers.scripted.base_url=\"http://127.0.0.1:{}/v1\"",
            self.port
        );
        let settings = [
            "model_provider=\"scripted\"",
            "model_providers.scripted.name=\"scripted\"",
            &url,
            "model_providers.scripted.wire_api=\"responses\"",
            "model_providers.scripted.env_key=\"SCRIPTED_KEY\"",
            "model_providers.scripted.request_max_retries=0",
            "model_providers.scripted.stream_max_retries=0",
        ];
        let words = settings
            .iter()
            .flat_map(|setting| ["--config".to_owned(), (*setting).to_owned()]);
        (words.collect(), "SCRIPTED_KEY")
    }

    fn request(&self) -> TurnRequest {
        let claude = self.host.name() == "claude";
        let mut environment = std::collections::BTreeMap::new();
        if claude {
            let url = format!("http://127.0.0.1:{}", self.port);
            environment.insert("ANTHROPIC_BASE_URL".to_owned(), url);
            environment.insert("CLAUDE_CODE_MAX_RETRIES".to_owned(), "0".to_owned());
        }
        let confined = self.launcher.name() == "bubblewrap";
        TurnRequest {
            program: self.program.clone(),
            arguments: self.service().0,
            environment,
            endpoint: None,
            search_path: "/usr/local/bin:/usr/bin:/bin".into(),
            model: Some(
                if claude {
                    "claude-sonnet-4-5"
                } else {
                    "gpt-5.5"
                }
                .into(),
            ),
            effort: Some("high".into()),
            prompt: self.bench.job.stdin.clone(),
            work: self.bench.path("work"),
            home: self.bench.path("home"),
            temporary: self.bench.path("tmp"),
            last_message: self.bench.path("home/last-message"),
            thread: self.thread.clone(),
            more_turns: self.more_turns,
            skills: false,
            boundary: if confined {
                Boundary::Outer
            } else {
                Boundary::Own
            },
        }
    }

    fn start(&mut self, prompt: &str) -> Supervised {
        self.turn += 1;
        std::fs::write(&self.bench.job.stdin, prompt).unwrap();
        let invocation = self.host.command(&self.request()).unwrap();
        for folder in &invocation.folders {
            std::fs::create_dir_all(folder).unwrap();
        }
        let mut job = self.bench.job.clone();
        job.argv = invocation.argv;
        job.environment = invocation.environment;
        job.secrets
            .insert(self.service().1.to_owned(), self.bench.path("key"));
        job.stdout = self.bench.path(&format!("stdout-{}", self.turn));
        job.stderr = self.bench.path(&format!("stderr-{}", self.turn));
        job.result = self.bench.path(&format!("result-{}.json", self.turn));
        self.bench.job.stdout = job.stdout.clone();
        self.bench.job.stderr = job.stderr.clone();
        let room = Room {
            readable: vec![
                self.bench.path("task"),
                self.program.parent().unwrap().to_owned(),
            ],
            writable: ["work", "home", "tmp"]
                .map(|name| self.bench.path(name))
                .to_vec(),
            network: if self.closed {
                Network::Relay(vec![format!("127.0.0.1:{}", self.port)])
            } else {
                Network::Host
            },
        };
        let job = self.launcher.wrap(&job, &room).unwrap();
        Supervised::start(&job, EXE.as_ref()).unwrap()
    }

    fn read(&mut self, ended: &Ended) -> Parsed {
        let events = std::fs::read(&self.bench.job.stdout).unwrap();
        let stderr = std::fs::read(&self.bench.job.stderr).unwrap();
        // Several turns share one file; only one thread is ever made here.
        let ledger = self.host.ledgers(&self.bench.path("home")).pop();
        let ledger = ledger.map(|path| std::fs::read(path).unwrap());
        let thread = self.thread.clone();
        let previous = match (&thread, self.reported) {
            (None, _) => Previous::First,
            (Some(thread), Some(counts)) => Previous::Reported { thread, counts },
            (Some(_), None) => Previous::Unknown,
        };
        let parsed = self.host.parse(&TurnRecord {
            events: &events,
            stderr: &stderr,
            exit: ended.exit,
            killed_for: ended.killed_for,
            model: None,
            effort: None,
            previous,
            ledger: ledger.as_deref(),
        });
        self.thread.clone_from(&parsed.thread_id);
        self.reported = parsed.usage.reported;
        parsed
    }

    fn turn(&mut self, prompt: &str) -> (Ended, Parsed) {
        let ended = self.start(prompt).wait().unwrap();
        let parsed = self.read(&ended);
        (ended, parsed)
    }

    /// What the program said, for messages of failed tests.
    fn said(&self) -> String {
        format!("{}\n{}", self.bench.stdout(), self.bench.stderr())
    }

    fn grounds(&self) -> Grounds {
        Grounds {
            work: self.bench.path("work"),
            home: self.bench.path("home"),
            temporary: self.bench.path("tmp"),
            readable: vec![self.bench.path("task")],
            forbidden: vec![self.bench.path("other")],
        }
    }
}

const HOSTS: [&str; 2] = ["codex", "claude"];

/// Runs one turn of each host against `steps`.
fn each(steps: &[Step], check: impl Fn(&mut Trial, &Ended, &Parsed, &Server)) {
    for name in HOSTS {
        let server = Server::start(steps.to_vec());
        let Some(mut trial) = Trial::new(name, &server) else {
            continue;
        };
        let (ended, parsed) = trial.turn("Make the deck.");
        check(&mut trial, &ended, &parsed, &server);
    }
}

fn tokens(parsed: &Parsed) -> Option<(u64, Option<u64>, u64)> {
    let turn = parsed.usage.turn?;
    Some((
        turn.input_tokens,
        turn.cached_input_tokens,
        turn.output_tokens,
    ))
}

#[test]
fn makes_a_deck_and_counts_its_cost() {
    let steps = [
        run(
            "mkdir -p output && echo '<html>' > output/deck.html",
            1000,
            400,
            30,
        ),
        run("cat output/deck.html", 1100, 900, 20),
        say("The deck is made.", 1200, 1000, 10),
    ];
    each(&steps, |trial, ended, parsed, server| {
        let said = trial.said();
        assert_eq!(ended.exit, Exit::Code(0), "{said}");
        assert_eq!(parsed.terminal, TerminalState::Completed, "{said}");
        assert_eq!(parsed.failure, FailureClass::None);
        assert_eq!(tokens(parsed), Some((3300, Some(2300), 60)), "{said}");
        assert_eq!(parsed.tool_calls, 2, "{:?}", parsed.trace);
        assert!(
            parsed.unknown_events.is_empty(),
            "{:?}",
            parsed.unknown_events
        );
        assert_eq!(
            std::fs::read(trial.bench.path("work/output/deck.html")).unwrap(),
            b"<html>\n"
        );
        let verdict = audit(&[parsed], &trial.grounds(), trial.host.habits());
        assert_eq!(verdict.verdict, Verdict::Pass, "{:?}", verdict.reasons);
        assert!(!said.contains(KEY));
        assert_eq!(server.taken(), 3);
    });
}

#[test]
fn a_command_that_fails_is_no_failed_turn() {
    let steps = [
        run("cat nothing-there", 1000, 0, 30),
        say("It is not there.", 1100, 0, 10),
    ];
    each(&steps, |trial, ended, parsed, _| {
        assert_eq!(ended.exit, Exit::Code(0), "{}", trial.said());
        assert_eq!(parsed.failure, FailureClass::None);
        assert_eq!(tokens(parsed), Some((2100, Some(0), 40)));
    });
}

fn is_infrastructure(parsed: &Parsed) -> bool {
    matches!(parsed.failure, FailureClass::Infrastructure { .. })
}

#[test]
fn failures_of_the_service_are_its_own() {
    for status in [401, 429, 500, 503] {
        each(
            &vec![Step::Status(status); 30],
            |trial, ended, parsed, _| {
                let name = trial.host.name();
                assert_ne!(ended.exit, Exit::Code(0), "{name} {status}");
                assert!(
                    is_infrastructure(parsed),
                    "{name} {status}: {:?}\n{}",
                    parsed.failure,
                    trial.said()
                );
                assert!(!parsed.usage.known, "{name} {status}");
            },
        );
    }
}

#[test]
fn a_request_that_is_refused_is_no_reason_to_try_again() {
    each(&vec![Step::Status(400); 30], |trial, ended, parsed, _| {
        assert_ne!(ended.exit, Exit::Code(0), "{}", trial.said());
        assert_eq!(
            parsed.failure,
            FailureClass::AgentFailed,
            "{}",
            trial.said()
        );
    });
}

#[test]
fn streams_that_break_are_failures_of_the_service() {
    for step in [Step::Cut, Step::Garbage] {
        each(&vec![step.clone(); 30], |trial, _, parsed, _| {
            let name = trial.host.name();
            assert!(
                is_infrastructure(parsed),
                "{name} {step:?}: {:?}\n{}",
                parsed.failure,
                trial.said()
            );
            // Claude counts what a stream had announced before it broke; codex says nothing.
            assert!(name == "claude" || !parsed.usage.known, "{name} {step:?}");
        });
    }
}

#[test]
fn a_service_that_is_down_is_its_own_failure() {
    for name in HOSTS {
        let server = Server::start(vec![]);
        let Some(mut trial) = Trial::new(name, &server) else {
            continue;
        };
        let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        trial.port = unused.local_addr().unwrap().port();
        drop(unused);
        let (_, parsed) = trial.turn("Make the deck.");
        assert!(
            is_infrastructure(&parsed),
            "{name}: {:?}\n{}",
            parsed.failure,
            trial.said()
        );
    }
}

#[test]
fn the_time_limit_ends_a_turn_that_hangs() {
    for name in HOSTS {
        let server = Server::start(vec![run("echo begun > begun", 1000, 0, 10), Step::Hang]);
        let Some(mut trial) = Trial::new(name, &server) else {
            continue;
        };
        trial.bench.job.time_limit_ms = 12_000;
        let (ended, parsed) = trial.turn("Make the deck.");
        assert!(ended.timed_out, "{name}: {}", trial.said());
        assert_eq!(parsed.failure, FailureClass::TimedOut, "{name}");
        assert_eq!(
            parsed.terminal,
            TerminalState::Truncated,
            "{name}: {}",
            trial.said()
        );
        assert!(!parsed.usage.known);
        assert_eq!(parsed.tool_calls, 1, "{name}: {}", trial.said());
    }
}

#[test]
fn an_agent_that_is_killed_leaves_nothing() {
    for (name, number) in [("codex", "88301"), ("claude", "88302")] {
        let command = format!("python3 -c 'import time; time.sleep({number})' {number}");
        let server = Server::start(vec![run(&command, 1000, 0, 10)]);
        let Some(mut trial) = Trial::new(name, &server) else {
            continue;
        };
        let supervised = trial.start("Make the deck.");
        until("its command runs", || !running(number).is_empty());
        let agent = trial.program.display().to_string();
        for pid in running(&agent) {
            let pid = rustix::process::Pid::from_raw(pid).unwrap();
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        }
        let ended = supervised.wait().unwrap();
        let parsed = trial.read(&ended);
        assert_eq!(ended.exit, Exit::Signal(9), "{name}");
        assert_eq!(parsed.terminal, TerminalState::Truncated, "{name}");
        assert_eq!(parsed.failure, FailureClass::AgentFailed, "{name}");
        assert!(
            running(number).is_empty(),
            "{name} left its command running"
        );
    }
}

#[test]
fn several_turns_each_have_their_own_cost() {
    for name in HOSTS {
        let server = Server::start(vec![
            run("echo one > one", 1000, 0, 30),
            say("First.", 1100, 400, 10),
            say("Second.", 2000, 1500, 20),
            say("Third.", 3000, 2500, 40),
        ]);
        let Some(mut trial) = Trial::new(name, &server) else {
            continue;
        };
        trial.more_turns = true;
        let mut threads = Vec::new();
        let expected = [
            (2100, Some(400), 40),
            (2000, Some(1500), 20),
            (3000, Some(2500), 40),
        ];
        for (prompt, expected) in ["Begin.", "Go on.", "End."].into_iter().zip(expected) {
            let (ended, parsed) = trial.turn(prompt);
            assert_eq!(ended.exit, Exit::Code(0), "{name}: {}", trial.said());
            assert_eq!(
                tokens(&parsed),
                Some(expected),
                "{name}: {}",
                parsed.usage.basis
            );
            threads.push(parsed.thread_id.unwrap());
        }
        threads.dedup();
        assert_eq!(threads.len(), 1, "{name}");
        let last = server.requests().pop().unwrap().to_string();
        assert!(last.contains("Begin.") && last.contains("Second.") && last.contains("End."));
    }
}

#[test]
fn works_inside_bubblewrap_and_sees_nothing_else() {
    inside_bubblewrap(false);
}

#[test]
fn works_in_a_closed_network_and_reaches_its_service_alone() {
    inside_bubblewrap(true);
}

fn inside_bubblewrap(closed: bool) {
    let launcher = match Bubblewrap::detect("/usr/bin:/bin") {
        Ok(launcher) => launcher.with_helper(EXE.into()),
        Err(error) => return eprintln!("skipped: {error}"),
    };
    for name in HOSTS {
        let server = Server::start(vec![]);
        let Some(probe) = Trial::new(name, &server) else {
            continue;
        };
        std::fs::create_dir(probe.bench.path("other")).unwrap();
        std::fs::write(probe.bench.path("other/deck"), "of another trial").unwrap();
        let secret = probe.bench.path("other/deck").display().to_string();
        let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let reach = format!("/dev/tcp/127.0.0.1/{}", other.local_addr().unwrap().port());
        let reach = format!("bash -c ': > {reach}' 2>/dev/null && echo x > reached");
        let server = Server::start(vec![
            run(
                &format!("cat {secret} > stolen; {reach}; echo made > made"),
                1000,
                0,
                30,
            ),
            run(
                "cat task/brief.md; cat ../task/brief.md > brief",
                1100,
                0,
                20,
            ),
            say("Done.", 1200, 0, 10),
        ]);
        let mut trial = Trial {
            port: server.port,
            closed,
            launcher: Box::new(launcher.clone()),
            ..probe
        };
        let (ended, parsed) = trial.turn("Make the deck.");
        let said = trial.said();
        assert_eq!(ended.exit, Exit::Code(0), "{name}: {said}");
        assert_eq!(parsed.failure, FailureClass::None, "{name}: {said}");
        assert_eq!(tokens(&parsed), Some((3300, Some(0), 60)), "{name}");
        // All commands show, the one that was refused too.
        assert_eq!(parsed.tool_calls, 2, "{name}: {said}");
        assert_eq!(
            std::fs::read(trial.bench.path("work/stolen")).unwrap(),
            b"",
            "{name}"
        );
        assert_eq!(
            std::fs::read(trial.bench.path("work/made")).unwrap(),
            b"made\n",
            "{name}"
        );
        assert!(trial.bench.path("work/brief").exists(), "{name}: {said}");
        assert_eq!(
            trial.bench.path("work/reached").exists(),
            !closed,
            "{name}: {said}"
        );
        let verdict = audit(&[&parsed], &trial.grounds(), trial.host.habits());
        assert_eq!(
            verdict.verdict,
            Verdict::Fail,
            "{name}: the attempt is a finding"
        );
    }
}

#[test]
fn codex_keeps_a_ledger_of_what_its_stream_hides() {
    let server = Server::start(vec![
        run("echo one > one", 1000, 0, 30),
        // Codex refuses this one before it runs, and its stream says nothing of it.
        run("rm -f /nonexistent/deck", 1000, 0, 30),
        say("Done.", 1100, 400, 10),
    ]);
    let Some(mut trial) = Trial::new("codex", &server) else {
        return;
    };
    trial.more_turns = true;
    let (_, parsed) = trial.turn("Begin.");
    assert_eq!(parsed.tool_calls, 2, "{:?}", parsed.trace);
    assert!(parsed.tool_calls_complete, "{:?}", parsed.anomalies);
    assert_eq!(parsed.observed_model.as_deref(), Some("gpt-5.5"));
    assert_eq!(parsed.observed_effort.as_deref(), Some("high"));
    assert_eq!(tokens(&parsed), Some((3100, Some(400), 70)));
    let verdict = audit(&[&parsed], &trial.grounds(), trial.host.habits());
    assert_eq!(
        verdict.verdict,
        Verdict::Fail,
        "the hidden call is a finding"
    );
    trial.more_turns = false;
    trial.thread = None;
    let (_, parsed) = trial.turn("Again.");
    assert!(
        !parsed.tool_calls_complete,
        "an ephemeral thread leaves no ledger of its own"
    );
}
