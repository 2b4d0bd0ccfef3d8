// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run of a model reviewer: a room with a copy of the packet and nothing else of the experiment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use deckproof_packets::atomic;
use deckproof_packets::mapping::draw_id;
use deckproof_packets::packet::{Files, VerifiedPacket};
use deckproof_packets::store::Store;
use serde_json::json;

use super::super::accept::fault;
use super::ask::{Question, media_type};
use super::reply::{self, Identity};
use super::{ModelReviewer, RunError};
use crate::clock;
use crate::execute::process::{Launch, SEARCH_PATH, choose_launcher};
use crate::execute::tasks::remove;
use crate::execute::{attempt, isolation_name, programs, turns};
use crate::experiment::Experiment;
use crate::experiment::records::{Audit, Object, ReplyOutcome, ReviewerRan, Usage};
use crate::hosts::audit::{self, Grounds, Verdict};
use crate::hosts::{
    self, Boundary, FailureClass, Host, Invocation, Parsed, Previous, TraceEvent, TurnRecord,
    TurnRequest,
};
use crate::suite::Isolation;
use crate::supervise::{Ended, Exit, Job, Limits, Network, Room, Supervised, find_program};

/// From the polite signal to the final one.
const GRACE_MS: u64 = 2_000;

/// What a run left.
pub(super) struct Raw<'a> {
    reviewer: &'a ModelReviewer,
    host: Box<dyn Host>,
    argv: Vec<String>,
    program: PathBuf,
    environment: Vec<String>,
    grounds: Grounds,
    isolation: Isolation,
    ended: Result<Ended, String>,
    started_at: String,
    duration_ms: u64,
    events: Vec<u8>,
    stderr: Vec<u8>,
}

/// Where everything of a run lies.
struct Folders {
    root: PathBuf,
    packet: PathBuf,
    work: PathBuf,
    home: PathBuf,
    temporary: PathBuf,
    run: PathBuf,
}

impl Folders {
    fn make(experiment: &Experiment, packet: &str, number: usize) -> Result<Self, RunError> {
        let layout = &experiment.layout;
        let name = format!("review.{packet}.{number}");
        let root = layout.root().join("work").join(&name);
        let work = root.join("work");
        let folders = Self {
            packet: work.join("packet"),
            home: root.join("home"),
            temporary: root.join("tmp"),
            run: layout.runs().join(&name),
            work,
            root,
        };
        remove(&folders.root)?;
        remove(&folders.run)?;
        for folder in [
            &folders.packet,
            &folders.home,
            &folders.temporary,
            &folders.run,
        ] {
            fs_err::create_dir_all(folder)?;
        }
        Ok(folders)
    }
}

/// Runs the model on one packet.
pub(super) fn run<'a>(
    experiment: &Experiment,
    reviewer: &'a ModelReviewer,
    packet: &VerifiedPacket,
    files: &Files,
    question: &Question,
    number: usize,
) -> Result<Raw<'a>, RunError> {
    let launch = choose_launcher(&reviewer.deckproof);
    let demanded = experiment.suite.schedule.isolation;
    if launch.reached() < demanded {
        return Err(RunError::Isolation(format!(
            "the suite demands isolation `{}` and this machine gives `{}`: {}",
            isolation_name(demanded),
            isolation_name(launch.reached()),
            launch.missing()
        )));
    }
    let folders = Folders::make(experiment, packet.document.packet.as_str(), number)?;
    for (path, bytes) in files {
        let path = path.below(&folders.packet);
        if let Some(parent) = path.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::write(&path, bytes)?;
    }
    let raw = supervised(experiment, reviewer, &launch, &folders, files, question)?;
    remove(&folders.root)?;
    remove(&folders.run)?;
    Ok(raw)
}

