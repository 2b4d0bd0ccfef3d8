// SPDX-License-Identifier: MIT OR Apache-2.0
//! The HTML renderer: one browser for many decks, replaced when a deck has spoilt it.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use deckproof_browser::{
    Browser, BrowserError, Executable, Isolation, Kind, LaunchOptions, MemoryLimits, Scratch,
};

use super::discover::{Found, Keys};
use super::drive::{Drive, drive};
use super::facts::{RawSlide, deck_facts};
use super::fault::Fault;
use super::files;
use super::identity::{Identity, hash_aside};
use super::keyboard::{Words, tour};
use super::page::{Page, Patience};
use super::site::Site;
use super::viewer::Viewer;
use crate::facts::DeckFacts;
use crate::fonts::FontFiles;
use crate::{
    Compared, Deck, Diagnostic, Picture, RenderError, RenderOptions, Renderer, RendererIdentity,
    Rendering, Step,
};

/// Part of the identity: to be raised whenever the driving changes what is drawn.
const DRIVER: &str = "driver=4";
/// So many bytes of an entry tell whether it is a page.
const PAGE_START: u64 = 64 << 10;

/// How the browser is run.
#[derive(Debug, Clone)]
pub struct BrowserOptions {
    /// The executable; `None` for the first that is found.
    pub executable: Option<PathBuf>,
    /// The levels of isolation that may be used, best first.
    pub isolation: Vec<Isolation>,
    /// When a browser is ended for its memory.
    pub memory: MemoryLimits,
    /// When a deck is given up.
    pub patience: Patience,
    /// Whether identities carry the hashes of the executable and of the fonts. Only who records no
    /// identity may leave them out: 300 MB take a third of the time that a short deck takes.
    pub hashes: bool,
}

impl Default for BrowserOptions {
    fn default() -> Self {
        Self {
            executable: None,
            isolation: Isolation::ALL.to_vec(),
            memory: MemoryLimits::default(),
            patience: Patience::default(),
            hashes: true,
        }
    }
}

/// Renders HTML decks, one after the other, in one browser.
#[derive(Debug)]
pub struct HtmlRenderer {
    launch: LaunchOptions,
    patience: Patience,
    identity: Identity,
    isolation: Isolation,
    remarks: Vec<Diagnostic>,
    browser: Option<Browser>,
    // Holds the fontconfig file for as long as browsers are started.
    _settings: Scratch,
}

impl HtmlRenderer {
    /// Finds the browser and the fonts, and starts the browser.
    ///
    /// # Errors
    /// Only infrastructure: no browser, no fonts, or it does not start.
    pub fn new(options: BrowserOptions) -> Result<Self, RenderError> {
        let executable = match &options.executable {
            Some(path) => Executable::at(path),
            None => Executable::find(),
        };
        let executable = executable.map_err(broken)?;
        let fonts = FontFiles::find()?;
        let hashing = options
            .hashes
            .then(|| hash_aside(executable.path.clone(), fonts.clone()));
        let (settings, fontconfig) = settings(&fonts)?;
        let launch = LaunchOptions {
            fontconfig: Some(fontconfig),
            isolation: options.isolation,
            memory: options.memory,
            ..LaunchOptions::new(executable)
        };
        let browser = Browser::launch(&launch).map_err(broken)?;
        Ok(Self {
            identity: Identity::new(identity(&browser), hashing),
            isolation: browser.isolation(),
            remarks: remarks(&browser, &fonts),
            launch,
            patience: options.patience,
            browser: Some(browser),
            _settings: settings,
        })
    }

    /// How far the browser is shut in.
    #[must_use]
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// The process group of the running browser, for tests that look for survivors.
    #[must_use]
    pub fn process_group(&self) -> Option<i32> {
        self.browser.as_ref().map(Browser::process_group)
    }

