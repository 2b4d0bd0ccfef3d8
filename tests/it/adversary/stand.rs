// SPDX-License-Identifier: MIT OR Apache-2.0
//! An experiment with a hostile agent in one arm and an honest one in the other, run as root or as a user without
//! rights, on a machine full of planted secrets.

use std::fmt::Write as _;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use super::attempts;
use super::cheats::CHEATS;
use crate::support::{TinySuite, html_deck};

/// Who runs `deckproof`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Root,
    Normal,
}

/// What the hostile agent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// All attempts, in one trial, beside an honest agent.
    Attempts,
    /// Each cheat in a trial of its own.
    Cheats,
}

/// The user without rights, where the tests themselves run as root.
const USER: &str = "4242";

pub struct Stand {
    suite: TinySuite,
    who: Who,
    what: What,
    /// The program under test, where this user can run it.
    exe: PathBuf,
    /// Files outside the stand's folder that are removed at the end.
    outside: Vec<PathBuf>,
    services: Services,
}

impl Drop for Stand {
    fn drop(&mut self) {
        for path in &self.outside {
            _ = fs::remove_file(path);
        }
    }
}

/// What runs on the machine beside the experiment, and how often somebody came.
struct Services {
    tcp: u16,
    udp: u16,
    abstract_name: String,
    visits: Arc<AtomicU32>,
}

impl Services {
    fn start(socket: &Path) -> Self {
        let visits = Arc::new(AtomicU32::new(0));
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let abstract_name = format!("deckproof-adversary-{}", tcp.local_addr().unwrap().port());
        let address = SocketAddr::from_abstract_name(&abstract_name).unwrap();
        let named = UnixListener::bind_addr(&address).unwrap();
        let in_files = UnixListener::bind(socket).unwrap();
        let ports = (
            tcp.local_addr().unwrap().port(),
            udp.local_addr().unwrap().port(),
        );
        let count = || Arc::clone(&visits);
        let (first, second, third) = (count(), count(), count());
        std::thread::spawn(move || {
            tcp.incoming()
                .for_each(|_| _ = first.fetch_add(1, Ordering::SeqCst))
        });
        std::thread::spawn(move || {
            named
                .incoming()
                .for_each(|_| _ = second.fetch_add(1, Ordering::SeqCst))
        });
        std::thread::spawn(move || {
            in_files
                .incoming()
                .for_each(|_| _ = third.fetch_add(1, Ordering::SeqCst))
        });
        let fourth = count();
        std::thread::spawn(move || {
            while let Ok((_, from)) = udp.recv_from(&mut [0; 9]) {
                fourth.fetch_add(1, Ordering::SeqCst);
                _ = udp.send_to(b"x", from);
            }
        });
        Self {
            tcp: ports.0,
            udp: ports.1,
            abstract_name,
            visits,
        }
    }
}

impl Stand {
    /// `None`, with a word about it, when this user cannot be had here.
    pub fn new(who: Who, what: What) -> Option<Self> {
        if !crate::support::heavy() {
            return None;
        }
        let root = rustix::process::getuid().is_root();
        if who == Who::Root && !root {
            eprintln!("skipped: only root can try what root does");
            return None;
        }
        let suite = TinySuite::new();
        let folder = suite.folder.path().canonicalize().unwrap();
        fs::create_dir_all(folder.join("home/.ssh")).unwrap();
        fs::create_dir_all(folder.join("home/.codex")).unwrap();
        let marker = format!(
            "deckproof-adversary-{}-{who:?}-{what:?}",
            std::process::id()
        );
        let outside = vec![
            std::env::temp_dir().join(&marker),
            Path::new("/dev/shm").join(&marker),
        ];
        let secrets = [
            (folder.join("home/.ssh/id_rsa"), "home"),
            (folder.join("home/.codex/auth.json"), "login"),
            (outside[0].clone(), "temporary"),
            (outside[1].clone(), "shared"),
        ];
        for (path, name) in &secrets {
            fs::write(path, format!("SECRET-{name}\n")).unwrap();
        }
        let stand = Self {
            services: Services::start(&folder.join("socket")),
            exe: runnable(who, &folder),
            suite,
            who,
            what,
            outside,
        };
        stand.write_suite();
        if who == Who::Normal && root {
            let mut paths = vec![folder];
            paths.extend(stand.outside.iter().cloned());
            let owner = format!("{USER}:{USER}");
            let done = Command::new("chown")
                .args(["-R", &owner])
                .args(paths)
                .status();
            assert!(done.unwrap().success());
        }
        Some(stand)
    }

