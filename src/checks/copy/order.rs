// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether required texts stand in their order, each with the thing it belongs to.
//!
//! Which occurrence serves which field is found by search, so that a text that occurs twice finds its place. A way of
//! serving all fields counts when
//! 1. every series (`step-1`, `step-2`, …; see [`super::field`]) runs down or to the right;
//! 2. the other fields come in the order of the spec, either in document order or as seen: none stands left of an
//!    earlier one in its row, or above an earlier one in its column. A figure may stand before or after the other
//!    fields of its thing, for it may stand over its label. Where the order is only as seen, things that have the
//!    same parts must be laid out alike;
//! 3. no two things have swapped a part: no text is nearest to another thing's part that is in turn nearest to it;
//! 4. things are built alike: where one has its figure before its label, as seen and in the document, no other that
//!    the spec lists in the same way has it after.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::field::FieldName;
use super::find::Placement;
use crate::checks::outcome::quoted;
use deckproof_renderers::facts::{EMU_PER_PX, Rect};

/// Steps of the search; real slides take one for each field.
const MAX_STEPS: usize = 20_000;
/// Boxes may overlap by so much and still stand beside each other.
const SLACK: i64 = 4 * EMU_PER_PX;

/// What counts as order between fields that are no series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Document,
    Seen,
    /// None at all; to find out what is wrong.
    Any,
}

/// Finds a way of serving all fields, or says what is wrong. `candidates` holds a place or more for each field.
pub(super) fn settle(
    names: &[&str],
    texts: &[String],
    candidates: &[Vec<Placement>],
) -> Result<(), String> {
    let fields: Vec<FieldName<'_>> = names
        .iter()
        .zip(texts)
        .map(|(name, text)| FieldName::new(name, text))
        .collect();
    let models = models(&fields);
    for order in [Order::Document, Order::Seen] {
        let mut search = Search {
            fields: &fields,
            candidates,
            models: &models,
            order,
            steps: 0,
        };
        if let Some(chosen) = search.run() {
            let problem = swapped(&fields, &chosen)
                .map(|pair| (pair, "stands where a part belongs that goes with"));
            let problem = problem.or_else(|| {
                crossed(&fields, &chosen).map(|pair| (pair, "has changed places with"))
            });
            return problem.map_or(Ok(()), |((a, b), relation)| {
                Err(told(names, texts, a, b, relation))
            });
        }
    }
    Err(diagnosis(&fields, names, texts, candidates))
}

fn told(names: &[&str], texts: &[String], a: usize, b: usize, relation: &str) -> String {
    let one = |at: usize| match (names.get(at), texts.get(at)) {
        (Some(name), Some(text)) => format!("{name} {}", quoted(text)),
        _ => "a field".to_owned(),
    };
    format!("{} {relation} {}", one(a), one(b))
}

/// Says why no way was found, from the first way that gives every field a place of its own.
fn diagnosis(
    fields: &[FieldName<'_>],
    names: &[&str],
    texts: &[String],
    candidates: &[Vec<Placement>],
) -> String {
    let mut search = Search {
        fields,
        candidates,
        models: &[],
        order: Order::Any,
        steps: 0,
    };
    let Some(chosen) = search.run() else {
        let twice = (0..texts.len()).find(|at| {
            let same = texts
                .iter()
                .filter(|text| texts.get(*at) == Some(*text))
                .count();
            candidates
                .get(*at)
                .is_some_and(|places| places.len() < same)
        });
        return match twice {
            Some(at) => format!(
                "{} is shown less often than it is required",
                told(names, texts, at, at, "and")
            ),
            None => "the required texts overlap, so that not every one has a place of its own"
                .to_owned(),
        };
    };
    for order in [Order::Seen, Order::Document] {
        for (later, b) in chosen.iter().enumerate() {
            for (earlier, a) in chosen.iter().enumerate().take(later) {
                if let (Some(x), Some(y)) = (fields.get(earlier), fields.get(later))
                    && !agree(x, a, y, b, order)
                {
                    return told(names, texts, later, earlier, "stands before");
                }
            }
        }
    }
    "the required texts do not stand in their order".to_owned()
}

/// A search for a place of its own for each field.
struct Search<'a> {
    fields: &'a [FieldName<'a>],
    candidates: &'a [Vec<Placement>],
    models: &'a [Vec<Model>],
    order: Order,
    steps: usize,
}

