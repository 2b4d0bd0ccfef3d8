// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole experiment without agents or renderers: real seal, plan, store, journal, mappings,
//! packets and reviews, with decks of a few words and pictures of one colour.
//!
//! Tests bend one thing each through [`Script`] and look at what the verdict makes of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal::Journal;
use deckproof_packets::mapping::{self, Label, Mapping, MappingSchema, PacketId, Purpose, Side};
use deckproof_packets::packet::{self, ByLabel, DocumentKind, PacketInput};
use deckproof_packets::tree::{Tree, TreeEntry};
use deckproof_packets::{atomic, json};
use deckproof_renderers::png::{self, RgbImage};
use deckproof_renderers::{CANVAS_HEIGHT, CANVAS_WIDTH, RendererIdentity};
use deckproof_reviews::review::ReviewerType;
use serde_json::{Value, json};

use crate::anchor;
use crate::experiment::plan::{Commitment, Plan, PlannedTrial, Seat};
use crate::experiment::records::{
    Artifact, AttemptEnded, AttemptStarted, Audit, BaselineRendered, CheckRecord, CheckStatus,
    Event, ExecuteFinished, MappingsDrawn, Object, Outcome, PacketWritten, RenderSet, Run,
    StoredArtifact, Timing, TraceSummary, TrialJudged, Usage,
};
use crate::experiment::{Experiment, Layout, TrialId};
use crate::suite::{Format, Id, Isolation};
use crate::verify::{self, Verified};
use crate::{prepare, review, review_form, seal, suite};

type Bend<T> = Box<dyn Fn(&mut T)>;
type BendResponse = Box<dyn Fn(&TrialId, Label, &mut Value) -> bool>;
pub(crate) type Pictures = ByLabel<Vec<Vec<u8>>>;

/// What differs from the good experiment.
pub(crate) struct Script {
    /// The text of `suite.toml`.
    pub suite: Box<dyn Fn(String) -> String>,
    /// The record of each attempt's start.
    pub started: Bend<AttemptStarted>,
    /// The record of each attempt's end.
    pub ended: Bend<AttemptEnded>,
    /// The record of each judged trial.
    pub judged: Bend<TrialJudged>,
    /// The record of each baseline.
    pub baseline: Bend<BaselineRendered>,
    /// Each response before it is handed in: packet's trial, its candidate label, the response.
    /// `false` leaves it out.
    pub response: BendResponse,
    /// Events put before the end of `execute`.
    pub extra: Vec<Event>,
    /// Whether trials of a group end before the next one starts.
    pub one_by_one: bool,
    /// Stop after the trials.
    pub unfinished: bool,
    /// A trial whose first attempt does not count, and how that one ended.
    pub retried: Option<(&'static str, FirstAttempt)>,
}

/// What became of a first attempt that does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstAttempt {
    /// `execute` was stopped meanwhile.
    CutOff,
    /// The infrastructure failed it.
    InfrastructureFailed,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            suite: Box::new(|text| text),
            started: Box::new(|_| ()),
            ended: Box::new(|_| ()),
            judged: Box::new(|_| ()),
            baseline: Box::new(|_| ()),
            response: Box::new(|_, _, _| true),
            extra: Vec::new(),
            one_by_one: false,
            unfinished: false,
            retried: None,
        }
    }
}

/// A finished experiment in a folder of its own.
pub(crate) struct Lab {
    folder: tempfile::TempDir,
    pub root: PathBuf,
}

impl Drop for Lab {
    fn drop(&mut self) {
        // Task trees are read-only, and the folder could not be removed.
        let _ = Command::new("chmod")
            .args(["-R", "u+rwX"])
            .arg(self.folder.path())
            .status();
    }
}

const TIME: &str = "2026-01-02T03:04:05Z";

