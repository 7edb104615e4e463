"""Small generated problems."""

import numpy as np

import tables


def gaussian(X, width):
    distances = ((X[:, None] - X[None]) ** 2).sum(-1)
    return np.exp(-distances / (2 * width**2))


def kernels(X, widths=(0.5, 1, 3)):
    """A Gaussian of each width on each column and on all, and linear kernels; unit trace."""
    selections = [[j] for j in range(X.shape[1])] + [list(range(X.shape[1]))]
    K = [gaussian(X[:, s], w) for s in selections for w in widths] + [X[:, s] @ X[:, s].T for s in selections]
    return np.array([k / np.trace(k) for k in K])


def classification(n=30, columns=3, seed=0):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, columns))
    y = np.where(X[:, 0] + 0.5 * X[:, 1] ** 2 + 0.5 * random.standard_normal(n) > 0.3, 1.0, -1.0)
    return X, y


def regression(n=30, columns=3, seed=0):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, columns))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.2 * random.standard_normal(n) + 1.0


def for_loss(loss, **arguments):
    return (classification if loss in tables.losses_for("classes") else regression)(**arguments)


def libsvm(X, y):
    entries = (" ".join(f"{j + 1}:{value}" for j, value in enumerate(row)) for row in X.tolist())
    return "\n".join(f"{label} {row}" for label, row in zip(y, entries))
