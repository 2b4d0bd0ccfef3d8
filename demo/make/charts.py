# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draws the two chart pictures that the cases give to the agents as source assets."""

import io
import pathlib
import shutil

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib import font_manager
from PIL import Image

import data
from spec import SUITE, asset

FONTS = pathlib.Path("/usr/share/fonts/truetype/crosextra")
for face in ("Carlito-Regular.ttf", "Carlito-Bold.ttf"):
    font_manager.fontManager.addfont(str(FONTS / face))
plt.rcParams.update({"font.family": "Carlito", "font.size": 15, "axes.spines.top": False,
                     "axes.spines.right": False, "axes.edgecolor": "#8A959B",
                     "xtick.color": "#4A5860", "ytick.color": "#4A5860"})
INK, GREY, ALERT, TEAL, NAVY, SKY = "#1B2A33", "#9AA5AB", "#B4430B", "#0F6B66", "#27367A", "#8FA3D9"


def save(figure, path):
    """One palette, no metadata: the same bytes on every run."""
    raw = io.BytesIO()
    figure.savefig(raw, format="png", dpi=100, facecolor="white", metadata={"Software": None})
    plt.close(figure)
    picture = Image.open(raw).convert("RGB").quantize(96, dither=Image.Dither.NONE)
    picture.save(path, format="PNG", optimize=True)


def on_time_by_week():
    figure, axes = plt.subplots(figsize=(15.2, 8.6))
    figure.subplots_adjust(left=0.062, right=0.885, top=0.955, bottom=0.088)
    axes.axhline(data.TARGET, color=TEAL, linewidth=2.2, linestyle=(0, (5, 4)))
    axes.axvline(31, color=GREY, linewidth=1.6, linestyle=(0, (2, 3)))
    for depot, values in data.WEEKLY.items():
        bad = depot == "Corrin"
        axes.plot(data.WEEKS, values, color=ALERT if bad else GREY, linewidth=5 if bad else 2.6,
                  marker="o" if bad else None, markersize=10, zorder=3 if bad else 2)
    labels = {"Alderby": 97.45, "Brackwell": 96.1, "Dunlow": 95.45, "Corrin": 93.2}
    for depot, height in labels.items():
        bad = depot == "Corrin"
        axes.text(39.25, height, depot, va="center", fontsize=24, color=ALERT if bad else "#5B6870",
                  fontweight="bold" if bad else "normal")
    axes.text(39.25, 96.77, "Target 96.5", va="center", fontsize=24, color=TEAL, fontweight="bold")
    axes.text(31.15, 98.45, "Cross-dock goes live", fontsize=23, color=INK, va="center")
    axes.annotate("88.1 in week 34", (34, 88.1), (34.0, 87.15), fontsize=23, color=ALERT, ha="center",
                  va="center", fontweight="bold")
    axes.set_xlim(26.7, 39.2)
    axes.set_ylim(86.6, 98.9)
    axes.set_xticks(data.WEEKS)
    axes.set_xticklabels([f"W{week}" for week in data.WEEKS])
    axes.set_yticks(range(88, 99, 2))
    axes.set_yticklabels([f"{tick}%" for tick in range(88, 99, 2)])
    axes.tick_params(labelsize=22, length=0, pad=8)
    axes.grid(axis="y", color="#E3E6E8", linewidth=1.4)
    axes.set_axisbelow(True)
    save(figure, asset("ops-review", "on_time_by_week.png"))


def opened_and_closed():
    figure, axes = plt.subplots(figsize=(15.2, 8.0))
    figure.subplots_adjust(left=0.06, right=0.985, top=0.90, bottom=0.095)
    left = [week - 0.2 for week in data.WEEKS]
    right = [week + 0.2 for week in data.WEEKS]
    axes.bar(left, data.OPENED, 0.38, color=SKY, label="Opened")
    axes.bar(right, data.CLOSED, 0.38, color=NAVY, label="Closed")
    axes.axvspan(36.5, 39.5, color="#EEF1FA", zorder=0)
    axes.text(38, 134.5, "closed > opened", ha="center", va="center", fontsize=23, color=NAVY,
              fontweight="bold")
    for week, number in zip(data.WEEKS, data.CLOSED):
        axes.text(week + 0.2, number - 4, str(number), ha="center", va="top", fontsize=16,
                  color="white")
    axes.set_xlim(26.5, 39.5)
    axes.set_ylim(0, 141)
    axes.set_xticks(data.WEEKS)
    axes.set_xticklabels([f"W{week}" for week in data.WEEKS])
    axes.set_yticks(range(0, 141, 20))
    axes.tick_params(labelsize=22, length=0, pad=8)
    axes.grid(axis="y", color="#E3E6E8", linewidth=1.4)
    axes.set_axisbelow(True)
    axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncol=2, frameon=False, fontsize=23,
                handlelength=1.0, handleheight=0.9, borderpad=0.1)
    save(figure, asset("backlog-revision", "opened_and_closed.png"))


def copies():
    """The HTML decks carry their pictures with them."""
    for case, file, decks in (
        ("ops-review", "on_time_by_week.png", ("baselines/ops-review/html", "recordings/html/ops-review/1/output")),
        ("backlog-revision", "opened_and_closed.png", ("baselines/backlog-revision/draft",)),
    ):
        for deck in decks:
            target = SUITE / deck / "assets" / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(asset(case, file), target)


def make():
    on_time_by_week()
    opened_and_closed()
    copies()


if __name__ == "__main__":
    make()
