# SPDX-License-Identifier: MIT OR Apache-2.0
"""The operations review as PPTX: the deck that the newer agent is recorded to have made."""

from pptx.enum.chart import XL_CHART_TYPE

import data
import notes_ops
from kit import Deck
from spec import SUITE, asset, case, copy_of

INK, SOFT, HAIR, CARD, PAPER = "1B2A33", "55636B", "D8DDDF", "FFFFFF", "F6F7F5"
TEAL, PALE, WARM, TINT = "0F6B66", "E3F0EE", "B4430B", "FCEFE5"
SCHEME = {"dk1": INK, "lt1": "FFFFFF", "dk2": TEAL, "lt2": PAPER, "accent1": TEAL, "accent2": WARM,
          "accent3": "9AA5AB", "accent4": "3E7CB1", "accent5": "7A8F3C", "accent6": "8A5A83"}
CASE = "ops-review"


def frame(deck, copy, number, title_color=INK):
    slide = deck.slide(notes_ops.full[number - 1])
    eyebrow = slide.text("Eyebrow", copy["eyebrow"], 56, 36, 700, 24, size=12, bold=True, color=TEAL)
    slide.first(eyebrow)
    slide.first(slide.box("Top rule", 0, 0, 1280, 8, fill=TEAL))
    slide.title(copy["title"], 56, 62, 1168, 46, size=25.5, color=title_color)
    return slide


def close(slide, copy, number):
    slide.line("Footer rule", 56, 672, 1168, HAIR)
    slide.text("Footer", copy["footer"], 56, 682, 800, 20, size=9.75, color=SOFT)
    slide.text("Page", str(number), 1164, 682, 60, 20, size=9.75, color=SOFT, align="r")


def summary(deck, copy):
    slide = frame(deck, copy, 1)
    for index in range(4):
        x, key = 56 + index * 297, f"kpi-{index + 1}"
        slide.box(f"KPI {index + 1} card", x, 136, 277, 164, fill=CARD, line=HAIR)
        slide.box(f"KPI {index + 1} rule", x, 136, 277, 4, fill=TEAL)
        slide.text(f"KPI {index + 1} label", copy[f"{key}-label"], x + 20, 156, 240, 24, size=13, color=SOFT)
        slide.text(f"KPI {index + 1} value", copy[f"{key}-value"], x + 20, 180, 240, 62, size=37.5, bold=True, color=INK)
        slide.text(f"KPI {index + 1} note", copy[f"{key}-note"], x + 20, 256, 244, 24, size=12, color=SOFT)
    for index in range(3):
        y = 336 + index * 104
        slide.box(f"Point {index + 1} rule", 56, y, 4, 84, fill=WARM if index else TEAL)
        slide.text(f"Point {index + 1}", copy[f"point-{index + 1}"], 80, y, 640, 84, size=18, color=INK, anchor="m")
    slide.box("Ask panel", 778, 336, 446, 292, fill=TEAL)
    slide.text("Ask label", copy["ask-label"], 810, 372, 380, 26, size=13.5, bold=True, color="CFE6E3")
    slide.text("Ask", copy["ask"], 810, 412, 384, 190, size=31.5, bold=True, color="FFFFFF")
    close(slide, copy, 1)


def depots(deck, copy):
    slide = frame(deck, copy, 2)
    rows = [[copy[f"{row}-{column}"] for column in data.OPS_COLUMNS] for row in data.OPS_ROWS]

    def cell(row, column):
        style = {"size": 16.5, "align": "r" if column else "l", "color": INK, "fill": CARD, "bottom": (HAIR, 0.75), "pad": 18}
        if row == 0:
            style.update(size=12, bold=True, color=SOFT, fill=PAPER, bottom=(INK, 1.5))
        elif row == 4:
            style.update(bold=True, color=WARM, fill=TINT, bottom=(INK, 1.5))
        elif row == 5:
            style.update(bold=True, fill=PAPER, bottom=None)
        return style

    slide.table("Depot table", rows, 56, 132, [208, 150, 170, 170, 160, 140, 170], [48] + [62] * 5, cell)
    slide.box("Finding rule", 56, 536, 6, 64, fill=WARM)
    slide.text("Finding", copy["finding"], 84, 536, 1140, 64, size=22.5, bold=True, color=INK, anchor="m")
    slide.text("Note", copy["note"], 56, 630, 1168, 24, size=12, color=SOFT)
    close(slide, copy, 2)


