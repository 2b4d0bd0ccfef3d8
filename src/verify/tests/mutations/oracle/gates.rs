// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle's controls and gates.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use toml::Value as Toml;

use super::history::{self, Trial};
use super::{Seen, comparisons};

/// The suite is the good one but for figures that tests bend, and those are sound.
pub(super) fn suite_holds(seen: &Seen<'_>) -> Option<bool> {
    let (mut rest, good) = (seen.suite.clone(), &seen.oracle.suite);
    for key in ["schedule", "review", "gates"] {
        rest.insert(key.to_owned(), good[key].clone());
    }
    for list in ["case", "baseline", "arm"] {
        for (one, good) in rest[list]
            .as_array_mut()?
            .iter_mut()
            .zip(good[list].as_array()?)
        {
            for key in [
                "max_token_ratio",
                "max_duration_ratio",
                "total_tokens",
                "duration_ms",
                "effort",
            ] {
                if let Some(good) = good.get(key) {
                    one.as_table_mut()?.insert(key.to_owned(), good.clone());
                }
            }
        }
    }
    assert_eq!(
        &rest, good,
        "the tests bend a part of the suite that the oracle does not know"
    );
    let (required, optional) = (
        comparisons::words(seen, "required_reviewer_types"),
        comparisons::words(seen, "optional_reviewer_types"),
    );
    let all = [required.clone(), optional].concat();
    let unique: BTreeSet<&str> = all.iter().copied().collect();
    let review = &seen.suite["review"];
    let (min, max) = (
        review["score_min"].as_integer()?,
        review["score_max"].as_integer()?,
    );
    let floor = review
        .get("score_floor")
        .and_then(Toml::as_integer)
        .unwrap_or(min);
    let gates = &seen.suite["gates"];
    let percent = |key: &str| millionths(&gates[key]).is_some_and(|limit| limit < 100_000_000);
    Some(
        !required.is_empty()
            && unique.len() == all.len()
            && min < max
            && (min..=max).contains(&floor)
            && percent("median_token_improvement_percent")
            && percent("median_duration_improvement_percent"),
    )
}

/// A decimal number of the suite in millionths.
fn millionths(value: &Toml) -> Option<i128> {
    let text = match value {
        Toml::Integer(number) => number.to_string(),
        Toml::String(text) => text.clone(),
        _ => return None,
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{fraction:0<6}").parse().ok()
}

pub(super) fn hold(seen: &Seen<'_>) -> Option<bool> {
    let trials = history::trials(seen);
    Some(
        fresh(seen)
            && models(seen, &trials)?
            && schedule(seen, &trials)?
            && each(seen, &trials)?
            && comparisons::no_regression(seen)?
            && costs(seen, &trials)?,
    )
}

/// No two attempts share a session.
fn fresh(seen: &Seen<'_>) -> bool {
    let mut sessions = BTreeSet::new();
    history::of_kind(seen, "attempt_ended")
        .filter_map(|ended| ended["trace"]["thread_id"].as_str())
        .all(|session| sessions.insert(session.to_lowercase()))
}

fn ended(trial: &Trial) -> Option<&Value> {
    Some(&trial.attempts.last()?.ended.as_ref()?.1)
}

fn models(seen: &Seen<'_>, trials: &BTreeMap<String, Trial>) -> Option<bool> {
    let mut fine = true;
    let mut asked: BTreeMap<&str, [&Value; 2]> = BTreeMap::new();
    let mut observed: BTreeMap<&str, &Value> = BTreeMap::new();
    for (name, trial) in trials {
        let mut parts = name.split('.');
        let (case, arm) = (parts.next()?, parts.next()?);
        let trace = &ended(trial)?["trace"];
        let these = [&trace["requested_model"], &trace["requested_effort"]];
        fine &= *asked.entry(case).or_insert(these) == these;
        let stated = |list: &'static str| {
            seen.suite[list]
                .as_array()
                .into_iter()
                .flatten()
                .filter(move |one| match list {
                    "arm" => one["id"].as_str() == Some(arm),
                    _ => one["arm"].as_str() == Some(arm) && one["case"].as_str() == Some(case),
                })
        };
        for one in stated("arm").chain(stated("baseline")) {
            for (key, found) in ["model", "effort"].into_iter().zip(these) {
                fine &= one
                    .get(key)
                    .is_none_or(|stated| stated.as_str() == found.as_str());
            }
        }
        let seen_model = &trace["observed_model"];
        if !seen_model.is_null() {
            fine &= these[0].is_null() || seen_model == these[0];
            fine &= *observed.entry(case).or_insert(seen_model) == seen_model;
        }
    }
    Some(fine)
}

