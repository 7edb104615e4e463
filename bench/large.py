"""Many rows: time and accuracy against the number of rows and against the rank of the features, beside scikit-learn.

Every program has one thread and its times are CPU seconds, reading of tables included for the command: they mean the
same on a machine that does other work. Run from the project's root:

    .venv/bin/python bench/large.py -o F.json [--data multisource] [--rows 10000 30000 100000] [--picture P.svg]
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy is loaded

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

COMMAND = pathlib.Path("build/spicymkl").resolve()
TEST_ROWS = 20_000
RANKS = (32, 100, 256)
MOST_FOR_SVC = 30_000  # rows: its time grows with their square


def read(path):
    values = np.loadtxt(path, delimiter=",", skiprows=1)
    return values[:, :-1], values[:, -1]


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(folder, *line):
    done = subprocess.run([COMMAND, *map(str, line)], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def ours(folder, features):
    began = children_seconds()
    options = ["--features", features, "--threads", 1, "--json", "--quiet"]
    told = json.loads(run(folder, "train", "train.csv", "--target", "y", "--model", "m.safetensors", *options))
    seconds = children_seconds() - began
    scores = json.loads(run(folder, "evaluate", "m.safetensors", "test.csv", "--json"))
    active = len(told["kernels"])
    return {"seconds": seconds, "accuracy": scores["accuracy"], "gap": told["relative_gap"], "active": active}


def theirs(estimator, train, test):
    began = time.process_time()
    estimator.fit(*train)
    return {"seconds": time.process_time() - began, "accuracy": estimator.score(*test)}


def peers(n, n_columns):
    """Name and estimator; a Gaussian kernel on all columns has the width that scikit-learn calls "scale"."""
    for rank in RANKS:
        for classifier in (LogisticRegression(max_iter=1000), SGDClassifier(loss="log_loss", random_state=0)):
            features = Nystroem(gamma=1 / n_columns, n_components=rank, random_state=0)
            yield (
                f"Nystroem({rank}), {type(classifier).__name__}",
                make_pipeline(StandardScaler(), features, classifier),
            )
    yield "HistGradientBoosting", HistGradientBoostingClassifier(random_state=0)
    if n <= MOST_FOR_SVC:
        yield "SVC", make_pipeline(StandardScaler(), SVC())


def measure(data, n):
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, rows, seed in (("train.csv", n, 1), ("test.csv", TEST_ROWS, 2)):
            run(folder, "generate", data, "-n", rows, "--seed", seed, "-o", file)
        train, test = read(folder / "train.csv"), read(folder / "test.csv")
        for rank in RANKS:
            found[f"SpicyMKL, nystrom:{rank}"] = ours(folder, f"nystrom:{rank}")
        found["SpicyMKL, auto"] = ours(folder, "auto")
        for label, estimator in peers(n, train[0].shape[1]):
            found[label] = theirs(estimator, train, test)
    return found


def draw(results, path):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot as plt

    rows = sorted(map(int, results))
    by_rank = {"SpicyMKL": "SpicyMKL, nystrom:{}"}
    by_rank |= {f"Nystroem, {name}": f"Nystroem({{}}), {name}" for name in ("LogisticRegression", "SGDClassifier")}
    by_rows = {"SpicyMKL": "SpicyMKL, auto"} | {
        label: name.format(RANKS[-1]) for label, name in by_rank.items() if label != "SpicyMKL"
    }
    by_rows |= {name: name for name in ("HistGradientBoosting", "SVC")}
    figure, axes = plt.subplots(2, 2, figsize=(9, 6.4), sharey="row")
    for row, what in enumerate(("seconds", "accuracy")):
        for number, (label, name) in enumerate(by_rows.items()):
            there = [n for n in rows if name in results[str(n)]]
            values = [results[str(n)][name][what] for n in there]
            axes[row, 0].plot(there, values, "o-", color=f"C{number}", label=label)
        for number, name in enumerate(by_rank.values()):
            values = [results[str(rows[-1])][name.format(rank)][what] for rank in RANKS]
            axes[row, 1].plot(RANKS, values, "o-", color=f"C{number}")
        axes[row, 0].set(xscale="log", xlabel="rows", ylabel=("CPU seconds", "accuracy on new rows")[row])
        axes[row, 1].set(xscale="log", xlabel=f"rank, {rows[-1]:,} rows", xticks=RANKS, xticklabels=RANKS)
        axes[row, 1].minorticks_off()
    axes[0, 0].set_yscale("log")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="upper center", ncols=3, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 0.92))
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--data", default="multisource", help="what is generated")
    parser.add_argument("--rows", nargs="*", type=int, default=[10_000, 30_000, 100_000])
    parser.add_argument("--picture")
    options = parser.parse_args()
    results = {}
    for n in options.rows:
        results[str(n)] = measure(options.data, n)
        for name, found in results[str(n)].items():
            print(f"{n:8d}  {name:40s} {found['seconds']:8.1f} s  {100 * found['accuracy']:.2f} %", flush=True)
    pathlib.Path(options.output).write_text(json.dumps(results, indent=1))
    if options.picture:
        draw(results, options.picture)


if __name__ == "__main__":
    main()
