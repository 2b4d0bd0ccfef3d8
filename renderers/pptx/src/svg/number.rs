// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers in SVG: fixed decimals, no exponent, the same text on every machine.

/// Appends a number with at most three decimals.
pub fn push(out: &mut String, v: f64) {
    fixed(out, v, 1_000.0, 3);
}

/// Appends a number with at most six decimals, for matrices.
pub fn push_fine(out: &mut String, v: f64) {
    fixed(out, v, 1_000_000.0, 6);
}

fn fixed(out: &mut String, v: f64, unit: f64, places: usize) {
    if !v.is_finite() {
        out.push('0');
        return;
    }
    let scaled = (v * unit).round().clamp(-9.0e15, 9.0e15) as i64;
    if scaled < 0 {
        out.push('-');
    }
    let abs = scaled.unsigned_abs();
    let per = unit as u64;
    let mut buffer = itoa(abs / per);
    out.push_str(&buffer);
    let fraction = abs % per;
    if fraction > 0 {
        buffer = itoa(fraction);
        out.push('.');
        for _ in buffer.len()..places {
            out.push('0');
        }
        out.push_str(buffer.trim_end_matches('0'));
    }
}

fn itoa(v: u64) -> String {
    v.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(v: f64) -> String {
        let mut s = String::new();
        push(&mut s, v);
        s
    }

    #[test]
    fn numbers_are_short_and_exact() {
        assert_eq!(text(1.0), "1");
        assert_eq!(text(-0.5), "-0.5");
        assert_eq!(text(12.0405), "12.041");
        assert_eq!(text(0.002), "0.002");
        assert_eq!(text(f64::NAN), "0");
        assert_eq!(text(-0.0001), "0");
    }
}
