"""What was learned, as a frame, by source, and as a report."""

import html
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss, r2_score

import spicymkl as package
from problems import classification, kernels, regression
from spicymkl import KernelStack, MKLClassifier, MKLClassifierCV, MKLRegressor, MKLRegressorCV
from test_own_functions import Hinge

SOURCES = {"first": ["a", "b"], "last": ["c"]}


@pytest.fixture(scope="module")
def frame():
    X, y = classification(60)
    return pd.DataFrame(X, columns=["a", "b", "c"]), np.where(y > 0, "ill", "well")


@pytest.fixture(scope="module")
def two(frame):
    return MKLClassifier(SOURCES).fit(*frame)


@pytest.fixture(scope="module")
def three():
    return MKLClassifier(multi_class="ovr").fit(*load_iris(return_X_y=True))


@pytest.fixture(scope="module")
def at_once():
    return MKLClassifier().fit(*load_iris(return_X_y=True))


def page_of(model, folder, *test, **names):
    model.report(folder / "r.html", *test, **names)
    assert [path.name for path in folder.iterdir()] == ["r.html"]
    return html.unescape((folder / "r.html").read_text())


def without_date(page):
    return [line for line in page.splitlines() if "UTC" not in line]


def test_the_summary_is_a_frame_of_kernels(two):
    summary = two.summary()
    assert summary.columns.tolist() == ["name", "source", "weight", "norm"]
    assert sorted(summary.index) == list(range(len(two.kernel_names_)))
    assert (summary["weight"].diff().dropna() <= 0).all() and summary["weight"].iloc[0] > 0
    for column, attribute in (("name", "kernel_names_"), ("weight", "kernel_weights_"), ("norm", "kernel_norms_")):
        assert np.array_equal(summary[column], getattr(two, attribute)[summary.index])
    grouped = two.kernel_groups_[summary.index]
    assert (summary["source"] == np.where(grouped == "", "all columns", grouped)).all()
    assert set(summary["source"]) == {"first", "last", "all columns"}


def test_weights_are_summed_by_source(two):
    summed = two.summary().groupby("source")["weight"].sum()
    assert two.source_names_.tolist() == ["first", "last", "all columns"]
    assert two.source_weights_ == pytest.approx(summed[two.source_names_])
    assert two.source_weights_.sum() == pytest.approx(two.kernel_weights_.sum())


def test_several_classes_have_rows_and_sums_of_their_own(three):
    summary = three.summary()
    assert summary.columns.tolist() == ["class", "name", "source", "weight", "norm"]
    assert summary["class"].tolist() == np.repeat(three.classes_, len(three.kernel_names_)).tolist()
    for c, name in enumerate(three.classes_):
        part = summary[summary["class"] == name]
        assert np.array_equal(part["weight"], three.kernel_weights_[c][part.index])
        assert np.array_equal(part["norm"], three.kernel_norms_[c][part.index])
        sums = part.groupby("source")["weight"].sum()
        assert three.source_weights_[c] == pytest.approx(sums[three.source_names_])


def test_precomputed_kernels_are_sources():
    X, y = regression(40)
    K = kernels(X)[:3]
    model = MKLRegressor("precomputed").fit(KernelStack(K, names=["rna", "protein", "image"]), y)
    assert model.source_names_.tolist() == ["rna", "protein", "image"]
    assert np.array_equal(model.source_weights_, model.kernel_weights_)
    assert model.summary().sort_index()["source"].tolist() == ["rna", "protein", "image"]


def test_nothing_of_an_unfitted_estimator(tmp_path):
    model = MKLClassifier()
    assert not hasattr(model, "source_weights_") and not hasattr(model, "source_names_")
    for ask in (model.summary, lambda: model.report(tmp_path / "r.html")):
        with pytest.raises(NotFittedError):
            ask()
    assert not list(tmp_path.iterdir())


def test_several_classes_at_once_have_one_row_per_kernel(at_once):
    summary = at_once.summary()
    assert summary.columns.tolist() == ["name", "source", "weight", "norm"]
    assert np.array_equal(summary["weight"], at_once.kernel_weights_[summary.index])
    assert at_once.source_weights_.sum() == pytest.approx(at_once.kernel_weights_.sum())


