// SPDX-License-Identifier: MIT OR Apache-2.0
//! The documents of one experiment, bent in memory, sealed again as far as a forger would go, and
//! put on disk and taken back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use deckproof_packets::hash::{FieldHasher, Sha256Hex};
use deckproof_packets::mapping::Mapping;

use super::super::{mode, set_mode};
use super::doc::Doc;

/// How far a change is covered up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sealing {
    /// Not at all.
    Nothing,
    /// The journal's chain holds.
    Chain,
    /// Every hash of a document that another document carries fits again.
    Everything,
}

/// Every document that carries the verdict.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub suite: String,
    pub lock: Doc,
    pub plan: Doc,
    pub records: Vec<Doc>,
    pub head: Doc,
    pub mappings: BTreeMap<String, Doc>,
    pub packets: BTreeMap<String, Doc>,
    pub reviews: BTreeMap<String, Doc>,
    /// The responses as they were handed in, by hash: those of the good reviews, and new ones.
    responses: BTreeMap<String, Doc>,
    new_responses: BTreeMap<String, String>,
}

/// Where an object lies.
fn object(hash: &str) -> String {
    format!("objects/{}/{}", &hash[..2], &hash[2..])
}

fn sha256(text: &str) -> Doc {
    Doc::text(Sha256Hex::of(text.as_bytes()))
}

