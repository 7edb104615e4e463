"""Estimators that choose the strength of the penalty, and its shape, by cross-validation."""

from __future__ import annotations

from itertools import product

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable

from . import _core
from ._classifier import MKLClassifier
from ._estimator import take_samples
from ._input import read_grams
from ._kernel_choice import choose_kernels
from ._regressor import MKLRegressor


class _CrossValidated:
    """fit of the estimators below; `_plain` is the estimator without cross-validation."""

    def fit(self, X, y, sample_weight=None):
        """Choose the strength by cross-validation, then learn from all samples.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            With ``kernels="precomputed"``, the Gram matrices, of shape (n_kernels, n_samples, n_samples).
        y : array-like of shape (n_samples,)
            What is to be learned.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample's loss counts; samples of weight 0 are left out.

        Returns
        -------
        self
        """
        self.best_params_ = {}
        importance = self._importance(X, y, sample_weight)
        shapes = [{"l1_ratio": l1_ratio, "q": q} for l1_ratio, q in product(_values(self.l1_ratio), _values(self.q))]
        candidates = [{"alpha": alpha, **shape} for shape in shapes for alpha in self._alphas()]
        folds = self._folds(X, y, sample_weight, importance)
        scores = np.array([self._score_fold(shapes, *fold) for fold in folds])
        self.cv_results_ = {name: np.array([c[name] for c in candidates]) for name in candidates[0]}
        self.cv_results_["split_test_scores"] = scores
        self.cv_results_["mean_test_score"] = scores.mean(axis=0)
        self.cv_results_["std_test_score"] = scores.std(axis=0)
        means = scores.mean(axis=0)
        # Of equal ones, up to rounding, the first, which has the larger alpha.
        self.best_index_ = int(np.argmax(means >= means.max() - 1e-12 * abs(means.max())))
        self.best_score_ = float(means[self.best_index_])
        self.best_params_ = candidates[self.best_index_]
        return super().fit(X, y, sample_weight)

    def _objective(self, **changes):
        shape = {"l1_ratio": _values(self.l1_ratio)[0], "q": _values(self.q)[0]}
        return super()._objective(**{**shape, **getattr(self, "best_params_", {}), **changes})

    def _alphas(self):
        """Decreasing strengths."""
        if np.ndim(self.alphas) == 0:
            return _core.alpha_grid(int(self.alphas), self.eps)
        texts = [isinstance(alpha, str) for alpha in self.alphas]
        if any(texts) and not all(texts):
            raise ValueError(f"alphas are {self.alphas!r}; they must all be numbers, or all be texts such as '0.1max'")
        number = (lambda text: float(text.removesuffix("max") or 1)) if all(texts) else float
        return sorted(self.alphas, key=number, reverse=True)

    def _importance(self, X, y, sample_weight):
        """How much each sample counts. Input that cannot be learned from is refused before it is divided."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        _, y = self._read_training(X, y, choose_kernels(self.kernels))
        return self._sample_weights(self._read_target(y), sample_weight)

    def _folds(self, X, y, sample_weight, importance):
        """Training and test samples of each fold: (X, y, weights), (X, y, importance)."""
        y = np.asarray(y).ravel()
        weights = None if sample_weight is None else np.asarray(sample_weight)
        grams = read_grams(self, X, reset=True) if self._is_pairwise() else None
        rows = np.zeros((len(y), 1)) if grams is not None else indexable(X)[0]
        for train, test in check_cv(self.cv, y, classifier=is_classifier(self)).split(rows, y):
            chosen = None if weights is None else weights[train]
            if grams is not None:
                learn, judge = take_samples(grams, train), grams[:, test][:, :, train]
            else:
                learn, judge = _safe_indexing(rows, train), _safe_indexing(rows, test)
            yield (learn, y[train], chosen), (judge, y[test], importance[test])

    def _score_fold(self, shapes, training, test):
        parameters = {name: value for name, value in self.get_params(deep=False).items() if name not in _OWN}
        model = self._plain(**{**parameters, **shapes[0]})
        model._known_categories = self._categories if hasattr(self, "_categories") else {}
        kernels, y, weights = model._prepare(*training)
        alphas = [alpha if isinstance(alpha, str) else repr(float(alpha)) for alpha in self._alphas()]
        scores = []
        for shape in shapes:
            for trained in model._train_along(kernels, y, weights, model._objective(**shape), alphas):
                model._keep(kernels, trained, weights)
                scores.append(self._score(model, *test))
        return scores

    def _score(self, model, X, y, importance):
        if self.scoring is None:
            return model.score(X, y, sample_weight=importance if importance.any() else None)
        return check_scoring(model, scoring=self.scoring)(model, X, y)


_OWN = ("alphas", "eps", "cv", "scoring", "warm_start")


def _values(value):
    return [value] if np.ndim(value) == 0 else list(value)


class MKLClassifierCV(_CrossValidated, MKLClassifier):
    _plain = MKLClassifier

    def __init__(
        self,
        kernels="auto",
        *,
        alphas=10,
        eps=1e-2,
        cv=None,
        scoring=None,
        loss="logistic",
        penalty="block1",
        l1_ratio=0.5,
        q=1.5,
        fit_intercept=True,
        tol=1e-3,
        max_iter=200,
        solver="auto",
        class_weight=None,
        multi_class="ovr",
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
        standardize=True,
        memory=None,
        psd=None,
    ):
        super().__init__(
            kernels,
            loss=loss,
            penalty=penalty,
            l1_ratio=l1_ratio,
            q=q,
            fit_intercept=fit_intercept,
            tol=tol,
            max_iter=max_iter,
            solver=solver,
            class_weight=class_weight,
            multi_class=multi_class,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
            warm_start=warm_start,
            standardize=standardize,
            memory=memory,
            psd=psd,
        )
        del self.alpha
        self.alphas = alphas
        self.eps = eps
        self.cv = cv
        self.scoring = scoring


class MKLRegressorCV(_CrossValidated, MKLRegressor):
    _plain = MKLRegressor

    def __init__(
        self,
        kernels="auto",
        *,
        alphas=10,
        eps=1e-2,
        cv=None,
        scoring=None,
        loss="squared",
        penalty="block1",
        l1_ratio=0.5,
        q=1.5,
        epsilon=0.1,
        quantile=0.5,
        fit_intercept=True,
        tol=1e-3,
        max_iter=200,
        solver="auto",
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
        standardize=True,
        memory=None,
        psd=None,
    ):
        super().__init__(
            kernels,
            loss=loss,
            penalty=penalty,
            l1_ratio=l1_ratio,
            q=q,
            epsilon=epsilon,
            quantile=quantile,
            fit_intercept=fit_intercept,
            tol=tol,
            max_iter=max_iter,
            solver=solver,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
            warm_start=warm_start,
            standardize=standardize,
            memory=memory,
            psd=psd,
        )
        del self.alpha
        self.alphas = alphas
        self.eps = eps
        self.cv = cv
        self.scoring = scoring


def _documentation(plain, task: str) -> str:
    text = plain.__doc__
    alpha = text[text.index("    alpha :") : text.index("    l1_ratio :")]
    head = text[: text.index("    Parameters\n")]
    for old, new in (
        (head, _HEAD.format(task=task)),
        (alpha, _ALPHAS),
        ("    l1_ratio : float,", "    l1_ratio : float or list of float,"),
        ("    q : float,", "    q : float or list of float,"),
        ("    n_features_in_ :", _RESULTS + "    n_features_in_ :"),
        (text[text.index("    Examples\n") :], "    "),
    ):
        text = text.replace(old, new)
    return text


_HEAD = """Multiple kernel learning for {task}, with the strength of the penalty chosen by cross-validation.

    Kernels, their normalisation and the standardisation of columns are fitted on the training part of each fold alone. The
    strengths of a fold are solved one from the other.

"""
_ALPHAS = """    alphas : int or list, default=10
        How many strengths from alpha_max down to eps·alpha_max, or which: numbers, or texts such as ``"0.1max"``, multiples
        of the alpha_max of the samples at hand.
    eps : float, default=1e-2
        The smallest strength over the largest.
    cv : int, splitter or iterable, default=None
        As in scikit-learn; None is 5 folds.
    scoring : str or callable, default=None
        As in scikit-learn; None is the estimator's own score, in which samples count as much as in learning.
"""
_RESULTS = """    best_params_ : dict
        The chosen alpha (as it was given or made from ``alphas``), l1_ratio and q.
    best_score_ : float
        Its mean score over the folds.
    best_index_ : int
        Its place in ``cv_results_``.
    cv_results_ : dict of arrays
        alpha, l1_ratio, q, mean_test_score, std_test_score and split_test_scores of all that was tried.
"""

MKLClassifierCV.__doc__ = _documentation(MKLClassifier, "classification")
MKLRegressorCV.__doc__ = _documentation(MKLRegressor, "regression")
