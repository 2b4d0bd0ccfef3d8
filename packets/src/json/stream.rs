// SPDX-License-Identifier: MIT OR Apache-2.0
//! A large document read member by member, and its long lists item by item, by two threads.
//!
//! A document of a million values need not lie in memory as a tree: an item is read, the caller takes
//! from it what it wants, and the next item is read into the same memory. Two threads share a list in
//! pieces. A piece begins where the bytes look like the beginning of the list's first item, which is a
//! guess: what was read from there counts only when the piece before it ended at that very byte, in
//! front of an item. Then one thread would have read the same, since what an item is depends on
//! nothing before it. All other pieces are dropped.
//!
//! This reader gives no reasons. Whatever is wrong makes it give up with `None`; then the caller reads
//! the document with [`super::parse`], which is as strict and says what is wrong where.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use memchr::memmem::Finder;

use super::scan::{Limits, Scanner};
use super::value::{Arena, Member, Place, Value, ValueKind};

/// Bytes of a piece: long enough that a claim costs nothing, short enough that two threads end
/// together.
const PIECE: usize = 128 << 10;

/// The longest beginning of an item that is looked for, in bytes.
const LONGEST_PATTERN: usize = 256;

/// How deep the items of a list lie that the root object holds.
const ITEM_DEPTH: usize = 2;

/// A document whose root is an object, and how far it is read.
#[derive(Debug)]
pub struct Stream<'t> {
    text: &'t str,
    limits: Limits,
    texts: &'t Arena,
    at: usize,
    values: usize,
    keys: BTreeSet<&'t str>,
    piece: usize,
}

impl<'t> Stream<'t> {
    /// A document of these bytes, when it is a text within the limits that begins with an object.
    /// What is read lies in `texts`, but for what items hold.
    #[must_use]
    pub fn open(bytes: &'t [u8], limits: &Limits, texts: &'t Arena) -> Option<Self> {
        let fits = bytes.len() <= limits.bytes.min(u32::MAX as usize) && limits.depth >= ITEM_DEPTH;
        let text = std::str::from_utf8(bytes).ok().filter(|_| fits)?;
        let mut stream = Self {
            text,
            limits: *limits,
            texts,
            at: 0,
            values: 1,
            keys: BTreeSet::new(),
            piece: PIECE,
        };
        stream.take(b'{')?;
        Some(stream)
    }

    /// The next key, or nothing at the end of the document. Behind a key, [`Stream::value`] or
    /// [`Stream::list`] is to be called.
    #[allow(clippy::option_option, reason = "no key is no fault")]
    pub fn key(&mut self) -> Option<Option<&'t str>> {
        if self.take(b'}').is_some() {
            let end = self.peek().is_none() && self.values <= self.limits.values;
            return end.then_some(None);
        }
        if !self.keys.is_empty() {
            self.take(b',')?;
        }
        self.peek().filter(|found| *found == b'"')?;
        let mut scanner = self.scanner(self.texts);
        let key = scanner.string().ok()?;
        self.at = scanner.at;
        self.take(b':')?;
        self.keys.insert(key).then_some(Some(key))
    }

    /// The value behind a key, whole.
    pub fn value(&mut self) -> Option<Value<'t, 't>> {
        let mut scanner = self.scanner(self.texts);
        let value = scanner.value(1).ok()?;
        let (at, values) = (scanner.at, scanner.values);
        self.at = at;
        self.values += values;
        Some(value)
    }

    /// The list behind a key: what `work` gives for each item, in their order. `work` may see what is
    /// no item of the list; what it gives for that goes nowhere. A second thread puts its texts into
    /// `helper`.
    pub fn list<T: Send>(
        &mut self,
        helper: &'t mut Arena,
        work: impl Fn(&Value<'_, 't>) -> Option<T> + Sync,
    ) -> Option<Vec<T>> {
        self.take(b'[')?;
        self.values += 1;
        if self.take(b']').is_some() {
            return Some(Vec::new());
        }
        self.peek();
        let list = List {
            text: self.text,
            limits: self.limits,
            work,
        };
        let pieces = list.pieces(self.at, self.piece, self.texts, helper);
        let whole = list.joined(self.at, pieces, self.texts)?;
        self.at = whole.end;
        self.values += whole.values;
        Some(whole.read)
    }

    /// The root object with these members.
    #[must_use]
    pub fn object<'n>(&self, members: &'n [Member<'n, 't>]) -> Value<'n, 't> {
        Value::new(Place::new(0), ValueKind::Object(members))
    }

    fn scanner(&self, arena: &'t Arena) -> Scanner<'t, 't> {
        Scanner::new(self.text, self.at, &self.limits, (arena, self.texts))
    }

    fn peek(&mut self) -> Option<u8> {
        let mut scanner = self.scanner(self.texts);
        let found = scanner.peek_behind_space();
        self.at = scanner.at;
        found
    }

    /// Goes behind this byte, if it comes next.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.peek().filter(|found| *found == byte)?;
        self.at += 1;
        Some(())
    }
}

/// One list: what its items are read from and given to.
struct List<'t, W> {
    text: &'t str,
    limits: Limits,
    work: W,
}

