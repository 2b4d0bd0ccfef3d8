// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line: one module a command, one exit code for all of them.
//!
//! 0: it holds. 1: a valid result that falls short. 2: unusable input, evidence or set-up, or an
//! internal error. A panic is an internal error too, so that no crash is ever taken for a verdict.

mod args;
mod check;
mod demo;
mod derived;
mod exit;
mod init;
mod lab;
mod message;
mod packets;
mod place;
mod render;
mod report;
mod reviews;
mod selfcheck;
mod standing;
mod trials;
mod verdicts;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
pub use exit::Exit;
use message::say_error;

/// Runs the program and answers with its exit code.
#[must_use]
pub fn main() -> ExitCode {
    // The supervisor is this program again; it must not depend on anything below.
    if let Some(code) = supervisor() {
        return code;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    match std::panic::catch_unwind(|| run(&arguments)) {
        Ok(Ok(exit)) => exit.code(),
        Ok(Err(error)) => {
            say_error(error.as_ref());
            Exit::Unusable.code()
        }
        // The panic's own message has been written by the panic hook.
        Err(_) => {
            eprintln!(
                "error: an internal error; nothing that this run said is a result. Please report the message above"
            );
            Exit::Unusable.code()
        }
    }
}

/// What a command gives back: an exit, or why there is none.
pub(crate) type Answer = Result<Exit, Box<dyn std::error::Error>>;

fn run(arguments: &Arguments) -> Answer {
    let quiet = arguments.quiet;
    match &arguments.command {
        Command::Init(options) => init::run(options, quiet),
        Command::Seal(options) => lab::seal(options),
        Command::SelfCheck(options) => selfcheck::run(options, quiet),
        Command::Prepare(options) => lab::prepare(options, quiet),
        Command::Check(options) => check::run(options),
        Command::Execute(options) => lab::execute(options, quiet),
        Command::Collect(options) => lab::collect(options, quiet),
        Command::Render(options) => render::run(options, quiet),
        Command::Packet(options) => packets::run(options, arguments.quiet),
        Command::Review(options) => reviews::run(options, arguments.quiet),
        Command::Summarize(options) => verdicts::summarize(options),
        Command::Report(options) => report::run(options),
        Command::Show(options) => trials::show(options),
        Command::Compare(options) => trials::compare(options),
        Command::Verify(options) => verdicts::verify(options),
        Command::Demo(options) => demo::run(options, quiet),
        Command::Schema => init::schema(),
    }
}

fn supervisor() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next()? != crate::supervise::SUPERVISE_COMMAND {
        return None;
    }
    let job = words.next()?;
    let code = std::panic::catch_unwind(|| crate::supervise::supervise_main(job.as_ref()));
    Some(match code {
        Ok(code) => ExitCode::from(code),
        Err(_) => Exit::Unusable.code(),
    })
}

/// `--help` and `--version` are answers; everything else that clap reports is a misuse.
fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if error.use_stderr() {
        Exit::Unusable.code()
    } else {
        Exit::Holds.code()
    }
}
