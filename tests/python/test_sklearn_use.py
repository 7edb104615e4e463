"""The estimators inside scikit-learn's own tools."""

import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from problems import classification, kernels, regression
from spicymkl import Gaussian, Kernelizer, Linear, MKLClassifier, MKLClassifierCV, MKLRegressor


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def test_pipeline(iris):
    X, y = iris
    model = make_pipeline(StandardScaler(), MKLClassifier(standardize=False)).fit(X, y)
    assert model.score(X, y) > 0.93
    # Standardising is what the estimator does itself.
    alone = MKLClassifier().fit(X, y)
    assert model.decision_function(X) == pytest.approx(alone.decision_function(X), abs=1e-6)


def test_grid_search_over_alpha_and_kernels(iris):
    X, y = iris
    grid = {"alpha": ["0.5max", "0.05max"], "kernels": [[Gaussian(width=[0.5, 2])], [Linear()]]}
    search = GridSearchCV(MKLClassifier(), grid, cv=3).fit(X, y)
    assert len(search.cv_results_["mean_test_score"]) == 4
    assert search.best_score_ > 0.93


def test_grid_search_over_the_parameters_of_a_kernel(iris):
    X, y = iris
    search = GridSearchCV(MKLClassifier(Gaussian()), {"kernels__width": [1e-3, 1.0]}, cv=3).fit(X, y)
    assert search.best_params_ == {"kernels__width": 1.0}
    assert search.best_estimator_.kernel_names_.tolist() == ["gaussian(width=1) on all"]


def test_kernelizer_in_a_pipeline_and_grid_search(iris):
    X, y = iris
    model = make_pipeline(Kernelizer("auto"), MKLClassifier("precomputed"))
    expected = MKLClassifier("auto", tol=1e-8).fit(X[::2], y[::2]).decision_function(X)
    model.set_params(mklclassifier__tol=1e-8).fit(X[::2], y[::2])
    assert model.decision_function(X) == pytest.approx(expected, abs=1e-4)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    search = GridSearchCV(
        make_pipeline(Kernelizer(Gaussian()), MKLClassifier("precomputed")),
        {"kernelizer__kernels__width": [0.5, 1]},
        cv=3,
    )
    assert search.fit(X, y).best_score_ > 0.9


def test_grid_search_over_one_precomputed_kernel():
    X, y = classification(60)
    search = GridSearchCV(MKLClassifier("precomputed"), {"alpha": ["0.5max", "0.1max"]}, cv=3).fit(X @ X.T, y)
    assert search.predict(X[:5] @ X.T).shape == (5,)


def test_cross_validation_in_two_processes(iris):
    X, y = iris
    one = cross_val_score(MKLClassifier(), X, y, cv=3)
    two = cross_val_score(MKLClassifier(), X, y, cv=3, n_jobs=2)
    assert np.array_equal(one, two)


def test_clone_and_parameters():
    model = MKLClassifier([Gaussian(width=0.5, columns=[0]), Linear()], alpha=0.3, penalty="elasticnet")
    copy = clone(model)
    assert copy.get_params()["alpha"] == 0.3
    assert copy.kernels is not model.kernels and copy.kernels[0].get_params() == model.kernels[0].get_params()
    assert copy.set_params(alpha=0.7).alpha == 0.7 and model.alpha == 0.3


@pytest.mark.parametrize("dump", [pickle.dumps, joblib.dump], ids=["pickle", "joblib"])
def test_pickle(iris, dump, tmp_path):
    X, y = iris
    model = MKLClassifier(warm_start=True).fit(X, y)
    if dump is joblib.dump:
        dump(model, tmp_path / "model.joblib")
        again = joblib.load(tmp_path / "model.joblib")
    else:
        again = pickle.loads(dump(model))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.kernel_weights_, model.kernel_weights_)
    again.fit(X, y)


def test_other_processes_get_memory_mapped_read_only_arrays():
    X, y = classification(120, columns=40)
    K = kernels(X)

    def fit(K, y):
        assert isinstance(K, np.memmap) and not K.flags.writeable
        return MKLClassifier("precomputed", n_jobs=1).fit(K, y).decision_function(K)

    here = MKLClassifier("precomputed", n_jobs=1).fit(K, y).decision_function(K)
    there = joblib.Parallel(n_jobs=2, max_nbytes=1000)(joblib.delayed(fit)(K, y) for _ in range(2))
    assert all(np.array_equal(here, values) for values in there)


