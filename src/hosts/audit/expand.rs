// SPDX-License-Identifier: MIT OR Apache-2.0
//! Works out what words can come to: variables, braces, and the outputs of a few harmless commands.

use std::collections::BTreeMap;

use super::paths::GLOB;
use super::shell::{Piece, Step, Word};

/// The most values that a word may have before it counts as one that cannot be told.
const MOST_VALUES: usize = 64;
/// Stand for unquoted `{`, `,` and `}` until braces are expanded.
const BRACES: [char; 3] = ['\u{10fffa}', '\u{10fffb}', '\u{10fffc}'];
/// Commands whose output names no path.
const PATHLESS_OUTPUT: [&str; 20] = [
    "basename",
    "command",
    "cksum",
    "date",
    "expr",
    "grep",
    "head",
    "hostname",
    "id",
    "ls",
    "md5sum",
    "nproc",
    "seq",
    "sha256sum",
    "stat",
    "tail",
    "uname",
    "wc",
    "which",
    "whoami",
];

/// What a word can come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// The text that is known. Unquoted glob characters stand as [`GLOB`].
    pub(super) text: String,
    /// Whether the word goes on with something that cannot be told.
    pub(super) open: bool,
}

/// The values of variables; a name that is missing cannot be told.
pub(super) type Variables = BTreeMap<String, Vec<Value>>;

/// All values of `word`; never empty.
pub(super) fn values(word: &Word, variables: &Variables, directory: Option<&str>) -> Vec<Value> {
    let mut found = vec![Value {
        text: String::new(),
        open: false,
    }];
    for piece in word {
        let next = piece_values(piece, variables, directory);
        found = joined(&found, &next);
        if found.len() > MOST_VALUES {
            return vec![unknown()];
        }
    }
    let found: Vec<Value> = found.iter().flat_map(braces).collect();
    if found.len() > MOST_VALUES {
        vec![unknown()]
    } else {
        found
    }
}

fn unknown() -> Value {
    Value {
        text: String::new(),
        open: true,
    }
}

fn known(text: impl Into<String>) -> Value {
    Value {
        text: text.into(),
        open: false,
    }
}

/// Once something unknown has come, what follows it says nothing.
fn joined(before: &[Value], after: &[Value]) -> Vec<Value> {
    let mut found = Vec::new();
    for one in before {
        if one.open {
            found.push(one.clone());
            continue;
        }
        found.extend(after.iter().map(|two| Value {
            text: format!("{}{}", one.text, two.text),
            open: two.open,
        }));
    }
    found.dedup();
    found
}

fn piece_values(piece: &Piece, variables: &Variables, directory: Option<&str>) -> Vec<Value> {
    match piece {
        Piece::Text { text, quoted: true } => vec![known(text.clone())],
        Piece::Text {
            text,
            quoted: false,
        } => vec![known(marked(text))],
        Piece::Variable { name, .. } if name == "PWD" => match directory {
            Some(directory) => vec![known(directory)],
            None => vec![unknown()],
        },
        Piece::Variable { name, quoted } => {
            let values = variables
                .get(name)
                .cloned()
                .unwrap_or_else(|| vec![unknown()]);
            if *quoted {
                values
            } else {
                values.iter().flat_map(fields).collect()
            }
        }
        Piece::Output { script } => vec![output(script, variables, directory)],
        Piece::Opaque => vec![unknown()],
    }
}

/// An unquoted variable falls apart at its blanks.
fn fields(value: &Value) -> Vec<Value> {
    if !value.text.contains(char::is_whitespace) {
        return vec![value.clone()];
    }
    let field = |text| Value {
        text,
        open: value.open,
    };
    value
        .text
        .split_whitespace()
        .map(|text| field(marked(text)))
        .collect()
}

fn marked(text: &str) -> String {
    let [open, comma, close] = BRACES;
    text.chars()
        .map(|character| match character {
            '*' | '?' | '[' | ']' => GLOB,
            '{' => open,
            ',' => comma,
            '}' => close,
            other => other,
        })
        .collect()
}

/// Expands `{a,b}`; what is no such list becomes plain again.
fn braces(value: &Value) -> Vec<Value> {
    let mut done = Vec::new();
    let mut left = vec![value.text.clone()];
    while let Some(text) = left.pop() {
        match innermost(&text) {
            Some((before, choices, after)) if left.len() + done.len() <= MOST_VALUES => {
                left.extend(
                    choices
                        .iter()
                        .map(|choice| format!("{before}{choice}{after}")),
                );
            }
            _ => done.push(Value {
                text: plain(&text),
                open: value.open,
            }),
        }
    }
    done
}

