// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the journal says: every event of an experiment, as strict types.
//!
//! A verdict is derived from these records and from the objects that they name, and from nothing
//! else. Figures that are not known are absent, never 0.

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::mapping::PacketId;
use deckproof_packets::relpath::RelPath;
use deckproof_renderers::RendererIdentity;
use serde::{Deserialize, Serialize};

use super::TrialId;
use crate::hosts::{Counts, Loaded};
use crate::suite::{Id, Isolation};
use crate::supervise::{Exit, KillReason};

/// One event of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// `prepare` built the experiment.
    Prepared(Prepared),
    /// A preflight was made.
    Checked(Box<Checked>),
    /// An attempt at a trial is about to be launched.
    AttemptStarted(AttemptStarted),
    /// An attempt at a trial ended and its evidence is stored.
    AttemptEnded(Box<AttemptEnded>),
    /// A trial's artifact was rendered and checked.
    TrialJudged(Box<TrialJudged>),
    /// A baseline was rendered with today's renderers.
    BaselineRendered(Box<BaselineRendered>),
    /// Mappings were drawn, and the plan rewritten with their commitments.
    MappingsDrawn(MappingsDrawn),
    /// A packet was written.
    PacketWritten(PacketWritten),
    /// All trials are judged and all packets written.
    ExecuteFinished(ExecuteFinished),
    /// A review was accepted.
    ReviewAccepted(ReviewAccepted),
    /// A model was given a packet to review, whatever came of it.
    ReviewerRan(Box<ReviewerRan>),
    /// A review was withdrawn. It stays on file.
    ReviewWithdrawn(ReviewWithdrawn),
    /// A packet was voided, another drawn in its place, and the plan rewritten.
    PacketVoided(PacketVoided),
}

/// `prepare` built the experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prepared {
    /// Version of the program.
    pub deckproof: String,
    /// Hash of `plan.json` as first written.
    pub plan_sha256: Sha256Hex,
}

/// A preflight: what was there, and whether the agents' room holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checked {
    /// Version of the program.
    pub deckproof: String,
    /// The machine since it was started.
    pub machine_sha256: Sha256Hex,
    /// What confines agents.
    pub launcher: String,
    /// Hash of its program, where it has one.
    pub launcher_sha256: Option<Sha256Hex>,
    /// The level that it reaches.
    pub isolation: Isolation,
    /// The agents' programs.
    pub programs: Vec<CheckedProgram>,
    /// The renderers, where they were looked at.
    pub renderers: Vec<RendererIdentity>,
    /// Everything that was looked at.
    pub items: Vec<CheckedItem>,
    /// Whether all of it holds.
    pub passed: bool,
}

/// The program of one arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedProgram {
    /// The arm.
    pub arm: Id,
    /// Its hash, when it is there.
    pub sha256: Option<Sha256Hex>,
    /// The version that it states when asked.
    pub version: Option<String>,
}

/// One thing that a preflight looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedItem {
    /// What.
    pub name: String,
    /// Whether it holds.
    pub holds: bool,
    /// What was found.
    pub detail: String,
}

/// An object in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// Its name.
    pub sha256: Sha256Hex,
    /// Its size.
    pub bytes: u64,
}

/// An attempt at a trial is about to be launched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttemptStarted {
    /// The trial.
    pub trial: TrialId,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// Which launch of its group, from 1. Attempts of one group and launch start together; a later
    /// launch runs again what a stop or the infrastructure cut off.
    pub launch: u32,
    /// Hash of the task tree found just before launch.
    pub task_tree_sha256: Sha256Hex,
}

/// An attempt at a trial ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttemptEnded {
    /// The trial.
    pub trial: TrialId,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// How the agent was run.
    pub run: Run,
    /// What it used.
    pub usage: Usage,
    /// What the trace shows.
    pub trace: TraceSummary,
    /// The deck that it left.
    pub artifact: Artifact,
    /// Hash of the task tree found after the agent ended.
    pub task_tree_sha256: Sha256Hex,
    /// Its turns in order, one for each message that was sent: what `verify` reads again. None when
    /// no process ran.
    pub turns: Vec<Turn>,
}

