// SPDX-License-Identifier: MIT OR Apache-2.0
//! A hostile agent through the real program: whatever it tries is prevented or fails, and a record shows it.

mod attempts;
mod cheats;
mod stand;

use attempts::{ATTEMPTS, got_through, said};
use cheats::{CHEATS, Fate};
use serde_json::Value;
use stand::{Stand, What, Who, good};

#[test]
fn no_way_out_for_an_agent_of_root() {
    attempts(Who::Root);
}

#[test]
fn no_way_out_for_an_agent_of_a_normal_user() {
    attempts(Who::Normal);
}

#[test]
fn no_cheat_pays_under_root() {
    cheats(Who::Root);
}

#[test]
fn no_cheat_pays_under_a_normal_user() {
    cheats(Who::Normal);
}

fn attempts(who: Who) {
    let Some(stand) = Stand::new(who, What::Attempts) else {
        return;
    };
    if stand.run().is_none() {
        return;
    }
    let wrong = got_through_of(&stand, &find(&stand.events("attempt_ended"), "attempts"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(stand.visits(), 0, "somebody came");
    nothing_is_changed(&stand);
    what_is_not_confined_gets_through(&stand);
}

fn cheats(who: Who) {
    let Some(stand) = Stand::new(who, What::Cheats) else {
        return;
    };
    if stand.run().is_none() {
        return;
    }
    let ended = stand.events("attempt_ended");
    let judged = stand.events("trial_judged");
    assert_eq!(ended.len(), CHEATS.len(), "no trial was run twice");
    assert_eq!(judged.len(), CHEATS.len());
    let mut wrong = Vec::new();
    for cheat in CHEATS {
        let (ended, judged) = (find(&ended, cheat.case), find(&judged, cheat.case));
        if let Some(problem) = differs(&cheat.fate, &ended, &judged) {
            let stderr = stand.object(&ended["run"]["stderr"]);
            wrong.push(format!("{}: {problem}\n{stderr}", cheat.case));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    nothing_is_changed(&stand);
}

fn find(events: &[(String, Value)], case: &str) -> Value {
    let found = events.iter().find(|(name, _)| name == case);
    found
        .unwrap_or_else(|| panic!("no record of {case}"))
        .1
        .clone()
}

/// The attempts that got through, in words.
fn got_through_of(stand: &Stand, ended: &Value) -> Vec<String> {
    assert_eq!(ended["outcome"], "completed");
    assert_eq!(ended["run"]["isolation"], "prevented");
    let walls = ended["run"]["walls"].as_str().unwrap().to_owned();
    let output = stand.object(&ended["run"]["events"]);
    let said = said(&output);
    assert_eq!(said.len(), ATTEMPTS.len(), "{output}");
    let mut wrong = Vec::new();
    for (attempt, (name, said)) in ATTEMPTS.iter().zip(said) {
        assert_eq!(attempt.name, name);
        let by_landlock = [
            "trace the process above it",
            "write into the memory above it",
        ];
        let excused = by_landlock.contains(&name) && walls.contains("Landlock is not there");
        if got_through(said) && !excused {
            wrong.push(format!("{name}: {said}"));
        }
    }
    wrong
}

/// How the records differ from what they have to say.
fn differs(fate: &Fate, ended: &Value, judged: &Value) -> Option<String> {
    let failed: Vec<&str> = judged["checks"]
        .as_array()?
        .iter()
        .filter(|check| check["status"] != "pass")
        .map(|check| check["name"].as_str().unwrap())
        .collect();
    let refused = ended["artifact"]["refused"].as_str();
    let turns = ended["turns"].as_array()?;
    let limit = turns.last().and_then(|turn| turn["killed_for"].as_str());
    let outcome = &ended["outcome"];
    let holds = match fate {
        Fate::Refused(word) => {
            refused.is_some_and(|reason| reason.contains(word)) && !failed.is_empty()
        }
        Fate::Missing => ended["artifact"] == "missing" && failed.contains(&"artifact_exists"),
        Fate::Fails(check) => outcome == "completed" && failed.contains(check),
        Fate::Limit(word) => limit == Some(word) && outcome["agent_failed"].is_string(),
        // What it left may be good: the outcome alone fails the experiment.
        Fate::AgentFailed => outcome["agent_failed"].is_string() && limit.is_none(),
        Fate::Passes => outcome == "completed" && failed.is_empty() && limit.is_none(),
    };
    let told = || {
        format!(
            "{outcome} limit {limit:?} artifact {} failed checks {failed:?}",
            ended["artifact"]
        )
    };
    (!holds).then(told)
}

/// The chain of evidence holds, nothing was planted, and nothing is left of the trials.
fn nothing_is_changed(stand: &Stand) {
    let experiment = stand.experiment();
    assert!(stand.planted().is_empty(), "{:?}", stand.planted());
    std::fs::remove_file(experiment.join("private/planted")).unwrap();
    let folder = experiment.display().to_string();
    good(&stand.deckproof(&["verify", &folder]));
    let left: Vec<_> = std::fs::read_dir(experiment.join("work"))
        .unwrap()
        .collect();
    assert!(left.is_empty(), "{left:?}");
    let started = stand.events("attempt_started");
    for (case, ended) in stand.events("attempt_ended") {
        let before = find(&started, &case);
        assert_eq!(
            before["task_tree_sha256"], ended["task_tree_sha256"],
            "{case}"
        );
    }
}

/// The attempts are good ones: each of them succeeds where nothing is in its way.
fn what_is_not_confined_gets_through(stand: &Stand) {
    std::fs::write(
        stand.experiment().join("private/planted"),
        "SECRET-private\n",
    )
    .unwrap();
    let output = stand.unconfined();
    let open: Vec<_> = ATTEMPTS.iter().filter(|attempt| attempt.open).collect();
    let said = said(&output);
    assert_eq!(said.len(), open.len(), "{output}");
    for (attempt, (name, said)) in open.iter().zip(said) {
        assert_eq!(attempt.name, name);
        // These two hang on the machine: `fs.protected_hardlinks`, and whose processes run beside the test.
        let depends = ["link hard to it", "read everybody's environment"].contains(&name);
        assert!(got_through(said) || depends, "{name} fails anyway: {said}");
    }
    assert!(stand.visits() > 0);
}
