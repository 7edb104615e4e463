"""Several targets: y of shape (n_samples, n_targets)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import column_or_1d

_MOST_SHOWN = 5


def is_several(y: Any) -> bool:
    """Whether y has more than one column."""
    shape = _shape(y)
    return len(shape) == 2 and shape[1] > 1


def _shape(y: Any) -> tuple[int, ...]:
    return y.shape if hasattr(y, "shape") else np.asarray(y, dtype=object).shape


def names_of_targets(y: Any) -> list[str]:
    """The columns of a frame; y0, y1, … of an array; none where there is one target."""
    if not is_several(y):
        return []
    columns = [str(name) for name in getattr(y, "columns", [])]
    return columns or [f"y{k}" for k in range(_shape(y)[1])]


def in_order(y: Any, names: Sequence[str], what: str = "y") -> Any:
    """The targets of a model, by name where y has their names, else by place.

    Names that nobody gave (y0, y1, … or 0, 1, …) are not held against a frame that has none of them.
    """
    columns = list(getattr(y, "columns", []))
    given = [str(column) for column in columns]
    if len(names) < 2 or not columns or given == list(names):
        return y
    lacking = [name for name in names if name not in given]
    if not lacking:
        return y[[columns[given.index(name)] for name in names]]
    unnamed = list(names) in ([f"y{k}" for k in range(len(names))], [str(k) for k in range(len(names))])
    if not all(isinstance(column, str) for column in columns) or (unnamed and len(lacking) == len(names)):
        return y
    raise ValueError(
        f"{what} has no column {lacking[0]!r}, a target of the model; its columns are {_listed(given)}, the targets "
        f"{_listed(names)}: name them alike, or give an array with the targets in this order"
    )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:_MOST_SHOWN]))
    return shown if len(names) <= _MOST_SHOWN else f"{shown} and {len(names) - _MOST_SHOWN} more"


def check_several(y: Any) -> None:
    """Refuses what several targets must not hold, by row and column."""
    if sparse.issparse(y):
        raise TypeError("y is a sparse matrix; use y.toarray()")
    if not is_several(y):
        return
    names = names_of_targets(y)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"y has two columns called {twice!r}; give each target a name of its own")
    values = np.asarray(y)
    if values.dtype.kind not in "fiub":
        values = _numbers(values, names)
    odd = np.argwhere(~np.isfinite(values))
    if len(odd):
        row, column = odd[0]
        raise ValueError(
            f"y contains NaN or infinity: row {row}, column {names[column]!r} ({len(odd)} in all); targets are finite "
            "numbers: leave such rows or targets out"
        )


def _numbers(values: np.ndarray, names: list[str]) -> np.ndarray:
    numbers = np.empty(values.shape)
    for column, name in enumerate(names):
        for row, value in enumerate(values[:, column]):
            try:
                numbers[row, column] = value
            except (TypeError, ValueError):
                raise ValueError(
                    f"y, row {row}, column {name!r}: {value!r} is not a number; several targets are numbers"
                ) from None
    return numbers


def one_or_several(y: Any) -> np.ndarray:
    """A single column as (n_samples,), with the warning of scikit-learn; several as they are."""
    return np.asarray(y) if is_several(y) else column_or_1d(y, warn=True)
