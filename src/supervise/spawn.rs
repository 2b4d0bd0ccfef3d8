// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starts the agent: fresh logs, its own process group, an environment built from nothing, kernel limits.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Instant;

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::process::{Resource, Rlimit};

use super::job::Job;
use super::outcome::{Refusal, RefusalReason};
use super::processes;
use super::pump::Pump;

/// The longest secret, in bytes.
const SECRET_BYTES: u64 = 64 << 10;

/// The largest standard input, in bytes.
const STDIN_BYTES: u64 = 16 << 20;

/// A started agent.
#[derive(Debug)]
pub(super) struct Agent {
    pub(super) child: Child,
    pub(super) pid: i32,
    pub(super) pumps: [Pump; 2],
    pub(super) started: Instant,
    pub(super) started_at: String,
}

/// The wall clock, as records show it.
pub(super) fn utc_now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

/// Starts the agent of `job`.
pub(super) fn start(job: &Job) -> Result<Agent, Refusal> {
    if !job.current_directory.is_dir() {
        let what = format!(
            "{}: the current directory is missing",
            job.current_directory.display()
        );
        return Err(refusal(RefusalReason::CurrentDirectory, what));
    }
    let stdin = open_stdin(&job.stdin)?;
    let mut command = Command::new(job.argv.first().map_or("", String::as_str));
    command.args(job.argv.iter().skip(1));
    command
        .env_clear()
        .envs(&job.environment)
        .current_dir(&job.current_directory);
    for (name, path) in &job.secrets {
        command.env(name, read_secret(path)?);
    }
    command.env(
        processes::MARK,
        processes::mark(std::process::id(), &job.result),
    );
    limit_kernel_resources(job)?;
    let (out_reader, out_writer) = std::io::pipe().map_err(system("a pipe"))?;
    let (err_reader, err_writer) = std::io::pipe().map_err(system("a pipe"))?;
    let out = pump(out_reader, &job.stdout, job.limits.log_bytes)?;
    let err = pump(err_reader, &job.stderr, job.limits.log_bytes)?;
    command
        .stdin(stdin)
        .stdout(out_writer)
        .stderr(err_writer)
        .process_group(0);
    let started_at = utc_now();
    let started = Instant::now();
    let child = command.spawn().map_err(|error| {
        let program = job.argv.first().map_or("", String::as_str);
        refusal(
            RefusalReason::Program,
            format!("{program}: cannot be started: {error}"),
        )
    })?;
    // The command still owns our copies of the write ends; the logs end only when they are closed.
    drop(command);
    let pid = i32::try_from(child.id()).unwrap_or(i32::MAX);
    Ok(Agent {
        child,
        pid,
        pumps: [out, err],
        started,
        started_at,
    })
}

/// The agent gets a sealed copy of its input in memory: through /proc/self/fd/0 it could open the file
/// itself again, and write into it.
fn open_stdin(path: &Path) -> Result<File, Refusal> {
    let refuse = |what: &dyn std::fmt::Display| {
        refusal(
            RefusalReason::Stdin,
            format!("{}: standard input: {what}", path.display()),
        )
    };
    // Opening a FIFO would wait for a writer for ever, so its kind is looked at first.
    let kind = std::fs::metadata(path)
        .map_err(|error| refuse(&error))?
        .file_type();
    if kind.is_dir() || std::os::unix::fs::FileTypeExt::is_fifo(&kind) {
        return Err(refuse(&"expected a regular file"));
    }
    let file = File::open(path).map_err(|error| refuse(&error))?;
    let mut bytes = Vec::new();
    file.take(STDIN_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| refuse(&error))?;
    if bytes.len() as u64 > STDIN_BYTES {
        return Err(refuse(&format!("larger than {STDIN_BYTES} bytes")));
    }
    sealed_copy(&bytes).map_err(|error| refuse(&error))
}

fn sealed_copy(bytes: &[u8]) -> std::io::Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let mut copy = File::from(rustix::fs::memfd_create("stdin", flags)?);
    copy.write_all(bytes)?;
    copy.rewind()?;
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&copy, seals)?;
    Ok(copy)
}

fn pump(reader: std::io::PipeReader, path: &Path, limit: u64) -> Result<Pump, Refusal> {
    let log = OpenOptions::new()
        .append(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map_err(|error| {
            let what = format!("{}: the log cannot be made: {error}", path.display());
            refusal(RefusalReason::Logs, what)
        })?;
    Pump::new(reader, log, limit).map_err(system("a pipe"))
}

fn read_secret(path: &Path) -> Result<String, Refusal> {
    let refuse = |what: &str| {
        refusal(
            RefusalReason::Secret,
            format!("{}: the secret {what}", path.display()),
        )
    };
    let file = File::open(path).map_err(|error| refuse(&format!("cannot be read: {error}")))?;
    let mut text = String::new();
    file.take(SECRET_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|error| refuse(&format!("cannot be read: {error}")))?;
    let value = text.strip_suffix('\n').unwrap_or(&text);
    if value.is_empty() || value.contains('\0') || text.len() as u64 > SECRET_BYTES {
        return Err(refuse("is empty, too long, or holds a NUL byte"));
    }
    Ok(value.to_owned())
}

/// Limits are inherited, so they are set on the supervisor just before the start. The supervisor itself
/// needs no file larger than a log.
fn limit_kernel_resources(job: &Job) -> Result<(), Refusal> {
    let file_bytes = job
        .limits
        .file_bytes
        .max(job.limits.log_bytes.saturating_add(1 << 20));
    lower(Resource::Fsize, file_bytes)?;
    if let Some(cpu_ms) = job.limits.cpu_ms {
        // For any one process, rounded up; the watch adds them up.
        lower(Resource::Cpu, (cpu_ms / 1000).saturating_add(2))?;
    }
    lower(Resource::Core, 0)
}

fn lower(resource: Resource, to: u64) -> Result<(), Refusal> {
    let now = rustix::process::getrlimit(resource);
    let maximum = now.maximum.map_or(to, |hard| hard.min(to));
    let limit = Rlimit {
        current: Some(maximum),
        maximum: Some(maximum),
    };
    rustix::process::setrlimit(resource, limit)
        .map_err(|error| system("a resource limit")(error.into()))
}

pub(super) fn system(what: &'static str) -> impl Fn(std::io::Error) -> Refusal {
    move |error| {
        refusal(
            RefusalReason::System,
            format!("the system refused {what}: {error}"),
        )
    }
}

pub(super) fn refusal(reason: RefusalReason, message: String) -> Refusal {
    Refusal { reason, message }
}
