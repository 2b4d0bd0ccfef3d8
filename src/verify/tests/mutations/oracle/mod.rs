// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules once more, written for the tests alone: whether an experiment on disk may pass.
//!
//! It shares no code with the gates: untyped documents, machine integers, one long conjunction
//! without reasons. What no test bends (pictures, logs, task trees) must be what it was.

mod comparisons;
mod gates;
mod history;
mod shape;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::doc::Doc;
use super::evidence::{is_document, read_all};

/// What the oracle says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Exit code 0.
    Pass,
    /// Any other.
    NoPass,
    /// It holds something that is newer than the oracle.
    Unjudged,
}

type Files = BTreeMap<String, (Vec<u8>, u32)>;

pub(super) fn sha(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// SHA-256 over length-prefixed fields, the first of which is the purpose.
pub(super) fn field_hash(fields: &[&str]) -> String {
    let mut all = Vec::new();
    for field in fields {
        all.extend_from_slice(&(field.len() as u64).to_be_bytes());
        all.extend_from_slice(field.as_bytes());
    }
    sha(&all)
}

/// The files of a baseline, and its entry.
type Drawn = (Vec<(String, String)>, String);

/// The good experiment, as far as the oracle must know it.
pub(super) struct Oracle {
    good: Files,
    plan: Value,
    lock: Value,
    suite: toml::Table,
    packets: BTreeMap<String, Value>,
    strange: BTreeSet<String>,
    /// The deck's tree hash by the hash of its list of files.
    trees: BTreeMap<String, String>,
    pictures: BTreeSet<String>,
    /// Files of each sealed baseline, and its entry.
    baselines: BTreeMap<(String, String), Drawn>,
    /// Names of the checks of each trial.
    checks: BTreeMap<String, BTreeSet<String>>,
}

/// Everything as it lies on disk now.
struct Seen<'a> {
    oracle: &'a Oracle,
    files: Files,
    plan: Value,
    suite: toml::Table,
    events: Vec<(String, Value)>,
}

impl Seen<'_> {
    fn json(&self, name: &str) -> Option<Value> {
        read_json(&self.files.get(name)?.0)
    }

    /// The name of an object's file.
    fn object(&self, hash: &str) -> Option<&[u8]> {
        let name = format!("objects/{}/{}", hash.get(..2)?, hash.get(2..)?);
        Some(&self.files.get(&name)?.0)
    }

    /// An object of the stated size.
    fn sized(&self, object: &Value) -> bool {
        let bytes = object["sha256"].as_str().and_then(|hash| self.object(hash));
        bytes.is_some_and(|bytes| object["bytes"] == bytes.len())
    }
}

/// Strict as far as the tests need it: no key twice, nothing behind the end.
fn read_json(bytes: &[u8]) -> Option<Value> {
    let value = Doc::parse(bytes)?.value()?;
    shallow(&value, 64).then_some(value)
}

fn shallow(value: &Value, depth: usize) -> bool {
    let inner = |value: &Value| depth > 0 && shallow(value, depth - 1);
    match value {
        Value::Array(items) => depth > 0 && items.iter().all(inner),
        Value::Object(members) => depth > 0 && members.values().all(inner),
        _ => true,
    }
}

fn records(files: &Files) -> Option<Vec<Value>> {
    let text = &files.get("journal.jsonl")?.0;
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let (last, lines) = lines.split_last()?;
    last.is_empty().then_some(())?;
    lines.iter().map(|line| read_json(line)).collect()
}

impl Oracle {
    pub(super) fn of(good: &Files) -> Self {
        let json = |name: &str| read_json(&good[name].0).unwrap();
        let all = records(good).unwrap();
        let mut strange = BTreeSet::new();
        for record in &all {
            shape::strangers(shape::RECORD, record, "record", &mut strange);
        }
        for (name, (bytes, _)) in good {
            let read = || read_json(bytes).unwrap();
            if name.starts_with("reviews/") {
                shape::strangers(shape::REVIEW, &read(), "review", &mut strange);
            } else if name.starts_with("private/mappings/") {
                shape::strangers(shape::MAPPING, &read(), "mapping", &mut strange);
            }
        }
        let mut oracle = Self {
            good: good.clone(),
            plan: json("plan.json"),
            lock: json("sealed/suite.lock.json"),
            suite: String::from_utf8(good["sealed/suite.toml"].0.clone())
                .unwrap()
                .parse()
                .unwrap(),
            packets: good
                .iter()
                .filter(|(name, _)| name.ends_with("/packet.json"))
                .map(|(name, (bytes, _))| (name.clone(), read_json(bytes).unwrap()))
                .collect(),
            strange,
            trees: BTreeMap::new(),
            pictures: BTreeSet::new(),
            baselines: BTreeMap::new(),
            checks: BTreeMap::new(),
        };
        for record in &all {
            oracle.learn(&record["event"]);
        }
        oracle
    }

