// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle's journal: the chain, and which event may follow which.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::shape::{self, fits};
use super::{Files, Seen, records, sha};
use crate::verify::tests::mutations::doc::Doc;

/// The events, if the chain holds and the head names a record.
pub(super) fn chain(files: &Files, strange: &BTreeSet<String>) -> Option<Vec<(String, Value)>> {
    let bytes = &files.get("journal.jsonl")?.0;
    let mut previous = sha(b"");
    let mut hashes = Vec::new();
    let mut events = Vec::new();
    let lines = bytes.split(|byte| *byte == b'\n');
    for (number, (line, record)) in lines.zip(records(files)?).enumerate() {
        let good = fits(shape::RECORD, &record, "record", strange)
            && record["sequence"] == number
            && record["previous"] == *previous;
        good.then_some(())?;
        previous = sha(line);
        hashes.push(previous.clone());
        let (kind, event) = record["event"].as_object()?.iter().next()?;
        events.push((kind.clone(), event.clone()));
    }
    let head = super::read_json(&files.get("journal.head")?.0)?;
    fits(shape::HEAD, &head, "head", strange).then_some(())?;
    let at = usize::try_from(head["sequence"].as_u64()?).ok()?;
    (head["sha256"] == **hashes.get(at)?).then_some(events)
}

/// One trial's attempts: number, launch, the end, and places in the journal.
#[derive(Default)]
pub(super) struct Trial {
    pub attempts: Vec<Attempt>,
    pub judged: Option<Value>,
}

pub(super) struct Attempt {
    pub started: Value,
    pub start: usize,
    pub ended: Option<(usize, Value)>,
}

/// The journal, gone through once.
pub(super) fn trials(seen: &Seen<'_>) -> BTreeMap<String, Trial> {
    let mut trials: BTreeMap<String, Trial> = BTreeMap::new();
    for (at, (kind, event)) in seen.events.iter().enumerate() {
        let name = event["trial"].as_str().unwrap_or_default().to_owned();
        match kind.as_str() {
            "attempt_started" => trials.entry(name).or_default().attempts.push(Attempt {
                started: event.clone(),
                start: at,
                ended: None,
            }),
            "attempt_ended" => {
                if let Some(last) = trials.entry(name).or_default().attempts.last_mut() {
                    last.ended = Some((at, event.clone()));
                }
            }
            "trial_judged" => trials.entry(name).or_default().judged = Some(event.clone()),
            _ => {}
        }
    }
    trials
}

/// Whether the plan is the good one, the events make sense in their order, and every figure and
/// object is sound.
pub(super) fn holds(seen: &Seen<'_>) -> Option<bool> {
    Some(
        plan_holds(seen)?
            && order_holds(seen)?
            && seen
                .events
                .iter()
                .all(|(kind, event)| sound(seen, kind, event).unwrap_or(false)),
    )
}

fn planned(plan: &Value) -> Option<BTreeMap<String, &Value>> {
    let trials = plan["trials"].as_array()?;
    trials
        .iter()
        .map(|trial| Some((trial["id"].as_str()?.to_owned(), trial)))
        .collect()
}

fn plan_holds(seen: &Seen<'_>) -> Option<bool> {
    let (found, good) = (&seen.plan, &seen.oracle.plan);
    let mut rest = found.clone();
    for key in ["suite_sha256", "lock_sha256", "commitments", "trials"] {
        rest[key] = good[key].clone();
    }
    let trials = found["trials"].as_array()?;
    let groups: Option<Vec<u64>> = trials.iter().map(|trial| trial["group"].as_u64()).collect();
    let commitments = found["commitments"].as_array()?;
    let fine = commitments
        .iter()
        .all(|one| one.as_object().is_some_and(|one| one.len() == 2));
    let packets: Option<Vec<&str>> = commitments
        .iter()
        .map(|one| one["packet"].as_str())
        .collect();
    let drawn: Vec<&Value> = of_kind(seen, "mappings_drawn").collect();
    let prepared = of_kind(seen, "prepared").next()?;
    let text = &seen.files.get("plan.json")?.0;
    Some(
        rest == *good
            && planned(found)? == planned(good)?
            && trials.len() == good["trials"].as_array()?.len()
            && groups?.is_sorted()
            && fine
            && packets?.is_sorted_by(|one, other| one < other)
            && drawn.last()?["plan_sha256"] == *sha(text)
            && prepared["plan_sha256"] == *first_plan(text)?,
    )
}

