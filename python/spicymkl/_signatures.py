"""The parameters of the estimators, with their types and defaults: what scikit-learn and type checkers see of ``__init__``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._grid import CV_ALPHAS, CV_EPS

if TYPE_CHECKING:
    import numpy as np

    from .objectives import Loss, Regularizer


@dataclass(eq=False, repr=False, kw_only=True)
class _Common:
    kernels: Any = field(default="auto", kw_only=False)
    penalty: str | Regularizer = "block1"
    tol: float = 1e-3
    max_iter: int = 200
    max_seconds: float = 0
    solver: str = "auto"
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = None
    verbose: bool | int = 0
    warm_start: bool = False
    standardize: bool = True
    features: str = "auto"
    memory: float | str | None = None
    device: str = "cpu"
    missing_view: str = "error"
    covariates: Sequence[str] | Sequence[int] | None = None
    psd: str | None = None
    comm: Any = None


@dataclass(eq=False, repr=False, kw_only=True)
class _OfClassification:
    loss: str | Loss = "logistic"
    fit_intercept: bool = True
    class_weight: Mapping[Any, float] | str | None = None
    multi_class: str = "auto"


@dataclass(eq=False, repr=False, kw_only=True)
class _OfRegression:
    loss: str | Loss = "squared"
    fit_intercept: bool = True
    epsilon: float = 0.1
    quantile: float = 0.5
    multi_output: str = "joint"


@dataclass(eq=False, repr=False, kw_only=True)
class _OneStrength:
    alpha: float | str | None = None
    l1_ratio: float = 0.5
    q: float = 1.5


@dataclass(eq=False, repr=False, kw_only=True)
class _ManyStrengths:
    alphas: int | Sequence[float] | Sequence[str] = CV_ALPHAS
    eps: float = CV_EPS
    cv: Any = None
    scoring: str | Callable[..., float] | None = None
    l1_ratio: float | Sequence[float] = 0.5
    q: float | Sequence[float] = 1.5


@dataclass(eq=False, repr=False, kw_only=True)
class ClassifierParameters(_Common, _OneStrength, _OfClassification):
    pass


@dataclass(eq=False, repr=False, kw_only=True)
class RegressorParameters(_Common, _OneStrength, _OfRegression):
    pass


@dataclass(eq=False, repr=False, kw_only=True)
class ClassifierCVParameters(_Common, _ManyStrengths, _OfClassification):
    pass


@dataclass(eq=False, repr=False, kw_only=True)
class RegressorCVParameters(_Common, _ManyStrengths, _OfRegression):
    pass


@dataclass(eq=False, repr=False, kw_only=True)
class SurvivalParameters(_Common, _OneStrength):
    pass


@dataclass(eq=False, repr=False, kw_only=True)
class SurvivalCVParameters(_Common, _ManyStrengths):
    pass