/// Seconds since midnight of a day long ago, of a time in the one form that the tests write.
pub(super) fn seconds(time: &Value) -> Option<i128> {
    let text = time.as_str()?;
    let bytes = text.as_bytes();
    let marks = [
        (4, "-"),
        (7, "-"),
        (10, "Tt"),
        (13, ":"),
        (16, ":"),
        (19, "Zz"),
    ];
    let shaped = bytes.len() == 20
        && marks
            .iter()
            .all(|(at, marks)| marks.as_bytes().contains(&bytes[*at]));
    shaped.then_some(())?;
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
    let known = (1..=12).contains(&month)
        && (1..=28).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    known.then_some(())?;
    let days = (i128::from(year) * 12 + i128::from(month)) * 31 + i128::from(day);
    Some(((days * 24 + i128::from(hour)) * 60 + i128::from(minute)) * 60 + i128::from(second))
}

fn schedule(seen: &Seen<'_>, trials: &BTreeMap<String, Trial>) -> Option<bool> {
    let plan = seen.plan["trials"].as_array()?;
    let least = i128::from(seen.suite["schedule"]["min_overlap_percent"].as_integer()?);
    let mut fine = (0..=100).contains(&least);
    let start = |trial: &Value| {
        trials
            .get(trial["id"].as_str()?)?
            .attempts
            .first()
            .map(|first| first.start)
    };
    for one in plan {
        for other in plan {
            if one["group"].as_u64() < other["group"].as_u64() {
                fine &= start(one)? < start(other)?;
            }
            let (first, second) = (one["id"].as_str()?, other["id"].as_str()?);
            if one["group"] == other["group"] && first < second {
                fine &= together(&trials[first], &trials[second], least)?;
            }
        }
    }
    Some(fine)
}

fn together(one: &Trial, other: &Trial, least: i128) -> Option<bool> {
    let (first, second) = (&ended(one)?["run"], &ended(other)?["run"]);
    let measured = first["timing"] == "measured" && second["timing"] == "measured";
    let recorded = first["timing"] == "recorded" && second["timing"] == "recorded";
    if first["launch"] != second["launch"] {
        let earlier = first["launch"].as_u64()?.min(second["launch"].as_u64()?);
        let both = [one, other].iter().all(|trial| {
            trial
                .attempts
                .iter()
                .any(|attempt| attempt.started["launch"] == earlier)
        });
        // Started together, and one ran again alone: nothing to hold against the schedule.
        if measured && both {
            return Some(true);
        }
    }
    let (last, next) = (one.attempts.last()?, other.attempts.last()?);
    let apart = last.ended.as_ref()?.0 < next.start || next.ended.as_ref()?.0 < last.start;
    if !recorded && (first["launch"] != second["launch"] || apart) {
        return Some(least == 0);
    }
    let of = |run: &Value, key: &str| run[key].as_u64();
    let span = |run: &Value| {
        Some((
            of(run, "started_ms")?,
            of(run, "started_ms")?.saturating_add(of(run, "duration_ms")?),
        ))
    };
    let ((a, b), (c, d)) = (span(first)?, span(second)?);
    let both = b.min(d).saturating_sub(a.max(c));
    let shorter = of(first, "duration_ms")?.min(of(second, "duration_ms")?);
    Some(i128::from(both) * 100 >= i128::from(shorter) * least)
}

