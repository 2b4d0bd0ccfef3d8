// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares what the checks say of known decks with what they should say.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::hash::Sha256Hex;

use super::decks::{Deck, Decks, start};
use super::{JudgedDeck, Kind, SelfCheck, SelfCheckError, failing};
use crate::checks::{self, CheckList, Evidence};
use crate::experiment::records::{CheckRecord, Usage};
use crate::suite::{Arm, Case, KnownDeck, Loaded, Mode};

/// Checks every known deck of the case that has the arm's format.
pub(super) fn arm(
    loaded: &Loaded,
    case: &Case,
    arm: &Arm,
    decks: &Decks,
    found: &mut SelfCheck,
) -> Result<(), SelfCheckError> {
    let list = without_usage(&case.checks);
    let names = list.names_for(arm.id.get(), arm.format);
    if names.is_empty() {
        return Ok(());
    }
    let wants_none = names.contains(&"absent");
    let assets = assets(loaded, case)?;
    let Some(untouched) = decks.untouched.get(arm.id.get()) else {
        return Ok(());
    };
    let checked = |deck: &Deck| check(loaded, case, arm, &list, &assets, deck, untouched);
    let mut rows = Vec::new();
    for (known, deck) in case.known.iter().zip(&decks.known) {
        if known.format == arm.format {
            rows.push(row(case, arm, known, checked(deck)));
        }
    }
    let nothing = checked(untouched);
    rows.push(JudgedDeck {
        case: case.id.get().clone(),
        arm: arm.id.get().clone(),
        kind: Kind::Untouched,
        artifact: start(loaded, case, arm.id.get()).map(|(path, _)| path.as_str().to_owned()),
        problems: untouched_problems(&nothing, wants_none),
        checks: nothing,
    });
    let (case, arm) = (case.id.get(), arm.id.get());
    if !wants_none && !rows.iter().any(|row| row.kind == Kind::Gold) {
        found.problems.push(format!(
            "`{case}` knows no gold deck for the arm `{arm}`: nothing shows that its checks can pass; add a `[[case.known]]`"
        ));
    }
    let failed: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row.kind != Kind::Gold)
        .flat_map(|row| failing(&row.checks))
        .map(|check| check.name.as_str())
        .collect();
    for name in names.iter().filter(|name| !failed.contains(**name)) {
        found.never_failed.push(format!("{case}/{arm}: {name}"));
    }
    found.decks.extend(rows);
    Ok(())
}

/// A known deck has no usage, so limits of it are not for it.
fn without_usage(list: &CheckList) -> CheckList {
    CheckList {
        usage_limit: None,
        ..list.clone()
    }
}

fn assets(loaded: &Loaded, case: &Case) -> Result<BTreeMap<String, Sha256Hex>, SelfCheckError> {
    let mut assets = BTreeMap::new();
    for path in &case.assets {
        let bytes = fs_err::read(path.below(&loaded.root))?;
        assets.insert(path.name().to_owned(), Sha256Hex::of(&bytes));
    }
    Ok(assets)
}

fn check(
    loaded: &Loaded,
    case: &Case,
    arm: &Arm,
    list: &CheckList,
    assets: &BTreeMap<String, Sha256Hex>,
    deck: &Deck,
    untouched: &Deck,
) -> Vec<CheckRecord> {
    let Some(spec) = loaded.specs.get(case.id.get()) else {
        return Vec::new();
    };
    let before = &untouched.examined.facts;
    let evidence = Evidence {
        arm: arm.id.get(),
        format: arm.format,
        spec,
        assets,
        artifact: &deck.artifact,
        package: deck.examined.package.as_deref().map_err(String::as_str),
        pictures: deck.examined.picture_facts(),
        facts: deck.examined.facts.as_ref().map_err(String::as_str),
        before: (case.mode == Mode::Revise).then(|| before.as_ref().map_err(String::as_str)),
        usage: &Usage {
            input_tokens: None,
            cached_input_tokens: None,
            output_tokens: None,
            total_tokens: None,
            tool_calls: None,
            basis: "a known deck: no agent ran".to_owned(),
        },
        duration_ms: 0,
    };
    checks::run(list, &evidence)
}

fn row(case: &Case, arm: &Arm, known: &KnownDeck, checks: Vec<CheckRecord>) -> JudgedDeck {
    let (kind, problems) = match &known.fails {
        None => (Kind::Gold, gold_problems(&checks)),
        Some(fails) => (Kind::Broken, broken_problems(&checks, fails)),
    };
    JudgedDeck {
        case: case.id.get().clone(),
        arm: arm.id.get().clone(),
        kind,
        artifact: Some(known.artifact.as_str().to_owned()),
        checks,
        problems,
    }
}

fn gold_problems(checks: &[CheckRecord]) -> Vec<String> {
    failing(checks)
        .map(|check| {
            format!(
                "`{}` should pass and does not: {}",
                check.name, check.reason
            )
        })
        .collect()
}

/// A named check that is not for this arm says nothing; the suite's rules see to it that it is for
/// some arm of the format.
fn broken_problems(checks: &[CheckRecord], fails: &[String]) -> Vec<String> {
    let failed: BTreeSet<&str> = failing(checks).map(|check| check.name.as_str()).collect();
    checks
        .iter()
        .map(|check| check.name.as_str())
        .filter(|name| fails.iter().any(|fails| fails == name) && !failed.contains(name))
        .map(|name| format!("`{name}` should fail and passes"))
        .collect()
}

fn untouched_problems(checks: &[CheckRecord], wants_none: bool) -> Vec<String> {
    if wants_none {
        return gold_problems(checks);
    }
    if failing(checks).next().is_some() {
        return Vec::new();
    }
    vec!["every check passes although nothing was done".to_owned()]
}
