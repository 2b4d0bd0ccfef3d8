// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every statistic against figures of an independent implementation, to 1e-9, and what no table can
//! show: symmetry, refusals, fixed draws, and the coverage of intervals.
//!
//! `reference/statistics.json` holds the figures with library, version and call.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on stops"
)]

use deckproof_reviews::statistics::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

const TOLERANCE: f64 = 1e-9;

fn table(name: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(include_str!("reference/statistics.json")).unwrap();
    let rows = document["tables"][name]["rows"].as_array().unwrap().clone();
    assert!(rows.len() >= 20, "{name}");
    rows
}

fn float(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(float).collect()
}

fn integers(value: &Value) -> Vec<i64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item.as_i64().unwrap())
        .collect()
}

#[track_caller]
fn close(found: f64, expected: &Value, row: &Value) {
    let expected = float(expected);
    let scale = expected.abs().max(1.0);
    assert!(
        (found - expected).abs() <= TOLERANCE * scale,
        "{found} is not {expected}: {row}"
    );
}

#[test]
fn sign_tests_agree() {
    for row in table("sign") {
        let test = sign_test(count(&row[0]), 3, count(&row[1]));
        close(test.p, &row[2], &row);
        close(test.p_wins, &row[3], &row);
    }
    let test = sign_test(3, 2, 1);
    assert_eq!(test.win_probability, Some(4.0 / 6.0));
    let none = sign_test(0, 0, 0);
    assert_eq!(
        (none.p, none.win_probability, none.interval),
        (1.0, None, None)
    );
}

#[test]
fn mcnemar_agrees() {
    for row in table("mcnemar") {
        let test = mcnemar(count(&row[0]), count(&row[1]));
        close(test.p, &row[2], &row);
        close(test.mid_p, &row[3], &row);
    }
    assert_eq!(
        (mcnemar(0, 0).p, mcnemar(0, 0).mid_p, mcnemar(4, 4).mid_p),
        (1.0, 1.0, 1.0)
    );
}

#[test]
fn intervals_of_proportions_agree() {
    for row in table("clopper_pearson") {
        let (low, high) =
            binomial_interval(count(&row[0]), count(&row[1]), float(&row[2])).unwrap();
        close(low, &row[3], &row);
        close(high, &row[4], &row);
    }
    assert_eq!(binomial_interval(0, 0, 0.95), None);
    assert_eq!(binomial_interval(2, 1, 0.95), None);
    assert_eq!(binomial_interval(1, 2, 1.0), None);
}

#[test]
fn wilcoxon_agrees() {
    for row in table("wilcoxon") {
        let zeros = if row[1] == "pratt" {
            Zeros::Pratt
        } else {
            Zeros::Drop
        };
        let test = wilcoxon(&floats(&row[0]), zeros).unwrap();
        close(test.p, &row[2], &row);
        let mirrored: Vec<f64> = floats(&row[0]).iter().map(|d| -d).collect();
        assert_eq!(
            wilcoxon(&mirrored, zeros).unwrap().p.to_bits(),
            test.p.to_bits()
        );
    }
    assert_eq!(wilcoxon(&[0.0, 0.0], Zeros::Drop).unwrap().p, 1.0);
    assert_eq!(wilcoxon(&[f64::NAN], Zeros::Drop), None);
}

#[test]
fn sign_flips_agree() {
    for row in table("sign_flip") {
        let test = sign_flip(&integers(&row[0]), Resampling::default()).unwrap();
        assert!(test.exact);
        close(test.p, &row[1], &row);
    }
    assert_eq!(sign_flip(&[], Resampling::default()).unwrap().p, 1.0);
    assert_eq!(sign_flip(&[i64::MAX, 1], Resampling::default()), None);
    assert_eq!(sign_flip(&[i64::MIN], Resampling::default()), None);
}

