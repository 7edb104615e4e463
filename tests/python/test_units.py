"""A common factor in sample weights, labels, kernels or alpha changes the units of an answer and nothing else."""

import numpy as np
import pytest

import problems
from tables import LOSSES

FACTORS = [1e-8, 1e-4, 1e4, 1e8]


def same_work(scaled, plain):
    assert scaled["status"] == plain["status"] == "converged"
    assert scaled["iterations"] <= 2 * plain["iterations"] + 3
    assert scaled["relative_gap"] <= 1e-4


@pytest.mark.parametrize("penalty", ["block1", "elasticnet", "blockq"])
@pytest.mark.parametrize("loss", LOSSES)
def test_sample_weights(spicymkl, loss, penalty):
    X, y = problems.for_loss(loss, n=40)
    K = problems.kernels(X)
    options = ["--loss", loss, "--penalty", penalty, "--tol", 1e-4]
    plain = spicymkl.certificate(K, y, *options, "--alpha", 0.05, weights=np.ones(len(y)))
    for factor in FACTORS:
        scaled = spicymkl.certificate(K, y, *options, "--alpha", 0.05 * factor, weights=np.full(len(y), factor))
        same_work(scaled, plain)
        assert scaled["primal"] == pytest.approx(factor * plain["primal"], rel=1.1e-4)


@pytest.mark.parametrize("loss", LOSSES)
def test_kernels(spicymkl, loss):
    X, y = problems.for_loss(loss, n=40)
    K = problems.kernels(X)
    options = ["--loss", loss, "--tol", 1e-4]
    plain = spicymkl.certificate(K, y, *options, "--alpha", 0.05)
    for factor in FACTORS:  # a norm in c·K is 1/√c of that in K for the same function
        scaled = spicymkl.certificate(factor * K, y, *options, "--alpha", 0.05 * np.sqrt(factor))
        same_work(scaled, plain)
        assert scaled["primal"] == pytest.approx(plain["primal"], rel=1.1e-4)


@pytest.mark.parametrize("loss,degree", [("squared", 2), ("huber", 2), ("epsilon_insensitive", 1), ("quantile", 1)])
def test_labels(spicymkl, loss, degree):
    X, y = problems.regression(n=40)
    K = problems.kernels(X)
    options = ["--loss", loss, "--tol", 1e-4]
    width = {"huber": 0.1, "epsilon_insensitive": 0.1}.get(loss)
    plain = spicymkl.certificate(K, y, *options, "--alpha", 0.05, *(["--epsilon", width] if width else []))
    for factor in FACTORS:
        alpha = 0.05 * factor ** (degree - 1)
        epsilon = ["--epsilon", factor * width] if width else []
        scaled = spicymkl.certificate(K, factor * y, *options, "--alpha", alpha, *epsilon)
        same_work(scaled, plain)
        assert scaled["primal"] == pytest.approx(factor**degree * plain["primal"], rel=1.1e-4)
