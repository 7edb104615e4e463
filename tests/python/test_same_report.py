"""The command and the package give the same model and the same report for the same data and options."""

import difflib
import html
import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import spicymkl as package
from model_bytes import taken_apart
from problems import classification, kernels, regression
from spicymkl import MKLClassifier, MKLRegressor


def without_times(value):
    """A JSON header without what a clock measured."""
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if not key.startswith("seconds")}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def without_clock(page):
    """The lines of a page without times, the date, and the line that says who was asked."""
    head, chart_text, tail = re.fullmatch(r'(.*<script[^>]*id="charts">)(.*?)(</script>.*)', page, re.DOTALL).groups()
    charts = json.loads(html.unescape(chart_text))
    for chart in charts:
        if chart.get("x") == "seconds":
            for series in chart["series"]:
                series["points"] = [y for _, y in series["points"]]
    page = head + json.dumps(charts) + tail
    page = re.sub(r'<div class="note"><code>.*?</code></div>', "", page, count=1, flags=re.DOTALL)
    page = re.sub(r"\d\d\d\d-\d\d-\d\d \d\d:\d\d UTC", "", page)
    page = re.sub(r"[\d.e-]+ m?s\b", "", page)  # of tiles
    page = re.sub(r"(<dt>Seconds</dt><dd>)[\d.]+", r"\1", page)
    page = re.sub(
        r"(<tr>.*)<td[^>]*>\d+\.\d{3}</td></tr>", r"\1</tr>", page
    )  # of the table of classes, its last column
    return page.splitlines()


class Both:
    """One file, learned from by the command and by the package."""

    def __init__(self, spicymkl):
        self.spicymkl = spicymkl
        self.folder = spicymkl.folder

    def frame(self, name, columns, y, target="y"):
        self.spicymkl.table(name, columns, y, target)
        frame = pd.read_csv(self.folder / name)
        return frame.drop(columns=target), frame[target]

    def train(self, *options):
        outputs = ["--threads", 1, "--model", "command.safetensors", "--report", "command.html"]
        self.spicymkl.ok("train", *options, *outputs)

    def compare(self, model, *test, called=None, **names):
        """`called` has what the package calls something, and what the command does."""
        model.save("package.safetensors")
        model.report("package.html", *test, **names)
        models = [taken_apart((self.folder / f"{who}.safetensors").read_bytes()) for who in ("command", "package")]
        (_, header, tensors), (_, other_header, other_tensors) = models
        assert without_times(header) == without_times(other_header)
        assert tensors == other_tensors
        self.compare_pages(called or {})

    def compare_pages(self, called):
        command, package = ((self.folder / f"{who}.html").read_text() for who in ("command", "package"))
        for ours, theirs in called.items():
            assert ours in package
            package = package.replace(ours, theirs)
        lines = without_clock(command), without_clock(package)
        assert lines[0] == lines[1], "\n".join(difflib.unified_diff(*lines, lineterm="", n=0))


@pytest.fixture
def both(spicymkl, monkeypatch):
    monkeypatch.chdir(spicymkl.folder)
    return Both(spicymkl)


@pytest.fixture
def patients(both):
    """A table with strings, and test rows: both as files and as frames."""
    X, y = classification(110)
    columns = {"a": X[:, 0], "b": X[:, 1], "kind": np.array(["red", "blue", "green"])[np.arange(110) % 3]}
    state = np.where(y > 0, "ill", "well")
    rows = {"t.csv": slice(80), "new.csv": slice(80, None)}
    return [
        both.frame(file, {name: column[part] for name, column in columns.items()}, state[part], "state")
        for file, part in rows.items()
    ]


def test_two_classes_with_strings_and_test_rows(both, patients):
    options = ["--task", "classification", "--categorical", "kind", "--alpha", "0.05max"]
    both.train("t.csv", "--target", "state", *options, "--test", "new.csv")
    (X, y), test = patients
    model = MKLClassifier(alpha="0.05max", n_jobs=1).fit(X, y)
    both.compare(model, *test, data_name="t.csv", test_name="new.csv")
    both.spicymkl.ok("evaluate", "command.safetensors", "new.csv", "--report", "command.html")
    package.load("command.safetensors").report("package.html", *test, test_name="new.csv")
    both.compare_pages({})


@pytest.mark.parametrize("options", [{}, {"multi_class": "ovr"}, {"loss": "hinge"}], ids=str)
def test_several_classes_with_weights(both, options):
    X, y = load_iris(return_X_y=True)
    columns = dict(zip(["sepal length", "sepal width", "petal length", "petal width"], X.T))
    columns["w"] = np.random.default_rng(0).uniform(0.5, 2, len(y))
    frame, target = both.frame("t.csv", columns, np.array(["setosa", "versicolor", "virginica"])[y])
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    both.train("t.csv", "--target", "y", "--task", "classification", "--weights", "w", *given)
    model = MKLClassifier(n_jobs=1, **options).fit(frame.drop(columns="w"), target, sample_weight=frame["w"])
    advice = {
        "{}": {"multi_class=&quot;ovr&quot;": "--multi-class ovr"},
        "{'loss': 'hinge'}": {"loss=&quot;logistic&quot;": "--loss logistic"},
    }
    both.compare(model, data_name="t.csv", called=advice.get(str(options)))


def test_numbers_with_a_kernel_list(both):
    X, y = regression(60)
    frame, target = both.frame("t.csv", {"a": X[:, 0], "b": X[:, 1], "patient_id": np.arange(60)}, y)
    gaussians = {"type": "gaussian", "width": [0.5, 2.0], "columns": "each"}
    both.spicymkl.kernel_list([gaussians, {"type": "linear"}, {"type": "linear", "name": "the same"}])
    loss = ["--loss", "epsilon_insensitive", "--epsilon", 0.2, "--penalty", "elasticnet", "--no-standardize"]
    both.train("t.csv", "--target", "y", *loss, "--kernels", "kernels.json", "--alpha", 0.5)
    options = {"loss": "epsilon_insensitive", "epsilon": 0.2, "penalty": "elasticnet", "standardize": False}
    with pytest.warns(UserWarning, match="merged|patient_id"):
        model = MKLRegressor("kernels.json", alpha=0.5, **options, n_jobs=1).fit(frame, target)
    advice = {"leave it out of X if it is": "--id &#39;patient_id&#39; or --drop &#39;patient_id&#39; leaves it out"}
    both.compare(model, data_name="t.csv", called=advice)
    assert "were merged" in (both.folder / "package.html").read_text()


def test_sources(both):
    X, y = classification(60)
    groups = {"first": ["x1", "x2"], "last": ["x3"]}
    (both.folder / "groups.json").write_text(json.dumps(groups))
    frame, target = both.frame("t.csv", X, y.astype(int))
    both.train("t.csv", "--target", "y", "--task", "classification", "--groups", "groups.json")
    model = MKLClassifier(groups, n_jobs=1).fit(frame, target)
    both.compare(model, data_name="t.csv", called={"auto, groups of first, last": "auto, groups of groups.json"})


def test_precomputed_kernels(both):
    X, y = regression(50)
    K = kernels(X)
    both.train(*both.spicymkl.save(K, y), "--task", "regression")
    model = MKLRegressor("precomputed", n_jobs=1).fit(K, pd.Series(y, name="labels"))
    called = {"<dd>precomputed</dd>": "<dd>K.npy</dd>", "<dd>y</dd>": "<dd>y.npy</dd>", "<p>y: 50": "<p>y.npy: 50"}
    both.compare(model, data_name="K.npy", called=called)
