"""Columns of X that cannot be learned from, and columns that look as if they should not be."""

from __future__ import annotations

import datetime
import math
import re
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._sources import SourceTables

_NO_NUMBERS = (
    "datetime",
    "timedelta",
    "timestamp",
    "period",
    "interval",
    "date",
    "duration",
    "time",
    "list",
    "array",
    "struct",
    "binary",
    "complex",
)
_TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
_MOST_SHOWN = 10


def is_frame(X: Any) -> bool:
    """Whether X is a pandas or polars frame."""
    return hasattr(X, "columns") and hasattr(X, "dtypes") and hasattr(X, "__getitem__")


def check_columns(X: Any) -> None:
    """Raises ValueError that names all columns of a frame or an array that hold dates, times, or a mixture."""
    problems = _frame_problems(X) if hasattr(X, "columns") else _array_problems(X)
    if not problems:
        return
    shown = [f"{name} ({what})" for name, what in list(problems.items())[:_MOST_SHOWN]]
    if len(problems) > _MOST_SHOWN:
        shown.append(f"{len(problems) - _MOST_SHOWN} more")
    raise ValueError(
        f"X has {'a column' if len(problems) == 1 else f'{len(problems)} columns'} that cannot be learned from: "
        f"{', '.join(shown)}; convert to numbers first (dates to days since a date, for example), or drop"
    )


def _frame_problems(X: Any) -> dict[str, str]:
    _check_names(X)
    problems = {}
    for name in X.columns:
        kind = str(X[name].dtype)
        if kind.lower().startswith(_NO_NUMBERS):
            problems[repr(str(name))] = kind
        elif kind == "object":
            what = _objects_problem(np.asarray(X[name]))
            if what:
                problems[repr(str(name))] = what
    return problems


def _check_names(X: Any) -> None:
    names = [str(name) for name in X.columns]
    if len(set(names)) < len(names):
        twice = sorted({name for name, count in Counter(names).items() if count > 1})
        raise ValueError(
            f"X has more than one column named {', '.join(map(repr, twice[:_MOST_SHOWN]))}; rename or drop"
        )


def _array_problems(X: Any) -> dict[str, str]:
    if not isinstance(X, np.ndarray) or X.ndim != 2:
        return {}
    if X.dtype.kind in "mM":
        return {f"x{j}": str(X.dtype) for j in range(X.shape[1])}
    if X.dtype != object:
        return {}
    kinds = {f"x{j}": _times_in(X[:, j]) for j in range(X.shape[1])}
    return {name: kind for name, kind in kinds.items() if kind}


def _objects_problem(values: np.ndarray) -> str:
    times = _times_in(values)
    if times:
        return times
    strings = sum(isinstance(value, str) for value in values)
    numbers = sum(isinstance(value, (int, float, np.number)) and not math.isnan(value) for value in values)
    return "strings and numbers mixed" if strings and numbers else ""


def _times_in(values: np.ndarray) -> str:
    return next((type(value).__name__ for value in values if isinstance(value, _TIMES)), "")


_NAME_OF_AN_INDEX = re.compile(
    r"(?i:unnamed: \d+|index|level_\d+|row(_?(id|number|name))?|rownames|id|.*[_ .]id)|.*[a-z]I[Dd]"
)


def warn_of_row_numbers(X: Any) -> None:
    """Of columns whose name and values look like an index or an id: each row has its own whole number, or its own text."""
    if not hasattr(X, "columns") or len(X) < 3:
        return
    names = [str(name) for name in X.columns if _NAME_OF_AN_INDEX.fullmatch(str(name)) and _one_per_row(X[name])]
    if names:
        warnings.warn(
            f"X has {'the column' if len(names) == 1 else 'the columns'} {', '.join(map(repr, names))}, which "
            f"{'looks' if len(names) == 1 else 'look'} like an index or id but will be learned from; drop it, or make it "
            "the index (X.set_index)",
            UserWarning,
            stacklevel=3,
        )


def warn_of_numbers_as_strings(X: Any) -> None:
    """Of columns of strings most of which are numbers: one odd cell of a file makes strings of all. Categories are meant."""
    for table in _tables(X):
        if not is_frame(table):
            continue
        for name in table.columns:
            column = table[name]
            if str(getattr(column, "dtype", "")).lower().startswith(("object", "str")):
                _warn_of_numbers_in(str(name), np.asarray(column).tolist(), hasattr(table, "with_columns"))


def _tables(X: Any) -> list[Any]:
    if isinstance(X, SourceTables):
        return [table for _, table, _, _ in X.parts()]
    return list(X.values()) if isinstance(X, Mapping) else [X]


def _warn_of_numbers_in(name: str, values: list[Any], polars: bool) -> None:
    texts = dict.fromkeys(value for value in values if isinstance(value, str))
    others = [text for text in texts if not _is_number(text)]
    if 2 * len(others) >= len(texts):
        return
    said = (
        f"{len(texts) - len(others)} of its {len(texts)} different strings are numbers, and the first that is not is "
        f"{others[0]!r} in row {values.index(others[0])}"
        if others
        else f"all of its {len(texts)} different strings are numbers"
    )
    numbers, categories = (
        (f"pl.col({name!r}).cast(pl.Float64, strict=False)", f"pl.col({name!r}).cast(pl.Categorical)")
        if polars
        else (f"pd.to_numeric(X[{name!r}], errors='coerce')", f"X[{name!r}].astype('category')")
    )
    warnings.warn(
        f"column {name!r} holds strings and is learned from as categories, but {said}; if it is meant as numbers, convert it "
        f"with {numbers} and fill in what is missing, if as categories, say so with {categories}",
        UserWarning,
        stacklevel=4,
    )


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _one_per_row(column: Any) -> bool:
    values = np.asarray(column)
    if values.dtype.kind == "f" and not np.array_equal(values, np.round(values)):
        return False
    return len(set(values.tolist())) == len(values)
