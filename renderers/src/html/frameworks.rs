// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of frameworks, in the order in which they are tried. docs/frameworks.md is made of it.
//!
//! A framework is one JavaScript module under `js/frameworks`, all of one shape: `detect()` says
//! why and how many, `prepare()` may switch off transitions and tell the steps of each slide,
//! `go(i, step)` shows a slide, `settled(i)` is called when movement has ended, and `at()` tells
//! which slide shows. Everything that concerns time stays outside of them.

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Framework {
    /// The short name used in explanations.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// How it is recognised.
    pub detect: &'static str,
    /// What counts as a slide.
    pub slides: &'static str,
    /// How a slide is shown in its final state.
    pub go: &'static str,
    script: &'static str,
}

macro_rules! framework {
    ($name:literal, $title:literal, $detect:literal, $slides:literal, $go:literal) => {
        Framework {
            name: $name,
            title: $title,
            detect: $detect,
            slides: $slides,
            go: $go,
            script: include_str!(concat!("js/frameworks/", $name, ".js")),
        }
    };
}

/// Every framework, in the order of detection. The last three know no framework at all.
pub const FRAMEWORKS: &[Framework] = &[
    framework!(
        "reveal",
        "reveal.js, also Quarto, pandoc and reveal-md",
        "`window.Reveal` answers `getSlides()`",
        "`Reveal.getSlides()` and those that it does not number: vertical slides in reading order",
        "`Reveal.slide(h, v, last fragment)` with transitions off"
    ),
    framework!(
        "reveal-bundled",
        "reveal.js inside a bundle",
        "`.reveal.ready > .slides > section` without `window.Reveal`",
        "those sections, vertical ones in reading order",
        "messages of reveal.js's own protocol"
    ),
    framework!(
        "marp",
        "Marp with its own navigation",
        "`svg[data-marpit-svg]` under `.bespoke-marp-parent`",
        "those drawings",
        "the right arrow, until all fragments are shown"
    ),
    framework!(
        "marp-bare",
        "Marp without navigation",
        "`svg[data-marpit-svg]` alone",
        "those drawings",
        "one is shown and the others are hidden"
    ),
    framework!(
        "slidev",
        "Slidev",
        "`[data-slidev-no]` inside of the slide show",
        "each number that the address shows",
        "the right arrow, until all clicks are shown"
    ),
    framework!(
        "spectacle",
        "Spectacle",
        "`.spectacle-v7-slide`",
        "those elements",
        "the right arrow, until all steps are shown"
    ),
    framework!(
        "impress",
        "impress.js",
        "`window.impress` and `#impress`",
        "`.step`, without `.skip`",
        "`impress().next()`, until all substeps are shown"
    ),
    framework!(
        "remark",
        "remark, also xaringan",
        "`.remark-slides-area`",
        "slides, without those that continue the one before",
        "`slideshow.gotoNextSlide()`, until all continuations are shown"
    ),
    framework!(
        "shower",
        "shower",
        "`window.shower` and `.shower`",
        "`.slide`",
        "full mode, `shower.next()`, until all steps are shown"
    ),
    framework!(
        "webslides",
        "WebSlides",
        "`window.ws` and `#webslides`",
        "its sections",
        "`ws.goToSlide()`"
    ),
    framework!(
        "deckjs",
        "deck.js",
        "the jQuery plugin `$.deck`",
        "`getSlides`, without those inside another",
        "`$.deck('next')`, until all nested slides are shown"
    ),
    framework!(
        "fullpage",
        "fullPage.js",
        "`window.fullpage_api`",
        "`.fp-section`, or the `.fp-slide` elements in it",
        "`fullpage_api.silentMoveTo()`"
    ),
    framework!(
        "flowtime",
        "Flowtime.js",
        "`window.Flowtime`",
        "`.ft-page`, section by section",
        "`Flowtime.next()`, until all fragments are shown"
    ),
    framework!(
        "dzslides",
        "DZSlides, also pandoc",
        "`window.Dz`",
        "`Dz.slides`",
        "`Dz.forward()`, until all steps are shown"
    ),
    framework!(
        "slidy",
        "Slidy, also pandoc",
        "`window.w3c_slidy`",
        "`w3c_slidy.slides`",
        "`next_slide`, until all items are shown"
    ),
    framework!(
        "io-slides",
        "Google's io-slides, also R's ioslides",
        "`window.slidedeck` and `slides > slide`",
        "those elements",
        "`slidedeck.nextSlide()`, until all builds are shown"
    ),
    framework!(
        "big",
        "big",
        "`window.big`",
        "`big.length` of them",
        "`big.go()`"
    ),
    framework!(
        "deck-stage",
        "`<deck-stage>`",
        "an element `deck-stage` that answers `goTo()`",
        "its children",
        "`goTo()`"
    ),
    framework!(
        "clara",
        "Clara's stage",
        "`.deck-stage[data-clara-deck-mode] > .slide`",
        "those elements",
        "the right arrow, until all fragments are shown"
    ),
    framework!(
        "flow",
        "Slides beside or below each other, scroll-snap, strips",
        "two or more elements of a class such as `slide`, or siblings as large as the canvas, that do not overlap",
        "those elements in document order",
        "scrolled into view; a slide of another size is scaled to the canvas"
    ),
    framework!(
        "toggle",
        "Slides on top of each other, of which one shows",
        "the same elements, hidden or overlapping",
        "those elements in the order in which keys show them",
        "Home, then keys, a button or clicks; else its address; else by force"
    ),
    framework!(
        "files",
        "One page per slide",
        "numbered pages beside the entry or in one folder below it, when the entry shows no slides itself",
        "those pages by number",
        "each is loaded"
    ),
    framework!(
        "keys",
        "No slides to be seen in the document",
        "nothing else fits",
        "each state that a key leads to",
        "keys until nothing new comes"
    ),
];

