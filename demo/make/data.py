# SPDX-License-Identifier: MIT OR Apache-2.0
"""The figures of both invented companies, in one place, so that no two files disagree.

`check.py` recomputes every total, share and average that the decks state from these tables.
"""

WEEKS = list(range(27, 40))

# Northmere Coldline, third quarter of 2025: depot -> (drops, on time in full %, cost per drop in
# euro, temperature excursions).
DEPOTS = {
    "Alderby": (41_200, 97.1, 11.84, 6),
    "Brackwell": (36_500, 96.4, 12.10, 9),
    "Corrin": (28_300, 91.8, 14.62, 31),
    "Dunlow": (22_000, 95.9, 12.75, 8),
}
TARGET = 96.5

# On time in full by week, in percent. The mean of each row is the quarter's figure above.
WEEKLY = {
    "Alderby": [97.3, 97.0, 97.2, 96.9, 97.1, 96.8, 97.2, 97.3, 97.0, 97.1, 97.3, 96.9, 97.2],
    "Brackwell": [96.3, 96.6, 96.2, 96.5, 96.6, 96.4, 96.1, 96.3, 96.6, 96.2, 96.4, 96.7, 96.3],
    "Corrin": [95.2, 95.0, 94.8, 94.1, 91.6, 89.3, 88.4, 88.1, 89.0, 90.4, 91.7, 92.6, 93.2],
    "Dunlow": [96.0, 95.7, 96.1, 95.8, 96.2, 95.9, 95.6, 95.8, 96.1, 95.7, 96.0, 95.8, 96.0],
}

# Cost per drop in euro by component: Corrin, and the other three depots together.
COMPONENTS = ["Labour", "Vehicles and fuel", "Cooling energy", "Claims and redelivery"]
COST_CORRIN = [6.05, 4.62, 1.58, 2.37]
COST_OTHERS = [5.38, 4.51, 1.34, 0.91]

# Merrow Water, field maintenance, weeks 27 to 39 of 2025: work orders opened and closed.
OPENED = [98, 103, 110, 121, 126, 124, 119, 115, 113, 112, 108, 104, 107]
CLOSED = [97, 99, 101, 104, 108, 112, 114, 113, 112, 101, 110, 115, 118]
OPEN_AT_START = 350

# District -> (open, overdue in the draft, overdue after the corrections, median age in days,
# closed in weeks 36 to 39).
DISTRICTS = {
    "Eastgate": (96, 21, 21, 19, 131),
    "Fallow Hill": (74, 12, 12, 16, 104),
    "Greyport": (148, 63, 55, 41, 92),
    "Harrow Vale": (88, 18, 18, 22, 117),
}

# Hours per closed order: planned and actual.
HOURS_PLANNED = [3.0, 2.8, 3.2, 3.1]
HOURS_ACTUAL = [3.1, 2.7, 4.9, 3.3]

# Names of the tables' fields in the specs: row-column, such as `corrin-cost`; `head-cost` is the column's head.
OPS_ROWS = ["head", "alderby", "brackwell", "dunlow", "corrin", "network"]
OPS_COLUMNS = ["name", "drops", "service", "gap", "cost", "excursions", "rate"]
BACKLOG_ROWS = ["head", "eastgate", "fallow-hill", "harrow-vale", "greyport", "all"]
BACKLOG_COLUMNS = ["name", "open", "overdue", "share", "age", "closed"]
