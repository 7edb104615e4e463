"""Every figure of a report, recomputed from predictions, from the training table and from the model file alone."""

import csv
import json

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file
from sklearn import metrics

import pages

COLOURS = np.array(["blue", "green", "red"])


def mixed(n, seed):
    """Numbers, whole numbers and categories, in units of their own."""
    random = np.random.default_rng(seed)
    columns = {
        "age": random.integers(18, 90, n).astype(float),
        "income": np.round(np.exp(random.normal(10, 0.5, n)), 2),
        "children": random.poisson(1.2, n).astype(float),
        "colour": COLOURS[random.integers(3, size=n)],
    }
    score = np.sin(columns["age"] / 12) + 0.8 * (columns["colour"] == "red") + np.log(columns["income"]) - 10
    score += random.normal(0, 0.6, n)
    return columns, score


@pytest.fixture(scope="module", params=["two classes", "three classes", "each of three", "numbers"])
def run(request, tmp_path_factory):
    """A training with a report on other rows, and what the command says of them."""
    from conftest import Spicymkl

    spicymkl = Spicymkl(tmp_path_factory.mktemp("figures"))
    targets = {
        "two classes": lambda score: np.where(score > 0.2, "yes", "no"),
        "three classes": lambda score: np.array(["low", "mid", "top"])[np.digitize(score, [-0.5, 0.8])],
        "numbers": lambda score: 100 + 10 * score,
    }
    targets["each of three"] = targets["three classes"]
    way = ["--multi-class", "ovr"] if request.param == "each of three" else []
    made = {name: mixed(n, seed) for name, n, seed in (("train.csv", 150, 1), ("test.csv", 80, 2))}
    for name, (columns, score) in made.items():
        spicymkl.table(name, columns, targets[request.param](score))
    options = ["--target", "y", "--categorical", "colour", "--alpha", "0.02max", *way]
    spicymkl.ok("train", "train.csv", *options, "--model", "m.safetensors", "--test", "test.csv", "--report", "r.html",
                "--history", "history.csv")  # fmt: skip
    spicymkl.page = (spicymkl.folder / "r.html").read_text()
    spicymkl.charts = pages.charts(spicymkl.page)
    spicymkl.columns, _ = made["train.csv"]
    spicymkl.truth = targets[request.param](made["test.csv"][1])
    spicymkl.evaluated = json.loads(spicymkl.ok("evaluate", "m.safetensors", "test.csv", "--json"))
    spicymkl.model = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))
    spicymkl.options, spicymkl.way = options, way
    return spicymkl


def numbers(table, name):
    return np.array(table[name], float)


class StoredModel:
    """Kernels, rows and coefficients as the file has them; kernels are computed from their definitions."""

    def __init__(self, path):
        self.tensors = load_file(path)
        with safe_open(path, "np") as file:
            header = json.loads(file.metadata()["spicymkl"])
        self.kernels = header["table"]["active_kernels"]
        self.active = header["table"]["active"]
        self.used = self.tensors["used_columns"].astype(int)
        self.columns = [header["table"]["columns"][j] for j in self.used]
        self.fits = header["fits"]

    def part(self, name, f):
        return self.tensors[f"class{f}.{name}" if len(self.fits) > 1 else name]

    def standardized(self, column, values):
        j = self.used[self.columns.index(column)]
        return (values - self.tensors["standardize_mean"][j]) / self.tensors["standardize_scale"][j]

    def effect(self, column, x, output):
        """The sum of f_m(x) over the kernels on this column alone; x as kernels see it."""
        rows = self.tensors["rows"][:, self.columns.index(column)]
        total = np.zeros(len(x))
        f = output if len(self.fits) > 1 else 0
        dual = self.part("dual", f).reshape(len(rows), -1)[:, output if len(self.fits) == 1 else 0]
        for kernel, m in zip(self.kernels, self.active):
            if [self.columns[j] for j in kernel["columns"]] != [column] or m not in self.fits[f]["active"]:
                continue
            values, own = (self.values(kernel, rows, other) for other in (x, rows))
            scale = self.part("scale", f)[self.fits[f]["active"].index(m)]
            total += scale * (dual @ values) / np.trace(own)
        return total

    @staticmethod
    def values(kernel, rows, x):
        difference = rows[:, None] - x
        if kernel["type"] == "gaussian":
            return np.exp(-(difference**2) / (2 * kernel["parameters"]["width"] ** 2))
        return {"linear": rows[:, None] * x, "overlap": 1.0 * (difference == 0)}[kernel["type"]]


