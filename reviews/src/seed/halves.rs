// SPDX-License-Identifier: MIT OR Apache-2.0
//! Long lists in two halves at once: each item by itself, the answers in the order of the items.

/// Below this many items a thread costs more than it saves.
const WORTH_A_THREAD: usize = 256;

/// `work` of every item, in order.
pub(super) fn in_halves<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if items.len() < WORTH_A_THREAD {
        return items.iter().map(work).collect();
    }
    let (first, second) = items.split_at(items.len() / 2);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| second.iter().map(&work).collect::<Vec<R>>());
        let mut answers = Vec::with_capacity(items.len());
        answers.extend(first.iter().map(&work));
        match second.join() {
            Ok(more) => answers.extend(more),
            Err(payload) => std::panic::resume_unwind(payload),
        }
        answers
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