    fn browser(&mut self) -> Result<&mut Browser, RenderError> {
        if self.browser.is_none() {
            // The same level as before: a browser that is shut in less is another renderer.
            let launch = LaunchOptions {
                isolation: vec![self.isolation],
                ..self.launch.clone()
            };
            self.browser = Some(Browser::launch(&launch).map_err(broken)?);
        }
        self.browser
            .as_mut()
            .ok_or_else(|| RenderError::ToolFailed {
                what: "Chromium".to_owned(),
                reason: "not started".to_owned(),
            })
    }

    /// One pass through a deck.
    pub(super) fn once(
        &mut self,
        deck: &Deck,
        options: &RenderOptions,
        viewer: Viewer,
    ) -> Result<Rendering, RenderError> {
        let start = Instant::now();
        let entry = deck.entry_path();
        let site = checked_site(deck)?;
        let patience = self.patience;
        let outcome = run(self.browser()?, site, deck, options, patience, viewer);
        let run = match outcome {
            Ok(run) => run,
            Err(fault) => {
                if fault.spoils_browser() {
                    self.browser = None;
                }
                return Err(fault.of(&entry));
            }
        };
        if run.spoilt {
            self.browser = None;
        }
        let identity = self.identity.known();
        let identity = identity.map_err(|source| RenderError::io("hash the browser", source))?;
        let mut rendering = run.rendering(identity.clone(), &entry, options)?;
        rendering
            .diagnostics
            .splice(0..0, self.remarks.iter().cloned());
        rendering.milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(rendering)
    }
}

impl Renderer for HtmlRenderer {
    fn identity(&self) -> &RendererIdentity {
        self.identity.best()
    }

    fn render(&mut self, deck: &Deck, options: &RenderOptions) -> Result<Rendering, RenderError> {
        let mut first = self.once(deck, options, Viewer::Person)?;
        super::passes::compare(self, deck, options, &mut first)?;
        Ok(first)
    }
}

/// What one pass through a deck gave.
struct Run {
    pictures: Vec<Picture>,
    slide_count: u32,
    explanation: Vec<String>,
    diagnostics: Vec<Diagnostic>,
    facts: Option<DeckFacts>,
    /// The browser is to be replaced, although the deck was drawn.
    spoilt: bool,
}

fn run(
    browser: &mut Browser,
    site: Site,
    deck: &Deck,
    options: &RenderOptions,
    patience: Patience,
    viewer: Viewer,
) -> Result<Run, Fault> {
    let mut page = Page::open(browser, site, patience, viewer)?;
    page.load(&Site::url(&deck.entry))?;
    let found = page.discover(Keys::Off)?;
    let document = options.facts.then(|| page.document_facts()).transpose()?;
    let pages = match found.framework.as_str() {
        "keys" => files::pages(&deck.root, page.entry()),
        _ => Vec::new(),
    };
    let mut drive = match pages.as_slice() {
        [] => drive(&mut page, &found, options)?,
        pages => files::drive(&mut page, &found, pages, options)?,
    };
    let mut explanation = vec![format!("{}: {}", found.framework, found.why)];
    explanation.append(&mut drive.notes);
    let (pictures, raw) = finish(&mut drive, options.steps)?;
    let mut diagnostics = diagnostics(&page);
    diagnostics.extend(
        raw.iter()
            .filter_map(|(slide, facts, _)| facts.overflow(*slide)),
    );
    let words: Words = raw
        .iter()
        .map(|(slide, facts, _)| (*slide, facts.words()))
        .collect();
    let mut run = Run {
        pictures,
        slide_count: drive.slide_count,
        explanation,
        diagnostics,
        facts: document.map(|document| deck_facts(&page, document, raw)),
        spoilt: false,
    };
    if run.facts.is_some() && options.slides.is_none() && !options.steps {
        run.spoilt = keys(&mut page, deck, &found, &drive, &words, &mut run)?;
    }
    Ok(run)
}

