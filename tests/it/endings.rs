// SPDX-License-Identifier: MIT OR Apache-2.0
//! The real codex and claude, driven by `deckproof execute` against a scripted model service into every ending: each
//! leaves the right state, the right usage, and nothing running.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::model_server::{Server, Step, run as command, say};
use crate::real_agents::real_agent;
use crate::support::{Ran, TinySuite, html_deck, program, run};

const HOSTS: [&str; 2] = ["codex", "claude"];
/// The key that the agents are let in with.
const KEY: &str = "s3cr3t-key-of-the-service";

/// An experiment with one arm for each host, and each host's own service.
struct Bench {
    suite: TinySuite,
    experiment: PathBuf,
    servers: Vec<Server>,
}

/// How the experiment differs from the plain one.
struct Plan<'a> {
    steps: &'a [Step],
    revise: bool,
    seconds: u32,
    retries: u32,
    /// Whether nobody answers at the services' ports.
    down: bool,
}

const PLAIN: Plan<'static> = Plan {
    steps: &[],
    revise: false,
    seconds: 300,
    retries: 0,
    down: false,
};

impl Bench {
    /// `None`, with a word about it, where the programs are missing.
    fn new(plan: &Plan<'_>) -> Option<Self> {
        if !crate::support::heavy() {
            return None;
        }
        let programs: Option<Vec<_>> = HOSTS.into_iter().map(real_agent).collect();
        let programs = programs?;
        let servers: Vec<_> = HOSTS
            .iter()
            .map(|_| Server::start(plan.steps.to_vec()))
            .collect();
        let suite = TinySuite::new();
        let mut text = format!(
            "schema = \"deckproof.suite.v1\"\nid = \"agents\"\n\n[schedule]\nmin_overlap_percent = 0\n\
             time_limit_seconds = {}\ninfrastructure_retries = {}\nisolation = \"none\"\n\n",
            plan.seconds, plan.retries
        );
        for ((host, program), server) in HOSTS.iter().zip(&programs).zip(&servers) {
            let port = if plan.down {
                unused_port()
            } else {
                server.port
            };
            text += &arm(host, &program.display().to_string(), port);
        }
        let mode = if plan.revise { "revise" } else { "create" };
        text += &format!(
            "[[case]]\nid = \"job-one\"\nmode = \"{mode}\"\nbrief = \"brief.md\"\nspec = \"spec.json\"\n\n\
             [case.checks]\nartifact_exists = {{}}\nrequired_copy = {{}}\n\n"
        );
        for host in HOSTS {
            text += &format!(
                "[[baseline]]\ncase = \"job-one\"\narm = \"{host}\"\nartifact = \"baseline\"\nentry = \"index.html\"\n\
                 total_tokens = 9000\nduration_ms = 3600000\n\n"
            );
        }
        text += "[review]\nscore_min = 1\nscore_max = 5\nrequired_reviewer_types = [\"scripted\"]\n\n\
                 [[review.dimensions]]\nname = \"content\"\nquestion = \"Is it right?\"\n\n\
                 [gates]\nmedian_token_improvement_percent = 1\nmedian_duration_improvement_percent = 1\n";
        suite.write("suite.toml", &text);
        if plan.revise {
            let spec = fs::read_to_string(suite.path("spec.json")).unwrap();
            let mut spec: Value = serde_json::from_str(&spec).unwrap();
            spec["revision"] = serde_json::json!({});
            suite.write("spec.json", &spec.to_string());
        }
        let experiment = suite.prepare();
        Some(Self {
            suite,
            experiment,
            servers,
        })
    }

    fn command(&self) -> std::process::Command {
        let mut execute = program();
        execute
            .arg("execute")
            .arg(&self.experiment)
            .env("OPENAI_API_KEY", KEY)
            .env("ANTHROPIC_API_KEY", KEY);
        execute
    }

    #[track_caller]
    fn execute(&self) -> Ran {
        Ran::from(self.command().output().unwrap()).expect(0)
    }

