// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle's packets, mappings and reviews.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::shape::{self, fits};
use super::{Seen, field_hash, history, read_json, sha};
use crate::verify::tests::mutations::doc::Doc;

pub(super) fn hold(seen: &Seen<'_>) -> Option<bool> {
    Some(mappings_hold(seen)? && packets_hold(seen)? && reviews_hold(seen)?)
}

fn names<'a>(seen: &'a Seen<'_>, folder: &'a str) -> impl Iterator<Item = &'a str> {
    seen.files
        .keys()
        .filter_map(move |name| name.strip_prefix(folder))
}

/// The mappings by packet.
fn mappings(seen: &Seen<'_>) -> Option<BTreeMap<String, Value>> {
    let mut all = BTreeMap::new();
    for one in seen.plan["commitments"].as_array()? {
        let packet = one["packet"].as_str()?;
        all.insert(
            packet.to_owned(),
            seen.json(&format!("private/mappings/{packet}.json"))?,
        );
    }
    Some(all)
}

fn mappings_hold(seen: &Seen<'_>) -> Option<bool> {
    let all = mappings(seen)?;
    let trials = history::trials(seen);
    let mut compared = BTreeSet::new();
    let mut fine = names(seen, "private/mappings/").count() == all.len();
    for one in seen.plan["commitments"].as_array()? {
        let packet = one["packet"].as_str()?;
        let mapping = &all[packet];
        fine &= fits(shape::MAPPING, mapping, "mapping", &seen.oracle.strange);
        let text = |keys: &str| mapping.pointer(keys).and_then(Value::as_str);
        let label = text("/candidate")?;
        let other = if label == "A" { "B" } else { "A" };
        let commitment = field_hash(&[
            "deckproof.commitment.v1",
            text("/packet")?,
            label,
            text("/candidate_side/artifact_sha256")?,
            text("/candidate_side/render_set_sha256")?,
            other,
            text("/baseline_side/artifact_sha256")?,
            text("/baseline_side/render_set_sha256")?,
            text("/nonce")?,
        ]);
        fine &= mapping["packet"] == *packet && one["commitment"] == *commitment;
        let name = text("/trial")?;
        let trial = trials.get(name)?;
        fine &= compared.insert(name.to_owned());
        let judged = trial.judged.as_ref()?;
        let (_, ended) = trial.attempts.last()?.ended.as_ref()?;
        let baseline = history::of_kind(seen, "baseline_rendered").find(|one| {
            let arm = (
                one["case"].as_str().unwrap_or_default(),
                one["arm"].as_str().unwrap_or_default(),
            );
            name.rsplit_once('.')
                .is_some_and(|(cell, _)| cell == format!("{}.{}", arm.0, arm.1))
        })?;
        fine &= shows(
            &mapping["candidate_side"],
            &ended["artifact"]["stored"],
            &judged["render"],
        );
        fine &= shows(
            &mapping["baseline_side"],
            &baseline["artifact"],
            &baseline["render"],
        );
    }
    // A deck with pictures that nobody is asked about could not fail its review.
    let left_out = trials.iter().any(|(name, trial)| {
        let slides = trial
            .judged
            .as_ref()
            .and_then(|judged| judged["render"]["slides"].as_array());
        slides.is_some_and(|slides| !slides.is_empty()) && !compared.contains(name)
    });
    Some(fine && !left_out)
}

fn shows(side: &Value, deck: &Value, render: &Value) -> bool {
    deck.is_object()
        && render.is_object()
        && side["artifact_sha256"] == deck["tree_sha256"]
        && side["render_set_sha256"] == render["sha256"]
}

fn render_set(seen: &Seen<'_>, packet: &str, label: &str) -> String {
    let mut lines = String::new();
    for number in 1.. {
        let Some((bytes, _)) = seen
            .files
            .get(&format!("packets/{packet}/{label}/slide-{number:03}.png"))
        else {
            break;
        };
        lines.push_str(&format!("{number}\0{}\n", sha(bytes)));
    }
    sha(lines.as_bytes())
}

fn packets_hold(seen: &Seen<'_>) -> Option<bool> {
    let mappings = mappings(seen)?;
    let folders: BTreeSet<&str> = names(seen, "packets/")
        .filter_map(|name| name.split('/').next())
        .collect();
    let mut fine = folders
        .iter()
        .copied()
        .eq(mappings.keys().map(String::as_str));
    for written in history::of_kind(seen, "packet_written") {
        let packet = written["packet"].as_str()?;
        let mapping = mappings.get(packet)?;
        let name = format!("packets/{packet}/packet.json");
        let (bytes, _) = seen.files.get(&name)?;
        let mut document = read_json(bytes)?;
        fine &= written["packet_sha256"] == *sha(bytes);
        let plan = seen.plan["commitments"]
            .as_array()?
            .iter()
            .find(|one| one["packet"] == *packet)?;
        fine &= document["commitment"] == plan["commitment"];
        let other = if mapping["candidate"] == "A" {
            "B"
        } else {
            "A"
        };
        fine &= mapping["candidate_side"]["render_set_sha256"]
            == *render_set(seen, packet, mapping["candidate"].as_str()?);
        fine &= mapping["baseline_side"]["render_set_sha256"] == *render_set(seen, packet, other);
        // But for the commitment and the words for the job it is what it was, to the byte.
        let good = &seen.oracle.packets[&name];
        // Reviewers were asked on the suite's scale.
        for key in ["score_min", "score_max", "min_rationale_chars"] {
            fine &= document["form"][key].as_i64() == Some(number(seen, key)?);
        }
        fine &= document["mode"].is_string();
        let (mode, commitment) = (document["mode"].clone(), document["commitment"].clone());
        document["mode"] = good["mode"].clone();
        document["commitment"] = good["commitment"].clone();
        fine &= document == *good
            && *bytes == as_written(&seen.oracle.good[&name].0, &mode, &commitment)?;
        fine &= stamped(seen, packet)?;
    }
    Some(fine)
}

