"""Results as frames, with the index of the frame that was passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._sources import as_sources, is_several

if TYPE_CHECKING:
    import pandas as pd


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("results as frames need pandas: pip install pandas") from error
    return pandas


def _index_of(X: Any) -> Any:
    if is_several(X):
        return as_sources(X).index
    return X.index if hasattr(X, "columns") and hasattr(X, "index") else None


def prediction_frame(estimator: Any, X: Any) -> pd.DataFrame:
    """The columns of the command's ``predict``."""
    predicted = estimator.predict(X)
    columns: dict[str, np.ndarray] = (
        {"prediction": predicted}
        if predicted.ndim == 1
        else {f"prediction_{name}": predicted[:, k] for k, name in enumerate(estimator.target_names_)}
    )
    if hasattr(estimator, "classes_"):
        scores = estimator.decision_function(X)
        if scores.ndim == 1:
            columns["score"] = scores
        else:
            columns.update({f"score_{name}": scores[:, c] for c, name in enumerate(estimator.classes_)})
        if hasattr(estimator, "predict_proba"):
            chances = estimator.predict_proba(X)
            columns.update({f"probability_{name}": chances[:, c] for c, name in enumerate(estimator.classes_)})
    return _pandas().DataFrame(columns, index=_index_of(X))


def _kind_of_outputs(estimator: Any) -> str:
    return "class" if hasattr(estimator, "classes_") else "target"


def contribution_frame(estimator: Any, X: Any, shares: np.ndarray, names: list[str]) -> pd.DataFrame:
    """A column of each name; of several classes, a column of each class and name."""
    pandas = _pandas()
    if shares.ndim == 2:
        return pandas.DataFrame(shares, index=_index_of(X), columns=names)
    axes = [_kind_of_outputs(estimator), "kernel"]
    columns = pandas.MultiIndex.from_product([estimator._output_names(), names], names=axes)
    flat = shares.transpose(1, 0, 2).reshape(shares.shape[1], -1)
    return pandas.DataFrame(flat, index=_index_of(X), columns=columns)


def summary_frame(estimator: Any, sources: Any) -> pd.DataFrame:
    """A row of each kernel, heaviest first; of several classes, one class after the other."""
    pandas = _pandas()
    source_of = np.empty(len(estimator.kernel_names_), dtype=object)
    for source in sources:
        source_of[source.kernels] = source.name
    frames = []
    for weights, norms in zip(np.atleast_2d(estimator.kernel_weights_), np.atleast_2d(estimator.kernel_norms_)):
        columns = {"name": estimator.kernel_names_, "source": source_of, "weight": weights, "norm": norms}
        frames.append(pandas.DataFrame(columns).iloc[np.argsort(-weights, kind="stable")].rename_axis("kernel"))
    if len(frames) == 1:
        return frames[0]
    for name, frame in zip(estimator._output_names(), frames):
        frame.insert(0, _kind_of_outputs(estimator), name)
    return pandas.concat(frames)
