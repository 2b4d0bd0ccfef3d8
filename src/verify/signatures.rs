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
        let expected = format!("a signature of the review {} by a key of {who}", review.id);
        by_key(
            &path,
            keys,
            (signing::RESPONSE, &response),
            Some(who),
            expected,
        )?;
    }
    let summary = fs_err::symlink_metadata(layout.summary()).is_ok();
    if summary {
        let bytes = super::folders::read(&layout.summary())?;
        let expected = "a signature of summary.json by one of the keys".to_owned();
        by_key(
            &layout.summary_signature(),
            keys,
            (signing::SUMMARY, &bytes),
            None,
            expected,
        )?;
    }
    Ok(SignatureCounts {
        reviews: verified.reviews.len(),
        summary,
    })
}

fn by_key(
    path: &Path,
    keys: &Keys,
    (namespace, message): (&str, &[u8]),
    who: Option<&str>,
    expected: String,
) -> Result<(), VerifyError> {
    if fs_err::symlink_metadata(path).is_err() {
        return Err(VerifyError::evidence(path, "nothing", expected));
    }
    let signed = good(path, namespace, message)?;
    if keys.hold(&signed, who) {
        return Ok(());
    }
    Err(VerifyError::evidence(
        path,
        "a signature by another key",
        expected,
    ))
}
