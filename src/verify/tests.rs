// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every kind of change to a finished experiment is refused, by `verify` and by `summarize`, with
//! the name of the file.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal::{self, Journal};
use deckproof_packets::json;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::experiment::records::{Artifact, Object, Outcome};
use crate::summary::testing::{Lab, Script};

static GOOD: LazyLock<Lab> = LazyLock::new(|| {
    let lab = Lab::good();
    let summary = crate::summary::summarize(&lab.root).unwrap();
    crate::summary::write(&lab.root, &summary).unwrap();
    verify(&lab.root).unwrap();
    lab
});

/// Spoils a copy of the good experiment and expects both commands to name a file. `spoil` returns
/// a part of the message that must be there: the file's name.
fn refused(what: &str, spoil: impl FnOnce(&Lab) -> String) {
    let lab = GOOD.copy();
    let expected = spoil(&lab);
    for (command, result) in [
        ("verify", verify(&lab.root).map(drop)),
        ("summarize", crate::summary::summarize(&lab.root).map(drop)),
    ] {
        let error = match result {
            Err(error) => error.to_string(),
            Ok(()) => panic!("{what}: {command} took it"),
        };
        assert!(error.contains(&expected), "{what}: {command}: {error}\nexpected {expected}");
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs_err::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

/// Edits a file in place; its modes stay.
fn edit(path: &Path, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let before = mode(path);
    set_mode(path, 0o600);
    let bytes = change(fs_err::read(path).unwrap());
    fs_err::write(path, bytes).unwrap();
    set_mode(path, before);
}

fn replace(path: &Path, from: &str, to: &str) {
    edit(path, |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains(from), "{} lacks {from}", path.display());
        text.replacen(from, to, 1).into_bytes()
    });
}

/// The last byte but one, flipped.
fn flip(path: &Path) {
    edit(path, |mut bytes| {
        let at = bytes.len() - 1 - usize::from(bytes.len() > 1);
        bytes[at] ^= 1;
        bytes
    });
}

/// In a folder that may be read-only.
fn in_folder(folder: &Path, change: impl FnOnce()) {
    let before = mode(folder);
    set_mode(folder, 0o700);
    change();
    set_mode(folder, before);
}

fn events(lab: &Lab) -> Vec<Event> {
    let records = journal::read::<Event>(&lab.path("journal.jsonl")).unwrap().records;
    records.into_iter().map(|record| record.event).collect()
}

/// The store's file of one object, and its name below the experiment.
fn object(lab: &Lab, hash: &Sha256Hex) -> (PathBuf, String) {
    let path = lab.layout().store().path(hash);
    let name = path.strip_prefix(&lab.root).unwrap().display().to_string();
    (path, name)
}

fn first_end(lab: &Lab) -> AttemptEndedOf {
    let event = events(lab).into_iter().find_map(|event| match event {
        Event::AttemptEnded(ended) => Some(*ended),
        _ => None,
    });
    let ended = event.unwrap();
    let Artifact::Stored(artifact) = ended.artifact else { panic!("no deck") };
    let tree: deckproof_packets::tree::Tree =
        json::read("tree", &lab.layout().store().get(&artifact.tree.sha256).unwrap()).unwrap();
    let file = tree.files().next().map(|(_, hash)| hash.clone()).unwrap();
    AttemptEndedOf {
        events: ended.run.events.sha256,
        stderr: ended.run.stderr.sha256,
        trace: ended.trace.events.sha256,
        list: artifact.tree.sha256,
        file,
    }
}

struct AttemptEndedOf {
    events: Sha256Hex,
    stderr: Sha256Hex,
    trace: Sha256Hex,
    list: Sha256Hex,
    file: Sha256Hex,
}

fn first_picture(lab: &Lab) -> Sha256Hex {
    let event = events(lab).into_iter().find_map(|event| match event {
        Event::TrialJudged(judged) => judged.render,
        _ => None,
    });
    event.unwrap().slides[0].sha256.clone()
}

