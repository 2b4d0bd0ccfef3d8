# SPDX-License-Identifier: MIT OR Apache-2.0
"""The operations review as PPTX: the older deck, complete and correct, but plainer."""

from pptx.enum.chart import XL_CHART_TYPE

import data
import notes_ops
from kit import Deck
from spec import SUITE, asset, case, copy_of

INK, GREY, BLUE, LIGHT, ORANGE = "222222", "595959", "1F4E79", "E8EEF4", "C55A11"
SCHEME = {"dk1": INK, "lt1": "FFFFFF", "dk2": BLUE, "lt2": LIGHT, "accent1": "2E75B6", "accent2": ORANGE,
          "accent3": "A5A5A5", "accent4": "FFC000", "accent5": "4472C4", "accent6": "70AD47"}
CASE = "ops-review"


def frame(deck, copy, number):
    slide = deck.slide(notes_ops.short[number - 1])
    slide.first(slide.text("Eyebrow", copy["eyebrow"], 40, 12, 900, 20, size=10.5, color="C9D8E6"))
    slide.first(slide.box("Title bar", 0, 0, 1280, 84, fill=BLUE))
    slide.title(copy["title"], 40, 34, 1200, 42, size=22, color="FFFFFF")
    return slide


def close(slide, copy, number):
    slide.text("Footer", copy["footer"], 40, 690, 700, 18, size=9, color=GREY)
    slide.text("Page", str(number), 1180, 690, 60, 18, size=9, color=GREY, align="r")


def summary(deck, copy):
    slide = frame(deck, copy, 1)
    for index in range(4):
        x, key = 40 + index * 305, f"kpi-{index + 1}"
        slide.box(f"KPI {index + 1} card", x, 112, 285, 130, fill=LIGHT)
        slide.text(f"KPI {index + 1} label", copy[f"{key}-label"], x, 124, 285, 22, size=12, color=INK, align="c")
        slide.text(f"KPI {index + 1} value", copy[f"{key}-value"], x, 148, 285, 46, size=26, bold=True, color=BLUE, align="c")
        slide.text(f"KPI {index + 1} note", copy[f"{key}-note"], x, 206, 285, 22, size=11, color=GREY, align="c")
    for index in range(3):
        slide.text(f"Point {index + 1}", copy[f"point-{index + 1}"], 40, 284 + index * 52, 1200, 40, size=16, color=INK, bullet=True)
    slide.text("Ask label", copy["ask-label"], 40, 476, 1200, 26, size=14, bold=True, color=BLUE)
    slide.text("Ask", copy["ask"], 40, 506, 1200, 34, size=16, color=INK)
    close(slide, copy, 1)


def depots(deck, copy):
    slide = frame(deck, copy, 2)
    rows = [[copy[f"{row}-{column}"] for column in data.OPS_COLUMNS] for row in data.OPS_ROWS]

    def cell(row, column):
        edge = ("9DB2C6", 0.75)
        style = {"size": 14, "align": "c" if column else "l", "color": INK, "fill": "FFFFFF" if row % 2 else LIGHT,
                 "top": edge, "bottom": edge, "left": edge, "right": edge}
        if row == 0:
            style.update(bold=True, color="FFFFFF", fill=BLUE, size=13)
        elif row == 5:
            style.update(bold=True)
        return style

    slide.table("Depot table", rows, 40, 116, [204, 166, 166, 166, 166, 166, 166], [44] * 6, cell)
    slide.text("Finding", copy["finding"], 40, 420, 1200, 30, size=16, color=INK, bullet=True)
    slide.text("Note", copy["note"], 40, 462, 1200, 24, size=11, color=GREY)
    close(slide, copy, 2)


def weeks(deck, copy):
    slide = frame(deck, copy, 3)
    slide.picture("On time by week", asset(CASE, "on_time_by_week.png"), 40, 112, 640, "Weekly on time in full by depot.")
    slide.text("Caption", copy["caption"], 40, 484, 640, 24, size=10.5, color=GREY)
    for index in range(3):
        y, key = 128 + index * 126, f"event-{index + 1}"
        slide.text(f"Event {index + 1} label", copy[f"{key}-label"], 720, y, 520, 26, size=15, bold=True, color=BLUE)
        slide.text(f"Event {index + 1}", copy[key], 720, y + 30, 520, 70, size=15, color=INK)
    close(slide, copy, 3)


def cost(deck, copy):
    slide = frame(deck, copy, 4)
    slide.chart("Cost components", XL_CHART_TYPE.COLUMN_CLUSTERED, data.COMPONENTS,
                [("Corrin", data.COST_CORRIN), ("Other depots", data.COST_OTHERS)], 40, 108, 700, 440,
                "Cost components in euro per drop.", colors=["2E75B6", ORANGE], ink=INK, size=11, maximum=7, unit=1,
                number_format="0.00", labels=False, legend="bottom", gap=120)
    slide.text("Caption", copy["caption"], 40, 556, 700, 24, size=10.5, color=GREY)
    slide.text("Gap value", copy["gap-value"], 790, 116, 450, 44, size=26, bold=True, color=BLUE)
    slide.text("Gap label", copy["gap-label"], 790, 164, 450, 26, size=13, color=GREY)
    for index in range(4):
        y, key = 218 + index * 44, f"gap-{index + 1}"
        slide.text(f"Gap {index + 1} label", copy[f"{key}-label"], 790, y, 280, 30, size=15, color=INK, bullet=True)
        slide.text(f"Gap {index + 1} value", copy[f"{key}-value"], 1080, y, 160, 30, size=15, color=INK)
    slide.text("Finding", copy["finding"], 790, 424, 450, 60, size=15, bold=True, color=INK)
    close(slide, copy, 4)


def actions(deck, copy):
    slide = frame(deck, copy, 5)
    rows = [[copy[f"action-{n}"], copy[f"action-{n}-owner"], copy[f"action-{n}-due"], copy[f"action-{n}-effect"]]
            for n in (1, 2, 3)]

    def cell(row, column):
        edge = ("9DB2C6", 0.75)
        return {"size": 14, "color": INK, "fill": "FFFFFF" if row % 2 else LIGHT, "top": edge, "bottom": edge,
                "left": edge, "right": edge, "bold": column == 0}

    slide.table("Action table", rows, 40, 116, [340, 170, 170, 520], [64] * 3, cell)
    for index, key in enumerate(("target", "stop")):
        y = 356 + index * 96
        slide.text(f"{key.title()} label", copy[f"{key}-label"], 40, y, 1200, 26, size=14, bold=True, color=BLUE)
        slide.text(key.title(), copy[key], 40, y + 30, 1200, 30, size=16, color=INK)
    close(slide, copy, 5)


def make():
    spec = case(CASE)
    deck = Deck(spec["title"], "Northmere Coldline", "Arial", SCHEME)
    for number, build in enumerate((summary, depots, weeks, cost, actions), 1):
        build(deck, copy_of(spec, number))
    deck.save(SUITE / "baselines" / CASE / "deck.pptx")


if __name__ == "__main__":
    make()
