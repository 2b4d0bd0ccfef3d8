// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an agent inside bubblewrap can and cannot do, judged from effects.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod supervising;

use deckproof::supervise::{
    Bubblewrap, Direct, Ended, Exit, IsolationLevel, LaunchError, Launcher as _, Network, Room,
    Supervised, preflight,
};
use supervising::{Bench, EXE, running};

const SEARCH_PATH: &str = "/usr/bin:/bin";

fn bubblewrap() -> Option<Bubblewrap> {
    let found = Bubblewrap::detect(SEARCH_PATH);
    if let Err(error) = &found {
        eprintln!("skipped: {error}");
    }
    found.ok()
}

fn room(bench: &Bench, network: Network) -> Room {
    std::fs::create_dir_all(bench.path("task")).unwrap();
    std::fs::write(bench.path("task/brief.md"), "the brief\n").unwrap();
    std::fs::write(bench.path("secret"), "of another trial\n").unwrap();
    Room {
        readable: vec![bench.path("task")],
        writable: vec![bench.path("work")],
        network,
    }
}

/// Runs the script confined; `None` when this machine cannot.
fn confined(script: &str, network: Network) -> Option<(Bench, Ended)> {
    let launcher = bubblewrap()?.with_helper(EXE.into());
    let bench = Bench::new(&script.replace("ROOT", "$ROOT"));
    let room = room(&bench, network);
    let mut job = bench.job.clone();
    job.environment
        .insert("ROOT".into(), bench.path("").display().to_string());
    let job = launcher.wrap(&job, &room).unwrap();
    let ended = Supervised::start(&job, EXE.as_ref())
        .unwrap()
        .wait()
        .unwrap();
    Some((bench, ended))
}

/// Runs lines of which each one must fail inside.
fn all_fail(lines: &[&str], network: &Network) {
    for line in lines {
        let script = format!("({line}) >/dev/null 2>&1 && echo reached || echo refused");
        let Some((bench, _)) = confined(&script, network.clone()) else {
            return;
        };
        assert_eq!(bench.stdout(), "refused\n", "{line}\n{}", bench.stderr());
    }
}

#[test]
fn gives_an_agent_what_it_needs() {
    let script = "cat ROOT/task/brief.md; cat; pwd; id -u; echo x > made && cat made; \
                  echo t > /tmp/t && cat /tmp/t; test -c /dev/null; exit 5";
    let Some((bench, ended)) = confined(script, Network::Private) else {
        return;
    };
    let work = bench.path("work").display().to_string();
    assert_eq!(
        bench.stdout(),
        format!("the brief\n{work}\n1000\nx\nt\n"),
        "{}",
        bench.stderr()
    );
    assert_eq!(ended.exit, Exit::Code(5));
    assert_eq!(
        std::fs::read_to_string(bench.path("work/made")).unwrap(),
        "x\n"
    );
}

#[test]
fn shows_no_other_file_of_the_machine() {
    all_fail(
        &[
            "cat ROOT/secret",
            "cat ROOT/work/../secret",
            "cat /proc/self/root/ROOT/secret",
            "cat /etc/shadow",
            "ls /root",
            "ls /home/*",
            "cat ROOT/stdout",
            "ls ROOT/ended.job.json",
            "cat /proc/1/root/etc/shadow",
            "ln -s ROOT/secret link && cat link",
            "ln ROOT/secret hard",
            "cat /var/log/*",
            "ls /sys/kernel",
        ],
        &Network::Host,
    );
}

#[test]
fn lets_nothing_else_be_written() {
    all_fail(
        &[
            "echo x > ROOT/task/brief.md",
            "rm -f ROOT/task/brief.md && test ! -e ROOT/task/brief.md",
            "mv ROOT/task ROOT/task2",
            "chmod u+w ROOT/task/brief.md",
            "echo x > /usr/bin/planted",
            "echo x > /etc/passwd",
            "mount -o remount,rw /usr",
            "mount --bind ROOT/work /usr",
            "echo x > /proc/self/fd/0",
            "mknod disk b 8 0",
        ],
        &Network::Host,
    );
}

