// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts in sentences: one trial, two trials.

/// `1 slide`, `2 slides`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// The form of a word that goes with a count: `one` with 1, `many` with every other.
#[must_use]
pub fn with(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

/// `1 of 1 trial`, `1 of 4 trials`: the noun goes with the whole.
#[must_use]
pub fn part(count: usize, whole: usize, noun: &str) -> String {
    format!("{count} of {}", counted(whole, noun))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(counted(1, "slide"), "1 slide");
        assert_eq!(counted(0, "slide"), "0 slides");
        assert_eq!(part(1, 4, "trial"), "1 of 4 trials");
        assert_eq!(part(1, 1, "trial"), "1 of 1 trial");
        assert_eq!(with(1, "is", "are"), "is");
        assert_eq!(with(2, "is", "are"), "are");
    }
}
