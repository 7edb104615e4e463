"""Many rows: time and accuracy against the rank of the features and against the number of rows, beside scikit-learn.

Run from the project's root: .venv/bin/python bench/large.py -o F.json [--rows 10000 30000 100000] [--picture P.svg]
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

COMMAND = pathlib.Path("build/spicymkl")
TEST_ROWS = 20_000
RANKS = (32, 100, 256)


def read(path):
    values = np.loadtxt(path, delimiter=",", skiprows=1)
    return values[:, :-1], values[:, -1]


def ours(folder, features):
    began = time.perf_counter()
    line = [
        COMMAND,
        "train",
        "train.csv",
        "--target",
        "y",
        "--model",
        "m.safetensors",
        "--features",
        features,
        "--json",
        "--quiet",
    ]
    done = subprocess.run([str(COMMAND.resolve()), *line[1:]], cwd=folder, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - began
    line = [str(COMMAND.resolve()), "evaluate", "m.safetensors", "test.csv", "--json"]
    scores = json.loads(subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True).stdout)
    told = json.loads(done.stdout)
    return {
        "seconds": seconds,
        "accuracy": scores["accuracy"],
        "gap": told["relative_gap"],
        "active": len(told["kernels"]),
    }


def theirs(estimator, train, test):
    began = time.perf_counter()
    estimator.fit(*train)
    return {"seconds": time.perf_counter() - began, "accuracy": estimator.score(*test)}


def measure(n, ranks):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, rows, seed in (("train.csv", n, 1), ("test.csv", TEST_ROWS, 2)):
            line = [
                str(COMMAND),
                "generate",
                "ringnorm",
                "-n",
                str(rows),
                "--seed",
                str(seed),
                "-o",
                str(folder / file),
            ]
            subprocess.run(line, check=True)
        train, test = read(folder / "train.csv"), read(folder / "test.csv")
        found = {f"nystrom:{rank}": ours(folder, f"nystrom:{rank}") for rank in ranks}
        found["auto"] = ours(folder, "auto")
        for rank in (100, 256):
            map_ = Nystroem(
                gamma=1 / (2 * np.median(train[0].std(axis=0)) ** 2 * train[0].shape[1]),
                n_components=rank,
                random_state=0,
            )
            found[f"scikit-learn Nystroem({rank}) + LogisticRegression"] = theirs(
                make_pipeline(StandardScaler(), map_, LogisticRegression(max_iter=1000)), train, test
            )
        found["HistGradientBoosting"] = theirs(HistGradientBoostingClassifier(random_state=0), train, test)
        return found


def draw(results, path):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
    names = list(next(iter(results.values())))
    rows = sorted(map(int, results))
    for name in names:
        left.plot(rows, [results[str(n)][name]["seconds"] for n in rows], "o-", label=name)
        right.plot(rows, [results[str(n)][name]["accuracy"] for n in rows], "o-", label=name)
    left.set(xscale="log", yscale="log", xlabel="rows", ylabel="seconds")
    right.set(xscale="log", xlabel="rows", ylabel="accuracy on new rows")
    figure.legend(*left.get_legend_handles_labels(), loc="upper center", ncols=3, fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 0.84))
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--rows", nargs="*", type=int, default=[10_000, 30_000, 100_000])
    parser.add_argument("--picture")
    options = parser.parse_args()
    results = {}
    for n in options.rows:
        results[str(n)] = measure(n, RANKS)
        for name, found in results[str(n)].items():
            print(f"{n:8d}  {name:50s} {found['seconds']:8.1f} s  {100 * found['accuracy']:.2f} %", flush=True)
    pathlib.Path(options.output).write_text(json.dumps(results, indent=1))
    if options.picture:
        draw(results, options.picture)


if __name__ == "__main__":
    main()
