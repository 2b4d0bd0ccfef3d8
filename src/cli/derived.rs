// SPDX-License-Identifier: MIT OR Apache-2.0
//! Summary, its signature and report go when records are added. Whoever wrote them is told.

use std::path::{Path, PathBuf};

use crate::execute::Progress;
use crate::experiment::Layout;
use crate::report::REPORT_NAME;

/// What was derived and on file before a command.
pub(super) struct Derived {
    experiment: PathBuf,
    files: Vec<PathBuf>,
}

impl Derived {
    /// Does what may add records to an experiment, and says on standard error what went with them,
    /// whatever came of it.
    pub(super) fn around<T>(experiment: &Path, progress: &Progress, act: impl FnOnce() -> T) -> T {
        let derived = Self::on_file(experiment);
        let done = act();
        derived.say_removed(progress);
        done
    }

    /// Looks before the command changes anything.
    fn on_file(experiment: &Path) -> Self {
        let layout = Layout::new(experiment);
        let mut files = vec![
            layout.summary(),
            layout.summary_signature(),
            experiment.join(REPORT_NAME),
        ];
        files.retain(|file| is_there(file));
        Self {
            experiment: experiment.to_owned(),
            files,
        }
    }

    /// Says on standard error what is gone since, and how it is made again.
    fn say_removed(&self, progress: &Progress) {
        let gone: Vec<&Path> = self.files.iter().map(PathBuf::as_path).collect();
        if let Some(text) = told(&self.experiment, &gone, is_there) {
            progress.line(text);
        }
    }
}

fn is_there(file: &Path) -> bool {
    fs_err::symlink_metadata(file).is_ok()
}

fn told(experiment: &Path, files: &[&Path], is_there: impl Fn(&Path) -> bool) -> Option<String> {
    let gone = files.iter().filter(|file| !is_there(file));
    let names: Vec<String> = gone
        .map(|file| file.strip_prefix(experiment).unwrap_or(file))
        .map(|file| file.display().to_string())
        .collect();
    let verb = match names.len() {
        0 => return None,
        1 => "no longer holds and was removed",
        _ => "no longer hold and were removed",
    };
    let shown = experiment.display();
    let mut text = format!(
        "{} {verb}; run `deckproof summarize {shown}` again",
        names.join(" and ")
    );
    if names.iter().any(|name| name == REPORT_NAME) {
        text.push_str(&format!(", and `deckproof report {shown}`"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_gone_is_told() {
        let root = Path::new("exp");
        let files = [root.join("summary.json"), root.join("report.html")];
        let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        assert_eq!(told(root, &files, |_| true), None);
        assert_eq!(
            told(root, &files, |file| file.ends_with("report.html")).unwrap(),
            "summary.json no longer holds and was removed; run `deckproof summarize exp` again"
        );
        assert_eq!(
            told(root, &files, |_| false).unwrap(),
            "summary.json and report.html no longer hold and were removed; run `deckproof summarize exp` \
             again, and `deckproof report exp`"
        );
    }
}
