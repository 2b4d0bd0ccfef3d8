// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that are changed, gone, added, swapped, or links.

use std::os::unix::fs::symlink;
use std::process::Command;

use deckproof_packets::json;

use super::*;
use crate::experiment::records::Artifact;

fn first_end(lab: &Lab) -> AttemptEndedOf {
    let event = events(lab).into_iter().find_map(|event| match event {
        Event::AttemptEnded(ended) => Some(*ended),
        _ => None,
    });
    let ended = event.unwrap();
    let Artifact::Stored(artifact) = ended.artifact else {
        panic!("no deck")
    };
    let tree: deckproof_packets::tree::Tree = json::read(
        "tree",
        &lab.layout().store().get(&artifact.tree.sha256).unwrap(),
    )
    .unwrap();
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
    files
        .find(|file| file.path.as_str() == path)
        .unwrap()
        .sha256
        .clone()
}

fn first_packet(lab: &Lab) -> PathBuf {
    lab.layout().packet(&lab.mappings()[0].packet)
}

/// Finds an object of the experiment.
type FindObject = fn(&Lab) -> Sha256Hex;

#[test]
fn a_byte_of_any_object() {
    let good = good();
    let named: [(&str, FindObject); 11] = [
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
        ("a prompt", |lab| {
            Experiment::open(&lab.root).unwrap().plan.trials[0]
                .prompt_sha256
                .clone()
        }),
    ];
    for (what, hash) in named {
        refused(&good, what, |lab| {
            let (path, name) = object(lab, &hash(lab));
            flip(&path);
            name
        });
    }
}

#[test]
fn what_a_changed_object_was_is_said() {
    let good = good();
    let said = |spoil: &dyn Fn(&Lab)| {
        let lab = good.copy();
        spoil(&lab);
        verify(&lab.root).unwrap_err().to_string()
    };
    let kinds: [(&str, FindObject); 5] = [
        ("picture 1 of `", first_picture),
        ("the event log of attempt 1 at `", |lab| {
            first_end(lab).events
        }),
        ("the sealed input `one/brief.md`", |lab| {
            locked(lab, "one/brief.md")
        }),
        ("the list of files of attempt 1 at `", |lab| {
            first_end(lab).list
        }),
        ("the prompt of `", |lab| {
            let plan = Experiment::open(&lab.root).unwrap().plan;
            plan.trials[0].prompt_sha256.clone()
        }),
    ];
    for (kind, find) in kinds {
        let hash = find(&good);
        let error = said(&|lab| flip(&object(lab, &hash).0));
        let expected = format!("expected {hash}, {kind}");
        assert!(
            error.contains(&expected) && error.contains("untouched copy"),
            "{expected}: {error}"
        );
    }
    let spec = locked(&good, "two/spec.json");
    let error = said(&|lab| flip(&object(lab, &spec).0));
    assert!(
        error.contains(&format!(
            "expected {spec}, the sealed input `two/spec.json`"
        )),
        "{error}"
    );
    let other = format!("ab/{}", "c".repeat(62));
    for (name, found) in [
        ("ab/notes.txt", "whose name is no hash"),
        (other.as_str(), "whose content hashes to"),
    ] {
        let error = said(&|lab| {
            let path = lab.path("objects").join(name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, "not mine").unwrap();
        });
        assert!(
            error.contains(&format!("{name}`: found a stray file, {found}")),
            "{error}"
        );
    }
    let error = said(&|lab| flip(&lab.path("plan.json")));
    assert!(
        error.contains("plan.json`: has changed: found content that hashes to")
            && error.contains("which the journal names; restore"),
        "{error}"
    );
}