/// The hash of the plan as `prepare` wrote it: no commitments, and the keys in their order.
fn first_plan(text: &[u8]) -> Option<String> {
    const PLAN: [&str; 7] = [
        "schema",
        "suite",
        "suite_sha256",
        "lock_sha256",
        "schedule",
        "trials",
        "commitments",
    ];
    const TRIAL: [&str; 8] = [
        "id",
        "group",
        "task_tree_sha256",
        "task_list_sha256",
        "source_sha256",
        "spec_sha256",
        "prompt_sha256",
        "normalized_prompt_sha256",
    ];
    let ordered = |doc: &Doc, keys: &[&str]| {
        let members: Option<Vec<_>> = keys
            .iter()
            .map(|key| Some(((*key).to_owned(), doc.get(key)?.clone())))
            .collect();
        members.map(Doc::Object)
    };
    let mut plan = ordered(&Doc::parse(text)?, &PLAN)?;
    let trials: Option<Vec<Doc>> = plan
        .get("trials")?
        .items()
        .iter()
        .map(|trial| ordered(trial, &TRIAL))
        .collect();
    plan.set("trials", Doc::List(trials?));
    plan.set("commitments", Doc::List(Vec::new()));
    Some(sha(plan.pretty().as_bytes()))
}

pub(super) fn of_kind<'a>(seen: &'a Seen<'_>, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    seen.events
        .iter()
        .filter(move |(name, _)| name == kind)
        .map(|(_, event)| event)
}

fn settles(seen: &Seen<'_>, ended: &Value) -> bool {
    let retries = seen.suite["schedule"]["infrastructure_retries"]
        .as_integer()
        .unwrap_or(1);
    ended["outcome"].get("infrastructure_failed").is_none()
        || ended["attempt"]
            .as_u64()
            .is_some_and(|attempt| attempt > retries.unsigned_abs())
}

fn order_holds(seen: &Seen<'_>) -> Option<bool> {
    let plan = planned(&seen.plan)?;
    let packets: BTreeSet<&str> = seen.plan["commitments"]
        .as_array()?
        .iter()
        .filter_map(|one| one["packet"].as_str())
        .collect();
    let mut open: BTreeMap<&str, Vec<(&Value, Option<&Value>)>> = BTreeMap::new();
    let mut judged = BTreeSet::new();
    let mut baselines = BTreeSet::new();
    let mut written = BTreeSet::new();
    let mut reviews = BTreeSet::new();
    let (mut drawn, mut finished) = (false, false);
    let mut fine = true;
    for (at, (kind, event)) in seen.events.iter().enumerate() {
        let trial = event["trial"].as_str().unwrap_or_default();
        let running = !drawn && !finished;
        let of_trial = matches!(
            kind.as_str(),
            "attempt_started" | "attempt_ended" | "trial_judged"
        );
        fine &= !of_trial || (running && plan.contains_key(trial));
        match kind.as_str() {
            "prepared" => fine &= at == 0,
            "attempt_started" => {
                let before = open.entry(trial).or_default();
                fine &= event["attempt"] == before.len() + 1
                    && !judged.contains(trial)
                    && event["launch"] != 0;
                fine &= before
                    .iter()
                    .all(|(_, ended)| ended.is_none_or(|ended| !settles(seen, ended)));
                fine &= before
                    .last()
                    .is_none_or(|(last, _)| last["launch"].as_u64() < event["launch"].as_u64());
                before.push((event, None));
            }
            "attempt_ended" => {
                let (started, ended) = open.get_mut(trial)?.last_mut()?;
                fine &= ended.is_none()
                    && started["attempt"] == event["attempt"]
                    && started["launch"] == event["run"]["launch"];
                *ended = Some(event);
            }
            "trial_judged" => {
                let ended = open.get(trial)?.last()?.1?;
                fine &= judged.insert(trial)
                    && ended["attempt"] == event["attempt"]
                    && settles(seen, ended);
                fine &= event["render"].is_null() || event["render_problem"].is_null();
                fine &= event["render"].is_null() || ended["artifact"].get("stored").is_some();
            }
            "baseline_rendered" => {
                let key = (
                    event["case"].as_str()?.to_owned(),
                    event["arm"].as_str()?.to_owned(),
                );
                fine &=
                    running && seen.oracle.baselines.contains_key(&key) && baselines.insert(key);
            }
            "mappings_drawn" => {
                fine &= running && judged.len() == plan.len();
                drawn = true;
            }
            "packet_written" => {
                let packet = event["packet"].as_str()?;
                fine &= drawn && !finished && packets.contains(packet) && written.insert(packet);
            }
            "execute_finished" => {
                fine &=
                    !finished && event["trials"] == plan.len() && event["packets"] == packets.len();
                fine &= judged.len() == plan.len() && written.len() == packets.len();
                finished = true;
            }
            "review_accepted" => {
                fine &= finished
                    && written.contains(event["packet"].as_str()?)
                    && reviews.insert(event["file"].as_str()?)
            }
            _ => fine = false,
        }
    }
    Some(fine && finished)
}

