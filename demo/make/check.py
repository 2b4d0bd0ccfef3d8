# SPDX-License-Identifier: MIT OR Apache-2.0
"""Checks that the example agrees with itself: words, figures, pictures, logs, reviews.

It is no substitute for Deckproof's own checks; it finds slips of the authors before they are committed.
"""

import hashlib
import html.parser
import json
import re
import statistics
import tomllib
import zipfile
from decimal import ROUND_HALF_UP, Decimal

from pptx import Presentation

import backlog
import data
import spec as specs
from spec import DEMO, SUITE

PROBLEMS = []


def expect(truth, message):
    if not truth:
        PROBLEMS.append(message)


def sha(body):
    return hashlib.sha256(body).hexdigest()


class Page(html.parser.HTMLParser):
    """The texts of each slide in document order, without notes; pictures and handlers on the way."""

    BLOCKS = {"p", "h1", "h2", "h3", "li", "td", "th", "figcaption"}
    VOID = {"meta", "link", "img", "br"}

    def __init__(self):
        super().__init__()
        self.slides, self.images, self.notes, self.bad, self.ids, self.stack, self.text = [], [], [], [], [], [], None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.bad += [f"{tag}@{name}" for name in attributes if name.startswith("on")]
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if any(re.match(r"(https?:)?//", value or "") for value in attributes.values()):
            self.bad.append(f"{tag} with a remote reference")
        if tag == "section" and "slide" in attributes.get("class", "").split():
            self.slides.append([])
            self.images.append([])
        if tag == "img":
            self.images[-1].append(attributes["src"])
        if tag not in self.VOID:
            self.stack.append(tag)
        if tag in self.BLOCKS or tag == "aside":
            self.text = ""

    def handle_data(self, text):
        if self.text is not None:
            self.text += text

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, f"</{tag}> closes nothing"
        if tag in self.BLOCKS:
            self.slides[-1].append(self.text)
            self.text = None
        elif tag == "aside":
            self.notes.append(self.text)
            self.text = None


def read_html(folder):
    page = Page()
    page.feed((folder / "index.html").read_text(encoding="utf-8"))
    images = [[sha((folder / source).read_bytes()) for source in slide] for slide in page.images]
    expect(not page.bad, f"{folder}: {page.bad}")
    expect(len(page.ids) == len(set(page.ids)), f"{folder}: an id occurs twice")
    keys = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.js"))
    expect(all(key in keys for key in ("ArrowRight", "ArrowLeft", "Home", "End")), f"{folder}: a key is missing")
    return page.slides, images, page.notes


def read_pptx(path):
    deck = Presentation(str(path))
    expect((deck.slide_width, deck.slide_height) == (12192000, 6858000), f"{path}: wrong size")
    slides, images, notes = [], [], []
    for slide in deck.slides:
        texts, pictures = [], []
        for shape in slide.shapes:
            if shape.has_text_frame and shape.text_frame.text:
                texts.append(shape.text_frame.text)
            elif getattr(shape, "has_table", False) and shape.has_table:
                texts += [cell.text_frame.text for row in shape.table.rows for cell in row.cells]
            elif shape.shape_type is not None and hasattr(shape, "image"):
                pictures.append(sha(shape.image.blob))
        slides.append(texts)
        images.append(pictures)
        notes.append(slide.notes_slide.notes_text_frame.text)
    with zipfile.ZipFile(path) as package:
        expect({info.date_time for info in package.infolist()} == {(2025, 10, 6, 9, 0, 0)}, f"{path}: a time differs")
    return slides, images, notes


def in_order(texts, wanted):
    rest = iter(texts)
    return next((text for text in wanted if text not in rest), None)


def check_deck(name, deck, slides, assets):
    texts, images, notes = deck
    expect(len(texts) == len(slides), f"{name}: {len(texts)} slides")
    for number, (have, shown, said, wanted) in enumerate(zip(texts, images, notes, slides), 1):
        missing = in_order(have, wanted["copy"])
        expect(missing is None, f"{name}, slide {number}: {missing!r} is missing or out of order")
        expect(shown == [assets[asset] for asset in wanted["assets"]], f"{name}, slide {number}: other pictures")
        expect(len(said) > 20, f"{name}, slide {number}: no notes")


def check_decks(case, suite_case):
    spec = specs.case(case)
    slides = [{"copy": [item["text"] for item in slide["copy"]], "assets": slide.get("assets", [])}
              for slide in spec["slides"]]
    for slide in spec["slides"]:
        fields = [item["field"] for item in slide["copy"]]
        expect(len(fields) == len(set(fields)), f"{case}: a field of {slide['id']} occurs twice")
    assets = {path.rsplit("/", 1)[-1]: sha((SUITE / path).read_bytes()) for path in suite_case["assets"]}
    decks = {
        "candidate html": read_html(SUITE / "recordings" / "html" / case / "1" / "output"),
        "candidate pptx": read_pptx(SUITE / "recordings" / "pptx" / case / "1" / "output" / "deck.pptx"),
        "baseline html": read_html(SUITE / "baselines" / case / "html"),
        "baseline pptx": read_pptx(SUITE / "baselines" / case / "deck.pptx"),
    }
    for name, deck in decks.items():
        check_deck(f"{case} {name}", deck, slides, assets)
    if "revision" in spec:
        check_draft(spec, slides, assets)


