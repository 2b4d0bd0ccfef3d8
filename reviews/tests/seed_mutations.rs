// SPDX-License-Identifier: MIT OR Apache-2.0
//! Valid seed records bent at any leaf pass exactly when an independent reading of the rules says
//! so. `DECKPROOF_MUTATIONS=20000` runs the full number.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on stops"
)]

mod support;

use std::collections::BTreeSet;
use std::fmt;

use deckproof_reviews::seed::{Document, SeedSummary, summarize_seed};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};
use support::{Pair, oracle, pair};

const DEFAULT_MUTATIONS: u64 = 1_000;

fn count() -> u64 {
    let text = std::env::var("DECKPROOF_MUTATIONS").ok();
    text.and_then(|text| text.parse().ok())
        .unwrap_or(DEFAULT_MUTATIONS)
}

fn below(rng: &mut ChaCha20Rng, bound: usize) -> usize {
    usize::try_from(rng.next_u64() % bound as u64).unwrap()
}

/// The pointers of every value but the root.
fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, v)| (key.clone(), v)).collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(i, v)| (i.to_string(), v))
            .collect(),
        _ => return,
    };
    for (step, child) in children {
        let path = format!("{at}/{step}");
        out.push(path.clone());
        pointers(child, &path, out);
    }
}

fn leaf(document: &Value, rng: &mut ChaCha20Rng) -> Value {
    let mut all = Vec::new();
    pointers(document, "", &mut all);
    document
        .pointer(&all[below(rng, all.len())])
        .unwrap()
        .clone()
}

fn replacement(old: &Value, document: &Value, rng: &mut ChaCha20Rng) -> Value {
    let pool = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(1.0),
        json!(1.5),
        json!(""),
        json!(" "),
        json!("x"),
        json!("A"),
        json!("HTML"),
        json!([]),
        json!({}),
        json!(1_u64 << 54),
        json!("F".repeat(64)),
        json!("0".repeat(64)),
        json!(123_456.75),
    ];
    match (below(rng, 4), old) {
        (0, Value::Number(number)) => match number.as_i64() {
            Some(count) => json!(count + [-1, 1, 900, -900][below(rng, 4)]),
            None => json!(number.as_f64().unwrap() * [0.5, 2.0][below(rng, 2)]),
        },
        (0, Value::Bool(truth)) => json!(!truth),
        (0, Value::String(text)) => json!(
            [
                text.to_uppercase(),
                format!(" {text} "),
                format!("{text}x"),
                text.to_lowercase(),
            ][below(rng, 4)]
        ),
        (1, _) => leaf(document, rng),
        _ => pool[below(rng, pool.len())].clone(),
    }
}

fn mutate(document: &mut Value, rng: &mut ChaCha20Rng) -> String {
    let mut all = Vec::new();
    pointers(document, "", &mut all);
    let path = all[below(rng, all.len())].clone();
    let (parent, last) = path.rsplit_once('/').unwrap();
    let old = document.pointer(&path).unwrap().clone();
    let new = replacement(&old, document, rng);
    let parent = document.pointer_mut(parent).unwrap();
    match (below(rng, 8), parent) {
        (0, Value::Object(members)) => drop(members.remove(last)),
        (0, Value::Array(items)) => drop(items.remove(last.parse().unwrap())),
        (1, Value::Array(items)) => items.push(old),
        (1, Value::Object(members)) => drop(members.insert(format!("{last}_more"), old)),
        (_, Value::Object(members)) => drop(members.insert(last.to_owned(), new)),
        (_, Value::Array(items)) => items[last.parse::<usize>().unwrap()] = new,
        _ => unreachable!("a parent is a list or an object"),
    }
    path
}

fn mutated(base: &Pair, rng: &mut ChaCha20Rng) -> (Pair, Vec<String>) {
    let mut pair = base.clone();
    let mut paths = Vec::new();
    for _ in 0..=below(rng, 2) {
        if below(rng, 2) == 0 {
            paths.push(format!("suite{}", mutate(&mut pair.suite, rng)));
            if below(rng, 4) > 0 && pair.runs["protocol_evidence"].is_object() {
                pair.refresh();
            }
        } else {
            paths.push(format!("runs{}", mutate(&mut pair.runs, rng)));
        }
    }
    (pair, paths)
}

