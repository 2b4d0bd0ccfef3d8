// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays a recorded trial from the sealed inputs, in place of a process.

use super::ExecuteError;
use super::attempt::{Number, Raw, put};
use super::process::Folders;
use crate::clock;
use crate::experiment::Experiment;
use crate::experiment::plan::PlannedTrial;
use crate::experiment::records::{Run, Timing, Turn};
use crate::hosts::audit::Grounds;
use crate::hosts::{self, Previous, TurnRecord, Whole, read_turn, replay};
use crate::suite::{Arm, Isolation};
use crate::supervise::Exit;

/// Plays the recording of `planned`: its log, its exit, and its deck into the work folder.
pub(super) fn play(
    experiment: &Experiment,
    planned: &PlannedTrial,
    arm: &Arm,
    number: Number,
    folders: &Folders,
) -> Result<Raw, ExecuteError> {
    let problem = |problem: String| ExecuteError::Arm {
        arm: arm.id.get().to_string(),
        problem,
    };
    let folder = folders.run.join("recording");
    write_recording(experiment, planned, arm, &folder)?;
    let replayed = replay::read(&folder).map_err(|error| problem(error.to_string()))?;
    replay::copy_output(&folder, &folders.output).map_err(|error| problem(error.to_string()))?;
    let recording = &replayed.recording;
    let host = hosts::host(&recording.host)
        .ok_or_else(|| problem(format!("there is no host `{}`", recording.host)))?;
    let parsed = read_turn(
        host.as_ref(),
        &TurnRecord {
            events: &replayed.events,
            stderr: &replayed.stderr,
            exit: replayed.exit,
            killed_for: None,
            model: arm.model.as_deref(),
            effort: arm.effort.as_deref(),
            previous: Previous::First,
            ledger: None,
        },
        0,
    );
    let store = experiment.store();
    let exit_code = match replayed.exit {
        Exit::Code(code) => Some(code),
        Exit::Signal(_) => None,
    };
    let now = clock::now();
    let run = Run {
        host: format!("replay of {}", recording.host),
        argv: Vec::new(),
        program_sha256: None,
        program_version: parsed.host_version.clone(),
        environment: Vec::new(),
        exit_code,
        signal: None,
        started_at: now.clone(),
        ended_at: now,
        launch: number.launch,
        started_ms: recording.started_offset_ms.unwrap_or(0),
        duration_ms: recording.duration_ms,
        timing: Timing::Recorded,
        isolation: Isolation::None,
        events: put(&store, &replayed.events)?,
        stderr: put(&store, &replayed.stderr)?,
        leftover_processes: Vec::new(),
        walls: String::new(),
        refused_connections: Vec::new(),
        redacted: Vec::new(),
    };
    let turn = Turn {
        message_sha256: planned.prompt_sha256.clone(),
        exit: replayed.exit,
        killed_for: None,
        duration_ms: recording.duration_ms,
        events: run.events.clone(),
        stderr: run.stderr.clone(),
        ledger: None,
        other_threads: 0,
        reported: parsed.usage.reported,
        used: parsed.usage.turn,
        basis: parsed.usage.basis.clone(),
    };
    let failure = parsed.failure.clone();
    let grounds = grounds(recording, folders);
    Ok(Raw {
        run,
        turns: vec![turn],
        whole: Whole::of(std::slice::from_ref(&parsed)),
        parsed: vec![parsed],
        failure,
        habits: host.habits(),
        grounds,
    })
}

/// The folders that the recorded trace speaks of: those of its own time, where it names them.
fn grounds(recording: &replay::Recording, folders: &Folders) -> Grounds {
    Grounds {
        work: recording
            .work_folder
            .clone()
            .unwrap_or_else(|| folders.work.clone()),
        home: folders.home.clone(),
        temporary: folders.temporary.clone(),
        readable: vec![
            recording
                .task_folder
                .clone()
                .unwrap_or_else(|| folders.task.clone()),
        ],
        forbidden: Vec::new(),
    }
}

/// Writes the sealed recording to `folder`, where the player can read it.
fn write_recording(
    experiment: &Experiment,
    planned: &PlannedTrial,
    arm: &Arm,
    folder: &std::path::Path,
) -> Result<(), ExecuteError> {
    let recordings = arm.recordings.as_ref().ok_or_else(|| ExecuteError::Arm {
        arm: arm.id.get().to_string(),
        problem: "it has no `recordings`".to_owned(),
    })?;
    let base = recordings
        .join(&format!("{}/{}", planned.id.case, planned.id.repetition))
        .map_err(|error| {
            std::io::Error::new(std::io::ErrorKind::InvalidInput, error.to_string())
        })?;
    for file in &experiment.lock.files {
        let Some(relative) = file.path.relative_to(&base) else {
            continue;
        };
        let path = relative.below(folder);
        if let Some(parent) = path.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::write(&path, experiment.store().get(&file.sha256)?)?;
    }
    Ok(())
}
