"""Parameters without effect: a value that was given, but that nothing reads."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

from ._kernel_choice import KernelChoice
from ._sources import is_several
from ._tables import LOSSES, PENALTIES

# Which losses and penalties read these parameters.
READ_BY = {
    name: (owner, [kind for kind, entry in table.items() if name in entry["parameters"]])
    for owner, table in (("penalty", PENALTIES), ("loss", LOSSES))
    for name in dict.fromkeys(name for entry in table.values() for name in entry["parameters"])
}


def is_read(name: str, estimator: Any) -> bool:
    """Whether the loss or the penalty of the estimator has this parameter."""
    owner, readers = READ_BY[name]
    chosen = getattr(estimator, owner)
    return isinstance(chosen, str) and chosen in readers


def idle_parameters(estimator: Any, choice: KernelChoice, X: Any) -> dict[str, str]:
    """Of parameters with another value than their default that nothing reads: why not."""
    reasons = {
        name: f"{owner}={getattr(estimator, owner)!r} does not have it; "
        + " and ".join(readers)
        + (" do" if len(readers) > 1 else " does")
        for name, (owner, readers) in READ_BY.items()
        if not is_read(name, estimator)
    }
    if not choice.is_table:
        reasons["standardize"] = "kernels that are given or functions see no standardised columns"
        reasons["features"] = "kernels that are given or functions have no features"
        reasons["memory"] = "these kernels are kept as they are"
        reasons["comm"] = "these kernels are not spread over processes"
    if not choice.is_table or not is_several(X):
        reasons["missing_view"] = "X is not several tables"
    if getattr(estimator, "comm", None) is not None:
        reasons["device"] = "the processes of comm share the processors"
    if choice.is_table:
        reasons["psd"] = "it is for precomputed kernels and functions"
    defaults = inspect.signature(type(estimator).__init__).parameters
    return {
        name: reason
        for name, reason in reasons.items()
        if name in defaults and not _same(getattr(estimator, name), defaults[name].default)
    }


def _same(value: Any, default: Any) -> bool:
    try:
        return bool(value == default)
    except ValueError:  # an array
        return False


def warn_of_idle_parameters(estimator: Any, choice: KernelChoice, X: Any) -> None:
    for name, reason in idle_parameters(estimator, choice, X).items():
        warnings.warn(f"{name}={getattr(estimator, name)!r} has no effect: {reason}", UserWarning, stacklevel=3)


def warn_of_idle_outputs(estimator: Any) -> None:
    """How several classes or targets are learned, where y has not that many; stated by the user, since defaults fit all."""
    how = {}
    if len(getattr(estimator, "classes_", ())) == 2:
        how["multi_class"] = "y has two classes"
    elif hasattr(estimator, "multi_output") and not estimator._target_names:
        how["multi_output"] = "y is one target"
    defaults = inspect.signature(type(estimator).__init__).parameters
    for name, reason in how.items():
        value = getattr(estimator, name)
        if value != defaults[name].default:
            warnings.warn(f"{name}={value!r} has no effect: {reason}", UserWarning, stacklevel=4)
