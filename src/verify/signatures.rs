// SPDX-License-Identifier: MIT OR Apache-2.0
//! `signatures/`: whose reviews and whose summary these are, by keys that the verifier brings.
//!
//! A signature that is there must be a good one of what it lies beside. Whether it is by somebody who may
//! be believed is asked only when keys are brought, and then of every review that counts.

use std::path::Path;

use super::folders::{Kind, expect_kind, list, stray};
use super::reviews::Filed;
use super::{Verified, VerifyError};
use crate::experiment::Layout;
use crate::signing::{self, Keys, Signed};

/// What was found signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignatureCounts {
    /// Reviews signed by a key of their reviewer.
    pub reviews: usize,
    /// Whether the summary is on file, and so signed.
    pub summary: bool,
}

/// Nothing lies in `signatures/` that signs nothing.
pub(super) fn check_names(layout: &Layout, filed: &Filed) -> Result<(), VerifyError> {
    let folder = layout.signatures();
    if fs_err::symlink_metadata(&folder).is_err() {
        return Ok(());
    }
    expect_kind(&folder, Kind::Folder)?;
    for (name, kind) in list(&folder)? {
        let path = folder.join(&name);
        let set_aside = filed.set_aside.iter().map(|one| &one.review);
        let mut reviews = filed.standing.iter().chain(set_aside);
        let review = reviews.find(|one| layout.review_signature(&one.id) == path);
        let summary = path == layout.summary_signature();
        if kind != Kind::File || !(summary || review.is_some()) {
            return Err(stray(&path, "a review or a summary"));
        }
        match review {
            Some(review) => {
                let response = layout.store().get(&review.response_sha256)?;
                good(&path, signing::RESPONSE, &response)?;
            }
            None => {
                good(
                    &path,
                    signing::SUMMARY,
                    &super::folders::read(&layout.summary())?,
                )?;
            }
        }
    }
    Ok(())
}

/// A signature of these bytes.
fn good(path: &Path, namespace: &str, message: &[u8]) -> Result<Signed, VerifyError> {
    let signed = Signed::read(&super::folders::read(path)?);
    signed
        .filter(|one| one.is_of(namespace, message))
        .ok_or_else(|| {
            let expected =
                "an ed25519 signature, as `ssh-keygen -Y sign` makes it, of what it lies beside";
            VerifyError::evidence(path, "another signature", expected)
        })
}

/// Every review that counts, and the summary when it is on file, are signed by one of `keys`: a review
/// by a key of its reviewer.
///
/// # Errors
/// [`VerifyError`] naming the first signature that is missing or by somebody else.
pub fn check(verified: &Verified, keys: &Keys) -> Result<SignatureCounts, VerifyError> {
    let layout = &verified.experiment.layout;
    for review in &verified.reviews {
        let path = layout.review_signature(&review.id);
        let response = layout.store().get(&review.response_sha256)?;
        let who = &review.response.reviewer.id;
        let wanted = Wanted {
            expected: format!("a signature of the review {} by a key of {who}", review.id),
            way_out: "the reviewer makes it with `deckproof review sign RESPONSE`, best before it is handed \
                      in, and RESPONSE.sig belongs here; or leave `--keys` out"
                .to_owned(),
            who: Some(who),
        };
        by_key(&path, keys, (signing::RESPONSE, &response), wanted)?;
    }
    let summary = fs_err::symlink_metadata(layout.summary()).is_ok();
    if summary {
        let bytes = super::folders::read(&layout.summary())?;
        let wanted = Wanted {
            expected: "a signature of summary.json by one of the keys".to_owned(),
            way_out: format!(
                "`deckproof summarize {} --sign KEY` signs it; or leave `--keys` out",
                layout.root().display()
            ),
            who: None,
        };
        let path = layout.summary_signature();
        by_key(&path, keys, (signing::SUMMARY, &bytes), wanted)?;
    }
    Ok(SignatureCounts {
        reviews: verified.reviews.len(),
        summary,
    })
}

/// A signature that keys were brought for.
struct Wanted<'a> {
    expected: String,
    way_out: String,
    /// Whose key it must be by; anybody's of those that were brought without.
    who: Option<&'a str>,
}

fn by_key(
    path: &Path,
    keys: &Keys,
    (namespace, message): (&str, &[u8]),
    wanted: Wanted<'_>,
) -> Result<(), VerifyError> {
    let found = if fs_err::symlink_metadata(path).is_err() {
        "no signature"
    } else if keys.hold(&good(path, namespace, message)?, wanted.who) {
        return Ok(());
    } else {
        "a signature by another key"
    };
    Err(VerifyError::Signature {
        file: path.to_owned(),
        found,
        expected: wanted.expected,
        way_out: wanted.way_out,
    })
}
