// SPDX-License-Identifier: MIT OR Apache-2.0
//! `init`: a suite to start from. `schema`: what an editor needs to help with it.

use std::io;
use std::path::Path;

use super::args::Init;
use super::message::{next, out};
use super::{Answer, Exit, place};
use crate::{embedded, seal, suite};

/// Why no suite was written.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` exists and is not empty; expected a new folder")]
struct Taken(String);

pub(super) fn run(options: &Init, quiet: bool) -> Answer {
    let folder = &options.folder;
    place::expect_folder(folder, "name another")?;
    if !is_free(folder)? {
        return Err(Taken(folder.display().to_string()).into());
    }
    write(folder)?;
    let shown = folder.display();
    out(&format!(
        "wrote {shown}/suite.toml and the files that it names, and sealed them\n"
    ))?;
    next(
        quiet,
        &format!("deckproof prepare {shown} --out experiment"),
    )?;
    Ok(Exit::Holds)
}

/// Builds the suite beside its final name, so that nothing half-written is ever there.
fn write(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs_err::create_dir_all(parent)?;
    let temporary = tempfile::Builder::new()
        .prefix(".deckproof-init-")
        .tempdir_in(parent)?;
    embedded::write("suite", temporary.path())?;
    ask_people(&temporary.path().join("suite.toml"))?;
    seal::write(&suite::load(temporary.path())?)?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs_err::set_permissions(temporary.path(), mode)?;
    fs_err::rename(temporary.keep(), folder)?;
    Ok(())
}

/// The demo's reviewer is a script; who starts a suite of their own wants a person's judgement.
fn ask_people(suite: &Path) -> io::Result<()> {
    let text = fs_err::read_to_string(suite)?;
    let text = text
        .replace(
            "required_reviewer_types = [\"scripted\"]",
            "required_reviewer_types = [\"human\"]       # without whose review a comparison fails",
        )
        .replace(
            "optional_reviewer_types = [\"human\", \"model\"]",
            "optional_reviewer_types = [\"model\"]       # whose review is welcome too, and counts when it comes",
        )
        .replace(" The demo's reviewer is a script and is called so in every record.", "");
    fs_err::write(suite, text)
}

fn is_free(folder: &Path) -> io::Result<bool> {
    match fs_err::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

pub(super) fn schema() -> Answer {
    out(&suite::json_schema()?)?;
    Ok(Exit::Holds)
}
