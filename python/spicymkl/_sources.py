"""Several tables of the same samples, one per source."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

_MOST_SHOWN = 5


class SourceTables:
    """Several tables of the same samples, one per source, which scikit-learn splits by samples.

    Estimators take a dict of tables as well; this is the dict with its rows matched, for ``cross_val_score``,
    ``GridSearchCV`` and the rest, and to see which samples there are, and in which order.

    Parameters
    ----------
    tables : dict of str to frame or array of shape (n, n_features), or MuData
        The table of each source: a pandas or polars frame, an array, a sparse matrix, or an AnnData. If they have an index
        (pandas frames with another than 0, 1, …, and AnnData), rows are matched by it, whatever their order; else by their
        position.

    Attributes
    ----------
    names : list of str
        The sources.
    index : ndarray of shape (n_samples,) or None
        What the samples are called, in the order of the rows of y and of predictions: those of the first table, then those
        that only later tables have. None: rows are matched by their position.
    present : ndarray of bool of shape (n_samples, n_sources)
        Which sources have which samples.
    shape : tuple
        (n_samples, n_features), columns of all sources together.

    Examples
    --------
    >>> import pandas as pd
    >>> from spicymkl import SourceTables
    >>> rna = pd.DataFrame({"g1": [1.0, 2.0]}, index=["p1", "p2"])
    >>> atac = pd.DataFrame({"g1": [3.0, 4.0]}, index=["p3", "p1"])
    >>> tables = SourceTables({"rna": rna, "atac": atac})
    >>> tables.index.tolist(), tables.present.sum(axis=0).tolist()
    (['p1', 'p2', 'p3'], [2, 2])
    """

    ndim = 2
    dtype = np.dtype(np.float64)

    def __init__(self, tables: Any) -> None:
        tables = _as_mapping(tables)
        _check_names(tables)
        self.names: list[str] = list(tables)
        self._parts = [_part(name, table) for name, table in tables.items()]
        self.index, self._rows = _match(self.names, self._parts)

    @property
    def present(self) -> np.ndarray:
        return self._rows >= 0

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._rows), sum(part.values.shape[1] for part in self._parts)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"SourceTables({', '.join(self.names)}: {self.shape[0]} samples, {self.shape[1]} columns)"

    def __getitem__(self, key: Any) -> SourceTables:
        """``X[rows]``: some samples."""
        key = key if isinstance(key, tuple) else (key,)
        key = tuple(part for part in key if part is not Ellipsis)
        if len(key) != 1:
            raise IndexError(f"SourceTables have samples, but there are {len(key)} indices; take columns of its tables")
        chosen = object.__new__(SourceTables)
        chosen.names, chosen._parts = self.names, self._parts
        rows = np.arange(len(self))[key[0]].reshape(-1)
        chosen.index = None if self.index is None else self.index[rows]
        chosen._rows = self._rows[rows]
        return chosen

    def parts(self):
        """Of each source: its name, its table, the names of its columns or None, and the row of each sample, or -1."""
        return [
            (name, part.values, part.columns, rows) for name, part, rows in zip(self.names, self._parts, self._rows.T)
        ]

    def lacking(self) -> dict[str, int]:
        """Of sources that lack samples: how many."""
        counts = (~self.present).sum(axis=0)
        return {name: int(count) for name, count in zip(self.names, counts) if count}


@dataclass
class _Part:
    values: Any  # a frame, an array or a sparse matrix
    columns: list[str] | None  # where the values do not name them
    index: list[Any] | None


def is_several(X: Any) -> bool:
    """Whether X is several tables rather than one."""
    if isinstance(X, SourceTables) or _is_mudata(X) or _is_anndata(X):
        return True
    return isinstance(X, Mapping) and not sparse.issparse(X)


def as_sources(X: Any) -> SourceTables:
    return X if isinstance(X, SourceTables) else SourceTables(X)


def join_sources(X: Any, y: Any, values: Any, missing_view: str, name: str):
    """X with its rows matched, without samples that are left out; y and the named values in the same order."""
    X = as_sources(X)
    X, y = _align(X, y)
    values = _in_order(values, X, name)
    refuse_lacking(X, missing_view)
    if missing_view == "drop" and X.lacking():
        kept = np.flatnonzero(X.present.all(axis=1))
        if not len(kept):
            raise ValueError(
                f"no sample is in all {len(X.names)} tables, so that none is left; use missing_view='zero'"
            )
        X, y, values = X[kept], _rows_of(y, kept), None if values is None else _rows_of(values, kept)
    return X, y, values


def refuse_lacking(X: SourceTables, missing_view: str) -> None:
    lacking = X.lacking()
    if missing_view != "error" or not lacking:
        return
    raise ValueError(
        f"of {len(X)} samples, {_listed([f'{name!r} lacks {count}' for name, count in lacking.items()])}; add the rows, or "
        "use missing_view='zero' (a table says nothing of samples that it lacks) or 'drop' (such samples are left out)"
    )


def _as_mapping(tables: Any) -> Mapping[str, Any]:
    if _is_mudata(tables):
        return dict(tables.mod)
    if _is_anndata(tables):
        return {"X": tables}
    if not isinstance(tables, Mapping):
        raise TypeError(f"the tables are a {type(tables).__name__}; give a dict from sources to tables")
    return tables


def _is_mudata(X: Any) -> bool:
    return hasattr(X, "mod") and hasattr(X, "obs_names") and isinstance(X.mod, Mapping)


def _is_anndata(X: Any) -> bool:
    return all(hasattr(X, name) for name in ("X", "obs_names", "var_names")) and not _is_mudata(X)


def _check_names(tables: Mapping[str, Any]) -> None:
    if not tables:
        raise ValueError("the dict of tables is empty; it must give each source a table")
    for name in tables:
        if not isinstance(name, str) or not name:
            raise ValueError(f"the source {name!r} is no name; sources are called by strings")


def _part(name: str, table: Any) -> _Part:
    if _is_anndata(table):
        return _Part(table.X, [str(column) for column in table.var_names], list(table.obs_names))
    values = table if hasattr(table, "columns") or sparse.issparse(table) else np.asarray(table)
    if len(values.shape) != 2:
        raise ValueError(f"the table {name!r} has shape {values.shape}; it must have rows and columns")
    index = getattr(values, "index", None)
    return _Part(values, None, None if index is None or _is_default(index) else list(index))


def _is_default(index: Any) -> bool:
    """0, 1, …: that of a frame whose rows were never named."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def _match(names: list[str], parts: list[_Part]):
    """The samples, if they have names, and the row of each in every table, or -1."""
    named = [part.index is not None for part in parts]
    if any(named) and not all(named):
        raise ValueError(
            f"the table {names[named.index(True)]!r} names its rows by an index and {names[named.index(False)]!r} does not; "
            "give all of them an index (set_index), or none (reset_index(drop=True), arrays)"
        )
    if not any(named):
        lengths = [part.values.shape[0] for part in parts]
        if len(set(lengths)) > 1:
            sizes = _listed([f"{name!r} has {length}" for name, length in zip(names, lengths)])
            raise ValueError(
                f"tables without an index are matched by the position of their rows, but {sizes} rows; give frames with an "
                "index that names the samples"
            )
        return None, np.repeat(np.arange(lengths[0])[:, None], len(parts), axis=1)
    places = [_places(name, part.index) for name, part in zip(names, parts)]
    labels = list(dict.fromkeys(label for part in parts for label in part.index))
    if len(parts) > 1 and len(labels) == sum(len(part.index) for part in parts):
        raise ValueError(
            f"the tables have no sample in common: the index of {names[0]!r} begins with {parts[0].index[0]!r}, that of "
            f"{names[-1]!r} with {parts[-1].index[0]!r}"
        )
    rows = np.array([[place.get(label, -1) for place in places] for label in labels], dtype=np.intp)
    return _labels(labels), rows