def check_draft(spec, slides, assets):
    order = spec["revision"]["order"]
    draft = [list(copy.values()) for copy in backlog.draft_copy()]
    wanted = [{"copy": draft[at], "assets": slides[order.index(at + 1)]["assets"]} for at in range(len(draft))]
    check_deck("draft html", read_html(SUITE / "baselines" / backlog.CASE / "draft"), wanted, assets)
    check_deck("draft pptx", read_pptx(SUITE / "baselines" / backlog.CASE / "draft.pptx"), wanted, assets)


def usage_of(path):
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    (done,) = [event for event in events if event["type"] == "turn.completed"]
    (thread,) = [event["thread_id"] for event in events if event["type"] == "thread.started"]
    usage = done["usage"]
    expect(usage["cached_input_tokens"] <= usage["input_tokens"], f"{path}: more cached than read")
    expect(usage["reasoning_output_tokens"] <= usage["output_tokens"], f"{path}: more reasoned than written")
    return usage["input_tokens"] + usage["output_tokens"], thread


def figures(suite, overlay=None):
    """(case, arm) -> tokens and time of the candidate and of the baseline."""
    cells, threads = {}, []
    for baseline in suite["baseline"]:
        case, arm = baseline["case"], baseline["arm"]
        folder = SUITE / "recordings" / arm / case / "1"
        log = folder / "events.jsonl"
        if overlay and (overlay / log.relative_to(SUITE)).exists():
            log = overlay / log.relative_to(SUITE)
        tokens, thread = usage_of(log)
        threads.append(thread)
        duration = specs.strict(folder / "recording.json")["duration_ms"]
        cells[(case, arm)] = (tokens, duration, baseline["total_tokens"], baseline["duration_ms"])
    expect(len(threads) == len(set(threads)), "two trials share a thread")
    return cells


def failed_gates(suite, cells):
    """The names of the figures' gates that fail, with exact arithmetic."""
    failed = []
    for name, at in (("median_token_improvement", 0), ("median_duration_improvement", 1)):
        gains = [Decimal(cell[at + 2] - cell[at]) * 100 / cell[at + 2] for cell in cells.values()]
        if statistics.median(gains) < suite["gates"][f"{name}_percent"]:
            failed.append(name)
    for case in suite["case"]:
        for name, at in (("token_ratio", 0), ("duration_ratio", 1)):
            html_cell, pptx_cell = cells[(case["id"], "html")], cells[(case["id"], "pptx")]
            if html_cell[at] > Decimal(case[f"max_{name}"]) * pptx_cell[at]:
                failed.append(f"{case['id']} {name}")
    return failed


def check_reviews(suite):
    names = [rule["name"] for rule in suite["review"]["dimensions"]]
    said = []
    for baseline in suite["baseline"]:
        path = DEMO / "reviews" / f"{baseline['case']}.{baseline['arm']}.json"
        review = specs.strict(path)
        expect((review["case"], review["arm"]) == (baseline["case"], baseline["arm"]), f"{path}: another cell")
        expect(list(review["dimensions"]) == names, f"{path}: other dimensions")
        expect("cripted" in review["overall_rationale"], f"{path}: does not call itself scripted")
        said.append(review["overall_rationale"])
        for name, sides in review["dimensions"].items():
            ours, theirs = sides["candidate"], sides["baseline"]
            expect(ours["pass"] and ours["score"] >= theirs["score"], f"{path}: {name} falls short")
            said += [ours["rationale"], theirs["rationale"]]
    expect(len(said) == len(set(said)), "two rationales are the same")
    for text in said:
        expect(not re.search(r"candidate|baseline|\bnewer\b|\bolder\b", text), f"unblinding words: {text}")