def fit_names(run):
    classes = run.model["classes"]
    return classes if len(classes) > 2 else ["effect"]


def test_effect_curves_follow_from_the_model_file_alone(run):
    model = StoredModel(run.folder / "m.safetensors")
    names = fit_names(run)
    seen = []
    for column in run.columns:
        chart = run.charts.get(f"Effect of {column}")
        seen.append(chart is not None)
        if chart is None or column == "colour":
            continue
        for f, name in enumerate(names):
            x, y = (np.array(axis) for axis in pages.points(chart, name))
            assert [x[0], x[-1]] == pytest.approx([run.columns[column].min(), run.columns[column].max()])
            assert y == pytest.approx(model.effect(column, model.standardized(column, x), f), abs=1e-10)
    assert sum(seen) >= 2
    chart = run.charts["Effect of colour"]
    for f, name in enumerate(names):
        expected = model.effect("colour", np.arange(3.0), f)
        assert pages.series(chart, name)["values"] == pytest.approx(expected, abs=1e-10)
    rows = [np.sum(run.columns["colour"] == colour) for colour in COLOURS]
    assert chart["labels"] == [f"{colour} ({count})" for colour, count in zip(COLOURS, rows)]


def test_effects_have_the_density_of_the_training_rows(run):
    for column in ("age", "income", "children"):
        if f"Effect of {column}" not in run.charts:
            continue
        bars = np.array(pages.looks(run.charts[f"Effect of {column}"], "density")).reshape(-1, 4, 2)
        left, right, rows = bars[:, 0, 0], bars[:, 2, 0], bars[:, 1, 1]
        values = run.columns[column]
        if len(np.unique(values)) > 24:
            edges = np.linspace(values.min(), values.max(), 25)
            assert left == pytest.approx(edges[:-1]) and right == pytest.approx(edges[1:])
            assert rows.tolist() == np.histogram(values, edges)[0].tolist()
        else:
            places, counts = np.unique(values, return_counts=True)
            assert (left + right) / 2 == pytest.approx(places) and rows.tolist() == counts.tolist()


def contributions(run):
    """Of the training rows: the score and {kernel: contribution}, for each output."""
    table = run.predictions("m.safetensors", "train.csv", "--contributions")
    classes = run.model["classes"]
    if len(classes) <= 2:
        score = "score" if classes else "prediction"
        yield numbers(table, score), {k["name"]: numbers(table, k["name"]) for k in run.model["fits"][0]["kernels"]}
        return
    fits = run.model["fits"]
    for name, fit in zip(classes, fits if len(fits) > 1 else fits * len(classes)):
        parts = {k["name"]: numbers(table, f"{name}: {k['name']}") for k in fit["kernels"]}
        yield numbers(table, f"score_{name}"), parts


def test_joint_contributions_are_those_of_predict(run):
    chart = run.charts["Contributions of all numeric columns"]
    for name, (score, parts) in zip(fit_names(run), contributions(run)):
        joint = sum((part for kernel, part in parts.items() if kernel.endswith(" on all")), np.zeros(len(score)))
        if not joint.any():
            assert name not in [series["name"] for series in chart["series"]]
            continue
        x, y = pages.points(chart, name)
        assert x == pytest.approx(score) and y == pytest.approx(joint, abs=1e-10)


