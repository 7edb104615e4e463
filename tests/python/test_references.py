"""Objectives equal those of independent software."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, SVR

import problems

RELATIVE = 1e-5


def square_roots(K):
    """Factors with K = L Lᵀ."""
    factors = []
    for k in K:
        values, vectors = np.linalg.eigh(k)
        keep = values > 1e-13 * values.max()
        factors.append(vectors[:, keep] * np.sqrt(values[keep]))
    return factors


def conic_loss(loss, y, z, epsilon=0.1):
    return {
        "logistic": lambda: cp.sum(cp.logistic(cp.multiply(-y, z))),
        "hinge": lambda: cp.sum(cp.pos(1 - cp.multiply(y, z))),
        "squared": lambda: cp.sum_squares(y - z),
        "epsilon_insensitive": lambda: cp.sum(cp.pos(cp.abs(y - z) - epsilon)),
    }[loss]()


def conic_optimum(K, y, loss, alpha, l1_ratio):
    """min loss + alpha Σ (l1_ratio ‖w_m‖ + (1 − l1_ratio) ‖w_m‖²/2), z = Σ L_m w_m + b, by a conic solver."""
    factors = square_roots(K)
    w = [cp.Variable(f.shape[1]) for f in factors]
    z = sum(f @ v for f, v in zip(factors, w)) + cp.Variable()
    penalty = sum(l1_ratio * cp.norm(v) + (1 - l1_ratio) / 2 * cp.sum_squares(v) for v in w)
    problem = cp.Problem(cp.Minimize(conic_loss(loss, y, z) + alpha * penalty))
    return problem.solve(solver=cp.CLARABEL)


@pytest.mark.parametrize("l1_ratio", [1.0, 0.6])
@pytest.mark.parametrize("loss", ["logistic", "hinge", "squared", "epsilon_insensitive"])
def test_block1_and_elasticnet_against_a_conic_solver(spicymkl, loss, l1_ratio):
    X, y = problems.for_loss(loss, n=30)
    K = problems.kernels(X, widths=(0.5, 2))
    penalty = ["--penalty", "block1"] if l1_ratio == 1 else ["--penalty", "elasticnet", "--l1-ratio", l1_ratio]
    for alpha in (0.5, 0.05):
        c = spicymkl.certificate(K, y, "--loss", loss, *penalty, "--alpha", alpha, "--tol", 1e-7)
        assert c["primal"] == pytest.approx(conic_optimum(K, y, loss, alpha, l1_ratio), rel=RELATIVE)


def one_kernel(spicymkl, K, y, loss, alpha, *options):
    return spicymkl.certificate(
        K[None], y, "--loss", loss, "--penalty", "uniform", "--alpha", alpha, "--tol", 1e-8, *options
    )


def decision(c, K):
    return K @ np.asarray(c["kernels"][0]["coef"]) + c["intercept"]


def test_one_kernel_hinge_is_the_support_vector_classifier(spicymkl):
    X, y = problems.classification(n=60)
    K, alpha = problems.gaussian(X, 1.5), 0.4
    svc = SVC(C=1 / alpha, kernel="precomputed", tol=1e-9).fit(K, y)
    c = one_kernel(spicymkl, K, y, "hinge", alpha)
    z = svc.decision_function(K)
    coef = np.zeros(len(y))
    coef[svc.support_] = svc.dual_coef_[0]
    objective = np.maximum(1 - y * z, 0).sum() + alpha / 2 * coef @ K @ coef
    assert c["primal"] == pytest.approx(objective, rel=RELATIVE)
    assert decision(c, K) == pytest.approx(z, abs=1e-3)


def test_one_kernel_epsilon_insensitive_is_support_vector_regression(spicymkl):
    X, y = problems.regression(n=60)
    K, alpha = problems.gaussian(X, 1.5), 0.4
    svr = SVR(C=1 / alpha, epsilon=0.1, kernel="precomputed", tol=1e-9).fit(K, y)
    c = one_kernel(spicymkl, K, y, "epsilon_insensitive", alpha)
    coef = np.zeros(len(y))
    coef[svr.support_] = svr.dual_coef_[0]
    objective = np.maximum(np.abs(y - svr.predict(K)) - 0.1, 0).sum() + alpha / 2 * coef @ K @ coef
    assert c["primal"] == pytest.approx(objective, rel=RELATIVE)


def test_one_kernel_squared_is_kernel_ridge(spicymkl):
    X, y = problems.regression(n=60)
    K, alpha = problems.gaussian(X, 1.5), 0.4
    ridge = KernelRidge(alpha=alpha / 2, kernel="precomputed").fit(K, y)
    c = one_kernel(spicymkl, K, y, "squared", alpha, "--no-intercept")
    assert decision(c, K) == pytest.approx(ridge.predict(K), abs=1e-5)


def test_linear_logistic_is_logistic_regression(spicymkl):
    X, y = problems.classification(n=60)
    alpha = 0.4
    model = LogisticRegression(C=1 / alpha, tol=1e-10, max_iter=10000).fit(X, y)
    c = one_kernel(spicymkl, X @ X.T, y, "logistic", alpha)
    z = model.decision_function(X)
    objective = np.logaddexp(0, -y * z).sum() + alpha / 2 * (model.coef_**2).sum()
    assert c["primal"] == pytest.approx(objective, rel=RELATIVE)
    assert decision(c, X @ X.T) == pytest.approx(z, abs=1e-4)


def test_block1_with_linear_kernels_is_the_group_lasso(spicymkl):
    from skglm import GeneralizedLinearEstimator
    from skglm.datafits import QuadraticGroup
    from skglm.penalties import WeightedGroupL2
    from skglm.solvers import GroupBCD
    from skglm.utils.data import grp_converter

    X, y = problems.regression(n=50, columns=12)
    groups = [[0, 1, 2], [3, 4], [5, 6, 7, 8], [9, 10, 11]]
    K, alpha, n = np.array([X[:, g] @ X[:, g].T for g in groups]), 8.0, len(y)
    indices, pointers = grp_converter(groups, X.shape[1])
    lasso = GeneralizedLinearEstimator(
        QuadraticGroup(pointers, indices),
        WeightedGroupL2(alpha / (2 * n), np.ones(len(groups)), pointers, indices),  # its loss is ‖y − Xw‖²/(2n)
        GroupBCD(tol=1e-12, fit_intercept=False),
    ).fit(X, y)
    objective = ((y - X @ lasso.coef_) ** 2).sum() + alpha * sum(np.linalg.norm(lasso.coef_[g]) for g in groups)
    c = spicymkl.certificate(K, y, "--loss", "squared", "--alpha", alpha, "--no-intercept", "--tol", 1e-8)
    assert c["primal"] == pytest.approx(objective, rel=RELATIVE)
    assert {k["index"] for k in c["kernels"]} == {i for i, g in enumerate(groups) if np.linalg.norm(lasso.coef_[g]) > 0}
