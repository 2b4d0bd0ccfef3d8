# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes decks with python-pptx the way agents do: `python python_pptx_decks.py FOLDER`.

Each deck holds one habit: default layouts, bare autofit, bullets by level, tables, native charts, shapes, pictures.
"""
import io
import struct
import sys
import zlib

from pptx import Presentation
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_LEGEND_POSITION
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.util import Emu, Inches, Pt

DECKS = {}


def deck(f):
    DECKS[f.__name__] = f
    return f


def wide():
    p = Presentation()
    p.slide_width, p.slide_height = Inches(13.333), Inches(7.5)
    return p


def titled(p, title, layout=5):
    s = p.slides.add_slide(p.slide_layouts[layout])
    s.shapes.title.text = title
    return s


def png(w=64, h=48):
    rows = b"".join(b"\0" + bytes((x * 4 % 256, y * 5 % 256, 120) [c] for x in range(w) for c in range(3)) for y in range(h))
    chunk = lambda k, d: struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d))
    head = struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)
    return io.BytesIO(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def categories(series=2):
    d = CategoryChartData()
    d.categories = ["Q1", "Q2", "Q3", "Q4"]
    for i in range(series):
        d.add_series(f"Plan {i + 1}", [12.5 + i, 17 - i, 21.4 + 2 * i, 9 + i])
    return d


def chart(p, kind, data, title="Chart", legend=True):
    s = titled(p, title)
    c = s.shapes.add_chart(kind, Inches(1), Inches(1.8), Inches(11), Inches(5.2), data).chart
    c.has_legend = legend
    if legend:
        c.legend.position = XL_LEGEND_POSITION.BOTTOM
        c.legend.include_in_layout = False
    return c


@deck
def title_slide(p):
    s = p.slides.add_slide(p.slide_layouts[0])
    s.shapes.title.text = "Quarterly business review"
    s.placeholders[1].text = "Prepared for the board\nOctober"


@deck
def bullets(p):
    s = titled(p, "Where we stand", 1)
    tf = s.placeholders[1].text_frame
    tf.text = "Revenue grew by a fifth"
    for level, text in [(1, "Mostly from renewals"), (2, "Two large accounts"), (0, "Costs are flat"), (0, "Hiring resumes in spring")]:
        q = tf.add_paragraph()
        q.text, q.level = text, level


@deck
def bare_autofit(p):
    s = titled(p, "A long list that must shrink", 1)
    tf = s.placeholders[1].text_frame
    tf.auto_size = MSO_AUTO_SIZE.TEXT_TO_FIT_SHAPE
    tf.text = "Point number 1 with words enough to wrap across the whole of the line and then some more"
    for i in range(2, 12):
        tf.add_paragraph().text = f"Point number {i} with words enough to wrap across the whole of the line and then some more"


@deck
def two_columns(p):
    s = titled(p, "Before and after", 3)
    s.placeholders[1].text_frame.text = "Before\nSlow\nCostly"
    s.placeholders[2].text_frame.text = "After\nFast\nCheap"


@deck
def text_boxes(p):
    s = p.slides.add_slide(p.slide_layouts[6])
    for i, (a, size) in enumerate([(PP_ALIGN.LEFT, 14), (PP_ALIGN.CENTER, 20), (PP_ALIGN.RIGHT, 28)]):
        tb = s.shapes.add_textbox(Inches(1), Inches(0.8 + 2 * i), Inches(8), Inches(1.5))
        tb.text_frame.word_wrap = True
        q = tb.text_frame.paragraphs[0]
        q.alignment = a
        r = q.add_run()
        r.text = "An agent wrote this text box and gave it a size, a colour and an alignment."
        r.font.size, r.font.bold, r.font.color.rgb = Pt(size), i == 1, RGBColor(30, 60 + 60 * i, 120)


@deck
def cards(p):
    s = titled(p, "Three cards")
    for i, c in enumerate([MSO_THEME_COLOR.ACCENT_1, MSO_THEME_COLOR.ACCENT_2, MSO_THEME_COLOR.ACCENT_3]):
        b = s.shapes.add_shape(MSO_SHAPE.ROUNDED_RECTANGLE, Inches(0.8 + 4.1 * i), Inches(2.2), Inches(3.6), Inches(3.6))
        b.fill.solid()
        b.fill.fore_color.theme_color = c
        b.line.fill.background()
        b.text_frame.text = f"Card {i + 1}"
        b.text_frame.vertical_anchor = MSO_ANCHOR.TOP


@deck
def process(p):
    s = titled(p, "Process")
    for i, t in enumerate(["Plan", "Build", "Check", "Ship"]):
        b = s.shapes.add_shape(MSO_SHAPE.CHEVRON, Inches(0.5 + 3.1 * i), Inches(3), Inches(3.2), Inches(1.4))
        b.text_frame.text = t
        b.text_frame.paragraphs[0].alignment = PP_ALIGN.CENTER


@deck
def connectors(p):
    s = titled(p, "Connected")
    a = s.shapes.add_shape(MSO_SHAPE.OVAL, Inches(1), Inches(2.5), Inches(2.5), Inches(1.5))
    b = s.shapes.add_shape(MSO_SHAPE.DIAMOND, Inches(8), Inches(4.5), Inches(2.5), Inches(1.8))
    for k in (MSO_CONNECTOR.STRAIGHT, MSO_CONNECTOR.ELBOW, MSO_CONNECTOR.CURVE):
        c = s.shapes.add_connector(k, 0, 0, 0, 0)
        c.begin_connect(a, 3)
        c.end_connect(b, 1)
        c.line.width = Pt(2)


@deck
def table(p):
    s = titled(p, "A table")
    t = s.shapes.add_table(5, 4, Inches(1), Inches(1.8), Inches(11), Inches(3)).table
    for r in range(5):
        for c in range(4):
            t.cell(r, c).text = f"Column {c + 1}" if r == 0 else f"{r * c * 1.5:.1f}"


@deck
def table_merged(p):
    s = titled(p, "Merged cells")
    t = s.shapes.add_table(4, 4, Inches(1), Inches(1.8), Inches(11), Inches(3)).table
    t.cell(0, 0).merge(t.cell(0, 3))
    t.cell(0, 0).text = "One heading over all"
    t.cell(1, 0).merge(t.cell(3, 0))
    t.cell(1, 0).text = "Down"
    t.cell(2, 2).fill.solid()
    t.cell(2, 2).fill.fore_color.rgb = RGBColor(255, 220, 120)


@deck
def picture(p):
    s = titled(p, "A picture")
    s.shapes.add_picture(png(), Inches(1), Inches(2), width=Inches(5))
    q = s.shapes.add_picture(png(), Inches(7), Inches(2), width=Inches(4))
    q.crop_left, q.crop_top, q.rotation = 0.25, 0.1, 10


@deck
def column_chart(p):
    chart(p, XL_CHART_TYPE.COLUMN_CLUSTERED, categories())


@deck
def stacked_bar_chart(p):
    chart(p, XL_CHART_TYPE.BAR_STACKED, categories(3))


@deck
def line_chart(p):
    chart(p, XL_CHART_TYPE.LINE_MARKERS, categories(3))


@deck
def pie_chart(p):
    c = chart(p, XL_CHART_TYPE.PIE, categories(1))
    c.plots[0].has_data_labels = True
    d = c.plots[0].data_labels
    d.show_percentage, d.number_format, d.position = True, "0%", XL_LABEL_POSITION.OUTSIDE_END


@deck
def doughnut_chart(p):
    chart(p, XL_CHART_TYPE.DOUGHNUT, categories(1))


@deck
def area_chart(p):
    chart(p, XL_CHART_TYPE.AREA_STACKED, categories(3))


@deck
def scatter_chart(p):
    d = XyChartData()
    s = d.add_series("Trial")
    for x, y in [(0.7, 2.7), (1.8, 3.2), (2.6, 0.8)]:
        s.add_data_point(x, y)
    chart(p, XL_CHART_TYPE.XY_SCATTER, d)


@deck
def bubble_chart(p):
    d = BubbleChartData()
    s = d.add_series("Markets")
    for x, y, z in [(0.7, 2.7, 10), (1.8, 3.2, 4), (2.6, 0.8, 8)]:
        s.add_data_point(x, y, z)
    chart(p, XL_CHART_TYPE.BUBBLE, d)


@deck
def radar_chart(p):
    chart(p, XL_CHART_TYPE.RADAR_MARKERS, categories(2))


@deck
def labelled_columns(p):
    c = chart(p, XL_CHART_TYPE.COLUMN_CLUSTERED, categories(1), legend=False)
    c.plots[0].has_data_labels = True
    c.plots[0].data_labels.font.size = Pt(12)
    c.plots[0].gap_width = 60


@deck
def gradient_background(p):
    s = titled(p, "On a gradient")
    s.background.fill.gradient()
    s.background.fill.gradient_angle = 45


@deck
def big_number(p):
    s = p.slides.add_slide(p.slide_layouts[6])
    tb = s.shapes.add_textbox(Inches(1), Inches(1.5), Inches(11), Inches(3))
    r = tb.text_frame.paragraphs[0].add_run()
    r.text, r.font.size, r.font.bold = "+42 %", Pt(160), True
    tb.text_frame.paragraphs[0].alignment = PP_ALIGN.CENTER
    q = tb.text_frame.add_paragraph()
    q.text, q.alignment = "year over year", PP_ALIGN.CENTER


@deck
def grouped(p):
    s = titled(p, "A group")
    g = s.shapes.add_group_shape()
    for i in range(3):
        g.shapes.add_shape(MSO_SHAPE.HEXAGON, Inches(1 + 2 * i), Inches(2.5), Inches(1.8), Inches(1.6))
    g.left, g.top, g.width, g.height = Emu(1500000), Emu(2500000), Emu(8000000), Emu(2500000)


if __name__ == "__main__":
    folder = sys.argv[1]
    for name, build in DECKS.items():
        p = wide()
        build(p)
        p.save(f"{folder}/py_{name}.pptx")
    print(len(DECKS), "decks")