/// The good document's bytes with another mode and commitment.
fn as_written(good: &[u8], mode: &Value, commitment: &Value) -> Option<Vec<u8>> {
    let mut doc = Doc::parse(good)?;
    doc.set("mode", Doc::text(mode.as_str()?));
    doc.set("commitment", Doc::text(commitment.as_str()?));
    Some(doc.pretty().into_bytes())
}

/// The files that carry the packet's hash do so once, and are otherwise what they were.
fn stamped(seen: &Seen<'_>, packet: &str) -> Option<bool> {
    let hash =
        |files: &super::Files| Some(sha(&files.get(&format!("packets/{packet}/packet.json"))?.0));
    let (now, good) = (hash(&seen.files)?, hash(&seen.oracle.good)?);
    let same = |file: &str| {
        let name = format!("packets/{packet}/{file}");
        let text = String::from_utf8(seen.files.get(&name)?.0.clone()).ok()?;
        let expected = String::from_utf8(seen.oracle.good[&name].0.clone()).ok()?;
        Some(text == expected.replace(&good, &now))
    };
    Some(same("page.html")? && same("response.json")?)
}

/// What earlier reviews and builders took.
#[derive(Default)]
struct Taken {
    threads: BTreeSet<String>,
    models: BTreeSet<String>,
    seats: BTreeSet<[String; 3]>,
    reasons: BTreeSet<String>,
}

fn reviews_hold(seen: &Seen<'_>) -> Option<bool> {
    let mappings = mappings(seen)?;
    let mut taken = builders(seen);
    let mut fine = true;
    let mut files = BTreeSet::new();
    for event in history::of_kind(seen, "review_accepted") {
        let file = event["file"].as_str()?;
        files.insert(file);
        let name = format!("reviews/{file}");
        let (bytes, _) = seen.files.get(&name)?;
        let review = read_json(bytes)?;
        let response = &review["response"];
        let packet = event["packet"].as_str()?;
        fine &= event["sha256"] == *sha(bytes)
            && fits(shape::REVIEW, &review, "review", &seen.oracle.strange);
        let id = &field_hash(&[
            "deckproof.review.id",
            packet,
            review["response_sha256"].as_str()?,
        ])[..32];
        fine &=
            review["id"] == *id && file == format!("{id}.json") && response["packet"] == *packet;
        fine &= bound(seen, &review, packet, mappings.get(packet)?)?;
        let handed_in = seen.object(review["response_sha256"].as_str()?)?;
        fine &= read_json(handed_in).as_ref() == Some(response);
        fine &= reviewer_holds(seen, response, &mut taken)?;
        fine &= judged_well(seen, response, &mut taken)?;
    }
    Some(fine && names(seen, "reviews/").all(|name| files.contains(name)))
}

fn builders(seen: &Seen<'_>) -> Taken {
    let mut taken = Taken::default();
    let lower = |value: &Value| value.as_str().unwrap_or_default().to_lowercase();
    for ended in history::of_kind(seen, "attempt_ended") {
        taken.threads.insert(lower(&ended["trace"]["thread_id"]));
        for key in ["requested_model", "observed_model"] {
            taken.models.insert(lower(&ended["trace"][key]));
        }
    }
    for baseline in seen.suite["baseline"].as_array().into_iter().flatten() {
        let model = baseline.get("model").and_then(toml::Value::as_str);
        taken
            .models
            .insert(model.unwrap_or_default().to_lowercase());
    }
    taken
}

fn bound(seen: &Seen<'_>, review: &Value, packet: &str, mapping: &Value) -> Option<bool> {
    let hash = |file: &str| Some(sha(&seen.files.get(&format!("packets/{packet}/{file}"))?.0));
    let bindings = &review["bindings"];
    let label = mapping["candidate"].as_str()?;
    let other = if label == "A" { "B" } else { "A" };
    Some(
        bindings["packet_sha256"] == *hash("packet.json")?
            && review["response"]["packet_sha256"] == bindings["packet_sha256"]
            && bindings["prompt_sha256"] == *hash("prompt.md")?
            && bindings["requirements_sha256"] == *hash("requirements.json")?
            && bindings["labels"][label] == mapping["candidate_side"]
            && bindings["labels"][other] == mapping["baseline_side"],
    )
}

