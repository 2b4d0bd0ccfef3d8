// SPDX-License-Identifier: MIT OR Apache-2.0
//! The evidence journal: append-only records, each carrying the hash of the one before it.
//!
//! One record is one line of JSON. A line that is removed, moved or edited breaks the chain at a
//! place that can be named. The file `journal.head` beside it names the newest record, so that
//! lines cannot be cut off the end unseen either. It is written after the line is durable; a crash
//! between the two leaves a head that is behind, which is allowed, never one that is ahead.

use std::io::{self, BufRead, BufReader, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::hash::Sha256Hex;
use crate::json::{self, JsonError};

/// Largest journal, in bytes.
const MAX_JOURNAL: u64 = 1 << 30;

/// One record of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record<T> {
    /// Position, from 0.
    pub sequence: u64,
    /// SHA-256 of the line before, without its newline; of nothing for the first record.
    pub previous: Sha256Hex,
    /// When it was written, RFC 3339 in UTC. No verdict depends on it.
    pub time: String,
    /// What happened.
    pub event: T,
}

/// The newest record, as `journal.head` names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    sequence: u64,
    sha256: Sha256Hex,
}

/// A journal that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A line is not a record.
    #[error("{0}; restore the journal from an untouched copy")]
    Line(#[from] JsonError),
    /// The last line is not complete: a crash may have left it.
    #[error(
        "`{file}` line {line}: the last record is cut off; if a command was stopped, start it again, otherwise restore the journal from an untouched copy"
    )]
    CutOff {
        /// The journal.
        file: String,
        /// Line, from 1.
        line: usize,
    },
    /// The chain is broken.
    #[error("`{file}` line {line}: {problem}; restore the journal from an untouched copy")]
    Chain {
        /// The journal.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What does not fit.
        problem: String,
    },
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// All records of a journal, checked, and the hash of its last line.
#[derive(Debug, Clone)]
pub struct Records<T> {
    /// The records, oldest first.
    pub records: Vec<Record<T>>,
    /// SHA-256 of the last line.
    pub head: Sha256Hex,
}

/// Reads and checks a whole journal, as evidence: the last line must be complete.
///
/// # Errors
/// [`JournalError`] with the line, when a record does not parse, the chain does not hold, or
/// `journal.head` names a record that is not there.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Records<T>, JournalError> {
    parse(path, CutOff::Refused).map(|(records, _)| records)
}

/// What becomes of a last line that is not complete.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CutOff {
    /// Evidence has none.
    Refused,
    /// A crash left it, and it counts for nothing.
    PassedOver,
}

/// Opens the journal for reading line by line: it may be larger than what one wants in memory.
fn open_limited(path: &Path) -> Result<BufReader<fs_err::File>, JournalError> {
    let file = fs_err::File::open(path)?;
    let size = file.metadata()?.len();
    if size > MAX_JOURNAL {
        let problem = format!(
            "`{}` has {size} bytes, expected at most {MAX_JOURNAL}",
            path.display()
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem).into());
    }
    Ok(BufReader::with_capacity(1 << 16, file))
}

/// The whole records, checked with the chain and the head, and where the last of them ends, in
/// bytes.
fn parse<T: DeserializeOwned>(
    path: &Path,
    cut_off: CutOff,
) -> Result<(Records<T>, u64), JournalError> {
    let mut reader = open_limited(path)?;
    let mut chain = Chain::new(path);
    let mut line = Vec::new();
    let mut whole = 0;
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line)? as u64;
        let Some(line) = line.strip_suffix(b"\n") else {
            if read > 0 && cut_off == CutOff::Refused {
                let line = chain.records.len() + 1;
                return Err(JournalError::CutOff {
                    file: chain.file,
                    line,
                });
            }
            break;
        };
        chain.add(line)?;
        whole += read;
    }
    chain.check_head(path)?;
    let records = Records {
        records: chain.records,
        head: chain.previous,
    };
    Ok((records, whole))
}

