#!/usr/bin/env python3
"""What the defaults predict on rows that were not learned from, beside earlier defaults and other methods.

    bench/defaults.py --splits 5 --data DIR       also the sets of that folder: NAME.csv with a header, y in the last column

Prints the tables of docs/kernels.md: accuracy or R² (mean over random splits into 70 and 30 per cent, with the standard error),
and calibration: the expected error of the probability of the predicted class, in ten bins. Every method sees the training rows
alone; those that are tuned are tuned on them by 5-fold cross-validation.
"""

import argparse
import itertools
import json
import pathlib
import time
import warnings

import numpy as np
from sklearn import datasets
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

from spicymkl import MKLClassifier, MKLClassifierCV, MKLRegressor, MKLRegressorCV

ROWS = 400  # of larger sets, so many


def balance_scale():
    """Which side goes down: all weights and distances from 1 to 5."""
    X = np.array(list(itertools.product(range(1, 6), repeat=4)), float)
    return X, np.sign(X[:, 0] * X[:, 1] - X[:, 2] * X[:, 3]).astype(int)


def monk():
    """Thrun's second problem: exactly two of six properties have their first value."""
    X = np.array(list(itertools.product((1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2))), float)
    return X, ((X == 1).sum(axis=1) == 2).astype(int)


def words(seed=1, n=400, vocabulary=600, n_classes=4, length=60):
    """Bags of words: rank-frequency as in language, and forty words that belong to each class."""
    random = np.random.default_rng(seed)
    common = 1 / np.arange(1, vocabulary + 1)
    common /= common.sum()
    topics = np.zeros((n_classes, vocabulary))
    for topic in topics:
        topic[random.permutation(vocabulary)[:40]] = random.dirichlet(np.full(40, 0.5))
    y = random.integers(n_classes, size=n)
    X = np.empty((n, vocabulary))
    for row, topic in zip(X, topics[y]):
        share = random.beta(2, 4.5)
        row[:] = random.multinomial(random.poisson(length) + 5, (1 - share) * common + share * topic)
    return X[:, (X > 0).sum(axis=0) >= 2], y


SETS = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "breast cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "digits": lambda: datasets.load_digits(return_X_y=True),
    "balance scale": balance_scale,
    "monk 2": monk,
    "words": words,
    "diabetes": lambda: datasets.load_diabetes(return_X_y=True),
    "friedman 1": lambda: datasets.make_friedman1(400, noise=1, random_state=0),
    "friedman 2": lambda: datasets.make_friedman2(400, noise=50, random_state=0),
    "friedman 3": lambda: datasets.make_friedman3(400, noise=0.1, random_state=0),
}


def read(path):
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    return table[:, :-1], table[:, -1]


def is_classes(y):
    return len(np.unique(y)) <= 20


def tuned(machine):
    name = type(machine).__name__.lower()
    grid = {f"{name}__C": np.logspace(-1, 3, 7), f"{name}__gamma": np.logspace(-4, 0, 6)}
    return GridSearchCV(make_pipeline(StandardScaler(), machine), grid, cv=5)


METHODS = {
    "before": (lambda: MKLClassifier(alpha="0.1max"), lambda: MKLRegressor(alpha="0.1max")),
    "default": (MKLClassifier, MKLRegressor),
    "cv before": (
        lambda: MKLClassifierCV("auto:both", scoring="accuracy", alphas=30),
        lambda: MKLRegressorCV("auto:both", alphas=30),
    ),
    "cv": (MKLClassifierCV, MKLRegressorCV),
    "SVC/SVR": (lambda: tuned(SVC()), lambda: tuned(SVR())),
    "forest": (lambda: RandomForestClassifier(500, random_state=0), lambda: RandomForestRegressor(500, random_state=0)),
    "boosting": (
        lambda: HistGradientBoostingClassifier(random_state=0),
        lambda: HistGradientBoostingRegressor(random_state=0),
    ),
}


def calibration_error(model, X, y):
    """Mean distance of confidence and accuracy over ten bins of confidence."""
    if not hasattr(model, "predict_proba"):
        return np.nan
    probabilities = model.predict_proba(X)
    confidence, right = probabilities.max(axis=1), model.classes_[probabilities.argmax(axis=1)] == y
    bins = np.minimum((confidence * 10).astype(int), 9)
    return sum(
        abs(right[bins == b].mean() - confidence[bins == b].mean()) * np.mean(bins == b) for b in np.unique(bins)
    )


def measure(X, y, split, methods):
    """Of each method: score, calibration error, seconds."""
    classes = is_classes(y)
    rows = train_test_split(X, y, test_size=0.3, random_state=split, stratify=y if classes else None)
    learn, judge, y_learn, y_judge = rows
    for method in methods:
        model = METHODS[method][0 if classes else 1]()
        start = time.perf_counter()
        model.fit(learn, y_learn)
        seconds = time.perf_counter() - start
        error = calibration_error(model, judge, y_judge) if classes else np.nan
        yield method, {"score": model.score(judge, y_judge), "calibration": error, "seconds": seconds}


def summary(results, methods, sets):
    """Markdown."""
    lines = ["| set | " + " | ".join(methods) + " |", "|---" * (len(methods) + 1) + "|"]
    means = {method: [] for method in methods}
    for name in sets:
        cells = []
        for method in methods:
            scores = [100 * r["score"] for r in results if r["set"] == name and r["method"] == method]
            means[method].append(np.mean(scores))
            cells.append(f"{np.mean(scores):.1f} ± {np.std(scores, ddof=1) / np.sqrt(len(scores)):.1f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines.append("| mean | " + " | ".join(f"{np.mean(means[method]):.1f}" for method in methods) + " |")
    for what, unit in (("calibration", 100), ("seconds", 1)):
        values = []
        for method in methods:
            of_method = [r[what] for r in results if r["method"] == method and r["set"] in sets]
            known = [value for value in of_method if not np.isnan(value)]
            values.append(f"{unit * np.mean(known):.1f}" if known else "")
        lines.append(f"| {what} | " + " | ".join(values) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, help="a folder of further sets")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--only", nargs="+", help="these sets")
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument(
        "-o", "--output", type=pathlib.Path, help="every figure as JSON; what is there is not done again"
    )
    options = parser.parse_args()
    sets = dict(SETS)
    for path in sorted(options.data.glob("*.csv")) if options.data else []:
        sets[path.stem] = lambda path=path: read(path)
    sets = {name: make for name, make in sets.items() if not options.only or name in options.only}
    known = options.output is not None and options.output.exists()
    results = json.loads(options.output.read_text()) if known else []
    warnings.simplefilter("ignore")  # of grids that end too early
    for split, (name, make) in itertools.product(range(options.splits), sets.items()):
        done = {r["method"] for r in results if r["set"] == name and r["split"] == split}
        X, y = make()
        if len(y) > ROWS:
            some = np.random.default_rng(0).permutation(len(y))[:ROWS]
            X, y = X[some], y[some]
        for method, figures in measure(X, y, split, [m for m in options.methods if m not in done]):
            results.append({"set": name, "split": split, "method": method, **figures})
            print(f"{name}, split {split}, {method}: {figures['score']:.3f}, {figures['seconds']:.1f} s", flush=True)
            if options.output:
                options.output.write_text(json.dumps(results, indent=1))
    print(summary(results, options.methods, list(sets)))


if __name__ == "__main__":
    main()
