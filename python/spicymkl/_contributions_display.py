"""What each kernel, or each source, adds to the decisions of samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._drawing import panels, shared_legend, short

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Self

_MOST_NAMED_SAMPLES = 40
_MOST_STACKED = 6


class ContributionsDisplay:
    """What each kernel adds to the score or the prediction of samples.

    Bars for one sample; for several, bars of few kernels or sources on top of each other, or a heat map of many.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_kernels) or (n_classes, n_samples, n_kernels)
        What ``contributions`` gives.
    names : array-like of shape (n_kernels,)
        The names of the kernels.
    intercept : float or array-like of shape (n_classes,), default=0
        What is added to their sum.
    samples : array-like of shape (n_samples,), default=None
        The names of the samples; None is their numbers.
    classes : array-like, default=None
        The classes, where there is more than one problem.
    sum_name : str, default="score"
        What the sum of contributions and intercept is called.

    Attributes
    ----------
    axes_ : list of matplotlib axes
        One for each problem.
    figure_ : matplotlib figure
    """

    def __init__(
        self,
        values: ArrayLike,
        names: ArrayLike,
        intercept: ArrayLike = 0.0,
        samples: Any = None,
        classes: Any = None,
        sum_name: str = "score",
    ) -> None:
        values = np.asarray(values)
        self.values = values[None] if values.ndim == 2 else values
        self.names = np.asarray(names)
        self.intercept = np.atleast_1d(intercept)
        self.samples = np.arange(self.values.shape[1]) if samples is None else np.asarray(samples)
        self.classes = classes
        self.sum_name = sum_name

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, *, by: str = "kernel", kind: str = "auto", top: int = 12, ax: Any = None
    ) -> Self:
        """Draw what the kernels of a fitted estimator say of samples, and what its covariates add.

        Parameters
        ----------
        estimator : MKLClassifier or MKLRegressor
            Fitted.
        X : as for ``predict``
            The samples.
        by : {"kernel", "source"}, default="kernel"
            Whether each kernel is shown, or the sum of those of each source.
        kind : {"auto", "bar", "heatmap"}, default="auto"
            How several samples are drawn: one above the other as bars, or as a heat map. "auto" draws bars of no more than
            6 kernels or sources.
        top : int, default=12
            How many of them, those that say most; the others are added up.
        ax : matplotlib axes or array of them, default=None
            Where to draw: one for each class, where there are more than two.

        Returns
        -------
        ContributionsDisplay
        """
        if by not in ("kernel", "source"):
            raise ValueError(f"by is {by!r}; it must be 'kernel' or 'source'")
        check_is_fitted(estimator)
        values, names = estimator._parts_of_decisions(X)
        if by == "source":
            n_kernels, sources = len(estimator.kernel_names_), _core.kernel_sources(estimator._model)
            by_source = [values[..., source.kernels].sum(axis=-1) for source in sources]
            values = np.concatenate([np.stack(by_source, axis=-1), values[..., n_kernels:]], axis=-1)
            names = [*estimator.source_names_, *names[n_kernels:]]
        classes = estimator._output_names() if values.ndim == 3 else None
        sum_name = "score" if hasattr(estimator, "classes_") else "prediction"
        display = cls(values, names, estimator.intercept_, _sample_names(X), classes, sum_name)
        return display.plot(kind=kind, top=top, ax=ax)

    def plot(self, *, kind: str = "auto", top: int = 12, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        kind : {"auto", "bar", "heatmap"}, default="auto"
            How several samples are drawn: one above the other as bars, or as a heat map. "auto" draws bars of no more than
            6 kernels or sources.
        top : int, default=12
            How many kernels, those that say most; the others are added up.
        ax : matplotlib axes or array of them, default=None
            Where to draw: one for each class, where there are more than two.

        Returns
        -------
        ContributionsDisplay
        """
        if kind not in ("auto", "bar", "heatmap"):
            raise ValueError(f"kind is {kind!r}; it must be 'auto', 'bar' or 'heatmap'")
        if top < 1:
            raise ValueError(f"top is {top}, but at least one kernel must be drawn")
        names, parts = self._most_telling(top)
        if not names:
            raise ValueError(
                "no kernel says anything of these samples: the model is a constant; a smaller alpha selects some"
            )
        many = len(parts) > 6
        size = {"width": 7 if len(parts) == 1 else 3 if many else 4.2, "height": 1.7 + 0.28 * max(len(names), 6)}
        self.axes_ = panels(ax, len(parts), columns=5 if many else 3, **size, sharey=True)
        self.figure_ = self.axes_[0].figure
        if parts.shape[1] == 1:
            self._draw_one(names, parts[:, 0])
        elif kind == "bar" or (kind == "auto" and len(names) <= _MOST_STACKED):
            self._draw_stacked(names, parts)
            shared_legend(self.axes_, ax, *self.axes_[0].get_legend_handles_labels())
        else:
            self._draw_map(names, parts)
        return self

    def _most_telling(self, top):
        """The names of the kernels to show, and of each problem what they say: samples × kernels."""
        size = np.abs(self.values).mean(axis=(0, 1))
        order = [m for m in np.argsort(-size, kind="stable") if size[m] > 0]
        shown, others = order[:top], order[top:]
        names = [short(name, 48 if self.classes is None else 32) for name in self.names[shown]]
        parts = self.values[..., shown]
        if others:
            names.append("1 other" if len(others) == 1 else f"{len(others)} others")
            parts = np.concatenate([parts, self.values[..., others].sum(axis=-1, keepdims=True)], axis=-1)
        return names, parts

    def _sums(self):
        """Problems × samples."""
        return self.values.sum(axis=2) + self.intercept[:, None]

    def _title(self, ax, number, text):
        intercept = f"intercept {self.intercept[number]:.3g}"
        several = [] if self.classes is None else [f"class {self.classes[number]}"]
        ax.set_title(("\n" if several else ", ").join([*several, intercept, text]), fontsize="medium")

    def _draw_one(self, names, parts):
        least, most = min(0, parts.min()), max(0, parts.max())
        margin = 0.05 * (most - least)
        for number, ax in enumerate(self.axes_):
            ax.barh(range(len(names)), parts[number], color=np.where(parts[number] < 0, "tab:blue", "tab:red"))
            ax.axvline(0, color="gray", linewidth=0.8)
            ax.set_yticks(range(len(names)), names)
            ax.set(ylim=(len(names) - 0.5, -0.5), xlim=(least - margin, most + margin), xlabel="contribution")
            self._title(ax, number, f"{self.sum_name} {self._sums()[number, 0]:.3g}")
        self.axes_[0].set_ylabel(f"sample {self.samples[0]}")

    def _draw_stacked(self, names, parts):
        for number, (ax, sums) in enumerate(zip(self.axes_, self._sums())):
            order = self._order(ax, number, sums)
            above, below = np.zeros(len(order)), np.zeros(len(order))
            for name, values in zip(names, parts[number][order].T):
                ax.bar(range(len(order)), values, 1.0, bottom=np.where(values > 0, above, below), label=name)
                above, below = above + np.maximum(values, 0), below + np.minimum(values, 0)
            ax.plot(range(len(order)), sums[order] - self.intercept[number], color="black", label="sum")
        self.axes_[0].set_ylabel("contribution")

    def _draw_map(self, names, parts):
        largest = np.abs(parts).max()
        look = {"cmap": "RdBu_r", "vmin": -largest, "vmax": largest, "aspect": "auto", "interpolation": "nearest"}
        for number, (ax, sums) in enumerate(zip(self.axes_, self._sums())):
            image = ax.imshow(parts[number][self._order(ax, number, sums)].T, **look)
            ax.set_yticks(range(len(names)), names)
        self.figure_.colorbar(image, ax=self.axes_, label="contribution")

    def _order(self, ax, number, sums):
        """The samples by their sums, which the horizontal axis and the title then say."""
        order = np.argsort(sums, kind="stable")
        few = len(order) <= _MOST_NAMED_SAMPLES
        ax.set_xticks(range(len(order)) if few else [], [short(self.samples[i], 16) for i in order] if few else [])
        ax.tick_params(axis="x", rotation=90)
        ax.set_xlabel(f"samples by {self.sum_name}")
        self._title(ax, number, f"{self.sum_name}s from {sums.min():.3g} to {sums.max():.3g}")
        return order


def _sample_names(X) -> Any:
    """The index of a pandas frame."""
    return X.index if hasattr(X, "columns") and hasattr(X, "index") else None
