// SPDX-License-Identifier: MIT OR Apache-2.0
//! The single things that a preflight looks at, each with what was found.

use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use deckproof_renderers::batch::Renderers;
use deckproof_renderers::{Format as DeckFormat, RendererIdentity};

use super::super::process::{Launch, host_name};
use super::super::{Options, isolation_name, network};
use super::Subject;
use crate::experiment::records::{CheckedItem, CheckedProgram};
use crate::hosts;
use crate::suite::{Arm, Format, HostKind, Isolation, Suite};
use crate::supervise::{Network, preflight};

/// The least free space, in bytes: pictures and logs of a few trials.
const LEAST_FREE: u64 = 1 << 30;
/// How long a service may take to take a connection.
const PATIENCE: Duration = Duration::from_secs(5);

fn item(name: impl Into<String>, holds: bool, detail: impl Into<String>) -> CheckedItem {
    CheckedItem {
        name: name.into(),
        holds,
        detail: detail.into(),
    }
}

/// The arms that run an agent here.
fn agents(suite: &Suite) -> impl Iterator<Item = &Arm> {
    let runs = |arm: &&Arm| !matches!(arm.host, HostKind::Replay | HostKind::Manual);
    suite.arm.iter().filter(runs)
}

/// Whether any trial costs money.
pub(super) fn costs(suite: &Suite) -> bool {
    agents(suite).any(|arm| arm.host != HostKind::Command)
}

/// Sealed inputs and installed skills are what the lock says.
pub(super) fn seal(subject: &Subject<'_>) -> CheckedItem {
    match &subject.seal {
        Ok(()) => item(
            "seal",
            true,
            "inputs and installed skills are the sealed ones",
        ),
        Err(problem) => item("seal", false, problem.as_str()),
    }
}

/// The level that each arm reaches, against the one that the suite demands.
pub(super) fn isolation(subject: &Subject<'_>, launch: &Launch) -> Vec<CheckedItem> {
    let demanded = subject.suite.schedule.isolation;
    let arms = subject.suite.arm.iter();
    let level = |arm: &Arm| match hosts::host(host_name(arm.host)) {
        _ if arm.host == HostKind::Replay => None,
        Some(host) => Some((launch.reached_by(host.as_ref()), launch.missing())),
        None => Some((Isolation::None, "a person runs the agent")),
    };
    arms.filter_map(|arm| {
        let (reached, missing) = level(arm)?;
        let (word, least) = (isolation_name(reached), isolation_name(demanded));
        let mut detail = format!("reached `{word}`, demanded `{least}`");
        if reached < Isolation::Prevented && !missing.is_empty() {
            detail = format!("{detail}: {missing}");
        }
        let name = format!("isolation of {}", arm.id.get());
        Some(item(name, reached >= demanded, detail))
    })
    .collect()
}

/// Every way out of a room, tried. Only where agents are confined, and where somebody asks for it.
pub(super) fn rooms(
    subject: &Subject<'_>,
    launch: &Launch,
    options: &Options,
    thorough: bool,
) -> Vec<CheckedItem> {
    let demanded = subject.suite.schedule.isolation;
    let asked = thorough || demanded > Isolation::None;
    let confined = launch.reached() == Isolation::Prevented;
    if !asked || !confined || agents(subject.suite).next().is_none() {
        return Vec::new();
    }
    match preflight(launch.launcher(), &options.program, subject.folder) {
        Err(error) => vec![item("room", false, error.to_string())],
        Ok(probes) => probes
            .into_iter()
            .map(|probe| {
                let detail = if probe.held {
                    "prevented"
                } else {
                    "it got out"
                };
                item(
                    format!("an agent tries to {}", probe.attempt),
                    probe.held,
                    detail,
                )
            })
            .collect(),
    }
}

/// Each arm's program is there.
pub(super) fn programs(subject: &Subject<'_>, found: &[CheckedProgram]) -> Vec<CheckedItem> {
    let told = |arm: &Arm| {
        let one = found.iter().find(|one| one.arm == *arm.id.get())?;
        let name = format!("program of {}", arm.id.get());
        Some(match &one.sha256 {
            Some(hash) => item(name, true, format!("SHA-256 {hash}")),
            None => {
                let host = host_name(arm.host);
                let detail = format!(
                    "no program for the host `{host}`; install it, or name it with `program` in the suite"
                );
                item(name, false, detail)
            }
        })
    };
    agents(subject.suite).filter_map(told).collect()
}

