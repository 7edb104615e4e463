"""Precomputed kernels with names, as scikit-learn splits them."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    permutation_test_score,
)
from sklearn.pipeline import make_pipeline

import spicymkl as package
from problems import classification, kernels, regression
from spicymkl import KernelStack, KernelWeightsDisplay, MKLClassifier, MKLClassifierCV, MKLRegressor, certificate

FOLDS = KFold(4, shuffle=True, random_state=0)


@pytest.fixture(scope="module")
def problem():
    X, y = regression(60)
    K = kernels(X)
    return K, KernelStack(K, names=[f"source {m}" for m in range(len(K))]), y


def by_hand(model, K, y):
    """Predictions of each fold's test samples, and the scores of the folds."""
    predictions, scores = np.empty(len(y)), []
    for train, test in FOLDS.split(np.zeros(len(y))):
        fitted = clone(model).fit(K[:, train][:, :, train], y[train])
        predictions[test] = fitted.predict(K[:, test][:, :, train])
        residual, spread = y[test] - predictions[test], y[test] - y[test].mean()
        scores.append(1 - residual @ residual / (spread @ spread))
    return predictions, np.array(scores)


def test_scores_and_predictions_are_those_of_a_loop_by_hand(problem):
    K, stack, y = problem
    model = MKLRegressor("precomputed", tol=1e-6, n_jobs=1)
    predictions, scores = by_hand(model, K, y)
    for estimator in (model, make_pipeline(model)):
        assert cross_val_score(estimator, stack, y, cv=FOLDS) == pytest.approx(scores, rel=1e-12)
        assert cross_val_predict(estimator, stack, y, cv=FOLDS) == pytest.approx(predictions, rel=1e-12)


def test_a_grid_search_is_a_row_of_loops(problem):
    K, stack, y = problem
    model = MKLRegressor("precomputed", tol=1e-6, n_jobs=1)
    alphas = ["0.01max", "0.1max", "0.5max"]
    search = GridSearchCV(model, {"alpha": alphas}, cv=FOLDS).fit(stack, y)
    expected = [by_hand(clone(model).set_params(alpha=alpha), K, y)[1].mean() for alpha in alphas]
    assert search.cv_results_["mean_test_score"] == pytest.approx(expected, rel=1e-12)
    assert search.best_estimator_.kernel_names_.tolist() == stack.names
    assert search.predict(stack) == pytest.approx(search.best_estimator_.predict(K), rel=1e-12)


def test_the_other_tools_of_scikit_learn_take_a_stack(problem):
    _, stack, y = problem
    model = MKLRegressor("precomputed")
    assert cross_validate(model, stack, y, cv=3, n_jobs=2, return_estimator=True)["test_score"].shape == (3,)
    sizes, _, scores = learning_curve(model, stack, y, cv=3, train_sizes=[0.5, 1.0])
    assert scores.shape == (2, 3) and sizes.tolist() == [20, 40]
    assert permutation_test_score(model, stack, y, cv=3, n_permutations=5)[2] < 0.5


def test_class_labels_and_cross_validation_of_our_own():
    X, y = classification(60)
    stack = KernelStack(kernels(X))
    assert cross_val_predict(MKLClassifier("precomputed"), stack, y, method="predict_proba").shape == (60, 2)
    with pytest.warns(UserWarning, match="smallest"):
        chosen = MKLClassifierCV("precomputed", alphas=["0.9max", "0.1max"], cv=3).fit(stack, y)
    assert np.array_equal(chosen.predict(stack), chosen.predict(stack.values))


def test_names_are_shown_kept_and_found(problem, spicymkl):
    K, stack, y = problem
    model = MKLRegressor("precomputed").fit(stack, y)
    assert model.kernel_names_.tolist() == stack.names
    assert "source" in model._repr_html_()
    assert certificate(model)["kernels"][0]["name"] == stack.names[model.active_kernels_[0]]
    assert KernelWeightsDisplay.from_estimator(model).names.tolist() == stack.names
    model.save(spicymkl.folder / "m.safetensors")
    assert package.load(spicymkl.folder / "m.safetensors").kernel_names_.tolist() == stack.names
    assert stack.names[model.active_kernels_[0]] in spicymkl.ok("inspect", "m.safetensors")
    assert MKLRegressor("precomputed").fit(K, y).kernel_names_[0] == "k0"
    assert certificate(model, K, y)["holds"] and certificate(model, stack, y)["holds"]
    with pytest.raises(ValueError, match="not the data"):
        certificate(model, KernelStack(K), y)


def test_a_dict_names_kernels_and_order_does_not_matter(problem):
    K, _, y = problem
    named = {"rna": K[0], "protein": K[-1], "image": K[4]}
    model = MKLRegressor("precomputed", alpha="0.01max").fit(named, y)
    assert model.kernel_names_.tolist() == ["rna", "protein", "image"]
    expected = model.predict(K[[0, -1, 4]])
    assert np.array_equal(model.predict(named), expected)
    assert np.array_equal(model.predict(dict(reversed(list(named.items())))), expected)
    assert np.array_equal(model.predict({**named, "more": K[2]}), expected)
    named.pop(str(model.kernel_names_[model.active_kernels_[0]]))
    with pytest.raises(ValueError, match="lack '.*', which the model uses"):
        model.predict(named)


def test_a_model_without_active_kernels_predicts(problem):
    _, stack, y = problem
    model = MKLRegressor("precomputed", alpha="2max").fit(stack, y)
    assert len(model.active_kernels_) == 0
    assert model.predict(stack) == pytest.approx(np.full(len(y), model.intercept_))


def test_samples_of_weight_0_are_left_out_of_a_stack(problem):
    _, stack, y = problem
    kept = np.arange(len(y)) % 4 != 0
    model = MKLRegressor("precomputed").fit(stack, y, sample_weight=kept.astype(float))
    without = MKLRegressor("precomputed").fit(stack[kept, kept], y[kept])
    assert np.array_equal(model.predict(stack), without.predict(stack[:, kept]))


def test_indexing():
    values = np.arange(24.0).reshape(2, 3, 4)
    stack = KernelStack(values)
    assert stack.shape == (3, 4) and len(stack) == 3 and stack.names == ["k0", "k1"]
    rows, samples = np.array([2, 0]), np.array([1, 3, 3])
    expected = values[:, rows][:, :, samples]
    for part in (stack[np.ix_(rows, samples)], stack[rows, samples], stack[rows][:, samples], stack[[2, 0], [1, 3, 3]]):
        assert np.array_equal(part.values, expected)
    assert np.array_equal(stack[np.array([True, False, True])].values, values[:, [0, 2]])
    assert np.array_equal(stack[1:, ::2].values, values[:, 1:, ::2])
    assert np.array_equal(stack[1].values, values[:, [1]])
    assert np.array_equal(pickle.loads(pickle.dumps(stack)).values, values)
    assert np.shares_memory(stack.values, values) and np.shares_memory(stack[1:].values, values)


def test_bad_stacks_are_refused():
    K = np.zeros((2, 3, 3))
    for arguments, words in (
        ((K[0],), "shape"),
        ((K, ["a"]), "1 names for 2 kernels"),
        ((K, ["a", "a"]), "'a' occurs twice"),
        ((K, [1, 2]), "strings"),
        (({"a": K[0], "b": K[0][:2]},), "'b' has shape"),
        (({},), "empty"),
        (({"a": K[0]}, ["a"]), "leave names="),
    ):
        with pytest.raises(ValueError, match=words):
            KernelStack(*arguments)
