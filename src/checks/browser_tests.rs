// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every check of the browser passes on a sound deck and fails on each fault.

use deckproof_renderers::facts::{KeyboardFacts, Legibility, OverflowFact, OverlapFact};

use super::*;
use crate::checks::PictureFacts;
use crate::checks::testing::Case;

fn sound() -> Case {
    let mut case = Case::html()
        .slide(&[])
        .slide(&[])
        .text("Hello", (0, 0, 100, 40));
    let html = case.facts.document.html.as_mut().unwrap();
    html.keyboard = Some(KeyboardFacts {
        slides: 2,
        key: Some("ArrowRight".to_owned()),
        forward: vec![1, 2],
        back: 1,
        changed: Vec::new(),
    });
    case.facts.slides[1].texts[0].legibility = Some(Legibility {
        contrast: 450,
        size: 1600,
        bold: false,
    });
    case
}

fn reason(case: &Case, check: fn(&Evidence<'_>) -> Verdict) -> String {
    match check(&case.evidence()) {
        Err(Problem::Fail(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

fn keys(case: &mut Case) -> &mut KeyboardFacts {
    let html = case.facts.document.html.as_mut().unwrap();
    html.keyboard.as_mut().unwrap()
}

const ALL: [fn(&Evidence<'_>) -> Verdict; 6] = [
    no_overflow,
    no_text_overlap,
    contrast,
    no_blocked_requests,
    no_console_errors,
    keyboard_navigation,
];

#[test]
fn a_sound_deck_passes_and_a_package_is_told_nothing_about() {
    for check in ALL {
        assert!(check(&sound().evidence()).is_ok());
        assert!(matches!(
            check(&Case::pptx().evidence()),
            Err(Problem::Error(_))
        ));
    }
    for check in [no_overflow, no_text_overlap, contrast] {
        assert!(
            check(&Case::html().evidence()).is_err(),
            "a deck without slides"
        );
    }
}

#[test]
fn what_does_not_fit_fails_with_its_slide_and_words() {
    let kinds = [
        (OverflowKind::Cut, "is cut off"),
        (OverflowKind::OffSlide, "beyond the slide"),
        (OverflowKind::LeavesBox, "leaves its box"),
        (OverflowKind::Scrolls, "scrolled"),
    ];
    for (kind, words) in kinds {
        let mut case = sound();
        case.facts.slides[1].overflows.push(OverflowFact {
            kind,
            text: "Long".to_owned(),
            element: "section/p".to_owned(),
            pixels: 12,
        });
        let reason = reason(&case, no_overflow);
        let expected = ["slide 2", words, "12 px", "Long"];
        assert!(
            expected.iter().all(|part| reason.contains(part)),
            "{reason}"
        );
    }
}

#[test]
fn texts_on_each_other_fail() {
    let mut case = sound();
    case.facts.slides[0].overlaps.push(OverlapFact {
        first: "One".to_owned(),
        second: "Two".to_owned(),
        width: 30,
        height: 9,
    });
    assert!(reason(&case, no_text_overlap).contains("slide 1: “One” and “Two” share 30x9 px"));
}

#[test]
fn contrast_is_judged_by_the_size_of_the_text() {
    let mut case = sound();
    let mut with = |contrast, size, bold| {
        case.facts.slides[1].texts[0].legibility = Some(Legibility {
            contrast,
            size,
            bold,
        });
        contrast_fails(&case)
    };
    assert!(with(449, 2399, false) && !with(450, 1000, false));
    assert!(!with(300, 2400, false) && with(299, 9000, true));
    assert!(!with(300, 1866, true) && with(300, 1865, true) && with(300, 1866, false));
}

fn contrast_fails(case: &Case) -> bool {
    contrast(&case.evidence()).is_err()
}

#[test]
fn requests_and_errors_fail() {
    let mut case = sound();
    let html = case.facts.document.html.as_mut().unwrap();
    html.blocked_requests
        .push("https://example.com/".to_owned());
    html.page_errors.push("Uncaught".to_owned());
    assert!(reason(&case, no_blocked_requests).contains("example.com"));
    assert!(reason(&case, no_console_errors).contains("Uncaught"));
}

#[test]
fn keys_must_lead_to_every_slide_in_order_and_back() {
    let fails = |change: fn(&mut KeyboardFacts), words: &str| {
        let mut case = sound();
        change(keys(&mut case));
        let reason = reason(&case, keyboard_navigation);
        assert!(reason.contains(words), "{reason}");
    };
    fails(|keys| keys.key = None, "no key leads on");
    fails(|keys| keys.forward = vec![1], "leads to 1 of 2");
    fails(|keys| keys.forward = vec![2, 1], "[2, 1]");
    fails(|keys| keys.back = 0, "leads back 0 slides, expected 1");
    let mut case = sound();
    case.facts.document.html.as_mut().unwrap().keyboard = None;
    let untold = keyboard_navigation(&case.evidence());
    assert!(matches!(untold, Err(Problem::Error(_))));
}

#[test]
fn every_viewer_must_be_shown_the_same_and_what_was_not_tried_is_no_pass() {
    let picture = PictureFacts {
        width: 1280,
        height: 720,
        blank: false,
        drawn: true,
        same_as: None,
        steady: Some(true),
        same_for_viewers: Some(true),
    };
    let judge = |case: &Case, picture: PictureFacts| {
        let evidence = case.evidence();
        same_for_viewers(&Evidence {
            pictures: Ok(&[picture]),
            ..evidence
        })
    };
    let mut case = sound();
    assert!(judge(&case, picture).is_ok());
    let other = PictureFacts {
        same_for_viewers: Some(false),
        ..picture
    };
    assert!(matches!(judge(&case, other), Err(Problem::Fail(why)) if why.contains("automated")));
    for untold in [
        PictureFacts {
            same_for_viewers: None,
            ..picture
        },
        PictureFacts {
            steady: Some(false),
            ..picture
        },
    ] {
        assert!(matches!(judge(&case, untold), Err(Problem::Error(_))));
    }
    keys(&mut case).changed.push(2);
    assert!(matches!(judge(&case, picture), Err(Problem::Fail(why)) if why.contains("later")));
    case.facts.document.html.as_mut().unwrap().keyboard = None;
    assert!(matches!(judge(&case, picture), Err(Problem::Error(_))));
}
