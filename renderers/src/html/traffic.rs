// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything that a page does towards the outside: requests are answered from the deck's folder
//! or refused, dialogs are answered, and all of it is written down.

use std::collections::BTreeSet;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use deckproof_browser::cdp::{Fetch, Network, Page};
use deckproof_browser::{Browser, BrowserError, Event, Handler};
use serde::Deserialize;

use super::site::{Answer, Site};

/// Entries kept of each list; what comes after is only counted.
const MAX_NOTES: usize = 200;
/// Characters kept of one entry.
const MAX_NOTE: usize = 500;

/// How often an entry page may lead on to another before the deck is there.
const MAX_REDIRECTS: usize = 3;

/// What a page did, as the events told.
#[derive(Debug)]
pub(super) struct Traffic {
    pub(super) site: Site,
    /// The page's session; events of others are ignored.
    pub(super) session: String,
    /// The main frame, once known.
    pub(super) frame: Option<String>,
    /// The one main-frame document that may be loaded next.
    pub(super) expected: Option<String>,
    /// Whether the page may still send the viewer on to another page of the deck.
    pub(super) leads_on: bool,
    /// The pages that the main frame was given since the last [`Self::expect`], by path.
    pages: Vec<String>,
    /// How often the main frame got a new document.
    pub(super) documents: u32,
    /// The granted virtual time is used up.
    pub(super) expired: bool,
    /// Requests on their way.
    pub(super) pending: BTreeSet<String>,
    /// When something last happened on the made-up network.
    pub(super) last_network: Instant,
    /// The page's process is gone.
    pub(super) crashed: Option<String>,
    pub(super) blocked: Notes,
    pub(super) missing: Notes,
    pub(super) console_errors: Notes,
    pub(super) page_errors: Notes,
    pub(super) dialogs: u32,
}

/// A list in order of arrival, without duplicates and with a limit.
#[derive(Debug, Default)]
pub(super) struct Notes {
    list: Vec<String>,
    seen: BTreeSet<String>,
    left_out: u32,
}

