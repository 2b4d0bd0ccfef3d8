// SPDX-License-Identifier: MIT OR Apache-2.0
//! Valid seed records bent at any leaf pass exactly when an independent reading of the rules says
//! so. `DECKPROOF_MUTATIONS=20000` runs the full number.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on stops"
)]

mod support;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};
use support::{Pair, oracle, pair};

const DEFAULT_MUTATIONS: u64 = 1_000;

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
    let count = std::env::var("DECKPROOF_MUTATIONS")
        .ok()
        .and_then(|text| text.parse().ok());
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
    for _ in 0..count.unwrap_or(DEFAULT_MUTATIONS) {
        let base = &bases[below(&mut rng, bases.len())];
        let (bent, paths) = mutated(base, &mut rng);
        let code = bent.exit_code();
        codes[usize::from(code)] += 1;
        let allowed = oracle::may_pass(&bent.suite, &bent.runs);
        assert_eq!(
            code == 0,
            allowed,
            "{paths:?}: exit {code}, {:?}",
            bent.summarize().err()
        );
    }
    println!("exits 0, 1, 2: {codes:?}");
    assert!(
        codes.iter().all(|count| *count > 0),
        "every outcome must occur: {codes:?}"
    );
}
