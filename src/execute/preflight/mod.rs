// SPDX-License-Identifier: MIT OR Apache-2.0
//! The preflight: whether everything that trials need is here, and whether their room holds, judged
//! from effects. Nothing in it costs money.
//!
//! Its result is a record. `execute` launches agents only after one that passed and still fits:
//! same machine and start of it, same launcher, same programs, same Deckproof. Without one it makes
//! the preflight itself.

mod items;
mod programs;

use std::path::Path;

use deckproof_packets::hash::{FieldHasher, Sha256Hex};
use deckproof_packets::relpath::RelPath;
use deckproof_renderers::batch::Renderers;

use super::process::{Launch, choose_launcher};
use super::state::RunState;
use super::{ExecuteError, Options, Progress};
use crate::experiment::records::{Checked, CheckedItem, Event};
use crate::experiment::{ExperimentLock, Layout};
use crate::seal;
use crate::suite::{Arm, HostKind, Loaded, Suite};

/// The hash of a sealed file, by its path.
type Sealed<'a> = dyn Fn(&RelPath) -> Option<Sha256Hex> + 'a;

/// What is looked at: the suite, and its sealed files by path.
struct Subject<'a> {
    suite: &'a Suite,
    sealed: Box<Sealed<'a>>,
    /// What is wrong with the seal or an installed skill, if anything.
    seal: Result<(), String>,
    /// A folder that does not exist, for the attempts.
    folder: &'a Path,
}

/// Checks a suite. Writes nothing.
///
/// # Errors
/// When the attempts cannot be cleaned up.
pub fn check_suite(loaded: &Loaded, options: &Options) -> Result<Checked, ExecuteError> {
    let found = seal::verify(loaded);
    let lock = found.as_ref().ok().map(|(lock, _)| lock.clone());
    let sealed = move |path: &RelPath| {
        let lock = lock.as_ref()?;
        let file = lock.files.iter().find(|file| file.path == *path)?;
        Some(file.sha256.clone())
    };
    let scratch = tempfile::tempdir()?;
    let subject = Subject {
        suite: &loaded.suite,
        sealed: Box::new(sealed),
        seal: found.map(drop).map_err(|error| error.to_string()),
        folder: &scratch.path().canonicalize()?.join("attempts"),
    };
    let launch = choose_launcher(&options.program);
    let mut renderers = Renderers::new(super::renderer_options(options.pptx));
    Ok(look(&subject, &launch, options, &mut renderers, true))
}

/// Checks an experiment and records what was found, unless it is over.
///
/// # Errors
/// [`ExecuteError`] when the experiment cannot be used.
pub fn check_experiment(root: &Path, options: &Options) -> Result<Checked, ExecuteError> {
    let root = fs_err::canonicalize(root)?;
    let layout = Layout::new(&root);
    let _lock = ExperimentLock::take(&layout)?;
    let mut state = RunState::open(layout, options)?;
    let checked = look_at(&mut state, true)?;
    if !state.drawn && !state.finished {
        state.record(Event::Checked(Box::new(checked.clone())))?;
    }
    Ok(checked)
}

/// Makes sure that a preflight passed and still fits, before agents are launched.
pub(super) fn ensure(state: &mut RunState, progress: &Progress) -> Result<(), ExecuteError> {
    let runs = |arm: &Arm| !matches!(arm.host, HostKind::Replay | HostKind::Manual);
    let trials = &state.experiment.plan.trials;
    let due = trials.iter().any(|planned| {
        let arm = state.experiment.arm(&planned.id.arm);
        !state.is_settled(&planned.id) && arm.is_ok_and(runs)
    });
    if !due {
        return Ok(());
    }
    let now = identity(&subject_of(state, Path::new("")), &state.launch);
    if state
        .checked
        .as_ref()
        .is_some_and(|last| last.passed && fits(last, &now))
    {
        return Ok(());
    }
    progress.line("preflight: no fresh one that passed, so it is made now");
    let checked = look_at(state, false)?;
    let missing: Vec<String> = checked
        .items
        .iter()
        .filter(|item| !item.holds)
        .map(|item| format!("{}: {}", item.name, item.detail))
        .collect();
    state.record(Event::Checked(Box::new(checked)))?;
    if missing.is_empty() {
        return Ok(());
    }
    Err(ExecuteError::Preflight {
        root: state.experiment.layout.root().display().to_string(),
        missing: missing.join("; "),
    })
}

fn look_at(state: &mut RunState, thorough: bool) -> Result<Checked, ExecuteError> {
    let folder = state
        .experiment
        .layout
        .runs()
        .join(format!("preflight-{}", std::process::id()));
    fs_err::create_dir_all(state.experiment.layout.runs())?;
    super::tasks::remove(&folder)?;
    let mut renderers = std::mem::replace(
        &mut state.renderers,
        Renderers::new(super::renderer_options(state.options.pptx)),
    );
    let checked = {
        let subject = subject_of(state, &folder);
        let (launch, options) = (&state.launch, &state.options);
        look(&subject, launch, options, &mut renderers, thorough)
    };
    super::tasks::remove(&folder)?;
    state.renderers = renderers;
    Ok(checked)
}

