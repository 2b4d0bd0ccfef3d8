// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of what a browser shows of an HTML deck and of how the deck behaves there: what does not fit, what lies on
//! each other, what is hard to read, what it asks the network for, and where keys lead. All of it was measured on the
//! rendered page; nothing that the deck says about itself takes part.

use deckproof_renderers::facts::{HtmlFacts, OverflowKind, SlideFacts, TextFact};

use super::Evidence;
use super::outcome::{Problem, Verdict, error, facts, fail, quoted, unless_found};
use super::pictures::pictures;

/// Least contrast of text by WCAG 2, level AA, in hundredths.
const LEAST: u32 = 450;
/// Least contrast of large text.
const LEAST_LARGE: u32 = 300;
/// Large is 18 points, or 14 points when bold; in hundredths of a pixel.
const LARGE: u32 = 2400;
/// Large for bold text.
const LARGE_BOLD: u32 = 1866;

fn html<'a>(evidence: &Evidence<'a>) -> Result<&'a HtmlFacts, Problem> {
    let document = &facts(evidence)?.document;
    document
        .html
        .as_ref()
        .map_or_else(|| error("the deck is no HTML page"), Ok)
}

/// Asks every slide, and says what was found with the slide's number before it.
fn each_slide(
    evidence: &Evidence<'_>,
    passed: &str,
    ask: impl Fn(&SlideFacts) -> Vec<String>,
) -> Verdict {
    html(evidence)?;
    let slides = &facts(evidence)?.slides;
    if slides.is_empty() {
        return fail("found no slide, expected at least one");
    }
    let of = |slide: &SlideFacts| {
        let number = slide.index;
        let found = ask(slide).into_iter();
        found
            .map(move |what| format!("slide {number}: {what}"))
            .collect::<Vec<_>>()
    };
    let found: Vec<String> = slides.iter().flat_map(of).collect();
    unless_found(&found, passed)
}

/// Every text fits where it is.
pub(super) fn no_overflow(evidence: &Evidence<'_>) -> Verdict {
    each_slide(evidence, "every text fits where it is", |slide| {
        let what = |kind| match kind {
            OverflowKind::Cut => "is cut off",
            OverflowKind::OffSlide => "lies beyond the slide",
            OverflowKind::LeavesBox => "leaves its box",
            OverflowKind::Scrolls => "would have to be scrolled",
        };
        let of = |one: &deckproof_renderers::facts::OverflowFact| {
            let name = if one.text.is_empty() {
                &one.element
            } else {
                &one.text
            };
            format!("{} {} by {} px", quoted(name), what(one.kind), one.pixels)
        };
        slide.overflows.iter().map(of).collect()
    })
}

/// No two texts lie on each other.
pub(super) fn no_text_overlap(evidence: &Evidence<'_>) -> Verdict {
    each_slide(evidence, "no two texts lie on each other", |slide| {
        let of = |one: &deckproof_renderers::facts::OverlapFact| {
            let (first, second) = (quoted(&one.first), quoted(&one.second));
            format!("{first} and {second} share {}x{} px", one.width, one.height)
        };
        slide.overlaps.iter().map(of).collect()
    })
}

/// Every text stands out from its ground.
pub(super) fn contrast(evidence: &Evidence<'_>) -> Verdict {
    each_slide(evidence, "every text stands out from its ground", |slide| {
        slide.texts.iter().filter_map(faint).collect()
    })
}

fn faint(text: &TextFact) -> Option<String> {
    let shown = text.legibility?;
    let large = shown.size >= LARGE || (shown.bold && shown.size >= LARGE_BOLD);
    let least = if large { LEAST_LARGE } else { LEAST };
    let decimal = |hundredths: u32| format!("{}.{:02}", hundredths / 100, hundredths % 100);
    (shown.contrast < least).then(|| {
        format!(
            "{} has a contrast of {}:1 with its ground, expected {}:1 at least",
            quoted(&text.text),
            decimal(shown.contrast),
            decimal(least)
        )
    })
}

/// The deck asks for nothing outside of its folder.
pub(super) fn no_blocked_requests(evidence: &Evidence<'_>) -> Verdict {
    listed(
        &html(evidence)?.blocked_requests,
        "found a request that was stopped",
        "no request had to be stopped",
    )
}

/// The deck writes no error and throws none.
pub(super) fn no_console_errors(evidence: &Evidence<'_>) -> Verdict {
    let html = html(evidence)?;
    let errors: Vec<String> = html
        .console_errors
        .iter()
        .chain(&html.page_errors)
        .cloned()
        .collect();
    listed(&errors, "found an error", "no error was written or thrown")
}

fn listed(list: &[String], what: &str, passed: &str) -> Verdict {
    let found: Vec<String> = list
        .iter()
        .map(|item| format!("{what}: {}", quoted(item)))
        .collect();
    unless_found(&found, passed)
}

/// One key leads through all slides in order, and its opposite leads back to the first.
pub(super) fn keyboard_navigation(evidence: &Evidence<'_>) -> Verdict {
    let Some(keys) = &html(evidence)?.keyboard else {
        return error("where keys lead could not be told");
    };
    let Some(key) = &keys.key else {
        return fail("no key leads on from the first slide");
    };
    let key = if key == " " { "Space" } else { key };
    let expected: Vec<u32> = (1..=keys.slides).collect();
    if keys.forward != expected {
        let (led, all) = (keys.forward.len(), keys.slides);
        return fail(format!(
            "{key} leads to {led} of {all} slides in the order {:?}",
            keys.forward
        ));
    }
    let back = keys.slides.saturating_sub(1);
    if keys.back < back {
        return fail(format!(
            "the opposite of {key} leads back {} slides, expected {back}",
            keys.back
        ));
    }
    Ok(format!(
        "{key} leads through all {} slides, and its opposite back",
        keys.slides
    ))
}

/// A person, a program, and somebody who looks later are shown the same.
pub(super) fn same_for_viewers(evidence: &Evidence<'_>) -> Verdict {
    let Some(keys) = &html(evidence)?.keyboard else {
        return error("the deck was not looked at a second time by keys");
    };
    let pictures = pictures(evidence)?;
    let by_viewer = (1_u32..)
        .zip(pictures)
        .filter(|(_, picture)| picture.same_for_viewers == Some(false))
        .map(|(number, _)| {
            format!("picture {number} is another one when an automated browser looks")
        });
    let by_time = keys
        .changed
        .iter()
        .map(|slide| format!("slide {slide} reads otherwise when keys lead to it later"));
    let found: Vec<String> = by_viewer.chain(by_time).collect();
    let untold = pictures
        .iter()
        .any(|p| p.same_for_viewers.is_none() || p.steady != Some(true));
    if found.is_empty() && untold {
        return error("that cannot be told of pictures that come out otherwise each time");
    }
    unless_found(
        &found,
        "a person and an automated browser are shown the same, sooner and later",
    )
}

#[cfg(test)]
#[path = "browser_tests.rs"]
mod tests;