fn supervised<'a>(
    experiment: &Experiment,
    reviewer: &'a ModelReviewer,
    launch: &Launch,
    folders: &Folders,
    files: &Files,
    question: &Question,
) -> Result<Raw<'a>, RunError> {
    let problem = |problem: String| RunError::Host {
        host: reviewer.host.clone(),
        problem,
    };
    let host = hosts::host(&reviewer.host).filter(|_| HOSTS.contains(&reviewer.host.as_str()));
    let host = host.ok_or_else(|| problem(format!("expected one of {}", HOSTS.join(", "))))?;
    let name = reviewer.program.as_deref().unwrap_or(&reviewer.host);
    let program = find_program(name, SEARCH_PATH).map_err(|error| problem(error.to_string()))?;
    let prompt = folders.run.join("prompt");
    fs_err::write(&prompt, input(&reviewer.host, files, question)?)?;
    let request = request(reviewer, launch, folders, &program, prompt, question);
    let invocation = host
        .command(&request)
        .map_err(|error| problem(error.to_string()))?;
    for folder in &invocation.folders {
        fs_err::create_dir_all(folder)?;
    }
    // The schema lies in the reviewer's home, where the room shows it.
    fs_err::write(schema_path(folders), question.schema.to_string())?;
    let secrets = secrets(reviewer, folders)?;
    let job = job(reviewer, folders, &invocation, secrets.clone());
    let room = room(reviewer, folders, &program);
    let job = launch
        .launcher()
        .wrap(&job, &room)
        .map_err(|error| problem(error.to_string()))?;
    let (start, started_at) = (Instant::now(), clock::now());
    let ended = Supervised::start(&job, &reviewer.deckproof)
        .map_err(|error| error.to_string())
        .and_then(|supervised| supervised.wait().map_err(|error| error.to_string()));
    for path in secrets.values() {
        fs_err::remove_file(path)?;
    }
    let mut environment: Vec<_> = invocation.environment.keys().cloned().collect();
    environment.extend(secrets.into_keys());
    environment.sort();
    Ok(Raw {
        reviewer,
        host,
        argv: attempt::told(&invocation.argv, experiment),
        grounds: grounds(experiment, folders, &program),
        program,
        environment,
        isolation: launch.reached(),
        ended,
        started_at,
        duration_ms: u64::try_from(start.elapsed().as_millis())
            .unwrap_or(u64::MAX)
            .max(1),
        events: turns::read_log(&folders.run.join("stdout"))?,
        stderr: turns::read_log(&folders.run.join("stderr"))?,
    })
}

/// The hosts that can be shown pictures, or read them themselves.
const HOSTS: [&str; 3] = ["codex", "claude", "command"];

fn schema_path(folders: &Folders) -> PathBuf {
    folders.home.join("reply.schema.json")
}

/// What the host reads on its standard input. Claude is shown pictures in its input alone.
fn input(host: &str, files: &Files, question: &Question) -> Result<Vec<u8>, RunError> {
    if host != "claude" {
        return Ok(question.text.clone().into_bytes());
    }
    let mut content = vec![json!({"type": "text", "text": question.text})];
    for path in &question.pictures {
        let (Some(bytes), Some(kind)) = (files.get(path), media_type(path)) else {
            continue;
        };
        content.push(json!({"type": "text", "text": path.as_str()}));
        let source = json!({"type": "base64", "media_type": kind, "data": STANDARD.encode(bytes)});
        content.push(json!({"type": "image", "source": source}));
    }
    let message = json!({"type": "user", "message": {"role": "user", "content": content}});
    let mut line = serde_json::to_vec(&message).map_err(std::io::Error::from)?;
    line.push(b'\n');
    Ok(line)
}

fn request(
    reviewer: &ModelReviewer,
    launch: &Launch,
    folders: &Folders,
    program: &Path,
    prompt: PathBuf,
    question: &Question,
) -> TurnRequest {
    let mut arguments = reviewer.arguments.clone();
    match reviewer.host.as_str() {
        "codex" => {
            let schema = schema_path(folders);
            arguments.extend(["--output-schema".to_owned(), schema.display().to_string()]);
            let pictures = question.pictures.iter();
            arguments.extend(
                pictures.map(|path| format!("--image={}", path.below(&folders.packet).display())),
            );
        }
        "claude" => arguments.extend(["--input-format", "stream-json"].map(str::to_owned)),
        _ => {}
    }
    let confined = launch.reached() == Isolation::Prevented;
    TurnRequest {
        program: program.to_owned(),
        arguments,
        environment: reviewer.environment.iter().cloned().collect(),
        search_path: SEARCH_PATH.to_owned(),
        model: Some(reviewer.model.clone()),
        effort: reviewer.effort.clone(),
        prompt,
        work: folders.work.clone(),
        home: folders.home.clone(),
        temporary: folders.temporary.clone(),
        last_message: folders.home.join("last-message"),
        thread: None,
        more_turns: false,
        skills: false,
        endpoint: None,
        boundary: if confined {
            Boundary::Outer
        } else {
            Boundary::Own
        },
    }
}

fn secrets(
    reviewer: &ModelReviewer,
    folders: &Folders,
) -> Result<BTreeMap<String, PathBuf>, RunError> {
    let mut secrets = BTreeMap::new();
    for (index, name) in reviewer.pass_environment.iter().enumerate() {
        let value = std::env::var(name).map_err(|_| RunError::Host {
            host: reviewer.host.clone(),
            problem: format!("`{name}` is not set; `--pass-environment` passes it on"),
        })?;
        let path = folders.run.join(format!("secret-{index}"));
        atomic::write_new(&path, value.as_bytes(), 0o600)?;
        secrets.insert(name.clone(), path);
    }
    Ok(secrets)
}

