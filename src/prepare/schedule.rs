// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which trials run, in which order, and which start together.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;

use super::PrepareError;
use crate::experiment::TrialId;
use crate::experiment::plan::PlannedTrial;
use crate::suite::{Loaded, ScheduleKind};

/// Plans every cell of the suite. `build` makes one trial's task tree and fills its hashes in; the
/// group is set here.
pub(super) fn plan_trials(
    loaded: &Loaded,
    build: impl Fn(TrialId) -> Result<PlannedTrial, PrepareError>,
) -> Result<Vec<PlannedTrial>, PrepareError> {
    let schedule = &loaded.suite.schedule;
    let mut groups: Vec<Vec<TrialId>> = Vec::new();
    for repetition in 1..=schedule.repetitions {
        for case in &loaded.suite.case {
            groups.push(
                loaded
                    .suite
                    .arm
                    .iter()
                    .map(|arm| TrialId {
                        case: case.id.get().clone(),
                        arm: arm.id.get().clone(),
                        repetition,
                    })
                    .collect(),
            );
        }
    }
    if schedule.kind == ScheduleKind::Sequential {
        groups = groups
            .into_iter()
            .flatten()
            .map(|trial| vec![trial])
            .collect();
        // ChaCha20 by name: its stream is fixed, unlike that of a "standard" generator.
        groups.shuffle(&mut ChaCha20Rng::seed_from_u64(schedule.seed));
    }
    let mut trials = Vec::new();
    for (group, members) in (0_u32..).zip(groups) {
        for id in members {
            trials.push(PlannedTrial {
                group,
                ..build(id)?
            });
        }
    }
    Ok(trials)
}
