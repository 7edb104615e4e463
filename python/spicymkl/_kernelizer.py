"""Kernels as a step of a pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._columns import warn_of_numbers_as_strings
from ._compat import Tags
from ._estimator import BaseMKL
from ._input import column_categories, column_names, read_table
from ._kernel_choice import choose_kernels, function_name
from ._parameters import check_parameters
from ._tables import as_options
from ._training import Data, function_grams, warn_of_notes

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Self


class Kernelizer(Tags, TransformerMixin, BaseEstimator):
    """Turns rows into Gram matrices, for an estimator with ``kernels="precomputed"``.

    Parameters
    ----------
    kernels : as for MKLClassifier, default="auto"
        Anything but "precomputed".
    standardize : bool, default=True
        Whether kernels see columns of mean 0 and deviation 1 on the training rows.
    n_jobs : int, default=None
        Threads. None is as many as OMP_NUM_THREADS allows, -1 all cores.
    random_state : int or RandomState, default=None
        The seed of ``kernels="random:M"``; None is 0.

    Attributes
    ----------
    kernel_names_ : list of str
        The names of the kernels.
    X_fit_ : ndarray of shape (n_samples, n_features)
        The training rows.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X was a frame.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from spicymkl import Gaussian, Kernelizer, MKLClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(Kernelizer([Gaussian(width=[0.5, 2])]), MKLClassifier("precomputed"))
    >>> model.fit(X, y).score(X, y) > 0.9
    True
    """

    kernel_names_: list[str]
    X_fit_: NDArray[np.float64]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def __init__(
        self,
        kernels: Any = "auto",
        *,
        standardize: bool = True,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.kernels = kernels
        self.standardize = standardize
        self.n_jobs = n_jobs
        self.random_state = random_state

    _threads = BaseMKL._threads
    _seed = BaseMKL._seed

    def _is_pairwise(self):
        return False

    def _takes_sparse(self):
        return True

    def fit(self, X: Data, y: Data = None) -> Self:
        """Fit the kernels on training rows.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : ignored

        Returns
        -------
        self
        """
        check_parameters(self.get_params(deep=False))
        warn_of_numbers_as_strings(X)
        self.X_fit_ = read_table(self, X, reset=True)
        self._seed_used = self._seed()
        self._fit_kernels()
        if self._fitted is not None:
            warn_of_notes(self._fitted.notes, stacklevel=3)
        return self

    def _fit_kernels(self):
        choice = choose_kernels(self.kernels)
        if choice.precomputed:
            raise ValueError("kernels is 'precomputed', but a Kernelizer computes them; give kernels, or leave it out")
        if choice.functions:
            self._fitted, self.kernel_names_ = None, [function_name(function) for function in choice.functions]
            return
        self._fitted = _core.fit_kernels(
            self.X_fit_,
            column_names(self),
            column_categories(self),
            as_options(choice.options(self.standardize, self._seed_used)),
            self._threads(),
        )
        self.kernel_names_ = self._fitted.names

    def fit_transform(self, X: Data, y: Data = None) -> NDArray[np.float64]:
        """Fit, and give the Gram matrices of the training rows.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : ignored

        Returns
        -------
        ndarray of shape (n_kernels, n_samples, n_samples)
        """
        self.fit(X)
        return self._functions(self.X_fit_) if self._fitted is None else self._fitted.grams()

    def transform(self, X: Data) -> NDArray[np.float64]:
        """The kernels of new rows with the training rows.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_new, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_kernels, n_new, n_samples)
        """
        check_is_fitted(self)
        X = read_table(self, X, reset=False)
        return self._functions(X) if self._fitted is None else self._fitted.cross(X)

    def _functions(self, X):
        return function_grams(choose_kernels(self.kernels).functions, X, self.X_fit_)

    def __getstate__(self):
        return {key: value for key, value in super().__getstate__().items() if key != "_fitted"}

    def __setstate__(self, state):
        super().__setstate__(state)
        if hasattr(self, "X_fit_"):
            self._fit_kernels()  # the same data, parameters and seed: the same kernels
