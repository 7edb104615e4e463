"""Several targets: y of shape (n_samples, n_targets)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import column_or_1d


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
