// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the suite declares to be shown: claims of "not worse by more than" and families of tests.
//! Each gates when the sealed plan says so, and is told either way.

use deckproof_reviews::exact::Exact;
use deckproof_reviews::gates::{Figure, Gate, Unit};
use deckproof_reviews::statistics::{holm, shown};

use super::Results;
use super::document::{FamilyTestText, FamilyText, Favours, NonInferiorityText};
use super::plan::Plan;
use super::tests_of::Tested;
use crate::suite::{CostMeasure, Family, FamilyTest, Id, Measure, NonInferiorityClaim};
use crate::summary::figures::exact;
use crate::verify::VerifyError;

/// One claim, with its gate when it has one.
pub(super) fn non_inferiority(
    claim: &NonInferiorityClaim,
    results: &Results,
) -> Result<(NonInferiorityText, Option<Gate>), VerifyError> {
    let margin = exact(&claim.margin)?;
    let (arm, against) = (claim.arm.get(), claim.against.as_ref().map(|one| one.get()));
    let costs = results.costs(arm, against, claim.measure);
    let upper = match costs {
        Some(costs) => costs.upper.clone(),
        None => Err("nothing was compared".to_owned()),
    };
    let figure = figure(&upper);
    let name = named("non_inferiority", claim.measure, arm, against);
    let gate = Gate::below(name, &figure, &margin, Unit::Ratio);
    let text = NonInferiorityText {
        arm: arm.clone(),
        against: against.cloned(),
        measure: claim.measure,
        margin: margin.to_string(),
        upper: upper.as_ref().ok().map(|upper| shown(*upper)),
        shown: gate.passed(),
        gate: claim.gate,
        unknown: upper.err(),
    };
    Ok((text, claim.gate.then_some(gate)))
}

fn named(what: &str, measure: CostMeasure, arm: &Id, against: Option<&Id>) -> String {
    let measure = measure.as_str();
    match against {
        Some(against) => format!("{what}:{measure}:{arm}:{against}"),
        None => format!("{what}:{measure}:{arm}"),
    }
}

/// The interval's end as the gate compares it: never rounded below itself.
fn figure(upper: &Result<f64, String>) -> Figure {
    match upper {
        Err(why) => Figure::unknown(why),
        Ok(upper) => Exact::not_below(*upper).map_or_else(
            || Figure::unknown("the interval has no upper end"),
            Figure::of,
        ),
    }
}

/// One family, with its gate when it has one.
pub(super) fn family(
    plan: &Plan,
    family: &Family,
    results: &Results,
) -> (FamilyText, Option<Gate>) {
    let tested: Vec<_> = family
        .test
        .iter()
        .map(|test| results.tested(test))
        .collect();
    let p = |tested: &Option<&Tested>| tested.and_then(|one| one.p.as_ref().ok().copied());
    // What is not known shows nothing, and must not make the correction milder.
    let values: Vec<f64> = tested.iter().map(|one| p(one).unwrap_or(1.0)).collect();
    let adjusted = holm(&values).unwrap_or_else(|| vec![1.0; values.len()]);
    let rows = family.test.iter().zip(&tested).zip(adjusted);
    let tests: Vec<_> = rows
        .map(|((test, tested), adjusted)| row(plan, test, *tested, adjusted))
        .collect();
    let open = tests.iter().filter(|test| !test.shown).map(line);
    let gate = Gate::empty(format!("family:{}", family.id.get()), Ok(open.collect()));
    let text = FamilyText {
        family: family.id.get().clone(),
        shown: gate.passed() && !tests.is_empty(),
        gate: family.gate,
        tests,
    };
    (text, family.gate.then_some(gate))
}

fn row(plan: &Plan, test: &FamilyTest, tested: Option<&Tested>, adjusted: f64) -> FamilyTestText {
    let known = tested.and_then(|one| one.p.as_ref().ok());
    FamilyTestText {
        arm: test.arm.get().clone(),
        against: test.against.as_ref().map(|one| one.get().clone()),
        measure: test.measure,
        dimension: test.dimension.clone(),
        method: test.method,
        p: known.map(|p| shown(*p)),
        adjusted_p: shown(adjusted),
        favours: tested.map_or(Favours::Neither, |one| one.favours),
        shown: tested.is_some_and(|one| one.shows_arm(adjusted, plan.alpha)),
    }
}

/// Why a test of a family shows nothing.
fn line(test: &FamilyTestText) -> String {
    let arm = &test.arm;
    let against = match &test.against {
        Some(other) => format!("`{other}`"),
        None => "its baseline".to_owned(),
    };
    let what = match (test.measure, &test.dimension) {
        (Measure::Tokens, _) => "tokens".to_owned(),
        (Measure::Duration, _) => "time".to_owned(),
        (Measure::Passes, _) => "passes".to_owned(),
        (Measure::Score, name) => format!("score of {}", name.as_deref().unwrap_or_default()),
    };
    let why = match (&test.p, test.favours) {
        (None, _) => "there is no p value".to_owned(),
        (Some(_), Favours::Other) => "the other is the better one".to_owned(),
        (Some(p), _) => format!("p {p}, corrected {}", test.adjusted_p),
    };
    format!(
        "`{arm}` against {against}, {what}, {}: {why}",
        test.method.words()
    )
}
