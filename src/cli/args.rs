// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every command and option, with the help that people read.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use deckproof_packets::mapping::PacketId;

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
    /// Show that the checks of a suite can pass and can fail
    ///
    /// Reads the suite and the decks that its cases name as known: gold ones must pass every check,
    /// broken ones must fail the checks that they name, and a trial that did nothing must fail. Runs
    /// no agent and writes nothing. Exits with 1 when a check says something else.
    #[command(name = "selfcheck", after_help = EXIT_CODES)]
    SelfCheck(SelfCheck),
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
    /// List, verify, export or void review packets
    #[command(after_help = EXIT_CODES)]
    Packet(Packet),
    /// Accept or withdraw reviews, or show which are missing
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
    /// Show one trial in depth: what the agent did call by call, the checks, where everything lies
    ///
    /// Reads the experiment directory, finished or not, verifies all of it, and writes nothing. The
    /// trial is named CASE.ARM.REPETITION.
    #[command(after_help = EXIT_CODES)]
    Show(Show),
    /// Compare two arms side by side
    ///
    /// Reads the finished experiment, verifies all of it, and writes nothing. Says where the arms
    /// disagree and why, and when nothing distinguishes them. Exits with 0 whatever it finds;
    /// `summarize` gives the verdict.
    #[command(after_help = EXIT_CODES)]
    Compare(Compare),
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

/// Options of `selfcheck`.
#[derive(Debug, Args)]
pub struct SelfCheck {
    /// The suite: suite.toml or the folder that holds it
    #[arg(default_value = ".")]
    pub suite: PathBuf,
    /// Only this case
    #[arg(long)]
    pub case: Option<String>,
    /// What draws PPTX decks
    #[arg(long, value_enum)]
    pub renderer: Option<PptxRenderer>,
    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
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
    /// HTML: render for an automated browser as well and name slides that differ
    #[arg(long)]
    pub viewers: bool,
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
    /// Void a packet and draw another in its place
    ///
    /// For a packet that unblinded itself, or that a reviewer cannot judge. Both stay listed in the
    /// plan with the reason, and a review of the voided one no longer counts.
    #[command(after_help = EXIT_CODES)]
    Void {
        /// The experiment directory
        experiment: PathBuf,
        /// The packet's id
        packet: PacketId,
        /// Why, in words; it stays in the evidence
        #[arg(long)]
        reason: String,
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
    ///
    /// With a panel, seat by seat in the order in which each reviewer is to judge.
    #[command(after_help = EXIT_CODES)]
    Status {
        /// The experiment directory
        experiment: PathBuf,
    },
    /// Show a packet to a reviewer in the browser and take the response directly
    ///
    /// Serves the packet on the loopback, at a random port under a random token, until the review is
    /// handed in. A packet inside an experiment: the response is filed there, as `accept` does it.
    /// Any other packet or zip: the response is written to --out.
    #[command(after_help = EXIT_CODES)]
    Open {
        /// The packet's folder or zip
        packet: PathBuf,
        /// Where the response goes when the packet is not inside an experiment
        #[arg(long, short)]
        out: Option<PathBuf>,
        /// Where answers are kept until they are handed in
        #[arg(long)]
        drafts: Option<PathBuf>,
    },
    /// Have a model review every packet that lacks a model's review
    ///
    /// The model runs confined like a builder and sees a copy of the packet alone. Its reply is held to
    /// the rules of `accept`; a reply that is no review is asked for once more. Every run is recorded.
    #[command(after_help = EXIT_CODES)]
    Run(Box<ReviewRun>),
    /// Sign a response before it is handed back
    ///
    /// Writes RESPONSE.sig beside it, which `accept` files too. The same as
    /// `ssh-keygen -Y sign -n deckproof.response.v1 -f KEY RESPONSE`.
    #[command(after_help = EXIT_CODES)]
    Sign {
        /// The response file
        response: PathBuf,
        /// An ed25519 private key of OpenSSH
        #[arg(long)]
        key: PathBuf,
    },
    /// Withdraw a review
    ///
    /// It no longer counts, and stays on file and in the journal with the reason. Withdrawing a review
    /// that found the candidate worse fails the experiment.
    #[command(after_help = EXIT_CODES)]
    Withdraw {
        /// The experiment directory
        experiment: PathBuf,
        /// The review's id: the name of its file in reviews/ without .json
        review: String,
        /// Why, in words; it stays in the evidence
        #[arg(long)]
        reason: String,
    },
}

/// Options of `review run`.
#[derive(Debug, Args)]
pub struct ReviewRun {
    /// The experiment directory
    pub experiment: PathBuf,
    /// What drives the model: codex, claude or command
    #[arg(long)]
    pub host: String,
    /// The model to ask for
    #[arg(long)]
    pub model: String,
    /// The reasoning effort to ask for
    #[arg(long)]
    pub effort: Option<String>,
    /// The host's program; for `command` the program that reads the question and writes the reply
    #[arg(long)]
    pub program: Option<String>,
    /// One more argument for the program; may be given several times
    #[arg(long = "argument", value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub arguments: Vec<String>,
    /// An environment variable for the program, no secret; may be given several times
    #[arg(long = "environment", value_name = "NAME=VALUE")]
    pub environment: Vec<String>,
    /// The name of an environment variable to pass on, such as a key; may be given several times
    #[arg(long, value_name = "NAME")]
    pub pass_environment: Vec<String>,
    /// A HOST:PORT that the program may reach, and then no other; may be given several times
    #[arg(long, value_name = "HOST:PORT")]
    pub reach: Vec<String>,
    /// The reviewer's id; without it, host and model
    #[arg(long)]
    pub reviewer: Option<String>,
    /// Wall-clock limit of one packet, in seconds
    #[arg(long, default_value_t = 1800)]
    pub time_limit: u64,
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
    /// Sign summary.json with this ed25519 private key of OpenSSH
    #[arg(long, value_name = "KEY", conflicts_with = "suite")]
    pub sign: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long, group = "form")]
    pub json: bool,
    /// Print the summary as Markdown
    #[arg(long, group = "form")]
    pub markdown: bool,
    /// Print the summary as JUnit XML
    #[arg(long, group = "form")]
    pub junit: bool,
    /// Print the trials as CSV, one line each
    #[arg(long, group = "form")]
    pub csv: bool,
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

/// Options of `show`.
#[derive(Debug, Args)]
pub struct Show {
    /// The experiment directory
    pub experiment: PathBuf,
    /// The trial, such as ops-review.html.1
    pub trial: String,
    /// Print it as JSON, in full
    #[arg(long)]
    pub json: bool,
}

/// Options of `compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// The experiment directory
    pub experiment: PathBuf,
    /// The first arm
    pub first: String,
    /// The second arm, with which the first is compared
    pub second: String,
    /// Print the comparison as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The experiment directory
    pub experiment: PathBuf,
    /// The hash of the last record, as noted elsewhere: shows that no newest records were cut off
    #[arg(long, value_name = "SHA256")]
    pub expect_head: Option<String>,
    /// Demand signatures: of every review that counts by a key of its reviewer, and of summary.json by
    /// any of these keys. Lines such as `"R. Meier" ssh-ed25519 AAAA…`, `*` for anybody
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
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
