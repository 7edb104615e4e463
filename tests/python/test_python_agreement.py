"""The package against other software, and against the command."""

import json
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

import spicymkl as package
from problems import classification, kernels, regression
from spicymkl import MKLClassifier, MKLRegressor


def test_block1_on_one_kernel_is_a_support_vector_machine():
    """At the optimum alpha·‖f‖ has the subgradient of ‖f‖²/2 of an SVM with C = ‖f‖/alpha."""
    X, y = classification(80)
    K = kernels(X)[-5] * len(y)
    model = MKLClassifier("precomputed", loss="hinge", alpha="0.05max", tol=1e-9).fit(K, y)
    box = float(model.kernel_norms_[0] / model.alpha_)
    svm = SVC(kernel="precomputed", C=box, tol=1e-9).fit(K, y)
    assert np.abs(model.decision_function(K) - svm.decision_function(K)).max() < 1e-3


def test_uniform_on_many_kernels_is_a_support_vector_machine_on_their_sum():
    """alpha‖f‖²/2 + Σ hinge is an SVM with C = 1/alpha on ΣK_m."""
    X, y = classification(80)
    K = kernels(X) * len(y)
    model = MKLClassifier("precomputed", loss="hinge", penalty="uniform", alpha=0.5, tol=1e-9).fit(K, y)
    svm = SVC(kernel="precomputed", C=2.0, tol=1e-9).fit(K.sum(axis=0), y)
    assert np.abs(model.decision_function(K) - svm.decision_function(K.sum(axis=0))).max() < 1e-3


def test_uniform_on_many_kernels_is_kernel_ridge_on_their_sum():
    """Σ(y − z)² + alpha‖f‖²/2 is ridge regression with alpha/2; it has no intercept."""
    X, y = regression(80)
    K = kernels(X)
    model = MKLRegressor("precomputed", penalty="uniform", alpha=0.3, fit_intercept=False, tol=1e-10).fit(K, y)
    ridge = KernelRidge(alpha=0.15, kernel="precomputed").fit(K.sum(axis=0), y)
    assert np.abs(model.predict(K) - ridge.predict(K.sum(axis=0))).max() < 1e-3


def test_block1_on_one_kernel_is_kernel_ridge():
    X, y = regression(80)
    K = kernels(X)[-2]
    model = MKLRegressor("precomputed", alpha=0.5, fit_intercept=False, tol=1e-10).fit(K, y)
    ridge = KernelRidge(alpha=0.5 / model.kernel_norms_[0] / 2, kernel="precomputed").fit(K, y)
    assert np.abs(model.predict(K) - ridge.predict(K)).max() < 1e-3


def columns(X):
    return {f"x{j}": column for j, column in enumerate(X.T)}


def test_the_command_gives_the_same_model(spicymkl):
    X, y = classification(60)
    table = spicymkl.table("train.csv", columns(X), y.astype(int))
    spicymkl.ok("train", table, "--target", "y", "--model", "m.safetensors", "--threads", 1)
    loaded = package.load(spicymkl.folder / "m.safetensors")
    model = MKLClassifier(n_jobs=1).fit(X, y.astype(int))
    assert loaded.classes_.tolist() == model.classes_.tolist() == [-1, 1]
    assert np.array_equal(loaded.kernel_weights_, model.kernel_weights_)
    assert np.array_equal(loaded.dual_, model.dual_)
    assert np.array_equal(loaded.decision_function(X), model.decision_function(X))
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.duality_gap_ == model.duality_gap_


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
def test_the_command_reads_the_models_of_the_package(spicymkl, multi_class):
    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=["a b", "c", "d", "e"])
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = MKLClassifier(multi_class=multi_class).fit(frame, names)
    model.save(spicymkl.folder / "m.safetensors")
    table = spicymkl.table("rows.csv", dict(frame), names)
    printed = spicymkl.predictions("m.safetensors", table)
    assert printed["prediction"] == model.predict(frame).tolist()
    scores = np.array([printed[f"score_{name}"] for name in model.classes_], dtype=float).T
    assert scores == pytest.approx(model.decision_function(frame), rel=1e-12)
    spicymkl.ok("verify", "m.safetensors", table)
    report = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))
    assert len(report["classes"]) == 3


def test_models_of_precomputed_kernels_go_both_ways(spicymkl):
    X, y = regression(40)
    K = kernels(X)
    model = MKLRegressor("precomputed").fit(K, y)
    model.save(spicymkl.folder / "m.safetensors")
    loaded = package.load(spicymkl.folder / "m.safetensors")
    assert np.array_equal(loaded.predict(K), model.predict(K))
    spicymkl.ok("verify", "m.safetensors", *spicymkl.save(K, y))


def test_a_loaded_model_can_be_learned_again(spicymkl):
    X, y = regression(40)
    model = MKLRegressor().fit(X, y)
    model.save(spicymkl.folder / "m.safetensors")
    loaded = package.load(spicymkl.folder / "m.safetensors")
    proof = package.certificate(loaded, X, y)
    assert proof["holds"] and proof["primal"] == pytest.approx(model.primal_objective_, rel=1e-12)
    before = loaded.predict(X)
    assert loaded.fit(X, y).predict(X) == pytest.approx(before, abs=1e-9)


@pytest.mark.parametrize("as_frame", [pd.DataFrame, pl.DataFrame])
def test_a_loaded_model_knows_its_columns_by_names_that_arrays_have_too(tmp_path, as_frame):
    X, y = regression(40)
    frame = as_frame({f"x{j}": X[:, j] for j in range(3)})
    model = MKLRegressor().fit(frame, y)
    model.save(tmp_path / "m.safetensors")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = package.load(tmp_path / "m.safetensors")
        assert np.array_equal(loaded.predict(frame), model.predict(frame))
        assert np.array_equal(loaded.predict(X), model.predict(frame))
        for odd in (frame[["x2", "x1", "x0"]], frame[["x1", "x2"]]):
            for estimator in (model, loaded):
                with pytest.raises(ValueError, match="feature names should match"):
                    estimator.predict(odd)
        loaded.fit(X, y).predict(X)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        loaded.predict(frame[["x2", "x1", "x0"]])


def test_a_loaded_model_of_arrays_takes_arrays(spicymkl):
    """As does one of the command; a frame with names of its own goes by place, as before it was saved."""
    X, y = regression(40)
    model = MKLRegressor().fit(X, y)
    model.save(spicymkl.folder / "ours.safetensors")
    np.save(spicymkl.folder / "t.npy", np.column_stack([X, y]))
    spicymkl.ok("train", "t.npy", "--target", "x3", "--model", "its.safetensors")
    for name in ("ours.safetensors", "its.safetensors"):
        loaded = package.load(spicymkl.folder / name)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert loaded.predict(X) == pytest.approx(model.predict(X), rel=1e-9)
        with pytest.warns(UserWarning, match="fitted without feature names"):
            assert loaded.predict(pd.DataFrame(X, columns=["a", "b", "c"])) == pytest.approx(model.predict(X), rel=1e-9)


def test_a_model_file_holds_no_python(tmp_path):
    X, y = regression(30)
    model = MKLRegressor(lambda A, B: A @ B.T).fit(X, y)
    with pytest.raises(ValueError, match="pickle the estimator"):
        model.save(tmp_path / "m.safetensors")
    assert not list(tmp_path.iterdir())
