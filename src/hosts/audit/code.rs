// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looks through program text for the paths it spells out and for ways to come by others.
//!
//! No text can be proven harmless this way; what it finds is evidence, what it misses is why the audit is
//! only the second line behind confinement.

/// Names by which code gets at folders that it does not spell out.
const CLIMBING: [&str; 22] = [
    "pardir",
    ".parent",
    "dirname(",
    "chdir(",
    "expanduser",
    "Path.home",
    "homedir(",
    "os.sep",
    "os.environ",
    "process.env",
    "getenv(",
    "os.walk(",
    "subprocess",
    "os.system",
    "os.popen",
    "child_process",
    "eval(",
    "exec(",
    "__import__",
    "b64decode",
    "chr(",
    "fromCharCode",
];
/// What stands before or after a lone slash that is a separator and no path.
const SEPARATOR_USES: [&str; 6] = [".join", "split(", "replace(", "strip(", "with(", "find("];

/// What a text holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Paths that are spelled out.
    pub(super) paths: Vec<String>,
    /// Names from a list of ways to get elsewhere.
    pub(super) climbing: Vec<&'static str>,
}

/// Looks through `text`.
pub(super) fn scan(text: &str) -> Found {
    let climbing = CLIMBING
        .into_iter()
        .filter(|name| text.contains(name))
        .collect();
    let mut paths = Vec::new();
    for (literal, around) in literals(text) {
        let separator = literal == "/" && SEPARATOR_USES.iter().any(|word| around.contains(word));
        if !separator && names_path(&literal) {
            paths.push(literal);
        }
    }
    Found { paths, climbing }
}

/// Whether a literal names a path: one that climbs, or one whose first folder is there.
fn names_path(literal: &str) -> bool {
    if literal.contains(['\n', '<', '>']) {
        return false;
    }
    let climbs = literal == ".." || literal.starts_with("../") || literal.contains("/../");
    if climbs || literal == "/" || literal.starts_with("~/") {
        return true;
    }
    let Some(rest) = literal.strip_prefix('/') else {
        return false;
    };
    let first = rest.split('/').next().unwrap_or_default();
    !first.is_empty() && std::fs::symlink_metadata(format!("/{first}")).is_ok()
}

/// The quoted texts, each with some characters around it.
fn literals(text: &str) -> Vec<(String, String)> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(character) = characters.get(at) {
        if !matches!(character, '\'' | '"' | '`') {
            at += 1;
            continue;
        }
        let start = at + 1;
        let mut end = start;
        while let Some(next) = characters.get(end).filter(|next| *next != character) {
            end += if *next == '\\' { 2 } else { 1 };
        }
        let literal: String = characters
            .get(start..end)
            .unwrap_or_default()
            .iter()
            .collect();
        let before = characters
            .get(at.saturating_sub(10)..at)
            .unwrap_or_default();
        let after = characters
            .get(end..(end + 8).min(characters.len()))
            .unwrap_or_default();
        found.push((literal, before.iter().chain(after).collect()));
        at = end + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_paths_and_ways_out() {
        let found =
            scan("import os\nprint(open('/etc/shadow').read(), os.listdir('..'), \"../x\")");
        assert_eq!(found.paths, ["/etc/shadow", "..", "../x"]);
        assert_eq!(scan("os.listdir('/')").paths, ["/"]);
        assert_eq!(
            scan("p = Path.cwd().parent; os.path.dirname(x)").climbing,
            [".parent", "dirname("]
        );
    }

    #[test]
    fn leaves_ordinary_text_alone() {
        let found = scan(
            "a = '/'.join(b); c = d.split('/'); e = '/no-such-root/x'; f = 'text/html'; g='</p>'",
        );
        assert_eq!(found, Found::default());
        assert_eq!(scan("it's unclosed"), Found::default());
    }
}
