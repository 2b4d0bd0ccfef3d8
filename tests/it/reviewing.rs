// SPDX-License-Identifier: MIT OR Apache-2.0
//! Panels, voided packets, model reviewers, signatures and the served page, by the program itself; and
//! operators and reviewers who cheat.

use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::{Ran, TinySuite, copy, failed_gates, program, responses, run};

const PANEL: &str = "[review.panel]\nrepeat_percent = 50\nbroken_percent = 50\n\n\
                     [review.panel.seats]\nscripted = 2\n\n[gates]";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn plan(experiment: &Path) -> Value {
    serde_json::from_slice(&fs::read(experiment.join("plan.json")).unwrap()).unwrap()
}

/// The commitments that are not voided.
fn standing(experiment: &Path) -> Vec<Value> {
    let plan = plan(experiment);
    let all = plan["commitments"].as_array().unwrap().iter();
    all.filter(|one| one.get("voided").is_none())
        .cloned()
        .collect()
}

/// Saves a good response for every packet that stands, by the reviewer of its seat.
fn save_all(experiment: &Path) -> Vec<PathBuf> {
    let standing = standing(experiment);
    let mut paths = Vec::new();
    for mut response in responses(experiment) {
        let mut all = standing.iter();
        let Some(one) = all.find(|one| one["packet"] == response["packet"]) else {
            continue;
        };
        if let Some(seat) = one.get("seat") {
            let number = &seat["seat"]["number"];
            response["reviewer"]["id"] = json!(format!("script {number}"));
        }
        let name = format!("r-{}.json", response["packet"].as_str().unwrap());
        let path = experiment.parent().unwrap().join(name);
        fs::write(&path, response.to_string()).unwrap();
        paths.push(path);
    }
    paths
}

fn accept(experiment: &Path, paths: &[PathBuf]) -> Ran {
    let mut command = program();
    command
        .args(["review", "accept"])
        .arg(experiment)
        .args(paths);
    command.output().unwrap().into()
}

fn void(experiment: &Path, packet: &str, reason: &str) -> Ran {
    run([
        "packet",
        "void",
        text(experiment),
        packet,
        "--reason",
        reason,
    ])
}

#[test]
fn a_panel_with_a_voided_packet_passes_and_cannot_be_bent() {
    let suite = TinySuite::new();
    suite.edit("suite.toml", "[gates]", PANEL);
    let experiment = suite.prepare();
    run(["execute", text(&experiment)]).expect(0);
    // Two comparisons, one repeat and one anchor for each of two seats.
    assert_eq!(standing(&experiment).len(), 8);
    let status = run(["review", "status", text(&experiment)]).expect(1);
    assert_eq!(status.stdout.matches("scripted-2 no. ").count(), 4);
    let packet = standing(&experiment)[0]["packet"]
        .as_str()
        .unwrap()
        .to_owned();
    let refusal = void(&experiment, &packet, "x").expect(2).stderr;
    assert!(
        refusal.contains("found 1 letter or digit, expected at least 8"),
        "{refusal}"
    );
    void(&experiment, &packet, "a slide named its maker").expect(0);
    for (id, found) in [
        (
            &packet,
            "which is voided (a slide named its maker) and replaced by ",
        ),
        (
            &"0".repeat(32),
            "expected the id of a packet of this experiment",
        ),
    ] {
        let refusal = void(&experiment, id, "a slide named its maker")
            .expect(2)
            .stderr;
        assert!(
            refusal.contains(found) && refusal.contains("`deckproof packet list "),
            "{refusal}"
        );
    }
    run(["verify", text(&experiment)]).expect(0);
    a_voided_packet_is_no_longer_handed_out(&experiment, &packet);
    assert_eq!(
        plan(&experiment)["commitments"].as_array().unwrap().len(),
        9
    );
    let paths = save_all(&experiment);
    let late = experiment.parent().unwrap().join("late.json");
    let voided = responses(&experiment);
    let voided = voided.iter().find(|one| one["packet"] == packet.as_str());
    fs::write(&late, voided.unwrap().to_string()).unwrap();
    let refused = accept(&experiment, &[late]).expect(2);
    assert!(
        refused.stderr.contains("which was voided (a slide named"),
        "{}",
        refused.stderr
    );
    accept(&experiment, &paths).expect(0);
    run(["review", "status", text(&experiment)]).expect(0);
    run(["summarize", text(&experiment)]).expect(0);
    run(["report", text(&experiment)]).expect(0);
    run(["verify", text(&experiment)]).expect(0);
    let bent = experiment.parent().unwrap().join("bent");
    for (number, bend) in BENDS.into_iter().enumerate() {
        let bent = bent.join(number.to_string());
        fs::create_dir_all(bent.parent().unwrap()).unwrap();
        copy(&experiment, &bent);
        bend(&bent, &packet);
        run(["verify", text(&bent)]).expect(2);
        run(["summarize", text(&bent)]).expect(2);
    }
}

