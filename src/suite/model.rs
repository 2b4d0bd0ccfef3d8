// SPDX-License-Identifier: MIT OR Apache-2.0
//! `suite.toml` as types: every key, its meaning, and nothing that is not a key.
//!
//! The JSON Schema in `docs/suite.schema.json` is generated from here, so the doc comments are what
//! an author sees in the editor.

use std::collections::BTreeMap;

use deckproof_reviews::review::ReviewRules;
use schemars::JsonSchema;
use serde::Deserialize;

use super::at::At;
use super::decimal::Decimal;
use super::endpoint::{Endpoint, Target};
use super::id::Id;
use super::limits::TrialLimits;
use super::path::SuitePath;
use super::statistics::Statistics;
use crate::checks::CheckList;

/// A suite: what is compared, on which jobs, judged how, and what counts as good enough.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Always `deckproof.suite.v1`.
    pub schema: SuiteSchema,
    /// The suite's name.
    pub id: At<Id>,
    /// What the experiment is to find out, in a sentence.
    pub purpose: Option<String>,
    /// How trials are run.
    #[serde(default)]
    pub schedule: Schedule,
    /// The prompt's template; without it the built-in one.
    pub prompt: Option<At<SuitePath>>,
    /// Skills that arms use.
    #[serde(default)]
    pub skill: Vec<Skill>,
    /// The things compared.
    pub arm: Vec<Arm>,
    /// The jobs.
    pub case: Vec<Case>,
    /// Earlier decks and their figures, one for each case and arm.
    #[serde(default)]
    pub baseline: Vec<Baseline>,
    /// What reviewers are asked and how their answers are judged.
    pub review: ReviewRules,
    /// The limits that figures must keep.
    pub gates: Gates,
    /// How figures are compared beside the verdict.
    #[serde(default)]
    pub statistics: Statistics,
    /// What models cost. With prices, cost is told beside tokens.
    #[serde(default)]
    pub price: Vec<Price>,
    /// The most that the trials may cost together.
    pub budget: Option<Budget>,
}

/// What a model costs, for a million tokens.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The model, as arms ask for it.
    pub model: At<String>,
    /// For a million tokens that are read.
    pub input_per_million: At<Decimal>,
    /// For a million of them that come from a cache. Without it, the same as the others.
    pub cached_input_per_million: Option<At<Decimal>>,
    /// For a million tokens that are written, reasoning included.
    pub output_per_million: At<Decimal>,
}

/// A spending cap.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// The currency of all amounts, for people.
    pub currency: String,
    /// No trial is launched when what is spent and what is kept back would exceed this.
    pub spending_cap: At<Decimal>,
    /// What is kept back for each trial that runs, and for each whose cost is not known.
    pub reserve_per_trial: At<Decimal>,
}

/// The only schema of a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum SuiteSchema {
    /// Version 1.
    #[serde(rename = "deckproof.suite.v1")]
    V1,
}

/// How trials are run.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Schedule {
    /// `paired`: all arms of a case start together. `sequential`: one trial at a time, in an order
    /// drawn from `seed`.
    pub kind: ScheduleKind,
    /// How often each arm does each case.
    pub repetitions: u32,
    /// For `paired`: the share of the shorter trial's time in which both must have run, 0 to 100.
    pub min_overlap_percent: u32,
    /// For `sequential`: the seed of the order.
    pub seed: u64,
    /// Wall-clock limit of one trial.
    pub time_limit_seconds: u64,
    /// Wall-clock limit of one turn, when a trial has several. The limit of the trial holds as well.
    pub turn_time_limit_seconds: Option<u64>,
    /// How often a trial is tried again when the infrastructure failed it. An agent that fails or
    /// runs out of time is never tried again.
    pub infrastructure_retries: u32,
    /// For `paired`: what a trial is worth that was cut off, by a stop of Deckproof or by the
    /// infrastructure, and ran again without its partner, whose own run was finished. `accept`: it
    /// counts, and the summary says that its time was measured alone. `refuse`: the schedule was not
    /// kept, and the experiment fails.
    pub lone_reruns: LoneReruns,
    /// The weakest isolation that the experiment may run with.
    pub isolation: Isolation,
    /// What one trial may use up of the machine.
    pub limits: TrialLimits,
}

/// What becomes of a trial that ran again without its partner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LoneReruns {
    /// It counts, and the summary says so.
    Accept,
    /// The schedule was not kept.
    Refuse,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            kind: ScheduleKind::Paired,
            repetitions: 1,
            min_overlap_percent: 50,
            seed: 1,
            time_limit_seconds: 3600,
            turn_time_limit_seconds: None,
            infrastructure_retries: 1,
            lone_reruns: LoneReruns::Accept,
            isolation: Isolation::None,
            limits: TrialLimits::default(),
        }
    }
}

/// When trials of one case run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScheduleKind {
    /// All arms of a case start together.
    Paired,
    /// One trial at a time.
    Sequential,
}

/// How far a trial is kept from what it must not read, weakest first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, serde::Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// Nothing keeps it.
    None,
    /// Its tool calls are looked at afterwards.
    Audited,
    /// The kernel keeps it.
    Prevented,
}

/// A skill that agents are given.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// Its name.
    pub id: At<Id>,
    /// Its version, as its own manifest or SKILL.md states it.
    pub version: String,
    /// The folder that holds it, with SKILL.md.
    pub path: At<SuitePath>,
    /// The skill's manifest inside the folder, when it has one.
    pub manifest: Option<At<SuitePath>>,
    /// The installed copy that the host will load: an absolute path. It must equal `path`.
    pub installed: Option<String>,
}

