"""Average outer iterations on the five UCI sets of the paper, beside its Table 4 (SpicyMKL columns).

    .venv/bin/python bench/outer_iterations.py --data ../shared/data [--repetitions 10] [--output table.json]

80 % random training parts, the `paper` kernels, tolerance 0.01, the paper's own loop (--solver spicy).
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
from paper.published import ITERATIONS

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMAND = ROOT / "build" / "spicymkl"
STRENGTHS = (0.005, 0.05, 0.5)
PAPER = {  # (hinge, logistic) at C = 0.005, 0.05, 0.5
    name: list(zip(table["spicy_hinge"], table["spicy_logistic"])) for name, table in ITERATIONS.items()
}


def training_part(path, seed, folder):
    """A random 80 % of the rows as a file; the constant column x2 of ionosphere is left out, as the paper's peers do."""
    header, *rows = path.read_text().splitlines()
    chosen = np.random.default_rng(seed).permutation(len(rows))[: int(0.8 * len(rows))]
    part = folder / "train.csv"
    part.write_text("\n".join([header, *(rows[i] for i in sorted(chosen))]) + "\n")
    return [part, "--target", "y", *(["--drop", "x2"] if path.stem == "ionosphere" else [])]


def outer_iterations(data, loss, alpha):
    options = ["--kernels", "paper", "--loss", loss, "--alpha", alpha, "--tol", 0.01, "--solver", "spicy", "--json"]
    done = subprocess.run([COMMAND, "train", *map(str, [*data, *options])], capture_output=True, text=True, check=False)
    result = json.loads(done.stdout)
    assert result["status"] == "converged", (data, loss, alpha, done.stdout, done.stderr)
    return result["iterations"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder with liver.csv, pima.csv, …")
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--output", type=pathlib.Path, help="write the averages as JSON")
    arguments = parser.parse_args()
    table = {}
    print("set          C      hinge  paper   logistic  paper   within the limit")
    for name, published in PAPER.items():
        counts = {(loss, alpha): [] for alpha in STRENGTHS for loss in ("hinge", "logistic")}
        for seed in range(arguments.repetitions):
            with tempfile.TemporaryDirectory() as folder:
                data = training_part(arguments.data / f"{name}.csv", seed, pathlib.Path(folder))
                for (loss, alpha), steps in counts.items():
                    steps.append(outer_iterations(data, loss, alpha))
        for alpha, (hinge_paper, logistic_paper) in zip(STRENGTHS, published):
            hinge, logistic = np.mean(counts["hinge", alpha]), np.mean(counts["logistic", alpha])
            limits = [max(2 * p, p + 3) for p in (hinge_paper, logistic_paper)]
            within = hinge <= limits[0] and logistic <= limits[1]
            table[f"{name} {alpha}"] = {"hinge": hinge, "logistic": logistic, "within": bool(within)}
            print(
                f"{name:12} {alpha:<6} {hinge:5.1f}  {hinge_paper:5.1f}   {logistic:8.1f}  {logistic_paper:5.1f}   {within}",
                flush=True,
            )
    if arguments.output:
        arguments.output.write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
