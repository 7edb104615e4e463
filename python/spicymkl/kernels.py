"""Kernels on the columns of a table.

Every parameter may be a list of values, which gives one kernel for each: ``Gaussian(width=[0.5, 1, 2])``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

__all__ = [
    "ChiSquared",
    "Cosine",
    "Gaussian",
    "HistogramIntersection",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Overlap",
    "Polynomial",
    "RationalQuadratic",
]

Columns = Any  # names, positions, slices, ranges, lists of these, and dicts
Numbers = float | Sequence[float]  # one kernel of each value

_COMMON = """
    columns : str, int, list or dict, default="all"
        The columns that the kernel sees: ``"all"``; names, positions, ranges such as ``"0:5"``, globs such as
        ``"mrna_*"``, or a list of these. ``"each"`` gives one kernel for each column, ``{"each": columns}`` one for each of
        these, ``{"groups": {source: columns}}`` one for each source.
    normalize : {"trace", "diagonal", "center", "none"}, default="trace"
        How the kernel is put on one scale with the others; fitted on the training rows.
    jitter : float, default=0
        Added to k(x, x) of the training rows.
    name : str, default=None
        Its name in results; made from its parameters if None.
    group : str, default=None
        The source it belongs to."""


def _plain(value):
    """`value` as JSON knows it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, slice):
        if value.step not in (None, 1):
            raise ValueError(f"columns {value} skips columns; list them instead")
        return ":".join("" if end is None else str(end) for end in (value.start, value.stop))
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value!r} cannot be part of a kernel: numbers must be finite")
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    if hasattr(value, "__iter__") and not isinstance(value, bytes):
        return [_plain(item) for item in value]
    raise ValueError(f"{value!r} cannot be part of a kernel: use numbers, strings and lists of these")


@dataclass(eq=False, repr=False)
class Kernel(BaseEstimator):
    """A kernel on columns of a table: its parameters, and how it is normalised."""

    columns: Columns = field(default="all", kw_only=True)
    normalize: str = field(default="trace", kw_only=True)
    jitter: float = field(default=0.0, kw_only=True)
    name: str | None = field(default=None, kw_only=True)
    group: str | None = field(default=None, kw_only=True)

    @classmethod
    def type_name(cls) -> str:
        """The name of the kernel in JSON lists and on the command line."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def to_dict(self) -> dict[str, Any]:
        """The entry of a JSON kernel list that describes this kernel."""
        entry: dict[str, Any] = {"type": self.type_name()}
        for name, value in self.get_params(deep=False).items():
            if value is None and name in ("name", "group"):
                continue
            if value is None:
                raise ValueError(f"{name} of {type(self).__name__} is None; leave it out for its default")
            try:
                entry[name] = _plain(value)
            except ValueError as error:
                raise ValueError(f"{name} of {type(self).__name__}: {error}") from None
        return entry


def kernel_from_dict(entry: Mapping[str, Any]) -> Kernel:
    """The kernel object of an entry of a JSON list."""
    entry = dict(entry)
    types = {kernel.type_name(): kernel for kernel in Kernel.__subclasses__()}
    return types[entry.pop("type")](**entry)


class Linear(Kernel):
    __doc__ = f"""xᵀz.

    Parameters
    ----------{_COMMON}
    """


@dataclass(eq=False, repr=False)
class Polynomial(Kernel):
    __doc__ = f"""(scale·xᵀz + offset)^degree.

    Parameters
    ----------
    degree : int, default=3
    scale : float, default=1
    offset : float, default=1{_COMMON}
    """

    degree: int | Sequence[int] = 3
    scale: Numbers = 1.0
    offset: Numbers = 1.0


@dataclass(eq=False, repr=False)
class Gaussian(Kernel):
    __doc__ = f"""exp(−‖x − z‖² / (2·width²)).

    Parameters
    ----------
    width : float, default=1{_COMMON}
    """

    width: Numbers = 1.0


@dataclass(eq=False, repr=False)
class Laplacian(Kernel):
    __doc__ = f"""exp(−‖x − z‖₁ / width).

    Parameters
    ----------
    width : float, default=1{_COMMON}
    """

    width: Numbers = 1.0


@dataclass(eq=False, repr=False)
class Matern(Kernel):
    __doc__ = f"""The Matérn kernel of smoothness nu.

    Parameters
    ----------
    length : float, default=1
    nu : {{0.5, 1.5, 2.5}}, default=1.5{_COMMON}
    """

    length: Numbers = 1.0
    nu: Numbers = 1.5


@dataclass(eq=False, repr=False)
class RationalQuadratic(Kernel):
    __doc__ = f"""(1 + ‖x − z‖² / (2·shape·length²))^(−shape).

    Parameters
    ----------
    length : float, default=1
    shape : float, default=1{_COMMON}
    """

    length: Numbers = 1.0
    shape: Numbers = 1.0


class Cosine(Kernel):
    __doc__ = f"""xᵀz / (‖x‖‖z‖), 0 for a row of zeros.

    Parameters
    ----------{_COMMON}
    """


@dataclass(eq=False, repr=False)
class ChiSquared(Kernel):
    __doc__ = f"""exp(−gamma·Σ (x − z)² / (x + z)), for columns that are not negative: switch standardisation off.

    Parameters
    ----------
    gamma : float, default=1{_COMMON}
    """

    gamma: Numbers = 1.0


class HistogramIntersection(Kernel):
    __doc__ = f"""Σ min(x, z), for columns that are not negative: switch standardisation off.

    Parameters
    ----------{_COMMON}
    """


class Overlap(Kernel):
    __doc__ = f"""The share of categorical columns in which x and z are alike.

    Parameters
    ----------{_COMMON}
    """
