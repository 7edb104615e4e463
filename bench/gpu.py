"""Times on a GPU, beside the limits that the project sets itself.

    ./dev gpu                       tests and times
    python3 bench/gpu.py --program build/spicymkl --out DIR

Writes gpu.json; prints a table. A case is the geometric mean over three strengths at a gap of 0.01, each the quickest of
some runs; that of features has the seconds for these besides.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys

# Samples, kernels, options of the bench, loss, and the seconds that it may take on an H200.
DENSE = [
    (10_000, 160, (), "logistic", 0.45),
    (10_000, 160, (), "hinge", 0.8),
    (10_000, 300, ("--single",), "logistic", 1.2 * 0.45),
    (10_000, 300, ("--single",), "hinge", 1.2 * 0.8),
    (200, 6000, (), "logistic", 0.06),
    (200, 6000, (), "hinge", 0.06),
]
GROWTH = [(n, 30, (), "logistic", None) for n in (2_000, 5_000, 10_000, 20_000)]
FEATURES = (1_000_000, 100, ("--nystrom", 100), "logistic", 15)  # from the table to the certified model
SMALL = [(500, 20, (), "logistic", None), (500, 20, ("--nystrom", 20), "logistic", None)]


def rows_of(program, device, case, cap):
    n_samples, n_kernels, options, loss, _ = case
    command = [program, "bench", "--json", "--samples", n_samples, "--kernels", n_kernels, "--loss", loss]
    repeat = 1 if "--nystrom" in options else 2
    command += ["--penalty", "block1", "--tol", 0.01, "--device", device, "--repeat", repeat, *options]
    command += ["--max-seconds", cap]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, done.stderr.strip()
    return json.loads(done.stdout)["rows"], ""


def mean(rows):
    return math.exp(sum(math.log(row["seconds"]) for row in rows) / len(rows))


def report(case, rows, failure):
    n_samples, n_kernels, options, loss, limit = case
    title = f"N={n_samples} M={n_kernels} {' '.join(map(str, options))} {loss}"
    if rows is None:
        return f"{title:45} FAILED: {failure[-300:]}"
    features = "--nystrom" in options
    seconds = [row["seconds"] for row in rows]
    total = mean(rows) + (rows[0]["seconds_bank"] if features else 0)
    verdict = "" if limit is None else f"limit {limit:g}: {'ok' if total <= limit else 'MISSED'}"
    status = "" if all(row["status"] == "converged" for row in rows) else " NOT CONVERGED"
    steps = "/".join(str(row["newton_steps"]) for row in rows)
    parts = "/".join(
        f"{row['seconds_newton']:.3f}+{row['seconds_passes']:.3f}+{row['seconds_certificate']:.3f}" for row in rows
    )
    return (
        f"{title:45} {total:8.4f} s  {verdict}{status}  [{' '.join(f'{s:.4f}' for s in seconds)}] bank "
        f"{rows[0]['seconds_bank']:.2f} U {rows[0]['unit']:.4f} pass {rows[0]['pass']:.4f} steps {steps}\n"
        f"{'':45} newton+passes+certificate {parts}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/spicymkl")
    parser.add_argument("--out", default="build", type=pathlib.Path)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--max-seconds", default=40, type=float, help="limit of one run")
    parser.add_argument("--only", nargs="*", choices=["dense", "growth", "features", "small"])
    arguments = parser.parse_args()
    groups = {"dense": DENSE, "growth": GROWTH, "features": [FEATURES], "small": SMALL}
    everything, lines = [], []
    for name in arguments.only or ["dense", "growth", "features"]:
        for case in groups[name]:
            rows, failure = rows_of(arguments.program, arguments.device, case, arguments.max_seconds)
            everything.append({"case": case, "rows": rows, "failure": failure})
            lines.append(report(case, rows, failure))
            print(lines[-1], file=sys.stderr, flush=True)
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "gpu.json").write_text(json.dumps(everything, indent=1))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
