// SPDX-License-Identifier: MIT OR Apache-2.0
//! One deck's page: made in a fresh browser context, shaped to the canvas, and asked questions.

use std::time::{Duration, Instant};

use deckproof_browser::cdp::types::Method;
use deckproof_browser::cdp::{
    Browser as BrowserDomain, Emulation, Fetch, Inspector, Log, Network, Page as PageDomain,
    Runtime, Target,
};
use deckproof_browser::{Browser, BrowserError, Kind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::fault::Fault;
use super::site::Site;
use super::traffic::Traffic;
use super::viewer::Viewer;
use crate::{CANVAS_HEIGHT, CANVAS_WIDTH};

/// Runs before anything of the page: seeded randomness, and a count of what is still to come.
const SEED: &str = include_str!("js/seed.js");
/// Longest answer of a script, in bytes.
const MAX_ANSWER: usize = 32 << 20;

/// How long things may take, in wall time. Only ever used to give up, never to decide what is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// One command or script.
    pub command: Duration,
    /// Loading the deck, and every slide after that.
    pub slide: Duration,
    /// The whole deck: at most `deck` and `slide_more` for each slide.
    pub deck: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            command: Duration::from_secs(20),
            slide: Duration::from_secs(40),
            deck: Duration::from_secs(600),
        }
    }
}

/// Which of a page's two script worlds a question is put to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum World {
    /// The page's own: frameworks live there, and so does whatever the page put in their place.
    Main,
    /// One of our own over the same document, where the page can change nothing.
    Isolated,
}

pub(super) struct Page<'browser> {
    pub(super) browser: &'browser mut Browser,
    pub(super) traffic: Traffic,
    pub(super) patience: Patience,
    /// Frames are drawn on command.
    pub(super) commanded_frames: bool,
    pub(super) clock: super::clock::Clock,
    pub(super) encoder: super::encoder::Encoder,
    /// Something never stops moving.
    pub(super) restless: bool,
    /// The module that drives the deck wants to put something right after each move.
    pub(super) corrects: bool,
    viewer: Viewer,
    /// What our scripts call themselves in the page's own world, where a deck may look for names.
    alias: String,
    context: String,
    isolated: Option<(u32, u32)>,
    deck_deadline: Instant,
    slide_deadline: Instant,
}

impl<'browser> Page<'browser> {
    /// A blank page of the canvas size in a browser context of its own.
    pub(super) fn open(
        browser: &'browser mut Browser,
        site: Site,
        patience: Patience,
        viewer: Viewer,
    ) -> Result<Self, Fault> {
        let now = Instant::now();
        browser.hard_deadline(Some(now + patience.deck + patience.slide * 2));
        let commanded_frames = browser.executable().kind == Kind::HeadlessShell;
        let mut page = Self {
            browser,
            traffic: Traffic::new(site),
            patience,
            commanded_frames,
            clock: super::clock::Clock::default(),
            encoder: super::encoder::Encoder::default(),
            restless: false,
            corrects: false,
            viewer,
            alias: alias(),
            context: String::new(),
            isolated: None,
            deck_deadline: now + patience.deck,
            slide_deadline: now + patience.slide,
        };
        page.attach()?;
        page.shape()?;
        Ok(page)
    }

    fn attach(&mut self) -> Result<(), Fault> {
        let context = Target::CreateBrowserContext {
            dispose_on_detach: Some(true),
            proxy_server: None,
            proxy_bypass_list: None,
            origins_with_universal_network_access: None,
        };
        self.context = self.ask_browser(context)?.browser_context_id;
        let create: Target::CreateTarget = command(json!({
            "url": "about:blank", "width": CANVAS_WIDTH, "height": CANVAS_HEIGHT,
            "browserContextId": self.context, "enableBeginFrameControl": self.commanded_frames,
        }))?;
        let target_id = self.ask_browser(create)?.target_id;
        let attach = Target::AttachToTarget {
            target_id,
            flatten: Some(true),
        };
        self.traffic.session = self.ask_browser(attach)?.session_id;
        let deny: BrowserDomain::SetDownloadBehavior =
            command(json!({"behavior": "deny", "browserContextId": self.context}))?;
        self.ask_browser(deny).map(drop)
    }