def test_correlations_are_those_of_the_contributions(run):
    if len(run.model["fits"]) == 1 and len(run.model["classes"]) > 2:
        every = [parts for _, parts in contributions(run)]
        parts = {kernel: np.concatenate([one[kernel] - one[kernel].mean() for one in every]) for kernel in every[0]}
        shown = pages.tables(run.page)["Do kernels say the same?"]
    elif len(run.model["fits"]) > 1:
        (_, parts), name = next(contributions(run)), run.model["classes"][0]
        table = run.page.split(f"<h4>Class {name}</h4>")[1]
        (shown,) = [pages.tables("<h3>x</h3>" + table)["x"]]
    else:
        ((_, parts),) = contributions(run)
        shown = pages.tables(run.page)["Do kernels say the same?"]
    heaviest = list(parts)[:10]
    expected = np.corrcoef([parts[kernel] for kernel in heaviest])
    assert [row[0].split(maxsplit=1) for row in shown[1:]] == [[str(k + 1), name] for k, name in enumerate(heaviest)]
    found = np.array([row[1:] for row in shown[1:]], float)
    assert found == pytest.approx(expected, abs=0.00501)
    others = np.abs(expected - np.eye(len(expected)))
    if len(run.model["classes"]) <= 2:
        assert ("Caution" in run.page) == (others.max() >= 0.9)


def shares_of(model, key):
    """The mean over the fits of the share of the weight that each kernel or source has, in per cent, fit by fit."""
    shares = {}
    for f, fit in enumerate(model["fits"]):
        total = sum(one["weight"] for one in fit[key])
        for one in fit[key]:
            own = shares.setdefault(one["name"], np.zeros(len(model["fits"])))
            own[f] = 100 * one["weight"] / total / len(model["fits"])
    return shares


def check_bars(chart, model, key):
    shares = shares_of(model, key)
    assert set(chart["labels"]) == set(shares)
    sums = [shares[name].sum() for name in chart["labels"]]
    assert sums == sorted(sums, reverse=True)
    for f, name in enumerate(model["classes"] if len(model["fits"]) > 1 else ["weight"]):
        expected = [shares[label][f] for label in chart["labels"]]
        assert pages.series(chart, name)["values"] == pytest.approx(expected)


def test_bars_and_map_are_the_weights_of_inspect(run):
    check_bars(run.charts["Kernel weights, heaviest first"], run.model, "kernels")
    rows = {row[0]: row[-1] for row in pages.tables(run.page)["Weights by source and kernel"][2:]}
    for name, share in shares_of(run.model, "sources").items():
        assert float(rows[name].rstrip(" %")) == pytest.approx(share.sum(), abs=0.0501)


def test_sources_with_several_kernels_have_bars_and_alike_kernels_a_caution(run):
    """An elastic net keeps kernels that say the same."""
    options = [*run.options, "--penalty", "elasticnet"]
    run.ok("train", "train.csv", *options, "--model", "e.safetensors", "--report", "e.html")
    model = json.loads(run.ok("inspect", "e.safetensors", "--json"))
    page = (run.folder / "e.html").read_text()
    check_bars(pages.charts(page)["Weights by source, heaviest first"], model, "sources")
    words = " ".join(pages.text(page).split())
    assert "Caution: some of the heaviest kernels say nearly the same" in words
    assert "Caution" not in run.page or "correlated by at most" not in run.page


def test_measures_are_those_of_evaluate(run):
    names = {"balanced accuracy": "balanced_accuracy", "AUC": "auc", "log-loss": "log_loss", "RMSE": "rmse",
             "MAE": "mae", "R²": "r2", "accuracy": "accuracy"}  # fmt: skip
    rows = pages.tables(run.page)["Measures"][1:]
    for title, value, interval, baseline in rows:
        if title == "calibration error":
            assert float(value) == pytest.approx(run.evaluated["calibration"]["error"], rel=1e-3)
            continue
        name = names.pop(title)
        assert float(value) == pytest.approx(run.evaluated[name], rel=1e-3)
        ends = [float(end) for end in interval.split(" to ")]
        assert ends == pytest.approx(run.evaluated["intervals"][name], rel=6e-3)
        assert float(baseline) == pytest.approx(run.evaluated["baseline"][name], rel=1e-3)
    assert not set(names.values()) & set(run.evaluated["intervals"])


def positives(run):
    """Name, truth, and what rows are ordered by, of every class that has curves: of several, where there are any, the
    probabilities."""
    table = run.predictions("m.safetensors", "test.csv")
    classes = run.model["classes"]
    if len(classes) == 2:
        return [(classes[1], run.truth == classes[1], numbers(table, "score"))]
    by = "probability" if f"probability_{classes[0]}" in table else "score"
    return [(name, run.truth == name, numbers(table, f"{by}_{name}")) for name in classes]