fn locked(lab: &Lab, path: &str) -> Sha256Hex {
    let experiment = Experiment::open(&lab.root).unwrap();
    let mut files = experiment.lock.files.iter();
    files.find(|file| file.path.as_str() == path).unwrap().sha256.clone()
}

fn first_packet(lab: &Lab) -> PathBuf {
    lab.layout().packet(&lab.mappings()[0].packet)
}

fn first_review(lab: &Lab) -> PathBuf {
    let mut files: Vec<_> = fs_err::read_dir(lab.path("reviews"))
        .unwrap()
        .map(|item| item.unwrap().path())
        .collect();
    files.sort();
    files[0].clone()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn a_byte_of_any_object() {
    let named: [(&str, fn(&Lab) -> Sha256Hex); 11] = [
        ("the deck's file", |lab| first_end(lab).file),
        ("the deck's list of files", |lab| first_end(lab).list),
        ("the event log", |lab| first_end(lab).events),
        ("the trace", |lab| first_end(lab).trace),
        ("a picture", first_picture),
        ("the brief", |lab| locked(lab, "one/brief.md")),
        ("an amendment", |lab| locked(lab, "one/amendment_10.md")),
        ("an asset", |lab| locked(lab, "one/chart.png")),
        ("the spec", |lab| locked(lab, "two/spec.json")),
        ("a baseline", |lab| locked(lab, "case-one/old/index.html")),
        ("a prompt", |lab| Experiment::open(&lab.root).unwrap().plan.trials[0].prompt_sha256.clone()),
    ];
    for (what, hash) in named {
        refused(what, |lab| {
            let (path, name) = object(lab, &hash(lab));
            flip(&path);
            name
        });
    }
}

#[test]
fn objects_that_are_gone_short_long_or_foreign() {
    refused("a log that is gone", |lab| {
        let (path, name) = object(lab, &first_end(lab).stderr);
        fs_err::remove_file(path).unwrap();
        name
    });
    refused("a picture cut short", |lab| {
        let (path, name) = object(lab, &first_picture(lab));
        edit(&path, |bytes| bytes[..bytes.len() / 2].to_vec());
        name
    });
    refused("a log that goes on", |lab| {
        let (path, name) = object(lab, &first_end(lab).events);
        edit(&path, |bytes| [bytes, b"more".to_vec()].concat());
        name
    });
    refused("a link to the same bytes", |lab| {
        let (path, name) = object(lab, &first_picture(lab));
        let elsewhere = lab.beside("elsewhere");
        fs_err::rename(&path, &elsewhere).unwrap();
        symlink(&elsewhere, &path).unwrap();
        name
    });
    refused("an object under another name", |lab| {
        let other = Sha256Hex::of(b"another");
        let (path, name) = object(lab, &other);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, "not the other").unwrap();
        name
    });
    refused("a file that is no object", |lab| {
        fs_err::write(lab.path("objects/notes.txt"), "x").unwrap();
        "objects/notes.txt".to_owned()
    });
    refused("a folder in a folder of objects", |lab| {
        let (path, _) = object(lab, &first_picture(lab));
        fs_err::create_dir(path.with_file_name("more")).unwrap();
        "/more".to_owned()
    });
}

