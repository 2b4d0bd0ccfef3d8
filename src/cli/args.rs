// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every command and option, with the help that people read.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Exit codes, for every command's help.
const EXIT_CODES: &str = "Exit codes:\n  \
    0  it holds: every gate passed, or the command did what it says\n  \
    1  a valid result that falls short\n  \
    2  unusable input, evidence or set-up, or an internal error";

/// Proves that a new version of a deck-making agent is cheaper and not worse.
#[derive(Debug, Parser)]
#[command(name = "deckproof", version, propagate_version = true, after_help = EXIT_CODES)]
pub struct Arguments {
    /// Say only results and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a commented example suite that works
    ///
    /// Writes suite.toml with everything that it names, sealed, to a new folder.
    #[command(after_help = EXIT_CODES)]
    Init(Init),
    /// Write or check the lock of a suite
    ///
    /// Reads suite.toml and every file that it names; writes suite.lock.json beside it. With
    /// `--check` writes nothing, and exits with 2 when anything has changed.
    #[command(after_help = EXIT_CODES)]
    Seal(Seal),
    /// Build the experiment directory of a sealed suite
    ///
    /// Reads the suite and its lock; writes a new folder with plan, task trees and journal. Never
    /// launches an agent.
    #[command(after_help = EXIT_CODES)]
    Prepare(Prepare),
    /// Preflight: is everything here that trials need, and does their room hold?
    ///
    /// Looks at hosts, programs, logins, services, skills, renderers, fonts, disk space and isolation,
    /// and tries every way out of an agent's room. Costs no money. Reads a suite, or reads an
    /// experiment directory and records the result there. Exits with 1 when anything is missing.
    #[command(after_help = EXIT_CODES)]
    Check(Check),
    /// Run the trials, check and render what they made, write the packets
    ///
    /// Reads and writes the experiment directory. Started again after any stop it goes on where it
    /// was: finished trials are not run again. Exits with 0 when every trial is judged and every
    /// packet is written, whatever the trials came to; `summarize` gives the verdict.
    #[command(after_help = EXIT_CODES)]
    Execute(Execute),
    /// Harvest a trial that a person ran
    ///
    /// For arms whose host is `manual`. `execute` prepares a folder with a run sheet and stops; this
    /// takes the deck from that folder. Reads and writes the experiment directory.
    #[command(after_help = EXIT_CODES)]
    Collect(Collect),
    /// Render decks to exact 1280x720 PNGs
    ///
    /// One deck gives DIR/slide-001.png and so on, several give DIR/NAME/slide-001.png. A deck that
    /// fails is named on standard error, the others go on, and the exit code is 1.
    #[command(after_help = EXIT_CODES)]
    Render(Render),
    /// List, verify or export review packets
    #[command(after_help = EXIT_CODES)]
    Packet(Packet),
    /// Accept reviews, or show which are missing
    #[command(after_help = EXIT_CODES)]
    Review(Review),
    /// Give the verdict
    ///
    /// Reads the experiment directory, verifies all of it, and writes summary.json there. With
    /// `--suite` and `--runs` reads the seed's own records instead.
    #[command(after_help = EXIT_CODES)]
    Summarize(Summarize),
    /// Write a self-contained HTML report with pictures and plots
    ///
    /// Reads the experiment directory, verifies all of it, and writes report.html there. Exits with
    /// 0 when the report is written, whatever the verdict in it; `summarize` answers with that.
    #[command(after_help = EXIT_CODES)]
    Report(Report),
    /// Check the whole chain of evidence from the files alone
    ///
    /// Reads the experiment directory and writes nothing.
    #[command(after_help = EXIT_CODES)]
    Verify(Verify),
    /// Run the whole pipeline on an embedded example, without any account
    ///
    /// Writes the suite and an experiment to a new folder.
    #[command(after_help = EXIT_CODES)]
    Demo(Demo),
    /// Print the JSON Schema of suite.toml
    #[command(after_help = EXIT_CODES)]
    Schema,
}

/// Options of `init`.
#[derive(Debug, Args)]
pub struct Init {
    /// The folder to write; it must not exist or must be empty
    #[arg(default_value = "suite")]
    pub folder: PathBuf,
}

/// Options of `seal`.
#[derive(Debug, Args)]
pub struct Seal {
    /// The suite: suite.toml or the folder that holds it
    #[arg(default_value = ".")]
    pub suite: PathBuf,
    /// Compare with the lock instead of writing it
    #[arg(long)]
    pub check: bool,
}

/// Options of `prepare`.
#[derive(Debug, Args)]
pub struct Prepare {
    /// The suite: suite.toml or the folder that holds it
    pub suite: PathBuf,
    /// The experiment directory to make; it must not exist
    #[arg(long, short)]
    pub out: PathBuf,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// The suite (suite.toml or its folder) or the experiment directory
    #[arg(default_value = ".")]
    pub path: PathBuf,
    /// What draws PPTX decks
    #[arg(long, value_enum)]
    pub renderer: Option<PptxRenderer>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `execute`.
#[derive(Debug, Args)]
pub struct Execute {
    /// The experiment directory
    pub experiment: PathBuf,
    /// What draws PPTX decks
    #[arg(long, value_enum)]
    pub renderer: Option<PptxRenderer>,
}

/// Options of `collect`.
#[derive(Debug, Args)]
pub struct Collect {
    /// The experiment directory
    pub experiment: PathBuf,
    /// The trial, as CASE.ARM.REPETITION
    pub trial: String,
    /// Only note that the agent begins now; without it, the time is a lower bound
    #[arg(long, conflicts_with_all = ["input_tokens", "output_tokens", "failed"])]
    pub begin: bool,
    /// Tokens of input, as the agent tells
    #[arg(long, requires = "output_tokens")]
    pub input_tokens: Option<u64>,
    /// Of those, from a cache
    #[arg(long, requires = "input_tokens")]
    pub cached_input_tokens: Option<u64>,
    /// Tokens of output, as the agent tells
    #[arg(long, requires = "input_tokens")]
    pub output_tokens: Option<u64>,
    /// The agent's name for the conversation
    #[arg(long)]
    pub thread: Option<String>,
    /// The agent failed, and why
    #[arg(long, value_name = "WHY")]
    pub failed: Option<String>,
}

/// What draws PPTX decks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PptxRenderer {
    /// Deckproof's own renderer
    Native,
    /// LibreOffice
    Libreoffice,
    /// Headless Chromium, which draws HTML decks alone
    Chromium,
}

