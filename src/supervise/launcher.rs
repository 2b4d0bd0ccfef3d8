// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seam for confinement: a launcher rewrites a job so that the agent runs inside its room.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::job::Job;

/// How strongly an agent is kept from what it must not touch, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IsolationLevel {
    /// The kernel refuses everything outside the agent's room.
    Prevented,
    /// Nothing is refused; what the agent did is looked at afterwards.
    Audited,
    /// Neither.
    None,
}

impl IsolationLevel {
    /// Whether this level is at least as strong as `demanded`.
    #[must_use]
    pub fn satisfies(self, demanded: Self) -> bool {
        self.strength() >= demanded.strength()
    }

    fn strength(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Audited => 1,
            Self::Prevented => 2,
        }
    }
}

/// What an agent may reach of the network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Network {
    /// The network of the machine.
    Host,
    /// Nothing but a loopback of its own.
    Private,
    /// A loopback of its own, and these `host:port` pairs through a relay.
    Relay(Vec<String>),
}

/// What one agent may see and change, by absolute paths that exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// Files and folders that it may read: its task tree, its host's installation.
    pub readable: Vec<PathBuf>,
    /// Folders that it may change: its work folder, its home.
    pub writable: Vec<PathBuf>,
    /// What it may reach of the network.
    pub network: Network,
}

/// Why a job cannot be launched in its room.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A path of the room is missing or is not what it has to be.
    #[error("{path}: {expected}")]
    Path {
        /// The path.
        path: PathBuf,
        /// What it has to be.
        expected: &'static str,
    },
    /// A relay needs the helper inside, and the launcher was not told where it is.
    #[error(
        "the relay into a closed network needs this program inside; give the launcher its path"
    )]
    NoHelper,
    /// A target of the relay is no `host:port`.
    #[error("`{found}`: expected a target as `host:port`")]
    Target {
        /// The target.
        found: String,
    },
}

/// A way of starting agents.
pub trait Launcher: std::fmt::Debug + Send + Sync {
    /// The level that this launcher reaches by itself.
    fn level(&self) -> IsolationLevel;

    /// Its name, for records.
    fn name(&self) -> &'static str;

    /// What stands around the agent, in words, for records.
    fn walls(&self) -> String;

    /// `job`, changed so that it runs inside `room`.
    ///
    /// # Errors
    /// When the room cannot be built.
    fn wrap(&self, job: &Job, room: &Room) -> Result<Job, LaunchError>;
}

/// Starts an agent as it is: own process group and cleared environment, and nothing else around it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Direct;

impl Launcher for Direct {
    fn level(&self) -> IsolationLevel {
        IsolationLevel::None
    }

    fn name(&self) -> &'static str {
        "direct"
    }

    fn walls(&self) -> String {
        "nothing".to_owned()
    }

    fn wrap(&self, job: &Job, _room: &Room) -> Result<Job, LaunchError> {
        Ok(job.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ordered() {
        use IsolationLevel::{Audited, None, Prevented};
        assert!(Prevented.satisfies(Audited) && Prevented.satisfies(Prevented));
        assert!(Audited.satisfies(None) && !Audited.satisfies(Prevented));
        assert!(!None.satisfies(Audited) && None.satisfies(None));
        assert_eq!(Direct.level(), None);
    }
}
