// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of what is drawn and how well, made from what each fixture says of itself.
//!
//! It stands between two marks in docs/pptx-support.md, its sums in README.md. A document that says something else than the
//! fixtures is a failing test, and blessing writes both.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use deckproof_pptx::Diagnostic;

/// How well a feature may be drawn, in the order of the table.
const HOWS: [&str; 4] = ["exact", "approximate", "fallback", "not drawn"];
const BEGIN: &str = "<!-- made from the fixtures: begin -->";
const END: &str = "<!-- made from the fixtures: end -->";

/// What the fixtures say, row by row.
#[derive(Debug, Default)]
pub struct Table {
    rows: BTreeMap<(usize, String), Row>,
    faults: Vec<String>,
}

#[derive(Debug, Default)]
struct Row {
    fixtures: usize,
    codes: BTreeSet<String>,
}

impl Table {
    /// Takes a fixture in. One that claims to be exact must not have been approximated.
    pub fn add(&mut self, name: &str, feature: &str, how: &str, seen: &[Diagnostic]) {
        let Some(place) = HOWS.iter().position(|h| *h == how) else {
            self.faults.push(format!(
                "{name}: <how>{how}</how>, expected one of {HOWS:?}"
            ));
            return;
        };
        if feature.is_empty() {
            self.faults.push(format!(
                "{name}: expected <feature>, the row that it belongs to"
            ));
        }
        // Which fonts are installed is no property of the feature.
        if how == "exact" && seen.iter().any(|d| d.code != "font-substituted") {
            self.faults
                .push(format!("{name} claims to be exact, but {seen:?}"));
        }
        let row = self.rows.entry((place, feature.to_owned())).or_default();
        row.fixtures += 1;
        row.codes.extend(seen.iter().map(|d| d.code.to_string()));
    }

    /// What is wrong with the fixtures or with the documents. Blessing writes the documents.
    pub fn problems(mut self, bless: bool) -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let (full, sums) = (self.full(), self.sums());
        for (file, text) in [("docs/pptx-support.md", full), ("README.md", sums)] {
            let path = root.join(file);
            if let Err(problem) = settle(&path, &text, bless) {
                self.faults.push(problem);
            }
        }
        self.faults
    }

    fn full(&self) -> String {
        let mut out = String::from(
            "| feature | drawn | fixtures | diagnostics |\n| --- | --- | ---: | --- |\n",
        );
        for ((place, feature), row) in &self.rows {
            let codes: Vec<String> = row.codes.iter().map(|c| format!("`{c}`")).collect();
            let how = HOWS.get(*place).unwrap_or(&"");
            out.push_str(&format!(
                "| {feature} | {how} | {} | {} |\n",
                row.fixtures,
                codes.join(", ")
            ));
        }
        out
    }

    fn sums(&self) -> String {
        let mut out = String::from("| drawn | features | fixtures |\n| --- | ---: | ---: |\n");
        for (place, how) in HOWS.iter().enumerate() {
            let rows = || self.rows.iter().filter(|((p, _), _)| *p == place);
            let fixtures: usize = rows().map(|(_, r)| r.fixtures).sum();
            out.push_str(&format!("| {how} | {} | {fixtures} |\n", rows().count()));
        }
        out
    }
}

fn settle(path: &PathBuf, table: &str, bless: bool) -> Result<(), String> {
    let shown = path.display();
    let text = fs_err::read_to_string(path).map_err(|e| e.to_string())?;
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (old, after) = rest.split_once(END)?;
        Some((before, old, after))
    });
    let Some((before, old, after)) = parts else {
        return Err(format!("{shown} has no {BEGIN} and {END}"));
    };
    let new = format!("\n{table}");
    if old == new {
        return Ok(());
    }
    if bless {
        let whole = format!("{before}{BEGIN}{new}{END}{after}");
        return fs_err::write(path, whole).map_err(|e| e.to_string());
    }
    Err(format!(
        "{shown} is stale: run this test with DECKPROOF_PPTX_BLESS=1 and look at what changes\n{table}"
    ))
}
