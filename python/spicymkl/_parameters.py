"""Whether parameters are of the right kind. Ranges and names are checked by the library, which knows them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

LARGEST_INT = 2**31 - 1
Check = Callable[[str, Any], None]


def _refuse(name: str, value: Any, what: str) -> None:
    raise ValueError(f"{name} is {_shown(value)}, but it must be {what}")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _is_flag(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not _is_flag(value) and math.isfinite(value)


def _is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not _is_flag(value)


def flag(name: str, value: Any) -> None:
    if not _is_flag(value):
        _refuse(name, value, "True or False")


def number(name: str, value: Any) -> None:
    if not _is_number(value):
        _refuse(name, value, "a finite number")


def integer(name: str, value: Any) -> None:
    if not _is_integer(value) or abs(value) > LARGEST_INT:
        _refuse(name, value, f"a whole number of at most {LARGEST_INT}")


def text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        _refuse(name, value, "a string")


def repair(name: str, value: Any) -> None:
    if value is not None and (not isinstance(value, str) or value not in ("clip", "flip", "shift", "refuse")):
        _refuse(name, value, "None, 'clip', 'flip' or 'shift'")


def number_or_list(name: str, value: Any) -> None:
    values = value if isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value) == 1 else [value]
    if not len(values) or not all(_is_number(one) for one in values):
        _refuse(name, value, "a finite number, or a list of such numbers to choose from")


def strength(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, str) and not _is_number(value):
        _refuse(name, value, "None, a number above 0, or a string such as '0.1max'")


def strengths(name: str, value: Any) -> None:
    """A count, or the strengths themselves: all numbers, or all strings."""
    if _is_integer(value) and 1 <= value <= LARGEST_INT:
        return
    is_list = isinstance(value, (list, tuple, range)) or (isinstance(value, np.ndarray) and value.ndim == 1)
    values = list(value) if is_list else []
    if values and (all(map(_is_strength, values)) or all(isinstance(one, str) for one in values)):
        return
    _refuse(name, value, "how many (1 or more), or a list: all numbers above 0, or all strings such as '0.1max'")


def _is_strength(value: Any) -> bool:
    return _is_number(value) and value > 0


def ratio(name: str, value: Any) -> None:
    if not _is_number(value) or not 0 < value < 1:
        _refuse(name, value, "a number between 0 and 1, both excluded")


def splits(name: str, value: Any) -> None:
    if value is None or _is_integer(value) or (hasattr(value, "split") and not isinstance(value, (str, bytes))):
        return
    pairs = list(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    good = hasattr(value, "__next__") if pairs is None else bool(pairs) and all(map(_is_pair, pairs))
    if not good:
        _refuse(name, value, "None, a number of folds, a splitter of scikit-learn, or pairs of training and test rows")


def _is_pair(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2


def scorer(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, str) and not callable(value):
        _refuse(name, value, "None, the name of a scorer of scikit-learn, or a function of estimator, X and y")


def threads(name: str, value: Any) -> None:
    if value is not None and (not _is_integer(value) or value == 0 or abs(value) > LARGEST_INT):
        _refuse(name, value, "None, a number of threads, or -1 for all cores")


def seed(name: str, value: Any) -> None:
    if value is None or isinstance(value, np.random.RandomState):
        return
    if not _is_integer(value) or not 0 <= value < 2**63:
        _refuse(name, value, "None, a whole number of 0 or more, or a numpy RandomState")


def verbosity(name: str, value: Any) -> None:
    if not _is_flag(value) and (not _is_integer(value) or value < 0):
        _refuse(name, value, "True, False, or a whole number of 0 or more")


def memory(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, str) and (not _is_number(value) or value <= 0):
        _refuse(name, value, "None, a number of bytes above 0, or a string such as '8G'")


def objective(name: str, value: Any) -> None:
    """A name, or an object with the methods of spicymkl.Loss or spicymkl.Regularizer."""
    if not isinstance(value, str) and (isinstance(value, type) or not callable(getattr(value, "value", None))):
        kind = {"loss": "Loss", "penalty": "Regularizer"}[name]
        _refuse(name, value, f"a name, or an object of a class derived from spicymkl.{kind}")


def class_weights(name: str, value: Any) -> None:
    if value is None or (isinstance(value, str) and value == "balanced"):
        return
    if not isinstance(value, Mapping) or not all(_is_number(one) and one >= 0 for one in value.values()):
        _refuse(name, value, "None, 'balanced', or a dict from classes to numbers of 0 or more")


def classes_by(name: str, value: Any) -> None:
    if not isinstance(value, str) or value != "ovr":
        _refuse(name, value, "'ovr' (one against the rest)")


CHECKS: dict[str, Check] = {
    "loss": objective,
    "penalty": objective,
    "alpha": strength,
    "alphas": strengths,
    "eps": ratio,
    "cv": splits,
    "scoring": scorer,
    "l1_ratio": number,
    "q": number,
    "epsilon": number,
    "quantile": number,
    "fit_intercept": flag,
    "tol": number,
    "max_iter": integer,
    "max_seconds": number,
    "solver": text,
    "class_weight": class_weights,
    "multi_class": classes_by,
    "n_jobs": threads,
    "random_state": seed,
    "verbose": verbosity,
    "warm_start": flag,
    "standardize": flag,
    "memory": memory,
    "psd": repair,
}


def check_parameters(parameters: Mapping[str, Any], **others: Check) -> None:
    """Raises ValueError for the first one that is of a wrong kind. `others` replace the checks above."""
    checks = {**CHECKS, **others}
    for name, value in parameters.items():
        if name in checks:
            checks[name](name, value)
