// SPDX-License-Identifier: MIT OR Apache-2.0
//! Going through a deck as a viewer does: a key, a button or a click leads on.
//!
//! Each state is drawn before the next key is pressed, because only the key after the last fragment
//! tells that the fragment was the last. The latest picture of a slide is its final state.

use super::discover::{Found, Looks, MAX_SLIDES, MAX_STEPS, State};
use super::drive::{Drive, Shot, correct, show, take, wanted};
use super::fault::Fault;
use super::page::Page;
use crate::RenderOptions;

/// What may lead on, in the order in which it is tried. `next` is the way of the framework, or the
/// right arrow.
const WAYS: [&str; 6] = ["next", "PageDown", " ", "ArrowDown", "button", "click"];
/// What may show a slide that no key leads to.
const JUMPS: [&str; 4] = ["scroll", "hash", "radio", "force"];
/// Virtual milliseconds in which a page that nobody touches may show that it changes by itself.
const IDLE: f64 = 1500.0;

pub(super) struct Walk<'a> {
    options: &'a RenderOptions,
    /// How many slides there are, when the document shows it.
    count: Option<u32>,
    /// Slides in the order of their first visit, from 0. Without a group each is a new number.
    order: Vec<u32>,
    /// The states drawn, with the slide's number from 0.
    shots: Vec<(u32, Shot)>,
    /// Signatures of slides seen, when nothing else tells them apart.
    seen: Vec<String>,
    mask: bool,
    /// Even so it changes by itself: nothing tells a new slide from the same one.
    unsteady: bool,
    notes: Vec<String>,
}

/// What a key did.
enum Outcome {
    Moved(State),
    Step(State),
    Nothing,
}

impl<'a> Walk<'a> {
    pub(super) fn new(found: &Found, options: &'a RenderOptions) -> Self {
        Self {
            options,
            count: found.count,
            order: Vec::new(),
            shots: Vec::new(),
            seen: Vec::new(),
            mask: false,
            unsteady: false,
            notes: Vec::new(),
        }
    }

    pub(super) fn run(mut self, page: &mut Page) -> Result<Drive, Fault> {
        self.watch_idle(page)?;
        let state = self.go_to_start(page)?;
        self.visit(page, &state)?;
        if !self.unsteady {
            self.go_through(page, state)?;
        }
        self.jump_to_missing(page)?;
        Ok(self.finish())
    }

    /// A page that changes by itself, such as one with a clock, is read without its digits.
    fn watch_idle(&mut self, page: &mut Page) -> Result<(), Fault> {
        if self.count.is_some() {
            return Ok(());
        }
        let before = [page.state(false)?, page.state(true)?];
        page.tick(IDLE / 2.0)?;
        page.tick(IDLE / 2.0)?;
        let after = [page.state(false)?, page.state(true)?];
        let [plain, masked] = &after;
        let [plain_before, masked_before] = &before;
        let changed = plain.signature != plain_before.signature;
        let changed_masked = masked.signature != masked_before.signature;
        self.mask = changed;
        self.unsteady = changed_masked && !self.numbered(plain);
        if self.unsteady {
            self.notes
                .push("the page changes by itself, so it is taken as one slide".to_owned());
        } else if self.mask {
            self.notes
                .push("the page changes by itself, so digits do not tell slides apart".to_owned());
        }
        Ok(())
    }

    fn go_to_start(&mut self, page: &mut Page) -> Result<State, Fault> {
        let state = page.state(self.mask)?;
        if self.count.is_none() || state.at <= 0 {
            return Ok(state);
        }
        self.press(page, "Home")?;
        page.state(self.mask)
    }

    fn press(&mut self, page: &mut Page, way: &str) -> Result<State, Fault> {
        page.next_slide();
        page.later(&format!("deckproofDeck.advance('{way}')"))?;
        page.rest_after_move(Looks::Plain)?;
        page.state(self.mask)
    }

    /// Draws the state that shows.
    fn visit(&mut self, page: &mut Page, state: &State) -> Result<(), Fault> {
        let Some(slide) = self.number(state) else {
            return Ok(());
        };
        if !self.order.contains(&slide) {
            self.order.push(slide);
            self.seen.push(state.signature.clone());
        }
        if self.order.len() > MAX_SLIDES as usize {
            return Err(Fault::TooMany(MAX_SLIDES));
        }
        let place = self
            .order
            .iter()
            .position(|known| *known == slide)
            .unwrap_or_default();
        let place = u32::try_from(place).unwrap_or(u32::MAX).saturating_add(1);
        if wanted(self.options.slides.as_ref(), place) {
            if self.count.is_some() {
                correct(page, slide)?;
            }
            if !self.options.steps {
                self.shots.retain(|(known, _)| *known != slide);
            }
            let shot = take(page, place, self.options)?;
            self.shots.push((slide, shot));
        }
        Ok(())
    }

