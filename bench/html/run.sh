#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Measures the HTML renderer against its peers, which npm installs into a cache of their own.
set -eu

if ! command -v npm >/dev/null; then
    if [ "${DECKPROOF_NO_INSTALL:-}" = 1 ]; then
        echo "npm is missing, so the HTML renderer is not measured" >&2
        exit 2
    fi
    echo "installing Debian packages: nodejs npm"
    run=""
    [ "$(id -u)" = 0 ] || run=sudo
    $run apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null
fi
here=$(dirname "$0")
target=${CARGO_TARGET_DIR:-$here/../../target}
"${CARGO:-cargo}" build --locked --release --bin deckproof
node "$here/bench.mjs" "$target/release/deckproof" "$target/bench-html" "${ROUNDS:-5}"
