// SPDX-License-Identifier: MIT OR Apache-2.0
//! `selfcheck` on the suite that `init` writes: gold decks, broken ones, and a trial that did nothing.

use crate::support::{Ran, program, run};

#[test]
fn the_checks_of_the_example_suite_tell_its_known_decks_apart() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite");
    let suite = suite.to_str().unwrap();
    run(["init", suite]).expect(0);
    let ran = run([
        "--quiet",
        "selfcheck",
        suite,
        "--case",
        "ops-review",
        "--json",
    ])
    .expect(0);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let decks = found["decks"].as_array().unwrap();
    let of_kind = |kind: &str| decks.iter().filter(|deck| deck["kind"] == kind).count();
    assert_eq!(
        (of_kind("gold"), of_kind("broken"), of_kind("untouched")),
        (2, 2, 2)
    );
    assert_eq!(found["problems"].as_array().unwrap().len(), 0);

    // Wherever it is called from, and by a path that leads over a link.
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(suite, &link).unwrap();
    let words = ["--quiet", "selfcheck", "link", "--case", "ops-review"];
    let mut asked = program();
    let asked = asked.args(words).current_dir(folder.path());
    Ran::from(asked.output().unwrap()).expect(0);

    // A deck that is called gold and is not makes the suite fall short, by name.
    let path = std::path::Path::new(suite).join("suite.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let broken = "fails = [\"required_copy\", \"revision_fidelity\"]\n";
    std::fs::write(&path, text.replace(broken, "")).unwrap();
    let ran = run(["--quiet", "selfcheck", suite, "--case", "backlog-revision"]).expect(1);
    assert!(
        ran.stdout
            .contains("`revision_fidelity` should pass and does not"),
        "{}",
        ran.stdout
    );
    let broken = "the seal does not hold: `suite.toml` has changed";
    assert!(ran.stderr.contains(broken), "{}", ran.stderr);
    run(["selfcheck", suite, "--case", "nowhere"]).expect(2);
}
