// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often the intervals of cost ratios hold the true ratio, by simulation.
//!
//! A few hundred experiments run with every test; `DECKPROOF_SIMULATE=1` runs thousands over many
//! sizes and prints the shares.

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a test that cannot go on stops, and its counts are small"
)]

use deckproof_reviews::statistics::{Cluster, Interval, Resampling, geometric_mean_ratio};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The true ratio of every simulated experiment.
const TRUTH: f64 = 0.7;

/// Close to normal, without a library: twelve uniform figures less six.
fn normal(rng: &mut ChaCha20Rng) -> f64 {
    let uniform = |rng: &mut ChaCha20Rng| f64::from(rng.next_u32()) / f64::from(u32::MAX);
    (0..12).map(|_| uniform(rng)).sum::<f64>() - 6.0
}

/// Logarithms with a long tail to the right, as costs of agents have: mean nought, deviation one.
fn skewed(rng: &mut ChaCha20Rng) -> f64 {
    let uniform = (f64::from(rng.next_u32()) + 0.5) / (f64::from(u32::MAX) + 1.0);
    -libm::log(uniform) - 1.0
}

/// An experiment of so many cases and repetitions: cases differ by a fifth, runs by a tenth.
fn experiment(rng: &mut ChaCha20Rng, cases: usize, repetitions: usize, tail: bool) -> Vec<Cluster> {
    let noise = |rng: &mut ChaCha20Rng| if tail { skewed(rng) } else { normal(rng) };
    (0..cases)
        .map(|case| {
            let shift = 0.2 * noise(rng);
            let mut pair = || {
                let log = libm::log(TRUTH) + shift + 0.1 * noise(rng);
                (1_000.0 * libm::exp(log), 1_000.0)
            };
            Cluster {
                name: case.to_string(),
                pairs: (0..repetitions).map(|_| pair()).collect(),
            }
        })
        .collect()
}

/// The share of intervals at 95 % that hold the truth.
fn coverage(experiments: u32, cases: usize, repetitions: usize, tail: bool, draws: usize) -> f64 {
    let mut rng = ChaCha20Rng::seed_from_u64(cases as u64 * 1_000 + repetitions as u64);
    let mut covered = 0_u32;
    for seed in 0..experiments {
        let clusters = experiment(&mut rng, cases, repetitions, tail);
        let resampling = Resampling {
            seed: u64::from(seed),
            draws,
        };
        let estimate = geometric_mean_ratio(&clusters, 0.95, resampling).unwrap();
        let Interval { low, high, .. } = estimate.interval.unwrap();
        covered += u32::from(low <= TRUTH && TRUTH <= high);
    }
    f64::from(covered) / f64::from(experiments)
}

#[test]
fn ratios_of_many_cases_are_covered() {
    let share = coverage(300, 30, 2, false, 299);
    assert!((0.90..=0.98).contains(&share), "{share} at 95 %");
}

/// The mark of few cases is no decoration.
#[test]
fn few_cases_are_covered_less_often() {
    let share = coverage(300, 4, 1, false, 299);
    assert!(share < 0.90, "{share} at 95 %");
}

#[test]
fn simulate() {
    if std::env::var_os("DECKPROOF_SIMULATE").is_none() {
        eprintln!("skipped: DECKPROOF_SIMULATE is not set");
        return;
    }
    println!("| cases | runs | normal | long tail |\n| ---: | ---: | ---: | ---: |");
    for cases in [3, 5, 10, 20, 50] {
        for runs in [1, 3] {
            let of = |tail| coverage(2_000, cases, runs, tail, 999) * 100.0;
            println!(
                "| {cases} | {runs} | {:.1} % | {:.1} % |",
                of(false),
                of(true)
            );
        }
    }
}
