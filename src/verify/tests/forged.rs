// SPDX-License-Identifier: MIT OR Apache-2.0
//! Journals that were bent: by hand, and by somebody who knows how to make the chain hold.

use std::os::unix::fs::symlink;

use deckproof_packets::json;
use deckproof_packets::mapping::Label;
use deckproof_packets::packet::{self, PacketInput};

use super::*;
use crate::experiment::plan::Plan;
use crate::experiment::records::{AttemptEnded, Object, Outcome, TrialJudged};
use crate::summary::testing::{Pictures, packet_input};

fn journal_lines(lab: &Lab, change: impl FnOnce(Vec<String>) -> Vec<String>) -> String {
    edit(&lab.path("journal.jsonl"), |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        let lines = text.split_inclusive('\n').map(str::to_owned).collect();
        change(lines).concat().into_bytes()
    });
    "journal.jsonl".to_owned()
}

/// Bends the lines of the journal.
type BendLines = fn(Vec<String>) -> Vec<String>;

#[test]
fn the_journal() {
    let good = good();
    let changes: [(&str, BendLines); 11] = [
        ("a line removed", |mut lines| {
            lines.remove(3);
            lines
        }),
        ("lines swapped", |mut lines| {
            lines.swap(3, 4);
            lines
        }),
        ("a line edited", |mut lines| {
            lines[3] = lines[3].replace("\"total_tokens\":500", "\"total_tokens\":400");
            lines[3] = lines[3].replacen("case", "cave", 1);
            lines
        }),
        ("a line twice", |mut lines| {
            lines.insert(3, lines[3].clone());
            lines
        }),
        ("the last line removed", |mut lines| {
            lines.pop();
            lines
        }),
        ("the last line cut short", |mut lines| {
            let last = lines.pop().unwrap();
            lines.push(last[..last.len() / 2].to_owned());
            lines
        }),
        ("a key twice", |mut lines| {
            lines[2] = lines[2].replacen('{', "{\"sequence\":2,", 1);
            lines
        }),
        ("NaN", |mut lines| {
            lines[2] = lines[2].replacen("\"sequence\":2", "\"sequence\":NaN", 1);
            lines
        }),
        ("10^400", |mut lines| {
            lines[2] = lines[2].replacen(
                "\"sequence\":2",
                &format!("\"sequence\":1{}", "0".repeat(400)),
                1,
            );
            lines
        }),
        ("nesting 100,000 deep", |mut lines| {
            lines.push(format!("{}\n", "[".repeat(100_000)));
            lines
        }),
        ("an unknown key", |mut lines| {
            lines[2] = lines[2].replacen('{', "{\"note\":1,", 1);
            lines
        }),
    ];
    for (what, change) in changes {
        refused(&good, what, |lab| journal_lines(lab, change));
    }
    refused(&good, "invalid UTF-8", |lab| {
        edit(&lab.path("journal.jsonl"), |bytes| {
            [b"\xff".to_vec(), bytes].concat()
        });
        "journal.jsonl".to_owned()
    });
    refused(&good, "a byte-order mark", |lab| {
        edit(&lab.path("journal.jsonl"), |bytes| {
            ["\u{feff}".as_bytes().to_vec(), bytes].concat()
        });
        "journal.jsonl".to_owned()
    });
    refused(&good, "no head", |lab| {
        fs_err::remove_file(lab.path("journal.head")).unwrap();
        "journal.head".to_owned()
    });
    refused(&good, "another head", |lab| {
        replace(
            &lab.path("journal.head"),
            "\"sha256\": \"",
            "\"sha256\": \"0",
        );
        "journal.head".to_owned()
    });
    refused(&good, "a journal behind a link", |lab| {
        fs_err::rename(lab.path("journal.jsonl"), lab.beside("journal.jsonl")).unwrap();
        symlink(lab.beside("journal.jsonl"), lab.path("journal.jsonl")).unwrap();
        "journal.jsonl`: found a symbolic link".to_owned()
    });
}

/// Writes the journal anew, with a chain and a head that hold: what somebody would do who knows
/// the format. The plan, packets and mappings stay.
pub(super) fn forge(lab: &Lab, change: impl FnOnce(&Lab, &mut Vec<Event>)) {
    let mut all = events(lab);
    change(lab, &mut all);
    fs_err::remove_file(lab.path("journal.jsonl")).unwrap();
    fs_err::remove_file(lab.path("journal.head")).unwrap();
    let mut journal = Journal::<Event>::create(&lab.path("journal.jsonl")).unwrap();
    for event in all {
        journal
            .append("2026-01-02T03:04:05Z".to_owned(), event)
            .unwrap();
    }
}

fn ended_mut(events: &mut [Event]) -> &mut AttemptEnded {
    let mut ends = events.iter_mut().filter_map(|event| match event {
        Event::AttemptEnded(ended) => Some(ended),
        _ => None,
    });
    ends.next().unwrap()
}