impl<'a> Search<'a> {
    /// The places chosen, in the order of the fields. `None` too when the search takes too long: in doubt, no pass.
    fn run(&mut self) -> Option<Vec<&'a Placement>> {
        let mut chosen: Vec<&'a Placement> = Vec::new();
        let mut next: Vec<usize> = vec![0];
        while chosen.len() < self.fields.len() {
            let at = chosen.len();
            let from = next.last().copied()?;
            match self.find(at, from, &chosen) {
                Some((place, placement)) => {
                    *next.last_mut()? = place + 1;
                    chosen.push(placement);
                    next.push(0);
                }
                None => {
                    next.pop();
                    chosen.pop()?;
                }
            }
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return None;
            }
        }
        Some(chosen)
    }

    /// The next place of a field that agrees with those chosen.
    fn find(
        &self,
        at: usize,
        from: usize,
        chosen: &[&'a Placement],
    ) -> Option<(usize, &'a Placement)> {
        let field = self.fields.get(at)?;
        let places = self.candidates.get(at)?.iter().enumerate().skip(from);
        let models = self.models.get(at).filter(|_| self.order == Order::Seen);
        let fits = |placement: &Placement| {
            let agrees = |(earlier, other): (&FieldName<'_>, &&Placement)| {
                !placement.overlaps(other) && agree(earlier, other, field, placement, self.order)
            };
            self.fields.iter().zip(chosen).all(agrees)
                && models
                    .into_iter()
                    .flatten()
                    .all(|model| model.is_kept(placement, chosen))
        };
        places.into_iter().find(|(_, placement)| fits(placement))
    }
}

/// Whether two fields, of which the first comes earlier in the spec, stand in order.
fn agree(
    earlier: &FieldName<'_>,
    a: &Placement,
    later: &FieldName<'_>,
    b: &Placement,
    order: Order,
) -> bool {
    let seen = || compare(&a.rect, &b.rect) != Ordering::Greater;
    match order {
        Order::Any => true,
        _ if earlier.is_series_with(later) => seen(),
        _ if earlier.is_free_beside(later) => true,
        Order::Document => (a.block, a.words.start) < (b.block, b.words.start),
        Order::Seen => seen(),
    }
}

/// Two fields of an earlier thing after which a later thing's two fields of the same roles are laid out.
struct Model {
    /// The other field of the later thing.
    beside: usize,
    first: usize,
    second: usize,
}

impl Model {
    fn is_kept(&self, placement: &Placement, chosen: &[&Placement]) -> bool {
        match (
            chosen.get(self.beside),
            chosen.get(self.first),
            chosen.get(self.second),
        ) {
            (Some(beside), Some(first), Some(second)) => {
                Relation::of(&beside.rect, &placement.rect)
                    == Relation::of(&first.rect, &second.rect)
            }
            _ => true,
        }
    }
}

/// For each field, the models that its place must follow.
fn models(fields: &[FieldName<'_>]) -> Vec<Vec<Model>> {
    let mut known: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    let mut models = Vec::with_capacity(fields.len());
    for (at, field) in fields.iter().enumerate() {
        let mut own = Vec::new();
        for (beside, other) in fields
            .iter()
            .enumerate()
            .take(at)
            .filter(|(_, other)| other.is_one_with(field))
        {
            let (first, second) = *known
                .entry((other.role, field.role))
                .or_insert((beside, at));
            if second != at {
                own.push(Model {
                    beside,
                    first,
                    second,
                });
            }
        }
        models.push(own);
    }
    models
}

/// How a box stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    LeftOf,
    Above,
    RightOf,
    Below,
    Neither,
}

impl Relation {
    fn of(a: &Rect, b: &Rect) -> Self {
        let in_row = shares(a.y, a.bottom(), b.y, b.bottom());
        let in_column = shares(a.x, a.right(), b.x, b.right());
        if in_row && a.right() <= b.x.saturating_add(SLACK) {
            Self::LeftOf
        } else if in_column && a.bottom() <= b.y.saturating_add(SLACK) {
            Self::Above
        } else if in_row && b.right() <= a.x.saturating_add(SLACK) {
            Self::RightOf
        } else if in_column && b.bottom() <= a.y.saturating_add(SLACK) {
            Self::Below
        } else {
            Self::Neither
        }
    }
}

