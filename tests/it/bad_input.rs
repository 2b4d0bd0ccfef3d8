// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bad input at every command: a clear error, exit 2, and nothing half-written.

use std::fs;
use std::path::Path;

use crate::support::{TinySuite, run};

/// What is in a folder, by name.
fn listing(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn commands_without_their_input_say_what_they_expected() {
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().to_str().unwrap();
    let nowhere = empty.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    for refused in [
        run(["seal", folder]),
        run(["seal", "--check", nowhere]),
        run(["selfcheck", nowhere]),
        run(["prepare", folder, "--out", nowhere]),
        run(["execute", folder]),
        run(["execute", nowhere]),
        run(["packet", "list", folder]),
        run(["packet", "verify", nowhere]),
        run(["packet", "export", folder, "--out", nowhere]),
        run(["review", "status", folder]),
        run(["review", "accept", folder, nowhere]),
        run(["summarize", folder]),
        run(["summarize", "--suite", nowhere, "--runs", nowhere]),
        run(["verify", folder]),
    ] {
        let refused = refused.expect(2);
        assert!(refused.stderr.starts_with("error: "), "{}", refused.stderr);
        assert!(refused.stderr.contains(folder), "{}", refused.stderr);
        assert!(listing(empty.path()).is_empty(), "{}", refused.stderr);
    }
}

#[test]
fn what_was_named_by_mistake_is_called_by_its_name() {
    let suite = TinySuite::new();
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    let note = suite.folder.path().join("note.txt");
    fs::write(&note, "# no suite\nat all\n").unwrap();
    let (toml, note) = (suite.path("suite.toml"), note.to_str().unwrap());
    let deck = suite.path("baseline/index.html");
    let deck = deck.to_str().unwrap();
    let experiment = experiment.to_str().unwrap();
    for (refused, found) in [
        (
            run(["review", "accept", experiment, toml.to_str().unwrap()]),
            "this is no review response, expected JSON as the review page saves it",
        ),
        (
            run(["report", experiment, "--out", "never/report.html"]),
            "found no folder `never`, expected the name of a file",
        ),
        (
            run(["review", "sign", note, "--key", "never"]),
            "found nothing, expected an ed25519 private key",
        ),
        (
            run(["verify", experiment, "--keys", "never"]),
            "found nothing, expected lines such as",
        ),
        (
            run(["check", note]),
            "is no suite.toml and no experiment; expected",
        ),
        (
            run(["init", note]),
            "expected a folder or nothing there; name another",
        ),
        (
            run(["render", deck, "--out", note]),
            "expected a folder or nothing there; name another with `--out`",
        ),
        (
            run(["render", deck, "--out", "never", "--slides", "3-1"]),
            "found 3-1, which runs backwards, expected 1-3",
        ),
        (
            run(["render", "https://example.org/deck.html", "--out", "never"]),
            "decks are local files",
        ),
    ] {
        let said = refused.expect(2).stderr;
        assert!(said.contains(found) && !said.contains("os error"), "{said}");
    }
    assert!(!Path::new("never").exists());
}

#[test]
fn an_input_that_is_not_there_is_named_with_what_asks_for_it() {
    let suite = TinySuite::new();
    let folder = suite.path("");
    let folder = folder.to_str().unwrap();
    fs::remove_file(suite.path("brief.md")).unwrap();
    let said = run(["seal", folder]).expect(2).stderr;
    assert!(
        said.contains("brief.md`: found nothing, expected what suite.toml"),
        "{said}"
    );
    fs::remove_file(suite.path("spec.json")).unwrap();
    let said = run(["seal", folder]).expect(2).stderr;
    assert!(
        said.contains("spec.json`: found nothing, expected the `spec` of the case `one-slide` (")
            && said.contains("suite.toml, line 25)"),
        "{said}"
    );
}

#[test]
fn quiet_says_results_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (suite, out) = (folder.path().join("suite"), folder.path().join("out"));
    let (suite, out) = (suite.to_str().unwrap(), out.to_str().unwrap());
    let said = run(["-q", "init", suite]).expect(0).stdout;
    assert!(
        said.starts_with("wrote ") && !said.contains("next:"),
        "{said}"
    );
    let said = run(["-q", "prepare", suite, "--out", out]).expect(0).stdout;
    assert!(
        said.starts_with("prepared: ") && !said.contains("next:"),
        "{said}"
    );
    fs::remove_dir_all(suite).unwrap();
    assert!(
        run(["init", suite])
            .expect(0)
            .stdout
            .contains("next: deckproof prepare")
    );
}

#[test]
fn a_misused_command_line_is_exit_2() {
    for ran in [
        run(["nonsense"]),
        run(["summarize"]),
        run(["render"]),
        run(["seal", "--chekc"]),
    ] {
        ran.expect(2);
    }
    assert!(run(["--help"]).expect(0).stdout.contains("Exit codes"));
    assert!(
        run(["summarize", "--help"])
            .expect(0)
            .stdout
            .contains("Exit codes")
    );
    run(["--version"]).expect(0);
}

