// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real processes under the real supervisor: exits, limits, escapes, and the death of the parent.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod supervising;

use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use deckproof::supervise::{
    Exit, KillReason, RefusalReason, StartError, Supervised, WaitError, wait_for_lock,
};
use supervising::{Bench, EXE, running, until};

#[test]
fn reports_exit_codes_and_output() {
    let bench = Bench::new("echo out; echo err >&2; exit 3");
    let ended = bench.run().unwrap();
    assert_eq!(ended.exit, Exit::Code(3));
    assert_eq!((ended.timed_out, ended.killed_for), (false, None));
    assert!(ended.duration_ms >= 1 && ended.duration_ms < 30_000);
    assert!(ended.started_at <= ended.ended_at && ended.ended_at.ends_with('Z'));
    assert!(
        ended.leftover_processes.is_empty(),
        "{:?}",
        ended.leftover_processes
    );
    assert_eq!(
        (bench.stdout(), bench.stderr()),
        ("out\n".into(), "err\n".into())
    );
}

#[test]
fn reports_signals() {
    assert_eq!(
        Bench::new("kill -9 $$").run().unwrap().exit,
        Exit::Signal(9)
    );
    assert_eq!(
        Bench::new("kill -TERM $$").run().unwrap().exit,
        Exit::Signal(15)
    );
    assert_eq!(Bench::new("exit 0").run().unwrap().exit, Exit::Code(0));
}

#[test]
fn gives_the_agent_its_input_its_folder_and_nothing_of_our_environment() {
    let mut bench = Bench::new("cat; pwd; env | sort");
    bench.job.environment.insert("ONLY".into(), "this".into());
    std::fs::write(&bench.job.stdin, "the prompt\n").unwrap();
    bench.run().unwrap();
    let pwd = bench.job.current_directory.display().to_string();
    // The shell itself adds PWD (and, as bash, two more).
    let lines: Vec<String> = bench.stdout().lines().map(str::to_owned).collect();
    assert_eq!(lines[..2], ["the prompt".to_owned(), pwd.clone()]);
    let added = [
        format!("PWD={pwd}"),
        "SHLVL=0".into(),
        "SHLVL=1".into(),
        "_=/usr/bin/env".into(),
    ];
    let rest: Vec<&String> = lines[2..]
        .iter()
        .filter(|line| !added.contains(line))
        .collect();
    let (mark, rest) = rest.split_first().unwrap();
    assert!(mark.starts_with("DECKPROOF_TURN="), "{mark}");
    assert_eq!(rest, ["ONLY=this", "PATH=/usr/bin:/bin"]);
}

#[test]
fn hides_our_environment_in_the_supervisor_too() {
    let bench = Bench::new("tr '\\0' '\\n' < /proc/$PPID/environ");
    bench.run().unwrap();
    assert_eq!(bench.stdout(), "");
}

#[test]
fn keeps_secrets_out_of_the_job_file() {
    let mut bench = Bench::new("echo \"$KEY\"");
    let key = bench.path("key");
    std::fs::write(&key, "s3cr3t\n").unwrap();
    bench.job.secrets.insert("KEY".into(), key);
    bench.run().unwrap();
    assert_eq!(bench.stdout(), "s3cr3t\n");
    let job = std::fs::read_to_string(bench.job.result.with_extension("job.json")).unwrap();
    assert!(!job.contains("s3cr3t"));
}

#[test]
fn the_agent_cannot_change_its_prompt_or_its_log() {
    let bench = Bench::new(
        "echo before; (echo x > /proc/self/fd/0) 2>/dev/null && echo changed; \
         : > /proc/self/fd/1; echo after",
    );
    std::fs::write(&bench.job.stdin, "prompt").unwrap();
    bench.run().unwrap();
    assert_eq!(bench.stdout(), "before\nafter\n");
    assert_eq!(std::fs::read_to_string(&bench.job.stdin).unwrap(), "prompt");
}

