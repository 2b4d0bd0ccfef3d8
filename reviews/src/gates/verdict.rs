// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdict: the conjunction of all gates, and never a pass without any.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Gate;

/// Every gate and whether all of them hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    passed: bool,
    gates: Vec<Gate>,
}

impl Verdict {
    /// The verdict of `gates`, in the order given.
    ///
    /// A name that comes twice counts as an unknown gate more: two gates of one name would let a
    /// reader take the passing one for both.
    #[must_use]
    pub fn of(mut gates: Vec<Gate>) -> Self {
        let mut names = BTreeSet::new();
        let twice: Vec<String> = gates
            .iter()
            .filter(|gate| !names.insert(gate.name().to_owned()))
            .map(|gate| gate.name().to_owned())
            .collect();
        if !twice.is_empty() {
            gates.push(Gate::empty("gate_names_unique", Ok(twice)));
        }
        let passed = !gates.is_empty() && gates.iter().all(Gate::passed);
        Self { passed, gates }
    }

    /// Whether there are gates and all of them hold.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.passed
    }

    /// 0 when the verdict is a pass, 1 when it is not.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        u8::from(!self.passed)
    }

    /// All gates in order.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The gates that do not hold, in order.
    pub fn failing(&self) -> impl Iterator<Item = &Gate> {
        self.gates.iter().filter(|gate| !gate.passed())
    }

    /// The gate of this name.
    #[must_use]
    pub fn gate(&self, name: &str) -> Option<&Gate> {
        self.gates.iter().find(|gate| gate.name() == name)
    }
}
