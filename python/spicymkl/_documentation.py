"""The docstrings of the estimators: signatures give names and defaults, the library's tables the help of its options.

They are plain strings of this module, which ``python -OO`` leaves alone where it drops the docstrings of classes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from textwrap import dedent, fill, indent
from typing import Any, TypeVar

from ._tables import JOINT_LOSS, LOSSES, OPTIONS, PENALTIES, losses_for

Estimator = TypeVar("Estimator", bound="type[Any]")


def _one_of(names) -> str:
    return "{" + ", ".join(f'"{name}"' for name in names) + "}"


def _sentence(help_text: str) -> str:
    return help_text[0].upper() + help_text[1:] + "."


def _help(name: str, more: str = "") -> str:
    return f"{_sentence(OPTIONS[name]['help'])} {more}".strip()


def _each(table, names=None) -> str:
    return "\n".join(f"- {name}: {table[name]['description']}" for name in names or table)


_KERNELS = """\
- a preset: ``"auto"``, or a part of it, ``"auto:columns"`` (on single columns) or ``"auto:joint"`` (on all of them), among
  which cross-validation chooses; ``"paper"`` or ``"random:M"``;
- ``"precomputed"``: X holds the kernels, as :class:`KernelStack`, as (n_kernels, n, n_samples), as a dict from names
  to matrices, or as (n, n_samples) for one kernel;
