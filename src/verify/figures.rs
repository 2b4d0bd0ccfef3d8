// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures of an attempt that must agree with one another before anything is computed from them.

use super::error::{Fault, must};
use crate::experiment::records::{AttemptEnded, Run, Usage};

/// The figures of one attempt agree.
pub(super) fn check(ended: &AttemptEnded) -> Result<(), Fault> {
    usage(&ended.usage)?;
    run(&ended.run)?;
    let audit = &ended.trace.audit;
    must(
        audit.passed == audit.findings.is_empty(),
        format!(
            "a read audit that says passed = {} with {} findings",
            audit.passed,
            audit.findings.len()
        ),
        "passed when nothing was found and not otherwise",
    )
}

/// Usage that is not known is absent: 0 tokens would be the best result there is.
fn usage(usage: &Usage) -> Result<(), Fault> {
    must(
        usage.total_tokens != Some(0),
        "0 tokens in all",
        "a figure above 0, or none when it is unknown",
    )?;
    if let (Some(cached), Some(input)) = (usage.cached_input_tokens, usage.input_tokens) {
        must(
            cached <= input,
            format!("{cached} cached tokens of {input}"),
            "no more cached input than input",
        )?;
    }
    let (Some(input), Some(output)) = (usage.input_tokens, usage.output_tokens) else {
        return Ok(());
    };
    let Some(total) = usage.total_tokens else {
        return Ok(());
    };
    must(
        input.checked_add(output) == Some(total),
        format!("{total} tokens in all, {input} of input and {output} of output"),
        "the sum of input and output",
    )
}

fn run(run: &Run) -> Result<(), Fault> {
    must(run.duration_ms > 0, "a duration of 0 ms", "at least 1 ms")?;
    must(
        run.exit_code.is_none() || run.signal.is_none(),
        "an exit code and a signal",
        "one of the two",
    )?;
    for time in [&run.started_at, &run.ended_at] {
        must(
            time.parse::<jiff::Timestamp>().is_ok(),
            format!("the time `{}`", time.escape_debug()),
            "an RFC 3339 time in UTC",
        )?;
    }
    Ok(())
}
