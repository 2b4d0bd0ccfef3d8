// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the strict reader takes, and where it says that it refuses.

use serde::Deserialize;

use super::*;

fn refusal(text: &[u8]) -> String {
    parse("f.json", text, &Limits::default(), &Arena::new())
        .unwrap_err()
        .to_string()
}

#[test]
fn keeps_numbers_positions_and_escapes() {
    let text =
        "{\n  \"a\": [1.50, -0, 12345678901234567890123],\n \"\\u00e9\": \"\\ud83d\\ude00\\n\"}";
    let arena = Arena::new();
    let value = parse("f.json", text.as_bytes(), &Limits::default(), &arena).unwrap();
    let list = value.get("a").unwrap();
    assert_eq!(list.place().position(text.as_bytes()), (2, 8));
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
fn a_string_ends_at_its_quote_wherever_that_stands() {
    for length in 0..40 {
        let plain = "é".repeat(length / 2) + &"x".repeat(length % 2);
        for (end, expected) in [
            ("\"", Ok(plain.clone())),
            ("\\t\"", Ok(plain.clone() + "\t")),
        ] {
            let text = format!("\"{plain}{end}");
            let arena = Arena::new();
            let found = parse("f", text.as_bytes(), &Limits::default(), &arena);
            let found = found.map(|value| value.as_str().unwrap().to_owned());
            assert_eq!(found, expected, "{text}");
        }
        let bare = refusal(format!("\"{plain}\u{1f}{plain}\"").as_bytes());
        let column = 2 + plain.chars().count();
        let expected = format!("f.json:1:{column}: the bare control character U+001F");
        assert_eq!(bare, expected);
    }
}

#[test]
fn a_key_that_stands_twice_is_found_among_few_and_among_many() {
    for count in [3, 9, 23, 24, 25, 60] {
        for (first, second) in [
            (0, count - 1),
            (count / 2, count - 1),
            (count - 2, count - 1),
        ] {
            let mut keys: Vec<String> = (0..count).map(|at| format!("key-{at}")).collect();
            let good = keys
                .iter()
                .map(|key| format!("\"{key}\":0"))
                .collect::<Vec<_>>();
            let good = format!("{{{}}}", good.join(","));
            assert!(parse("f", good.as_bytes(), &Limits::default(), &Arena::new()).is_ok());
            keys[second] = keys[first].clone();
            let bad = keys
                .iter()
                .map(|key| format!("\"{key}\":0"))
                .collect::<Vec<_>>();
            let refused = refusal(format!("{{{}}}", bad.join(",")).as_bytes());
            assert!(
                refused.contains("stands twice"),
                "{count} {first}: {refused}"
            );
        }
    }
}

#[test]
fn deep_and_long_documents_end_early() {
    assert!(refusal("[".repeat(100_000).as_bytes()).contains("nested more than 64 levels"));
    let few = Limits {
        values: 3,
        ..Limits::default()
    };
    assert!(parse("f", b"[1,2,3]", &few, &Arena::new()).is_err());
    let small = Limits {
        bytes: 2,
        ..Limits::default()
    };
    assert!(parse("f", b"[1]", &small, &Arena::new()).is_err());
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
    fn a_member_is_its_key_alone(key in "[ab]{0,20}", other in "[ab]{0,20}", at in 0_usize..20) {
        let value = Value::new(Place::new(0), ValueKind::Null);
        let member = Member { key: &key, value };
        proptest::prop_assert!(member.is(&key));
        proptest::prop_assert_eq!(member.is(&other), key == other);
        let mut changed = key.clone().into_bytes();
        if let Some(byte) = changed.get_mut(at) {
            *byte = b'c';
            proptest::prop_assert!(!member.is(&String::from_utf8(changed).unwrap()));
        }
    }

    #[test]
    fn agrees_with_serde_on_what_is_json(text in "[\\[\\]{}\",:0-9a-z\\\\ .eE+-]{0,40}") {
        let arena = Arena::new();
        let ours = parse("f", text.as_bytes(), &Limits::default(), &arena);
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match ours {
            Ok(_) => proptest::prop_assert!(theirs.is_ok(), "{text}"),
            Err(error) => proptest::prop_assert!(
                theirs.is_err() || error.problem.contains("twice"), "{text}: {error}"),
        }
    }
}
