// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several tests of one declared family.
//!
//! Gates need none of this, since all of them must hold; claims of "better in at least one" do.

/// Holm's adjusted p values, in the order given. `None` when one is not a probability.
#[must_use]
pub fn holm(p_values: &[f64]) -> Option<Vec<f64>> {
    if p_values.iter().any(|p| !(0.0..=1.0).contains(p)) {
        return None;
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    let value = |at: usize| p_values.get(at).copied().unwrap_or(1.0);
    order.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        largest = largest
            .max(value(at) * super::double(p_values.len() - rank))
            .min(1.0);
        if let Some(place) = adjusted.get_mut(at) {
            *place = largest;
        }
    }
    Some(adjusted)
}
