// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two things at once; long lists in two halves: each item by itself, the answers in the order of the items.

/// Below this many items a thread costs more than it saves.
const WORTH_A_THREAD: usize = 256;

/// `work` of every item, in order.
pub(super) fn in_halves<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if items.len() < WORTH_A_THREAD {
        return items.iter().map(work).collect();
    }
    let (first, second) = items.split_at(items.len() / 2);
    let half = |items: &[T]| items.iter().map(&work).collect::<Vec<R>>();
    let (mut answers, more) = both(|| half(first), || half(second));
    answers.extend(more);
    answers
}

/// What each of the two gives; the second runs on a thread of its own.
pub(super) fn both<A, B: Send>(
    one: impl FnOnce() -> A,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    std::thread::scope(|scope| {
        let other = scope.spawn(other);
        let one = one();
        match other.join() {
            Ok(other) => (one, other),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stand_in_the_order_of_the_items() {
        for count in [0, 1, 255, 256, 257, 1001] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(in_halves(&items, |item| *item), items);
        }
    }
}