/// Items that were read one after the other.
struct Piece<T> {
    start: usize,
    read: Vec<T>,
    values: usize,
    /// Where the next item begins; behind the list when there is none.
    end: usize,
    /// Whether the list ends there.
    last: bool,
}

/// The pieces of a list: which are taken, and which are read.
struct Taken<T> {
    /// Where the next piece is looked for.
    target: usize,
    /// `None` where an item could not be read.
    done: Vec<(usize, Option<Piece<T>>)>,
    /// Somebody came to the end.
    ended: bool,
}

impl<'t, T: Send, W: Fn(&Value<'_, 't>) -> Option<T> + Sync> List<'t, W> {
    /// Reads the list from its first item on, in pieces of so many bytes.
    fn pieces(
        &self,
        at: usize,
        piece: usize,
        texts: &'t Arena,
        helper: &'t mut Arena,
    ) -> Vec<(usize, Option<Piece<T>>)> {
        let bytes = self.text.as_bytes();
        let pattern = beginning(bytes, at).filter(|_| bytes.len() - at > 2 * piece);
        let Some(pattern) = pattern.map(Finder::new) else {
            return vec![(at, self.read(at, usize::MAX, texts))];
        };
        let taken = Mutex::new(Taken {
            target: at.saturating_add(piece),
            done: Vec::new(),
            ended: false,
        });
        let all = |first: Option<usize>, texts: &'t Arena| {
            let claim = || lock(&taken).claim(bytes, &pattern, piece);
            let mut next = first.or_else(claim);
            while let Some(start) = next {
                let read = self.read(start, start.saturating_add(piece), texts);
                let mut taken = lock(&taken);
                taken.ended |= read.as_ref().is_some_and(|read| read.last);
                taken.done.push((start, read));
                drop(taken);
                next = claim();
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(move || all(None, helper));
            all(Some(at), texts);
        });
        let taken = taken.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut done = taken.done;
        done.sort_by_key(|(start, _)| *start);
        done
    }

    /// Reads items from `at` on, until one begins at `end` or behind it, or the list ends.
    fn read(&self, mut at: usize, end: usize, texts: &'t Arena) -> Option<Piece<T>> {
        let mut nodes = Arena::new();
        let mut piece = Piece::at(at);
        while !piece.last && at < end {
            nodes.reset();
            let mut scanner = Scanner::new(self.text, at, &self.limits, (&nodes, texts));
            let item = scanner.value(ITEM_DEPTH).ok()?;
            piece.read.push((self.work)(&item)?);
            piece.values += scanner.values;
            piece.last = match scanner.peek_behind_space() {
                Some(b',') => false,
                Some(b']') => true,
                _ => return None,
            };
            scanner.at += 1;
            if !piece.last {
                scanner.peek_behind_space();
            }
            at = scanner.at;
        }
        piece.end = at;
        Some(piece)
    }

    /// The pieces that follow each other from the first item to the list's end; what none of them
    /// holds is read now.
    fn joined(
        &self,
        at: usize,
        pieces: Vec<(usize, Option<Piece<T>>)>,
        texts: &'t Arena,
    ) -> Option<Piece<T>> {
        let mut whole = Piece::at(at);
        let read = pieces.iter().filter_map(|(_, piece)| piece.as_ref());
        whole.read.reserve(read.map(|piece| piece.read.len()).sum());
        for (start, piece) in pieces {
            if whole.end < start && !whole.last {
                whole.append(self.read(whole.end, start, texts)?);
            }
            if whole.end == start && !whole.last {
                whole.append(piece?);
            }
        }
        if !whole.last {
            whole.append(self.read(whole.end, usize::MAX, texts)?);
        }
        Some(whole)
    }
}

impl<T> Piece<T> {
    /// Nothing yet, from here on.
    fn at(start: usize) -> Self {
        Self {
            start,
            read: Vec::new(),
            values: 0,
            end: start,
            last: false,
        }
    }

    fn append(&mut self, next: Self) {
        debug_assert_eq!(self.end, next.start, "pieces follow each other");
        self.read.extend(next.read);
        self.values += next.values;
        (self.end, self.last) = (next.end, next.last);
    }
}

