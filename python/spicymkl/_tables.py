"""The library's own tables: options with their defaults, losses, penalties and kernels."""

from __future__ import annotations

import json
from typing import Any

from . import _core

_ALL: dict[str, list[dict[str, Any]]] = json.loads(_core.option_tables_json())


def _by_name(table: str) -> dict[str, dict[str, Any]]:
    return {entry["name"]: entry for entry in _ALL[table]}


OPTIONS, PATH_OPTIONS, CV_OPTIONS = _by_name("train"), _by_name("path"), _by_name("cv")
STUDY_OPTIONS = _by_name("study")
LOSSES, PENALTIES, KERNELS = _by_name("losses"), _by_name("penalties"), _by_name("kernels")

_OF_KERNELS = ("kernels", "groups", "impute", "missing_view", "standardize", "seed", "features", "memory", "device")
PROBLEM_OPTIONS = [name for name in OPTIONS if name not in _OF_KERNELS]

_KINDS = {"flag": bool, "integer": int, "number": float, "string": str}

# All classes at once: the logistic loss where multi_class is joint, which is why the tables do not list it.
JOINT_LOSS = "multinomial"


def losses_for(labels: str) -> list[str]:
    """The losses that learn "classes", or "numbers"."""
    return [name for name, loss in LOSSES.items() if loss["labels"] == labels]


def as_options(values: dict[str, Any]) -> dict[str, Any]:
    """Those that are options of the library, as it takes them. None is the default."""
    return {
        name: repr(float(value))
        if OPTIONS[name]["type"] == "string" and not isinstance(value, str)
        else _KINDS[OPTIONS[name]["type"]](value)
        for name, value in values.items()
        if name in OPTIONS and value is not None
    }
