// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks many files at once, and still always reports the same one first.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Maps every item, in order, or gives the error of the first one in order that fails, however
/// many threads there are and whoever finishes first.
///
/// # Errors
/// That error.
pub(crate) fn map_all<T: Sync, R: Send, E: Send>(
    items: &[T],
    map: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let limit = AtomicUsize::new(items.len());
    let first: Mutex<Option<(usize, E)>> = Mutex::new(None);
    let results: Mutex<BTreeMap<usize, R>> = Mutex::new(BTreeMap::new());
    let work = || {
        // Indices are given out in order, so all those before a failed one are taken already.
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (true, Some(item)) = (index < limit.load(Ordering::Relaxed), items.get(index))
            else {
                return;
            };
            match map(item) {
                Ok(result) => {
                    let _ = locked(&results).insert(index, result);
                }
                Err(error) => {
                    limit.fetch_min(index, Ordering::Relaxed);
                    keep_first(&first, index, error);
                }
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            scope.spawn(work);
        }
        work();
    });
    if let Some((_, error)) = first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(results.into_values().collect())
}

/// Checks every item, as [`map_all`] without results.
///
/// # Errors
/// As [`map_all`].
pub(crate) fn check_all<T: Sync, E: Send>(
    items: &[T],
    check: impl Fn(&T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    map_all(items, check).map(drop)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep_first<E>(first: &Mutex<Option<(usize, E)>>, index: usize, error: E) {
    let mut first = locked(first);
    if first.as_ref().is_none_or(|(known, _)| index < *known) {
        *first = Some((index, error));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_in_order_is_reported_every_time() {
        let items: Vec<u32> = (0..500).collect();
        for _ in 0..50 {
            let found = check_all(&items, |item| {
                if [77, 78, 300].contains(item) {
                    Err(*item)
                } else {
                    Ok(())
                }
            });
            assert_eq!(found, Err(77));
        }
        let doubled = map_all(&items, |item| Ok::<u32, u32>(item * 2)).unwrap();
        assert!(doubled.iter().zip(&items).all(|(two, one)| *two == one * 2));
        assert_eq!(doubled.len(), 500);
        assert_eq!(check_all(&[] as &[u32], |item| Err(*item)), Ok(()));
    }
}
