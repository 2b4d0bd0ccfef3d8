// SPDX-License-Identifier: MIT OR Apache-2.0
//! Showing each slide in its final state, one after the other, and taking its picture.

use super::contrast::Sample;
use super::discover::{Found, Looks, MAX_STEPS};
use super::encoder::Encoding;
use super::facts::RawSlide;
use super::fault::Fault;
use super::page::Page;
use super::walk::Walk;
use crate::{RenderOptions, SlideSelection};

/// After a correction that moves nothing by itself.
const CORRECTED: f64 = 34.0;

/// One state of one slide, drawn.
#[derive(Debug)]
pub(super) struct Shot {
    /// The slide, from 1.
    pub(super) slide: u32,
    /// The picture, being encoded aside while the next slide is shown.
    pub(super) picture: Encoding,
    /// Facts in the form of the script's answer, when asked for.
    pub(super) facts: Option<RawSlide>,
}

/// What driving through a deck gave.
#[derive(Debug, Default)]
pub(super) struct Drive {
    pub(super) shots: Vec<Shot>,
    pub(super) slide_count: u32,
    /// For each slide what the module calls it, from 0.
    pub(super) order: Vec<u32>,
    /// Remarks for the explanation.
    pub(super) notes: Vec<String>,
}

pub(super) fn drive(
    page: &mut Page,
    found: &Found,
    options: &RenderOptions,
) -> Result<Drive, Fault> {
    match found.count {
        Some(count) if !found.walk => direct(page, found, count, options),
        _ => Walk::new(found, options).run(page),
    }
}

/// Slides that can be reached in any order.
fn direct(
    page: &mut Page,
    found: &Found,
    count: u32,
    options: &RenderOptions,
) -> Result<Drive, Fault> {
    let mut drive = Drive {
        slide_count: count,
        order: (0..count).collect(),
        ..Drive::default()
    };
    for slide in (1..=count).filter(|slide| wanted(options.slides.as_ref(), *slide)) {
        for step in steps(found, slide, options.steps) {
            page.next_slide();
            show(page, slide - 1, step, "")?;
            drive.shots.push(take(page, slide, options)?);
        }
    }
    let state = page.state(false)?;
    drive.notes.extend(
        state
            .failure
            .map(|failure| format!("a framework module failed: {failure}")),
    );
    Ok(drive)
}

/// The states of a slide to be drawn: each step, or the final one alone.
fn steps(found: &Found, slide: u32, each: bool) -> Vec<Option<u32>> {
    let known = found
        .steps
        .as_ref()
        .and_then(|steps| steps.get(slide as usize - 1))
        .copied();
    match known {
        Some(count) if each => (0..count.clamp(1, MAX_STEPS)).map(Some).collect(),
        _ => vec![None],
    }
}

/// Shows a slide (from 0) and waits until it is at rest.
pub(super) fn show(page: &mut Page, index: u32, step: Option<u32>, how: &str) -> Result<(), Fault> {
    let step = step.map_or_else(|| "null".to_owned(), |step| step.to_string());
    page.later(&format!("deckproofDeck.go({index}, {step}, '{how}')"))?;
    page.rest_after_move(match page.corrects {
        true => Looks::Plain,
        false => Looks::Taken,
    })?;
    correct(page, index)
}

/// Lets the module put right what movement left askew.
pub(super) fn correct(page: &mut Page, index: u32) -> Result<(), Fault> {
    if !page.corrects {
        return Ok(());
    }
    page.later(&format!("deckproofDeck.settled({index})"))?;
    page.tick(CORRECTED)
}

pub(super) fn wanted(selection: Option<&SlideSelection>, slide: u32) -> bool {
    selection.is_none_or(|selection| selection.contains(slide))
}

/// Takes the picture, and the facts with it.
pub(super) fn take(page: &mut Page, slide: u32, options: &RenderOptions) -> Result<Shot, Fault> {
    let png = page.shot()?;
    let facts = options.facts.then(|| page.slide_facts()).transpose()?;
    let texts = facts.as_ref().map(RawSlide::texts).unwrap_or_default();
    let samples = texts.iter().map(Sample::of).collect();
    let picture = page.encoder.encode(png, samples);
    Ok(Shot {
        slide,
        picture,
        facts,
    })
}
