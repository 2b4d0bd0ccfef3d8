// SPDX-License-Identifier: MIT OR Apache-2.0
//! An experiment of ours with 100,000 trials: how long `summarize` and `verify` take, and how much
//! memory. (`cargo bench -p deckproof-bench --features trials --bench trials`.)
//!
//! The trials are of cases in which no deck may be made (50 cases, two arms, 1,000 repetitions), so
//! that what is measured are records, logs and task trees: 100,000 task trees and 200,000 logs of
//! their own are read and hashed. Pictures cost what decoding them costs, and nothing here could
//! change that.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark says what it measured and stops when it cannot"
)]

use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use deckproof::experiment::plan::PlannedTrial;
use deckproof::experiment::records::{
    Artifact, AttemptEnded, AttemptStarted, Audit, CheckRecord, CheckStatus, Event,
    ExecuteFinished, MappingsDrawn, Object, Outcome, Run, Timing, TraceSummary, TrialJudged, Usage,
};
use deckproof::experiment::{Experiment, Layout};
use deckproof::suite::Isolation;
use deckproof::{prepare, seal, suite, summary, verify};
use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal::Record;
use deckproof_packets::json;
use rustix::time::{ClockId, clock_gettime};

/// The program's own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CASES: usize = 50;
const REPETITIONS: usize = 1_000;
const TIME: &str = "2026-01-02T03:04:05Z";

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn write_suite(folder: &Path, repetitions: usize) {
    let mut text = format!(
        "schema = \"deckproof.suite.v1\"\nid = \"many\"\n[schedule]\nkind = \"paired\"\nrepetitions = {repetitions}\n"
    );
    for (arm, format) in [("web", "html"), ("slides", "pptx")] {
        text.push_str(&format!(
            "[[arm]]\nid = \"{arm}\"\nformat = \"{format}\"\nhost = \"manual\"\nmodel = \"m-1\"\neffort = \"high\"\n"
        ));
    }
    for case in 0..CASES {
        text.push_str(&format!(
            "[[case]]\nid = \"case-{case}\"\nmode = \"create\"\nbrief = \"{case}/brief.md\"\nspec = \"{case}/spec.json\"\nmax_token_ratio = \"1.05\"\nmax_duration_ratio = \"1.05\"\n[case.checks]\nabsent = {{}}\n"
        ));
        for arm in ["web", "slides"] {
            let artifact = match arm {
                "web" => format!("artifact = \"{case}/old\"\nentry = \"index.html\""),
                _ => format!("artifact = \"{case}/old.pptx\""),
            };
            text.push_str(&format!(
                "[[baseline]]\ncase = \"case-{case}\"\narm = \"{arm}\"\n{artifact}\nmodel = \"m-1\"\neffort = \"high\"\ntotal_tokens = 1000\nduration_ms = 60000\n"
            ));
        }
        write(&folder.join(format!("{case}/old/index.html")), "<p>old</p>");
        write(&folder.join(format!("{case}/old.pptx")), "an old package");
        write(
            &folder.join(format!("{case}/brief.md")),
            &format!("Make no deck, for reason {case}."),
        );
        let spec = "{\"schema\":\"deckproof.spec.v1\",\"title\":\"None\",\"slides\":[{\"id\":\"s1\"}],\"target_outputs\":{\"html\":{\"entry\":\"deck/index.html\"},\"pptx\":{\"entry\":\"deck.pptx\"}}}";
        write(&folder.join(format!("{case}/spec.json")), spec);
    }
    text.push_str(
        "[review]\nscore_min = 1\nscore_max = 5\nrequired_reviewer_types = [\"human\"]\n[[review.dimensions]]\nname = \"fidelity\"\n[gates]\nmedian_token_improvement_percent = 30\nmedian_duration_improvement_percent = 30\n",
    );
    write(&folder.join("suite.toml"), &text);
}

/// The journal as `append` writes it, without a sync for each record.
struct Writer {
    layout: Layout,
    file: BufWriter<std::fs::File>,
    next: u64,
    head: Sha256Hex,
}

impl Writer {
    fn record(&mut self, event: Event) {
        let record = Record {
            sequence: self.next,
            previous: self.head.clone(),
            time: TIME.to_owned(),
            event,
        };
        let mut line = json::canonical(&record).unwrap();
        self.head = Sha256Hex::of(&line);
        line.push(b'\n');
        self.file.write_all(&line).unwrap();
        self.next += 1;
    }

