"""Primal, dual and gap of a certificate, recomputed in plain NumPy without the project's code."""

import numpy as np


def loss_values(c, y, z):
    margin, residual = 1 - y * z, y - z
    return {
        "logistic": lambda: np.logaddexp(0, -y * z),
        "hinge": lambda: np.maximum(margin, 0),
        "squared_hinge": lambda: np.maximum(margin, 0) ** 2,
        "squared": lambda: residual**2,
        "epsilon_insensitive": lambda: np.maximum(np.abs(residual) - c["epsilon"], 0),
        "huber": lambda: np.where(
            np.abs(residual) <= c["epsilon"], residual**2, c["epsilon"] * (2 * np.abs(residual) - c["epsilon"])
        ),
        "quantile": lambda: np.maximum(c["quantile"] * residual, (c["quantile"] - 1) * residual),
    }[c["loss"]]()


def xlogx(p):
    return np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0)


def conjugates(c, y, r):
    """l*(y, -r), infinite outside the domain (up to rounding)."""
    p, slack = y * r, 1e-12
    values, inside = {
        "logistic": lambda: (xlogx(p) + xlogx(1 - p), (p >= 0) & (p <= 1)),
        "hinge": lambda: (-p, (p >= -slack) & (p <= 1 + slack)),
        "squared_hinge": lambda: (-p + p**2 / 4, p >= -slack),
        "squared": lambda: (-y * r + r**2 / 4, np.full(len(r), True)),
        "epsilon_insensitive": lambda: (-y * r + c["epsilon"] * np.abs(r), np.abs(r) <= 1 + slack),
        "huber": lambda: (-y * r + r**2 / 4, np.abs(r) <= 2 * c["epsilon"] + slack),
        "quantile": lambda: (-y * r, (r >= c["quantile"] - 1 - slack) & (r <= c["quantile"] + slack)),
    }[c["loss"]]()
    return np.where(inside, values, np.inf)


def penalty(c, x):
    k, q = c["l1_ratio"], c["q"]
    powers = {
        "block1": lambda: x,
        "elasticnet": lambda: k * x + (1 - k) * x**2 / 2,
        "blockq": lambda: x**q / q,
        "uniform": lambda: x**2 / 2,
        "mixed": lambda: k * x**q / q + (1 - k) * x**2 / 2,
    }
    return c["alpha"] * powers[c["penalty"]]()


def penalty_conjugate(c, u):
    """sup over x of u x - G(x), by formula where there is one and by a fine search for `mixed`."""
    a, k, q = c["alpha"], c["l1_ratio"], c["q"]
    if c["penalty"] == "block1":
        return np.where(u <= a * (1 + 1e-12), 0, np.inf)
    if c["penalty"] == "elasticnet":
        return np.maximum(u - a * k, 0) ** 2 / (2 * a * (1 - k))
    if c["penalty"] == "blockq":
        r = q / (q - 1)
        return a * (u / a) ** r / r
    if c["penalty"] == "uniform":
        return u**2 / (2 * a)
    lower, upper = np.zeros_like(u), np.maximum(u / (a * (1 - k)), 1e-300)
    for _ in range(200):  # bisection on the slope
        x = (lower + upper) / 2
        rising = a * (k * x ** (q - 1) + (1 - k) * x) < u
        lower, upper = np.where(rising, x, lower), np.where(rising, upper, x)
    return u * x - penalty(c, x)


def recompute(c, K, y):
    """(primal, dual) of the coefficients and the dual vector that a certificate names."""
    s = np.asarray(c.get("sample_weights", np.ones(len(y))))
    z, norms = np.full(len(y), float(c["intercept"])), np.zeros(len(K))
    for kernel in c["kernels"]:
        coef = np.asarray(kernel["coef"])
        image = K[kernel["index"]] @ coef
        z += image
        norms[kernel["index"]] = np.sqrt(max(coef @ image, 0))
    primal = (s * loss_values(c, y, z)).sum() + penalty(c, norms).sum()
    rho = np.asarray(c["dual"])
    if c["fit_intercept"]:
        assert abs(rho.sum()) <= 1e-9 * max(np.abs(rho).sum(), 1e-300)
    dual_norms = np.sqrt(np.maximum(np.einsum("mij,i,j->m", K, rho, rho), 0))
    dual = -(s * conjugates(c, y, rho / s)).sum() - penalty_conjugate(c, dual_norms).sum()
    return primal, dual