/// The suite of the good experiment: two cases, two arms.
const SUITE: &str = r#"
schema = "deckproof.suite.v1"
id = "lab"
[schedule]
kind = "paired"
repetitions = 1
min_overlap_percent = 50
isolation = "audited"
infrastructure_retries = 1
[[arm]]
id = "web"
format = "html"
host = "manual"
model = "m-1"
effort = "high"
[[arm]]
id = "slides"
format = "pptx"
host = "manual"
model = "m-1"
effort = "high"
[[case]]
id = "case-one"
mode = "create"
brief = "one/brief.md"
spec = "one/spec.json"
amendments = ["one/amendment_10.md", "one/amendment_2.md"]
assets = ["one/chart.png"]
max_token_ratio = "1.05"
max_duration_ratio = "1.05"
[case.checks]
artifact_exists = {}
slide_count = {}
package_sound = {}
static_html = {}
[[case]]
id = "case-two"
mode = "revise"
brief = "two/brief.md"
spec = "two/spec.json"
max_token_ratio = "1.05"
max_duration_ratio = "1.05"
[case.checks]
artifact_exists = {}
revision_fidelity = {}
[review]
score_min = 1
score_max = 5
required_reviewer_types = ["human"]
optional_reviewer_types = ["model", "scripted"]
min_rationale_chars = 12
[[review.dimensions]]
name = "fidelity"
[[review.dimensions]]
name = "design"
[gates]
median_token_improvement_percent = 30
median_duration_improvement_percent = "30.0"
"#;

/// The verified experiment of `lab` with `more` cases, each a copy of `case-two` in memory, and `plan`
/// at the end of its suite: enough for figures, and cheaper than as many decks.
pub(crate) fn multiplied(lab: &Lab, more: usize, plan: &str) -> Verified {
    let mut verified = verify::check(&lab.root).unwrap();
    let mut text = fs_err::read_to_string(lab.layout().suite()).unwrap();
    for n in 1..=more {
        text.push_str(&format!(
            "\n[[case]]\nid = \"more-{n}\"\nmode = \"revise\"\nbrief = \"two/brief.md\"\n\
             spec = \"two/spec.json\"\nmax_token_ratio = \"9\"\nmax_duration_ratio = \"9\"\n\
             [case.checks]\nartifact_exists = {{}}\nrevision_fidelity = {{}}\n"
        ));
        for (arm, entry) in [("web", "entry = \"index.html\"\n"), ("slides", "")] {
            text.push_str(&format!(
                "[[baseline]]\ncase = \"more-{n}\"\narm = \"{arm}\"\nartifact = \"old\"\n{entry}\
                 total_tokens = 1000\nduration_ms = 60000\n"
            ));
        }
        copy_case(&mut verified, &Id::new(&format!("more-{n}")).unwrap());
    }
    let text = format!("{text}\n{plan}");
    verified.experiment.suite = suite::parse("suite.toml", text.as_bytes()).unwrap();
    verified
}

fn copy_case(verified: &mut Verified, case: &Id) {
    let named = |trial: &TrialId| TrialId {
        case: case.clone(),
        ..trial.clone()
    };
    let planned = verified.experiment.plan.trials.clone();
    for one in planned
        .iter()
        .filter(|one| one.id.case.as_str() == "case-two")
    {
        let (old, new) = (&one.id, named(&one.id));
        let mut history = verified.history.trials[old].clone();
        for attempt in &mut history.attempts {
            if let Some(ended) = &mut attempt.ended {
                ended.trial = new.clone();
            }
        }
        verified.history.trials.insert(new.clone(), history);
        let id = mapping::draw_id().unwrap();
        let compared = verified.comparisons.iter().find(|one| one.trial == *old);
        let mut compared = compared.unwrap().clone();
        let reviews = verified.reviews.iter();
        let reviews = reviews.filter(|one| one.response.packet == compared.mapping.packet);
        let mut reviews: Vec<_> = reviews.cloned().collect();
        for review in &mut reviews {
            review.response.packet = id.clone();
        }
        verified.reviews.extend(reviews);
        compared.mapping.packet = id;
        compared.trial = new.clone();
        verified.comparisons.push(compared);
        let mut copy = one.clone();
        copy.id = new;
        verified.experiment.plan.trials.push(copy);
    }
}