#[test]
fn many_sign_flips_are_drawn_the_same_everywhere() {
    let differences: Vec<i64> = (0..30)
        .map(|at| if at % 3 == 0 { -at } else { at + 1 })
        .collect();
    let test = sign_flip(
        &differences,
        Resampling {
            seed: 7,
            draws: 2_000,
        },
    )
    .unwrap();
    assert!(!test.exact);
    let again = sign_flip(
        &differences,
        Resampling {
            seed: 7,
            draws: 2_000,
        },
    )
    .unwrap();
    assert_eq!(test, again);
    let other = sign_flip(
        &differences,
        Resampling {
            seed: 8,
            draws: 2_000,
        },
    )
    .unwrap();
    assert!((test.p - other.p).abs() < 0.05);
    // The normal approximation of the same tail.
    let square: i64 = differences.iter().map(|d| d * d).sum();
    let sum: i64 = differences.iter().sum();
    let z =
        f64::from(i32::try_from(sum).unwrap()) / f64::from(i32::try_from(square).unwrap()).sqrt();
    assert!((test.p - 2.0 * normal_cdf(-z)).abs() < 0.05, "{test:?} {z}");
}

#[test]
fn hodges_lehmann_agrees() {
    for row in table("hodges_lehmann") {
        close(hodges_lehmann(&floats(&row[0])).unwrap(), &row[1], &row);
    }
    assert_eq!(hodges_lehmann(&[]), None);
}

#[test]
fn bca_intervals_agree() {
    for row in table("bca") {
        let (low, high) = bca_interval(
            float(&row[0]),
            &floats(&row[1]),
            &floats(&row[2]),
            float(&row[3]),
        )
        .unwrap();
        close(low, &row[4], &row);
        close(high, &row[5], &row);
    }
    assert_eq!(bca_interval(1.0, &[], &[1.0, 2.0], 0.95), None);
    assert_eq!(bca_interval(1.0, &[1.0], &[1.0], 0.95), None);
    assert_eq!(bca_interval(f64::NAN, &[1.0], &[1.0, 2.0], 0.95), None);
    assert_eq!(
        bca_interval(1.0, &[1.0, 1.0], &[1.0, 1.0], 0.95),
        Some((1.0, 1.0))
    );
}

fn clusters(value: &Value) -> Vec<Cluster> {
    let pair = |pair: &Value| (float(&pair[0]), float(&pair[1]));
    let cluster = |(at, pairs): (usize, &Value)| Cluster {
        name: at.to_string(),
        pairs: pairs.as_array().unwrap().iter().map(pair).collect(),
    };
    value
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .map(cluster)
        .collect()
}

#[test]
fn ratios_of_geometric_means_agree() {
    let few = Resampling { seed: 1, draws: 99 };
    for row in table("geometric_ratio") {
        let clusters = clusters(&row[0]);
        let estimate = geometric_mean_ratio(&clusters, 0.95, few).unwrap();
        close(estimate.ratio, &row[1], &row);
        assert_eq!(estimate.interval.is_some(), clusters.len() > 1);
        assert_eq!(
            geometric_mean_ratio(&clusters, 0.95, few).unwrap(),
            estimate
        );
    }
    let zero = Cluster {
        name: "a".to_owned(),
        pairs: vec![(0.0, 1.0)],
    };
    assert_eq!(geometric_mean_ratio(&[zero], 0.95, few), None);
    assert_eq!(geometric_mean_ratio(&[], 0.95, few), None);
}

