"""Two ranks of spicymkl-mpi with a thread each, beside one rank: on a quiet machine with two cores.

Where memory is ample, one rank has two threads, and as much memory as both ranks together: two ranks should reach 0.9
of its speed. Where `--memory` holds half of the kernels as matrices, one rank has what each of the two has, a thread
and the same memory: two ranks, which hold all kernels, should be 1.5 times as fast. Both are started by mpirun, which
takes some tenths of a second. Runs alternate, and the best of them counts; CPU seconds, of all processes together, tell
work from waiting, and from what others do on the machine.

Run from the project's root: .venv/bin/python bench/ranks.py -o FOLDER [--rounds 3] [--only shared|short] [--losses hinge]
"""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import time

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build"
LAUNCH = [
    "mpirun",
    "--oversubscribe",
    "--mca",
    "pml",
    "ob1",
    "--mca",
    "btl_vader_single_copy_mechanism",
    "none",
    "--bind-to",  # else the threads of a single rank share one core
    "none",
    "-n",
]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
GIGABYTE = 2**30
LOSSES = ("logistic", "hinge")


def measure(line):
    """Seconds from start to end, CPU seconds of the process and its children, and what was printed."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(line, env={**os.environ, **AS_ROOT}, capture_output=True, text=True, check=False)
    seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, line))}\n{done.stderr}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def primal(printed):
    return float(re.search(r"primal ([\d.]+)", printed)[1])


def compare(arguments, one, two, rounds):
    """The best wall and CPU seconds of one rank and of two, whose further options are `one` and `two`."""
    best = [[float("inf")] * 2, [float("inf")] * 2]
    for _ in range(rounds):
        answers = []
        for which, further in enumerate((one, two)):
            line = [*LAUNCH, str(which + 1), BUILD / "spicymkl-mpi", "train", *arguments, *further]
            seconds, cpu, printed = measure(line)
            best[which] = [min(best[which][0], seconds), min(best[which][1], cpu)]
            answers.append(primal(printed))
        assert abs(answers[0] - answers[1]) <= 1e-6 * answers[0], answers
    return best


def options(threads, memory):
    return ["--threads", str(threads), "--memory", f"{memory:.0f}"]


def cases(only, losses, short_size):
    """(kernels, rows, loss, options of one rank, options of each of two, the ratio to reach)"""
    for n_kernels, n_rows in [(6000, 200), (2000, 1000)] if only != "short" else []:
        for loss in losses:
            yield n_kernels, n_rows, loss, options(2, 6 * GIGABYTE), options(1, 3 * GIGABYTE), 0.9
    if only != "shared":
        n_kernels, n_rows = short_size
        memory = 8 * n_kernels * n_rows**2  # half of it is for the working set
        for loss in losses:
            yield n_kernels, n_rows, loss, options(1, memory), options(1, memory), 1.5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="folder for ranks.md")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["shared", "short"], help="ample memory alone, or short memory alone")
    parser.add_argument(
        "--short-size",
        type=int,
        nargs=2,
        default=(1200, 800),
        metavar=("KERNELS", "ROWS"),
        help="of the runs with short memory; two ranks take 8 KERNELS ROWS² bytes",
    )
    parser.add_argument("--losses", nargs="+", choices=LOSSES, default=LOSSES)
    given = parser.parse_args()
    head = ["kernels", "rows", "loss", "one rank, s", "CPU s", "two ranks, s", "CPU s", "times as fast", "limit"]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for n_kernels, n_rows, loss, one, two, limit in cases(given.only, given.losses, given.short_size):
            table = pathlib.Path(folder) / f"{n_rows}.csv"
            measure([BUILD / "spicymkl", "generate", "ringnorm", "-n", str(n_rows), "--seed", "1", "-o", table])
            line = [table, "--target", "y", "--kernels", f"random:{n_kernels}", "--loss", loss]
            alone, ranks = compare(line, one, two, given.rounds)
            numbers = [*alone, *ranks, alone[0] / ranks[0]]
            lines.append(
                f"| {n_kernels} | {n_rows} | {loss} | " + " | ".join(f"{x:.2f}" for x in numbers) + f" | {limit} |"
            )
            print(lines[-1], flush=True)
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "ranks.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
