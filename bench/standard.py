"""The standard workloads, each time in seconds and in U, beside the limits that the project sets itself.

    ./dev bench                      everything, about ten minutes on two cores
    ./dev bench --quick              a small version, about twenty seconds
    ./dev bench --data DIR           with the UCI sets of that folder: liver, pima, ionosphere, wpbc, sonar (CSV, column y)
    ./dev bench --only limits path   some parts

Writes standard.md, results.json and growth.png. U is one pass of the quadratic forms over all kernels plus one Cholesky
factorisation, measured in the same run.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

import classes
import growth
import others
import outputs
import wide

ROOT = pathlib.Path(__file__).resolve().parents[1]
UCI = ("liver", "pima", "ionosphere", "wpbc", "sonar")
WRAPPERS = ("silp", "simplemkl", "levelmkl", "hessianmkl")
HUGE = 10_000  # samples, in single precision

# Samples, kernels, and the U that a workload may take at a gap of 0.01, geometric mean over the three strengths.
LIMITS = [
    (200, 6000, "block1", "logistic", 6),
    (200, 6000, "block1", "hinge", 6),
    (3000, 20, "block1", "logistic", 12),
    (3000, 20, "block1", "hinge", 6),
    (200, 3000, "elasticnet", "logistic", 8),
]
TIGHT = 2.5  # times as long for a gap of 1e-6


class Command:
    """`spicymkl bench` with its rows as dictionaries."""

    def __init__(self, program):
        self.program = program
        self.machine = None

    def rows(self, *options):
        command = [self.program, "bench", "--json", *map(str, options)]
        print(" ".join(command[1:]), file=sys.stderr, flush=True)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        answer = json.loads(done.stdout)
        self.machine = answer["machine"]
        return answer["rows"]

    def workload(self, n_samples, n_kernels, penalty, *options):
        return self.rows("--samples", n_samples, "--kernels", n_kernels, "--penalty", penalty, *options)


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def middle(repeated, tol):
    """Of each strength the middle one of the repetitions, in U."""
    by_alpha = {}
    for row in repeated:
        if row["tol"] == tol and row["solver"] == "auto":
            by_alpha.setdefault(row["alpha"], []).append(row["units"])
    return [statistics.median(units) for _, units in sorted(by_alpha.items(), reverse=True)]


def limits(command, options):
    """What each workload may take, and takes: U by strength, geometric mean, and the price of a gap of 1e-6."""
    lines, rows = [], []
    for n_samples, n_kernels, penalty, loss, limit in LIMITS:
        if options.quick and n_samples > 200:
            continue
        kernels = min(n_kernels, 500) if options.quick else n_kernels
        repeated = []
        for _ in range(options.repeats):
            repeated += command.workload(n_samples, kernels, penalty, "--loss", loss)
        rough, tight = middle(repeated, 1e-2), middle(repeated, 1e-6)
        mean, mean_tight = statistics.geometric_mean(rough), statistics.geometric_mean(tight)
        cells = " / ".join(f"{u:.2f}" for u in rough)
        name = f"M={kernels}, N={n_samples}, {penalty}, {loss}"
        lines.append([name, cells, f"{mean:.2f}", limit, f"{mean_tight / mean:.2f}", TIGHT])
        rows += repeated
    head = ["workload", "U at alpha 0.5 / 0.05 / 0.005", "mean", "limit", "1e-6 over 1e-2", "limit"]
    return table(head, lines), rows


def wrappers(command, options):
    """Few kernels and many samples with hinge, beside the wrapper methods."""
    n_samples = 500 if options.quick else 3000
    rows = command.workload(n_samples, 20, "block1", "--loss", "hinge", "--tol", 0.01, "--solver", "auto", *WRAPPERS)
    strengths = list(dict.fromkeys(row["alpha"] for row in rows))
    lines = [[alpha, *(f"{row['seconds']:.2f}" for row in rows if row["alpha"] == alpha)] for alpha in strengths]
    return f"N={n_samples}, M=20, seconds:\n\n" + table(["alpha", "SpicyMKL", *WRAPPERS], lines), rows


def kernels(command, options):
    """Time against the number of kernels."""
    sizes = (50, 500) if options.quick else (50, 200, 500, 1000, 2000, 4000, 6000)
    rows = []
    for data in ("ringnorm",) if options.quick else ("ringnorm", "twonorm", "waveform"):
        for size in sizes:
            rows += command.workload(200, size, "block1", "elasticnet", "blockq", "--data", data, "--tol", 0.01)
    return growth.text(rows, "n_kernels", 500), rows


def samples(command, options):
    """Time against the number of samples."""
    sizes = (200, 500) if options.quick else (500, 1000, 2000, 3000)
    rows = []
    for size in sizes:
        rows += command.workload(size, 20, "block1", "elasticnet", "blockq", "--tol", 0.01)
    return growth.text(rows, "n_samples", 500), rows


def huge(command, options):
    """Ten thousand samples in single precision."""
    if options.quick:
        return "", []
    rows = command.workload(HUGE, 20, "block1", "--single", "--tol", 0.01, "--max-seconds", 300)
    lines = [[r["loss"], r["alpha"], f"{r['seconds']:.1f}", f"{r['units']:.2f}", r["status"]] for r in rows]
    return table(["loss", "alpha", "seconds", "U", "status"], lines), rows


def threads(command, options):
    """One thread against two on the same workload, in turn."""
    size = 500 if options.quick else 6000
    taken = {1: [], 2: []}
    rows = []
    for _ in range(options.repeats):
        for count, found in taken.items():
            now = command.workload(200, size, "block1", "--tol", 0.01, "--threads", count)
            found.append([row["seconds"] for row in now])
            rows += now
    least = {count: [min(case) for case in zip(*found)] for count, found in taken.items()}
    ratio = statistics.geometric_mean([one / two for one, two in zip(least[1], least[2])])
    return (
        f"M={size}, N=200, block1: two threads are {ratio:.2f} times as fast as one (least of the repetitions).\n",
        rows,
    )


def path(command, options):
    """A path of strengths against one fit at its smallest."""
    rows = command.workload(200, 200 if options.quick else 1000, "block1", "--path", 50, "--tol", 0.01)
    lines = [[r["loss"], f"{r['seconds_path']:.2f}", f"{r['seconds_fit']:.3f}", f"{r['ratio']:.1f}"] for r in rows]
    return table(["loss", "seconds of 50 alphas", "seconds of one fit", "ratio (limit 10)"], lines), rows


def uci(command, options):
    """From the CSV file to the model with the kernels of `paper`."""
    if options.data is None:
        return "Left out: no --data.\n", []
    lines, rows = [], []
    for name in UCI:
        found = command.rows("--table", options.data / f"{name}.csv", "--target", "y", "--tol", 0.01)
        rows += [{"data": name, **row} for row in found]
        for row in found:
            if row["bank"] == "dense":
                continue
            dense = next(r for r in found if r["bank"] == "dense" and all(r[k] == row[k] for k in ("loss", "alpha")))
            lines.append(
                [name, row["loss"], row["alpha"], f"{row['seconds_from_file']:.3f}"]
                + [f"{dense['seconds_kernels']:.3f}", f"{dense['seconds_from_file'] / row['seconds_from_file']:.2f}"]
                + [f"{row['bytes'] / dense['bytes']:.2f}"]
            )
    head = ["data", "loss", "alpha", "seconds from file to model", "seconds of dense kernels alone"]
    return table([*head, "dense over chosen bank, from the file", "bytes"], lines), rows


def other_programs(command, options):
    """Programs of others, where installed, on the same kernels."""
    return others.compare(command.program, 200, 50 if options.quick else 300)


def wide_tables(command, options):
    """Wide tables, from the file to the model."""
    return wide.compare(command.program, options.quick, options.repeats)


def several_classes(command, options):
    """Cross-validation of several classes beside the grid of a support vector machine."""
    return classes.compare(command.program, options.quick, options.repeats)


def several_outputs(command, options):
    """Several classes at once beside each against the rest, many targets beside one, survival beside two classes."""
    return outputs.compare(command.program, options.quick, options.repeats)


def group_lasso(command, options):
    """Linear kernels of many columns beside celer's group lasso, where installed."""
    return others.compare_group_lasso((200,) if options.quick else (1000, 3000), 40 if options.quick else 348)


