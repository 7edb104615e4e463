"""Several classes at once beside each against the rest: CPU seconds of one thread on the same kernels."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np

ROWS, KERNELS = 300, 1000
CLASSES = (2, 3, 5, 10, 20)
STRENGTHS = ("0.5max", "0.1max", "0.03max")
LIMITED, LIMIT = 5, 1.5  # so many classes at once may take so many times as long as one after the other


def _write(table, n_samples, n_classes, n_columns=20, seed=0):
    """Classes around points of their own, near enough to be mistaken for each other."""
    random = np.random.default_rng(seed)
    codes = np.arange(n_samples) % n_classes
    X = random.standard_normal((n_classes, n_columns))[codes] + 1.2 * random.standard_normal((n_samples, n_columns))
    lines = [",".join([*(f"x{j}" for j in range(n_columns)), "y"])]
    lines += [",".join([*(f"{value:.6g}" for value in row), f"c{code:02}"]) for row, code in zip(X, codes, strict=True)]
    table.write_text("\n".join(lines) + "\n")


def _train(program, table, n_kernels, kind, alpha):
    """CPU seconds of the whole run, and what it says of itself."""
    several = [] if kind is None else ["--multi-class", kind]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = [program, "train", table, "--target", "y", "--kernels", f"random:{n_kernels}", "--alpha", alpha, *several]
    done = subprocess.run(
        [*map(str, line), "--tol", "0.01", "--threads", "1", "--json"],
        check=True,
        capture_output=True,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, json.loads(done.stdout)


def _measure(program, n_kernels, n_classes, strengths, repeats):
    """A row per strength. Where no kernel is selected, a run does nothing but read and compute the kernels."""
    rows = []
    kinds = ("ovr", "joint") if n_classes > 2 else (None, None)
    with tempfile.TemporaryDirectory() as name:
        table = pathlib.Path(name) / "table.csv"
        _write(table, ROWS, n_classes)
        for alpha in strengths:
            runs = [[_train(program, table, n_kernels, kind, alpha) for kind in kinds] for _ in range(repeats)]
            idle = min(_train(program, table, n_kernels, kinds[0], "2max")[0] for _ in range(repeats))
            each, joint = (min(run[k][0] for run in runs) - idle for k in (0, 1))
            rows.append({"n_classes": n_classes, "alpha": alpha, "seconds_each": each, "seconds_joint": joint})
    return rows


def compare(program, quick, repeats):
    """A table in markdown and its rows."""
    n_kernels, classes, strengths = (100, (2, 3), STRENGTHS[:1]) if quick else (KERNELS, CLASSES, STRENGTHS)
    rows = [row for count in classes for row in _measure(program, n_kernels, count, strengths, repeats)]
    lines = ["| classes | alpha | each against the rest | all at once | part of it | limit |", "|---" * 6 + "|"]
    lines += [
        f"| {r['n_classes']} | {r['alpha']} | {r['seconds_each']:.2f} | {r['seconds_joint']:.2f} | "
        f"{r['seconds_joint'] / max(r['seconds_each'], 1e-3):.2f} | {LIMIT if r['n_classes'] == LIMITED else ''} |"
        for r in rows
    ]
    head = f"N={ROWS}, M={n_kernels}, CPU seconds of one thread from kernels in memory to a gap of 0.01:\n\n"
    return head + "\n".join(lines) + "\n", rows


if __name__ == "__main__":
    root = pathlib.Path(__file__).resolve().parents[1]
    print(compare(root / "build" / "spicymkl", "--quick" in sys.argv, 1)[0])
