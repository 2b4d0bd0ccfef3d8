// SPDX-License-Identifier: MIT OR Apache-2.0
//! `review accept`, `review withdraw` and `review status`.

use std::path::{Path, PathBuf};

use deckproof_packets::{atomic, packet as packets};

use super::args::{Review, ReviewCommand, ReviewRun};
use super::derived::Derived;
use super::message::out;
use super::place::KEY;
use super::{Answer, Exit, place, standing};
use crate::execute::Progress;
use crate::review;
use crate::review::run::ModelReviewer;
use crate::review::serve::{Destination, Server};
use crate::signing;

pub(super) fn run(options: &Review, quiet: bool) -> Answer {
    match &options.command {
        ReviewCommand::Accept {
            experiment,
            responses,
        } => accept(experiment, responses, quiet),
        ReviewCommand::Status { experiment } => status(experiment),
        ReviewCommand::Withdraw {
            experiment,
            review,
            reason,
        } => withdraw(experiment, review, reason, quiet),
        ReviewCommand::Open {
            packet,
            out,
            drafts,
        } => open(packet, out.as_deref(), drafts.as_deref(), quiet),
        ReviewCommand::Sign { response, key } => sign(response, key),
        ReviewCommand::Run(options) => run_model(options, quiet),
    }
}

/// Exits with 1 while a packet has no review.
fn run_model(options: &ReviewRun, quiet: bool) -> Answer {
    let pair = |text: &String| {
        text.split_once('=')
            .map(|(name, value)| (name.into(), value.into()))
    };
    let environment: Option<Vec<_>> = options.environment.iter().map(pair).collect();
    let reviewer = ModelReviewer {
        host: options.host.clone(),
        model: options.model.clone(),
        effort: options.effort.clone(),
        program: options.program.clone(),
        arguments: options.arguments.clone(),
        environment: environment.ok_or("`--environment`: expected NAME=VALUE")?,
        pass_environment: options.pass_environment.clone(),
        reach: options.reach.clone(),
        reviewer: options.reviewer.clone(),
        time_limit_seconds: options.time_limit,
        deckproof: std::env::current_exe()?,
    };
    let progress = Progress::new(quiet);
    let reviewed = Derived::around(&options.experiment, &progress, || {
        review::run::run(&options.experiment, &reviewer, &progress)
    })?;
    let mut text = String::new();
    for one in &reviewed {
        let how = one.problem.as_deref().unwrap_or("reviewed");
        text.push_str(&format!("{}  {how}\n", one.packet));
    }
    if reviewed.is_empty() {
        text.push_str("no packet lacks a model's review\n");
    }
    out(&text)?;
    Ok(match reviewed.iter().all(|one| one.problem.is_none()) {
        true => Exit::Holds,
        false => Exit::FallsShort,
    })
}

fn sign(response: &Path, key: &Path) -> Answer {
    place::expect_input(response, "a response, as the review page saves it")?;
    place::expect_input(key, KEY)?;
    let text = signing::sign(key, signing::RESPONSE, &signing::read(response)?)?;
    let path = signing::beside(response);
    atomic::write_new(&path, text.as_bytes(), 0o644)?;
    out(&format!("signed: {}\n", path.display()))?;
    Ok(Exit::Holds)
}

fn open(packet: &Path, to: Option<&Path>, drafts: Option<&Path>, quiet: bool) -> Answer {
    standing::expect_packet(packet)?;
    standing::expect_standing(packet, &packets::verify(packet)?.document.packet)?;
    let experiment = standing::experiment_of(packet);
    let destination = match (&experiment, to) {
        (_, Some(path)) => Destination::File(path.to_owned()),
        (Some(root), None) => Destination::Experiment(root.clone()),
        (None, None) => Destination::File(PathBuf::from("response.json")),
    };
    let drafts = drafts.map_or_else(default_drafts, Path::to_owned);
    place::expect_folder(&drafts, "name another with `--drafts`")?;
    let server = Server::open(packet, &drafts, destination)?;
    out(&format!(
        "open in a browser on this machine: {}\nwaiting for the review; Ctrl+C ends without one, and answers are kept in {}\n",
        server.url(),
        drafts.display()
    ))?;
    match &experiment {
        Some(root) => Derived::around(root, &Progress::new(quiet), || server.run())?,
        None => server.run()?,
    }
    out("the review was handed in\n")?;
    Ok(Exit::Holds)
}

/// Beside the user's other state; without a home in the system's folder for temporary files.
fn default_drafts() -> PathBuf {
    let variable = |name| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
    state
        .unwrap_or_else(std::env::temp_dir)
        .join("deckproof/drafts")
}

fn withdraw(experiment: &Path, review: &str, reason: &str, quiet: bool) -> Answer {
    Derived::around(experiment, &Progress::new(quiet), || {
        review::withdraw(experiment, review, reason)
    })?;
    out(&format!("{review}: withdrawn; it stays on file\n"))?;
    Ok(Exit::Holds)
}

fn accept(experiment: &Path, responses: &[PathBuf], quiet: bool) -> Answer {
    let filed = Derived::around(experiment, &Progress::new(quiet), || {
        review::accept(experiment, responses)
    })?;
    let mut text = String::new();
    for accepted in filed {
        let how = if accepted.already {
            "was filed before"
        } else {
            "accepted"
        };
        let (response, packet) = (accepted.response.display(), &accepted.packet);
        text.push_str(&format!("{response}: {how}, for the packet {packet}\n"));
    }
    out(&text)?;
    Ok(Exit::Holds)
}

/// Exits with 1 while a required review is missing, so that a script can wait for 0.
fn status(experiment: &Path) -> Answer {
    let mut text = String::new();
    let mut missing = 0;
    for packet in review::status(experiment)? {
        let names = |kinds: Vec<String>| match kinds.is_empty() {
            true => "none".to_owned(),
            false => kinds.join(", "),
        };
        missing += packet.missing.len();
        let filed = packet
            .reviews
            .iter()
            .map(|seat| format!("{} ({}, review {})", seat.reviewer, seat.kind, seat.id));
        let filed = names(filed.collect());
        let owed = names(packet.missing.iter().map(ToString::to_string).collect());
        let seat = packet.seat.map_or_else(String::new, |one| {
            format!("{} no. {}  ", one.seat, one.position)
        });
        let voided = packet
            .voided
            .map_or_else(String::new, |why| format!("  voided: {why}"));
        text.push_str(&format!(
            "{seat}{}  filed: {filed}  missing: {owed}{voided}\n",
            packet.packet
        ));
    }
    out(&text)?;
    Ok(if missing == 0 {
        Exit::Holds
    } else {
        Exit::FallsShort
    })
}