    fn folder(&self) -> PathBuf {
        self.suite.folder.path().canonicalize().unwrap()
    }

    pub fn experiment(&self) -> PathBuf {
        self.folder().join("experiment")
    }

    fn work(&self, trial: &str) -> PathBuf {
        self.experiment().join("work").join(trial).join("work")
    }

    pub fn visits(&self) -> u32 {
        self.services.visits.load(Ordering::SeqCst)
    }

    /// A program, run as this stand's user with this stand's home.
    fn command(&self, program: &Path) -> Command {
        let drops = self.who == Who::Normal && rustix::process::getuid().is_root();
        let mut command = if drops {
            let mut setpriv = Command::new("setpriv");
            setpriv.args(["--reuid", USER, "--regid", USER, "--clear-groups", "--"]);
            setpriv.arg(program);
            setpriv
        } else {
            Command::new(program)
        };
        command
            .env("HOME", self.folder().join("home"))
            .env("DECKPROOF_TEST_SECRET", "SECRET-environment")
            .current_dir(self.folder());
        command
    }

    pub fn deckproof(&self, arguments: &[&str]) -> Output {
        self.command(&self.exe).args(arguments).output().unwrap()
    }

    /// One suite with a case for the attempts and one for each cheat.
    fn write_suite(&self) {
        let suite = &self.suite;
        suite.edit(
            "suite.toml",
            "time_limit_seconds = 60",
            "time_limit_seconds = 1800",
        );
        suite.edit(
            "suite.toml",
            "isolation = \"none\"",
            &format!("isolation = \"prevented\"\n{LIMITS}"),
        );
        let text = fs::read_to_string(suite.path("suite.toml")).unwrap();
        let (before, rest) = text.split_once("[[case]]").unwrap();
        let (_, after) = rest.split_once("[review]").unwrap();
        let mut text = before.to_owned();
        if self.what == What::Cheats {
            let (kept, rest) = text.split_once("[[arm]]").unwrap();
            let (hostile, _) = rest.split_once("[[arm]]").unwrap();
            text = format!("{kept}[[arm]]{hostile}");
        }
        for (number, case) in cases(self.what) {
            suite.write(
                &format!("brief-{number}.md"),
                &format!("Make one slide. This is job {number}.\n"),
            );
            write!(text, "[[case]]\nid = \"{case}\"\nmode = \"create\"\nbrief = \"brief-{number}.md\"\nspec = \"spec.json\"\n\n").unwrap();
            text +=
                "[case.checks]\nartifact_exists = {}\nrequired_copy = {}\nrender_count = {}\n\n";
            for arm in arms(self.what) {
                write!(
                    text,
                    "[[baseline]]\ncase = \"{case}\"\narm = \"{arm}\"\nartifact = \"baseline\"\n"
                )
                .unwrap();
                text += "entry = \"index.html\"\ntotal_tokens = 2000\nduration_ms = 3600000\n\n";
            }
        }
        suite.write("suite.toml", &format!("{text}[review]{after}"));
        let baseline =
            html_deck("Plan for  spring").replace("<body>", "<body><!-- SECRET-baseline -->");
        suite.write("baseline/index.html", &baseline);
        suite.agent("new.sh", &self.hostile(false));
        suite.agent("old.sh", &honest());
    }

