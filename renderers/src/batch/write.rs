// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures on disk.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::{RenderError, Rendering, Step};

/// The file name of a picture: `slide-001.png`, and `slide-001-step-02.png` for a step.
#[must_use]
pub fn picture_name(index: u32, step: Option<Step>) -> String {
    match step {
        None => format!("slide-{index:03}.png"),
        Some(Step { slide, number }) => format!("slide-{slide:03}-step-{number:02}.png"),
    }
}

/// Writes every picture into a folder, which is made when it is absent. Each file is written under
/// a temporary name beside its own and then renamed, so a run that is cut off leaves no half picture.
///
/// # Errors
/// When something cannot be written; the message names it.
pub fn write_pictures(folder: &Path, rendering: &Rendering) -> Result<Vec<PathBuf>, RenderError> {
    let made = fs_err::create_dir_all(folder);
    made.map_err(|source| RenderError::io("make the folder for pictures", source))?;
    let pictures = rendering.slides.iter();
    pictures
        .map(|picture| {
            let path = folder.join(picture_name(picture.index, picture.step));
            let what = || format!("write {}", path.display());
            write(folder, &path, &picture.png).map_err(|source| RenderError::io(what(), source))?;
            Ok(path)
        })
        .collect()
}

fn write(folder: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    let mut file = tempfile::Builder::new()
        .prefix(".slide-")
        .permissions(mode)
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_as_slides_do() {
        assert_eq!(picture_name(7, None), "slide-007.png");
        assert_eq!(picture_name(1200, None), "slide-1200.png");
        let step = Step {
            slide: 3,
            number: 2,
        };
        assert_eq!(picture_name(7, Some(step)), "slide-003-step-02.png");
    }

    #[test]
    fn nothing_half_written_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("slide-001.png");
        fs_err::create_dir_all(target.join("in the way")).unwrap();
        assert!(write(folder.path(), &target, b"x").is_err());
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1);
        let other = folder.path().join("slide-002.png");
        write(folder.path(), &other, b"x").unwrap();
        assert_eq!(fs_err::read(&other).unwrap(), b"x");
    }
}
