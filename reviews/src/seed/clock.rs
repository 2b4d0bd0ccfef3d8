// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time stamps in every form that the seed's records may hold.
//!
//! Those are the forms of ISO 8601 that `datetime.fromisoformat` of Python 3.11 takes, its
//! peculiarities included: any separator between date and time, week dates, basic forms, hours
//! alone, a fraction after a comma and cut to microseconds, offsets down to microseconds. A record
//! that one tool can date and another cannot would have two verdicts.

/// Microseconds since the start of the year 1, in universal time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Instant(i64);

const DAY: i64 = 86_400_000_000;
/// 9999-12-31, counted from 0001-01-01 as 1.
const LAST_DAY: i64 = 3_652_059;

/// The instant that `text` names, when it names one with its zone.
pub(super) fn instant(text: &str) -> Option<Instant> {
    let text = text.replace('Z', "+00:00");
    let bytes = text.as_bytes();
    if bytes.len() < 7 {
        return None;
    }
    let at = separator(bytes)?;
    let day = day(bytes.get(..at)?)?;
    let rest = text.get(at..)?;
    let separator = rest.chars().next()?;
    let (time, offset) = time_and_offset(rest.get(separator.len_utf8()..)?.as_bytes())?;
    Some(Instant(day * DAY + time - offset))
}

/// Where the date ends. The fifth character tells the forms of dates apart.
fn separator(text: &[u8]) -> Option<usize> {
    let at = |index: usize| text.get(index).copied();
    if text.len() == 7 {
        return Some(7);
    }
    match (at(4)?, at(5)?) {
        (b'-', b'W') => week_separator(text),
        (b'-', _) => Some(10),
        (b'W', _) => Some(basic_week_separator(text)),
        _ => Some(8),
    }
}

/// `2026-W01-1T…` or `2026-W01T…`; with two digits behind the second hyphen it is the separator.
fn week_separator(text: &[u8]) -> Option<usize> {
    if text.get(8) != Some(&b'-') {
        return (text.len() >= 8).then_some(8);
    }
    match text.get(9..) {
        None | Some([]) => None,
        Some([_, second, ..]) if second.is_ascii_digit() => Some(8),
        Some(_) => Some(10),
    }
}

/// `2026W011T…` or `2026W01T…`: the times behind come in pairs of digits.
fn basic_week_separator(text: &[u8]) -> usize {
    let digits = text
        .iter()
        .skip(7)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    match 7 + digits {
        short if short < 9 => short,
        even if even % 2 == 0 => 7,
        _ => 8,
    }
}

/// The number made of the first `count` bytes, all digits, and what follows.
fn digits(text: &[u8], count: usize) -> Option<(i64, &[u8])> {
    let (head, rest) = text.split_at_checked(count)?;
    let mut number = 0;
    for byte in head {
        number = number * 10 + i64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
    }
    Some((number, rest))
}

/// The ordinal of a date: 1 for 0001-01-01.
fn day(date: &[u8]) -> Option<i64> {
    let (year, rest) = digits(date, 4)?;
    let (hyphens, rest) = match rest.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    if let Some(week) = rest.strip_prefix(b"W") {
        return week_day(year, week, hyphens);
    }
    let (month, rest) = digits(rest, 2)?;
    let rest = if hyphens {
        rest.strip_prefix(b"-")?
    } else {
        rest
    };
    let (day, rest) = digits(rest, 2)?;
    let exists = (1..=12).contains(&month) && (1..=month_length(year, month)).contains(&day);
    (rest.is_empty() && exists && year >= 1).then(|| ordinal(year, month, day))
}

fn week_day(year: i64, text: &[u8], hyphens: bool) -> Option<i64> {
    let (week, rest) = digits(text, 2)?;
    let weekday = match rest {
        [] => 1,
        _ => {
            let rest = if hyphens {
                rest.strip_prefix(b"-")?
            } else {
                rest
            };
            let (weekday, rest) = digits(rest, 1)?;
            rest.is_empty().then_some(weekday)?
        }
    };
    let weeks = if has_week_53(year) { 53 } else { 52 };
    if year < 1 || !(1..=weeks).contains(&week) || !(1..=7).contains(&weekday) {
        return None;
    }
    let ordinal = week_one(year) + (week - 1) * 7 + weekday - 1;
    (1..=LAST_DAY).contains(&ordinal).then_some(ordinal)
}

/// Years that begin on a Thursday, and leap years that begin on a Wednesday.
fn has_week_53(year: i64) -> bool {
    let first = weekday(ordinal(year, 1, 1));
    first == 3 || (first == 2 && is_leap(year))
}

