// SPDX-License-Identifier: MIT OR Apache-2.0
//! `check`: the preflight of a suite or an experiment.

use std::path::{Path, PathBuf};

use super::args::Check;
use super::lab::engine;
use super::message::out;
use super::{Answer, Exit};
use crate::execute::{self, Options};
use crate::experiment::records::Checked;
use crate::suite::{self, Loaded, SuiteError};

pub(super) fn run(options: &Check) -> Answer {
    let run = Options {
        program: std::env::current_exe()?,
        pptx: engine(options.renderer)?,
    };
    let checked = if options.path.join("journal.jsonl").is_file() {
        execute::check_experiment(&options.path, &run)?
    } else {
        execute::check_suite(&load(&options.path)?, &run)?
    };
    let text = match options.json {
        true => format!("{}\n", serde_json::to_string_pretty(&checked)?),
        false => words(&checked),
    };
    out(&text)?;
    Ok(if checked.passed {
        Exit::Holds
    } else {
        Exit::FallsShort
    })
}

/// What was named is neither of the two that can be checked.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` is no suite.toml and no experiment; expected suite.toml, the folder that holds it, or an experiment directory", path.display()
)]
struct Neither {
    path: PathBuf,
    source: SuiteError,
}

/// The suite at `path`. Of a file that is called otherwise nobody wants to hear what is no TOML in it.
fn load(path: &Path) -> Result<Loaded, Box<dyn std::error::Error>> {
    suite::load(path).map_err(|source| {
        let toml = path.extension().is_some_and(|one| one == "toml");
        match path.is_file() && !toml {
            false => source.into(),
            true => Neither {
                path: path.to_owned(),
                source,
            }
            .into(),
        }
    })
}

fn words(checked: &Checked) -> String {
    let mut text = String::new();
    for item in &checked.items {
        let sign = if item.holds { "ok     " } else { "MISSING" };
        text += &format!("{sign}  {}: {}\n", item.name, item.detail);
    }
    for program in &checked.programs {
        if let Some(version) = &program.version {
            text += &format!("         {} says it is {version}\n", program.arm);
        }
    }
    let missing = checked.items.iter().filter(|item| !item.holds).count();
    text += &match missing {
        0 => format!(
            "everything is here; agents are kept by {}\n",
            checked.launcher
        ),
        count => format!("{count} of {} things are missing\n", checked.items.len()),
    };
    text
}
