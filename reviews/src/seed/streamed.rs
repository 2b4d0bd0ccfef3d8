// SPDX-License-Identifier: MIT OR Apache-2.0
//! The quick way through seed records that are as they should be: runs and reviews item by item.
//!
//! Every rule is the one of the other way, and so is every function that decides one; what differs is
//! that no document lies in memory whole. At the first fault, and when the members of the runs
//! document stand in an order in which they cannot be read one by one, this way gives up, and the
//! other one says what is wrong where.

use deckproof_packets::json::{Arena, Limits, Member, Stream};

use super::halves::both;
use super::judgements::{self, Records};
use super::runs;
use super::suite::Suite;
use super::summary::Evidence;
use super::{Document, HEAD, REVIEWS, RUNS, controls, evidence, known_controls, parse, runs_root};

/// The memory of what is read: each arena belongs to one thread.
#[derive(Debug, Default)]
pub(super) struct Arenas {
    suite: Arena,
    texts: Arena,
    helpers: [Arena; 2],
}

/// The evidence, when all is as it should be.
pub(super) fn evidence<'a>(
    suite: Document<'a>,
    runs: Document<'a>,
    arenas: &'a mut Arenas,
) -> Option<Evidence<'a>> {
    let Arenas {
        suite: suite_arena,
        texts,
        helpers: [runs_helper, reviews_helper],
    } = arenas;
    let texts = &*texts;
    let (head, suite) = both(
        || Head::read(runs, texts),
        move || {
            let root = parse(suite, suite_arena).ok()?;
            Some((root, Suite::read(&root).ok()?))
        },
    );
    let (suite_root, suite) = suite?;
    let Head {
        mut stream,
        mut members,
    } = head?;
    let packets = evidence::read(stream.object(&members).get(HEAD)?, &suite).ok()?;
    let read = stream.list(runs_helper, |item| runs::one(item, &suite, &packets).ok())?;
    let runs = runs::each_once(&suite, read.into_iter().map(Ok)).ok()?;
    if !runs::is_complete(&runs, &packets) {
        return None;
    }
    until(&mut stream, REVIEWS, &mut members)?;
    let records = Records::new(&suite, &runs, &packets);
    let (read, controls) = both(
        || stream.list(reviews_helper, |item| records.review(item).ok()),
        || controls::derive(&suite, &runs),
    );
    known_controls(&suite, &suite_root, &controls).ok()?;
    let judgements = judgements::each_once(&suite, read?.into_iter().map(Ok)).ok()?;
    while let Some(key) = stream.key()? {
        let value = stream.value()?;
        members.push(Member { key, value });
    }
    runs_root(&stream.object(&members), &suite).ok()?;
    Some(Evidence {
        suite,
        runs,
        controls,
        judgements,
    })
}

/// A runs document, read up to its runs.
struct Head<'a> {
    stream: Stream<'a>,
    members: Vec<Member<'a, 'a>>,
}

impl<'a> Head<'a> {
    fn read(document: Document<'a>, texts: &'a Arena) -> Option<Self> {
        let mut stream = Stream::open(document.bytes, &Limits::default(), texts)?;
        let mut members = Vec::new();
        until(&mut stream, RUNS, &mut members)?;
        Some(Self { stream, members })
    }
}

/// Reads members up to this key, which must come.
fn until<'a>(stream: &mut Stream<'a>, last: &str, members: &mut Vec<Member<'a, 'a>>) -> Option<()> {
    loop {
        let key = stream.key()??;
        if key == last {
            return Some(());
        }
        let value = stream.value()?;
        members.push(Member { key, value });
    }
}
