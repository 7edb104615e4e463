"""Jobs of joblib, in processes, threads and a Dask cluster, change no result."""

import os

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.exceptions import ConvergenceWarning

import problems
from spicymkl import KernelStack, MKLClassifier, MKLClassifierCV, MKLRegressor, MKLRegressorCV, MKLStudy
from test_python_study import FEW, assert_same


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    here = {"memory_limit": 0, "dashboard_address": None}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **here) as two, distributed.Client(two) as client:
        yield client


@pytest.fixture
def rows():
    X, y = problems.classification(n=60)
    table = pd.DataFrame(X, columns=["x1", "x2", "x3"])
    table["site"] = np.where(np.arange(60) % 3 == 0, "north", "south")
    return table, np.where(y > 0, "up", "down")


@pytest.fixture
def classes():
    X, y = problems.classification(n=60)
    return X, np.array(["a", "b", "c"])[(y > 0) + (X[:, 0] > 0.5).astype(int)]


def assert_same_classes(one, other):
    np.testing.assert_array_equal(other.dual_, one.dual_)
    np.testing.assert_array_equal(other.kernel_weights_, one.kernel_weights_)
    np.testing.assert_array_equal(other.duality_gap_, one.duality_gap_)
    for class_of_one, class_of_other in zip(one.history_, other.history_, strict=True):
        np.testing.assert_array_equal(class_of_other["gap"], class_of_one["gap"])


def assert_same_choice(one, other):
    assert one.best_params_ == other.best_params_
    for name, values in one.cv_results_.items():
        np.testing.assert_array_equal(other.cv_results_[name], values)


def test_dask_spreads_a_study(cluster, rows):
    alone = MKLStudy(MKLClassifier(), **FEW).fit(*rows)
    with parallel_config(backend="dask"):
        assert_same(MKLStudy(MKLClassifier(), **FEW).fit(*rows), alone)


def test_dask_spreads_folds(cluster, rows, tmp_path):
    def scoring(model, X, y):
        (tmp_path / str(os.getpid())).touch()
        return model.score(X, y)

    alone = MKLClassifierCV(alphas=5, n_jobs=1, scoring=scoring).fit(*rows)
    (tmp_path / str(os.getpid())).unlink()
    with parallel_config(backend="dask"):
        assert_same_choice(MKLClassifierCV(alphas=5, n_jobs=1, scoring=scoring).fit(*rows), alone)
    workers = {str(number) for number in cluster.run(os.getpid).values()}
    assert {path.name for path in tmp_path.iterdir()} <= workers and list(tmp_path.iterdir())


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_folds_are_jobs(rows, backend):
    X, _ = rows
    K = problems.kernels(X[["x1", "x2", "x3"]].to_numpy())
    alone = MKLRegressorCV("precomputed", alphas=5, n_jobs=1).fit(KernelStack(K), X["x1"] ** 2)
    with parallel_config(backend=backend, n_jobs=2):
        spread = MKLRegressorCV("precomputed", alphas=5, n_jobs=1).fit(KernelStack(K), X["x1"] ** 2)
    assert_same_choice(spread, alone)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_classes_are_jobs(classes, backend):
    X, y = classes
    alone = MKLClassifier(multi_class="ovr", n_jobs=1).fit(X, y)
    with parallel_config(backend=backend, n_jobs=2):
        spread = MKLClassifier(multi_class="ovr", n_jobs=1).fit(X, y)
    assert_same_classes(spread, alone)
    np.testing.assert_array_equal(spread.predict_proba(X), alone.predict_proba(X))


def test_classes_at_once_are_one_fit_of_this_process(classes):
    X, y = classes
    alone = MKLClassifier(n_jobs=1).fit(X, y)
    with parallel_config(backend="loky", n_jobs=2):
        spread = MKLClassifier(n_jobs=1).fit(X, y)
    np.testing.assert_array_equal(spread.dual_, alone.dual_)
    np.testing.assert_array_equal(spread.predict_proba(X), alone.predict_proba(X))


def test_targets_are_jobs(rows):
    X, _ = rows
    values = X[["x1", "x2", "x3"]].to_numpy()
    K, Y = problems.kernels(values), values**2
    alone = MKLRegressor("precomputed", multi_output="each", n_jobs=1).fit(KernelStack(K), Y)
    with parallel_config(backend="loky", n_jobs=2):
        spread = MKLRegressor("precomputed", multi_output="each", n_jobs=1).fit(KernelStack(K), Y)
    np.testing.assert_array_equal(spread.kernel_weights_, alone.kernel_weights_)
    np.testing.assert_array_equal(spread.dual_, alone.dual_)


def test_dask_spreads_classes(cluster, classes):
    X, y = classes
    K = problems.kernels(X)
    options = {"multi_class": "ovr", "n_jobs": 1, "class_weight": "balanced"}
    alone = MKLClassifier("precomputed", **options).fit(K, y)
    with parallel_config(backend="dask"):
        assert_same_classes(MKLClassifier("precomputed", **options).fit(K, y), alone)


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
def test_classes_that_ran_out_of_time_are_models(classes, multi_class):
    with parallel_config(backend="threading", n_jobs=2), pytest.warns(ConvergenceWarning, match="relative duality gap"):
        model = MKLClassifier(multi_class=multi_class, max_seconds=1e-6).fit(*classes)
    assert model.predict(classes[0]).shape == (60,)


def test_time_is_shared_by_jobs(rows):
    with (
        parallel_config(backend="threading", n_jobs=2),
        pytest.raises(TimeoutError, match="max_seconds=1e-06 was over"),
    ):
        MKLClassifierCV(max_seconds=1e-6).fit(*rows)
