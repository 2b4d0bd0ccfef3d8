// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program, and small suites to run it on.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The program under test.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_deckproof"))
}

/// What a run of the program came to.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Fails the test, with everything that was said, unless the exit code is `code`.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "stdout:\n{}\nstderr:\n{}",
            self.stdout, self.stderr
        );
        self
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Runs the program.
pub fn run<const N: usize>(arguments: [&str; N]) -> Ran {
    program().args(arguments).output().unwrap().into()
}

/// Whether tests that take minutes are wanted.
pub fn heavy() -> bool {
    let wanted = std::env::var_os("DECKPROOF_HEAVY").is_some();
    if !wanted {
        println!("skipped: takes minutes; DECKPROOF_HEAVY=1 runs it");
    }
    wanted
}

/// The folder of shared corpora and samples on the machines that have them.
pub fn shared() -> Option<PathBuf> {
    let path = std::env::var_os("DECKPROOF_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: ../shared is absent");
    None
}

/// A deck of one slide that shows `title`, for a viewport of any size.
pub fn html_deck(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>body {{ margin: 0; background: #fff }} .slide {{ width: 1280px; height: 720px; \
         background: linear-gradient(#124, #48a); color: #fff; font: 60px 'Liberation Sans' }}</style></head>\n\
         <body><section class=\"slide\"><h1>{title}</h1></section></body></html>\n"
    )
}

/// A suite in a folder of its own: one create case, two HTML arms driven by a shell script.
pub struct TinySuite {
    pub folder: TempDir,
}

/// What the script of a [`TinySuite`] does by default: the deck that is asked for, and a usage line.
pub fn good_agent() -> String {
    let deck = html_deck("Plan for spring");
    format!(
        "#!/bin/sh\nset -eu\ncat > prompt.txt\ncat > output/index.html <<'DECK'\n{deck}DECK\n\
         echo done\n\
         echo '{{\"deckproof_usage\":{{\"input_tokens\":500,\"output_tokens\":100}}}}'\n"
    )
}

impl TinySuite {
    /// A suite that passes.
    pub fn new() -> Self {
        let suite = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        suite.write("suite.toml", TINY_SUITE);
        suite.write("brief.md", "Make one slide about the plan for spring.\n");
        suite.write("spec.json", TINY_SPEC);
        suite.write("baseline/index.html", &html_deck("Plan for  spring"));
        suite.agent("new.sh", &good_agent());
        suite.agent("old.sh", &good_agent());
        suite
    }

    /// The path of a file of the suite.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("suite").join(name)
    }

    /// Writes a file of the suite.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a script that an arm runs.
    pub fn agent(&self, name: &str, text: &str) {
        self.write(&format!("agents/{name}"), text);
        fs::set_permissions(
            self.path(&format!("agents/{name}")),
            fs::Permissions::from_mode(0o755),
        )
        .unwrap();
    }

    /// Replaces a text of the suite, which must be there.
    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(from), "{name} does not hold {from:?}");
        self.write(name, &text.replace(from, to));
    }

    /// Where the experiment of this suite goes.
    pub fn experiment(&self) -> PathBuf {
        self.folder.path().join("experiment")
    }

    /// Seals the suite and prepares its experiment.
    #[track_caller]
    pub fn prepare(&self) -> PathBuf {
        let suite = self.folder.path().join("suite");
        run(["seal", suite.to_str().unwrap()]).expect(0);
        let experiment = self.experiment();
        run([
            "prepare",
            suite.to_str().unwrap(),
            "--out",
            experiment.to_str().unwrap(),
        ])
        .expect(0);
        experiment
    }

    /// Prepares and executes the experiment, and reviews every packet as `reviewer` does.
    #[track_caller]
    pub fn run_through(&self) -> PathBuf {
        let experiment = self.prepare();
        run(["execute", experiment.to_str().unwrap()]).expect(0);
        review_all(&experiment, |_| {});
        experiment
    }
}

