// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each document may look like at all: keys and types, written down once more.

use std::collections::BTreeSet;

use serde_json::Value;

/// The shape of one value.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Text,
    Hash,
    Name,
    Trial,
    Packet,
    Path,
    Truth,
    /// An integer from 0 to this.
    Count(u64),
    /// A signed integer of 32 bits.
    Int,
    OneOf(&'static [&'static str]),
    /// Absent, null or the shape.
    Maybe(&'static Shape),
    Each(&'static Shape),
    Fields(&'static [(&'static str, Shape)]),
    /// One of the words, or an object of one of the keys alone.
    Tagged(&'static [&'static str], &'static [(&'static str, Shape)]),
    /// By any name.
    ByName(&'static Shape),
}

use Shape::{
    ByName, Count, Each, Fields, Hash, Int, Maybe, Name, OneOf, Packet, Path, Tagged, Text, Trial,
    Truth,
};

const U32: Shape = Count(u32::MAX as u64);
const U64: Shape = Count(u64::MAX);
const OBJECT: Shape = Fields(&[("sha256", Hash), ("bytes", U64)]);

pub(super) const RECORD: Shape = Fields(&[
    ("sequence", U64),
    ("previous", Hash),
    ("time", Text),
    (
        "event",
        Tagged(
            &[],
            &[
                (
                    "prepared",
                    Fields(&[("deckproof", Text), ("plan_sha256", Hash)]),
                ),
                (
                    "attempt_started",
                    Fields(&[
                        ("trial", Trial),
                        ("attempt", U32),
                        ("launch", U32),
                        ("task_tree_sha256", Hash),
                    ]),
                ),
                ("attempt_ended", ENDED),
                ("trial_judged", JUDGED),
                (
                    "baseline_rendered",
                    Fields(&[
                        ("case", Name),
                        ("arm", Name),
                        ("artifact", DECK),
                        ("render", RENDER),
                    ]),
                ),
                ("mappings_drawn", Fields(&[("plan_sha256", Hash)])),
                (
                    "packet_written",
                    Fields(&[("packet", Packet), ("packet_sha256", Hash)]),
                ),
                (
                    "execute_finished",
                    Fields(&[("trials", U32), ("packets", U32)]),
                ),
                (
                    "review_accepted",
                    Fields(&[("packet", Packet), ("file", Path), ("sha256", Hash)]),
                ),
            ],
        ),
    ),
]);

const ENDED: Shape = Fields(&[
    ("trial", Trial),
    ("attempt", U32),
    (
        "outcome",
        Tagged(
            &["completed", "timed_out"],
            &[("agent_failed", Text), ("infrastructure_failed", Text)],
        ),
    ),
    ("run", RUN),
    (
        "usage",
        Fields(&[
            ("input_tokens", Maybe(&U64)),
            ("cached_input_tokens", Maybe(&U64)),
            ("output_tokens", Maybe(&U64)),
            ("total_tokens", Maybe(&U64)),
            ("tool_calls", Maybe(&U64)),
            ("basis", Text),
        ]),
    ),
    (
        "trace",
        Fields(&[
            ("thread_id", Maybe(&Text)),
            ("requested_model", Maybe(&Text)),
            ("requested_effort", Maybe(&Text)),
            ("observed_model", Maybe(&Text)),
            ("observed_effort", Maybe(&Text)),
            (
                "loaded",
                Maybe(&Fields(&[
                    ("tools", Each(&Text)),
                    ("skills", Each(&Text)),
                    ("mcp_servers", Each(&Text)),
                    ("plugins", Each(&Text)),
                    ("instructions", Each(&Text)),
                ])),
            ),
            ("calls_complete", Truth),
            ("unknown_events", U64),
            ("anomalies", Each(&Text)),
            ("events", OBJECT),
            (
                "audit",
                Fields(&[("passed", Truth), ("findings", Each(&Text))]),
            ),
        ]),
    ),
    (
        "artifact",
        Tagged(&["missing"], &[("stored", DECK), ("refused", Text)]),
    ),
    ("task_tree_sha256", Hash),
    // The tests have none but by hand, which have none.
    ("turns", Each(&OBJECT)),
]);

const RUN: Shape = Fields(&[
    ("host", Text),
    ("argv", Each(&Text)),
    ("program_sha256", Maybe(&Hash)),
    ("program_version", Maybe(&Text)),
    ("environment", Each(&Text)),
    ("exit_code", Maybe(&Int)),
    ("signal", Maybe(&Int)),
    ("started_at", Text),
    ("ended_at", Text),
    ("launch", U32),
    ("started_ms", U64),
    ("duration_ms", U64),
    (
        "timing",
        OneOf(&["measured", "recorded", "by_hand", "lower_bound"]),
    ),
    ("isolation", OneOf(&["none", "audited", "prevented"])),
    ("events", OBJECT),
    ("stderr", OBJECT),
    ("leftover_processes", Each(&Text)),
    ("refused_connections", Each(&Text)),
    ("redacted", Each(&Text)),
]);

const DECK: Shape = Fields(&[("entry", Path), ("tree_sha256", Hash), ("tree", OBJECT)]);

const JUDGED: Shape = Fields(&[
    ("trial", Trial),
    ("attempt", U32),
    ("task_tree_sha256", Hash),
    ("render", Maybe(&RENDER)),
    ("render_problem", Maybe(&Text)),
    (
        "checks",
        Each(&Fields(&[
            ("name", Text),
            ("status", OneOf(&["pass", "fail", "error"])),
            ("reason", Text),
        ])),
    ),
]);

