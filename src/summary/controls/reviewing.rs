// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether reviews may be believed: none left out, none taken back because of what it said, and the
//! blind as tight as the suite demands.

use deckproof_reviews::review::BlindingRules;

use super::{control, isolation_word};
use crate::summary::blinding::{Blinding, GuessFigures};
use crate::summary::document::Control;
use crate::verify::Verified;

/// The controls over reviews. Each is there only where the suite or the records give it something to
/// look at.
pub(in crate::summary) fn reviewing(verified: &Verified, blinding: &Blinding) -> Vec<Control> {
    let rules = &verified.experiment.suite.review;
    let mut controls = Vec::new();
    if rules.panel.is_some() {
        controls.push(panel_complete(verified, blinding));
    }
    if !(blinding.voided.is_empty() && blinding.withdrawn.is_empty()) {
        controls.push(reviews_kept(blinding));
    }
    if !verified.history.reviewer_runs.is_empty() {
        controls.push(reviewers_confined(verified));
    }
    if rules.blinding != BlindingRules::default() {
        controls.push(blinding_held(&rules.blinding, blinding));
    }
    controls
}

/// Repeats and anchors look like all others, so leaving one out is leaving out a packet.
fn panel_complete(verified: &Verified, blinding: &Blinding) -> Control {
    let packets = verified
        .comparisons
        .iter()
        .filter(|one| !one.voided)
        .count();
    let problem = |packet: &String| format!("{packet}: no review");
    control(
        "panel_complete",
        "Every packet of every required seat was reviewed, repeats and anchors too.",
        vec![format!("{packets} packets")],
        blinding.owed.iter().map(problem).collect(),
    )
}

/// A model that reviewed read nothing but its packet, and was the one that was asked for.
fn reviewers_confined(verified: &Verified) -> Control {
    let demanded = verified.experiment.suite.schedule.isolation;
    let mut problems = Vec::new();
    let runs: Vec<_> = verified.history.reviewer_runs.values().flatten().collect();
    for ran in &runs {
        let of = format!("run {} for the packet {}", ran.run, ran.packet);
        if !ran.audit.passed {
            problems.push(format!("{of}: {}", ran.audit.findings.join(", ")));
        }
        if ran.isolation < demanded {
            problems.push(format!("{of}: isolation {}", isolation_word(ran.isolation)));
        }
        if let Some(observed) = ran
            .observed_model
            .as_ref()
            .filter(|one| **one != ran.requested_model)
        {
            problems.push(format!(
                "{of}: asked for {}, observed {observed}",
                ran.requested_model
            ));
        }
    }
    control(
        "reviewers_confined",
        "Model reviewers were kept to their packets and were the models asked for.",
        vec![format!("{} runs of model reviewers", runs.len())],
        problems,
    )
}

fn reviews_kept(blinding: &Blinding) -> Control {
    let voided = blinding.voided.iter();
    let voided = voided.map(|one| format!("packet {} voided: {}", one.packet, one.reason));
    let withdrawn = blinding.withdrawn.iter();
    let told = withdrawn.map(|one| format!("review {} set aside: {}", one.review, one.reason));
    let against = blinding
        .withdrawn
        .iter()
        .filter(|one| one.against_candidate);
    control(
        "reviews_kept",
        "No review that spoke against a candidate was withdrawn or lost with its packet.",
        voided.chain(told).collect(),
        against
            .map(|one| format!("review {} of packet {} did", one.review, one.packet))
            .collect(),
    )
}

fn blinding_held(rules: &BlindingRules, found: &Blinding) -> Control {
    let mut tally = Tally::default();
    for (label, guesses) in [("A", &found.guesses_at_a), ("B", &found.guesses_at_b)] {
        if let Some(limit) = rules.max_bang_percent {
            let name = format!("Bang's index with the candidate at {label}");
            let lead = guesses.right.abs_diff(guesses.wrong);
            let all = guesses.right + guesses.wrong + guesses.none;
            tally.at_most(&name, lead as u128, all as u128, limit);
        }
    }
    if let Some(limit) = rules.min_james_percent {
        let (part, all) = james(&found.guesses_at_a, &found.guesses_at_b);
        tally.at_least("James's index", part, all, limit);
    }
    if let Some(limit) = rules.min_anchors_percent {
        let anchors = &found.anchors;
        let seen = anchors.identical_seen + anchors.broken_seen;
        let all = anchors.identical + anchors.broken;
        tally.at_least(
            "the anchors seen for what they are",
            seen as u128,
            all as u128,
            limit,
        );
    }
    if let Some(limit) = rules.min_repeat_agreement_percent {
        let repeats = &found.repeats;
        let (part, all) = (repeats.agreeing as u128, repeats.dimensions as u128);
        tally.at_least("the agreement of repeats", part, all, limit);
    }
    if let Some(limit) = rules.max_flip_percent {
        let flips = &found.flips;
        let (part, all) = (flips.flips as u128, flips.pairs as u128);
        tally.at_most("the preferences that turn with the order", part, all, limit);
    }
    if let Some(limit) = rules.min_alpha_percent {
        tally.alpha(found.alpha.display.as_deref(), limit);
    }
    control(
        "blinding",
        "The blind held as the suite demands.",
        tally.evidence,
        tally.problems,
    )
}

