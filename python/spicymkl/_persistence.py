"""Model files, shared with the command."""

from __future__ import annotations

import math
import os
import warnings
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._classifier import MKLClassifier
from ._files import kernel_files, output_path
from ._idle import READ_BY, is_read
from ._input import default_names
from ._kernel_choice import choose_kernels
from ._regressor import MKLRegressor
from ._report import loaded_facts
from ._survival import MKLSurvival
from .kernels import kernel_from_dict


def save(estimator, path) -> None:
    check_is_fitted(estimator)
    if choose_kernels(estimator.kernels).functions:
        raise ValueError(
            "the kernels are Python functions, which a model file cannot hold; pickle the estimator instead"
        )
    for name in ("loss", "penalty"):
        if not isinstance(getattr(estimator, name), str):
            raise ValueError(
                f"the {name} is a Python object, which a model file cannot hold; pickle the estimator instead"
            )
    if estimator._model.is_table is False and estimator._kept is not None:
        raise ValueError("samples of weight 0 were left out of precomputed kernels; leave them out before fitting")
    estimator._model.save(output_path(path, kernel_files(estimator.kernels)))
    _warn_of_strings(estimator)


def load(path: str | os.PathLike[str]) -> MKLClassifier | MKLRegressor | MKLSurvival:
    """Read a model that :meth:`MKLClassifier.save` or the command wrote.

    Parameters
    ----------
    path : str or path
        A .safetensors file.

    Returns
    -------
    MKLClassifier, MKLRegressor or MKLSurvival
        Fitted. Classes that are all written as Python writes numbers are numbers again, and False and True are bool; others,
        such as 01 and 02, are strings. ``history_`` is not part of the file.

    Raises
    ------
    OSError
        If the file cannot be read: FileNotFoundError, IsADirectoryError, PermissionError.
    ValueError
        If it holds no model, or is damaged.
    """
    path = os.fsdecode(path)
    with open(path, "rb"):
        pass  # the operating system's own error for what cannot be opened
    model = _core.load_model(path)
    make = MKLSurvival if model.is_survival else MKLClassifier if model.classes else MKLRegressor
    known = make().get_params(deep=False)
    estimator = make(
        kernels=[kernel_from_dict(entry) for entry in model.kernel_specs] if model.is_table else "precomputed",
        tol=model.tol,
        standardize=model.standardized,
        missing_view=model.missing_view,
        covariates=model.covariate_columns or None,
        psd=None if model.psd == "refuse" else model.psd,
        **_problem_of(model, known),
    )
    for name in READ_BY:  # the file names them always
        if hasattr(estimator, name) and not is_read(name, estimator):
            estimator.set_params(**{name: known[name]})
    _restore(estimator, model)
    estimator._facts = loaded_facts(path)
    return estimator


def _problem_of(model, known) -> dict[str, Any]:
    """The parameters that stand for the problem of its fits."""
    fit = model.fits[0]
    parameters = {name: value for name, value in fit.options.items() if name in known}
    if model.targets:
        parameters["multi_output"] = "joint" if fit.n_outputs > 1 else "each"
    elif fit.n_outputs > 1:  # the multinomial loss goes by this name
        parameters |= {"multi_class": "joint", "loss": known["loss"]}
    elif len(model.fits) > 1:
        parameters["multi_class"] = "ovr"
    return parameters


def _restore(estimator, model) -> None:
    """The fitted attributes."""
    estimator._model = model
    estimator._kept, estimator._n_training = None, model.n_samples
    estimator._target_names = model.targets
    if model.classes:
        estimator.classes_ = _from_texts(model.classes)
    estimator.n_features_in_ = len(model.columns) if model.is_table else model.n_samples
    if model.is_table and model.columns != default_names(len(model.columns)):
        estimator.feature_names_in_ = np.array(model.columns, dtype=object)
    elif model.is_table:  # of a frame, or of an array that had none: the file does not say
        estimator._names_of_file = model.columns
    estimator._categories = {name: texts for name, texts in zip(model.columns, model.categories) if texts}
    estimator._sources, estimator._source_of_column = model.sources, model.source_of_column
    estimator._set_results(model.fits)


def _from_texts(classes: list[str]) -> np.ndarray[Any, Any]:
    """Classes as they were, as far as their strings tell, which are all that a model file has of them.

    Numbers are those that are written just so, in their order: 01 or 1, 10, 2 are strings.
    """
    if classes == ["False", "True"]:
        return np.array([False, True])
    for kind in (int, float):
        numbers: list[Any] = [_number(text.removeprefix("+"), kind) for text in classes]  # +1 of libsvm files
        if None not in numbers and numbers == sorted(numbers):
            return np.array(numbers)
    return np.array(classes)


def _number(text: str, kind: type) -> int | float | None:
    """None where no number of this kind is written so."""
    try:
        number = kind(text)
    except ValueError:
        return None
    fits = -(2**63) <= number < 2**63 if kind is int else math.isfinite(number)
    return number if fits and text in (str(number), f"{number:.0f}") else None


def _warn_of_strings(estimator) -> None:
    """Of classes that will be of another kind when they are read."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or classes.dtype.kind in "biuf":
        return
    read = _from_texts(estimator._model.classes)
    if read.tolist() != classes.tolist():
        warnings.warn(
            f"the classes are strings such as {str(classes[0])!r}, which a model file does not tell from "
            f"{'booleans' if read.dtype == bool else 'numbers'}: load will have {read[0]} in its place; give classes other "
            "names, learn from what load will have, or pickle the estimator",
            UserWarning,
            stacklevel=4,
        )
