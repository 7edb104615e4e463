"""The regressor."""

from __future__ import annotations

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ._classifier import MKLClassifier
from ._estimator import BaseMKL


class MKLRegressor(RegressorMixin, BaseMKL):
    _labels = "numbers"

    def __init__(
        self,
        kernels="auto",
        *,
        loss="squared",
        penalty="block1",
        alpha=None,
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
        self.kernels = kernels
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.q = q
        self.epsilon = epsilon
        self.quantile = quantile
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.standardize = standardize
        self.memory = memory
        self.psd = psd

    def _read_target(self, y):
        return np.asarray(y, dtype=np.float64)

    def _problems(self, y):
        yield "", y

    def predict(self, X):
        """The prediction f(x).

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            With ``kernels="precomputed"``, kernels of new rows with the training samples, (n_kernels, n_new, n_samples).

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self._scores(X)[:, 0]


def _documentation() -> str:
    """That of the classifier, where they agree."""
    text = MKLClassifier.__doc__
    losses = text[text.index("    loss :") : text.index("    penalty :")]
    weights = text[text.index("    class_weight :") : text.index("    n_jobs :")]
    classes = text[text.index("    classes_ :") : text.index("    kernel_weights_ :")]
    examples = text[text.index("    Examples\n") :]
    for old, new in (
        (text[: text.index("    Parameters\n")], _HEAD),
        (losses, _LOSSES),
        (weights, ""),
        (classes, ""),
        (examples, _EXAMPLES),
        (" With more than two classes this and the following have a leading axis of classes.", ""),
        (" (for some class)", ""),
    ):
        text = text.replace(old, new)
    return text.replace("    fit_intercept :", _PARAMETERS + "    fit_intercept :", 1)


_HEAD = """Multiple kernel learning for regression, with proof.

    Learns f(x) = Σ_m f_m(x) + b over many kernels and a weight for each of them.

"""
_LOSSES = """    loss : {"squared", "epsilon_insensitive", "huber", "quantile"} or Loss, default="squared"
        The loss, or one of your own.
"""
_PARAMETERS = """    epsilon : float, default=0.1
        The half-width of the tube of epsilon_insensitive; where huber turns linear.
    quantile : float, default=0.5
        Which quantile the quantile loss estimates.
"""
_EXAMPLES = """    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from spicymkl import MKLRegressor
    >>> X, y = make_friedman1(100, n_features=6, random_state=0)
    >>> MKLRegressor(alpha="0.01max").fit(X, y).score(X, y) > 0.9
    True
    """

MKLRegressor.__doc__ = _documentation()