    /// The slide's number: its place in the group, or how many states came before.
    fn number(&self, state: &State) -> Option<u32> {
        match self.numbered(state) {
            true => u32::try_from(state.at).ok(),
            false => u32::try_from(self.order.len()).ok(),
        }
    }

    /// Whether the page itself tells which slide shows.
    fn numbered(&self, state: &State) -> bool {
        self.count.is_some() || state.at >= 0
    }

    fn go_through(&mut self, page: &mut Page, start: State) -> Result<(), Fault> {
        let mut state = start;
        let mut steps = 0;
        let mut way: Option<&str> = None;
        loop {
            let ways: Vec<&str> = match way {
                Some(known) => std::iter::once(known)
                    .chain(WAYS.into_iter().filter(|w| *w != known))
                    .collect(),
                None => WAYS.to_vec(),
            };
            let Some((used, next)) = self.lead_on(page, &state, &ways)? else {
                return Ok(());
            };
            way = Some(used);
            steps = if self.is_step(&state, &next) {
                steps + 1
            } else {
                0
            };
            if steps > MAX_STEPS || self.is_round(&state, &next) {
                return Ok(());
            }
            self.visit(page, &next)?;
            state = next;
        }
    }

    /// The first way that changes something. At the last slide of a known group none is tried in
    /// vain beyond the one that worked before.
    fn lead_on<'w>(
        &mut self,
        page: &mut Page,
        state: &State,
        ways: &[&'w str],
    ) -> Result<Option<(&'w str, State)>, Fault> {
        let complete = self
            .count
            .is_some_and(|count| self.order.len() >= count as usize);
        let worked = self.order.len() > 1;
        let tries = if complete || (worked && self.count.is_none()) {
            1
        } else {
            ways.len()
        };
        for way in ways.iter().take(tries) {
            match self.outcome(page, state, way)? {
                Outcome::Moved(next) | Outcome::Step(next) => return Ok(Some((way, next))),
                Outcome::Nothing => {}
            }
        }
        Ok(None)
    }

    fn outcome(&mut self, page: &mut Page, state: &State, way: &str) -> Result<Outcome, Fault> {
        let next = self.press(page, way)?;
        Ok(if self.numbered(state) && next.at != state.at {
            Outcome::Moved(next)
        } else if next.signature != state.signature {
            Outcome::Step(next)
        } else {
            Outcome::Nothing
        })
    }

    fn is_step(&self, before: &State, after: &State) -> bool {
        self.numbered(before) && before.at == after.at
    }

    /// Whether the deck has begun again.
    fn is_round(&self, before: &State, after: &State) -> bool {
        match self.numbered(before) {
            true => {
                let seen = u32::try_from(after.at).is_ok_and(|at| self.order.contains(&at));
                after.at < 0 || (seen && after.at != before.at)
            }
            false => self.seen.contains(&after.signature),
        }
    }

    /// Slides of the group that nothing led to are shown by other means, in document order.
    fn jump_to_missing(&mut self, page: &mut Page) -> Result<(), Fault> {
        let missing: Vec<u32> = (0..self.count.unwrap_or_default())
            .filter(|slide| !self.order.contains(slide))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        self.notes
            .push(format!("no key leads to {} of the slides", missing.len()));
        let mut jumps = JUMPS.to_vec();
        for slide in missing {
            page.next_slide();
            let Some(how) = jump(page, slide, &jumps)? else {
                self.notes
                    .push(format!("slide {} could not be shown", slide + 1));
                continue;
            };
            // What worked once is tried first, and what failed before it no more.
            jumps = JUMPS
                .iter()
                .copied()
                .skip_while(|known| *known != how)
                .collect();
            let state = State {
                at: i64::from(slide),
                ..page.state(self.mask)?
            };
            self.visit(page, &state)?;
        }
        self.notes.push(format!(
            "they were shown by {}",
            jumps.first().unwrap_or(&"nothing")
        ));
        if self.order.len() == self.count.unwrap_or_default() as usize {
            self.order.sort_unstable();
        }
        Ok(())
    }

    fn finish(mut self) -> Drive {
        let order = self.order;
        let place = |slide: u32| {
            order
                .iter()
                .position(|known| *known == slide)
                .unwrap_or_default()
        };
        for (slide, shot) in &mut self.shots {
            shot.slide = u32::try_from(place(*slide))
                .unwrap_or(u32::MAX)
                .saturating_add(1);
        }
        self.shots.sort_by_key(|(_, shot)| shot.slide);
        let visited = u32::try_from(order.len()).unwrap_or(u32::MAX);
        Drive {
            slide_count: visited,
            order,
            shots: self.shots.into_iter().map(|(_, shot)| shot).collect(),
            notes: self.notes,
        }
    }
}

/// Shows a slide by the first means that works.
fn jump<'w>(page: &mut Page, slide: u32, jumps: &[&'w str]) -> Result<Option<&'w str>, Fault> {
    for how in jumps {
        show(page, slide, None, how)?;
        if page.state(false)?.at == i64::from(slide) {
            return Ok(Some(how));
        }
    }
    Ok(None)
}