#[test]
fn objects_that_are_gone_short_long_or_foreign() {
    let good = good();
    refused(&good, "a log that is gone", |lab| {
        let (path, name) = object(lab, &first_end(lab).stderr);
        fs_err::remove_file(path).unwrap();
        name
    });
    refused(&good, "a picture cut short", |lab| {
        let (path, name) = object(lab, &first_picture(lab));
        edit(&path, |bytes| bytes[..bytes.len() / 2].to_vec());
        name
    });
    refused(&good, "a log that goes on", |lab| {
        let (path, name) = object(lab, &first_end(lab).events);
        edit(&path, |bytes| [bytes, b"more".to_vec()].concat());
        name
    });
    refused(&good, "a link to the same bytes", |lab| {
        let (path, name) = object(lab, &first_picture(lab));
        let elsewhere = lab.beside("elsewhere");
        fs_err::rename(&path, &elsewhere).unwrap();
        symlink(&elsewhere, &path).unwrap();
        name
    });
    refused(&good, "an object under another name", |lab| {
        let other = Sha256Hex::of(b"another");
        let (path, name) = object(lab, &other);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, "not the other").unwrap();
        name
    });
    refused(&good, "a file that is no object", |lab| {
        fs_err::write(lab.path("objects/notes.txt"), "x").unwrap();
        "objects/notes.txt".to_owned()
    });
    refused(&good, "a folder in a folder of objects", |lab| {
        let (path, _) = object(lab, &first_picture(lab));
        fs_err::create_dir(path.with_file_name("more")).unwrap();
        "/more".to_owned()
    });
}

#[test]
fn packets() {
    let good = good();
    let brief = |lab: &Lab| first_packet(lab).join("brief.md");
    refused(&good, "a picture's byte", |lab| {
        flip(&first_packet(lab).join("A/slide-001.png"));
        "A/slide-001.png".to_owned()
    });
    refused(&good, "pictures swapped between A and B", |lab| {
        let (a, b) = (
            first_packet(lab).join("A/slide-002.png"),
            first_packet(lab).join("B/slide-002.png"),
        );
        let beside = lab.beside("swap");
        fs_err::rename(&a, &beside).unwrap();
        fs_err::rename(&b, &a).unwrap();
        fs_err::rename(&beside, &b).unwrap();
        "A/slide-002.png".to_owned()
    });
    refused(&good, "both folders swapped", |lab| {
        let (a, b) = (first_packet(lab).join("A"), first_packet(lab).join("B"));
        fs_err::rename(&a, lab.beside("swap")).unwrap();
        fs_err::rename(&b, &a).unwrap();
        fs_err::rename(lab.beside("swap"), &b).unwrap();
        "A/slide-001.png".to_owned()
    });
    refused(&good, "a brief", |lab| {
        replace(&brief(lab), "deck", "duck");
        "brief.md".to_owned()
    });
    refused(&good, "the page", |lab| {
        flip(&first_packet(lab).join("page.html"));
        "page.html".to_owned()
    });
    refused(&good, "packet.json", |lab| {
        replace(
            &first_packet(lab).join("packet.json"),
            "A deck was made.",
            "A duck was made.",
        );
        name(&first_packet(lab))
    });
    refused(&good, "a file more", |lab| {
        fs_err::write(first_packet(lab).join("hint.txt"), "A is new").unwrap();
        "hint.txt".to_owned()
    });
    refused(&good, "a file less", |lab| {
        fs_err::remove_file(brief(lab)).unwrap();
        "brief.md".to_owned()
    });
    refused(&good, "a link", |lab| {
        fs_err::rename(brief(lab), lab.beside("brief.md")).unwrap();
        symlink(lab.beside("brief.md"), brief(lab)).unwrap();
        "brief.md".to_owned()
    });
    refused(&good, "a packet more", |lab| {
        fs_err::create_dir(lab.path("packets/more")).unwrap();
        "packets/more".to_owned()
    });
    refused(&good, "a packet less", |lab| {
        let packet = first_packet(lab);
        fs_err::remove_dir_all(&packet).unwrap();
        format!("packets/{}", name(&packet))
    });
    refused(&good, "two packets under each other's name", |lab| {
        let ids = lab.mappings();
        let (one, other) = (
            lab.layout().packet(&ids[0].packet),
            lab.layout().packet(&ids[1].packet),
        );
        fs_err::rename(&one, lab.beside("swap")).unwrap();
        fs_err::rename(&other, &one).unwrap();
        fs_err::rename(lab.beside("swap"), &other).unwrap();
        format!("{}/packet.json", name(&one))
    });
    refused(&good, "a packet behind a link", |lab| {
        let packet = first_packet(lab);
        fs_err::rename(&packet, lab.beside("moved")).unwrap();
        symlink(lab.beside("moved"), &packet).unwrap();
        name(&packet)
    });
}

/// Bends the text of a file.
type Bend = fn(String) -> String;

