"""From what users pass as X to arrays: frames, sparse matrices, precomputed kernels."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.utils import check_array
from sklearn.utils.validation import _assert_all_finite, column_or_1d

from . import _core
from ._columns import check_columns, is_frame
from ._compat import check_names_and_count, validate_data
from ._device_arrays import check_device_array, lies_on_device
from ._kernel_stack import KernelStack
from ._sources import SourceTables, as_sources, is_several, refuse_lacking
from ._targets import check_several, one_or_several

_PRECISIONS = [np.float64, np.float32]  # the library reads both in place; anything else becomes the first


def read_table(estimator, X, y=None, *, reset: bool):
    """X as a dense array of float64, or float32 where it was, checked against earlier input unless `reset`; with y, both.

    Columns of strings in a frame become codes; the strings are kept in ``estimator._categories``.
    """
    if isinstance(X, KernelStack):
        raise TypeError("X is a KernelStack of precomputed kernels; use kernels='precomputed'")
    if is_several(X):
        X = _read_sources(estimator, as_sources(X), reset)
        return X if y is None else (X, _read_y(estimator, y))
    known = [] if reset else getattr(estimator, "_sources", [])
    if known:
        raise TypeError(f"the model was fitted on the tables {', '.join(known)}; X must be a dict of them")
    check_columns(X)
    checked = estimator if reset else _as_named(estimator, X)
    if reset:
        estimator._categories, estimator._sources, estimator._names_of_file = {}, [], None
    if is_frame(X):
        if not reset:
            check_names_and_count(checked, X)
        X = _encode_texts(estimator, X, reset)
    elif not reset:
        _refuse_without_texts(estimator, column_names(estimator))
    options = {"accept_sparse": "csr", "dtype": _PRECISIONS, "reset": reset, "ensure_min_samples": 2 if reset else 1}
    options |= _may_be_missing(estimator, reset)
    if y is None:
        return _to_dense(validate_data(checked, X, **options))
    numeric, several = estimator._labels == "numbers", estimator._takes_several_targets()
    if several:
        check_several(y)
    X, y = validate_data(checked, X, y, y_numeric=numeric, multi_output=several, **options)
    return _to_dense(X), one_or_several(y) if several else y


def _as_named(estimator, X):
    """The estimator as scikit-learn's checks of names are to see it.

    The names x0, x1, … in a model file are those of a frame, or of an array that had none: a frame that has any of them is
    held against them, an array is not.
    """
    names = getattr(estimator, "_names_of_file", None)
    if names is None or not is_frame(X) or set(names).isdisjoint(X.columns):
        return estimator
    named = copy(estimator)
    named.feature_names_in_ = np.array(names, dtype=object)
    return named


@dataclass
class JoinedRows:
    """The columns of several tables side by side; values of rows that a source lacks are 0."""

    values: np.ndarray
    present: np.ndarray  # (n, sources), 1 where the source has the row, else 0
    ndim = 2

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows) -> JoinedRows:
        return JoinedRows(self.values[rows], self.present[rows])

    @property
    def lacking(self) -> np.ndarray:
        """As the library takes it: empty where nothing is lacking."""
        return np.zeros((0, 0)) if self.present.all() else self.present


def read_y(estimator, y):
    """One target, or several where the estimator takes them."""
    if not estimator._takes_several_targets():
        return column_or_1d(y, warn=True)
    check_several(y)
    return one_or_several(y)


def _read_y(estimator, y):
    y = read_y(estimator, y)
    _assert_all_finite(y, input_name="y", estimator_name=type(estimator).__name__)
    return y.astype(np.float64) if estimator._labels == "numbers" and y.dtype.kind == "O" else y


def _read_sources(estimator, X: SourceTables, reset: bool) -> JoinedRows:
    if not hasattr(estimator, "missing_view"):
        raise TypeError(f"{type(estimator).__name__} takes one table; join the tables into one frame")
    mode = estimator.missing_view
    if not reset and mode == "drop" and X.lacking():
        refuse_lacking(X, "error")
    refuse_lacking(X, mode)
    if reset:
        estimator._categories = {}
    known = None if reset else _known_columns(estimator)
    names, of_column, blocks, present = [], [], [], []
    parts = X.parts() if reset else _parts_for(X, known, mode)
    for number, (name, table, columns, rows) in enumerate(parts):
        own, block = _read_source(estimator, name, table, columns, rows, reset, known)
        names += own
        of_column += [number] * len(own)
        blocks.append(block)
        present.append(rows >= 0)
    if reset:
        estimator._sources = X.names
        estimator._source_of_column = of_column
        estimator.feature_names_in_ = np.array(names, dtype=object)
        estimator.n_features_in_ = len(names)
    return JoinedRows(np.hstack(blocks), np.column_stack(present).astype(np.float64))


def _read_source(estimator, name, table, columns, rows, reset, known):
    """The names of the columns of a source, and its values in the order of the samples."""
    if table is None:
        return known[name], np.zeros((len(rows), len(known[name])))
    check_columns(table)
    own = columns or (list(_keys(table).values()) if is_frame(table) else default_names(table.shape[1]))
    names = [f"{name}:{column}" for column in own]
    if known is not None and names != known[name]:
        odd = next((j for j, (a, b) in enumerate(zip(names, known[name])) if a != b), min(len(names), len(known[name])))
        raise ValueError(
            f"the table {name!r} has {len(names)} columns, when the model was fitted it had {len(known[name])}; the first "
            f"that differs is number {odd + 1}: give the same columns in the same order"
        )
    if is_frame(table):
        table = _encode_texts(estimator, table, reset, f"{name}:")
    elif not reset:
        _refuse_without_texts(estimator, names)
    options = {"accept_sparse": "csr", "dtype": _PRECISIONS, "input_name": f"table {name!r}"}
    values = _to_dense(check_array(table, **options, **_may_be_missing(estimator, reset)))
    block = np.zeros((len(rows), len(names)))
    block[rows >= 0] = values[rows[rows >= 0]]
    return names, block


def _known_columns(estimator) -> dict[str, list[str]]:
    if not getattr(estimator, "_sources", []):
        raise TypeError(
            f"X is several tables, but {type(estimator).__name__} was fitted on one; join them into one frame"
        )
    columns: dict[str, list[str]] = {name: [] for name in estimator._sources}
    for source, name in zip(estimator._source_of_column, column_names(estimator)):
        columns[estimator._sources[source]].append(name)
    return columns


def _parts_for(X: SourceTables, known: dict[str, list[str]], missing_view: str):
    """The tables in the order of the model; None stands for one that is not given."""
    parts = {part[0]: part for part in X.parts()}
    strangers = [name for name in parts if name not in known]
    if strangers:
        raise ValueError(f"the model has no source {strangers[0]!r}; its sources are {', '.join(known)}")
    absent = [name for name in known if name not in parts and known[name]]
    if absent and missing_view != "zero":
        raise ValueError(
            f"X lacks the table {absent[0]!r}, which the model was fitted on; add it, or use missing_view='zero', and it "
            "says nothing of these samples"
        )
    nothing = np.full(len(X), -1)
    return [parts.get(name, (name, None, None, nothing)) for name in known]


def read_grams(estimator, K, *, reset: bool):
    """(M, n, N) kernels; a single (n, N) one becomes (1, n, N). float32 stays float32; nothing is copied needlessly.

    Kernels with names give the estimator theirs if `reset`, else the active ones are found by name. Those that lie on a GPU
    stay there.
    """
    if sparse.issparse(K):
        raise TypeError("precomputed kernels must be dense, but a sparse matrix was passed; use K.toarray()")
    K = KernelStack(K) if isinstance(K, Mapping) else K
    if reset:
        estimator._gram_names = K.names if isinstance(K, KernelStack) else None
    if isinstance(K, KernelStack):
        active = [] if reset else estimator.kernel_names_[estimator.active_kernels_].tolist()
        K = K.values if reset else K.pick(active or estimator.kernel_names_.tolist())
    if lies_on_device(K):
        check_device_array(estimator, K)
    else:
        kinds = {"dtype": _PRECISIONS, "order": "C", "allow_nd": True, "ensure_2d": False, "ensure_min_samples": 1}
        K = check_array(K, **kinds, **_UNCHECKED)
    if K.ndim not in (2, 3):
        raise ValueError(f"precomputed kernels have shape (M, n, N), or (n, N) if there is one; this has {K.shape}")
    K = K[None] if K.ndim == 2 else K
    if 0 in K.shape:
        raise ValueError(f"found array with 0 sample(s): precomputed kernels of shape {K.shape}")
    if reset:
        if K.shape[1] != K.shape[2]:
            raise ValueError(f"precomputed training kernels must be square, (M, N, N); this has shape {K.shape}")
        if K.shape[1] < 2:
            raise ValueError("found array with 1 sample: precomputed kernels of n_samples=1; at least 2 are needed")
        estimator.n_features_in_ = K.shape[2]
    elif K.shape[2] != estimator.n_features_in_:
        raise ValueError(
            f"X has {K.shape[2]} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} "
            "features as input: kernels of new rows with the training samples, (M, n_new, N)"
        )
    return K


# The library looks for values that are not finite, and names kernel and place.
try:
    check_array(np.ones((1, 1)), ensure_all_finite=False)
    _UNCHECKED = {"ensure_all_finite": False}
except TypeError:
    _UNCHECKED = {"force_all_finite": False}


def _imputes(estimator) -> bool:
    """Whether the model fills in missing cells of new rows: one of the command or of R may."""
    model = getattr(estimator, "_model", None)
    return model is not None and model.imputes


def _may_be_missing(estimator, reset: bool) -> dict:
    """What scikit-learn's checks take where cells may be missing."""
    return {} if reset or not _imputes(estimator) else {name: "allow-nan" for name in _UNCHECKED}


