"""How an estimator is trained: from parameters and data to a model and its fitted attributes."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight, check_consistent_length

from . import _core
from ._columns import warn_of_numbers_as_strings, warn_of_row_numbers
from ._device_arrays import lies_on_device
from ._idle import warn_of_idle_outputs, warn_of_idle_parameters
from ._input import JoinedRows, column_categories, column_names, read_grams, read_table, read_y
from ._jobs import n_jobs, run_parts
from ._kernel_choice import KernelChoice, choose_kernels, function_name
from ._parameters import check_parameters
from ._progress import count, progress
from ._ranks import fit_over_ranks
from ._report import training_facts
from ._sources import is_several, join_sources
from ._tables import JOINT_LOSS, PROBLEM_OPTIONS, as_options
from ._targets import names_of_targets

if TYPE_CHECKING:
    from typing_extensions import Self

# Arrays, frames of any library, sparse matrices, precomputed kernels: no static type covers them all.
Data = Any

HISTORY = ("seconds", "primal", "dual", "gap", "n_active")


class Training:
    """The part of an estimator that learns: kernels, a penalty on them, a solver with proof."""

    _target_names: tuple[str, ...] | list[str] = ()  # of several targets; set by _prepare

    # --- what subclasses say -------------------------------------------------------------------------------------------

    def _read_target(self, y):
        """y as it is used below, after setting what is learned from it."""
        raise NotImplementedError

    def _check_target(self, y):
        """Refuses what cannot be learned from, once samples of weight 0 are left out."""

    def _class_texts(self) -> list[str]:
        return []

    def _target_name(self, y) -> str:
        """What y is called."""
        return _name_of(y, "y")

    def _target(self, y) -> _core.Target:
        """What is to be learned."""
        y = np.asarray(y, dtype=np.float64)
        if y.ndim == 1:
            return _core.target(self._plan(), self._class_texts(), y)
        names = list(self._target_names) or [f"y{k}" for k in range(y.shape[1])]
        return _core.several_targets(self._plan(), names, y)

    def _class_weights(self, y):
        return 1.0

    # --- parameters ----------------------------------------------------------------------------------------------------

    def _check_parameters(self) -> KernelChoice:
        """Refuses what can be known to be wrong before any work."""
        check_parameters(self.get_params(deep=False))
        self._check_loss()
        choice = choose_kernels(self.kernels)
        refuse_covariates(self, choice)
        return choice

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
            Or several tables of the same samples: a dict from sources to tables, :class:`SourceTables`, or MuData. With ``kernels="precomputed"``, the Gram matrices: a :class:`KernelStack`, an array of shape (n_kernels,
            n_samples, n_samples), or a dict from names to matrices.
        y : array-like of shape (n_samples,)
            What is to be learned; by a regressor also of shape (n_samples, n_targets).
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample's loss counts; samples of weight 0 are left out.

        Returns
        -------
        self
        """
        if self.comm is not None and not hasattr(self, "_team"):
            check_parameters({"comm": self.comm})
            fit_over_ranks(self, X, y, sample_weight)
            return self
        self._forget()
        choice = self._check_parameters()
        warn_of_idle_parameters(self, choice, X)
        warn_of_row_numbers(X)
        warn_of_numbers_as_strings(X)
        watch = self._watch()
        X, y, sample_weight = self._join(X, y, sample_weight, choice)
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
        warn_of_idle_outputs(self)
        warn_of_notes(kernels.notes, stacklevel=4)
        if self._spreads_fits(kernels):
            model, histories = self._train_as_jobs(kernels, (X, y, sample_weight), watch)
        else:
            trained = self._train_here(kernels, watch)
            model, histories = trained.model, trained.histories
        model.seconds_input = seconds_input
        self._keep(model)
        self._facts = training_facts(self, choose_kernels(self.kernels), kernels)
        self.history_ = self._by_class(histories)
        return self

    def _train_here(self, kernels, watch):
        """All fits, one after the other."""
        start = self._trained if self.warm_start and self._has_start(kernels) else None
        with progress(self.verbose, _fit_names(kernels, "training"), self.tol) as show:
            trained = _core.train_model(kernels, self._default_plan(kernels), watch, show, start, self.warm_start)
        if self.warm_start:
            self._trained, self._trained_size = trained, kernels.problem_size
        return trained

    def _spreads_fits(self, kernels) -> bool:
        """Whether classes are jobs of joblib. A warm start belongs to the process that made it, ranks have jobs enough."""
        return len(kernels.fit_names) > 1 and n_jobs() > 1 and not self.warm_start and not hasattr(self, "_team")

    def _train_as_jobs(self, kernels, training, watch):
        """The model and the history of every class: some classes per job, which makes the kernels for itself."""
        n_fits = len(kernels.fit_names)
        n_parts = min(n_jobs(), n_fits)
        parts = [list(range(first, n_fits, n_parts)) for first in range(n_parts)]
        done = run_parts(self, _train_some, ((training, numbers) for numbers in parts), watch)
        trained = {number: one for numbers, some in zip(parts, done) for number, one in zip(numbers, some)}
        fits, histories = zip(*(trained[number] for number in range(n_fits)))
        return _core.make_model(kernels, list(fits), self.tol), list(histories)

    def _default_plan(self, kernels) -> _core.Plan:
        return self._plan()

    def _train_along(self, kernels, plan, alphas, watch):
        """Solves every problem at decreasing strengths: of each strength, the fits.

        Those for which there was no time are not there.
        """
        paths = []
        for number, name in enumerate(_fit_names(kernels, "path")):
            with count(self.verbose, name, len(alphas)) as show:
                paths.append(_core.train_along(kernels, number, plan, alphas, watch, show))
        return list(zip(*paths))

    def _join(self, X, y, values, choice: KernelChoice, name: str = "sample_weight"):
        """The rows of several tables matched with each other, with y and with what else there is of each."""
        if choice.precomputed or not is_several(X) or y is None:
            return X, y, values
        if choice.functions:
            raise ValueError("kernel functions see one array; with several tables use kernels of spicymkl.kernels")
        return join_sources(X, y, values, self.missing_view, name)

    def _prepare(self, X, y, sample_weight, watch):
        """The kernels of the samples that count, with what is to be learned from them."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        choice = self._check_parameters()
        target_name, weight_name = self._target_name(y), self._weight_name(sample_weight)
        self._target_names = names_of_targets(y) if self._takes_several_targets() else []
        X, y, sample_weight = self._join(X, y, sample_weight, choice)
        X, y = self._read_training(X, y, choice)
        y = self._read_target(y)
        weights = self._sample_weights(y, sample_weight)
        self._kept, self._n_training = None, len(y)
        if not weights.all():
            self._kept = np.flatnonzero(weights)
            X, y, weights = take_samples(X, self._kept), y[self._kept], weights[self._kept]
        self._check_target(y)
        if not hasattr(self, "_known_categories"):  # rows of a fold may not tell covariates apart, and get by
            self._check_covariates(X, y)
        kernels = self._make_kernels(X, choice, watch)
        known = column_names(self) if choice.is_table else []
        kernels.set_names("y" if target_name in known else target_name, weight_name)
        kernels.set_target(self._target(y), weights)
        return kernels

    def _check_loss(self):
        plan = self._plan()
        labels = "classes" if isinstance(self.loss, str) and self.loss == JOINT_LOSS else plan.labels
        if labels != self._labels:
            raise ValueError(
                f"loss is {self.loss!r}, which learns {labels}; {type(self).__name__} learns {self._labels}"
            )

    def _read_training(self, X, y, choice: KernelChoice):
        if not choice.precomputed:
            return read_table(self, X, y, reset=True)
        K = read_grams(self, X, reset=True)
        y = read_y(self, y)
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
        if lies_on_device(K):
            if psd != "refuse":
                raise ValueError(
                    f"psd={psd!r} repairs kernels on the processor, but these lie on a GPU; copy them first"
                )
            return _core.device_gram_kernels(K, names, self._threads(), watch)
        if psd == "refuse" and K.dtype == np.float32 and self.device == "cpu":
            return _core.single_gram_kernels(K, names, self._threads(), watch)
        return _core.gram_kernels(np.asarray(K, dtype=np.float64), names, psd, self._threads(), watch, self.device)

    def _make_kernels(self, X, choice: KernelChoice, watch) -> _core.TrainingKernels:
        if choice.precomputed:
            return self._gram_kernels(X, self._gram_names or [f"k{m}" for m in range(len(X))], watch)
        if choice.functions:
            self.X_fit_ = X
            K = function_grams(choice.functions, X, X)
            return self._gram_kernels(K, _unique([function_name(f) for f in choice.functions]), watch)
        options = as_options(choice.options(self.standardize, self._seed(), self.features, self.memory, self.device))
        names, categories = column_names(self), column_categories(self)
        passes = self._plan().expected_passes
        values, views = self._views(X)
        return _core.table_kernels(
            values,
            names,
            categories,
            options,
            self._threads(),
            passes,
            watch,
            self._rank_tolerance,
            views,
            getattr(self, "_team", None),
            self._covariates(),
        )

    def _check_covariates(self, X, y) -> None:
        """Refuses those whose coefficients nothing determines."""
        if self.covariates is None:
            return
        values, views = self._views(X)
        columns = (column_names(self), column_categories(self), views, self._covariates())
        _core.check_covariates(values, *columns, self._plan(), self._target(y))

    def _kernel_columns(self) -> tuple[int, int]:
        """How many columns the kernels see, and how many of them hold strings."""
        categories = dict(zip(column_names(self), column_categories(self)))
        for name in self._covariates():
            categories.pop(name, None)
        return len(categories), sum(map(bool, categories.values()))

    def _covariates(self) -> list[str]:
        """Their columns by name."""
        if self.covariates is None:
            return []
        names = column_names(self)
        for given in self.covariates:
            if not isinstance(given, str) and not -len(names) <= given < len(names):
                raise ValueError(f"covariates has {given}, but X has {len(names)} columns, counted from 0")
        return [given if isinstance(given, str) else names[given] for given in self.covariates]

    def _views(self, X):
        """The values, and which of several tables they came from."""
        if not isinstance(X, JoinedRows):
            return X, None
        return X.values, _core.Views(self._sources, self._source_of_column, self.missing_view, X.lacking)

    def _has_start(self, kernels) -> bool:
        """Whether the earlier solutions belong to problems of the same size."""
        return getattr(self, "_trained_size", None) == kernels.problem_size

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
        self.dual_ = one([self._all_samples(by_output(p)) for p in problems])
        self.intercept_ = one([intercept_of(p) for p in problems])
        self.covariate_names_ = np.array(self._model.covariates, dtype=str)
        self.covariate_coef_ = one([covariate_coef_of(p) for p in problems])
        self.alpha_ = one([p.alpha for p in problems])
        self.primal_objective_ = one([p.primal for p in problems])
        self.dual_objective_ = one([p.dual_objective for p in problems])
        self.duality_gap_ = one([p.gap for p in problems])
        self.n_iter_ = one([max(p.iterations, 1) for p in problems])  # 0 steps: the start was proved optimal
        self.fit_seconds_ = one([p.seconds for p in problems])
        self.status_ = one([p.status for p in problems])
        self.__dict__.pop("target_names_", None)
        if self._model.targets:
            self.target_names_ = np.array(self._model.targets)
        self.active_kernels_ = np.array(sorted(set().union(*(p.kernels for p in problems))), dtype=np.intp)

    def _spread(self, problem, values):
        """Values of the active kernels as one of every kernel."""
        everything = np.zeros(len(self.kernel_names_))
        everything[problem.kernels] = values
        return everything

    def _all_samples(self, dual):
        if self._kept is None:
            return dual
        everything = np.zeros((self._n_training, *dual.shape[1:]))
        everything[self._kept] = dual
        return everything

    def _output_names(self):
        """The classes or targets that leading axes and columns of scores are of."""
        return self.classes_ if hasattr(self, "classes_") else self.target_names_

    @staticmethod
    def _by_class(values):
        """The value of the only problem, or those of every class or target."""
        if len(values) == 1:
            return values[0]
        return values if isinstance(values[0], dict) else np.array(values)


def refuse_covariates(estimator, choice: KernelChoice) -> None:
    """Kernels that are no function of the columns of a table leave no columns over."""
    if estimator.covariates is not None and not choice.is_table:
        raise ValueError(
            f"covariates={estimator.covariates!r} names columns of a table, but kernels that are "
            f"{'precomputed' if choice.precomputed else 'functions'} take all of X; use kernels of spicymkl.kernels on a "
            "table, or the command, whose --gram takes --covariates FILE.npy"
        )


def _fit_names(kernels, alone: str) -> list[str]:
    """What the problems are called that are solved; `alone` where there is one for all that is learned."""
    return [name or alone for name in kernels.fit_names]


def _train_some(worker, watch, training, numbers):
    """Of some classes the fit and its history."""
    kernels = worker._prepare(*training, watch)
    return _core.train_fits(kernels, numbers, worker._default_plan(kernels), watch)


def by_output(problem):
    """The dual values: one per sample; of several outputs, a column for each."""
    return problem.dual if problem.n_outputs == 1 else problem.dual.reshape(problem.n_outputs, -1).T


def intercept_of(problem):
    """A number; of several outputs, one for each."""
    return problem.intercepts[0] if problem.n_outputs == 1 else np.array(problem.intercepts)


def covariate_coef_of(problem):
    """A number of each covariate; of several outputs, one for each of these."""
    coef = problem.covariate_coef
    return coef[:, 0] if problem.n_outputs == 1 else coef


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
    if lies_on_device(X):
        raise ValueError("some sample weights are 0, but the kernels lie on a GPU; leave these samples out of them")
    return X[rows] if X.ndim == 2 else np.ascontiguousarray(X[:, rows][:, :, rows])


def function_grams(functions, X, Z):
    """(M, len(X), len(Z))"""
    X, Z = np.asarray(X, dtype=np.float64), np.asarray(Z, dtype=np.float64)
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