#[test]
fn writes_outside_the_room_never_reach_the_machine() {
    let script = "echo x > ROOT/planted; echo x > ROOT/stderr2; mkdir -p ROOT/packets; exit 0";
    let Some((bench, _)) = confined(script, Network::Private) else {
        return;
    };
    for name in ["planted", "stderr2", "packets"] {
        assert!(!bench.path(name).exists(), "{name}");
    }
}

#[test]
fn shows_no_process_of_the_machine() {
    let script = "ls /proc | grep -c '^[0-9]'; kill -9 $PPID; kill -9 -1; sleep 1";
    let Some((bench, _)) = confined(script, Network::Private) else {
        return;
    };
    let count: u32 = bench.stdout().lines().next().unwrap().parse().unwrap();
    assert!(count <= 6, "{count} processes");
}

#[test]
fn closes_the_network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let reach = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    let script = format!("bash -c '{reach}' 2>/dev/null && echo reached || echo refused");
    let Some((bench, _)) = confined(&script, Network::Private) else {
        return;
    };
    assert_eq!(bench.stdout(), "refused\n");
    let Some((bench, _)) = confined(&script, Network::Host) else {
        return;
    };
    assert_eq!(bench.stdout(), "reached\n", "{}", bench.stderr());
}

/// A service that answers every connection with one line.
fn service() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let answer = "HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nhello\n";
            _ = std::io::Write::write_all(&mut stream, answer.as_bytes());
            _ = std::io::Read::read(&mut stream, &mut [0; 4096]);
        }
    });
    format!("127.0.0.1:{port}")
}

/// Asks `url` by Python, whose proxy is the environment's unless `direct`.
fn ask(url: &str, direct: bool) -> String {
    let handler = if direct {
        "u.ProxyHandler({})"
    } else {
        "u.ProxyHandler({'http': 'http://127.0.0.1:7777'})"
    };
    format!(
        "python3 -c \"import urllib.request as u; \
         print(u.build_opener({handler}).open('http://{url}/', timeout=60).read().decode().strip())\" \
         2>/dev/null || echo refused"
    )
}

#[test]
fn a_relay_reaches_its_targets_and_nothing_else() {
    let (allowed, other) = (service(), service());
    let script = [
        "unset no_proxy NO_PROXY".to_owned(),
        ask(&allowed, true),
        ask(&allowed, false),
        ask(&other, true),
        ask(&other, false),
        ask("example.com:80", false),
        "ls /tmp/deckproof-*; exit 9".to_owned(),
    ]
    .join("; ");
    let network = Network::Relay(vec![allowed]);
    let Some((bench, ended)) = confined(&script, network) else {
        return;
    };
    let said = bench.stdout() + &bench.stderr();
    assert!(
        said.starts_with("hello\nhello\nrefused\nrefused\nrefused\nrelay\n"),
        "{said}"
    );
    assert_eq!(ended.exit, Exit::Code(9));
    assert_eq!(
        ended.refused_connections,
        [other, "example.com:80".to_owned()]
    );
}

#[test]
fn a_relay_leaves_nothing_behind() {
    let launcher = bubblewrap();
    let Some(launcher) = launcher else { return };
    let bench = Bench::new("kill -9 $$");
    let room = room(&bench, Network::Relay(vec!["api.example.com:443".into()]));
    assert!(matches!(
        launcher.wrap(&bench.job, &room),
        Err(LaunchError::NoHelper)
    ));
    let launcher = launcher.with_helper(EXE.into());
    let job = launcher.wrap(&bench.job, &room).unwrap();
    let ended = Supervised::start(&job, EXE.as_ref())
        .unwrap()
        .wait()
        .unwrap();
    assert_eq!(ended.exit, Exit::Code(137));
    assert!(!job.relay.unwrap().socket.parent().unwrap().exists());
    for bad in ["example.com", ":443", "a:b", "a:99999"] {
        let room = Room {
            network: Network::Relay(vec![bad.into()]),
            ..room.clone()
        };
        assert!(
            matches!(
                launcher.wrap(&bench.job, &room),
                Err(LaunchError::Target { .. })
            ),
            "{bad}"
        );
    }
}

