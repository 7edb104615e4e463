"""What single columns do to the decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._drawing import panels, shared_legend, short

if TYPE_CHECKING:
    from typing_extensions import Self

_POINTS = 101
_LINE_STYLES = ("-", "--", ":", "-.")
_DENSITY_HEIGHT = 0.2  # of the panel


class EffectsDisplay:
    """Effect curves: the sum of f_m(x) over the kernels that read one column alone, with the density of the data.

    The curves come from the model alone. The density is that of the training rows that it keeps: all of them for losses
    like the logistic or the squared one, for the hinge and its like those with a dual value that is not 0.

    Parameters
    ----------
    effects : list
        Of each column ``name``, ``grid``, ``total`` (grid × problems), ``categories`` and ``density``.
    classes : array-like, default=None
        The classes, where there is more than one problem.
    target : str, default="the prediction"
        What is added up.

    Attributes
    ----------
    axes_ : list of matplotlib axes
        One for each column.
    figure_ : matplotlib figure
    lines_ : list of lists of matplotlib lines
        Of each column the curves, one for each problem.
    """

    def __init__(self, effects: Sequence[Any], classes: Any = None, target: str = "the prediction") -> None:
        self.effects = list(effects)
        self.classes = classes
        self.target = target

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, columns: str | Sequence[str] | None = None, top: int = 6, ax: Any = None
    ) -> Self:
        """Draw the effects of columns in a fitted estimator.

        Parameters
        ----------
        estimator : MKLClassifier or MKLRegressor
            Fitted, with kernels of columns.
        columns : str or list of str, default=None
            Which columns; None is those with the largest effects.
        top : int, default=6
            How many of these.
        ax : matplotlib axes or array of them, default=None
            Where to draw: one for each column.

        Returns
        -------
        EffectsDisplay
        """
        check_is_fitted(estimator)
        chosen = _chosen(_effects_of(estimator), columns, top, estimator)
        classes = getattr(estimator, "classes_", None)
        targets = getattr(estimator, "target_names_", None)
        several = targets is not None or (classes is not None and len(classes) > 2)
        target = (
            "the prediction" if classes is None else "the scores" if several else f"the score of class {classes[1]}"
        )
        return cls(chosen, estimator._output_names() if several else None, target).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes or array of them, default=None
            Where to draw: one for each column.

        Returns
        -------
        EffectsDisplay
        """
        self.axes_ = panels(ax, len(self.effects), columns=3, width=3.6, height=2.8, sharey=True)
        self.figure_ = self.axes_[0].figure
        self.lines_ = [self._draw(one, effect) for one, effect in zip(self.axes_, self.effects)]
        for one, effect in zip(self.axes_, self.effects):
            _draw_density(one, effect)
        label = f"effect on {self.target}"
        if ax is None:
            self.figure_.supylabel(label, fontsize="medium")
        else:
            self.axes_[0].set_ylabel(label)
        if self.classes is not None:
            labels = [f"class {name}" for name in self.classes]
            shared_legend(self.axes_, ax, self.lines_[0], labels)
        return self

    def _draw(self, ax, effect):
        ax.axhline(0, color="gray", linewidth=0.8)
        style = {"marker": "o", "linestyle": "none"} if effect.categories or len(effect.grid) == 1 else {}
        lines = ax.plot(effect.grid, effect.total, **style)
        for number, line in enumerate(lines):  # there are ten colours
            line.set_linestyle(style.get("linestyle", _LINE_STYLES[number // 10 % len(_LINE_STYLES)]))
        if effect.categories:
            ax.set_xticks(effect.grid, [short(name, 16) for name in effect.categories])
        ax.set_xlabel(short(effect.name))
        return lines


def _draw_density(ax, effect) -> None:
    """At the foot of the panel, on a scale of its own."""
    density = effect.density
    counts = np.asarray(density.counts, dtype=float)
    width = density.bin_width or 0.7 * np.diff(density.places).min(initial=1.0)
    scale = ax.twinx()
    scale.bar(density.places, counts, width=width, color="gray", alpha=0.35)
    scale.set_ylim(0, counts.max() / _DENSITY_HEIGHT)
    scale.set_yticks([])
    ax.set_zorder(scale.get_zorder() + 1)
    ax.patch.set_visible(False)


def _effects_of(estimator) -> list[Any]:
    if not estimator._model.is_table:
        raise ValueError(
            "the kernels are precomputed, or functions of whole rows, which have no columns to draw effects of; "
            "ContributionsDisplay shows what each kernel adds to the decision"
        )
    effects = _core.column_effects(estimator._model, _POINTS, estimator._threads())
    if not effects:
        raise ValueError(
            "no active kernel reads one column alone, so that there is no effect to draw; ContributionsDisplay shows "
            "what each kernel adds to the decision"
        )
    return effects


def _chosen(effects, columns, top, estimator) -> list[Any]:
    """By name, or those of the largest spread over the training rows, the largest first."""
    if columns is None:
        if top < 1:
            raise ValueError(f"top is {top}, but at least one column must be drawn")
        return sorted(effects, key=lambda effect: -max(effect.spread))[:top]
    by_name = {effect.name: effect for effect in effects}
    names = [columns] if isinstance(columns, str) else list(columns)
    if not names:
        raise ValueError("columns is empty; name at least one, or None for those with the largest effects")
    for name in names:
        if name in by_name:
            continue
        known = name in estimator._model.columns
        why = "has no active kernel of its own" if known else "is not a column of X"
        raise ValueError(f"{name!r} {why}; those with effects are {', '.join(map(repr, by_name))}")
    return [by_name[name] for name in names]