#[test]
fn bent_records_pass_only_when_the_oracle_says_so() {
    let bases = [
        pair(&["create", "revise"]),
        pair(&["create", "create", "revise"]),
    ];
    for base in &bases {
        assert_eq!(base.exit_code(), 0, "{:?}", base.summarize());
        assert!(oracle::may_pass(&base.suite, &base.runs));
    }
    let mut rng = ChaCha20Rng::seed_from_u64(20_260_714);
    let mut codes = [0_u64; 3];
    for _ in 0..count() {
        let base = &bases[below(&mut rng, bases.len())];
        let (bent, paths) = mutated(base, &mut rng);
        let answer = bent.summarize();
        let code = answer.as_ref().map_or(2, |one| one.verdict().exit_code());
        codes[usize::from(code)] += 1;
        // Item by item and as a whole document: one answer.
        let turned = bent.summarize_turned().ok();
        let text = |one: &SeedSummary| one.text().to_owned();
        assert_eq!(
            answer.as_ref().ok().map(text),
            turned.as_ref().map(text),
            "{paths:?}"
        );
        let allowed = oracle::may_pass(&bent.suite, &bent.runs);
        assert_eq!(
            code == 0,
            allowed,
            "{paths:?}: exit {code}, {:?}",
            answer.err()
        );
    }
    println!("exits 0, 1, 2: {codes:?}");
    assert!(
        codes.iter().all(|count| *count > 0),
        "every outcome must occur: {codes:?}"
    );
}

/// A document in which no object has a key twice.
struct NoneTwice;

impl<'de> Deserialize<'de> for NoneTwice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for NoneTwice {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = members.next_key::<String>()? {
            if !keys.insert(key) {
                let _: IgnoredAny = members.next_value()?;
                return Err(A::Error::custom("a key twice"));
            }
            let _: Self = members.next_value()?;
        }
        Ok(self)
    }
}

fn read(text: &[u8]) -> Option<Value> {
    serde_json::from_slice::<NoneTwice>(text).ok()?;
    serde_json::from_slice(text).ok()
}

/// Bends bytes: a bit, a cut, a piece twice or gone or elsewhere, a digit, a word.
fn bend_text(text: &mut Vec<u8>, rng: &mut ChaCha20Rng) -> (&'static str, usize) {
    let at = below(rng, text.len());
    let to = (at + 1 + below(rng, 60)).min(text.len());
    let how = match below(rng, 8) {
        0 | 1 => {
            text[at] ^= 1 << below(rng, 8);
            "a bit flipped"
        }
        2 => {
            text.truncate(at);
            "cut short"
        }
        3 => {
            text.drain(at..to);
            "a piece gone"
        }
        4 => {
            let piece = text[at..to].to_vec();
            let other = below(rng, text.len());
            text.splice(other..other, piece);
            "a piece again"
        }
        5 => {
            twice(text, at);
            "a key twice"
        }
        6 => {
            let digits: Vec<usize> = (0..text.len())
                .filter(|at| text[*at].is_ascii_digit())
                .collect();
            let at = digits[below(rng, digits.len())];
            text[at] = b'0' + u8::try_from(below(rng, 10)).unwrap();
            "another digit"
        }
        _ => {
            let words: [&[u8]; 6] = [b"NaN", b"1e999", b"-", b"0", b" ", b"\xef\xbb\xbf"];
            text.splice(at..at, words[below(rng, 6)].iter().copied());
            "a word put in"
        }
    };
    (how, at)
}

/// The member that begins next, again behind itself with another value.
fn twice(text: &mut Vec<u8>, from: usize) {
    let tail = String::from_utf8_lossy(&text[from..]).into_owned();
    let Some(start) = tail.find(",\"").map(|at| at + 1) else {
        return;
    };
    let Some(colon) = tail[start..].find("\":").map(|at| start + at + 2) else {
        return;
    };
    let more = format!("{}true,", &tail[start..colon]);
    text.splice(from + start..from + start, more.bytes());
}

#[test]
fn bent_texts_pass_only_when_the_oracle_says_so() {
    let base = pair(&["create", "revise"]);
    let good = [
        serde_json::to_vec(&base.suite).unwrap(),
        serde_json::to_vec(&base.runs).unwrap(),
    ];
    let mut rng = ChaCha20Rng::seed_from_u64(20_260_715);
    let (mut codes, mut odd) = ([0_u64; 3], 0);
    for _ in 0..count() {
        let mut texts = good.clone();
        let which = below(&mut rng, 2);
        let what = bend_text(&mut texts[which], &mut rng);
        let document = |file, bytes| Document { file, bytes };
        let answer = summarize_seed(document("suite", &texts[0]), document("runs", &texts[1]));
        let code = answer.as_ref().map_or(2, |one| one.verdict().exit_code());
        codes[usize::from(code)] += 1;
        let parsed = read(&texts[0]).zip(read(&texts[1]));
        if parsed
            .as_ref()
            .is_some_and(|(_, runs)| oracle::has_odd_times(runs))
        {
            odd += 1;
            continue;
        }
        let allowed = parsed.is_some_and(|(suite, runs)| oracle::may_pass(&suite, &runs));
        let near = &good[which][what.1.saturating_sub(30)..(what.1 + 30).min(good[which].len())];
        assert_eq!(
            code == 0,
            allowed,
            "{what:?}: exit {code}, {:?}, near {}",
            answer.err(),
            String::from_utf8_lossy(near)
        );
    }
    println!("{odd} with times that the oracle does not read");
    println!("exits 0, 1, 2: {codes:?}");
    assert!(codes[0] > 0 && codes[2] > 0, "{codes:?}");
}
