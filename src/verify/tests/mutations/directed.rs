// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes that are consistent in themselves, so that gates and not hashes must decide.

use rand_chacha::ChaCha20Rng;

use super::bend::{below, pick};
use super::doc::Doc;
use super::evidence::Evidence;

type Bend = fn(&mut Evidence, &mut ChaCha20Rng);

const BENDS: [(&str, Bend); 24] = [
    ("tokens", tokens),
    ("duration", duration),
    ("scores", scores),
    ("pass decision", decision),
    ("labels swapped", labels),
    ("check", check),
    ("outcome", outcome),
    ("exit", exit),
    ("models", models),
    ("session", session),
    ("isolation", isolation),
    ("audit", audit),
    ("start", start),
    ("suite", suite),
    ("reviewer", reviewer),
    ("a review less", no_review),
    ("pictures", pictures),
    ("unknown tokens", unknown_tokens),
    ("deck", deck),
    ("renderer", renderer),
    ("retry", retry),
    ("mode of a packet", packet_mode),
    ("one more review", more_review),
    ("rationale", rationale),
];

pub(super) fn bend(evidence: &mut Evidence, rng: &mut ChaCha20Rng) -> String {
    let (what, bend) = pick(rng, &BENDS);
    bend(evidence, rng);
    format!("directed: {what}")
}

fn any<'a>(evidence: &'a mut Evidence, kind: &str, rng: &mut ChaCha20Rng) -> Option<&'a mut Doc> {
    let mut all = evidence.events_mut(kind);
    if all.is_empty() {
        return None;
    }
    let at = below(rng, all.len());
    Some(all.swap_remove(at))
}

fn any_review<'a>(evidence: &'a mut Evidence, rng: &mut ChaCha20Rng) -> Option<&'a mut Doc> {
    let count = evidence.reviews.len();
    evidence.reviews.values_mut().nth(below(rng, count))
}

fn set(doc: Option<&mut Doc>, keys: &str, value: Doc) {
    if let Some(doc) = doc {
        doc.set(keys, value);
    }
}

fn tokens(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let total = *pick(
        rng,
        &[
            2,
            500,
            501,
            524,
            525,
            526,
            699,
            700,
            701,
            900,
            1001,
            1 << 60,
        ],
    );
    let Some(ended) = any(evidence, "attempt_ended", rng) else {
        return;
    };
    ended.set("usage/input_tokens", Doc::count(total - total / 5));
    ended.set("usage/cached_input_tokens", Doc::count(0));
    ended.set("usage/output_tokens", Doc::count(total / 5));
    ended.set("usage/total_tokens", Doc::count(total));
}

fn duration(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let seconds = *pick(rng, &[1_u64, 10, 28, 30, 31, 42, 43, 60]);
    let honest = below(rng, 3) > 0;
    let Some(ended) = any(evidence, "attempt_ended", rng) else {
        return;
    };
    ended.set("run/duration_ms", Doc::count(seconds * 1000));
    if honest {
        let end = 5 + seconds;
        let time = format!("2026-01-02T03:{:02}:{:02}Z", 4 + end / 60, end % 60);
        ended.set("run/ended_at", Doc::text(time));
    }
}

fn judgement<'a>(evidence: &'a mut Evidence, rng: &mut ChaCha20Rng) -> Option<&'a mut Doc> {
    let label = *pick(rng, &["A", "B"]);
    let name = *pick(rng, &["fidelity", "design"]);
    any_review(evidence, rng)?.at_mut(&format!("response/labels/{label}/dimensions/{name}"))
}

fn scores(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let score = *pick(rng, &[0, 1, 2, 3, 4, 5, 6]);
    set(judgement(evidence, rng), "score", Doc::count(score));
}

fn decision(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    set(judgement(evidence, rng), "pass", Doc::Truth(false));
}

fn rationale(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let words = [
        "todo",
        "aaaaaaaaaaaaaaaa",
        "Both.",
        "Sound figures, and sound margins too.",
        " spaced words all around ",
    ];
    let text = *pick(rng, &words);
    set(judgement(evidence, rng), "rationale", Doc::text(text));
}

