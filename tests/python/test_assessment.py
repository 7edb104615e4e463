"""Intervals, baselines, classes one by one and calibration, recomputed from the predictions alone."""

import json

import numpy as np
import pytest
import scipy.stats
from sklearn import metrics

import problems


def evaluated(spicymkl, train, test, *options):
    """What evaluate says, and the predictions that it is about."""
    spicymkl.ok("train", spicymkl.table("d.csv", *train), "--target", "y", "--model", "m.safetensors", *options)
    table = spicymkl.table("t.csv", *test)
    return json.loads(spicymkl.ok("evaluate", "m.safetensors", table, "--json")), spicymkl.predictions(
        "m.safetensors", table
    )


def exact(count, of):
    interval = scipy.stats.binomtest(int(count), int(of)).proportion_ci(0.95, method="exact")
    return [interval.low, interval.high]


def numbers(predictions, *names):
    return np.array([predictions[name] for name in names], float).T


def by_logit(value, error):
    half = scipy.stats.norm.ppf(0.975) * error / (value * (1 - value))
    return scipy.special.expit(scipy.special.logit(value) + np.array([-half, half]))


def by_log(value, error):
    half = scipy.stats.norm.ppf(0.975) * error
    return value * np.exp([-half, half])


def influence_on_auc(positive, score):
    """Of each row, after DeLong: pair by pair."""
    won = (score[positive][:, None] > score[~positive]) + 0.5 * (score[positive][:, None] == score[~positive])
    influence = np.empty(len(score))
    for rows, mean in ((positive, won.mean(1)), (~positive, won.mean(0))):
        influence[rows] = (mean - won.mean()) / np.sqrt(rows.sum() * (rows.sum() - 1))
    return influence


def check_classes(found, y, predicted, names):
    precision, recall, f1, rows = metrics.precision_recall_fscore_support(y, predicted, labels=names, zero_division=0)
    for c, one in enumerate(found["by_class"]):
        right = np.sum((y == names[c]) & (predicted == names[c]))
        assert one["class"] == names[c] and one["n_samples"] == rows[c]
        assert one["n_predicted"] == np.sum(predicted == names[c])
        assert [one["recall"], one["precision"], one["f1"]] == pytest.approx([recall[c], precision[c], f1[c]])
        assert one["recall_interval"] == pytest.approx(exact(right, rows[c]), abs=1e-12)
        assert one["precision_interval"] == pytest.approx(exact(right, one["n_predicted"]), abs=1e-12)


def check_calibration(found, chance, came_true):
    error = 0
    for bin in found["bins"]:
        last = bin["to"] == 1
        rows = (chance >= bin["from"]) & ((chance < bin["to"]) | last)
        assert bin["n_samples"] == rows.sum() > 0
        assert bin["predicted"] == pytest.approx(chance[rows].mean())
        assert bin["observed"] == pytest.approx(came_true[rows].mean())
        assert bin["interval"] == pytest.approx(exact(came_true[rows].sum(), rows.sum()), abs=1e-12)
        error += rows.mean() * abs(chance[rows].mean() - came_true[rows].mean())
    assert sum(bin["n_samples"] for bin in found["bins"]) == len(chance)
    assert found["error"] == pytest.approx(error)


def test_two_classes(spicymkl):
    X, y = problems.classification(n=120, seed=5)
    y = np.where(y > 0, "yes", "no")
    found, p = evaluated(spicymkl, problems.classification(n=60)[:1] + (y[:60],), (X, y))
    predicted, score, chance = (
        np.array(p["prediction"]),
        numbers(p, "score")[:, 0],
        numbers(p, "probability_no", "probability_yes"),
    )
    right = np.sum(predicted == y)
    assert found["intervals"]["accuracy"] == pytest.approx(exact(right, 120), abs=1e-12)
    recalls = np.array([np.mean(predicted[y == name] == name) for name in ("no", "yes")])
    rows = np.array([np.sum(y == name) for name in ("no", "yes")])
    error = np.sqrt(np.sum(recalls * (1 - recalls) / rows)) / 2
    assert found["intervals"]["balanced_accuracy"] == pytest.approx(by_logit(recalls.mean(), error))
    error = np.linalg.norm(influence_on_auc(y == "yes", score))
    assert found["intervals"]["auc"] == pytest.approx(by_logit(found["auc"], error))
    losses = -np.log(chance[np.arange(120), (y == "yes").astype(int)])
    error = losses.std(ddof=1) / np.sqrt(120) / losses.mean()
    assert found["intervals"]["log_loss"] == pytest.approx(by_log(losses.mean(), error))
    shares = rows / 120
    entropy = -np.sum(shares * np.log(shares))
    assert found["baseline"] == pytest.approx(
        {"accuracy": shares.max(), "balanced_accuracy": 0.5, "auc": 0.5, "log_loss": entropy}
    )
    check_classes(found, y, predicted, ["no", "yes"])
    no, yes = found["by_class"]
    assert no["auc"] is None and yes["auc"] == found["auc"]
    assert yes["average_precision"] == pytest.approx(metrics.average_precision_score(y == "yes", score))
    check_calibration(found["calibration"], chance[:, 1], y == "yes")
    text = spicymkl.ok("evaluate", "m.safetensors", "t.csv")
    low, high = exact(right, 120)
    assert f"{low:.4g} to {high:.4g}" in text and "best constant answer" in text and "recall" in text


