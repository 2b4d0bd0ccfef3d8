# SPDX-License-Identifier: MIT OR Apache-2.0
"""Revises the draft PPTX twice: as the newer agent is recorded to have done it, and as the older one.

The newer result is the draft with the spec's `revision` applied and nothing else. The older one has those
changes too, and three that nobody asked for; the scripted review names them.
"""

import io

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Pt

import backlog
import backlog_pptx
import kit
from spec import SUITE

CANDIDATE = SUITE / "recordings" / "pptx" / backlog.CASE / "1" / "output" / "deck.pptx"
BASELINE = SUITE / "baselines" / backlog.CASE / "deck.pptx"


def text_frames(slide):
    """Every text of a slide: of shapes and of table cells."""
    for shape in slide.shapes:
        if shape.has_text_frame:
            yield shape, shape.text_frame
        elif shape.has_table:
            for row in shape.table.rows:
                for cell in row.cells:
                    yield shape, cell.text_frame


def find(slide, text):
    hits = [(shape, frame) for shape, frame in text_frames(slide) if frame.text == text]
    assert len(hits) == 1, f"{text!r} stands {len(hits)} times"
    return hits[0]


def run_of(frame):
    (paragraph,) = frame.paragraphs
    (run,) = paragraph.runs
    return run


def reorder(deck, order):
    """Moves the references to the slides; the slides themselves stay as they are."""
    ids = deck.slides._sldIdLst
    nodes = list(ids)
    for node in nodes:
        ids.remove(node)
    for number in order:
        ids.append(nodes[number - 1])


def apply(deck, revision):
    reorder(deck, revision["order"])
    slides = list(deck.slides)
    for change in revision["replace"]:
        run_of(find(slides[change["slide"] - 1], change["from"])[1]).text = change["to"]
    for change in revision["style"]:
        assert change["property"] == "color"
        run = run_of(find(slides[change["slide"] - 1], change["element"])[1])
        run.font.color.rgb = kit.rgb(change["to"])
    for change in revision["geometry"]:
        shape, _ = find(slides[change["slide"] - 1], change["element"])
        kit.place(shape, change["x"], change["y"], change["width"], change["height"])
    return slides


def unasked(slides):
    """What the older agent changed on its own."""
    for number in (2, 3):
        run_of(slides[number - 1].shapes.title.text_frame).font.size = Pt(19.5)
    table = next(shape.table for shape in slides[1].shapes if shape.has_table)
    for cell in table.rows[4].cells:
        cell.fill.solid()
        cell.fill.fore_color.rgb = RGBColor.from_string("FFFFFF")
        run_of(cell.text_frame).font.bold = False
    for index in (1, 3, 4):
        shape = next(shape for shape in slides[0].shapes if shape.name == f"KPI {index} value")
        run_of(shape.text_frame).font.size = Pt(28.5)


def save(deck, path):
    raw = io.BytesIO()
    deck.save(raw)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(kit.steady_zip(raw.getvalue()))


def make():
    revision = backlog.SPEC["revision"]
    for path, changes in ((CANDIDATE, None), (BASELINE, unasked)):
        deck = Presentation(str(backlog_pptx.START))
        slides = apply(deck, revision)
        if changes:
            changes(slides)
        save(deck, path)


if __name__ == "__main__":
    make()