/// One turn of an attempt: a message, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Hash of the message as sent.
    pub message_sha256: Sha256Hex,
    /// How its process ended.
    pub exit: Exit,
    /// Which limit ended it, if one did.
    pub killed_for: Option<KillReason>,
    /// Wall time in milliseconds, at least 1.
    pub duration_ms: u64,
    /// Its part of the event log.
    pub events: Object,
    /// Its part of standard error.
    pub stderr: Object,
    /// The host's own record of the conversation, where the host keeps one.
    pub ledger: Option<Object>,
    /// Other conversations that the host's records show: sub-agents, whose tokens nobody reports.
    pub other_threads: u32,
    /// The last figure of the stream as the host reports it.
    pub reported: Option<Counts>,
    /// What the turn itself used.
    pub used: Option<Counts>,
    /// The rule by which the one follows from the other, or why it does not.
    pub basis: String,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The agent said that it was done, and exited with 0.
    Completed,
    /// The agent failed.
    AgentFailed(String),
    /// The time limit ended it.
    TimedOut,
    /// What it needs failed, not the agent: tried again as the suite says.
    InfrastructureFailed(String),
}

/// How an agent was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The host's name.
    pub host: String,
    /// The command line.
    pub argv: Vec<String>,
    /// Hash of the program, where it is a file.
    pub program_sha256: Option<Sha256Hex>,
    /// The version that the program states.
    pub program_version: Option<String>,
    /// Names of the environment variables that it saw.
    pub environment: Vec<String>,
    /// Exit code, when it exited.
    pub exit_code: Option<i32>,
    /// Signal, when one ended it.
    pub signal: Option<i32>,
    /// UTC, RFC 3339.
    pub started_at: String,
    /// UTC, RFC 3339.
    pub ended_at: String,
    /// Which launch of its group, from 1.
    pub launch: u32,
    /// Milliseconds from the launch of its group to its own start, by a monotonic clock (or as a
    /// recording says): comparable within one group and launch.
    pub started_ms: u64,
    /// Wall time in milliseconds, at least 1.
    pub duration_ms: u64,
    /// Where the time comes from.
    pub timing: Timing,
    /// The isolation that was reached.
    pub isolation: Isolation,
    /// Standard output, to the byte: the event log.
    pub events: Object,
    /// Standard error, to the byte.
    pub stderr: Object,
    /// Command lines of processes that were still there when the agent ended, and were ended.
    pub leftover_processes: Vec<String>,
    /// What stood around the agent, in words; empty where nothing was started.
    #[serde(default)]
    pub walls: String,
    /// What the agent tried to reach and was not let to, as `host:port`.
    pub refused_connections: Vec<String>,
    /// Names of secrets that the agent's logs held. Their values were removed before anything was
    /// stored.
    pub redacted: Vec<String>,
}

/// Where a trial's time comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Timing {
    /// A monotonic clock of ours.
    Measured,
    /// A recording says so.
    Recorded,
    /// A person said when the agent began and when it had ended.
    #[serde(rename = "by_hand")]
    ByHand,
    /// The span of the files' times: the agent took at least as long.
    #[serde(rename = "lower_bound")]
    LowerBound,
}

impl Timing {
    /// How a time is known, after the word "time".
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Recorded => "as a recording says",
            Self::ByHand => "as a person said",
            Self::LowerBound => "unknown, at least so long",
        }
    }
}

/// What an attempt used. Absent figures are unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens read, cached ones included.
    pub input_tokens: Option<u64>,
    /// The part of them that came from a cache.
    pub cached_input_tokens: Option<u64>,
    /// Tokens written, reasoning included.
    pub output_tokens: Option<u64>,
    /// Input and output together.
    pub total_tokens: Option<u64>,
    /// Tool calls in the trace.
    pub tool_calls: Option<u64>,
    /// How the figures were derived from what the host reports.
    pub basis: String,
}

/// What the trace shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceSummary {
    /// The host's name for the conversation.
    pub thread_id: Option<String>,
    /// The model asked for.
    pub requested_model: Option<String>,
    /// The effort asked for.
    pub requested_effort: Option<String>,
    /// The model that something other than the request names, where something does.
    pub observed_model: Option<String>,
    /// The effort that something other than the request names, where something does.
    pub observed_effort: Option<String>,
    /// What the host says it loaded, where it says so.
    pub loaded: Option<Loaded>,
    /// Whether the calls are known to be complete, from a second source where the first hides some.
    pub calls_complete: bool,
    /// Events whose types this version of Deckproof does not know.
    pub unknown_events: u64,
    /// Oddities of the logs.
    pub anomalies: Vec<String>,
    /// The host-neutral events, as JSON.
    pub events: Object,
    /// Whether the read audit found nothing, and what it found.
    pub audit: Audit,
}

/// The read audit of one trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// Whether it found nothing.
    pub passed: bool,
    /// What it found.
    pub findings: Vec<String>,
}

/// The deck that an attempt left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Artifact {
    /// It is there and stored.
    Stored(StoredArtifact),
    /// There is none.
    Missing,
    /// What is there may not be a deck: a link, a special file, too much.
    Refused(String),
}

