"""What the classifier and the regressor share."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted, column_or_1d

from . import _core
from ._columns import warn_of_row_numbers
from ._compat import Tags
from ._frames import contribution_frame, prediction_frame, summary_frame
from ._html import with_results
from ._idle import warn_of_idle_parameters
from ._input import column_categories, column_names, read_grams, read_table
from ._kernel_choice import KernelChoice, choose_kernels, function_name
from ._parameters import check_parameters
from ._progress import count, progress
from ._report import training_facts, write_report
from ._tables import PROBLEM_OPTIONS, as_options

if TYPE_CHECKING:
    import os

    import pandas as pd
    from numpy.typing import NDArray
    from typing_extensions import Self

# Arrays, frames of any library, sparse matrices, precomputed kernels: no static type covers them all.
Data = Any

HISTORY = ("seconds", "primal", "dual", "gap", "n_active")


class BaseMKL(Tags, BaseEstimator):
    """Multiple kernel learning: kernels, a penalty on them, a solver with proof."""

    kernel_weights_: NDArray[np.float64]
    kernel_norms_: NDArray[np.float64]
    active_kernels_: NDArray[np.intp]
    kernel_names_: NDArray[np.str_]
    kernel_groups_: NDArray[np.str_]
    dual_: NDArray[np.float64]
    coef_scale_: NDArray[np.float64]
    intercept_: float | NDArray[np.float64]
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

    # --- what subclasses say -------------------------------------------------------------------------------------------

    def _read_target(self, y):
        """y as it is used below, after setting what is learned from it."""
        raise NotImplementedError

    def _check_target(self, y):
        """Refuses what cannot be learned from, once samples of weight 0 are left out."""

    def _class_texts(self) -> list[str]:
        return []

    def _class_weights(self, y):
        return 1.0

    # --- parameters ----------------------------------------------------------------------------------------------------

    def _check_parameters(self) -> KernelChoice:
        """Refuses what can be known to be wrong before any work."""
        check_parameters(self.get_params(deep=False))
        self._check_loss()
        return choose_kernels(self.kernels)

    def _plan(self, **changes) -> _core.Plan:
        """Of the parameters, with some of them changed."""
        values = {name: getattr(self, name) for name in PROBLEM_OPTIONS if hasattr(self, name)} | changes
        own = {name: values.pop(name) for name in ("loss", "penalty") if not isinstance(values[name], str)}
        return _core.Plan(as_options(values), **own)

    def _threads(self) -> int:
        """None: what OMP_NUM_THREADS allows. Negative numbers count from all cores down, as in joblib."""
        check_parameters({"n_jobs": self.n_jobs})
        most = _core.max_threads()
        if self.n_jobs is None:
            return most
        return int(self.n_jobs) if self.n_jobs > 0 else max(1, most + 1 + int(self.n_jobs))

    def _seed(self) -> int:
        if self.random_state is None:
            return 0
        if isinstance(self.random_state, np.random.RandomState):
            return int(self.random_state.randint(2**31 - 1))
        return int(self.random_state)

    def _is_pairwise(self) -> bool:
        return isinstance(self.kernels, str) and self.kernels == "precomputed"

    def _takes_sparse(self) -> bool:
        return not self._is_pairwise()

    # --- training ------------------------------------------------------------------------------------------------------

    def fit(self, X: Data, y: Data, sample_weight: Data = None) -> Self:
        """Learn the kernel weights and the predictor.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            With ``kernels="precomputed"``, the Gram matrices: a :class:`KernelStack`, an array of shape (n_kernels,
            n_samples, n_samples), or a dict from names to matrices.
        y : array-like of shape (n_samples,)
            What is to be learned.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample's loss counts; samples of weight 0 are left out.

        Returns
        -------
        self
        """
        self._forget()
        choice = self._check_parameters()
        warn_of_idle_parameters(self, choice)
        warn_of_row_numbers(X)
        watch = self._watch()
        self._choose(X, y, sample_weight, watch)
        return self._learn(X, y, sample_weight, watch)

    def _forget(self) -> None:
        """Drop what an earlier fit chose: the parameters at hand may choose otherwise."""

    def _choose(self, X, y, sample_weight, watch) -> None:
        """Choose what the parameters leave open, before learning from all samples."""

    def _watch(self) -> _core.Watch:
        """One clock for everything that a fit does."""
        return _core.Watch(float(self.max_seconds))

    def _learn(self, X, y, sample_weight, watch):
        began = time.perf_counter()
        kernels = self._prepare(X, y, sample_weight, watch)
        seconds_input = time.perf_counter() - began
        warn_of_notes(kernels.notes, stacklevel=4)
        start = self._trained if self.warm_start and self._has_start(kernels) else None
        with progress(self.verbose, self._fit_names("training"), self.tol) as show:
            trained = _core.train_model(kernels, self._default_plan(kernels), watch, show, start, self.warm_start)
        trained.model.seconds_input = seconds_input
        self._keep(trained.model)
        self._facts = training_facts(self, choose_kernels(self.kernels), kernels)
        self.history_ = self._by_class(trained.histories)
        if self.warm_start:
            self._trained, self._trained_size = trained, (kernels.n_samples, kernels.n_kernels)
        return self

    def _fit_names(self, alone: str) -> list[str]:
        """What the problems are called that are solved; `alone` if there is one only."""
        classes = self._class_texts()
        return [f"class {name}" for name in (classes[1:] if len(classes) == 2 else classes)] or [alone]

    def _default_plan(self, kernels) -> _core.Plan:
        return self._plan()

    def _train_along(self, kernels, plan, alphas, watch):
        """Solves every problem at decreasing strengths: of each strength, the fits.

        Those for which there was no time are not there.
        """
        paths = []
        for number, name in enumerate(self._fit_names("path")):
            with count(self.verbose, name, len(alphas)) as show:
                paths.append(_core.train_along(kernels, number, plan, alphas, watch, show))
        return list(zip(*paths))

    def _prepare(self, X, y, sample_weight, watch):
        """The kernels of the samples that count, with what is to be learned from them."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        choice = self._check_parameters()
        target_name, weight_name = _name_of(y, "y"), self._weight_name(sample_weight)
        X, y = self._read_training(X, y, choice)
        y = self._read_target(y)
        weights = self._sample_weights(y, sample_weight)
        self._kept, self._n_training = None, len(y)
        if not weights.all():
            self._kept = np.flatnonzero(weights)
            X, y, weights = take_samples(X, self._kept), y[self._kept], weights[self._kept]
        self._check_target(y)
        kernels = self._make_kernels(X, choice, watch)
        known = column_names(self) if choice.is_table else []
        kernels.set_names("y" if target_name in known else target_name, weight_name)
        kernels.set_target(self._plan(), self._class_texts(), np.asarray(y, dtype=np.float64), weights)
        return kernels

    def _check_loss(self):
        labels = self._plan().labels
        if labels != self._labels:
            raise ValueError(
                f"loss is {self.loss!r}, which learns {labels}; {type(self).__name__} learns {self._labels}"
            )

    def _read_training(self, X, y, choice: KernelChoice):
        if not choice.precomputed:
            return read_table(self, X, y, reset=True)
        K = read_grams(self, X, reset=True)
        y = column_or_1d(y, warn=True)
        check_consistent_length(K[0], y)
        return K, y

    def _sample_weights(self, y, sample_weight):
        weights = _check_sample_weight(sample_weight, y, dtype=np.float64)
        if (weights < 0).any():
            raise ValueError(f"sample_weight has {weights.min()}; weights must not be negative")
        if not weights.any():
            raise ValueError("all sample weights are 0; there is nothing to learn from")
        counted = weights > 0  # the others have no part in what is balanced
        weights = weights.copy()
        weights[counted] *= self._class_weights(y[counted])
        return weights

    def _weight_name(self, sample_weight) -> str:
        """What the weights of the samples are called in a report; empty if they have none."""
        names = [] if sample_weight is None else [_name_of(sample_weight, "sample_weight")]
        return " and ".join([*names, "class_weight"] if getattr(self, "class_weight", None) is not None else names)

    def _gram_kernels(self, K, names, watch) -> _core.TrainingKernels:
        psd = "refuse" if self.psd is None else self.psd
        if psd == "refuse" and K.dtype == np.float32:
            return _core.single_gram_kernels(K, names, self._threads(), watch)
        return _core.gram_kernels(np.asarray(K, dtype=np.float64), names, psd, self._threads(), watch)

    def _make_kernels(self, X, choice: KernelChoice, watch) -> _core.TrainingKernels:
        if choice.precomputed:
            return self._gram_kernels(X, self._gram_names or [f"k{m}" for m in range(len(X))], watch)
        if choice.functions:
            self.X_fit_ = X
            K = function_grams(choice.functions, X, X)
            return self._gram_kernels(K, _unique([function_name(f) for f in choice.functions]), watch)
        options = as_options(choice.options(self.standardize, self._seed(), self.memory))
        names, categories = column_names(self), column_categories(self)
        passes = self._plan().expected_passes
        return _core.table_kernels(X, names, categories, options, self._threads(), passes, watch, self._rank_tolerance)

    def _has_start(self, kernels) -> bool:
        """Whether the earlier solutions belong to problems of the same size."""
        return getattr(self, "_trained_size", None) == (kernels.n_samples, kernels.n_kernels)

    def _keep(self, model):
        self._model = model
        self._set_results(model.fits)
        for fit in model.fits:
            if fit.status != "converged":
                warnings.warn(
                    f"the relative duality gap is {fit.gap:.2e}, not yet {self.tol:g} ({fit.status}); "
                    f"{fit.message or 'raise max_iter, max_seconds or tol'}",
                    ConvergenceWarning,
                    stacklevel=4,
                )

    def _set_results(self, problems):
        """The fitted attributes, from solved problems."""
        self.kernel_names_ = np.array(self._model.kernel_names)
        self.kernel_groups_ = np.array(self._model.kernel_groups or [""] * len(self.kernel_names_))
        self.history_ = self._by_class([{name: np.array([]) for name in HISTORY} for _ in problems])
        spread, one = self._spread, self._by_class
        self.kernel_weights_ = one([spread(p, p.weights) for p in problems])
        self.kernel_norms_ = one([spread(p, p.norms) for p in problems])
        self.coef_scale_ = one([spread(p, p.scale) for p in problems])
        self.dual_ = one([self._all_samples(p.dual) for p in problems])
        self.intercept_ = one([p.intercept for p in problems])
        self.alpha_ = one([p.alpha for p in problems])
        self.primal_objective_ = one([p.primal for p in problems])
        self.dual_objective_ = one([p.dual_objective for p in problems])
        self.duality_gap_ = one([p.gap for p in problems])
        self.n_iter_ = one([max(p.iterations, 1) for p in problems])  # 0 steps: the start was proved optimal
        self.fit_seconds_ = one([p.seconds for p in problems])
        self.status_ = one([p.status for p in problems])
        self.active_kernels_ = np.array(sorted(set().union(*(p.kernels for p in problems))), dtype=np.intp)

    def _spread(self, problem, values):
        """Values of the active kernels as one of every kernel."""
        everything = np.zeros(len(self.kernel_names_))
        everything[problem.kernels] = values
        return everything

    def _all_samples(self, dual):
        if self._kept is None:
            return dual
        everything = np.zeros(self._n_training)
        everything[self._kept] = dual
        return everything

    @staticmethod
    def _by_class(values):
        """The value of the only problem, or those of every class."""
        if len(values) == 1:
            return values[0]
        return values if isinstance(values[0], dict) else np.array(values)

    # --- predictions ---------------------------------------------------------------------------------------------------

    def _scores(self, X):
        """(n, problems)"""
        return self._ask_model(X, self._model.scores, self._model.gram_scores)

    def contributions(self, X: Data) -> NDArray[np.float64]:
        """Each kernel's share of the decision.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        ndarray of shape (n_samples, n_kernels)
            Column m holds f_m(x): rows sum, with ``intercept_``, to the decision. With more than two classes the shape is
            (n_classes, n_samples, n_kernels).
        """
        check_is_fitted(self)
        return self._by_class(list(self._ask_model(X, self._model.shares, self._model.gram_shares)))

    def contribution_frame(self, X: Data) -> pd.DataFrame:
        """What :meth:`contributions` gives, as a pandas frame with the index of X.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        pandas.DataFrame
            A column of each kernel, by its name; with more than two classes, of each class and kernel.
        """
        return contribution_frame(self, X, self.contributions(X))

    def prediction_frame(self, X: Data) -> pd.DataFrame:
        """Predictions as a pandas frame with the index of X: the columns that the command's ``predict`` writes.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        pandas.DataFrame
            prediction; of classes also the scores, and the probabilities where the loss has them.
        """
        check_is_fitted(self)
        return prediction_frame(self, X)

    def _ask_model(self, X, of_table, of_grams):
        threads = self._threads()
        choice = choose_kernels(self.kernels)
        if choice.is_table:
            return of_table(read_table(self, X, reset=False), threads)
        if choice.functions:
            functions = [choice.functions[m] for m in self.active_kernels_]
            return of_grams(function_grams(functions, read_table(self, X, reset=False), self.X_fit_), threads)
        K = read_grams(self, X, reset=False)
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
            A row of each kernel, with its number as index: ``name``, ``source``, ``weight`` and ``norm``. With more than two
            classes, the rows of one class after the other, which the first column, ``class``, names.
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


def warn_of_notes(notes, stacklevel: int) -> None:
    """What the library says of how the data were read."""
    for note in notes:
        warnings.warn(note, UserWarning, stacklevel=stacklevel)


def _name_of(series, otherwise: str) -> str:
    """That of a pandas or polars series, if it has one."""
    name = getattr(series, "name", None)
    return name if isinstance(name, str) and name else otherwise


def take_samples(X, rows):
    """These samples of a table or of Gram matrices."""
    return X[rows] if X.ndim == 2 else np.ascontiguousarray(X[:, rows][:, :, rows])


def function_grams(functions, X, Z):
    """(M, len(X), len(Z))"""
    K = np.empty((len(functions), len(X), len(Z)))
    for m, function in enumerate(functions):
        values = np.asarray(function(X, Z), dtype=np.float64)
        if values.shape != K.shape[1:]:
            raise ValueError(
                f"the kernel function {function_name(function)} gave an array of shape {values.shape} for {len(X)} and "
                f"{len(Z)} rows; it must give shape {K.shape[1:]}"
            )
        K[m] = values
    return K


def _unique(names):
    return [name if names.count(name) == 1 else f"{name} #{m + 1}" for m, name in enumerate(names)]
