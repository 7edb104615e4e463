"""The regularisation path, and where it begins."""

from __future__ import annotations

import inspect
import warnings
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import type_of_target

from . import _core
from ._classifier import MKLClassifier
from ._columns import warn_of_numbers_as_strings
from ._grid import PATH_ALPHAS, PATH_EPS, decreasing_alphas
from ._parameters import check_parameters
from ._regressor import MKLRegressor
from ._survival import MKLSurvival
from ._tables import JOINT_LOSS, losses_for
from ._targets import is_several
from ._training import Data, by_output, covariate_coef_of, intercept_of, warn_of_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from .objectives import Loss


@dataclass
class MKLPath:
    """What :func:`mkl_path` gives.

    With more than two classes, or several targets, that are learned each by itself, all but ``alphas`` and ``kernel_names``
    have a leading axis of them; where they are learned at once, ``duals`` and ``intercepts`` have a last one.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        Strengths, decreasing.
    kernel_weights : ndarray of shape (n_alphas, n_kernels)
        The weight of each kernel.
    kernel_norms : ndarray of shape (n_alphas, n_kernels)
        The norm of each f_m.
    coef_scales : ndarray of shape (n_alphas, n_kernels)
        ``coef_scales[k, m]·duals[k]`` are the coefficients of kernel m.
    duals : ndarray of shape (n_alphas, n_samples)
        The dual vectors.
    intercepts : ndarray of shape (n_alphas,)
        The intercepts.
    covariate_coefs : ndarray of shape (n_alphas, n_covariates)
        The coefficients of the covariates.
    duality_gaps : ndarray of shape (n_alphas,)
        The relative duality gaps.
    n_active : ndarray of shape (n_alphas,)
        How many kernels are active.
    kernel_names : ndarray of shape (n_kernels,)
        The names of the kernels.
    """

    alphas: NDArray[np.float64]
    kernel_weights: NDArray[np.float64]
    kernel_norms: NDArray[np.float64]
    coef_scales: NDArray[np.float64]
    duals: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    covariate_coefs: NDArray[np.float64]
    duality_gaps: NDArray[np.float64]
    n_active: NDArray[np.int64]
    kernel_names: NDArray[np.str_]


def alpha_max(
    X: Data, y: Data, *, sample_weight: Data = None, loss: str | Loss | None = None, **parameters: Any
) -> float:
    """The smallest strength at which no kernel is selected.

    Parameters
    ----------
    X, y, sample_weight : as for ``MKLClassifier.fit``
        The training data.
    loss : str or Loss, default=None
        None is "logistic" for classes and "squared" for numbers: strings and two different numbers are classes. Where y
        could be either, a warning says what was taken. A structured array of survival times is learned by Cox's loss.
    **parameters
        Of MKLClassifier, MKLRegressor or MKLSurvival: kernels, penalty and so on.

    Returns
    -------
    float
        Where classes are learned each against the rest, the largest of theirs. For a penalty that switches no kernel off, the natural unit of
        alpha.
    """
    estimator = _estimator_for(alpha_max, y, loss, parameters)
    warn_of_numbers_as_strings(X)
    watch = estimator._watch()
    return _core.alpha_max(estimator._prepare(X, y, sample_weight, watch), estimator._plan(), watch)


def mkl_path(
    X: Data,
    y: Data,
    *,
    alphas: int | Sequence[float] | Sequence[str] = PATH_ALPHAS,
    eps: float = PATH_EPS,
    sample_weight: Data = None,
    loss: str | Loss | None = None,
    **parameters: Any,
) -> MKLPath:
    """Solve at decreasing strengths, each from the solution before.

    Parameters
    ----------
    X, y, sample_weight : as for ``MKLClassifier.fit``
        The training data.
    alphas : int or array-like, default=50
        How many strengths from alpha_max down to eps·alpha_max, or which: numbers, or strings such as ``"0.1max"``.
    eps : float, default=1e-2
        The smallest strength over the largest.
    loss : str or Loss, default=None
        As for :func:`alpha_max`.
    **parameters
        Of MKLClassifier, MKLRegressor or MKLSurvival: kernels, penalty and so on.

    Returns
    -------
    MKLPath
    """
    estimator = _estimator_for(mkl_path, y, loss, parameters)
    warn_of_numbers_as_strings(X)
    return path_of(estimator, X, y, alphas=alphas, eps=eps, sample_weight=sample_weight)