/// A deck in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredArtifact {
    /// The entry file.
    pub entry: RelPath,
    /// Hash of the whole tree.
    pub tree_sha256: Sha256Hex,
    /// The tree as JSON: a list of paths, modes, hashes and sizes.
    pub tree: Object,
}

/// A trial's artifact was rendered and checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialJudged {
    /// The trial.
    pub trial: TrialId,
    /// The attempt whose artifact counts.
    pub attempt: u32,
    /// Hash of the task tree found before the checks.
    pub task_tree_sha256: Sha256Hex,
    /// The pictures, when it could be rendered.
    pub render: Option<RenderSet>,
    /// Why it could not be rendered, when it could not.
    pub render_problem: Option<String>,
    /// The declared checks and how each came out, sorted by name.
    pub checks: Vec<CheckRecord>,
}

/// The ordered pictures of one deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderSet {
    /// What drew it.
    pub renderer: RendererIdentity,
    /// Hash over the pictures' hashes in order.
    pub sha256: Sha256Hex,
    /// The pictures, in deck order.
    pub slides: Vec<Object>,
    /// What was approximated, blocked or odd, as JSON.
    pub diagnostics: Object,
    /// The deck's facts, as JSON, where the checks could read them.
    pub facts: Option<Object>,
}

/// One check's outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckRecord {
    /// The check's name.
    pub name: String,
    /// How it came out.
    pub status: CheckStatus,
    /// Why.
    pub reason: String,
}

/// How a check came out. Only `pass` passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// It holds.
    Pass,
    /// It does not hold.
    Fail,
    /// It could not be told.
    Error,
}

/// A baseline was rendered with today's renderers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineRendered {
    /// The case.
    pub case: Id,
    /// The arm that it is compared with.
    pub arm: Id,
    /// The deck.
    pub artifact: StoredArtifact,
    /// Its pictures.
    pub render: RenderSet,
}

/// Mappings were drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MappingsDrawn {
    /// Hash of `plan.json` with the commitments.
    pub plan_sha256: Sha256Hex,
}

/// A packet was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PacketWritten {
    /// The packet.
    pub packet: PacketId,
    /// Hash of its `packet.json`, which names every other file.
    pub packet_sha256: Sha256Hex,
}

/// All trials are judged and all packets written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecuteFinished {
    /// Trials judged.
    pub trials: u32,
    /// Packets written.
    pub packets: u32,
}

/// A review was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewAccepted {
    /// The packet that it judges.
    pub packet: PacketId,
    /// Its file below `reviews/`.
    pub file: RelPath,
    /// Hash of that file.
    pub sha256: Sha256Hex,
}

/// A review was withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewWithdrawn {
    /// Its file below `reviews/`.
    pub file: RelPath,
    /// Why.
    pub reason: String,
}

/// A packet was voided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PacketVoided {
    /// The packet.
    pub packet: PacketId,
    /// Why.
    pub reason: String,
    /// The packet drawn in its place.
    pub replacement: PacketId,
    /// Hash of `plan.json` with both.
    pub plan_sha256: Sha256Hex,
}

/// A model was given a packet to review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewerRan {
    /// The packet.
    pub packet: PacketId,
    /// Which run for this packet, from 1.
    pub run: u32,
    /// What came of it.
    pub outcome: ReplyOutcome,
    /// The host's name.
    pub host: String,
    /// The command line.
    pub argv: Vec<String>,
    /// Hash of the program, where it is a file.
    pub program_sha256: Option<Sha256Hex>,
    /// The version that the program states.
    pub program_version: Option<String>,
    /// Names of the environment variables that it saw.
    pub environment: Vec<String>,
    /// Exit code, when it exited.
    pub exit_code: Option<i32>,
    /// Signal, when one ended it.
    pub signal: Option<i32>,
    /// UTC, RFC 3339.
    pub started_at: String,
    /// Wall time in milliseconds, at least 1.
    pub duration_ms: u64,
    /// The isolation that was reached.
    pub isolation: Isolation,
    /// The host's name for the conversation, or one drawn for a host that has none.
    pub thread: String,
    /// The model asked for.
    pub requested_model: String,
    /// The model that something other than the request names, where something does.
    pub observed_model: Option<String>,
    /// What it used.
    pub usage: Usage,
    /// Standard output, to the byte: the event log.
    pub events: Object,
    /// Standard error, to the byte.
    pub stderr: Object,
    /// The read audit of its trace.
    pub audit: Audit,
}

/// What came of a model reviewer's run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ReplyOutcome {
    /// It replied; the response that was made of the reply.
    Replied(Object),
    /// It replied something that is no review.
    Malformed(String),
    /// It did not come to a reply.
    Failed(String),
}
