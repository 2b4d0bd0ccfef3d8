// SPDX-License-Identifier: MIT OR Apache-2.0
//! `package_sound`: the package opens, and its parts, types and relationships resolve.

use super::Evidence;
use super::outcome::{Verdict, fail, unless_found};
use crate::experiment::records::Artifact;

/// The package opens and is sound.
pub(super) fn sound(evidence: &Evidence<'_>) -> Verdict {
    match (evidence.package, evidence.artifact) {
        (Ok(problems), Artifact::Stored(_)) => unless_found(problems, "the package is sound"),
        (Ok(_), _) => fail("there is no package"),
        (Err(why), _) => fail(format!("the package does not open: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::testing::Case;

    #[test]
    fn problems_and_packages_that_do_not_open_fail() {
        let case = Case::pptx();
        let with = |package| {
            sound(&Evidence {
                package,
                ..case.evidence()
            })
        };
        assert!(with(Ok(&[])).is_ok());
        assert!(with(Err("the zip archive is cut off")).is_err());
        let problems = ["part \"a\" is missing".to_owned()];
        assert_eq!(with(Ok(&problems)), fail("part \"a\" is missing"));
        assert!(
            sound(&Evidence {
                package: Ok(&[]),
                artifact: &Artifact::Missing,
                ..case.evidence()
            })
            .is_err()
        );
    }
}