def test_several_classes(spicymkl):
    random = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], [30, 40, 50])
    X = random.standard_normal((120, 3)) + 1.2 * np.eye(3)[np.unique(y, return_inverse=True)[1]]
    found, p = evaluated(spicymkl, (X[::2], y[::2]), (X, y))
    predicted = np.array(p["prediction"])
    chance = numbers(p, *(f"probability_{name}" for name in "abc"))
    influence = np.mean([influence_on_auc(y == name, one) for name, one in zip("abc", chance.T)], axis=0)
    assert found["intervals"]["auc"] == pytest.approx(by_logit(found["auc"], np.linalg.norm(influence)))
    assert found["baseline"]["accuracy"] == pytest.approx(50 / 120)
    check_classes(found, y, predicted, ["a", "b", "c"])
    for one, name, by in zip(found["by_class"], "abc", chance.T):
        assert one["auc"] == pytest.approx(metrics.roc_auc_score(y == name, by))
        assert one["average_precision"] == pytest.approx(metrics.average_precision_score(y == name, by))
    check_calibration(found["calibration"], chance.max(1), predicted == y)


def test_numbers(spicymkl):
    train, (X, y) = problems.regression(n=60), problems.regression(n=81, seed=5)
    found, p = evaluated(spicymkl, train, (X, y))
    error = y - numbers(p, "prediction")[:, 0]
    relative = error**2 / np.mean(error**2)
    n = len(y)
    spread = np.linalg.norm(relative - 1) / np.sqrt(n * (n - 1))
    assert found["intervals"]["rmse"] == pytest.approx(by_log(found["rmse"], spread / 2))
    spread = np.abs(error).std(ddof=1) / np.sqrt(n) / np.abs(error).mean()
    assert found["intervals"]["mae"] == pytest.approx(by_log(found["mae"], spread))
    spread = np.linalg.norm(relative - (y - y.mean()) ** 2 / y.var()) / np.sqrt(n * (n - 1))
    assert found["intervals"]["r2"] == pytest.approx(1 - by_log(1 - found["r2"], spread)[::-1])
    deviation = np.abs(y - np.median(y)).mean()
    assert found["baseline"] == pytest.approx({"rmse": y.std(), "mae": deviation, "r2": 0})
    assert "by_class" not in found and "calibration" not in found


MEASURES = {
    "accuracy": lambda y, s: metrics.accuracy_score(y > 0, s > 0),
    "balanced_accuracy": lambda y, s: metrics.balanced_accuracy_score(y > 0, s > 0),
    "auc": lambda y, s: metrics.roc_auc_score(y > 0, s),
    "log_loss": lambda y, s: metrics.log_loss(y > 0, scipy.special.expit(s)),
    "rmse": metrics.root_mean_squared_error,
    "mae": metrics.mean_absolute_error,
    "r2": metrics.r2_score,
}


@pytest.mark.parametrize("problem", [problems.classification, problems.regression])
def test_intervals_are_about_those_of_a_bootstrap(spicymkl, problem):
    train, (X, y) = problem(n=60), problem(n=600, seed=5)
    found, p = evaluated(spicymkl, train, (X, y))
    score = numbers(p, "score" if "score" in p else "prediction")[:, 0]
    random = np.random.default_rng(1)
    draws = [random.integers(len(y), size=len(y)) for _ in range(800)]
    for name, interval in found["intervals"].items():
        values = [MEASURES[name](y[rows], score[rows]) for rows in draws]
        low, high = np.quantile(values, [0.025, 0.975])
        assert interval == pytest.approx([low, high], abs=0.2 * (high - low)), name


def test_what_has_no_interval_is_left_out(spicymkl):
    X, y = problems.classification(n=60)
    X[:, 0] = 10 * y
    found, _ = evaluated(spicymkl, (X, y), (X, y), "--loss", "hinge", "--alpha", "0.5max")
    assert found["accuracy"] == found["auc"] == 1
    assert found["intervals"]["accuracy"] == pytest.approx(exact(60, 60)) and found["intervals"]["auc"] is None
    assert "log_loss" not in found["intervals"] and "calibration" not in found
    one = json.loads(spicymkl.ok("evaluate", "m.safetensors", spicymkl.table("one.csv", X[:1], y[:1]), "--json"))
    assert one["intervals"]["auc"] is None and one["intervals"]["accuracy"] == pytest.approx(exact(1, 1))
    absent = one["by_class"][int(y[0] < 0)]
    assert absent["recall"] is None and absent["precision"] is None and absent["f1"] is None
