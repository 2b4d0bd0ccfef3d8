// SPDX-License-Identifier: MIT OR Apache-2.0
//! `compare`: two arms of one experiment side by side, under the same cases and controls: what each
//! cost, where they disagree and why, and plainly when nothing distinguishes them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use deckproof_packets::json;
use deckproof_reviews::review::Standing;
use serde::Serialize;

use super::document::FigureText;
use super::statistics::{self, CostComparison, PassComparison, TestText};
use super::text::section;
use super::trials::{self, Trial, outcome_words};
use super::{controls, figures, mechanical, reviews};
use crate::experiment::records::CheckStatus;
use crate::suite::{Arm, CostMeasure, Id};
use crate::verify::{self, Verified, VerifyError};
use crate::words::counted;

/// Why two arms cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The evidence cannot be used.
    #[error(transparent)]
    Evidence(#[from] VerifyError),
    /// No such arm.
    #[error("found the arm `{found}`, expected one of {known}")]
    Arm {
        /// What was asked for.
        found: String,
        /// The suite's arms.
        known: String,
    },
    /// An arm and itself.
    #[error("found `{0}` twice, expected two arms")]
    Same(String),
}

/// Two arms side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArmsCompared {
    /// `deckproof.compare.v1`.
    pub schema: &'static str,
    /// The suite's name.
    pub suite: Id,
    /// The two arms.
    pub arms: [ArmWords; 2],
    /// Why what is found may not be due to the arms.
    pub warnings: Vec<String>,
    /// Every case.
    pub cases: Vec<CaseCompared>,
    /// Where one side alone passes, fails, wins or loses.
    pub disagreements: Vec<Disagreement>,
    /// Tokens and times over all cases.
    pub costs: Vec<CostComparison>,
    /// Cases that pass on one side alone.
    pub passes: Option<PassComparison>,
    /// What distinguishes them, in sentences.
    pub distinguished_by: Vec<String>,
    /// What could have been found, test by test, where nothing was.
    pub not_found: Vec<Vec<String>>,
}

/// One arm in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArmWords {
    /// Its name.
    pub arm: Id,
    /// What it makes.
    pub format: crate::suite::Format,
    /// How it is driven.
    pub host: String,
    /// The models that were asked for, and those that something else names.
    pub models: Vec<String>,
    /// The efforts that were asked for.
    pub efforts: Vec<String>,
    /// Its skill.
    pub skill: Option<String>,
}

/// One case, side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseCompared {
    /// The case.
    pub case: Id,
    /// Median tokens of both.
    pub tokens: [FigureText; 2],
    /// The first over the second.
    pub token_ratio: FigureText,
    /// Median milliseconds of both.
    pub duration_ms: [FigureText; 2],
    /// The first over the second.
    pub duration_ratio: FigureText,
    /// Trials that fail mechanically, of both.
    pub failed: [usize; 2],
}

/// One thing in which they differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The case.
    pub case: Id,
    /// The repetition.
    pub repetition: u32,
    /// The check, `outcome`, or `review` with its dimension.
    pub what: String,
    /// What each side came to, and why.
    pub sides: [String; 2],
}

/// Compares two arms of the finished experiment at `root`. Writes nothing.
///
/// # Errors
/// [`CompareError`].
pub fn compare(root: &Path, first: &str, second: &str) -> Result<ArmsCompared, CompareError> {
    let verified = verify::check(root)?;
    let suite = &verified.experiment.suite;
    let (one, other) = (arm(&suite.arm, first)?, arm(&suite.arm, second)?);
    if one.id.get() == other.id.get() {
        return Err(CompareError::Same(first.to_owned()));
    }
    Ok(of(&verified, [one, other])?)
}

fn arm<'a>(arms: &'a [Arm], name: &str) -> Result<&'a Arm, CompareError> {
    let found = arms.iter().find(|arm| arm.id.get().as_str() == name);
    found.ok_or_else(|| {
        let known: Vec<_> = arms
            .iter()
            .map(|arm| format!("`{}`", arm.id.get()))
            .collect();
        CompareError::Arm {
            found: name.to_owned(),
            known: known.join(", "),
        }
    })
}