def rounded(value, digits):
    return str(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def check_numbers():
    """Recomputes what the decks say from `data.py`."""
    texts = {case: " ".join(item["text"] for slide in specs.case(case)["slides"] for item in slide["copy"])
             for case in ("ops-review", "backlog-revision")}

    def said(case, text):
        expect(text in texts[case], f"{case}: {text} should stand there")

    ops, depots = "ops-review", data.DEPOTS
    drops = sum(row[0] for row in depots.values())
    rate = sum(row[0] * Decimal(str(row[1])) for row in depots.values()) / drops
    cost = sum(row[0] * Decimal(str(row[2])) for row in depots.values()) / drops
    others = [row for name, row in depots.items() if name != "Corrin"]
    corrin = depots["Corrin"]
    other_drops = sum(row[0] for row in others)
    other_rate = sum(row[0] * Decimal(str(row[1])) for row in others) / other_drops
    other_cost = sum(row[0] * Decimal(str(row[2])) for row in others) / other_drops
    excursions = sum(row[3] for row in depots.values())
    said(ops, f"{drops:,}")
    said(ops, f"{rounded(rate, 1)}%")
    said(ops, f"€{rounded(cost, 2)}")
    said(ops, f"stands at {rounded(other_rate, 1)}%")
    said(ops, f"{rounded(Decimal(excursions * 10000) / drops, 1)} per 10,000")
    said(ops, f"€{rounded(Decimal(str(corrin[2])) - other_cost, 2)}")
    said(ops, f"{rounded(Decimal(corrin[0] * 100) / drops, 0)}% of the drops and "
              f"{rounded(Decimal(corrin[3] * 100) / excursions, 0)}% of the excursions")
    for name, row in depots.items():
        gap = Decimal(str(row[1])) - Decimal(str(data.TARGET))
        sign = "+" if gap > 0 else "−"
        said(ops, f"{name} {row[0]:,} {row[1]}% {sign}{abs(gap)} €{row[2]:.2f} {row[3]} "
                  f"{rounded(Decimal(row[3] * 10000) / row[0], 1)}")
        mean = sum(Decimal(str(value)) for value in data.WEEKLY[name]) / 13
        expect(mean == Decimal(str(row[1])), f"{name}: the weeks average {mean}")
    parts = [Decimal(str(a)) - Decimal(str(b)) for a, b in zip(data.COST_CORRIN, data.COST_OTHERS)]
    expect(sum(Decimal(str(a)) for a in data.COST_CORRIN) == Decimal(str(corrin[2])), "components of Corrin")
    expect(rounded(other_cost, 2) == str(sum(Decimal(str(b)) for b in data.COST_OTHERS)), "components of the others")
    for name, part in zip(data.COMPONENTS, parts):
        said(ops, f"{name} +€{part}")
    said(ops, f"are {rounded(parts[3] * 100 / sum(parts), 0)}% of Corrin")
    said(ops, f"€{int(rounded(parts[3] * corrin[0] / 100, 0)) * 100:,} a quarter")
    low = data.WEEKLY["Corrin"]
    said(ops, f"fell to {min(low)}% in week {data.WEEKS[low.index(min(low))]}")
    said(ops, f"won back {rounded(Decimal(str(low[-1])) - Decimal(str(min(low))), 1)} points")

    log, rows = backlog.CASE, data.DISTRICTS
    for draft in (True, False):
        overdue = {name: row[1 if draft else 2] for name, row in rows.items()}
        total, open_orders = sum(overdue.values()), sum(row[0] for row in rows.values())
        wanted = [f"{name} {row[0]} {overdue[name]} {rounded(Decimal(overdue[name] * 100) / row[0], 0)}% {row[3]} {row[4]}"
                  for name, row in rows.items()]
        wanted += [f"All districts {open_orders} {total} {rounded(Decimal(total * 100) / open_orders, 0)}%",
                   f"holds {rounded(Decimal(overdue['Greyport'] * 100) / total, 0)}% of all overdue",
                   f"{rounded(Decimal(rows['Greyport'][0] * 100) / open_orders, 0)}% of the open orders"]
        text = " ".join(text for copy in backlog.draft_copy() for text in copy.values()) if draft else texts[log]
        for part in wanted:
            expect(part in text, f"{log}, {'draft' if draft else 'final'}: {part} should stand there")
    before = data.OPEN_AT_START + sum(data.OPENED[:9]) - sum(data.CLOSED[:9])
    after = before + sum(data.OPENED[9:]) - sum(data.CLOSED[9:])
    expect(after == open_orders, f"the weeks lead to {after} open orders")
    said(log, f"{before - after} fewer than")
    said(log, f"{sum(data.CLOSED[9:])} {sum(data.OPENED[9:])} opened")
    expect(sum(row[4] for row in rows.values()) == sum(data.CLOSED[9:]), "closed by district and by week")
    ahead = [week for week, a, b in zip(data.WEEKS, data.OPENED, data.CLOSED) if b > a]
    expect(ahead == [37, 38, 39], f"more closed than opened in {ahead}")
    closed = [row[4] for row in rows.values()]
    for hours, where in ((data.HOURS_ACTUAL, "{} "), (data.HOURS_PLANNED, "{} planned")):
        mean = sum(Decimal(str(h)) * n for h, n in zip(hours, closed)) / sum(closed)
        said(log, where.format(rounded(mean, 1)))


def main():
    suite = tomllib.loads((SUITE / "suite.toml").read_text(encoding="utf-8"))
    for path in DEMO.rglob("*.json"):
        specs.strict(path)
    check_numbers()
    for case in suite["case"]:
        check_decks(case["id"], case)
    good = failed_gates(suite, figures(suite))
    expect(not good, f"these gates should pass: {good}")
    bad = failed_gates(suite, figures(suite, DEMO / "outcomes" / "fail" / "suite"))
    expect(bad == ["ops-review token_ratio"], f"exactly one gate should fail: {bad}")
    check_reviews(suite)
    size = sum(path.stat().st_size for path in DEMO.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    expect(size < 2_000_000, f"the example has {size} bytes")
    print("\n".join(PROBLEMS) or f"The example agrees with itself ({size:,} bytes).")
    raise SystemExit(1 if PROBLEMS else 0)


if __name__ == "__main__":
    main()
