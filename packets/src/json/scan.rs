// SPDX-License-Identifier: MIT OR Apache-2.0
//! The strict reader itself: RFC 8259 to the letter, and nothing twice.
//!
//! Nesting is counted before it is entered, so that no document can exhaust the stack, and every
//! count has a limit, so that none can exhaust memory beyond a small multiple of its own size.

use std::collections::BTreeSet;

use super::JsonError;
use super::value::{Arena, Member, Place, Value, ValueKind};

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
    arena: &'a Arena,
) -> Result<Value<'a, 'a>, JsonError> {
    let error_at = |place: Place, problem: String| {
        let (line, column) = place.position(bytes);
        JsonError {
            file: file.to_owned(),
            line,
            column,
            problem,
        }
    };
    let most = limits.bytes.min(u32::MAX as usize);
    if bytes.len() > most {
        let problem = format!("{} bytes, expected at most {most}", bytes.len());
        return Err(error_at(Place::new(0), problem));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| error_at(Place::new(error.valid_up_to()), "invalid UTF-8".to_owned()))?;
    let mut scanner = Scanner::new(text, 0, limits, (arena, arena));
    scanner
        .document()
        .map_err(|Stop| error_at(Place::new(scanner.at), std::mem::take(&mut scanner.problem)))
}

/// The document is wrong at the scanner's place, for the reason that the scanner holds.
pub(super) struct Stop;

pub(super) type Scan<T> = Result<T, Stop>;

/// The state of one scan.
pub(super) struct Scanner<'n, 't> {
    text: &'t str,
    bytes: &'t [u8],
    pub(super) at: usize,
    limits: Limits,
    pub(super) values: usize,
    /// Lists and objects go here.
    arena: &'n Arena,
    /// Texts that the document does not hold as they are go here.
    texts: &'t Arena,
    /// Items of the lists that are open, the innermost last.
    items: Vec<Value<'n, 't>>,
    /// Members of the objects that are open, the innermost last.
    members: Vec<Member<'n, 't>>,
    problem: String,
}