fn labels(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let at = below(rng, evidence.mappings.len());
    let Some(mapping) = evidence.mappings.values_mut().nth(at) else {
        return;
    };
    let other = if mapping.get("candidate") == Some(&Doc::text("A")) {
        "B"
    } else {
        "A"
    };
    mapping.set("candidate", Doc::text(other));
}

fn check(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let status = *pick(rng, &["pass", "fail", "error"]);
    let Some(judged) = any(evidence, "trial_judged", rng) else {
        return;
    };
    let checks = judged
        .at_mut("checks")
        .map(Doc::items_mut)
        .unwrap_or_default();
    let at = below(rng, checks.len());
    set(checks.get_mut(at), "status", Doc::text(status));
}

fn outcome(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let tagged = |tag: &str| Doc::Object(vec![(tag.to_owned(), Doc::text("it broke"))]);
    let all = [
        Doc::text("timed_out"),
        tagged("agent_failed"),
        tagged("infrastructure_failed"),
        Doc::text("completed"),
    ];
    let outcome = pick(rng, &all).clone();
    set(any(evidence, "attempt_ended", rng), "outcome", outcome);
}

fn exit(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let (code, signal) = pick(
        rng,
        &[
            (Doc::count(1), Doc::Null),
            (Doc::Null, Doc::count(9)),
            (Doc::Null, Doc::Null),
            (Doc::count(0), Doc::count(9)),
        ],
    )
    .clone();
    let Some(ended) = any(evidence, "attempt_ended", rng) else {
        return;
    };
    ended.set("run/exit_code", code);
    ended.set("run/signal", signal);
}

fn models(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let key = *pick(
        rng,
        &["requested_model", "observed_model", "requested_effort"],
    );
    let value = pick(
        rng,
        &[
            Doc::Null,
            Doc::text("m-2"),
            Doc::text("m-1"),
            Doc::text("high"),
        ],
    )
    .clone();
    let everywhere = below(rng, 3) == 0;
    let one = below(rng, evidence.events("attempt_ended").len());
    for (number, ended) in evidence.events_mut("attempt_ended").into_iter().enumerate() {
        if everywhere || number == one {
            ended.set(&format!("trace/{key}"), value.clone());
        }
    }
}

fn session(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let other =
        any(evidence, "attempt_ended", rng).and_then(|one| one.at("trace/thread_id").cloned());
    let other = other.unwrap_or(Doc::Null);
    let capitals = Doc::text(other.as_str().unwrap_or_default().to_uppercase());
    let value = pick(
        rng,
        &[
            Doc::Null,
            other,
            capitals,
            Doc::text("desk-1"),
            Doc::text("DESK-2"),
        ],
    )
    .clone();
    set(
        any(evidence, "attempt_ended", rng),
        "trace/thread_id",
        value,
    );
}

fn isolation(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let level = *pick(rng, &["none", "audited", "prevented"]);
    set(
        any(evidence, "attempt_ended", rng),
        "run/isolation",
        Doc::text(level),
    );
}

fn audit(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let passed = below(rng, 3) == 0;
    let found = Doc::List(vec![Doc::text("it read the other's work")]);
    let Some(ended) = any(evidence, "attempt_ended", rng) else {
        return;
    };
    ended.set("trace/audit/passed", Doc::Truth(passed));
    ended.set("trace/audit/findings", found);
}

fn start(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let at = *pick(
        rng,
        &[0, 5, 5_000, 14_000, 16_000, 29_000, 40_000, u64::MAX],
    );
    let timing = *pick(rng, &["measured", "measured", "recorded"]);
    let launch = *pick(rng, &[1, 1, 1, 2, 0]);
    let Some(ended) = any(evidence, "attempt_ended", rng) else {
        return;
    };
    ended.set("run/started_ms", Doc::count(at));
    ended.set("run/timing", Doc::text(timing));
    ended.set("run/launch", Doc::count(launch));
    let trial = ended.get("trial").cloned();
    for started in evidence.events_mut("attempt_started") {
        if started.get("trial") == trial.as_ref() {
            started.set("launch", Doc::count(launch));
        }
    }
}

