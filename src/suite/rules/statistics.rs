// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of the statistics' plan: levels that make sense, arms and dimensions that exist, tests
//! that fit what they compare, and nothing declared twice.

use std::collections::BTreeSet;

use deckproof_reviews::exact::Exact;

use super::Rules;
use crate::suite::{At, Decimal, Family, FamilyTest, Id, Measure, Method};

impl Rules<'_> {
    pub(super) fn statistics(&mut self) {
        let plan = &self.suite.statistics;
        self.percent("alpha_percent", &plan.alpha_percent, (0, 50), false);
        self.percent("power_percent", &plan.power_percent, (50, 100), true);
        if let Some(replicates) = plan.replicates
            && !(99..=1_000_000).contains(&replicates)
        {
            let message = format!("found `replicates = {replicates}`, expected 99 to 1000000");
            self.say_at("replicates", message);
        }
        self.claims();
        self.families();
    }

    fn percent(&mut self, key: &str, percent: &At<Decimal>, range: (i64, i64), with_low: bool) {
        let (low, high) = (Exact::from(range.0), Exact::from(range.1));
        let fits = |value: Exact| (value > low || with_low && value == low) && value < high;
        if !percent.exact().is_ok_and(fits) {
            let least = if with_low { "at least" } else { "more than" };
            let (low, high) = range;
            let message = format!(
                "found `{key} = {}`, expected {least} {low} and less than {high} percent",
                percent.get()
            );
            self.say(percent.span(), message);
        }
    }

    fn claims(&mut self) {
        let mut seen = BTreeSet::new();
        for claim in &self.suite.statistics.non_inferiority {
            self.compared(&claim.arm, claim.against.as_ref());
            let sensible = |margin: Exact| margin.is_positive() && margin <= Exact::from(100_u64);
            if !claim.margin.exact().is_ok_and(sensible) {
                let message = format!(
                    "found the margin {}, expected a ratio above 0 and at most 100, such as \"1.10\"",
                    claim.margin.get()
                );
                self.say(claim.margin.span(), message);
            }
            let against = claim.against.as_ref().map(|arm| arm.get().clone());
            if !seen.insert((claim.arm.get().clone(), against, claim.measure)) {
                let message = "the same claim is declared twice, expected one margin for it";
                self.say(claim.arm.span(), message);
            }
        }
    }

    fn families(&mut self) {
        let families = &self.suite.statistics.family;
        self.unique("family", families.iter().map(|family| &family.id));
        families.iter().for_each(|family| self.family(family));
    }

    fn family(&mut self, family: &Family) {
        if family.test.is_empty() {
            let message = format!("the family `{}` has no test", family.id.get());
            self.say(family.id.span(), message);
        }
        let mut seen = BTreeSet::new();
        for test in &family.test {
            self.compared(&test.arm, test.against.as_ref());
            if let Some(problem) = self.misfit(test) {
                self.say(test.arm.span(), problem);
            }
            let against = test.against.as_ref().map(|arm| arm.get().as_str());
            let what = (test.measure, test.dimension.clone(), test.method);
            if !seen.insert((test.arm.get().as_str(), against, what)) {
                let message = format!("a test of `{}` is declared twice", family.id.get());
                self.say(test.arm.span(), message);
            }
        }
    }

    /// Both arms exist and are two.
    fn compared(&mut self, arm: &At<Id>, against: Option<&At<Id>>) {
        for one in [Some(arm), against].into_iter().flatten() {
            if self.find_arm(one).is_none() {
                let message = format!("no `[[arm]]` has the id `{}`", one.get());
                self.say(one.span(), message);
            }
        }
        if against.is_some_and(|other| other.get() == arm.get()) {
            let message = format!("`{}` is compared with itself", arm.get());
            self.say(arm.span(), message);
        }
    }

    /// Why a test does not fit what it compares.
    fn misfit(&self, test: &FamilyTest) -> Option<String> {
        let scored = test.measure == Measure::Score;
        if test.dimension.is_some() != scored {
            return Some(
                "expected `dimension` with the measure `score` and with no other".to_owned(),
            );
        }
        if let Some(name) = &test.dimension {
            let mut known = self.suite.review.dimensions.iter();
            if !known.any(|one| one.name == *name) {
                return Some(format!("no `[[review.dimensions]]` has the name `{name}`"));
            }
            if test.against.is_some() {
                let expected = "scores compare an arm with its baseline, expected no `against`";
                return Some(expected.to_owned());
            }
        }
        let counts_passes = test.measure == Measure::Passes;
        if counts_passes != (test.method == Method::Mcnemar) {
            return Some("expected the method `mcnemar` with the measure `passes`, and another one with every other".to_owned());
        }
        None
    }
}