fn folder(root: &Path, name: &str) -> Vec<String> {
    let mut names: Vec<String> = fs_err::read_dir(root.join(name))
        .unwrap()
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

impl Evidence {
    pub(super) fn read(root: &Path) -> Self {
        let text = |name: &str| fs_err::read_to_string(root.join(name)).unwrap();
        let doc = |name: &str| Doc::parse(text(name).as_bytes()).unwrap();
        let all = |below: &str, file: &str| {
            let names = folder(root, below).into_iter();
            names
                .map(|name| (name.clone(), doc(&format!("{below}/{name}{file}"))))
                .collect()
        };
        let lines = text("journal.jsonl");
        let reviews: BTreeMap<String, Doc> = all("reviews", "");
        let responses = reviews.values().map(|review| {
            let hash = review.get("response_sha256").and_then(Doc::as_str).unwrap();
            (hash.to_owned(), doc(&object(hash)))
        });
        Self {
            responses: responses.collect(),
            new_responses: BTreeMap::new(),
            suite: text("sealed/suite.toml"),
            lock: doc("sealed/suite.lock.json"),
            plan: doc("plan.json"),
            records: lines
                .lines()
                .map(|line| Doc::parse(line.as_bytes()).unwrap())
                .collect(),
            head: doc("journal.head"),
            mappings: all("private/mappings", ""),
            packets: all("packets", "/packet.json"),
            reviews,
        }
    }

    /// The events of one kind.
    pub(super) fn events(&self, kind: &str) -> Vec<&Doc> {
        let keys = format!("event/{kind}");
        self.records
            .iter()
            .filter_map(|record| record.at(&keys))
            .collect()
    }

    pub(super) fn events_mut(&mut self, kind: &str) -> Vec<&mut Doc> {
        let keys = format!("event/{kind}");
        self.records
            .iter_mut()
            .filter_map(|record| record.at_mut(&keys))
            .collect()
    }

    /// Makes the hashes fit again. A link whose ends a mutation took away stays as it is.
    pub(super) fn seal(&mut self, sealing: Sealing) {
        if sealing == Sealing::Everything {
            self.seal_suite();
            self.seal_renders();
            self.seal_mappings();
            self.seal_plan();
            self.seal_packets();
            self.seal_reviews();
        }
        if sealing != Sealing::Nothing {
            self.seal_chain();
        }
    }

    fn seal_suite(&mut self) {
        self.lock.set("suite_sha256", sha256(&self.suite));
        self.plan.set("suite_sha256", sha256(&self.suite));
        self.plan
            .set("lock_sha256", Doc::text(self.lock.pretty_sha256()));
        let mut first = self.plan.clone();
        first.set("commitments", Doc::List(Vec::new()));
        for event in self.events_mut("prepared") {
            event.set("plan_sha256", Doc::text(first.pretty_sha256()));
        }
    }

    fn seal_renders(&mut self) {
        let mut renders = self.events_mut("trial_judged");
        for event in &mut renders {
            seal_render(event);
        }
        for event in self.events_mut("baseline_rendered") {
            seal_render(event);
        }
    }

    fn seal_mappings(&mut self) {
        let sides: BTreeMap<String, [Doc; 2]> = self.sides();
        for mapping in self.mappings.values_mut() {
            let trial = mapping.get("trial").and_then(Doc::as_str);
            if let Some([candidate, baseline]) = trial.and_then(|trial| sides.get(trial)).cloned() {
                mapping.set("candidate_side", candidate);
                mapping.set("baseline_side", baseline);
            }
        }
        let commitments = self.commitments();
        for one in self
            .plan
            .at_mut("commitments")
            .map(Doc::items_mut)
            .unwrap_or_default()
        {
            let packet = one.get("packet").and_then(Doc::as_str);
            if let Some(commitment) = packet.and_then(|packet| commitments.get(packet)).cloned() {
                one.set("commitment", Doc::text(commitment));
            }
        }
    }

    fn commitments(&self) -> BTreeMap<String, String> {
        let read = |mapping: &Doc| {
            let mapping: Mapping = serde_json::from_str(&mapping.line()).ok()?;
            Some((mapping.packet.to_string(), mapping.commitment().to_string()))
        };
        self.mappings.values().filter_map(read).collect()
    }

    /// What the records say that each trial and its baseline show.
    fn sides(&self) -> BTreeMap<String, [Doc; 2]> {
        let side = |artifact: Option<&Doc>, render: Option<&Doc>| {
            Some(Doc::Object(vec![
                (
                    "artifact_sha256".to_owned(),
                    artifact?.get("tree_sha256")?.clone(),
                ),
                (
                    "render_set_sha256".to_owned(),
                    render?.get("sha256")?.clone(),
                ),
            ]))
        };
        let mut all = BTreeMap::new();
        for judged in self.events("trial_judged") {
            let trial = judged
                .get("trial")
                .and_then(Doc::as_str)
                .unwrap_or_default();
            let same = |event: &&Doc| event.get("trial") == judged.get("trial");
            let ended = self.events("attempt_ended").into_iter().find(same);
            let artifact = ended.and_then(|ended| ended.at("artifact/stored"));
            let baseline = self.events("baseline_rendered").into_iter().find(|one| {
                let name = |key| one.get(key).and_then(Doc::as_str).unwrap_or_default();
                trial.starts_with(&format!("{}.{}.", name("case"), name("arm")))
            });
            let old = baseline.map(|one| side(one.get("artifact"), one.get("render")));
            if let (Some(new), Some(Some(old))) = (side(artifact, judged.get("render")), old) {
                all.insert(trial.to_owned(), [new, old]);
            }
        }
        all
    }

    fn seal_plan(&mut self) {
        let hash = self.plan.pretty_sha256();
        for event in self.events_mut("mappings_drawn") {
            event.set("plan_sha256", Doc::text(&hash));
        }
    }

    fn seal_packets(&mut self) {
        let commitments = self.commitments();
        let mut hashes = BTreeMap::new();
        for (name, packet) in &mut self.packets {
            if let Some(commitment) = commitments.get(name) {
                packet.set("commitment", Doc::text(commitment));
            }
            hashes.insert(name.clone(), packet.pretty_sha256());
        }
        for event in self.events_mut("packet_written") {
            let packet = event.get("packet").and_then(Doc::as_str);
            if let Some(hash) = packet.and_then(|packet| hashes.get(packet)).cloned() {
                event.set("packet_sha256", Doc::text(hash));
            }
        }
    }

    fn seal_reviews(&mut self) {
        let reviews = std::mem::take(&mut self.reviews);
        for (file, mut review) in reviews {
            self.bind(&mut review);
            self.hand_in(&mut review);
            let id = review_id(&review);
            if let Some(id) = &id {
                review.set("id", Doc::text(id));
            }
            let name = id.map_or_else(|| file.clone(), |id| format!("{id}.json"));
            let hash = review.pretty_sha256();
            for event in self.events_mut("review_accepted") {
                if event.get("file").and_then(Doc::as_str) == Some(&file) {
                    event.set("file", Doc::text(&name));
                    event.set("sha256", Doc::text(&hash));
                    let packet = review.at("response/packet").cloned();
                    event.set("packet", packet.unwrap_or(Doc::Null));
                }
            }
            self.reviews.insert(name, review);
        }
    }

    fn bind(&self, review: &mut Doc) -> Option<()> {
        let packet = review.at("response/packet")?.as_str()?.to_owned();
        let hash = Doc::text(self.packets.get(&packet)?.pretty_sha256());
        review.set("response/packet_sha256", hash.clone());
        review.set("bindings/packet_sha256", hash);
        let mapping = self.mappings.get(&format!("{packet}.json"))?;
        let labels = match mapping.get("candidate")?.as_str()? {
            "A" => ["A", "B"],
            _ => ["B", "A"],
        };
        review.set(
            &format!("bindings/labels/{}", labels[0]),
            mapping.get("candidate_side")?.clone(),
        );
        review.set(
            &format!("bindings/labels/{}", labels[1]),
            mapping.get("baseline_side")?.clone(),
        )
    }

    /// Makes another response the one that was handed in.
    fn hand_in(&mut self, review: &mut Doc) -> Option<()> {
        let response = review.get("response")?.clone();
        let hash = review.get("response_sha256")?.as_str()?;
        let same = self
            .responses
            .get(hash)
            .is_some_and(|good| good.value() == response.value());
        if same {
            return Some(());
        }
        let text = response.line();
        let hash = Sha256Hex::of(text.as_bytes()).to_string();
        self.new_responses.insert(hash.clone(), text);
        review.set("response_sha256", Doc::text(hash))
    }

    fn seal_chain(&mut self) {
        let mut previous = sha256("");
        let mut number = 0;
        for record in &mut self.records {
            record.set("sequence", Doc::count(number));
            record.set("previous", previous);
            previous = sha256(&record.line());
            number += 1;
        }
        self.head
            .set("sequence", Doc::count(number.saturating_sub(1)));
        self.head.set("sha256", previous);
    }

    /// Every file that the documents come to.
    pub(super) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut add = |name: String, text: String| drop(files.insert(name, text.into_bytes()));
        add("sealed/suite.toml".to_owned(), self.suite.clone());
        add("sealed/suite.lock.json".to_owned(), self.lock.pretty());
        add("plan.json".to_owned(), self.plan.pretty());
        let lines = self.records.iter().map(|record| record.line() + "\n");
        add("journal.jsonl".to_owned(), lines.collect());
        add("journal.head".to_owned(), self.head.pretty());
        for (name, mapping) in &self.mappings {
            add(format!("private/mappings/{name}"), mapping.pretty());
        }
        for (name, packet) in &self.packets {
            add(format!("packets/{name}/packet.json"), packet.pretty());
        }
        for (name, review) in &self.reviews {
            add(format!("reviews/{name}"), review.pretty());
        }
        for (hash, response) in &self.new_responses {
            add(object(hash), response.clone());
        }
        files
    }
}