/// A chain as far as it was read.
struct Chain<T> {
    file: String,
    records: Vec<Record<T>>,
    /// Hash of every line.
    hashes: Vec<Sha256Hex>,
    previous: Sha256Hex,
}

impl<T: DeserializeOwned> Chain<T> {
    fn new(path: &Path) -> Self {
        Self {
            file: path.display().to_string(),
            records: Vec::new(),
            hashes: Vec::new(),
            previous: Sha256Hex::of(b""),
        }
    }

    fn add(&mut self, line: &[u8]) -> Result<(), JournalError> {
        let number = self.records.len() + 1;
        let record: Record<T> = json::read(&self.file, line).map_err(|mut error| {
            error.line = number;
            error
        })?;
        if record.sequence != self.records.len() as u64 {
            let problem = "the record's number does not follow the one before";
            return Err(self.fault(number, problem.to_owned()));
        }
        if record.previous != self.previous {
            let problem = "the record does not carry the hash of the one before";
            return Err(self.fault(number, problem.to_owned()));
        }
        self.previous = Sha256Hex::of(line);
        self.hashes.push(self.previous.clone());
        self.records.push(record);
        Ok(())
    }

    fn check_head(&self, path: &Path) -> Result<(), JournalError> {
        let head = read_head(path)?;
        let at = usize::try_from(head.sequence).unwrap_or(usize::MAX);
        if self.hashes.get(at) == Some(&head.sha256) {
            return Ok(());
        }
        let problem = format!(
            "record {} of `journal.head` is missing or changed",
            head.sequence
        );
        Err(self.fault(self.hashes.len(), problem))
    }

    fn fault(&self, line: usize, problem: String) -> JournalError {
        JournalError::Chain {
            file: self.file.clone(),
            line,
            problem,
        }
    }
}

fn head_path(path: &Path) -> PathBuf {
    path.with_extension("head")
}

fn read_head(path: &Path) -> Result<Head, JournalError> {
    let path = head_path(path);
    Ok(json::read(
        &path.display().to_string(),
        &fs_err::read(&path)?,
    )?)
}

/// A journal open for writing. Whoever holds it must hold the experiment's lock.
#[derive(Debug)]
pub struct Journal<T> {
    path: PathBuf,
    file: fs_err::File,
    next: u64,
    head: Sha256Hex,
    event: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Journal<T> {
    /// Starts an empty journal at `path`.
    ///
    /// # Errors
    /// When the file exists, and any error of the file system.
    pub fn create(path: &Path) -> Result<Self, JournalError> {
        let file = fs_err::OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(path)?;
        let head = Sha256Hex::of(b"");
        Ok(Self {
            path: path.to_owned(),
            file,
            next: 0,
            head,
            event: PhantomData,
        })
    }

    /// Opens the journal at `path` to go on after a stop. A last line that a crash cut off is
    /// dropped if `journal.head` does not know it; everything else must hold as in [`read`].
    ///
    /// # Errors
    /// As [`read`].
    pub fn resume(path: &Path) -> Result<(Self, Records<T>), JournalError> {
        let (records, whole) = parse(path, CutOff::PassedOver)?;
        let file = fs_err::OpenOptions::new().append(true).open(path)?;
        file.file().set_len(whole)?;
        let journal = Self {
            path: path.to_owned(),
            file,
            next: records.records.len() as u64,
            head: records.head.clone(),
            event: PhantomData,
        };
        Ok((journal, records))
    }

    /// Adds one record and makes it durable. `time` is RFC 3339 in UTC.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn append(&mut self, time: String, event: T) -> Result<Record<T>, JournalError> {
        let record = Record {
            sequence: self.next,
            previous: self.head.clone(),
            time,
            event,
        };
        let mut line = json::canonical(&record).map_err(io::Error::from)?;
        let hash = Sha256Hex::of(&line);
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.file().sync_data()?;
        self.next += 1;
        self.head = hash.clone();
        let head = Head {
            sequence: record.sequence,
            sha256: hash,
        };
        let bytes = json::pretty(&head).map_err(io::Error::from)?;
        atomic::write(&head_path(&self.path), &bytes, 0o644)?;
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::<String>::create(&path).unwrap();
        for word in ["one", "two", "three"] {
            journal
                .append("2000-01-01T00:00:00Z".to_owned(), word.to_owned())
                .unwrap();
        }
        (folder, path)
    }

