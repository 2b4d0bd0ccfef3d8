// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wall clock, for records only: no verdict and no rendered byte depends on it.

/// Now, in UTC, as RFC 3339 with milliseconds.
#[must_use]
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    format!("{now:.3}")
}