/// Options of `render`.
#[derive(Debug, Args)]
pub struct Render {
    /// The decks: .pptx files, .html files, or folders with an index.html
    #[arg(required = true)]
    pub decks: Vec<PathBuf>,
    /// Where the pictures go
    #[arg(long, short)]
    pub out: PathBuf,
    /// What draws; without it, what suits the format
    #[arg(long, value_enum)]
    pub renderer: Option<PptxRenderer>,
    /// Only these slides, such as 1,3-5
    #[arg(long)]
    pub slides: Option<String>,
    /// One picture for each step (fragment) instead of one for each slide
    #[arg(long)]
    pub steps: bool,
    /// Render twice and name slides that differ
    #[arg(long)]
    pub twice: bool,
    /// Draw PPTX decks with the other engine too, and say how far each slide's pictures differ
    #[arg(long)]
    pub second_opinion: bool,
    /// Say which rule found the slides, and why
    #[arg(long)]
    pub explain: bool,
    /// Print one line of JSON for each deck
    #[arg(long)]
    pub json: bool,
}

/// Options of `packet`.
#[derive(Debug, Args)]
pub struct Packet {
    /// What to do with packets
    #[command(subcommand)]
    pub command: PacketCommand,
}

/// What can be done with packets.
#[derive(Debug, Subcommand)]
pub enum PacketCommand {
    /// List the packets of an experiment
    #[command(after_help = EXIT_CODES)]
    List {
        /// The experiment directory
        experiment: PathBuf,
    },
    /// Check packets against their own hashes
    ///
    /// Reads an experiment's packets, one packet's folder, or an exported zip.
    #[command(after_help = EXIT_CODES)]
    Verify {
        /// The experiment directory, a packet's folder, or a packet's zip
        path: PathBuf,
    },
    /// Write one packet as a zip for handing over
    #[command(after_help = EXIT_CODES)]
    Export {
        /// The packet's folder
        packet: PathBuf,
        /// The zip to write; it must not exist
        #[arg(long, short)]
        out: PathBuf,
    },
}

/// Options of `review`.
#[derive(Debug, Args)]
pub struct Review {
    /// What to do with reviews
    #[command(subcommand)]
    pub command: ReviewCommand,
}

/// What can be done with reviews.
#[derive(Debug, Subcommand)]
pub enum ReviewCommand {
    /// Validate responses and file them
    ///
    /// All or nothing: when one response is refused, none is filed.
    #[command(after_help = EXIT_CODES)]
    Accept {
        /// The experiment directory
        experiment: PathBuf,
        /// The response files that reviewers handed back
        #[arg(required = true)]
        responses: Vec<PathBuf>,
    },
    /// Show which required reviews are missing
    #[command(after_help = EXIT_CODES)]
    Status {
        /// The experiment directory
        experiment: PathBuf,
    },
}

/// Options of `summarize`.
#[derive(Debug, Args)]
pub struct Summarize {
    /// The experiment directory
    #[arg(required_unless_present = "suite", conflicts_with_all = ["suite", "runs", "output"])]
    pub experiment: Option<PathBuf>,
    /// Seed records: the suite
    #[arg(long, requires = "runs")]
    pub suite: Option<PathBuf>,
    /// Seed records: the runs
    #[arg(long, requires = "suite")]
    pub runs: Option<PathBuf>,
    /// Seed records: where the summary goes; without it, to standard output
    #[arg(long, requires = "suite")]
    pub output: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long, group = "form")]
    pub json: bool,
    /// Print the summary as Markdown
    #[arg(long, group = "form")]
    pub markdown: bool,
    /// Print the summary as JUnit XML
    #[arg(long, group = "form")]
    pub junit: bool,
}

/// Options of `report`.
#[derive(Debug, Args)]
pub struct Report {
    /// The experiment directory
    pub experiment: PathBuf,
    /// Where the report goes, outside of the experiment; without it, to report.html in it
    #[arg(long, short)]
    pub out: Option<PathBuf>,
}

/// Options of `verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The experiment directory
    pub experiment: PathBuf,
    /// The hash of the last record, as noted elsewhere: shows that no newest records were cut off
    #[arg(long, value_name = "SHA256")]
    pub expect_head: Option<String>,
}

/// Options of `demo`.
#[derive(Debug, Args)]
pub struct Demo {
    /// The folder to write; it must not exist
    #[arg(long, short, default_value = "out/demo")]
    pub out: PathBuf,
    /// How it is to end: with every gate passed, with one failed, or with spoilt evidence
    #[arg(long, value_enum, default_value_t = DemoOutcome::Pass)]
    pub outcome: DemoOutcome,
}

/// How a demo ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DemoOutcome {
    /// Every gate passes: exit 0
    Pass,
    /// One gate fails: exit 1
    Fail,
    /// A byte of the evidence is changed: exit 2
    Tampered,
}
