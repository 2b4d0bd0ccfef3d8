// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes at any leaf of any document: taken away, of another type, extreme, swapped, twice, in
//! another order.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use super::directed;
use super::doc::{Doc, Place};
use super::evidence::{Evidence, Sealing};

pub(super) fn below(rng: &mut ChaCha20Rng, bound: usize) -> usize {
    usize::try_from(rng.next_u64() % bound.max(1) as u64).unwrap()
}

pub(super) fn pick<'a, T>(rng: &mut ChaCha20Rng, items: &'a [T]) -> &'a T {
    &items[below(rng, items.len())]
}

/// One bent experiment: the documents, how far they were sealed again, and what was done.
pub(super) fn bent(good: &Evidence, rng: &mut ChaCha20Rng) -> (Evidence, Sealing, Vec<String>) {
    let mut evidence = good.clone();
    let mut what = Vec::new();
    for _ in 0..=below(rng, 2) {
        what.push(match below(rng, 5) {
            0 | 1 => directed::bend(&mut evidence, rng),
            2 if below(rng, 6) == 0 => bend_order(&mut evidence, rng),
            _ => bend_leaf(&mut evidence, rng),
        });
    }
    let sealing = *pick(
        rng,
        &[
            Sealing::Nothing,
            Sealing::Chain,
            Sealing::Chain,
            Sealing::Everything,
            Sealing::Everything,
            Sealing::Everything,
        ],
    );
    evidence.seal(sealing);
    if below(rng, 12) == 0 {
        what.push(format!("after sealing {}", bend_leaf(&mut evidence, rng)));
    }
    (evidence, sealing, what)
}

/// A record taken away, twice, or in another place.
fn bend_order(evidence: &mut Evidence, rng: &mut ChaCha20Rng) -> String {
    let records = &mut evidence.records;
    let (one, other) = (below(rng, records.len()), below(rng, records.len()));
    match below(rng, 4) {
        0 => {
            records.remove(one);
            format!("record {one} taken away")
        }
        1 => {
            records.insert(other, records[one].clone());
            format!("record {one} again as {other}")
        }
        2 => {
            records.swap(one, other);
            format!("records {one} and {other} swapped")
        }
        _ => {
            let record = records.remove(one);
            records.insert(other.min(records.len()), record);
            format!("record {one} moved to {other}")
        }
    }
}

fn bend_leaf(evidence: &mut Evidence, rng: &mut ChaCha20Rng) -> String {
    let kind = below(rng, 20);
    let sibling = |list: Vec<&Doc>, rng: &mut ChaCha20Rng| (*pick(rng, &list)).clone();
    match kind {
        0 => named("head", bend_doc(&mut evidence.head, &Doc::Null, rng)),
        1 => named("plan", bend_doc(&mut evidence.plan, &Doc::Null, rng)),
        2 => named("lock", bend_doc(&mut evidence.lock, &Doc::Null, rng)),
        3 | 4 if !evidence.mappings.is_empty() => {
            let other = sibling(evidence.mappings.values().collect(), rng);
            let at = below(rng, evidence.mappings.len());
            let (name, doc) = evidence.mappings.iter_mut().nth(at).unwrap();
            named(&format!("mapping {name}"), bend_doc(doc, &other, rng))
        }
        5 if !evidence.packets.is_empty() => {
            let other = sibling(evidence.packets.values().collect(), rng);
            let at = below(rng, evidence.packets.len());
            let (name, doc) = evidence.packets.iter_mut().nth(at).unwrap();
            named(&format!("packet {name}"), bend_doc(doc, &other, rng))
        }
        6..=8 if !evidence.reviews.is_empty() => {
            let other = sibling(evidence.reviews.values().collect(), rng);
            let at = below(rng, evidence.reviews.len());
            let (name, doc) = evidence.reviews.iter_mut().nth(at).unwrap();
            named(&format!("review {name}"), bend_doc(doc, &other, rng))
        }
        _ if !evidence.records.is_empty() => {
            let at = below(rng, evidence.records.len());
            let other = same_kind(&evidence.records, at, rng);
            named(
                &format!("record {at}"),
                bend_doc(&mut evidence.records[at], &other, rng),
            )
        }
        _ => named("plan", bend_doc(&mut evidence.plan, &Doc::Null, rng)),
    }
}

fn named(document: &str, what: String) -> String {
    format!("{document}{what}")
}

/// Another record of the same kind of event.
fn same_kind(records: &[Doc], at: usize, rng: &mut ChaCha20Rng) -> Doc {
    let kind = |record: &Doc| match record.get("event") {
        Some(Doc::Object(members)) => members.first().map(|(key, _)| key.clone()),
        _ => None,
    };
    let wanted = kind(&records[at]);
    let same: Vec<&Doc> = records
        .iter()
        .filter(|record| kind(record) == wanted)
        .collect();
    (*pick(rng, &same)).clone()
}

