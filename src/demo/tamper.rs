// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `demo --outcome tampered` does to finished evidence: one bit of one picture.

use std::error::Error;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::experiment::Experiment;
use crate::experiment::records::Event;

pub(super) fn flip_a_byte(experiment: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let opened = Experiment::open(experiment)?;
    let picture = opened
        .journal
        .records
        .iter()
        .find_map(|record| match &record.event {
            Event::TrialJudged(judged) => judged.render.as_ref()?.slides.first(),
            _ => None,
        });
    let picture = picture.ok_or("the experiment has no picture to change")?;
    let path = opened.store().path(&picture.sha256);
    let mut bytes = fs_err::read(&path)?;
    let middle = bytes.len() / 2;
    if let Some(byte) = bytes.get_mut(middle) {
        *byte ^= 1;
    }
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o644))?;
    fs_err::write(&path, bytes)?;
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o444))?;
    Ok(path)
}