def test_permutation_importance():
    X, y = classification(100, columns=4)
    importance = permutation_importance(MKLClassifier(alpha="0.05max").fit(X, y), X, y, random_state=0)
    assert importance.importances_mean.argmax() == 0


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
def test_calibration(iris, loss):
    X, y = iris
    model = CalibratedClassifierCV(MKLClassifier(loss=loss), cv=3).fit(X, y)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(len(y)))
    assert model.score(X, y) > 0.9


def test_probabilities_are_those_of_the_logistic_loss_only():
    assert hasattr(MKLClassifier(), "predict_proba")
    assert not hasattr(MKLClassifier(loss="hinge"), "predict_proba")


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_sparse_rows_are_the_same_rows(layout):
    X, y = classification(60, columns=5)
    X[np.abs(X) < 0.7] = 0
    dense = MKLClassifier().fit(X, y)
    thin = MKLClassifier().fit(sparse.csr_array(X).asformat(layout), y)
    assert np.array_equal(thin.decision_function(sparse.csr_array(X)), dense.decision_function(X))


def test_sparse_rows_too_many_to_be_dense_are_refused():
    X = sparse.csr_array((4, 10**12))
    with pytest.raises(ValueError, match="GiB as a dense array"):
        MKLClassifier().fit(X, [0, 1, 0, 1])


def frames():
    X, y = classification(60)
    names = ["age", "dose", "time"]
    return y, X, pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)


def test_frames():
    y, X, *both = frames()
    for frame in both:
        model = MKLClassifier([Gaussian(width=1, columns=["age", "dose"]), Linear(columns="time")]).fit(frame, y)
        assert model.feature_names_in_.tolist() == ["age", "dose", "time"]
        assert model.kernel_names_.tolist() == ["gaussian(width=1) on age+dose", "linear on time"]
        by_place = MKLClassifier([Gaussian(width=1, columns=[0, 1]), Linear(columns=2)]).fit(X, y)
        assert np.array_equal(model.decision_function(frame), by_place.decision_function(X))


def test_columns_in_another_order_are_refused():
    y, _, frame, _ = frames()
    model = MKLClassifier().fit(frame, y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["dose", "age", "time"]])


def test_columns_that_were_not_there_are_refused_by_name():
    """Whatever they hold: strings are no case of their own."""
    y, X, *both = frames()
    site = np.where(y > 0, "north", "south")
    for frame in both:
        more = frame.assign(site=site) if hasattr(frame, "assign") else frame.with_columns(site=site)
        with pytest.raises(ValueError, match="unseen at fit time:\n- site"):
            MKLClassifier().fit(frame, y).predict(more)
        with pytest.raises(ValueError, match="unseen at fit time:\n- site"):
            Kernelizer().fit(frame).transform(more)
        with pytest.raises(ValueError, match="X has 4 features, but MKLClassifier is expecting 3 features"):
            MKLClassifier().fit(X, y).predict(more)


def test_text_columns_of_frames_are_categories():
    y, _, *both = frames()
    site = np.where(y > 0, "north", "south")
    for frame in both:
        frame = frame.assign(site=site) if hasattr(frame, "assign") else frame.with_columns(site=site)
        model = MKLClassifier().fit(frame, y)
        assert model.kernel_names_[model.kernel_weights_.argmax()] in ("overlap on site", "overlap on all")
        assert model.score(frame, y) == 1
        west = frame.assign(site="west") if hasattr(frame, "assign") else frame.with_columns(site=pl.lit("west"))
        with pytest.warns(UserWarning, match="'west' did not occur"):
            assert len(set(model.decision_function(west[:1]).round(12))) == 1
        assert MKLClassifierCV(alphas=2, cv=2).fit(frame, y).score(frame, y) > 0.9


def test_classes_of_any_kind():
    X, y = classification(40)
    for positive, negative in (("yes", "no"), (True, False), (7, 3), (2.0, 1.0)):
        labels = np.where(y > 0, positive, negative)
        model = MKLClassifier(alpha="0.01max").fit(X, labels)
        assert set(model.classes_) == {positive, negative}
        assert model.score(X, labels) > 0.9


@pytest.mark.skipif(
    tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 4), reason="metadata routing came with scikit-learn 1.4"
)
def test_sample_weights_are_routed():
    X, y = regression(60)
    weights = np.linspace(0.5, 2, len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        inner = MKLRegressor(tol=1e-8).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        model = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), inner)
        model.fit(X, y, sample_weight=weights)
    direct = MKLRegressor(tol=1e-8).fit(X, y, sample_weight=weights)
    assert model.predict(X) == pytest.approx(direct.predict(X), abs=1e-6)
    assert not np.allclose(direct.predict(X), MKLRegressor(tol=1e-8).fit(X, y).predict(X))
