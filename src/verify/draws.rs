// SPDX-License-Identifier: MIT OR Apache-2.0
//! The draws against the suite's panel: nobody gets a packet too many, and no comparison is left out.

use std::collections::BTreeSet;

use deckproof_packets::mapping::Mapping;
use deckproof_reviews::review::{Panel, Place, check_balance, check_places};

use super::VerifyError;
use super::history::History;
use crate::experiment::plan::Commitment;
use crate::experiment::{Experiment, TrialId};

/// One packet as the plan and its mapping have it.
pub(super) struct Drawn<'a> {
    pub commitment: &'a Commitment,
    pub trial: &'a TrialId,
    pub mapping: &'a Mapping,
}

/// Every trial with pictures is compared, in just the packets that the suite asks for; a packet that
/// replaces a voided one is of the same comparison and for the same purpose.
pub(super) fn check(
    experiment: &Experiment,
    history: &History,
    drawn: &[Drawn<'_>],
) -> Result<(), VerifyError> {
    for one in drawn {
        check_replacement(experiment, drawn, one)?;
    }
    let compared = compared(history);
    let unknown = drawn.iter().find(|one| !compared.contains(&one.trial));
    let problem = |(found, expected): (String, String)| {
        VerifyError::evidence(&experiment.layout.plan(), found, expected)
    };
    if let Some(one) = unknown {
        let found = format!("a packet for `{}`, which has no pictures", one.trial);
        return Err(problem((
            found,
            "packets of decks that were drawn".to_owned(),
        )));
    }
    match &experiment.suite.review.panel {
        None => one_each(experiment, &compared, drawn),
        Some(panel) => of_panel(panel, &compared, drawn).map_err(problem),
    }
}

/// The trials with pictures, in the order of their names.
fn compared(history: &History) -> Vec<&TrialId> {
    let with_pictures = history.trials.iter().filter(|(_, trial)| {
        let judged = trial.judged.as_ref();
        let render = judged.and_then(|judged| judged.render.as_ref());
        render.is_some_and(|render| !render.slides.is_empty())
    });
    with_pictures.map(|(id, _)| id).collect()
}

/// Without a panel there is one packet for each trial with pictures: a deck that nobody reviews
/// could not fail its review.
fn one_each(
    experiment: &Experiment,
    compared: &[&TrialId],
    drawn: &[Drawn<'_>],
) -> Result<(), VerifyError> {
    let mut found = BTreeSet::new();
    for one in drawn.iter().filter(|one| one.commitment.voided.is_none()) {
        let file = experiment.layout.mapping(&one.mapping.packet);
        if one.commitment.seat.is_some() || !one.mapping.purpose.is_comparison() {
            let found = "a packet of a panel";
            return Err(VerifyError::evidence(
                &file,
                found,
                "none, since the suite has none",
            ));
        }
        if !found.insert(one.trial) {
            let found = format!("the trial `{}` again", one.trial);
            return Err(VerifyError::evidence(
                &file,
                found,
                "one packet for each trial",
            ));
        }
    }
    let left_out = compared.iter().find(|id| !found.contains(*id));
    left_out.map_or(Ok(()), |id| {
        let found = format!("no packet for `{id}`, which has pictures");
        let expected = "one for each trial that was rendered";
        Err(VerifyError::evidence(
            &experiment.layout.plan(),
            found,
            expected,
        ))
    })
}

fn of_panel(
    panel: &Panel,
    compared: &[&TrialId],
    drawn: &[Drawn<'_>],
) -> Result<(), (String, String)> {
    let places = |keep: &dyn Fn(&Commitment) -> bool| -> Result<Vec<Place>, (String, String)> {
        let kept = drawn.iter().filter(|one| keep(one.commitment));
        kept.map(|one| place(compared, one)).collect()
    };
    let standing = places(&|one| one.voided.is_none())?;
    check_places(panel, compared.len(), &standing)?;
    let first = places(&|one| one.replaces.is_none())?;
    check_places(panel, compared.len(), &first)?;
    check_balance(&first)
}

fn place(compared: &[&TrialId], one: &Drawn<'_>) -> Result<Place, (String, String)> {
    let comparison = compared.iter().position(|id| *id == one.trial);
    let seat = one.commitment.seat;
    match (comparison, seat) {
        (Some(comparison), Some(seat)) => Ok(Place {
            comparison,
            seat: seat.seat,
            position: seat.position,
            purpose: one.mapping.purpose,
            candidate: one.mapping.candidate,
        }),
        _ => Err((
            format!("the packet {} without a seat", one.mapping.packet),
            "a seat for each packet".to_owned(),
        )),
    }
}

fn check_replacement(
    experiment: &Experiment,
    drawn: &[Drawn<'_>],
    one: &Drawn<'_>,
) -> Result<(), VerifyError> {
    let Some(voided) = &one.commitment.replaces else {
        return Ok(());
    };
    let old = drawn.iter().find(|other| other.mapping.packet == *voided);
    let same =
        old.is_some_and(|old| old.trial == one.trial && old.mapping.purpose == one.mapping.purpose);
    if same {
        return Ok(());
    }
    let found = format!("another comparison than that of {voided}, which it replaces");
    Err(VerifyError::evidence(
        &experiment.layout.mapping(&one.mapping.packet),
        found,
        "the same trial and purpose",
    ))
}