fn seal_render(event: &mut Doc) -> Option<()> {
    let mut lines = String::new();
    for (number, slide) in (1..).zip(event.at("render/slides")?.items()) {
        lines.push_str(&format!("{number}\0{}\n", slide.get("sha256")?.as_str()?));
    }
    event.set("render/sha256", sha256(&lines))
}

fn review_id(review: &Doc) -> Option<String> {
    let packet = review.at("response/packet")?.as_str()?;
    let response = review.get("response_sha256")?.as_str()?;
    let mut hasher = FieldHasher::new("deckproof.review.id");
    hasher.field(packet.as_bytes()).field(response.as_bytes());
    Some(hasher.finish().as_str()[..32].to_owned())
}

/// The experiment on disk, to be changed and put back.
pub(in crate::verify::tests) struct Stage {
    pub root: PathBuf,
    /// Every file as it was: bytes and mode.
    pub good: BTreeMap<String, (Vec<u8>, u32)>,
    touched: Vec<String>,
}

impl Stage {
    pub(in crate::verify::tests) fn new(root: &Path) -> Self {
        let mut good = BTreeMap::new();
        read_all(root, "", &mut good);
        Self {
            root: root.to_owned(),
            good,
            touched: Vec::new(),
        }
    }

    /// Writes a file, or removes it.
    pub(in crate::verify::tests) fn put(&mut self, name: &str, bytes: Option<&[u8]>) {
        self.touched.push(name.to_owned());
        self.write(
            name,
            bytes,
            self.good.get(name).map_or(0o644, |(_, mode)| *mode),
        );
    }

