// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page's time, which passes only when it is granted, in lock-step with the frames drawn.
//!
//! This is what makes pictures repeatable: every timer, animation and frame callback sees the same
//! moments on every run, whatever the machine is doing meanwhile. Wall time appears here only to
//! notice that a page is stuck.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use deckproof_browser::cdp::{Emulation, HeadlessExperimental, Page as PageDomain};

use super::fault::Fault;
use super::page::{Page, World};

/// What `Date.now()` starts from, in seconds: some moment in November 2023.
const START: f64 = 1_700_000_000.0;
/// One frame, in milliseconds.
const FRAME: f64 = 1000.0 / 60.0;
/// Granted before a picture, so that its frame is later than the last one: at the same moment the
/// browser gives the previous picture again, without an error.
const BEFORE_SHOT: f64 = 17.0;
/// How often tasks may starve waiting for time. Much higher values hang some decks.
const STARVATION: u32 = 2000;
/// Silence of the made-up network, in wall time, after which a page counts as stuck in a request.
const STALL: Duration = Duration::from_millis(250);
/// Frames tried until one carries a picture.
const SHOT_TRIES: u32 = 500;
/// Wall time between two of them.
const SHOT_PAUSE: Duration = Duration::from_millis(5);
/// By how many milliseconds a frame is later than one at the same virtual time.
const LATER: f64 = 0.001;
/// Grants of one millisecond before a stuck request is given up on.
const MAX_NUDGES: u32 = 400;

/// Silences in a row, with an answer of the browser between each two, before a page counts as
/// stuck: on a busy machine a browser is silent because it does not get its turn, and granting time
/// then would show another moment than on an idle one.
const SILENCES: u32 = 4;

/// How often nothing came since the network last was heard of.
#[derive(Debug, Default)]
struct Silence {
    since: Option<Instant>,
    times: u32,
}

impl Silence {
    /// Counts one more. True when it is enough.
    fn again(&mut self, last_network: Instant) -> bool {
        if self.since != Some(last_network) {
            *self = Self {
                since: Some(last_network),
                times: 0,
            };
        }
        self.times += 1;
        self.times >= SILENCES
    }
}

#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The browser's name for the moment zero, in milliseconds.
    base: f64,
    /// Virtual milliseconds granted so far.
    pub(super) now: f64,
    /// The moment of the last frame.
    last_frame: f64,
    /// How often the stall rule was needed.
    pub(super) stalls: u32,
    /// The picture of this moment, when it was taken already.
    taken: Option<Vec<u8>>,
}