impl Lab {
    /// Runs a whole experiment by `script`.
    pub(crate) fn run(script: &Script) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inputs = folder.path().join("suite");
        write_suite(&inputs, &script.suite);
        let loaded = suite::load(&inputs).unwrap();
        seal::write(&loaded).unwrap();
        let root = folder.path().join("experiment");
        prepare::prepare(&loaded, &root).unwrap();
        let lab = Self { folder, root };
        lab.execute(script);
        if !script.unfinished {
            lab.review(script);
        }
        lab
    }

    /// The good experiment.
    pub(crate) fn good() -> Self {
        Self::run(&Script::default())
    }

    /// A copy to spoil, with every mode and time.
    pub(crate) fn copy(&self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("experiment");
        let status = Command::new("cp")
            .arg("-a")
            .arg(&self.root)
            .arg(&root)
            .status();
        assert!(status.unwrap().success());
        Self { folder, root }
    }

    pub(crate) fn layout(&self) -> Layout {
        Layout::new(&self.root)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// A folder beside the experiment.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn execute(&self, script: &Script) {
        let experiment = Experiment::open(&self.root).unwrap();
        let (journal, _) = Journal::resume(&self.layout().journal()).unwrap();
        let mut run = Execution {
            experiment,
            journal,
            script,
            compared: Vec::new(),
        };
        run.trials();
        if script.unfinished {
            return;
        }
        let drawn = run.mappings();
        for input in &drawn {
            let packet = packet::build(&self.layout().packets(), input).unwrap();
            let packet_sha256 = packet.packet_sha256;
            run.record(Event::PacketWritten(PacketWritten {
                packet: input.id.clone(),
                packet_sha256,
            }));
        }
        let trials = u32::try_from(run.experiment.plan.trials.len()).unwrap();
        let packets = u32::try_from(drawn.len()).unwrap();
        script
            .extra
            .iter()
            .for_each(|event| run.record(event.clone()));
        run.record(Event::ExecuteFinished(ExecuteFinished { trials, packets }));
    }

    fn review(&self, script: &Script) {
        let mut responses = Vec::new();
        for (number, mapping) in self.mappings().into_iter().enumerate() {
            let mut response = self.response(&mapping, number);
            self.seat(&mapping, &mut response);
            let trial: TrialId = mapping.trial.parse().unwrap();
            if (script.response)(&trial, mapping.candidate, &mut response) {
                responses.push(self.save(&format!("response-{number}.json"), &response));
            }
        }
        if !responses.is_empty() {
            review::accept(&self.root, &responses).unwrap();
        }
    }

    /// All mappings, in the order of ids.
    pub(crate) fn mappings(&self) -> Vec<Mapping> {
        let experiment = Experiment::open(&self.root).unwrap();
        let read = |commitment: &Commitment| {
            let bytes = fs_err::read(self.layout().mapping(&commitment.packet)).unwrap();
            json::read("mapping", &bytes).unwrap()
        };
        experiment.plan.commitments.iter().map(read).collect()
    }

    /// A good response: the candidate a little better.
    pub(crate) fn response(&self, mapping: &Mapping, number: usize) -> Value {
        let folder = self.layout().packet(&mapping.packet);
        let hash = Sha256Hex::of(&fs_err::read(folder.join("packet.json")).unwrap());
        let label = |label: Label| {
            let score = if label == mapping.candidate { 4 } else { 3 };
            let of = |what: &str| {
                let rationale = format!("Deck {label} of pair {number} has sound {what}.");
                json!({"score": score, "pass": true, "rationale": rationale})
            };
            json!({"dimensions": {"fidelity": of("figures"), "design": of("margins")}})
        };
        json!({
            "schema": "deckproof.response.v1",
            "packet": mapping.packet.as_str(),
            "packet_sha256": hash.as_str(),
            "reviewer": {"type": "human", "id": "r. meier", "model": null, "thread": format!("desk-{number}")},
            "labels": {"A": label(Label::A), "B": label(Label::B)},
            "overall_rationale": "Both tell the story, one with better margins.",
            "guess": null,
        })
    }

    /// Makes a response one of the packet's seat, where it has one, and lets it see anchors.
    pub(crate) fn seat(&self, mapping: &Mapping, response: &mut Value) {
        let experiment = Experiment::open(&self.root).unwrap();
        let commitment = experiment.plan.commitment(&mapping.packet).unwrap();
        let Some(seat) = commitment.seat else {
            return;
        };
        let seat = seat.seat;
        response["reviewer"]["type"] = json!(seat.kind.as_str());
        response["reviewer"]["id"] = json!(format!("{seat} by name"));
        if seat.kind == ReviewerType::Model {
            response["reviewer"]["model"] = json!("m-judge");
        }
        let (candidate, baseline) = (mapping.candidate, mapping.candidate.other());
        let scores = match mapping.purpose {
            Purpose::Identical => [3, 3],
            Purpose::Broken => [1, 4],
            _ => [4, 3],
        };
        for (label, score) in [(candidate, scores[0]), (baseline, scores[1])] {
            for name in ["fidelity", "design"] {
                response["labels"][label.as_str()]["dimensions"][name]["score"] = json!(score);
            }
        }
    }

    /// Writes a response beside the experiment.
    pub(crate) fn save(&self, name: &str, response: &Value) -> PathBuf {
        let path = self.beside(name);
        fs_err::write(&path, serde_json::to_vec(response).unwrap()).unwrap();
        path
    }
}

