"""Survival times against scikit-survival, where it is installed."""

import numpy as np
import pytest

import survival_cases as naive
from spicymkl import MKLSurvival, mkl_path
from survival_cases import structured, survival

pytest.importorskip("sksurv", reason="scikit-survival is not installed: its answers were not compared")

from sksurv.datasets import load_breast_cancer, load_whas500
from sksurv.linear_model import CoxnetSurvivalAnalysis, CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored
from sksurv.preprocessing import OneHotEncoder


def breast_cancer():
    X, y = load_breast_cancer()
    return OneHotEncoder().fit_transform(X).to_numpy(dtype=float), y


def whas500():
    X, y = load_whas500()
    return X.to_numpy(dtype=float), y


def standardized(X):
    return (X - X.mean(0)) / X.std(0)


def column_kernels(X):
    return np.einsum("im,jm->mij", X, X)


@pytest.mark.parametrize("load", [breast_cancer, whas500])
def test_one_kernel_per_column_is_coxnet(load):
    """The whole path; Coxnet divides its objective by the number of samples."""
    X, y = load()
    X, n = standardized(X), len(X)
    peer = CoxnetSurvivalAnalysis(l1_ratio=1.0, n_alphas=20, alpha_min_ratio=0.1, tol=1e-13, max_iter=10**7).fit(X, y)
    path = mkl_path(column_kernels(X), y, kernels="precomputed", alphas=n * peer.alphas_, tol=1e-8)
    ours = path.coef_scales.T * (X.T @ path.duals.T)
    assert ours.shape == peer.coef_.shape and np.abs(ours - peer.coef_).max() < 1e-4
    event, time = (y[name] for name in y.dtype.names)
    for k in (5, 15):
        objective = [
            naive.loss(X @ b, time, event) + n * peer.alphas_[k] * np.abs(b).sum()
            for b in (ours[:, k], peer.coef_[:, k])
        ]
        assert objective[0] == pytest.approx(objective[1], rel=1e-5) and objective[0] <= objective[1] * (1 + 1e-8)


def test_one_linear_kernel_is_ridge_regression_with_breslows_baseline():
    X, y = whas500()
    X = standardized(X)
    peer = CoxPHSurvivalAnalysis(alpha=3.0, ties="breslow", tol=1e-12).fit(X, y)
    K = (X @ X.T)[None]
    model = MKLSurvival("precomputed", penalty="uniform", alpha=3.0, tol=1e-9).fit(K, y)
    assert np.abs(X.T @ model.dual_ * model.coef_scale_[0] - peer.coef_).max() < 1e-4
    assert (model.unique_times_ == peer.unique_times_).all()
    for name in ("predict_survival_function", "predict_cumulative_hazard_function"):
        ours, theirs = getattr(model, name)(K[:, :5], return_array=True), getattr(peer, name)(X[:5], return_array=True)
        assert ours == pytest.approx(theirs, rel=1e-4)
    ours, theirs = model.predict_survival_function(K[:, :1])[0], peer.predict_survival_function(X[:1])[0]
    assert ours(theirs.x) == pytest.approx(theirs(theirs.x), rel=1e-4)
    assert model.score(K, y) == pytest.approx(peer.score(X, y), abs=1e-4)


def test_covariates_without_kernels_are_a_regression_without_a_penalty():
    X, y = whas500()
    peer = CoxPHSurvivalAnalysis(ties="breslow", tol=1e-12).fit(X[:, :3], y)
    model = MKLSurvival(covariates=[0, 1, 2], alpha=1e6, tol=1e-9).fit(X, y)
    assert len(model.active_kernels_) == 0
    assert model.covariate_coef_ == pytest.approx(peer.coef_, rel=1e-4)
    assert model.predict(X) - model.predict(X).mean() == pytest.approx(
        peer.predict(X[:, :3]) - peer.predict(X[:, :3]).mean(), abs=1e-4
    )


def test_concordance_is_theirs():
    for seed in range(10):
        _, time, event = survival(n=70, seed=seed)
        risk = np.round(np.random.default_rng(seed).standard_normal(70), 1)
        wanted = concordance_index_censored(event.astype(bool), time, risk)[0]
        stub = MKLSurvival("precomputed", alpha="0.1max").fit(np.eye(70)[None], structured(event, time))
        stub.predict = lambda _, risk=risk: risk
        assert stub.score(None, structured(event, time)) == pytest.approx(wanted, rel=1e-13)