fn refusal(bench: &Bench) -> (RefusalReason, String) {
    match bench.run() {
        Err(WaitError::Refused(refusal)) => (refusal.reason, refusal.message),
        other => panic!("expected a refusal, found {other:?}"),
    }
}

#[test]
fn refuses_what_cannot_start() {
    let mut bench = Bench::new("exit 0");
    bench.job.argv = vec!["/nonexistent/agent".into()];
    let (reason, message) = refusal(&bench);
    assert_eq!(reason, RefusalReason::Program);
    assert!(message.contains("/nonexistent/agent"), "{message}");

    let mut bench = Bench::new("exit 0");
    bench.job.stdin = bench.path("no-prompt");
    assert_eq!(refusal(&bench).0, RefusalReason::Stdin);

    let mut bench = Bench::new("exit 0");
    bench.job.stdin = bench.path("work");
    assert_eq!(refusal(&bench).0, RefusalReason::Stdin);

    let mut bench = Bench::new("exit 0");
    bench.job.current_directory = bench.path("gone");
    assert_eq!(refusal(&bench).0, RefusalReason::CurrentDirectory);

    let mut bench = Bench::new("exit 0");
    bench.job.secrets.insert("KEY".into(), bench.path("no-key"));
    assert_eq!(refusal(&bench).0, RefusalReason::Secret);
}

#[test]
fn refuses_logs_and_results_that_exist() {
    let bench = Bench::new("exit 0");
    std::fs::write(&bench.job.stdout, "planted").unwrap();
    assert_eq!(refusal(&bench).0, RefusalReason::Logs);
    assert_eq!(bench.stdout(), "planted");

    let bench = Bench::new("exit 0");
    std::fs::write(&bench.job.result, "planted").unwrap();
    let error = Supervised::start(&bench.job, EXE.as_ref()).unwrap_err();
    assert!(matches!(error, StartError::ResultExists { .. }), "{error}");
}

#[test]
fn ends_what_ignores_the_time_limit() {
    let mut bench = Bench::new("trap '' TERM; sleep 86411 & sleep 86412");
    bench.job.time_limit_ms = 300;
    bench.job.grace_ms = 200;
    let ended = bench.run().unwrap();
    assert!(ended.timed_out);
    assert_eq!(ended.killed_for, Some(KillReason::Time));
    assert_eq!(ended.exit, Exit::Signal(9));
    assert!(ended.duration_ms >= 300, "{}", ended.duration_ms);
    assert!(running("86411").is_empty() && running("86412").is_empty());
}

#[test]
fn lets_an_agent_end_politely_at_the_time_limit() {
    let mut bench = Bench::new("trap 'echo bye; exit 7' TERM; while :; do sleep 0.05; done");
    bench.job.time_limit_ms = 300;
    bench.job.grace_ms = 20_000;
    let ended = bench.run().unwrap();
    assert!(ended.timed_out);
    assert_eq!(
        (ended.exit, bench.stdout()),
        (Exit::Code(7), "bye\n".into())
    );
}

