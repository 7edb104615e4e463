"""Pictures."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from problems import classification, kernels, regression
from spicymkl import (
    ContributionsDisplay,
    ConvergenceDisplay,
    CVScoresDisplay,
    EffectsDisplay,
    Gaussian,
    KernelWeightsDisplay,
    Linear,
    MKLClassifier,
    MKLClassifierCV,
    MKLRegressor,
    MKLRegressorCV,
    Overlap,
    PathDisplay,
    mkl_path,
)

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture
def axes():
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


@pytest.fixture(scope="module")
def two():
    X, y = classification(60)
    return MKLClassifier().fit(X, y)


@pytest.fixture(scope="module", params=["joint", "ovr"])
def three(request):
    return MKLClassifier(multi_class=request.param).fit(*load_iris(return_X_y=True))


@pytest.fixture(scope="module")
def numbers():
    """A regressor on a column of numbers, one of few values, and one of strings, with its rows."""
    X, y = regression(90)
    kinds = np.array(["x", "y", "z"])[np.arange(90) % 3]
    frame = pd.DataFrame({"a": 10 + 2 * X[:, 0], "few": np.arange(90) % 4 - 1.0, "kind": kinds})
    of_one = [Gaussian(columns=["a"]), Linear(columns=["a"]), Gaussian(columns=["few"]), Overlap(columns=["kind"])]
    model = MKLRegressor([*of_one, Gaussian(columns=["a", "few"])], penalty="uniform")
    return model.fit(frame, y + 0.5 * frame["few"] + (kinds == "y")), frame


@pytest.fixture(autouse=True)
def closed():
    yield
    matplotlib.pyplot.close("all")


def test_convergence(two, three, axes):
    display = ConvergenceDisplay.from_estimator(two, ax=axes)
    assert display.ax_ is axes and np.array_equal(display.lines_[0].get_ydata(), two.history_["gap"])
    fits = 1 if three.multi_class == "joint" else 3
    assert len(ConvergenceDisplay.from_estimator(three).lines_) == fits


def test_weights_as_bars(two, axes):
    display = KernelWeightsDisplay.from_estimator(two, ax=axes, top=3)
    bars = display.ax_.patches
    assert [bar.get_width() for bar in bars] == sorted(two.kernel_weights_, reverse=True)[: len(bars)]
    assert axes.get_yticklabels()[0].get_text() == two.kernel_names_[two.kernel_weights_.argmax()]


def test_weights_as_a_heat_map(two, three):
    grid = KernelWeightsDisplay.from_estimator(two, kind="heatmap").ax_.images[0].get_array()
    assert grid.sum() == pytest.approx(two.kernel_weights_.sum())
    if three.multi_class == "ovr":
        assert KernelWeightsDisplay.from_estimator(three).ax_.images[0].get_array().shape[1] == 3
    with pytest.raises(ValueError, match="heatmap"):
        KernelWeightsDisplay.from_estimator(two, kind="pie")


def test_path(axes):
    X, y = classification(60)
    path = mkl_path(X, y, alphas=4)
    display = PathDisplay.from_path(path, ax=axes)
    assert len(display.lines_) == (path.kernel_weights.max(axis=0) > 0).sum()
    chosen = MKLClassifierCV(alphas=3, cv=3).fit(X, y)
    assert PathDisplay.from_estimator(chosen, X, y, alphas=4).chosen == chosen.alpha_


@pytest.mark.filterwarnings("ignore:the best alpha is")
def test_scores_of_a_cross_validation(axes):
    X, y = classification(60)
    model = MKLClassifierCV("paper", penalty="elasticnet", l1_ratio=[0.2, 0.8], alphas=["0.5max", "0.1max"], cv=3)
    display = CVScoresDisplay.from_estimator(model.fit(X, y), ax=axes)
    results = model.cv_results_
    assert display.ax_ is axes and axes.get_ylabel() == "neg_log_loss" and axes.get_xlabel() == "alpha / alpha_max"
    assert [line.get_label() for line in display.lines_] == ["l1_ratio 0.2", "l1_ratio 0.8"]
    for line, points in zip(display.lines_, (slice(0, 2), slice(2, 4))):
        assert line.get_xdata().tolist() == [0.5, 0.1]
        assert np.array_equal(line.get_ydata(), results["mean_test_score"][points])
    chosen = slice(0, 2) if model.best_index_ < 2 else slice(2, 4)
    scores = results["split_test_scores"][:, chosen]
    edges = display.band_.get_paths()[0].vertices[:, 1]
    assert edges.min() == pytest.approx((scores.mean(axis=0) - scores.std(axis=0)).min())
    assert edges.max() == pytest.approx((scores.mean(axis=0) + scores.std(axis=0)).max())


@pytest.mark.filterwarnings("ignore:the best alpha is")
def test_scores_of_strengths_as_they_are():
    X, y = regression(40)
    model = MKLRegressorCV("paper", alphas=[0.5, 0.1], cv=3).fit(X, y)
    display = CVScoresDisplay.from_estimator(model)
    assert display.ax_.get_xlabel() == "alpha" and display.ax_.get_ylabel() == "R²"
    assert display.lines_[0].get_label() == "mean over the folds"
    model.set_params(scoring="neg_median_absolute_error")
    assert CVScoresDisplay.from_estimator(model).score_name == "R²"  # what was drawn was chosen by it
    assert CVScoresDisplay.from_estimator(model.fit(X, y)).score_name == "neg_median_absolute_error"


@pytest.mark.filterwarnings("ignore:the best alpha is")
def test_scores_of_the_parts_of_auto():
    X, y = regression(60)
    model = MKLRegressorCV(alphas=["0.1max", "0.01max"], cv=3).fit(X, y)
    display = CVScoresDisplay.from_estimator(model)
    labels = [line.get_label() for line in display.lines_]
    assert labels == list(dict.fromkeys(model.cv_results_["kernels"].tolist())) and len(labels) > 1
    assert [len(line.get_xdata()) for line in display.lines_] == [2] * len(labels)


def test_scores_need_a_cross_validation(two):
    with pytest.raises(ValueError, match="MKLClassifier has no cross-validation to draw; fit MKLClassifierCV"):
        CVScoresDisplay.from_estimator(two)
    with pytest.raises(NotFittedError):
        CVScoresDisplay.from_estimator(MKLClassifierCV())


def effect_by_contributions(model, frame, effect):
    """The same from predictions: what kernels on one column say does not depend on the other columns."""
    values = np.array(effect.categories)[effect.grid.astype(int)] if effect.categories else effect.grid
    rows = pd.DataFrame(
        {name: values if name == effect.name else [frame[name].iloc[0]] * len(values) for name in frame}
    )
    said = np.atleast_3d(model.contributions(rows))
    return np.reshape(said, (-1, len(values), len(model.kernel_names_)))[:, :, effect.kernels].sum(axis=2).T


def test_effects_are_what_the_kernels_of_a_column_say(numbers):
    model, frame = numbers
    display = EffectsDisplay.from_estimator(model)
    assert {effect.name for effect in display.effects} == {"a", "few", "kind"}
    spreads = [max(effect.spread) for effect in display.effects]
    assert spreads == sorted(spreads, reverse=True)
    for ax, effect, lines in zip(display.axes_, display.effects, display.lines_):
        assert all(model.kernel_names_[m].endswith(f" on {effect.name}") for m in effect.kernels)
        assert np.array_equal(lines[0].get_xdata(), effect.grid) and ax.get_xlabel() == effect.name
        drawn = np.array([line.get_ydata() for line in lines]).T
        assert drawn == pytest.approx(effect_by_contributions(model, frame, effect), abs=1e-9)


def test_effects_show_where_the_rows_are(numbers):
    model, frame = numbers
    effects = {effect.name: effect for effect in EffectsDisplay.from_estimator(model).effects}
    assert effects["a"].grid[[0, -1]] == pytest.approx([frame["a"].min(), frame["a"].max()])
    density = effects["a"].density
    assert density.counts == np.histogram(frame["a"], bins=len(density.counts))[0].tolist()
    counts = frame["few"].value_counts().sort_index()
    assert effects["few"].density.places.tolist() == counts.index.tolist()
    assert effects["few"].density.counts == counts.tolist()
    assert effects["kind"].categories == ["x", "y", "z"] and effects["kind"].density.counts == [30, 30, 30]


def test_effects_of_several_classes(three):
    X = pd.DataFrame(load_iris().data, columns=["x0", "x1", "x2", "x3"])
    display = EffectsDisplay.from_estimator(three, top=2)
    assert len(display.axes_) == 2 and [len(lines) for lines in display.lines_] == [3, 3]
    for effect, lines in zip(display.effects, display.lines_):
        rows = X.iloc[[0] * len(effect.grid)].assign(**{effect.name: effect.grid})
        wanted = three.contributions(rows.to_numpy())[:, :, effect.kernels].sum(axis=2)
        assert np.array([line.get_ydata() for line in lines]) == pytest.approx(wanted, abs=1e-9)
    labels = [text.get_text() for text in display.figure_.legends[0].get_texts()]
    assert labels == ["class 0", "class 1", "class 2"]


def test_effects_of_chosen_columns(numbers, axes):
    model, _ = numbers
    assert EffectsDisplay.from_estimator(model, columns="few", ax=axes).axes_ == [axes]
    names = [effect.name for effect in EffectsDisplay.from_estimator(model, columns=["kind", "a"]).effects]
    assert names == ["kind", "a"]
    for options, words in (
        ({"columns": ["b"]}, "'b' is not a column of X; those with effects are 'a'"),
        ({"columns": []}, "columns is empty"),
        ({"top": 0}, "top is 0"),
        ({"ax": [axes, axes]}, "ax holds 2 axes, but 3 are drawn in"),
    ):
        with pytest.raises(ValueError, match=words):
            EffectsDisplay.from_estimator(model, **options)


def test_effects_that_cannot_be_drawn():
    X, y = classification(40)
    with pytest.raises(NotFittedError):
        EffectsDisplay.from_estimator(MKLClassifier())
    for model, data, words in (
        (MKLClassifier("precomputed"), kernels(X), "the kernels are precomputed, or functions"),
        (MKLClassifier(lambda A, B: A @ B.T), X, "which have no columns"),
        (MKLClassifier(Gaussian(width=1.0)), X, "no active kernel reads one column alone"),
    ):
        with pytest.raises(ValueError, match=f"{words}.*ContributionsDisplay"):
            EffectsDisplay.from_estimator(model.fit(data, y))
    model = MKLClassifier([Gaussian(columns=["0"]), Gaussian()], penalty="uniform").fit(X, y)
    with pytest.raises(ValueError, match="'x1' has no active kernel of its own; those with effects are 'x0'"):
        EffectsDisplay.from_estimator(model, columns=["x1"])


def test_contributions_of_one_sample(numbers, axes):
    model, frame = numbers
    display = ContributionsDisplay.from_estimator(model, frame[7:8], top=3, ax=axes)
    said = model.contributions(frame[7:8])[0]
    heaviest = np.argsort(-np.abs(said))[:3]
    widths = [bar.get_width() for bar in display.axes_[0].patches]
    assert widths == pytest.approx([*said[heaviest], said.sum() - said[heaviest].sum()])
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names[:3] == model.kernel_names_[heaviest].tolist() and names[3].endswith("others")
    assert axes.get_title() == f"intercept {model.intercept_:.3g}, prediction {model.predict(frame[7:8])[0]:.3g}"
    assert axes.get_ylabel() == "sample 7"


def test_contributions_of_several_samples(two, three):
    X, _ = classification(60)
    display = ContributionsDisplay.from_estimator(two, X, top=len(two.kernel_names_), kind="heatmap")
    drawn = np.asarray(display.axes_[0].images[0].get_array())
    assert drawn.shape == (len(two.active_kernels_), 60)
    assert drawn.sum(axis=0) + two.intercept_ == pytest.approx(np.sort(two.decision_function(X)))
    X = load_iris().data
    display = ContributionsDisplay.from_estimator(three, X, top=2, kind="heatmap")
    assert [ax.get_title().splitlines()[0] for ax in display.axes_] == ["class 0", "class 1", "class 2"]
    for ax, intercept, scores in zip(display.axes_, three.intercept_, three.decision_function(X).T):
        assert np.asarray(ax.images[0].get_array()).sum(axis=0) + intercept == pytest.approx(np.sort(scores))


def test_contributions_of_sources():
    X, y = classification(60)
    model = MKLClassifier({"first": ["x0", "x1"], "last": ["x2"]}, alpha="0.02max").fit(X, y)
    display = ContributionsDisplay.from_estimator(model, X[:5], by="source")
    said, scores = model.contributions(X[:5]), model.decision_function(X[:5])
    bars = {group.get_label(): [bar.get_height() for bar in group] for group in display.axes_[0].containers}
    assert set(bars) == {"first", "last", "all columns"}
    for name in ("first", "last"):
        wanted = said[:, model.kernel_groups_ == name].sum(axis=1)
        assert bars[name] == pytest.approx(wanted[np.argsort(scores)])
    assert display.axes_[0].lines[-1].get_ydata() == pytest.approx(np.sort(scores) - model.intercept_)
    assert ContributionsDisplay.from_estimator(model, X[:5], by="source", kind="heatmap").axes_[0].images


def test_legends_stay_within_axes_that_were_given(three):
    X = load_iris().data
    for draw in (
        lambda ax: EffectsDisplay.from_estimator(three, top=3, ax=ax),
        lambda ax: ContributionsDisplay.from_estimator(three, X, by="source", kind="bar", ax=ax),
    ):
        figure, axes = matplotlib.pyplot.subplots(1, len(draw(None).axes_))
        assert draw(axes).axes_ == list(axes)
        assert axes[-1].get_legend() is not None and not figure.legends


def test_contributions_that_cannot_be_drawn(two, three, axes):
    X, y = classification(60)
    with pytest.raises(NotFittedError):
        ContributionsDisplay.from_estimator(MKLClassifier(), X)
    with pytest.raises(ValueError, match="by is 'column'"):
        ContributionsDisplay.from_estimator(two, X, by="column")
    with pytest.raises(ValueError, match="kind is 'pie'"):
        ContributionsDisplay.from_estimator(two, X, kind="pie")
    with pytest.raises(ValueError, match="top is 0"):
        ContributionsDisplay.from_estimator(two, X, top=0)
    with pytest.raises(ValueError, match="ax holds 1 axes, but 3 are drawn in"):
        ContributionsDisplay.from_estimator(three, load_iris().data, ax=axes)
    with pytest.raises(ValueError, match="the model is a constant; a smaller alpha selects some"):
        ContributionsDisplay.from_estimator(MKLClassifier(alpha="2max").fit(X, y), X)


def test_matplotlib_is_imported_only_when_used():
    code = "import sys, spicymkl; assert 'matplotlib' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
