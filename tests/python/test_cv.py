"""The cv command: scores that scikit-learn agrees with, no leaks, and a final model that train would give."""

import csv
import json
import os
import signal
import subprocess
import time

import numpy as np
import pytest

import problems
from conftest import COMMAND


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def cv(spicymkl, *options):
    return json.loads(spicymkl.ok("cv", *options, "--json"))


def trained_like(spicymkl, result, *options):
    """What train gives at the chosen point."""
    point = result["points"][result["chosen"]]
    shape = ["--l1-ratio", point["l1_ratio"]] if "elasticnet" in options else []
    shape += ["--kernels", point["kernels"]] if point["kernels"] else []
    return json.loads(spicymkl.ok("train", *options, "--alpha", f"{point['alpha_ratio']!r}max", *shape, "--json"))


def test_the_model_is_what_train_gives_at_the_chosen_alpha(spicymkl):
    X, y = problems.classification(n=60)
    data = [spicymkl.table("d.csv", X, y), "--target", "y"]
    result = cv(spicymkl, *data, "--model", "cv.safetensors", "--n-alphas", 8)
    model, trained = result["model"], trained_like(spicymkl, result, *data)
    for key in ("alpha", "primal", "dual_objective", "intercept", "kernels"):
        assert model[key] == trained[key]
    assert json.loads(spicymkl.ok("inspect", "cv.safetensors", "--json"))["status"] == "converged"
    assert "holds" in spicymkl.ok("verify", "cv.safetensors", "d.csv")


def test_the_table_of_scores(spicymkl):
    X, y = problems.classification(n=60)
    data = [spicymkl.table("d.csv", X, y), "--target", "y"]
    result = cv(spicymkl, *data, "-o", "cv.csv", "--n-alphas", 6, "--folds", 4, "--metric", "auc")
    assert result["metric"] == "auc" and result["folds"] == 4 and result["n_unconverged"] == 0
    rows = read_csv(spicymkl.folder / "cv.csv")
    assert [row["chosen"] for row in rows].index("1") == result["chosen"]
    for row, point in zip(rows, result["points"]):
        cells = [row[f"fold_{f}"] for f in range(1, 5)]
        if "" in cells:  # a fold had got worse before
            assert row["mean"] == "" and point["mean"] is None
            assert [cell == "" for cell in cells] == [score is None for score in point["scores"]]
            continue
        scores = np.array(cells, dtype=float)
        assert scores == pytest.approx(point["scores"])
        assert float(row["mean"]) == pytest.approx(scores.mean())
        assert float(row["standard_error"]) == pytest.approx(scores.std(ddof=1) / 2)
        assert float(row["alpha_ratio"]) == point["alpha_ratio"]
    assert result["points"][result["best"]]["mean"] == max(
        point["mean"] for point in result["points"] if point["mean"] is not None
    )
    left_out = sum(point["mean"] is None for point in result["points"])
    assert left_out > 0
    text = spicymkl.ok("cv", *data, "--n-alphas", 6, "--folds", 4, "--metric", "auc")
    assert "best" in text and "<- chosen" in text
    assert f"{left_out} more were left out" in text and f"among {len(result['points']) - left_out} on" in text


def test_one_standard_error(spicymkl):
    X, y = problems.classification(n=80)
    data = [spicymkl.table("d.csv", X, y), "--target", "y", "--n-alphas", 12]
    best, sparse = cv(spicymkl, *data), cv(spicymkl, *data, "--one-standard-error")
    assert best["chosen"] == best["best"] and sparse["chosen"] == sparse["one_standard_error"]
    assert sparse["points"] == best["points"]
    assert sparse["model"]["alpha"] >= best["model"]["alpha"]


def test_auto_is_a_choice_among_its_parts(spicymkl):
    X, y = problems.classification(n=60)
    data = [spicymkl.table("d.csv", X, y), "--target", "y", "--n-alphas", 4, "--folds", 3]
    result = cv(spicymkl, *data, "-o", "cv.csv", "--report", "r.html")
    parts = ["auto:both", "auto:columns", "auto:joint"]
    assert [point["kernels"] for point in result["points"]] == [part for part in parts for _ in range(4)]
    rows = read_csv(spicymkl.folder / "cv.csv")
    assert [row["kernels"] for row in rows] == [point["kernels"] for point in result["points"]]
    assert all(float(row["accuracy"]) == point["accuracy"] for row, point in zip(rows, result["points"]))
    for k, part in enumerate(parts):
        alone = cv(spicymkl, *data, "--kernels", part)
        assert {point["kernels"] for point in alone["points"]} == {None}
        assert [point["scores"] for point in alone["points"]] == [
            point["scores"] for point in result["points"][4 * k : 4 * k + 4]
        ]
        if part == result["points"][result["chosen"]]["kernels"]:
            assert alone["model"]["primal"] == result["model"]["primal"]
            assert alone["model"]["kernels"] == result["model"]["kernels"]
    text = spicymkl.ok("cv", *data)
    assert all(part in text for part in parts) and "accuracy" in text
    assert all(part in (spicymkl.folder / "r.html").read_text() for part in parts)


