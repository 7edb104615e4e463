"""The classifier."""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ._estimator import DEFAULT_RATIO, BaseMKL


def _has_probabilities(estimator) -> bool:
    if estimator.loss == "logistic":
        return True
    raise AttributeError(f"probabilities are those of loss='logistic'; this estimator has loss={estimator.loss!r}")


class MKLClassifier(ClassifierMixin, BaseMKL):
    """Multiple kernel learning for classification, with proof.

    Learns f(x) = Σ_m f_m(x) + b over many kernels and a weight for each of them. More than two classes are learned one
    against the rest, each with its own kernel weights.

    Parameters
    ----------
    kernels : str, path, kernel, list, dict or callable, default="auto"
        - a preset: ``"auto"``, ``"paper"`` or ``"random:M"``;
        - ``"precomputed"``: X is (n_kernels, n, n_samples), or (n, n_samples) for one kernel;
        - a kernel of :mod:`spicymkl.kernels`, or a list of them;
        - a dict of sources, each with its columns: the preset ``"auto"`` on each source and on all columns;
        - a file: a JSON kernel list, or gene sets (.gmt) as sources;
        - a function of two arrays that gives the matrix of kernel values between their rows, or a list of such functions.
    loss : {"logistic", "hinge", "squared_hinge"} or Loss, default="logistic"
        The loss, or one of your own.
    penalty : {"block1", "elasticnet", "blockq", "uniform", "mixed"} or Regularizer, default="block1"
        The penalty on the kernels, or one of your own. block1 and elasticnet switch kernels off.
    alpha : float or str, default=None
        The strength of the penalty: larger means fewer kernels. ``"0.1max"`` is a tenth of the smallest value that selects
        none, and the default; the default does not change with class_weight, which then says how much the samples count
        beside the penalty.
    l1_ratio : float, default=0.5
        Of elasticnet and mixed: 1 is block1, 0 is uniform.
    q : float, default=1.5
        The exponent of blockq and mixed, above 1.
    fit_intercept : bool, default=True
        Whether to learn b.
    tol : float, default=1e-3
        The relative duality gap to reach.
    max_iter : int, default=200
        The most outer steps.
    solver : {"auto", "spicy", "onestep", "silp", "simplemkl", "levelmkl", "hessianmkl"}, default="auto"
        How to solve; the answer is the same. The last four are classical methods for comparison, for the hinge loss with
        block1.
    class_weight : dict, "balanced" or None, default=None
        How much the samples of each class count.
    multi_class : {"ovr"}, default="ovr"
        More than two classes are learned one against the rest.
    n_jobs : int, default=None
        Threads. None is as many as OMP_NUM_THREADS allows, -1 all cores.
    random_state : int or RandomState, default=None
        The seed of ``kernels="random:M"``; None is 0.
    verbose : bool or int, default=0
        Whether to show progress.
    warm_start : bool, default=False
        Whether ``fit`` starts from the solution of the last ``fit`` on data of the same size.
    standardize : bool, default=True
        Whether kernels see columns of mean 0 and deviation 1 on the training rows.
    memory : float or str, default=None
        Bytes that the kernels may take, such as ``"8G"``; None is half of what is free. What does
        not fit is computed when it is needed.
    psd : {"clip", "flip", "shift"} or None, default=None
        Precomputed kernels and functions whose matrices have negative eigenvalues are refused, or mended: these eigenvalues
        become 0, change their sign, or all are raised alike. New rows are mended with them.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    kernel_weights_ : ndarray of shape (n_kernels,)
        The weight of each kernel. With more than two classes this and the following have a leading axis of classes.
    kernel_norms_ : ndarray of shape (n_kernels,)
        The norm of each f_m.
    active_kernels_ : ndarray
        The kernels with a weight above 0 (for some class).
    kernel_names_ : ndarray of shape (n_kernels,)
        Their names.
    kernel_groups_ : ndarray of shape (n_kernels,)
        The source of each, or an empty text.
    dual_ : ndarray of shape (n_samples,)
        The dual vector.
    coef_scale_ : ndarray of shape (n_kernels,)
        ``coef_scale_[m]·dual_`` are the coefficients of kernel m.
    intercept_ : float
        b.
    alpha_ : float
        The strength that was used.
    primal_objective_, dual_objective_, duality_gap_ : float
        The certificate; the gap is relative.
    n_iter_ : int
        Outer steps.
    status_ : str
        "converged" if the gap is met.
    fit_seconds_ : float
        Seconds from kernels in memory to the certified answer.
    history_ : dict of arrays
        seconds, primal, dual, gap and n_active at each step.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X was a frame.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from spicymkl import MKLClassifier
    >>> X, y = make_moons(100, noise=0.1, random_state=0)
    >>> clf = MKLClassifier().fit(X, y)
    >>> bool(clf.duality_gap_ <= 1e-3)
    True
    >>> clf.score(X, y)
    1.0
    """

    _labels = "classes"

    def __init__(
        self,
        kernels="auto",
        *,
        loss="logistic",
        penalty="block1",
        alpha=None,
        l1_ratio=0.5,
        q=1.5,
        fit_intercept=True,
        tol=1e-3,
        max_iter=200,
        solver="auto",
        class_weight=None,
        multi_class="ovr",
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
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.standardize = standardize
        self.memory = memory
        self.psd = psd

    def _read_target(self, y):
        if self.multi_class != "ovr":
            raise ValueError(f"multi_class is {self.multi_class!r}, but only 'ovr' (one against the rest) is known")
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has 1 class, {self.classes_[0]!r}; a classifier needs at least 2 classes")
        return codes

    def _class_texts(self):
        return [str(name) for name in self.classes_.tolist()]

    def _class_weights(self, y):
        if self.class_weight is None:
            return 1.0
        return compute_sample_weight(self.class_weight, self.classes_[y])

    def _with_default_alpha(self, objective, kernels, y, labels, weights):
        if self.class_weight is None or getattr(self, "alpha", "by cross-validation") is not None:
            return objective
        plain = weights / self._class_weights(y)  # as in SVC, class weights leave the penalty as it is
        return self._objective(alpha=DEFAULT_RATIO * objective.alpha_max(kernels, labels, plain))

    def _problems(self, y):
        texts = self._class_texts()
        positives = [1] if len(texts) == 2 else range(len(texts))
        for code in positives:
            if not (y == code).any() or (y == code).all():
                raise ValueError(f"all samples of class {texts[code]}, or all others, have weight 0")
            yield texts[code], np.where(y == code, 1.0, -1.0)

    def decision_function(self, X):
        """The decision f(x).

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            With ``kernels="precomputed"``, kernels of new rows with the training samples, (n_kernels, n_new, n_samples).

        Returns
        -------
        ndarray of shape (n_samples,)
            Above 0 for ``classes_[1]``. With more than two classes, of shape (n_samples, n_classes).
        """
        check_is_fitted(self)
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X):
        """The class of each row.

        Parameters
        ----------
        X : as for ``decision_function``

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        scores = self.decision_function(X)
        codes = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[codes]

    @available_if(_has_probabilities)
    def predict_proba(self, X):
        """The probability of each class; with ``loss="logistic"``.

        Parameters
        ----------
        X : as for ``decision_function``

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            With more than two classes, the probabilities of each against the rest, divided by their sum.
        """
        check_is_fitted(self)
        return self._model.probabilities(self._scores(X))

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
        return np.log(self.predict_proba(X))