#[test]
fn packets() {
    let brief = |lab: &Lab| first_packet(lab).join("brief.md");
    refused("a picture's byte", |lab| {
        flip(&first_packet(lab).join("A/slide-001.png"));
        "A/slide-001.png".to_owned()
    });
    refused("pictures swapped between A and B", |lab| {
        let (a, b) = (first_packet(lab).join("A/slide-002.png"), first_packet(lab).join("B/slide-002.png"));
        let beside = lab.beside("swap");
        fs_err::rename(&a, &beside).unwrap();
        fs_err::rename(&b, &a).unwrap();
        fs_err::rename(&beside, &b).unwrap();
        "A/slide-002.png".to_owned()
    });
    refused("both folders swapped", |lab| {
        let (a, b) = (first_packet(lab).join("A"), first_packet(lab).join("B"));
        fs_err::rename(&a, lab.beside("swap")).unwrap();
        fs_err::rename(&b, &a).unwrap();
        fs_err::rename(lab.beside("swap"), &b).unwrap();
        "A/slide-001.png".to_owned()
    });
    refused("a brief", |lab| {
        replace(&brief(lab), "deck", "duck");
        "brief.md".to_owned()
    });
    refused("the page", |lab| {
        flip(&first_packet(lab).join("page.html"));
        "page.html".to_owned()
    });
    refused("packet.json", |lab| {
        replace(&first_packet(lab).join("packet.json"), "A deck was made.", "A duck was made.");
        name(&first_packet(lab))
    });
    refused("a file more", |lab| {
        fs_err::write(first_packet(lab).join("hint.txt"), "A is new").unwrap();
        "hint.txt".to_owned()
    });
    refused("a file less", |lab| {
        fs_err::remove_file(brief(lab)).unwrap();
        "brief.md".to_owned()
    });
    refused("a link", |lab| {
        fs_err::rename(brief(lab), lab.beside("brief.md")).unwrap();
        symlink(lab.beside("brief.md"), brief(lab)).unwrap();
        "brief.md".to_owned()
    });
    refused("a packet more", |lab| {
        fs_err::create_dir(lab.path("packets/more")).unwrap();
        "packets/more".to_owned()
    });
    refused("a packet less", |lab| {
        let packet = first_packet(lab);
        fs_err::remove_dir_all(&packet).unwrap();
        format!("packets/{}", name(&packet))
    });
    refused("two packets under each other's name", |lab| {
        let ids = lab.mappings();
        let (one, other) = (lab.layout().packet(&ids[0].packet), lab.layout().packet(&ids[1].packet));
        fs_err::rename(&one, lab.beside("swap")).unwrap();
        fs_err::rename(&other, &one).unwrap();
        fs_err::rename(lab.beside("swap"), &other).unwrap();
        format!("{}/packet.json", name(&one))
    });
    refused("a packet behind a link", |lab| {
        let packet = first_packet(lab);
        fs_err::rename(&packet, lab.beside("moved")).unwrap();
        symlink(lab.beside("moved"), &packet).unwrap();
        name(&packet)
    });
}

fn journal_lines(lab: &Lab, change: impl FnOnce(Vec<String>) -> Vec<String>) -> String {
    edit(&lab.path("journal.jsonl"), |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        let lines = text.split_inclusive('\n').map(str::to_owned).collect();
        change(lines).concat().into_bytes()
    });
    "journal.jsonl".to_owned()
}

#[test]
fn the_journal() {
    let changes: [(&str, fn(Vec<String>) -> Vec<String>); 11] = [
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
            lines[2] = lines[2].replacen("\"sequence\":2", &format!("\"sequence\":1{}", "0".repeat(400)), 1);
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
        refused(what, |lab| journal_lines(lab, change));
    }
    refused("invalid UTF-8", |lab| {
        edit(&lab.path("journal.jsonl"), |bytes| [b"\xff".to_vec(), bytes].concat());
        "journal.jsonl".to_owned()
    });
    refused("a byte-order mark", |lab| {
        edit(&lab.path("journal.jsonl"), |bytes| ["\u{feff}".as_bytes().to_vec(), bytes].concat());
        "journal.jsonl".to_owned()
    });
    refused("no head", |lab| {
        fs_err::remove_file(lab.path("journal.head")).unwrap();
        "journal.head".to_owned()
    });
    refused("another head", |lab| {
        replace(&lab.path("journal.head"), "\"sha256\": \"", "\"sha256\": \"0");
        "journal.head".to_owned()
    });
    refused("a journal behind a link", |lab| {
        fs_err::rename(lab.path("journal.jsonl"), lab.beside("journal.jsonl")).unwrap();
        symlink(lab.beside("journal.jsonl"), lab.path("journal.jsonl")).unwrap();
        "journal.jsonl`: found a symbolic link".to_owned()
    });
}

