"""The command and the package are two doors to one pipeline: same model, same refusals, same notes, same time limit."""

import signal
import subprocess
import sys
import textwrap
import time
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris

import spicymkl as package
from conftest import refusal
from problems import classification, for_loss, kernels, regression
from spicymkl import MKLClassifier, MKLRegressor
from tables import LOSSES, PENALTIES, losses_for, shape

FITTED = ["dual_", "coef_scale_", "kernel_norms_", "kernel_weights_", "intercept_", "alpha_", "duality_gap_", "n_iter_"]


def estimator_for(loss):
    return MKLClassifier if loss in losses_for("classes") else MKLRegressor


def assert_same(spicymkl, model):
    trained = package.load(spicymkl.folder / "m.safetensors")
    for name in FITTED:
        assert np.array_equal(getattr(trained, name), getattr(model, name)), name


@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_on_a_table(spicymkl, loss):
    X, y = for_loss(loss, n=60)
    table = spicymkl.table("t.csv", X, y.astype(int) if loss in losses_for("classes") else y)
    spicymkl.ok("train", table, "--target", "y", "--loss", loss, "--model", "m.safetensors", "--threads", 1)
    assert_same(spicymkl, estimator_for(loss)(loss=loss, n_jobs=1).fit(X, y))


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_and_penalty_on_gram_matrices(spicymkl, loss, penalty):
    X, y = for_loss(loss, n=40)
    K = kernels(X)
    values = {"l1_ratio": 0.3, "q": 1.3}
    taken = {name: values[name] for name in PENALTIES[penalty]["parameters"]}
    line = ["--loss", loss, *shape(penalty, **values), "--no-intercept", "--alpha", "0.05max", "--threads", 1]
    spicymkl.ok("train", *spicymkl.save(K, y), *line, "--model", "m.safetensors")
    model = estimator_for(loss)("precomputed", loss=loss, penalty=penalty, **taken, alpha="0.05max", n_jobs=1)
    assert_same(spicymkl, model.set_params(fit_intercept=False).fit(K, y))


@pytest.mark.parametrize("multi_class", ["auto", "ovr"])
def test_several_classes_with_sample_weights(spicymkl, multi_class):
    X, y = load_iris(return_X_y=True)
    names, weights = np.array(["a", "b", "c"])[y], np.random.default_rng(0).uniform(0.5, 2, len(y))
    columns = {**{f"x{j}": column for j, column in enumerate(X.T)}, "w": weights}
    table = spicymkl.table("t.csv", columns, names)
    options = ["--weights", "w", "--multi-class", multi_class, "--threads", 1]
    spicymkl.ok("train", table, "--target", "y", *options, "--model", "m.safetensors")
    assert_same(spicymkl, MKLClassifier(multi_class=multi_class, n_jobs=1).fit(X, names, sample_weight=weights))


@pytest.mark.parametrize(
    "wrong",
    [
        {"loss": "logistc"},
        {"penalty": "lasso"},
        {"solver": "newton"},
        {"solver": "silp"},  # which is for hinge
        {"solver": "silp", "loss": "hinge", "penalty": "uniform"},
        {"solver": "onestep"},  # which is for penalties with a smooth dual
        {"alpha": "0.1mx"},
        {"alpha": "-1"},
        {"penalty": "elasticnet", "l1_ratio": 1.5},
        {"penalty": "blockq", "q": 1.0},
        {"tol": 0.0},
        {"max_iter": 0},
        {"max_seconds": -1.0},
        {"memory": "8 apples"},
        {"kernels": "autto"},
    ],
    ids=str,
)
def test_refusals_are_the_same_and_come_before_the_data(spicymkl, wrong):
    X, y = classification(30)
    words = [word for name, value in wrong.items() for word in (f"--{name.replace('_', '-')}={value}",)]
    done = spicymkl.run("train", spicymkl.table("t.csv", X, y.astype(int)), "--target", "y", *words)
    assert done.returncode == 2, done.stdout + done.stderr
    with pytest.raises(ValueError) as refused:
        MKLClassifier(**wrong).fit(X, y)
    assert str(refused.value) in refusal(done.stderr)
    if "memory" not in wrong and "kernels" not in wrong:
        with pytest.raises(ValueError, match="is|not"):
            MKLClassifier(**wrong).fit(lambda: "never read", y)


def test_notes_are_the_same(spicymkl):
    X, y = classification(40)
    K = kernels(X) * len(y)
    K[2] -= 3 * np.eye(len(y))
    done = spicymkl.run("train", *spicymkl.save(K, y), "--psd", "clip")
    with pytest.warns(UserWarning, match="repaired by clip") as seen:
        MKLClassifier("precomputed", psd="clip").fit(K, y)
    assert all(str(warning.message) in done.stderr for warning in seen)
    kernel_list = [{"type": "linear"}, {"type": "linear", "name": "again"}]
    table = spicymkl.table("t.csv", X, y.astype(int))
    done = spicymkl.run("train", table, "--target", "y", "--kernels", spicymkl.kernel_list(kernel_list))
    with pytest.warns(UserWarning, match="were merged") as seen:
        MKLClassifier(kernel_list).fit(X, y)
    assert all(str(warning.message) in done.stderr for warning in seen)


@pytest.mark.parametrize("multi_class, fits", [("joint", 1), ("ovr", 6)])
def test_the_time_limit_covers_the_kernels_and_all_classes(multi_class, fits):
    """Kernels beyond the memory are computed at every pass: one pass takes longer than the limit."""
    random = np.random.default_rng(0)
    X = random.standard_normal((6000, 10))
    y = random.integers(0, 6, 6000)
    model = MKLClassifier(multi_class=multi_class, memory="20M", tol=1e-6, n_jobs=1, max_seconds=2)
    began = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    assert time.monotonic() - began < 2 + 15
    assert np.atleast_1d(model.status_).tolist() == ["interrupted"] * fits
    assert {fit.message.partition(";")[0] for fit in model._model.fits} == {"the time limit of 2 s was reached"}
    assert np.all((model.duality_gap_ > 0) & (model.duality_gap_ <= 1))


def test_ctrl_c_is_answered_while_kernels_are_computed():
    script = """
        import numpy as np
        from spicymkl import MKLClassifier
        X = np.random.default_rng(0).standard_normal((14000, 30))
        print("start", flush=True)
        try:
            MKLClassifier(memory="20M", features="none", tol=1e-6, n_jobs=1).fit(X, X[:, 0] > 0)
        except KeyboardInterrupt:
            print("interrupted")
    """
    line = [sys.executable, "-c", textwrap.dedent(script)]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "start\n"
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    assert process.communicate(timeout=120) == ("interrupted\n", "")
    assert time.monotonic() - began < 15


def test_a_warm_start_takes_few_steps():
    X, y = regression(80)
    model = MKLRegressor(warm_start=True, tol=1e-6, solver="spicy").fit(X, y)
    first = model.n_iter_
    assert model.fit(X, y).n_iter_ < first