/// Whether a box comes before another in its row or column, or after it, or neither.
fn compare(a: &Rect, b: &Rect) -> Ordering {
    match Relation::of(a, b) {
        Relation::LeftOf | Relation::Above => Ordering::Less,
        Relation::RightOf | Relation::Below => Ordering::Greater,
        Relation::Neither => Ordering::Equal,
    }
}

/// Whether two stretches share a third of the shorter one or more.
fn shares(a: i64, a_end: i64, b: i64, b_end: i64) -> bool {
    let shared = a_end.min(b_end).saturating_sub(a.max(b));
    let shorter = a_end.saturating_sub(a).min(b_end.saturating_sub(b));
    shared > 0 && shared.saturating_mul(3) >= shorter
}

/// Two fields of one thing that stand the other way round than the same two parts of another thing do.
fn crossed(fields: &[FieldName<'_>], chosen: &[&Placement]) -> Option<(usize, usize)> {
    // For each pair of roles in the order of the spec: a thing that keeps it, and one that turns it round.
    let mut kept: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut turned: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for (second, b) in chosen.iter().enumerate() {
        for (first, a) in chosen.iter().enumerate().take(second) {
            let (Some(x), Some(y)) = (fields.get(first), fields.get(second)) else {
                continue;
            };
            if !x.is_one_with(y) {
                continue;
            }
            let document = (a.block, a.words.start).cmp(&(b.block, b.words.start));
            match (compare(&a.rect, &b.rect), document) {
                (Ordering::Less, Ordering::Less) => {
                    kept.insert((x.role, y.role));
                }
                (Ordering::Greater, Ordering::Greater) => {
                    turned.insert((x.role, y.role), (second, first));
                }
                _ => {}
            }
        }
    }
    turned
        .into_iter()
        .find(|(roles, _)| kept.contains(roles))
        .map(|(_, pair)| pair)
}

/// Two fields of different things, each nearest to the other, that stand in for parts of their own things.
fn swapped(fields: &[FieldName<'_>], chosen: &[&Placement]) -> Option<(usize, usize)> {
    for (at, field) in fields.iter().enumerate() {
        let other_role = |anchor: &FieldName<'_>| anchor.role != field.role;
        let Some(own) = (0..fields.len()).find(|n| {
            fields
                .get(*n)
                .is_some_and(|f| other_role(f) && f.is_one_with(field))
        }) else {
            continue;
        };
        let role = fields.get(own)?.role;
        let nearest = nearest(at, own, role, fields, chosen)?;
        if nearest != own
            && self::nearest(nearest, at, field.role, fields, chosen).is_none_or(|back| back == at)
        {
            return Some((at, nearest));
        }
    }
    None
}

/// Of the fields with a role in the series of `own`, the one nearest to `at`; `own` when none is clearly nearer.
fn nearest(
    at: usize,
    own: usize,
    role: &str,
    fields: &[FieldName<'_>],
    chosen: &[&Placement],
) -> Option<usize> {
    let here = chosen.get(at)?;
    let distance = |other: usize| {
        chosen
            .get(other)
            .map(|there| distance(&here.rect, &there.rect))
    };
    let mut best = (own, distance(own)?);
    for (other, field) in fields.iter().enumerate() {
        let same =
            field.role == role && fields.get(own).is_some_and(|own| field.is_series_with(own));
        if let Some(far) = distance(other).filter(|far| same && *far < best.1) {
            best = (other, far);
        }
    }
    Some(best.0)
}

/// The square of the gap between two boxes, 0 when they touch.
fn distance(a: &Rect, b: &Rect) -> i128 {
    let gap = |a: i64, a_end: i64, b: i64, b_end: i64| {
        i128::from(a.max(b)) - i128::from(a_end.min(b_end))
    };
    let across = gap(a.x, a.right(), b.x, b.right()).max(0);
    let down = gap(a.y, a.bottom(), b.y, b.bottom()).max(0);
    across * across + down * down
}
