# SPDX-License-Identifier: MIT OR Apache-2.0
"""Makes everything that scripts make, twice, and says whether the second time gave the same bytes."""

import hashlib

import backlog_html_revise
import backlog_pptx
import backlog_pptx_revise
import charts
import ops_pptx
import ops_pptx_baseline
import recordings
from spec import DEMO


def state():
    files = [path for path in DEMO.rglob("*") if path.is_file() and "make" not in path.relative_to(DEMO).parts]
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}


def make():
    for script in (charts, ops_pptx, ops_pptx_baseline, backlog_pptx, backlog_pptx_revise, backlog_html_revise,
                   recordings):
        script.make()


def main():
    before = state()
    make()
    once = state()
    make()
    twice = state()
    for path in sorted(once.keys() | before.keys()):
        if before.get(path) != once.get(path):
            print(f"changed: {path.relative_to(DEMO)}")
    unsteady = [str(path.relative_to(DEMO)) for path in twice if twice[path] != once.get(path)]
    print(f"not the same twice: {unsteady}" if unsteady else f"{len(twice)} files, the same twice")
    raise SystemExit(1 if unsteady else 0)


if __name__ == "__main__":
    main()
