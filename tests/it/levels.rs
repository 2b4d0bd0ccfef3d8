// SPDX-License-Identifier: MIT OR Apache-2.0
//! Machines that lack a wall: what is missing is said, the level that remains is recorded, and a suite that demands
//! more is refused. What is missing is taken away from this machine for one process and its children.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::{Ran, TinySuite};

/// Starts a program for which the kernel refuses some calls, by a filter such as containers have. Words: the refused
/// calls as `NUMBER:ERROR` or `NUMBER:ERROR:BITS`, where only a first argument with one of these bits is refused.
const REFUSE: &str = r#"
import ctypes, os, struct, sys
end = sys.argv.index('--')
code = [struct.pack('HBBI', 0x20, 0, 0, 0)]
for rule in sys.argv[1:end]:
    number, error, bits = (rule.split(':') + ['0'])[:3]
    refuse = struct.pack('HBBI', 6, 0, 0, 0x50000 | int(error))
    if int(bits, 0):
        code += [struct.pack('HBBI', 0x15, 0, 4, int(number)), struct.pack('HBBI', 0x20, 0, 0, 16),
                 struct.pack('HBBI', 0x45, 0, 1, int(bits, 0)), refuse, struct.pack('HBBI', 0x20, 0, 0, 0)]
    else:
        code += [struct.pack('HBBI', 0x15, 0, 1, int(number)), refuse]
code.append(struct.pack('HBBI', 6, 0, 0, 0x7fff0000))
raw = b''.join(code)
buffer = ctypes.create_string_buffer(raw, len(raw))
program = struct.pack('HxxxxxxQ', len(code), ctypes.addressof(buffer))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program, 0, 0) == 0, ctypes.get_errno()
os.execv(sys.argv[end + 1], sys.argv[end + 1:])
"#;

/// Calls by which a process gets a user namespace: refused as by a kernel or a container that forbids them.
const NO_USER_NAMESPACES: [&str; 3] = ["56:1:0x10000000", "272:1:0x10000000", "435:38"];
/// The first of Landlock's calls, as on a kernel without it.
const NO_LANDLOCK: [&str; 1] = ["444:38"];

/// Runs the program under a filter.
fn refusing(calls: &[&str], arguments: &[&str]) -> Ran {
    let output = Command::new("python3")
        .args(["-c", REFUSE])
        .args(calls)
        .args(["--", env!("CARGO_BIN_EXE_deckproof")])
        .args(arguments)
        .output()
        .unwrap();
    output.into()
}

/// Runs the program where `bwrap` is no program. `None`, with a word about it, where no folder can be covered.
fn without_bubblewrap(arguments: &[&str]) -> Option<Ran> {
    let found = ["/usr/local/bin/bwrap", "/usr/bin/bwrap", "/bin/bwrap"];
    let cover: String = found
        .iter()
        .map(|path| format!("[ ! -e {path} ] || mount --bind /dev/null {path} || exit 77\n"))
        .collect();
    let mut unshare = Command::new("unshare");
    if !rustix::process::getuid().is_root() {
        unshare.arg("--map-root-user");
    }
    let output = unshare
        .args(["--mount", "sh", "-c", &format!("{cover}exec \"$@\""), "sh"])
        .arg(env!("CARGO_BIN_EXE_deckproof"))
        .args(arguments)
        .output()
        .unwrap();
    let ran = Ran::from(output);
    if ran.code == 77 || ran.stderr.contains("unshare failed") {
        eprintln!("skipped: a file cannot be covered here: {}", ran.stderr);
        return None;
    }
    Some(ran)
}

fn suite(isolation: &str) -> (TinySuite, PathBuf) {
    let suite = TinySuite::new();
    let demanded = format!("isolation = \"{isolation}\"");
    suite.edit("suite.toml", "isolation = \"none\"", &demanded);
    let experiment = suite.prepare();
    (suite, experiment)
}

/// How the agents were run, by the journal.
fn runs(experiment: &std::path::Path) -> Vec<Value> {
    let journal = fs::read_to_string(experiment.join("journal.jsonl")).unwrap();
    let records = journal
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let runs = records.map(|record| record["event"]["attempt_ended"]["run"].clone());
    runs.filter(Value::is_object).collect()
}

fn supported() -> bool {
    let here = cfg!(target_arch = "x86_64");
    if !here {
        eprintln!("skipped: the numbers of system calls are those of x86_64");
    }
    here
}

#[test]
fn without_landlock_the_namespaces_remain() {
    if !supported() {
        return;
    }
    let (_suite, experiment) = suite("prevented");
    let ran = refusing(&NO_LANDLOCK, &["execute", experiment.to_str().unwrap()]);
    if ran.stderr.contains("demands isolation") {
        return eprintln!("skipped: {}", ran.stderr);
    }
    let ran = ran.expect(0);
    assert!(
        ran.stderr.contains("isolation `prevented`"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("Landlock is not there"),
        "{}",
        ran.stderr
    );
    let runs = runs(&experiment);
    assert_eq!(runs.len(), 2);
    for run in runs {
        assert_eq!(run["isolation"], "prevented");
        assert!(
            run["walls"]
                .as_str()
                .unwrap()
                .contains("Landlock is not there")
        );
    }
}

#[test]
fn without_namespaces_nothing_remains_and_it_is_said() {
    if !supported() {
        return;
    }
    let (_suite, experiment) = suite("prevented");
    let folder = experiment.to_str().unwrap();
    let ran = refusing(&NO_USER_NAMESPACES, &["execute", folder]).expect(2);
    for word in ["demands isolation `prevented`", "gives `none`", "bwrap"] {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
    assert!(runs(&experiment).is_empty(), "no agent was started");
    let (_suite, experiment) = suite("none");
    let folder = experiment.to_str().unwrap();
    let ran = refusing(&NO_USER_NAMESPACES, &["execute", folder]).expect(0);
    assert!(ran.stderr.contains("isolation `none`: "), "{}", ran.stderr);
    for run in runs(&experiment) {
        assert_eq!(run["isolation"], "none");
        assert!(run["walls"].as_str().unwrap().starts_with("nothing"));
    }
}

#[test]
fn without_bubblewrap_it_is_said_how_to_get_it() {
    let (_suite, experiment) = suite("audited");
    let Some(ran) = without_bubblewrap(&["execute", experiment.to_str().unwrap()]) else {
        return;
    };
    let ran = ran.expect(2);
    for word in [
        "demands isolation `audited`",
        "gives `none`",
        "apt install bubblewrap",
    ] {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
}
