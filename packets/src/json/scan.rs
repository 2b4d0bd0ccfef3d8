// SPDX-License-Identifier: MIT OR Apache-2.0
//! The strict reader itself: RFC 8259 to the letter, and nothing twice.
//!
//! Nesting is counted before it is entered, so that no document can exhaust the stack, and every
//! count has a limit, so that none can exhaust memory beyond a small multiple of its own size.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::JsonError;
use super::value::{Member, Value, ValueKind};

/// How large a document may be.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of the whole text.
    pub bytes: usize,
    /// Lists and objects within each other.
    pub depth: usize,
    /// Values in the whole document.
    pub values: usize,
}

impl Default for Limits {
    /// 64 MiB, 64 levels, 4 million values: far above any honest record.
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            depth: 64,
            values: 4_000_000,
        }
    }
}

pub(super) fn scan<'a>(
    file: &str,
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<Value<'a>, JsonError> {
    let error_at = |line, column, problem: String| JsonError {
        file: file.to_owned(),
        line,
        column,
        problem,
    };
    if bytes.len() > limits.bytes {
        let problem = format!("{} bytes, expected at most {}", bytes.len(), limits.bytes);
        return Err(error_at(1, 1, problem));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let (line, column) = position(&String::from_utf8_lossy(good));
        error_at(line, column, "invalid UTF-8".to_owned())
    })?;
    let mut scanner = Scanner {
        text,
        at: 0,
        line: 1,
        column: 1,
        limits: *limits,
        values: 0,
    };
    let document = scanner.document();
    document.map_err(|problem| error_at(scanner.line, scanner.column, problem))
}

/// Line and column of the end of `text`.
fn position(text: &str) -> (usize, usize) {
    let line = text.matches('\n').count() + 1;
    let last = text.rsplit('\n').next().unwrap_or_default();
    (line, last.chars().count() + 1)
}

/// The state of one scan. Problems are plain text; their position is the scanner's own.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
    limits: Limits,
    values: usize,
}

impl<'a> Scanner<'a> {
    fn document(&mut self) -> Result<Value<'a>, String> {
        if self.text.starts_with('\u{feff}') {
            return Err("a byte-order mark, expected plain UTF-8".to_owned());
        }
        let value = self.value(0)?;
        self.space();
        match self.peek() {
            None => Ok(value),
            Some(found) => Err(format!(
                "`{}` after the document's end",
                found.escape_debug()
            )),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let found = self.peek()?;
        self.at += found.len_utf8();
        if found == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(found)
    }

