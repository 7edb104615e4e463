"""Block q-norms with q just above 1, whose conjugate has an exponent of thousands, and with q large."""

import json

import extended_precision
import numpy as np
import pytest

import problems

EXPONENTS = [1.000001, 1.001, 1.002, 1.003, 1.01, 1.05, 10, 50, 100]


def certified(spicymkl, K, y, *options):
    """The certificate of a training that may end with status 0 or 1, but with finite numbers."""
    inputs = spicymkl.save(K, y)
    done = spicymkl.run("train", *inputs, *options, "--certificate", "c.json", "--model", "m.safetensors", "--quiet")
    assert done.returncode in (0, 1), done.stderr
    c = json.loads((spicymkl.folder / "c.json").read_text())
    values = [c["primal"], c["dual_objective"], c["relative_gap"], c["intercept"], *c["dual"]]
    for kernel in c["kernels"]:
        values += [kernel["norm"], kernel["weight"], *kernel["coef"]]
    assert len(c["dual"]) == len(y)
    assert np.isfinite(values).all()
    assert extended_precision.true_gap(c, K, y) <= c["relative_gap"] * (1 + 1e-6) + 1e-14
    assert (c["relative_gap"] <= 1e-3) == (done.returncode == 0)
    spicymkl.ok("inspect", "m.safetensors")
    return c


@pytest.mark.parametrize("penalty", ["blockq", "mixed"])
@pytest.mark.parametrize("q", EXPONENTS)
@pytest.mark.parametrize("loss", ["logistic", "hinge", "squared"])
def test_every_exponent_is_solved(spicymkl, penalty, q, loss):
    X, y = problems.for_loss(loss, n=30)
    K = problems.kernels(X)
    for alpha in ("0.3max", "0.02max"):
        c = certified(spicymkl, K, y, "--loss", loss, "--penalty", penalty, "--q", q, "--alpha", alpha)
        assert c["status"] == "converged", c["relative_gap"]


@pytest.mark.parametrize("q", [1.001, 1.002, 1.003, 1.01])
def test_a_table_with_the_kernels_of_auto(spicymkl, q):
    spicymkl.ok("generate", "multisource", "-n", 60, "--seed", 1, "-o", "t.csv")
    options = ["--target", "y", "--penalty", "blockq", "--q", q, "--model", "m.safetensors", "--quiet"]
    for alpha in ([], ["--alpha", "0.001max"]):
        spicymkl.ok("train", "t.csv", *options, *alpha)
        spicymkl.ok("verify", "m.safetensors", "t.csv")


def test_the_limit_is_the_block_1_norm(spicymkl):
    X, y = problems.classification(n=30)
    K = problems.kernels(X)
    limit = certified(spicymkl, K, y, "--penalty", "block1", "--alpha", "0.1max")
    near = certified(spicymkl, K, y, "--penalty", "blockq", "--q", 1.000001, "--alpha", limit["alpha"])
    assert near["primal"] == pytest.approx(limit["primal"], rel=3e-3)