fn suite(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let edits = [
        (
            "median_token_improvement_percent = 30",
            "median_token_improvement_percent = 50",
        ),
        (
            "median_token_improvement_percent = 30",
            "median_token_improvement_percent = 51",
        ),
        (
            "median_token_improvement_percent = 30",
            "median_token_improvement_percent = 100",
        ),
        (
            "median_duration_improvement_percent = \"30.0\"",
            "median_duration_improvement_percent = \"50.1\"",
        ),
        ("max_token_ratio = \"1.05\"", "max_token_ratio = \"0.99\""),
        (
            "max_duration_ratio = \"1.05\"",
            "max_duration_ratio = \"1\"",
        ),
        ("min_overlap_percent = 50", "min_overlap_percent = 100"),
        ("min_overlap_percent = 50", "min_overlap_percent = 0"),
        ("isolation = \"audited\"", "isolation = \"prevented\""),
        ("infrastructure_retries = 1", "infrastructure_retries = 0"),
        ("score_max = 5", "score_max = 3"),
        ("score_max = 5", "score_max = 5\nscore_floor = 5"),
        ("score_max = 5", "score_max = 5\nscore_floor = 4"),
        ("min_rationale_chars = 12", "min_rationale_chars = 30"),
        (
            "required_reviewer_types = [\"human\"]",
            "required_reviewer_types = [\"human\", \"model\"]",
        ),
        (
            "optional_reviewer_types = [\"model\", \"scripted\"]",
            "optional_reviewer_types = []",
        ),
        (
            "required_reviewer_types = [\"human\"]",
            "independent_model = true\nrequired_reviewer_types = [\"human\"]",
        ),
        ("total_tokens = 1000", "total_tokens = 700"),
        ("duration_ms = 60000", "duration_ms = 40000"),
        ("effort = \"high\"", "effort = \"low\""),
    ];
    let (from, to) = pick(rng, &edits);
    let mut parts: Vec<&str> = evidence.suite.split(from).collect();
    if parts.len() < 2 {
        return;
    }
    // One of the places.
    let at = 1 + below(rng, parts.len() - 1);
    let tail = parts.split_off(at);
    evidence.suite = [parts.join(from), tail.join(from)].join(to);
}

fn reviewer(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let kind = *pick(rng, &["human", "model", "scripted"]);
    let model = pick(
        rng,
        &[
            Doc::Null,
            Doc::text("m-1"),
            Doc::text("M-1"),
            Doc::text("judge-7"),
            Doc::text("unknown"),
        ],
    )
    .clone();
    let thread = pick(
        rng,
        &[
            Doc::text("desk-0"),
            Doc::text("Desk-1"),
            Doc::text("desk-9"),
            Doc::text("thread of case-one.web.1"),
            Doc::text(""),
        ],
    )
    .clone();
    let both = below(rng, 2) == 0;
    let Some(review) = any_review(evidence, rng) else {
        return;
    };
    review.set("response/reviewer/type", Doc::text(kind));
    review.set("response/reviewer/model", model);
    if both {
        review.set("response/reviewer/thread", thread);
    }
}

fn no_review(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let names: Vec<String> = evidence.reviews.keys().cloned().collect();
    if names.is_empty() {
        return;
    }
    let name = pick(rng, &names);
    evidence.reviews.remove(name);
    let file = Doc::text(name);
    evidence
        .records
        .retain(|record| record.at("event/review_accepted/file") != Some(&file));
}

fn pictures(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let how = below(rng, 3);
    let Some(judged) = any(evidence, "trial_judged", rng) else {
        return;
    };
    match how {
        0 => {
            judged.set("render/slides", Doc::List(Vec::new()));
        }
        1 => {
            judged.set("render", Doc::Null);
            judged.set("render_problem", Doc::text("it does not open"));
        }
        _ => {
            if let Some(Doc::List(slides)) = judged.at_mut("render/slides") {
                slides.reverse();
            }
        }
    }
}

fn unknown_tokens(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    set(
        any(evidence, "attempt_ended", rng),
        "usage/total_tokens",
        Doc::Null,
    );
}

fn deck(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let refused = Doc::Object(vec![("refused".to_owned(), Doc::text("a link"))]);
    let artifact = pick(rng, &[Doc::text("missing"), refused]).clone();
    set(any(evidence, "attempt_ended", rng), "artifact", artifact);
}

