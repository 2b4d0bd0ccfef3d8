// SPDX-License-Identifier: MIT OR Apache-2.0
//! The spending cap: what was spent, and what has to be kept back for trials that run.
//!
//! A trial whose cost is not known counts with its reserve, so that a host that reports nothing
//! cannot spend without end.

use crate::cost::{self, Money};
use crate::experiment::records::AttemptEnded;
use crate::suite::{Budget, HostKind, Suite};

/// Whether `trials` more may be launched after `spent`. `Err` says why not.
pub(super) fn allows(
    suite: &Suite,
    ended: &[AttemptEnded],
    cut_off: usize,
    trials: usize,
) -> Result<(), String> {
    let Some(budget) = &suite.budget else {
        return Ok(());
    };
    let room = room(suite, budget, ended, cut_off, trials);
    let Some((needed, cap)) = room else {
        return Err("the spending cannot be counted".to_owned());
    };
    if needed <= cap {
        return Ok(());
    }
    Err(format!(
        "the spending cap of {cap} {currency} does not allow {trials} more trials: {needed} {currency} with what is \
         spent and {reserve} {currency} kept back for each; finished trials stay finished",
        currency = budget.currency,
        reserve = budget.reserve_per_trial.get(),
    ))
}

fn room(
    suite: &Suite,
    budget: &Budget,
    ended: &[AttemptEnded],
    cut_off: usize,
    trials: usize,
) -> Option<(Money, Money)> {
    let cap = Money::read(&budget.spending_cap)?;
    let reserve = Money::read(&budget.reserve_per_trial)?;
    let mut needed = Money::default();
    for one in ended {
        needed = needed.plus(spent(suite, one).unwrap_or(reserve))?;
    }
    // What was cut off was paid for too, and nobody knows how much.
    for _ in 0..cut_off + trials {
        needed = needed.plus(reserve)?;
    }
    Some((needed, cap))
}

/// What an attempt cost; `None` when nobody knows.
fn spent(suite: &Suite, ended: &AttemptEnded) -> Option<Money> {
    let arm = suite
        .arm
        .iter()
        .find(|arm| *arm.id.get() == ended.trial.arm)?;
    if matches!(arm.host, HostKind::Replay | HostKind::Manual) {
        return Some(Money::default());
    }
    cost::of(suite, arm.model.as_deref(), &ended.usage)
}
