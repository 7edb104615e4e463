"""Wide tables: what kernels cost beside the one matrix product that they need, and all of it from the file to the model."""

import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np

SHAPES = [(500, 20_000), (2000, 5000)]
QUICK = [(200, 1000)]
KERNELS, WHOLE = 3, 2  # limits: products that kernels may take, and times that for all from the file to the model


def _write(table, X, rng):
    y = np.sign(X[:, :20].sum(axis=1) + 0.3 * rng.standard_normal(len(X))).astype(int)
    with table.open("w") as file:
        file.write(",".join(f"g{j}" for j in range(X.shape[1])) + ",y\n")
        for row, label in zip(X, y, strict=True):
            file.write(",".join(f"{value:.6g}" for value in row) + f",{label}\n")


def _least(repeats, work):
    return min(work() for _ in range(repeats))


def _seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _train(program, folder, kernels):
    """Seconds until the kernels are there, and until the model is."""
    (folder / "kernels.json").write_text(json.dumps(kernels))
    inputs = [folder / "table.csv", "--target", "y", "--kernels", folder / "kernels.json", "--json"]
    start = time.perf_counter()
    done = subprocess.run([program, "train", *inputs, "--model", folder / "m.st"], check=True, capture_output=True)
    return json.loads(done.stdout)["seconds_input"], time.perf_counter() - start


def _measure(program, n_samples, n_columns, repeats):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_samples, n_columns))
    widths = [round(share * np.sqrt(2 * n_columns), 3) for share in (0.4, 0.7, 1)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        _write(folder / "table.csv", X, rng)
        runs = [
            _train(program, folder, [{"type": "linear"}, {"type": "gaussian", "width": widths}]) for _ in range(repeats)
        ]
        reading = _least(repeats, lambda: _train(program, folder, [{"type": "linear", "columns": [0]}])[0])
    half = rng.random(n_samples * n_samples // 2)
    return {
        "n_samples": n_samples,
        "n_columns": n_columns,
        "seconds_product": _least(repeats, lambda: _seconds(lambda: X @ X.T)),
        "seconds_exponentials": len(widths) * _least(repeats, lambda: _seconds(lambda: np.exp(-half))),
        "seconds_reading": reading,
        "seconds_kernels": min(run[0] for run in runs) - reading,
        "seconds_from_file": min(run[1] for run in runs),
    }


def compare(program, quick, repeats):
    """A table in markdown and its rows."""
    rows = [_measure(program, *shape, repeats) for shape in (QUICK if quick else SHAPES)]
    lines = [
        "| samples × columns | X·Xᵀ by BLAS | exponentials | kernels | limit | from file to model | limit |",
        "|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        limit = KERNELS * r["seconds_product"] + r["seconds_exponentials"]
        cells = [f"{r['n_samples']} × {r['n_columns']}", r["seconds_product"], r["seconds_exponentials"]]
        cells += [r["seconds_kernels"], limit, r["seconds_from_file"], WHOLE * limit]
        lines.append("| " + " | ".join(c if isinstance(c, str) else f"{c:.3f}" for c in cells) + " |")
    return "A linear and three Gaussian kernels on all columns, seconds:\n\n" + "\n".join(lines) + "\n", rows