#[test]
fn mappings_and_the_private_folder() {
    let mapping = |lab: &Lab| lab.layout().mapping(&lab.mappings()[0].packet);
    let changes: [(&str, fn(String) -> String); 6] = [
        ("the labels swapped", |text| {
            let flipped = if text.contains("\"candidate\": \"A\"") { ["A", "B"] } else { ["B", "A"] };
            text.replace(
                &format!("\"candidate\": \"{}\"", flipped[0]),
                &format!("\"candidate\": \"{}\"", flipped[1]),
            )
        }),
        ("the sides swapped", |text| {
            text.replace("candidate_side", "x").replace("baseline_side", "candidate_side").replace("\"x\"", "\"baseline_side\"")
        }),
        ("another nonce", |text| {
            let at = text.find("\"nonce\": \"").unwrap() + 10;
            let digit = if text[at..].starts_with('0') { "1" } else { "0" };
            format!("{}{digit}{}", &text[..at], &text[at + 1..])
        }),
        ("another trial", |text| {
            if text.contains("case-one") { text.replace("case-one", "case-two") } else { text.replace("case-two", "case-one") }
        }),
        ("a key twice", |text| text.replacen('{', "{\"candidate\":\"A\",", 1)),
        ("cut short", |text| text[..text.len() / 2].to_owned()),
    ];
    for (what, change) in changes {
        refused(what, |lab| {
            let path = mapping(lab);
            edit(&path, |bytes| change(String::from_utf8(bytes).unwrap()).into_bytes());
            name(&path)
        });
    }
    refused("a mapping less", |lab| {
        let path = mapping(lab);
        fs_err::remove_file(&path).unwrap();
        name(&path)
    });
    refused("a mapping more", |lab| {
        fs_err::copy(mapping(lab), lab.path("private/mappings/more.json")).unwrap();
        "mappings/more.json".to_owned()
    });
    refused("a mapping that others can read", |lab| {
        let path = mapping(lab);
        set_mode(&path, 0o644);
        name(&path)
    });
    refused("a private folder that others can read", |lab| {
        set_mode(&lab.path("private"), 0o755);
        "private`: found mode 0755".to_owned()
    });
    refused("a stray file", |lab| {
        fs_err::write(lab.path("private/key"), "x").unwrap();
        "private/key".to_owned()
    });
    refused("a pipe", |lab| {
        let status = Command::new("mkfifo").arg(lab.path("private/pipe")).status();
        assert!(status.unwrap().success());
        "private/pipe`: found a special file".to_owned()
    });
}

