// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an agent may reach: the service of its model, and nothing else.

use crate::hosts::Host;
use crate::suite::{Arm, Target};
use crate::supervise::Network;

/// The network of an arm's agent: what the suite names, else where its model answers. A program
/// without a model of its own has none.
pub(super) fn of(arm: &Arm, host: &dyn Host) -> Network {
    let endpoint = arm.endpoint.as_ref().map(|one| one.target().clone());
    let named = arm.network.iter().flat_map(|list| list.iter().cloned());
    let mut targets: Vec<String> = endpoint
        .into_iter()
        .chain(named)
        .map(|target: Target| target.as_str().to_owned())
        .collect();
    if arm.endpoint.is_none() && arm.network.is_none() {
        targets.extend(host.service().iter().map(|target| (*target).to_owned()));
    }
    targets.dedup();
    if targets.is_empty() {
        return Network::Private;
    }
    Network::Relay(targets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::{Claude, Codex, Command};

    fn arm(rest: &str) -> Arm {
        let text = format!("id = \"a\"\nformat = \"html\"\nhost = \"codex\"\n{rest}");
        toml::from_str(&text).unwrap()
    }

    fn relay(targets: &[&str]) -> Network {
        Network::Relay(targets.iter().map(|one| (*one).to_owned()).collect())
    }

    #[test]
    fn a_host_reaches_its_own_service_or_what_the_suite_says() {
        assert_eq!(of(&arm(""), &Codex), relay(&["api.openai.com:443"]));
        assert_eq!(of(&arm(""), &Claude), relay(&["api.anthropic.com:443"]));
        let local = arm("endpoint = \"http://127.0.0.1:99/v1\"\n");
        assert_eq!(of(&local, &Codex), relay(&["127.0.0.1:99"]));
        let both = arm("endpoint = \"http://127.0.0.1:99\"\nnetwork = [\"a.b:1\"]\n");
        assert_eq!(of(&both, &Codex), relay(&["127.0.0.1:99", "a.b:1"]));
    }

    #[test]
    fn a_program_reaches_nothing_unless_the_suite_says_so() {
        assert_eq!(of(&arm(""), &Command), Network::Private);
        assert_eq!(of(&arm("network = []\n"), &Codex), Network::Private);
        let open = arm("network = [\"a.b:1\"]\n");
        assert_eq!(of(&open, &Command), relay(&["a.b:1"]));
    }
}