impl Page<'_> {
    /// Stops time at the moment zero.
    pub(super) fn stop_time(&mut self) -> Result<(), Fault> {
        let policy = Emulation::SetVirtualTimePolicy {
            policy: Emulation::VirtualTimePolicy::Pause,
            budget: None,
            max_virtual_time_task_starvation_count: None,
            initial_virtual_time: Some(START),
        };
        self.clock.base = self.call(policy)?.virtual_time_ticks_base;
        Ok(())
    }

    /// Lets `milliseconds` pass and draws a frame without keeping its picture.
    pub(super) fn tick(&mut self, milliseconds: f64) -> Result<(), Fault> {
        self.grant(milliseconds)?;
        self.frame(None).map(drop)
    }

    /// As [`Self::tick`], but keeps the frame's picture, which is then what [`Self::shot`] gives as
    /// long as no more time passes.
    pub(super) fn tick_with_picture(&mut self, milliseconds: f64) -> Result<(), Fault> {
        if !self.commanded_frames {
            return self.tick(milliseconds);
        }
        self.grant(milliseconds)?;
        self.clock.taken = Some(self.picture()?);
        Ok(())
    }

    /// Grants time and waits until it has passed.
    fn grant(&mut self, milliseconds: f64) -> Result<(), Fault> {
        self.clock.taken = None;
        let target = self.clock.now + milliseconds;
        self.allow(
            Emulation::VirtualTimePolicy::PauseIfNetworkFetchesPending,
            milliseconds,
        )?;
        let mut silence = Silence::default();
        let mut heard = Instant::now();
        while !self.traffic.expired {
            self.pump(Instant::now() + STALL)?;
            let since = self.traffic.last_network.max(heard);
            let quiet = since.elapsed() > STALL;
            if !self.traffic.expired && quiet && !self.traffic.pending.is_empty() {
                match silence.again(self.traffic.last_network) {
                    true => self.unstick(target)?,
                    false => heard = self.hear()?,
                }
            }
        }
        self.clock.now = target;
        Ok(())
    }

    /// Waits until the browser has had its turn, from when on silence counts again.
    fn hear(&mut self) -> Result<Instant, Fault> {
        self.evaluate(World::Main, "0")?;
        Ok(Instant::now())
    }

    fn allow(&mut self, policy: Emulation::VirtualTimePolicy, budget: f64) -> Result<(), Fault> {
        self.traffic.expired = false;
        let policy = Emulation::SetVirtualTimePolicy {
            policy,
            budget: Some(budget),
            max_virtual_time_task_starvation_count: Some(STARVATION),
            initial_virtual_time: None,
        };
        self.call(policy).map(drop)
    }

    /// A request that was started while time stood still waits for time, and time waits for it.
    /// Time is pushed on by single milliseconds until it is through, then up to `target`, so that
    /// what follows happens at the same moments as without the stall.
    fn unstick(&mut self, target: f64) -> Result<(), Fault> {
        self.clock.stalls = self.clock.stalls.saturating_add(1);
        for _ in 0..MAX_NUDGES {
            if self.traffic.pending.is_empty() {
                break;
            }
            self.advance(1.0)?;
        }
        // What no answer helps is no longer waited for.
        self.traffic.pending.clear();
        let passed = self.passed()?;
        if target - passed >= 1.0 {
            self.advance(target - passed)?;
        }
        self.traffic.expired = true;
        Ok(())
    }

    fn advance(&mut self, milliseconds: f64) -> Result<(), Fault> {
        self.allow(Emulation::VirtualTimePolicy::Advance, milliseconds)?;
        while !self.traffic.expired {
            self.pump(Instant::now() + STALL)?;
        }
        Ok(())
    }

    /// Virtual milliseconds since the moment zero, by the page's own clock.
    fn passed(&mut self) -> Result<f64, Fault> {
        let now: f64 = self.ask(World::Isolated, "JSON.stringify(Date.now())")?;
        Ok(now - START * 1000.0)
    }

    /// The picture of this moment, as the PNG that the browser made.
    pub(super) fn shot(&mut self) -> Result<Vec<u8>, Fault> {
        if !self.commanded_frames {
            return self.plain_shot();
        }
        if let Some(taken) = self.clock.taken.take() {
            return Ok(taken);
        }
        self.grant(BEFORE_SHOT)?;
        self.picture()
    }

    /// The picture of a frame at this moment.
    fn picture(&mut self) -> Result<Vec<u8>, Fault> {
        for _ in 0..SHOT_TRIES {
            let wanted = HeadlessExperimental::ScreenshotParams {
                format: Some(HeadlessExperimental::ScreenshotParamsFormat::Png),
                quality: None,
                optimize_for_speed: Some(true),
            };
            // A busy machine may not have brought the page's surface through yet. Asking again
            // costs wall time alone: granting more virtual time would change the picture.
            if let Some(data) = self.frame(Some(wanted))? {
                return decode(&data);
            }
            std::thread::sleep(SHOT_PAUSE);
        }
        Err(Fault::Odd(format!(
            "the browser gave no picture in {SHOT_TRIES} frames"
        )))
    }

    fn frame(
        &mut self,
        screenshot: Option<HeadlessExperimental::ScreenshotParams>,
    ) -> Result<Option<String>, Fault> {
        if !self.commanded_frames {
            return Ok(None);
        }
        let moment = self.clock.now.max(self.clock.last_frame + LATER);
        self.clock.last_frame = moment;
        let frame = HeadlessExperimental::BeginFrame {
            frame_time_ticks: Some(self.clock.base + moment),
            interval: Some(FRAME),
            no_display_updates: Some(screenshot.is_none()),
            screenshot,
        };
        Ok(self.call(frame)?.screenshot_data)
    }

    /// For a browser that draws when it likes.
    fn plain_shot(&mut self) -> Result<Vec<u8>, Fault> {
        self.grant(BEFORE_SHOT)?;
        let capture = PageDomain::CaptureScreenshot {
            format: Some(PageDomain::CaptureScreenshotFormatOption::Png),
            quality: None,
            clip: None,
            from_surface: Some(true),
            capture_beyond_viewport: Some(false),
            optimize_for_speed: Some(true),
        };
        let data = self.call(capture)?.data;
        decode(&data)
    }
}

fn decode(data: &str) -> Result<Vec<u8>, Fault> {
    BASE64
        .decode(data)
        .map_err(|error| Fault::Odd(format!("a picture is no base64: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_stuck_after_several_silences_and_one_word_begins_the_count_again() {
        let (first, later) = (Instant::now(), Instant::now() + Duration::from_millis(1));
        let mut silence = Silence::default();
        let count = |silence: &mut Silence, last, times| -> Vec<bool> {
            (0..times).map(|_| silence.again(last)).collect()
        };
        assert_eq!(count(&mut silence, first, 3), [false; 3]);
        assert_eq!(count(&mut silence, later, 4), [false, false, false, true]);
    }
}