#[test]
fn what_was_sealed() {
    let task = "sealed/tasks/case-one.web.1";
    refused("the suite", |lab| {
        replace(&lab.path("sealed/suite.toml"), "median_token_improvement_percent = 30", "median_token_improvement_percent = 10");
        "sealed/suite.toml".to_owned()
    });
    refused("the lock", |lab| {
        replace(&lab.path("sealed/suite.lock.json"), "one/brief.md", "one/grief.md");
        "sealed/suite.lock.json".to_owned()
    });
    refused("a limit in the plan", |lab| {
        replace(&lab.path("plan.json"), "\"group\": 1", "\"group\": 0");
        "plan.json".to_owned()
    });
    refused("a commitment in the plan", |lab| {
        let commitment = lab.mappings()[0].commitment();
        replace(&lab.path("plan.json"), commitment.as_str(), Sha256Hex::of(b"x").as_str());
        "plan.json".to_owned()
    });
    refused("no plan", |lab| {
        fs_err::remove_file(lab.path("plan.json")).unwrap();
        "plan.json".to_owned()
    });
    for file in ["brief.md", "amendments/amendment_2.md", "assets/chart.png", "spec.json"] {
        refused(file, |lab| {
            flip(&lab.path(&format!("{task}/{file}")));
            format!("{task}/{file}")
        });
    }
    refused("a task file that can be run", |lab| {
        set_mode(&lab.path(&format!("{task}/brief.md")), 0o555);
        format!("{task}/brief.md`: found that it has mode 555")
    });
    refused("a task file more", |lab| {
        let folder = lab.path(task);
        in_folder(&folder, || fs_err::write(folder.join("hint.md"), "x").unwrap());
        format!("{task}/hint.md")
    });
    refused("a task file less", |lab| {
        let folder = lab.path(&format!("{task}/assets"));
        in_folder(&folder, || fs_err::remove_file(folder.join("chart.png")).unwrap());
        format!("{task}/assets/chart.png")
    });
    refused("a link among the task files", |lab| {
        let folder = lab.path(task);
        in_folder(&folder, || symlink("/etc/passwd", folder.join("link")).unwrap());
        format!("{task}/link")
    });
    refused("a task tree more", |lab| {
        fs_err::create_dir(lab.path("sealed/tasks/case-one.web.2")).unwrap();
        "tasks/case-one.web.2".to_owned()
    });
    refused("a stray file", |lab| {
        fs_err::write(lab.path("sealed/notes"), "x").unwrap();
        "sealed/notes".to_owned()
    });
}

#[test]
fn reviews_on_file() {
    refused("a score", |lab| {
        let path = first_review(lab);
        replace(&path, "\"score\": 4", "\"score\": 5");
        name(&path)
    });
    refused("a review less", |lab| {
        let path = first_review(lab);
        fs_err::remove_file(&path).unwrap();
        name(&path)
    });
    refused("a review twice", |lab| {
        fs_err::copy(first_review(lab), lab.path("reviews/again.json")).unwrap();
        "reviews/again.json".to_owned()
    });
    refused("a review cut short", |lab| {
        let path = first_review(lab);
        edit(&path, |bytes| bytes[..bytes.len() - 5].to_vec());
        name(&path)
    });
    refused("a key twice", |lab| {
        let path = first_review(lab);
        edit(&path, |bytes| String::from_utf8(bytes).unwrap().replacen('{', "{\"id\":\"x\",", 1).into_bytes());
        name(&path)
    });
    refused("invalid UTF-8", |lab| {
        let path = first_review(lab);
        edit(&path, |mut bytes| {
            bytes[40] = 0xff;
            bytes
        });
        name(&path)
    });
    refused("a review for another packet", |lab| {
        let path = first_review(lab);
        let text = fs_err::read_to_string(&path).unwrap();
        let ids: Vec<_> = lab.mappings().into_iter().map(|one| one.packet.to_string()).collect();
        let own = ids.iter().find(|id| text.contains(*id)).unwrap();
        let other = ids.iter().find(|id| *id != own).unwrap();
        replace(&path, own, other);
        name(&path)
    });
    refused("a review behind a link", |lab| {
        let path = first_review(lab);
        fs_err::rename(&path, lab.beside("review")).unwrap();
        symlink(lab.beside("review"), &path).unwrap();
        name(&path)
    });
}

#[test]
fn strangers_in_the_experiment() {
    refused("a file", |lab| {
        fs_err::write(lab.path("notes.txt"), "x").unwrap();
        "notes.txt".to_owned()
    });
    refused("a folder where a file belongs", |lab| {
        fs_err::create_dir(lab.path("report.html")).unwrap();
        "report.html".to_owned()
    });
    refused("objects behind a link", |lab| {
        fs_err::rename(lab.path("objects"), lab.beside("objects")).unwrap();
        symlink(lab.beside("objects"), lab.path("objects")).unwrap();
        "objects`: found a symbolic link".to_owned()
    });
    let error = verify(&GOOD.beside("nowhere")).unwrap_err().to_string();
    assert!(error.contains("nowhere` is not an experiment directory"), "{error}");
    // An edited summary changes no verdict, but `verify` names it.
    let lab = GOOD.copy();
    replace(&lab.path("summary.json"), "\"pass\"", "\"fail\"");
    assert!(verify(&lab.root).unwrap_err().to_string().contains("summary.json"));
    // What an interrupted write left is no stranger.
    let lab = GOOD.copy();
    fs_err::write(lab.path("objects/.deckproof-aB3xZ9"), "half").unwrap();
    verify(&lab.root).unwrap();
}

