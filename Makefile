# SPDX-License-Identifier: MIT OR Apache-2.0
# `make demo` runs the whole pipeline on the embedded example, `make test` passes the tests. Both
# install what they need on Debian and say so. DECKPROOF_NO_INSTALL=1 leaves the machine alone.

CARGO ?= cargo
OUT ?= out/demo

.PHONY: demo test bench lint fmt setup

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

bench: setup
	$(CARGO) bench --locked --package deckproof-bench
	$(CARGO) run --release --locked --manifest-path bench/pptx/Cargo.toml