def test_the_report_says_how_well_other_rows_are_predicted(two, three, at_once, frame, tmp_path):
    X, y = frame
    page = page_of(two, tmp_path, X[:30], y[:30], data_name="patients.csv")
    assert "<h1>Training on patients.csv</h1>" in page
    assert f"{two.score(X[:30], y[:30]):.3g}" in page
    assert f"{log_loss(y[:30], two.predict_proba(X[:30])):.4g}" in page
    X, y = load_iris(return_X_y=True)
    for model in (three, at_once):
        assert f"{log_loss(y[::2], model.predict_proba(X[::2])):.4g}" in page_of(model, tmp_path, X[::2], y[::2])
    X, y = regression(60)
    model = MKLRegressor().fit(X[:40], y[:40])
    assert f"{r2_score(y[40:], model.predict(X[40:])):.4g}" in page_of(model, tmp_path, X[40:], y[40:])


def test_the_report_says_what_was_asked_when_it_was_learned(frame, tmp_path):
    model = MKLClassifier(alpha="0.2max").fit(*frame)
    model.set_params(alpha="0.4max", kernels="paper")
    page = page_of(model, tmp_path)
    assert "MKLClassifier(alpha='0.2max').fit(X, y)" in page and "<dd>0.2max</dd>" in page
    assert "<dd>auto</dd>" in page and "<dd>paper</dd>" not in page


def test_the_report_names_target_and_weights(frame, tmp_path):
    X, y = frame
    weights = np.linspace(1, 2, len(y))
    for target, weight, options, said in (
        (y, None, {}, "target 'y': 2 classes, ill and well (positive: well)."),
        (
            pd.Series(y, name="state"),
            pd.Series(weights, name="trust"),
            {},
            "target 'state': 2 classes, ill and well (positive: well); weights 'trust'.",
        ),
        (
            pd.Series(y, name="a"),
            weights,
            {"class_weight": "balanced"},
            "target 'y': 2 classes, ill and well (positive: well); weights 'sample_weight and class_weight'.",
        ),
    ):
        page = page_of(MKLClassifier(**options).fit(X, target, weight), tmp_path)
        assert f"Assumed: 60 rows, 3 columns; {said}" in page


def test_a_pickled_estimator_writes_the_same_report(two, three, at_once, frame, tmp_path):
    X, y = frame
    adjusted = MKLClassifier(covariates=["c"]).fit(X, y)
    named = X.set_index(pd.Index([f"patient {row}" for row in range(len(X))]))
    tables = {"left": named[["a", "b"]], "right": named[["c"]].iloc[10:]}  # of which one lacks samples
    joined = MKLClassifier(missing_view="zero").fit(tables, pd.Series(y, index=named.index))
    numbers = MKLRegressor().fit(X, X[["a", "b"]].to_numpy())
    for model in (two, three, at_once, adjusted, joined, numbers):
        page = without_date(page_of(model, tmp_path))
        assert without_date(page_of(pickle.loads(pickle.dumps(model)), tmp_path)) == page


def test_the_report_says_how_classes_are_learned_and_what_would_learn_them_otherwise(three, at_once, tmp_path):
    X, y = load_iris(return_X_y=True)
    hinge = MKLClassifier(loss="hinge").fit(X, y)
    for model, said in (
        (at_once, '(all at once; multi_class="ovr" would take each against the rest)'),
        (three, "(each against the rest)"),
        (
            hinge,
            '(each against the rest, as the loss hinge tells only two apart; loss="logistic" would take all at once)',
        ),
    ):
        for one in (model, pickle.loads(pickle.dumps(model))):
            assert f"3 classes, 0, 1, 2 {said}" in page_of(one, tmp_path)


def test_reports_of_what_no_model_file_can_hold(tmp_path):
    X, y = classification(40)

    def dot(A, B):
        return A @ B.T

    page = page_of(MKLClassifier(dot, loss=Hinge()).fit(X, y), tmp_path)
    assert "<dd>dot</dd>" in page and "Hinge" in page and "40 samples with precomputed kernels" in page


