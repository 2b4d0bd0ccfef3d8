// SPDX-License-Identifier: MIT OR Apache-2.0
//! `show` and `compare`: one trial in depth, two arms side by side.

use super::args::{Compare, Show};
use super::message::out;
use super::{Answer, Exit};
use crate::{show as showing, summary};

pub(super) fn show(options: &Show) -> Answer {
    let shown = showing::show(&options.experiment, &options.trial)?;
    if options.json {
        out(&String::from_utf8_lossy(&shown.to_bytes()?))?;
    } else {
        out(&shown.to_text())?;
    }
    Ok(Exit::Holds)
}

pub(super) fn compare(options: &Compare) -> Answer {
    let compared = summary::compare(&options.experiment, &options.first, &options.second)?;
    if options.json {
        out(&String::from_utf8_lossy(&compared.to_bytes()?))?;
    } else {
        out(&compared.to_text())?;
    }
    Ok(Exit::Holds)
}
