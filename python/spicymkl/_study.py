"""Studies: many divisions of the same rows, as tasks that joblib spreads over cores or machines."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from . import _core
from ._columns import warn_of_numbers_as_strings
from ._files import output_path
from ._grid import CV_ALPHAS, CV_EPS, decreasing_alphas
from ._input import JoinedRows, column_categories, column_names
from ._kernel_choice import choose_kernels, function_name
from ._parameters import check_parameters
from ._sources import is_several
from ._tables import STUDY_OPTIONS, as_options
from ._training import Data, Training, _unique, function_grams

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import pandas as pd
    from typing_extensions import Self

_COUNTS = ("repeats", "outer", "inner", "stability", "permutations")
_BOUNDS = ("threshold", "false_selections", "error_bound")
_FRAMES = ("scores", "predictions", "selection", "sources", "stability", "permutations")
_CHUNKS = 4  # handed to each job: tasks take different times


def _default(name: str) -> Any:
    return STUDY_OPTIONS[name]["default"]


class MKLStudy(BaseEstimator):
    """Honest scores, stable kernels and p-values: what ``spicymkl study`` finds, as frames.

    Parameters
    ----------
    estimator : MKLClassifier, MKLRegressor or MKLSurvival
        Kernels, loss, penalty and tolerance; it is not fitted itself. Its alpha is not used: each model chooses its own.
    repeats, outer, inner : int, default=20, 5, 5
        The rows are divided into ``outer`` parts ``repeats`` times. Each part is scored by a model of the others, whose alpha
        is chosen by ``inner`` folds among these.
    stability : int, default=50
        Pairs of halves of the rows in which selection is counted.
    permutations : int, default=100
        Shuffles of y for the p-value of the model.
    threshold : float, default=0.9
        Frequency from which on a kernel or source counts as selected.
    false_selections : float, default=1
        How many of them may be false, expected at most.
    error_bound : {"unimodal", "nothing"}, default="unimodal"
        What is assumed for that bound (Shah and Samworth).
    alphas : int or list, default=12
        As for :class:`MKLClassifierCV`.
    eps : float, default=1e-3
        As for :class:`MKLClassifierCV`.
    metric : str, default="auto"
        By which alpha is chosen: accuracy, balanced_accuracy, auc or log_loss for classes; rmse, mae or r2 for numbers;
        concordance for survival times.
    n_jobs : int, default=None
        Tasks at the same time, through joblib: ``joblib.parallel_config(backend=...)`` spreads them over Dask, Ray or Spark.
        Each works on one thread, and the results do not depend on how many there are.
    random_state : int, default=None
        The seed. None is 0.

    Attributes
    ----------
    scores_ : pandas.DataFrame
        One row per split: what was chosen, and every measure on the rows that took no part.
    predictions_ : pandas.DataFrame
        Per repeat and row of X, counted from 1, f(x) by the model that had not seen the row; with its ``id`` where X is
        several tables with an index.
    sources_, selection_ : pandas.DataFrame
        One row per source, or kernel: how often it is selected, its weight; for sources also the loss of score when its rows
        are shuffled, and its p-value.
    stability_ : pandas.DataFrame
        Frequency against strength.
    permutations_ : pandas.DataFrame
        The score of every shuffled y; number 0 is y as it is.
    p_value_ : float or None
        How likely a shuffled y scores as well.
    results_ : dict
        The summary that the command writes as study.json.

    Examples
    --------
    >>> import numpy as np
    >>> from spicymkl import MKLClassifier, MKLStudy
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> y = X[:, 0] + X[:, 1] ** 2 > 1
    >>> study = MKLStudy(MKLClassifier(), repeats=1, outer=3, inner=3, stability=4, permutations=4).fit(X, y)
    >>> study.p_value_
    0.2
    >>> len(study.scores_)
    3
    """

    scores_: pd.DataFrame
    predictions_: pd.DataFrame
    sources_: pd.DataFrame
    selection_: pd.DataFrame
    stability_: pd.DataFrame
    permutations_: pd.DataFrame
    p_value_: float | None
    results_: dict[str, Any]

    def __init__(
        self,
        estimator: Any,
        *,
        repeats: int = _default("repeats"),
        outer: int = _default("outer"),
        inner: int = _default("inner"),
        stability: int = _default("stability"),
        permutations: int = _default("permutations"),
        threshold: float = _default("threshold"),
        false_selections: float = _default("false_selections"),
        error_bound: str = _default("error_bound"),
        alphas: int | Sequence[float] | Sequence[str] = CV_ALPHAS,
        eps: float = CV_EPS,
        metric: str = "auto",
        n_jobs: int | None = None,
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.repeats = repeats
        self.outer = outer
        self.inner = inner
        self.stability = stability
        self.permutations = permutations
        self.threshold = threshold
        self.false_selections = false_selections
        self.error_bound = error_bound
        self.alphas = alphas
        self.eps = eps
        self.metric = metric
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Data, y: Data, *, groups: Data = None, sample_weight: Data = None) -> Self:
        """Do all tasks and put their results together.

        Parameters
        ----------
        X, y, sample_weight : as for the estimator
            Sample weights must be above 0.
        groups : array-like of shape (n_samples,), default=None
            Families or sites: those of a group stay together in every division.

        Returns
        -------
        self
        """
        warn_of_numbers_as_strings(X)
        work, ids = self._work(X, y, groups, sample_weight)
        study = _bind(**work)
        numbers = range(len(study.tasks))
        jobs = effective_n_jobs(self.n_jobs)
        if jobs == 1:
            parts = study.run(list(numbers))
        else:
            count = min(len(numbers), _CHUNKS * jobs)
            chunks = [list(numbers[k::count]) for k in range(count)]
            done = Parallel(n_jobs=self.n_jobs)(delayed(_run)(work, chunk) for chunk in chunks)
            found = {number: part for chunk, texts in zip(chunks, done) for number, part in zip(chunk, texts)}
            parts = [found[number] for number in numbers]
        self._keep(dict(_core.study_files(study.text, parts)), ids)
        return self

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write the HTML page that the command writes as study.html.

        Parameters
        ----------
        path : str or path
            The file, which appears complete or not at all.
        """
        check_is_fitted(self)
        _core.write_file(output_path(path, {}), self._page)

    def _work(self, X, y, groups, sample_weight) -> tuple[dict[str, Any], Any]:
        """All that a job needs, in whatever process it works; and what the samples are called, or None."""
        if not isinstance(self.estimator, Training) or hasattr(self.estimator, "alphas"):
            raise ValueError(
                f"estimator is {self.estimator!r}, but it must be MKLClassifier(...), MKLRegressor(...) or "
                "MKLSurvival(...); alpha is chosen here"
            )
        check_parameters(
            {"alphas": self.alphas, "eps": self.eps, "n_jobs": self.n_jobs, "random_state": self.random_state}
        )
        model = clone(self.estimator)
        if getattr(model, "class_weight", None) is not None:
            raise ValueError("the estimator has a class_weight, which shuffled classes would not keep; leave it out")
        for name in ("loss", "penalty"):
            if not isinstance(getattr(model, name), str):
                raise ValueError(f"the {name} of the estimator is an object; a study takes those that have a name")
        choice = model._check_parameters()
        if model.covariates is not None and self.permutations:
            raise ValueError(
                f"the estimator has covariates, and permutations={self.permutations}: shuffled y lose what the covariates "
                "explain too, so that the p-value would not be that of the kernels; use permutations=0"
            )
        groups = model._join(X, y, groups, choice, "groups")[2]
        X, y, sample_weight = model._join(X, y, sample_weight, choice)
        ids = getattr(X, "index", None) if is_several(X) else None
        X, y = model._read_training(X, y, choice)
        if np.ndim(y) > 1 and model._labels != "times":
            raise ValueError(
                f"a study tells what is found of one target, but y has {np.shape(y)[1]}; give one column of y"
            )
        y = model._read_target(y)
        weights = model._sample_weights(y, sample_weight)
        if not weights.all():
            raise ValueError("sample_weight has 0; leave these samples out")
        model._check_target(y)
        model._check_covariates(X, y)
        names: list[str] = []
        if choice.functions:
            names = _unique([function_name(f) for f in choice.functions])
            X = function_grams(choice.functions, X, X)
        elif choice.precomputed:
            names = model._gram_names or [f"k{m}" for m in range(len(X))]
        work = {
            "model": model,
            "X": X if isinstance(X, JoinedRows) else np.ascontiguousarray(X, dtype=np.float64),
            "y": np.asarray(y, dtype=np.float64),
            "weights": weights,
            "groups": _group_names(groups, y),
            "names": names,
            "options": self._options(),
            "seed": Training._seed(self),
        }
        return work, ids

    def _options(self) -> dict[str, Any]:
        """As the library has them."""
        options: dict[str, Any] = {name: int(getattr(self, name)) for name in _COUNTS}
        options |= {name: getattr(self, name) for name in _BOUNDS} | {"metric": self.metric}
        for name in _BOUNDS[:2]:
            options[name] = float(options[name])
        if np.ndim(self.alphas) == 0:
            return {**options, "n_alphas": int(self.alphas), "alpha_ratio": float(self.eps)}
        alphas = decreasing_alphas(self.alphas, self.eps)
        return {**options, "alphas": [a if isinstance(a, str) else repr(float(a)) for a in alphas]}

    def _keep(self, files: dict[str, str], ids: Any) -> None:
        import pandas as pd

        for name in _FRAMES:
            setattr(self, f"{name}_", pd.read_csv(io.StringIO(files[f"{name}.csv"])))
        if ids is not None:
            self.predictions_.insert(3, "id", np.asarray(ids)[self.predictions_["row"] - 1])
        self.results_ = json.loads(files["study.json"])
        self.p_value_ = self.results_["p_value"]
        self._page = files["study.html"]


