# SPDX-License-Identifier: MIT OR Apache-2.0
"""Packs made decks small and says where their texts belong: `python pack.py MADE DECKS`.

Times, thumbnails and printer settings go, since they change from run to run or serve nothing. DECKS/expect.tsv has, from
python-pptx and so from nothing of ours, the slides of each deck, and some texts with the frame that the author gave them, in
inches.
"""
import pathlib
import re
import sys
import zipfile

from pptx import Presentation

DROP = re.compile(r"thumbnail\.jpeg$|printerSettings")
RELATIONSHIP = re.compile(r'<Relationship [^>]*Target="[^"]*(?:thumbnail\.jpeg|printerSettings[^"]*)"[^>]*/>')
TIMES = re.compile(r"(<dcterms:(?:created|modified)[^>]*>)[^<]*")


def pack(source, target):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.infolist():
            if entry.is_dir() or DROP.search(entry.filename):
                continue
            data = old.read(entry)
            if entry.filename.endswith(".rels"):
                data = RELATIONSHIP.sub("", data.decode()).encode()
            if entry.filename == "docProps/core.xml":
                data = TIMES.sub(r"\g<1>2026-01-01T00:00:00Z", data.decode()).encode()
            info = zipfile.ZipInfo(entry.filename, (2026, 1, 1, 0, 0, 0))
            new.writestr(info, data, zipfile.ZIP_DEFLATED, 9)


def inches(*values):
    return [v / 914400 for v in values]


def paragraph(frame):
    """The last paragraph, when one run is all that it has."""
    lines = [p for p in frame.paragraphs if p.text.strip()]
    runs = lines[-1].runs if lines else []
    return runs[0].text if len(runs) == 1 else None


def found(slide):
    """The last paragraphs of shapes that are not turned, and the first heads of tables, with their frames."""
    for s in slide.shapes:
        if s.has_text_frame and not s.rotation:
            yield paragraph(s.text_frame), inches(s.left, s.top, s.width, s.height)
        if s.has_table and not s.table.cell(0, 0).is_merge_origin:
            frame = inches(s.left, s.top, s.table.columns[0].width, s.table.rows[0].height)
            yield paragraph(s.table.cell(0, 0).text_frame), frame


def texts(slide):
    """Those whose text stands on the slide once."""
    everything = [t.text for t in slide.element.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}t")]
    for text, frame in found(slide):
        if text and everything.count(text) == 1:
            yield text, frame


def main():
    made, decks = map(pathlib.Path, sys.argv[1:3])
    decks.mkdir(exist_ok=True)
    rows = []
    for source in sorted(made.glob("*.pptx")):
        pack(source, decks / source.name)
        p = Presentation(decks / source.name)
        rows.append([source.stem, "slides", str(len(p.slides))])
        for number, slide in enumerate(p.slides, 1):
            for text, box in list(texts(slide))[:3]:
                rows.append([source.stem, str(number), text, *(f"{v:.3f}" for v in box)])
    (decks / "expect.tsv").write_text("".join("\t".join(r) + "\n" for r in rows), encoding="utf-8")


main()
