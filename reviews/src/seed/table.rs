// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells, and what there is of each: found by number, since there are thousands of them.

use std::collections::HashMap;

use super::suite::Format;

/// One case of the suite, by its number there, in one format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) case: usize,
    pub(super) format: Format,
}

impl Cell {
    fn at(self) -> usize {
        self.case * Format::BOTH.len() + usize::from(self.format == Format::Pptx)
    }

    /// Every cell of so many cases, in the suite's order, HTML first.
    pub(super) fn all(cases: usize) -> impl Iterator<Item = Self> {
        (0..cases).flat_map(|case| Format::BOTH.map(|format| Self { case, format }))
    }
}

/// The numbers of the cases by their ids.
#[derive(Debug, Default)]
pub(super) struct Numbers<'a>(HashMap<&'a str, usize>);

impl<'a> Numbers<'a> {
    /// Gives `id` the next number. `false` when it has one.
    pub(super) fn add(&mut self, id: &'a str) -> bool {
        let next = self.0.len();
        self.0.insert(id, next).is_none()
    }

    pub(super) fn cell(&self, (id, format): (&str, Format)) -> Option<Cell> {
        let case = *self.0.get(id)?;
        Some(Cell { case, format })
    }
}

/// At most one thing for each cell.
#[derive(Debug)]
pub(super) struct Table<T> {
    rows: Vec<Option<T>>,
    filled: usize,
}

impl<T> Table<T> {
    pub(super) fn new(cases: usize) -> Self {
        let mut rows = Vec::new();
        rows.resize_with(cases * Format::BOTH.len(), || None);
        Self { rows, filled: 0 }
    }

    pub(super) fn get(&self, cell: Cell) -> Option<&T> {
        self.rows.get(cell.at())?.as_ref()
    }

    /// Puts `value` there and gives what was there before.
    pub(super) fn insert(&mut self, cell: Cell, value: T) -> Option<T> {
        let before = self.rows.get_mut(cell.at())?.replace(value);
        self.filled += usize::from(before.is_none());
        before
    }

    pub(super) fn len(&self) -> usize {
        self.filled
    }

    pub(super) fn is_full(&self) -> bool {
        self.filled == self.rows.len()
    }

    /// What there is, in the order of the cells.
    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        self.rows.iter().flatten()
    }
}