#[test]
fn nothing_survives_the_namespace() {
    let script = "setsid sleep 88001 & (setsid sleep 88002 &) & sleep 0.2; exit 0";
    let Some((_bench, ended)) = confined(script, Network::Private) else {
        return;
    };
    assert_eq!(ended.exit, Exit::Code(0));
    assert!(running("88001").is_empty() && running("88002").is_empty());
}

#[test]
fn passes_the_environment_but_not_by_arguments() {
    let Some(launcher) = bubblewrap() else { return };
    let bench = Bench::new("echo $KEY; tr '\\0' ' ' < /proc/1/cmdline | grep -c 's3[c]r3t'");
    let key = bench.path("key");
    std::fs::write(&key, "s3cr3t").unwrap();
    let mut job = bench.job.clone();
    job.secrets.insert("KEY".into(), key);
    let job = launcher
        .wrap(&job, &room(&bench, Network::Private))
        .unwrap();
    Supervised::start(&job, EXE.as_ref())
        .unwrap()
        .wait()
        .unwrap();
    assert_eq!(bench.stdout(), "s3cr3t\n0\n", "{}", bench.stderr());
}

#[test]
fn refuses_rooms_that_cannot_hold_the_agent() {
    let Some(launcher) = bubblewrap() else { return };
    assert_eq!(launcher.level(), IsolationLevel::Prevented);
    let bench = Bench::new("exit 0");
    let good = room(&bench, Network::Private);
    launcher.wrap(&bench.job, &good).unwrap();

    let mut gone = good.clone();
    gone.readable.push(bench.path("gone"));
    let mut linked = good.clone();
    std::os::unix::fs::symlink(bench.path("task"), bench.path("link")).unwrap();
    linked.readable.push(bench.path("link"));
    let mut all = good.clone();
    all.writable.push("/".into());
    for room in [gone, linked, all] {
        assert!(matches!(
            launcher.wrap(&bench.job, &room),
            Err(LaunchError::Path { .. })
        ));
    }
    let mut hidden = bench.job.clone();
    hidden.argv = vec!["/opt/agent".into()];
    assert!(matches!(
        launcher.wrap(&hidden, &good),
        Err(LaunchError::Path { .. })
    ));
}

#[test]
fn the_room_is_built_quickly() {
    // The best of a few, against the best of a few without a room: the machine may have other things to do.
    let [mut with, mut without] = [u64::MAX; 2];
    for _ in 0..5 {
        let Some((_bench, ended)) = confined("exit 0", Network::Private) else {
            return;
        };
        with = with.min(ended.duration_ms);
        without = without.min(Bench::new("exit 0").run().unwrap().duration_ms);
    }
    if without > 50 {
        return eprintln!("skipped: this machine needs {without} ms to start a shell");
    }
    assert!(
        with.saturating_sub(without) < 300,
        "{with} ms with a room, {without} ms without"
    );
}

#[test]
fn a_preflight_finds_every_way_closed() {
    let Some(launcher) = bubblewrap() else { return };
    let bench = Bench::new("");
    let probes = preflight(&launcher, EXE.as_ref(), &bench.path("preflight")).unwrap();
    assert!(probes.len() >= 14);
    for probe in &probes {
        assert!(probe.held, "{}", probe.attempt);
    }
    assert!(!bench.path("preflight").exists());
}

#[test]
fn a_preflight_without_confinement_says_so() {
    let bench = Bench::new("");
    let probes = preflight(&Direct, EXE.as_ref(), &bench.path("preflight")).unwrap();
    let open: Vec<&str> = probes
        .iter()
        .filter(|probe| !probe.held)
        .map(|probe| &*probe.attempt)
        .collect();
    let closed: Vec<&str> = probes
        .iter()
        .filter(|probe| probe.held)
        .map(|probe| &*probe.attempt)
        .collect();
    // These the supervisor prevents by itself.
    let supervised = [
        "read the supervisor's environment",
        "change its prompt",
        "leave a process behind",
    ];
    assert_eq!(closed, supervised, "{open:?}");
    assert!(preflight(&Direct, EXE.as_ref(), &bench.path("work")).is_err());
}