/// The Monday of the week that holds the year's first Thursday.
fn week_one(year: i64) -> i64 {
    let first = ordinal(year, 1, 1);
    let monday = first - weekday(first);
    if weekday(first) > 3 {
        monday + 7
    } else {
        monday
    }
}

/// 0 for Monday.
fn weekday(ordinal: i64) -> i64 {
    (ordinal + 6).rem_euclid(7)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn ordinal(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let years = before * 365 + before / 4 - before / 100 + before / 400;
    years
        + (1..month)
            .map(|month| month_length(year, month))
            .sum::<i64>()
        + day
}

/// Microseconds of the day, and of the zone's offset. There must be a zone.
fn time_and_offset(text: &[u8]) -> Option<(i64, i64)> {
    let sign = text.iter().position(|byte| matches!(byte, b'+' | b'-'))?;
    let (time, zone) = text.split_at_checked(sign)?;
    let clock = clock(time)?;
    let valid = clock.hours < 24 && clock.minutes < 60 && clock.seconds < 60;
    let offset = offset(zone)?;
    valid.then(|| (clock.microseconds(), offset))
}

/// The offset's own parts may exceed sixty; the whole must be less than a day.
fn offset(zone: &[u8]) -> Option<i64> {
    let (sign, text) = zone.split_first()?;
    let clock = clock(text)?;
    // A single character behind the last pair is let through before a zone, not at the end; and a
    // zone of less than a second is none.
    let seconds = clock.microseconds() - clock.fraction;
    let whole = if seconds == 0 {
        0
    } else {
        clock.microseconds()
    };
    let size = (!clock.loose_end).then_some(whole)?;
    (size < DAY).then_some(if *sign == b'-' { -size } else { size })
}

#[derive(Debug, Default)]
struct Clock {
    hours: i64,
    minutes: i64,
    seconds: i64,
    fraction: i64,
    loose_end: bool,
}

impl Clock {
    fn microseconds(&self) -> i64 {
        ((self.hours * 60 + self.minutes) * 60 + self.seconds) * 1_000_000 + self.fraction
    }
}

/// `HH`, `HH:MM`, `HHMM`, … with a fraction behind the last part that is there.
fn clock(text: &[u8]) -> Option<Clock> {
    let mut clock = Clock::default();
    let mut rest = text;
    let mut colons = false;
    for part in 0..3 {
        let (number, behind) = digits(rest, 2)?;
        match part {
            0 => clock.hours = number,
            1 => clock.minutes = number,
            _ => clock.seconds = number,
        }
        let Some((next, after)) = behind.split_first() else {
            return Some(clock);
        };
        if part == 0 {
            colons = *next == b':';
        }
        if after.is_empty() {
            clock.loose_end = true;
            return Some(clock);
        }
        rest = match next {
            b':' if colons => after,
            b'.' | b',' => {
                rest = after;
                break;
            }
            _ if !colons => behind,
            _ => return None,
        };
    }
    fraction(rest).map(|fraction| Clock { fraction, ..clock })
}

/// Six digits count; more are cut, fewer are filled up.
fn fraction(text: &[u8]) -> Option<i64> {
    let taken = text.len().min(6);
    let (number, cut) = digits(text, taken)?;
    let scale = 10_i64.checked_pow(u32::try_from(6 - taken).ok()?)?;
    cut.iter().all(u8::is_ascii_digit).then_some(number * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_python_3_11_reads() {
        // Values of Python 3.11.7, `datetime.fromisoformat(x.replace("Z", "+00:00"))`, as
        // microseconds from the day before 0001-01-01T00:00Z.
        for (text, expected) in [
            ("2026-07-14T10:00:00Z", Some(63_919_706_400_000_000)),
            ("2026-07-14 10:00:30+00:00", Some(63_919_706_430_000_000)),
            ("20260714T100000Z", Some(63_919_706_400_000_000)),
            ("2026-W29-2T10:00+02", Some(63_919_699_200_000_000)),
            ("2026W292T1000-0330", Some(63_919_719_000_000_000)),
            ("2026W29T10Z", Some(63_919_620_000_000_000)),
            (
                "2026-07-14T10:00:00.123456789+01:30:15.5",
                Some(63_919_700_984_623_456),
            ),
            ("2026-07-14T10,5Z", Some(63_919_706_400_500_000)),
            ("2020-W53-7T23:59:59Z", Some(63_745_401_599_000_000)),
            ("2021-W53-1T00Z", None),
            ("0001-01-01T00:00+23:59", Some(60_000_000)),
            ("9999-12-31T23:59:59-23:59", Some(315_538_070_339_000_000)),
            ("2026-07-14x10:00:00Z", Some(63_919_706_400_000_000)),
            ("2026-07-14é10:00:00Z", Some(63_919_706_400_000_000)),
            ("2026-07-14T24:00Z", None),
            ("2026-07-14T10:60Z", None),
            ("2024-02-29T10:00:00,1Z", Some(63_844_884_000_100_000)),
            ("2023-02-29T10Z", None),
            ("2026-07-14T10:00:00+24:00", None),
            ("2026-07-14T100000.5Z", Some(63_919_706_400_500_000)),
            ("2026-07-14T10:00:00z", None),
            ("9999W527T00Z", None),
            ("2026-07-14T10:00:00:12Z", Some(63_919_706_400_120_000)),
            ("2026-07-14T1000001234Z", Some(63_919_706_400_123_400)),
            ("2026-07-14T10:00.Z", Some(63_919_706_400_000_000)),
            ("2026-07-14T10:00:00.Z", Some(63_919_706_400_000_000)),
            ("2026-W29-10Z", Some(63_919_620_000_000_000)),
            ("2026-W29-1Z", None),
            ("2026-07-14Z", None),
            ("2026-07-14+00:00", None),
            ("2026-W29+00:00", None),
            ("2026W29+00:00", None),
            ("20760714T100000Z", Some(65_497_629_600_000_000)),
            ("2076-W29-2T10:00+02", Some(65_497_622_400_000_000)),
            ("0001-01-01T00,00+23:59", Some(60_000_000)),
            ("9969W527T00Z", Some(314_590_953_600_000_000)),
            ("2026-06-14T100000.5Z", Some(63_917_114_400_500_000)),
            ("4026-07-14T100600.5Z", Some(127_033_610_760_500_000)),
            ("2026W232T1000-0330", Some(63_916_090_200_000_000)),
            ("20260714T100008Z", Some(63_919_706_408_000_000)),
            ("2026W292T10007-0330", Some(63_919_719_000_000_000)),
            ("2126W29T10Z", Some(67_075_466_400_000_000)),
            (
                "2026-07-14T10:00:00.123556789+01:30:15.5",
                Some(63_919_700_984_623_556),
            ),
            ("6026-07-14T10:00.Z", Some(190_147_514_400_000_000)),
            ("2026-01-14T100000.5Z", Some(63_904_068_000_500_000)),
            ("2026-07-14T10:004Z", Some(63_919_706_400_000_000)),
            ("2096-07-14T10:00.Z", Some(66_128_781_600_000_000)),
            ("0001-01-01T00:00Y+23:59", Some(60_000_000)),
            ("2026-07-14T1000001239Z", Some(63_919_706_400_123_900)),
            ("2026-07-14T10:00.6Z", Some(63_919_706_400_600_000)),
            ("2026-07-14T10160Z", Some(63_919_707_360_000_000)),
            (
                "2026-07-14T10:00:00.1238456789+01:30:15.5",
                Some(63_919_700_984_623_845),
            ),
            (
                "2026-07-14T10:00:00.1234579+01:30:15.5",
                Some(63_919_700_984_623_457),
            ),
            ("2024-02-28T10:00:00,1Z", Some(63_844_797_600_100_000)),
            ("2026W29T150Z", Some(63_919_638_000_000_000)),
            ("2324-02-29T10:00:00,1Z", Some(73_311_904_800_100_000)),
            ("2024-012-2T10:00:00,1Z", None),
            ("2026-07T14 10:00:30+0z0:00", None),
            ("9939W5-7T00Z", None),
            ("2026-0714T1000001234Z", None),
            ("202607-14T10:00:00.12345689+01:130:15.5", None),
            ("2027-07-14T1z:00T:00z", None),
            ("20,26-W29-2T10:0+02", None),
            ("2026W2692T8000-0330", None),
            ("99-9W27T00", None),
            ("2024-.2-292T10:00:00,1Z", None),
            ("20.1-53-1T00Z", None),
            ("2z02Y-W2910Z", None),
            ("2026-W2:-1Z", None),
            ("2026-07-14T1:00:00.,23456789+01:30:15.5", None),
            ("802-W9-1Z", None),
            ("20266W:2-10Z", None),
        ] {
            assert_eq!(instant(text), expected.map(Instant), "{text}");
        }
    }

    #[test]
    fn refuses_rubbish_behind_a_fraction() {
        // Python 3.11 reads over the `x`; a record that needs that is malformed.
        assert_eq!(instant("2026-07-14T10:00:00.123456x+00:00"), None);
    }
}