fn write_suite(folder: &Path, bend: &dyn Fn(String) -> String) {
    let mut text = SUITE.to_owned();
    for case in ["case-one", "case-two"] {
        let (html, pptx) = (format!("{case}/old"), format!("{case}/old.pptx"));
        let rest = "model = \"m-1\"\neffort = \"high\"\ntotal_tokens = 1000\nduration_ms = 60000\n";
        text.push_str(&format!(
            "[[baseline]]\ncase = \"{case}\"\narm = \"web\"\nartifact = \"{html}\"\nentry = \"index.html\"\n{rest}"
        ));
        text.push_str(&format!(
            "[[baseline]]\ncase = \"{case}\"\narm = \"slides\"\nartifact = \"{pptx}\"\n{rest}"
        ));
        write(
            &folder.join(&html).join("index.html"),
            &format!("<p>old {case}</p>"),
        );
        write(
            &folder.join(&html).join("style/look.css"),
            "p { color: red }",
        );
        write(&folder.join(pptx), &format!("old package {case}"));
    }
    write(&folder.join("suite.toml"), &bend(text));
    for (name, revision) in [("one", ""), ("two", ",\"revision\":{}")] {
        write(
            &folder.join(name).join("brief.md"),
            &format!("Make deck {name}."),
        );
        write(&folder.join(name).join("spec.json"), &spec(revision));
    }
    write(&folder.join("one/amendment_2.md"), "First change.");
    write(&folder.join("one/amendment_10.md"), "Second change.");
    write(&folder.join("one/chart.png"), "no real picture");
}

/// What the agent of a trial did: one call in one turn.
fn trace_of(trial: &TrialId) -> String {
    let call = json!({"event": "command", "id": "1", "command": format!("make {trial}"), "exit_code": 0, "status": "completed"});
    let (start, end) = (
        json!({"event": "turn_started"}),
        json!({"event": "turn_ended", "state": "completed"}),
    );
    json!([start, call, end]).to_string()
}

