// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starts the machine's real browser: without it these tests fail, for nothing here works then.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

use std::time::{Duration, Instant};

use deckproof_browser::cdp::{Browser as BrowserDomain, Target};
use deckproof_browser::{
    Browser, BrowserError, Executable, Isolation, LaunchOptions, MemoryLimits, Silent,
};

fn options() -> LaunchOptions {
    LaunchOptions::new(Executable::find().unwrap())
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn alive(group: i32) -> bool {
    let members = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter(|entry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let fields: Vec<&str> = stat
                .rsplit(')')
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .collect();
            fields.get(2) == Some(&group.to_string().as_str()) && fields.first() != Some(&"Z")
        });
    members.count() > 0
}

#[test]
fn it_starts_answers_and_leaves_nothing() {
    let mut browser = Browser::launch(&options()).unwrap();
    assert!(
        browser.version().contains("Chrome/"),
        "{}",
        browser.version()
    );
    let group = browser.process_group();
    assert!(alive(group));
    let targets = browser.call(
        None,
        Target::GetTargets { filter: None },
        soon(),
        &mut Silent,
    );
    assert!(!targets.unwrap().target_infos.is_empty());
    drop(browser);
    assert!(!alive(group));
}

#[test]
fn every_level_that_this_machine_has_works() {
    for level in [Isolation::FetchOnly, Isolation::NetnsSandbox] {
        let browser = Browser::launch(&LaunchOptions {
            isolation: vec![level, Isolation::FetchOnly],
            ..options()
        })
        .unwrap();
        let reached = browser.isolation();
        // A machine without namespaces must say so.
        assert!(
            reached == level || browser.shortfalls().len() == 1,
            "{:?}",
            browser.shortfalls()
        );
    }
}

#[test]
fn a_refused_command_is_no_fatal_error() {
    let mut browser = Browser::launch(&options()).unwrap();
    let close = Target::CloseTarget {
        target_id: "no such target".to_owned(),
    };
    let error = browser.call(None, close, soon(), &mut Silent).unwrap_err();
    assert!(matches!(error, BrowserError::Refused { .. }) && !error.is_fatal());
    assert!(
        browser
            .call(None, BrowserDomain::GetVersion(None), soon(), &mut Silent)
            .is_ok()
    );
}

#[test]
fn a_browser_that_dies_is_gone_and_a_late_answer_a_timeout() {
    let mut browser = Browser::launch(&options()).unwrap();
    // An answer that is there before anybody looks is no late one, so that one try may succeed.
    let mut late = || {
        let version = BrowserDomain::GetVersion(None);
        browser.call(None, version, Instant::now(), &mut Silent)
    };
    let timed_out = |answer| matches!(answer, Err(BrowserError::Timeout { .. }));
    assert!((0..50).any(|_| timed_out(late())), "fifty answers at once");
    browser.post(None, BrowserDomain::Crash(None)).unwrap();
    let error = browser
        .call(None, BrowserDomain::GetVersion(None), soon(), &mut Silent)
        .unwrap_err();
    assert!(
        matches!(error, BrowserError::Gone { .. }) && error.is_fatal(),
        "{error}"
    );
}

#[test]
fn too_little_memory_is_named() {
    let memory = MemoryLimits {
        process_bytes: 1,
        total_bytes: 1,
    };
    let error = Browser::launch(&LaunchOptions {
        memory,
        ..options()
    })
    .map(|mut browser| {
        let deadline = soon();
        loop {
            if let Err(error) =
                browser.call(None, BrowserDomain::GetVersion(None), deadline, &mut Silent)
            {
                return error;
            }
        }
    });
    let text = match error {
        Ok(error) | Err(error) => error.to_string(),
    };
    assert!(text.contains("memory"), "{text}");
}

#[test]
fn what_is_no_browser_does_not_start() {
    let executable = Executable::at("/bin/true".as_ref()).unwrap();
    let error = Browser::launch(&LaunchOptions::new(executable)).unwrap_err();
    let text = error.to_string();
    for level in Isolation::ALL {
        assert!(text.contains(level.name()), "{text}");
    }
}