/// The text of docs/frameworks.md.
#[must_use]
pub fn frameworks_page() -> String {
    let mut page = String::from(PAGE);
    for framework in FRAMEWORKS {
        let Framework {
            name,
            title,
            detect,
            slides,
            go,
            ..
        } = framework;
        page.push_str(&format!(
            "| `{name}` | {title} | {detect} | {slides} | {go} |\n"
        ));
    }
    page
}

const PAGE: &str = "# How slides are found in HTML decks

The rules are tried in this order, and the first that fits drives the deck. `deckproof render --explain` names it
and says why. Each slide is drawn in its final state, with everything shown that comes step by step; `--steps` draws
each step. What is found comes from the running page, never from its markup. Controls of the framework are hidden;
nothing else is changed, except that slides of a fixed size are scaled to 1280x720.

This page is made from the table in renderers/src/html/frameworks.rs.

| rule | framework | recognised by | slides | shown by |
| --- | --- | --- | --- | --- |
";

/// The script that finds and drives slides, complete.
pub(super) fn deck_script() -> String {
    let modules: Vec<String> = FRAMEWORKS
        .iter()
        .map(|framework| format!("{:?}: ({})(h)", framework.name, framework.script))
        .collect();
    include_str!("js/deck.js")
        .replace(
            "COMMON;",
            &format!("{};", include_str!("js/common.js").trim_end()),
        )
        .replace("GENERIC", include_str!("js/generic.js"))
        .replace("FRAMEWORKS;", &format!("{{ {} }};", modules.join(",\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_script_is_whole() {
        let mut names: Vec<&str> = FRAMEWORKS.iter().map(|framework| framework.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FRAMEWORKS.len());
        let script = deck_script();
        for place in ["= COMMON", "(GENERIC)", "= FRAMEWORKS"] {
            assert!(!script.contains(place), "{place}");
        }
    }
}
