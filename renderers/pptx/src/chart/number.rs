// SPDX-License-Identifier: MIT OR Apache-2.0
//! Number formats of spreadsheets (ECMA-376 Part 1, 18.8.31), as far as charts use them.

/// A number in a format code such as `#,##0.0`, `0%`, `"$"0.00` or `m/d/yyyy`.
#[must_use]
pub fn format(v: f64, code: &str) -> String {
    let code = if code.is_empty() { "General" } else { code };
    let sections = sections(code);
    let (section, value, own_sign) = pick(&sections, v);
    if section.eq_ignore_ascii_case("general") || section.eq_ignore_ascii_case("standard") {
        return general(value);
    }
    let plain = strip(section);
    if is_date(&plain) {
        return date(value, &plain);
    }
    let body = numeric(value.abs(), &plain);
    let negative = value < 0.0 && !own_sign && body.chars().any(|c| ('1'..='9').contains(&c));
    if negative { format!("-{body}") } else { body }
}

fn sections(code: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut from, mut quoted, mut escaped) = (0, false, false);
    for (i, c) in code.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => {
                out.push(code.get(from..i).unwrap_or(""));
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(code.get(from..).unwrap_or(""));
    out
}

/// The section for a value, the value, and whether the section writes the sign itself.
fn pick<'a>(sections: &[&'a str], v: f64) -> (&'a str, f64, bool) {
    let get = |i: usize| sections.get(i).copied();
    match (v, sections.len()) {
        (v, 2..) if v < 0.0 => (get(1).unwrap_or(""), v, true),
        (v, 3..) if v == 0.0 => (get(2).unwrap_or(""), v, false),
        _ => (get(0).unwrap_or("General"), v, false),
    }
}

/// Takes away colours, conditions and padding: `[Red]`, `_)`, `* `. `[$€-407]` becomes its currency sign.
fn strip(s: &str) -> String {
    let mut out = String::new();
    let mut chars = s.chars();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                quoted = !quoted;
                out.push(c);
            }
            _ if quoted => out.push(c),
            '[' => {
                let inner: String = chars.by_ref().take_while(|c| *c != ']').collect();
                if let Some(cur) = inner.strip_prefix('$') {
                    out.push('"');
                    out.push_str(cur.split('-').next().unwrap_or(""));
                    out.push('"');
                } else if matches!(inner.as_str(), "h" | "hh" | "m" | "mm" | "s" | "ss") {
                    out.push_str(&inner);
                }
            }
            '_' => {
                chars.next();
                out.push(' ');
            }
            '*' => {
                chars.next();
            }
            '\\' => {
                if let Some(n) = chars.next() {
                    out.push('"');
                    out.push(n);
                    out.push('"');
                }
            }
            _ => out.push(c),
        }
    }
    out
}

/// The general format: up to ten significant digits, no trailing zeros.
#[must_use]
pub fn general(v: f64) -> String {
    if v == 0.0 {
        return "0".to_owned();
    }
    let a = v.abs();
    if !(1e-5..1e11).contains(&a) {
        let s = format!("{v:.5e}");
        let (m, e) = s.split_once('e').unwrap_or((&s, "0"));
        let m = m.trim_end_matches('0').trim_end_matches('.');
        let e: i32 = e.parse().unwrap_or(0);
        return format!("{m}E{}{:02}", if e < 0 { '-' } else { '+' }, e.abs());
    }
    let places = (9 - a.log10().floor() as i32).clamp(0, 12) as usize;
    let s = format!("{v:.places$}");
    if s.contains('.') {
        s.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        s
    }
}

fn unquoted(s: &str) -> String {
    let mut q = false;
    s.chars()
        .filter(|c| {
            if *c == '"' {
                q = !q;
                return false;
            }
            !q
        })
        .collect()
}