PARTS = {
    f.__name__: f
    for f in (
        *(limits, wrappers, kernels, samples, huge, threads, path, uci, other_programs),
        *(wide_tables, group_lasso, several_classes, several_outputs),
    )
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a small version of everything")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS), help="run only these parts")
    parser.add_argument("--data", type=pathlib.Path, help="folder of CSV files")
    parser.add_argument("--repeats", type=int, default=3, help="repetitions of what is compared with a limit (3)")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("bench-results"), help="folder for results")
    parser.add_argument("--command", default=str(ROOT / "build" / "spicymkl"), help="the program (build/spicymkl)")
    return parser.parse_args()


def main():
    options = arguments()
    command = Command(options.command)
    options.output.mkdir(parents=True, exist_ok=True)
    texts, results = [], {}
    for name in options.only:
        part = PARTS[name]
        text, results[name] = part(command, options)
        if text:
            texts.append(f"## {part.__doc__.strip().rstrip('.')}\n\n{text}")
    if command.machine is None:  # no part needed the command
        command.workload(20, 2, "block1", "--loss", "squared", "--alpha", 1)
    machine = command.machine
    head = f"{machine['processor']}, {machine['threads']} of {machine['cores']} cores, spicymkl {machine['version']}"
    (options.output / "standard.md").write_text(f"{head}\n\n" + "\n".join(texts))
    (options.output / "results.json").write_text(json.dumps({"machine": machine, "rows": results}, indent=1))
    growth.chart(results.get("kernels", []), results.get("samples", []), options.output / "growth.png")
    print("\n".join(texts))
    print(options.output / "standard.md")


if __name__ == "__main__":
    main()