fn spec(revision: &str) -> String {
    format!(
        "{{\"schema\":\"deckproof.spec.v1\",\"title\":\"Report\",\"slides\":[{{\"id\":\"s1\"}}],\
         \"target_outputs\":{{\"html\":{{\"entry\":\"deck/index.html\"}},\"pptx\":{{\"entry\":\"deck.pptx\"}}}}{revision}}}"
    )
}

fn write(path: &Path, text: &str) {
    fs_err::create_dir_all(path.parent().unwrap()).unwrap();
    fs_err::write(path, text).unwrap();
}

/// A trial and both sides of its comparison.
struct Compared {
    trial: TrialId,
    candidate: (StoredArtifact, RenderSet),
    baseline: (StoredArtifact, RenderSet),
}

struct Execution<'a> {
    experiment: Experiment,
    journal: Journal<Event>,
    script: &'a Script,
    compared: Vec<Compared>,
}

impl Execution<'_> {
    fn record(&mut self, event: Event) {
        self.journal.append(TIME.to_owned(), event).unwrap();
    }

    fn put(&self, bytes: &[u8]) -> Object {
        let sha256 = self.experiment.store().put(bytes).unwrap();
        Object {
            sha256,
            bytes: bytes.len() as u64,
        }
    }

    fn trials(&mut self) {
        let trials = self.experiment.plan.trials.clone();
        let groups: BTreeMap<u32, Vec<&PlannedTrial>> =
            trials.iter().fold(BTreeMap::new(), |mut groups, trial| {
                groups.entry(trial.group).or_default().push(trial);
                groups
            });
        for members in groups.values() {
            if self.script.one_by_one {
                members.iter().for_each(|one| self.attempts(&[one]));
            } else {
                self.attempts(members);
            }
        }
    }

    fn attempts(&mut self, members: &[&PlannedTrial]) {
        for planned in members {
            let mut started = AttemptStarted {
                trial: planned.id.clone(),
                attempt: 1,
                launch: 1,
                task_tree_sha256: planned.task_tree_sha256.clone(),
            };
            (self.script.started)(&mut started);
            self.record(Event::AttemptStarted(started));
        }
        let mut all = Vec::new();
        for planned in members {
            let mut ended = self.ended(planned);
            let again = self.script.retried;
            let again = again.filter(|(trial, _)| *trial == planned.id.to_string());
            match again {
                None => self.record(Event::AttemptEnded(Box::new(ended.clone()))),
                Some((_, first)) => {
                    self.first_attempt(&ended, first);
                    (ended.attempt, ended.run.launch) = (2, 2);
                }
            }
            all.push(ended);
        }
        let ended = all;
        for ended in ended.iter().filter(|one| one.attempt == 2) {
            self.record(Event::AttemptStarted(AttemptStarted {
                trial: ended.trial.clone(),
                attempt: 2,
                launch: 2,
                task_tree_sha256: ended.task_tree_sha256.clone(),
            }));
            self.record(Event::AttemptEnded(Box::new(ended.clone())));
        }
        for (planned, ended) in members.iter().zip(&ended) {
            self.judge(planned, ended);
        }
    }

    fn first_attempt(&mut self, like: &AttemptEnded, how: FirstAttempt) {
        if how == FirstAttempt::InfrastructureFailed {
            let mut failed = like.clone();
            failed.outcome = Outcome::InfrastructureFailed("no route".to_owned());
            failed.trace.thread_id = None;
            self.record(Event::AttemptEnded(Box::new(failed)));
        }
    }

    fn format(&self, trial: &TrialId) -> Format {
        self.experiment.arm(&trial.arm).unwrap().format
    }

    fn ended(&self, planned: &PlannedTrial) -> AttemptEnded {
        let id = &planned.id;
        let html = self.format(id) == Format::Html;
        let entry = if html { "index.html" } else { "deck.pptx" };
        let mut ended = AttemptEnded {
            trial: id.clone(),
            attempt: 1,
            outcome: Outcome::Completed,
            run: Run {
                host: "manual".to_owned(),
                argv: Vec::new(),
                program_sha256: None,
                program_version: None,
                environment: vec!["PATH".to_owned()],
                exit_code: Some(0),
                signal: None,
                started_at: "2026-01-02T03:04:05Z".to_owned(),
                ended_at: "2026-01-02T03:04:35Z".to_owned(),
                launch: 1,
                started_ms: 5,
                duration_ms: 30_000,
                timing: Timing::Measured,
                isolation: Isolation::Audited,
                events: self.put(format!("events of {id}").as_bytes()),
                stderr: self.put(b""),
                leftover_processes: Vec::new(),
                walls: String::new(),
                refused_connections: Vec::new(),
                redacted: Vec::new(),
            },
            usage: Usage {
                input_tokens: Some(400),
                cached_input_tokens: Some(100),
                output_tokens: Some(100),
                total_tokens: Some(500),
                tool_calls: Some(3),
                basis: "as the host says".to_owned(),
            },
            trace: TraceSummary {
                thread_id: Some(format!("thread of {id}")),
                requested_model: Some("m-1".to_owned()),
                requested_effort: Some("high".to_owned()),
                observed_model: Some("m-1".to_owned()),
                observed_effort: None,
                loaded: None,
                calls_complete: false,
                unknown_events: 0,
                anomalies: Vec::new(),
                events: self.put(trace_of(id).as_bytes()),
                audit: Audit {
                    passed: true,
                    findings: Vec::new(),
                },
            },
            artifact: Artifact::Stored(self.artifact(&[(entry, &format!("new deck {id}"))], entry)),
            task_tree_sha256: planned.task_tree_sha256.clone(),
            turns: Vec::new(),
        };
        (self.script.ended)(&mut ended);
        ended
    }

    fn artifact(&self, files: &[(&str, &str)], entry: &str) -> StoredArtifact {
        let file = |(path, text): &(&str, &str)| {
            let object = self.put(text.as_bytes());
            let (sha256, bytes) = (Some(object.sha256), object.bytes);
            TreeEntry {
                path: path.parse().unwrap(),
                mode: 0o644,
                sha256,
                bytes,
            }
        };
        let tree = Tree {
            entries: files.iter().map(file).collect(),
        };
        StoredArtifact {
            entry: entry.parse().unwrap(),
            tree_sha256: tree.sha256(),
            tree: self.put(&json::canonical(&tree).unwrap()),
        }
    }

    fn render(&self, format: Format, seed: &str) -> RenderSet {
        let picture = |number: u8| {
            let hash = Sha256Hex::of(format!("{seed} {number}").as_bytes());
            let [r, g, b] =
                [0, 2, 4].map(|at| u8::from_str_radix(&hash.as_str()[at..at + 2], 16).unwrap());
            let image = RgbImage::filled(CANVAS_WIDTH, CANVAS_HEIGHT, [r, g, b]);
            self.put(&png::encode(&image).unwrap())
        };
        let slides: Vec<_> = (1..=2).map(picture).collect();
        let hashes: Vec<_> = slides.iter().map(|one| one.sha256.as_str()).collect();
        RenderSet {
            renderer: RendererIdentity {
                name: if format == Format::Html {
                    "chromium"
                } else {
                    "native"
                }
                .to_owned(),
                version: "1".to_owned(),
                executable_sha256: Sha256Hex::of(b"renderer").to_string(),
                fonts_sha256: Sha256Hex::of(b"fonts").to_string(),
                flags: Vec::new(),
                deterministic: true,
            },
            sha256: png::render_set_sha256(&hashes).parse().unwrap(),
            slides,
            diagnostics: self.put(b"[]"),
            facts: None,
        }
    }

    fn judge(&mut self, planned: &PlannedTrial, ended: &AttemptEnded) {
        let id = &planned.id;
        let format = self.format(id);
        let case = self.experiment.case(&id.case).unwrap().id.get().as_str();
        let own = if format == Format::Html {
            "static_html"
        } else {
            "package_sound"
        };
        let names = match case {
            "case-one" => vec!["artifact_exists", own, "slide_count"],
            _ => vec!["artifact_exists", "revision_fidelity"],
        };
        let check = |name: &str| CheckRecord {
            name: name.to_owned(),
            status: CheckStatus::Pass,
            reason: "it holds".to_owned(),
        };
        let mut names = names;
        names.sort_unstable();
        let stored = matches!(ended.artifact, Artifact::Stored(_));
        let mut judged = TrialJudged {
            trial: id.clone(),
            attempt: ended.attempt,
            task_tree_sha256: planned.task_tree_sha256.clone(),
            render: stored.then(|| self.render(format, &format!("new {id}"))),
            render_problem: (!stored).then(|| "there is no deck".to_owned()),
            checks: names.into_iter().map(check).collect(),
        };
        (self.script.judged)(&mut judged);
        self.record(Event::TrialJudged(Box::new(judged.clone())));
        if let (Artifact::Stored(artifact), Some(render)) = (&ended.artifact, judged.render)
            && !render.slides.is_empty()
        {
            let candidate = (artifact.clone(), render);
            let baseline = self.baseline(id);
            self.compared.push(Compared {
                trial: id.clone(),
                candidate,
                baseline,
            });
        }
    }

    fn baseline(&mut self, id: &TrialId) -> (StoredArtifact, RenderSet) {
        if let Some(one) = self
            .compared
            .iter()
            .find(|one| one.trial.case == id.case && one.trial.arm == id.arm)
        {
            return one.baseline.clone();
        }
        let (format, case) = (self.format(id), id.case.as_str());
        let artifact = match format {
            Format::Html => self.artifact(
                &[
                    ("index.html", &format!("<p>old {case}</p>")),
                    ("style/look.css", "p { color: red }"),
                ],
                "index.html",
            ),
            Format::Pptx => {
                self.artifact(&[("old.pptx", &format!("old package {case}"))], "old.pptx")
            }
        };
        let mut record = BaselineRendered {
            case: id.case.clone(),
            arm: id.arm.clone(),
            artifact,
            render: self.render(format, &format!("old {id}")),
        };
        (self.script.baseline)(&mut record);
        self.record(Event::BaselineRendered(Box::new(record.clone())));
        (record.artifact, record.render)
    }

    /// Draws every mapping, rewrites the plan, and gives what goes into the packets.
    fn mappings(&mut self) -> Vec<PacketInput> {
        let mut drawn: BTreeMap<PacketId, (Mapping, Pictures, Option<Seat>)> = BTreeMap::new();
        for (compared, purpose, candidate, seat) in self.places() {
            let side = |(artifact, render): &(StoredArtifact, RenderSet)| Side {
                artifact_sha256: artifact.tree_sha256.clone(),
                render_set_sha256: render.sha256.clone(),
            };
            let id = mapping::draw_id().unwrap();
            let mapping = Mapping {
                schema: MappingSchema::V1,
                purpose,
                packet: id.clone(),
                trial: compared.trial.to_string(),
                candidate,
                candidate_side: match purpose {
                    Purpose::Identical => side(&compared.baseline),
                    Purpose::Broken => self.spoilt(compared).0,
                    _ => side(&compared.candidate),
                },
                baseline_side: side(&compared.baseline),
                nonce: mapping::draw_nonce().unwrap(),
            };
            let bytes = json::pretty(&mapping).unwrap();
            atomic::write_new(&self.experiment.layout.mapping(&id), &bytes, 0o600).unwrap();
            let mut pictures = ByLabel::default();
            *pictures.get_mut(candidate) = match purpose {
                Purpose::Identical => self.pictures(&compared.baseline.1),
                Purpose::Broken => self.spoilt(compared).1,
                _ => self.pictures(&compared.candidate.1),
            };
            *pictures.get_mut(candidate.other()) = self.pictures(&compared.baseline.1);
            drawn.insert(id, (mapping, pictures, seat));
        }
        let commitments = drawn.iter().map(|(id, (mapping, _, seat))| Commitment {
            packet: id.clone(),
            commitment: mapping.commitment(),
            seat: *seat,
            replaces: None,
            voided: None,
        });
        let plan = Plan {
            commitments: commitments.collect(),
            ..self.experiment.plan.clone()
        };
        let bytes = json::pretty(&plan).unwrap();
        self.record(Event::MappingsDrawn(MappingsDrawn {
            plan_sha256: Sha256Hex::of(&bytes),
        }));
        atomic::write(&self.experiment.layout.plan(), &bytes, 0o644).unwrap();
        drawn
            .into_values()
            .map(|(mapping, pictures, _)| packet_input(&self.experiment, &mapping, pictures))
            .collect()
    }

    /// What each packet is to be, by the suite's panel where it has one.
    fn places(&self) -> Vec<(&Compared, Purpose, Label, Option<Seat>)> {
        let rng = &mut rand::rng();
        let Some(panel) = &self.experiment.suite.review.panel else {
            let labels = mapping::balanced_labels(self.compared.len(), rng);
            let compared = self.compared.iter().zip(labels);
            return compared
                .map(|(one, label)| (one, Purpose::Comparison, label, None))
                .collect();
        };
        let places = panel.draw(self.compared.len(), rng).into_iter();
        places
            .map(|place| {
                let (seat, position) = (place.seat, place.position);
                let seat = Some(Seat { seat, position });
                (
                    &self.compared[place.comparison],
                    place.purpose,
                    place.candidate,
                    seat,
                )
            })
            .collect()
    }

    fn spoilt(&self, compared: &Compared) -> (Side, Vec<Vec<u8>>) {
        let (artifact, render) = compared.baseline.clone();
        let baseline = BaselineRendered {
            case: compared.trial.case.clone(),
            arm: compared.trial.arm.clone(),
            artifact,
            render,
        };
        let store = self.experiment.store();
        let pictures = anchor::spoilt(&store, &baseline.render).unwrap();
        (anchor::spoilt_side(&store, &baseline).unwrap(), pictures)
    }

    fn pictures(&self, render: &RenderSet) -> Vec<Vec<u8>> {
        let store = self.experiment.store();
        render
            .slides
            .iter()
            .map(|one| store.get(&one.sha256).unwrap())
            .collect()
    }
}