/// Writes the journal anew, with a chain and a head that hold: what somebody would do who knows
/// the format. The plan, packets and mappings stay.
fn forge(lab: &Lab, change: impl FnOnce(&Lab, &mut Vec<Event>)) {
    let mut all = events(lab);
    change(lab, &mut all);
    fs_err::remove_file(lab.path("journal.jsonl")).unwrap();
    fs_err::remove_file(lab.path("journal.head")).unwrap();
    let mut journal = Journal::<Event>::create(&lab.path("journal.jsonl")).unwrap();
    for event in all {
        journal.append("2026-01-02T03:04:05Z".to_owned(), event).unwrap();
    }
}

fn ended_mut(events: &mut [Event]) -> &mut crate::experiment::records::AttemptEnded {
    let mut ends = events.iter_mut().filter_map(|event| match event {
        Event::AttemptEnded(ended) => Some(ended),
        _ => None,
    });
    ends.next().unwrap()
}

fn judged_mut(events: &mut [Event]) -> &mut crate::experiment::records::TrialJudged {
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
    type Forgery = fn(&Lab, &mut Vec<Event>);
    let forgeries: [(&str, &str, Forgery); 21] = [
        ("a second beginning", "a second record of `prepare`", |_, events| {
            events.insert(1, events[0].clone());
        }),
        ("no beginning", "on line 1", |_, events| {
            let first = events.remove(0);
            events.insert(1, first);
        }),
        ("a trial never judged", "was judged", |_, events| {
            let at = index(events, |event| matches!(event, Event::TrialJudged(_)));
            events.remove(at);
        }),
        ("a trial judged twice", "each trial judged once", |_, events| {
            let at = index(events, |event| matches!(event, Event::TrialJudged(_)));
            events.insert(at, events[at].clone());
        }),
        ("an end without a start", "an attempt that is running", |_, events| {
            let at = index(events, |event| matches!(event, Event::AttemptEnded(_)));
            events.insert(at, events[at].clone());
        }),
        ("another try after an end that counts", "an earlier one counts", |_, events| {
            let at = index(events, |event| matches!(event, Event::TrialJudged(_)));
            let mut started = match &events[1] {
                Event::AttemptStarted(started) => started.clone(),
                _ => panic!("no start"),
            };
            started.attempt = 2;
            started.launch = 2;
            events.insert(at, Event::AttemptStarted(started));
        }),
        ("an infrastructure's failure not tried again", "another attempt first", |_, events| {
            ended_mut(events).outcome = Outcome::InfrastructureFailed("no network".to_owned());
        }),
        ("0 tokens", "0 tokens in all", |_, events| {
            ended_mut(events).usage.total_tokens = Some(0);
        }),
        ("tokens that do not add up", "the sum of input and output", |_, events| {
            ended_mut(events).usage.total_tokens = Some(400);
        }),
        ("an audit that contradicts itself", "a read audit that says", |_, events| {
            ended_mut(events).trace.audit.findings.push("x".to_owned());
        }),
        ("a time that is none", "the time `yesterday`", |_, events| {
            ended_mut(events).run.ended_at = "yesterday".to_owned();
        }),
        ("another size of a log", "the event log", |_, events| {
            ended_mut(events).run.events.bytes += 1;
        }),
        ("a log of another attempt that does not exist", "the trace", |_, events| {
            ended_mut(events).trace.events.sha256 = Sha256Hex::of(b"nothing");
        }),
        ("a slide less", "the render set", |_, events| {
            judged_mut(events).render.as_mut().unwrap().slides.pop();
        }),
        ("a check less", "no check `", |_, events| {
            judged_mut(events).checks.remove(0);
        }),
        ("a baseline that is not the sealed one", "the sealed ones", |_, events| {
            let mut all: Vec<_> = events.iter_mut().filter_map(|event| match event {
                Event::BaselineRendered(one) => Some(one),
                _ => None,
            }).collect();
            let other = all[2].artifact.clone();
            all[0].artifact = other;
        }),
        ("a packet of another hash", "packet.json`: found the hash", |_, events| {
            let at = index(events, |event| matches!(event, Event::PacketWritten(_)));
            if let Event::PacketWritten(written) = &mut events[at] {
                written.packet_sha256 = Sha256Hex::of(b"x");
            }
        }),
        ("a packet less", "after 3 packets", |_, events| {
            let at = index(events, |event| matches!(event, Event::PacketWritten(_)));
            events.remove(at);
            if let Some(Event::ExecuteFinished(end)) = events.iter_mut().find(|event| matches!(event, Event::ExecuteFinished(_))) {
                end.packets -= 1;
            }
        }),
        ("a review before the end", "reviews after the end", |_, events| {
            let end = index(events, |event| matches!(event, Event::ExecuteFinished(_)));
            events.swap(end, end + 1);
        }),
        ("a review twice", "each review once", |_, events| {
            events.push(events.last().unwrap().clone());
        }),
        ("a picture that is none", "1280x720 PNG", |lab, events| {
            let bytes = b"not a picture at all";
            let sha256 = lab.layout().store().put(bytes).unwrap();
            let render = judged_mut(events).render.as_mut().unwrap();
            render.slides[0] = Object { sha256, bytes: bytes.len() as u64 };
            let hashes: Vec<_> = render.slides.iter().map(|one| one.sha256.as_str()).collect();
            render.sha256 = deckproof_renderers::png::render_set_sha256(&hashes).parse().unwrap();
        }),
    ];
    for (what, expected, forgery) in forgeries {
        refused(what, |lab| {
            forge(lab, forgery);
            expected.to_owned()
        });
    }
}