#[test]
fn non_inferiority_looks_at_the_upper_end() {
    let cluster = |at: u32, ratio: f64| Cluster {
        name: at.to_string(),
        pairs: vec![(1000.0 * ratio, 1000.0)],
    };
    let clusters: Vec<Cluster> = (0..24)
        .map(|at| cluster(at, 0.9 + 0.01 * f64::from(at % 5)))
        .collect();
    let estimate = geometric_mean_ratio(
        &clusters,
        0.95,
        Resampling {
            seed: 3,
            draws: 499,
        },
    )
    .unwrap();
    let interval = estimate.interval.clone().unwrap();
    assert!(
        interval.low < estimate.ratio && estimate.ratio < interval.high && !interval.few_clusters
    );
    assert!(non_inferiority(&estimate, 1.0).unwrap().holds);
    assert!(!non_inferiority(&estimate, estimate.ratio).unwrap().holds);
    assert_eq!(non_inferiority(&estimate, 0.0), None);
    let alone = geometric_mean_ratio(&clusters[..1], 0.95, Resampling::default()).unwrap();
    assert_eq!(non_inferiority(&alone, 2.0), None);
}

#[test]
fn holm_agrees() {
    for row in table("holm") {
        let adjusted = holm(&floats(&row[0])).unwrap();
        for (found, expected) in adjusted.iter().zip(row[1].as_array().unwrap()) {
            close(*found, expected, &row);
        }
    }
    assert_eq!(holm(&[0.1, f64::NAN]), None);
    assert_eq!(holm(&[1.1]), None);
}

#[test]
fn kappas_agree() {
    let weightings = [
        Weighting::Unweighted,
        Weighting::Linear,
        Weighting::Quadratic,
    ];
    for row in table("cohen_kappa") {
        let (first, second) = (integers(&row[0]), integers(&row[1]));
        for (at, weighting) in weightings.into_iter().enumerate() {
            close(
                cohen_kappa(&first, &second, weighting).unwrap(),
                &row[2 + at],
                &row,
            );
        }
    }
    assert_eq!(cohen_kappa(&[1, 1], &[1, 1], Weighting::Unweighted), None);
    assert_eq!(cohen_kappa(&[1], &[1, 2], Weighting::Unweighted), None);
    assert_eq!(cohen_kappa(&[], &[], Weighting::Unweighted), None);
}

#[test]
fn alphas_agree() {
    let levels = [Level::Nominal, Level::Ordinal, Level::Interval];
    for row in table("krippendorff") {
        let units: Vec<Vec<i64>> = row[0].as_array().unwrap().iter().map(integers).collect();
        for (at, level) in levels.into_iter().enumerate() {
            close(
                krippendorff_alpha(&units, level).unwrap(),
                &row[1 + at],
                &row,
            );
        }
    }
    assert_eq!(
        krippendorff_alpha(&[vec![1], vec![2]], Level::Nominal),
        None
    );
    assert_eq!(krippendorff_alpha(&[vec![1, 1]], Level::Nominal), None);
}

#[test]
fn detectable_effects_agree() {
    for row in table("detectable_win") {
        let found = detectable_win_probability(count(&row[0]), float(&row[1]), float(&row[2]));
        close(found.unwrap(), &row[3], &row);
    }
    for row in table("detectable_ratio") {
        let (pairs, sd) = (count(&row[0]), float(&row[1]));
        close(
            detectable_ratio(pairs, sd, float(&row[2]), float(&row[3])).unwrap(),
            &row[4],
            &row,
        );
    }
    assert_eq!(detectable_win_probability(5, 0.05, 0.8), None);
    assert_eq!(detectable_ratio(0, 1.0, 0.05, 0.8), None);
}

#[test]
fn the_normal_distribution_agrees() {
    for row in table("normal") {
        close(normal_quantile(float(&row[0])), &row[1], &row);
        close(normal_cdf(float(&row[1])), &row[2], &row);
    }
    assert!(normal_quantile(-0.1).is_nan() && normal_quantile(1.0).is_infinite());
}

fn guesses(value: &Value) -> Guesses {
    Guesses {
        right: count(&value[0]),
        wrong: count(&value[1]),
        unknown: count(&value[2]),
    }
}

