// SPDX-License-Identifier: MIT OR Apache-2.0
// Writes decks with PptxGenJS the way agents do: `node pptxgenjs_decks.cjs FOLDER`.
const PptxGenJS = require("pptxgenjs");

const labels = ["Q1", "Q2", "Q3", "Q4"];
const data = (n) => [...Array(n)].map((_, i) => ({ name: `Plan ${i + 1}`, labels, values: [12.5 + i, 17 - i, 21.4 + 2 * i, 9 + i] }));
const head = (s, t) => s.addText(t, { x: 0.5, y: 0.3, w: 12.3, h: 0.9, fontSize: 32, bold: true, color: "1F3A5F" });
const DOT = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==";
const chart = (kind, n, extra) => (p, s) => {
  head(s, `Chart: ${kind}`);
  s.addChart(p.ChartType[kind], data(n), { x: 0.7, y: 1.4, w: 11.8, h: 5.6, showLegend: true, legendPos: "b", ...extra });
};

const decks = {
  title: (p, s) => {
    s.background = { color: "1F3A5F" };
    s.addText("Quarterly business review", { x: 1, y: 2.5, w: 11, h: 1.2, fontSize: 48, color: "FFFFFF", align: "center", bold: true });
    s.addText("Prepared for the board", { x: 1, y: 3.8, w: 11, h: 0.6, fontSize: 20, color: "CADCFC", align: "center" });
  },
  bullets: (p, s) => {
    head(s, "Where we stand");
    s.addText([{ text: "Revenue grew by a fifth", options: { bullet: true, breakLine: true } }, { text: "Mostly from renewals", options: { bullet: true, indentLevel: 1, breakLine: true } }, { text: "Costs are flat", options: { bullet: true } }], { x: 0.7, y: 1.5, w: 11, h: 4, fontSize: 24, color: "333333", valign: "top" });
  },
  numbers: (p, s) => {
    head(s, "Steps");
    s.addText([{ text: "First", options: { bullet: { type: "number" }, breakLine: true } }, { text: "Second", options: { bullet: { type: "number" } } }], { x: 0.7, y: 1.5, w: 8, h: 3, fontSize: 24 });
  },
  runs: (p, s) => s.addText([{ text: "Bold ", options: { bold: true } }, { text: "italic ", options: { italic: true } }, { text: "coloured ", options: { color: "C00000" } }, { text: "large", options: { fontSize: 60 } }], { x: 1, y: 1, w: 11, h: 3, fontSize: 28 }),
  cards: (p, s) => {
    head(s, "Three cards");
    ["4472C4", "ED7D31", "70AD47"].forEach((c, i) => {
      s.addShape(p.ShapeType.roundRect, { x: 0.7 + 4.1 * i, y: 2, w: 3.7, h: 3.5, fill: { color: c }, rectRadius: 0.15, shadow: { type: "outer", blur: 6, offset: 3, angle: 45, color: "000000", opacity: 0.35 } });
      s.addText(`Card ${i + 1}`, { x: 0.7 + 4.1 * i, y: 2.2, w: 3.7, h: 0.8, align: "center", color: "FFFFFF", fontSize: 24 });
    });
  },
  shapes: (p, s) => ["ellipse", "triangle", "chevron", "hexagon", "star5", "rightArrow", "heart", "cloud"].forEach((k, i) => s.addShape(p.ShapeType[k], { x: 0.7 + 3.1 * (i % 4), y: 1 + 3 * Math.floor(i / 4), w: 2.6, h: 2.2, fill: { color: "2AA198" }, line: { color: "1F3A5F", width: 2 } })),
  lines: (p, s) => ["solid", "dash", "sysDot", "lgDashDot"].forEach((d, i) => s.addShape(p.ShapeType.line, { x: 1, y: 1 + i, w: 10, h: 0, line: { color: "333333", width: 3, dashType: d, endArrowType: "triangle" } })),
  table: (p, s) => {
    head(s, "A table");
    s.addTable([["Item", "Plan", "Actual"].map((text) => ({ text, options: { bold: true, fill: { color: "1F3A5F" }, color: "FFFFFF" } })), ["Alpha", "12", "14"], ["Beta", "7", "6"]], { x: 0.7, y: 1.5, w: 11.8, fontSize: 18, border: { type: "solid", pt: 1, color: "CCCCCC" }, rowH: 0.6 });
  },
  table_merged: (p, s) => s.addTable([[{ text: "Across", options: { colspan: 2, align: "center" } }, "C"], [{ text: "Down", options: { rowspan: 2, valign: "middle" } }, "b", "c"], ["e", "f"]], { x: 1, y: 1, w: 10, fontSize: 20, border: { type: "solid", pt: 2, color: "666666" }, rowH: 1 }),
  picture: (p, s) => {
    s.addImage({ data: DOT, x: 1, y: 1, w: 4, h: 3 });
    s.addImage({ data: DOT, x: 7, y: 1, w: 4, h: 4, rounding: true, transparency: 40 });
  },
  column: chart("bar", 2, { barDir: "col" }),
  bar: chart("bar", 2, { barDir: "bar" }),
  stacked: chart("bar", 3, { barDir: "col", barGrouping: "stacked" }),
  labelled: chart("bar", 1, { barDir: "col", showValue: true, dataLabelFontSize: 14, chartColors: ["4472C4"], showLegend: false, valGridLine: { style: "none" }, catAxisLabelFontSize: 14 }),
  line: chart("line", 3, { lineSize: 3 }),
  pie: chart("pie", 1, { showPercent: true }),
  doughnut: chart("doughnut", 1, { holeSize: 60 }),
  area: chart("area", 2, {}),
  radar: chart("radar", 2, {}),
  titled_axes: chart("bar", 2, { barDir: "col", showTitle: true, title: "Sales", showCatAxisTitle: true, catAxisTitle: "Quarter", showValAxisTitle: true, valAxisTitle: "Units" }),
  shrink: (p, s) => s.addText("A long text that is told to shrink. ".repeat(30), { x: 1, y: 1, w: 6, h: 3, fontSize: 24, fit: "shrink" }),
  rotated: (p, s) => s.addText("Turned", { x: 4, y: 2, w: 4, h: 1, rotate: 30, fontSize: 40, fill: { color: "FFE699" } }),
  background_picture: (p, s) => {
    s.background = { data: DOT };
    s.addText("On a picture", { x: 1, y: 3, w: 11, h: 1, fontSize: 44, color: "FFFFFF", align: "center", glow: { size: 8, color: "000000", opacity: 0.5 } });
  },
};

(async () => {
  for (const [name, build] of Object.entries(decks)) {
    const p = new PptxGenJS();
    p.layout = "LAYOUT_WIDE";
    build(p, p.addSlide());
    await p.writeFile({ fileName: `${process.argv[2]}/js_${name}.pptx` });
  }
  console.log(Object.keys(decks).length, "decks");
})();