def test_curves_of_classes_are_those_of_the_scores(run):
    if not run.model["classes"]:
        pytest.skip("no classes")
    for name, truth, score in positives(run):
        x, y = pages.points(run.charts["Receiver operating characteristic"], name)
        false_rate, true_rate, _ = metrics.roc_curve(truth, score, drop_intermediate=False)
        assert x == pytest.approx(false_rate) and y == pytest.approx(true_rate)
        x, y = pages.points(run.charts["Precision and recall"], name)
        precision, recall, _ = metrics.precision_recall_curve(truth, score)
        # Ours goes on to the threshold that finds all rows; the last point of theirs is a convention.
        assert x[: len(recall) - 1] == pytest.approx(recall[-2::-1])
        assert y[: len(recall) - 1] == pytest.approx(precision[-2::-1])
    chart = run.charts["Calibration"]
    bins = run.evaluated["calibration"]["bins"]
    x, y = pages.points(chart, "observed")
    assert x == pytest.approx([bin["predicted"] for bin in bins])
    assert y == pytest.approx([bin["observed"] for bin in bins])
    ends = [end for bin in bins for end in (*bin["interval"], None)]
    assert [y for _, y in pages.looks(chart, "whiskers")] == pytest.approx(ends)
    assert [rows for _, rows in pages.looks(chart, "density")[1::4]] == [bin["n_samples"] for bin in bins]


def test_the_table_of_classes_is_that_of_evaluate(run):
    if not run.model["classes"]:
        pytest.skip("no classes")
    rows = pages.tables(run.page)["Class by class"][1:]
    for row, one in zip(rows, run.evaluated["by_class"], strict=True):
        assert row[0] == one["class"] and int(row[1]) == one["n_samples"]
        for cell, name in ((row[2], "recall"), (row[3], "precision")):
            value, low, _, high = cell.split()
            assert [float(value), float(low), float(high)] == pytest.approx(
                [one[name], *one[f"{name}_interval"]], abs=6e-3
            )
        for cell, name in zip(row[4:], ("f1", "auc", "average_precision")):
            assert cell == ("" if one[name] is None else f"{one[name]:.3f}")
    confusion = [row[1:-1] for row in pages.tables(run.page)["Confusion matrix"][1:]]
    assert [[int(cell.split()[0]) for cell in row] for row in confusion] == run.evaluated["confusion"]


def test_residuals_are_those_of_the_predictions(run):
    if run.model["classes"]:
        pytest.skip("no numbers")
    predicted = numbers(run.predictions("m.safetensors", "test.csv"), "prediction")
    residual = run.truth - predicted
    x, y = pages.points(run.charts["Predictions against the truth"], "rows")
    assert x == pytest.approx(run.truth) and y == pytest.approx(predicted)
    x, y = pages.points(run.charts["Residuals against predictions"], "rows")
    assert x == pytest.approx(predicted) and y == pytest.approx(residual)
    chart = run.charts["Distribution of the residuals"]
    bars = np.array(pages.series(chart, "rows")["points"]).reshape(-1, 4, 2)
    edges = np.append(bars[:, 0, 0], bars[-1, 2, 0])
    assert [edges[0], edges[-1]] == pytest.approx([residual.min(), residual.max()])
    edges[[0, -1]] += -1e-9, 1e-9
    assert bars[:, 1, 1].tolist() == np.histogram(residual, edges)[0].tolist()
    assert f"Mean {residual.mean():.3g}, standard deviation {residual.std():.3g}" in pages.text(run.page)


def test_convergence_is_the_history(run):
    with open(run.folder / "history.csv") as file:
        records = list(csv.DictReader(file))
    names = run.model["classes"] if len(run.model["fits"]) > 1 else ["training"]
    for f, name in enumerate(names):
        own = [r for r in records if r.get("class", "") == (run.model["classes"][f] if len(names) > 1 else "")]
        _, active = pages.points(run.charts["Number of active kernels against time"], name)
        assert active == [int(r["n_active"]) for r in own]
        _, gaps = pages.points(run.charts["Relative duality gap against time"], name)
        expected = [float(r["gap"]) for r in own if 0 < float(r["gap"]) < np.inf]
        assert gaps == pytest.approx([*expected, run.model["fits"][f]["relative_gap"]])


