"""Tables of several classes: `spicymkl cv` with its defaults, and with each class against the rest, beside the grid of a
support vector machine, one thread each."""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np
from sklearn import datasets

# Rows, columns, classes; clusters per class and how far apart they are, so that an accuracy of about 0.8 is within reach.
SHAPES = [(360, 90, 15, 1, 2.0), (531, 100, 9, 1, 1.5), (846, 18, 4, 2, 1.0)]
QUICK = [(120, 12, 3, 1, 1.5)]
LIMIT = 0.2  # of the time of the grid

GRID = """
import sys
import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
table = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
grid = {"svc__C": np.logspace(-1, 3, 7), "svc__gamma": np.logspace(-4, 0, 6)}
search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=3)
if len(sys.argv) == 2:
    search.fit(table[:, :-1], table[:, -1])
"""


def _write(table, n_samples, n_columns, n_classes, n_clusters, distance):
    X, y = datasets.make_classification(
        n_samples,
        n_columns,
        n_informative=min(12, n_columns // 2 + 1),
        n_redundant=n_columns // 3,
        n_classes=n_classes,
        n_clusters_per_class=n_clusters,
        class_sep=distance,
        random_state=0,
    )
    header = ",".join([*(f"x{j}" for j in range(n_columns)), "y"])
    np.savetxt(table, np.column_stack([X, y]), "%.6g", ",", header=header, comments="")


def _seconds(command):
    """Of one core: the machine may have other work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(list(map(str, command)), check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _measure(program, shape, repeats):
    with tempfile.TemporaryDirectory() as name:
        table = pathlib.Path(name) / "table.csv"
        _write(table, *shape)
        cv = [program, "cv", table, "--target", "y", "--task", "classification", "--threads", "1", "--quiet"]
        grid = [sys.executable, "-c", GRID, table]
        commands = (cv, [*cv, "--multi-class", "ovr"], grid, [*grid, "nothing"])
        runs = [[_seconds(command) for command in commands] for _ in range(repeats)]
    ours, each, theirs, start = (min(column) for column in zip(*runs, strict=True))
    return dict(zip(("n_samples", "n_columns", "n_classes"), shape[:3], strict=True)) | {
        "seconds": ours,
        "seconds_each": each,
        "seconds_grid": theirs - start,
    }


def compare(program, quick, repeats):
    """A table in markdown and its rows."""
    rows = [_measure(program, shape, repeats) for shape in (QUICK if quick else SHAPES)]
    lines = [
        "| rows × columns, classes | SpicyMKL cv | SVC's grid | part of it | each against the rest | part of it | limit |",
        "|---" * 7 + "|",
    ]
    lines += [
        f"| {r['n_samples']} × {r['n_columns']}, {r['n_classes']} | {r['seconds']:.2f} | {r['seconds_grid']:.2f} | "
        f"{r['seconds'] / r['seconds_grid']:.2f} | {r['seconds_each']:.2f} | {r['seconds_each'] / r['seconds_grid']:.2f} | "
        f"{LIMIT} |"
        for r in rows
    ]
    head = "CPU seconds of one thread, from the file to the model; the grid has 42 candidates and 3 folds:\n\n"
    return head + "\n".join(lines) + "\n", rows


if __name__ == "__main__":
    root = pathlib.Path(__file__).resolve().parents[1]
    print(compare(root / "build" / "spicymkl", "--quick" in sys.argv, 1)[0])