#[test]
fn ends_every_process_that_tried_to_stay() {
    let bench = Bench::new(
        "sleep 86501 &
         setsid sleep 86502 &
         nohup sleep 86503 >/dev/null 2>&1 &
         ( ( sleep 86504 & ) & )
         setsid sh -c 'trap \"\" TERM HUP INT; setsid sleep 86505; sleep 86506' &
         while [ \"$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | \
                     grep -ao 'sleep 8650[1-5]' | sort -u | wc -l)\" -lt 5 ]; do sleep 0.05; done",
    );
    let ended = bench.run().unwrap();
    assert_eq!(ended.exit, Exit::Code(0));
    for number in ["86501", "86502", "86503", "86504", "86505", "86506"] {
        assert!(running(number).is_empty(), "sleep {number} still runs");
    }
    let left: String = ended
        .leftover_processes
        .iter()
        .map(|left| left.command.clone() + ";")
        .collect();
    for number in ["86501", "86502", "86503", "86504", "86505"] {
        assert!(left.contains(number), "{number} is not in {left}");
    }
}

/// Runs an agent that leaves a process behind which forks and exits for ever, each life writing a file, and
/// looks whether its trail ends with the trial.
fn comet(life: &str) {
    let bench = Bench::new("sh ./comet & sleep 0.3; exit 0");
    let comet = bench.job.current_directory.join("comet");
    std::fs::write(
        comet,
        format!("trap '' TERM HUP; : > life-$$; {life} & exit"),
    )
    .unwrap();
    let ended = bench.run().unwrap();
    assert_eq!(ended.exit, Exit::Code(0));
    let trail = || {
        std::fs::read_dir(&bench.job.current_directory)
            .unwrap()
            .count()
    };
    let before = trail();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(trail(), before);
    assert!(before > 1, "it never ran");
}

#[test]
fn catches_a_process_that_keeps_forking_away() {
    comet("sh ./comet");
}

#[test]
fn catches_one_that_changes_its_session_too() {
    comet("setsid sh ./comet");
}

#[test]
fn stops_a_flood_of_processes() {
    let mut bench = Bench::new("while :; do sleep 86601 & done");
    bench.job.limits.processes = 40;
    let ended = bench.run().unwrap();
    assert_eq!(ended.killed_for, Some(KillReason::Processes));
    assert!(running("86601").is_empty());
}

#[test]
fn stops_a_flood_of_output_at_the_limit() {
    let mut bench = Bench::new("yes");
    bench.job.limits.log_bytes = 100_000;
    let ended = bench.run().unwrap();
    assert_eq!(ended.killed_for, Some(KillReason::LogBytes));
    assert!(!ended.timed_out);
    assert_eq!(bench.stdout().len(), 100_000);

    let mut bench = Bench::new("head -c 300000 /dev/zero >&2");
    bench.job.limits.log_bytes = 100_000;
    assert_eq!(bench.run().unwrap().killed_for, Some(KillReason::LogBytes));
}

#[test]
fn keeps_output_up_to_the_limit_whole() {
    let mut bench = Bench::new("head -c 3000000 /dev/zero");
    bench.job.limits.log_bytes = 3_000_000;
    let ended = bench.run().unwrap();
    assert_eq!((ended.exit, ended.killed_for), (Exit::Code(0), None));
    assert_eq!(
        std::fs::metadata(&bench.job.stdout).unwrap().len(),
        3_000_000
    );
}

#[test]
fn stops_a_disk_filler() {
    let mut bench = Bench::new("while :; do head -c 1000000 /dev/zero >> big; sleep 0.01; done");
    bench.job.limits.work_bytes = 5_000_000;
    assert_eq!(bench.run().unwrap().killed_for, Some(KillReason::WorkBytes));

    let mut bench = Bench::new("i=0; while :; do i=$((i+1)); : > f$i; done");
    bench.job.limits.work_files = 100;
    assert_eq!(bench.run().unwrap().killed_for, Some(KillReason::WorkFiles));
}

#[test]
fn the_kernel_stops_one_huge_file() {
    let mut bench = Bench::new("head -c 90000000 /dev/zero > big; echo $?; wc -c < big");
    bench.job.limits.log_bytes = 1_000_000;
    bench.job.limits.file_bytes = 20_000_000;
    bench.run().unwrap();
    let lines: Vec<String> = bench
        .stdout()
        .lines()
        .map(|line| line.trim().into())
        .collect();
    assert_ne!(lines[0], "0");
    assert_eq!(lines[1], "20000000");
}

#[test]
fn stops_a_memory_hog() {
    let mut bench = Bench::new("head -c 400000000 /dev/zero | tail -c 400000000 | sleep 86701");
    bench.job.limits.memory_bytes = 100_000_000;
    assert_eq!(bench.run().unwrap().killed_for, Some(KillReason::Memory));
    assert!(running("86701").is_empty());
}

#[test]
fn cancelling_leaves_nothing() {
    let bench = Bench::new("setsid sleep 86801 & sleep 86802");
    let supervised = Supervised::start(&bench.job, EXE.as_ref()).unwrap();
    until("both processes run", || {
        !running("86801").is_empty() && !running("86802").is_empty()
    });
    supervised.cancel();
    assert!(running("86801").is_empty() && running("86802").is_empty());
    assert!(!bench.job.result.exists());
}

#[test]
fn two_supervisors_never_share_a_lock() {
    let bench = Bench::new("sleep 86901");
    let first = Supervised::start(&bench.job, EXE.as_ref()).unwrap();
    until("the first agent runs", || !running("86901").is_empty());
    let mut other = Bench::new("exit 0");
    other.job.lock = bench.job.lock.clone();
    match other.run() {
        Err(WaitError::NoResult { status, .. }) => assert_eq!(status.code(), Some(2)),
        unexpected => panic!("{unexpected:?}"),
    }
    first.cancel();
    other.run().unwrap();
}

/// Not a test of its own: the parent that `the_death_of_the_parent_ends_everything` kills.
#[test]
#[ignore = "started by another test"]
fn parent_that_waits() {
    let path = std::env::var("DECKPROOF_TEST_JOB").unwrap();
    let job = deckproof::supervise::Job::read(path.as_ref()).unwrap();
    _ = Supervised::start(&job, EXE.as_ref()).unwrap().wait();
}

#[test]
fn the_death_of_the_parent_ends_everything() {
    let bench = Bench::new("trap '' HUP TERM; setsid sleep 87001 & sleep 87002");
    let path = bench.path("given.json");
    std::fs::write(&path, serde_json::to_vec(&bench.job).unwrap()).unwrap();
    let mut parent = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "parent_that_waits", "--ignored"])
        .env("DECKPROOF_TEST_JOB", &path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    until("both processes run", || {
        !running("87001").is_empty() && !running("87002").is_empty()
    });
    parent.kill().unwrap();
    parent.wait().unwrap();
    wait_for_lock(&bench.job.lock).unwrap();
    assert!(running("87001").is_empty() && running("87002").is_empty());
    assert!(!bench.job.result.exists());
}