def test_lists_that_are_the_same_are_tried_once(spicymkl):
    X, y = problems.classification(n=60)
    grid = ["--target", "y", "--n-alphas", 2, "--folds", 3]
    one = cv(spicymkl, spicymkl.table("one.csv", X[:, :1], y), *grid)
    assert [point["kernels"] for point in one["points"]] == 2 * ["auto:both"] + 2 * ["auto:columns"]
    spicymkl.table("strings.csv", {"kind": np.where(X[:, 0] > 0, "a", "b")}, y)
    strings = cv(spicymkl, "strings.csv", *grid, "--categorical", "kind")
    assert [point["kernels"] for point in strings["points"]] == [None, None]


def test_grids_of_the_penalty(spicymkl):
    X, y = problems.regression(n=40)
    inputs = spicymkl.save(problems.kernels(X), y)
    result = cv(spicymkl, *inputs, "--penalty", "elasticnet", "--l1-ratios", "0.2,0.8", "--n-alphas", 4)
    assert result["metric"] == "rmse"
    assert [point["l1_ratio"] for point in result["points"]] == [0.2] * 4 + [0.8] * 4
    trained = trained_like(spicymkl, result, *inputs, "--penalty", "elasticnet")
    assert result["model"]["primal"] == trained["primal"]
    result = cv(spicymkl, *inputs, "--penalty", "blockq", "--qs", "1.2,2", "--n-alphas", 3)
    assert {point["q"] for point in result["points"]} == {1.2, 2}


def test_kernel_ridge_scores_agree_with_scikit_learn(spicymkl):
    """One kernel, uniform penalty, no intercept: the fit is kernel ridge regression."""
    from sklearn.kernel_ridge import KernelRidge

    X, y = problems.regression(n=50)
    K = problems.gaussian(X, 1.0)
    alphas = [0.3, 3.0]
    inputs = spicymkl.save(K[None], y)
    options = ["--penalty", "uniform", "--no-intercept", "--tol", "1e-9", "--alphas", ",".join(map(str, alphas))]
    result = cv(spicymkl, *inputs, *options, "--folds", 5, "--metric", "rmse")
    ours = {point["alpha"]: sorted(point["scores"]) for point in result["points"]}
    parts = fold_parts(spicymkl, y)
    for alpha in alphas:
        scores = []
        for test in parts:
            train = np.setdiff1d(np.arange(50), test)
            # Squared loss (y-z)^2 and (alpha/2)|f|^2: scikit-learn's alpha is half of it.
            ridge = KernelRidge(alpha=alpha / 2, kernel="precomputed").fit(K[np.ix_(train, train)], y[train])
            scores.append(np.sqrt(np.mean((ridge.predict(K[np.ix_(test, train)]) - y[test]) ** 2)))
        assert ours[alpha] == pytest.approx(sorted(scores), rel=1e-4)


def fold_parts(spicymkl, y, folds=5):
    """The test rows of every fold: with an enormous penalty all predict 0, and a wild label spoils the score of its fold."""
    n = len(y)
    inputs = ["--penalty", "uniform", "--no-intercept", "--alphas", "1e6", "--metric", "mae", "--folds", folds]
    base = np.array(cv(spicymkl, *spicymkl.save(np.eye(n)[None], np.zeros(n) + y), *inputs)["points"][0]["scores"])
    parts = [[] for _ in range(folds)]
    for i in range(n):
        changed = y.copy()
        changed[i] += 1000
        scores = np.array(cv(spicymkl, *spicymkl.save(np.eye(n)[None], changed), *inputs)["points"][0]["scores"])
        parts[int(np.argmax(np.abs(scores - base)))].append(i)
    return [np.array(part) for part in parts]


def test_nothing_of_the_test_rows_is_learned(spicymkl):
    """Labels are coin flips and every column is noise; whoever learns from test rows does better than chance.

    The mean of one table is away from 1/2 by 0.095 (standard deviation); that of 20 by 0.021.
    """
    means = np.mean([scores_of_noise(spicymkl, seed) for seed in range(20)], axis=0)
    assert abs(means - 0.5).max() < 3 * 0.021


def scores_of_noise(spicymkl, seed):
    random = np.random.default_rng(seed)
    X = random.standard_normal((120, 30)) * 10.0 ** random.integers(-3, 4, 30)
    X[random.random(X.shape) < 0.1] = np.nan
    y = random.permutation(np.repeat([-1, 1], 60))
    table = spicymkl.table("d.csv", np.where(np.isnan(X), None, X).astype(object), y)
    (spicymkl.folder / table).write_text((spicymkl.folder / table).read_text().replace("None", ""))
    every = ["--alphas", "1max,0.25max,0.06max,0.016max,0.004max,0.001max"]
    result = cv(spicymkl, table, "--target", "y", "--impute", "median", *every, "--metric", "auc")
    return [point["mean"] for point in result["points"]]