- a kernel of :mod:`spicymkl.kernels`, or a list of them;
- a dict of sources, each with its columns: the preset ``"auto"`` on each source and on all columns;
- a file: a JSON kernel list, or gene sets (.gmt) as sources;
- a function of two arrays that gives the matrix of kernel values between their rows, or a list of such functions."""

# Of each parameter: what it may be, and what it does. Lists are left as they are, other text is wrapped.
_PARAMETERS: dict[str, tuple[str, str]] = {
    "kernels": ("str, path, kernel, list, dict or callable", _KERNELS),
    "alphas": (
        "int or list",
        (
            "How many strengths from alpha_max down to eps·alpha_max, or which: numbers, or strings such as ``'0.1max'``, "
            "multiples of the alpha_max of the samples at hand. If the best one is at an end of the list, a warning says so."
        ),
    ),
    "eps": ("float", "The smallest strength over the largest."),
    "cv": ("int, splitter or iterable", "As in scikit-learn; None is 5 folds."),
    "scoring": (
        "str or callable",
        (
            "As in scikit-learn. None: for classes the mean logarithm of the probability of the right one, or the accuracy "
            "where the loss gives no probabilities; for numbers R²; for survival times the concordance. Samples then count as much as in learning."
        ),
    ),
    "penalty": (
        f"{_one_of(PENALTIES)} or Regularizer",
        f"- one of your own, or, of the norm x of each kernel's function,\n{_each(PENALTIES)}",
    ),
    "alpha": (
        "float or str",
        _help(
            "alpha",
            f'Larger means fewer kernels; max is the smallest value that selects none. None is "{OPTIONS["alpha"]["default"]}", '
            "which does not change with class_weight: that then says how much the samples count beside the penalty.",
        ),
    ),
    "l1_ratio": ("float", _help("l1_ratio")),
    "q": ("float", _help("q")),
    "epsilon": ("float", _help("epsilon")),
    "quantile": ("float", _help("quantile")),
    "fit_intercept": ("bool", _help("fit_intercept")),
    "tol": ("float", _help("tol")),
    "max_iter": ("int", _help("max_iter")),
    "max_seconds": (
        "float",
        (
            "Seconds after which ``fit`` ends with the best model so far, and warns; kernels and all classes together. 0 is "
            "no limit."
        ),
    ),
    "solver": (_one_of(OPTIONS["solver"]["choices"]), _help("solver", "The answer is the same.")),
    "class_weight": ('dict, "balanced" or None', "How much the samples of each class count."),
    "multi_class": (
        '{"auto", "joint", "ovr"}',
        _help(
            "multi_class",
            "Learned at once, they have probabilities of their own; each against the rest, each has kernels of its own. "
            f'loss="{JOINT_LOSS}" is another name for the logistic loss of all of them at once.',
        ),
    ),
    "multi_output": (
        '{"joint", "each"}',
        _help("multi_output", "Where y is of shape (n_samples, n_targets)."),
    ),
    "n_jobs": (
        "int",
        (
            "Threads. None is as many as OMP_NUM_THREADS allows, -1 all cores. Within ``joblib.parallel_config`` the folds of a "
            "cross-validation, and classes that are learned each against the rest, are jobs of its own, and these are the threads "
            "of each."
        ),
    ),
    "random_state": ("int or RandomState", 'The seed of ``kernels="random:M"``; None is 0.'),
    "verbose": ("bool or int", "Whether to show progress."),
    "warm_start": (
        "bool",
        "Whether ``fit`` starts from the solution of the last ``fit`` on data of the same size.",
    ),
    "standardize": ("bool", _help("standardize", "Fitted on the training rows.")),
    "features": (
        '{"auto", "none", "nystrom:R", "fourier:R"}',
        _help(
            "features",
            "R numbers per row and kernel at most: time and memory grow with the rows, not with their square.",
        ),
    ),
    "memory": (
        "float or str",
        (
            'Bytes that the kernels may take, such as ``"8G"``; None is half of what is free. What does not fit is computed '
            "when it is needed."
        ),
    ),
    "device": (
        _one_of(OPTIONS["device"]["choices"]),
        _help(
            "device",
            "A GPU needs the plugin ``libspicymkl_cuda.so``; see the page on GPUs. Predictions are made there too, and "
            "precomputed kernels that lie on a GPU (arrays of CuPy or torch) are read in place.",
        ),
    ),
    "missing_view": (
        _one_of(OPTIONS["missing_view"]["choices"]),
        _help(
            "missing_view",
            "They are refused, left out of ``fit``, or kept; kernels of a table are then fitted on the samples that it has.",
        ),
    ),
    "covariates": (
        "list of str or of int",
        (
            "Columns of X, by name or by number, that enter linearly and without a penalty, as the intercept does: age, "
            "sex, site. They are in no kernel. Of strings, each but the first in order has an indicator."
        ),
    ),
    "psd": (
        '{"clip", "flip", "shift"} or None',
        (
            "Precomputed kernels and functions whose matrices have negative eigenvalues are refused, or repaired: these "
            "eigenvalues become 0, change their sign, or all are raised alike. New rows are repaired with them."
        ),
    ),
    "comm": (
        "mpi4py.MPI.Comm",
        (
            "Processes over which the kernels are spread; all of them call ``fit``. Rank 0 learns from its X and y, and all "
            "have the same answer afterwards; ``memory`` and ``n_jobs`` are those of each."
        ),
    ),
}
_CV_KINDS = {name: ("float or list of float", _PARAMETERS[name][1]) for name in ("l1_ratio", "q")}

_ATTRIBUTES: dict[str, tuple[str, str]] = {
    "kernel_weights_": ("ndarray of shape (n_kernels,)", "The weight of each kernel."),
    "kernel_norms_": ("ndarray of shape (n_kernels,)", "The norm of each f_m."),
    "active_kernels_": ("ndarray", "The kernels with a weight above 0, for some class if there are several."),
    "kernel_names_": ("ndarray of shape (n_kernels,)", "Their names."),
    "kernel_groups_": ("ndarray of shape (n_kernels,)", "The source of each, or an empty string."),
    "source_names_": (
        "ndarray of shape (n_sources,)",
        "The sources that kernels come from: named ones, columns, or sets of columns; a precomputed kernel is a source of its own.",
    ),
    "source_weights_": ("ndarray of shape (n_sources,)", "The sum of the weights of the kernels of each source."),
    "dual_": ("ndarray of shape (n_samples,)", "The dual vector."),
    "coef_scale_": ("ndarray of shape (n_kernels,)", "``coef_scale_[m]·dual_`` are the coefficients of kernel m."),
    "intercept_": ("float", "b."),
    "covariate_names_": ("ndarray of shape (n_covariates,)", "The covariates; of strings, ``site=B`` and so on."),
    "covariate_coef_": (
        "ndarray of shape (n_covariates,)",
        "What one unit of each adds to the decision; with all classes at once, of shape (n_covariates, n_classes).",
    ),
    "alpha_": ("float", "The strength that was used."),
    "primal_objective_, dual_objective_, duality_gap_": ("float", "The certificate; the gap is relative."),
    "n_iter_": ("int", "Outer steps."),
    "status_": ("str", '"converged" if the gap is met.'),
    "fit_seconds_": ("float", "Seconds from kernels in memory to the certified answer."),
    "history_": ("dict of arrays", "seconds, primal, dual, gap and n_active at each step."),
    "n_features_in_": ("int", "The number of columns of X."),
    "feature_names_in_": ("ndarray of shape (n_features,)", "Their names, if X was a frame."),
}
_OF_CLASSES = {
    "classes_": (
        "ndarray of shape (n_classes,)",
        (
            "The classes. More than two that are learned at once are one problem: ``dual_`` is of shape (n_samples, n_classes) "
            "and ``intercept_`` of shape (n_classes,). Where each is learned against the rest, weights and all that belongs to a "
            "problem have a leading axis of classes."
        ),
    )
}
_OF_TIMES = {
    "unique_times_": ("ndarray of shape (n_unique_times,)", "The different times of the training samples, increasing."),
    "cum_baseline_hazard_": ("StepFunction", "Breslow's estimate of the cumulative hazard at log-risk 0."),
    "baseline_survival_": ("StepFunction", "The probability to be without the event at log-risk 0."),
}
_OF_TARGETS = {
    "target_names_": (
        "ndarray of shape (n_targets,)",
        (
            'Of several targets alone: the columns of y, or y0, y1, … With ``multi_output="each"``, weights and all that belongs '
            'to a problem have a leading axis of targets; with ``"joint"`` there is one problem, ``dual_`` is of shape '
            "(n_samples, n_targets) and ``intercept_`` of shape (n_targets,)."
        ),
    )
}
_OF_CV = {
    "best_params_": (
        "dict",
        'The chosen alpha (as it was given or made from ``alphas``), l1_ratio, q and, of ``kernels="auto"``, which part.',
    ),
    "best_score_": ("float", "Its mean score over the folds."),
    "best_index_": ("int", "Its place in ``cv_results_``."),
    "at_edge_": (
        '{"smallest", "largest"} or None',
        "Whether the chosen alpha is at an end of those that were tried, so that a better one may lie beyond.",
    ),
    "cv_results_": (
        "dict of arrays",
        (
            "alpha, l1_ratio, q, mean_test_score, std_test_score and split_test_scores of all that was tried, "
            "mean_accuracy, mean_r2 or mean_concordance, and mean_n_active, how many kernels were active, mean over folds and classes. Of "
            "strengths that are not given one by one, a fold leaves out those after its scores have clearly got worse: then "
            "these are NaN."
        ),
    ),
    "fold_": ("ndarray of shape (n_samples,)", "Of each row of X, the fold whose test part it was in; -1 if none."),
}


def _entry(name: str, kind: str, text: str) -> str:
    return f"{name} : {kind}\n{indent(text if text.startswith('- ') else fill(text, 112), '    ')}"


def _section(title: str, body: str) -> str:
    return f"\n\n{title}\n{'-' * len(title)}\n{body}"


def documented(summary: str, examples: str = "") -> Callable[[Estimator], Estimator]:
    """Gives an estimator its docstring."""

    def write(estimator):
        names = losses_for(estimator._labels)
        loss = (f"{_one_of(names)} or Loss", f"- one of your own, or\n{_each(LOSSES, names)}")
        signature = inspect.signature(estimator).parameters
        cv = "alphas" in signature
        known = {"loss": loss, **_PARAMETERS, **(_CV_KINDS if cv else {})}
        parameters = [
            _entry(name, f"{known[name][0]}, default={parameter.default!r}", known[name][1])
            for name, parameter in signature.items()
        ]
        attributes = {
            **(_OF_CLASSES if estimator._labels == "classes" else {}),
            **(_OF_TARGETS if estimator._labels == "numbers" else {}),
            **_ATTRIBUTES,
            **(_OF_TIMES if estimator._labels == "times" else {}),
            **(_OF_CV if cv else {}),
        }
        text = dedent(summary).strip() + _section("Parameters", "\n".join(parameters))
        text += _section("Attributes", "\n".join(_entry(name, *entry) for name, entry in attributes.items()))
        if examples:
            text += _section("Examples", dedent(examples).strip())
        estimator.__doc__ = indent(text, "    ").strip() + "\n    "
        return estimator

    return write
