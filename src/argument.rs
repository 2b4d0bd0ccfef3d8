// SPDX-License-Identifier: MIT OR Apache-2.0
//! An argument that is wrong has a way out of its own: nothing is the matter with the evidence.

use deckproof_reviews::review::rationale_fault;

use crate::execute::MIN_REASON;

/// An argument that cannot be taken. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{argument}: found {problem}; {way_out}")]
pub struct WrongArgument {
    /// Which argument.
    pub argument: &'static str,
    /// What was found and what was expected.
    pub problem: String,
    /// What to give instead.
    pub way_out: String,
}

/// A reason that stays in the evidence says something.
pub(crate) fn expect_reason(reason: &str) -> Result<(), WrongArgument> {
    let Some(fault) = rationale_fault(reason, MIN_REASON) else {
        return Ok(());
    };
    Err(WrongArgument {
        argument: "the reason",
        problem: fault.to_string(),
        way_out: "say in a few words why; it stays in the evidence".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_words() {
        assert!(expect_reason("a slide named its maker").is_ok());
        assert_eq!(
            expect_reason("x").unwrap_err().to_string(),
            "the reason: found 1 letter or digit, expected at least 8; say in a few words why; it stays \
             in the evidence"
        );
    }
}