pub(super) fn words<'a>(seen: &'a Seen<'_>, key: &str) -> Vec<&'a str> {
    let list = seen.suite["review"]
        .get(key)
        .and_then(toml::Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(toml::Value::as_str)
        .collect()
}

fn number(seen: &Seen<'_>, key: &str) -> Option<i64> {
    seen.suite["review"].get(key)?.as_integer()
}

fn reviewer_holds(seen: &Seen<'_>, response: &Value, taken: &mut Taken) -> Option<bool> {
    let reviewer = &response["reviewer"];
    let (kind, id, thread) = (
        reviewer["type"].as_str()?,
        reviewer["id"].as_str()?,
        reviewer["thread"].as_str()?,
    );
    let allowed = [
        words(seen, "required_reviewer_types"),
        words(seen, "optional_reviewer_types"),
    ]
    .concat();
    let independent = seen.suite["review"]
        .get("independent_model")
        .and_then(toml::Value::as_bool)
        == Some(true);
    let model = match (kind, reviewer["model"].as_str()) {
        ("model", Some(model)) => {
            says(model, 0)
                && model.trim() == model
                && !(independent && taken.models.contains(&model.to_lowercase()))
        }
        ("model", None) => false,
        (_, model) => model.is_none(),
    };
    let seat = [
        response["packet"].to_string(),
        kind.to_owned(),
        id.to_lowercase(),
    ];
    let identities = [id, thread]
        .iter()
        .all(|text| says(text, 0) && text.trim() == *text && text.chars().count() <= 200);
    Some(
        allowed.contains(&kind)
            && model
            && identities
            && taken.threads.insert(thread.to_lowercase())
            && taken.seats.insert(seat),
    )
}

/// Words that are neither blank nor those of an empty form.
fn says(text: &str, least: usize) -> bool {
    const EMPTY: [&str; 8] = [
        "todo",
        "tbd",
        "n/a",
        "none",
        "null",
        "unknown",
        "anonymous",
        "placeholder",
    ];
    let hidden = |c: char| {
        (c.is_control() && (least == 0 || !"\n\r\t".contains(c)))
            || ('\u{200b}'..='\u{200f}').contains(&c)
            || ('\u{202a}'..='\u{202e}').contains(&c)
    };
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    let different: BTreeSet<&char> = letters.iter().collect();
    !text.chars().any(hidden)
        && !EMPTY.contains(&text.trim().to_lowercase().as_str())
        && letters.len() >= least.max(1)
        && different.len() >= least.min(5)
}

fn judged_well(seen: &Seen<'_>, response: &Value, taken: &mut Taken) -> Option<bool> {
    let least = usize::try_from(number(seen, "min_rationale_chars")?).ok()?;
    let scale = number(seen, "score_min")?..=number(seen, "score_max")?;
    let names: BTreeSet<&str> = ["fidelity", "design"].into();
    let mut fine = says(response["overall_rationale"].as_str()?, least);
    let mut reasons = String::new();
    for label in ["A", "B"] {
        let dimensions = response["labels"][label]["dimensions"].as_object()?;
        fine &= dimensions
            .keys()
            .map(String::as_str)
            .collect::<BTreeSet<_>>()
            == names;
        let mut own = BTreeSet::new();
        for (name, judgement) in dimensions {
            let rationale = judgement["rationale"].as_str()?;
            let folded: Vec<String> = rationale
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .map(str::to_lowercase)
                .collect();
            fine &= says(rationale, least) && scale.contains(&judgement["score"].as_i64()?);
            fine &= own.insert(folded.join(" "));
            reasons.push_str(&format!("{label} {name} {}\n", folded.join(" ")));
        }
    }
    Some(fine && taken.reasons.insert(reasons))
}

/// Whether no review finds the candidate worse, and every required one is there.
pub(super) fn no_regression(seen: &Seen<'_>) -> Option<bool> {
    let floor = number(seen, "score_floor").unwrap_or(i64::MIN);
    let mut there: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mappings = mappings(seen)?;
    let mut fine = !mappings.is_empty();
    for event in history::of_kind(seen, "review_accepted") {
        let response = &seen.json(&format!("reviews/{}", event["file"].as_str()?))?["response"];
        let packet = response["packet"].as_str()?;
        let candidate = mappings.get(packet)?["candidate"].as_str()?;
        let other = if candidate == "A" { "B" } else { "A" };
        for name in ["fidelity", "design"] {
            let of = |label: &str| &response["labels"][label]["dimensions"][name];
            let (new, old) = (of(candidate), of(other));
            let score = new["score"].as_i64()?;
            fine &= new["pass"] == true && score >= old["score"].as_i64()? && score >= floor;
        }
        let kind = response["reviewer"]["type"].as_str()?;
        there
            .entry(packet.to_owned())
            .or_default()
            .insert(kind.to_owned());
    }
    let required = words(seen, "required_reviewer_types");
    let complete = mappings.keys().all(|packet| {
        let kinds = there.get(packet);
        required
            .iter()
            .all(|kind| kinds.is_some_and(|kinds| kinds.contains(*kind)))
    });
    Some(fine && complete)
}
