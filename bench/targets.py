"""What several targets cost beside one: all at once with one weight per kernel, and each with kernels of its own.

Gaussians on random columns as `spicymkl bench` has them, unit trace, N samples, M kernels, squared loss, a gap of 0.01; from
kernels in memory to the certified answer on one thread, the best of some runs that take turns, on a machine that does nothing
else. U is one pass of ρᵀKρ over all kernels and one Cholesky factorisation.

Run from the project's root: .venv/bin/python bench/targets.py -o FOLDER [--samples 300] [--kernels 1000] [--runs 3]
"""

import argparse
import pathlib
import time

import numpy as np

from spicymkl import MKLRegressor

COUNTS = (1, 2, 5, 10, 20, 50, 100)
STRENGTHS = ("0.5max", "0.1max", "0.03max")


def generate(n_samples, n_kernels, n_targets):
    """Targets that share a few columns."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_samples, 20))
    K = np.empty((n_kernels, n_samples, n_samples))
    for k in K:
        columns = rng.choice(20, rng.integers(1, 20), replace=False)
        distances = ((X[:, None, columns] - X[None, :, columns]) ** 2).sum(-1)
        k[:] = np.exp(-distances / (2 * (5 * rng.chisquare(1) + 0.1) ** 2))
        k /= np.trace(k)
    signal = np.column_stack([np.sin(X[:, :5]), X[:, :5] ** 2]) @ rng.standard_normal((10, n_targets))
    return K, signal + 0.5 * signal.std(0) * rng.standard_normal(signal.shape)


def cpu(work):
    began = time.process_time()
    work()
    return time.process_time() - began


def unit(K, y):
    def once():
        for k in K:
            y @ (k @ y)
        np.linalg.cholesky(K[0] + np.eye(len(y)))

    return min(cpu(once) for _ in range(3))


def fit(K, Y, strength, how="joint"):
    model = MKLRegressor("precomputed", alpha=strength, tol=0.01, n_jobs=1, multi_output=how).fit(K, Y)
    assert np.max(model.duality_gap_) <= 0.01
    return float(np.sum(model.fit_seconds_))


def table_of(K, Y, runs):
    u = unit(K, Y[:, 0])
    lines = [f"N = {len(Y)}, M = {len(K)}, U = {u:.3f} s", "", "| targets | " + " | ".join(STRENGTHS) + " |"]
    lines += ["|---|" + "---|" * len(STRENGTHS)]
    cases = [(f"{count} at once", count, "joint") for count in COUNTS if count <= Y.shape[1]]
    cases.append(("10, each by itself", 10, "each"))
    best = {}
    for _ in range(runs):
        for name, count, how in cases:
            for strength in STRENGTHS:
                seconds = fit(K, Y[:, 0] if count == 1 else Y[:, :count], strength, how)
                best[name, strength] = min(seconds, best.get((name, strength), np.inf))
    for name, _, _ in cases:
        cells = [f"{best[name, s] / u:.1f} U ({best[name, s] / best[cases[0][0], s]:.2f} times one)" for s in STRENGTHS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="folder for targets.md")
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--targets", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    K, Y = generate(options.samples, options.kernels, options.targets)
    text = table_of(K, Y, options.runs)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "targets.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
