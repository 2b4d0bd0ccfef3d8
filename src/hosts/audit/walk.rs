// SPDX-License-Identifier: MIT OR Apache-2.0
//! Follows a shell script through its commands and its current directory, and notes every path it names.

use std::path::{Path, PathBuf};

use super::code;
use super::expand::{Value, Variables, values};
use super::paths::{GLOB, Grounds, Use};
use super::shell::{Simple, Step, Word, literal_text, split};

/// The deepest nesting of scripts in scripts.
const MOST_DEPTH: usize = 8;

/// Commands whose arguments are words and no paths.
const WORD_COMMANDS: [&str; 18] = [
    ":", "break", "continue", "date", "echo", "exit", "expr", "false", "kill", "printf", "return",
    "seq", "set", "shift", "sleep", "tr", "true", "wait",
];
/// Commands whose first argument is a pattern or a script of their own.
const PATTERN_COMMANDS: [&str; 9] = [
    "ag", "awk", "egrep", "fgrep", "gawk", "grep", "mawk", "rg", "sed",
];
/// Commands that run the rest of their words.
const PREFIX_COMMANDS: [&str; 19] = [
    "!", "builtin", "command", "do", "doas", "elif", "else", "exec", "if", "nice", "nohup",
    "setsid", "stdbuf", "sudo", "then", "time", "until", "while", "{",
];
/// Shells, and interpreters with the options that take code.
const SHELLS: [&str; 6] = ["bash", "dash", "ksh", "sh", "zsh", "ash"];
const INTERPRETERS: [(&str, &[&str]); 8] = [
    ("python", &["-c"]),
    ("python3", &["-c"]),
    ("python2", &["-c"]),
    ("node", &["-e", "--eval", "-p", "--print"]),
    ("perl", &["-e", "-E"]),
    ("ruby", &["-e"]),
    ("php", &["-r"]),
    ("deno", &["eval"]),
];

/// What was noted about one script.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Paths off the grounds, with what named them.
    pub(super) outside: Vec<String>,
    /// What cannot be told.
    pub(super) unresolved: Vec<String>,
}

/// Follows scripts. The current directory lasts from one script to the next.
#[derive(Debug)]
pub(super) struct Walker<'a> {
    grounds: &'a Grounds,
    /// `None` when it cannot be told any more.
    directory: Option<PathBuf>,
    variables: Variables,
    pub(super) notes: Notes,
    depth: usize,
}

impl<'a> Walker<'a> {
    pub(super) fn new(grounds: &'a Grounds) -> Self {
        let mut variables = Variables::new();
        for (name, path) in [("HOME", &grounds.home), ("TMPDIR", &grounds.temporary)] {
            let text = path.to_string_lossy().into_owned();
            variables.insert(name.to_owned(), vec![Value { text, open: false }]);
        }
        Self {
            grounds,
            directory: Some(grounds.work.clone()),
            variables,
            notes: Notes::default(),
            depth: 0,
        }
    }