def weeks(deck, copy):
    slide = frame(deck, copy, 3)
    slide.box("Chart card", 56, 132, 808, 484, fill=CARD, line=HAIR)
    slide.picture("On time by week", asset(CASE, "on_time_by_week.png"), 66, 148, 788,
                  "Line chart: Corrin falls from 95.2% in week 27 to 88.1% in week 34 and recovers to 93.2% in week "
                  "39; Alderby, Brackwell and Dunlow stay near the target of 96.5%.")
    slide.text("Caption", copy["caption"], 56, 628, 808, 24, size=12, color=SOFT)
    for index in range(3):
        y, key = 132 + index * 168, f"event-{index + 1}"
        slide.line(f"Event {index + 1} rule", 900, y, 324, WARM, 1.5)
        slide.text(f"Event {index + 1} label", copy[f"{key}-label"], 900, y + 14, 324, 30, size=16.5, bold=True, color=WARM)
        slide.text(f"Event {index + 1}", copy[key], 900, y + 46, 324, 104, size=16.5, color=INK)
    close(slide, copy, 3)


def cost(deck, copy):
    slide = frame(deck, copy, 4)
    slide.box("Chart card", 56, 132, 716, 484, fill=CARD, line=HAIR)
    slide.chart("Cost components", XL_CHART_TYPE.COLUMN_CLUSTERED, data.COMPONENTS,
                [("Corrin", data.COST_CORRIN), ("Other depots", data.COST_OTHERS)], 72, 146, 684, 456,
                "Clustered columns: labour 6.05 against 5.38, vehicles and fuel 4.62 against 4.51, cooling energy 1.58 "
                "against 1.34, claims and redelivery 2.37 against 0.91 euro per drop.",
                colors=[WARM, "9AA5AB"], ink=INK, size=12, maximum=7, unit=1, number_format="0.00", gap=55, axis=False, gridlines=False)
    slide.text("Caption", copy["caption"], 56, 628, 716, 24, size=12, color=SOFT)
    slide.text("Gap value", copy["gap-value"], 820, 124, 404, 84, size=54, bold=True, color=WARM)
    slide.text("Gap label", copy["gap-label"], 820, 212, 404, 52, size=15, color=SOFT)
    for index in range(4):
        y, key, top = 276 + index * 58, f"gap-{index + 1}", index == 0
        slide.line(f"Gap {index + 1} rule", 820, y, 404, HAIR)
        color = WARM if top else INK
        slide.text(f"Gap {index + 1} label", copy[f"{key}-label"], 820, y + 1, 280, 56, size=17, bold=top, color=color, anchor="m")
        slide.text(f"Gap {index + 1} value", copy[f"{key}-value"], 1100, y + 1, 124, 56, size=18, bold=True, color=color,
                   align="r", anchor="m")
    slide.box("Finding", 820, 520, 404, 96, fill=PALE, text=copy["finding"], size=16.5, bold=True, color="0B4F4B",
              anchor="m", inset=(20, 8, 20, 8))
    close(slide, copy, 4)


def actions(deck, copy):
    slide = frame(deck, copy, 5)
    for index in range(3):
        y, key = 132 + index * 118, f"action-{index + 1}"
        slide.box(f"Action {index + 1} card", 56, y, 1168, 104, fill=CARD, line=HAIR)
        slide.box(f"Action {index + 1} rule", 56, y, 6, 104, fill=TEAL)
        slide.text(f"Action {index + 1}", copy[key], 88, y, 380, 104, size=18, bold=True, color=INK, anchor="m")
        slide.text(f"Action {index + 1} owner", copy[f"{key}-owner"], 474, y, 160, 104, size=16, color=INK, anchor="m")
        slide.text(f"Action {index + 1} due", copy[f"{key}-due"], 644, y, 160, 104, size=16, bold=True, color=TEAL, anchor="m")
        slide.text(f"Action {index + 1} effect", copy[f"{key}-effect"], 816, y, 390, 104, size=15, color=SOFT, anchor="m")
    slide.box("Target panel", 56, 500, 574, 146, fill=TEAL)
    slide.text("Target label", copy["target-label"], 84, 520, 520, 26, size=13.5, bold=True, color="CFE6E3")
    slide.text("Target", copy["target"], 84, 550, 520, 84, size=18.75, bold=True, color="FFFFFF")
    slide.box("Stop panel", 650, 500, 574, 146, fill=TINT, line=WARM)
    slide.text("Stop label", copy["stop-label"], 678, 520, 520, 26, size=13.5, bold=True, color=WARM)
    slide.text("Stop", copy["stop"], 678, 550, 530, 84, size=18.75, bold=True, color=INK)
    close(slide, copy, 5)


def make():
    spec = case(CASE)
    deck = Deck(spec["title"], "Northmere Coldline", "Calibri", SCHEME, background=PAPER)
    for number, build in enumerate((summary, depots, weeks, cost, actions), 1):
        build(deck, copy_of(spec, number))
    deck.save(SUITE / "recordings" / "pptx" / CASE / "1" / "output" / "deck.pptx")


if __name__ == "__main__":
    make()