    fn refused(change: impl Fn(&[&str]) -> String) -> String {
        let (_folder, path) = sample();
        let text = fs_err::read_to_string(&path).unwrap();
        let lines: Vec<_> = text.lines().collect();
        fs_err::write(&path, change(&lines)).unwrap();
        read::<String>(&path).unwrap_err().to_string()
    }

    #[test]
    fn an_untouched_journal_reads_back() {
        let (_folder, path) = sample();
        let records = read::<String>(&path).unwrap().records;
        let words: Vec<_> = records.iter().map(|record| record.event.as_str()).collect();
        assert_eq!(words, ["one", "two", "three"]);
    }

    #[test]
    fn every_change_is_named_by_its_line() {
        let edited = refused(|l| format!("{}\n{}\n{}\n", l[0].replace("one", "uno"), l[1], l[2]));
        assert!(
            edited.contains("line 2: the record does not carry"),
            "{edited}"
        );
        let swapped = refused(|l| format!("{}\n{}\n{}\n", l[1], l[0], l[2]));
        assert!(swapped.contains("line 1: the record's number"), "{swapped}");
        let removed = refused(|l| format!("{}\n{}\n", l[0], l[2]));
        assert!(removed.contains("line 2"), "{removed}");
        let cut = refused(|l| format!("{}\n{}\n", l[0], l[1]));
        assert!(cut.contains("journal.head"), "{cut}");
        let torn = refused(|l| format!("{}\n{}\n{}", l[0], l[1], &l[2][..20]));
        assert!(
            torn.contains("cut off") && torn.contains("start it again"),
            "{torn}"
        );
        let flipped = refused(|l| format!("{}\n{}\n", l[0], l[1].replace("event", "dvent")));
        assert!(
            flipped.contains("`dvent`") && flipped.contains("untouched copy"),
            "{flipped}"
        );
        assert!(!flipped.contains("start it again"), "{flipped}");
        let last = refused(|l| format!("{}\n{}\n{}\n", l[0], l[1], l[2].replace("three", "thres")));
        assert!(last.contains("journal.head"), "{last}");
        let twice = refused(|l| format!("{}\n", l[0].replacen('{', "{\"sequence\":0,", 1)));
        assert!(twice.contains("stands twice"), "{twice}");
        assert!(refused(|_| String::new()).contains("journal.head"));
    }

    #[test]
    fn resuming_drops_only_what_a_crash_cut_off() {
        let (_folder, path) = sample();
        let mut bytes = fs_err::read(&path).unwrap();
        bytes.extend_from_slice(b"{\"sequence\":3,\"prev");
        fs_err::write(&path, &bytes).unwrap();
        let (mut journal, records) = Journal::<String>::resume(&path).unwrap();
        assert_eq!(records.records.len(), 3);
        journal
            .append("2000-01-01T00:00:00Z".to_owned(), "four".to_owned())
            .unwrap();
        assert_eq!(read::<String>(&path).unwrap().records.len(), 4);
    }

    #[test]
    fn a_head_that_is_behind_is_a_crash_and_one_that_is_ahead_is_not() {
        let (_folder, path) = sample();
        let behind = fs_err::read(head_path(&path)).unwrap();
        let (mut journal, _) = Journal::<String>::resume(&path).unwrap();
        journal
            .append("2000-01-01T00:00:00Z".to_owned(), "four".to_owned())
            .unwrap();
        fs_err::write(head_path(&path), behind).unwrap();
        assert_eq!(read::<String>(&path).unwrap().records.len(), 4);
        let text = fs_err::read_to_string(&path).unwrap();
        let two: String = text.split_inclusive('\n').take(2).collect();
        fs_err::write(&path, two).unwrap();
        assert!(Journal::<String>::resume(&path).is_err());
    }
}
