"""The library's own lists of losses, penalties, kernels and options: what tests go through, and hold other lists against."""

import json

from conftest import Spicymkl

TABLES = json.loads(Spicymkl(".").ok("options"))
ALL_LOSSES = {entry["name"]: entry for entry in TABLES["losses"]}
# Of a target of one column; survival times, which are two, have tests of their own.
LOSSES = {name: entry for name, entry in ALL_LOSSES.items() if entry["labels"] != "times"}
PENALTIES = {entry["name"]: entry for entry in TABLES["penalties"]}
KERNELS = {entry["name"]: entry for entry in TABLES["kernels"]}


def losses_for(labels):
    return [name for name, loss in LOSSES.items() if loss["labels"] == labels]


def shape(penalty, **values):
    """The words that give a penalty these values of the parameters that it takes."""
    taken = [(name, values[name]) for name in PENALTIES[penalty]["parameters"] if name in values]
    return ["--penalty", penalty, *(word for name, value in taken for word in (f"--{name.replace('_', '-')}", value))]