#[test]
fn mappings_and_the_private_folder() {
    let good = good();
    let mapping = |lab: &Lab| lab.layout().mapping(&lab.mappings()[0].packet);
    let changes: [(&str, Bend); 6] = [
        ("the labels swapped", |text| {
            let flipped = if text.contains("\"candidate\": \"A\"") {
                ["A", "B"]
            } else {
                ["B", "A"]
            };
            text.replace(
                &format!("\"candidate\": \"{}\"", flipped[0]),
                &format!("\"candidate\": \"{}\"", flipped[1]),
            )
        }),
        ("the sides swapped", |text| {
            text.replace("candidate_side", "x")
                .replace("baseline_side", "candidate_side")
                .replace("\"x\"", "\"baseline_side\"")
        }),
        ("another nonce", |text| {
            let at = text.find("\"nonce\": \"").unwrap() + 10;
            let digit = if text[at..].starts_with('0') {
                "1"
            } else {
                "0"
            };
            format!("{}{digit}{}", &text[..at], &text[at + 1..])
        }),
        ("another trial", |text| {
            if text.contains("case-one") {
                text.replace("case-one", "case-two")
            } else {
                text.replace("case-two", "case-one")
            }
        }),
        ("a key twice", |text| {
            text.replacen('{', "{\"candidate\":\"A\",", 1)
        }),
        ("cut short", |text| text[..text.len() / 2].to_owned()),
    ];
    for (what, change) in changes {
        refused(&good, what, |lab| {
            let path = mapping(lab);
            edit(&path, |bytes| {
                change(String::from_utf8(bytes).unwrap()).into_bytes()
            });
            name(&path)
        });
    }
    refused(&good, "a mapping less", |lab| {
        let path = mapping(lab);
        fs_err::remove_file(&path).unwrap();
        name(&path)
    });
    refused(&good, "a mapping more", |lab| {
        fs_err::copy(mapping(lab), lab.path("private/mappings/more.json")).unwrap();
        "mappings/more.json".to_owned()
    });
    refused(&good, "a mapping that others can read", |lab| {
        let path = mapping(lab);
        set_mode(&path, 0o644);
        name(&path)
    });
    refused(&good, "a private folder that others can read", |lab| {
        set_mode(&lab.path("private"), 0o755);
        "private`: found mode 0755".to_owned()
    });
    refused(&good, "a stray file", |lab| {
        fs_err::write(lab.path("private/key"), "x").unwrap();
        "private/key".to_owned()
    });
    refused(&good, "a pipe", |lab| {
        let status = Command::new("mkfifo")
            .arg(lab.path("private/pipe"))
            .status();
        assert!(status.unwrap().success());
        "private/pipe`: found a special file".to_owned()
    });
}

#[test]
fn what_was_sealed() {
    let good = good();
    let task = "sealed/tasks/case-one.web.1";
    refused(&good, "the suite", |lab| {
        replace(
            &lab.path("sealed/suite.toml"),
            "median_token_improvement_percent = 30",
            "median_token_improvement_percent = 10",
        );
        "sealed/suite.toml".to_owned()
    });
    refused(&good, "the lock", |lab| {
        replace(
            &lab.path("sealed/suite.lock.json"),
            "one/brief.md",
            "one/grief.md",
        );
        "sealed/suite.lock.json".to_owned()
    });
    refused(&good, "a limit in the plan", |lab| {
        replace(&lab.path("plan.json"), "\"group\": 1", "\"group\": 0");
        "plan.json".to_owned()
    });
    refused(&good, "a commitment in the plan", |lab| {
        let commitment = lab.mappings()[0].commitment();
        replace(
            &lab.path("plan.json"),
            commitment.as_str(),
            Sha256Hex::of(b"x").as_str(),
        );
        "plan.json".to_owned()
    });
    refused(&good, "no plan", |lab| {
        fs_err::remove_file(lab.path("plan.json")).unwrap();
        "plan.json".to_owned()
    });
    for file in [
        "brief.md",
        "amendments/amendment_2.md",
        "assets/chart.png",
        "spec.json",
    ] {
        refused(&good, file, |lab| {
            flip(&lab.path(&format!("{task}/{file}")));
            format!("{task}/{file}")
        });
    }
    refused(&good, "a task file that can be run", |lab| {
        set_mode(&lab.path(&format!("{task}/brief.md")), 0o555);
        format!("{task}/brief.md`: found that it has mode 555")
    });
    refused(&good, "a task file more", |lab| {
        let folder = lab.path(task);
        in_folder(&folder, || {
            fs_err::write(folder.join("hint.md"), "x").unwrap()
        });
        format!("{task}/hint.md")
    });
    refused(&good, "a task file less", |lab| {
        let folder = lab.path(&format!("{task}/assets"));
        in_folder(&folder, || {
            fs_err::remove_file(folder.join("chart.png")).unwrap()
        });
        format!("{task}/assets/chart.png")
    });
    refused(&good, "a link among the task files", |lab| {
        let folder = lab.path(task);
        in_folder(&folder, || {
            symlink("/etc/passwd", folder.join("link")).unwrap()
        });
        format!("{task}/link")
    });
    refused(&good, "a task tree more", |lab| {
        fs_err::create_dir(lab.path("sealed/tasks/case-one.web.2")).unwrap();
        "tasks/case-one.web.2".to_owned()
    });
    refused(&good, "a stray file", |lab| {
        fs_err::write(lab.path("sealed/notes"), "x").unwrap();
        "sealed/notes".to_owned()
    });
}

