// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a suite may say, and where messages point when it says something else.

use super::*;

const EXAMPLE: &str = include_str!("../../demo/suite/suite.toml");

/// The message for the example with `from` replaced by `to` (once).
fn refused(from: &str, to: &str) -> String {
    assert!(
        EXAMPLE.contains(from),
        "the example no longer holds {from:?}"
    );
    let text = EXAMPLE.replacen(from, to, 1);
    parse("suite.toml", text.as_bytes())
        .unwrap_err()
        .to_string()
}

/// Line of the first place of `text` in the example, from 1.
fn line_of(text: &str) -> usize {
    EXAMPLE[..EXAMPLE.find(text).unwrap()].matches('\n').count() + 1
}

#[test]
fn the_example_is_a_suite() {
    let suite = parse("suite.toml", EXAMPLE.as_bytes()).unwrap();
    assert!(suite.arm.len() >= 2 && suite.case.len() >= 2);
}

#[test]
fn unknown_keys_are_refused_with_their_place() {
    let message = refused("repetitions = 1", "repetitons = 1");
    let line = line_of("repetitions = 1");
    assert!(
        message.starts_with(&format!("suite.toml:{line}:1: unknown field `repetitons`")),
        "{message}"
    );
    let message = refused("slide_count = {}", "slide_cuont = {}");
    let line = line_of("slide_count = {}");
    assert!(
        message.starts_with(&format!("suite.toml:{line}:1: unknown field")),
        "{message}"
    );
    assert!(refused("[schedule]", "[shedule]").contains("unknown field `shedule`"));
}

#[test]
fn wrong_types_and_values_point_at_themselves() {
    for (from, to, expected) in [
        ("repetitions = 1", "repetitions = \"1\"", "invalid type"),
        (
            "repetitions = 1",
            "repetitions = 0",
            "found `repetitions = 0`, expected 1 to 1000",
        ),
        (
            "format = \"html\"",
            "format = \"HTML\"",
            "unknown variant `HTML`",
        ),
        ("id = \"html\"", "id = \"Html\"", "found the name `Html`"),
        (
            "max_token_ratio = \"1.05\"",
            "max_token_ratio = 1.05",
            "floating point",
        ),
        (
            "max_token_ratio = \"1.05\"",
            "max_token_ratio = \"1,05\"",
            "1,05",
        ),
        (
            "min_overlap_percent = 50",
            "min_overlap_percent = 101",
            "expected 0 to 100",
        ),
        (
            "schema = \"deckproof.suite.v1\"",
            "schema = \"deckproof.suite.v2\"",
            "unknown variant",
        ),
    ] {
        let message = refused(from, to);
        let line = line_of(from);
        assert!(message.contains(expected), "{message}");
        assert!(
            message.contains(&format!("suite.toml:{line}:")),
            "line {line}: {message}"
        );
    }
}

#[test]
fn paths_have_one_form_and_stay_inside() {
    let path = "brief = \"cases/ops-review/brief.md\"";
    for bad in [
        "/etc/passwd",
        "../brief.md",
        "./brief.md",
        "cases//brief.md",
        "cases/x/",
        "a\\\\b",
        "",
    ] {
        let message = refused(path, &format!("brief = \"{bad}\""));
        let line = line_of(path);
        assert!(
            message.contains(&format!("suite.toml:{line}:9:")),
            "{bad}: {message}"
        );
    }
}

#[test]
fn names_must_exist_once() {
    let twice = refused("id = \"pptx\"", "id = \"html\"");
    assert!(
        twice.contains("the arm `html` is declared twice"),
        "{twice}"
    );
    let skill = refused("skill = \"deck-html\"", "skill = \"deck-htm\"");
    assert!(
        skill.contains("no `[[skill]]` has the id `deck-htm`"),
        "{skill}"
    );
    let line = line_of("skill = \"deck-html\"");
    assert!(skill.contains(&format!("suite.toml:{line}:9:")), "{skill}");
}