/// One thing compared: host, model, effort, skill and output format together.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// Its name.
    pub id: At<Id>,
    /// What it makes.
    pub format: Format,
    /// How the agent is driven.
    pub host: HostKind,
    /// The model asked for.
    pub model: Option<String>,
    /// The reasoning effort asked for.
    pub effort: Option<String>,
    /// The skill it uses, by id.
    pub skill: Option<At<Id>>,
    /// Host `command`: the program and its arguments. A first element with a `/` is a path in the
    /// suite; others are looked up on PATH.
    pub command: Option<At<Vec<String>>>,
    /// Host `replay`: the folder of recordings, with `CASE/REPETITION/` below it.
    pub recordings: Option<At<SuitePath>>,
    /// Hosts that run a program of their own name: that program, an absolute path. Without it, found on PATH.
    pub program: Option<String>,
    /// Names of environment variables that the agent may see beside the fixed few, such as a key.
    #[serde(default)]
    pub pass_environment: Vec<String>,
    /// More arguments for the agent's program, such as a model provider.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// More environment variables for the agent, with their values. No secrets: the suite is evidence.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Where the model answers, when it is not the host's own service. The host is told, and may reach it.
    pub endpoint: Option<At<Endpoint>>,
    /// What the agent may reach of the network, as `host:port`. Without it, its endpoint alone, and
    /// nothing for `command`.
    pub network: Option<At<Vec<Target>>>,
    /// A file with the host's login, an absolute path on this machine. The agent gets a copy in its
    /// fresh home; neither the seal nor the evidence holds it.
    pub credential_file: Option<At<String>>,
}

/// The two formats of a deck.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Deserialize,
    serde::Serialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A folder with an entry page.
    Html,
    /// One PowerPoint package.
    Pptx,
}

impl Format {
    /// `html` or `pptx`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Pptx => "pptx",
        }
    }
}

/// How an agent is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HostKind {
    /// Any program: the prompt on standard input, the deck in `output/`.
    Command,
    /// A recorded trial, played again.
    Replay,
    /// OpenAI's `codex exec`.
    Codex,
    /// Anthropic's `claude -p`.
    Claude,
    /// Google's `gemini`.
    Gemini,
    /// `opencode run`.
    Opencode,
    /// A person: Deckproof prepares a folder with a run sheet and waits for `deckproof collect`.
    Manual,
}

/// One job.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name. Reviewers never see it.
    pub id: At<Id>,
    /// Whether a deck is made or a baseline revised.
    pub mode: Mode,
    /// What the agent is asked, as a person would write it.
    pub brief: At<SuitePath>,
    /// What the deck must hold (`deckproof.spec.v1`).
    pub spec: At<SuitePath>,
    /// Later changes to the brief, each with a number in its file name; applied in numeric order.
    #[serde(default)]
    pub amendments: Vec<At<SuitePath>>,
    /// What the user says after the first message, one text each time the agent has ended its turn.
    #[serde(default)]
    pub replies: Vec<At<SuitePath>>,
    /// Files that the deck must show.
    #[serde(default)]
    pub assets: Vec<At<SuitePath>>,
    /// What is checked of every deck of this case. Exactly these checks run.
    pub checks: CheckList,
    /// Decks whose worth is known, for `selfcheck`. Agents and reviewers never see them.
    #[serde(default)]
    pub known: Vec<KnownDeck>,
    /// Most tokens of the HTML arm for each token of the PPTX arm.
    pub max_token_ratio: Option<At<Decimal>>,
    /// Most time of the HTML arm for each unit of time of the PPTX arm.
    pub max_duration_ratio: Option<At<Decimal>>,
}

/// A deck whose worth is known: it shows that the checks of its case can tell good from bad.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownDeck {
    /// Its format. It is checked for every arm of that format.
    pub format: Format,
    /// The deck: a folder for HTML, a `.pptx` file for PPTX.
    pub artifact: At<SuitePath>,
    /// The entry page inside the folder, for HTML.
    pub entry: Option<At<SuitePath>>,
    /// The checks that this broken deck must fail, by name. Without it the deck is a gold one, which
    /// must pass every check.
    pub fails: Option<At<Vec<String>>>,
}

/// Whether a deck is made or revised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A new deck from a brief.
    Create,
    /// Declared changes to a baseline deck, and nothing else.
    Revise,
}

/// An earlier arm's deck and figures for one case, kept as sealed evidence.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The case.
    pub case: At<Id>,
    /// The arm that it is compared with.
    pub arm: At<Id>,
    /// The deck: a folder for HTML, a `.pptx` file for PPTX.
    pub artifact: At<SuitePath>,
    /// The entry page inside the folder, for HTML.
    pub entry: Option<At<SuitePath>>,
    /// For a revision: the deck that the agent is given. Without it, `artifact`.
    pub starting_point: Option<At<SuitePath>>,
    /// The model that made it.
    pub model: Option<String>,
    /// The effort that it was made with.
    pub effort: Option<String>,
    /// Tokens that it took, input and output together.
    pub total_tokens: u64,
    /// Wall time that it took, in milliseconds.
    pub duration_ms: u64,
}

/// The limits that figures must keep. Ratios stand at their cases.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gates {
    /// Least median improvement of total tokens over the baseline, in percent.
    pub median_token_improvement_percent: At<Decimal>,
    /// Least median improvement of wall time over the baseline, in percent.
    pub median_duration_improvement_percent: At<Decimal>,
    /// The arms whose cases the medians are over. Without it, every arm.
    pub improvement_arms: Option<Vec<At<Id>>>,
}
