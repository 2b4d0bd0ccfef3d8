// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands out, answers and events in. One command at a time waits for its answer; events that
//! come meanwhile go to a handler, which may send commands of its own without waiting.

use std::time::{Duration, Instant};

use headless_chrome::protocol::cdp::Browser::GetVersion;
use headless_chrome::protocol::cdp::types::Method;
use serde::Serialize;

use crate::BrowserError;
use crate::executable::Executable;
use crate::launch::{Isolation, LaunchOptions, switches};
use crate::message::{Answer, Event, Message, parse, spell};
use crate::pipe::{Pipe, Received};
use crate::process::{Process, Started};
use crate::watchdog::Watchdog;

/// How long a starting browser may take to answer the first command.
const START_WITHIN: Duration = Duration::from_secs(20);

/// Takes the events that arrive while a command waits for its answer.
pub trait Handler {
    /// Handles one event. It may [`Browser::post`] commands, and must not wait for anything.
    ///
    /// # Errors
    /// Ends the waiting command with this error.
    fn event(&mut self, browser: &mut Browser, event: &Event) -> Result<(), BrowserError>;
}

/// A handler for when nothing is expected.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Handler for Silent {
    fn event(&mut self, _: &mut Browser, _: &Event) -> Result<(), BrowserError> {
        Ok(())
    }
}

/// A running browser. Dropping it ends every process of it and removes its profile.
#[derive(Debug)]
pub struct Browser {
    // Order matters on drop: first the watchdog ends, then the processes.
    watchdog: Watchdog,
    pipe: Pipe,
    process: Process,
    executable: Executable,
    isolation: Isolation,
    shortfalls: Vec<String>,
    switches: Vec<String>,
    version: String,
    last_id: u32,
}

impl Browser {
    /// Starts a browser at the best level of isolation that works here.
    ///
    /// # Errors
    /// [`BrowserError::Launch`] with what each attempt said.
    pub fn launch(options: &LaunchOptions) -> Result<Self, BrowserError> {
        let mut shortfalls = Vec::new();
        for level in &options.isolation {
            match Self::launch_at(options, *level) {
                Ok(mut browser) => {
                    browser.shortfalls = shortfalls;
                    return Ok(browser);
                }
                Err(error) => shortfalls.push(format!("{}: {error}", level.name())),
            }
        }
        let executable = options.executable.path.clone();
        Err(BrowserError::Launch {
            executable,
            reason: shortfalls.join("; "),
        })
    }

    fn launch_at(options: &LaunchOptions, isolation: Isolation) -> Result<Self, BrowserError> {
        let Started {
            process,
            writer,
            reader,
        } = Process::start(options, isolation)?;
        let watchdog = Watchdog::start(process.group(), options.memory)?;
        let mut browser = Self {
            watchdog,
            pipe: Pipe::new(writer, reader)?,
            process,
            executable: options.executable.clone(),
            isolation,
            shortfalls: Vec::new(),
            switches: switches(options),
            version: String::new(),
            last_id: 0,
        };
        let deadline = Instant::now() + START_WITHIN;
        let version = browser.call(None, GetVersion(None), deadline, &mut Silent)?;
        browser.version = version.product;
        Ok(browser)
    }

    /// The executable that runs.
    #[must_use]
    pub fn executable(&self) -> &Executable {
        &self.executable
    }

    /// The product and version that it reports, such as `HeadlessChrome/156.0.8078.108`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The level of isolation reached.
    #[must_use]
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// Why better levels were not reached, one line each.
    #[must_use]
    pub fn shortfalls(&self) -> &[String] {
        &self.shortfalls
    }

    /// The switches that may matter to a picture, without paths.
    #[must_use]
    pub fn switches(&self) -> &[String] {
        &self.switches
    }

    /// The process group, for tests that look for survivors.
    #[must_use]
    pub fn process_group(&self) -> i32 {
        self.process.group().as_raw_nonzero().get()
    }

    /// Sets the moment after which the watchdog ends the browser, whatever state the client is in;
    /// `None` lifts it.
    pub fn hard_deadline(&mut self, deadline: Option<Instant>) {
        self.watchdog.deadline(deadline);
    }

    /// Sends a command and waits for its answer.
    ///
    /// # Errors
    /// When the browser refuses, is gone, does not answer by `deadline`, or answers nonsense; and
    /// whatever the handler returns.
    pub fn call<M: Method + Serialize>(
        &mut self,
        session: Option<&str>,
        method: M,
        deadline: Instant,
        handler: &mut dyn Handler,
    ) -> Result<M::ReturnObject, BrowserError> {
        let id = self.post(session, method)?;
        loop {
            match self.next(deadline)? {
                None => {
                    return Err(BrowserError::Timeout {
                        method: M::NAME.to_owned(),
                    });
                }
                Some(Message::Event(event)) => handler.event(self, &event)?,
                Some(Message::Answer(answer)) if answer.id == id => return result::<M>(answer),
                Some(Message::Answer(_)) => {}
            }
        }
    }

    /// Sends a command whose answer nobody needs.
    ///
    /// # Errors
    /// When the browser is gone.
    pub fn post<M: Method + Serialize>(
        &mut self,
        session: Option<&str>,
        method: M,
    ) -> Result<u32, BrowserError> {
        self.last_id = self.last_id.wrapping_add(1);
        let id = self.last_id;
        let bytes = spell(id, session, method)?;
        match self.pipe.write(&bytes) {
            Ok(()) => Ok(id),
            Err(_) => Err(self.gone()),
        }
    }

    /// Handles one event, waiting for it until `deadline`. False when none came.
    ///
    /// # Errors
    /// When the browser is gone, and whatever the handler returns.
    pub fn pump(
        &mut self,
        deadline: Instant,
        handler: &mut dyn Handler,
    ) -> Result<bool, BrowserError> {
        match self.next(deadline)? {
            None => Ok(false),
            Some(Message::Answer(_)) => Ok(true),
            Some(Message::Event(event)) => handler.event(self, &event).map(|()| true),
        }
    }

    fn next(&mut self, deadline: Instant) -> Result<Option<Message>, BrowserError> {
        loop {
            match self.pipe.receive(deadline) {
                Received::Nothing => return Ok(None),
                Received::Closed => return Err(self.gone()),
                Received::Message(bytes) => {
                    if let Some(message) = parse(&bytes)? {
                        return Ok(Some(message));
                    }
                }
            }
        }
    }

    fn gone(&mut self) -> BrowserError {
        let reason = self.watchdog.verdict().unwrap_or_else(|| {
            self.watchdog.stop();
            self.process.end();
            let ending = self
                .process
                .ending()
                .unwrap_or_else(|| "it closed its pipe".to_owned());
            format!("{ending}, last words: {}", self.process.last_words())
        });
        BrowserError::Gone { reason }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.watchdog.stop();
    }
}

fn result<M: Method>(answer: Answer) -> Result<M::ReturnObject, BrowserError> {
    let method = M::NAME.to_owned();
    match answer.outcome {
        Err(message) => Err(BrowserError::Refused { method, message }),
        Ok(raw) => serde_json::from_str(raw.get()).map_err(|error| BrowserError::Malformed {
            method,
            reason: error.to_string(),
        }),
    }
}
