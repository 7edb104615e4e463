"""The regularisation path, and where it begins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.utils.multiclass import type_of_target

from . import _core
from ._classifier import MKLClassifier
from ._regressor import MKLRegressor

_CLASS_LOSSES = ("logistic", "hinge", "squared_hinge")


@dataclass
class MKLPath:
    """What :func:`mkl_path` gives.

    With more than two classes all but ``alphas`` and ``kernel_names`` have a leading axis of classes.

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
    duality_gaps : ndarray of shape (n_alphas,)
        The relative duality gaps.
    n_active : ndarray of shape (n_alphas,)
        How many kernels are active.
    kernel_names : ndarray of shape (n_kernels,)
        The names of the kernels.
    """

    alphas: np.ndarray
    kernel_weights: np.ndarray
    kernel_norms: np.ndarray
    coef_scales: np.ndarray
    duals: np.ndarray
    intercepts: np.ndarray
    duality_gaps: np.ndarray
    n_active: np.ndarray
    kernel_names: np.ndarray


def alpha_max(X, y, *, sample_weight=None, loss=None, **parameters):
    """The smallest strength at which no kernel is selected.

    Parameters
    ----------
    X, y, sample_weight : as for ``MKLClassifier.fit``
        The training data.
    loss : str or Loss, default=None
        None is "logistic" for classes and "squared" for numbers.
    **parameters
        Of MKLClassifier or MKLRegressor: kernels, penalty and so on.

    Returns
    -------
    float
        With more than two classes, the largest of theirs. For a penalty that switches no kernel off, the natural unit of
        alpha.
    """
    estimator = _estimator_for(y, loss, parameters)
    kernels, y, weights = estimator._prepare(X, y, sample_weight)
    return _largest_alpha_max(estimator, kernels, y, weights)


def mkl_path(X, y, *, alphas=20, eps=1e-2, sample_weight=None, loss=None, **parameters) -> MKLPath:
    """Solve at decreasing strengths, each from the solution before.

    Parameters
    ----------
    X, y, sample_weight : as for ``MKLClassifier.fit``
        The training data.
    alphas : int or array-like, default=20
        How many strengths from alpha_max down to eps·alpha_max, or which.
    eps : float, default=1e-2
        The smallest strength over the largest.
    loss : str or Loss, default=None
        None is "logistic" for classes and "squared" for numbers.
    **parameters
        Of MKLClassifier or MKLRegressor: kernels, penalty and so on.

    Returns
    -------
    MKLPath
    """
    return path_of(_estimator_for(y, loss, parameters), X, y, alphas=alphas, eps=eps, sample_weight=sample_weight)


def path_of(estimator, X, y, *, alphas=20, eps=1e-2, sample_weight=None) -> MKLPath:
    """The path of an estimator's problem; the estimator is left as it is."""
    model = clone(estimator)
    kernels, y, weights = model._prepare(X, y, sample_weight)
    alphas = _decreasing(alphas, eps, lambda: _largest_alpha_max(model, kernels, y, weights))
    shape = {name: value for name, value in getattr(estimator, "best_params_", {}).items() if name != "alpha"}
    texts = [repr(float(alpha)) for alpha in alphas]
    points = model._train_along(kernels, y, weights, model._objective(**shape), texts)
    model._keep(kernels, points[-1], weights)

    def gather(value):
        each = [np.array([value(point[c]) for point in points]) for c in range(len(points[0]))]
        return each[0] if len(each) == 1 else np.array(each)

    return MKLPath(
        alphas=alphas,
        kernel_weights=gather(lambda p: model._spread(p, p.weights)),
        kernel_norms=gather(lambda p: model._spread(p, p.norms)),
        coef_scales=gather(lambda p: model._spread(p, p.scale)),
        duals=gather(lambda p: model._all_samples(p.dual)),
        intercepts=gather(lambda p: p.intercept),
        duality_gaps=gather(lambda p: p.gap),
        n_active=gather(lambda p: len(p.kernels)),
        kernel_names=model.kernel_names_,
    )


def _decreasing(alphas, eps, largest):
    if np.ndim(alphas) == 0:
        unit = largest()
        return np.array([unit * float(text.removesuffix("max")) for text in _core.alpha_grid(int(alphas), eps)])
    alphas = np.sort(np.asarray(alphas, dtype=np.float64))[::-1]
    if not len(alphas) or not (alphas > 0).all() or not np.isfinite(alphas).all():
        raise ValueError("alphas must be numbers above 0")
    return alphas


def _largest_alpha_max(estimator, kernels, y, weights):
    objective = estimator._objective(alpha=1.0)
    return max(objective.alpha_max(kernels, labels, weights) for _, labels in estimator._problems(y))


def _estimator_for(y, loss, parameters):
    if loss is None:
        loss = "squared" if type_of_target(y).startswith("continuous") or _has_many_numbers(y) else "logistic"
    classes = loss in _CLASS_LOSSES if isinstance(loss, str) else loss.labels == "classes"
    return (MKLClassifier if classes else MKLRegressor)(loss=loss, **parameters)


def _has_many_numbers(y):
    """As the command has it: texts and two different numbers are classes."""
    y = np.asarray(y)
    return y.dtype.kind in "iuf" and len(np.unique(y)) > 2
