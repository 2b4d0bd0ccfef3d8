// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processor time and memory, as the kernel counts them.

use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::time::{ClockId, clock_gettime};

/// Processor seconds of this process so far.
pub fn processor_time() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// The middle of some values; not a number for none.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    match (values.get(n.saturating_sub(1) / 2), values.get(n / 2)) {
        (Some(low), Some(high)) => (low + high) / 2.0,
        _ => f64::NAN,
    }
}

/// Runs a program: the processor seconds that it and all of its children took, and what it said.
pub fn child(program: &Path, arguments: &[&OsStr]) -> Result<(f64, String), Box<dyn Error>> {
    let before = children_time()?;
    let out = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()?;
    if !out.status.success() {
        return Err(format!("{} ended with {}", program.display(), out.status).into());
    }
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    Ok((children_time()? - before, said))
}

/// Processor seconds of all children that were waited for: fields 16 and 17 of /proc/self/stat, in ticks.
fn children_time() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The name of the program stands in parentheses and may hold blanks.
    let (_, rest) = stat.rsplit_once(')').ok_or("no name in /proc/self/stat")?;
    let ticks: Vec<u64> = rest
        .split_whitespace()
        .skip(13)
        .take(2)
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    Ok(ticks.iter().sum::<u64>() as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// The most memory that this process has had at once.
pub fn peak_kilobytes() -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let number = line.and_then(|l| l.split_whitespace().next());
    Ok(number.ok_or("no VmHWM in /proc/self/status")?.parse()?)
}