def column_names(estimator) -> list[str]:
    """The names of a frame's columns; x0, x1, … for arrays, as the command calls them."""
    names = getattr(estimator, "feature_names_in_", None)
    return default_names(estimator.n_features_in_) if names is None else [str(name) for name in names]


def default_names(count: int) -> list[str]:
    return [f"x{j}" for j in range(count)]


def column_categories(estimator) -> list[list[str]]:
    """The strings of every column; empty for numbers."""
    of_numbers: list[str] = []  # one for all: a new one for each of many columns would set off the garbage collector
    return [estimator._categories.get(name, of_numbers) for name in column_names(estimator)]


def _is_text(column) -> bool:
    kind = str(column.dtype).lower()
    if kind.startswith(("cat", "enum", "str")):
        return True
    if kind != "object":
        return False
    present = [value for value in np.asarray(column) if not _is_missing(value)]
    return bool(present) and all(isinstance(value, str) for value in present)


def _encode_texts(estimator, X, reset: bool, source: str = ""):
    """`source` begins the names of columns of one of several tables."""
    keys = {name: source + key for name, key in _keys(X).items()}
    texts = [name for name in X.columns if _is_text(X[name]) or (not reset and keys[name] in estimator._categories)]
    if reset:
        known = getattr(estimator, "_known_categories", {})  # of all rows, where these are the rows of a fold
        estimator._categories |= {keys[name]: known.get(keys[name]) or _texts(X[name]) for name in texts}
    imputes = not reset and _imputes(estimator)
    codes = {name: _codes(X[name], str(name), estimator._categories.get(keys[name]), imputes) for name in texts}
    if not codes:
        return X
    if hasattr(X, "with_columns"):  # polars
        return X.with_columns(**codes)
    X = X.copy(deep=False)
    for name, column in codes.items():
        X[name] = column
    return X