impl<T> Taken<T> {
    fn claim(&mut self, bytes: &[u8], pattern: &Finder<'_>, piece: usize) -> Option<usize> {
        let rest = bytes.get(self.target..).filter(|_| !self.ended)?;
        let start = self.target + pattern.find(rest)?;
        self.target = start.saturating_add(piece);
        Some(start)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bytes from `at` to the end of the first key, when an object with a key begins there.
fn beginning(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let bytes = bytes.get(at..)?;
    let bytes = bytes.get(..LONGEST_PATTERN.min(bytes.len()))?;
    let open = bytes.iter().position(|byte| *byte == b'"')?;
    let (head, key) = (bytes.get(..open)?, bytes.get(open + 1..)?);
    let close = key.iter().position(|byte| *byte == b'"')?;
    let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    match head {
        [b'{', rest @ ..] if rest.iter().all(space) => bytes.get(..open + close + 2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;
    use crate::json::parse;

    /// The members of a document as texts, and its lists item by item.
    type Members = Vec<(String, Vec<String>)>;

    fn shown(value: &Value<'_, '_>) -> String {
        format!("{value:?}")
    }

    fn streamed(bytes: &[u8], limits: &Limits, piece: usize) -> Option<Members> {
        let texts = Arena::new();
        let mut helpers: Vec<Arena> = (0..bytes.len()).map(|_| Arena::new()).collect();
        let mut helpers = helpers.iter_mut();
        let mut stream = Stream::open(bytes, limits, &texts)?;
        stream.piece = piece;
        let mut members = Vec::new();
        while let Some(key) = stream.key()? {
            let read = if stream.peek() == Some(b'[') {
                stream.list(helpers.next()?, |item| Some(shown(item)))?
            } else {
                vec![shown(&stream.value()?)]
            };
            members.push((key.to_owned(), read));
        }
        Some(members)
    }

    fn parsed(bytes: &[u8], limits: &Limits) -> Option<Members> {
        let arena = Arena::new();
        let root = parse("f", bytes, limits, &arena).ok()?;
        let member = |member: &Member<'_, '_>| {
            let items = member
                .value
                .as_array()
                .map(|items| items.iter().map(shown).collect());
            let read = items.unwrap_or_else(|| vec![shown(&member.value)]);
            (member.key.to_owned(), read)
        };
        Some(root.as_object()?.iter().map(member).collect())
    }

    fn document() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("{}".to_owned()),
            Just("[]".to_owned()),
            Just("-1.5e3".to_owned()),
            "[a{\\\\,\"é ]{0,6}".prop_map(|text| format!("{text:?}")),
            Just("{\"k\":1}".to_owned()),
        ];
        let item = (leaf.clone(), leaf).prop_map(|(one, other)| {
            format!("{{\"k\": {one}, \"in\":[{{\"k\": {other}}}, {{\"k\": 2}}]}}")
        });
        let list = prop::collection::vec(item, 0..40).prop_map(|items| items.join(", "));
        (list.clone(), list).prop_map(|(one, other)| {
            format!("{{\"head\": 1, \"runs\": [{one}], \"reviews\" : [ {other} ] }}")
        })
    }

    proptest! {
        #[test]
        fn reads_what_the_reader_of_whole_documents_reads(
            text in document(),
            piece in 1_usize..400,
            change in proptest::option::of((any::<prop::sample::Index>(), any::<u8>())),
            values in 1_usize..1_000,
            depth in 2_usize..8,
        ) {
            let mut bytes = text.into_bytes();
            if let Some((at, byte)) = change {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            for limits in [Limits::default(), Limits { values, depth, ..Limits::default() }] {
                prop_assert_eq!(streamed(&bytes, &limits, piece), parsed(&bytes, &limits));
            }
        }
    }

    #[test]
    fn gives_up_where_the_other_reader_says_why() {
        for text in [
            "",
            "[]",
            "{",
            "{}x",
            "{\"a\":1,}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":1,\"a\":2}",
            "{\"a\":[1,]}",
            "{\"a\":[1 2]}",
            "{\"a\":[}",
            "{,\"a\":1}",
            "\u{feff}{}",
            "{\"a\" 1}",
        ] {
            assert_eq!(
                streamed(text.as_bytes(), &Limits::default(), 1),
                None,
                "{text}"
            );
            assert_eq!(parsed(text.as_bytes(), &Limits::default()), None, "{text}");
        }
    }

    #[test]
    fn two_threads_share_a_list() {
        let items: Vec<String> = (0..500).map(|at| format!("{{\"k\": [{at}]}}")).collect();
        let text = format!("{{\"list\": [{}]}}", items.join(","));
        let (texts, mut helper) = (Arena::new(), Arena::new());
        let mut stream = Stream::open(text.as_bytes(), &Limits::default(), &texts).unwrap();
        stream.piece = 100;
        assert_eq!(stream.key(), Some(Some("list")));
        let [main, seen, others] =
            [std::thread::current().id(); 3].map(|id| (id, AtomicUsize::new(0)));
        let read = stream.list(&mut helper, |item| {
            seen.1.fetch_add(1, Ordering::Relaxed);
            if std::thread::current().id() == main.0 {
                // The other thread has all the time that it needs to take a piece.
                while others.1.load(Ordering::Relaxed) == 0 {
                    std::thread::yield_now();
                }
            } else {
                others.1.fetch_add(1, Ordering::Relaxed);
            }
            item.get("k")?.as_array()?.first()?.as_u64()
        });
        assert_eq!(read, Some((0..500).collect::<Vec<u64>>()));
        assert_eq!(stream.key(), Some(None));
        assert_eq!(
            seen.1.load(Ordering::Relaxed),
            500,
            "nothing was read twice"
        );
    }

    #[test]
    fn pieces_begin_at_objects_alone() {
        let found = |text: &'static str| beginning(text.as_bytes(), 0);
        assert_eq!(found("{ \"a\\\"b\": 1}"), Some(&b"{ \"a\\\""[..]));
        for other in ["[{\"a\"", "1, {\"a\"", "{}", "{ ", "\"a\"", ""] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
