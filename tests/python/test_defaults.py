"""One set of names and defaults: the library's option tables, which the command prints and Python has too."""

import inspect
import json
import warnings

import numpy as np
import pytest

from problems import classification, regression
from spicymkl import (
    Kernelizer,
    MKLClassifier,
    MKLClassifierCV,
    MKLRegressor,
    MKLRegressorCV,
    PathDisplay,
    mkl_path,
)

# Options of the command that Python has under another name, or that take another form there.
OTHER_NAMES = {"alphas": "n_alphas", "eps": "alpha_ratio", "cv": "folds", "scoring": "metric", "n_jobs": "threads"}
OTHER_NAMES["random_state"] = "seed"
# What Python's default means, where it is not the same value.
MEANS = {"alpha": {None: "0.03max"}, "cv": {None: 5}, "scoring": {None: "auto"}, "random_state": {None: 0}}
MEANS |= {"n_jobs": {None: 0}, "memory": {None: ""}}
# Of each kind of target, what auto is.
LOSSES = {"logistic": "auto", "squared": "auto"}


@pytest.fixture(scope="module")
def tables():
    from conftest import Spicymkl

    return json.loads(Spicymkl(".").ok("options"))


def parameters(function):
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    listed = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in listed if p.kind in kinds and p.default is not p.empty}


@pytest.mark.parametrize(
    ("function", "command", "fewest"),
    [
        (MKLClassifier, "train", 13),
        (MKLRegressor, "train", 15),
        (MKLClassifierCV, "cv", 15),
        (MKLRegressorCV, "cv", 17),
        (mkl_path, "path", 2),
        (PathDisplay.from_estimator, "path", 1),
        (Kernelizer, "train", 4),
    ],
)
def test_python_has_the_defaults_of_the_command(tables, function, command, fewest):
    options = {option["name"]: option for option in tables[command]}
    compared = 0
    for name, default in parameters(function).items():
        option = options.get(OTHER_NAMES.get(name, name))
        if option is None or name == "loss" and default is None:
            continue
        wanted = LOSSES.get(default, default) if name == "loss" else default
        wanted = MEANS.get(name, {}).get(wanted, wanted) if isinstance(wanted, (str, type(None))) else wanted
        assert wanted == option["default"], (name, default, option)
        compared += 1
    assert compared >= fewest


@pytest.mark.parametrize("estimator", [MKLClassifier, MKLRegressor, MKLClassifierCV, MKLRegressorCV])
def test_the_documentation_has_every_parameter_and_its_default(estimator):
    entries = {}
    text = estimator.__doc__.partition("Parameters\n")[2].partition("Attributes\n")[0]
    for line in text.splitlines():
        name, colon, kind = line.strip().partition(" : ")
        if colon and line.startswith("    ") and not line.startswith("     "):
            entries[name] = kind
    known = parameters(estimator)
    assert list(entries) == list(known)
    for name, default in known.items():
        written = entries[name].rpartition("default=")[2]
        assert eval(written) == default, (name, written)


def test_options_of_the_problem_have_the_same_names(tables):
    shared = {"loss", "penalty", "alpha", "l1_ratio", "q", "fit_intercept", "tol", "max_iter", "max_seconds", "solver"}
    shared |= {"kernels", "standardize", "memory"}
    train = {option["name"] for option in tables["train"]}
    assert shared <= train and shared <= set(parameters(MKLClassifier))
    assert {"epsilon", "quantile"} <= train & set(parameters(MKLRegressor))


def test_the_default_strength(spicymkl):
    alpha = "0.03max"
    for problem, model in ((classification, MKLClassifier), (regression, MKLRegressor)):
        X, y = problem(40)
        table = spicymkl.table("t.csv", X, y)
        line = ["train", table, "--target", "y", "--json"]
        said = json.loads(spicymkl.ok(*line))["alpha"]
        assert said == json.loads(spicymkl.ok(*line, "--alpha", alpha))["alpha"]
        assert model().fit(X, y).alpha_ == model(alpha=alpha).fit(X, y).alpha_ == pytest.approx(said)


def test_grids_are_those_of_the_command(spicymkl):
    X, y = regression(40)
    table = spicymkl.table("t.csv", X, y)
    points = json.loads(spicymkl.ok("cv", table, "--target", "y", "--folds", 2, "--json"))["points"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MKLRegressorCV(cv=2).fit(X, y)
    ratios = [float(alpha.removesuffix("max")) for alpha in model.cv_results_["alpha"]]
    assert ratios == [point["alpha_ratio"] for point in points] and len(ratios) == 3 * 12
    assert model.cv_results_["kernels"].tolist() == [point["kernels"] for point in points]
    points = json.loads(spicymkl.ok("path", table, "--target", "y", "--json"))["points"]
    assert mkl_path(X, y).alphas == pytest.approx([point["alpha"] for point in points], rel=1e-9)
    assert len(points) == 50


@pytest.mark.parametrize(
    ("edge", "ratio", "words"),
    [
        ("smallest", 0.5, "the best alpha is the smallest one tried (0.5max); go further with --alpha-ratio 0.05"),
        (None, 0.001, ""),
    ],
)
def test_a_choice_at_the_edge_is_said_by_the_command(spicymkl, edge, ratio, words):
    X, y = regression(80)
    line = ["cv", spicymkl.table("t.csv", X, y), "--target", "y", "--n-alphas", 8, "--alpha-ratio", ratio]
    done = spicymkl.run(*line, "--report", "r.html")
    assert done.returncode == 0
    assert words in done.stderr and ("best alpha" in done.stderr) == bool(edge)
    assert (f"best alpha is the {edge} one tried" in (spicymkl.folder / "r.html").read_text()) == bool(edge)
    assert json.loads(spicymkl.ok(*line, "--json"))["at_edge"] == edge
    assert spicymkl.run(*line, "--quiet").stderr == spicymkl.run(*line, "--json").stderr == ""


def test_the_largest_alpha_and_given_ones_are_said_by_the_command(spicymkl):
    random = np.random.default_rng(2)  # nothing to learn, and folds in which that is seen
    table = spicymkl.table("t.csv", random.standard_normal((60, 3)), random.standard_normal(60))
    done = spicymkl.run("cv", table, "--target", "y")
    assert "largest one tried (1max), at which block1 and elasticnet select no kernel" in done.stderr
    assert "larger --alphas" in spicymkl.run("cv", table, "--target", "y", "--alphas", "0.5max,0.1max").stderr
    assert "best alpha" not in spicymkl.run("cv", table, "--target", "y", "--alphas", "0.5max").stderr


def test_a_choice_at_the_edge_warns_in_python():
    X, y = regression(80)
    with pytest.warns(UserWarning, match=r"smallest one tried \(0.5max\); go further with eps=0.05"):
        assert MKLRegressorCV(eps=0.5, alphas=4, cv=3).fit(X, y).at_edge_ == "smallest"
    with pytest.warns(UserWarning, match="smaller alphas"):
        assert MKLRegressorCV(alphas=["1max", "0.5max"], cv=3).fit(X, y).at_edge_ == "smallest"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert MKLRegressorCV(alphas=8, cv=3).fit(X, y).at_edge_ is None
        assert MKLRegressorCV(alphas=["0.5max"], cv=3).fit(X, y).at_edge_ is None
    X, y = classification(60)
    noise = np.random.default_rng(5).permutation(y)
    with pytest.warns(UserWarning, match="the best alpha is the largest one tried"):
        MKLClassifierCV(alphas=["1max", "0.001max"], cv=3, scoring="neg_log_loss").fit(X, noise)
