"""MKLStudy: what the command finds, as frames, however the tasks are spread."""

import csv
import json

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone

import problems
from spicymkl import KernelStack, MKLClassifier, MKLClassifierCV, MKLRegressor, MKLStudy

pd = pytest.importorskip("pandas")

FEW = {"repeats": 2, "outer": 3, "inner": 2, "stability": 3, "permutations": 3, "alphas": 5}
FRAMES = ["scores_", "predictions_", "selection_", "sources_", "stability_", "permutations_"]


@pytest.fixture
def rows():
    X, y = problems.classification(n=48)
    return pd.DataFrame(X, columns=["x1", "x2", "x3"]), np.where(y > 0, "up", "down")


def assert_same(one, other):
    for name in FRAMES:
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name), check_exact=True)
    assert one.results_ == other.results_


def test_results_are_those_of_the_command(spicymkl, rows):
    X, y = rows
    found = MKLStudy(MKLClassifier(), **FEW, random_state=4).fit(X, y)
    table = spicymkl.table("d.csv", X.to_numpy(), y)
    options = [item for name, value in FEW.items() if name != "alphas" for item in (f"--{name}", value)]
    kernels = ["--features", "none", "--n-alphas", 5, "--seed", 4]
    result = json.loads(spicymkl.ok("study", table, "--target", "y", "-o", "out", *options, *kernels, "--json"))
    for name in FRAMES:
        with open(spicymkl.folder / "out" / f"{name[:-1]}.csv", newline="") as file:
            head, *lines = csv.reader(file)
        frame = getattr(found, name)
        assert list(frame.columns) == head and len(frame) == len(lines)
        for column, cells in zip(head, zip(*lines)):
            if frame[column].dtype.kind in "fi":
                np.testing.assert_array_equal(frame[column], pd.to_numeric(pd.Series(cells)))
    assert found.p_value_ == result["p_value"]
    assert found.results_["scores"] == result["scores"]


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_jobs_change_nothing(rows, backend):
    X, y = rows
    alone = MKLStudy(MKLClassifier(), **FEW).fit(X, y)
    with parallel_config(backend=backend):
        assert_same(MKLStudy(MKLClassifier(), **FEW, n_jobs=2).fit(X, y), alone)
    assert_same(clone(alone).fit(X, y), alone)


def test_seeds(rows):
    X, y = rows
    one, other = (MKLStudy(MKLClassifier(), **FEW, random_state=seed).fit(X, y) for seed in (0, 1))
    assert not one.predictions_.equals(other.predictions_)


def test_groups_numbers_and_kernels(rows, tmp_path):
    X, _ = rows
    y = X["x1"] + 0.3 * X["x2"] ** 2
    sites = np.arange(48) % 8
    found = MKLStudy(MKLRegressor(kernels={"a": ["x1"], "b": ["x2", "x3"]}), **FEW).fit(X, y, groups=sites)
    assert {"rmse", "mae", "r2"} <= set(found.scores_)
    assert {"a", "b"} <= set(found.sources_["source"])
    parts = found.predictions_.assign(site=sites[found.predictions_["row"] - 1])
    assert parts.groupby(["repeat", "site"])["part"].nunique().max() == 1
    found.report(tmp_path / "study.html")
    assert "How good models are" in (tmp_path / "study.html").read_text()
    K = problems.kernels(X.to_numpy())
    stack = KernelStack(K, names=[f"kernel {m}" for m in range(len(K))])
    grams = MKLStudy(MKLRegressor(kernels="precomputed"), **FEW).fit(stack, y)
    assert list(grams.selection_["kernel"]) == [f"kernel {m}" for m in range(len(K))]
    by_hand = MKLStudy(MKLRegressor(kernels=lambda A, B: A @ B.T), **FEW).fit(X, y)
    assert len(by_hand.selection_) == 1


def test_bad_input(rows):
    X, y = rows
    for study, message in (
        (MKLStudy(MKLClassifierCV(), **FEW), "must be MKLClassifier"),
        (MKLStudy("logistic", **FEW), "must be MKLClassifier"),
        (MKLStudy(MKLClassifier(class_weight="balanced"), **FEW), "class_weight"),
        (MKLStudy(MKLClassifier(), **{**FEW, "outer": 1}), "outer is 1"),
        (MKLStudy(MKLClassifier(), **FEW, threshold=0.2), "threshold is 0.2"),
        (MKLStudy(MKLClassifier(penalty="uniform"), **FEW), "no selection to count"),
        (MKLStudy(MKLClassifier(), **FEW, metric="rmse"), "does not suit classes"),
        (MKLStudy(MKLClassifier(), **FEW, n_jobs=0), "n_jobs"),
    ):
        with pytest.raises(ValueError, match=message):
            study.fit(X, y)
    with pytest.raises(ValueError, match="'groups' has 2 groups"):
        MKLStudy(MKLClassifier(), **FEW).fit(X, y, groups=np.arange(48) % 2)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        MKLStudy(MKLClassifier(), **FEW).fit(X, y, groups=np.arange(5))