#[test]
fn an_agent_that_kills_its_supervisor_dies_too() {
    let bench = Bench::new(
        "setsid sleep 87101 & sleep 0.2; kill -9 $PPID; setsid sleep 87102 & sleep 87103",
    );
    let error = bench.run().unwrap_err();
    assert!(error.may_be_the_agents_doing(), "{error}");
    for number in ["87101", "87102", "87103"] {
        until("it is gone", || running(number).is_empty());
    }
    assert!(!bench.job.result.exists());
}

fn ticks(supervised: &Supervised) -> u64 {
    let stat = format!("/proc/{}/stat", supervised.supervisor_pid());
    let line = std::fs::read_to_string(stat).unwrap();
    let fields: Vec<&str> = line.rsplit(')').next().unwrap().split(' ').collect();
    fields[12].parse::<u64>().unwrap() + fields[13].parse::<u64>().unwrap()
}

#[test]
fn an_idle_supervisor_costs_nothing() {
    let bench = Bench::new("sleep 86902");
    let supervised = Supervised::start(&bench.job, EXE.as_ref()).unwrap();
    until("the agent runs", || !running("86902").is_empty());
    let before = ticks(&supervised);
    std::thread::sleep(Duration::from_secs(2));
    let spent = ticks(&supervised) - before;
    supervised.cancel();
    // A tick is 10 ms, so 4 of them are 2 % of 2 seconds.
    assert!(spent <= 4, "{spent} ticks");
}

#[test]
fn waiting_for_a_lock_that_nobody_made_returns() {
    wait_for_lock("/nonexistent/lock".as_ref()).unwrap();
}