/// What the packet of a mapping is made of.
pub(crate) fn packet_input(
    experiment: &Experiment,
    mapping: &Mapping,
    pictures: Pictures,
) -> PacketInput {
    let trial: TrialId = mapping.trial.parse().unwrap();
    let case = experiment.case(&trial.case).unwrap();
    let mut amendments: Vec<_> = case.amendments.iter().collect();
    amendments.sort_by_key(|path| suite::amendment_number(path.name()));
    let amendments = amendments.into_iter().map(|path| packet::Document {
        kind: DocumentKind::Markdown,
        bytes: experiment.input(path).unwrap(),
    });
    let assets = case.assets.iter().map(|path| packet::Asset {
        name: path.name().to_owned(),
        extension: "png".to_owned(),
        bytes: experiment.input(path).unwrap(),
    });
    PacketInput {
        id: mapping.packet.clone(),
        commitment: mapping.commitment(),
        pictures,
        requirements: json::pretty(&experiment.spec(&trial.case).unwrap().requirements()).unwrap(),
        brief: experiment.input(&case.brief).unwrap(),
        amendments: amendments.collect(),
        assets: assets.collect(),
        prompt: b"Look at both.".to_vec(),
        form: review_form::form(&experiment.suite.review),
        mode: "A deck was made.".to_owned(),
    }
}
