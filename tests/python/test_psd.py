"""Gram matrices with negative eigenvalues: refused by name, or repaired, and new rows with them."""

import json

import numpy as np
import pytest

import problems
from spicymkl import MKLClassifier, MKLClassifierCV, certificate, load


def indefinite(n=40, n_new=7):
    """Training and new rows of two kernels; the second, from city-block distances to the power 1.6, is indefinite."""
    X, y = problems.classification(n + n_new)
    distances = np.abs(X[:, None] - X[None]).sum(-1) ** 1.6
    similarity = distances.mean() - distances
    K = np.array([problems.gaussian(X, 1.0), similarity / np.abs(similarity).max()])
    assert np.linalg.eigvalsh(K[1, :n, :n])[0] < -0.01
    return K[:, :n, :n], y[:n], K[:, n:, :n]


def transform(K, method):
    """T with K̃ = KT on training rows and k̃ = kT on new ones; by NumPy's eigenvalues."""
    values, vectors = np.linalg.eigh(K)
    signs = {"clip": (values > 0).astype(float), "flip": np.sign(values)}[method]
    return (vectors * signs) @ vectors.T


def test_refused_by_name(spicymkl):
    K, y, _ = indefinite()
    inputs = spicymkl.save(K, y)
    for verb, output in (("train", "--model"), ("path", "-o"), ("cv", "--model")):
        spicymkl.refuse([verb, *inputs, output, "m.safetensors"], "'k1'", "semi-definite", "--psd")


@pytest.mark.parametrize("method", ["clip", "flip"])
def test_mended_rows_old_and_new(spicymkl, method):
    K, y, new = indefinite()
    inputs = spicymkl.save(K, y)
    options = ["--psd", method, "--penalty", "elasticnet", "--alpha", "0.01max"]
    done = spicymkl.run("train", *inputs, *options, "--model", "m.safetensors", "--certificate", "c.json")
    assert done.returncode == 0
    assert f"kernel 'k1' had eigenvalues down to {np.linalg.eigvalsh(K[1])[0]:.3g}" in done.stderr
    spicymkl.ok("verify", "m.safetensors", *inputs)

    T = transform(K[1], method)
    c = json.loads((spicymkl.folder / "c.json").read_text())
    assert [kernel["index"] for kernel in c["kernels"]] == [0, 1]
    scores = c["intercept"] + new[0] @ c["kernels"][0]["coef"] + new[1] @ T @ c["kernels"][1]["coef"]
    np.save(spicymkl.folder / "new.npy", new)
    predictions = spicymkl.predictions("m.safetensors", "--gram", "new.npy")
    assert np.array(predictions["score"], float) == pytest.approx(scores, rel=1e-9)


def test_path_and_cv_mend_as_train_does(spicymkl):
    K, y, new = indefinite()
    inputs = spicymkl.save(K, y)
    options = [*inputs, "--psd", "clip", "--penalty", "elasticnet", "--tol", "1e-8"]
    at = ["--alphas", "0.01max"]
    spicymkl.ok("train", *options, "--alpha", "0.01max", "--model", "train.safetensors")
    done = spicymkl.run("cv", *options, *at, "--folds", 3, "--model", "cv.safetensors")
    assert done.returncode == 0 and "kernel 'k1' had eigenvalues down to" in done.stderr
    spicymkl.ok("verify", "cv.safetensors", *inputs)
    np.save(spicymkl.folder / "new.npy", new)
    scores = [
        np.array(spicymkl.predictions(f"{name}.safetensors", "--gram", "new.npy")["score"], float)
        for name in ("train", "cv")
    ]
    assert scores[1] == pytest.approx(scores[0], abs=1e-4)
    point = json.loads(spicymkl.ok("path", *options, *at, "--json"))["points"][0]
    trained = json.loads(spicymkl.ok("train", *options, "--alpha", "0.01max", "--json"))
    assert point["primal"] == pytest.approx(trained["primal"], rel=1e-7)


def test_shift_leaves_new_rows_as_they_are(spicymkl):
    K, y, new = indefinite()
    inputs = spicymkl.save(K, y)
    options = ["--psd", "shift", "--penalty", "elasticnet", "--alpha", "0.01max"]
    spicymkl.ok("train", *inputs, *options, "--model", "m.safetensors", "--certificate", "c.json")
    spicymkl.ok("verify", "m.safetensors", *inputs)
    c = json.loads((spicymkl.folder / "c.json").read_text())
    scores = c["intercept"] + sum(new[kernel["index"]] @ kernel["coef"] for kernel in c["kernels"])
    np.save(spicymkl.folder / "new.npy", new)
    predictions = spicymkl.predictions("m.safetensors", "--gram", "new.npy")
    assert np.array(predictions["score"], float) == pytest.approx(scores, rel=1e-9)


def test_rounding_is_reported(spicymkl):
    K, y, _ = indefinite()
    K[1] = np.outer(y, y)
    K[1, 0, 0] -= 1e-8
    done = spicymkl.run("train", *spicymkl.save(K, y))
    assert done.returncode == 0
    assert "1 kernel has a negative eigenvalue as small as rounding" in done.stderr


def test_unknown_method(spicymkl):
    K, y, _ = indefinite()
    spicymkl.refuse(["train", *spicymkl.save(K, y), "--psd", "fix", "--model", "m.safetensors"], "fix", "clip")


@pytest.mark.parametrize("method", ["clip", "flip", "shift"])
def test_python_mends_as_the_command_does(spicymkl, method):
    K, y, new = indefinite()
    with pytest.raises(ValueError, match=r"'k1'.*psd="):
        MKLClassifier("precomputed").fit(K, y)
    options = {"penalty": "elasticnet", "alpha": "0.01max", "psd": method}
    model = MKLClassifier("precomputed", **options).fit(K, y)
    assert certificate(model, K, y)["holds"]
    spicymkl.ok("train", *spicymkl.save(K, y), *command_line(options), "--model", "m.safetensors")
    np.save(spicymkl.folder / "new.npy", new)
    scores = np.array(spicymkl.predictions("m.safetensors", "--gram", "new.npy")["score"], float)
    assert model.decision_function(new) == pytest.approx(scores, rel=1e-9)
    loaded = load(spicymkl.folder / "m.safetensors")
    assert loaded.decision_function(new) == pytest.approx(scores, rel=1e-12)
    assert certificate(loaded, K, y)["holds"]


def command_line(options):
    return [text for name, value in options.items() for text in (f"--{name}", value)]


def test_python_mends_single_precision_and_folds():
    K, y, new = indefinite()
    options = {"penalty": "elasticnet", "psd": "clip"}
    single, double = (
        MKLClassifier("precomputed", **options).fit(K.astype(kind), y) for kind in (np.float32, np.float64)
    )
    assert single.decision_function(new) == pytest.approx(double.decision_function(new), abs=1e-3)
    assert MKLClassifierCV("precomputed", cv=3, alphas=3, **options).fit(K, y).duality_gap_ <= 1e-3
    with pytest.raises(ValueError, match="'fix'.*clip"):
        MKLClassifier("precomputed", psd="fix").fit(K, y)