impl<'n, 't> Scanner<'n, 't> {
    /// At a place of the text. The arenas: for lists and objects, and for texts.
    pub(super) fn new(
        text: &'t str,
        at: usize,
        limits: &Limits,
        (arena, texts): (&'n Arena, &'t Arena),
    ) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            limits: *limits,
            values: 0,
            arena,
            texts,
            items: Vec::new(),
            members: Vec::new(),
            problem: String::new(),
        }
    }

    fn document(&mut self) -> Scan<Value<'n, 't>> {
        if self.text.starts_with('\u{feff}') {
            return self.fail("a byte-order mark, expected plain UTF-8".to_owned());
        }
        let value = self.value(0)?;
        match self.peek_behind_space() {
            None => Ok(value),
            Some(_) => {
                let found = self.shown().unwrap_or_default();
                self.fail(format!("`{found}` after the document's end"))
            }
        }
    }

    #[cold]
    fn fail<T>(&mut self, problem: String) -> Scan<T> {
        self.problem = problem;
        Err(Stop)
    }

    #[cold]
    fn expected<T>(&mut self, what: &str) -> Scan<T> {
        let problem = match self.shown() {
            Some(found) => format!("found `{found}`, expected {what}"),
            None => format!("the text ends, expected {what}"),
        };
        self.fail(problem)
    }

    /// The character here, for messages.
    fn shown(&self) -> Option<String> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let found = rest.chars().next()?;
        Some(found.escape_debug().to_string())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn peek_behind_space(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                found => return found,
            }
        }
    }

    pub(super) fn value(&mut self, depth: usize) -> Scan<Value<'n, 't>> {
        let first = self.peek_behind_space();
        self.values += 1;
        if self.values > self.limits.values {
            return self.fail(format!("more than {} values", self.limits.values));
        }
        let place = Place::new(self.at);
        let kind = match first {
            Some(b'"') => ValueKind::String(self.string()?),
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'-' | b'0'..=b'9') => ValueKind::Number(self.number()?),
            _ => self.word()?,
        };
        Ok(Value::new(place, kind))
    }

    fn word(&mut self) -> Scan<ValueKind<'n, 't>> {
        let words = [
            ("true", ValueKind::Bool(true)),
            ("false", ValueKind::Bool(false)),
            ("null", ValueKind::Null),
        ];
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        for (word, kind) in words {
            if rest.starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        self.expected("a value")
    }

    fn enter(&mut self, depth: usize) -> Scan<usize> {
        if depth >= self.limits.depth {
            let most = self.limits.depth;
            return self.fail(format!("nested more than {most} levels deep"));
        }
        self.at += 1;
        Ok(depth + 1)
    }

    fn array(&mut self, depth: usize) -> Scan<ValueKind<'n, 't>> {
        let depth = self.enter(depth)?;
        let base = self.items.len();
        if self.peek_behind_space() == Some(b']') {
            self.at += 1;
            return Ok(ValueKind::Array(&[]));
        }
        loop {
            let item = self.value(depth)?;
            self.items.push(item);
            match self.peek_behind_space() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    let items = self.arena.list(self.items.get(base..).unwrap_or_default());
                    self.items.truncate(base);
                    return Ok(ValueKind::Array(items));
                }
                _ => return self.expected("`,` or `]`"),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Scan<ValueKind<'n, 't>> {
        let depth = self.enter(depth)?;
        let base = self.members.len();
        let mut keys = Keys::default();
        if self.peek_behind_space() == Some(b'}') {
            self.at += 1;
            return Ok(ValueKind::Object(&[]));
        }
        loop {
            let member = self.member(depth, base, &mut keys)?;
            self.members.push(member);
            match self.peek_behind_space() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    let members = self.members.get(base..).unwrap_or_default();
                    let members = self.arena.list(members);
                    self.members.truncate(base);
                    return Ok(ValueKind::Object(members));
                }
                _ => return self.expected("`,` or `}`"),
            }
        }
    }

    fn member(&mut self, depth: usize, base: usize, keys: &mut Keys<'t>) -> Scan<Member<'n, 't>> {
        if self.peek_behind_space() != Some(b'"') {
            return self.expected("a key");
        }
        let place = self.at;
        let key = self.string()?;
        if keys.stands_twice(self.members.get(base..).unwrap_or_default(), key) {
            self.at = place;
            return self.fail(format!("the key `{}` stands twice", key.escape_debug()));
        }
        if self.peek_behind_space() != Some(b':') {
            return self.expected("`:`");
        }
        self.at += 1;
        let value = self.value(depth)?;
        Ok(Member { key, value })
    }

    pub(super) fn string(&mut self) -> Scan<&'t str> {
        self.at += 1;
        let run = self.plain_run();
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(run);
        }
        self.escaped_string(run)
    }

    /// The rest of a string whose first run of plain characters is read.
    fn escaped_string(&mut self, run: &'t str) -> Scan<&'t str> {
        let mut text = run.to_owned();
        loop {
            match self.peek() {
                None => return self.expected("the end of a string"),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.texts.text(&text));
                }
                Some(b'\\') => {
                    self.at += 1;
                    text.push(self.escape()?);
                    text.push_str(self.plain_run());
                }
                Some(found) => {
                    return self.fail(format!("the bare control character U+{found:04X}"));
                }
            }
        }
    }

    /// The characters up to the next quote, backslash or control character, taken in one piece.
    fn plain_run(&mut self) -> &'t str {
        let start = self.at;
        self.at = special(self.bytes, start);
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn escape(&mut self) -> Scan<char> {
        let plain = match self.peek() {
            Some(found @ (b'"' | b'\\' | b'/')) => char::from(found),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return self.expected("an escape"),
        };
        self.at += 1;
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Scan<char> {
        let first = self.four_digits()?;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let code = match first {
            0xD800..=0xDBFF if rest.starts_with(b"\\u") => {
                self.at += 2;
                let second = self.four_digits()?;
                if !(0xDC00..=0xDFFF).contains(&second) {
                    return self.fail("a lone surrogate".to_owned());
                }
                0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
            }
            _ => first,
        };
        match char::from_u32(code) {
            Some(found) => Ok(found),
            None => self.fail("a lone surrogate".to_owned()),
        }
    }

    fn four_digits(&mut self) -> Scan<u32> {
        let mut code = 0;
        for _ in 0..4 {
            match self.peek().and_then(|found| char::from(found).to_digit(16)) {
                Some(digit) => code = code * 16 + digit,
                None => return self.expected("four hexadecimal digits"),
            }
            self.at += 1;
        }
        Ok(code)
    }

    fn digits(&mut self) -> Scan<()> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.expected("a digit");
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Scan<&'t str> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        let whole = self.at;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        // A plain integer of fewer digits than a double's range is finite without being parsed.
        let short_integer = self.at == whole && text.len() < 300;
        if short_integer || text.parse::<f64>().is_ok_and(f64::is_finite) {
            return Ok(text);
        }
        self.at = start;
        self.fail("a number beyond the range of a double".to_owned())
    }
}

/// Where the next quote, backslash or control character stands, or the end.
fn special(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let hits = special_bytes(u64::from_le_bytes(*chunk));
        if hits != 0 {
            return at + hits.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..b' ');
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// The top bit of every special byte among eight. Above the lowest hit there may be false ones: a
/// subtraction borrows upwards.
fn special_bytes(eight: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    let nought = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
    let quotes = nought(eight ^ (ONES * b'"' as u64));
    let backslashes = nought(eight ^ (ONES * b'\\' as u64));
    let controls = eight.wrapping_sub(ONES * b' ' as u64) & !eight;
    (quotes | backslashes | controls) & TOPS
}

/// The keys of one object so far.
#[derive(Default)]
struct Keys<'a> {
    /// A bit for every sort of key that was there: most new keys are of a new sort.
    sorts: u64,
    /// All keys, once they are many.
    index: BTreeSet<&'a str>,
}

impl<'a> Keys<'a> {
    /// Objects of up to this many keys need no index.
    const FEW: usize = 24;

    fn stands_twice(&mut self, members: &[Member<'_, 'a>], key: &'a str) -> bool {
        if members.len() < Self::FEW {
            let sort = 1 << sort(key.as_bytes());
            let new = self.sorts & sort == 0;
            self.sorts |= sort;
            return !new && members.iter().any(|member| member.is(key));
        }
        if self.index.is_empty() {
            self.index.extend(members.iter().map(|member| member.key));
        }
        !self.index.insert(key)
    }
}

/// One of 64 sorts of keys, by length and three letters.
fn sort(key: &[u8]) -> u32 {
    let letter = |at: usize| u32::from(key.get(at).copied().unwrap_or_default());
    let length = u32::try_from(key.len() % 64).unwrap_or_default();
    let last = letter(key.len().saturating_sub(1));
    (length * 13 + letter(0) + letter(key.len() / 2) * 5 + last * 27) % 64
}
