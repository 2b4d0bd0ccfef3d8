# SPDX-License-Identifier: MIT OR Apache-2.0
"""The maintenance backlog as PPTX: the draft that both agents were given to revise."""

from pptx.enum.chart import XL_CHART_TYPE

import backlog
import data
from kit import Deck
from spec import SUITE, asset

INK, SOFT, HAIR, NAVY, PALE, SKY = "1F2430", "596070", "D5D9E4", "27367A", "EEF1FA", "8FA3D9"
SCHEME = {"dk1": INK, "lt1": "FFFFFF", "dk2": NAVY, "lt2": PALE, "accent1": NAVY, "accent2": SKY,
          "accent3": "B3261E", "accent4": "8A5A00", "accent5": "3E7C6F", "accent6": "6B5B95"}
START = SUITE / "baselines" / backlog.CASE / "draft.pptx"


def frame(deck, copy, number):
    slide = deck.slide(backlog.NOTES[copy["page"]])
    slide.title(copy["title"], 56, 40, 1168, 48, size=24, color=NAVY)
    slide.line("Title rule", 56, 100, 1168, NAVY, 1.5)
    return slide


def close(slide, copy):
    slide.text("Footer", copy["footer"], 56, 682, 800, 20, size=9.75, color=SOFT)
    slide.text("Page", copy["page"], 1164, 682, 60, 20, size=9.75, color=SOFT, align="r")


def summary(deck, copy):
    slide = frame(deck, copy, 1)
    for index in range(4):
        x, key = 56 + index * 298, f"kpi-{index + 1}"
        slide.box(f"KPI {index + 1} rule", x, 136, 3, 128, fill=NAVY)
        slide.text(f"KPI {index + 1} label", copy[f"{key}-label"], x + 20, 132, 250, 26, size=13.5, color=SOFT)
        slide.text(f"KPI {index + 1} value", copy[f"{key}-value"], x + 20, 164, 250, 66, size=39, bold=True, color=INK)
        slide.text(f"KPI {index + 1} note", copy[f"{key}-note"], x + 20, 238, 250, 26, size=13.5, color=SOFT)
    for index in range(2):
        key = f"point-{index + 1}"
        slide.box(f"Point {index + 1}", 56 + index * 594, 316, 574, 140, fill=PALE, text=copy[key], size=19.5, color=INK,
                  anchor="m", inset=(28, 8, 28, 8))
    slide.box("Ask panel", 56, 484, 1168, 140, fill=NAVY)
    slide.text("Ask label", copy["ask-label"], 84, 506, 1100, 26, size=13.5, color="CBD4F0")
    slide.text("Ask", copy["ask"], 84, 540, 1112, 56, size=25.5, bold=True, color="FFFFFF")
    close(slide, copy)


def weeks(deck, copy):
    slide = frame(deck, copy, 2)
    slide.picture("Opened and closed", asset(backlog.CASE, "opened_and_closed.png"), 56, 128, 836, backlog.PICTURE_ALT)
    slide.text("Caption", copy["caption"], 56, 588, 836, 24, size=12, color=SOFT)
    slide.text("Point 1", copy["point-1"], 924, 128, 300, 96, size=16.5, color=INK)
    slide.text("Point 2", copy["point-2"], 924, 232, 300, 96, size=16.5, color=INK)
    slide.box("Callout", 924, 352, 300, 140, fill=NAVY, text=copy["callout"], size=18, bold=True, color="FFFFFF",
              anchor="m", inset=(22, 8, 22, 8))
    close(slide, copy)


def districts(deck, copy):
    slide = frame(deck, copy, 3)
    rows = [[copy[f"{row}-{column}"] for column in data.BACKLOG_COLUMNS] for row in data.BACKLOG_ROWS]

    def cell(row, column):
        style = {"size": 16.5, "align": "r" if column else "l", "color": INK, "fill": "FFFFFF", "bottom": (HAIR, 0.75), "pad": 16}
        if row == 0:
            style.update(size=13, bold=True, color="FFFFFF", fill=NAVY, bottom=(NAVY, 0.75))
        elif row == 4:
            style.update(bold=True, fill=PALE, bottom=(NAVY, 1.5))
        elif row == 5:
            style.update(bold=True, bottom=(NAVY, 1.5))
        return style

    slide.table("District table", rows, 56, 128, [280, 150, 170, 190, 220, 158], [48] + [56] * 5, cell)
    slide.text("Finding", copy["finding"], 56, 492, 1168, 44, size=21, bold=True, color=NAVY, anchor="m")
    slide.text("Note", copy["note"], 56, 588, 1168, 24, size=12, color=SOFT)
    close(slide, copy)


def hours(deck, copy):
    slide = frame(deck, copy, 4)
    slide.chart("Hours per order", XL_CHART_TYPE.COLUMN_CLUSTERED, list(data.DISTRICTS),
                [("Planned", data.HOURS_PLANNED), ("Actual", data.HOURS_ACTUAL)], 56, 128, 700, 440, backlog.CHART_ALT,
                colors=[SKY, NAVY], ink=INK, size=12, maximum=6, unit=1, number_format="0.0", gap=70, axis=False,
                gridlines=False)
    slide.text("Caption", copy["caption"], 56, 588, 700, 24, size=12, color=SOFT)
    slide.text("Steps label", copy["steps-label"], 812, 128, 412, 36, size=18, bold=True, color=NAVY)
    for index in range(3):
        y = 180 + index * 130
        slide.line(f"Step {index + 1} rule", 812, y, 412, HAIR)
        slide.text(f"Step {index + 1}", copy[f"step-{index + 1}"], 812, y + 18, 412, 96, size=18, color=INK)
    close(slide, copy)


def make():
    deck = Deck(backlog.TITLE, "Merrow Water", "Arial", SCHEME)
    draft = backlog.draft_copy()
    for build, copy in zip((summary, weeks, districts, hours), draft):
        build(deck, copy)
    deck.save(START)


if __name__ == "__main__":
    make()
