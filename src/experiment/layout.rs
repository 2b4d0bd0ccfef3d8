// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names of an experiment directory, in one place.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use deckproof_packets::mapping::PacketId;
use deckproof_packets::store::Store;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::suite::Id;

/// The folders and files of one experiment.
#[derive(Debug, Clone)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    /// The experiment at `root`.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The experiment directory itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `plan.json`.
    #[must_use]
    pub fn plan(&self) -> PathBuf {
        self.root.join("plan.json")
    }

    /// `journal.jsonl`.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.root.join("journal.jsonl")
    }

    /// The folder of the content-addressed store.
    #[must_use]
    pub fn store_folder(&self) -> PathBuf {
        self.root.join("objects")
    }

    /// The content-addressed store.
    #[must_use]
    pub fn store(&self) -> Store {
        Store::new(self.store_folder())
    }

    /// `sealed/`: the sealed suite, its lock, and the task trees.
    #[must_use]
    pub fn sealed(&self) -> PathBuf {
        self.root.join("sealed")
    }

    /// The sealed copy of `suite.toml`.
    #[must_use]
    pub fn suite(&self) -> PathBuf {
        self.sealed().join("suite.toml")
    }

    /// The sealed copy of the lock.
    #[must_use]
    pub fn lock(&self) -> PathBuf {
        self.sealed().join(crate::seal::LOCK_NAME)
    }

    /// The task tree of one trial.
    #[must_use]
    pub fn task_tree(&self, trial: &TrialId) -> PathBuf {
        self.sealed().join("tasks").join(trial.to_string())
    }

    /// The folder of one trial: the only place its agent may write.
    #[must_use]
    pub fn work(&self, trial: &TrialId) -> PathBuf {
        self.root.join("work").join(trial.to_string())
    }

    /// `packets/`.
    #[must_use]
    pub fn packets(&self) -> PathBuf {
        self.root.join("packets")
    }

    /// One packet.
    #[must_use]
    pub fn packet(&self, id: &PacketId) -> PathBuf {
        self.packets().join(id.as_str())
    }

    /// `private/`: mappings, nonces, locks and raw logs while they are written.
    #[must_use]
    pub fn private(&self) -> PathBuf {
        self.root.join("private")
    }

    /// The lock that whoever changes the experiment holds.
    #[must_use]
    pub fn lock_file(&self) -> PathBuf {
        self.private().join("run.lock")
    }

    /// Logs and job files of attempts while they run. Their content ends up in the store.
    #[must_use]
    pub fn runs(&self) -> PathBuf {
        self.private().join("runs")
    }

    /// The mapping of one packet.
    #[must_use]
    pub fn mapping(&self, id: &PacketId) -> PathBuf {
        self.private().join("mappings").join(format!("{id}.json"))
    }

    /// `reviews/`.
    #[must_use]
    pub fn reviews(&self) -> PathBuf {
        self.root.join("reviews")
    }

    /// `signatures/`, which is there once something is signed.
    #[must_use]
    pub fn signatures(&self) -> PathBuf {
        self.root.join("signatures")
    }

    /// The signature of one review's response.
    #[must_use]
    pub fn review_signature(&self, review: &str) -> PathBuf {
        self.signatures().join(format!("{review}.sig"))
    }

    /// The signature of the summary.
    #[must_use]
    pub fn summary_signature(&self) -> PathBuf {
        self.signatures().join("summary.sig")
    }

    /// `summary.json`.
    #[must_use]
    pub fn summary(&self) -> PathBuf {
        self.root.join("summary.json")
    }
}

/// A trial's name: `CASE.ARM.REPETITION`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrialId {
    /// The case.
    pub case: Id,
    /// The arm.
    pub arm: Id,
    /// The repetition, from 1.
    pub repetition: u32,
}

impl fmt::Display for TrialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.case, self.arm, self.repetition)
    }
}

/// The text is no trial id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found the trial `{0}`, expected CASE.ARM.REPETITION")]
pub struct NotATrialId(String);

impl FromStr for TrialId {
    type Err = NotATrialId;

    fn from_str(text: &str) -> Result<Self, NotATrialId> {
        let parse = || {
            let mut parts = text.split('.');
            let id = Self {
                case: Id::new(parts.next()?)?,
                arm: Id::new(parts.next()?)?,
                repetition: parts.next()?.parse().ok()?,
            };
            (parts.next().is_none() && id.to_string() == text).then_some(id)
        };
        parse().ok_or_else(|| NotATrialId(text.chars().take(120).collect()))
    }
}

impl Serialize for TrialId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TrialId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_id_has_one_spelling() {
        let id: TrialId = "q3-create.html.2".parse().unwrap();
        assert_eq!(id.to_string(), "q3-create.html.2");
        for bad in [
            "a.b", "a.b.c", "a.b.1.2", "a.b.01", "a.b.+1", "A.b.1", "..1", "a.b.-1",
        ] {
            assert!(bad.parse::<TrialId>().is_err(), "{bad}");
        }
    }
}