#[test]
fn what_exists_is_not_replaced() {
    let suite = TinySuite::new();
    let experiment = suite.prepare();
    let folder = suite.path("");
    let again = run([
        "prepare",
        folder.to_str().unwrap(),
        "--out",
        experiment.to_str().unwrap(),
    ])
    .expect(2);
    assert!(again.stderr.contains("already exists"), "{}", again.stderr);
    run(["init", folder.to_str().unwrap()]).expect(2);
    run(["demo", "--out", folder.to_str().unwrap()]).expect(2);
}

#[test]
fn a_changed_input_stops_preparation_and_is_named() {
    for (name, change) in [
        ("brief.md", "has changed"),
        ("spec.json", "has changed"),
        ("agents/new.sh", "has changed"),
        ("baseline/index.html", "has changed"),
        ("baseline/extra.css", "was added"),
    ] {
        let suite = TinySuite::new();
        let folder = suite.path("");
        run(["seal", folder.to_str().unwrap()]).expect(0);
        let text = fs::read_to_string(suite.path(name)).unwrap_or_default();
        suite.write(name, &format!("{text} "));
        let out = suite.experiment();
        let refused = run([
            "prepare",
            folder.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
        ])
        .expect(2);
        assert!(
            refused.stderr.contains(name) && refused.stderr.contains(change),
            "{}",
            refused.stderr
        );
        run(["seal", "--check", folder.to_str().unwrap()]).expect(2);
        assert_eq!(
            listing(suite.folder.path()),
            ["suite"],
            "nothing is left behind"
        );
    }
}

#[test]
fn a_suite_that_is_not_sealed_is_not_prepared() {
    let suite = TinySuite::new();
    let refused = run([
        "prepare",
        suite.path("").to_str().unwrap(),
        "--out",
        suite.experiment().to_str().unwrap(),
    ])
    .expect(2);
    assert!(
        refused.stderr.contains("deckproof seal"),
        "{}",
        refused.stderr
    );
}

#[test]
fn inputs_outside_the_suite_are_refused() {
    let suite = TinySuite::new();
    fs::remove_file(suite.path("brief.md")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", suite.path("brief.md")).unwrap();
    let refused = run(["seal", suite.path("").to_str().unwrap()]).expect(2);
    assert!(refused.stderr.contains("brief.md"), "{}", refused.stderr);
    assert!(!suite.path("suite.lock.json").exists());
}

#[test]
fn a_brief_that_names_its_case_would_unblind() {
    let suite = TinySuite::new();
    suite.write("brief.md", "This is the case one-slide.\n");
    let folder = suite.path("");
    run(["seal", folder.to_str().unwrap()]).expect(0);
    let out = suite.experiment();
    let refused = run([
        "prepare",
        folder.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ])
    .expect(2);
    assert!(refused.stderr.contains("one-slide"), "{}", refused.stderr);
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.json");
    fs::write(&suite, "{}").unwrap();
    let link = folder.path().join("link.json");
    fs::hard_link(&suite, &link).unwrap();
    let path = suite.to_str().unwrap();
    for output in [path, link.to_str().unwrap()] {
        let refused = run([
            "summarize",
            "--suite",
            path,
            "--runs",
            path,
            "--output",
            output,
        ])
        .expect(2);
        assert!(refused.stderr.contains("input"), "{}", refused.stderr);
    }
    assert_eq!(fs::read_to_string(&suite).unwrap(), "{}");
}

#[test]
fn an_installed_skill_must_be_the_sealed_one() {
    let suite = TinySuite::new();
    let installed = suite.folder.path().join("installed");
    for file in ["SKILL.md", "scripts/build.sh"] {
        suite.write(&format!("skill/{file}"), "one\n");
        fs::create_dir_all(installed.join("scripts")).unwrap();
        fs::write(installed.join(file), "one\n").unwrap();
    }
    let table = format!(
        "[[skill]]\nid = \"decks\"\nversion = \"1\"\npath = \"skill\"\ninstalled = \"{}\"\n\n[[arm]]\nid = \"new\"\nskill = \"decks\"\n",
        installed.display()
    );
    suite.edit("suite.toml", "[[arm]]\nid = \"new\"\n", &table);
    let folder = suite.path("");
    let folder = folder.to_str().unwrap();
    run(["seal", folder]).expect(0);
    run(["seal", "--check", folder]).expect(0);
    let out = suite.experiment();
    let prepare = || run(["prepare", folder, "--out", out.to_str().unwrap()]);
    type Change = fn(&Path);
    let changes: [(&str, Change); 3] = [
        ("SKILL.md", |root| {
            fs::write(root.join("SKILL.md"), "two\n").unwrap()
        }),
        ("extra.md", |root| {
            fs::write(root.join("extra.md"), "").unwrap()
        }),
        ("scripts/build.sh", |root| {
            fs::remove_file(root.join("scripts/build.sh")).unwrap()
        }),
    ];
    for (name, change) in changes {
        change(&installed);
        let refused = prepare().expect(2);
        assert!(refused.stderr.contains(name), "{}", refused.stderr);
        assert!(!out.exists());
        fs::write(installed.join("SKILL.md"), "one\n").unwrap();
        let _ = fs::remove_file(installed.join("extra.md"));
        fs::write(installed.join("scripts/build.sh"), "one\n").unwrap();
    }
    prepare().expect(0);
}