    fn start(&self) -> Child {
        let mut execute = self.command();
        execute.stdout(Stdio::null()).stderr(Stdio::null());
        execute.spawn().unwrap()
    }

    /// The ends of the host's attempts, in order.
    fn ended(&self, host: &str) -> Vec<Value> {
        let journal = fs::read_to_string(self.experiment.join("journal.jsonl")).unwrap();
        let records = journal
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let ended = records.map(|record| record["event"]["attempt_ended"].clone());
        let trial = format!("job-one.{host}.1");
        ended
            .filter(|ended| ended["trial"] == trial.as_str())
            .collect()
    }

    /// Executes, and hands the one end of each host to `check`. The evidence has to hold, without the key in it.
    #[track_caller]
    fn each(&self, check: impl Fn(&str, &Value, &str)) {
        let told = self.execute().stderr;
        for host in HOSTS {
            let ended = self.ended(host);
            assert_eq!(ended.len(), 1, "{host}: {told}");
            check(host, &ended[0], &self.said(&ended[0]));
        }
        self.whole();
    }

    /// The evidence holds, nothing of a trial is left, and the key is nowhere in it.
    #[track_caller]
    fn whole(&self) {
        run(["verify", self.experiment.to_str().unwrap()]).expect(0);
        let left = fs::read_dir(self.experiment.join("work")).unwrap().count();
        assert_eq!(left, 0);
        let grep = std::process::Command::new("grep")
            .args(["-rlF", KEY])
            .arg(&self.experiment)
            .output()
            .unwrap();
        assert!(
            grep.stdout.is_empty(),
            "{}",
            String::from_utf8_lossy(&grep.stdout)
        );
    }

    /// What an attempt said, for messages of failed tests.
    fn said(&self, ended: &Value) -> String {
        let read = |object: &Value| {
            let hash = object["sha256"].as_str().unwrap();
            let path = self
                .experiment
                .join("objects")
                .join(&hash[..2])
                .join(&hash[2..]);
            String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
        };
        let (run, outcome) = (&ended["run"], &ended["outcome"]);
        format!(
            "{outcome}\n{}\n{}",
            read(&run["events"]),
            read(&run["stderr"])
        )
    }
}

fn arm(host: &str, program: &str, port: u16) -> String {
    let head = format!(
        "[[arm]]\nid = \"{host}\"\nformat = \"html\"\nhost = \"{host}\"\nprogram = \"{program}\"\neffort = \"high\"\n"
    );
    let more = if host == "claude" {
        format!(
            "model = \"claude-sonnet-4-5\"\nendpoint = \"http://127.0.0.1:{port}\"\npass_environment = [\"ANTHROPIC_API_KEY\"]\n\
             environment = {{ CLAUDE_CODE_MAX_RETRIES = \"0\" }}\n\n"
        )
    } else {
        format!(
            "model = \"gpt-5.5\"\nendpoint = \"http://127.0.0.1:{port}/v1\"\npass_environment = [\"OPENAI_API_KEY\"]\n\
             arguments = [\"--config\", \"model_providers.suite.request_max_retries=0\", \
             \"--config\", \"model_providers.suite.stream_max_retries=0\"]\n\n"
        )
    };
    head + &more
}

fn unused_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// A command that writes a deck.
fn make(title: &str) -> String {
    format!("cat > output/index.html <<'DECK'\n{}DECK", html_deck(title))
}

fn steps(first: &str) -> [Step; 3] {
    [
        command(first, 1000, 400, 30),
        command("cat output/index.html", 1100, 900, 20),
        say("The deck is made.", 1200, 1000, 10),
    ]
}

#[track_caller]
fn costs(ended: &Value, input: u64, cached: u64, output: u64, said: &str) {
    let usage = &ended["usage"];
    assert_eq!(usage["input_tokens"], input, "{said}");
    assert_eq!(usage["cached_input_tokens"], cached, "{said}");
    assert_eq!(usage["output_tokens"], output, "{said}");
    assert_eq!(usage["total_tokens"], input + output, "{said}");
}