    /// The hostile agent: one script that looks into its task for what to do. When `harmless`, only the attempts that
    /// hurt nobody, to be run outside of everything.
    fn hostile(&self, harmless: bool) -> String {
        let namespace = fs::read_link("/proc/self/ns/pid").unwrap();
        let guard = if harmless {
            String::new()
        } else {
            // What follows is meant for a confined agent and no one else.
            format!(
                "[ \"$(readlink /proc/self/ns/pid)\" != '{}' ] || exit 99\n",
                namespace.display()
            )
        };
        let mut text = format!(
            "#!/bin/bash\n{guard}export WORK=$PWD AGENT=$$ TRIES=$(mktemp -d)\nexec 9<&0\n"
        );
        for (name, title) in [("good", "Plan for spring"), ("bad", "Plan for autumn")] {
            write!(
                text,
                "cat > $TRIES/{name} <<'DECK'\n{}DECK\n",
                html_deck(title)
            )
            .unwrap();
        }
        text += "good() { cp $TRIES/good \"$WORK\"/output/index.html; }\nexport -f good\n";
        text += "bad() { cp $TRIES/bad \"$WORK\"/output/index.html; }\n";
        text += "attempt() { cat > $TRIES/attempt; echo; echo \"== $1\"; \
                 timeout -k 1 20 bash $TRIES/attempt < /dev/null 2>&1 | head -c 3000; }\n";
        let tried = attempts::script(harmless);
        if harmless {
            return self.placed(&(text + &tried));
        }
        text += "case \"$(tr -dc 0-9 < task/brief.md)\" in\n";
        write!(text, "0)\nsleep 1\n{tried}good\n;;\n").unwrap();
        for (number, cheat) in CHEATS.iter().enumerate() {
            let script = cheat.script.replace("GOOD", "good").replace("BAD", "bad");
            write!(text, "{})\n{script}\n;;\n", number + 1).unwrap();
        }
        text += "esac\necho\necho '{\"deckproof_usage\":{\"input_tokens\":500,\"output_tokens\":100}}'\n";
        self.placed(&text)
    }

    /// Fills in the places that the scripts name.
    fn placed(&self, text: &str) -> String {
        let folder = self.folder();
        let trial = "attempts.new.1";
        let path = |path: PathBuf| path.display().to_string();
        let mut text = text.to_owned();
        for (word, place) in [
            ("OTHERNAME", "attempts.old.1".to_owned()),
            ("OTHER", path(self.work("attempts.old.1"))),
            (
                "PROGRAM",
                path(
                    self.experiment()
                        .join("work")
                        .join(trial)
                        .join("program/new.sh"),
                ),
            ),
            (
                "TASK",
                path(self.experiment().join("sealed/tasks").join(trial)),
            ),
            ("EXPERIMENT", path(self.experiment())),
            ("SUITE", path(folder.join("suite"))),
            ("HOMEDIR", path(folder.join("home"))),
            ("TEMPORARY", path(self.outside[0].clone())),
            ("SHARED", path(self.outside[1].clone())),
            ("SOCKET", path(folder.join("socket"))),
            ("FOLDER", path(folder)),
            ("ABSTRACT", self.services.abstract_name.clone()),
            ("PORT", self.services.tcp.to_string()),
            ("UDP", self.services.udp.to_string()),
            (
                "KEEPERS",
                format!(
                    "{} {}",
                    std::process::id(),
                    std::os::unix::process::parent_id()
                ),
            ),
            ("EXE", path(self.exe.clone())),
        ] {
            text = text.replace(word, &place);
        }
        text
    }

    /// Seals, prepares and executes. `None`, with a word about it, where this machine cannot confine an agent.
    pub fn run(&self) -> Option<()> {
        let experiment = self.experiment().display().to_string();
        let suite = self.folder().join("suite").display().to_string();
        good(&self.deckproof(&["seal", &suite]));
        good(&self.deckproof(&["prepare", &suite, "--out", &experiment]));
        fs::write(
            self.experiment().join("private/planted"),
            "SECRET-private\n",
        )
        .unwrap();
        let output = self.deckproof(&["execute", &experiment]);
        let told = String::from_utf8_lossy(&output.stderr);
        if output.status.code() == Some(2) && told.contains("demands isolation") {
            eprintln!("skipped: {told}");
            return None;
        }
        good(&output);
        Some(())
    }

