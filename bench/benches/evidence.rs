// SPDX-License-Identifier: MIT OR Apache-2.0
//! What evidence costs, beside what it would cost without the care: each group has a peer, and the
//! ratio of the two is the figure that counts.
#![allow(
    missing_docs,
    reason = "criterion's macros make public items without documentation"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use deckproof_packets::json::{self, Arena, Limits};
use deckproof_packets::store::Store;
use sha2::{Digest, Sha256};

/// A document like a journal record, with many of them in a list.
fn document() -> Vec<u8> {
    let records: Vec<_> = (0..4000_u32)
        .map(|n| {
            serde_json::json!({
                "sequence": n, "time": "2026-11-29T12:00:00.000Z",
                "event": { "packet": format!("{n:032x}"), "figures": [n, n + 1, n + 2], "text": "a — b" }
            })
        })
        .collect();
    serde_json::to_vec(&records).unwrap_or_default()
}

fn parsing(criterion: &mut Criterion) {
    let bytes = document();
    let mut group = criterion.benchmark_group("json");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("strict", |bencher| {
        bencher.iter(|| {
            let arena = Arena::new();
            json::parse("bench", black_box(&bytes), &Limits::default(), &arena).is_ok()
        });
    });
    group.bench_function("peer serde_json", |bencher| {
        bencher.iter(|| serde_json::from_slice::<serde_json::Value>(black_box(&bytes)));
    });
    group.finish();
}

fn reading(criterion: &mut Criterion) {
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    let store = Store::new(folder.path().join("objects"));
    let bytes = vec![7_u8; 4 << 20];
    let Ok(hash) = store.put(&bytes) else { return };
    let mut group = criterion.benchmark_group("store");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("get, hashed again", |bencher| {
        bencher.iter(|| store.get(black_box(&hash)))
    });
    group.bench_function("peer sha2 alone", |bencher| {
        bencher.iter(|| Sha256::digest(black_box(&bytes)))
    });
    group.finish();
}

criterion_group!(benches, parsing, reading);
criterion_main!(benches);