def path_of(
    estimator: Any,
    X: Data,
    y: Data,
    *,
    alphas: int | Sequence[float] | Sequence[str] = PATH_ALPHAS,
    eps: float = PATH_EPS,
    sample_weight: Data = None,
) -> MKLPath:
    """The path of an estimator's problem; the estimator is left as it is."""
    check_parameters({"alphas": alphas, "eps": eps})
    model = clone(estimator)
    model._check_parameters()
    watch = model._watch()
    kernels = model._prepare(X, y, sample_weight, watch)
    warn_of_notes(kernels.notes, stacklevel=4)
    plan = model._plan(**_shape(estimator))
    alphas = _absolute(decreasing_alphas(alphas, eps), lambda: _core.alpha_max(kernels, plan, watch))
    points = model._train_along(kernels, plan, [repr(float(alpha)) for alpha in alphas], watch)
    alphas = _reached(alphas, points, model.max_seconds)
    model._keep(_core.make_model(kernels, points[-1], model.tol))

    def gather(value):
        each = [np.array([value(point[c]) for point in points]) for c in range(len(points[0]))]
        return each[0] if len(each) == 1 else np.array(each)

    return MKLPath(
        alphas=alphas,
        kernel_weights=gather(lambda p: model._spread(p, p.weights)),
        kernel_norms=gather(lambda p: model._spread(p, p.norms)),
        coef_scales=gather(lambda p: model._spread(p, p.scale)),
        duals=gather(lambda p: model._all_samples(by_output(p))),
        intercepts=gather(intercept_of),
        covariate_coefs=gather(covariate_coef_of),
        duality_gaps=gather(lambda p: p.gap),
        n_active=gather(lambda p: len(p.kernels)),
        kernel_names=model.kernel_names_,
    )


def _shape(estimator) -> dict[str, Any]:
    """What a cross-validation chose beside alpha."""
    return {name: value for name, value in getattr(estimator, "best_params_", {}).items() if name != "alpha"}


def _absolute(alphas, largest):
    """As numbers."""
    if not isinstance(alphas[0], str):
        return np.array(alphas)
    unit = largest() if any(alpha.endswith("max") for alpha in alphas) else 1.0
    numbers = [(alpha.removesuffix("max") or 1, unit if alpha.endswith("max") else 1.0) for alpha in alphas]
    return np.sort([float(number) * scale for number, scale in numbers])[::-1]


def _reached(alphas, points, max_seconds):
    """The strengths for which there was time."""
    if not points:
        raise TimeoutError(f"max_seconds={max_seconds:g} was over before the first alpha was solved; raise it")
    if len(points) < len(alphas):
        warnings.warn(
            f"max_seconds={max_seconds:g} was over after {len(points)} of {len(alphas)} alphas; the path ends there",
            ConvergenceWarning,
            stacklevel=4,
        )
    return alphas[: len(points)]


def _refuse_unknown(function, estimator, parameters) -> None:
    """Python's own sentence would be that of an internal call."""
    own = [name for name, one in inspect.signature(function).parameters.items() if one.kind is one.KEYWORD_ONLY]
    taken = list(inspect.signature(estimator).parameters)
    for name in parameters:
        if name in taken:
            continue
        close = get_close_matches(name, [*own, *taken], n=1, cutoff=0.7)
        meant = f" (did you mean {close[0]}=?)" if close else ""
        raise TypeError(
            f"{function.__name__} takes no parameter {name!r}{meant}; beside X and y it takes {', '.join(own)} and the "
            f"parameters of {estimator.__name__}: {', '.join(taken)}"
        )


def _estimator_for(function, y, loss, parameters):
    check_parameters({} if loss is None else {"loss": loss})
    if loss is None and np.asarray(y).dtype.names:
        loss = MKLSurvival.loss
    if loss is None:
        loss = _guessed_loss(y)
    if isinstance(loss, str) and loss == MKLSurvival.loss:
        _refuse_unknown(function, MKLSurvival, parameters)
        return MKLSurvival(**parameters)
    classes = loss in (*losses_for("classes"), JOINT_LOSS) if isinstance(loss, str) else loss.labels == "classes"
    kind = MKLClassifier if classes else MKLRegressor
    _refuse_unknown(function, kind, parameters)
    return kind(loss=loss, **parameters)


_FEW = 20  # different whole numbers that could be the names of classes


def _guessed_loss(y) -> str:
    """As the command has it: strings and two different numbers are classes."""
    if is_several(y):
        return "squared"
    values = np.asarray(y)
    if values.dtype.kind not in "iuf" or type_of_target(values).startswith("continuous"):
        return "squared" if type_of_target(values).startswith("continuous") else "logistic"
    n_different = len(np.unique(values))
    if n_different <= 2:
        return "logistic"
    if n_different <= _FEW:
        warnings.warn(
            f"y has {n_different} different whole numbers, which are taken as numbers (loss='squared'); if they are "
            "classes, say loss='logistic'",
            UserWarning,
            stacklevel=4,
        )
    return "squared"
