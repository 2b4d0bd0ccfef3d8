// SPDX-License-Identifier: MIT OR Apache-2.0
//! `[schedule.limits]`: what one trial may use up of the machine.
//!
//! The defaults are far above what making a deck takes; they are there so that an agent that runs wild ends its own
//! trial and nothing else.

use schemars::JsonSchema;
use serde::Deserialize;

/// What one trial may use up of the machine. A trial that takes more is ended, and counts as failed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TrialLimits {
    /// Megabytes (of 2^20 bytes) that the agent may say on standard output, and as many again on standard error.
    pub log_mb: u64,
    /// Megabytes that its work folder and home may take on the disk.
    pub work_mb: u64,
    /// Files and folders in them.
    pub work_files: u64,
    /// Megabytes of any one file.
    pub file_mb: u64,
    /// Processes alive at one time.
    pub processes: u64,
    /// Megabytes of memory that its processes hold together.
    pub memory_mb: u64,
    /// Processor seconds of all its processes together. Without it, the time limit alone bounds them.
    pub cpu_seconds: Option<u64>,
}

impl Default for TrialLimits {
    fn default() -> Self {
        Self {
            log_mb: 256,
            work_mb: 4096,
            work_files: 200_000,
            file_mb: 2048,
            processes: 512,
            memory_mb: 16_384,
            cpu_seconds: None,
        }
    }
}

impl TrialLimits {
    /// The limits that are 0, under which no agent could even start.
    pub(super) fn zeros(&self) -> Vec<&'static str> {
        let all = [
            ("log_mb", self.log_mb),
            ("work_mb", self.work_mb),
            ("work_files", self.work_files),
            ("file_mb", self.file_mb),
            ("processes", self.processes),
            ("memory_mb", self.memory_mb),
            ("cpu_seconds", self.cpu_seconds.unwrap_or(1)),
        ];
        let zero = all.into_iter().filter(|(_, limit)| *limit == 0);
        zero.map(|(name, _)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_limits_of_zero() {
        assert!(TrialLimits::default().zeros().is_empty());
        let limits = TrialLimits {
            work_mb: 0,
            cpu_seconds: Some(0),
            ..TrialLimits::default()
        };
        assert_eq!(limits.zeros(), ["work_mb", "cpu_seconds"]);
    }
}
