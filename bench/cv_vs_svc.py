#!/usr/bin/env python3
"""`spicymkl cv` on held-out rows beside scikit-learn's SVC or SVR with a Gaussian kernel tuned by GridSearchCV.

Both see the same splits, and tune on the training part alone by 5-fold cross-validation. Example:
    bench/cv_vs_svc.py --data DIR sonar ionosphere pima
DIR holds NAME.csv with a header and, in the last column, y: two classes (the score is the accuracy) or numbers (R²)."""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

MOST_CLASSES = 10


def read(path, rows):
    with open(path) as file:
        header = file.readline().strip()
    return header, np.genfromtxt(path, delimiter=",", skip_header=1, max_rows=rows)


def has_classes(table):
    return len(np.unique(table[:, -1])) <= MOST_CLASSES


def write(path, header, rows):
    with open(path, "w") as file:
        file.write(header + "\n")
        file.writelines(",".join(f"{value:.17g}" for value in row) + "\n" for row in rows)


def support_vectors(train, test, classes):
    """Score on the test rows, and seconds."""
    start = time.perf_counter()
    machine, folds = (SVC(), StratifiedKFold) if classes else (SVR(), KFold)
    name = type(machine).__name__.lower()
    grid = {f"{name}__C": np.logspace(-2, 4, 13), f"{name}__gamma": np.logspace(-5, 1, 13)}
    folds = folds(5, shuffle=True, random_state=0)
    search = GridSearchCV(make_pipeline(StandardScaler(), machine), grid, cv=folds, n_jobs=os.cpu_count())
    search.fit(train[:, :-1], train[:, -1])
    return search.score(test[:, :-1], test[:, -1]), time.perf_counter() - start


def spicymkl(command, options, header, train, test):
    with tempfile.TemporaryDirectory() as folder:
        files = {name: str(pathlib.Path(folder) / name) for name in ("train.csv", "test.csv", "m.safetensors")}
        write(files["train.csv"], header, train)
        write(files["test.csv"], header, test)
        start = time.perf_counter()
        run = [
            command,
            "cv",
            files["train.csv"],
            "--target",
            "y",
            "--model",
            files["m.safetensors"],
            "--quiet",
            *options,
        ]
        done = subprocess.run(run, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(done.stderr)
        seconds = time.perf_counter() - start
        text = subprocess.run(
            [command, "evaluate", files["m.safetensors"], files["test.csv"], "--json"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        scores = json.loads(text)
        return scores.get("accuracy", scores.get("r2")), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "names", nargs="*", default=["sonar", "ionosphere", "pima"], help="data sets (default: %(default)s)"
    )
    parser.add_argument("--data", required=True, type=pathlib.Path, help="folder with NAME.csv")
    parser.add_argument("--command", default="build/spicymkl", help="the program (default: %(default)s)")
    parser.add_argument("--rows", type=int, help="use only the first ROWS rows of each set")
    parser.add_argument("--splits", type=int, default=5, help="random 80/20 splits per set")
    parser.add_argument("--first", type=int, default=0, help="seed of the first split")
    parser.add_argument(
        "--variant",
        action="append",
        metavar="OPTIONS",
        help="options of cv, {set} being the name of the set; repeat to compare several",
    )
    parser.add_argument("--no-svc", action="store_true", help="leave the SVC and SVR out")
    arguments = parser.parse_args()
    variants = arguments.variant or [""]
    names = [] if arguments.no_svc else ["SVC/SVR, tuned"]
    names += [f"cv {variant}".strip() for variant in variants]
    totals = {name: [] for name in names}
    print(f"{'set':12} {'method':44} {'score':>9} {'+- se':>7} {'seconds':>8}")
    for data in arguments.names:
        header, table = read(arguments.data / f"{data}.csv", arguments.rows)
        classes = has_classes(table)
        results = {name: [] for name in names}
        for seed in range(arguments.first, arguments.first + arguments.splits):
            train, test = train_test_split(
                table, test_size=0.2, random_state=seed, stratify=table[:, -1] if classes else None
            )
            if not arguments.no_svc:
                results[names[0]].append(support_vectors(train, test, classes))
            for variant in variants:
                results[f"cv {variant}".strip()].append(
                    spicymkl(arguments.command, variant.format(set=data).split(), header, train, test)
                )
        for name in names:
            scores = 100 * np.array([score for score, _ in results[name]])
            seconds = np.mean([seconds for _, seconds in results[name]])
            totals[name].append((scores.mean(), seconds))
            print(
                f"{data:12} {name:44} {scores.mean():9.2f} {scores.std() / len(scores) ** 0.5:7.2f} {seconds:8.2f}",
                flush=True,
            )
    for name in names:
        score, seconds = np.mean(totals[name], axis=0)
        print(f"{'mean':12} {name:44} {score:9.2f} {'':7} {seconds:8.2f}")


if __name__ == "__main__":
    main()
