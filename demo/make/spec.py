# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads a case's spec, so that no script repeats a deck's words."""

import json
import pathlib

DEMO = pathlib.Path(__file__).resolve().parent.parent
SUITE = DEMO / "suite"


def strict(path):
    """JSON without duplicate keys and without NaN, as Deckproof reads it."""

    def once(pairs):
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), f"{path}: a key occurs twice"
        return dict(pairs)

    def refuse(name):
        raise AssertionError(f"{path}: found {name}")

    return json.loads(path.read_bytes().decode("utf-8"), object_pairs_hook=once, parse_constant=refuse)


def case(name):
    return strict(SUITE / "cases" / name / "spec.json")


def copy_of(spec, slide):
    """The texts of one slide (from 1) by field."""
    return {item["field"]: item["text"] for item in spec["slides"][slide - 1]["copy"]}


def asset(name, file):
    return SUITE / "cases" / name / "assets" / file