/// Hands in a scripted response for every packet: 4 and a pass for both labels, then changed by
/// `change`.
#[track_caller]
pub fn review_all(experiment: &Path, change: impl Fn(&mut serde_json::Value)) {
    for (index, response) in responses(experiment).into_iter().enumerate() {
        let mut response = response;
        change(&mut response);
        let path = experiment
            .parent()
            .unwrap()
            .join(format!("response-{index}.json"));
        fs::write(&path, serde_json::to_vec_pretty(&response).unwrap()).unwrap();
        run([
            "review",
            "accept",
            experiment.to_str().unwrap(),
            path.to_str().unwrap(),
        ])
        .expect(0);
    }
}

/// The filled-in form of every packet.
pub fn responses(experiment: &Path) -> Vec<serde_json::Value> {
    let mut packets: Vec<_> = fs::read_dir(experiment.join("packets"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    packets.sort();
    packets
        .iter()
        .enumerate()
        .map(|(index, packet)| {
            let form = fs::read(packet.join("response.json")).unwrap();
            let mut response: serde_json::Value = serde_json::from_slice(&form).unwrap();
            let id = packet.file_name().unwrap().to_str().unwrap();
            response["reviewer"] = serde_json::json!({
                "type": "scripted", "id": "test-script", "model": null, "thread": format!("test-{id}")
            });
            for label in ["A", "B"] {
                response["labels"][label]["dimensions"] = serde_json::json!({
                    "content": { "score": 4, "pass": true,
                        "rationale": format!("Pair {index}: the one slide of {label} says what was asked for, word for word.") },
                    "craft": { "score": 4, "pass": true,
                        "rationale": format!("Pair {index}: large type on a dark ground in {label}, nothing is cut off or crowded.") }
                });
            }
            response["overall_rationale"] =
                serde_json::json!(format!("Pair {index}: both slides say the same thing in the same way; no difference matters."));
            response
        })
        .collect()
}

/// The gates of a summary that failed.
pub fn failed_gates(experiment: &Path) -> Vec<String> {
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(experiment.join("summary.json")).unwrap()).unwrap();
    summary["gates"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|gate| gate["passed"] != true)
        .map(|gate| gate["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Copies a folder with its modes.
pub fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp")
        .arg("-a")
        .arg(from)
        .arg(to)
        .status()
        .unwrap();
    assert!(status.success());
}

const TINY_SUITE: &str = r#"
schema = "deckproof.suite.v1"
id = "tiny"

[schedule]
kind = "paired"
min_overlap_percent = 0
time_limit_seconds = 60
infrastructure_retries = 1
isolation = "none"

[[arm]]
id = "new"
format = "html"
host = "command"
command = ["agents/new.sh"]

[[arm]]
id = "old"
format = "html"
host = "command"
command = ["agents/old.sh"]

[[case]]
id = "one-slide"
mode = "create"
brief = "brief.md"
spec = "spec.json"

[case.checks]
artifact_exists = {}
slide_count = {}
required_copy = {}
render_count = {}
render_dimensions = {}
not_blank = {}
static_html = {}
usage_limit = { max_total_tokens = 10000 }

[[baseline]]
case = "one-slide"
arm = "new"
artifact = "baseline"
entry = "index.html"
total_tokens = 2000
duration_ms = 3600000

[[baseline]]
case = "one-slide"
arm = "old"
artifact = "baseline"
entry = "index.html"
total_tokens = 2000
duration_ms = 3600000

[review]
score_min = 1
score_max = 5
required_reviewer_types = ["scripted"]

[[review.dimensions]]
name = "content"
question = "Does the slide say what was asked for?"

[[review.dimensions]]
name = "craft"
question = "Is it sound?"

[gates]
median_token_improvement_percent = 30
median_duration_improvement_percent = 30
"#;

const TINY_SPEC: &str = r#"{
  "schema": "deckproof.spec.v1",
  "title": "Plan for spring",
  "slides": [
    { "id": "only", "copy": [{ "field": "title", "text": "Plan for spring" }] }
  ],
  "target_outputs": { "html": { "entry": "index.html" } }
}
"#;
