// SPDX-License-Identifier: MIT OR Apache-2.0
//! Revisions made as declared, and every way of doing less, more or something else.

use std::collections::BTreeMap;

use super::*;
use crate::checks::testing::{Case, picture, px};
use crate::suite::Format;
use deckproof_renderers::facts::{ElementFact, Rect, SlideFacts, TextFact, TextOrigin};

/// A slide of text boxes: (name, text, colour, x, y), each 200x40 px, behind a root element.
fn slide(index: u32, boxes: &[(&str, &str, &str, i64, i64)]) -> SlideFacts {
    let root = ElementFact {
        kind: "slide".to_owned(),
        rect: px(0, 0, 1280, 720),
        visible: true,
        ..ElementFact::default()
    };
    let mut facts = SlideFacts {
        index,
        elements: vec![root],
        ..SlideFacts::default()
    };
    for ((name, text, color, x, y), at) in boxes.iter().zip(0..) {
        let rect = px(*x, *y, 200, 40);
        facts
            .elements
            .push(element(&at.to_string(), name, text, color, rect));
        let text = TextFact {
            text: (*text).to_owned(),
            rect,
            visible: true,
            element: at.to_string(),
            ..TextFact::default()
        };
        facts.texts.push(text);
    }
    facts
}

fn element(key: &str, name: &str, text: &str, color: &str, rect: Rect) -> ElementFact {
    let style = [("color", color), ("font-size", "24px")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    ElementFact {
        key: key.to_owned(),
        kind: "shape".to_owned(),
        name: name.to_owned(),
        text: text.to_owned(),
        style: BTreeMap::from(style),
        rect,
        visible: true,
    }
}

/// Two slides: a summary and a list.
fn deck() -> Vec<SlideFacts> {
    vec![
        slide(
            1,
            &[
                ("Title", "Draft report", "#111111", 0, 0),
                ("Value", "114", "#222222", 0, 100),
                ("Note", "Kept", "#222222", 0, 200),
            ],
        ),
        slide(
            2,
            &[
                ("Title", "Details", "#111111", 0, 0),
                ("List", "One\nTwo", "#222222", 0, 100),
                ("Page", "2", "#222222", 1000, 680),
            ],
        ),
    ]
}

/// The verdict on a revision of the deck, with the declared changes as JSON.
fn verdict(format: Format, revision: &str, bend: impl FnOnce(&mut Vec<SlideFacts>)) -> Verdict {
    let mut case = match format {
        Format::Html => Case::html(),
        Format::Pptx => Case::pptx(),
    };
    case = case.slide(&[]).slide(&[]);
    case.spec.revision = Some(serde_json::from_str(revision).unwrap());
    case.facts.slides = deck();
    case.before = Some(case.facts.clone());
    bend(&mut case.facts.slides);
    for (slide, index) in case.facts.slides.iter_mut().zip(1..) {
        slide.index = index;
    }
    fidelity(&case.evidence())
}

fn pptx(revision: &str, bend: impl FnOnce(&mut Vec<SlideFacts>)) -> Verdict {
    verdict(Format::Pptx, revision, bend)
}

fn passes(revision: &str, bend: impl FnOnce(&mut Vec<SlideFacts>)) {
    assert_eq!(pptx(revision, bend).err(), None, "{revision}");
}

fn fails(revision: &str, bend: impl FnOnce(&mut Vec<SlideFacts>), message: &str) {
    match pptx(revision, bend) {
        Err(Problem::Fail(reason)) => assert!(reason.contains(message), "{message}: {reason}"),
        other => panic!("{message}: {other:?}"),
    }
}

fn retext(slide: &mut SlideFacts, from: &str, to: &str) {
    slide
        .texts
        .iter_mut()
        .filter(|text| text.text == from)
        .for_each(|text| text.text = to.to_owned());
    slide
        .elements
        .iter_mut()
        .filter(|element| element.text == from)
        .for_each(|element| element.text = to.to_owned());
}

#[test]
fn an_untouched_deck_keeps_a_revision_that_asks_for_nothing() {
    passes("{}", |_| {});
}

#[test]
fn every_undeclared_change_fails() {
    fails("{}", |deck| deck.swap(0, 1), "expected");
    fails("{}", |deck| drop(deck.pop()), "found 1 slides, expected 2");
    fails(
        "{}",
        |deck| retext(&mut deck[0], "Kept", "kept"),
        "“kept” where “Kept”",
    );
    fails(
        "{}",
        |deck| deck[0].texts.swap(0, 1),
        "where “Draft report” is expected",
    );
    fails("{}", |deck| drop(deck[0].texts.pop()), "“Kept” is gone");
    fails(
        "{}",
        |deck| {
            let text = deck[1].texts[0].clone();
            deck[0].texts.push(text)
        },
        "“Details”, which nobody asked for",
    );
    fails(
        "{}",
        |deck| deck[0].texts[2].visible = false,
        "can no longer be seen",
    );
    fails(
        "{}",
        |deck| deck[0].notes = Some("New".to_owned()),
        "notes changed",
    );
    fails("{}", |deck| deck[0].hidden = true, "hidden now");
    fails("{}", |deck| deck[0].elements[3].rect.x += 1, "is at");
    fails("{}", |deck| deck[0].elements[3].rect.height += 1, "is at");
    fails(
        "{}",
        |deck| {
            drop(
                deck[0].elements[3]
                    .style
                    .insert("bold".to_owned(), "true".to_owned()),
            )
        },
        "bold of",
    );
    fails(
        "{}",
        |deck| drop(deck[0].elements[3].style.remove("color")),
        "color of",
    );
    fails(
        "{}",
        |deck| {
            drop(
                deck[0].elements[0]
                    .style
                    .insert("fill".to_owned(), "#FFFFFF".to_owned()),
            )
        },
        "fill of",
    );
    fails(
        "{}",
        |deck| deck[0].elements[3].name = "Other".to_owned(),
        "was named",
    );
    fails(
        "{}",
        |deck| deck[0].elements[3].kind = "picture".to_owned(),
        "structure changed",
    );
    fails("{}", |deck| drop(deck[0].elements.pop()), "is gone");
    fails(
        "{}",
        |deck| {
            let copy = deck[0].elements[1].clone();
            deck[0].elements.push(copy)
        },
        "is new",
    );
    fails(
        "{}",
        |deck| deck[0].elements[3].visible = false,
        "can no longer be seen",
    );
    fails(
        "{}",
        |deck| deck[0].images.push(picture("a", px(0, 0, 9, 9))),
        "found 1 pictures",
    );
}

#[test]
fn title_and_language_of_the_document_stay() {
    let with = |revision: &str, title: &str, language: &str| {
        let mut case = Case::pptx();
        case.spec.revision = Some(serde_json::from_str(revision).unwrap());
        case.before = Some(case.facts.clone());
        case.facts.document.title = Some(title.to_owned());
        case.facts.document.language = Some(language.to_owned());
        fidelity(&case.evidence()).is_ok()
    };
    assert!(with("{}", "T", "en"));
    assert!(!with("{}", "U", "en") && !with("{}", "T", "de"));
    assert!(with(
        r#"{"replace":[{"slide":0,"from":"T","to":"U"}]}"#,
        "U",
        "en"
    ));
}

const REPLACE: &str = r#"{"replace":[{"slide":1,"from":"114","to":"106"}]}"#;

#[test]
fn a_replacement_must_be_made_and_made_exactly() {
    passes(REPLACE, |deck| retext(&mut deck[0], "114", "106"));
    fails(
        REPLACE,
        |_| {},
        "found the text “114” where “106” is expected",
    );
    fails(
        REPLACE,
        |deck| retext(&mut deck[0], "114", "-106"),
        "“106” is expected",
    );
    let line = r#"{"replace":[{"slide":2,"from":"Two","to":"Three"}]}"#;
    passes(line, |deck| retext(&mut deck[1], "One\nTwo", "One\nThree"));
    fails(
        line,
        |deck| retext(&mut deck[1], "One\nTwo", "Three\nOne"),
        "where “One”",
    );
    let absent = r#"{"replace":[{"slide":1,"from":"115","to":"106"}]}"#;
    assert!(
        matches!(pptx(absent, |_| {}), Err(Problem::Error(why)) if why.contains("was not there before"))
    );
}

#[test]
fn slides_come_in_the_declared_order() {
    let order = r#"{"order":[2,1]}"#;
    passes(order, |deck| deck.swap(0, 1));
    fails(order, |_| {}, "slide 1");
    passes(r#"{"order":[2]}"#, |deck| drop(deck.remove(0)));
    passes(r#"{"order":[1,0,2]}"#, |deck| {
        deck.insert(1, slide(2, &[("Any", "New", "#000000", 0, 0)]))
    });
    assert!(matches!(
        pptx(r#"{"order":[1,3]}"#, |_| {}),
        Err(Problem::Error(_))
    ));
}

#[test]
fn a_slide_number_field_follows_its_slide() {
    let order = r#"{"order":[2,1]}"#;
    let mut case = Case::pptx();
    case.spec.revision = Some(serde_json::from_str(order).unwrap());
    case.facts.slides = deck();
    case.facts.slides[1].texts[2].origin = TextOrigin::Field;
    case.before = Some(case.facts.clone());
    case.facts.slides.swap(0, 1);
    assert!(fidelity(&case.evidence()).is_err(), "it still says 2");
    retext(&mut case.facts.slides[0], "2", "1");
    assert_eq!(fidelity(&case.evidence()).err(), None);
}

#[test]
fn texts_come_and_go_as_declared() {
    let added = r#"{"added":[{"slide":1,"text":"Final"}]}"#;
    let add = |deck: &mut Vec<SlideFacts>| {
        let mut new = deck[0].texts[1].clone();
        (new.text, new.element) = ("Final".to_owned(), "x".to_owned());
        deck[0].texts.insert(1, new);
        deck[0].elements.insert(
            2,
            element("x", "Stamp", "Final", "#333333", px(500, 0, 200, 40)),
        );
    };
    passes(added, add);
    fails(added, |_| {}, "“Final” was not added");
    fails("{}", add, "“Final”");
    let removed = r#"{"removed":[{"slide":1,"text":"Kept"}]}"#;
    passes(removed, |deck| {
        drop((deck[0].texts.pop(), deck[0].elements.pop()))
    });
    fails(removed, |_| {}, "“Kept”");
    passes(r#"{"added":[{"slide":2,"text":"Three"}]}"#, |deck| {
        retext(&mut deck[1], "One\nTwo", "One\nTwo\nThree")
    });
}

const RED: &str = r##"{"style":[{"slide":1,"element":"114","property":"color","to":"#B3261E"}]}"##;

fn recolor(element: &mut ElementFact, color: &str) {
    element.style.insert("color".to_owned(), color.to_owned());
}

#[test]
fn a_style_must_be_given_and_to_that_element_alone() {
    passes(RED, |deck| recolor(&mut deck[0].elements[2], "#B3261E"));
    passes(RED, |deck| recolor(&mut deck[0].elements[2], "#b3261e"));
    fails(RED, |_| {}, "color of “114” is not “#B3261E”");
    fails(
        RED,
        |deck| recolor(&mut deck[0].elements[2], "#FF0000"),
        "expected “#222222”",
    );
    fails(
        RED,
        |deck| (1..4).for_each(|at| recolor(&mut deck[0].elements[at], "#B3261E")),
        "expected “#111111”",
    );
    fails(
        RED,
        |deck| {
            recolor(&mut deck[0].elements[2], "#B3261E");
            deck[0].elements[2]
                .style
                .insert("font-size".to_owned(), "48px".to_owned());
        },
        "font-size",
    );
    let by_name = RED.replace("114", "Value");
    passes(&by_name, |deck| {
        recolor(&mut deck[0].elements[2], "#B3261E")
    });
    fails(
        &RED.replace("114", "Nobody"),
        |_| {},
        "nothing has the text or the name",
    );
}

#[test]
fn one_paragraph_of_several_can_be_meant() {
    let red = r##"{"style":[{"slide":2,"element":"Two","property":"color","to":"#B3261E"}]}"##;
    let paint = |number: u32| {
        move |deck: &mut Vec<SlideFacts>| {
            recolor(&mut deck[1].elements[2], "#222222 | #B3261E");
            for paragraph in 1..=2 {
                let color = if paragraph == number {
                    "#B3261E"
                } else {
                    "#222222"
                };
                deck[1].elements[2]
                    .style
                    .insert(format!("paragraph {paragraph} color"), color.to_owned());
            }
        }
    };
    // The one that stayed is reported beside the one that changed, for the first time.
    let stay =
        |deck: &mut Vec<SlideFacts>| drop(deck[1].elements[2].style.remove("paragraph 1 color"));
    passes(red, |deck| {
        paint(2)(deck);
        stay(deck);
    });
    fails(red, paint(1), "color");
}

const MOVE: &str = r#"{"geometry":[{"slide":1,"element":"Kept","x":10,"y":428}]}"#;

#[test]
fn a_box_must_be_moved_and_to_that_place() {
    passes(MOVE, |deck| deck[0].elements[3].rect = px(10, 428, 200, 40));
    fails(MOVE, |_| {}, "is not where it was asked to be");
    fails(
        MOVE,
        |deck| deck[0].elements[3].rect = px(10, 427, 200, 40),
        "is not where",
    );
    fails(
        MOVE,
        |deck| deck[0].elements[3].rect = px(10, 428, 201, 40),
        "is not where",
    );
    let loose = MOVE.replace("428", r#"428,"tolerance_px":2"#);
    passes(&loose, |deck| {
        deck[0].elements[3].rect = px(10, 426, 200, 40)
    });
    fails(
        &loose,
        |deck| deck[0].elements[3].rect = px(10, 425, 200, 40),
        "is not where",
    );
    fails(
        MOVE,
        |deck| {
            deck[0].elements[3].rect = px(10, 428, 200, 40);
            deck[0].elements[2].rect = px(0, 101, 200, 40);
        },
        "is at 0,101",
    );
}

#[test]
fn a_browser_may_size_a_box_by_its_text_but_not_move_it() {
    let html = |bend: &dyn Fn(&mut Vec<SlideFacts>)| {
        verdict(Format::Html, REPLACE, |deck| {
            retext(&mut deck[0], "114", "106");
            bend(deck);
        })
        .is_ok()
    };
    assert!(html(&|deck| deck[0].elements[2].rect.width += 30 * 9525));
    assert!(!html(&|deck| deck[0].elements[2].rect.x += 30 * 9525));
    assert!(
        !html(&|deck| deck[0].elements[3].rect.width += 30 * 9525),
        "its text is what it was"
    );
    assert!(
        html(&|deck| deck[0].elements[3].rect.x += 9525),
        "browsers round"
    );
    assert!(!html(&|deck| deck[0].elements[3].rect.x += 2 * 9525));
}

#[test]
fn what_inherits_a_colour_may_have_it() {
    let html = |bend: &dyn Fn(&mut Vec<SlideFacts>)| {
        verdict(Format::Html, RED, |deck| {
            recolor(&mut deck[0].elements[2], "#B3261E");
            bend(deck);
        })
        .is_ok()
    };
    assert!(
        html(&|deck| deck[0].elements[2].name = "Value alert".to_owned()),
        "a class did it"
    );
    assert!(!html(
        &|deck| deck[0].elements[3].name = "Note alert".to_owned()
    ));
    assert!(!html(&|deck| drop(
        deck[0].elements[2]
            .style
            .insert("stroke".to_owned(), "#B3261E".to_owned())
    )));
}

#[test]
fn pictures_stay_the_same_files_cut_the_same_way() {
    let with = |hash: &str, left: i32, visible: bool| {
        let mut case = Case::pptx().slide(&[]).asset(0, "new.png");
        case.spec.revision = Some(serde_json::from_str("{}").unwrap());
        case.facts.slides[0]
            .images
            .push(picture("old", px(0, 0, 100, 100)));
        case.before = Some(case.facts.clone());
        let hash = if hash == "new.png" {
            case.assets["new.png"].as_str().to_owned()
        } else {
            hash.to_owned()
        };
        let image = &mut case.facts.slides[0].images[0];
        (image.sha256, image.crop.left, image.visible) = (Some(hash), left, visible);
        fidelity(&case.evidence()).is_ok()
    };
    assert!(with("old", 0, true));
    assert!(!with("other", 0, true) && !with("old", 1, true) && !with("old", 0, false));
    assert!(
        with("new.png", 0, true),
        "the spec says that the slide shows it"
    );
}

#[test]
fn without_a_deck_before_or_a_revision_nothing_can_be_told() {
    let mut case = Case::pptx();
    assert!(matches!(fidelity(&case.evidence()), Err(Problem::Error(_))));
    case.spec.revision = Some(Revision::default());
    assert!(matches!(fidelity(&case.evidence()), Err(Problem::Error(_))));
    let evidence = Evidence {
        before: Some(Err("it crashed")),
        ..case.evidence()
    };
    assert!(matches!(fidelity(&evidence), Err(Problem::Error(why)) if why.contains("it crashed")));
}
