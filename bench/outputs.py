"""Several outputs: classes at once beside each against the rest, many targets beside one, survival beside two classes.

Seconds of one thread from kernels in memory to the certified answer, Gaussians on random columns, and the same in U.
"""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROWS, KERNELS = 300, 1000
SURVIVORS = 500  # rows of the problems with survival times
COLUMNS = 20
CLASSES = (2, 3, 5, 10, 20)
TARGETS = (1, 2, 5, 10, 20, 50, 100)
STRENGTHS = ("0.5max", "0.1max", "0.03max")


@dataclasses.dataclass
class Pair:
    """Two ways to learn from tables, and how many times as long as the first the second may take."""

    kind: str
    outputs: int
    names: tuple
    tables: tuple
    options: tuple
    limit: float | None = None


def _table(X, **columns):
    names = [*(f"x{j}" for j in range(X.shape[1])), *columns]
    rows = zip(X, *columns.values(), strict=True)
    lines = [[*(f"{value:.6g}" for value in row), *map(str, rest)] for row, *rest in rows]
    return "\n".join(",".join(line) for line in [names, *lines]) + "\n"


def _classes(n_classes, random):
    """Classes around points of their own, near enough to be mistaken for each other."""
    codes = np.arange(ROWS) % n_classes
    noise = 1.2 * random.standard_normal((ROWS, COLUMNS))
    table = _table(random.standard_normal((n_classes, COLUMNS))[codes] + noise, y=[f"c{code:02}" for code in codes])
    ways = [["--multi-class", kind] if n_classes > 2 else [] for kind in ("ovr", "joint")]
    return Pair(
        *("classes", n_classes, ("each against the rest", "all at once"), (table, table)),
        tuple(["--target", "y", *way] for way in ways),
        limit=1.5 if n_classes == 5 else None,
    )


def _targets(n_targets, random):
    """Targets that share a few columns."""
    X = random.standard_normal((ROWS, COLUMNS))
    signal = np.column_stack([np.sin(X[:, :5]), X[:, :5] ** 2]) @ random.standard_normal((10, max(TARGETS)))
    Y = signal + 0.5 * signal.std(0) * random.standard_normal(signal.shape)
    named = [{f"t{k}": Y[:, k] for k in range(count)} for count in (1, n_targets)]
    return Pair(
        *("targets", n_targets, ("one target", "all at once")),
        tuple(_table(X, **columns) for columns in named),
        tuple(["--target", *columns] for columns in named),
        limit=5 if n_targets == max(TARGETS) else None,
    )


def _survival(random):
    """Two classes and survival times of one hidden score."""
    X = random.standard_normal((SURVIVORS, COLUMNS))
    score = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3]
    event, lost = random.exponential(np.exp(-score)), random.exponential(2.0, SURVIVORS)
    two = np.where(score + 0.7 * random.standard_normal(SURVIVORS) > 0, "yes", "no")
    times = _table(X, days=np.minimum(event, lost), died=(event <= lost).astype(int))
    return Pair(
        *("survival", 1, ("logistic", "cox"), (_table(X, y=two), times)),
        (["--target", "y"], ["--time", "days", "--event", "died"]),
        limit=3,
    )


def _seconds(line):
    """Of the training alone."""
    done = subprocess.run(
        [*map(str, line), "--threads", "1", "--json"],
        check=True,
        capture_output=True,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    return json.loads(done.stdout)["seconds"]


def _measure(program, pair, n_kernels, unit, strengths, repeats):
    """A row per strength: of the repetitions, which alternate, the quickest."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        files = [pathlib.Path(name) / f"table{k}.csv" for k in (0, 1)]
        lines = []
        for file, text, options in zip(files, pair.tables, pair.options, strict=True):
            file.write_text(text)
            lines.append([program, "train", file, *options, "--kernels", f"random:{n_kernels}", "--tol", "0.01"])
        for alpha in strengths:
            runs = [[_seconds([*line, "--alpha", alpha]) for line in lines] for _ in range(repeats)]
            first, second = (min(run[k] for run in runs) for k in (0, 1))
            rows.append(
                {"kind": pair.kind, "outputs": pair.outputs, "alpha": alpha, "unit": unit}
                | {"seconds_first": first, "seconds_second": second, "limit": pair.limit}
            )
    return rows


def _unit(program, n_samples, n_kernels):
    """Seconds of U on one thread."""
    sizes = ["--samples", n_samples, "--kernels", n_kernels, "--loss", "squared", "--alpha", "1", "--threads", "1"]
    line = [program, "bench", "--json", "--penalty", "block1", *sizes]
    done = subprocess.run([*map(str, line)], check=True, capture_output=True)
    return json.loads(done.stdout)["rows"][0]["unit"]


def _lines(rows):
    for row in rows:
        first, second = row["seconds_first"], row["seconds_second"]
        yield (
            f"| {row['outputs']} | {row['alpha']} | {first:.2f} | {first / row['unit']:.1f} | {second:.2f} | "
            f"{second / row['unit']:.1f} | {second / first:.2f} | {row['limit'] or ''} |"
        )


def compare(program, quick, repeats):
    """Tables in markdown and their rows."""
    n_kernels, strengths = (100, STRENGTHS[:1]) if quick else (KERNELS, STRENGTHS)
    classes, targets = ((2, 3), (1, 3)) if quick else (CLASSES, TARGETS)
    units = {n: _unit(program, n, n_kernels) for n in (ROWS, SURVIVORS)}
    groups = [
        (ROWS, [_classes(count, np.random.default_rng(0)) for count in classes]),
        (ROWS, [_targets(count, np.random.default_rng(0)) for count in targets]),
        (SURVIVORS, [_survival(np.random.default_rng(0))]),
    ]
    texts, rows = [], []
    for n_samples, pairs in groups:
        first, second = pairs[0].names
        text = [
            (
                f"N={n_samples}, M={n_kernels}, U = {units[n_samples]:.3f} s; seconds of one thread from kernels in "
                "memory to a gap of 0.01:\n"
            ),
            f"| {pairs[0].kind} | alpha | {first} | in U | {second} | in U | times as long | limit |",
            "|---" * 8 + "|",
        ]
        for pair in pairs:
            found = _measure(program, pair, n_kernels, units[n_samples], strengths, repeats)
            text += _lines(found)
            rows += found
        texts.append("\n".join(text) + "\n")
    return "\n".join(texts), rows


if __name__ == "__main__":
    root = pathlib.Path(__file__).resolve().parents[1]
    print(compare(root / "build" / "spicymkl", "--quick" in sys.argv, 1)[0])