    fn space(&mut self) {
        for byte in self.rest().bytes() {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.column = 1;
                }
                b' ' | b'\t' | b'\r' => self.column += 1,
                _ => return,
            }
            self.at += 1;
        }
    }

    fn expected<T>(&self, what: &str) -> Result<T, String> {
        match self.peek() {
            Some(found) => Err(format!("found `{}`, expected {what}", found.escape_debug())),
            None => Err(format!("the text ends, expected {what}")),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value<'a>, String> {
        self.space();
        self.values += 1;
        if self.values > self.limits.values {
            return Err(format!("more than {} values", self.limits.values));
        }
        let (line, column) = (self.line, self.column);
        let kind = match self.peek() {
            Some('{') => self.object(depth)?,
            Some('[') => self.array(depth)?,
            Some('"') => ValueKind::String(self.string()?),
            Some('-' | '0'..='9') => ValueKind::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(Value { line, column, kind })
    }

    fn word(&mut self) -> Result<ValueKind<'a>, String> {
        let words = [
            ("true", ValueKind::Bool(true)),
            ("false", ValueKind::Bool(false)),
            ("null", ValueKind::Null),
        ];
        for (word, kind) in words {
            if self.rest().starts_with(word) {
                self.at += word.len();
                self.column += word.len();
                return Ok(kind);
            }
        }
        self.expected("a value")
    }

    fn enter(&self, depth: usize) -> Result<usize, String> {
        if depth >= self.limits.depth {
            return Err(format!(
                "nested more than {} levels deep",
                self.limits.depth
            ));
        }
        Ok(depth + 1)
    }

    fn array(&mut self, depth: usize) -> Result<ValueKind<'a>, String> {
        let depth = self.enter(depth)?;
        self.next();
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(']') {
            self.next();
            return Ok(ValueKind::Array(items));
        }
        loop {
            items.push(self.value(depth)?);
            self.space();
            match self.peek() {
                Some(',') => self.next(),
                Some(']') => {
                    self.next();
                    return Ok(ValueKind::Array(items));
                }
                _ => return self.expected("`,` or `]`"),
            };
        }
    }

    fn object(&mut self, depth: usize) -> Result<ValueKind<'a>, String> {
        let depth = self.enter(depth)?;
        self.next();
        let mut members = Vec::with_capacity(USUAL_KEYS);
        let mut keys = Keys::default();
        self.space();
        if self.peek() == Some('}') {
            self.next();
            return Ok(ValueKind::Object(members));
        }
        loop {
            let member = self.member(depth, &members, &mut keys)?;
            members.push(member);
            self.space();
            match self.peek() {
                Some(',') => self.next(),
                Some('}') => {
                    self.next();
                    return Ok(ValueKind::Object(members));
                }
                _ => return self.expected("`,` or `}`"),
            };
        }
    }

    fn member(
        &mut self,
        depth: usize,
        members: &[Member<'a>],
        keys: &mut Keys<'a>,
    ) -> Result<Member<'a>, String> {
        self.space();
        if self.peek() != Some('"') {
            return self.expected("a key");
        }
        let (line, column) = (self.line, self.column);
        let key = self.string()?;
        if keys.stands_twice(members, &key) {
            (self.line, self.column) = (line, column);
            return Err(format!("the key `{}` stands twice", key.escape_debug()));
        }
        self.space();
        if self.peek() != Some(':') {
            return self.expected("`:`");
        }
        self.next();
        Ok(Member {
            key,
            value: self.value(depth)?,
        })
    }

    fn string(&mut self) -> Result<Cow<'a, str>, String> {
        self.next();
        let mut text = Cow::Borrowed(self.plain_run());
        loop {
            match self.peek() {
                None => return self.expected("the end of a string"),
                Some('"') => {
                    self.next();
                    return Ok(text);
                }
                Some('\\') => {
                    self.next();
                    let escaped = self.escape()?;
                    let run = self.plain_run();
                    let text = text.to_mut();
                    text.push(escaped);
                    text.push_str(run);
                }
                Some(found) => {
                    return Err(format!("the bare control character U+{:04X}", found as u32));
                }
            }
        }
    }

    /// The characters up to the next quote, backslash or control character, taken in one piece.
    fn plain_run(&mut self) -> &'a str {
        let rest = self.rest();
        let special = |byte: u8| byte == b'"' || byte == b'\\' || byte < b' ';
        let end = rest.bytes().position(special).unwrap_or(rest.len());
        let run = rest.get(..end).unwrap_or_default();
        self.at += end;
        self.column += run.chars().count();
        run
    }

    fn escape(&mut self) -> Result<char, String> {
        let Some(found) = self.peek() else {
            return self.expected("an escape");
        };
        let plain = match found {
            '"' | '\\' | '/' => found,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                self.next();
                return self.unicode_escape();
            }
            _ => return self.expected("an escape"),
        };
        self.next();
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Result<char, String> {
        let first = self.four_digits()?;
        let code = match first {
            0xD800..=0xDBFF if self.rest().starts_with("\\u") => {
                self.next();
                self.next();
                let second = self.four_digits()?;
                if !(0xDC00..=0xDFFF).contains(&second) {
                    return Err("a lone surrogate".to_owned());
                }
                0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
            }
            _ => first,
        };
        char::from_u32(code).ok_or_else(|| "a lone surrogate".to_owned())
    }

    fn four_digits(&mut self) -> Result<u32, String> {
        let mut code = 0;
        for _ in 0..4 {
            match self.peek().and_then(|found| found.to_digit(16)) {
                Some(digit) => code = code * 16 + digit,
                None => return self.expected("four hexadecimal digits"),
            }
            self.next();
        }
        Ok(code)
    }

    fn digits(&mut self) -> Result<(), String> {
        if !matches!(self.peek(), Some('0'..='9')) {
            return self.expected("a digit");
        }
        while matches!(self.peek(), Some('0'..='9')) {
            self.next();
        }
        Ok(())
    }

    fn number(&mut self) -> Result<&'a str, String> {
        let start = self.at;
        let (line, column) = (self.line, self.column);
        if self.peek() == Some('-') {
            self.next();
        }
        if self.peek() == Some('0') {
            self.next();
        } else {
            self.digits()?;
        }
        if self.peek() == Some('.') {
            self.next();
            self.digits()?;
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            self.next();
            if matches!(self.peek(), Some('+' | '-')) {
                self.next();
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        if short_integer(text) || text.parse::<f64>().is_ok_and(f64::is_finite) {
            return Ok(text);
        }
        (self.line, self.column) = (line, column);
        Err("a number beyond the range of a double".to_owned())
    }
}

/// A plain integer of fewer digits than a double's range is finite without being parsed.
fn short_integer(text: &str) -> bool {
    text.len() < 300 && !text.contains(['.', 'e', 'E'])
}

/// Keys of an object of usual size: fewer moves of its members while it grows.
const USUAL_KEYS: usize = 8;

/// The keys of one object so far: compared one by one while they are few, looked up when not.
#[derive(Default)]
struct Keys<'a>(BTreeSet<Cow<'a, str>>);

impl<'a> Keys<'a> {
    /// Objects of up to this many keys need no index.
    const FEW: usize = 24;

    fn stands_twice(&mut self, members: &[Member<'a>], key: &str) -> bool {
        if members.len() < Self::FEW {
            return members.iter().any(|member| member.key == key);
        }
        if self.0.is_empty() {
            self.0
                .extend(members.iter().map(|member| member.key.clone()));
        }
        !self.0.insert(Cow::Owned(key.to_owned()))
    }
}
