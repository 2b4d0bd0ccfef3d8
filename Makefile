# SPDX-License-Identifier: MIT OR Apache-2.0
# `make demo` runs the whole pipeline on the embedded example, `make test` passes the tests. Both
# install what they need on Debian and say so. DECKPROOF_NO_INSTALL=1 leaves the machine alone.
# `make hosts` installs the real agents into a cache (about 1 GB); `make test` drives them when they are there.

CARGO ?= cargo
OUT ?= out/demo

.PHONY: demo test hosts bench lint fmt setup

setup:
	@sh tools/setup.sh

demo: setup
	@rm -rf '$(OUT)'
	$(CARGO) run --quiet --locked --bin deckproof -- demo --out '$(OUT)'

test: setup
	@sh tools/setup-tests.sh
	$(CARGO) nextest run --locked
	$(CARGO) test --locked --doc --quiet

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	@# The locks of the workspaces that no test builds still fit the crates that they use.
	$(CARGO) update --workspace --locked --quiet --manifest-path bench/pptx/Cargo.toml
	$(CARGO) update --workspace --locked --quiet --manifest-path fuzz/Cargo.toml

hosts:
	@sh tools/hosts.sh

bench: setup
	$(CARGO) bench --locked --package deckproof-bench
	$(CARGO) run --release --locked --manifest-path bench/pptx/Cargo.toml
	@sh bench/html/run.sh
