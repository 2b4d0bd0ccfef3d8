#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Installs the Debian packages that Deckproof renders with, and says what it installs.
set -eu

# HTML: the browser. PPTX: the office suite and its page cutter. Both: one fixed set of fonts.
# bubblewrap and the tools of util-linux shut agents and browsers in.
packages="chromium-headless-shell libreoffice-impress-nogui poppler-utils \
fonts-liberation2 fonts-crosextra-carlito fonts-crosextra-caladea fonts-dejavu-core fonts-noto-core \
fonts-noto-cjk fonts-noto-color-emoji \
bubblewrap util-linux"

missing=""
for package in $packages; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "${DECKPROOF_NO_INSTALL:-}" = 1 ]; then
    echo "missing Debian packages, not installed because DECKPROOF_NO_INSTALL=1:$missing" >&2
    exit 2
fi
run=""
[ "$(id -u)" = 0 ] || run=sudo
echo "installing Debian packages:$missing"
export DEBIAN_FRONTEND=noninteractive
$run apt-get update -qq
# shellcheck disable=SC2086
$run apt-get install -y -qq --no-install-recommends $missing >/dev/null
