// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files responses: every one of them, or none.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal::Journal;
use deckproof_packets::json::{self, Arena, Limits};
use deckproof_packets::mapping::PacketId;
use deckproof_packets::{atomic, relpath::RelPath};
use deckproof_reviews::review::{AcceptedReview, KnownThreads, PacketBinding, validate_response};

use super::AcceptError;
use crate::clock;
use crate::experiment::records::{Event, ReviewAccepted};
use crate::experiment::{Experiment, ExperimentError, ExperimentLock, Layout};
use crate::signing::{self, Signed};
use crate::verify::{self, History};

/// Largest response, in bytes.
const MAX_RESPONSE: u64 = 4 << 20;

/// A response that is on file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The response as it was given.
    pub response: PathBuf,
    /// The packet that it judges.
    pub packet: PacketId,
    /// Where the review stands, below the experiment.
    pub file: PathBuf,
    /// Whether the very same response had been filed before, so that nothing was to be done.
    pub already: bool,
}

/// Validates `responses` and files them in the experiment at `root`, all or none.
///
/// A response that is on file already, to the byte, is passed over, so that a folder of responses can
/// be handed in again after one was added. A summary on file is removed, since it is of fewer reviews.
///
/// # Errors
/// [`AcceptError`]; nothing is filed then.
pub fn accept(root: &Path, responses: &[PathBuf]) -> Result<Vec<Accepted>, AcceptError> {
    let layout = Layout::new(root);
    layout.expect_journal()?;
    let _lock = ExperimentLock::take(&layout)?;
    let (mut journal, records) = Journal::<Event>::resume(&layout.journal())?;
    let experiment = Experiment::with_journal(layout.clone(), records)?;
    let history = History::read(&experiment)?;
    history.expect_finished(&experiment)?;
    let mut desk = Desk::open(&experiment, &history)?;
    let mut filed = Vec::new();
    for response in responses {
        filed.push(desk.validate(response)?);
    }
    if filed.iter().all(|one| one.review.is_none()) {
        return Ok(filed.into_iter().map(|one| one.accepted).collect());
    }
    remove_leftovers(&layout, &history)?;
    write(&layout, &mut journal, &filed)?;
    Ok(filed.into_iter().map(|one| one.accepted).collect())
}

/// Why these bytes would not be accepted as a response for `packet`, if they would not.
///
/// # Errors
/// [`AcceptError`] when the experiment does not hold.
pub(super) fn fault(
    experiment: &Experiment,
    packet: &PacketId,
    bytes: &[u8],
) -> Result<Option<String>, AcceptError> {
    let history = History::read(experiment)?;
    let desk = Desk::open(experiment, &history)?;
    let Some(binding) = desk.bindings.get(packet) else {
        return Ok(Some(format!("there is no packet {packet}")));
    };
    let rules = &experiment.suite.review;
    let checked = validate_response("the reply", bytes, rules, binding, &desk.known);
    Ok(checked.err().map(|error| error.to_string()))
}

/// A validated response and, unless it is on file, what is to be filed.
struct Filed {
    accepted: Accepted,
    review: Option<New>,
}

/// What is filed of one response.
struct New {
    id: String,
    record: ReviewAccepted,
    /// The review's bytes.
    review: Vec<u8>,
    /// The response as it was handed in.
    response: Vec<u8>,
    /// The signature that lay beside it.
    signature: Option<Vec<u8>>,
}

/// All that responses are held against.
struct Desk<'a> {
    experiment: &'a Experiment,
    history: &'a History,
    bindings: BTreeMap<PacketId, PacketBinding>,
    known: KnownThreads,
    on_file: BTreeSet<String>,
}

