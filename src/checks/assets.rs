// SPDX-License-Identifier: MIT OR Apache-2.0
//! `source_assets`: each slide shows the very files that its spec names, so that a person can see them. A file that is
//! merely there, hidden, covered, shrunk to a dot or cropped to a sliver is not shown.

use super::Evidence;
use super::outcome::{Problem, Verdict, error, facts, unless_found};
use crate::suite::spec::SpecSlide;
use deckproof_renderers::facts::{EMU_PER_PX, ImageFact, SlideFacts};

/// The least width and height of what is shown, in pixels.
const LEAST_SIDE: i64 = 16;
/// Thousandths of a percent of a picture that may be cropped away, each way together.
const MOST_CROP: i64 = 50_000;

/// Every slide shows its assets.
pub(super) fn shown(evidence: &Evidence<'_>) -> Verdict {
    let slides = &facts(evidence)?.slides;
    let (mut found, mut count) = (Vec::new(), 0);
    for (spec, at) in evidence.spec.slides.iter().zip(0_usize..) {
        count += spec.assets.len();
        match slides.get(at) {
            Some(slide) => found.extend(missing(spec, slide, at + 1, evidence)?),
            None if spec.assets.is_empty() => {}
            None => found.push(format!("there is no slide {} to show its assets", at + 1)),
        }
    }
    unless_found(&found, format!("all {count} assets are shown"))
}

/// The assets of one slide that it does not show. One that is named twice must be shown twice.
fn missing(
    spec: &SpecSlide,
    slide: &SlideFacts,
    number: usize,
    evidence: &Evidence<'_>,
) -> Result<Vec<String>, Problem> {
    let mut used = vec![false; slide.images.len()];
    let mut found = Vec::new();
    for asset in &spec.assets {
        let Some(hash) = evidence.assets.get(asset) else {
            return error(format!(
                "the spec names the asset {asset}, which is none of the case's"
            ));
        };
        let same = |image: &ImageFact| image.sha256.as_deref() == Some(hash.as_str());
        let candidates: Vec<usize> = slide
            .images
            .iter()
            .zip(0..)
            .filter(|(image, _)| same(image))
            .map(|(_, at)| at)
            .collect();
        let problem = |at: &usize| slide.images.get(*at).and_then(unseen);
        let free =
            |at: &usize| used.get(*at) == Some(&false) && !slide.hidden && problem(at).is_none();
        match candidates.iter().copied().find(|at| free(at)) {
            Some(at) => used[at] = true,
            None => found.push(format!(
                "slide {number} does not show {asset}: {}",
                why(slide, &candidates, problem)
            )),
        }
    }
    Ok(found)
}

fn why(
    slide: &SlideFacts,
    candidates: &[usize],
    problem: impl Fn(&usize) -> Option<String>,
) -> String {
    if slide.hidden {
        return "the slide is hidden".to_owned();
    }
    if candidates.is_empty() {
        return format!(
            "none of its {} pictures has these bytes",
            slide.images.len()
        );
    }
    candidates
        .iter()
        .find_map(problem)
        .unwrap_or_else(|| "it is shown less often than asked for".to_owned())
}

/// Why a picture cannot be seen well enough.
fn unseen(image: &ImageFact) -> Option<String> {
    let (width, height) = (
        image.shown.width / EMU_PER_PX,
        image.shown.height / EMU_PER_PX,
    );
    let cropped = |a: i32, b: i32| i64::from(a.max(0)) + i64::from(b.max(0)) > MOST_CROP;
    if !image.visible {
        Some("the picture cannot be seen".to_owned())
    } else if width < LEAST_SIDE || height < LEAST_SIDE {
        Some(format!(
            "{width}x{height} pixels of the picture are seen, expected {LEAST_SIDE}x{LEAST_SIDE} or more"
        ))
    } else if image.shown.area() * 2 < image.rect.area() {
        Some("less than half of the picture is on the slide".to_owned())
    } else if cropped(image.crop.left, image.crop.right)
        || cropped(image.crop.top, image.crop.bottom)
    {
        Some("more than half of the picture is cropped away".to_owned())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::testing::{Case, px};
    use deckproof_renderers::facts::Crop;

    fn case(bend: impl Fn(&mut ImageFact)) -> Case {
        let mut case = Case::html().slide(&[]).asset(0, "chart.png");
        let rect = px(100, 100, 400, 300);
        let hash = case.assets["chart.png"].as_str().to_owned();
        let mut image = ImageFact {
            sha256: Some(hash),
            rect,
            shown: rect,
            visible: true,
            ..ImageFact::default()
        };
        bend(&mut image);
        case.facts.slides[0].images.push(image);
        case
    }

    #[test]
    fn an_asset_that_is_seen_passes() {
        assert!(shown(&case(|_| {}).evidence()).is_ok());
        assert!(
            shown(
                &case(|image| image.crop = Crop {
                    left: 20_000,
                    right: 20_000,
                    ..Crop::default()
                })
                .evidence()
            )
            .is_ok()
        );
    }

    #[test]
    fn one_that_is_there_but_not_seen_fails() {
        let fails = |bend: &dyn Fn(&mut ImageFact)| {
            assert!(matches!(
                shown(&case(bend).evidence()),
                Err(Problem::Fail(_))
            ))
        };
        fails(&|image| image.visible = false);
        fails(&|image| image.sha256 = None);
        fails(&|image| image.sha256 = Some("0".repeat(64)));
        fails(&|image| image.shown = px(100, 100, 1, 1));
        fails(&|image| image.shown = px(100, 100, 400, 15));
        fails(&|image| image.shown = px(100, 100, 199, 300));
        fails(&|image| image.crop.top = 50_001);
    }

    #[test]
    fn it_must_be_on_its_own_slide_and_as_often_as_named() {
        let mut moved = case(|_| {}).slide(&[]);
        moved.facts.slides.swap(0, 1);
        assert!(shown(&moved.evidence()).is_err());
        let mut twice = case(|_| {});
        twice.spec.slides[0].assets.push("chart.png".to_owned());
        assert!(shown(&twice.evidence()).is_err());
        let image = twice.facts.slides[0].images[0].clone();
        twice.facts.slides[0].images.push(image);
        assert!(shown(&twice.evidence()).is_ok());
    }

    #[test]
    fn hidden_and_missing_slides_show_nothing() {
        let mut hidden = case(|_| {});
        hidden.facts.slides[0].hidden = true;
        assert!(shown(&hidden.evidence()).is_err());
        hidden.facts.slides.clear();
        assert!(shown(&hidden.evidence()).is_err());
    }

    #[test]
    fn an_asset_that_nobody_knows_is_an_error() {
        let mut case = case(|_| {});
        case.assets.clear();
        assert!(matches!(shown(&case.evidence()), Err(Problem::Error(_))));
    }
}