#[test]
fn the_plan_of_the_statistics_is_held_to_its_rules() {
    let with = |plan: &str| parse("suite.toml", format!("{EXAMPLE}\n{plan}").as_bytes());
    let claim = |rest: &str| {
        format!("[[statistics.non_inferiority]]\narm = \"html\"\nmeasure = \"tokens\"\n{rest}\n")
    };
    let test = |rest: &str| {
        format!(
            "[[statistics.family]]\nid = \"f\"\n[[statistics.family.test]]\narm = \"html\"\n{rest}\n"
        )
    };
    let good = claim("margin = \"1.10\"\ngate = true\nagainst = \"pptx\"")
        + &test("measure = \"score\"\ndimension = \"craft\"\nmethod = \"sign\"")
        + "[[statistics.family.test]]\narm = \"html\"\nagainst = \"pptx\"\nmeasure = \"passes\"\nmethod = \"mcnemar\"\n";
    let suite = with(&good).unwrap();
    assert_eq!(suite.statistics.family[0].test.len(), 2);
    assert!(suite.statistics.non_inferiority[0].gate && !suite.statistics.family[0].gate);
    for (plan, expected) in [
        (
            "[statistics]\nalpha_percent = 0",
            "found `alpha_percent = 0`, expected more than 0 and less than 50",
        ),
        ("[statistics]\nalpha_percent = 50", "less than 50 percent"),
        (
            "[statistics]\npower_percent = 100",
            "expected at least 50 and less than 100",
        ),
        (
            "[statistics]\nreplicates = 98",
            "found `replicates = 98`, expected 99 to 1000000",
        ),
        ("[statistics]\nlevel = 95", "unknown field `level`"),
        (
            &claim("margin = 0"),
            "found the margin 0, expected a ratio above 0",
        ),
        (
            &claim("margin = 1\nagainst = \"html\""),
            "`html` is compared with itself",
        ),
        (
            &claim("margin = 1\nagainst = \"docx\""),
            "no `[[arm]]` has the id `docx`",
        ),
        (
            &(claim("margin = 1") + &claim("margin = 2")),
            "the same claim is declared twice",
        ),
        (
            "[[statistics.family]]\nid = \"f\"\ntest = []",
            "the family `f` has no test",
        ),
        (
            &test("measure = \"tokens\"\nmethod = \"mcnemar\""),
            "expected the method `mcnemar` with",
        ),
        (
            &test("measure = \"passes\"\nmethod = \"sign\""),
            "expected the method `mcnemar` with",
        ),
        (
            &test("measure = \"score\"\nmethod = \"sign\""),
            "expected `dimension` with",
        ),
        (
            &test("measure = \"tokens\"\ndimension = \"craft\"\nmethod = \"sign\""),
            "expected `dimension` with",
        ),
        (
            &test("measure = \"score\"\ndimension = \"charm\"\nmethod = \"sign\""),
            "has the name `charm`",
        ),
        (
            &test(
                "measure = \"score\"\nagainst = \"pptx\"\ndimension = \"craft\"\nmethod = \"sign\"",
            ),
            "expected no `against`",
        ),
    ] {
        let message = with(plan).unwrap_err().to_string();
        assert!(message.contains(expected), "{plan}: {message}");
    }
}

#[test]
fn every_broken_rule_is_told() {
    let text = EXAMPLE
        .replacen("skill = \"deck-html\"", "skill = \"none\"", 1)
        .replacen("min_overlap_percent = 50", "min_overlap_percent = 500", 1);
    let message = parse("suite.toml", text.as_bytes())
        .unwrap_err()
        .to_string();
    assert_eq!(message.lines().count(), 2, "{message}");
}

#[test]
fn a_cell_without_a_baseline_is_refused() {
    let at = EXAMPLE.rfind("[[baseline]]").unwrap();
    let rest = EXAMPLE[at..]
        .find("\n[review]")
        .map(|end| at + end)
        .unwrap();
    let text = format!("{}{}", &EXAMPLE[..at], &EXAMPLE[rest..]);
    let message = parse("suite.toml", text.as_bytes())
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("no `[[baseline]]` for the case"),
        "{message}"
    );
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let mark = parse("suite.toml", "\u{feff}schema = 1".as_bytes())
        .unwrap_err()
        .to_string();
    assert!(mark.contains("byte-order mark"), "{mark}");
    let broken = parse("suite.toml", b"id = \"a\"\nx = \"\xff\"")
        .unwrap_err()
        .to_string();
    assert_eq!(broken, "suite.toml:2:6: invalid UTF-8");
}

#[test]
fn the_committed_schema_is_the_types() {
    let committed = include_str!("../../docs/suite.schema.json");
    let now = json_schema().unwrap();
    assert!(
        committed == now,
        "docs/suite.schema.json is old; write it with: deckproof schema > docs/suite.schema.json"
    );
}

#[test]
fn known_decks_are_ones_that_an_arm_could_have_made() {
    let gold = "artifact = \"recordings/html/ops-review/1/output\"\nentry = \"index.html\"\n";
    let fails = "fails = [\"required_copy\", \"slide_count\", \"source_assets\"]";
    for (from, to, expected) in [
        (
            gold,
            gold.replace("entry = \"index.html\"\n", ""),
            "needs `entry`",
        ),
        (
            "artifact = \"recordings/pptx/ops-review/1/output/deck.pptx\"\n",
            "artifact = \"recordings/pptx/ops-review/1/output/deck.pptx\"\nentry = \"deck.pptx\"\n"
                .to_owned(),
            "has no `entry`",
        ),
        (fails, "fails = []".to_owned(), "the list is empty"),
        (
            fails,
            "fails = [\"package_sound\"]".to_owned(),
            "declares no check `package_sound` for html decks",
        ),
        (
            fails,
            "fails = [\"usage_limit\"]".to_owned(),
            "declares no check `usage_limit`",
        ),
    ] {
        let message = refused(from, &to);
        assert!(message.contains(expected), "{message}");
    }
}
