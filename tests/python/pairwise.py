"""Kernels by scikit-learn and NumPy, with the normalisations fitted on training rows."""

import numpy as np
from sklearn.gaussian_process.kernels import Matern, RationalQuadratic
from sklearn.metrics import pairwise as pw

# One object of a kernel list, and the same kernel by other software.
KERNELS = {
    "linear": ({"type": "linear"}, pw.linear_kernel),
    "polynomial": (
        {"type": "polynomial", "degree": 3, "scale": 0.5, "offset": 2},
        lambda A, B: pw.polynomial_kernel(A, B, degree=3, gamma=0.5, coef0=2),
    ),
    "rbf": ({"type": "gaussian", "width": 0.7}, lambda A, B: pw.rbf_kernel(A, B, gamma=0.5 / 0.7**2)),
    "laplacian": ({"type": "laplacian", "width": 1.3}, lambda A, B: pw.laplacian_kernel(A, B, gamma=1 / 1.3)),
    "cosine": ({"type": "cosine"}, pw.cosine_similarity),
    "chi2": ({"type": "chi_squared", "gamma": 0.8}, lambda A, B: pw.chi2_kernel(A, B, gamma=0.8)),
    "matern": ({"type": "matern", "nu": 1.5, "length": 1.1}, lambda A, B: Matern(length_scale=1.1, nu=1.5)(A, B)),
    "rational": (
        {"type": "rational_quadratic", "length": 0.9, "shape": 2},
        lambda A, B: RationalQuadratic(length_scale=0.9, alpha=2)(A, B),
    ),
    "intersection": ({"type": "histogram_intersection"}, lambda A, B: np.minimum(A[:, None], B[None]).sum(-1)),
}
NORMALIZATIONS = ["trace", "diagonal", "center", "none"]


def diagonal(kernel, A):
    return np.array([kernel(row[None], row[None])[0, 0] for row in A])


def normalized(kernel, how, new, training):
    """The block of new and training rows, normalised by constants of the training rows."""
    block = kernel(new, training)
    if how == "trace":
        return block / diagonal(kernel, training).sum()
    if how == "diagonal":
        return block / np.sqrt(np.outer(diagonal(kernel, new), diagonal(kernel, training)))
    if how == "center":
        gram = kernel(training, training)
        return block - block.mean(1, keepdims=True) - gram.mean(0) + gram.mean()
    return block
