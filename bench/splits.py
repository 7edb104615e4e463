"""One split of a study of gene sets: a certified path over many wide groups of columns, beside celer's group lasso.

The shape is that of single-cell studies: 6,438 samples, 50 linear kernels of 348 columns each, two classes, ten
strengths. celer, where it is installed, fits the squared loss to -1 and 1, which such studies do with it.

Run from the project's root:

    .venv/bin/python bench/splits.py -o FOLDER [--samples 6438] [--groups 50] [--width 348] [--losses logistic ...]
"""

import argparse
import importlib.util
import pathlib
import time

import numpy as np

from spicymkl import kernels, mkl_path

STRENGTHS = np.geomspace(0.9, 0.02, 10)
TOL = 0.01


def generate(n_samples, n_groups, width):
    """Five groups decide the class, with noise."""
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.standard_normal((n_samples, n_groups * width)))
    score = X[:, : 5 * width] @ rng.standard_normal(5 * width)
    score += 0.5 * score.std() * rng.standard_normal(n_samples)
    return X, np.where(score > 0, 1.0, -1.0)


def ours(X, y, groups, loss):
    linear = [kernels.Linear(columns=g, normalize="none") for g in groups]
    began = time.perf_counter()
    path = mkl_path(
        X, y, kernels=linear, loss=loss, alphas=[f"{s:.6g}max" for s in STRENGTHS], tol=TOL, standardize=False
    )
    assert (path.duality_gaps <= TOL).all(), path.duality_gaps
    return time.perf_counter() - began, len(STRENGTHS)


def celer(X, y, groups, most_seconds):
    """Seconds, and how many strengths were solved in them: no other is begun after most_seconds."""
    from celer import GroupLasso

    width = groups[0].stop
    largest = max(np.linalg.norm(X[:, g].T @ (y - y.mean())) for g in groups) / len(y)
    began = time.perf_counter()
    model = GroupLasso(groups=width, tol=TOL, fit_intercept=True, warm_start=True)
    solved = 0
    while solved < len(STRENGTHS) and time.perf_counter() - began < most_seconds:
        model.alpha = STRENGTHS[solved] * largest
        model.fit(X, y)
        solved += 1
    return time.perf_counter() - began, solved


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="folder for splits.md")
    parser.add_argument("--samples", type=int, default=6438)
    parser.add_argument("--groups", type=int, default=50)
    parser.add_argument("--width", type=int, default=348)
    parser.add_argument("--losses", nargs="+", default=["logistic", "hinge", "squared"])
    parser.add_argument("--most-seconds", type=float, default=600, help="after which celer begins no other strength")
    options = parser.parse_args()
    X, y = generate(options.samples, options.groups, options.width)
    groups = [slice(g * options.width, (g + 1) * options.width) for g in range(options.groups)]
    programs = [(f"SpicyMKL, {loss} loss", lambda loss=loss: ours(X, y, groups, loss)) for loss in options.losses]
    if importlib.util.find_spec("celer"):
        programs.append(("celer's GroupLasso, squared loss", lambda: celer(X, y, groups, options.most_seconds)))
    lines = ["| program | seconds | processor seconds | strengths |", "|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    for name, run in programs:
        processor = time.process_time()
        seconds, solved = run()
        lines.append(
            f"| {name} | {seconds:.2f} | {time.process_time() - processor:.2f} | {solved} of {len(STRENGTHS)} |"
        )
        print(lines[-1], flush=True)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "splits.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