fn numeric(v: f64, s: &str) -> String {
    let bare = unquoted(s);
    if !bare.contains(['0', '#', '?']) {
        return literal(s);
    }
    let percent = bare.matches('%').count() as i32;
    let mut v = v * 100f64.powi(percent);
    let digits_end = bare.rfind(['0', '#', '?']).unwrap_or(0);
    let thousands = bare
        .get(digits_end + 1..)
        .map_or(0, |t| t.chars().take_while(|c| *c == ',').count());
    v /= 1000f64.powi(thousands as i32);
    let grouped = bare.get(..digits_end).is_some_and(|t| t.contains(','));
    let (least, most) = decimals(&bare);
    let digits = if bare.contains("E+") || bare.contains("E-") {
        scientific(v, most)
    } else {
        fixed(v, least, most, grouped, whole_digits(&bare))
    };
    around(s, &digits)
}

fn decimals(bare: &str) -> (usize, usize) {
    let Some((_, after)) = bare.split_once('.') else {
        return (0, 0);
    };
    let run: Vec<char> = after
        .chars()
        .take_while(|c| matches!(c, '0' | '#' | '?'))
        .collect();
    (run.iter().filter(|c| **c != '#').count(), run.len().min(15))
}

fn whole_digits(bare: &str) -> usize {
    let head = bare.split('.').next().unwrap_or("");
    head.chars().filter(|c| *c == '0').count()
}

fn fixed(v: f64, least: usize, most: usize, grouped: bool, whole: usize) -> String {
    // Halves go away from zero, as in spreadsheets.
    let unit = 10f64.powi(most as i32);
    let rounded = (v * unit + 1e-9).round() / unit;
    let s = format!("{rounded:.most$}");
    let (int, frac) = s.split_once('.').unwrap_or((&s, ""));
    let mut int = int.to_owned();
    if whole == 0 && int == "0" {
        int.clear();
    }
    while int.len() < whole.min(20) {
        int.insert(0, '0');
    }
    if grouped {
        int = group(&int);
    }
    let mut frac = frac.to_owned();
    while frac.len() > least && frac.ends_with('0') {
        frac.pop();
    }
    if frac.is_empty() {
        int
    } else {
        format!("{int}.{frac}")
    }
}

