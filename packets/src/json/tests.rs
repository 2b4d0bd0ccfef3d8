// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the strict reader takes, and where it says that it refuses.

use serde::Deserialize;

use super::*;

fn refusal(text: &[u8]) -> String {
    parse("f.json", text, &Limits::default())
        .unwrap_err()
        .to_string()
}

#[test]
fn keeps_numbers_positions_and_escapes() {
    let text =
        "{\n  \"a\": [1.50, -0, 12345678901234567890123],\n \"\\u00e9\": \"\\ud83d\\ude00\\n\"}";
    let value = parse("f.json", text.as_bytes(), &Limits::default()).unwrap();
    let list = value.get("a").unwrap();
    assert_eq!((list.line, list.column), (2, 8));
    let numbers: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_number().unwrap())
        .collect();
    assert_eq!(numbers, ["1.50", "-0", "12345678901234567890123"]);
    assert_eq!(value.get("é").unwrap().as_str(), Some("😀\n"));
}

#[test]
fn refuses_what_two_readers_could_read_in_two_ways() {
    for (text, expected) in [
        (
            &b"{\"a\":1,\n \"\\u0061\":2}"[..],
            "f.json:2:2: the key `a` stands twice",
        ),
        (
            b"\xef\xbb\xbf{}",
            "f.json:1:1: a byte-order mark, expected plain UTF-8",
        ),
        (b"{} x", "f.json:1:4: `x` after the document's end"),
        (b"[NaN]", "f.json:1:2: found `N`, expected a value"),
        (b"[-Infinity]", "f.json:1:3: found `I`, expected a digit"),
        (
            b"[1e400]",
            "f.json:1:2: a number beyond the range of a double",
        ),
        (b"\"\xff\"", "f.json:1:2: invalid UTF-8"),
        (b"[\"\\ud800\"]", "f.json:1:9: a lone surrogate"),
        (b"[01]", "f.json:1:3: found `1`, expected `,` or `]`"),
        (b"[1,]", "f.json:1:4: found `]`, expected a value"),
        (b"", "f.json:1:1: the text ends, expected a value"),
        (b"{\"a\":", "f.json:1:6: the text ends, expected a value"),
        (b"\"a\nb\"", "f.json:1:3: the bare control character U+000A"),
    ] {
        assert_eq!(refusal(text), expected);
    }
}

#[test]
fn deep_and_long_documents_end_early() {
    assert!(refusal("[".repeat(100_000).as_bytes()).contains("nested more than 64 levels"));
    let few = Limits {
        values: 3,
        ..Limits::default()
    };
    assert!(parse("f", b"[1,2,3]", &few).is_err());
    let small = Limits {
        bytes: 2,
        ..Limits::default()
    };
    assert!(parse("f", b"[1]", &small).is_err());
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Typed {
    count: u64,
}

#[test]
fn typed_documents_refuse_unknown_keys_and_numbers_as_text() {
    assert_eq!(
        read::<Typed>("f", b"{\"count\": 3}").unwrap(),
        Typed { count: 3 }
    );
    let unknown = read::<Typed>("f", b"{\"count\": 3, \"more\": 1}").unwrap_err();
    assert!(
        unknown.problem.contains("unknown field `more`"),
        "{unknown}"
    );
    for bad in [
        &b"{\"count\": \"3\"}"[..],
        b"{\"count\": 3.0}",
        b"{\"count\": -1}",
        b"{}",
    ] {
        assert!(read::<Typed>("f", bad).is_err());
    }
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Outcome {
    Completed,
    Failed(String),
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Nested {
    typed: Typed,
    maybe: Option<i32>,
    outcome: Outcome,
    pair: (u8, String),
    double: f64,
}

#[test]
fn typed_documents_have_one_spelling() {
    let good =
        r#"{"typed":{"count":3},"maybe":-4,"outcome":{"failed":"x"},"pair":[1,"y"],"double":0.5}"#;
    let read_text = |text: &str| read::<Nested>("f", text.as_bytes());
    assert_eq!(
        read_text(good).unwrap(),
        Nested {
            typed: Typed { count: 3 },
            maybe: Some(-4),
            outcome: Outcome::Failed("x".to_owned()),
            pair: (1, "y".to_owned()),
            double: 0.5,
        }
    );
    let named = read_text(&good.replace(r#"{"failed":"x"}"#, r#""completed""#)).unwrap();
    assert_eq!(named.outcome, Outcome::Completed);
    for (from, to, place, why) in [
        // serde's own readers take the values of a structure as a list.
        (r#"{"count":3}"#, "[3]", "f:1:10", "expected struct Typed"),
        (
            r#"{"failed":"x"}"#,
            r#"{"completed":null}"#,
            "f:1:56",
            "the name alone",
        ),
        (
            r#"{"failed":"x"}"#,
            r#""failed""#,
            "f:1:43",
            "with its value",
        ),
        (
            r#"{"failed":"x"}"#,
            r#"{"failed":"x","completed":1}"#,
            "f:1:43",
            "one key alone",
        ),
        (r#"[1,"y"]"#, r#"[1,"y",2]"#, "f:1:65", "1 values too many"),
        (r#"[1,"y"]"#, r#"[1]"#, "f:1:65", "invalid length 1"),
        ("-4", "-0", "f:1:30", "floating point"),
        ("-4", "4.0", "f:1:30", "floating point"),
        ("-4", "99999999999", "f:1:30", "invalid value"),
        (
            r#""count":3"#,
            r#""count":3,"more":1"#,
            "f:1:28",
            "unknown field `more`",
        ),
        (r#""double":0.5"#, r#""maybe":1"#, "f:1:", "twice"),
        (r#","double":0.5"#, "", "f:1:1", "missing field `double`"),
    ] {
        let error = read_text(&good.replace(from, to)).unwrap_err().to_string();
        assert!(
            error.starts_with(place) && error.contains(why),
            "{from} -> {to}: {error}"
        );
    }
}

proptest::proptest! {
    #[test]
    fn agrees_with_serde_on_what_is_json(text in "[\\[\\]{}\",:0-9a-z\\\\ .eE+-]{0,40}") {
        let ours = parse("f", text.as_bytes(), &Limits::default());
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match ours {
            Ok(_) => proptest::prop_assert!(theirs.is_ok(), "{text}"),
            Err(error) => proptest::prop_assert!(
                theirs.is_err() || error.problem.contains("twice"), "{text}: {error}"),
        }
    }
}