#[test]
fn reviews_on_file() {
    let good = good();
    refused(&good, "a score", |lab| {
        let path = first_review(lab);
        replace(&path, "\"score\": 4", "\"score\": 5");
        name(&path)
    });
    refused(&good, "a review less", |lab| {
        let path = first_review(lab);
        fs_err::remove_file(&path).unwrap();
        name(&path)
    });
    refused(&good, "a review twice", |lab| {
        fs_err::copy(first_review(lab), lab.path("reviews/again.json")).unwrap();
        "reviews/again.json".to_owned()
    });
    refused(&good, "a review cut short", |lab| {
        let path = first_review(lab);
        edit(&path, |bytes| bytes[..bytes.len() - 5].to_vec());
        name(&path)
    });
    refused(&good, "a key twice", |lab| {
        let path = first_review(lab);
        edit(&path, |bytes| {
            String::from_utf8(bytes)
                .unwrap()
                .replacen('{', "{\"id\":\"x\",", 1)
                .into_bytes()
        });
        name(&path)
    });
    refused(&good, "invalid UTF-8", |lab| {
        let path = first_review(lab);
        edit(&path, |mut bytes| {
            bytes[40] = 0xff;
            bytes
        });
        name(&path)
    });
    refused(&good, "a review for another packet", |lab| {
        let path = first_review(lab);
        let text = fs_err::read_to_string(&path).unwrap();
        let ids: Vec<_> = lab
            .mappings()
            .into_iter()
            .map(|one| one.packet.to_string())
            .collect();
        let own = ids.iter().find(|id| text.contains(*id)).unwrap();
        let other = ids.iter().find(|id| *id != own).unwrap();
        replace(&path, own, other);
        name(&path)
    });
    refused(&good, "a review behind a link", |lab| {
        let path = first_review(lab);
        fs_err::rename(&path, lab.beside("review")).unwrap();
        symlink(lab.beside("review"), &path).unwrap();
        name(&path)
    });
}

#[test]
fn strangers_in_the_experiment() {
    let good = good();
    refused(&good, "a file", |lab| {
        fs_err::write(lab.path("notes.txt"), "x").unwrap();
        "notes.txt".to_owned()
    });
    refused(&good, "a folder where a file belongs", |lab| {
        fs_err::create_dir(lab.path("report.html")).unwrap();
        "report.html".to_owned()
    });
    refused(&good, "objects behind a link", |lab| {
        fs_err::rename(lab.path("objects"), lab.beside("objects")).unwrap();
        symlink(lab.beside("objects"), lab.path("objects")).unwrap();
        "objects`: found a symbolic link".to_owned()
    });
    let error = verify(&good.beside("nowhere")).unwrap_err().to_string();
    assert!(
        error.contains("nowhere` is not an experiment directory"),
        "{error}"
    );
    // An edited summary changes no verdict, but `verify` names it.
    let lab = good.copy();
    replace(&lab.path("summary.json"), "\"pass\"", "\"fail\"");
    assert!(
        verify(&lab.root)
            .unwrap_err()
            .to_string()
            .contains("summary.json")
    );
    // What an interrupted write left is no stranger.
    let lab = good.copy();
    fs_err::write(lab.path("objects/.deckproof-aB3xZ9"), "half").unwrap();
    verify(&lab.root).unwrap();
}
