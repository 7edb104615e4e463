"""What the classifier and the regressor share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._compat import Tags
from ._device_arrays import lies_on_device
from ._frames import contribution_frame, prediction_frame, summary_frame
from ._html import with_results
from ._input import JoinedRows, read_grams, read_table
from ._kernel_choice import choose_kernels
from ._report import write_report
from ._training import Data, Training, function_grams

if TYPE_CHECKING:
    import os

    import pandas as pd
    from numpy.typing import NDArray
    from typing_extensions import Self


class BaseMKL(Training, Tags, BaseEstimator):
    """Multiple kernel learning: a trained estimator predicts, and says what it learned."""

    kernel_weights_: NDArray[np.float64]
    kernel_norms_: NDArray[np.float64]
    active_kernels_: NDArray[np.intp]
    kernel_names_: NDArray[np.str_]
    kernel_groups_: NDArray[np.str_]
    dual_: NDArray[np.float64]
    coef_scale_: NDArray[np.float64]
    intercept_: float | NDArray[np.float64]
    covariate_names_: NDArray[np.str_]
    covariate_coef_: NDArray[np.float64]
    alpha_: float | NDArray[np.float64]
    primal_objective_: float | NDArray[np.float64]
    dual_objective_: float | NDArray[np.float64]
    duality_gap_: float | NDArray[np.float64]
    n_iter_: int | NDArray[np.int64]
    status_: str | NDArray[np.str_]
    fit_seconds_: float | NDArray[np.float64]
    history_: dict[str, NDArray[np.float64]] | list[dict[str, NDArray[np.float64]]]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    _rank_tolerance: float | None = None  # of low-rank kernels; None: that of the library

    if TYPE_CHECKING:

        def score(self, X: Data, y: Data, sample_weight: Data = None) -> float:
            """That of scikit-learn: accuracy, or R²."""

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """Of scikit-learn's BaseEstimator."""

        def set_params(self, **params: Any) -> Self:
            """Of scikit-learn's BaseEstimator."""

    # --- predictions ---------------------------------------------------------------------------------------------------

    def _scores(self, X):
        """(n, problems)"""
        return self._ask_model(X, self._model.scores, self._model.gram_scores, self._model.device_gram_scores)

    def contributions(self, X: Data) -> NDArray[np.float64]:
        """Each kernel's share of the decision.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        ndarray of shape (n_samples, n_kernels)
            Column m holds f_m(x): rows sum, with ``intercept_`` and what the covariates add, to the decision. With more than
            two classes the shape is (n_classes, n_samples, n_kernels), with several targets (n_targets, n_samples,
            n_kernels).
        """
        check_is_fitted(self)
        model = self._model
        return self._by_class(list(self._ask_model(X, model.shares, model.gram_shares, model.device_gram_shares)))

    def contribution_frame(self, X: Data) -> pd.DataFrame:
        """What :meth:`contributions` gives, and what the covariates add, as a pandas frame with the index of X.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        pandas.DataFrame
            A column of each kernel, by its name, and where there are covariates a last one of what they add together,
            ``covariates``; rows sum, with ``intercept_``, to the decision. With more than two classes or several targets,
            these columns of each of them.
        """
        return contribution_frame(self, X, *self._parts_of_decisions(X))

    def _parts_of_decisions(self, X):
        """What rows are the sum of, beside the intercept, and what each of it is called."""
        shares, names = self.contributions(X), self.kernel_names_.tolist()
        if not len(self.covariate_names_):
            return shares, names
        decisions = self._scores(X).T.reshape(shares.shape[:-1])
        added = decisions - shares.sum(axis=-1) - np.asarray(self.intercept_)[..., None]
        return np.concatenate([shares, added[..., None]], axis=-1), [*names, "covariates"]

    def prediction_frame(self, X: Data) -> pd.DataFrame:
        """Predictions as a pandas frame with the index of X: the columns that the command's ``predict`` writes.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        pandas.DataFrame
            prediction, or prediction_<target> of each of several; of classes also the scores, and the probabilities where
            the loss has them.
        """
        check_is_fitted(self)
        return prediction_frame(self, X)

    def _ask_model(self, X, of_table, of_grams, of_device):
        threads = self._threads()
        choice = choose_kernels(self.kernels)
        if choice.is_table:
            X = read_table(self, X, reset=False)
            values, lacking = (X.values, X.lacking) if isinstance(X, JoinedRows) else (X, None)
            return of_table(values, threads, lacking, self.device)
        if choice.functions:
            functions = [choice.functions[m] for m in self.active_kernels_]
            return of_grams(function_grams(functions, read_table(self, X, reset=False), self.X_fit_), threads)
        K = read_grams(self, X, reset=False)
        if lies_on_device(K):
            return of_device(K, threads)
        if self._kept is not None:
            K = K[:, :, self._kept]
        if len(K) == len(self.kernel_names_) > len(self.active_kernels_):
            K = K[self.active_kernels_]
        return of_grams(np.ascontiguousarray(K, dtype=np.float64), threads)

    # --- what was learned ----------------------------------------------------------------------------------------------

    @property
    def source_names_(self) -> NDArray[np.str_]:
        """The sources that kernels come from, in the order of their first kernels."""
        check_is_fitted(self)
        return np.array([source.name for source in _core.kernel_sources(self._model)])

    @property
    def source_weights_(self) -> NDArray[np.float64]:
        """The sum of the weights of the kernels of each source."""
        check_is_fitted(self)
        weights = np.array([source.weight for source in _core.kernel_sources(self._model)])
        return self._by_class(list(weights.T))

    def summary(self) -> pd.DataFrame:
        """The kernels as a pandas frame, heaviest first.

        Returns
        -------
        pandas.DataFrame
            A row of each kernel, with its number as index: ``name``, ``source``, ``weight`` and ``norm``. Of classes that
            were learned each against the rest, the rows of one class after the other, which the first column, ``class``, names;
            so with targets that have kernels each, named by the column ``target``.
        """
        check_is_fitted(self)
        return summary_frame(self, _core.kernel_sources(self._model))

    def report(
        self,
        path: str | os.PathLike[str],
        X_test: Data = None,
        y_test: Data = None,
        *,
        data_name: str = "X",
        test_name: str = "X_test",
    ) -> None:
        """Write the HTML report that the command's ``train --report`` writes: one page that needs nothing else.

        Parameters
        ----------
        path : str or path
            The file, which appears complete or not at all. One that was read, a kernel list for example, is refused.
        X_test, y_test : arrays, default=None
            Rows that were not learned from: the report then says how well they are predicted.
        data_name : str, default="X"
            What the training data are called in the report: a file, for example.
        test_name : str, default="X_test"
            What the test rows are called.
        """
        write_report(self, path, X_test, y_test, data_name, test_name)

    # --- keeping it ----------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a .safetensors file, which the command and ``spicymkl.load`` read.

        No code runs on loading it. It holds no Python: pickle an estimator whose kernels, loss or penalty are your own.
        """
        from ._persistence import save

        save(self, path)

    def __getstate__(self):
        state = super().__getstate__()
        # Where a later fit may start from serves this process only.
        return {key: value for key, value in state.items() if key not in ("_trained", "_trained_size")}

    def _repr_html_(self):
        return with_results(self)

    def _repr_mimebundle_(self, **_):
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
