"""Grids of strengths. Their defaults are those of the library's option tables, which the command has too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._tables import CV_OPTIONS, PATH_OPTIONS

CV_ALPHAS: int = CV_OPTIONS["n_alphas"]["default"]
CV_EPS: float = CV_OPTIONS["alpha_ratio"]["default"]
PATH_ALPHAS: int = PATH_OPTIONS["n_alphas"]["default"]
PATH_EPS: float = PATH_OPTIONS["alpha_ratio"]["default"]


def decreasing_alphas(alphas: int | Sequence[float] | Sequence[str], eps: float) -> list[Any]:
    """The strengths of a grid: numbers, or multiples of alpha_max as strings."""
    if np.ndim(alphas) == 0:
        return _core.alpha_grid(int(alphas), float(eps))
    return sorted({_plain(alpha): None for alpha in alphas}, key=_size, reverse=True)


def strengths(alphas: Any) -> tuple[np.ndarray, bool]:
    """As numbers, and whether these are multiples of alpha_max."""
    texts = [str(alpha) for alpha in alphas]
    return np.array([_size(text) for text in texts], dtype=float), texts[0].endswith("max")


def _plain(alpha):
    return str(alpha) if isinstance(alpha, str) else float(alpha)


def _size(alpha):
    if not isinstance(alpha, str):
        return alpha
    try:
        return float(alpha.removesuffix("max") or 1)
    except ValueError as error:
        raise ValueError(f"alpha is {alpha!r}, but it must be a number or a multiple such as '0.1max'") from error