/// The figures of one event agree, and its objects are there.
fn sound(seen: &Seen<'_>, kind: &str, event: &Value) -> Option<bool> {
    Some(match kind {
        "attempt_ended" => {
            let run = &event["run"];
            let logs = [&run["events"], &run["stderr"], &event["trace"]["events"]];
            let deck = &event["artifact"]["stored"];
            let by_hand = run["host"] == "manual" && event["turns"].as_array()?.is_empty();
            by_hand
                && usage_holds(&event["usage"])
                && run["duration_ms"] != 0
                && (run["exit_code"].is_null() || run["signal"].is_null())
                && super::gates::seconds(&run["started_at"]).is_some()
                && super::gates::seconds(&run["ended_at"]).is_some()
                && event["trace"]["audit"]["passed"]
                    == event["trace"]["audit"]["findings"].as_array()?.is_empty()
                && logs.into_iter().all(|log| seen.sized(log))
                && (deck.is_null() || deck_holds(seen, deck)?)
        }
        "trial_judged" => {
            let names: Vec<&str> = event["checks"]
                .as_array()?
                .iter()
                .filter_map(|check| check["name"].as_str())
                .collect();
            let unique: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
            unique.len() == names.len()
                && seen.oracle.checks.get(event["trial"].as_str()?) == Some(&unique)
                && (event["render"].is_null() || render_holds(seen, &event["render"])?)
        }
        "baseline_rendered" => {
            let (case, arm) = (
                event["case"].as_str()?.to_owned(),
                event["arm"].as_str()?.to_owned(),
            );
            let (files, entry) = seen.oracle.baselines.get(&(case, arm))?;
            let tree = event["artifact"]["tree"]["sha256"].as_str()?;
            deck_holds(seen, &event["artifact"])?
                && seen.oracle.tree_files(tree) == *files
                && event["artifact"]["entry"] == **entry
                && render_holds(seen, &event["render"])?
        }
        _ => true,
    })
}

fn usage_holds(usage: &Value) -> bool {
    let of = |key: &str| usage[key].as_u64();
    let (input, cached, output, total) = (
        of("input_tokens"),
        of("cached_input_tokens"),
        of("output_tokens"),
        of("total_tokens"),
    );
    let sums = match (input, output, total) {
        (Some(input), Some(output), Some(total)) => {
            u128::from(input) + u128::from(output) == u128::from(total)
        }
        _ => true,
    };
    total != Some(0)
        && sums
        && !matches!((cached, input), (Some(cached), Some(input)) if cached > input)
}

fn deck_holds(seen: &Seen<'_>, deck: &Value) -> Option<bool> {
    let tree = deck["tree"]["sha256"].as_str()?;
    let known = seen.oracle.trees.get(tree)?;
    let files = seen.oracle.tree_files(tree);
    Some(
        deck["tree_sha256"] == **known
            && seen.sized(&deck["tree"])
            && files.iter().any(|(path, _)| deck["entry"] == **path),
    )
}

fn render_holds(seen: &Seen<'_>, render: &Value) -> Option<bool> {
    let slides = render["slides"].as_array()?;
    let mut lines = String::new();
    for (number, slide) in (1..).zip(slides) {
        lines.push_str(&format!("{number}\0{}\n", slide["sha256"].as_str()?));
    }
    let pictures = slides.iter().all(|slide| {
        seen.sized(slide)
            && slide["sha256"]
                .as_str()
                .is_some_and(|hash| seen.oracle.pictures.contains(hash))
    });
    Some(
        pictures
            && render["sha256"] == *sha(lines.as_bytes())
            && seen.sized(&render["diagnostics"])
            && (render["facts"].is_null() || seen.sized(&render["facts"])),
    )
}
