#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Installs the real agents that tests drive, in fixed versions from the npm registry, into a cache, and says
# where and how big. tests/real_hosts.rs and tests/it find them there. What is there already is left alone.
#
# HOSTS="codex claude" chooses among codex, claude, gemini and opencode; DECKPROOF_HOSTS names another cache.
set -eu

hosts=${HOSTS:-codex claude gemini}
cache=${DECKPROOF_HOSTS:-${XDG_CACHE_HOME:-$HOME/.cache}/deckproof/hosts}

# Name, package, version, program inside, and the program's SHA-256 where one was looked at.
describe() {
    case "$1" in
    codex)
        package=@openai/codex version=0.171.0
        program=node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex
        sha256=b76a027d6b210f9a8da7aaf321dd235c700f0ef7a794d4a5314b9af6c134f0f0
        ;;
    claude)
        package=@anthropic-ai/claude-code version=2.1.332
        program=node_modules/@anthropic-ai/claude-code-linux-x64/claude
        sha256=a2df1f41bb00250992926420d0063f89b127cb81abdd284dbefb80c50ff1d026
        ;;
    gemini)
        package=@google/gemini-cli version=0.61.0
        program=node_modules/@google/gemini-cli/bundle/gemini.js sha256=
        ;;
    opencode)
        package=opencode-ai version=1.18.33
        program=node_modules/opencode-linux-x64/bin/opencode sha256=
        ;;
    *)
        echo "HOSTS: found \`$1\`, expected codex, claude, gemini or opencode" >&2
        exit 2
        ;;
    esac
}

install() {
    folder="$cache/$1-$version"
    if [ ! -e "$folder/$program" ]; then
        command -v npm >/dev/null || {
            echo "npm is missing (on Debian: apt install npm); it fetches $package" >&2
            exit 2
        }
        echo "installing $package $version from the npm registry"
        rm -rf "$folder.part"
        mkdir -p "$folder.part"
        npm install --prefix "$folder.part" --ignore-scripts --no-audit --no-fund --loglevel=error "$package@$version" >/dev/null
        rm -rf "$folder"
        mv "$folder.part" "$folder"
    fi
    if [ -n "$sha256" ] && ! echo "$sha256  $folder/$program" | sha256sum --check --quiet --status; then
        echo "$folder/$program: other bytes than those of $package $version that were looked at; remove the folder and try again" >&2
        exit 2
    fi
    ln -sfn "../$1-$version/$program" "$cache/bin/$1"
    echo "$cache/bin/$1: $package $version, $(du -sm "$folder" | cut -f1) MB"
}

if [ "$(uname -sm)" != "Linux x86_64" ]; then
    echo "the agents are fixed for Linux on x86_64; here is $(uname -sm)" >&2
    exit 2
fi
mkdir -p "$cache/bin"
for host in $hosts; do
    describe "$host"
    install "$host"
done