#[test]
fn blinding_indices_agree() {
    for row in table("blinding") {
        let arms = [guesses(&row[0]), guesses(&row[1])];
        let bang = bang_index(arms[0]).unwrap();
        close(bang.index, &row[2], &row);
        close(bang.standard_error, &row[3], &row);
        close(james_index(arms).unwrap().index, &row[4], &row);
    }
    let nobody = Guesses {
        right: 0,
        wrong: 0,
        unknown: 0,
    };
    assert_eq!((bang_index(nobody), james_index([nobody; 2])), (None, None));
    let silent = Guesses {
        unknown: 4,
        ..nobody
    };
    assert_eq!(james_index([silent; 2]).unwrap().index, 1.0);
    let open = Guesses { right: 9, ..nobody };
    assert_eq!(
        (
            bang_index(open).unwrap().index,
            james_index([open; 2]).unwrap().index
        ),
        (1.0, 0.0)
    );
    let chance = Guesses {
        right: 5,
        wrong: 5,
        unknown: 0,
    };
    assert_eq!(james_index([chance; 2]).unwrap().index, 0.5);
}

#[test]
fn published_examples_agree() {
    // Krippendorff's example of three observers as the krippendorff package prints it.
    let units = [
        vec![1],
        vec![],
        vec![2, 2],
        vec![1, 1],
        vec![3, 3],
        vec![3, 3, 4],
        vec![4, 4, 4],
        vec![1, 3],
        vec![2, 2],
        vec![1, 1],
        vec![1, 1],
        vec![3, 3],
        vec![3, 3],
        vec![],
        vec![3, 4],
    ];
    let alpha = |level| krippendorff_alpha(&units, level).unwrap();
    assert!((alpha(Level::Nominal) - 0.691_358_024_691_358).abs() < TOLERANCE);
    assert!((alpha(Level::Interval) - 0.810_844_892_812_105_9).abs() < TOLERANCE);
}

#[test]
fn seats_and_flips_are_counted() {
    let effect = seat_effect(9, 1);
    assert_eq!(effect.share, Some(0.9));
    assert!((effect.p - 0.021_484_375).abs() < TOLERANCE);
    assert_eq!(seat_effect(0, 0).share, None);
    let flips = flip_rate(&[(2, 1), (1, -1), (0, 0), (0, 3)]);
    assert_eq!((flips.pairs, flips.flips, flips.rate), (4, 2, Some(0.5)));
    assert_eq!(flip_rate(&[]).rate, None);
}

/// The sum of twelve uniform figures less six: close to normal, and needing no library.
fn noise(rng: &mut ChaCha20Rng) -> f64 {
    let uniform = |rng: &mut ChaCha20Rng| f64::from(rng.next_u32()) / f64::from(u32::MAX);
    (0..12).map(|_| uniform(rng)).sum::<f64>() - 6.0
}

#[test]
fn intervals_cover_what_they_claim() {
    let mut rng = ChaCha20Rng::seed_from_u64(11);
    let (experiments, mut covered) = (300_u32, 0_u32);
    for seed in 0..experiments {
        let clusters: Vec<Vec<f64>> = (0..25)
            .map(|_| {
                let shift = noise(&mut rng);
                (0..3)
                    .map(|_| 0.25 + shift + 0.5 * noise(&mut rng))
                    .collect()
            })
            .collect();
        let mean = |drawn: &[&Vec<f64>]| {
            let all: Vec<f64> = drawn.iter().flat_map(|c| c.iter().copied()).collect();
            Some(all.iter().sum::<f64>() / f64::from(u32::try_from(all.len()).ok()?))
        };
        let resampling = Resampling {
            seed: u64::from(seed),
            draws: 199,
        };
        let interval = cluster_bootstrap(&clusters, mean, 0.9, resampling).unwrap();
        covered += u32::from(interval.low <= 0.25 && 0.25 <= interval.high);
    }
    let share = f64::from(covered) / f64::from(experiments);
    assert!(
        (0.83..=0.96).contains(&share),
        "{share} of intervals at 90 % cover"
    );
}