fn subject_of<'a>(state: &'a RunState, folder: &'a Path) -> Subject<'a> {
    let experiment = &state.experiment;
    Subject {
        suite: &experiment.suite,
        sealed: Box::new(|path| experiment.sealed_hash(path)),
        seal: seal::check_installed_copies(&experiment.suite, &experiment.lock)
            .map_err(|error| error.to_string()),
        folder,
    }
}

/// What must be the same for a preflight to count still.
fn identity(subject: &Subject<'_>, launch: &Launch) -> Checked {
    Checked {
        deckproof: env!("CARGO_PKG_VERSION").to_owned(),
        machine_sha256: machine(),
        launcher: launch.launcher().name().to_owned(),
        launcher_sha256: launch.program().and_then(super::programs::hash),
        isolation: launch.reached(),
        programs: programs::all(subject),
        renderers: Vec::new(),
        items: Vec::new(),
        passed: false,
    }
}

fn fits(last: &Checked, now: &Checked) -> bool {
    let hashes = |checked: &Checked| {
        let programs = checked.programs.iter();
        programs
            .map(|one| (one.arm.clone(), one.sha256.clone()))
            .collect::<Vec<_>>()
    };
    last.deckproof == now.deckproof
        && last.machine_sha256 == now.machine_sha256
        && last.launcher == now.launcher
        && last.launcher_sha256 == now.launcher_sha256
        && last.isolation == now.isolation
        && hashes(last) == hashes(now)
}

/// This machine since it was started, as a hash: enough to tell another one, and no more.
fn machine() -> Sha256Hex {
    let mut hasher = FieldHasher::new("deckproof.machine.v1");
    for file in ["/proc/sys/kernel/random/boot_id", "/etc/machine-id"] {
        hasher.field(&std::fs::read(file).unwrap_or_default());
    }
    hasher.finish()
}

fn look(
    subject: &Subject<'_>,
    launch: &Launch,
    options: &Options,
    renderers: &mut Renderers,
    thorough: bool,
) -> Checked {
    let mut checked = identity(subject, launch);
    let mut items = Vec::new();
    items.push(items::seal(subject));
    items.extend(items::isolation(subject, launch));
    items.extend(items::rooms(subject, launch, options, thorough));
    items.extend(items::programs(subject, &checked.programs));
    programs::ask_versions(subject, launch, options, &mut checked.programs);
    items.extend(items::logins(subject));
    if thorough {
        items.extend(items::services(subject));
        items.push(items::models(subject));
    }
    if thorough || items::costs(subject.suite) {
        let (found, identities) = items::renderers(subject, renderers);
        items.extend(found);
        checked.renderers = identities;
    }
    items.push(items::disk(subject));
    checked.passed = items.iter().all(|item: &CheckedItem| item.holds);
    checked.items = items;
    checked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::records::CheckedProgram;
    use crate::suite::{Id, Isolation};

    fn checked() -> Checked {
        Checked {
            deckproof: "1".into(),
            machine_sha256: Sha256Hex::of(b"here"),
            launcher: "bubblewrap".into(),
            launcher_sha256: None,
            isolation: Isolation::Prevented,
            programs: vec![CheckedProgram {
                arm: Id::new("new").unwrap(),
                sha256: Some(Sha256Hex::of(b"agent")),
                version: Some("1.2".into()),
            }],
            renderers: Vec::new(),
            items: Vec::new(),
            passed: true,
        }
    }

    #[test]
    fn a_model_that_no_host_asks_is_named_as_such() {
        let folder = tempfile::tempdir().unwrap();
        crate::embedded::write("suite", folder.path()).unwrap();
        let mut loaded = crate::suite::load(folder.path()).unwrap();
        let models = |loaded: &Loaded| {
            items::models(&Subject {
                suite: &loaded.suite,
                sealed: Box::new(|_| None),
                seal: Ok(()),
                folder: Path::new(""),
            })
            .detail
        };
        let told = models(&loaded);
        assert!(told.contains("for html (host `replay`)"), "{told}");
        assert!(!told.contains("costs money"), "{told}");
        loaded.suite.arm[0].host = HostKind::Codex;
        let told = models(&loaded);
        assert!(
            told.contains("costs money") && told.contains("checks none"),
            "{told}"
        );
        loaded.suite.arm.iter_mut().for_each(|arm| arm.model = None);
        assert_eq!(models(&loaded), "no arm names one");
    }

    #[test]
    fn a_preflight_fits_while_nothing_that_it_saw_has_changed() {
        let now = Checked {
            passed: false,
            ..checked()
        };
        assert!(fits(&checked(), &now));
        let changes: [fn(&mut Checked); 5] = [
            |one| one.machine_sha256 = Sha256Hex::of(b"there"),
            |one| one.launcher = "direct".into(),
            |one| one.isolation = Isolation::None,
            |one| one.programs[0].sha256 = Some(Sha256Hex::of(b"other")),
            |one| one.deckproof = "2".into(),
        ];
        for change in changes {
            let mut other = now.clone();
            change(&mut other);
            assert!(!fits(&checked(), &other), "{other:?}");
        }
    }
}
