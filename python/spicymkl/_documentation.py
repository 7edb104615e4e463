"""The docstrings of the estimators, made of entries that they share.

They are plain texts of this module, which ``python -OO`` leaves alone where it drops the docstrings of classes.
"""

from __future__ import annotations

import re
from textwrap import dedent, indent


def _entries(text: str) -> dict[str, str]:
    """Each entry by its name, which is what stands before the colon of its first line."""
    entries = re.split(r"\n(?=\S)", dedent(text).strip())
    return {entry.partition(" :")[0]: entry for entry in entries}


_PARAMETERS = _entries(
    """
    kernels : str, path, kernel, list, dict or callable, default="auto"
        - a preset: ``"auto"``, ``"paper"`` or ``"random:M"``;
        - ``"precomputed"``: X holds the kernels, as :class:`KernelStack`, as (n_kernels, n, n_samples), as a dict from names
          to matrices, or as (n, n_samples) for one kernel;
        - a kernel of :mod:`spicymkl.kernels`, or a list of them;
        - a dict of sources, each with its columns: the preset ``"auto"`` on each source and on all columns;
        - a file: a JSON kernel list, or gene sets (.gmt) as sources;
        - a function of two arrays that gives the matrix of kernel values between their rows, or a list of such functions.
    alphas : int or list, default=30
        How many strengths from alpha_max down to eps·alpha_max, or which: numbers, or strings such as ``"0.1max"``, multiples
        of the alpha_max of the samples at hand. If the best one is at an end of the list, a warning says so.
    eps : float, default=1e-3
        The smallest strength over the largest.
    cv : int, splitter or iterable, default=None
        As in scikit-learn; None is 5 folds.
    scoring : str or callable, default=None
        As in scikit-learn; None is the estimator's own score, in which samples count as much as in learning.
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
    epsilon : float, default=0.1
        The half-width of the tube of epsilon_insensitive; where huber turns linear.
    quantile : float, default=0.5
        Which quantile the quantile loss estimates.
    fit_intercept : bool, default=True
        Whether to learn b.
    tol : float, default=1e-3
        The relative duality gap to reach.
    max_iter : int, default=200
        The most outer steps.
    max_seconds : float, default=0
        Seconds of training after which ``fit`` ends with the best model so far, and warns; all classes together. 0 is no
        limit.
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
        Precomputed kernels and functions whose matrices have negative eigenvalues are refused, or repaired: these
        eigenvalues become 0, change their sign, or all are raised alike. New rows are repaired with them.
    """
)

_ATTRIBUTES = _entries(
    """
    classes_ : ndarray of shape (n_classes,)
        The classes.
    kernel_weights_ : ndarray of shape (n_kernels,)
        The weight of each kernel.{axis}
    kernel_norms_ : ndarray of shape (n_kernels,)
        The norm of each f_m.
    active_kernels_ : ndarray
        The kernels with a weight above 0{some}.
    kernel_names_ : ndarray of shape (n_kernels,)
        Their names.
    kernel_groups_ : ndarray of shape (n_kernels,)
        The source of each, or an empty string.
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
    best_params_ : dict
        The chosen alpha (as it was given or made from ``alphas``), l1_ratio and q.
    best_score_ : float
        Its mean score over the folds.
    best_index_ : int
        Its place in ``cv_results_``.
    at_edge_ : {"smallest", "largest"} or None
        Whether the chosen alpha is at an end of those that were tried, so that a better one may lie beyond.
    cv_results_ : dict of arrays
        alpha, l1_ratio, q, mean_test_score, std_test_score and split_test_scores of all that was tried.
    fold_ : ndarray of shape (n_samples,)
        Of each row of X, the fold whose test part it was in; -1 if none.
    n_features_in_ : int
        The number of columns of X.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X was a frame.
    """
)

_OF_CV = ("alphas", "eps", "cv", "scoring")
_RESULTS_OF_CV = ("best_params_", "best_score_", "best_index_", "at_edge_", "cv_results_", "fold_")
_OF_CLASSES = ("class_weight", "multi_class")
_OF_NUMBERS = ("epsilon", "quantile")
_LOSSES = {
    "classification": """loss : {"logistic", "hinge", "squared_hinge"} or Loss, default="logistic"
    The loss, or one of your own.""",
    "regression": """loss : {"squared", "epsilon_insensitive", "huber", "quantile"} or Loss, default="squared"
    The loss, or one of your own.""",
}


def documentation(task: str, summary: str, *, cv: bool = False, examples: str = "") -> str:
    """Of the estimator for a task, "classification" or "regression", which chooses by cross-validation or not."""
    classes = task == "classification"
    left_out = {*(_OF_NUMBERS if classes else _OF_CLASSES), *(("alpha",) if cv else _OF_CV)}
    parameters = {name: entry for name, entry in _PARAMETERS.items() if name not in left_out}
    parts = [parameters.pop("kernels")]
    if cv:
        parts += [parameters.pop(name) for name in _OF_CV]
        for name in ("l1_ratio", "q"):
            parameters[name] = parameters[name].replace(": float,", ": float or list of float,")
    parts += [_LOSSES[task], *parameters.values()]
    hidden = {*(() if classes else ("classes_",)), *(() if cv else _RESULTS_OF_CV)}
    axis = " With more than two classes this and the following have a leading axis of classes." if classes else ""
    attributes = "\n".join(entry for name, entry in _ATTRIBUTES.items() if name not in hidden)
    attributes = attributes.replace("{axis}", axis).replace("{some}", " (for some class)" if classes else "")
    sections = {"Parameters": "\n".join(parts), "Attributes": attributes, "Examples": dedent(examples).strip()}
    text = dedent(summary).strip()
    for title, body in sections.items():
        if body:
            text += f"\n\n{title}\n{'-' * len(title)}\n{body}"
    return indent(text, "    ").strip() + "\n    "