impl Notes {
    pub(super) fn add(&mut self, note: &str) {
        let note: String = note.chars().take(MAX_NOTE).collect();
        if self.seen.contains(&note) {
            return;
        }
        if self.list.len() == MAX_NOTES {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        self.seen.insert(note.clone());
        self.list.push(note);
    }

    /// The entries in alphabetical order, for things that happen at the same time and so arrive in
    /// a different order each time.
    pub(super) fn sorted(&self) -> Vec<String> {
        let mut list = self.list.clone();
        list.sort();
        list.extend(self.remainder());
        list
    }

    fn remainder(&self) -> Option<String> {
        (self.left_out > 0).then(|| format!("and {} more", self.left_out))
    }

    /// The entries; the last one says how many were left out, when some were.
    pub(super) fn all(&self) -> Vec<String> {
        let mut list = self.list.clone();
        list.extend(self.remainder());
        list
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Paused {
    request_id: String,
    request: Request,
    frame_id: String,
    resource_type: String,
}

#[derive(Deserialize)]
struct Request {
    url: String,
    method: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Numbered {
    request_id: String,
}

#[derive(Deserialize)]
struct FrameEvent {
    frame: Frame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frame {
    id: String,
    parent_id: Option<String>,
}

#[derive(Deserialize)]
struct Dialog {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct ConsoleCall {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    args: Vec<Argument>,
}

#[derive(Deserialize)]
struct Argument {
    value: Option<serde_json::Value>,
    description: Option<String>,
}

#[derive(Deserialize)]
struct Logged {
    entry: Entry,
}

#[derive(Deserialize)]
struct Entry {
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Thrown {
    exception_details: Details,
}

#[derive(Deserialize)]
struct Details {
    #[serde(default)]
    text: String,
    exception: Option<Argument>,
}

impl Traffic {
    pub(super) fn new(site: Site) -> Self {
        Self {
            site,
            session: String::new(),
            frame: None,
            expected: None,
            leads_on: false,
            pages: Vec::new(),
            documents: 0,
            expired: false,
            pending: BTreeSet::new(),
            last_network: Instant::now(),
            crashed: None,
            blocked: Notes::default(),
            missing: Notes::default(),
            console_errors: Notes::default(),
            page_errors: Notes::default(),
            dialogs: 0,
        }
    }

    /// Allows the main frame one document, and those that it leads on to at once.
    pub(super) fn expect(&mut self, url: &str) {
        self.expected = Some(url.to_owned());
        self.leads_on = true;
        self.pages.clear();
    }

    /// The path of the page that the main frame was given last.
    pub(super) fn entry(&self) -> &str {
        self.pages.last().map_or("", String::as_str)
    }

    /// Whether the main frame may have this document. Reload loops and meta refresh would otherwise
    /// replace the slide for ever; an entry that only leads to the deck goes to each page once.
    fn may_navigate(&mut self, url: &str) -> bool {
        let expected = self.expected.take().as_deref() == Some(url);
        let Some(path) = Site::path_of(url) else {
            return expected;
        };
        let new = self.leads_on && self.pages.len() <= MAX_REDIRECTS && !self.pages.contains(&path);
        let allowed = expected || (new && self.site.holds(&path) == Ok(true));
        if allowed {
            self.pages.push(path);
        }
        allowed
    }

    fn request(&mut self, browser: &mut Browser, paused: &Paused) -> Result<(), BrowserError> {
        self.last_network = Instant::now();
        if self.is_main_document(paused) && !self.may_navigate(&paused.request.url) {
            self.blocked
                .add(&format!("{} (leaving the page)", paused.request.url));
            return self.refuse(browser, paused, Network::ErrorReason::Aborted);
        }
        match self
            .site
            .answer(&paused.request.url, &paused.request.method)
        {
            Answer::Found { bytes, mime } => self.fulfil(browser, paused, 200, mime, &bytes),
            Answer::Missing { path } => {
                // Browsers ask for it unasked.
                if path != "favicon.ico" {
                    self.missing.add(&path);
                }
                self.fulfil(browser, paused, 404, "text/plain", b"")
            }
            Answer::Refused { reason } => {
                self.blocked
                    .add(&format!("{} ({reason})", paused.request.url));
                if paused.resource_type == "Document" {
                    // An error page would live in a process of its own, and time with it.
                    return self.fulfil(browser, paused, 403, "text/html", b"");
                }
                self.refuse(browser, paused, Network::ErrorReason::AccessDenied)
            }
        }
    }

    fn is_main_document(&self, paused: &Paused) -> bool {
        paused.resource_type == "Document"
            && self
                .frame
                .as_ref()
                .is_none_or(|frame| *frame == paused.frame_id)
    }

    fn fulfil(
        &self,
        browser: &mut Browser,
        paused: &Paused,
        code: u32,
        mime: &str,
        body: &[u8],
    ) -> Result<(), BrowserError> {
        let header = |name: &str, value: &str| Fetch::HeaderEntry {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let answer = Fetch::FulfillRequest {
            request_id: paused.request_id.clone(),
            response_code: code,
            response_headers: Some(vec![
                header("Content-Type", mime),
                header("Access-Control-Allow-Origin", "*"),
            ]),
            binary_response_headers: None,
            body: Some(BASE64.encode(body)),
            response_phrase: None,
        };
        browser.post(Some(&self.session), answer).map(drop)
    }

    fn refuse(
        &self,
        browser: &mut Browser,
        paused: &Paused,
        error_reason: Network::ErrorReason,
    ) -> Result<(), BrowserError> {
        let request_id = paused.request_id.clone();
        browser
            .post(
                Some(&self.session),
                Fetch::FailRequest {
                    request_id,
                    error_reason,
                },
            )
            .map(drop)
    }

    fn dialog(&mut self, browser: &mut Browser, dialog: &Dialog) -> Result<(), BrowserError> {
        self.dialogs = self.dialogs.saturating_add(1);
        let accept = dialog.kind == "beforeunload";
        let answer = Page::HandleJavaScriptDialog {
            accept,
            prompt_text: None,
        };
        browser.post(Some(&self.session), answer).map(drop)
    }

    fn navigated(&mut self, frame: Frame) {
        if frame.parent_id.is_none() {
            self.frame = Some(frame.id);
            self.documents = self.documents.saturating_add(1);
        }
    }

    fn console(&mut self, call: &ConsoleCall) {
        if matches!(call.kind.as_str(), "error" | "assert") {
            let words: Vec<String> = call.args.iter().map(Argument::text).collect();
            self.console_errors.add(&words.join(" "));
        }
    }

    /// The browser refuses local files by itself and says so in its log alone.
    fn logged(&mut self, entry: &Entry) {
        if let Some(url) = entry
            .text
            .strip_prefix("Not allowed to load local resource: ")
        {
            self.blocked.add(&format!("{url} (outside of the deck)"));
        }
    }

    fn thrown(&mut self, details: &Details) {
        let what = details
            .exception
            .as_ref()
            .map(Argument::text)
            .unwrap_or_default();
        self.page_errors.add(&format!("{} {what}", details.text));
    }
}

impl Argument {
    fn text(&self) -> String {
        match (&self.value, &self.description) {
            (Some(serde_json::Value::String(text)), _) => text.clone(),
            (_, Some(description)) => description.clone(),
            (Some(value), None) => value.to_string(),
            (None, None) => "undefined".to_owned(),
        }
    }
}

impl Handler for Traffic {
    fn event(&mut self, browser: &mut Browser, event: &Event) -> Result<(), BrowserError> {
        if event.session.as_deref() != Some(&self.session) {
            return Ok(());
        }
        match event.method.as_str() {
            "Emulation.virtualTimeBudgetExpired" => self.expired = true,
            "Fetch.requestPaused" => return self.request(browser, &event.params()?),
            "Network.requestWillBeSent" => {
                self.last_network = Instant::now();
                self.pending.insert(event.params::<Numbered>()?.request_id);
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                self.last_network = Instant::now();
                self.pending.remove(&event.params::<Numbered>()?.request_id);
            }
            "Page.frameNavigated" => self.navigated(event.params::<FrameEvent>()?.frame),
            "Page.javascriptDialogOpening" => return self.dialog(browser, &event.params()?),
            "Runtime.consoleAPICalled" => self.console(&event.params()?),
            "Runtime.exceptionThrown" => {
                self.thrown(&event.params::<Thrown>()?.exception_details);
            }
            "Log.entryAdded" => self.logged(&event.params::<Logged>()?.entry),
            "Inspector.targetCrashed" => self.crashed = Some("its process crashed".to_owned()),
            "Inspector.detached" => self.crashed = Some("its page went away".to_owned()),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_have_no_duplicates_and_a_limit() {
        let mut notes = Notes::default();
        for number in 0..MAX_NOTES + 5 {
            notes.add(&format!("{number}"));
            notes.add("0");
        }
        let all = notes.all();
        assert_eq!(all.len(), MAX_NOTES + 1);
        assert_eq!(all.last().unwrap(), "and 5 more");
        notes.add(&"x".repeat(9_000));
        assert!(Notes::default().all().is_empty());
    }
}
