// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loading a deck, waiting until it has come to rest, and finding its slides.

use deckproof_browser::cdp::Page as PageDomain;
use serde::Deserialize;

use super::fault::Fault;
use super::frameworks::deck_script;
use super::page::{Page, World};

/// Virtual milliseconds between two looks at a page.
const TICK: f64 = 100.0;
/// Virtual milliseconds within which a page may send its viewer on to another one.
const LEADS_ON: f64 = 500.0;
/// Looks in a row at which nothing moves before a page is at rest.
const QUIET_LOOKS: u32 = 2;
/// The most slides that a deck may have.
pub(super) const MAX_SLIDES: u32 = 2000;
/// The most steps of one slide that are counted.
pub(super) const MAX_STEPS: u32 = 200;

/// Bounds on how long a page may take to come to rest, in virtual milliseconds.
#[derive(Debug, Clone, Copy)]
struct Rest {
    least: f64,
    most: f64,
}

/// After loading.
const LOADED: Rest = Rest {
    least: 1000.0,
    most: 4000.0,
};

/// After a move to a slide.
const MOVED: Rest = Rest {
    least: 200.0,
    most: 3000.0,
};
/// After a move on a page that was still moving long after it was loaded.
const RESTLESS: Rest = Rest {
    least: 200.0,
    most: 1500.0,
};

/// Whether the look that is likely the last keeps its frame's picture: when the page proves to be at
/// rest then, the picture shows it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Looks {
    Plain,
    /// Once: when it was not the last, the page moves on and off, and none is kept any more.
    Taken,
}

/// How the slides were found.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Found {
    /// The framework's name in the table.
    pub(super) framework: String,
    /// The reason, for people.
    pub(super) why: String,
    /// How many slides; `None` when only walking tells.
    pub(super) count: Option<u32>,
    /// Whether slides are reached one after the other.
    pub(super) walk: bool,
    /// Whether the module has something to put right after each move.
    pub(super) corrects: bool,
    /// How many states each slide has, the last one being final.
    pub(super) steps: Option<Vec<u32>>,
}

#[derive(Deserialize)]
struct Prepared {
    steps: Option<Vec<u32>>,
}

/// Whether a framework's own keys stay on while it is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    On,
    Off,
}

/// What a page says after each move.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct State {
    /// The slide that shows, from 0; negative when unknown.
    pub(super) at: i64,
    /// Equal when the same can be read.
    pub(super) signature: String,
    /// The last error inside a framework module.
    pub(super) failure: Option<String>,
}

impl Page<'_> {
    /// Loads an address of the site and lets the page come to rest.
    pub(super) fn load(&mut self, url: &str) -> Result<(), Fault> {
        self.next_slide();
        if self.clock.now == 0.0 {
            self.stop_time()?;
        }
        let documents = self.traffic.documents;
        self.traffic.expect(url);
        let navigate = PageDomain::Navigate {
            url: url.to_owned(),
            referrer: None,
            transition_Type: None,
            frame_id: None,
            referrer_policy: None,
        };
        // A large page is on its way for long.
        let answer = self.call_within(navigate, self.patience.slide)?;
        if let Some(error) = answer.error_text {
            return Err(Fault::NotThere(format!(
                "the browser does not load it: {error}"
            )));
        }
        while self.traffic.documents == documents {
            let deadline = self.deadline();
            self.pump(deadline)?;
        }
        self.settle()?;
        self.assert_canvas()?;
        self.evaluate(World::Main, &deck_script()).map(drop)
    }

    /// Lets the page come to rest, and each one that it leads on to.
    fn settle(&mut self) -> Result<(), Fault> {
        let mut documents = 0;
        while documents != self.traffic.documents {
            documents = self.traffic.documents;
            self.restless = !self.rest(LOADED, Looks::Plain)?;
        }
        Ok(())
    }

    /// Lets time pass until nothing moves, within bounds. False when something still does.
    fn rest(&mut self, bounds: Rest, mut looks: Looks) -> Result<bool, Fault> {
        let start = self.clock.now;
        let mut quiet = 0;
        loop {
            let last = quiet + 1 >= QUIET_LOOKS && self.clock.now + TICK - start >= bounds.least;
            if looks == Looks::Taken && last {
                looks = Looks::Plain;
                self.tick_with_picture(TICK)?;
            } else {
                self.tick(TICK)?;
            }
            self.traffic.leads_on &= self.clock.now - start < LEADS_ON;
            quiet = if self.busy()? { 0 } else { quiet + 1 };
            let passed = self.clock.now - start;
            if quiet >= QUIET_LOOKS && passed >= bounds.least {
                return Ok(true);
            }
            if passed >= bounds.most {
                return Ok(false);
            }
        }
    }

    /// Lets a move come to its end. On a page that never rests, waiting long brings nothing.
    pub(super) fn rest_after_move(&mut self, looks: Looks) -> Result<(), Fault> {
        let bounds = if self.restless { RESTLESS } else { MOVED };
        self.rest(bounds, looks).map(drop)
    }

    fn busy(&mut self) -> Result<bool, Fault> {
        let script = "typeof deckproofClock === 'undefined' ? false : deckproofClock.busy()";
        // A page that broke its own clock is taken to be busy, so it gets all the time there is.
        Ok(self
            .evaluate(World::Main, script)?
            .as_bool()
            .unwrap_or(true))
    }

    /// Asks the modules, in the order of the table, and prepares the first that recognises the page.
    pub(super) fn discover(&mut self, keys: Keys) -> Result<Found, Fault> {
        let found: Option<Found> =
            self.ask(World::Main, "deckproofClock.json(deckproofDeck.detect())")?;
        let mut found = found.ok_or_else(|| Fault::NoSlides("no rule fits".to_owned()))?;
        let prepare = format!(
            "deckproofClock.json(deckproofDeck.prepare({}))",
            keys == Keys::On
        );
        let prepared: Prepared = self.ask(World::Main, &prepare)?;
        found.steps = prepared.steps.or(found.steps);
        self.corrects = found.corrects;
        match found.count {
            Some(0) => Err(Fault::NoSlides(found.why)),
            Some(count) if count > MAX_SLIDES => Err(Fault::TooMany(MAX_SLIDES)),
            _ => Ok(found),
        }
    }

    /// Runs a piece of script inside virtual time: what starts a fetch while time stands still
    /// starves.
    pub(super) fn later(&mut self, script: &str) -> Result<(), Fault> {
        self.evaluate(
            World::Main,
            &format!("void deckproofClock.later(() => {{ {script} }})"),
        )
        .map(drop)
    }

    /// What shows now. With `mask`, digits count as equal: a clock is no new slide.
    pub(super) fn state(&mut self, mask: bool) -> Result<State, Fault> {
        self.ask(
            World::Main,
            &format!("deckproofClock.json(deckproofDeck.state({mask}))"),
        )
    }
}