fn job(
    reviewer: &ModelReviewer,
    folders: &Folders,
    invocation: &Invocation,
    secrets: BTreeMap<String, PathBuf>,
) -> Job {
    Job {
        argv: invocation.argv.clone(),
        environment: invocation.environment.clone(),
        secrets,
        current_directory: invocation.current_directory.clone(),
        stdin: invocation.stdin.clone(),
        stdout: folders.run.join("stdout"),
        stderr: folders.run.join("stderr"),
        time_limit_ms: reviewer.time_limit_seconds.saturating_mul(1000).max(1),
        grace_ms: GRACE_MS,
        watch: vec![folders.root.clone()],
        limits: Limits::default(),
        relay: None,
        lock: folders.run.join("lock"),
        result: folders.run.join("result"),
    }
}

fn room(reviewer: &ModelReviewer, folders: &Folders, program: &Path) -> Room {
    let system = ["/usr", "/bin", "/sbin", "/lib"];
    let system = system.iter().any(|root| program.starts_with(root));
    let installed = program.parent().filter(|_| !system);
    let network = match (reviewer.reach.is_empty(), reviewer.host.as_str()) {
        (false, _) => Network::Relay(reviewer.reach.clone()),
        (true, "command") => Network::Private,
        (true, _) => Network::Host,
    };
    Room {
        readable: installed.map(Path::to_owned).into_iter().collect(),
        writable: vec![
            folders.work.clone(),
            folders.home.clone(),
            folders.temporary.clone(),
        ],
        network,
    }
}

fn grounds(experiment: &Experiment, folders: &Folders, program: &Path) -> Grounds {
    let layout = &experiment.layout;
    Grounds {
        work: folders.work.clone(),
        home: folders.home.clone(),
        temporary: folders.temporary.clone(),
        readable: program.parent().map(Path::to_owned).into_iter().collect(),
        forbidden: vec![
            layout.private(),
            layout.reviews(),
            layout.packets(),
            layout.store_folder(),
            layout.sealed(),
        ],
    }
}

