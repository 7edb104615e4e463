"""Are the p-values of `spicymkl study` uniform where the target has nothing to do with the columns?

Every repetition shuffles the target of a small table and asks for the p-value of the whole model. With P shuffles a p-value
is one of 1/(P + 1), …, 1; a number drawn between it and the one below is then uniform on (0, 1), which Kolmogorov and
Smirnov's test judges.

    .venv/bin/python bench/p_values.py [--repetitions 200]
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from scipy.stats import kstest

ROOT = Path(__file__).parents[1]
ROWS, COLUMNS, SHUFFLES = 60, 6, 19


def p_values(folder, number, task):
    """Of the model, and the smallest of the sources."""
    rng = np.random.default_rng(number)
    X = rng.normal(size=(ROWS, COLUMNS))
    signal = X[:, 0] + X[:, 1] ** 2 - 1 + 0.3 * rng.normal(size=ROWS)
    y = rng.permutation(np.where(signal > 0, "a", "b") if task == "classes" else signal.astype(str))
    table = folder / f"{task}{number}.csv"
    lines = [",".join([*map(str, row), label]) for row, label in zip(X, y, strict=True)]
    table.write_text("\n".join([",".join([*(f"x{j}" for j in range(COLUMNS)), "y"]), *lines]) + "\n")
    command = [ROOT / "build/spicymkl", "study", table, "--target", "y", "-o", folder / f"study-{task}{number}"]
    command += f"--repeats 2 --stability 0 --outer 3 --inner 3 --permutations {SHUFFLES} --seed {number} --json".split()
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return result["p_value"], min(source["p_value"] for source in result["sources"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=200)
    repetitions = parser.parse_args().repetitions
    for task in ("classes", "numbers"):
        with tempfile.TemporaryDirectory() as folder:
            found = np.array([p_values(Path(folder), number, task) for number in range(repetitions)])
        spread = found[:, 0] - np.random.default_rng(0).uniform(size=repetitions) / (SHUFFLES + 1)
        test = kstest(spread, "uniform")
        print(
            f"{task}: {repetitions} repetitions, Kolmogorov-Smirnov D = {test.statistic:.3f}, p = {test.pvalue:.3f}; "
            f"share of p-values at most 0.05: {np.mean(found[:, 0] <= 0.05):.3f}; "
            f"any of {COLUMNS} and the joint source at most 0.05: {np.mean(found[:, 1] <= 0.05):.3f}"
        )


if __name__ == "__main__":
    main()
