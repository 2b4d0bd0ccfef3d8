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
        "`Reveal.getSlides()`: vertical slides in reading order",
        "`Reveal.slide(h, v, last fragment)` with transitions off"
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
        "keys",
        "No slides to be seen in the document",
        "nothing else fits",
        "each state that a key leads to",
        "keys until nothing new comes"
    ),
];

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
