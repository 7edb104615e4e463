"""The kernels of a table in extended precision, from their definitions alone."""

import numpy as np
from extended_precision import L, wide

NO_DIGIT = 8 * np.finfo(float).eps  # of a mean: a value as near to it as this is at it, by definition


def standardized(X):
    X = wide(X)
    centred = X - X.mean(axis=0)
    centred = np.where(np.abs(centred) <= NO_DIGIT * np.abs(X.mean(axis=0)), 0, centred)
    constant = (X == X[0]).all(axis=0)
    deviation = np.sqrt((centred**2).mean(axis=0))
    return np.where(constant, 0, centred / np.where(deviation > 0, deviation, 1))


def values(entry, X):
    if entry["type"] == "linear" and entry["normalize"] == "center":
        # The same kernel; far from 0 its entries would lose more digits than 80 bits have to spare.
        X = X - X.mean(axis=0)
    difference = X[:, None] - X[None]
    if entry["type"] == "gaussian":
        return np.exp(-(difference**2).sum(-1) / (2 * L(entry["width"]) ** 2))
    if entry["type"] == "laplacian":
        return np.exp(-np.abs(difference).sum(-1) / L(entry["width"]))
    inner = (X[:, None] * X[None]).sum(-1)
    if entry["type"] == "polynomial":
        return (L(entry["scale"]) * inner + L(entry["offset"])) ** entry["degree"]
    return inner


def normalized(K, how):
    if how == "trace":
        return K / np.trace(K) if np.trace(K) > 0 else K
    if how == "diagonal":
        root = np.sqrt(np.diag(K))
        return K / np.where(np.outer(root, root) > 0, np.outer(root, root), 1)
    if how == "center":
        return K - K.mean(axis=0)[None] - K.mean(axis=1)[:, None] + K.mean()
    return K


def raw_kernels(problem):
    X = standardized(problem.table) if problem.standardize else wide(problem.table)
    columns = [[int(name[1:]) for name in entry["columns"]] for entry in problem.kernels]
    return [values(entry, X[:, c]) for entry, c in zip(problem.kernels, columns)]


def own_kernels(problem):
    return np.array([normalized(K, entry["normalize"]) for entry, K in zip(problem.kernels, raw_kernels(problem))])