fn a_voided_packet_is_no_longer_handed_out(experiment: &Path, id: &str) {
    let voided = "voided (a slide named its maker) and replaced by ";
    let folder = experiment.join("packets").join(id);
    let lines = |command: &str, path: &Path| {
        let said = run(["packet", command, text(path)]).expect(0).stdout;
        let lines = said.lines().filter(|line| line.contains(voided));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    for (command, path) in [
        ("list", experiment),
        ("verify", experiment),
        ("verify", folder.as_path()),
    ] {
        let told = lines(command, path);
        assert!(told.len() == 1 && told[0].starts_with(id), "{told:?}");
    }
    let beside = experiment.parent().unwrap();
    let zip = beside.join("voided.zip");
    let export = |folder: &Path| run(["packet", "export", text(folder), "--out", text(&zip)]);
    let open = run(["review", "open", text(&folder)]);
    for refused in [export(&folder).expect(2), open.expect(2)] {
        assert!(refused.stderr.contains(voided), "{}", refused.stderr);
    }
    assert!(!zip.exists());
    // Away from its experiment nobody can tell.
    let alone = beside.join("alone");
    copy(&folder, &alone);
    assert!(lines("verify", &alone).is_empty());
    export(&alone).expect(0);
}

/// The ids of the reviews on file, as `review status` tells them.
fn review_ids(experiment: &Path) -> Vec<String> {
    let status = run(["review", "status", text(experiment)]).stdout;
    let ids = status.split(", review ").skip(1);
    ids.map(|rest| rest.split(')').next().unwrap().to_owned())
        .collect()
}

#[test]
fn what_no_longer_holds_goes_with_a_word() {
    let suite = TinySuite::new();
    let experiment = suite.run_through();
    let folder = text(&experiment);
    let withdraw =
        |id: &str, reason: &str| run(["review", "withdraw", folder, id, "--reason", reason]);
    run(["summarize", folder]).expect(0);
    run(["report", folder]).expect(0);
    let ids = review_ids(&experiment);
    assert_eq!(ids.len(), 2);
    for (id, reason, found) in [
        (ids[0].as_str(), "x", "say in a few words why"),
        (
            "nope",
            "judged at the wrong screen",
            "`nope`, expected the id",
        ),
    ] {
        let refusal = withdraw(id, reason).expect(2).stderr;
        assert!(refusal.contains(found), "{refusal}");
        assert!(!refusal.contains("untouched copy"), "{refusal}");
    }
    assert!(experiment.join("summary.json").exists());
    let told = withdraw(&ids[0], "judged at the wrong screen")
        .expect(0)
        .stderr;
    assert!(
        told.contains("summary.json and report.html no longer hold and were removed; run `deckproof summarize "),
        "{told}"
    );
    let refusal = withdraw(&ids[0], "judged at the wrong screen")
        .expect(2)
        .stderr;
    assert!(
        refusal.contains("withdrawn already (judged at the wrong screen)")
            && refusal.contains("`deckproof review status "),
        "{refusal}"
    );
    assert_eq!(review_ids(&experiment), &ids[1..]);

    run(["summarize", folder]).expect(1);
    let next = run(["execute", folder]).expect(0).stdout;
    assert!(
        next.contains("next: 1 required review is missing"),
        "{next}"
    );
    let all = responses(&experiment);
    let missing = all.iter().find(|one| {
        let status = run(["review", "status", folder]).stdout;
        let id = one["packet"].as_str().unwrap();
        status
            .lines()
            .any(|line| line.contains(id) && line.contains("filed: none"))
    });
    let mut again = missing.unwrap().clone();
    again["reviewer"]["thread"] = json!("test-again");
    for label in ["A", "B"] {
        for name in ["content", "craft"] {
            let reason = format!("At the right screen {label} has a sound {name}.");
            again["labels"][label]["dimensions"][name]["rationale"] = json!(reason);
        }
    }
    let response = experiment.parent().unwrap().join("again.json");
    fs::write(&response, again.to_string()).unwrap();
    let told = accept(&experiment, &[response]).expect(0).stderr;
    assert!(
        told.contains("summary.json no longer holds and was removed"),
        "{told}"
    );
    let next = run(["execute", folder]).expect(0).stdout;
    assert!(
        next.contains("next: every required review is filed"),
        "{next}"
    );
    let quiet = run(["-q", "execute", folder]).expect(0).stdout;
    assert!(!quiet.contains("next:"), "{quiet}");

    run(["summarize", folder]).expect(0);
    let packet = again["packet"].as_str().unwrap();
    let told = void(&experiment, packet, "a slide named its maker")
        .expect(0)
        .stderr;
    assert!(
        told.contains("summary.json no longer holds and was removed"),
        "{told}"
    );
    assert!(!experiment.join("summary.json").exists());
}

/// What an operator might do to an experiment and one of its packets.
type Bend = fn(&Path, &str);

const BENDS: [Bend; 5] = [
    // Takes a draw out of the plan.
    |experiment, packet| {
        let mut plan = plan(experiment);
        let all = plan["commitments"].as_array_mut().unwrap();
        all.retain(|one| one["packet"] != packet);
        let text = serde_json::to_string_pretty(&plan).unwrap();
        fs::write(experiment.join("plan.json"), text).unwrap();
    },
    // Swaps a mapping.
    |experiment, packet| {
        let path = experiment.join(format!("private/mappings/{packet}.json"));
        let old = fs::read_to_string(&path).unwrap();
        let new = match old.contains("\"candidate\": \"A\"") {
            true => old.replace("\"candidate\": \"A\"", "\"candidate\": \"B\""),
            false => old.replace("\"candidate\": \"B\"", "\"candidate\": \"A\""),
        };
        assert_ne!(old, new);
        fs::write(&path, new).unwrap();
    },
    // Says that a packet is only a repeat.
    |experiment, _| {
        let folder = experiment.join("private/mappings");
        for item in fs::read_dir(folder).unwrap() {
            let path = item.unwrap().path();
            let mut mapping: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            if mapping.get("purpose").is_none() {
                mapping["purpose"] = json!("repeat");
                fs::write(&path, serde_json::to_string_pretty(&mapping).unwrap()).unwrap();
                return;
            }
        }
    },
    // Drops a packet.
    |experiment, packet| {
        fs::remove_dir_all(experiment.join("packets").join(packet)).unwrap();
    },
    // Edits a review.
    |experiment, _| {
        let item = fs::read_dir(experiment.join("reviews")).unwrap().next();
        let path = item.unwrap().unwrap().path();
        let old = fs::read_to_string(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        fs::write(&path, old.replacen("\"score\": 4", "\"score\": 5", 1)).unwrap();
    },
];

/// A suite that asks for a model's review, executed.
fn for_models() -> (TinySuite, PathBuf) {
    let suite = TinySuite::new();
    let (from, to) = ("[\"scripted\"]", "[\"model\"]");
    suite.edit("suite.toml", from, to);
    let experiment = suite.prepare();
    run(["execute", text(&experiment)]).expect(0);
    (suite, experiment)
}

/// A program that reviews: it looks for its packet, and says `reply` with MARK made its own.
fn reviewer(suite: &TinySuite, reply: &str) -> PathBuf {
    let path = suite.folder.path().join("reviewers/judge.sh");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let script = format!(
        "#!/bin/sh\nset -eu\ncat > question.txt\ngrep -q 'A/slide-001.png' question.txt\n\
         test -s packet/A/slide-001.png\ntest ! -e ../../../private\n\
         mark=$(sha256sum packet/packet.json | cut -c1-12)\n\
         sed \"s/MARK/$mark/g\" <<'REPLY'\n{reply}\nREPLY\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn good_reply() -> Value {
    let judgement = |what: &str| {
        json!({"score": 4, "pass": true,
            "rationale": format!("In MARK the one slide has a sound {what}, to the last word.")})
    };
    let label =
        json!({"dimensions": {"content": judgement("title"), "craft": judgement("margin")}});
    json!({"guess": null, "labels": {"A": label, "B": label},
        "overall_rationale": "Both slides of MARK say the same; nothing sets them apart."})
}

fn judge(experiment: &Path, program: &Path) -> Ran {
    run([
        "review",
        "run",
        text(experiment),
        "--host",
        "command",
        "--model",
        "m-judge",
        "--program",
        text(program),
    ])
}

fn runs(experiment: &Path) -> usize {
    let journal = fs::read_to_string(experiment.join("journal.jsonl")).unwrap();
    journal.matches("\"reviewer_ran\"").count()
}

#[test]
fn a_model_reviews_every_packet_and_is_asked_no_more() {
    let (suite, experiment) = for_models();
    let judge_sh = reviewer(&suite, &good_reply().to_string());
    judge(&experiment, &judge_sh).expect(0);
    assert_eq!(runs(&experiment), 2);
    let again = judge(&experiment, &judge_sh).expect(0);
    assert!(again.stdout.contains("no packet lacks"), "{}", again.stdout);
    assert_eq!(runs(&experiment), 2);
    run(["summarize", text(&experiment)]).expect(0);
    run(["verify", text(&experiment)]).expect(0);
    assert!(failed_gates(&experiment).is_empty());
}

#[test]
fn a_program_that_says_nothing_is_told_so() {
    let (_suite, experiment) = for_models();
    let ran = judge(&experiment, Path::new("/bin/true")).expect(1);
    assert!(
        ran.stdout
            .contains("the program wrote nothing on standard output"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_reply_that_is_no_review_is_asked_for_once_more_and_then_given_up() {
    let (suite, experiment) = for_models();
    let mut bad = good_reply();
    bad["labels"]["A"]["dimensions"]["craft"]["score"] = json!(9);
    let ran = judge(&experiment, &reviewer(&suite, &bad.to_string())).expect(1);
    assert!(ran.stdout.contains("a score from 1 to 5"), "{}", ran.stdout);
    assert_eq!(runs(&experiment), 4);
    // A good reply comes too late.
    judge(&experiment, &reviewer(&suite, &good_reply().to_string())).expect(1);
    assert_eq!(runs(&experiment), 4);
    run(["verify", text(&experiment)]).expect(0);
    run(["summarize", text(&experiment)]).expect(1);
    assert_eq!(failed_gates(&experiment), ["semantic_non_regression"]);
}

#[test]
fn signatures_hold_by_the_keys_that_are_brought() {
    let suite = TinySuite::new();
    let experiment = suite.prepare();
    run(["execute", text(&experiment)]).expect(0);
    let folder = suite.folder.path();
    let Some((key, other)) = keys(folder) else {
        return;
    };
    let paths = save_all(&experiment);
    for path in &paths {
        run(["review", "sign", text(path), "--key", text(&key)]).expect(0);
    }
    accept(&experiment, &paths).expect(0);
    run(["summarize", text(&experiment), "--sign", text(&key)]).expect(0);
    let signers = folder.join("signers");
    let check = |line: String, code: i32| {
        fs::write(&signers, line).unwrap();
        run(["verify", text(&experiment), "--keys", text(&signers)]).expect(code)
    };
    let public = |key: &Path| fs::read_to_string(key.with_extension("pub")).unwrap();
    let good = check(format!("test-script {}", public(&key)), 0);
    assert!(good.stdout.contains("2 reviews by keys"), "{}", good.stdout);
    check(format!("* {}", public(&key)), 0);
    let refused = check(format!("* {}", public(&other)), 2);
    assert!(
        refused.stderr.contains("by another key"),
        "{}",
        refused.stderr
    );
    check(format!("somebody {}", public(&key)), 2);
    check("nonsense\n".to_owned(), 2);
    // Signed anew by somebody else, or not at all.
    let signature = experiment.join("signatures/summary.sig");
    let summary = experiment.join("summary.json");
    let sign = |key: &Path| {
        run(["summarize", text(&experiment), "--sign", text(key)]).expect(0);
    };
    sign(&other);
    check(format!("* {}", public(&key)), 2);
    sign(&key);
    fs::remove_file(&signature).unwrap();
    check(format!("* {}", public(&key)), 2);
    sign(&key);
    fs::write(&signature, fs::read(&summary).unwrap()).unwrap();
    run(["verify", text(&experiment)]).expect(2);
}

#[test]
fn a_review_without_a_signature_can_still_be_signed() {
    let suite = TinySuite::new();
    let experiment = suite.run_through();
    let folder = suite.folder.path();
    let Some((key, _)) = keys(folder) else {
        return;
    };
    let signers = folder.join("signers");
    let public = fs::read_to_string(key.with_extension("pub")).unwrap();
    fs::write(&signers, format!("test-script {public}")).unwrap();
    let check = || run(["verify", text(&experiment), "--keys", text(&signers)]);
    let refusal = check().expect(2).stderr;
    assert!(
        refusal.contains("found no signature, expected a signature of the review")
            && refusal.contains("`deckproof review sign RESPONSE`")
            && refusal.contains("leave `--keys` out")
            && !refusal.contains("untouched copy"),
        "{refusal}"
    );
    // As it says: the signature of the response belongs there.
    fs::create_dir(experiment.join("signatures")).unwrap();
    for index in 0..2 {
        let response = folder.join(format!("response-{index}.json"));
        run(["review", "sign", text(&response), "--key", text(&key)]).expect(0);
        let packet: Value = serde_json::from_slice(&fs::read(&response).unwrap()).unwrap();
        let mut items = fs::read_dir(experiment.join("reviews")).unwrap();
        let review = items.find_map(|item| {
            let path = item.unwrap().path();
            let review = fs::read_to_string(&path).unwrap();
            review
                .contains(packet["packet"].as_str().unwrap())
                .then_some(path)
        });
        let review = review.unwrap();
        let name = review.file_stem().unwrap().to_str().unwrap().to_owned();
        let to = experiment.join(format!("signatures/{name}.sig"));
        fs::copy(folder.join(format!("response-{index}.json.sig")), to).unwrap();
    }
    check().expect(0);
    run(["summarize", text(&experiment)]).expect(0);
    let refusal = check().expect(2).stderr;
    assert!(refusal.contains("--sign KEY"), "{refusal}");
}

/// Two key pairs made by ssh-keygen; none where it is absent.
fn keys(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    let make = |name: &str| {
        let path = folder.join(name);
        let mut command = std::process::Command::new("ssh-keygen");
        command
            .args(["-q", "-t", "ed25519", "-N", "", "-f"])
            .arg(&path);
        command.output().ok().map(|_| path)
    };
    let pair = make("key").zip(make("other"));
    if pair.is_none() {
        println!("skipped: there is no ssh-keygen on this machine");
    }
    pair
}

/// A running `review open`; ended when the test ends.
struct Served {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Served {
    fn start(packet: &Path, drafts: &Path) -> (Self, String) {
        let mut command = program();
        command
            .args(["review", "open"])
            .arg(packet)
            .arg("--drafts")
            .arg(drafts);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut served = Self { child, lines };
        let line = served.lines.next().unwrap().unwrap();
        let address = line.split_once("http://").unwrap().1.to_owned();
        served.lines.next().unwrap().unwrap();
        (served, format!("http://{address}"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Judges everything as the reviewer `id` does, but for what `leave` names.
fn judge_all(page: &mut Browser, leave: &str) {
    page.click("tab.judge");
    page.click("reviewer");
    page.write("R. Meier");
    page.click("guess.none");
    for (number, name) in ["content", "craft"].into_iter().enumerate() {
        for label in ["A", "B"] {
            let id = format!("{label}.{name}");
            page.click(&format!("score.{id}.4"));
            page.click(&format!("pass.{id}.true"));
            if id != leave {
                page.click(&format!("rationale.{id}"));
                page.write(&format!(
                    "Reason {number}: the slide of {label} is sound in its {name}."
                ));
            }
        }
    }
    page.click("overall");
    page.write("Both slides say the same thing, and neither says it better.");
}

#[test]
fn a_served_packet_keeps_answers_and_takes_the_review() {
    let suite = TinySuite::new();
    suite.edit("suite.toml", "[\"scripted\"]", "[\"human\"]");
    let experiment = suite.prepare();
    run(["execute", text(&experiment)]).expect(0);
    let packet = fs::read_dir(experiment.join("packets")).unwrap().next();
    let packet = packet.unwrap().unwrap().path();
    let drafts = suite.folder.path().join("drafts");
    let Some(mut page) = Browser::start(suite.folder.path()) else {
        return;
    };
    let (served, address) = Served::start(&packet, &drafts);
    page.open_address(&address);
    page.wait_for(
        "[...document.querySelectorAll('#stage img')].every((it) => it.naturalWidth === 1280)",
    );
    judge_all(&mut page, "B.craft");
    page.wait_for("byId('saved').textContent === 'Saved by deckproof'");
    if let Some(folder) = std::env::var_os("DECKPROOF_PICTURES") {
        page.picture(&Path::new(&folder).join("served.png"));
    }
    // The program is gone: the page says so, and what was kept is there for the next one.
    drop(served);
    page.click("overall");
    page.write(" Quite so.");
    page.wait_for("byId('saved').textContent.startsWith('Not saved by deckproof')");
    drop(page);
    let mut page = Browser::start(suite.folder.path()).unwrap();
    let (mut served, address) = Served::start(&packet, &drafts);
    page.open_address(&address);
    let kept =
        page.evaluate("[answers.reviewer, answers.labels.B.content.score, openQuestions().length]");
    assert_eq!(kept, json!(["R. Meier", 4, 1]));
    page.click("tab.judge");
    page.click("rationale.B.craft");
    page.write("Reason 9: the slide of B is sound in its craft too.");
    page.evaluate("finish()");
    assert_eq!(page.text("byId('write').textContent"), "Hand the review in");
    page.click("write");
    page.wait_for("byId('told') !== null");
    assert!(
        page.text("byId('told').textContent")
            .contains("accepted and on file")
    );
    assert_eq!(
        served.lines.next().unwrap().unwrap(),
        "the review was handed in"
    );
    assert!(served.child.wait().unwrap().success());
    assert_eq!(fs::read_dir(&drafts).unwrap().count(), 0);
    assert_eq!(fs::read_dir(experiment.join("reviews")).unwrap().count(), 1);
    assert_eq!(page.complaints, Vec::<String>::new());
}