def _labels(labels: list[Any]) -> np.ndarray:
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array


def _places(name: str, index: list[Any]) -> dict[Any, int]:
    places = {label: row for row, label in enumerate(index)}
    if len(places) < len(index):
        label = next(label for row, label in enumerate(index) if places[label] != row)
        raise ValueError(f"the index of {name!r} has {label!r} twice; samples must have names of their own")
    missing = [
        label for label in index if label is None or label == "" or (isinstance(label, float) and math.isnan(label))
    ]
    if missing:
        raise ValueError(f"the index of {name!r} has an empty name; name every sample")
    return places


def _align(X: SourceTables, y: Any):
    """y in the order of the samples, and the samples that it has, if its index names them."""
    if y is None or not _names_rows(y) or X.index is None:
        return X, _in_order(y, X, "y")
    known = {label: row for row, label in enumerate(y.index)}
    if len(known) < len(y):
        raise ValueError("the index of y has a sample twice; it must have each once")
    labels = set(X.index.tolist())
    stranger = next((label for label in known if label not in labels), None)
    if stranger is not None:
        raise ValueError(f"y has the sample {stranger!r}, which no table has; add its rows, or leave it out of y")
    kept = np.array([label in known for label in X.index.tolist()])
    if not kept.all():
        lost = X.index[int(np.argmin(kept))]
        warnings.warn(
            f"of {len(X)} samples, {len(X) - kept.sum()} have no value in y (such as {lost!r}) and are left out",
            UserWarning,
            stacklevel=5,  # who calls fit
        )
    X = X[np.flatnonzero(kept)]
    return X, y.loc[X.index.tolist()]


def _in_order(values: Any, X: SourceTables, name: str):
    if values is None:
        return None
    if _names_rows(values) and X.index is not None:
        known = set(values.index.tolist())
        lost = [label for label in X.index.tolist() if label not in known]
        if lost:
            raise ValueError(f"{name} lacks the sample {lost[0]!r}; it must have one value of each")
        return values.loc[X.index.tolist()]
    if np.shape(values)[:1] != (len(X),):
        order = (
            "" if X.index is None else ", in the order of SourceTables(X).index, or a Series with their names as index"
        )
        raise ValueError(
            f"{name} has {len(values)} values, but the tables have {len(X)} samples; give one of each{order}"
        )
    return values


def _names_rows(values: Any) -> bool:
    return hasattr(values, "loc") and hasattr(values, "index") and not _is_default(values.index)


def _rows_of(values: Any, rows: np.ndarray):
    return values.iloc[rows] if hasattr(values, "iloc") else np.asarray(values)[rows]


def _listed(parts: list[str]) -> str:
    return ", ".join(parts[:_MOST_SHOWN]) + (
        f" and {len(parts) - _MOST_SHOWN} more" if len(parts) > _MOST_SHOWN else ""
    )