/// What must be true of each trial by itself.
fn each(seen: &Seen<'_>, trials: &BTreeMap<String, Trial>) -> Option<bool> {
    let levels = ["none", "audited", "prevented"];
    let level = |word: &str| levels.iter().position(|one| *one == word);
    let demanded = level(seen.suite["schedule"]["isolation"].as_str()?)?;
    let mut fine = true;
    for planned in seen.plan["trials"].as_array()? {
        let name = planned["id"].as_str()?;
        let trial = trials.get(name)?;
        let (attempt, judged) = (trial.attempts.last()?, trial.judged.as_ref()?);
        let ended = ended(trial)?;
        let run = &ended["run"];
        let tree = &planned["task_tree_sha256"];
        fine &= [&attempt.started, ended, judged]
            .iter()
            .all(|moment| moment["task_tree_sha256"] == *tree);
        fine &= ended["trace"]["audit"]["passed"] == true
            && level(run["isolation"].as_str()?)? >= demanded;
        // A person runs these trials, who may have seen no exit code.
        let unseen = run["exit_code"].is_null() && run["signal"].is_null();
        fine &= ended["outcome"] == "completed" && (run["exit_code"] == 0 || unseen);
        fine &= as_asked(&ended["trace"]);
        fine &= judged["checks"]
            .as_array()?
            .iter()
            .all(|check| check["status"] == "pass");
        fine &= judged["render"]["slides"]
            .as_array()
            .is_some_and(|slides| !slides.is_empty());
        let wall = (seconds(&run["ended_at"])? - seconds(&run["started_at"])?) * 1000;
        let told = i128::from(run["duration_ms"].as_u64()?);
        fine &= run["timing"] == "recorded" || (wall - told).abs() <= 5_000.max(told / 100);
        let baseline = history::of_kind(seen, "baseline_rendered").find(|one| {
            let cell = format!(
                "{}.{}.",
                one["case"].as_str().unwrap_or_default(),
                one["arm"].as_str().unwrap_or_default()
            );
            name.starts_with(&cell)
        });
        fine &=
            baseline.is_none_or(|one| one["render"]["renderer"] == judged["render"]["renderer"]);
    }
    Some(fine)
}

/// No unknown event, no other effort, and nothing loaded, as these arms have no skill.
fn as_asked(trace: &Value) -> bool {
    let (asked, used) = (&trace["requested_effort"], &trace["observed_effort"]);
    let none = |key: &str| trace["loaded"][key].as_array().is_none_or(Vec::is_empty);
    trace["unknown_events"] == 0
        && (asked.is_null() || used.is_null() || asked == used)
        && ["skills", "mcp_servers", "plugins", "instructions"]
            .into_iter()
            .all(none)
}

fn costs(seen: &Seen<'_>, trials: &BTreeMap<String, Trial>) -> Option<bool> {
    let measures = [
        (
            "total_tokens",
            "/usage/total_tokens",
            "median_token_improvement_percent",
            "max_token_ratio",
        ),
        (
            "duration_ms",
            "/run/duration_ms",
            "median_duration_improvement_percent",
            "max_duration_ratio",
        ),
    ];
    let mut fine = true;
    for (key, keys, least, most) in measures {
        let of = |case: &str, arm: &str| {
            let ended = ended(trials.get(&format!("{case}.{arm}.1"))?)?;
            Some(i128::from(ended.pointer(keys)?.as_u64()?))
        };
        // Savings as fractions, sorted by cross multiplication.
        let mut savings: Vec<(i128, i128)> = Vec::new();
        for baseline in seen.suite["baseline"].as_array()? {
            let new = of(baseline["case"].as_str()?, baseline["arm"].as_str()?)?;
            let old = i128::from(baseline[key].as_integer()?);
            savings.push((old - new, old));
        }
        savings.sort_by(|one, other| (one.0 * other.1).cmp(&(other.0 * one.1)));
        let (low, high) = (savings[(savings.len() - 1) / 2], savings[savings.len() / 2]);
        let limit = millionths(&seen.suite["gates"][least])?;
        let sum = low
            .0
            .checked_mul(high.1)?
            .checked_add(high.0.checked_mul(low.1)?)?;
        // Twice the median is at least twice the limit, a percentage in millionths.
        fine &= sum.checked_mul(100_000_000)? >= limit.checked_mul(2 * low.1 * high.1)?;
        for case in seen.suite["case"].as_array()? {
            let id = case["id"].as_str()?;
            let (html, pptx) = (of(id, "web")?, of(id, "slides")?);
            fine &= html.checked_mul(1_000_000)? <= millionths(&case[most])?.checked_mul(pptx)?;
        }
    }
    Some(fine)
}
