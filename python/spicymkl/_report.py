"""The HTML report: the page that the command writes, of a fitted estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from . import _core
from ._files import kernel_files, output_path
from ._kernel_choice import KernelChoice, function_name
from ._tables import OPTIONS, as_options
from ._targets import check_several, in_order

_MOST_SHOWN = 200  # characters


def training_facts(estimator: Any, choice: KernelChoice, kernels: _core.TrainingKernels) -> dict[str, Any]:
    """What a report says of a training, kept when it is fitted: parameters may be set anew later."""
    cv = hasattr(estimator, "alphas")
    alpha = None if cv else as_options({"alpha": estimator.alpha}).get("alpha", OPTIONS["alpha"]["default"])
    request = {
        "what": "Cross-validation" if cv else "Training",
        "command": " ".join(f"{estimator!r}.fit(X, y)".split()),
        "kernels": _kernels_text(estimator.kernels, choice),
        "labels": "" if choice.is_table else "y",
        "solver": estimator.solver,
        "alpha": alpha or "",
        "remarks": kernels.remarks,
    }
    score = {"score_name": _score_name(estimator)} if cv else {}
    return {"request": request, "data": kernels.data, "files": kernel_files(estimator.kernels), **score}


def loaded_facts(path: str) -> dict[str, Any]:
    """The same of a model that came from a file."""
    return {"model": path, "files": {"the model that was loaded": path}}


def write_report(estimator: Any, path: Any, X_test: Any, y_test: Any, data_name: str, test_name: str) -> None:
    check_is_fitted(estimator)
    for name, value in (("data_name", data_name), ("test_name", test_name)):
        if not isinstance(value, str) or not value:
            raise ValueError(f"{name} is {value!r}, but it must be a string: what the data are called in the report")
    path = output_path(path, estimator._facts["files"])
    _core.write_file(path, _page(estimator, _test(estimator, X_test, y_test), data_name, test_name))


def _page(estimator, test, data_name, test_name) -> str:
    facts, model, threads = estimator._facts, estimator._model, estimator._threads()
    if "model" in facts:
        return _core.model_page(model, f"spicymkl.load({facts['model']!r})", facts["model"], test, test_name, threads)
    request = _core.TrainingRequest()
    for name, value in {**facts["request"], "data": data_name, "threads": threads}.items():
        setattr(request, name, value)
    histories = estimator.history_ if isinstance(estimator.history_, list) else [estimator.history_]
    return _core.training_page(model, request, facts["data"], histories, _cross_validation(estimator), test, test_name)


# What scikit-learn calls the metrics of the command, with the sign that it gives them.
_METRICS = {
    "accuracy": ("accuracy", 1),
    "balanced_accuracy": ("balanced_accuracy", 1),
    "roc_auc": ("auc", 1),
    "neg_log_loss": ("log_loss", -1),
    "neg_root_mean_squared_error": ("rmse", -1),
    "neg_mean_absolute_error": ("mae", -1),
    "r2": ("r2", 1),
    "concordance": ("concordance", 1),
}


def _cross_validation(estimator) -> _core.CrossValidation | None:
    if not hasattr(estimator, "cv_results_"):
        return None
    results, name = estimator.cv_results_, estimator._facts["score_name"]
    metric, sign = _METRICS.get(name, (name, 1))
    alphas = [alpha if isinstance(alpha, str) else repr(float(alpha)) for alpha in results["alpha"].tolist()]
    kernels = results["kernels"].tolist() if "kernels" in results else [""] * len(alphas)
    scores = sign * results["split_test_scores"]
    numbers = [results[name].astype(np.float64) for name in ("l1_ratio", "q")]
    familiar = estimator._familiar
    return _core.cross_validation(
        kernels,
        alphas,
        *numbers,
        scores,
        results[f"mean_{familiar}"],
        familiar,
        results["mean_n_active"],
        metric,
        name in _METRICS,
        estimator.best_index_,
    )


def _score_name(estimator) -> str:
    """What a cross-validation compares, in the words of scikit-learn."""
    if estimator.scoring is None:
        if not hasattr(estimator, "classes_"):
            return estimator._familiar
        return "neg_log_loss" if hasattr(estimator, "predict_proba") else "accuracy"
    return estimator.scoring if isinstance(estimator.scoring, str) else getattr(estimator.scoring, "__name__", "score")


def _test(estimator, X, y) -> _core.Evaluation | None:
    """How well other rows are predicted."""
    if X is None and y is None:
        return None
    if X is None or y is None:
        raise ValueError("X_test and y_test go together: give both, or neither")
    scores = estimator._scores(X)
    if hasattr(estimator, "_evaluate"):
        return estimator._evaluate(scores, y)
    if estimator._model.targets:
        return _core.evaluate_targets(estimator._model, _several_truths(estimator, y, scores), scores)
    y = column_or_1d(y)
    check_consistent_length(scores, y)
    return _core.evaluate(estimator._model, _truth(estimator, y), scores)


def _several_truths(estimator, y, scores) -> np.ndarray:
    check_several(y)
    y = in_order(y, estimator._model.targets, "y_test")
    if np.shape(y) != scores.shape:
        raise ValueError(f"y_test has the shape {np.shape(y)}, but the predictions have {scores.shape}")
    return np.asarray(y, dtype=np.float64)


def _truth(estimator, y) -> np.ndarray:
    """Numbers, or the place of each class."""
    if not hasattr(estimator, "classes_"):
        numbers = np.asarray(y, dtype=np.float64)
        if not np.isfinite(numbers).all():
            raise ValueError("y_test holds values that are NaN or infinite")
        return numbers
    places = {name: float(place) for place, name in enumerate(estimator.classes_.tolist())}
    unknown = [value for value in y.tolist() if value not in places]
    if unknown:
        raise ValueError(f"y_test holds {unknown[0]!r}, which is not among the classes of the model: {list(places)}")
    return np.array([places[value] for value in y.tolist()])


def _kernels_text(kernels: Any, choice: KernelChoice) -> str:
    if choice.functions:
        text = ", ".join(map(function_name, choice.functions))
    elif isinstance(kernels, Mapping):
        text = f"auto, groups of {', '.join(map(str, kernels))}"
    else:
        text = kernels if isinstance(kernels, str) else str(kernels)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"