    pub(super) fn change_mode(&mut self, name: &str, mode: u32) {
        self.touched.push(name.to_owned());
        set_mode(&self.root.join(name), mode);
    }

    fn write(&self, name: &str, bytes: Option<&[u8]>, file_mode: u32) {
        let path = self.root.join(name);
        let folder = path.parent().unwrap();
        let made = !folder.exists();
        fs_err::create_dir_all(folder).unwrap();
        let before = mode(folder);
        set_mode(folder, 0o700);
        let _ = fs_err::remove_file(&path);
        if let Some(bytes) = bytes {
            fs_err::write(&path, bytes).unwrap();
            set_mode(&path, file_mode);
        }
        set_mode(folder, before);
        if bytes.is_none() && !made {
            self.tidy(name);
        }
    }

    /// Removes a folder that only a stray file made.
    fn tidy(&self, name: &str) {
        let below = |folder: &str| self.good.keys().any(|file| file.starts_with(folder));
        if let Some((folder, _)) = name.rsplit_once('/')
            && !below(&format!("{folder}/"))
        {
            let _ = fs_err::remove_dir(self.root.join(folder));
        }
    }

    /// Puts the files of bent documents in place, where they differ. The files of a packet that
    /// carry its hash carry the new one.
    pub(super) fn apply(&mut self, bent: &Evidence, stamp: bool) {
        let files = bent.files();
        let documents: Vec<String> = self
            .good
            .keys()
            .filter(|name| is_document(name))
            .cloned()
            .collect();
        for name in documents {
            if !files.contains_key(&name) {
                self.put(&name, None);
            }
        }
        for (name, bytes) in &files {
            if self.good.get(name).is_some_and(|(good, _)| good == bytes) {
                continue;
            }
            self.put(name, Some(bytes));
            if let (Some(packet), true) = (name.strip_suffix("/packet.json"), stamp) {
                self.stamp(packet, bytes);
            }
        }
    }

    fn stamp(&mut self, packet: &str, bytes: &[u8]) {
        let Some((good, _)) = self.good.get(&format!("{packet}/packet.json")) else {
            return;
        };
        let (old, new) = (Sha256Hex::of(good), Sha256Hex::of(bytes));
        for file in ["page.html", "response.json"] {
            let name = format!("{packet}/{file}");
            let text = String::from_utf8(self.good[&name].0.clone()).unwrap();
            self.put(
                &name,
                Some(text.replace(old.as_str(), new.as_str()).as_bytes()),
            );
        }
    }

    /// The good experiment again.
    pub(in crate::verify::tests) fn restore(&mut self) {
        for name in std::mem::take(&mut self.touched) {
            match self.good.get(&name) {
                Some((bytes, mode)) => self.write(&name, Some(bytes), *mode),
                None => self.write(&name, None, 0),
            }
        }
    }
}

pub(super) fn is_document(name: &str) -> bool {
    matches!(
        name,
        "plan.json"
            | "journal.jsonl"
            | "journal.head"
            | "sealed/suite.toml"
            | "sealed/suite.lock.json"
    ) || name.starts_with("private/mappings/")
        || name.starts_with("reviews/")
        || (name.starts_with("packets/") && name.ends_with("/packet.json"))
}

/// Every file below `root`, links not followed.
pub(super) fn read_all(root: &Path, below: &str, files: &mut BTreeMap<String, (Vec<u8>, u32)>) {
    for item in fs_err::read_dir(root.join(below)).unwrap() {
        let path = item.unwrap().path();
        let name = path
            .strip_prefix(root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let metadata = fs_err::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            read_all(root, &name, files);
        } else if metadata.is_file() {
            files.insert(name, (fs_err::read(&path).unwrap(), mode(&path)));
        } else {
            files.insert(name, (b"a link or a special file".to_vec(), 0));
        }
    }
}