def test_the_report_of_a_loaded_model(two, frame, tmp_path):
    two.save(tmp_path / "m.safetensors")
    loaded = package.load(tmp_path / "m.safetensors")
    loaded.report(tmp_path / "r.html")
    page = html.unescape((tmp_path / "r.html").read_text())
    assert f"<h1>Model {tmp_path / 'm.safetensors'}</h1>" in page and "Convergence" not in page
    before = (tmp_path / "m.safetensors").read_bytes()
    with pytest.raises(ValueError, match="same file as the model that was loaded .*choose another name"):
        loaded.report(tmp_path / "m.safetensors")
    assert (tmp_path / "m.safetensors").read_bytes() == before


@pytest.mark.filterwarnings("ignore:the best alpha is")
def test_the_report_of_a_cross_validation(frame, tmp_path):
    X, y = frame
    model = MKLClassifierCV(SOURCES, alphas=["0.5max", "0.1max", "0.02max"], cv=3).fit(X, y)
    page = page_of(model, tmp_path)
    results, best = model.cv_results_, model.best_index_
    error = results["split_test_scores"][:, best].std(ddof=1) / np.sqrt(3)
    assert "3 folds, 3 combinations" in page and "<h1>Cross-validation on X</h1>" in page
    assert f"with log-loss {-model.best_score_:.5g} ± {error:.2g}" in page and "Smaller is better" in page
    assert all(f"{value:.1f}" in page for value in results["mean_n_active"])
    assert f"; its accuracy is {results['mean_accuracy'][best]:.4g}." in page
    assert "as in report(path, X_test, y_test), give an honest one" in page


@pytest.mark.filterwarnings("ignore:the best alpha is")
def test_any_score_of_a_cross_validation(tmp_path):
    X, y = regression(40)
    for scoring, name, sign in (
        (None, "R²", 1),
        ("neg_mean_absolute_error", "MAE", -1),
        ("neg_median_absolute_error", "neg_median_absolute_error", 1),
        (lambda model, X, y: 3.0, "<lambda>", 1),
    ):
        model = MKLRegressorCV("paper", alphas=[0.5, 0.1], cv=3, scoring=scoring).fit(X, y)
        page = page_of(model, tmp_path)
        assert f"with {name} {sign * model.best_score_:.5g} ± " in page
        assert f"{'Larger' if sign > 0 else 'Smaller'} is better" in page


@pytest.mark.filterwarnings("ignore:the best alpha is")
def test_the_parts_of_auto_that_were_tried(tmp_path):
    X, y = regression(60)
    model = MKLRegressorCV(alphas=["0.1max", "0.01max"], cv=3).fit(X, y)
    page = page_of(model, tmp_path)
    tried = set(model.cv_results_["kernels"].tolist())
    assert len(tried) > 1 and all(f">{name}</td>" in page for name in tried)
    one_column = MKLRegressorCV(alphas=["0.1max", "0.01max"], cv=3).fit(X[:, :1], y)
    assert one_column.cv_results_["kernels"].tolist() == 2 * ["auto:both"] + 2 * ["auto:columns"]
    strings = pd.DataFrame({"kind": np.where(X[:, 0] > 0, "a", "b")})
    assert "kernels" not in MKLRegressorCV(alphas=["0.1max", "0.01max"], cv=3).fit(strings, y).cv_results_


@pytest.mark.filterwarnings("ignore:the best alpha is")
@pytest.mark.parametrize("scoring", [None, "balanced_accuracy"])
def test_accuracy_beside_what_is_compared(frame, scoring):
    X, y = frame
    folds = [(np.arange(40), np.arange(40, 60)), (np.arange(20, 60), np.arange(20))]
    model = MKLClassifierCV(SOURCES, alphas=["0.5max", "0.1max"], cv=folds, scoring=scoring, tol=1e-9).fit(X, y)
    for column, alpha in enumerate(("0.5max", "0.1max")):
        alone = [
            MKLClassifier(SOURCES, alpha=alpha, tol=1e-9).fit(X.iloc[learn], y[learn]).score(X.iloc[test], y[test])
            for learn, test in folds
        ]
        assert model.cv_results_["mean_accuracy"][column] == pytest.approx(np.mean(alone))


