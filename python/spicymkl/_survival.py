"""The estimator of survival times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _core
from ._documentation import documented
from ._estimator import BaseMKL
from ._input import read_grams, read_table
from ._signatures import SurvivalParameters
from ._step_function import StepFunction
from ._survival_target import read_survival
from ._tables import losses_for
from ._training import Data

if TYPE_CHECKING:
    from numpy.typing import NDArray


def concordance(y, risks) -> float:
    """Harrell's concordance index; ValueError where it is not defined."""
    value = _core.concordance(y[:, 1], y[:, 0], np.asarray(risks, dtype=np.float64))
    if value is None:
        raise ValueError(
            "the concordance is not defined: of no two samples is it known who had the event first; give more samples"
        )
    return value


@documented(
    """
    Multiple kernel learning for survival times, with proof.

    Learns the log-risk f(x) = Σ_m f_m(x) of Cox's proportional hazards over many kernels and a weight for each of them, from
    times of which some end with the event and the others with the loss of the sample (right-censored). Ties are Breslow's.
    There is no intercept, as it would change nothing.

    ``y`` is a structured array with a boolean field, whether the event happened, and a field of numbers, when that was or
    the sample was lost, as scikit-survival has it (``sksurv.util.Surv``); or two columns, event (0 or 1) and time in that
    order, of an array or a frame. In a frame a column of booleans is the event wherever it stands.
    """,
    examples="""
    >>> import numpy as np
    >>> from spicymkl import MKLSurvival
    >>> random = np.random.default_rng(0)
    >>> X = random.standard_normal((120, 3))
    >>> time, lost = random.exponential(np.exp(-X[:, 0])), random.exponential(2.0, 120)
    >>> y = np.column_stack([time <= lost, np.minimum(time, lost)])
    >>> model = MKLSurvival().fit(X, y)
    >>> model.score(X, y) > 0.6
    True
    >>> surviving = model.predict_survival_function(X[:2])
    >>> bool(surviving[0](0.0) == 1.0)
    True
    """,
)
class MKLSurvival(SurvivalParameters, BaseMKL):
    _labels = "times"
    _familiar = "concordance"
    loss = losses_for("times")[0]  # the only one

    # --- training ------------------------------------------------------------------------------------------------------

    def _read_training(self, X, y, choice):
        target = read_survival(y)
        self._survival_names = target.event_name, target.time_name
        rows = read_grams(self, X, reset=True) if choice.precomputed else read_table(self, X, reset=True)
        check_consistent_length(rows[0] if choice.precomputed else rows, target.time)
        return rows, target.columns

    def _read_target(self, y):
        return y

    def _target_name(self, y):
        return read_survival(y).time_name

    def _check_target(self, y):
        if not y[:, 0].any():
            raise ValueError("none of the samples has an event; there is nothing to learn from")

    def _target(self, y):
        return _core.survival_target(y[:, 1].copy(), y[:, 0].copy(), self._survival_names[0])

    def _cv_score(self, X, y, importance) -> tuple[float, float]:
        """The concordance, by which a strength is chosen, twice."""
        score = concordance(read_survival(y).columns, self._scores(X)[:, 0])
        return score, score

    def _evaluate(self, scores, y):
        target = read_survival(y, "y_test")
        check_consistent_length(scores, target.time)
        return _core.evaluate_survival(self._model, target.time, target.event, scores)

    # --- predictions ---------------------------------------------------------------------------------------------------

    def predict(self, X: Data) -> NDArray[np.float64]:
        """The log-risk f(x): the larger, the earlier the event.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            With ``kernels="precomputed"``, kernels of new rows with the training samples: a :class:`KernelStack`, an array
            of shape (n_kernels, n_new, n_samples), or a dict from names to matrices.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self._scores(X)[:, 0]

    def predict_cumulative_hazard_function(self, X: Data, return_array: bool = False) -> NDArray:
        """The cumulative hazard of each row over time, with Breslow's estimate of that of log-risk 0.

        Parameters
        ----------
        X : as for ``predict``
        return_array : bool, default=False
            Whether to give its values at ``unique_times_`` in place of functions.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_unique_times)
            A function of time for each row, :class:`StepFunction`, or the values.
        """
        hazards = np.exp(self.predict(X))[:, None] * self._model.baseline_hazard
        return hazards if return_array else self._functions(hazards, 0.0)

    def predict_survival_function(self, X: Data, return_array: bool = False) -> NDArray:
        """The probability of each row to be without the event over time.

        Parameters
        ----------
        X : as for ``predict``
        return_array : bool, default=False
            Whether to give its values at ``unique_times_`` in place of functions.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_unique_times)
            A function of time for each row, :class:`StepFunction`, or the values.
        """
        surviving = np.exp(-self.predict_cumulative_hazard_function(X, return_array=True))
        return surviving if return_array else self._functions(surviving, 1.0)

    def _functions(self, values, start):
        times = self.unique_times_
        functions = np.empty(len(values), dtype=object)
        functions[:] = [StepFunction(times, row, start) for row in values]
        return functions

    @property
    def unique_times_(self) -> NDArray[np.float64]:
        """The different times of the training samples, increasing."""
        check_is_fitted(self)
        return self._model.baseline_times

    @property
    def cum_baseline_hazard_(self) -> StepFunction:
        """Breslow's estimate of the cumulative hazard at log-risk 0."""
        return StepFunction(self.unique_times_, self._model.baseline_hazard, 0.0)

    @property
    def baseline_survival_(self) -> StepFunction:
        """The probability to be without the event at log-risk 0."""
        return StepFunction(self.unique_times_, np.exp(-self._model.baseline_hazard), 1.0)

    def score(self, X: Data, y: Data) -> float:
        """Harrell's concordance index: of pairs of which it is known who had the event first, the share that the risks order right.

        Parameters
        ----------
        X : as for ``predict``
        y : as for ``fit``

        Returns
        -------
        float
            Equal risks count half; 0.5 is what chance reaches.
        """
        return concordance(read_survival(y).columns, self.predict(X))