/// What agents are let in with is there. Whether it is accepted shows only when it is used.
pub(super) fn logins(subject: &Subject<'_>) -> Vec<CheckedItem> {
    let mut items = Vec::new();
    for arm in agents(subject.suite) {
        let id = arm.id.get();
        for name in &arm.pass_environment {
            let set = std::env::var(name).is_ok_and(|value| !value.is_empty());
            let detail = if set { "it is set" } else { "it is not set" };
            items.push(item(format!("variable {name} for {id}"), set, detail));
        }
        if let Some(file) = &arm.credential_file {
            let readable = std::fs::File::open(file.get()).is_ok();
            let detail = if readable {
                "it can be read"
            } else {
                "it cannot be read"
            };
            items.push(item(format!("login file for {id}"), readable, detail));
        }
    }
    items
}

/// What agents may reach takes connections. Nothing is asked of it.
pub(super) fn services(subject: &Subject<'_>) -> Vec<CheckedItem> {
    let mut targets = Vec::new();
    for arm in agents(subject.suite) {
        if let Some(host) = hosts::host(host_name(arm.host))
            && let Network::Relay(named) = network::of(arm, host.as_ref())
        {
            targets.extend(named);
        }
    }
    targets.sort();
    targets.dedup();
    let told = |target: String| match reach(&target) {
        Ok(()) => item(format!("service {target}"), true, "it takes connections"),
        Err(error) => item(format!("service {target}"), false, error.to_string()),
    };
    targets.into_iter().map(told).collect()
}

fn reach(target: &str) -> std::io::Result<()> {
    let mut last = std::io::Error::other("no address");
    for address in target.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(_) => return Ok(()),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Models are named, and cannot be asked for nothing. Some hosts ask none: there the name is the suite's word.
pub(super) fn models(subject: &Subject<'_>) -> CheckedItem {
    let (mut asked, mut stated) = (Vec::new(), Vec::new());
    for arm in &subject.suite.arm {
        let Some(model) = &arm.model else { continue };
        let named = format!("{model} for {}", arm.id.get());
        match arm.host {
            HostKind::Command | HostKind::Replay | HostKind::Manual => {
                stated.push(format!("{named} (host `{}`)", host_name(arm.host)));
            }
            _ => asked.push(named),
        }
    }
    let mut details = Vec::new();
    for (how, named) in [
        ("unverified, since asking one costs money", asked),
        ("named alone, since the host checks none", stated),
    ] {
        if !named.is_empty() {
            details.push(format!("{how}: {}", named.join(", ")));
        }
    }
    let detail = match details.is_empty() {
        true => "no arm names one".to_owned(),
        false => details.join("; "),
    };
    item("models", true, detail)
}

/// The renderers of the suite's formats start, with their fonts.
pub(super) fn renderers(
    subject: &Subject<'_>,
    renderers: &mut Renderers,
) -> (Vec<CheckedItem>, Vec<RendererIdentity>) {
    let (mut items, mut identities) = (Vec::new(), Vec::new());
    for (format, deck) in [
        (Format::Html, DeckFormat::Html),
        (Format::Pptx, DeckFormat::Pptx),
    ] {
        if !subject.suite.arm.iter().any(|arm| arm.format == format) {
            continue;
        }
        let name = format!("renderer of {}", format.as_str());
        match renderers.of(deck) {
            Ok(renderer) => {
                let identity = renderer.identity().clone();
                let (hash, fonts) = (identity.sha256(), &identity.fonts_sha256);
                let detail = format!(
                    "{} {}, identity {hash}, fonts {fonts}",
                    identity.name, identity.version
                );
                items.push(item(name, true, detail));
                identities.push(identity);
            }
            Err(error) => items.push(item(name, false, error.to_string())),
        }
    }
    (items, identities)
}

/// There is room for what trials leave.
pub(super) fn disk(subject: &Subject<'_>) -> CheckedItem {
    let near = subject.folder.ancestors().find(|path| path.is_dir());
    let found = rustix::fs::statvfs(near.unwrap_or(Path::new("/")));
    match found {
        Err(error) => item("disk", false, error.to_string()),
        Ok(disk) => {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            let detail = format!(
                "{} MB free, expected at least {} MB",
                free >> 20,
                LEAST_FREE >> 20
            );
            item("disk", free >= LEAST_FREE, detail)
        }
    }
}