/// The first list of choices that holds no other.
fn innermost(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    let [open, comma, close] = BRACES;
    let mut search = text;
    let mut offset = 0;
    loop {
        let end = search.find(close)?;
        let start = search.get(..end)?.rfind(open);
        let inside = start.and_then(|start| search.get(start + open.len_utf8()..end));
        if let (Some(start), Some(inside)) = (start, inside.filter(|text| text.contains(comma))) {
            let before = text.get(..offset + start)?;
            let after = text.get(offset + end + close.len_utf8()..)?;
            return Some((before, inside.split(comma).collect(), after));
        }
        offset += end + close.len_utf8();
        search = text.get(offset..)?;
    }
}

fn plain(text: &str) -> String {
    let [open, comma, close] = BRACES;
    text.chars()
        .map(|character| match character {
            character if character == open => '{',
            character if character == comma => ',',
            character if character == close => '}',
            other => other,
        })
        .collect()
}

/// What a few commands are known to print.
fn output(script: &[Step], variables: &Variables, directory: Option<&str>) -> Value {
    let commands: Vec<_> = script
        .iter()
        .filter_map(|step| match step {
            Step::Run(simple) => Some(simple),
            Step::Open | Step::Close => None,
        })
        .collect();
    let [simple] = commands.as_slice() else {
        return unknown();
    };
    let words: Vec<Value> = simple
        .words
        .iter()
        .filter_map(|word| values(word, variables, directory).into_iter().next())
        .collect();
    let Some((name, arguments)) = words.split_first() else {
        return unknown();
    };
    let argument = arguments.iter().rfind(|word| !word.text.starts_with('-'));
    match (name.text.as_str(), argument) {
        ("pwd", _) => directory.map_or_else(unknown, known),
        ("dirname", Some(path)) => Value {
            text: format!("{}/..", path.text),
            open: path.open,
        },
        ("realpath" | "readlink" | "echo" | "printf", Some(path)) => path.clone(),
        ("mktemp", _) => variables
            .get("TMPDIR")
            .and_then(|values| values.first())
            .map_or_else(unknown, |folder| known(format!("{}/made", folder.text))),
        (name, _) if PATHLESS_OUTPUT.contains(&name) => known("output"),
        _ => unknown(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::shell::split;
    use super::*;

    fn expanded(text: &str) -> Vec<String> {
        let variables = Variables::from([
            ("HOME".to_owned(), vec![known("/t/home")]),
            ("TWO".to_owned(), vec![known("a"), known("b")]),
            ("BLANK".to_owned(), vec![known("/x /y")]),
        ]);
        let steps = split(text).unwrap();
        let Some(Step::Run(simple)) = steps.first() else {
            panic!("no command")
        };
        let word = simple.words.first().unwrap();
        let show =
            |value: Value| value.text.replace(GLOB, "*") + if value.open { "…" } else { "" };
        values(word, &variables, Some("/t/work"))
            .into_iter()
            .map(show)
            .collect()
    }

    #[test]
    fn expands_what_is_known() {
        assert_eq!(expanded("$HOME/x"), ["/t/home/x"]);
        assert_eq!(expanded("$TWO/$TWO"), ["a/a", "a/b", "b/a", "b/b"]);
        assert_eq!(expanded("\"$BLANK\""), ["/x /y"]);
        assert_eq!(expanded("$BLANK"), ["/x", "/y"]);
        assert_eq!(expanded("$(pwd)/a"), ["/t/work/a"]);
        assert_eq!(expanded("$(dirname \"$PWD\")"), ["/t/work/.."]);
        assert_eq!(expanded("$(date +%s).txt"), ["output.txt"]);
        assert_eq!(expanded("'*'/*"), ["*/*"]);
    }

    #[test]
    fn expands_braces() {
        let mut found = expanded("{/etc/shadow,x{1,2}}");
        found.sort();
        found.dedup();
        assert_eq!(found, ["/etc/shadow", "x1", "x2"]);
        assert_eq!(expanded("{}"), ["{}"]);
        assert_eq!(expanded("'{a,b}'"), ["{a,b}"]);
    }

    #[test]
    fn says_what_it_cannot_tell() {
        assert_eq!(expanded("out/$UNSET/x"), ["out/…"]);
        assert_eq!(expanded("$(cat list)"), ["…"]);
        assert_eq!(expanded("${HOME%/*}"), ["…"]);
        let many = "{a,b}".repeat(10);
        assert_eq!(expanded(&many).len().min(65), 65.min(expanded(&many).len()));
    }
}
