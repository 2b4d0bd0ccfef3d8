# SPDX-License-Identifier: MIT OR Apache-2.0
"""A few helpers over python-pptx: canvas pixels instead of EMU, and files that come out the same twice."""

import datetime
import io
import re
import zipfile

from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_LABEL_POSITION, XL_LEGEND_POSITION
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, MSO_AUTO_SIZE, PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Emu, Pt

EMU = 9525
INSTANT = datetime.datetime(2025, 10, 6, 9, 0, 0)
APP = (b"<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n"
       b'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
       b"<Application>python-pptx</Application></Properties>")
ALIGN = {"l": PP_ALIGN.LEFT, "c": PP_ALIGN.CENTER, "r": PP_ALIGN.RIGHT}
ANCHOR = {"t": MSO_ANCHOR.TOP, "m": MSO_ANCHOR.MIDDLE, "b": MSO_ANCHOR.BOTTOM}


def px(number):
    return Emu(round(number * EMU))


def rgb(text):
    return RGBColor.from_string(text.lstrip("#"))


class Deck:
    """A 1280x720 deck with one layout, its own colours and one font."""

    def __init__(self, title, author, font, scheme, background="FFFFFF"):
        self.font, self.scheme = font, scheme
        self.file = Presentation()
        self.file.slide_width, self.file.slide_height = px(1280), px(720)
        self._keep_title_only_layout(background)
        self._theme()
        self._forget_template()
        core = self.file.core_properties
        core.title, core.author, core.last_modified_by = title, author, author
        core.created = core.modified = INSTANT
        core.language, core.revision, core.keywords, core.comments = "en-GB", 1, "", ""

    def _keep_title_only_layout(self, background):
        layouts = self.file.slide_layouts
        for layout in list(layouts):
            if layout.name != "Title Only":
                layouts.remove(layout)
        self.layout = layouts[0]
        self.file.slide_master.background.fill.solid()
        self.file.slide_master.background.fill.fore_color.rgb = rgb(background)
        for part in (self.file.slide_master, self.layout):
            for shape in list(part.placeholders):
                kind = shape.placeholder_format.type
                if "TITLE" in str(kind):
                    place(shape, 56, 72, 1168, 56)
                elif "BODY" in str(kind):
                    place(shape, 56, 150, 1168, 480)
                else:
                    shape._element.getparent().remove(shape._element)

    def _forget_template(self):
        """The template's thumbnail, printer settings and statistics say nothing about this deck."""
        for rels in (self.file.part.package._rels, self.file.part.rels):
            for key, rel in list(rels.items()):
                if rel.reltype.endswith(("/thumbnail", "/printerSettings")):
                    rels.pop(key)
                elif rel.reltype.endswith("/extended-properties"):
                    rel.target_part._blob = APP

    def _theme(self):
        """The theme's own colours and fonts, so that a new shape fits the deck."""
        for rel in self.file.slide_master.part.rels.values():
            if rel.reltype.endswith("/theme"):
                part = rel.target_part
                tree = etree.fromstring(part.blob)
                self._theme_tree(tree)
                part._blob = etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True)

    def _theme_tree(self, tree):
        space = {"a": "http://schemas.openxmlformats.org/drawingml/2006/main"}
        for slot, color in self.scheme.items():
            node = tree.find(f".//a:clrScheme/a:{slot}", space)
            for child in list(node):
                node.remove(child)
            etree.SubElement(node, qn("a:srgbClr")).set("val", color)
        for latin in tree.findall(".//a:fontScheme/*/a:latin", space):
            latin.set("typeface", self.font)

    def slide(self, notes):
        slide = self.file.slides.add_slide(self.layout)
        frame = slide.notes_slide.notes_text_frame
        frame.text = notes
        return Slide(self, slide)

    def save(self, path):
        raw = io.BytesIO()
        self.file.save(raw)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(steady_zip(raw.getvalue()))


def steady_zip(data):
    """The same package with one fixed time, workbooks of charts included."""
    source = zipfile.ZipFile(io.BytesIO(data))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for info in source.infolist():
            body = source.read(info)
            if info.filename.endswith(".xlsx"):
                body = steady_zip(body)
            elif info.filename.endswith("docProps/core.xml"):
                stamp = INSTANT.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
                body = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", stamp, body)
            entry = zipfile.ZipInfo(info.filename, (2025, 10, 6, 9, 0, 0))
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            target.writestr(entry, body)
    return out.getvalue()


