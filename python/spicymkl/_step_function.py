"""Functions of time that a model of survival times gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class StepFunction:
    """A function of time that jumps at some times and is constant in between.

    Calling it gives its values, as scikit-survival's class of that name does.

    Attributes
    ----------
    x : ndarray of shape (n_times,)
        The times at which it may jump, increasing.
    y : ndarray of shape (n_times,)
        Its values from each of these times on.
    start : float
        Its value before the first of them.
    """

    def __init__(self, x: NDArray[np.float64], y: NDArray[np.float64], start: float) -> None:
        self.x, self.y, self.start = x, y, start

    @property
    def domain(self) -> tuple[float, float]:
        """The times for which something is known: from 0 to the last."""
        return 0.0, float(self.x[-1])

    def __call__(self, time: ArrayLike) -> NDArray[np.float64] | float:
        """The values at these times; ValueError for times outside ``domain``.

        Parameters
        ----------
        time : float or array-like
            When.

        Returns
        -------
        float or ndarray
            As many values as there are times.
        """
        at = np.asarray(time, dtype=np.float64)
        first, last = self.domain
        if not ((at >= first) & (at <= last)).all():
            raise ValueError(f"times must be from {first:g} to {last:g}, for which something is known")
        place = np.searchsorted(self.x, at, side="right") - 1
        values = np.where(place < 0, self.start, self.y[np.maximum(place, 0)])
        return float(values) if values.ndim == 0 else values

    def __repr__(self) -> str:
        return f"StepFunction({len(self.x)} times from {self.x[0]:g} to {self.x[-1]:g})"