fn renderer(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let key = *pick(rng, &["version", "name", "fonts_sha256"]);
    let which = below(rng, 3);
    if which == 0 {
        for kind in ["trial_judged", "baseline_rendered"] {
            for event in evidence.events_mut(kind) {
                event.set(&format!("render/renderer/{key}"), Doc::text("2"));
            }
        }
        return;
    }
    let kind = ["trial_judged", "baseline_rendered"][which - 1];
    set(
        any(evidence, kind, rng),
        &format!("render/renderer/{key}"),
        Doc::text("2"),
    );
}

/// The first attempt at a trial becomes one that the infrastructure failed, and a second follows.
fn retry(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let Some(trial) = any(evidence, "attempt_ended", rng).and_then(|one| one.get("trial").cloned())
    else {
        return;
    };
    let kind = *pick(
        rng,
        &[
            "infrastructure_failed",
            "infrastructure_failed",
            "agent_failed",
        ],
    );
    let launch = *pick(rng, &[2, 2, 1]);
    let end = evidence
        .records
        .iter()
        .position(|record| record.at("event/attempt_ended/trial") == Some(&trial));
    let start = evidence
        .records
        .iter()
        .position(|record| record.at("event/attempt_started/trial") == Some(&trial));
    let (Some(end), Some(start)) = (end, start) else {
        return;
    };
    let (mut second_start, mut second_end) = (
        evidence.records[start].clone(),
        evidence.records[end].clone(),
    );
    let outcome = Doc::Object(vec![(kind.to_owned(), Doc::text("no network"))]);
    evidence.records[end].set("event/attempt_ended/outcome", outcome);
    evidence.records[end].set(
        "event/attempt_ended/trace/thread_id",
        Doc::text("a first session"),
    );
    second_start.set("event/attempt_started/attempt", Doc::count(2));
    second_start.set("event/attempt_started/launch", Doc::count(launch));
    second_end.set("event/attempt_ended/attempt", Doc::count(2));
    second_end.set("event/attempt_ended/run/launch", Doc::count(launch));
    evidence
        .records
        .splice(end + 1..=end, [second_start, second_end]);
    for judged in evidence.events_mut("trial_judged") {
        if judged.get("trial") == Some(&trial) {
            judged.set("attempt", Doc::count(2));
        }
    }
}

fn packet_mode(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let at = below(rng, evidence.packets.len());
    set(
        evidence.packets.values_mut().nth(at),
        "mode",
        Doc::text("A deck was revised."),
    );
}

/// A review by somebody else, of a kind that the suite asks for or welcomes.
fn more_review(evidence: &mut Evidence, rng: &mut ChaCha20Rng) {
    let kind = *pick(rng, &["model", "scripted", "human"]);
    let (id, thread) = (
        *pick(rng, &["a. second", "r. meier"]),
        *pick(rng, &["desk-20", "desk-0"]),
    );
    let scores = [below(rng, 6) as u64, below(rng, 6) as u64];
    let fresh = below(rng, 4) > 0;
    let Some(mut review) = any_review(evidence, rng).cloned() else {
        return;
    };
    let Some(last) = evidence
        .records
        .iter()
        .rfind(|record| record.at("event/review_accepted").is_some())
        .cloned()
    else {
        return;
    };
    review.set("response/reviewer/type", Doc::text(kind));
    review.set("response/reviewer/id", Doc::text(id));
    review.set("response/reviewer/thread", Doc::text(thread));
    if kind == "model" {
        review.set("response/reviewer/model", Doc::text("judge-7"));
    }
    for (label, score) in ["A", "B"].into_iter().zip(scores) {
        for name in ["fidelity", "design"] {
            let keys = format!("response/labels/{label}/dimensions/{name}");
            review.set(&format!("{keys}/score"), Doc::count(score));
            if fresh {
                let words = format!("Seen anew, {label} is sound in its {name}.");
                review.set(&format!("{keys}/rationale"), Doc::text(words));
            }
        }
    }
    review.set("response_sha256", Doc::text("ab".repeat(32)));
    let name = "another.json".to_owned();
    let mut record = last;
    record.set("event/review_accepted/file", Doc::text(&name));
    evidence.records.push(record);
    evidence.reviews.insert(name, review);
}