fn of(verified: &Verified, arms: [&Arm; 2]) -> Result<ArmsCompared, VerifyError> {
    let suite = &verified.experiment.suite;
    let trials = trials::all(verified)?;
    let cells = figures::cells(verified, &trials)?;
    let failed = mechanical::failed(&trials);
    let mut compared = reviews::comparisons(verified, &trials)?;
    reviews::hold_back(&mut compared);
    let ids = arms.map(|arm| arm.id.get().clone());
    let between = statistics::between(suite, &cells, &failed, &compared, &ids)?;
    let of_arm = |id: &Id| {
        trials
            .iter()
            .filter(|one| one.id().arm == *id)
            .collect::<Vec<_>>()
    };
    let sides = [of_arm(&ids[0]), of_arm(&ids[1])];
    let mut disagreements = checks_apart(&sides);
    disagreements.extend(reviews_apart(&sides, &compared));
    let words = [arm_words(arms[0], &sides[0]), arm_words(arms[1], &sides[1])];
    let controls = controls::all(verified, &trials)?;
    let distinguished_by = distinguished(&ids, &between, &disagreements);
    Ok(ArmsCompared {
        schema: "deckproof.compare.v1",
        suite: suite.id.get().clone(),
        warnings: warnings(&words, &controls),
        cases: cases(&cells, &ids, &failed),
        not_found: statistics::not_found(&between),
        costs: between.costs,
        passes: between.passes.into_iter().next(),
        arms: words,
        disagreements,
        distinguished_by,
    })
}

fn arm_words(arm: &Arm, trials: &[&Trial<'_>]) -> ArmWords {
    let known = |of: &dyn Fn(&Trial<'_>) -> Vec<String>| -> Vec<String> {
        let all: BTreeSet<String> = trials.iter().flat_map(|trial| of(trial)).collect();
        all.into_iter().collect()
    };
    let models = known(&|trial| {
        let trace = &trial.ended.trace;
        let asked = trace.requested_model.iter().cloned();
        let seen = trace
            .observed_model
            .iter()
            .map(|one| format!("{one} (observed)"));
        asked.chain(seen).collect()
    });
    ArmWords {
        arm: arm.id.get().clone(),
        format: arm.format,
        host: trials
            .first()
            .map_or_else(String::new, |trial| trial.ended.run.host.clone()),
        models,
        efforts: known(&|trial| trial.ended.trace.requested_effort.iter().cloned().collect()),
        skill: arm.skill.as_ref().map(|skill| skill.get().to_string()),
    }
}

fn warnings(words: &[ArmWords; 2], controls: &[super::Control]) -> Vec<String> {
    let [one, other] = words;
    let said = |list: &[String]| match list {
        [] => "none stated".to_owned(),
        list => list.join(", "),
    };
    let mut warnings = Vec::new();
    for (what, first, second) in [
        ("models", &one.models, &other.models),
        ("efforts", &one.efforts, &other.efforts),
    ] {
        if first != second {
            warnings.push(format!(
                "The {what} differ ({}: {}; {}: {}): a difference may be theirs and not the arms'.",
                one.arm,
                said(first),
                other.arm,
                said(second)
            ));
        }
    }
    if one.host != other.host {
        warnings.push(format!(
            "The hosts differ ({}: {}; {}: {}), and count tokens each in its own way.",
            one.arm, one.host, other.arm, other.host
        ));
    }
    let failed = controls.iter().filter(|one| !one.passed);
    warnings.extend(failed.map(|one| format!("The control `{}` failed.", one.name)));
    warnings
}

fn cases(
    cells: &[figures::Cell<'_>],
    ids: &[Id; 2],
    failed: &[super::FailedCheck],
) -> Vec<CaseCompared> {
    let of = |id: &Id| {
        cells
            .iter()
            .filter(move |cell| cell.arm.id.get() == id)
            .collect::<Vec<_>>()
    };
    let faults = |cell: &figures::Cell<'_>| {
        let bad: BTreeSet<_> = failed.iter().map(|one| &one.trial).collect();
        cell.trials
            .iter()
            .filter(|trial| bad.contains(trial.id()))
            .count()
    };
    let (first, second) = (of(&ids[0]), of(&ids[1]));
    first
        .iter()
        .zip(&second)
        .map(|(one, other)| {
            let (tokens, token_ratio) = one.beside(other, figures::Measure::Tokens);
            let (duration_ms, duration_ratio) = one.beside(other, figures::Measure::Duration);
            CaseCompared {
                case: one.case.id.get().clone(),
                tokens,
                token_ratio,
                duration_ms,
                duration_ratio,
                failed: [faults(one), faults(other)],
            }
        })
        .collect()
}

/// Trials of one case and repetition, side by side.
fn together<'a>(sides: &[Vec<&'a Trial<'a>>; 2]) -> Vec<(&'a Trial<'a>, &'a Trial<'a>)> {
    let mut pairs = Vec::new();
    for one in &sides[0] {
        let same = |other: &&&Trial<'_>| {
            other.id().case == one.id().case && other.id().repetition == one.id().repetition
        };
        if let Some(other) = sides[1].iter().find(same) {
            pairs.push((*one, *other));
        }
    }
    pairs
}