impl<'a> Desk<'a> {
    /// Re-hashes every packet and every review on file: what they are held against must hold.
    fn open(experiment: &'a Experiment, history: &'a History) -> Result<Self, AcceptError> {
        let mut bindings = Vec::new();
        for commitment in &experiment.plan.commitments {
            let (_, mapping) = verify::read_mapping(experiment, history, commitment)?;
            let packet = verify::check_packet(experiment, history, &mapping, &BTreeSet::new())?;
            bindings.push(verify::binding(experiment, &packet, &mapping));
        }
        let (filed, known) = verify::read_reviews(experiment, history, &bindings)?;
        let set_aside = filed.set_aside.iter().map(|one| &one.review);
        Ok(Self {
            experiment,
            history,
            bindings: bindings
                .into_iter()
                .map(|one| (one.packet.clone(), one))
                .collect(),
            known,
            on_file: filed
                .standing
                .iter()
                .chain(set_aside)
                .map(verify::file_name)
                .collect(),
        })
    }

    fn validate(&mut self, path: &Path) -> Result<Filed, AcceptError> {
        let bytes = read_response(path)?;
        let name = path.display().to_string();
        let binding = self.binding(path, &name, &bytes)?;
        self.not_voided(path, &binding.packet)?;
        let rules = &self.experiment.suite.review;
        // The same bytes for the same packet are the same review; only rules on what is already on
        // file could refuse them.
        let alone = KnownThreads::default();
        let review = validate_response(&name, &bytes, rules, &binding, &alone)?;
        let file = verify::file_name(&review);
        let accepted = |already| Accepted {
            response: path.to_owned(),
            packet: binding.packet.clone(),
            file: PathBuf::from("reviews").join(&file),
            already,
        };
        if self.on_file.contains(&file) {
            return Ok(Filed {
                accepted: accepted(true),
                review: None,
            });
        }
        let review = validate_response(&name, &bytes, rules, &binding, &self.known)?;
        self.known.add_review(&review, binding.seat);
        self.on_file.insert(file.clone());
        let signature = signature(path, &bytes)?;
        let (record, filed) = record(&review, &file)?;
        Ok(Filed {
            accepted: accepted(false),
            review: Some(New {
                id: review.id,
                record,
                review: filed,
                response: bytes,
                signature,
            }),
        })
    }

    fn not_voided(&self, path: &Path, packet: &PacketId) -> Result<(), AcceptError> {
        let mut voided = self.history.voided.iter().map(|one| &one.event);
        let Some(event) = voided.find(|event| event.packet == *packet) else {
            return Ok(());
        };
        Err(AcceptError::Response {
            path: path.to_owned(),
            problem: format!(
                "found the packet {packet}, which was voided ({}), expected a packet that stands; {} is in its place",
                event.reason, event.replacement
            ),
        })
    }

    /// The packet that a response says it judges.
    fn binding(&self, path: &Path, name: &str, bytes: &[u8]) -> Result<PacketBinding, AcceptError> {
        let limits = Limits {
            bytes: bytes.len(),
            depth: 8,
            values: 10_000,
        };
        let arena = Arena::new();
        let document = json::parse(name, bytes, &limits, &arena)?;
        let found = document.get("packet").and_then(json::Value::as_str);
        let found = found.ok_or_else(|| AcceptError::Response {
            path: path.to_owned(),
            problem:
                "found JSON that names no packet, expected a review response, as the review page \
                      saves it; nothing was filed"
                    .to_owned(),
        })?;
        let id: Option<PacketId> = found.parse().ok();
        let known = id.and_then(|id| self.bindings.get(&id));
        known.cloned().ok_or_else(|| {
            let ids: Vec<_> = self.history.packets.keys().map(PacketId::as_str).collect();
            AcceptError::UnknownPacket {
                path: path.to_owned(),
                found: found
                    .chars()
                    .take(80)
                    .collect::<String>()
                    .escape_debug()
                    .to_string(),
                known: ids.join(", "),
            }
        })
    }
}

fn record(review: &AcceptedReview, file: &str) -> Result<(ReviewAccepted, Vec<u8>), AcceptError> {
    let bytes = json::pretty(review).map_err(std::io::Error::from)?;
    let file: RelPath = file.parse().map_err(std::io::Error::other)?;
    let record = ReviewAccepted {
        packet: review.response.packet.clone(),
        file,
        sha256: Sha256Hex::of(&bytes),
    };
    Ok((record, bytes))
}

