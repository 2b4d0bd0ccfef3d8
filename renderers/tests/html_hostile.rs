// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages that try to read, to reach and to exhaust what they must not.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

mod common;

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use common::html::{impatient, renderer};
use deckproof_renderers::{Deck, Format, RenderOptions, Renderer};

/// One-trick pages that are quick to draw; all run with `DECKPROOF_CORPUS=1`.
const ALWAYS: [&str; 6] = [
    "alert",
    "reload-loop",
    "window-close",
    "nav-away",
    "while-true-late",
    "popup",
];

fn corpus() -> Option<PathBuf> {
    common::shared().map(|shared| shared.join("corpus/html"))
}

/// Copies a page with its places filled in: two listening ports and a folder with secrets.
fn copy(from: &Path, to: &Path, ports: [u16; 2], secret: &str) {
    fs_err::create_dir_all(to).unwrap();
    for entry in fs_err::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        match String::from_utf8(fs_err::read(entry.path()).unwrap()) {
            Ok(text) => {
                let text = text
                    .replace("PORT2", &ports[1].to_string())
                    .replace("PORT", &ports[0].to_string())
                    .replace("/@SECRET@", secret)
                    .replace("@SECRET@", secret);
                fs_err::write(&target, text).unwrap();
            }
            Err(bytes) => fs_err::write(&target, bytes.into_bytes()).unwrap(),
        }
    }
}

fn listener() -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    listener
}

/// The hostile page in a folder of its own, beside secrets that it asks for by every way.
fn hostile(corpus: &Path, folder: &Path, ports: [u16; 2]) -> PathBuf {
    let secret = folder.join("secret");
    fs_err::create_dir_all(&secret).unwrap();
    fs_err::write(secret.join("secret.txt"), "the secret words").unwrap();
    fs_err::write(secret.join("secret.png"), "no picture").unwrap();
    let deck = folder.join("deck");
    copy(
        &corpus.join("hostile"),
        &deck,
        ports,
        &secret.display().to_string(),
    );
    for name in ["png", "txt"] {
        let target = secret.join(format!("secret.{name}"));
        std::os::unix::fs::symlink(target, deck.join(format!("link.{name}"))).unwrap();
    }
    deck
}

/// Names the deck that the child of the next test draws.
const TRACED: &str = "DECKPROOF_TRACED_DECK";

/// Not a test of its own: what [`no_file_outside_of_the_deck_is_opened`] runs under strace.
#[test]
fn draws_the_deck_that_the_environment_names() {
    if let Some(root) = std::env::var_os(TRACED) {
        let deck = Deck::new(root, "index.html", Format::Html);
        renderer().render(&deck, &RenderOptions::default()).unwrap();
    }
}

/// Every file that was opened while a deck was drawn, by us and by every process of the browser.
fn opened(deck: &Path, log: &Path) -> std::collections::BTreeSet<String> {
    let program = std::env::current_exe().unwrap();
    let status = std::process::Command::new("strace")
        .args([
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-e",
            "trace=open,openat,openat2",
            "-e",
            "status=successful",
            "-o",
        ])
        .arg(log)
        .arg(program)
        .args(["--exact", "draws_the_deck_that_the_environment_names"])
        .env(TRACED, deck)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "the traced run failed");
    let text = fs_err::read(log).unwrap();
    let text = String::from_utf8_lossy(&text);
    let paths = text.lines().filter_map(|line| line.split('"').nth(1));
    paths.map(str::to_owned).collect()
}

#[test]
fn no_file_outside_of_the_deck_is_opened() {
    let Some(corpus) = corpus() else { return };
    if std::process::Command::new("strace")
        .arg("-V")
        .output()
        .is_err()
    {
        println!("skipped: strace is absent");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let deck = hostile(&corpus, folder.path(), [9, 9]);
    let harmless = folder.path().join("harmless");
    fs_err::create_dir_all(&harmless).unwrap();
    fs_err::write(
        harmless.join("index.html"),
        "<!doctype html><h1>Harmless</h1>",
    )
    .unwrap();
    let usual = opened(&harmless, &folder.path().join("usual.log"));
    let found = opened(&deck, &folder.path().join("hostile.log"));
    let page = deck.join("index.html").display().to_string();
    assert!(
        found.contains(&page),
        "the trace does not even show the page"
    );
    // Libraries, fonts, the kernel's own files and the browser's scratch folder are the browser's
    // own business; so is whatever it opens for a page that asks for nothing.
    let own = [
        "/usr/lib/",
        "/usr/share/",
        "/lib/",
        "/proc/",
        "/sys/",
        "/dev/",
    ];
    let scratch = std::env::temp_dir()
        .join("deckproof-scratch-")
        .display()
        .to_string();
    let foreign: Vec<&String> = found
        .difference(&usual)
        .filter(|path| path.starts_with('/') && !path.starts_with(&scratch))
        .filter(|path| !own.iter().any(|prefix| path.starts_with(prefix)))
        .filter(|path| {
            !path.starts_with(&format!("{}/", deck.display())) || path.contains("/link.")
        })
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn a_hostile_page_reads_nothing_and_reaches_nobody() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let listeners = [listener(), listener()];
    let ports = listeners
        .each_ref()
        .map(|listener| listener.local_addr().unwrap().port());
    let deck = hostile(&corpus, folder.path(), ports);
    let options = RenderOptions {
        facts: true,
        ..RenderOptions::default()
    };
    let rendering = renderer()
        .render(&Deck::new(&deck, "index.html", Format::Html), &options)
        .unwrap();
    for listener in &listeners {
        assert!(listener.accept().is_err(), "somebody connected");
    }
    let facts = serde_json::to_string(&rendering.facts).unwrap();
    assert!(!facts.contains("the secret words"), "{facts}");
    let blocked = rendering
        .diagnostics
        .iter()
        .filter(|remark| remark.code == "blocked-request");
    assert!(blocked.count() > 10, "{:?}", rendering.diagnostics);
    let facts = rendering.facts.unwrap();
    let seen: Vec<_> = facts
        .slides
        .iter()
        .flat_map(|slide| &slide.images)
        .collect();
    assert!(
        seen.iter()
            .all(|image| image.sha256.is_none() || !image.visible),
        "{seen:?}"
    );
}

#[test]
fn pages_that_exhaust_harm_no_other_deck() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let all = std::env::var_os("DECKPROOF_CORPUS").is_some();
    let mut names: Vec<String> = fs_err::read_dir(corpus.join("hostile-dos"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| all || ALWAYS.contains(&name.as_str()))
        .collect();
    names.sort();
    let fine = Deck::new(corpus.join("plain-stacked"), "index.html", Format::Html);
    let mut renderer = impatient();
    let options = RenderOptions::default();
    let before = renderer.render(&fine, &options).unwrap().set_sha256();
    for name in names {
        let root = folder.path().join(&name);
        copy(
            &corpus.join("hostile-dos").join(&name),
            &root,
            [9, 9],
            "/nowhere",
        );
        let start = std::time::Instant::now();
        match renderer.render(&Deck::new(&root, "index.html", Format::Html), &options) {
            Ok(rendering) => println!(
                "{name}: {} slides, {:?}",
                rendering.slide_count,
                start.elapsed()
            ),
            Err(error) => {
                assert!(!error.is_infrastructure(), "{name}: {error}");
                println!("{name}: {error}, {:?}", start.elapsed());
            }
        }
        let after = renderer.render(&fine, &options).unwrap().set_sha256();
        assert_eq!(after, before, "after {name}");
    }
}