/// Goes through the deck by keys, once everything is drawn. True when that spoilt the browser.
fn keys(
    page: &mut Page,
    deck: &Deck,
    found: &Found,
    drive: &Drive,
    words: &Words,
    run: &mut Run,
) -> Result<bool, Fault> {
    let toured = tour(page, &Site::url(&deck.entry), found, drive, words);
    let (keyboard, spoilt) = match toured {
        Ok(keyboard) => (Some(keyboard), false),
        Err(fault) => {
            let remark = Diagnostic::deck("keyboard-unknown", fault.to_string());
            run.diagnostics.push(remark);
            (None, fault.spoils_browser())
        }
    };
    let changed = keyboard.iter().flat_map(|facts| &facts.changed);
    run.diagnostics.extend(changed.map(|slide| {
        let message = "it read otherwise when keys led to it later";
        Diagnostic::slide(*slide, "changes-with-time", message)
    }));
    if let Some(html) = run
        .facts
        .as_mut()
        .and_then(|facts| facts.document.html.as_mut())
    {
        html.keyboard = keyboard;
    }
    Ok(spoilt)
}

impl Run {
    fn rendering(
        self,
        identity: RendererIdentity,
        entry: &Path,
        options: &RenderOptions,
    ) -> Result<Rendering, RenderError> {
        options.within(entry, self.slide_count)?;
        let mut diagnostics = self.diagnostics;
        diagnostics.extend(crate::rendering::oddities(&self.pictures));
        Ok(Rendering {
            identity,
            slides: self.pictures,
            slide_count: self.slide_count,
            diagnostics,
            compared: Compared::default(),
            explanation: self.explanation,
            facts: self.facts,
            milliseconds: 0,
        })
    }
}

/// Facts of a slide with its number, and the contrasts of its texts.
type Read = (u32, RawSlide, Vec<Option<u32>>);

/// Waits for all pictures and numbers them: by slide, or by place in the sequence of steps.
fn finish(drive: &mut Drive, steps: bool) -> Result<(Vec<Picture>, Vec<Read>), Fault> {
    let (mut pictures, mut read) = (Vec::new(), Vec::new());
    let mut last = Step {
        slide: 0,
        number: 0,
    };
    for (place, shot) in (1_u32..).zip(std::mem::take(&mut drive.shots)) {
        let drawn = shot.picture.finish();
        let drawn = drawn.map_err(|error| Fault::Odd(format!("the browser's picture: {error}")))?;
        last.number = if last.slide == shot.slide {
            last.number + 1
        } else {
            1
        };
        last.slide = shot.slide;
        pictures.push(Picture {
            index: if steps { place } else { shot.slide },
            step: steps.then_some(last),
            ..drawn.picture
        });
        read.extend(shot.facts.map(|facts| (shot.slide, facts, drawn.contrasts)));
    }
    Ok((pictures, read))
}

fn diagnostics(page: &Page) -> Vec<Diagnostic> {
    let traffic = &page.traffic;
    let lists = [
        ("blocked-request", traffic.blocked.sorted()),
        ("missing-resource", traffic.missing.sorted()),
        ("console-error", traffic.console_errors.all()),
        ("page-error", traffic.page_errors.all()),
    ];
    let mut all: Vec<Diagnostic> = lists
        .into_iter()
        .flat_map(|(code, notes)| {
            notes
                .into_iter()
                .map(move |note| Diagnostic::deck(code, note))
        })
        .collect();
    if traffic.dialogs > 0 {
        all.push(Diagnostic::deck(
            "dialog",
            format!("{} dialogs were dismissed", traffic.dialogs),
        ));
    }
    if page.clock.stalls > 0 {
        all.push(Diagnostic::deck(
            "stall",
            format!("the page stalled {} times", page.clock.stalls),
        ));
    }
    all
}