def _keys(X) -> dict:
    """What the library calls each column: its name, or x0, x1, … where scikit-learn does not take them as names."""
    names = list(X.columns)
    texts = names if all(isinstance(name, str) for name in names) else default_names(len(names))
    return dict(zip(names, texts))


def _texts(column) -> list[str]:
    return sorted({_as_written(value) for value in np.asarray(column) if not _is_missing(value)})


def _codes(column, name: str, texts, imputes: bool) -> np.ndarray:
    """The place of each string among the known ones; what is not among them has the next, which no training row has."""
    if texts is None:
        raise ValueError(f"column {name!r} holds strings, but it held numbers when the model was fitted")
    places = {text: float(code) for code, text in enumerate(texts)}
    codes = np.empty(len(column))
    strangers: dict[str, int] = {}
    for row, value in enumerate(np.asarray(column)):
        if _is_missing(value):
            if not imputes:
                raise ValueError(f"column {name!r}, row {row} of X is NaN or missing; fill missing cells in first")
            codes[row] = np.nan
            continue
        text = _as_written(value)
        codes[row] = places.get(text, len(texts))
        if text not in places:
            strangers[text] = strangers.get(text, 0) + 1
    if strangers:
        _warn_of_strangers(name, strangers)
    return codes


def _as_written(value) -> str:
    """A number as a table writes it, where the model learned a column of numbers as categories."""
    return str(int(value)) if isinstance(value, (float, np.floating)) and value == np.floor(value) else str(value)


def _warn_of_strangers(name: str, strangers: dict[str, int]) -> None:
    rows = sum(strangers.values())
    warnings.warn(
        f"column {name!r}: {next(iter(strangers))!r} did not occur when the model was fitted"
        f"{f', nor did {len(strangers) - 1} more' if len(strangers) > 1 else ''} ({rows} row{'s' if rows > 1 else ''}): "
        "kernels that look at this column take it for unlike every training row",
        UserWarning,
        stacklevel=2,
    )


def _refuse_without_texts(estimator, columns: list[str]) -> None:
    """The numbers of an array would pass for the places of the strings."""
    known = getattr(estimator, "_categories", {})
    texts = next((name for name in columns if name in known), None)
    if texts is not None:
        raise TypeError(f"column {texts!r} held strings when the model was fitted; X must be a frame that has it")


def _is_missing(value) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType"


def _to_dense(X) -> np.ndarray:
    if not sparse.issparse(X):
        return X
    needed = X.dtype.itemsize * X.shape[0] * X.shape[1]
    if needed > _core.default_memory():
        raise ValueError(
            f"X is sparse, and its {X.shape[0]} x {X.shape[1]} entries would take {needed / 2**30:.1f} GiB as a dense "
            "array, more than half of the free memory; select or reduce columns first (TruncatedSVD, SelectKBest), or "
            "compute the kernels and use kernels='precomputed'"
        )
    return X.toarray()