fn kind(outcome: &Value) -> &str {
    match outcome {
        Value::String(word) => word,
        other => other
            .as_object()
            .map_or("", |one| one.keys().next().unwrap()),
    }
}

#[test]
fn agents_make_a_deck_and_its_cost_is_known() {
    let steps = steps(&make("Plan for spring"));
    let Some(bench) = Bench::new(&Plan {
        steps: &steps,
        ..PLAIN
    }) else {
        return;
    };
    bench.each(|host, ended, said| {
        assert_eq!(ended["outcome"], "completed", "{host}: {said}");
        costs(ended, 3300, 2300, 60, said);
        assert_eq!(ended["usage"]["tool_calls"], 2, "{host}: {said}");
        assert!(ended["artifact"]["stored"].is_object(), "{host}: {said}");
    });
    for server in &bench.servers {
        assert_eq!(server.taken(), 3);
    }
}

#[test]
fn agents_revise_a_deck_that_they_are_given() {
    let found = "f=$(find -L task -name index.html | head -n 1); sed 's/Plan for *spring/Plan for spring/g' \"$f\" > output/index.html";
    let steps = steps(found);
    let Some(bench) = Bench::new(&Plan {
        steps: &steps,
        revise: true,
        ..PLAIN
    }) else {
        return;
    };
    bench.each(|host, ended, said| {
        assert_eq!(ended["outcome"], "completed", "{host}: {said}");
        costs(ended, 3300, 2300, 60, said);
        assert!(ended["artifact"]["stored"].is_object(), "{host}: {said}");
    });
    let journal = fs::read_to_string(bench.experiment.join("journal.jsonl")).unwrap();
    assert!(!journal.contains(r#""status":"fail""#), "{journal}");
}

#[test]
fn a_command_that_fails_is_no_failed_agent() {
    let steps = [
        command("cat nothing-there", 1000, 0, 30),
        say("There is nothing.", 1100, 0, 10),
    ];
    let Some(bench) = Bench::new(&Plan {
        steps: &steps,
        ..PLAIN
    }) else {
        return;
    };
    bench.each(|host, ended, said| {
        assert_eq!(ended["outcome"], "completed", "{host}: {said}");
        costs(ended, 2100, 0, 40, said);
        assert_eq!(ended["artifact"], "missing", "{host}: {said}");
    });
}

#[test]
fn failures_of_the_service_are_tried_again_as_the_suite_says() {
    for status in [401, 429, 500] {
        let steps = vec![Step::Status(status); 40];
        let Some(bench) = Bench::new(&Plan {
            steps: &steps,
            retries: 1,
            ..PLAIN
        }) else {
            return;
        };
        bench.execute();
        for host in HOSTS {
            let ended = bench.ended(host);
            assert_eq!(ended.len(), 2, "{host} {status}: tried once more");
            for ended in ended {
                let said = bench.said(&ended);
                assert_eq!(
                    kind(&ended["outcome"]),
                    "infrastructure_failed",
                    "{host} {status}: {said}"
                );
                assert!(
                    ended["usage"]["total_tokens"].is_null(),
                    "{host} {status}: {said}"
                );
            }
        }
        bench.whole();
    }
}

#[test]
fn a_service_that_recovers_is_paid_for_once() {
    let mut steps = vec![Step::Status(500)];
    steps.extend([
        command(&make("Plan for spring"), 1000, 400, 30),
        say("The deck is made.", 1200, 1000, 10),
    ]);
    let Some(bench) = Bench::new(&Plan {
        steps: &steps,
        retries: 2,
        ..PLAIN
    }) else {
        return;
    };
    bench.execute();
    for host in HOSTS {
        let ended = bench.ended(host);
        let last = ended.last().unwrap();
        let said = bench.said(last);
        assert_eq!(last["outcome"], "completed", "{host}: {said}");
        costs(last, 2200, 1400, 40, &said);
        let earlier = ended.iter().rev().skip(1);
        for ended in earlier {
            assert_eq!(kind(&ended["outcome"]), "infrastructure_failed", "{host}");
        }
    }
    bench.whole();
}

#[test]
fn streams_that_break_are_failures_of_the_service() {
    for step in [Step::Cut, Step::Garbage] {
        let steps = vec![step.clone(); 40];
        let Some(bench) = Bench::new(&Plan {
            steps: &steps,
            ..PLAIN
        }) else {
            return;
        };
        bench.each(|host, ended, said| {
            assert_eq!(
                kind(&ended["outcome"]),
                "infrastructure_failed",
                "{host} {step:?}: {said}"
            );
            assert_eq!(ended["artifact"], "missing", "{host}");
        });
    }
}

#[test]
fn a_service_that_is_down_is_its_own_failure() {
    let Some(bench) = Bench::new(&Plan {
        down: true,
        ..PLAIN
    }) else {
        return;
    };
    bench.each(|host, ended, said| {
        assert_eq!(
            kind(&ended["outcome"]),
            "infrastructure_failed",
            "{host}: {said}"
        );
        assert!(ended["usage"]["total_tokens"].is_null(), "{host}: {said}");
    });
}

#[test]
fn a_turn_that_hangs_runs_out_of_time() {
    let steps = [command("echo begun > begun", 1000, 0, 10), Step::Hang];
    let Some(bench) = Bench::new(&Plan {
        steps: &steps,
        seconds: 20,
        ..PLAIN
    }) else {
        return;
    };
    bench.each(|host, ended, said| {
        assert_eq!(ended["outcome"], "timed_out", "{host}: {said}");
        assert_eq!(ended["turns"][0]["killed_for"], "time", "{host}: {said}");
        assert!(ended["usage"]["total_tokens"].is_null(), "{host}: {said}");
    });
}

#[test]
fn an_agent_that_is_killed_has_failed() {
    // From inside, whoever runs the command is all that can be reached.
    let steps = [
        command(
            "pid=$PPID; while [ $pid -gt 2 ]; do next=$(cut -d' ' -f4 /proc/$pid/stat); kill -9 $pid; pid=$next; done",
            1000,
            0,
            10,
        ),
        say("Never said.", 1000, 0, 10),
    ];
    let Some(bench) = Bench::new(&Plan {
        steps: &steps,
        retries: 2,
        ..PLAIN
    }) else {
        return;
    };
    bench.each(|host, ended, said| {
        assert_eq!(kind(&ended["outcome"]), "agent_failed", "{host}: {said}");
        assert!(ended["usage"]["total_tokens"].is_null(), "{host}: {said}");
    });
}

/// The living processes with this word in their command line.
fn running(word: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .filter(|line| String::from_utf8_lossy(line).contains(word))
        .count()
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "waited too long until {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn deckproof_that_is_killed_leaves_no_agent_and_goes_on() {
    let steps = [
        Step::Hang,
        command(&make("Plan for spring"), 1000, 400, 30),
        say("The deck is made.", 1200, 1000, 10),
    ];
    let Some(bench) = Bench::new(&Plan {
        steps: &steps,
        ..PLAIN
    }) else {
        return;
    };
    let mut first = bench.start();
    until("both agents wait for their service", || {
        bench.servers.iter().all(|server| server.taken() >= 1)
    });
    let place = bench.suite.experiment().display().to_string();
    assert!(running(&place) > 0);
    first.kill().unwrap();
    first.wait().unwrap();
    until("nothing of it runs", || running(&place) == 0);
    for host in HOSTS {
        assert!(bench.ended(host).is_empty(), "{host}: nobody saw its end");
    }
    bench.execute();
    for host in HOSTS {
        let ended = bench.ended(host);
        assert_eq!(ended.len(), 1, "{host}");
        let said = bench.said(&ended[0]);
        assert_eq!(ended[0]["outcome"], "completed", "{host}: {said}");
        costs(&ended[0], 2200, 1400, 40, &said);
        assert_eq!(ended[0]["attempt"], 2, "{host}");
    }
    bench.whole();
}