def test_seeds_and_threads(spicymkl):
    X, y = problems.classification(n=50)
    data = [spicymkl.table("d.csv", X, y), "--target", "y", "--n-alphas", 5]
    first = cv(spicymkl, *data, "--threads", 1)["points"]
    assert cv(spicymkl, *data, "--threads", 2)["points"] == first
    assert cv(spicymkl, *data, "--seed", 0)["points"] == first
    assert cv(spicymkl, *data, "--seed", 1)["points"] != first


def test_several_classes_and_texts(spicymkl):
    X, _ = problems.classification(n=60)
    y = np.repeat(["red", "green", "blue"], 20)
    X[:20, 0] += 2
    X[20:40, 1] += 2
    given = [spicymkl.table("d.csv", X, y), "--target", "y", "--n-alphas", 4, "--model", "m.safetensors"]
    for way in ("joint", "ovr"):
        result = cv(spicymkl, *given, *([] if way == "joint" else ["--multi-class", way]))
        assert result["data"]["classes"] == ["blue", "green", "red"]
        assert len(result["model"].get("classes", [0])) == (3 if way == "ovr" else 1)
        assert result["metric"] == "log_loss" and result["points"][result["best"]]["accuracy"] > 0.7
        assert json.loads(spicymkl.ok("evaluate", "m.safetensors", "d.csv", "--json"))["accuracy"] > 0.7


def test_bad_input(spicymkl):
    X, y = problems.classification()
    table = spicymkl.table("d.csv", X, y)
    good = ["cv", table, "--target", "y", "--model", "m.safetensors", "-o", "cv.csv"]
    spicymkl.refuse(["cv"], "cv needs samples")
    spicymkl.refuse([*good, "--folds", "1"], "folds is 1")
    spicymkl.refuse([*good, "--folds", "31"], "30 rows")
    spicymkl.refuse([*good, "--metric", "rmse"], "rmse", "classes")
    spicymkl.refuse([*good, "--metric", "nothing"], "nothing", "accuracy")
    spicymkl.refuse([*good, "--loss", "hinge", "--metric", "log_loss"], "probabilities")
    spicymkl.refuse([*good, "--l1-ratios", "0.5"], "l1_ratio", "block1")
    spicymkl.refuse([*good, "--penalty", "elasticnet", "--l1-ratios", "7"], "l1_ratio is 7")
    spicymkl.refuse([*good[:-1], "absent/cv.csv"], "absent/cv.csv")
    lonely = spicymkl.table("lonely.csv", X[:6], ["a", "b", "a", "b", "a", "c"])
    spicymkl.refuse(["cv", lonely, "--target", "y", "--folds", 2], "class 'c' has 1 row")
    short = spicymkl.write("nan.csv", "x,y\n1,a\n,b\n3,a\n4,b\n")
    spicymkl.refuse(["cv", short, "--target", "y", "--folds", 2], "nan.csv", "missing")


@pytest.mark.parametrize("command", ["cv", "path"])
def test_an_interrupt_ends_it_soon_and_leaves_no_half_written_file(spicymkl, command):
    random = np.random.default_rng(0)
    X = random.standard_normal((2500, 12))  # enough for half a minute of work
    y = np.where(random.random(2500) < 0.5, 1, -1)
    table = spicymkl.table("d.csv", X, y)
    outputs = ["--model", "m.safetensors"] if command == "cv" else ["--picture", "p.svg"]
    run = [COMMAND, command, table, "--target", "y", "-o", "out.csv", *outputs, "--n-alphas", "200", "--tol", "1e-9"]
    process = subprocess.Popen(run, cwd=spicymkl.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "interrupted" in message
    left = set(os.listdir(spicymkl.folder))
    assert left <= {"d.csv", "out.csv", "p.svg"} and (command == "path" or "p.svg" not in left)
    if "out.csv" in left and command == "path":
        assert all(row["status"] == "converged" for row in read_csv(spicymkl.folder / "out.csv"))


def test_options_come_from_one_table(spicymkl):
    tables = json.loads(spicymkl.ok("options"))
    for command in ("train", "path", "cv"):
        explained = spicymkl.ok(command, "--help-all")
        for option in tables[command]:
            assert f"{option['command_line']} " in explained, option
            assert option["help"].split()[0] in explained
    defaults = {option["name"]: option["default"] for option in tables["train"]}
    assert defaults["alpha"] == "0.03max" and defaults["fit_intercept"] is True and defaults["tol"] == 1e-3
    assert "alpha" not in {option["name"] for option in tables["cv"]}
