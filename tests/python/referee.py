"""Primal, dual and gap of a certificate, recomputed in plain NumPy without the project's code."""

import formulas
import numpy as np

SLACK = 1e-12  # rounding


def recompute(c, K, y):
    """(primal, dual) of the coefficients and the dual vector that a certificate names; y may have several columns."""
    f = formulas.functions(c, slack=SLACK)
    s = np.asarray(c.get("sample_weights", np.ones(len(y)))).reshape(-1, *[1] * (y.ndim - 1))
    z, norms = np.zeros(y.shape) + np.asarray(c["intercept"], dtype=float), np.zeros(len(K))
    if "covariates" in c:
        z += np.asarray(c["covariates"]) @ np.asarray(c["covariate_coef"])
    for kernel in c["kernels"]:
        coef = np.asarray(kernel["coef"])
        image = K[kernel["index"]] @ coef
        z += image
        norms[kernel["index"]] = np.sqrt(max((coef * image).sum(), 0))
    primal = (s * f.loss(y, z)).sum() + f.penalty(norms).sum()
    rho = np.asarray(c["dual"])
    assert rho.shape == y.shape
    if c["fit_intercept"]:
        assert (np.abs(rho.sum(0)) <= 1e-9 * np.maximum(np.abs(rho).sum(0), 1e-300)).all()
    if "covariates" in c:
        C = np.asarray(c["covariates"])
        assert (np.abs(C.T @ rho) <= 1e-9 * np.maximum(np.abs(C).T @ np.abs(rho), 1e-300)).all()
    lower, upper = f.domain(y)
    assert (rho / s >= lower - SLACK).all() and (rho / s <= upper + SLACK).all()
    dual_norms = np.sqrt(np.maximum(np.einsum("mij,i...,j...->m...", K, rho, rho).reshape(len(K), -1).sum(1), 0))
    dual = -(s * f.conjugate(y, np.clip(rho / s, lower, upper))).sum() - f.penalty_conjugate(dual_norms).sum()
    return primal, dual