def test_tiles_begin_with_the_scores(run):
    words = " ".join(pages.text(run.page).split())
    first, second = ("accuracy", "auc") if run.model["classes"] else ("r2", "rmse")
    titles = {"accuracy": "Accuracy", "auc": "AUC", "r2": "R²", "rmse": "RMSE"}
    places = [words.index(f" {titles[name]} {run.evaluated[name]:.3g} ") for name in (first, second)]
    assert places[0] < places[1] < words.index("Active kernels") < words.index("How good the predictions are")
    headings = ["How good the predictions are", "Kernel weights", "Effects", "Data", "Certificate", "What was asked"]
    order = [run.page.index(f"<h2>{heading}</h2>") for heading in headings]
    assert order == sorted(order)


def test_path_and_cross_validation_are_their_tables(run):
    train = ["train.csv", "--target", "y", "--categorical", "colour", *run.way]
    run.ok("path", *train, "--n-alphas", 5, "-o", "path.csv", "--report", "p.html")
    with open(run.folder / "path.csv") as file:
        rows = list(csv.DictReader(file))
    page = (run.folder / "p.html").read_text()
    chart = pages.charts(page)["Active kernels against alpha"]
    for name in run.model["classes"] if len(run.model["fits"]) > 1 else ["path"]:
        own = [row for row in rows if row.get("class", name) == name]
        x, y = pages.points(chart, name)
        assert x == pytest.approx([float(row["alpha_ratio"]) for row in own])
        assert y == [int(row["n_active"]) for row in own]
    if len(run.model["fits"]) == 1:
        chart = pages.charts(page)["Kernel weights against alpha"]
        for series in chart["series"]:
            if series["name"]:
                expected = [float(row[f"weight_{series['name']}"]) for row in rows]
                assert [y for _, y in series["points"]] == pytest.approx(expected)
    one_list = ["--kernels", "auto:both", "--n-alphas", 4, "--folds", 3]
    run.ok("cv", *train, *one_list, "-o", "cv.csv", "--report", "c.html")
    with open(run.folder / "cv.csv") as file:
        rows = list(csv.DictReader(file))
    page = (run.folder / "c.html").read_text()
    chart = pages.charts(page)["Score against alpha"]
    mean, error = (np.array([float(row[name]) for row in rows]) for name in ("mean", "standard_error"))
    assert pages.points(chart, "mean over the folds")[1] == pytest.approx(mean)
    assert [y for _, y in pages.looks(chart, "band")] == pytest.approx(mean + error)
    assert [y for _, y in pages.looks(chart, "edge")] == pytest.approx(mean - error)
    (chosen,) = (row for row in rows if row["chosen"] == "1")
    assert pages.points(chart, "chosen")[1] == pytest.approx([float(chosen["mean"])])
    assert pages.points(pages.charts(page)["Active kernels against alpha"], "mean over the folds")[1] == pytest.approx(
        [float(row["n_active"]) for row in rows]
    )
    words = " ".join(pages.text(page).split())
    error = float(chosen["standard_error"])
    compared = f"{float(chosen['mean']):.3g} ± {error:.2g}, cross-validated; best of 4 tried, so optimistic"
    familiar, title = ("accuracy", "Accuracy") if run.model["classes"] else ("r2", "R²")
    tile = f"{title} {float(chosen[familiar]):.3g} cross-validated"
    assert words.index(tile) < words.index(compared) < words.index("Active kernels")
    assert f"; its {title if title == 'R²' else familiar} is {float(chosen[familiar]):.4g}." in words
    run.ok("cv", *train, "--n-alphas", 4, "--folds", 3, "-o", "cv.csv", "--report", "c.html")
    with open(run.folder / "cv.csv") as file:
        rows = list(csv.DictReader(file))
    chart = pages.charts((run.folder / "c.html").read_text())["Score against alpha"]
    for kernels in ("auto:both", "auto:columns", "auto:joint"):
        means = [float(row["mean"]) for row in rows if row["kernels"] == kernels]
        assert pages.points(chart, kernels)[1] == pytest.approx(means)
