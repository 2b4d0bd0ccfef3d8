// SPDX-License-Identifier: MIT OR Apache-2.0
//! A deck is drawn more than once: the same again, and for another viewer. What differs is named.

use super::renderer::HtmlRenderer;
use super::viewer::Viewer;
use crate::rendering::differences;
use crate::{Compared, DIFFERS_BY_VIEWER, Deck, Diagnostic, RenderError, RenderOptions, Rendering};

/// Compares a rendering with others, as the options ask, and adds remarks about what differs.
///
/// A deck that a person and a program see alike, to the byte, was drawn twice by that as well. Only
/// one that they do not see alike is drawn for the person again, to tell which of the two it is.
pub(super) fn compare(
    renderer: &mut HtmlRenderer,
    deck: &Deck,
    options: &RenderOptions,
    first: &mut Rendering,
) -> Result<(), RenderError> {
    let again = RenderOptions {
        facts: false,
        twice: false,
        viewers: false,
        ..options.clone()
    };
    let mut pass = |viewer| -> Result<Vec<Diagnostic>, RenderError> {
        match renderer.once(deck, &again, viewer) {
            Ok(other) => {
                first.milliseconds += other.milliseconds;
                Ok(differences(&first.slides, &other.slides))
            }
            Err(error) if error.is_infrastructure() => Err(error),
            // It was drawn a moment ago, so that it cannot be drawn now is a difference.
            Err(error) => Ok(vec![Diagnostic::deck(
                crate::NOT_DETERMINISTIC,
                error.to_string(),
            )]),
        }
    };
    let mut found = Vec::new();
    if options.viewers {
        let seen = pass(Viewer::Program)?;
        if !seen.is_empty() {
            found = pass(Viewer::Person)?;
            found.extend(by_viewer(seen, &found));
        }
    } else if options.twice {
        found = pass(Viewer::Person)?;
    }
    first.diagnostics.extend(found);
    first.compared = Compared {
        twice: options.twice || options.viewers,
        viewers: options.viewers,
    };
    Ok(())
}

/// Differences that the viewer makes: those on slides that otherwise stay the same.
fn by_viewer(seen: Vec<Diagnostic>, unsteady: &[Diagnostic]) -> Vec<Diagnostic> {
    let itself = |slide: Option<u32>| unsteady.iter().any(|remark| remark.slide == slide);
    seen.into_iter()
        .filter(|remark| !itself(remark.slide))
        .map(|remark| Diagnostic {
            code: DIFFERS_BY_VIEWER.to_owned(),
            message: format!(
                "a person and a program are shown something else: {}",
                remark.message
            ),
            ..remark
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_by_itself_is_not_put_down_to_the_viewer() {
        let remark = |slide| Diagnostic::slide(slide, crate::NOT_DETERMINISTIC, "drawn twice");
        let found = by_viewer(vec![remark(1), remark(2)], &[remark(2)]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].slide, found[0].code.as_str()),
            (Some(1), DIFFERS_BY_VIEWER)
        );
    }
}
