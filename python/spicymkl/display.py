"""Pictures of fitted estimators, in scikit-learn's manner. matplotlib is imported only when one is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._contributions_display import ContributionsDisplay
from ._cv_scores_display import CVScoresDisplay
from ._drawing import axes_or_new, short
from ._effects_display import EffectsDisplay
from ._grid import PATH_ALPHAS, PATH_EPS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Self

    from ._path import MKLPath

__all__ = [
    "CVScoresDisplay",
    "ContributionsDisplay",
    "ConvergenceDisplay",
    "EffectsDisplay",
    "KernelWeightsDisplay",
    "PathDisplay",
]


class ConvergenceDisplay:
    """The duality gap over time.

    Parameters
    ----------
    histories : dict of str to dict of arrays
        Of each curve its ``history_``.
    tol : float
        The gap that was asked for.

    Attributes
    ----------
    ax_ : matplotlib axes
    figure_ : matplotlib figure
    lines_ : list of matplotlib lines
    """

    def __init__(self, histories: dict[Any, dict[str, np.ndarray]], tol: float) -> None:
        self.histories = histories
        self.tol = tol

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **line_options: Any) -> Self:
        """Draw the convergence of a fitted estimator.

        Parameters
        ----------
        estimator : MKLClassifier or MKLRegressor
            Fitted.
        ax : matplotlib axes, default=None
            Where to draw.
        **line_options
            Passed to ``ax.plot``.

        Returns
        -------
        ConvergenceDisplay
        """
        check_is_fitted(estimator)
        several = isinstance(estimator.history_, list)
        histories = dict(zip(estimator._output_names(), estimator.history_)) if several else {"": estimator.history_}
        return cls(histories, estimator.tol).plot(ax=ax, **line_options)

    def plot(self, *, ax: Any = None, **line_options: Any) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw.
        **line_options
            Passed to ``ax.plot``.

        Returns
        -------
        ConvergenceDisplay
        """
        ax = axes_or_new(ax)
        self.lines_ = []
        for name, history in self.histories.items():
            label = f"class {name}" if name != "" else "gap"
            self.lines_ += ax.plot(
                history["seconds"], history["gap"], **{"marker": "o", "label": label, **line_options}
            )
        ax.axhline(self.tol, color="gray", linestyle="--", label=f"tol = {self.tol:g}")
        ax.set(xlabel="seconds", ylabel="relative duality gap", yscale="log")
        ax.legend()
        self.ax_, self.figure_ = ax, ax.figure
        return self


class KernelWeightsDisplay:
    """The weight of each kernel: bars, or a heat map of kernels by source.

    Parameters
    ----------
    weights : ndarray of shape (n_kernels,) or (n_classes, n_kernels)
        The weights.
    names : array-like of shape (n_kernels,)
        The names of the kernels.
    classes : array-like, default=None
        The classes, where there is more than one row of weights.

    Attributes
    ----------
    ax_ : matplotlib axes
    figure_ : matplotlib figure
    """

    def __init__(self, weights: ArrayLike, names: ArrayLike, classes: Any = None) -> None:
        self.weights = np.atleast_2d(weights)
        self.names = np.asarray(names)
        self.classes = classes

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, top: int = 20, kind: str = "auto") -> Self:
        """Draw the kernel weights of a fitted estimator.

        Parameters
        ----------
        estimator : MKLClassifier or MKLRegressor
            Fitted.
        ax : matplotlib axes, default=None
            Where to draw.
        top : int, default=20
            How many kernels to show, those of largest weight.
        kind : {"auto", "bar", "heatmap"}, default="auto"
            Bars, or a heat map of columns (or sources) by kernel: a grid. "auto" draws a heat map of classes by kernel if
            each class has kernels of its own, else bars.

        Returns
        -------
        KernelWeightsDisplay
        """
        check_is_fitted(estimator)
        several = estimator.kernel_weights_.ndim == 2
        classes = estimator._output_names() if several else None
        return cls(estimator.kernel_weights_, estimator.kernel_names_, classes).plot(ax=ax, top=top, kind=kind)

    def plot(self, *, ax: Any = None, top: int = 20, kind: str = "auto") -> Self:
        """Draw; see :meth:`from_estimator`.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw.
        top : int, default=20
            How many kernels to show, those of largest weight.
        kind : {"auto", "bar", "heatmap"}, default="auto"
            Bars, or a heat map.

        Returns
        -------
        KernelWeightsDisplay
        """
        if kind not in ("auto", "bar", "heatmap"):
            raise ValueError(f"kind is {kind!r}; it must be 'auto', 'bar' or 'heatmap'")
        if kind == "heatmap" and self.classes is None:
            self._draw_grid(ax)
        elif kind == "heatmap" or (kind == "auto" and self.classes is not None):
            self._draw_classes(ax, top)
        else:
            self._draw_bars(ax, top)
        self.figure_ = self.ax_.figure
        return self

    def _top(self, top):
        total = self.weights.sum(axis=0)
        return [m for m in np.argsort(-total, kind="stable")[:top] if total[m] > 0]

    def _draw_bars(self, ax, top):
        chosen = self._top(top)
        self.ax_ = axes_or_new(ax, figsize=(7, 1 + 0.28 * len(chosen)), layout="constrained")
        self.ax_.barh(range(len(chosen)), self.weights.sum(axis=0)[chosen])
        self.ax_.set_yticks(range(len(chosen)), [short(name) for name in self.names[chosen]])
        self.ax_.invert_yaxis()
        active = int((self.weights.sum(axis=0) > 0).sum())
        self.ax_.set(
            xlabel="weight", title=f"{active} of {len(self.names)} kernels {'is' if active == 1 else 'are'} active"
        )

    def _draw_classes(self, ax, top):
        chosen = self._top(top)
        self.ax_ = axes_or_new(
            ax, figsize=(1 + 1.2 * len(self.classes) + 4, 1 + 0.28 * len(chosen)), layout="constrained"
        )
        self._image(
            self.weights[:, chosen].T, [short(name) for name in self.names[chosen]], [str(c) for c in self.classes]
        )
        self.ax_.set(xlabel="class")

    def _draw_grid(self, ax):
        """Kernels are called "type(parameters) on columns": rows are the columns, and columns the types."""
        parts = [str(name).rpartition(" on ")[::2] for name in self.names]
        columns = list(dict.fromkeys(where for _, where in parts))
        types = list(dict.fromkeys(what for what, _ in parts))
        grid = np.zeros((len(columns), len(types)))
        for (what, where), weight in zip(parts, self.weights[0]):
            grid[columns.index(where), types.index(what)] += weight
        heads = [short(what) for what in types]
        room = 0.085 * max(map(len, heads))  # inches; they stand upright
        size = (min(14, 3 + 0.4 * len(types)), min(14, 1 + 0.25 * len(columns) + room))
        self.ax_ = axes_or_new(ax, figsize=size, layout="constrained")
        self._image(grid, [short(column) for column in columns], heads)
        self.ax_.tick_params(axis="x", rotation=90)

    def _image(self, values, rows, columns):
        image = self.ax_.imshow(values, aspect="auto", cmap="viridis", vmin=0)
        self.ax_.figure.colorbar(image, ax=self.ax_, label="weight")
        self.ax_.set_yticks(range(len(rows)), rows)
        self.ax_.set_xticks(range(len(columns)), columns)