fn checks_apart(sides: &[Vec<&Trial<'_>>; 2]) -> Vec<Disagreement> {
    let mut apart = Vec::new();
    for (one, other) in together(sides) {
        let mut say = |what: &str, sides: [String; 2]| {
            apart.push(Disagreement {
                case: one.id().case.clone(),
                repetition: one.id().repetition,
                what: what.to_owned(),
                sides,
            });
        };
        let outcomes = [one, other].map(|trial| outcome_words(trial.ended));
        if outcomes[0] != outcomes[1] {
            say("outcome", outcomes);
        }
        let names: BTreeSet<&str> = [one, other]
            .iter()
            .flat_map(|trial| trial.judged.checks.iter().map(|check| check.name.as_str()))
            .collect();
        for name in names {
            let stand = [one, other].map(|trial| standing(trial, name));
            if let [Some((first, _)), Some((second, _))] = &stand
                && first != second
            {
                say(
                    name,
                    stand.map(|one| one.map_or_else(String::new, |(_, said)| said)),
                );
            }
        }
    }
    apart
}

/// Whether a check passed, and in words.
fn standing(trial: &Trial<'_>, name: &str) -> Option<(bool, String)> {
    let check = trial
        .judged
        .checks
        .iter()
        .find(|check| check.name == name)?;
    let (passed, word) = match check.status {
        CheckStatus::Pass => (true, "pass"),
        CheckStatus::Fail => (false, "FAIL"),
        CheckStatus::Error => (false, "ERROR"),
    };
    Some((passed, format!("{word}: {}", check.reason)))
}

/// Dimensions in which reviewers put one arm above its baseline and the other not. The two arms were
/// not shown side by side: each was compared with its own baseline.
fn reviews_apart(
    sides: &[Vec<&Trial<'_>>; 2],
    compared: &[super::ReviewedComparison],
) -> Vec<Disagreement> {
    let mut apart = Vec::new();
    for (one, other) in together(sides) {
        let of = |trial: &Trial<'_>| compared.iter().find(|found| found.trial == *trial.id());
        let (Some(first), Some(second)) = (of(one), of(other)) else {
            continue;
        };
        for (mine, theirs) in first.reviews.iter().zip(&second.reviews) {
            let same = mine.review.reviewer == theirs.review.reviewer;
            for (ours, his) in mine.review.dimensions.iter().zip(&theirs.review.dimensions) {
                if same && ours.name == his.name && ours.standing != his.standing {
                    apart.push(Disagreement {
                        case: one.id().case.clone(),
                        repetition: one.id().repetition,
                        what: format!("review by {}: {}", mine.review.reviewer, ours.name),
                        sides: [ours, his].map(|dimension| {
                            let stands = match dimension.standing {
                                Standing::Win => "above its baseline",
                                Standing::Tie => "as its baseline",
                                Standing::Loss => "BELOW its baseline",
                            };
                            format!("{stands}: {}", dimension.candidate.rationale)
                        }),
                    });
                }
            }
        }
    }
    apart
}

/// What distinguishes two arms: a significant difference, or a disagreement.
fn distinguished(
    ids: &[Id; 2],
    between: &statistics::Between,
    disagreements: &[Disagreement],
) -> Vec<String> {
    let mut by = Vec::new();
    for one in &between.costs {
        let what = match one.measure {
            CostMeasure::Tokens => "tokens",
            CostMeasure::Duration => "time",
        };
        by.extend(finding(ids, what, &one.tests));
    }
    for one in &between.passes {
        by.extend(finding(
            ids,
            "checks passed",
            std::slice::from_ref(&one.test),
        ));
    }
    if !disagreements.is_empty() {
        by.push(counted(disagreements.len(), "disagreement"));
    }
    by
}

fn finding(ids: &[Id; 2], what: &str, tests: &[TestText]) -> Option<String> {
    let found: Vec<_> = tests
        .iter()
        .filter(|test| test.p.is_some() && test.detectable.is_none())
        .collect();
    let better = match found.first()?.favours {
        statistics::Favours::Arm => &ids[0],
        statistics::Favours::Other => &ids[1],
        statistics::Favours::Neither => return None,
    };
    let p: Vec<_> = found
        .iter()
        .map(|test| {
            format!(
                "{} p {}",
                test.method.words(),
                test.p.as_deref().unwrap_or("")
            )
        })
        .collect();
    Some(format!(
        "{what}: {better} is the better one ({})",
        p.join(", ")
    ))
}

impl ArmsCompared {
    /// The bytes of the JSON form.
    ///
    /// # Errors
    /// When it cannot be written as JSON, which its type does not cause.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        json::pretty(self).map_err(io::Error::from)
    }

    /// The comparison for a terminal.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let [one, other] = &self.arms;
        let _ = writeln!(text, "{} against {}, in {}", one.arm, other.arm, self.suite);
        section(
            &mut text,
            "Arms",
            &self.arms.iter().map(arm_row).collect::<Vec<_>>(),
        );
        let warnings: Vec<_> = self.warnings.iter().map(|one| vec![one.clone()]).collect();
        section(&mut text, "Warnings", &warnings);
        section(&mut text, "Cases", &self.case_rows());
        section(&mut text, "Where they disagree", &self.disagreement_rows());
        let mut costs = vec![statistics::COST_TITLES.map(str::to_owned).to_vec()];
        costs.extend(statistics::cost_rows_of(&self.costs));
        section(&mut text, "Over all cases", &costs);
        let conclusion = if self.distinguished_by.is_empty() {
            let said = "Nothing distinguishes them: no test finds a difference, and no check or review tells them apart.";
            vec![vec![said.to_owned()]]
        } else {
            self.distinguished_by
                .iter()
                .map(|one| vec![one.clone()])
                .collect()
        };
        section(&mut text, "What distinguishes them", &conclusion);
        if self.distinguished_by.is_empty() {
            let title = "The smallest differences that would have been found";
            section(&mut text, title, &self.not_found);
        }
        text
    }

    fn case_rows(&self) -> Vec<Vec<String>> {
        let [one, other] = self.arms.each_ref().map(|arm| arm.arm.to_string());
        let mut rows = vec![vec![
            "case".to_owned(),
            format!("tokens {one}"),
            other.clone(),
            "ratio".to_owned(),
            format!("ms {one}"),
            other,
            "ratio".to_owned(),
            "failed trials".to_owned(),
        ]];
        rows.extend(self.cases.iter().map(|case| {
            let shown = |figure: &FigureText| figure.shown().to_owned();
            let [first, second] = &case.tokens;
            let [own, others] = &case.duration_ms;
            vec![
                case.case.to_string(),
                shown(first),
                shown(second),
                shown(&case.token_ratio),
                shown(own),
                shown(others),
                shown(&case.duration_ratio),
                format!("{} and {}", case.failed[0], case.failed[1]),
            ]
        }));
        rows
    }

    fn disagreement_rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for one in &self.disagreements {
            let place = format!("{} {}", one.case, one.repetition);
            for (arm, side) in self.arms.iter().zip(&one.sides) {
                rows.push(vec![
                    place.clone(),
                    one.what.clone(),
                    arm.arm.to_string(),
                    side.clone(),
                ]);
            }
        }
        rows
    }
}

fn arm_row(arm: &ArmWords) -> Vec<String> {
    let or_none = |list: &[String]| match list {
        [] => "none stated".to_owned(),
        list => list.join(", "),
    };
    vec![
        arm.arm.to_string(),
        format!("{} deck", arm.format.as_str().to_uppercase()),
        format!("host {}", arm.host),
        format!("model {}", or_none(&arm.models)),
        format!("effort {}", or_none(&arm.efforts)),
        format!("skill {}", arm.skill.as_deref().unwrap_or("none")),
    ]
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
