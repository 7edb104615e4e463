"""Missing views: accuracy when samples lack whole sources, against leaving them out and against filling in means.

    bench/views.py --output results

Writes results/views.md and results/views.json. The data are those of `spicymkl generate multisource`: four sources, of
which expression says something linear and imaging something round. Every sample lacks every source with the same
probability, whatever its class, but never all of them.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import tempfile
import warnings

import numpy as np
import pandas as pd

from spicymkl import MKLClassifierCV, SourceTables

COMMAND = str(pathlib.Path(__file__).resolve().parents[1] / "build" / "spicymkl")
METHODS = ("drop", "mean", "zero")


def generated(command, n, seed):
    """Source → table, and the classes."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/data.csv"
        subprocess.run([command, "generate", "multisource", "-n", str(n), "--seed", str(seed), "-o", path], check=True)
        frame = pd.read_csv(path)
    frame.index = [f"s{i}" for i in range(n)]
    names = dict.fromkeys(column.split("_")[0] for column in frame.columns if "_" in column)
    return {name: frame.filter(like=f"{name}_") for name in names}, frame["y"]


def without(tables, share, rng):
    """The same tables, which lack that share of the samples."""
    n = len(next(iter(tables.values())))
    lacks = rng.random((n, len(tables))) < share
    everything = lacks.all(axis=1)
    lacks[everything, rng.integers(len(tables), size=everything.sum())] = False
    return {name: table[~lacks[:, s]] for s, (name, table) in enumerate(tables.items())}


def filled(tables, index, means):
    return {name: table.reindex(index).fillna(means[name]) for name, table in tables.items()}


def accuracies(method, training, y, tests):
    """Of a model trained on tables that lack samples, on each of the test sets; NaN where it cannot be trained."""
    means = {name: table.mean() for name, table in training.items()}
    if method == "mean":
        training = filled(training, y.index, means)
        tests = [(filled(tables, truth.index, means), truth) for tables, truth in tests]
    X = SourceTables(training)
    kept = X.present.all(axis=1) if method == "drop" else np.ones(len(X), dtype=bool)
    counts = y.loc[X.index[kept]].value_counts()
    if len(counts) < 2 or counts.min() < 5:
        return [float("nan")] * len(tests)
    model = MKLClassifierCV(missing_view="drop" if method == "drop" else "zero", alphas=8, tol=1e-2, cv=5).fit(
        X, y.loc[X.index]
    )
    model.set_params(missing_view="zero")  # of new samples: what a source cannot say is left out
    scores = []
    for tables, truth in tests:
        rows = SourceTables(tables)
        scores.append(float((model.predict(rows) == truth.loc[rows.index]).mean()))
    return scores


def measure(command, n, repeats, shares):
    rows = []
    for share in shares:
        for seed in range(repeats):
            rng = np.random.default_rng(1000 * seed + round(100 * share))
            tables, y = generated(command, n, 2 * seed)
            fresh, truth = generated(command, 1000, 2 * seed + 1)
            training = without(tables, share, rng)
            tests = [(fresh, truth), (without(fresh, share, rng), truth)]
            complete = int(SourceTables(training).present.all(axis=1).sum())
            for method in METHODS:
                whole, partial = accuracies(method, training, y, tests)
                rows.append({"share": share, "seed": seed, "method": method, "complete": complete,
                             "whole": whole, "partial": partial})  # fmt: skip
                print(rows[-1], flush=True)
    return rows


def cell(rows, share, method, test):
    values = [row[test] for row in rows if row["share"] == share and row["method"] == method]
    known = [value for value in values if not math.isnan(value)]
    if len(known) < len(values):
        return f"– ({len(values) - len(known)} of {len(values)} cannot be trained)"
    return (
        f"{100 * statistics.mean(known):.1f} ± {100 * statistics.stdev(known):.1f}"
        if len(known) > 1
        else f"{100 * known[0]:.1f}"
    )


def table(rows):
    head = [
        "lacking",
        "complete samples",
        *(f"{test}: {method}" for test in ("complete", "lacking") for method in METHODS),
    ]
    lines = [head, ["---"] * len(head)]
    for share in sorted({row["share"] for row in rows}):
        complete = statistics.mean(row["complete"] for row in rows if row["share"] == share)
        cells = [cell(rows, share, method, test) for test in ("whole", "partial") for method in METHODS]
        lines.append([f"{100 * share:.0f} %", f"{complete:.0f}", *cells])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", default="results", help="folder for the results")
    parser.add_argument("--command", default=COMMAND, help="the command spicymkl")
    parser.add_argument("-n", type=int, default=400, help="training samples")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of the edges of grids
    rows = measure(options.command, options.n, options.repeats, options.shares)
    folder = pathlib.Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "views.json").write_text(json.dumps(rows, indent=1))
    (folder / "views.md").write_text(table(rows))
    print(table(rows))


if __name__ == "__main__":
    main()