/// Refuses an entry that is absent, no file, empty, or outside of its folder.
fn checked_site(deck: &Deck) -> Result<Site, RenderError> {
    let path = deck.entry_path();
    let bad = |found: &str| RenderError::BadEntry {
        path: path.clone(),
        found: found.to_owned(),
        expected: "an HTML file inside the deck's folder".to_owned(),
    };
    let metadata = match fs_err::metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(RenderError::EntryMissing { path });
        }
        Err(error) => return Err(bad(&error.to_string())),
    };
    if !metadata.is_file() {
        return Err(bad("it is no regular file"));
    }
    if metadata.len() == 0 {
        return Err(bad("it is empty"));
    }
    if metadata.len() > super::site::MAX_FILE {
        return Err(bad("it has more than 64 MB"));
    }
    let site = Site::new(&deck.root).map_err(|error| bad(&error.to_string()))?;
    match site.holds(&deck.entry) {
        Ok(true) => {}
        Ok(false) => return Err(bad("it cannot be read")),
        Err(reason) => return Err(bad(reason)),
    }
    // Not before it is known to lie inside.
    match no_page(&path).map_err(|error| bad(&error.to_string()))? {
        Some(found) => Err(bad(found)),
        None => Ok(site),
    }
}

/// Why a file is no page whatever its name is, by its first bytes. A browser shows anything, if need
/// be as garbled text, and a picture of that would look like a slide.
fn no_page(path: &Path) -> std::io::Result<Option<&'static str>> {
    let mut start = Vec::new();
    fs_err::File::open(path)?
        .take(PAGE_START)
        .read_to_end(&mut start)?;
    let begins = |with: &[u8]| start.starts_with(with);
    // Two bytes a letter, which have a mark before them.
    let wide = begins(b"\xFE\xFF") || begins(b"\xFF\xFE");
    Ok(if begins(b"PK\x03\x04") {
        Some("it is a ZIP archive, such as a PPTX deck")
    } else if begins(b"%PDF-") {
        Some("it is a PDF document")
    } else if start.iter().take(512).any(|byte| *byte == 0) && !wide {
        Some("it is binary data")
    } else if !start.contains(&b'<') {
        Some("its beginning has no markup")
    } else {
        None
    })
}

/// The identity without its hashes.
fn identity(browser: &Browser) -> RendererIdentity {
    let version = browser.version();
    let mut flags = browser.switches().to_vec();
    flags.push(format!("isolation={}", browser.isolation().name()));
    flags.push(DRIVER.to_owned());
    RendererIdentity {
        name: "chromium".to_owned(),
        version: version.rsplit('/').next().unwrap_or(version).to_owned(),
        executable_sha256: String::new(),
        fonts_sha256: String::new(),
        flags,
        deterministic: browser.executable().kind == Kind::HeadlessShell,
    }
}

fn remarks(browser: &Browser, fonts: &FontFiles) -> Vec<Diagnostic> {
    let level = browser.isolation().name();
    let isolation = browser
        .shortfalls()
        .iter()
        .map(|reason| Diagnostic::deck("isolation", format!("only {level} is possible: {reason}")));
    let fonts = fonts.missing().iter().map(|package| {
        Diagnostic::deck(
            "fonts-missing",
            format!("Debian's package {package} is not installed"),
        )
    });
    let unsteady = (browser.executable().kind == Kind::Full).then(|| {
        Diagnostic::deck(
            "not-guaranteed-deterministic",
            "this browser draws frames when it likes; install chromium-headless-shell",
        )
    });
    isolation.chain(fonts).chain(unsteady).collect()
}

/// A folder that the browser's user may read, with the fontconfig file in it.
fn settings(fonts: &FontFiles) -> Result<(Scratch, PathBuf), RenderError> {
    let failed = |source| RenderError::io("write the font settings", source);
    let folder = Scratch::new().map_err(failed)?;
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs_err::set_permissions(folder.path(), open).map_err(failed)?;
    let path = folder.path().join("fonts.conf");
    fs_err::write(&path, fonts.fontconfig()).map_err(failed)?;
    Ok((folder, path))
}

/// A browser that does not start, with no deck involved.
fn broken(error: BrowserError) -> RenderError {
    let what = "Chromium".to_owned();
    match error {
        BrowserError::NotFound { .. } => RenderError::ToolMissing {
            what,
            reason: error.to_string(),
        },
        other => RenderError::ToolFailed {
            what,
            reason: other.to_string(),
        },
    }
}