    fn learn(&mut self, event: &Value) {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let decks = [
            &event["attempt_ended"]["artifact"]["stored"],
            &event["baseline_rendered"]["artifact"],
        ];
        for deck in decks.into_iter().filter(|deck| deck.is_object()) {
            self.trees
                .insert(text(&deck["tree"]["sha256"]), text(&deck["tree_sha256"]));
        }
        for render in [
            &event["trial_judged"]["render"],
            &event["baseline_rendered"]["render"],
        ] {
            for slide in render["slides"].as_array().into_iter().flatten() {
                self.pictures.insert(text(&slide["sha256"]));
            }
        }
        let baseline = &event["baseline_rendered"];
        if baseline.is_object() {
            let files = self.tree_files(baseline["artifact"]["tree"]["sha256"].as_str().unwrap());
            let key = (text(&baseline["case"]), text(&baseline["arm"]));
            self.baselines
                .insert(key, (files, text(&baseline["artifact"]["entry"])));
        }
        let judged = &event["trial_judged"];
        if judged.is_object() {
            let names = judged["checks"]
                .as_array()
                .unwrap()
                .iter()
                .map(|check| text(&check["name"]));
            self.checks.insert(text(&judged["trial"]), names.collect());
        }
    }

    fn tree_files(&self, hash: &str) -> Vec<(String, String)> {
        let (bytes, _) = &self.good[&format!("objects/{}/{}", &hash[..2], &hash[2..])];
        let tree = read_json(bytes).unwrap();
        let entries = tree["entries"].as_array().unwrap().iter();
        entries
            .filter_map(|entry| {
                Some((
                    entry["path"].as_str()?.to_owned(),
                    entry["sha256"].as_str()?.to_owned(),
                ))
            })
            .collect()
    }

    /// Keys of records that are newer than the oracle.
    pub(super) fn strange(&self) -> &BTreeSet<String> {
        &self.strange
    }

    /// Whether the experiment at `root` may pass.
    pub(super) fn judge(&self, root: &Path) -> Answer {
        let mut files = Files::new();
        read_all(root, "", &mut files);
        match self.passes(files) {
            Some((true, false)) => Answer::Pass,
            Some((true, true)) => Answer::Unjudged,
            _ => Answer::NoPass,
        }
    }

    /// `None` where something is missing or of another type: then nothing may pass. The second
    /// truth value says that something is newer than the oracle.
    fn passes(&self, files: Files) -> Option<(bool, bool)> {
        let executable = self.files_hold(&files)?;
        let text = String::from_utf8(files.get("sealed/suite.toml")?.0.clone()).ok()?;
        let seen = Seen {
            oracle: self,
            plan: read_json(&files.get("plan.json")?.0)?,
            suite: text.parse().ok()?,
            events: history::chain(&files, &self.strange)?,
            files,
        };
        let holds = history::holds(&seen)?
            && gates::suite_holds(&seen)?
            && comparisons::hold(&seen)?
            && gates::hold(&seen)?;
        Some((holds, executable))
    }

    /// What no rule lets change has not, and nothing is there that no rule lets be there. Gives
    /// whether a flag of the lock differs that nothing but a task tree could contradict.
    fn files_hold(&self, files: &Files) -> Option<bool> {
        let passed_over = |name: &str| {
            name.starts_with("work/")
                || name.starts_with("private/runs/")
                || name == "private/run.lock"
                || matches!(name, "summary.json" | "report.html")
                || is_left_over(name)
        };
        for (name, (bytes, mode)) in files.iter().filter(|(name, _)| !passed_over(name)) {
            if let Some(hash) = name.strip_prefix("objects/") {
                let plain = *mode != 0 && hash.get(2..3) == Some("/");
                (plain && hash.replacen('/', "", 1) == sha(bytes)).then_some(())?;
            } else if name.starts_with("private/mappings/") {
                (*mode == 0o600).then_some(())?;
            } else if !is_document(name) && !is_stamped(name) {
                let (good, good_mode) = self.good.get(name)?;
                (good == bytes && (mode == good_mode || !name.starts_with("sealed/tasks/")))
                    .then_some(())?;
            }
        }
        let gone = self
            .good
            .keys()
            .find(|name| !passed_over(name) && !is_document(name) && !files.contains_key(*name));
        gone.is_none().then_some(())?;
        self.lock_holds(files)
    }

    fn lock_holds(&self, files: &Files) -> Option<bool> {
        let lock = &files.get("sealed/suite.lock.json")?.0;
        let (mut found, suite) = (read_json(lock)?, &files.get("sealed/suite.toml")?.0);
        let plan = read_json(&files.get("plan.json")?.0)?;
        let bound = found["suite_sha256"] == *sha(suite)
            && plan["suite_sha256"] == *sha(suite)
            && plan["lock_sha256"] == *sha(lock);
        bound.then_some(())?;
        found["suite_sha256"] = self.lock["suite_sha256"].clone();
        if found == self.lock {
            return Some(false);
        }
        for (one, good) in found["files"]
            .as_array_mut()?
            .iter_mut()
            .zip(self.lock["files"].as_array()?)
        {
            one["executable"].as_bool()?;
            one["executable"] = good["executable"].clone();
        }
        (found == self.lock).then_some(true)
    }
}

/// What an interrupted write of ours leaves. No packet and no task tree is written in place.
fn is_left_over(name: &str) -> bool {
    let whole = ["packets/", "sealed/tasks/"]
        .iter()
        .any(|folder| name.starts_with(folder));
    let file = name.rsplit('/').next().unwrap_or_default();
    !whole && file.starts_with(".deckproof-") && file.len() == 17
}

/// Files of a packet that carry the hash of its `packet.json`.
fn is_stamped(name: &str) -> bool {
    name.starts_with("packets/")
        && (name.ends_with("/page.html") || name.ends_with("/response.json"))
}
