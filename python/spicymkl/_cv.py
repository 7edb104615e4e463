"""Estimators that choose the strength of the penalty, and its shape, by cross-validation."""

from __future__ import annotations

import warnings
from itertools import product
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable

from . import _core
from ._classifier import MKLClassifier
from ._documentation import documented
from ._grid import decreasing_alphas
from ._idle import is_read
from ._input import read_grams
from ._jobs import n_jobs, run_parts
from ._kernel_choice import KernelChoice, choose_kernels
from ._parameters import NUMBER_OR_LIST, check_parameters
from ._progress import count
from ._regressor import MKLRegressor
from ._signatures import ClassifierCVParameters, RegressorCVParameters, SurvivalCVParameters
from ._survival import MKLSurvival
from ._survival_target import read_survival
from ._tables import PENALTIES
from ._targets import is_several as several_targets
from ._training import refuse_covariates, take_samples

if TYPE_CHECKING:
    from numpy.typing import NDArray


class _CrossValidated:
    """The choice of the estimators below; `_plain` is the estimator without cross-validation."""

    best_params_: dict[str, Any]
    best_score_: float
    best_index_: int
    at_edge_: str | None
    cv_results_: dict[str, NDArray[Any]]
    fold_: NDArray[np.int64]

    def _forget(self) -> None:
        self.__dict__.pop("best_params_", None)

    def _choose(self, X, y, sample_weight, watch) -> None:
        """The strength and the shape of the penalty, by cross-validation."""
        importance = self._importance(X, y, sample_weight)
        self._check_scoring()
        shapes = self._shapes()
        candidates = [{"alpha": alpha, **shape} for shape in shapes for alpha in self._alphas()]
        folds = self._folds(X, y, sample_weight, importance)
        tried = self._score_folds(shapes, watch, folds)
        scores, familiar, n_active = np.moveaxis(tried, 2, 0)
        self.cv_results_ = {name: np.array([c[name] for c in candidates]) for name in candidates[0]}
        self.cv_results_["split_test_scores"] = scores
        self.cv_results_["mean_test_score"] = scores.mean(axis=0)
        self.cv_results_["std_test_score"] = scores.std(axis=0)
        self.cv_results_[f"mean_{self._familiar}"] = familiar.mean(axis=0)
        self.cv_results_["mean_n_active"] = n_active.mean(axis=0)
        means = scores.mean(axis=0)
        # Of equal ones, up to rounding, the first, which has the larger alpha; those that a fold left out are no choice.
        best = np.nanmax(means)
        self.best_index_ = int(np.argmax(means >= best - 1e-12 * abs(best)))
        self.best_score_ = float(means[self.best_index_])
        self.best_params_ = candidates[self.best_index_]
        self._look_at_the_edge()

    def _check_parameters(self) -> KernelChoice:
        check_parameters(self.get_params(deep=False), l1_ratio=NUMBER_OR_LIST, q=NUMBER_OR_LIST)
        for name in ("l1_ratio", "q"):
            if np.ndim(getattr(self, name)) and not is_read(name, self):
                raise ValueError(
                    f"{name} is a list of {len(getattr(self, name))} values to choose from, but penalty={self.penalty!r} "
                    "does not have it; leave it out, or choose another penalty"
                )
        check_scoring(self, scoring=self.scoring)
        for shape, alpha in product(self._shapes(), self._alphas()):
            self._plan(**_of_penalty(shape), alpha=alpha)
        self._check_loss()
        choice = choose_kernels(getattr(self, "best_params_", {}).get("kernels", self.kernels))
        refuse_covariates(self, choice)
        return choice

    def _check_scoring(self) -> None:
        """Of scikit-learn's sentence it would seem that multi_class of the estimator is meant."""
        n_classes = len(getattr(self, "classes_", ()))
        if n_classes > 2 and isinstance(self.scoring, str) and self.scoring == "roc_auc":
            raise ValueError(
                f"scoring='roc_auc' tells two classes apart, but y has {n_classes}; use scoring='roc_auc_ovr' (each class "
                "against the rest) or scoring='roc_auc_ovo' (each pair of classes)"
            )

    def _shapes(self):
        """What is tried with every strength: parts of the kernels, and shapes of the penalty."""
        choice = choose_kernels(self.kernels)
        presets = (
            _core.presets_to_try(choice.spec, bool(choice.groups or getattr(self, "_sources", [])))
            if choice.is_table
            else []
        )
        if presets and hasattr(self, "n_features_in_"):
            presets = _core.distinct_presets(presets, *self._kernel_columns())
        kernels = [{"kernels": preset} for preset in presets] if len(presets) > 1 else [{}]
        penalties = product(_values(self.l1_ratio), _values(self.q))
        return [{**part, "l1_ratio": l1_ratio, "q": q} for part, (l1_ratio, q) in product(kernels, penalties)]

    def _look_at_the_edge(self):
        """Sets at_edge_, and warns if the chosen strength is the smallest or the largest of several."""
        alphas, alpha = self._alphas(), self.best_params_["alpha"]
        self.at_edge_ = None
        if len(alphas) == 1 or alpha not in (alphas[0], alphas[-1]):
            return
        self.at_edge_ = "largest" if alpha == alphas[0] else "smallest"
        spaced = np.ndim(self.alphas) == 0
        if self.at_edge_ == "smallest":
            advice = f"; go further with eps={self.eps / 10:.1g}" if spaced else "; go further with smaller alphas"
        elif spaced:
            selecting = " and ".join(name for name, penalty in PENALTIES.items() if penalty["selects"])
            advice = f", at which {selecting} select no kernel: these kernels may hold nothing of y"
        else:
            advice = "; go further with larger alphas"
        warnings.warn(f"the best alpha is the {self.at_edge_} one tried ({alpha}){advice}", UserWarning, stacklevel=4)

    def _plan(self, **changes):
        shape = {"l1_ratio": _values(self.l1_ratio)[0], "q": _values(self.q)[0]}
        return super()._plan(**{**shape, **_of_penalty(getattr(self, "best_params_", {})), **changes})

    def _alphas(self):
        """Decreasing strengths."""
        return decreasing_alphas(self.alphas, self.eps)

    def _to_divide(self, y):
        """y by sample, what the folds are to have equal shares of, and whether there is anything of that kind."""
        y = np.asarray(y) if self._takes_several_targets() and several_targets(y) else np.asarray(y).ravel()
        return y, y, is_classifier(self)

    def _importance(self, X, y, sample_weight):
        """How much each sample counts. Input that cannot be learned from is refused before it is divided."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X, y = self._read_training(X, y, choose_kernels(self.kernels))
        y = self._read_target(y)
        self._check_covariates(X, y)
        return self._sample_weights(y, sample_weight)

    def _refuse_lone_classes(self, y, importance) -> None:
        """A class that a fold can only be tested on is unknown to its model, and would decide what is chosen.

        Rows of weight 0 do not count. Who gives folds or a splitter decides what is tested.
        """
        if not is_classifier(self) or not (self.cv is None or isinstance(self.cv, Integral)):
            return
        names, counts = np.unique(y[importance > 0], return_counts=True)
        for name in names[counts == 1]:
            raise ValueError(
                f"class {str(name)!r} has 1 row, but cross-validation needs at least 2 of each class, one to learn from and "
                "one to test on; leave it out or give more rows"
            )

    def _folds(self, X, y, sample_weight, importance):
        """Training and test samples of each fold: (X, y, weights), (X, y, importance)."""
        y, kinds, stratified = self._to_divide(y)
        self._refuse_lone_classes(y, importance)
        weights = None if sample_weight is None else np.asarray(sample_weight)
        grams = read_grams(self, X, reset=True) if self._is_pairwise() else None
        rows = np.zeros((len(y), 1)) if grams is not None else indexable(X)[0]
        self.fold_ = np.full(len(y), -1)
        splits = check_cv(self.cv, kinds, classifier=stratified).split(rows, kinds)
        for number, (train, test) in enumerate(splits):
            self.fold_[test] = number
            chosen = None if weights is None else weights[train]
            if grams is not None:
                learn, judge = take_samples(grams, train), grams[:, test][:, :, train]
            else:
                learn, judge = _safe_indexing(rows, train), _safe_indexing(rows, test)
            yield (learn, y[train], chosen), (judge, y[test], importance[test])

    def _score_folds(self, shapes, watch, folds):
        """One after the other, on the threads of the estimator; or, within joblib.parallel_config, as its jobs."""
        if n_jobs() == 1:
            return [self._score_fold(shapes, watch, *fold) for fold in folds]
        return run_parts(self, _score_fold, ((shapes, fold) for fold in folds), watch)

    def _score_fold(self, shapes, watch, training, test):
        """Of every candidate, the score, accuracy or R², and the number of active kernels, mean over the classes.

        NaN where it is left out.
        """
        parameters = {name: value for name, value in self.get_params(deep=False).items() if name not in _OWN}
        alphas = [alpha if isinstance(alpha, str) else repr(float(alpha)) for alpha in self._alphas()]
        scores, kernels, model = [], None, None
        for number, shape in enumerate(shapes):
            if number == 0 or shape.get("kernels") != shapes[number - 1].get("kernels"):
                model = self._plain(**{**parameters, **shape})
                model._rank_tolerance = model._plan(**_of_penalty(shape)).rank_tolerance_to_score
                model._known_categories = self._categories if hasattr(self, "_categories") else {}
                kernels = model._prepare(*training, watch)
            scores += self._score_path(model, kernels, shape, alphas, watch, test)
        return scores

    def _score_path(self, model, kernels, shape, alphas, watch, test):
        """The same for the strengths of one shape, until they end or their scores have clearly got worse."""
        walk = _core.ScoredWalk(kernels, model._plan(**_of_penalty(shape)), alphas, watch)
        decline = _core.Decline(larger_is_better=True)
        asked_for = np.ndim(self.alphas) > 0  # then all are tried
        scores = []
        with count(self.verbose, shape.get("kernels", "path"), len(alphas)) as show:
            while not walk.finished and not walk.stopped and (asked_for or not decline.is_clear):
                for fits in walk.next():
                    model._keep(_core.make_model(kernels, fits, model.tol))
                    n_active = np.mean([len(fit.kernels) for fit in fits])
                    scores.append((*self._score(model, *test), n_active))
                    decline.add(scores[-1][0])
                    if show:
                        show(len(scores), max(fit.gap for fit in fits), round(n_active))
        if walk.stopped:
            raise self._out_of_time()
        return scores + [(np.nan, np.nan, np.nan)] * (len(alphas) - len(scores))

    def _out_of_time(self):
        return TimeoutError(
            f"max_seconds={self.max_seconds:g} was over before all folds were done, so that nothing can be "
            "chosen; raise it, or try fewer alphas or folds"
        )

    def _score(self, model, X, y, importance):
        """What is compared, and accuracy or R²."""
        importance = importance if importance.any() else None
        if self.scoring is None:
            return model._cv_score(X, y, importance)
        with warnings.catch_warnings():  # one test row has no R², which nobody asked for here
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            _, familiar = model._cv_score(X, y, importance)
        return check_scoring(model, scoring=self.scoring)(model, X, y), familiar


def _score_fold(worker, watch, shapes, fold):
    return worker._score_fold(shapes, watch, *fold)


_OWN = ("alphas", "eps", "cv", "scoring", "warm_start")


def _of_penalty(candidate):
    return {name: value for name, value in candidate.items() if name != "kernels"}


def _values(value):
    return [value] if np.ndim(value) == 0 else list(value)


class _SurvivalFolds(_CrossValidated):
    """Folds have equal shares of events."""

    def _to_divide(self, y):
        target = read_survival(y)
        return target.columns, target.event.astype(int), True


_HEAD = """
    Multiple kernel learning for {task}, with the strength of the penalty chosen by cross-validation.

    Kernels, their normalisation and the standardisation of columns are fitted on the training part of each fold alone. The
    strengths of a fold are solved one from the other.
    """


@documented(_HEAD.format(task="classification"))
class MKLClassifierCV(_CrossValidated, ClassifierCVParameters, MKLClassifier):
    _plain = MKLClassifier


@documented(_HEAD.format(task="regression"))
class MKLRegressorCV(_CrossValidated, RegressorCVParameters, MKLRegressor):
    _plain = MKLRegressor


@documented(_HEAD.format(task="survival times"))
class MKLSurvivalCV(_SurvivalFolds, SurvivalCVParameters, MKLSurvival):
    _plain = MKLSurvival
