"""Whether parameters are of the right kind. Ranges and names are checked by the library, which knows them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from ._ranks import is_communicator

LARGEST_INT = 2**31 - 1
Check = tuple[Callable[[Any], bool], str]  # whether a value is of the right kind, and which kind that is


def _is_flag(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not _is_flag(value) and math.isfinite(value)


def _is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not _is_flag(value)


def _is_string(value: Any) -> bool:
    return isinstance(value, str)


def _is_strength(value: Any) -> bool:
    return _is_number(value) and value > 0


def _one_of(*values: str | None) -> Callable[[Any], bool]:
    return lambda value: (value is None or isinstance(value, str)) and value in values


def _optional(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or isinstance(value, str) or check(value)


def _is_number_or_list(value: Any) -> bool:
    values = value if isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value) == 1 else [value]
    return len(values) > 0 and all(map(_is_number, values))


def _are_strengths(value: Any) -> bool:
    """A count, or the strengths themselves: all numbers, or all strings."""
    if _is_integer(value):
        return 1 <= value <= LARGEST_INT
    is_list = isinstance(value, (list, tuple, range)) or (isinstance(value, np.ndarray) and value.ndim == 1)
    return is_list and len(value) > 0 and (all(map(_is_strength, value)) or all(map(_is_string, value)))


def _are_splits(value: Any) -> bool:
    if value is None or _is_integer(value) or (hasattr(value, "split") and not isinstance(value, (str, bytes))):
        return True
    if isinstance(value, (list, tuple, np.ndarray)):
        return len(value) > 0 and all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in value)
    return hasattr(value, "__next__")


def _is_objective(value: Any) -> bool:
    """A name, or an object with the methods of spicymkl.Loss or spicymkl.Regularizer."""
    return isinstance(value, str) or (not isinstance(value, type) and callable(getattr(value, "value", None)))


def _are_class_weights(value: Any) -> bool:
    return _one_of(None, "balanced")(value) or (
        isinstance(value, Mapping) and all(_is_number(one) and one >= 0 for one in value.values())
    )


def _are_columns(value: Any) -> bool:
    """Names, or places; None for none."""
    if value is None:
        return True
    is_list = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim == 1)
    return is_list and (all(map(_is_string, value)) or all(map(_is_integer, value)))


def _are_threads(value: Any) -> bool:
    return value is None or (_is_integer(value) and value != 0 and abs(value) <= LARGEST_INT)


def _is_seed(value: Any) -> bool:
    return value is None or isinstance(value, np.random.RandomState) or (_is_integer(value) and 0 <= value < 2**63)


_FLAG: Check = (_is_flag, "True or False")
_NUMBER: Check = (_is_number, "a finite number")
NUMBER_OR_LIST: Check = (_is_number_or_list, "a finite number, or a list of such numbers to choose from")

CHECKS: dict[str, Check] = {
    "loss": (_is_objective, "a name, or an object of a class derived from spicymkl.Loss"),
    "penalty": (_is_objective, "a name, or an object of a class derived from spicymkl.Regularizer"),
    "alpha": (_optional(_is_number), "None, a number above 0, or a string such as '0.1max'"),
    "alphas": (
        _are_strengths,
        "how many (1 or more), or a list: all numbers above 0, or all strings such as '0.1max'",
    ),
    "eps": (lambda value: _is_number(value) and 0 < value < 1, "a number between 0 and 1, both excluded"),
    "cv": (_are_splits, "None, a number of folds, a splitter of scikit-learn, or pairs of training and test rows"),
    "scoring": (_optional(callable), "None, the name of a scorer of scikit-learn, or a function of estimator, X and y"),
    "l1_ratio": _NUMBER,
    "q": _NUMBER,
    "epsilon": _NUMBER,
    "quantile": _NUMBER,
    "fit_intercept": _FLAG,
    "tol": _NUMBER,
    "max_iter": (
        lambda value: _is_integer(value) and abs(value) <= LARGEST_INT,
        f"a whole number of at most {LARGEST_INT}",
    ),
    "max_seconds": _NUMBER,
    "solver": (_is_string, "a string"),
    "class_weight": (_are_class_weights, "None, 'balanced', or a dict from classes to numbers of 0 or more"),
    "multi_class": (
        _one_of("auto", "joint", "ovr"),
        "'auto', 'joint' (all classes at once) or 'ovr' (each against the rest)",
    ),
    "multi_output": (
        _one_of("joint", "each"),
        "'joint' (all targets at once) or 'each' (each with kernels of its own)",
    ),
    "n_jobs": (_are_threads, "None, a number of threads, or -1 for all cores"),
    "random_state": (_is_seed, "None, a whole number of 0 or more, or a numpy RandomState"),
    "verbose": (
        lambda value: _is_flag(value) or (_is_integer(value) and value >= 0),
        "True, False, or a whole number of 0 or more",
    ),
    "warm_start": _FLAG,
    "standardize": _FLAG,
    "features": (_is_string, "'none', 'auto', 'nystrom:R' or 'fourier:R'"),
    "memory": (_optional(_is_strength), "None, a number of bytes above 0, or a string such as '8G'"),
    "device": (_one_of("cpu", "cuda", "auto"), "'cpu', 'cuda' or 'auto'"),
    "missing_view": (_one_of("error", "drop", "zero"), "'error', 'drop' or 'zero'"),
    "covariates": (_are_columns, "None, or a list of columns of X: all names, or all numbers of columns"),
    "comm": (
        lambda value: value is None or is_communicator(value),
        "None, or a communicator of mpi4py such as MPI.COMM_WORLD",
    ),
    "psd": (_one_of(None, "clip", "flip", "shift", "refuse"), "None, 'clip', 'flip' or 'shift'"),
}


def check_parameters(parameters: Mapping[str, Any], **others: Check) -> None:
    """Raises ValueError for the first one that is of a wrong kind. `others` replace the checks above."""
    checks = {**CHECKS, **others}
    for name, value in parameters.items():
        is_right, kind = checks.get(name, (lambda _: True, ""))
        if not is_right(value):
            text = repr(value)
            shown = text if len(text) <= 80 else f"{text[:77]}..."
            raise ValueError(f"{name} is {shown}, but it must be {kind}")
