"""Every loss with every penalty reaches its tolerance, and a referee that knows nothing of the solver agrees."""

import numpy as np
import pytest

import problems
import referee
import tables
from tables import LOSSES, shape

PENALTIES = {name: shape(name, l1_ratio=0.7, q=1.4) for name in tables.PENALTIES} | {"blockq3": shape("blockq", q=3)}


def check(certificate, K, y, tol):
    primal, dual = referee.recompute(certificate, K, y)
    scale = abs(primal)
    assert certificate["primal"] == pytest.approx(primal, rel=1e-9)
    assert certificate["dual_objective"] == pytest.approx(dual, abs=1e-9 * scale)
    assert (primal - dual) / scale <= tol * (1 + 1e-3) + 1e-12


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("loss", LOSSES)
def test_gap_of_1e_6_is_reached_and_confirmed(spicymkl, loss, penalty):
    X, y = problems.for_loss(loss, n=40)
    K = problems.kernels(X)
    for alpha in ("0.5max", "0.01max"):
        c = spicymkl.certificate(K, y, "--loss", loss, *PENALTIES[penalty], "--alpha", alpha, "--tol", 1e-6)
        check(c, K, y, 1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_without_intercept_and_with_sample_weights(spicymkl, loss):
    X, y = problems.for_loss(loss, n=40)
    K = problems.kernels(X)
    weights = np.random.default_rng(1).uniform(0.2, 3, len(y))
    c = spicymkl.certificate(K, y, "--loss", loss, "--no-intercept", "--tol", 1e-6, weights=weights)
    check(c, K, y, 1e-6)


@pytest.mark.parametrize("loss", ["logistic", "squared"])
@pytest.mark.parametrize("penalty", PENALTIES)
def test_gap_of_1e_10_for_smooth_losses(spicymkl, loss, penalty):
    X, y = problems.for_loss(loss, n=40)
    K = problems.kernels(X)
    check(spicymkl.certificate(K, y, "--loss", loss, *PENALTIES[penalty], "--tol", 1e-10), K, y, 1e-10)


def test_singular_duplicate_zero_and_badly_scaled_kernels(spicymkl):
    X, y = problems.classification(n=40)
    K = problems.kernels(X)
    direction = np.random.default_rng(2).standard_normal(len(y))
    K = np.concatenate([K, K[:3], [np.zeros_like(K[0]), np.outer(direction, direction), 1e6 * K[1], 1e-6 * K[2]]])
    for loss in ("logistic", "hinge"):
        check(spicymkl.certificate(K, y, "--loss", loss, "--alpha", "0.1", "--tol", 1e-6), K, y, 1e-6)


def test_verify_holds_and_notices_other_labels(spicymkl):
    X, y = problems.classification(n=40)
    inputs = spicymkl.save(problems.kernels(X), y)
    assert spicymkl.run("train", *inputs, "--model", "m.safetensors").returncode == 0
    assert spicymkl.run("verify", "m.safetensors", *inputs).returncode == 0
    np.save(spicymkl.folder / "y.npy", np.roll(y, 7))
    done = spicymkl.run("verify", "m.safetensors", *inputs)
    assert done.returncode == 1
    assert "does not hold" in done.stdout