/// Bends one value of `doc`; `sibling` is another document of its kind.
fn bend_doc(doc: &mut Doc, sibling: &Doc, rng: &mut ChaCha20Rng) -> String {
    let places = doc.places();
    if places.is_empty() {
        return " is empty".to_owned();
    }
    let place = pick(rng, &places).clone();
    let name = doc.name(&place);
    let how = match below(rng, 16) {
        0 => in_parent(
            doc,
            &place,
            rng,
            |items, at, _| drop(items.remove(at)),
            "taken away",
        ),
        1 => in_parent(doc, &place, rng, twice, "twice"),
        2 => in_parent(
            doc,
            &place,
            rng,
            |items, at, _| items.rotate_left(at),
            "and its neighbours in another order",
        ),
        3 => in_parent(doc, &place, rng, add_unknown, "with a stranger beside it"),
        4 => in_parent(
            doc,
            &place,
            rng,
            |items, at, _| items[at].0 = items[at].0.to_uppercase(),
            "with its key in capitals",
        ),
        5 => as_list(doc, &place),
        6 | 7 => from_sibling(doc, &place, sibling),
        8 => {
            let from: &Place = pick(rng, &places);
            let other = doc.find(from).clone();
            *doc.find_mut(&place) = other;
            "another value of the document"
        }
        9..=11 => {
            *doc.find_mut(&place) = pick(rng, &pool()).clone();
            "a foreign value"
        }
        _ => {
            let old = doc.find(&place).clone();
            *doc.find_mut(&place) = tweaked(&old, rng);
            "tweaked"
        }
    };
    let now: String = doc.name(&place[..0]) + &name;
    format!("{now}: {how}")
}

/// Members of the object, or items of the list under empty keys.
type Items = Vec<(String, Doc)>;

fn in_parent(
    doc: &mut Doc,
    place: &Place,
    rng: &mut ChaCha20Rng,
    change: impl FnOnce(&mut Items, usize, &mut ChaCha20Rng),
    how: &'static str,
) -> &'static str {
    let (at, parent) = place.split_last().unwrap();
    match doc.find_mut(parent) {
        Doc::Object(members) => change(members, *at, rng),
        Doc::List(items) => {
            let mut all: Items = items.drain(..).map(|item| (String::new(), item)).collect();
            change(&mut all, *at, rng);
            items.extend(all.into_iter().map(|(_, item)| item));
        }
        _ => {}
    }
    how
}

fn twice(items: &mut Items, at: usize, rng: &mut ChaCha20Rng) {
    let mut copy = items[at].clone();
    if below(rng, 2) == 0 {
        copy.1 = tweaked(&copy.1, rng);
    }
    items.insert(below(rng, items.len() + 1), copy);
}

fn add_unknown(items: &mut Items, at: usize, _: &mut ChaCha20Rng) {
    let (key, value) = items[at].clone();
    items.push((format!("{key}_more"), value));
}

/// A reader of structures may take a list of the values in order.
fn as_list(doc: &mut Doc, place: &Place) -> &'static str {
    let inside = doc.find_mut(place);
    if let Doc::Object(members) = inside {
        *inside = Doc::List(members.drain(..).map(|(_, value)| value).collect());
        return "as a list of its values";
    }
    *inside = Doc::List(vec![inside.clone()]);
    "in a list"
}

fn from_sibling(doc: &mut Doc, place: &Place, sibling: &Doc) -> &'static str {
    let name = doc.name(place);
    let same = sibling
        .places()
        .into_iter()
        .find(|other| sibling.name(other) == name);
    if let Some(other) = same {
        *doc.find_mut(place) = sibling.find(&other).clone();
    }
    "that of another document"
}

fn pool() -> Vec<Doc> {
    let deep = (0..70).fold(Doc::Null, |doc, _| Doc::List(vec![doc]));
    let texts = [
        "",
        " ",
        "x",
        "A",
        "todo",
        "\u{202e}abc def ghi",
        "../x",
        "pass",
        "human",
        "m-1",
    ];
    let numbers = [
        "1.0",
        "5e2",
        "-0",
        "01",
        "NaN",
        "-Infinity",
        "1e400",
        "99999999999999999999999",
        "0.5",
    ];
    let mut all = vec![Doc::Null, Doc::Truth(true), Doc::Truth(false), deep];
    all.extend(texts.map(Doc::text));
    all.extend(numbers.map(Doc::Raw));
    all.extend([0, 1, 2, 1 << 32, (1 << 53) + 1, u64::MAX].map(Doc::count));
    all.push(Doc::Number((-1).into()));
    all.extend([Doc::text("0".repeat(64)), Doc::text("F".repeat(64))]);
    all.extend([Doc::List(Vec::new()), Doc::Object(Vec::new())]);
    all
}

pub(super) fn tweaked(old: &Doc, rng: &mut ChaCha20Rng) -> Doc {
    match old {
        Doc::Truth(truth) => Doc::Truth(!truth),
        Doc::Number(number) => {
            let number = number.as_i64().unwrap_or(0);
            let step = *pick(
                rng,
                &[-900, -100, -1, 1, 100, 900, number, number / 2, -number],
            );
            Doc::Number(number.saturating_add(step).into())
        }
        Doc::Text(text) => {
            let words = [
                "fail",
                "error",
                "recorded",
                "none",
                "prevented",
                "model",
                "scripted",
                "timed_out",
                "missing",
                "B",
            ];
            match below(rng, 7) {
                0 => Doc::text(text.to_uppercase()),
                1 => Doc::text(format!(" {text}")),
                2 => Doc::text(format!("{text}x")),
                3 => Doc::text(text.chars().skip(1).collect::<String>()),
                4 => Doc::text(text.replace(['1', '0'], "2")),
                _ => Doc::text(pick(rng, &words)),
            }
        }
        Doc::Null => pick(
            rng,
            &[
                Doc::text("x"),
                Doc::count(1),
                Doc::text("m-1"),
                Doc::text("A"),
            ],
        )
        .clone(),
        other => other.clone(),
    }
}