fn judged_mut(events: &mut [Event]) -> &mut TrialJudged {
    let mut all = events.iter_mut().filter_map(|event| match event {
        Event::TrialJudged(judged) => Some(judged),
        _ => None,
    });
    all.next().unwrap()
}

fn index(events: &[Event], is: impl Fn(&Event) -> bool) -> usize {
    events.iter().position(is).unwrap()
}

#[test]
fn forged_chains_that_do_not_make_sense() {
    let good = good();
    type Forgery = fn(&Lab, &mut Vec<Event>);
    let forgeries: [(&str, &str, Forgery); 21] = [
        (
            "a second beginning",
            "a second record of `prepare`",
            |_, events| {
                events.insert(1, events[0].clone());
            },
        ),
        ("no beginning", "on line 1", |_, events| {
            let first = events.remove(0);
            events.insert(1, first);
        }),
        ("a trial never judged", "was judged", |_, events| {
            let at = index(events, |event| matches!(event, Event::TrialJudged(_)));
            events.remove(at);
        }),
        (
            "a trial judged twice",
            "each trial judged once",
            |_, events| {
                let at = index(events, |event| matches!(event, Event::TrialJudged(_)));
                events.insert(at, events[at].clone());
            },
        ),
        (
            "an end without a start",
            "an attempt that is running",
            |_, events| {
                let at = index(events, |event| matches!(event, Event::AttemptEnded(_)));
                events.insert(at, events[at].clone());
            },
        ),
        (
            "another try after an end that counts",
            "an earlier one counts",
            |_, events| {
                let at = index(events, |event| matches!(event, Event::TrialJudged(_)));
                let mut started = match &events[1] {
                    Event::AttemptStarted(started) => started.clone(),
                    _ => panic!("no start"),
                };
                started.attempt = 2;
                started.launch = 2;
                events.insert(at, Event::AttemptStarted(started));
            },
        ),
        (
            "an infrastructure's failure not tried again",
            "another attempt first",
            |_, events| {
                ended_mut(events).outcome = Outcome::InfrastructureFailed("no network".to_owned());
            },
        ),
        ("0 tokens", "0 tokens in all", |_, events| {
            ended_mut(events).usage.total_tokens = Some(0);
        }),
        (
            "tokens that do not add up",
            "the sum of input and output",
            |_, events| {
                ended_mut(events).usage.total_tokens = Some(400);
            },
        ),
        (
            "an audit that contradicts itself",
            "a read audit that says",
            |_, events| {
                ended_mut(events).trace.audit.findings.push("x".to_owned());
            },
        ),
        (
            "a time that is none",
            "the time `yesterday`",
            |_, events| {
                ended_mut(events).run.ended_at = "yesterday".to_owned();
            },
        ),
        ("another size of a log", "the event log", |_, events| {
            ended_mut(events).run.events.bytes += 1;
        }),
        (
            "a log of another attempt that does not exist",
            "the trace",
            |_, events| {
                ended_mut(events).trace.events.sha256 = Sha256Hex::of(b"nothing");
            },
        ),
        ("a slide less", "the render set", |_, events| {
            judged_mut(events).render.as_mut().unwrap().slides.pop();
        }),
        ("a check less", "no check `", |_, events| {
            judged_mut(events).checks.remove(0);
        }),
        (
            "a baseline that is not the sealed one",
            "the sealed ones",
            |_, events| {
                let mut all: Vec<_> = events
                    .iter_mut()
                    .filter_map(|event| match event {
                        Event::BaselineRendered(one) => Some(one),
                        _ => None,
                    })
                    .collect();
                let other = all[2].artifact.clone();
                all[0].artifact = other;
            },
        ),
        (
            "a packet of another hash",
            "packet.json`: found the hash",
            |_, events| {
                let at = index(events, |event| matches!(event, Event::PacketWritten(_)));
                if let Event::PacketWritten(written) = &mut events[at] {
                    written.packet_sha256 = Sha256Hex::of(b"x");
                }
            },
        ),
        ("a packet less", "after 3 packets", |_, events| {
            let at = index(events, |event| matches!(event, Event::PacketWritten(_)));
            events.remove(at);
            if let Some(Event::ExecuteFinished(end)) = events
                .iter_mut()
                .find(|event| matches!(event, Event::ExecuteFinished(_)))
            {
                end.packets -= 1;
            }
        }),
        (
            "a review before the end",
            "reviews after the end",
            |_, events| {
                let end = index(events, |event| matches!(event, Event::ExecuteFinished(_)));
                events.swap(end, end + 1);
            },
        ),
        ("a review twice", "each review once", |_, events| {
            events.push(events.last().unwrap().clone());
        }),
        ("a picture that is none", "1280x720 PNG", |lab, events| {
            let bytes = b"not a picture at all";
            let sha256 = lab.layout().store().put(bytes).unwrap();
            let render = judged_mut(events).render.as_mut().unwrap();
            render.slides[0] = Object {
                sha256,
                bytes: bytes.len() as u64,
            };
            let hashes: Vec<_> = render
                .slides
                .iter()
                .map(|one| one.sha256.as_str())
                .collect();
            render.sha256 = deckproof_renderers::png::render_set_sha256(&hashes)
                .parse()
                .unwrap();
        }),
    ];
    for (what, expected, forgery) in forgeries {
        refused(&good, what, |lab| {
            forge(lab, forgery);
            expected.to_owned()
        });
    }
}

