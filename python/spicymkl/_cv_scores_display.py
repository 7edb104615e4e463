"""The scores of a cross-validation against the strength of the penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._drawing import axes_or_new
from ._grid import strengths

if TYPE_CHECKING:
    from typing_extensions import Self


class CVScoresDisplay:
    """Scores of a cross-validation against the strength of the penalty, with their spread over the folds.

    Parameters
    ----------
    results : dict of arrays
        ``cv_results_`` of MKLClassifierCV or MKLRegressorCV.
    chosen : int
        The place of the chosen point: ``best_index_``.
    score_name : str, default="score"
        What the score is called.

    Attributes
    ----------
    ax_ : matplotlib axes
    figure_ : matplotlib figure
    lines_ : list of matplotlib lines
        The mean scores, one line for each list of kernels, l1_ratio and q.
    band_ : matplotlib collection
        Of the chosen one of these, one standard deviation over the folds to each side of the mean.
    """

    def __init__(self, results: dict[str, np.ndarray], chosen: int, score_name: str = "score") -> None:
        self.results = results
        self.chosen = chosen
        self.score_name = score_name

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **line_options: Any) -> Self:
        """Draw the cross-validation of a fitted estimator.

        Parameters
        ----------
        estimator : MKLClassifierCV or MKLRegressorCV
            Fitted.
        ax : matplotlib axes, default=None
            Where to draw.
        **line_options
            Passed to ``ax.plot`` for the mean scores.

        Returns
        -------
        CVScoresDisplay
        """
        if not hasattr(estimator, "alphas"):
            raise ValueError(
                f"{type(estimator).__name__} has no cross-validation to draw; fit MKLClassifierCV or MKLRegressorCV"
            )
        check_is_fitted(estimator, "cv_results_")
        name = estimator._facts["score_name"]
        return cls(estimator.cv_results_, estimator.best_index_, "R²" if name == "r2" else name).plot(
            ax=ax, **line_options
        )

    def plot(self, *, ax: Any = None, **line_options: Any) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib axes, default=None
            Where to draw.
        **line_options
            Passed to ``ax.plot`` for the mean scores.

        Returns
        -------
        CVScoresDisplay
        """
        self.ax_ = axes_or_new(ax, figsize=(7, 4.5), layout="constrained")
        self.figure_ = self.ax_.figure
        alphas, relative = strengths(self.results["alpha"])
        mean, spread = self.results["mean_test_score"], self.results["std_test_score"]
        shapes = list(zip(*(self.results[name] for name in self._shape_names())))
        self.lines_ = []
        for shape in dict.fromkeys(shapes):
            at = [k for k, other in enumerate(shapes) if other == shape]
            options = {"marker": ".", "label": self._shape_name(shape), **line_options}
            self.lines_ += self.ax_.plot(alphas[at], mean[at], **options)
            if self.chosen in at:  # more than one band would hide the others
                colour = self.lines_[-1].get_color()
                low, high = mean[at] - spread[at], mean[at] + spread[at]
                self.band_ = self.ax_.fill_between(
                    alphas[at],
                    low,
                    high,
                    color=colour,
                    alpha=0.2,
                    linewidth=0,
                    label="± standard deviation over the folds",
                )
        self._mark(alphas[self.chosen], mean[self.chosen])
        self.ax_.set(xscale="log", xlabel="alpha / alpha_max" if relative else "alpha", ylabel=self.score_name)
        self.ax_.invert_xaxis()
        self.ax_.legend(fontsize="small")
        return self

    def _mark(self, alpha, score):
        label = f"chosen: {alpha:.3g}, {self.score_name} {score:.3g}"
        self.ax_.plot(alpha, score, linestyle="none", marker="o", markersize=8, color="black", label=label, zorder=3)

    def _shape_names(self):
        """What is tried beside alpha."""
        return [name for name in ("kernels", "l1_ratio", "q") if name in self.results]

    def _shape_name(self, shape):
        """The mean over the folds; where several shapes were tried, which one."""
        parts = {name: value for name, value in zip(self._shape_names(), shape) if len(set(self.results[name])) > 1}
        texts = [str(value) if name == "kernels" else f"{name} {value:g}" for name, value in parts.items()]
        return ", ".join(texts) or "mean over the folds"
