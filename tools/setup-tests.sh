#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Installs the test runner, and says so.
set -eu

cargo nextest --version >/dev/null 2>&1 && exit 0
if [ "${DECKPROOF_NO_INSTALL:-}" = 1 ]; then
    echo "cargo-nextest is missing, not installed because DECKPROOF_NO_INSTALL=1" >&2
    exit 2
fi
echo "installing cargo-nextest from crates.io"
cargo install --locked cargo-nextest
