// SPDX-License-Identifier: MIT OR Apache-2.0
//! `render_count`, `render_dimensions`, `not_blank`, `distinct_slides` and `deterministic`: questions to pictures that
//! were fully decoded. There is one rule for size, the canvas, and no tolerance.

use deckproof_renderers::{CANVAS_HEIGHT, CANVAS_WIDTH};

use super::outcome::{Problem, Verdict, error, facts, fail, unless_found};
use super::{Evidence, PictureFacts, slides};

pub(super) fn pictures<'a>(evidence: &Evidence<'a>) -> Result<&'a [PictureFacts], Problem> {
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
    let pictures = pictures(evidence)?;
    let found = u64::try_from(pictures.len()).unwrap_or(u64::MAX);
    let expected = slides::visible(facts(evidence)?)?;
    let undrawn = pictures
        .iter()
        .zip(1..)
        .filter(|(picture, _)| !picture.drawn);
    let undrawn: Vec<String> = undrawn.map(|(_, n): (_, u32)| n.to_string()).collect();
    if !undrawn.is_empty() {
        fail(format!(
            "the renderer could not draw picture {}",
            undrawn.join(", ")
        ))
    } else if found == expected {
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
        .map(|(_, number)| format!("nothing, or next to nothing, can be seen on picture {number}"))
        .collect();
    unless_found(
        &found,
        format!("something can be seen on all {} pictures", pictures.len()),
    )
}

/// No picture is the same as an earlier one.
pub(super) fn distinct(evidence: &Evidence<'_>) -> Verdict {
    let pictures = pictures(evidence)?;
    let found: Vec<String> = (1_u32..)
        .zip(pictures)
        .filter_map(|(number, picture)| Some((number, picture.same_as?)))
        .map(|(number, same)| format!("picture {number} is the same as picture {same}"))
        .collect();
    unless_found(
        &found,
        format!("all {} pictures are different", pictures.len()),
    )
}

/// Every picture came out as the same bytes when the deck was drawn again.
pub(super) fn deterministic(evidence: &Evidence<'_>) -> Verdict {
    let pictures = pictures(evidence)?;
    if pictures.iter().any(|picture| picture.steady.is_none()) {
        return error("the deck was not drawn a second time");
    }
    let found: Vec<String> = (1_u32..)
        .zip(pictures)
        .filter(|(_, picture)| picture.steady == Some(false))
        .map(|(number, _)| format!("picture {number} came out otherwise when it was drawn again"))
        .collect();
    unless_found(
        &found,
        format!(
            "all {} pictures were the same when drawn again",
            pictures.len()
        ),
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
        drawn: true,
        same_as: None,
        steady: Some(true),
        same_for_viewers: Some(true),
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

    fn with(change: impl Fn(&mut PictureFacts), check: fn(&Evidence<'_>) -> Verdict) -> Verdict {
        let case = Case::html();
        let mut second = GOOD;
        change(&mut second);
        check(&Evidence {
            pictures: Ok(&[GOOD, second]),
            ..case.evidence()
        })
    }

    #[test]
    fn a_white_picture_for_a_slide_that_could_not_be_drawn_counts_as_none() {
        let case = Case::html().slide(&[]);
        let undrawn = PictureFacts {
            drawn: false,
            ..GOOD
        };
        let counted = count(&Evidence {
            pictures: Ok(&[undrawn]),
            ..case.evidence()
        });
        let expected = "the renderer could not draw picture 1";
        assert!(matches!(counted, Err(Problem::Fail(why)) if why == expected));
    }

    #[test]
    fn a_picture_that_comes_twice_or_otherwise_each_time_fails() {
        assert!(with(|_| {}, distinct).is_ok() && with(|_| {}, deterministic).is_ok());
        let same = with(|picture| picture.same_as = Some(1), distinct);
        assert!(
            matches!(same, Err(Problem::Fail(why)) if why.contains("2 is the same as picture 1"))
        );
        let unsteady = with(|picture| picture.steady = Some(false), deterministic);
        assert!(matches!(unsteady, Err(Problem::Fail(why)) if why.contains("picture 2")));
        let unknown = with(|picture| picture.steady = None, deterministic);
        assert!(
            matches!(unknown, Err(Problem::Error(_))),
            "not tried is not passed"
        );
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