def place(shape, x, y, w, h):
    shape.left, shape.top, shape.width, shape.height = px(x), px(y), px(w), px(h)


class Slide:
    """One slide; every box is given in canvas pixels."""

    def __init__(self, deck, slide):
        self.deck, self.slide, self.shapes = deck, slide, slide.shapes

    def title(self, text, x=56, y=72, w=1168, h=56, **style):
        shape = self.shapes.title
        shape.name = "Title"
        place(shape, x, y, w, h)
        self._fill_text(shape.text_frame, text, **{"size": 24, "bold": True, "anchor": "t", **style})
        return shape

    def text(self, name, text, x, y, w, h, **style):
        shape = self.shapes.add_textbox(px(x), px(y), px(w), px(h))
        shape.name = name
        self._fill_text(shape.text_frame, text, **style)
        return shape

    def first(self, shape):
        """Puts a shape before all others in reading order."""
        tree = self.shapes._spTree
        tree.remove(shape._element)
        tree.insert(2, shape._element)

    def box(self, name, x, y, w, h, fill=None, line=None, round_px=None, text=None, width=0.75, **style):
        kind = MSO_SHAPE.ROUNDED_RECTANGLE if round_px else MSO_SHAPE.RECTANGLE
        shape = self.shapes.add_shape(kind, px(x), px(y), px(w), px(h))
        shape.name = name
        if round_px:
            shape.adjustments[0] = round_px / min(w, h)
        style_node = shape._element.find(qn("p:style"))
        shape._element.remove(style_node)
        if fill:
            shape.fill.solid()
            shape.fill.fore_color.rgb = rgb(fill)
        else:
            shape.fill.background()
        if line:
            shape.line.color.rgb, shape.line.width = rgb(line), Pt(width)
        else:
            shape.line.fill.background()
        if text is not None:
            self._fill_text(shape.text_frame, text, **style)
        else:
            self._decorative(shape)
        return shape

    @staticmethod
    def _decorative(shape):
        shape._element.nvSpPr.cNvPr.set("descr", "")

    def line(self, name, x, y, w, color, weight=0.75, h=0):
        shape = self.shapes.add_connector(1, px(x), px(y), px(x + w), px(y + h))
        shape.name = name
        shape.line.color.rgb, shape.line.width = rgb(color), Pt(weight)
        style_node = shape._element.find(qn("p:style"))
        if style_node is not None:
            shape._element.remove(style_node)
        return shape

    def picture(self, name, file, x, y, w, alt):
        shape = self.shapes.add_picture(str(file), px(x), px(y), width=px(w))
        shape.name = name
        shape._element.nvPicPr.cNvPr.set("descr", alt)
        return shape

    def table(self, name, rows, x, y, widths, heights, cell):
        """`cell(row, column)` gives the style of one cell: the keys of `text`, and fill, top, bottom."""
        frame = self.shapes.add_table(len(rows), len(rows[0]), px(x), px(y), px(sum(widths)), px(sum(heights)))
        frame.name = name
        table = frame.table
        properties = table._tbl.tblPr
        properties.set("firstRow", "1")
        properties.set("bandRow", "0")
        style_id = properties.find(qn("a:tableStyleId"))
        style_id.text = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
        for column, width in enumerate(widths):
            table.columns[column].width = px(width)
        for row, height in enumerate(heights):
            table.rows[row].height = px(height)
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                self._cell(table.cell(r, c), text, dict(cell(r, c)))
        return frame

    def _cell(self, cell, text, style):
        fill, edges = style.pop("fill", None), {k: style.pop(k, None) for k in ("top", "bottom", "left", "right")}
        pad = style.pop("pad", 10)
        self._fill_text(cell.text_frame, text, wrap=None, **{"anchor": None, **style})
        cell.vertical_anchor = MSO_ANCHOR.MIDDLE
        cell.margin_left = cell.margin_right = px(pad)
        cell.margin_top = cell.margin_bottom = px(2)
        if fill:
            cell.fill.solid()
            cell.fill.fore_color.rgb = rgb(fill)
        properties = cell._tc.get_or_add_tcPr()
        for place_at, tag in enumerate(("a:lnL", "a:lnR", "a:lnT", "a:lnB")):
            side = {"a:lnL": "left", "a:lnR": "right", "a:lnT": "top", "a:lnB": "bottom"}[tag]
            node = etree.Element(qn(tag))
            if edges[side]:
                color, weight = edges[side]
                node.set("w", str(int(weight * 12700)))
                solid = etree.SubElement(node, qn("a:solidFill"))
                etree.SubElement(solid, qn("a:srgbClr")).set("val", color)
            else:
                node.set("w", "0")
                etree.SubElement(node, qn("a:noFill"))
            properties.insert(place_at, node)

    def chart(self, name, kind, categories, series, x, y, w, h, alt, **style):
        data = CategoryChartData(number_format=style.get("number_format", "0.00"))
        data.categories = categories
        for label, values in series:
            data.add_series(label, values)
        frame = self.shapes.add_chart(kind, px(x), px(y), px(w), px(h), data)
        frame.name = name
        frame._element.nvGraphicFramePr.cNvPr.set("descr", alt)
        self._style_chart(frame.chart, **style)
        return frame

    def _style_chart(self, chart, colors, ink="1B2A33", grid="E3E6E8", size=12, maximum=None, unit=None,
                     number_format="0.00", labels=True, legend="top", gap=60, axis=True, gridlines=True):
        chart.font.size, chart.font.name = Pt(size), self.deck.font
        chart.font.color.rgb = rgb(ink)
        chart.has_title = False
        chart.has_legend = True
        chart.legend.include_in_layout = False
        chart.legend.position = XL_LEGEND_POSITION.TOP if legend == "top" else XL_LEGEND_POSITION.BOTTOM
        plot = chart.plots[0]
        plot.gap_width, plot.overlap, plot.vary_by_categories = gap, -8, False
        for color, series in zip(colors, plot.series):
            series.format.fill.solid()
            series.format.fill.fore_color.rgb = rgb(color)
            series.invert_if_negative = False
        if labels:
            plot.has_data_labels = True
            plot.data_labels.number_format, plot.data_labels.number_format_is_linked = number_format, False
            plot.data_labels.position = XL_LABEL_POSITION.OUTSIDE_END
            plot.data_labels.font.size, plot.data_labels.show_value = Pt(size), True
        value, category = chart.value_axis, chart.category_axis
        value.minimum_scale, value.maximum_scale, value.major_unit = 0, maximum, unit
        value.has_major_gridlines = gridlines
        if gridlines:
            value.major_gridlines.format.line.color.rgb = rgb(grid)
        value.format.line.fill.background()
        value.tick_labels.number_format, value.tick_labels.number_format_is_linked = number_format, False
        value.visible = axis
        category.format.line.color.rgb = rgb("8A959B")
        category.has_major_gridlines = False

    def _fill_text(self, frame, text, size=14, color=None, bold=False, italic=False, align="l", anchor="t",
                   inset=(0, 0, 0, 0), wrap=True, spacing=None, font=None, bullet=False):
        frame.word_wrap = wrap
        if anchor:
            frame.auto_size = MSO_AUTO_SIZE.NONE
            frame.vertical_anchor = ANCHOR[anchor]
            frame.margin_left, frame.margin_top, frame.margin_right, frame.margin_bottom = (px(i) for i in inset)
        paragraph = frame.paragraphs[0]
        paragraph.alignment = ALIGN[align]
        if spacing:
            paragraph.line_spacing = spacing
        if bullet:
            node = paragraph._p.get_or_add_pPr()
            node.set("marL", str(18 * EMU))
            node.set("indent", str(-18 * EMU))
            etree.SubElement(node, qn("a:buChar")).set("char", "•")
        run = paragraph.add_run()
        run.text = text
        run.font.size, run.font.bold, run.font.italic = Pt(size), bold, italic
        run.font.name = font or self.deck.font
        run._r.get_or_add_rPr().set("lang", "en-GB")
        if color:
            run.font.color.rgb = rgb(color)
