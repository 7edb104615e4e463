"""The gap of a certificate in extended precision (80 bits), by code that shares nothing with the solver.

Powers are taken in logarithms, so that no exponent overflows, and the dual vector is moved onto its constraints in
extended precision before it is judged: what is left is what an exact computation would find, to some 1e-18.
"""

import numpy as np

L = np.longdouble


def wide(values):
    return np.asarray(values, dtype=L)


def losses(c, y, z):
    margin, residual, eps, tau = 1 - y * z, y - z, L(c["epsilon"]), L(c.get("quantile", 0.5))
    size = np.abs(residual)
    return {
        "logistic": lambda: np.logaddexp(L(0), -y * z),
        "hinge": lambda: np.maximum(margin, 0),
        "squared_hinge": lambda: np.maximum(margin, 0) ** 2,
        "squared": lambda: residual**2,
        "epsilon_insensitive": lambda: np.maximum(size - eps, 0),
        "huber": lambda: np.where(size <= eps, residual**2, eps * (2 * size - eps)),
        "quantile": lambda: np.maximum(tau * residual, (tau - 1) * residual),
    }[c["loss"]]()


def domain(c, y):
    eps, tau, one = L(c["epsilon"]), L(c.get("quantile", 0.5)), np.ones_like(y)
    far = one * np.inf
    return {
        "logistic": (np.where(y > 0, 0, -one), np.where(y > 0, one, 0)),
        "hinge": (np.where(y > 0, 0, -one), np.where(y > 0, one, 0)),
        "squared_hinge": (np.where(y > 0, 0, -far), np.where(y > 0, far, 0)),
        "squared": (-far, far),
        "epsilon_insensitive": (-one, one),
        "huber": (-2 * eps * one, 2 * eps * one),
        "quantile": ((tau - 1) * one, tau * one),
    }[c["loss"]]


def xlogx(p):
    return np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0)


def conjugates(c, y, r):
    p = y * r
    return {
        "logistic": lambda: xlogx(p) + (1 - p) * np.log1p(-np.where(p < 1, p, 0)),
        "hinge": lambda: -p,
        "squared_hinge": lambda: -p + p**2 / 4,
        "squared": lambda: -y * r + r**2 / 4,
        "epsilon_insensitive": lambda: -y * r + L(c["epsilon"]) * np.abs(r),
        "huber": lambda: -y * r + r**2 / 4,
        "quantile": lambda: -y * r,
    }[c["loss"]]()


def power(x, exponent):
    """x**exponent for x >= 0, without an overflow that the result does not have."""
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        return np.where(x > 0, np.exp(exponent * np.log(np.where(x > 0, x, 1))), 0)


def penalties(c, x):
    a, k, q = L(c["alpha"]), L(c["l1_ratio"]), L(c["q"])
    return {
        "block1": lambda: a * x,
        "elasticnet": lambda: a * (k * x + (1 - k) * x**2 / 2),
        "blockq": lambda: a * power(x, q) / q,
        "uniform": lambda: a * x**2 / 2,
        "mixed": lambda: a * (k * power(x, q) / q + (1 - k) * x**2 / 2),
    }[c["penalty"]]()


def penalty_conjugates(c, u):
    a, k, q = L(c["alpha"]), L(c["l1_ratio"]), L(c["q"])
    if c["penalty"] == "block1":
        return np.where(u <= a, 0, np.inf)
    if c["penalty"] == "elasticnet":
        return np.maximum(u - a * k, 0) ** 2 / (2 * a * (1 - k)) if k < 1 else np.where(u <= a, 0, np.inf)
    if c["penalty"] == "blockq":
        r = q / (q - 1)
        return a * power(u / a, r) / r
    if c["penalty"] == "uniform":
        return u**2 / (2 * a)
    # sup over x of ux - G(x), a concave function of log x: every value is a lower bound of it, and too low a conjugate
    # would flatter the dual, so the search is fine.
    lower, upper = np.full_like(u, -11000), np.log(np.maximum(u, L("1e-4900")) / (a * (1 - k)))
    for _ in range(300):
        t = (lower + upper) / 2
        rising = a * (k * np.exp((q - 1) * t) + (1 - k) * np.exp(t)) < u
        lower, upper = np.where(rising, t, lower), np.where(rising, upper, t)
    x = np.exp(t)
    return u * x - penalties(c, x)


def dual_bound(c):
    bounded = c["penalty"] == "block1" or (c["penalty"] == "elasticnet" and c["l1_ratio"] == 1)
    return L(c["alpha"]) if bounded else L(np.inf)


def feasible(c, y, s, rho):
    lower, upper = domain(c, y)
    rho = np.clip(rho, s * lower, s * upper)
    if c["fit_intercept"]:
        plus, minus = rho[rho > 0].sum(), -rho[rho < 0].sum()
        if plus > minus:
            rho = np.where(rho > 0, rho * (minus / plus), rho)
        elif minus > plus:
            rho = np.where(rho < 0, rho * (plus / minus), rho)
    return rho


def true_values(c, K, y, weights=None):
    """(primal, dual) of the model and the dual vector of a certificate."""
    K, y = wide(K), wide(y)
    s = wide(np.ones(len(y)) if weights is None else weights)
    z, norms = np.full(len(y), L(c["intercept"])), np.zeros(len(K), dtype=L)
    for kernel in c["kernels"]:
        coef = wide(kernel["coef"])
        image = K[kernel["index"]] @ coef
        z = z + image
        norms[kernel["index"]] = np.sqrt(np.maximum(coef @ image, 0))
    primal = (s * losses(c, y, z)).sum() + penalties(c, norms).sum()
    rho = feasible(c, y, s, wide(c["dual"]))
    forms = np.array([rho @ (k @ rho) for k in K], dtype=L)
    dual_norms = np.sqrt(np.maximum(forms, 0))
    if dual_norms.max() > dual_bound(c):  # by less than double precision can tell, where the dual is what it claims
        factor = dual_bound(c) / dual_norms.max()
        rho, dual_norms = factor * rho, np.minimum(factor * dual_norms, dual_bound(c))
    dual = -(s * conjugates(c, y, rho / s)).sum() - penalty_conjugates(c, dual_norms).sum()
    return primal, dual


def true_gap(c, K, y, weights=None):
    primal, dual = true_values(c, K, y, weights)
    return float((primal - dual) / np.abs(primal)) if primal != dual else 0.0
