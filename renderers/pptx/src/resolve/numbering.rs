// SPDX-License-Identifier: MIT OR Apache-2.0
//! Automatic numbering of paragraphs: counters by level, and ST_TextAutonumberScheme as text.

/// Counters of one text body.
#[derive(Debug, Default)]
pub struct Counters {
    levels: [Option<(String, i64)>; 9],
}

impl Counters {
    /// The next number of a level. Deeper levels start again; another scheme or start starts again too.
    pub fn next(&mut self, level: usize, scheme: &str, start: i64) -> i64 {
        let key = format!("{scheme}/{start}");
        for deeper in self.levels.iter_mut().skip(level + 1) {
            *deeper = None;
        }
        let Some(slot) = self.levels.get_mut(level) else {
            return start;
        };
        let value = match slot {
            Some((k, v)) if *k == key => v.saturating_add(1),
            _ => start,
        };
        *slot = Some((key, value));
        value
    }

    /// A paragraph without a number ends the count of its level and of deeper ones.
    pub fn interrupt(&mut self, level: usize) {
        for slot in self.levels.iter_mut().skip(level) {
            *slot = None;
        }
    }
}

/// The text of a number in a scheme.
#[must_use]
pub fn format(scheme: &str, n: i64) -> String {
    let (core, tail) = split(scheme);
    let body = match core {
        "alphaLc" => letters(n).to_lowercase(),
        "alphaUc" => letters(n),
        "romanLc" => roman(n).to_lowercase(),
        "romanUc" => roman(n),
        "circleNumDb" | "circleNumWdWhite" => circled(n, 0x2460),
        "circleNumWdBlack" => circled(n, 0x2776),
        "ea1Chs" | "ea1Cht" | "ea1JpnKor" | "ea1JpnChs" => chinese(n),
        _ => n.to_string(),
    };
    match tail {
        "Period" => format!("{body}."),
        "ParenR" => format!("{body})"),
        "ParenBoth" => format!("({body})"),
        "Minus" => format!("{body}-"),
        _ => body,
    }
}

fn split(scheme: &str) -> (&str, &str) {
    for tail in ["Period", "ParenR", "ParenBoth", "Plain", "Minus"] {
        if let Some(core) = scheme.strip_suffix(tail) {
            return (core, tail);
        }
    }
    ("arabic", "Period")
}

fn letters(n: i64) -> String {
    let n = n.clamp(1, 26 * 30) - 1;
    let c = char::from(b'A' + (n % 26) as u8);
    std::iter::repeat_n(c, (n / 26 + 1) as usize).collect()
}

fn roman(n: i64) -> String {
    const PARTS: [(i64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut n = n.clamp(1, 3_999);
    let mut out = String::new();
    for (v, s) in PARTS {
        while n >= v {
            out.push_str(s);
            n -= v;
        }
    }
    out
}

fn circled(n: i64, first: u32) -> String {
    let top = if first == 0x2460 { 20 } else { 10 };
    match n {
        1..=20 if n <= top => char::from_u32(first + n as u32 - 1)
            .map(String::from)
            .unwrap_or_default(),
        _ => n.to_string(),
    }
}

fn chinese(n: i64) -> String {
    const DIGITS: [&str; 10] = ["〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let d = |k: i64| DIGITS.get(k as usize).copied().unwrap_or_default();
    match n {
        1..=9 => d(n).to_owned(),
        10..=99 => {
            let tens = if n >= 20 { d(n / 10) } else { "" };
            let ones = if n % 10 > 0 { d(n % 10) } else { "" };
            format!("{tens}十{ones}")
        }
        _ => n.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_written_as_powerpoint_does() {
        assert_eq!(format("arabicPeriod", 3), "3.");
        assert_eq!(format("alphaLcParenR", 28), "bb)");
        assert_eq!(format("romanUcPeriod", 14), "XIV.");
        assert_eq!(format("circleNumDbPlain", 2), "②");
        assert_eq!(format("ea1ChsPeriod", 21), "二十一.");
    }

    #[test]
    fn counts_go_on_across_deeper_levels_and_stop_at_plain_paragraphs() {
        let mut c = Counters::default();
        assert_eq!(c.next(0, "arabicPeriod", 1), 1);
        assert_eq!(c.next(1, "alphaLcPeriod", 1), 1);
        assert_eq!(c.next(0, "arabicPeriod", 1), 2);
        assert_eq!(c.next(1, "alphaLcPeriod", 1), 1);
        c.interrupt(0);
        assert_eq!(c.next(0, "arabicPeriod", 1), 1);
    }
}
