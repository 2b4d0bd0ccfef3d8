# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes the recorded trials: event logs in the form that `codex exec --json` prints, and their descriptions.

No agent ran. The logs tell how such a trial goes, with figures made up to suit; what they say about inputs and
decks (texts, hashes, counts) is computed here from the files, so that log and deck agree.
"""

import hashlib
import json
import shlex

import spec as specs
from spec import DEMO, SUITE

# (arm, case): thread, wall time, start after the pair's, input, cached input, output, reasoning output.
FIGURES = {
    ("html", "ops-review"): ("0199b2d1-64aa-7c02-9d1e-5b2f0a7c41e3", 702_310, 0, 853_416, 771_840, 17_788, 6_912),
    ("pptx", "ops-review"): ("0199b2d1-6531-7e44-8a27-c90d4e18b6f5", 731_880, 138, 883_415, 798_976, 19_240, 7_488),
    ("html", "backlog-revision"): ("0199b2de-0c17-7a90-b3f4-1d6e82c59a07", 329_450, 0, 410_424, 364_032, 7_912, 3_264),
    ("pptx", "backlog-revision"): ("0199b2de-0ca4-7d3b-8e61-f47a05d23c98", 352_610, 142, 429_456, 381_184, 8_446, 3_520),
}
# `--outcome fail`: the same HTML deck, after more rounds than the ratio to PPTX allows.
FAILING = ("html", "ops-review", 942_706, 852_992, 19_412, 7_872)
ASSETS = {"ops-review": "on_time_by_week.png", "backlog-revision": "opened_and_closed.png"}


class Log:
    """The events of one turn."""

    def __init__(self, thread, work):
        self.work = work
        self.lines = [{"type": "thread.started", "thread_id": thread}, {"type": "turn.started"}]
        self.items = 0

    def _item(self, event, item):
        self.lines.append({"type": event, "item": {"id": f"item_{self.items}", **item}})

    def _done(self, item):
        self._item("item.completed", item)
        self.items += 1

    def say(self, text):
        self._done({"type": "agent_message", "text": text})

    def think(self, text):
        self._done({"type": "reasoning", "text": text})

    def run(self, command, output="", code=0):
        item = {"type": "command_execution", "command": f"/bin/bash -lc {shlex.quote(command)}"}
        self._item("item.started", {**item, "aggregated_output": "", "exit_code": None, "status": "in_progress"})
        status = "completed" if code == 0 else "failed"
        self._done({**item, "aggregated_output": output, "exit_code": code, "status": status})

    def write(self, *changes):
        item = {"type": "file_change", "changes": [{"path": f"{self.work}/{path}", "kind": kind} for path, kind in changes]}
        self._item("item.started", {**item, "status": "in_progress"})
        self._done({**item, "status": "completed"})

    def end(self, figures):
        read, cached, written, reasoned = figures
        self.lines.append({"type": "turn.completed", "usage": {
            "input_tokens": read, "cached_input_tokens": cached, "cache_write_input_tokens": 0,
            "output_tokens": written, "reasoning_output_tokens": reasoned}})

    def bytes(self):
        lines = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in self.lines)
        return ("\n".join(lines) + "\n").encode("utf-8")


def text_of(*parts):
    return SUITE.joinpath(*parts).read_text(encoding="utf-8")


def sha(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def outline(case):
    spec = specs.case(case)
    rows = [f"{number} {slide['id']}: {len(slide['copy'])} texts, {', '.join(slide.get('assets', [])) or 'no asset'}"
            for number, slide in enumerate(spec["slides"], 1)]
    return "\n".join(rows) + "\n", sum(len(slide["copy"]) for slide in spec["slides"])


def read_inputs(log, arm, case):
    log.say("I start with the brief, the skill and the amendments, then the spec.")
    log.run("cat task/brief.md", text_of("cases", case, "brief.md"))
    log.run("cat task/skill/SKILL.md", text_of("skills", f"deck-{arm}", "SKILL.md"))
    if case == "backlog-revision":
        log.run("ls task/amendments", "amendment_10.json\namendment_2.json\n")
        for number in (2, 10):
            log.run(f"cat task/amendments/amendment_{number}.json",
                    text_of("cases", case, "amendments", f"amendment_{number}.json"))
    log.write(("outline.py", "add"))
    log.run("python3 outline.py task/spec.json", outline(case)[0])


def create_html(log, texts, extra):
    log.think("**Laying out the deck**\n\nThe brief wants one story: three depots are fine, Corrin is not. One warm accent "
              "for Corrin alone, teal for everything else, and the decision as a panel on slide 1.")
    log.say("Plan: five sections with one style sheet, a real table, the chart picture whole, my own SVG columns for the "
            "components, and a small script for the keys.")
    log.run("mkdir -p output/assets && cp task/assets/on_time_by_week.png output/assets/on_time_by_week.png")
    log.write(("output/index.html", "add"), ("output/deck.css", "add"), ("output/deck.js", "add"))
    log.write(("check_copy.py", "add"))
    log.run("python3 check_copy.py task/spec.json output/index.html",
            f"slide 2, brackwell-gap: expected '−0.1' (U+2212), found '-0.1'\n{texts - 1} of {texts} texts in order\n", 1)
    log.write(("output/index.html", "update"))
    log.run("python3 check_copy.py task/spec.json output/index.html", f"{texts} of {texts} texts in order\n")
    for number in range(extra):
        log.think(f"**Reading the deck again**\n\nRound {number + 1}: going through all five slides and the style sheet from "
                  "the start, although nothing has changed since the last check.")
        log.run("cat output/deck.css", text_of("recordings", "html", "ops-review", "1", "output", "deck.css"))
        log.run("python3 check_copy.py task/spec.json output/index.html", f"{texts} of {texts} texts in order\n")
    picture = sha(specs.asset("ops-review", "on_time_by_week.png"))
    log.run("sha256sum task/assets/on_time_by_week.png output/assets/on_time_by_week.png",
            f"{picture}  task/assets/on_time_by_week.png\n{picture}  output/assets/on_time_by_week.png\n")
    log.say("The third KPI note is the widest line of its row. I keep it on one line.")
    log.write(("output/deck.css", "update"))
    log.run("ls -R output", "output:\nassets\ndeck.css\ndeck.js\nindex.html\n\noutput/assets:\non_time_by_week.png\n")
    log.say("The deck is in output/index.html. Decided by me: teal and one warm colour for Corrin, page numbers in the "
            "footer, N shows the notes. The chart picture is unchanged.")


def create_pptx(log, texts, _extra):
    log.think("**Planning the package**\n\nNative table and chart, title placeholders, names for all shapes. Corrin gets the "
              "one warm accent in table, chart and notes of the chart.")
    log.say("Plan: one script with python-pptx, positions in canvas pixels, theme colours and font set once.")
    log.write(("build_deck.py", "add"))
    log.run("python3 build_deck.py", "output/deck.pptx: 5 slides\n")
    log.write(("check_copy.py", "add"))
    log.run("python3 check_copy.py task/spec.json output/deck.pptx", f"{texts} of {texts} texts in order\n")
    log.run("soffice --headless --convert-to pdf --outdir look output/deck.pptx",
            "convert look/deck.pdf using filter : impress_pdf_Export\n")
    log.run("pdftoppm -r 96 -png look/deck.pdf look/slide")
    log.say("On slide 5 the second action breaks into two lines and on slide 4 the grid has no axis to read it by. I give "
            "the action 14 pixels more and take the grid out, the columns are labelled.")
    log.write(("build_deck.py", "update"))
    log.run("python3 build_deck.py", "output/deck.pptx: 5 slides\n")
    log.run("soffice --headless --convert-to pdf --outdir look output/deck.pptx",
            "convert look/deck.pdf using filter : impress_pdf_Export\n")
    log.run("pdftoppm -r 96 -png look/deck.pdf look/slide")
    log.run("python3 check_copy.py task/spec.json output/deck.pptx", f"{texts} of {texts} texts in order\n")
    log.run("ls output", "deck.pptx\n")
    log.say("The deck is output/deck.pptx. Decided by me: teal and one warm colour for Corrin, columns labelled instead of "
            "an axis. The chart on slide 4 can be edited, the picture on slide 3 is the file as given.")


def revise_html(log, texts, _extra):
    log.think("**Which figures hold**\n\nAmendment 10 comes after amendment 2 and says that it replaces it: Greyport 55, "
              "total 106, 37%, 26%, 52%. The spec has the same.")
    log.run("cp -r task/baseline/. output/")
    log.run("cat output/deck.css", text_of("baselines", "backlog-revision", "draft", "deck.css"))
    log.write(("revise.py", "add"))
    log.run("python3 revise.py task/spec.json output", "order 1 3 2 4\n11 texts replaced\n1 colour, 1 place\n")
    log.write(("compare.py", "add"))
    log.run("python3 compare.py task/baseline output",
            "index.html: 11 texts, two sections swapped\ndeck.css: 1 rule added, 1 value changed\ndeck.js, assets: same\n")
    log.write(("check_copy.py", "add"))
    log.run("python3 check_copy.py task/spec.json output/index.html", f"{texts} of {texts} texts in order\n")
    log.say("Final figures of 3 October are in, slides 2 and 3 are swapped with their page numbers, the overdue figure is "
            "#B3261E, and the callout stands at 428 pixels. Nothing else differs from the draft.")


def revise_pptx(log, texts, _extra):
    log.think("**Which figures hold**\n\nThe list shows amendment_10 before amendment_2, but by number 10 is the later one, "
              "and its text says final. I use 55, 106, 37%, 26% and 52%.")
    log.run("mkdir -p output && cp task/baseline/draft.pptx output/deck.pptx")
    log.write(("revise.py", "add"))
    log.run("python3 revise.py task/spec.json output/deck.pptx", "order 1 3 2 4\n11 texts replaced\n1 colour, 1 place\n")
    log.write(("compare.py", "add"))
    log.run("python3 compare.py task/baseline/draft.pptx output/deck.pptx",
            "slide 1: 3 texts, 1 colour\nslide 2 (was 3): 7 texts\nslide 3 (was 2): 1 text, 1 place\nslide 4: same\n")
    log.run("soffice --headless --convert-to pdf --outdir look output/deck.pptx",
            "convert look/deck.pdf using filter : impress_pdf_Export\n")
    log.run("pdftoppm -r 96 -png look/deck.pdf look/slide")
    log.write(("check_copy.py", "add"))
    log.run("python3 check_copy.py task/spec.json output/deck.pptx", f"{texts} of {texts} texts in order\n")
    log.say("The draft is revised in place: final figures, slides 2 and 3 swapped, the overdue figure red, the callout "
            "moved. Every other shape is the draft's, chart and notes included.")


WORK = {("html", "ops-review"): create_html, ("pptx", "ops-review"): create_pptx,
        ("html", "backlog-revision"): revise_html, ("pptx", "backlog-revision"): revise_pptx}


def log_of(arm, case, thread, figures, extra=0):
    log = Log(thread, work_folder(arm, case))
    read_inputs(log, arm, case)
    WORK[(arm, case)](log, outline(case)[1], extra)
    log.end(figures)
    return log.bytes()


def work_folder(arm, case):
    """Codex names changed files by their absolute path, so a recording says where it was made."""
    return f"/bench/work/{case}.{arm}.1"


def describe(folder, arm, case, duration, offset):
    recording = {"schema": "deckproof.recording.v1", "host": "codex", "exit_code": 0, "duration_ms": duration,
                 "started_offset_ms": offset, "work_folder": work_folder(arm, case),
                 "task_folder": f"/bench/sealed/tasks/{case}.{arm}.1"}
    (folder / "recording.json").write_text(json.dumps(recording, indent=2) + "\n", encoding="utf-8")


def make():
    for (arm, case), (thread, duration, offset, *figures) in FIGURES.items():
        folder = SUITE / "recordings" / arm / case / "1"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "events.jsonl").write_bytes(log_of(arm, case, thread, figures))
        describe(folder, arm, case, duration, offset)
    arm, case, *figures = FAILING
    thread = FIGURES[(arm, case)][0]
    folder = DEMO / "outcomes" / "fail" / "suite" / "recordings" / arm / case / "1"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "events.jsonl").write_bytes(log_of(arm, case, thread, figures, extra=3))


if __name__ == "__main__":
    make()