impl Raw<'_> {
    /// The record of this run, its logs and its response in the store.
    pub(super) fn record(
        &self,
        experiment: &Experiment,
        packet: &VerifiedPacket,
        id: &str,
        number: usize,
    ) -> Result<ReviewerRan, RunError> {
        let store = experiment.store();
        let parsed = self.ended.as_ref().ok().map(|ended| self.parse(ended));
        let thread = parsed.as_ref().and_then(|parsed| parsed.thread_id.clone());
        let observed = parsed
            .as_ref()
            .and_then(|parsed| parsed.observed_model.clone());
        let identity = Identity {
            r#type: "model",
            id: id.to_owned(),
            model: observed
                .clone()
                .unwrap_or_else(|| self.reviewer.model.clone()),
            thread: match &thread {
                Some(thread) => thread.clone(),
                None => format!("run-{}", draw_id().map_err(std::io::Error::other)?),
            },
        };
        let (exit_code, signal) = match self.ended.as_ref().map(|ended| ended.exit) {
            Ok(Exit::Code(code)) => (Some(code), None),
            Ok(Exit::Signal(signal)) => (None, Some(signal)),
            Err(_) => (None, None),
        };
        Ok(ReviewerRan {
            packet: packet.document.packet.clone(),
            run: u32::try_from(number).unwrap_or(u32::MAX),
            outcome: self.outcome(experiment, parsed.as_ref(), packet, &identity)?,
            host: self.reviewer.host.clone(),
            argv: self.argv.clone(),
            program_sha256: programs::hash(&self.program),
            program_version: parsed.as_ref().and_then(|one| one.host_version.clone()),
            environment: self.environment.clone(),
            exit_code,
            signal,
            started_at: self.started_at.clone(),
            duration_ms: self.duration_ms,
            isolation: self.isolation,
            thread: identity.thread,
            requested_model: self.reviewer.model.clone(),
            observed_model: observed,
            usage: usage(parsed.as_ref()),
            events: put(&store, &self.events)?,
            stderr: put(&store, &self.stderr)?,
            audit: self.audit(experiment, parsed.as_ref()),
        })
    }

    fn parse(&self, ended: &Ended) -> Parsed {
        self.host.parse(&TurnRecord {
            events: &self.events,
            stderr: &self.stderr,
            exit: ended.exit,
            killed_for: ended.killed_for,
            model: Some(&self.reviewer.model),
            effort: self.reviewer.effort.as_deref(),
            previous: Previous::First,
            ledger: None,
        })
    }

    fn outcome(
        &self,
        experiment: &Experiment,
        parsed: Option<&Parsed>,
        packet: &VerifiedPacket,
        identity: &Identity,
    ) -> Result<ReplyOutcome, RunError> {
        let parsed = match (parsed, &self.ended) {
            (Some(parsed), _) => parsed,
            (None, Err(why)) => return Ok(ReplyOutcome::Failed(why.clone())),
            (None, Ok(_)) => return Ok(ReplyOutcome::Failed("there is no log".to_owned())),
        };
        match &parsed.failure {
            FailureClass::None => {}
            FailureClass::TimedOut => return Ok(ReplyOutcome::Failed("timed out".to_owned())),
            FailureClass::Infrastructure { reason } => {
                return Ok(ReplyOutcome::Failed(reason.clone()));
            }
            FailureClass::AgentFailed => {
                return Ok(ReplyOutcome::Failed("the program failed".to_owned()));
            }
        }
        let reply = self.last_words(parsed);
        if reply.trim().is_empty() {
            return Ok(ReplyOutcome::Malformed(self.no_words()));
        }
        let bytes = match reply::response(&reply, packet, identity) {
            Err(why) => return Ok(ReplyOutcome::Malformed(why)),
            Ok(bytes) => bytes,
        };
        Ok(match fault(experiment, &packet.document.packet, &bytes)? {
            Some(why) => ReplyOutcome::Malformed(why),
            None => ReplyOutcome::Replied(put(&experiment.store(), &bytes)?),
        })
    }

    /// The last message; of a command all that it says but the line of its usage.
    fn last_words(&self, parsed: &Parsed) -> String {
        if self.reviewer.host == "command" {
            let text = String::from_utf8_lossy(&self.events);
            let lines = text
                .lines()
                .filter(|line| !line.starts_with("{\"deckproof_usage\""));
            return lines.collect::<Vec<_>>().join("\n");
        }
        let mut said = parsed.trace.iter().rev();
        let last = said.find_map(|event| match event {
            TraceEvent::Message { text } => Some(text.clone()),
            _ => None,
        });
        last.unwrap_or_default()
    }

    /// Where a reply was looked for, and nothing found.
    fn no_words(&self) -> String {
        let found = match self.reviewer.host.as_str() {
            "command" => "the program wrote nothing on standard output",
            _ => "the model ended without a message",
        };
        format!("the reply: {found}, expected one JSON object, as the question asks for it")
    }

    /// As builders are audited: what cannot be followed passes only where the kernel kept it in.
    fn audit(&self, experiment: &Experiment, parsed: Option<&Parsed>) -> Audit {
        let Some(parsed) = parsed else {
            let findings = vec!["there is no trace to look at".to_owned()];
            return Audit {
                passed: false,
                findings,
            };
        };
        let report = audit::audit(&[parsed], &self.grounds, self.host.habits());
        let kept_in = self.isolation == Isolation::Prevented;
        let lenient = experiment.suite.schedule.isolation == Isolation::None;
        let passed = match report.verdict {
            Verdict::Pass => true,
            Verdict::Fail => false,
            Verdict::Unresolved => kept_in,
            Verdict::Unobserved => kept_in || lenient,
        };
        let root = experiment.layout.root().display().to_string();
        let told = report
            .reasons
            .iter()
            .map(|one| one.to_string().replace(&root, "EXPERIMENT"));
        let mut findings: Vec<_> = told.filter(|_| !passed).collect();
        if !passed && findings.is_empty() {
            findings.push("this host shows no calls, so nothing could be looked at".to_owned());
        }
        Audit { passed, findings }
    }
}

fn usage(parsed: Option<&Parsed>) -> Usage {
    let turn = parsed.and_then(|parsed| parsed.usage.turn);
    Usage {
        input_tokens: turn.map(|counts| counts.input_tokens),
        cached_input_tokens: turn.and_then(|counts| counts.cached_input_tokens),
        output_tokens: turn.map(|counts| counts.output_tokens),
        total_tokens: turn.map(|counts| counts.total_tokens),
        tool_calls: parsed.map(|parsed| parsed.tool_calls),
        basis: parsed.map_or_else(
            || "unknown: there is no event log".to_owned(),
            |parsed| parsed.usage.basis.clone(),
        ),
    }
}

fn put(store: &Store, bytes: &[u8]) -> Result<Object, RunError> {
    Ok(attempt::put(store, bytes)?)
}
