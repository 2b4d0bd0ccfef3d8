// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is read and what is refused, and that rounding never reaches a comparison.

use proptest::prelude::*;

use super::*;

fn exact(text: &str) -> Exact {
    text.parse().unwrap()
}

#[test]
fn reads_decimals_exactly() {
    for (text, numerator, denominator) in [
        ("30", 30, 1),
        ("30.0", 30, 1),
        ("1.05", 21, 20),
        ("-0.5", -1, 2),
        ("-0", 0, 1),
        ("1e3", 1000, 1),
        ("2.5E-1", 1, 4),
        ("0.10e+1", 1, 1),
    ] {
        let figure = exact(text);
        let found = (figure.numerator(), figure.denominator());
        assert_eq!(
            found,
            (BigInt::from(numerator), BigInt::from(denominator)),
            "{text}"
        );
    }
}

#[test]
fn refuses_other_texts() {
    for text in [
        "", "-", "+1", " 1", "1 ", "1.", ".5", "01", "1e", "1e+", "0x1", "NaN", "inf", "4_0", "٤",
        "1,5", "--1",
    ] {
        let error = text.parse::<Exact>().unwrap_err();
        assert!(
            matches!(error, ExactError::NotDecimal(_)),
            "{text}: {error}"
        );
    }
}

#[test]
fn refuses_endless_numbers_without_computing_them() {
    for text in [
        "1e99999999999999999999",
        "1e-999999999",
        "1e5000",
        &"9".repeat(401),
    ] {
        let error = text.parse::<Exact>().unwrap_err();
        assert!(matches!(error, ExactError::TooLong(_)), "{text}: {error}");
    }
    assert!("1e308".parse::<Exact>().is_ok());
}

#[test]
fn rounds_half_to_even() {
    for (text, places, expected) in [
        ("0.125", 2, "0.12"),
        ("0.375", 2, "0.38"),
        ("-0.125", 2, "-0.12"),
        ("-0.375", 2, "-0.38"),
        ("2.5", 0, "2"),
        ("3.5", 0, "4"),
        ("-0.04", 1, "0.0"),
        ("29.96", 1, "30.0"),
        ("1234.5", 3, "1234.500"),
    ] {
        assert_eq!(exact(text).rounded(places), expected, "{text}");
    }
}

#[test]
fn shows_fractions_that_do_not_end() {
    assert_eq!(
        Exact::ratio(&exact("1"), &exact("3")).unwrap().to_string(),
        "1/3"
    );
    assert_eq!(
        Exact::ratio(&exact("1"), &exact("8")).unwrap().to_string(),
        "0.125"
    );
    assert_eq!(serde_json::to_string(&exact("1.50")).unwrap(), "\"1.5\"");
}

#[test]
fn medians_are_exact() {
    let of = |texts: &[&str]| {
        let figures: Vec<_> = texts.iter().map(|text| exact(text)).collect();
        Exact::median(&figures).map(|figure| figure.to_string())
    };
    assert_eq!(of(&[]), None);
    assert_eq!(of(&["3", "1", "2"]).as_deref(), Some("2"));
    assert_eq!(of(&["4", "1", "2", "0.1"]).as_deref(), Some("1.5"));
}

#[test]
fn improvement_needs_a_baseline() {
    let figure = Exact::improvement(&exact("10000"), &exact("7004")).unwrap();
    assert!(figure < Exact::from_percent(&exact("30")));
    assert_eq!(figure.to_percent().rounded(1), "30.0");
    assert!(Exact::improvement(&Exact::zero(), &exact("1")).is_err());
    assert!(Exact::ratio(&exact("1"), &Exact::zero()).is_err());
}

proptest! {
    #[test]
    fn display_reads_back(numerator in any::<i64>(), places in 0_u32..9) {
        let figure = Exact::big(BigRational::new(numerator.into(), BigInt::from(10).pow(places)));
        prop_assert_eq!(exact(&figure.to_string()), figure);
    }

    #[test]
    fn rounding_is_within_half_a_unit(n in any::<i32>(), d in 1_i32.., places in 0_u8..6) {
        let figure = Exact::big(BigRational::new(n.into(), d.into()));
        let distance = (exact(&figure.rounded(places)).to_big() - figure.to_big()).abs();
        let half = BigRational::new(1.into(), BigInt::from(10).pow(u32::from(places)) * 2);
        prop_assert!(distance <= half);
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,12}") {
        let _answered = text.parse::<Exact>();
    }
}

proptest! {
    #[test]
    fn words_and_big_numbers_agree(
        one in (any::<i64>(), 1..=i64::MAX), other in (any::<i64>(), 1..=i64::MAX),
        shift in 0_u32..63, places in 0_u8..6,
    ) {
        let small = |(numerator, denominator): (i64, i64)| {
            let (numerator, denominator) = (numerator >> shift, (denominator >> shift).max(1));
            let plain = BigRational::new(numerator.into(), denominator.into());
            let figure = Exact::ratio(&Exact::from(numerator), &Exact::from(denominator)).unwrap();
            prop_assert_eq!(figure.to_big(), plain.clone());
            Ok((figure, plain))
        };
        let ((one, big_one), (other, big_other)) = (small(one)?, small(other)?);
        prop_assert_eq!(one.cmp(&other), big_one.cmp(&big_other));
        prop_assert_eq!(one.plus(&other).to_big(), &big_one + &big_other);
        prop_assert_eq!(one.times(100).to_big(), &big_one * BigInt::from(100));
        if let Ok(saved) = Exact::improvement(&one, &other) {
            prop_assert_eq!(saved.to_big(), (&big_one - &big_other) / &big_one);
        }
        // A figure of the big form shows as one of the small form does.
        let big = Exact(Form::Big(Box::new(big_one)));
        prop_assert_eq!(one.rounded(places), big.rounded(places));
        prop_assert_eq!(one.to_string(), big.to_string());
    }
}

#[test]
fn an_estimate_is_never_made_smaller() {
    for estimate in [
        0.1,
        1.1,
        1.0999999999999999,
        0.123_456_789_012_345,
        3e-13,
        0.0,
        -0.5,
    ] {
        let found = Exact::not_below(estimate).unwrap();
        assert!(found.approximate() >= estimate, "{estimate}: {found}");
        assert!(
            found.approximate() - estimate <= 2e-12,
            "{estimate}: {found}"
        );
    }
    assert_eq!(Exact::not_below(1.5), "1.5".parse().ok());
    for none in [f64::NAN, f64::INFINITY, 1e6] {
        assert_eq!(Exact::not_below(none), None);
    }
}
