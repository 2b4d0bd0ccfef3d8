// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether keys lead through a deck. The page is loaded anew after all slides were drawn, and keys
//! are pressed as a person presses them, which a page can tell from events that a script makes.
//!
//! It is a second look as well, later and by other means. What a slide reads then is compared with
//! what was drawn.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_browser::cdp::Input;
use serde_json::json;

use super::discover::{Found, Keys, Looks};
use super::drive::Drive;
use super::fault::Fault;
use super::page::Page;
use crate::facts::KeyboardFacts;

/// A key that leads on, its opposite, and what the browser calls both.
struct Pair {
    on: Key,
    back: Key,
}

#[derive(Clone, Copy)]
struct Key {
    name: &'static str,
    code: &'static str,
    number: u32,
    text: &'static str,
}

const fn key(name: &'static str, number: u32) -> Key {
    Key {
        name,
        code: name,
        number,
        text: "",
    }
}

const HOME: Key = key("Home", 36);

/// In the order in which people try them.
const PAIRS: [Pair; 4] = [
    Pair {
        on: key("ArrowRight", 39),
        back: key("ArrowLeft", 37),
    },
    Pair {
        on: key("PageDown", 34),
        back: key("PageUp", 33),
    },
    Pair {
        on: Key {
            name: " ",
            code: "Space",
            number: 32,
            text: " ",
        },
        back: key("PageUp", 33),
    },
    Pair {
        on: key("ArrowDown", 40),
        back: key("ArrowUp", 38),
    },
];

/// Presses in a row that bring nothing, after which a key is given up.
const VAIN: u32 = 2;
/// Presses for one slide on average, with which a key is tried.
const PRESSES: u32 = 20;
/// The most presses of one key in one deck.
const MOST_PRESSES: u32 = 1000;
/// After a page was loaded anew, so that what changes with time has had time.
const LATER: f64 = 2000.0;

/// What each slide read when it was drawn, by its number from 1.
pub(super) type Words = BTreeMap<u32, String>;

struct Tour<'a> {
    drive: &'a Drive,
    words: &'a Words,
    forward: Vec<u32>,
    /// What each slide read last before a key left it.
    read: Words,
}

/// Goes through a deck by keys alone. `url` is its entry, `words` what its slides read.
pub(super) fn tour(
    page: &mut Page,
    url: &str,
    found: &Found,
    drive: &Drive,
    words: &Words,
) -> Result<KeyboardFacts, Fault> {
    let mut best = KeyboardFacts {
        slides: drive.slide_count,
        ..KeyboardFacts::default()
    };
    for pair in &PAIRS {
        page.load(url)?;
        if page.discover(Keys::On)?.framework != found.framework {
            return Err(Fault::Odd(
                "the page is another one when it is loaded again".to_owned(),
            ));
        }
        page.tick(LATER / 2.0)?;
        page.tick(LATER / 2.0)?;
        let mut tour = Tour {
            drive,
            words,
            forward: Vec::new(),
            read: Words::new(),
        };
        tour.go(page, pair.on)?;
        if best.key.is_some() && tour.forward.len() <= best.forward.len() {
            continue;
        }
        best.key =
            (tour.forward.len() > 1 || drive.slide_count == 1).then(|| pair.on.name.to_owned());
        best.changed = tour.changed();
        best.back = tour.back(page, pair.back)?;
        best.forward = tour.forward;
        if best.forward.len() as u32 >= drive.slide_count {
            break;
        }
    }
    Ok(best)
}

impl Tour<'_> {
    /// Presses a key until nothing new comes.
    fn go(&mut self, page: &mut Page, on: Key) -> Result<(), Fault> {
        let (mut at, mut words) = self.look(page)?;
        if at.is_some_and(|at| at != 1) {
            press(page, HOME)?;
            (at, words) = self.look(page)?;
        }
        self.visit(at, &words);
        let mut vain = 0;
        for _ in 0..self.most_presses() {
            press(page, on)?;
            let (next, read) = self.look(page)?;
            vain = if (next, &read) == (at, &words) {
                vain + 1
            } else {
                0
            };
            let round = next != at && next.is_some_and(|next| self.forward.contains(&next));
            let done = self.forward.len() as u32 >= self.drive.slide_count;
            if round || vain >= VAIN || (vain > 0 && done) {
                return Ok(());
            }
            (at, words) = (next, read);
            self.visit(at, &words);
        }
        Ok(())
    }

    /// How often a key is pressed in one direction, at most.
    fn most_presses(&self) -> u32 {
        self.drive
            .slide_count
            .saturating_mul(PRESSES)
            .clamp(4, MOST_PRESSES)
    }

    fn visit(&mut self, at: Option<u32>, words: &str) {
        let Some(at) = at else { return };
        if !self.forward.contains(&at) {
            self.forward.push(at);
        }
        self.read.insert(at, words.to_owned());
    }

    /// Presses the opposite key until nothing new comes, and counts the slides that it leads back.
    fn back(&self, page: &mut Page, back: Key) -> Result<u32, Fault> {
        let (mut at, mut words) = self.look(page)?;
        let mut seen = BTreeSet::new();
        let mut vain = 0;
        for _ in 0..self.most_presses() {
            press(page, back)?;
            let (next, read) = self.look(page)?;
            vain = if (next, &read) == (at, &words) {
                vain + 1
            } else {
                0
            };
            if next.zip(at).is_some_and(|(next, at)| next < at) {
                seen.insert(next);
            }
            if vain >= VAIN || next == Some(1) {
                break;
            }
            (at, words) = (next, read);
        }
        Ok(u32::try_from(seen.len()).unwrap_or(u32::MAX))
    }

    /// The slide that shows, from 1, and what it reads.
    fn look(&self, page: &mut Page) -> Result<(Option<u32>, String), Fault> {
        let state = page.state(true)?;
        let words = page.slide_facts()?.words();
        let place = u32::try_from(state.at).ok();
        let known = place.and_then(|place| self.drive.order.iter().position(|one| *one == place));
        let known = known.and_then(|at| u32::try_from(at).ok()).map(|at| at + 1);
        // Where the page does not tell, the slide that reads like this is the one, rather a new one.
        let alike = || {
            let alike = self
                .words
                .iter()
                .filter(|(_, known)| **known == words)
                .map(|(at, _)| *at);
            let alike: Vec<u32> = alike.collect();
            let fresh = alike.iter().find(|at| !self.forward.contains(at));
            fresh.or(alike.last()).copied()
        };
        let at = if place.is_some() { known } else { alike() };
        Ok((at, words))
    }

    /// Slides that read otherwise than when they were drawn.
    fn changed(&self) -> Vec<u32> {
        let read = self.read.iter();
        read.filter(|(at, words)| self.words.get(*at).is_some_and(|known| known != *words))
            .map(|(at, _)| *at)
            .collect()
    }
}

fn press(page: &mut Page, key: Key) -> Result<(), Fault> {
    page.next_slide();
    for kind in ["keyDown", "keyUp"] {
        let kind = if key.text.is_empty() && kind == "keyDown" {
            "rawKeyDown"
        } else {
            kind
        };
        let mut event = json!({
            "type": kind, "key": key.name, "code": key.code,
            "windowsVirtualKeyCode": key.number, "nativeVirtualKeyCode": key.number,
        });
        if kind == "keyDown" {
            event["text"] = json!(key.text);
        }
        page.post_json::<Input::DispatchKeyEvent>(event)?;
    }
    page.rest_after_move(Looks::Plain)
}
