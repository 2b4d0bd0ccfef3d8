// SPDX-License-Identifier: MIT OR Apache-2.0
//! `usage_limit`: a trial stayed within figures. Usage that is unknown keeps no limit.

use super::Evidence;
use super::config::UsageLimit;
use super::outcome::{Verdict, error, unless_found};

/// Every figure with a limit is known and at most that limit.
pub(super) fn within(check: &UsageLimit, evidence: &Evidence<'_>) -> Verdict {
    let usage = evidence.usage;
    let figures = [
        ("tokens", check.max_total_tokens, usage.total_tokens),
        (
            "milliseconds",
            check.max_duration_ms,
            Some(evidence.duration_ms),
        ),
        ("tool calls", check.max_tool_calls, usage.tool_calls),
    ];
    let limits: Vec<_> = figures
        .into_iter()
        .filter_map(|(what, limit, used)| Some((what, limit?, used)))
        .collect();
    if limits.is_empty() {
        return error("the suite sets no limit");
    }
    let over = limits.iter().filter_map(|(what, limit, used)| match used {
        None => Some(format!(
            "how many {what} were used is unknown, expected at most {limit}"
        )),
        Some(used) if used > limit => {
            Some(format!("{used} {what} were used, expected at most {limit}"))
        }
        Some(_) => None,
    });
    unless_found(&over.collect::<Vec<_>>(), "usage is within its limits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::testing::Case;

    fn limit(tokens: Option<u64>, duration: Option<u64>, calls: Option<u64>) -> UsageLimit {
        UsageLimit {
            max_total_tokens: tokens,
            max_duration_ms: duration,
            max_tool_calls: calls,
            arms: None,
        }
    }

    #[test]
    fn figures_at_their_limit_pass_and_above_it_fail() {
        let mut case = Case::html();
        (
            case.usage.total_tokens,
            case.usage.tool_calls,
            case.duration_ms,
        ) = (Some(100), Some(5), 2_000);
        let with = |check: UsageLimit| within(&check, &case.evidence());
        assert!(with(limit(Some(100), Some(2_000), Some(5))).is_ok());
        assert!(with(limit(Some(99), None, None)).is_err());
        assert!(with(limit(None, Some(1_999), None)).is_err());
        assert!(with(limit(Some(100), None, Some(4))).is_err());
        assert!(
            with(limit(None, None, None)).is_err(),
            "a limit that is none limits nothing"
        );
    }

    #[test]
    fn unknown_usage_keeps_no_limit() {
        let case = Case::html();
        assert!(within(&limit(Some(u64::MAX), None, None), &case.evidence()).is_err());
        assert!(within(&limit(None, None, Some(u64::MAX)), &case.evidence()).is_err());
        assert!(
            within(&limit(None, Some(u64::MAX), None), &case.evidence()).is_ok(),
            "time is always known"
        );
    }
}