/// The signature beside a response, as `ssh-keygen -Y sign` and `review sign` put it. A bad one is worse
/// than none.
fn signature(response: &Path, bytes: &[u8]) -> Result<Option<Vec<u8>>, AcceptError> {
    let path = signing::beside(response);
    if fs_err::symlink_metadata(&path).is_err() {
        return Ok(None);
    }
    let text = signing::read(&path)?;
    let good = Signed::read(&text).is_some_and(|one| one.is_of(signing::RESPONSE, bytes));
    if good {
        return Ok(Some(text));
    }
    Err(AcceptError::Response {
        path,
        problem: format!(
            "found another signature, expected an ed25519 one of the response, for `{}`",
            signing::RESPONSE
        ),
    })
}

fn read_response(path: &Path) -> Result<Vec<u8>, AcceptError> {
    let problem = |problem: String| AcceptError::Response {
        path: path.to_owned(),
        problem,
    };
    let metadata = std::fs::metadata(path).map_err(|error| {
        let found = match error.kind() {
            std::io::ErrorKind::NotFound => "nothing".to_owned(),
            _ => error.to_string(),
        };
        problem(format!(
            "found {found}, expected a response, as the review page saves it; nothing was filed"
        ))
    })?;
    if !metadata.is_file() {
        return Err(problem(
            "found no regular file, expected a response".to_owned(),
        ));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_RESPONSE + 1).read_to_end(&mut bytes))
        .map_err(|error| problem(error.to_string()))?;
    if bytes.len() as u64 <= MAX_RESPONSE {
        return Ok(bytes);
    }
    Err(problem(format!(
        "found more than {MAX_RESPONSE} bytes, expected fewer"
    )))
}

/// Removes what a call that was cut off left half-done, and what was derived from fewer reviews.
fn remove_leftovers(layout: &Layout, history: &History) -> Result<(), AcceptError> {
    let named: BTreeSet<_> = history
        .reviews
        .iter()
        .map(|one| one.file.as_str())
        .collect();
    for item in fs_err::read_dir(layout.reviews())? {
        let path = item?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let is_file = fs_err::symlink_metadata(&path)?.is_file();
        if is_file && !name.is_some_and(|name| named.contains(name)) {
            fs_err::remove_file(&path)?;
            // Its signature has nothing to sign any more.
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let signature = layout.review_signature(stem.unwrap_or_default());
            if fs_err::symlink_metadata(&signature).is_ok() {
                fs_err::remove_file(&signature)?;
            }
        }
    }
    Ok(remove_derived(layout)?)
}

/// Removes what was derived from records that are no longer all there are.
pub(crate) fn remove_derived(layout: &Layout) -> std::io::Result<()> {
    let derived = [
        layout.summary_signature(),
        layout.summary(),
        layout.root().join("report.html"),
    ];
    for derived in derived {
        if fs_err::symlink_metadata(&derived).is_ok() {
            fs_err::remove_file(&derived)?;
        }
    }
    Ok(())
}

/// All files first, then all records: a stop in between leaves files that nothing names, which the
/// next call removes.
fn write(
    layout: &Layout,
    journal: &mut Journal<Event>,
    filed: &[Filed],
) -> Result<(), AcceptError> {
    for new in filed.iter().filter_map(|one| one.review.as_ref()) {
        layout
            .store()
            .put(&new.response)
            .map_err(ExperimentError::from)?;
        atomic::write_new(
            &new.record.file.below(&layout.reviews()),
            &new.review,
            0o444,
        )?;
        if let Some(signature) = &new.signature {
            fs_err::create_dir_all(layout.signatures())?;
            atomic::write(&layout.review_signature(&new.id), signature, 0o444)?;
        }
    }
    for new in filed.iter().filter_map(|one| one.review.as_ref()) {
        journal.append(clock::now(), Event::ReviewAccepted(new.record.clone()))?;
    }
    Ok(())
}