    fn shape(&mut self) -> Result<(), Fault> {
        self.post(PageDomain::Enable {
            enable_file_chooser_opened_event: None,
        })?;
        self.post(Runtime::Enable(None))?;
        self.post(Log::Enable(None))?;
        self.post(Inspector::Enable(None))?;
        self.post_json::<Network::Enable>(json!({}))?;
        self.post(Network::SetBypassServiceWorker { bypass: true })?;
        self.post_json::<Fetch::Enable>(json!({"patterns": [{"urlPattern": "*"}]}))?;
        self.post_json::<Emulation::SetDeviceMetricsOverride>(self.viewer.metrics())?;
        self.post_json::<Emulation::SetEmulatedMedia>(json!({"media": "screen", "features": [
            {"name": "prefers-reduced-motion", "value": "reduce"},
            {"name": "prefers-color-scheme", "value": "light"},
        ]}))?;
        self.post_json::<Emulation::SetTimezoneOverride>(json!({"timezoneId": "UTC"}))?;
        self.post_json::<Emulation::SetLocaleOverride>(json!({"locale": "en-US"}))?;
        let agent = self.viewer.agent(self.browser.version());
        self.post_json::<Emulation::SetUserAgentOverride>(agent)?;
        let script = self.hidden(&self.viewer.script(SEED));
        let seed: PageDomain::AddScriptToEvaluateOnNewDocument =
            command(json!({"source": script}))?;
        self.call(seed).map(drop)
    }

    /// A script with our names in it replaced by those of this page.
    pub(super) fn hidden(&self, script: &str) -> String {
        script.replace("deckproof", &self.alias)
    }

    /// The path of the page that was loaded last.
    pub(super) fn entry(&self) -> &str {
        self.traffic.entry()
    }

    /// Starts the patience for the next slide.
    pub(super) fn next_slide(&mut self) {
        self.slide_deadline = Instant::now() + self.patience.slide;
    }

    /// The moment at which this deck has taken too long.
    pub(super) fn deadline(&self) -> Instant {
        self.slide_deadline.min(self.deck_deadline)
    }

    /// Refuses to go on when the page is dead or the time is up.
    pub(super) fn alive(&self) -> Result<(), Fault> {
        if let Some(reason) = &self.traffic.crashed {
            return Err(Fault::Crashed(reason.clone()));
        }
        let now = Instant::now();
        if now > self.deck_deadline {
            return Err(Fault::Slow {
                what: "the deck".to_owned(),
                seconds: self.patience.deck.as_secs(),
            });
        }
        if now > self.slide_deadline {
            return Err(Fault::Slow {
                what: "one slide".to_owned(),
                seconds: self.patience.slide.as_secs(),
            });
        }
        Ok(())
    }

    /// Sends a command to the page and waits for the answer.
    pub(super) fn call<M: Method + Serialize>(
        &mut self,
        method: M,
    ) -> Result<M::ReturnObject, Fault> {
        self.call_within(method, self.patience.command)
    }

    /// As [`Self::call`], with a patience of its own.
    pub(super) fn call_within<M: Method + Serialize>(
        &mut self,
        method: M,
        patience: Duration,
    ) -> Result<M::ReturnObject, Fault> {
        self.alive()?;
        let deadline = self.deadline().min(Instant::now() + patience);
        let session = self.traffic.session.clone();
        let answer = self
            .browser
            .call(Some(&session), method, deadline, &mut self.traffic);
        answer.map_err(|error| self.fault(error))
    }

    /// Sends a command to the page without waiting.
    pub(super) fn post<M: Method + Serialize>(&mut self, method: M) -> Result<(), Fault> {
        let session = self.traffic.session.clone();
        self.browser.post(Some(&session), method)?;
        Ok(())
    }

    pub(super) fn post_json<M: Method + Serialize + DeserializeOwned>(
        &mut self,
        params: Value,
    ) -> Result<(), Fault> {
        self.post(command::<M>(params)?)
    }

    /// Handles what comes until `deadline`. False when nothing came.
    pub(super) fn pump(&mut self, deadline: Instant) -> Result<bool, Fault> {
        self.alive()?;
        let pumped = self
            .browser
            .pump(deadline.min(self.deadline()), &mut self.traffic);
        pumped.map_err(|error| self.fault(error))
    }

    fn ask_browser<M: Method + Serialize>(&mut self, method: M) -> Result<M::ReturnObject, Fault> {
        let deadline = Instant::now() + self.patience.command;
        Ok(self
            .browser
            .call(None, method, deadline, &mut self.traffic)?)
    }