/// A review that is written anew for another packet, with a record to match.
#[test]
fn a_review_forged_for_another_packet() {
    refused("a replayed review", |lab| {
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

#[test]
fn an_experiment_holds_before_it_is_finished() {
    let lab = Lab::run(&Script { unfinished: true, ..Script::default() });
    let verified = verify(&lab.root).unwrap();
    assert_eq!(verified.history.judged(), 4);
    assert!(verified.comparisons.is_empty());
}

#[test]
fn a_plan_that_a_stop_left_behind_is_no_tampering() {
    let lab = Lab::run(&Script { unfinished: true, ..Script::default() });
    let (mut journal, _) = Journal::<Event>::resume(&lab.path("journal.jsonl")).unwrap();
    let plan_sha256 = Sha256Hex::of(b"the new plan");
    let drawn = Event::MappingsDrawn(crate::experiment::records::MappingsDrawn { plan_sha256 });
    journal.append("2026-01-02T03:04:05Z".to_owned(), drawn).unwrap();
    let error = crate::summary::summarize(&lab.root).unwrap_err().to_string();
    assert!(error.contains("stopped while the plan was rewritten; `deckproof execute"), "{error}");
}

#[test]
fn the_counts_are_those_of_the_files() {
    let verified = verify(&GOOD.root).unwrap();
    assert_eq!(verified.counts.pictures, 16);
    assert_eq!((verified.comparisons.len(), verified.reviews.len()), (4, 4));
    assert!(verified.counts.objects > 30, "{:?}", verified.counts);
}
