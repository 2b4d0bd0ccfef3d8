// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `execute` says while it works: plain lines on standard error and, on a terminal, a live line
//! for each trial that runs. With `quiet`, nothing.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::experiment::TrialId;
use crate::hosts::Gauge;

/// How often live lines are drawn anew.
const PAUSE: Duration = Duration::from_secs(1);
/// The most bytes of a log that are read for one drawing.
const MOST_BYTES: u64 = 4 << 20;
/// The width that live lines keep, in characters: a line that wraps could not be taken back.
const WIDTH: usize = 78;

/// Where progress goes.
#[derive(Debug, Clone)]
pub struct Progress {
    quiet: bool,
    /// The live lines, on a terminal.
    board: Option<Arc<Mutex<Board>>>,
}

/// The live lines, and how many of them stand on the terminal.
#[derive(Debug, Default)]
struct Board {
    live: BTreeMap<TrialId, Live>,
    drawn: usize,
}

/// One running trial.
#[derive(Debug)]
struct Live {
    turn: usize,
    turns: usize,
    started: Instant,
    log: PathBuf,
    read: u64,
    /// What the turns before showed, and what this one shows.
    before: u64,
    gauge: Gauge,
}

/// A running trial's place in the progress. Dropping it takes its live line away.
#[derive(Debug)]
pub struct Ticket<'a> {
    progress: &'a Progress,
    trial: TrialId,
}

impl Progress {
    /// Progress that says everything, or with `quiet` nothing.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        let live = !quiet && std::io::stderr().is_terminal();
        Self {
            quiet,
            board: live.then(Arc::default),
        }
    }

    /// One line.
    pub fn line(&self, what: impl Display) {
        if self.quiet {
            return;
        }
        match self.board() {
            None => eprintln!("{what}"),
            Some(mut board) => {
                board.wipe();
                eprintln!("{what}");
                board.draw();
            }
        }
    }

    fn board(&self) -> Option<MutexGuard<'_, Board>> {
        let board = self.board.as_ref()?;
        Some(board.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A place for a trial that starts.
    pub(super) fn ticket(&self, trial: &TrialId) -> Ticket<'_> {
        self.line(format_args!("{trial}: started"));
        Ticket {
            progress: self,
            trial: trial.clone(),
        }
    }

    /// Draws the live lines until nobody holds the other end of `end`.
    pub(super) fn keep_drawing(&self, end: &Receiver<()>) {
        while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            if let Some(mut board) = self.board() {
                board.live.values_mut().for_each(Live::look);
                board.wipe();
                board.draw();
            }
        }
    }
}

impl Ticket<'_> {
    /// Turn `turn` of `turns` begins; its events go to `log`.
    pub(super) fn turn(&self, turn: usize, turns: usize, log: &Path) {
        let trial = &self.trial;
        let Some(mut board) = self.progress.board() else {
            if turns > 1 {
                self.progress
                    .line(format_args!("{trial}: turn {turn} of {turns}"));
            }
            return;
        };
        let earlier = board.live.remove(trial);
        let live = Live {
            turn,
            turns,
            started: earlier
                .as_ref()
                .map_or_else(Instant::now, |live| live.started),
            log: log.to_owned(),
            read: 0,
            before: earlier.map_or(0, |mut live| {
                live.look();
                live.before + live.gauge.tokens
            }),
            gauge: Gauge::default(),
        };
        board.live.insert(trial.clone(), live);
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        if let Some(mut board) = self.progress.board() {
            board.wipe();
            board.live.remove(&self.trial);
            board.draw();
        }
    }
}

impl Board {
    /// Takes the live lines off the terminal.
    fn wipe(&mut self) {
        for _ in 0..std::mem::take(&mut self.drawn) {
            eprint!("\x1b[1A\x1b[2K");
        }
        _ = std::io::stderr().flush();
    }

    fn draw(&mut self) {
        for (trial, live) in &self.live {
            eprintln!("{}", live.words(trial));
        }
        self.drawn = self.live.len();
    }
}

impl Live {
    /// Reads what the log has gained. A log that cannot be read shows nothing.
    fn look(&mut self) {
        let Ok(mut file) = std::fs::File::open(&self.log) else {
            return;
        };
        let mut bytes = Vec::new();
        let read = file
            .seek(SeekFrom::Start(self.read))
            .and_then(|_| file.take(MOST_BYTES).read_to_end(&mut bytes));
        self.read += read.unwrap_or(0) as u64;
        self.gauge.feed(&bytes);
    }

    fn words(&self, trial: &TrialId) -> String {
        let seconds = self.started.elapsed().as_secs();
        let turn = match self.turns {
            1 => String::new(),
            turns => format!("  turn {} of {turns}", self.turn),
        };
        let tokens = match self.before + self.gauge.tokens {
            0 => "no tokens told yet".to_owned(),
            tokens => format!("{tokens} tokens so far"),
        };
        let text = format!(
            "  {trial}  running{turn}  {}:{:02}  {} events  {tokens}",
            seconds / 60,
            seconds % 60,
            self.gauge.events
        );
        text.chars().take(WIDTH).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_line_says_state_turn_time_and_tokens() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("stdout");
        std::fs::write(
            &log,
            "{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":7,\"output_tokens\":2}}\n",
        )
        .unwrap();
        let mut live = Live {
            turn: 2,
            turns: 3,
            started: Instant::now(),
            log,
            read: 0,
            before: 100,
            gauge: Gauge::default(),
        };
        live.look();
        live.look();
        let words = live.words(&"case.arm.1".parse().unwrap());
        assert_eq!(
            words,
            "  case.arm.1  running  turn 2 of 3  0:00  1 events  109 tokens so far"
        );
    }

    #[test]
    fn without_a_terminal_there_is_no_board() {
        let progress = Progress::new(true);
        let trial = "case.arm.1".parse().unwrap();
        let ticket = progress.ticket(&trial);
        ticket.turn(1, 2, Path::new("/nonexistent"));
        assert!(progress.board().is_none());
    }
}