class PathDisplay:
    """Kernel weights along a regularisation path.

    Parameters
    ----------
    alphas : ndarray of shape (n_alphas,)
        The strengths.
    weights : ndarray of shape (n_alphas, n_kernels)
        The weights at each.
    names : array-like of shape (n_kernels,)
        The names of the kernels.
    chosen : float, default=None
        The strength that cross-validation chose.

    Attributes
    ----------
    ax_ : matplotlib axes
    figure_ : matplotlib figure
    lines_ : list of matplotlib lines
    """

    def __init__(self, alphas: ArrayLike, weights: ArrayLike, names: ArrayLike, chosen: float | None = None) -> None:
        self.alphas = np.asarray(alphas)
        self.weights = np.asarray(weights)
        self.names = np.asarray(names)
        self.chosen = chosen

    @classmethod
    def from_path(cls, path: MKLPath, *, ax: Any = None, top: int = 8) -> Self:
        """Draw what :func:`mkl_path` gave.

        Parameters
        ----------
        path : MKLPath
            The path; of several classes, the weights are added up.
        ax : matplotlib axes, default=None
            Where to draw.
        top : int, default=8
            How many kernels to name, those of largest weight; the others are grey.

        Returns
        -------
        PathDisplay
        """
        weights = path.kernel_weights if path.kernel_weights.ndim == 2 else path.kernel_weights.sum(axis=0)
        return cls(path.alphas, weights, path.kernel_names).plot(ax=ax, top=top)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, alphas: Any = PATH_ALPHAS, ax: Any = None, top: int = 8
    ) -> Self:
        """Draw the path of an estimator's problem on data.

        Parameters
        ----------
        estimator : MKLClassifier or MKLRegressor
            Fitted or not. Of MKLClassifierCV and MKLRegressorCV the chosen strength is marked.
        X, y : arrays
            The training data.
        alphas : int or array-like, default=50
            How many strengths, or which.
        ax : matplotlib axes, default=None
            Where to draw.
        top : int, default=8
            How many kernels to name.

        Returns
        -------
        PathDisplay
        """
        from ._path import path_of

        eps = getattr(estimator, "eps", PATH_EPS)
        display = cls.from_path(path_of(estimator, X, y, alphas=alphas, eps=eps), ax=ax, top=top)
        if hasattr(estimator, "best_params_"):
            display.chosen = float(np.max(estimator.alpha_))
            display._mark()
        return display

    def plot(self, *, ax: Any = None, top: int = 8) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw.
        top : int, default=8
            How many kernels to name.

        Returns
        -------
        PathDisplay
        """
        self.ax_ = axes_or_new(ax, figsize=(8, 5), layout="constrained")
        largest = self.weights.max(axis=0)
        named = set(np.argsort(-largest, kind="stable")[:top])
        self.lines_ = []
        for m in np.flatnonzero(largest):
            style = {"label": short(self.names[m])} if m in named else {"color": "lightgray", "zorder": 1}
            self.lines_ += self.ax_.plot(self.alphas, self.weights[:, m], **style)
        self.ax_.set(xscale="log", xlabel="alpha", ylabel="kernel weight")
        self.ax_.invert_xaxis()
        self._mark()
        self.figure_ = self.ax_.figure
        return self

    def _mark(self):
        if self.chosen is not None:
            self.ax_.axvline(self.chosen, color="black", linestyle="--", label="chosen")
        self.ax_.legend(fontsize="small")