@pytest.mark.filterwarnings("error::sklearn.exceptions.UndefinedMetricWarning", "ignore:the best alpha is")
def test_one_test_row_has_no_r2_and_needs_none(tmp_path):
    X, y = regression(8)
    model = MKLRegressorCV("paper", alphas=[0.5, 0.1], cv=8, scoring="neg_mean_absolute_error").fit(X, y)
    assert np.isnan(model.cv_results_["mean_r2"]).all()
    assert "R²" not in page_of(model, tmp_path)


@pytest.mark.filterwarnings("ignore:the best alpha is")
def test_the_number_of_active_kernels_in_the_folds():
    X, y = regression(60)
    folds = [(np.arange(40), np.arange(40, 60)), (np.arange(20, 60), np.arange(20))]
    model = MKLRegressorCV(alphas=["0.5max", "0.1max"], cv=folds, tol=1e-9).fit(X, y)
    for column, alpha in enumerate(("0.5max", "0.1max")):
        alone = [len(MKLRegressor(alpha=alpha, tol=1e-9).fit(X[rows], y[rows]).active_kernels_) for rows, _ in folds]
        assert model.cv_results_["mean_n_active"][column] == np.mean(alone)


def test_names_are_only_names(frame, tmp_path):
    X, y = frame
    odd = "<script>alert(1)</script>"
    model = MKLClassifier().fit(X.rename(columns={"a": odd}), pd.Series(y, name=f"target {odd}"))
    model.report(tmp_path / "r.html", data_name=f"data {odd}")
    assert odd not in (tmp_path / "r.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"X_test": [[0.0, 1.0, 2.0]]}, "X_test and y_test go together"),
        ({"y_test": ["ill"]}, "X_test and y_test go together"),
        ({"X_test": [[0.0, 1.0, 2.0]], "y_test": ["dead"]}, "'dead', which is not among the classes .*'ill', 'well'"),
        ({"X_test": [[0.0, 1.0]], "y_test": ["ill"]}, "2 features, but .* expecting 3"),
        ({"X_test": [[0.0, 1.0, 2.0]], "y_test": ["ill", "ill"]}, "inconsistent numbers of samples"),
        ({"data_name": ""}, "data_name is '', but it must be a string"),
        ({"test_name": 3}, "test_name is 3, but it must be a string"),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_mistakes_leave_no_report(two, tmp_path, arguments, words):
    with pytest.raises(ValueError, match=words):
        two.report(tmp_path / "r.html", **arguments)
    assert not list(tmp_path.iterdir())


def test_numbers_to_test_must_be_numbers(tmp_path):
    X, y = regression(30)
    with pytest.raises(ValueError, match="y_test holds values that are NaN"):
        MKLRegressor().fit(X, y).report(tmp_path / "r.html", X, np.full(30, np.nan))
    assert not list(tmp_path.iterdir())


def test_a_report_takes_the_place_of_no_input(frame, tmp_path):
    kernel_list = tmp_path / "kernels.json"
    kernel_list.write_text(json.dumps([{"type": "linear"}, {"type": "gaussian", "width": 1.0}]))
    (tmp_path / "link.html").symlink_to(kernel_list)
    model = MKLClassifier(str(kernel_list)).fit(*frame)
    before = kernel_list.read_bytes()
    for write in (model.report, model.save):
        for name in (kernel_list, tmp_path / "link.html"):
            with pytest.raises(ValueError, match="is the same file as kernels .*choose another name"):
                write(name)
    assert kernel_list.read_bytes() == before


def test_places_where_no_file_can_be(two, tmp_path):
    with pytest.raises(IsADirectoryError):
        two.report(tmp_path)
    with pytest.raises(FileNotFoundError):
        two.report(tmp_path / "nowhere" / "r.html")
    (tmp_path / "r.html").write_text("of last week")
    two.report(tmp_path / "r.html")
    assert "of last week" not in (tmp_path / "r.html").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]
