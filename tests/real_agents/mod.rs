// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the real agents are on this machine: the one place that tests ask.
#![allow(missing_docs, clippy::unwrap_used, reason = "a helper of tests")]

use std::path::PathBuf;

/// The real program of the host `name`, without links: the one that `DECKPROOF_CODEX` and its kin name, else the
/// one that `make hosts` has put into its cache. Without either the test says that it skips.
pub fn real_agent(name: &str) -> Option<PathBuf> {
    let variable = format!("DECKPROOF_{}", name.to_uppercase());
    let named = std::env::var_os(&variable).map(PathBuf::from);
    let found = named.or_else(|| {
        let cached = cache()?.join("bin").join(name);
        cached.exists().then_some(cached)
    });
    if found.is_none() {
        eprintln!(
            "skipped: the {name} program is absent; `make hosts` installs it, or {variable} names it"
        );
    }
    found.map(|path| path.canonicalize().unwrap())
}

/// The cache of tools/hosts.sh.
fn cache() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(named) = variable("DECKPROOF_HOSTS") {
        return Some(PathBuf::from(named));
    }
    let base = variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache")))?;
    Some(base.join("deckproof/hosts"))
}
