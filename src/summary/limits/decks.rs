// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits of what was seen: who looked at the decks, how blind, at how many of them, and drawn by
//! what.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_reviews::review::ReviewerType;

use super::Grounds;
use crate::experiment::records::RenderSet;
use crate::words::{counted, part, with};

/// Bytes of a list without remarks.
const NO_REMARKS: u64 = 2;

pub(super) fn reviewers(grounds: &Grounds<'_>) -> Vec<String> {
    let of = |kind| {
        let reviews = grounds.compared.iter().flat_map(|one| &one.reviews);
        reviews
            .filter(|one| one.review.reviewer_type == kind)
            .count()
    };
    let mut list = Vec::new();
    let scripted = of(ReviewerType::Scripted);
    if scripted > 0 {
        let (reviews, are) = (counted(scripted, "review"), with(scripted, "is", "are"));
        list.push(format!(
            "That anybody looked at the decks: {reviews} {are} by a scripted reviewer, a program that looked at nothing."
        ));
    }
    if of(ReviewerType::Human) == 0 {
        list.push("That a person finds the candidate no worse: no person reviewed it.".to_owned());
    }
    let mut of_trial: BTreeMap<_, usize> = BTreeMap::new();
    for one in grounds.compared {
        *of_trial.entry(&one.trial).or_default() += one.reviews.len();
    }
    if of_trial.values().max().is_some_and(|most| *most < 2) {
        list.push("That reviewers agree: no comparison has more than one review.".to_owned());
    }
    list
}

/// What of the reviewing nobody saw.
pub(super) fn reviewing(grounds: &Grounds<'_>) -> Vec<String> {
    let history = &grounds.verified.history;
    let mut list = Vec::new();
    let voided = history.voided.len();
    if voided > 0 {
        list.push(format!(
            "That no opinion was dropped with a packet: {} {} voided and drawn anew, for reasons that are the operator's own.",
            counted(voided, "packet"),
            with(voided, "was", "were")
        ));
    }
    let unseen = grounds.verified.reviews.iter().filter(|review| {
        review.response.reviewer.kind == ReviewerType::Model
            && !history.reviewer_runs.contains_key(&review.response.packet)
    });
    let unseen = unseen.count();
    if unseen > 0 {
        list.push(format!(
            "What the model saw and was asked in {} by models: {} handed in as files, and no run was observed.",
            counted(unseen, "review"),
            with(unseen, "it was", "they were")
        ));
    }
    list
}

/// Whether reviewers knew which deck was which. Nobody can know when none of them guessed.
pub(super) fn blinding(grounds: &Grounds<'_>) -> Vec<String> {
    let reviews = grounds.compared.iter().flat_map(|one| &one.reviews);
    let guesses: Vec<bool> = reviews.filter_map(|one| one.review.guessed_right).collect();
    let right = guesses.iter().filter(|right| **right).count();
    let sentence = match guesses.len() {
        _ if grounds.compared.iter().all(|one| one.reviews.is_empty()) => return Vec::new(),
        0 => "That reviewers could not tell which deck was which: no review states a guess."
            .to_owned(),
        all if 2 * right > all => format!(
            "That reviewers could not tell which deck was which: {right} of {all} {} named the newer one.",
            with(all, "guess", "guesses")
        ),
        _ => return Vec::new(),
    };
    vec![sentence]
}

/// Cells without a deck, without pictures, without a review.
pub(super) fn missing(grounds: &Grounds<'_>) -> Vec<String> {
    let mut list = Vec::new();
    let asked = grounds.count(|trial| !trial.expects_no_deck());
    let compared: BTreeSet<_> = grounds.compared.iter().map(|one| &one.trial).collect();
    let unseen = grounds.count(|trial| !trial.expects_no_deck() && !compared.contains(trial.id()));
    if unseen > 0 {
        list.push(format!(
            "How the decks of {} look: there is nothing to look at, and nobody compared {}.",
            part(unseen, asked, "trial"),
            with(unseen, "it", "them")
        ));
    }
    let open = grounds.compared.iter();
    let open = open.filter(|one| !one.missing.is_empty()).count();
    if open > 0 {
        let all = grounds.compared.len();
        list.push(format!(
            "What reviewers find in {}: a required review is missing.",
            part(open, all, "comparison")
        ));
    }
    let uncounted = grounds.count(|trial| trial.ended.usage.total_tokens.is_none());
    if uncounted > 0 {
        list.push(format!(
            "What {} cost: {} tokens are not known, and neither is any figure that needs them.",
            part(uncounted, grounds.trials.len(), "trial"),
            with(uncounted, "its", "their")
        ));
    }
    list
}

pub(super) fn renderers(grounds: &Grounds<'_>) -> Vec<String> {
    let sets = sets(grounds);
    let loose: BTreeSet<_> = sets
        .iter()
        .filter(|render| !render.renderer.deterministic)
        .map(|render| render.renderer.name.as_str())
        .collect();
    let mut list = Vec::new();
    if grounds.fails("same_renderer") {
        list.push("That pictures of candidates and baselines differ as the decks do: renderers or fonts differ.".to_owned());
    }
    list.extend(loose.into_iter().map(|name| {
        format!(
            "That the pictures would be the same again: the renderer {name} does not promise it."
        )
    }));
    let remarked = sets.iter();
    let remarked = remarked
        .filter(|render| render.diagnostics.bytes > NO_REMARKS)
        .count();
    if remarked > 0 {
        list.push(format!(
            "That the pictures show all that is in the decks: the renderers have remarks on {}.",
            part(remarked, sets.len(), "deck")
        ));
    }
    let names: BTreeSet<_> = sets.iter().map(|one| one.renderer.name.as_str()).collect();
    if names.len() > 1 {
        let names: Vec<_> = names.into_iter().collect();
        list.push(format!(
            "That decks of two formats look as different as their pictures: {} drew them.",
            names.join(" and ")
        ));
    }
    if !sets.is_empty() {
        list.push(
            "That another renderer, or another program of an audience, shows the same: each deck was drawn by one."
                .to_owned(),
        );
    }
    list
}

/// Every set of pictures, candidates' and baselines'.
fn sets<'a>(grounds: &Grounds<'a>) -> Vec<&'a RenderSet> {
    let candidates = grounds.trials.iter();
    let candidates = candidates.filter_map(|one| one.judged.render.as_ref());
    let baselines = grounds.verified.history.baselines.values();
    candidates.chain(baselines.map(|one| &one.render)).collect()
}

pub(super) fn ties(grounds: &Grounds<'_>) -> Vec<String> {
    let counts = crate::summary::reviews::counts(grounds.compared);
    if counts.ties == 0 {
        return Vec::new();
    }
    let all = counts.wins + counts.ties + counts.losses;
    vec![format!(
        "That candidates and baselines are equally good where scores are equal ({} of {all}): not worse is all that was asked.",
        counts.ties
    )]
}
