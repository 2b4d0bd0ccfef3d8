// SPDX-License-Identifier: MIT OR Apache-2.0
//! `artifact_exists` and `absent`: whether there is a deck, which is decided by what was stored, never by what an
//! agent says.

use super::Evidence;
use super::outcome::{Verdict, fail};
use crate::experiment::records::Artifact;

/// The deck is there: regular files, stored.
pub(super) fn exists(evidence: &Evidence<'_>) -> Verdict {
    match evidence.artifact {
        Artifact::Stored(stored) => Ok(format!("{} is there", stored.entry.as_str())),
        Artifact::Missing => {
            let target = evidence.spec.target_outputs.get(&evidence.format);
            let entry = target.map_or("the deck", |target| target.entry.as_str());
            fail(format!("found no {entry} in output/, expected a deck"))
        }
        Artifact::Refused(problem) => fail(format!("the deck was refused: {problem}")),
    }
}

/// There is no deck, not even one that may not be used.
pub(super) fn absent(evidence: &Evidence<'_>) -> Verdict {
    match evidence.artifact {
        Artifact::Missing => Ok("there is no deck".to_owned()),
        Artifact::Stored(stored) => {
            fail(format!("found {}, expected no deck", stored.entry.as_str()))
        }
        Artifact::Refused(problem) => fail(format!(
            "found something in the deck's place, expected nothing: {problem}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::testing::Case;

    #[test]
    fn a_stored_deck_exists_and_nothing_else_does() {
        let case = Case::html();
        assert!(exists(&case.evidence()).is_ok() && absent(&case.evidence()).is_err());
        for artifact in [Artifact::Missing, Artifact::Refused("a link".to_owned())] {
            let evidence = Evidence {
                artifact: &artifact,
                ..case.evidence()
            };
            assert!(exists(&evidence).is_err(), "{artifact:?}");
            assert_eq!(
                absent(&evidence).is_ok(),
                artifact == Artifact::Missing,
                "{artifact:?}"
            );
        }
    }
}