    /// Follows one script.
    pub(super) fn script(&mut self, text: &str) {
        if self.depth >= MOST_DEPTH {
            return self.unresolved("scripts are nested too deeply");
        }
        match split(text) {
            Err(why) => self.unresolved(&format!("shell text: {}", why.0)),
            Ok(steps) => {
                self.depth += 1;
                self.steps(&steps);
                self.depth -= 1;
            }
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        let mut outer = Vec::new();
        for step in steps {
            match step {
                Step::Open => outer.push((self.directory.clone(), self.variables.clone())),
                Step::Close => {
                    if let Some((directory, variables)) = outer.pop() {
                        (self.directory, self.variables) = (directory, variables);
                    }
                }
                Step::Run(simple) => self.command(simple),
            }
        }
    }

    fn command(&mut self, simple: &Simple) {
        for word in simple
            .words
            .iter()
            .chain(&simple.files)
            .chain(&simple.input)
        {
            self.substitutions(word);
        }
        for file in &simple.files {
            // `2>&1` names a descriptor.
            if !literal_text(file)
                .chars()
                .all(|character| character.is_ascii_digit() || character == '-')
            {
                self.path(file, Use::Any);
            }
        }
        let mut words: &[Word] = &simple.words;
        while let Some((first, rest)) = words.split_first() {
            match self.assignment(first) {
                true => words = rest,
                false => break,
            }
        }
        self.run(words, simple);
    }

    fn substitutions(&mut self, word: &Word) {
        for piece in word {
            if let super::shell::Piece::Output { script } = piece {
                // A substitution is a subshell.
                let before = (self.directory.clone(), self.variables.clone());
                self.depth += 1;
                if self.depth < MOST_DEPTH {
                    self.steps(script);
                } else {
                    self.unresolved("scripts are nested too deeply");
                }
                self.depth -= 1;
                (self.directory, self.variables) = before;
            }
        }
    }

    /// Takes `NAME=value` in; false when `word` is no assignment.
    fn assignment(&mut self, word: &Word) -> bool {
        let Some(super::shell::Piece::Text {
            text,
            quoted: false,
        }) = word.first()
        else {
            return false;
        };
        let Some((name, value)) = text.split_once('=') else {
            return false;
        };
        let plain = |character: char| character.is_ascii_alphanumeric() || character == '_';
        if name.is_empty() || !name.chars().all(plain) {
            return false;
        }
        let mut rest = word.clone();
        if let Some(first) = rest.first_mut() {
            *first = super::shell::Piece::Text {
                text: value.to_owned(),
                quoted: false,
            };
        }
        let found = self.values(&rest);
        for value in found.iter().filter(|value| looks_like_path(&value.text)) {
            self.check(value, Use::Any);
        }
        self.variables.insert(name.to_owned(), found);
        true
    }

    fn values(&self, word: &Word) -> Vec<Value> {
        let directory = self
            .directory
            .as_ref()
            .map(|path| path.to_string_lossy().into_owned());
        values(word, &self.variables, directory.as_deref())
    }

    fn run(&mut self, words: &[Word], simple: &Simple) {
        let Some((first, rest)) = words.split_first() else {
            return;
        };
        let name = literal_text(first);
        if name.contains('/') || self.values(first).iter().any(|value| value.open) {
            self.path(first, Use::Any);
        }
        let base = name.rsplit('/').next().unwrap_or_default();
        match base {
            "cd" | "pushd" => self.change_directory(rest),
            "popd" => self.directory = None,
            "for" | "select" => self.loop_variable(rest),
            "export" | "local" | "declare" | "readonly" | "typeset" => {
                for word in rest {
                    self.assignment(word);
                }
            }
            "read" | "mapfile" | "readarray" | "getopts" => self.forget(rest),
            "env" => self.behind_options(rest, simple, 0),
            "timeout" => self.behind_options(rest, simple, 1),
            "xargs" => {
                self.unresolved("arguments that come from xargs");
                self.behind_options(rest, simple, 0);
            }
            "eval" => self.evaluate(rest),
            "case" | "esac" | "fi" | "done" | "function" | "}" | "[[" => {}
            name if PREFIX_COMMANDS.contains(&name) => self.behind_options(rest, simple, 0),
            name if SHELLS.contains(&name) => self.shell(rest, simple),
            name if WORD_COMMANDS.contains(&name) => {}
            name if PATTERN_COMMANDS.contains(&name) => self.pattern_command(rest),
            name => match INTERPRETERS.iter().find(|(known, _)| *known == name) {
                Some((_, options)) => self.interpreter(rest, options, simple),
                None => self.arguments(rest),
            },
        }
    }

    fn change_directory(&mut self, words: &[Word]) {
        let targets: Vec<&Word> = words
            .iter()
            .filter(|word| !matches!(literal_text(word).as_str(), "--" | "-P" | "-L"))
            .collect();
        let Some(target) = targets.first() else {
            self.directory = Some(self.grounds.home.clone());
            return;
        };
        if literal_text(target) == "-" {
            // Where it leads back to has been checked when it was entered.
            self.directory = None;
            return;
        }
        self.path(target, Use::Any);
        let found = self.values(target);
        self.directory = match found.as_slice() {
            [value] if !value.open => self.absolute(&value.text),
            _ => None,
        };
    }

    fn loop_variable(&mut self, words: &[Word]) {
        let Some((name, rest)) = words.split_first() else {
            return;
        };
        let items = rest.iter().skip_while(|word| literal_text(word) == "in");
        let found: Vec<Value> = items.flat_map(|word| self.values(word)).collect();
        for value in &found {
            if looks_like_path(&value.text) {
                self.check(value, Use::Any);
            }
        }
        self.variables.insert(literal_text(name), found);
    }

    fn forget(&mut self, words: &[Word]) {
        for word in words {
            self.variables.remove(&literal_text(word));
        }
    }

    /// Runs what follows options, assignments and `skipped` further words.
    fn behind_options(&mut self, words: &[Word], simple: &Simple, skipped: usize) {
        let mut words = words;
        while let Some((first, rest)) = words.split_first() {
            if literal_text(first).starts_with('-') || self.assignment(first) {
                words = rest;
            } else {
                break;
            }
        }
        self.run(words.get(skipped..).unwrap_or_default(), simple);
    }

    fn evaluate(&mut self, words: &[Word]) {
        let mut text = String::new();
        for word in words {
            match self.values(word).as_slice() {
                [value] if !value.open => text.push_str(&value.text.replace(GLOB, "*")),
                _ => return self.unresolved("text that is evaluated"),
            }
            text.push(' ');
        }
        self.script(&text);
    }

    fn shell(&mut self, words: &[Word], simple: &Simple) {
        let mut takes_script = false;
        for word in words {
            let text = literal_text(word);
            if takes_script {
                return match self.values(word).as_slice() {
                    [value] if !value.open => {
                        let script =
                            literal_if_plain(word).unwrap_or_else(|| value.text.replace(GLOB, "*"));
                        let before = (self.directory.clone(), self.variables.clone());
                        self.script(&script);
                        if self.depth > 0 {
                            (self.directory, self.variables) = before;
                        }
                    }
                    _ => self.unresolved("a script that is put together"),
                };
            }
            match text.strip_prefix('-') {
                Some(options) if !options.starts_with('-') => takes_script |= options.contains('c'),
                Some(_) => {}
                None => return self.arguments(std::slice::from_ref(word)),
            }
        }
        self.given_scripts(simple, |walker, text| walker.script(text));
    }

    /// Scripts on standard input.
    fn given_scripts(&mut self, simple: &Simple, mut read: impl FnMut(&mut Self, &str)) {
        for word in &simple.input {
            read(self, &literal_text(word));
        }
        if simple.input.is_empty() && (simple.piped || !simple.files.is_empty()) {
            self.unresolved("a program that comes from a pipe or a file");
        }
    }

    fn interpreter(&mut self, words: &[Word], options: &[&str], simple: &Simple) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = literal_text(word);
            if options.contains(&text.as_str()) {
                if let Some(code) = words.next() {
                    self.code(&literal_text(code));
                }
                self.arguments(words.as_slice());
                return;
            }
            if text == "-" {
                break;
            }
            if text == "-m" {
                words.next();
                return self.arguments(words.as_slice());
            }
            if !text.starts_with('-') {
                // A script file: its content is looked at where it is written.
                self.path(word, Use::Any);
                return self.arguments(words.as_slice());
            }
        }
        self.given_scripts(simple, |walker, text| walker.code(text));
    }

    fn code(&mut self, text: &str) {
        let found = code::scan(text);
        for path in found.paths {
            self.check(
                &Value {
                    text: path,
                    open: false,
                },
                Use::Any,
            );
        }
        for word in found.climbing {
            self.unresolved(&format!("code that uses `{word}`"));
        }
    }

    fn pattern_command(&mut self, words: &[Word]) {
        let mut pattern_seen = false;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = literal_text(word);
            match text.as_str() {
                "-e" | "--regexp" | "--expression" => {
                    words.next();
                    pattern_seen = true;
                }
                "-f" | "--file" => {
                    pattern_seen = true;
                    if let Some(file) = words.next() {
                        self.path(file, Use::Any);
                    }
                }
                option if option.starts_with('-') && option.len() > 1 => self.option(word),
                _ if !pattern_seen => pattern_seen = true,
                _ => self.path(word, Use::Any),
            }
        }
    }

    fn arguments(&mut self, words: &[Word]) {
        for word in words {
            if literal_text(word).starts_with('-') {
                self.option(word);
            } else {
                self.path(word, Use::Any);
            }
        }
    }

    /// The value in `--name=value` or `-Xvalue`, when it looks like a path.
    fn option(&mut self, word: &Word) {
        for value in self.values(word) {
            let at = value
                .text
                .find('=')
                .map(|at| at + 1)
                .or_else(|| value.text.find(['/', '.']));
            let rest = at.and_then(|at| value.text.get(at..)).unwrap_or_default();
            if looks_like_path(rest) {
                let text = rest.to_owned();
                self.check(
                    &Value {
                        text,
                        open: value.open,
                    },
                    Use::Any,
                );
            }
        }
    }

    fn path(&mut self, word: &Word, r#use: Use) {
        for value in self.values(word) {
            self.check(&value, r#use);
        }
    }

    /// Notes `value` when it lies outside, or when it cannot be told whether it does.
    pub(super) fn check(&mut self, value: &Value, r#use: Use) {
        let text = value.text.strip_prefix("file://").unwrap_or(&value.text);
        if text.contains("://") || text.contains('\n') {
            return;
        }
        let shown = || {
            text.replace(GLOB, "*")
                .chars()
                .take(300)
                .collect::<String>()
        };
        let fixed = if value.open {
            up_to_last_slash(text)
        } else {
            text
        };
        match self.absolute(fixed) {
            Some(path) if !self.grounds.allow(&path, r#use) => {
                self.notes.outside.push(shown());
            }
            Some(_) if value.open => self.unresolved(&format!("`{}…`", shown())),
            Some(_) => {}
            None => self.unresolved(&format!("`{}` below an unknown directory", shown())),
        }
    }

    fn absolute(&self, text: &str) -> Option<PathBuf> {
        if let Some(rest) = text.strip_prefix('~') {
            if rest.is_empty() || rest.starts_with('/') {
                return Some(self.grounds.home.join(rest.trim_start_matches('/')));
            }
            return Some(Path::new("/home").join(rest));
        }
        if text.starts_with('/') {
            return Some(PathBuf::from(text));
        }
        self.directory
            .as_ref()
            .map(|directory| directory.join(text))
    }

    fn unresolved(&mut self, what: &str) {
        self.notes.unresolved.push(what.to_owned());
    }
}

/// The whole text of a word without expansions, with its globs as they were written.
fn literal_if_plain(word: &Word) -> Option<String> {
    let plain = |piece: &super::shell::Piece| matches!(piece, super::shell::Piece::Text { .. });
    word.iter().all(plain).then(|| literal_text(word))
}

fn up_to_last_slash(text: &str) -> &str {
    text.rfind('/')
        .and_then(|at| text.get(..=at))
        .unwrap_or_default()
}

/// Whether a bare text is more likely a path than a word.
fn looks_like_path(text: &str) -> bool {
    let begins = text.starts_with('/') && text.len() > 1;
    begins
        || text.starts_with("~/")
        || text == ".."
        || text.starts_with("../")
        || text.contains("/../")
}
