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


def projected(C, weights, rho):
    """rho − WCλ with Cᵀ of it 0, in extended precision: elimination with pivots, as NumPy's own stops at double."""
    for _ in range(2):
        A, b = C.T @ (weights[:, None] * C), C.T @ rho
        scale = np.sqrt(np.diag(A))
        scale = np.where(scale > 0, scale, 1)
        A, b = A / np.outer(scale, scale), b / scale
        for k in range(len(b)):
            p = k + int(np.argmax(np.abs(A[k:, k])))
            A[[k, p]], b[[k, p]] = A[[p, k]], b[[p, k]]
            if A[k, k] == 0:
                return 0 * rho
            for i in range(k + 1, len(b)):
                factor = A[i, k] / A[k, k]
                A[i], b[i] = A[i] - factor * A[k], b[i] - factor * b[k]
        for k in reversed(range(len(b))):
            b[k] = (b[k] - A[k, k + 1 :] @ b[k + 1 :]) / A[k, k]
        rho = rho - weights * (C @ (b / scale))
    return rho


def feasible(c, f, y, s, rho):
    lower, upper = f.domain(y)
    rho = np.clip(rho, s * lower, s * upper)
    if "covariates" in c:
        # Entries move in proportion, or as far as they have room; what is then outside is rounding, and taken back by a
        # scale.
        room = np.minimum(np.minimum(rho - s * lower, s * upper - rho), np.abs(rho).max())
        rho = projected(unpenalised(c, len(y)), np.maximum(np.abs(rho), room), rho)
        with np.errstate(divide="ignore", invalid="ignore"):
            over = np.where(rho > 0, rho / (s * upper), rho / (s * lower))
        return rho / max(np.nanmax(np.where(np.isfinite(over), over, 0), initial=0), 1)
    if c["fit_intercept"]:
        plus, minus = rho[rho > 0].sum(), -rho[rho < 0].sum()
        if plus > minus:
            rho = np.where(rho > 0, rho * (minus / plus), rho)
        elif minus > plus:
            rho = np.where(rho < 0, rho * (plus / minus), rho)
    return rho


def unpenalised(c, n):
    """Ones for the intercept, and the covariates, centred where there is one."""
    C = wide(c.get("covariates", np.zeros((n, 0))))
    return np.hstack([np.ones((n, 1), dtype=L), C - C.mean(axis=0)]) if c["fit_intercept"] else C


def log_sum_exp(z):
    top = z.max(axis=1, keepdims=True)
    return top + np.log(np.exp(z - top).sum(axis=1, keepdims=True))


def joint_feasible(c, Y, s, rho):
    """Probabilities p = Y − rho/s moved onto the simplex and, by the coefficients of what is not penalised, onto Cᵀρ = 0."""
    p = np.maximum(Y - rho / s, L(1e-4000))
    log_p = np.log(p / p.sum(axis=1, keepdims=True))
    U = unpenalised(c, len(Y))
    if U.shape[1]:
        size = np.abs(U).max(axis=0)
        U = U / np.where(size > 0, size, 1)
        b = np.zeros((U.shape[1], Y.shape[1]), dtype=L)
        for _ in range(30):  # Newton's method on a strictly convex function, but for a common shift of all classes
            p = np.exp(log_p + U @ b - log_sum_exp(log_p + U @ b))
            gradient = U.T @ (s * (p - Y))
            H = np.einsum("ia,ib,ik,kl->akbl", U, U, s * p, np.eye(Y.shape[1], dtype=L))
            H = H - np.einsum("ia,ib,ik,il->akbl", U, U, s * p, p)
            square = H.reshape(b.size, b.size).astype(float)
            square = square + 1e-13 * max(np.trace(square), 1e-300) * np.eye(b.size)
            b = b - wide(np.linalg.lstsq(square, gradient.reshape(-1).astype(float), rcond=None)[0]).reshape(b.shape)
        log_p = log_p + U @ b - log_sum_exp(log_p + U @ b)
    return log_p


def joint_values(c, K, codes, weights):
    """The same of several classes at once."""
    f = formulas.functions({**c, "loss": "logistic"}, L)
    Y = wide(np.eye(c["n_outputs"])[np.searchsorted(np.unique(codes), codes)])
    s = wide(np.ones(len(codes)) if weights is None else weights)[:, None]
    Z, norms = np.tile(wide(c["intercept"]), (len(codes), 1)), np.zeros(len(K), dtype=L)
    if "covariates" in c:
        Z = Z + wide(c["covariates"]) @ wide(c["covariate_coef"])
    for kernel in c["kernels"]:
        coef = wide(kernel["coef"])
        image = K[kernel["index"]] @ coef
        Z = Z + image
        norms[kernel["index"]] = np.sqrt(np.maximum((coef * image).sum(), 0))
    primal = (s * (log_sum_exp(Z) - (Y * Z).sum(axis=1, keepdims=True))).sum() + f.penalty(norms).sum()
    log_p = joint_feasible(c, Y, s, wide(c["dual"]))
    rho = s * (Y - np.exp(log_p))
    dual_norms = np.sqrt(np.maximum(np.array([(rho * (k @ rho)).sum() for k in K], dtype=L), 0))
    limit, factor = dual_bound(c, f), L(1)
    if dual_norms.max() > limit:
        factor = limit / dual_norms.max()
        dual_norms = np.minimum(factor * dual_norms, limit)
    p = (1 - factor) * Y + factor * np.exp(log_p)
    return primal, -(s * formulas.xlogx(p)).sum() - f.penalty_conjugate(dual_norms).sum()


def true_values(c, K, y, weights=None):
    """(primal, dual) of the model and the dual vector of a certificate."""
    if c.get("n_outputs", 1) > 1:
        return joint_values(c, wide(K), y, weights)
    f = formulas.functions(c, L)
    K, y = wide(K), wide(y)
    s = wide(np.ones(len(y)) if weights is None else weights)
    z, norms = np.full(len(y), L(c["intercept"])), np.zeros(len(K), dtype=L)
    if "covariates" in c:
        z = z + wide(c["covariates"]) @ wide(c["covariate_coef"])
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