    /// A page that crashed or dawdles explains a missing answer better than the missing answer.
    fn fault(&self, error: BrowserError) -> Fault {
        match (&self.traffic.crashed, error) {
            (Some(reason), _) => Fault::Crashed(reason.clone()),
            (None, BrowserError::Timeout { method }) => Fault::Slow {
                what: method,
                seconds: self.patience.command.as_secs(),
            },
            (None, error) => Fault::Browser(error),
        }
    }

    /// Evaluates an expression whose value is a string with JSON in it, and reads that.
    pub(super) fn ask<T: DeserializeOwned>(
        &mut self,
        world: World,
        script: &str,
    ) -> Result<T, Fault> {
        read(&self.evaluate(world, script)?)
    }

    /// Reads what a called function gave.
    pub(super) fn answer<T: DeserializeOwned>(
        &self,
        result: Runtime::RemoteObject,
        thrown: Option<Runtime::ExceptionDetails>,
    ) -> Result<T, Fault> {
        match thrown {
            Some(details) => Err(failed(details)),
            None => read(&result.value.unwrap_or(Value::Null)),
        }
    }

    /// Evaluates an expression. What it throws is a fault.
    pub(super) fn evaluate(&mut self, world: World, expression: &str) -> Result<Value, Fault> {
        let context = match world {
            World::Main => None,
            World::Isolated => Some(self.isolated_world()?),
        };
        let evaluate: Runtime::Evaluate = command(json!({
            "expression": self.hidden(expression), "returnByValue": true, "silent": true, "contextId": context,
        }))?;
        let answer = self.call(evaluate)?;
        match answer.exception_details {
            Some(details) => Err(failed(details)),
            None => Ok(answer.result.value.unwrap_or(Value::Null)),
        }
    }

    /// The context of our own world in the current document.
    pub(super) fn isolated_world(&mut self) -> Result<u32, Fault> {
        let documents = self.traffic.documents;
        if let Some((made_for, context)) = self.isolated
            && made_for == documents
        {
            return Ok(context);
        }
        let frame = self.traffic.frame.clone().unwrap_or_default();
        let world: PageDomain::CreateIsolatedWorld =
            command(json!({"frameId": frame, "worldName": "deckproof"}))?;
        let context = self.call(world)?.execution_context_id;
        self.isolated = Some((documents, context));
        Ok(context)
    }

    /// Asserts from inside the page that it is laid out on exactly the canvas.
    pub(super) fn assert_canvas(&mut self) -> Result<(), Fault> {
        let script = "JSON.stringify([innerWidth, innerHeight, devicePixelRatio])";
        let found: (f64, f64, f64) = self.ask(World::Isolated, script)?;
        let expected = (f64::from(CANVAS_WIDTH), f64::from(CANVAS_HEIGHT), 1.0);
        if found != expected {
            return Err(Fault::Odd(format!(
                "the page is laid out at {found:?}, expected {expected:?}"
            )));
        }
        Ok(())
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        self.browser.hard_deadline(None);
        let browser_context_id = std::mem::take(&mut self.context);
        // A browser that cannot even do this is replaced before the next deck.
        let _ = self
            .browser
            .post(None, Target::DisposeBrowserContext { browser_context_id });
    }
}

/// A name that no deck can know. Nothing that is drawn depends on it.
fn alias() -> String {
    let random = std::collections::hash_map::RandomState::new();
    format!("d{:016x}", std::hash::BuildHasher::hash_one(&random, 0_u8))
}

/// A generated command from the few parameters that are not left out.
pub(super) fn command<M: DeserializeOwned>(params: Value) -> Result<M, Fault> {
    serde_json::from_value(params).map_err(|error| Fault::Odd(format!("a command: {error}")))
}

fn failed(details: Runtime::ExceptionDetails) -> Fault {
    let thrown = details
        .exception
        .and_then(|exception| exception.description);
    Fault::Odd(format!(
        "a script failed: {}",
        thrown.unwrap_or(details.text)
    ))
}

/// Reads the JSON in a string.
fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Fault> {
    let text = value.as_str().unwrap_or("null");
    if text.len() > MAX_ANSWER {
        return Err(Fault::Odd(format!(
            "a script's answer has {} bytes",
            text.len()
        )));
    }
    serde_json::from_str(text)
        .map_err(|error| Fault::Odd(format!("a script's answer is not understood: {error}")))
}