fn group(s: &str) -> String {
    let n = s.len();
    let mut out = String::new();
    for (i, c) in s.chars().enumerate() {
        if i > 0 && (n - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

fn scientific(v: f64, most: usize) -> String {
    let s = format!("{v:.most$e}");
    let (m, e) = s.split_once('e').unwrap_or((&s, "0"));
    let e: i32 = e.parse().unwrap_or(0);
    format!("{m}E{}{:02}", if e < 0 { '-' } else { '+' }, e.abs())
}

/// Puts digits in place of the digit pattern and keeps the text around it.
fn around(s: &str, digits: &str) -> String {
    let mut out = String::new();
    let (mut quoted, mut done, mut in_pattern) = (false, false, false);
    let mut chars = s.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '"' {
            quoted = !quoted;
            continue;
        }
        if quoted {
            out.push(c);
            continue;
        }
        match c {
            '0' | '#' | '?' | '.' | ',' => {
                in_pattern = true;
                if !done {
                    out.push_str(digits);
                    done = true;
                }
            }
            'E' if in_pattern => {
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out.trim().to_owned()
}

fn literal(s: &str) -> String {
    s.chars()
        .filter(|c| *c != '"')
        .collect::<String>()
        .trim()
        .to_owned()
}

fn is_date(s: &str) -> bool {
    let bare = unquoted(s).to_ascii_lowercase();
    !bare.contains(['0', '#', '?']) && bare.contains(['y', 'd', 'm', 'h', 's'])
}

/// Year, month, day of a serial number of the 1900 date system.
#[must_use]
pub fn civil(serial: f64) -> (i64, u32, u32) {
    // Days since 0000-03-01; serial 25569 is 1970-01-01.
    let z = serial.floor() as i64 - 25_569 + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let d = (doy - (153 * mp + 2) / 5 + 1) as u32;
    let m = (if mp < 10 { mp + 3 } else { mp - 9 }) as u32;
    (yoe + era * 400 + i64::from(m <= 2), m, d)
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Saturday",
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
];

fn date(v: f64, s: &str) -> String {
    let (y, m, d) = civil(v);
    let seconds = ((v - v.floor()) * 86_400.0).round() as i64;
    let twelve = s.to_ascii_lowercase().contains("am/pm");
    let mut out = String::new();
    let chars: Vec<char> = s.chars().collect();
    let (mut i, mut hours) = (0, false);
    let mut quoted = false;
    while let Some(&c) = chars.get(i) {
        if c == '"' {
            quoted = !quoted;
            i += 1;
            continue;
        }
        let lower = c.to_ascii_lowercase();
        if quoted || !matches!(lower, 'y' | 'm' | 'd' | 'h' | 's' | 'a') {
            out.push(c);
            i += 1;
            continue;
        }
        if lower == 'a' {
            let rest: String = chars.iter().skip(i).take(5).collect();
            if rest.eq_ignore_ascii_case("am/pm") {
                out.push_str(if seconds < 43_200 { "AM" } else { "PM" });
                i += 5;
                continue;
            }
        }
        let n = chars
            .iter()
            .skip(i)
            .take_while(|x| x.eq_ignore_ascii_case(&c))
            .count();
        out.push_str(&field(lower, n, (y, m, d), seconds, v, hours, twelve));
        hours = lower == 'h' || (hours && lower == 'm');
        i += n;
    }
    out
}

fn field(
    c: char,
    n: usize,
    ymd: (i64, u32, u32),
    seconds: i64,
    v: f64,
    hours: bool,
    twelve: bool,
) -> String {
    let (y, m, d) = ymd;
    let pad = |v: i64| {
        if n >= 2 {
            format!("{v:02}")
        } else {
            v.to_string()
        }
    };
    match c {
        'y' if n <= 2 => format!("{:02}", y.rem_euclid(100)),
        'y' => y.to_string(),
        'h' => pad(if twelve {
            (seconds / 3_600 + 11) % 12 + 1
        } else {
            seconds / 3_600
        }),
        's' => pad(seconds % 60),
        'm' if hours => pad(seconds / 60 % 60),
        'm' => {
            let name = MONTHS.get(m as usize - 1).copied().unwrap_or("");
            match n {
                3 => name.chars().take(3).collect(),
                4 => name.to_owned(),
                5.. => name.chars().take(1).collect(),
                _ => pad(i64::from(m)),
            }
        }
        'd' => {
            let name = DAYS
                .get((v.floor() as i64).rem_euclid(7) as usize)
                .copied()
                .unwrap_or("");
            match n {
                3 => name.chars().take(3).collect(),
                4.. => name.to_owned(),
                _ => pad(i64::from(d)),
            }
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_charts_use() {
        let cases = [
            (4.3, "General", "4.3"),
            (1234.5, "#,##0", "1,235"),
            (1234.5, "#,##0.00", "1,234.50"),
            (0.256, "0%", "26%"),
            (0.256, "0.0%", "25.6%"),
            (-5.0, "0", "-5"),
            (-5.0, "#,##0_);(#,##0)", "(5)"),
            (12.0, "\"$\"#,##0.00", "$12.00"),
            (1_500_000.0, "0.0,,\"M\"", "1.5M"),
            (12345.0, "0.00E+00", "1.23E+04"),
            (37257.0, "m/d/yyyy", "1/1/2002"),
            (37257.0, "mmm-yy", "Jan-02"),
            (0.5, "[$€-407]0.0", "€0.5"),
            (0.0, "0;-0;;@", ""),
        ];
        for (v, code, want) in cases {
            assert_eq!(format(v, code), want, "{v} in {code}");
        }
    }

    #[test]
    fn general_never_shows_noise() {
        assert_eq!(general(0.1 + 0.2), "0.3");
        assert_eq!(general(1e15), "1E+15");
    }
}
