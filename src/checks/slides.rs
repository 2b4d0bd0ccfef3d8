// SPDX-License-Identifier: MIT OR Apache-2.0
//! `slide_count`: how many slides a viewer gets. Slides come from the DOM and from the presentation part; what lies
//! about in a file (a comment, an orphaned part, a hidden slide) is none.

use super::Evidence;
use super::config::SlideCount;
use super::outcome::{Problem, Verdict, error, facts, fail};
use deckproof_renderers::facts::DeckFacts;

/// The deck has exactly so many visible slides.
pub(super) fn count(check: &SlideCount, evidence: &Evidence<'_>) -> Verdict {
    let expected = match check.count {
        Some(count) => u64::from(count),
        None => u64::try_from(evidence.spec.slides.len()).unwrap_or(u64::MAX),
    };
    if expected == 0 {
        return error("the suite expects no slide at all");
    }
    let facts = facts(evidence)?;
    let found = visible(facts)?;
    let hidden = u64::try_from(facts.slides.len()).unwrap_or(u64::MAX) - found;
    let beside = if hidden == 0 {
        String::new()
    } else {
        format!(" and {hidden} hidden")
    };
    if found == expected {
        Ok(format!("found {found} slides{beside}"))
    } else {
        fail(format!(
            "found {found} visible slides{beside}, expected {expected}"
        ))
    }
}

/// How many slides of a deck a viewer gets.
pub(super) fn visible(facts: &DeckFacts) -> Result<u64, Problem> {
    let visible = facts.slides.iter().filter(|slide| !slide.hidden).count();
    u64::try_from(visible).or_else(|_| error("too many slides to count"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::testing::Case;

    fn of(case: &Case, count: Option<u32>) -> Verdict {
        super::count(&SlideCount { count, arms: None }, &case.evidence())
    }

    #[test]
    fn the_count_is_that_of_the_suite_or_of_the_spec() {
        let case = Case::html().slide(&[]).slide(&[]);
        assert!(of(&case, None).is_ok() && of(&case, Some(2)).is_ok());
        assert!(of(&case, Some(3)).is_err() && of(&case, Some(1)).is_err());
        assert!(matches!(of(&case, Some(0)), Err(Problem::Error(_))));
    }

    #[test]
    fn hidden_slides_do_not_count() {
        let mut case = Case::html().slide(&[]).slide(&[]);
        case.facts.slides[1].hidden = true;
        assert!(of(&case, Some(1)).unwrap().contains("1 hidden"));
        assert!(of(&case, None).is_err());
    }
}
