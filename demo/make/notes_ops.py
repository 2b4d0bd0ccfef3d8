# SPDX-License-Identifier: MIT OR Apache-2.0
"""Speaker notes of the operations review. `full` is the candidate's, `short` the older deck's."""

full = [
    "Open with the claim, then the decision: we ask for 84,000 euro today. On time in full is 95.5 percent, one point "
    "under target, and the whole miss sits in one depot: the other three together are at 96.6. Expect the question "
    "whether the three are really fine. They are within 0.6 points of target each, next slide.",
    "Read the Corrin row from left to right: lowest service, highest cost, most excursions. Then one comparison: 22 "
    "percent of the drops, 57 percent of the excursions. If asked about Dunlow: 0.6 points under target, no trend.",
    "The dispatch team's own chart. Point at week 31 before you speak of causes. The recovery since week 34 is bought "
    "with night overtime, which the works council has agreed until the end of October. Expect: why not one door again? "
    "That is the stop rule on the last slide.",
    "Of 2.48 euro a drop, 1.46 is claims and redelivery: goods that arrive late or warm and go out twice. Labour is the "
    "overtime. Energy is the door seals. 1.46 times 28,300 drops is 41,300 euro a quarter, so the line pays for itself "
    "in two quarters if claims fall to the level of the others.",
    "Three actions, each with a name and a week. Close on the stop rule: if week 46 is below 95 percent we go back to "
    "one door without another meeting. Ask for the release now.",
]
short = [
    "Summary of the quarter. Ask for the 84,000 euro.",
    "Depot table. Corrin is the outlier.",
    "Weekly chart from dispatch. Cross-dock opened in week 31.",
    "Cost components. Claims are the main driver.",
    "Actions and targets. Mention the stop rule.",
]