const RENDER: Shape = Fields(&[
    (
        "renderer",
        Fields(&[
            ("name", Text),
            ("version", Text),
            ("executable_sha256", Text),
            ("fonts_sha256", Text),
            ("flags", Each(&Text)),
            ("deterministic", Truth),
        ]),
    ),
    ("sha256", Hash),
    ("slides", Each(&OBJECT)),
    ("diagnostics", OBJECT),
    ("facts", Maybe(&OBJECT)),
]);

pub(super) const HEAD: Shape = Fields(&[("sequence", U64), ("sha256", Hash)]);

const SIDE: Shape = Fields(&[("artifact_sha256", Hash), ("render_set_sha256", Hash)]);

pub(super) const MAPPING: Shape = Fields(&[
    ("schema", OneOf(&["deckproof.mapping.v1"])),
    ("packet", Packet),
    ("trial", Text),
    ("candidate", OneOf(&["A", "B"])),
    ("candidate_side", SIDE),
    ("baseline_side", SIDE),
    ("nonce", Hash),
]);

const LABEL: Shape = Fields(&[(
    "dimensions",
    ByName(&Fields(&[
        ("score", Int),
        ("pass", Truth),
        ("rationale", Text),
    ])),
)]);

pub(super) const REVIEW: Shape = Fields(&[
    ("schema", OneOf(&["deckproof.review.v1"])),
    ("id", Text),
    ("response_sha256", Hash),
    (
        "response",
        Fields(&[
            ("schema", OneOf(&["deckproof.response.v1"])),
            ("packet", Packet),
            ("packet_sha256", Hash),
            (
                "reviewer",
                Fields(&[
                    ("type", OneOf(&["human", "model", "scripted"])),
                    ("id", Text),
                    ("model", Maybe(&Text)),
                    ("thread", Text),
                ]),
            ),
            ("labels", Fields(&[("A", LABEL), ("B", LABEL)])),
            ("overall_rationale", Text),
            ("guess", Maybe(&OneOf(&["A", "B"]))),
        ]),
    ),
    (
        "bindings",
        Fields(&[
            ("packet_sha256", Hash),
            ("prompt_sha256", Hash),
            ("requirements_sha256", Hash),
            ("labels", Fields(&[("A", SIDE), ("B", SIDE)])),
        ]),
    ),
]);

fn digits(text: &str, count: usize) -> bool {
    text.len() == count && text.chars().all(|c| "0123456789abcdef".contains(c))
}

fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=48).contains(&text.len())
        && text.chars().all(plain)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

fn is_trial(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let [case, arm, number] = parts[..] else {
        return false;
    };
    is_name(case) && is_name(arm) && number.parse::<u32>().is_ok_and(|n| n.to_string() == number)
}

/// Good enough for the texts that the tests put in the place of paths.
fn is_path(text: &str) -> bool {
    !text.is_empty()
        && text
            .split('/')
            .all(|part| !part.is_empty() && part != "." && part != "..")
        && !text.chars().any(|c| c.is_control() || c == '\\')
}

/// Whether `value` has the shape. Keys whose dotted path is in `strange` are passed over.
pub(super) fn fits(shape: Shape, value: &Value, at: &str, strange: &BTreeSet<String>) -> bool {
    let text = || value.as_str().unwrap_or_default();
    match shape {
        Text => value.is_string(),
        Hash => digits(text(), 64),
        Packet => digits(text(), 32),
        Name => is_name(text()),
        Trial => is_trial(text()),
        Path => is_path(text()),
        Truth => value.is_boolean(),
        Count(most) => value.as_u64().is_some_and(|count| count <= most),
        Int => value
            .as_i64()
            .is_some_and(|number| i32::try_from(number).is_ok()),
        OneOf(words) => words.contains(&text()) && value.is_string(),
        Maybe(shape) => value.is_null() || fits(*shape, value, at, strange),
        Each(shape) => value
            .as_array()
            .is_some_and(|items| items.iter().all(|item| fits(*shape, item, at, strange))),
        ByName(shape) => value
            .as_object()
            .is_some_and(|all| all.values().all(|one| fits(*shape, one, at, strange))),
        Tagged(words, tags) => {
            (value.is_string() && words.contains(&text()))
                || value.as_object().is_some_and(|members| {
                    members.len() == 1
                        && members.iter().all(|(key, value)| {
                            let known = tags.iter().find(|(name, _)| name == key);
                            known.is_some_and(|(_, shape)| {
                                fits(*shape, value, &format!("{at}.{key}"), strange)
                            })
                        })
                })
        }
        Fields(fields) => value.as_object().is_some_and(|members| {
            let known = |key: &String| {
                fields.iter().any(|(name, _)| name == key)
                    || strange.contains(&format!("{at}.{key}"))
            };
            members.keys().all(known)
                && fields.iter().all(|(name, shape)| {
                    let here = format!("{at}.{name}");
                    match members.get(*name) {
                        Some(value) => fits(*shape, value, &here, strange),
                        None => matches!(shape, Maybe(_)),
                    }
                })
        }),
    }
}

/// The dotted paths of keys of a good document that no shape knows: newer than this oracle, and not
/// judged by it.
pub(super) fn strangers(shape: Shape, value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match shape {
        Maybe(shape) if !value.is_null() => strangers(*shape, value, at, found),
        Each(shape) => {
            for item in value.as_array().into_iter().flatten() {
                strangers(*shape, item, at, found);
            }
        }
        ByName(shape) => {
            for item in value.as_object().into_iter().flatten() {
                strangers(*shape, item.1, at, found);
            }
        }
        Tagged(_, fields) | Fields(fields) => {
            for (key, value) in value.as_object().into_iter().flatten() {
                let here = format!("{at}.{key}");
                match fields.iter().find(|(name, _)| name == key) {
                    Some((_, shape)) => strangers(*shape, value, &here, found),
                    None => drop(found.insert(here)),
                }
            }
        }
        _ => {}
    }
}
