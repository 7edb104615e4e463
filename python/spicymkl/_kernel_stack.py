"""Precomputed kernels that scikit-learn can split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


class KernelStack:
    """Precomputed kernels with their names, which scikit-learn splits by samples.

    Rows are samples, so that an array of shape (n_kernels, n_samples, n_samples) goes through ``cross_val_score``,
    ``cross_val_predict``, ``GridSearchCV`` and the rest as X of an estimator with ``kernels="precomputed"``.

    Parameters
    ----------
    kernels : array-like of shape (n_kernels, n, n_samples), or dict of str to array-like of shape (n, n_samples)
        The kernels between n rows and the training samples; with n = n_samples, those of the training samples. A dict gives
        each its name. An array is not copied.
    names : sequence of str, default=None
        The names of the kernels of an array; None is k0, k1, …

    Attributes
    ----------
    values : ndarray of shape (n_kernels, n, n_samples)
        The kernels.
    names : list of str
        Their names.
    shape : tuple
        (n, n_samples).

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import cross_val_score
    >>> from spicymkl import KernelStack, MKLRegressor
    >>> X = np.random.default_rng(0).standard_normal((60, 2))
    >>> K = KernelStack({"first": np.outer(X[:, 0], X[:, 0]), "second": np.outer(X[:, 1], X[:, 1])})
    >>> scores = cross_val_score(MKLRegressor("precomputed"), K, 3 * X[:, 0])
    >>> bool(scores.min() > 0.9)
    True
    """

    ndim = 2

    def __init__(
        self, kernels: npt.ArrayLike | Mapping[str, npt.ArrayLike], names: Sequence[str] | None = None
    ) -> None:
        if isinstance(kernels, Mapping):
            if names is not None:
                raise ValueError("names are those of the dict; leave names= out")
            names, self.values = list(kernels), _stack(kernels)
        else:
            self.values = np.asarray(kernels)
        if self.values.ndim != 3:
            raise ValueError(f"kernels must have shape (n_kernels, n, n_samples); this has {self.values.shape}")
        self.names: list[str] = [f"k{m}" for m in range(len(self.values))] if names is None else list(names)
        self._check_names()

    def _check_names(self) -> None:
        if not all(isinstance(name, str) for name in self.names):
            raise ValueError(f"names must be strings; these are {self.names!r}")
        if len(self.names) != len(self.values):
            raise ValueError(f"there are {len(self.names)} names for {len(self.values)} kernels")
        twice = sorted({name for name in self.names if self.names.count(name) > 1}) if not self._unique() else []
        if twice:
            raise ValueError(f"the name {twice[0]!r} occurs twice; names must differ")

    def _unique(self) -> bool:
        return len(set(self.names)) == len(self.names)

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[1], self.values.shape[2]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.values.dtype

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"KernelStack({len(self.names)} kernels of {self.shape[0]} rows with {self.shape[1]} samples)"

    def __getitem__(self, key: Any) -> KernelStack:
        """``K[rows]``, ``K[rows, samples]`` or ``K[np.ix_(rows, samples)]``: some rows, with all samples or some."""
        key = key if isinstance(key, tuple) else (key,)
        key = tuple(part for part in key if part is not Ellipsis)
        if len(key) > 2:
            raise IndexError(f"a KernelStack has rows and samples, but there are {len(key)} indices")
        rows, samples = (*key, slice(None))[:2]
        values = self.values
        if isinstance(rows, slice) and isinstance(samples, slice):
            return KernelStack(values[:, rows, samples], self.names)
        rows, samples = _places(rows, len(self)), _places(samples, self.shape[1])
        return KernelStack(values[:, rows[:, None], samples], self.names)

    def pick(self, names: Sequence[str]) -> np.ndarray:
        """The kernels of these names, as an array.

        Parameters
        ----------
        names : sequence of str
            Some of the names.

        Returns
        -------
        ndarray of shape (len(names), n, n_samples)
        """
        place = {name: m for m, name in enumerate(self.names)}
        missing = [name for name in names if name not in place]
        if missing:
            raise ValueError(f"these kernels lack {missing[0]!r}, which the model uses; they are {_few(self.names)}")
        if list(names) == self.names:
            return self.values
        return self.values[[place[name] for name in names]]


def _stack(kernels: Mapping[str, npt.ArrayLike]) -> np.ndarray:
    if not kernels:
        raise ValueError("the dict of kernels is empty; it must give each name a matrix")
    matrices = {name: np.asarray(matrix) for name, matrix in kernels.items()}
    first = next(iter(matrices.values())).shape
    for name, matrix in matrices.items():
        if matrix.ndim != 2 or matrix.shape != first:
            raise ValueError(
                f"kernel {name!r} has shape {matrix.shape}; all must be matrices of one shape, and the first has {first}"
            )
    return np.stack(list(matrices.values()))


def _places(key: Any, length: int) -> np.ndarray:
    return np.arange(length)[key.ravel() if isinstance(key, np.ndarray) else key].reshape(-1)


def _few(names: list[str], most: int = 5) -> str:
    return ", ".join(map(repr, names[:most])) + (", …" if len(names) > most else "")