    fn put(&self, bytes: &[u8]) -> Object {
        let sha256 = Sha256Hex::of(bytes);
        let path = self.layout.store().path(&sha256);
        if !path.exists() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
        }
        Object {
            sha256,
            bytes: bytes.len() as u64,
        }
    }

    fn trial(&mut self, planned: &PlannedTrial) {
        let id = &planned.id;
        let tree = planned.task_tree_sha256.clone();
        let tokens = 400 + u64::from(id.repetition) % 100;
        self.record(Event::AttemptEnded(Box::new(AttemptEnded {
            trial: id.clone(),
            attempt: 1,
            outcome: Outcome::Completed,
            run: Run {
                walls: String::new(),
                host: "manual".to_owned(),
                argv: ["agent", "--model", "m-1", "--json", "-"]
                    .map(str::to_owned)
                    .into(),
                program_sha256: Some(Sha256Hex::of(b"agent")),
                program_version: Some("agent 1.2.3".to_owned()),
                environment: ["HOME", "LANG", "PATH", "TMPDIR", "XDG_CACHE_HOME"]
                    .map(str::to_owned)
                    .into(),
                exit_code: Some(0),
                signal: None,
                started_at: TIME.to_owned(),
                ended_at: "2026-01-02T03:04:35Z".to_owned(),
                launch: 1,
                started_ms: 5,
                duration_ms: 30_000 + u64::from(id.repetition) % 1000,
                timing: Timing::Measured,
                isolation: Isolation::Audited,
                events: self.put(format!("the event log of {id}\n").repeat(20).as_bytes()),
                stderr: self.put(b""),
                leftover_processes: Vec::new(),
                refused_connections: Vec::new(),
                redacted: Vec::new(),
            },
            usage: Usage {
                input_tokens: Some(tokens - 100),
                cached_input_tokens: Some(100),
                output_tokens: Some(100),
                total_tokens: Some(tokens),
                tool_calls: Some(3),
                basis: "as the host says".to_owned(),
            },
            trace: TraceSummary {
                thread_id: Some(format!("session {id}")),
                requested_model: Some("m-1".to_owned()),
                requested_effort: Some("high".to_owned()),
                observed_model: Some("m-1".to_owned()),
                observed_effort: None,
                loaded: None,
                calls_complete: false,
                unknown_events: 0,
                anomalies: Vec::new(),
                events: self.put(format!("[\"{id}\"]").as_bytes()),
                audit: Audit {
                    passed: true,
                    findings: Vec::new(),
                },
            },
            artifact: Artifact::Missing,
            task_tree_sha256: tree.clone(),
            turns: Vec::new(),
        })));
        self.record(Event::TrialJudged(Box::new(TrialJudged {
            trial: id.clone(),
            attempt: 1,
            task_tree_sha256: tree,
            render: None,
            render_problem: Some("there is no deck".to_owned()),
            checks: vec![CheckRecord {
                name: "absent".to_owned(),
                status: CheckStatus::Pass,
                reason: "no deck was made".to_owned(),
            }],
        })));
    }
}

/// Makes an experiment with that many repetitions of every cell.
fn make(folder: &Path, repetitions: usize) -> PathBuf {
    let (inputs, root) = (folder.join("suite"), folder.join("experiment"));
    write_suite(&inputs, repetitions);
    let loaded = suite::load(&inputs).unwrap();
    seal::write(&loaded).unwrap();
    let layout = prepare::prepare(&loaded, &root).unwrap();
    let experiment = Experiment::open(&root).unwrap();
    let file = std::fs::OpenOptions::new()
        .append(true)
        .open(layout.journal())
        .unwrap();
    let mut writer = Writer {
        layout: layout.clone(),
        file: BufWriter::new(file),
        next: experiment.journal.records.len() as u64,
        head: experiment.journal.head.clone(),
    };
    for group in experiment
        .plan
        .trials
        .chunk_by(|one, other| one.group == other.group)
    {
        for planned in group {
            writer.record(Event::AttemptStarted(AttemptStarted {
                trial: planned.id.clone(),
                attempt: 1,
                launch: 1,
                task_tree_sha256: planned.task_tree_sha256.clone(),
            }));
        }
        group.iter().for_each(|planned| writer.trial(planned));
    }
    let plan_sha256 = Sha256Hex::of(&std::fs::read(layout.plan()).unwrap());
    writer.record(Event::MappingsDrawn(MappingsDrawn { plan_sha256 }));
    let trials = u32::try_from(experiment.plan.trials.len()).unwrap();
    writer.record(Event::ExecuteFinished(ExecuteFinished {
        trials,
        packets: 0,
    }));
    writer.file.flush().unwrap();
    let head = format!(
        "{{\"sequence\": {}, \"sha256\": \"{}\"}}\n",
        writer.next - 1,
        writer.head
    );
    std::fs::write(layout.journal().with_extension("head"), head).unwrap();
    root
}

fn measured(what: &str, root: &Path) {
    let start = Instant::now();
    let trials = match what {
        "summarize" => {
            let summary = summary::summarize(root).unwrap();
            assert!(summary.passed(), "{:?}", summary.failed_gates);
            summary::write(root, &summary).unwrap();
            summary
                .cases
                .iter()
                .flat_map(|case| &case.arms)
                .map(|arm| arm.trials.len())
                .sum::<usize>()
        }
        _ => verify::verify(root).unwrap().experiment.plan.trials.len(),
    };
    let wall = start.elapsed().as_secs_f64();
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let processor = time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap_or_default();
    println!(
        "{what:<10} {trials} trials: {wall:6.2} s by the clock, {processor:6.2} s of processors, peak {}",
        peak.trim()
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|one| one != "--bench")
        .collect();
    if let [what, root] = arguments.as_slice() {
        return measured(what, Path::new(root));
    }
    let repetitions = arguments
        .first()
        .and_then(|text| text.parse().ok())
        .unwrap_or(REPETITIONS);
    let folder = tempfile::tempdir().unwrap();
    let root = make(folder.path(), repetitions);
    let journal = std::fs::metadata(root.join("journal.jsonl")).unwrap().len();
    println!("journal    {:.0} MB", journal as f64 / 1e6);
    // Each in a process of its own, whose peak is its own.
    for what in ["summarize", "verify"] {
        let status = Command::new(std::env::current_exe().unwrap())
            .arg(what)
            .arg(&root)
            .status()
            .unwrap();
        assert!(status.success());
    }
    // Task trees are read-only.
    Command::new("chmod")
        .args(["-R", "u+rwX"])
        .arg(folder.path())
        .status()
        .unwrap();
}
