"""The classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ._documentation import documented
from ._estimator import BaseMKL
from ._signatures import ClassifierParameters
from ._tables import JOINT_LOSS, LOSSES
from ._training import Data

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _has_probabilities(estimator) -> bool:
    log_odds = [name for name, loss in LOSSES.items() if loss["log_odds"]]
    if isinstance(estimator.loss, str) and estimator.loss in (*log_odds, JOINT_LOSS):
        return True
    known = " or ".join(f"loss={name!r}" for name in log_odds)
    raise AttributeError(f"probabilities are those of {known}; this estimator has loss={estimator.loss!r}")


@documented(
    """
    Multiple kernel learning for classification, with proof.

    Learns f(x) = Σ_m f_m(x) + b over many kernels and a weight for each of them. More than two classes are learned all at
    once with one weight per kernel, or, with ``multi_class="ovr"`` or a loss that tells only two classes apart, each
    against the rest with kernel weights of its own.
    """,
    examples="""
    >>> from sklearn.datasets import make_moons
    >>> from spicymkl import MKLClassifier
    >>> X, y = make_moons(100, noise=0.1, random_state=0)
    >>> clf = MKLClassifier().fit(X, y)
    >>> bool(clf.duality_gap_ <= 1e-3)
    True
    >>> clf.score(X, y) > 0.9
    True
    """,
)
class MKLClassifier(ClassifierMixin, ClassifierParameters, BaseMKL):
    classes_: NDArray[Any]

    _labels = "classes"
    _familiar = "accuracy"

    def _plan(self, **changes):
        plan = super()._plan(**changes)  # which refuses what the loss does not go with
        if not isinstance(self.loss, str) or self.loss != JOINT_LOSS:
            return plan
        return super()._plan(**{**changes, "loss": type(self).loss, "multi_class": "joint"})

    def _read_target(self, y):
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has 1 class, {str(self.classes_[0])!r}; a classifier needs at least 2 classes")
        return codes

    def _class_texts(self):
        return [str(name) for name in self.classes_.tolist()]

    def _class_weights(self, y):
        if self.class_weight is None:
            return 1.0
        return compute_sample_weight(self.class_weight, self.classes_[y])

    def _default_plan(self, kernels):
        plan = self._plan()
        if self.class_weight is not None and vars(self).get("alpha", "by cross-validation") is None:
            # As in SVC, class weights leave the penalty as it is.
            plan.measure_alpha_with(kernels.weights / self._class_weights(np.array(kernels.codes)))
        return plan

    def _check_target(self, y):
        texts = self._class_texts()
        for code in [1] if len(texts) == 2 else range(len(texts)):
            if not (y == code).any() or (y == code).all():
                raise ValueError(f"all samples of class {texts[code]}, or all others, have weight 0")

    def decision_function(self, X: Data) -> NDArray[np.float64]:
        """The decision f(x).

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            With ``kernels="precomputed"``, kernels of new rows with the training samples: a :class:`KernelStack`, an array
            of shape (n_kernels, n_new, n_samples), or a dict from names to matrices.

        Returns
        -------
        ndarray of shape (n_samples,)
            Above 0 for ``classes_[1]``. With more than two classes, of shape (n_samples, n_classes).
        """
        check_is_fitted(self)
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Data) -> NDArray[Any]:
        """The class of each row.

        Parameters
        ----------
        X : as for ``decision_function``

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        return self._classes_of(self._scores(X))

    def _classes_of(self, scores):
        codes = (scores[:, 0] > 0).astype(np.intp) if scores.shape[1] == 1 else scores.argmax(axis=1)
        return self.classes_[codes]

    def _cv_score(self, X, y, importance) -> tuple[float, float]:
        """By which a strength is chosen, and the accuracy.

        Accuracy cannot tell a strength whose probabilities are too flat from one whose are right.
        """
        scores = self._scores(X)
        accuracy = float(np.average(self._classes_of(scores) == y, weights=importance))
        if not hasattr(self, "predict_proba"):
            return accuracy, accuracy
        places = {label: place for place, label in enumerate(self.classes_)}
        probabilities = self._model.probabilities(scores)
        right = np.array([p[places[label]] if label in places else 0.0 for p, label in zip(probabilities, y)])
        return float(np.average(np.log(np.maximum(right, np.finfo(np.float64).tiny)), weights=importance)), accuracy

    def _probabilities(self, X: Data) -> NDArray[np.float64]:
        check_is_fitted(self)
        return self._model.probabilities(self._scores(X))

    if TYPE_CHECKING:  # available_if has no types

        def predict_proba(self, X: Data) -> NDArray[np.float64]:
            """The probability of each class."""

        def predict_log_proba(self, X: Data) -> NDArray[np.float64]:
            """The logarithm of predict_proba."""

    else:

        @available_if(_has_probabilities)
        def predict_proba(self, X):
            """The probability of each class; with ``loss="logistic"``.

            Parameters
            ----------
            X : as for ``decision_function``

            Returns
            -------
            ndarray of shape (n_samples, n_classes)
                With more than two classes that are learned each against the rest, those of each, divided by their sum.
            """
            return self._probabilities(X)

        @available_if(_has_probabilities)
        def predict_log_proba(self, X):
            """The logarithm of :meth:`predict_proba`.

            Parameters
            ----------
            X : as for ``decision_function``

            Returns
            -------
            ndarray of shape (n_samples, n_classes)
            """
            return np.log(self._probabilities(X))