def _group_names(groups: Any, y) -> list[str]:
    if groups is None:
        return []
    groups = column_or_1d(groups)
    check_consistent_length(groups, y)
    return [str(group) for group in groups]


def _bind(model, X, y, weights, groups, names, options, seed) -> _core.Study:
    """The study, from what any process can be given."""
    choice = choose_kernels(model.kernels)
    if model.device != "cpu":
        raise ValueError(
            f"device={model.device!r} has no effect in a study, whose tasks share the processor; leave it out"
        )
    memory = as_options({"memory": model.memory}).get("memory", "")
    presets: list[str] = []
    if choice.is_table:
        X, views = model._views(X)
        presets = _core.presets_to_try(choice.spec, bool(choice.groups) or views is not None)
        presets = _core.distinct_presets(presets, *model._kernel_columns())
    presets = presets if len(presets) > 1 else []
    plan, watch = model._plan(), model._watch()
    asked = _core.StudyRequest(plan, model._target(y), weights, options, presets, groups, seed, memory)
    if not choice.is_table:
        return _core.gram_study(X, names, model.psd or "refuse", asked, watch)
    kernels = as_options(choice.options(model.standardize, seed, model.features, model.memory))
    return _core.table_study(
        X, column_names(model), column_categories(model), kernels, asked, watch, views, model._covariates()
    )


def _run(work: dict[str, Any], numbers: list[int]) -> list[str]:
    return _bind(**work).run(numbers)
