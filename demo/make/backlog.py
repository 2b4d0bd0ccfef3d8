# SPDX-License-Identifier: MIT OR Apache-2.0
"""The words of the maintenance backlog before its revision, derived from the spec of the revision."""

import spec as specs

CASE = "backlog-revision"
SPEC = specs.case(CASE)
TITLE = SPEC["title"]
PICTURE_ALT = ("Columns by week: opened orders rise to 126 in week 31 and fall to 107 in week 39, closed orders rise to "
               "118 and exceed the opened ones from week 37 on.")
CHART_ALT = ("Clustered columns, planned and actual hours per closed order: Eastgate 3.0 and 3.1, Fallow Hill 2.8 and "
             "2.7, Greyport 3.2 and 4.9, Harrow Vale 3.1 and 3.3.")

# By the draft's page number. No note repeats a figure that the ledger could still change.
NOTES = {
    "1": "Two messages: the trend has turned, and one district holds it up. The crew that we ask for is lent by Fallow "
         "Hill, which closes its orders faster than planned; it costs travel and no new contract.",
    "2": "Opened orders peaked in the storm week. The last three weeks are the first in the quarter in which closing "
         "leads. Expect: is it only the weather? Opened orders fall since week 31, closed ones rise on their own.",
    "3": "Read the Greyport row. The district has the oldest orders, and it closes the fewest. The two pump sets are "
         "named in the order desk's list; the supplier confirmed them for week 42.",
    "4": "Greyport crews drive to jobs twice because the parts are not there. Elsewhere the plan holds within 0.2 "
         "hours. Close with the three steps and their dates.",
}


def draft_copy():
    """For each slide of the draft, in the draft's order, its texts by field."""
    revision = SPEC["revision"]
    final = [specs.copy_of(SPEC, number) for number in range(1, len(SPEC["slides"]) + 1)]
    for change in revision["replace"]:
        slide = final[change["slide"] - 1]
        fields = [field for field, text in slide.items() if text == change["to"]]
        assert len(fields) == 1, f"{change} fits {fields}"
        slide[fields[0]] = change["from"]
    by_draft = dict(zip(revision["order"], final))
    return [by_draft[number] for number in sorted(by_draft)]
