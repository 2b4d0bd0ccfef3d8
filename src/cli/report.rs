// SPDX-License-Identifier: MIT OR Apache-2.0
//! `report`: writes the report and says where it is.

use super::args::Report;
use super::message::out;
use super::{Answer, Exit, place};
use crate::report;

pub(super) fn run(options: &Report) -> Answer {
    let path = match &options.out {
        None => report::write(&options.experiment)?,
        Some(path) => {
            place::expect_output(path)?;
            report::write_to(&options.experiment, path)?;
            path.clone()
        }
    };
    out(&format!("report  {}\n", path.display()))?;
    Ok(Exit::Holds)
}