/// A review that is written anew for another packet, with a record to match.
#[test]
fn a_review_forged_for_another_packet() {
    let good = good();
    refused(&good, "a replayed review", |lab| {
        let path = first_review(lab);
        let file = name(&path);
        let text = fs_err::read_to_string(&path).unwrap();
        let ids: Vec<_> = lab.mappings().into_iter().map(|one| one.packet).collect();
        let own = ids.iter().find(|id| text.contains(id.as_str())).unwrap();
        let other = ids.iter().find(|id| *id != own).unwrap();
        replace(&path, own.as_str(), other.as_str());
        let hash = Sha256Hex::of(&fs_err::read(&path).unwrap());
        forge(lab, |_, events| {
            for event in events {
                if let Event::ReviewAccepted(review) = event
                    && review.file.as_str() == file
                {
                    review.packet = other.clone();
                    review.sha256 = hash.clone();
                }
            }
        });
        file
    });
}

/// Rewrites the plan and lets the journal name the new one as that of the mappings.
pub(super) fn forge_plan(lab: &Lab, change: impl FnOnce(&mut Plan)) {
    let mut plan = Experiment::open(&lab.root).unwrap().plan;
    change(&mut plan);
    let bytes = json::pretty(&plan).unwrap();
    fs_err::write(lab.path("plan.json"), &bytes).unwrap();
    forge(lab, |_, events| {
        for event in events {
            if let Event::MappingsDrawn(drawn) = event {
                drawn.plan_sha256 = Sha256Hex::of(&bytes);
            }
        }
    });
}

#[test]
fn plans_and_mappings_forged_together() {
    let good = good();
    refused(&good, "a trial planned otherwise afterwards", |lab| {
        forge_plan(lab, |plan| {
            plan.trials[0].normalized_prompt_sha256 = Sha256Hex::of(b"x");
        });
        "other trials than `prepare` planned".to_owned()
    });
    // Seeds let labels be swapped after a review; here the packet holds the commitment too.
    refused(
        &good,
        "labels swapped, and the commitment with them",
        |lab| {
            let mut mapping = lab.mappings()[0].clone();
            mapping.candidate = mapping.candidate.other();
            let path = lab.layout().mapping(&mapping.packet);
            edit(&path, |_| json::pretty(&mapping).unwrap());
            forge_plan(lab, |plan| {
                plan.commitments[0].commitment = mapping.commitment()
            });
            format!("{}/packet.json`: found the commitment", mapping.packet)
        },
    );
}

/// Builds a packet anew that asks for something else, with a journal to match.
fn forge_packet(lab: &Lab, change: impl FnOnce(&mut PacketInput)) {
    let experiment = Experiment::open(&lab.root).unwrap();
    let mappings = lab.mappings();
    let of_case_one = mappings
        .iter()
        .find(|one| one.trial.starts_with("case-one"));
    let mapping = of_case_one.unwrap();
    let folder = lab.layout().packet(&mapping.packet);
    let mut pictures = Pictures::default();
    for label in Label::BOTH {
        for number in 1..=2 {
            let file = folder.join(format!("{label}/slide-{number:03}.png"));
            pictures.get_mut(label).push(fs_err::read(file).unwrap());
        }
    }
    let mut input = packet_input(&experiment, mapping, pictures);
    change(&mut input);
    fs_err::remove_dir_all(&folder).unwrap();
    let hash = packet::build(&lab.layout().packets(), &input)
        .unwrap()
        .packet_sha256;
    forge(lab, |_, events| {
        for event in events {
            if let Event::PacketWritten(written) = event
                && written.packet == mapping.packet
            {
                written.packet_sha256 = hash.clone();
            }
        }
    });
}

#[test]
fn packets_that_asked_for_something_else() {
    let good = good();
    type Change = fn(&mut PacketInput);
    let changes: [(&str, Change); 6] = [
        ("a brief that", |input| {
            input.brief.extend(b" Make it short.")
        }),
        ("amendments that", |input| drop(input.amendments.pop())),
        ("amendments that", |input| input.amendments.reverse()),
        ("assets that", |input| input.assets.clear()),
        ("requirements that", |input| {
            input.requirements = b"{}\n".to_vec()
        }),
        ("a form that", |input| input.form.score_max = 7),
    ];
    for (expected, change) in changes {
        refused(&good, expected, |lab| {
            forge_packet(lab, change);
            format!("packet.json`: found {expected}")
        });
    }
}
