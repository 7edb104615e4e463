"""The regressor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ._documentation import documented
from ._estimator import BaseMKL
from ._signatures import RegressorParameters
from ._targets import in_order
from ._training import Data

if TYPE_CHECKING:
    from numpy.typing import NDArray


@documented(
    """
    Multiple kernel learning for regression, with proof.

    Learns f(x) = Σ_m f_m(x) + b over many kernels and a weight for each of them. Where y has several columns, all of them
    are learned at once with one weight per kernel or, with ``multi_output="each"``, each with kernels of its own.
    """,
    examples="""
    >>> from sklearn.datasets import make_friedman1
    >>> from spicymkl import MKLRegressor
    >>> X, y = make_friedman1(100, n_features=6, random_state=0)
    >>> MKLRegressor(alpha="0.01max").fit(X, y).score(X, y) > 0.9
    True
    """,
)
class MKLRegressor(RegressorMixin, RegressorParameters, BaseMKL):
    target_names_: NDArray[np.str_]

    _labels = "numbers"
    _familiar = "r2"

    def _read_target(self, y):
        y = np.asarray(y)
        if y.dtype.kind in "mM":
            raise ValueError(f"y holds dates or times ({y.dtype}); convert to numbers first")
        return np.asarray(y, dtype=np.float64)

    def _takes_several_targets(self) -> bool:
        return True

    def score(self, X: Data, y: Data, sample_weight: Data = None) -> float:
        """The coefficient of determination R², the mean of those of several targets.

        Parameters
        ----------
        X : as for ``predict``
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            The truth. Columns of a frame are found by the names of the targets, those of an array by their place.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts.

        Returns
        -------
        float
        """
        check_is_fitted(self)
        return super().score(X, in_order(y, self._model.targets), sample_weight)

    def _cv_score(self, X, y, importance) -> tuple[float, float]:
        """By which a strength is chosen, and R²: the same."""
        score = self.score(X, y, sample_weight=importance)
        return score, score

    def predict(self, X: Data) -> NDArray[np.float64]:
        """The prediction f(x).

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            With ``kernels="precomputed"``, kernels of new rows with the training samples: a :class:`KernelStack`, an array
            of shape (n_kernels, n_new, n_samples), or a dict from names to matrices.

        Returns
        -------
        ndarray of shape (n_samples,)
            With several targets, of shape (n_samples, n_targets).
        """
        check_is_fitted(self)
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores
