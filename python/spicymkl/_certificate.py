"""The proof of a fitted model."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from . import _core


def certificate(estimator: Any, X: Any = None, y: Any = None, sample_weight: Any = None) -> dict[str, Any]:
    """The proof of a fitted model, as it was stored, or recomputed from data.

    Parameters
    ----------
    estimator : MKLClassifier or MKLRegressor
        A fitted estimator.
    X, y : arrays, default=None
        The training data. With them, kernels, primal value, dual value and gap are computed anew.
    sample_weight : array-like of shape (n_samples,), default=None
        The weights of the training samples; None means those of the model.

    Returns
    -------
    dict
        Without data, what ``spicymkl train --certificate`` writes: enough for anyone with the Gram matrices to check the
        gap without this library. With data, ``primal``, ``dual_objective``, ``relative_gap``, ``tol`` and whether it
        ``holds``. With more than two classes that were learned each against the rest, ``{"classes": [...]}``, one for each; so
        with ``{"targets": [...]}`` that have kernels each.
    """
    check_is_fitted(estimator)
    if X is None:
        return _stored(estimator)
    proofs = [
        {
            **{name: getattr(proof, name) for name in ("primal", "dual_objective", "relative_gap")},
            "tol": estimator.tol,
            "holds": proof.relative_gap <= estimator.tol,
        }
        for proof in _recomputed(estimator, X, y, sample_weight)
    ]
    if len(proofs) == 1:
        return proofs[0]
    kind = "targets" if estimator._model.targets else "classes"
    return {"holds": all(proof["holds"] for proof in proofs), kind: proofs}


def _stored(estimator):
    if not isinstance(estimator.penalty, str):
        raise ValueError("the penalty is your own, so that nobody else could check a stored proof; pass X and y")
    return json.loads(estimator._model.certificate_json())


def _recomputed(estimator, X, y, sample_weight):
    fresh = clone(estimator)
    if hasattr(estimator, "best_params_"):
        fresh.best_params_ = estimator.best_params_
    if sample_weight is None and len(estimator._model.sample_weights) and len(y) == estimator._n_training:
        sample_weight, fresh.class_weight = estimator._all_samples(estimator._model.sample_weights), None
    watch = _core.Watch(0.0)  # half a proof is none
    kernels = fresh._prepare(X, y, sample_weight, watch)
    if not _same_kernels(fresh, kernels, estimator._model) or kernels.n_samples != estimator._model.n_samples:
        raise ValueError("these are not the data of the model: their samples or kernels differ")
    if len(fresh._target_names) != len(estimator._model.targets):
        raise ValueError(
            f"y has {max(1, len(fresh._target_names))} targets, but the model {max(1, len(estimator._model.targets))}"
        )
    if hasattr(estimator, "classes_") and not _same(fresh.classes_, estimator.classes_):
        raise ValueError(f"y has the classes {fresh.classes_}, but the model {estimator.classes_}")
    plan = fresh._plan(**({"alpha": 1.0} if hasattr(fresh, "alphas") else {}))
    for number, fit in enumerate(estimator._model.fits):
        yield _core.certify(kernels, number, plan, fit, watch)


def _same_kernels(fresh, kernels, model) -> bool:
    """By name, or, where precomputed kernels come without names, by number."""
    if fresh._is_pairwise() and fresh._gram_names is None:
        return kernels.n_kernels == len(model.kernel_names)
    return kernels.names == model.kernel_names


def _same(classes, known) -> bool:
    """As numbers, which 1.0 and 1 are alike, or as strings, as which a model file keeps them."""
    return np.array_equal(classes, known) or np.array_equal(classes.astype(str), known.astype(str))