    /// What the attempts to write outside would have left there.
    pub fn planted(&self) -> Vec<PathBuf> {
        let experiment = self.experiment();
        let left = ["planted", "private/forged", "summary.json"].map(|name| experiment.join(name));
        let mut left: Vec<PathBuf> = left.into();
        left.push(self.folder().join("suite/planted"));
        left.push("/usr/bin/deckproof-planted".into());
        left.retain(|path| path.exists());
        let spoilt = self
            .outside
            .iter()
            .filter(|path| !fs::read_to_string(path).is_ok_and(|text| text.starts_with("SECRET-")));
        left.extend(spoilt.cloned());
        left
    }

    /// Runs the harmless attempts where nothing confines them, and returns what they said.
    pub fn unconfined(&self) -> String {
        let work = self.work("attempts.new.1");
        let other = self.work("attempts.old.1").join("output");
        for folder in [&work, &other] {
            good(
                &self
                    .command(Path::new("mkdir"))
                    .arg("-p")
                    .arg(folder)
                    .output()
                    .unwrap(),
            );
        }
        fs::write(other.join("index.html"), "SECRET-other\n").unwrap();
        let script = self.folder().join("unconfined.sh");
        fs::write(&script, self.hostile(true)).unwrap();
        let mut command = self.command(Path::new("bash"));
        let output = command.arg(script).current_dir(work).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The journal's events of one kind, by the id of the trial's case, for the hostile arm.
    pub fn events(&self, kind: &str) -> Vec<(String, Value)> {
        let journal = fs::read_to_string(self.experiment().join("journal.jsonl")).unwrap();
        let records = journal
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let events = records.map(|record| record["event"][kind].clone());
        events
            .filter_map(|event| {
                let case = event["trial"].as_str()?.strip_suffix(".new.1")?.to_owned();
                Some((case, event))
            })
            .collect()
    }

    /// The text of a stored object.
    pub fn object(&self, object: &Value) -> String {
        let hash = object["sha256"].as_str().unwrap();
        let (folder, rest) = hash.split_at(2);
        let path = self.experiment().join("objects").join(folder).join(rest);
        String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
    }
}

/// What any one of the hostile agent's trials may use up.
const LIMITS: &str = "[schedule.limits]\nlog_mb = 1\nwork_mb = 48\nwork_files = 3000\nfile_mb = 40\nprocesses = 64\nmemory_mb = 300\n";

/// The honest agent. It is still there while the hostile one looks for its deck.
fn honest() -> String {
    format!(
        "#!/bin/sh\ncat > output/index.html <<'DECK'\n<!-- SECRET-other -->{}DECK\n\
         [ \"$(tr -dc 0-9 < task/brief.md)\" != 0 ] || sleep 8\n\
         echo '{{\"deckproof_usage\":{{\"input_tokens\":500,\"output_tokens\":100}}}}'\n",
        html_deck("Plan for spring")
    )
}

/// The cases, each with the number by which the agent knows its job.
fn cases(what: What) -> Vec<(usize, &'static str)> {
    match what {
        What::Attempts => vec![(0, "attempts")],
        What::Cheats => (1..).zip(CHEATS.iter().map(|cheat| cheat.case)).collect(),
    }
}

fn arms(what: What) -> &'static [&'static str] {
    match what {
        What::Attempts => &["new", "old"],
        What::Cheats => &["new"],
    }
}

/// The program under test, by a path that this user can reach.
fn runnable(who: Who, folder: &Path) -> PathBuf {
    let exe = PathBuf::from(env!("CARGO_BIN_EXE_deckproof"));
    if who == Who::Root || !rustix::process::getuid().is_root() {
        return exe.canonicalize().unwrap();
    }
    let copy = folder.join("deckproof");
    if fs::hard_link(&exe, &copy).is_err() {
        fs::copy(&exe, &copy).unwrap();
    }
    copy
}

#[track_caller]
pub fn good(output: &Output) {
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