/// James's index as a fraction of whole numbers: with n asked, d who dared a guess, w of them wrong,
/// and S the sum over both labels of those who dared there times those who named that label's wrong
/// answer, it is (2 (n - d) S + w d²) / (2 n S). (0, 0) when nobody was asked.
fn james(a: &GuessFigures, b: &GuessFigures) -> (u128, u128) {
    let wide = |count: usize| count as u128;
    let dared = |one: &GuessFigures| wide(one.right + one.wrong);
    let (d, w) = (dared(a) + dared(b), wide(a.wrong + b.wrong));
    let n = d + wide(a.none + b.none);
    let s = dared(a) * wide(a.wrong + b.right) + dared(b) * wide(b.wrong + a.right);
    match (n, d, s) {
        (0, _, _) => (0, 0),
        // Nobody dares a guess.
        (_, 0, _) => (1, 1),
        // Nothing was to be expected but what was found.
        (_, _, 0) => (2 * n - d, 2 * n),
        _ => (2 * (n - d) * s + w * d * d, 2 * n * s),
    }
}

#[derive(Default)]
struct Tally {
    evidence: Vec<String>,
    problems: Vec<String>,
}

impl Tally {
    fn at_least(&mut self, name: &str, part: u128, all: u128, limit: u32) {
        let holds = all > 0 && part * 100 >= u128::from(limit) * all;
        self.say(name, part, all, &format!("at least {limit} %"), holds);
    }

    fn at_most(&mut self, name: &str, part: u128, all: u128, limit: u32) {
        let holds = all > 0 && part * 100 <= u128::from(limit) * all;
        self.say(name, part, all, &format!("at most {limit} %"), holds);
    }

    fn say(&mut self, name: &str, part: u128, all: u128, demanded: &str, holds: bool) {
        let found = match all {
            0 => "unknown".to_owned(),
            _ => format!("{part}/{all}"),
        };
        self.evidence
            .push(format!("{name}: {found}, {demanded} demanded"));
        if !holds {
            self.problems
                .push(format!("{name}: {found}, not {demanded}"));
        }
    }

    /// Alpha is a figure of six digits, compared as it is shown.
    fn alpha(&mut self, shown: Option<&str>, limit: u32) {
        let name = "Krippendorff's alpha";
        let value: Option<f64> = shown.and_then(|text| text.parse().ok());
        let found = shown.unwrap_or("unknown");
        let demanded = format!("at least {limit} %");
        self.evidence
            .push(format!("{name}: {found}, {demanded} demanded"));
        if value.is_none_or(|value| value * 100.0 < f64::from(limit)) {
            self.problems
                .push(format!("{name}: {found}, not {demanded}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use deckproof_reviews::statistics::{Guesses, james_index};

    use super::*;
    use crate::summary::document::FigureText;

    fn guesses(right: usize, wrong: usize, none: usize) -> GuessFigures {
        GuessFigures {
            right,
            wrong,
            none,
            bang: FigureText {
                display: None,
                exact: None,
                unknown: None,
            },
        }
    }

    #[test]
    fn james_as_a_fraction_is_the_figure_that_is_shown() {
        let plain = |one: &GuessFigures| Guesses {
            right: one.right,
            wrong: one.wrong,
            unknown: one.none,
        };
        for counts in 0..4096_usize {
            let count = |at: usize| counts >> (2 * at) & 3;
            let a = guesses(count(0), count(1), count(2));
            let b = guesses(count(3), count(4), count(5));
            let (part, all) = james(&a, &b);
            match james_index([plain(&a), plain(&b)]) {
                None => assert_eq!(all, 0),
                Some(index) => {
                    let found = part as f64 / all as f64;
                    assert!(
                        (found - index.index).abs() < 1e-12,
                        "{a:?} {b:?} {found} {index:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn limits_are_exact_and_unknown_keeps_none() {
        let mut tally = Tally::default();
        tally.at_most("x", 3, 10, 30);
        tally.at_least("y", 3, 10, 30);
        assert!(tally.problems.is_empty());
        tally.at_most("x", 31, 100, 30);
        tally.at_least("y", 29, 100, 30);
        tally.at_most("x", 0, 0, 100);
        tally.at_least("y", 0, 0, 0);
        tally.alpha(None, 0);
        tally.alpha(Some("0.299999"), 30);
        assert_eq!(tally.problems.len(), 6);
        tally.alpha(Some("0.3"), 30);
        assert_eq!(tally.problems.len(), 6);
    }
}
