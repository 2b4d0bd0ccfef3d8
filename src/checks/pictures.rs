// SPDX-License-Identifier: MIT OR Apache-2.0
//! `render_count`, `render_dimensions` and `not_blank`: questions to pictures that were fully decoded. There is one
//! rule for size, the canvas, and no tolerance.

use deckproof_renderers::{CANVAS_HEIGHT, CANVAS_WIDTH};

use super::outcome::{Problem, Verdict, error, facts, fail, unless_found};
use super::{Evidence, PictureFacts, slides};

fn pictures<'a>(evidence: &Evidence<'a>) -> Result<&'a [PictureFacts], Problem> {
    let pictures = evidence
        .pictures
        .or_else(|why| error(format!("there are no pictures: {why}")))?;
    if pictures.is_empty() {
        fail("found no picture, expected one for each slide")
    } else {
        Ok(pictures)
    }
}

/// There is one picture for each visible slide.
pub(super) fn count(evidence: &Evidence<'_>) -> Verdict {
    let found = u64::try_from(pictures(evidence)?.len()).unwrap_or(u64::MAX);
    let expected = slides::visible(facts(evidence)?)?;
    if found == expected {
        Ok(format!("found {found} pictures of {expected} slides"))
    } else {
        fail(format!(
            "found {found} pictures, expected {expected}, one for each visible slide"
        ))
    }
}

/// Every picture is exactly the canvas in size.
pub(super) fn dimensions(evidence: &Evidence<'_>) -> Verdict {
    let pictures = pictures(evidence)?;
    let odd = pictures
        .iter()
        .zip(1..)
        .filter(|(p, _)| (p.width, p.height) != (CANVAS_WIDTH, CANVAS_HEIGHT));
    let found: Vec<String> = odd
        .map(|(p, n)| {
            format!(
                "picture {n} is {}x{}, expected {CANVAS_WIDTH}x{CANVAS_HEIGHT}",
                p.width, p.height
            )
        })
        .collect();
    unless_found(
        &found,
        format!(
            "all {} pictures are {CANVAS_WIDTH}x{CANVAS_HEIGHT}",
            pictures.len()
        ),
    )
}

/// No picture is blank.
pub(super) fn not_blank(evidence: &Evidence<'_>) -> Verdict {
    let pictures = pictures(evidence)?;
    let blank = pictures
        .iter()
        .zip(1..)
        .filter(|(picture, _)| picture.blank);
    let found: Vec<String> = blank
        .map(|(_, number)| format!("nothing can be seen on picture {number}"))
        .collect();
    unless_found(
        &found,
        format!("something can be seen on all {} pictures", pictures.len()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::testing::Case;

    const GOOD: PictureFacts = PictureFacts {
        width: CANVAS_WIDTH,
        height: CANVAS_HEIGHT,
        blank: false,
    };

    fn of(pictures: &[PictureFacts]) -> [bool; 3] {
        let case = Case::html().slide(&[]).slide(&[]);
        let evidence = Evidence {
            pictures: Ok(pictures),
            ..case.evidence()
        };
        [
            count(&evidence).is_ok(),
            dimensions(&evidence).is_ok(),
            not_blank(&evidence).is_ok(),
        ]
    }

    #[test]
    fn each_fault_fails_its_own_check() {
        assert_eq!(of(&[GOOD, GOOD]), [true, true, true]);
        assert_eq!(of(&[GOOD]), [false, true, true]);
        assert_eq!(of(&[GOOD, GOOD, GOOD]), [false, true, true]);
        assert_eq!(
            of(&[
                GOOD,
                PictureFacts {
                    width: 1281,
                    ..GOOD
                }
            ]),
            [true, false, true],
            "not even by a pixel"
        );
        assert_eq!(
            of(&[
                GOOD,
                PictureFacts {
                    height: 719,
                    ..GOOD
                }
            ]),
            [true, false, true]
        );
        assert_eq!(
            of(&[
                GOOD,
                PictureFacts {
                    blank: true,
                    ..GOOD
                }
            ]),
            [true, true, false]
        );
        assert_eq!(of(&[]), [false, false, false]);
    }

    #[test]
    fn without_pictures_nothing_can_be_told() {
        let case = Case::html();
        let evidence = Evidence {
            pictures: Err("the deck crashed the renderer"),
            ..case.evidence()
        };
        assert!(
            matches!(dimensions(&evidence), Err(Problem::Error(why)) if why.contains("crashed"))
        );
    }
}
