"""The gap of a certificate in extended precision (80 bits), by code that shares nothing with the solver.

Powers are taken in logarithms, so that no exponent overflows, and the dual vector is moved onto its constraints in
extended precision before it is judged: what is left is what an exact computation would find, to some 1e-18.
"""

import formulas
import numpy as np

L = np.longdouble


def wide(values):
    return np.asarray(values, dtype=L)


def dual_bound(c, f):
    """The largest norm with a finite G*."""
    alpha = L(c["alpha"])
    beyond = wide([np.nextafter(alpha, L(np.inf))])  # not far: a power of 1e6 overflows, finite as it is
    return alpha if np.isinf(f.penalty_conjugate(beyond))[0] else L(np.inf)


def feasible(c, f, y, s, rho):
    lower, upper = f.domain(y)
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
    f = formulas.functions(c, L)
    K, y = wide(K), wide(y)
    s = wide(np.ones(len(y)) if weights is None else weights)
    z, norms = np.full(len(y), L(c["intercept"])), np.zeros(len(K), dtype=L)
    for kernel in c["kernels"]:
        coef = wide(kernel["coef"])
        image = K[kernel["index"]] @ coef
        z = z + image
        norms[kernel["index"]] = np.sqrt(np.maximum(coef @ image, 0))
    primal = (s * f.loss(y, z)).sum() + f.penalty(norms).sum()
    rho = feasible(c, f, y, s, wide(c["dual"]))
    forms = np.array([rho @ (k @ rho) for k in K], dtype=L)
    dual_norms = np.sqrt(np.maximum(forms, 0))
    limit = dual_bound(c, f)
    if dual_norms.max() > limit:  # by less than double precision can tell, where the dual is what it claims
        factor = limit / dual_norms.max()
        rho, dual_norms = factor * rho, np.minimum(factor * dual_norms, limit)
    dual = -(s * f.conjugate(y, rho / s)).sum() - f.penalty_conjugate(dual_norms).sum()
    return primal, dual


def true_gap(c, K, y, weights=None):
    primal, dual = true_values(c, K, y, weights)
    with np.errstate(divide="ignore"):
        return float((primal - dual) / np.abs(primal)) if primal != dual else 0.0
