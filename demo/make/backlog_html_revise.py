# SPDX-License-Identifier: MIT OR Apache-2.0
"""Revises the hand-written HTML draft twice, as `backlog_pptx_revise.py` does with the PPTX draft.

Every edit is an exact replacement that must fit exactly once, so that nothing else can change.
"""

import re
import shutil

import backlog
from spec import SUITE

DRAFT = SUITE / "baselines" / backlog.CASE / "draft"
CANDIDATE = SUITE / "recordings" / "html" / backlog.CASE / "1" / "output"
BASELINE = SUITE / "baselines" / backlog.CASE / "html"
SECTION = re.compile(r"  <section .*?</section>\n", re.DOTALL)


def once(text, old, new):
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    return text.replace(old, new)


def revised_page(page):
    """Swaps whole sections, then replaces whole texts of elements."""
    revision = backlog.SPEC["revision"]
    sections = SECTION.findall(page)
    sections = [sections[number - 1] for number in revision["order"]]
    for change in revision["replace"]:
        at = change["slide"] - 1
        sections[at] = once(sections[at], f">{change['from']}<", f">{change['to']}<")
    rest = iter(sections)
    return SECTION.sub(lambda _: next(rest), page)


def revised_style(style):
    """The one colour and the one place that the spec names, written as the deck writes its style."""
    color, place = backlog.SPEC["revision"]["style"][0], backlog.SPEC["revision"]["geometry"][0]
    style = once(style, ".kpi-label {", f".kpi-2 .kpi-value {{ color: {color['to'].lower()}; }}\n\n.kpi-label {{")
    before = ".callout { position: absolute; left: 924px; top: 352px;"
    return once(style, before, before.replace("352", str(place["y"])))


def unasked(style):
    """What the older agent changed on its own."""
    style = once(style, ".title-rule {", "#weeks .title, #districts .title { font-size: 26px; line-height: 32px; }\n\n.title-rule {")
    style = once(style, "background: #eef1fa; font-weight: 700; }\n\n.districts .total", "}\n\n.districts .total")
    return once(style, ".kpi-note {", ".kpi:not(.kpi-2) .kpi-value { font-size: 38px; line-height: 46px; }\n\n.kpi-note {")


def write(folder, page, style):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(page, encoding="utf-8")
    (folder / "deck.css").write_text(style, encoding="utf-8")
    shutil.copyfile(DRAFT / "deck.js", folder / "deck.js")
    (folder / "assets").mkdir(exist_ok=True)
    shutil.copyfile(DRAFT / "assets" / "opened_and_closed.png", folder / "assets" / "opened_and_closed.png")


def make():
    page = revised_page((DRAFT / "index.html").read_text(encoding="utf-8"))
    style = revised_style((DRAFT / "deck.css").read_text(encoding="utf-8"))
    write(CANDIDATE, page, style)
    write(BASELINE, page, unasked(style))


if __name__ == "__main__":
    make()
