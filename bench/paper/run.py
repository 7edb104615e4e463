"""The experiments of the paper (Suzuki and Tomioka, SpicyMKL, Section 6): every table and figure, by one command.

    .venv/bin/python bench/paper/run.py --data DIR            the paper's full size: 10 splits, hours
    .venv/bin/python bench/paper/run.py --quick               a small version, under 5 minutes

DIR has the CSV files liver, pima, ionosphere, wpbc, sonar, ringnorm, splice_unique, twonorm and waveform with a column y. Without
it ringnorm, twonorm and waveform are generated and the others left out. A series that was stopped resumes there.
"""

import argparse
import dataclasses
import pathlib
import signal
import sys

import data
import experiments
import report
from runner import Journal, Runner
from tqdm import tqdm

import tables

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Mean seconds of a run of the full size on a small machine, with writing and reading its kernels, for the estimate alone.
TYPICAL = {
    "uci": {"silp": 23, "simplemkl": 3, "levelmkl": 3},
    "kernels": {"silp": 12, "simplemkl": 12, "levelmkl": 2},
    "samples": {"silp": 4, "simplemkl": 9, "levelmkl": 2},
    "evolution": {"silp": 22, "simplemkl": 9, "levelmkl": 5},
}
OTHERS = 1.5  # methods that are not listed
QUICK_SHARE = 0.25  # of these, on the smaller problems of --quick


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, help="folder of CSV files")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("paper-results"), help="folder for results")
    parser.add_argument("--splits", type=int, default=10, help="random splits (10)")
    parser.add_argument("--wrapper-splits", type=int, help="the same for SILP, SimpleMKL, LevelMKL, HessianMKL")
    parser.add_argument("--cap", type=float, default=60, help="seconds a run may take (60)")
    parser.add_argument("--n-kernels", type=int, nargs="+", metavar="M", help="numbers of kernels to try instead")
    parser.add_argument("--n-samples", type=int, nargs="+", metavar="N", help="numbers of samples to try instead")
    parser.add_argument("--only", nargs="*", choices=list(TYPICAL), help="run only these experiments")
    parser.add_argument("--quick", action="store_true", help="a small version of everything")
    parser.add_argument("--command", default=str(ROOT / "build" / "spicymkl"), help="the program (build/spicymkl)")
    return parser.parse_args()


def size_of(options):
    if options.quick:
        return experiments.QUICK
    chosen = {"splits": options.splits, "wrapper_splits": options.wrapper_splits or options.splits}
    chosen |= {"n_kernels": options.n_kernels, "n_samples": options.n_samples}
    return dataclasses.replace(experiments.Size(), **{name: value for name, value in chosen.items() if value})


def expected_seconds(runs, cap):
    return sum(min(cap, TYPICAL[run.experiment].get(run.method, OTHERS)) for run in runs)


def smaller_was_capped(run, journal):
    """Whether the same method on a smaller problem of the same split took all the time it may take."""
    if run.experiment not in ("kernels", "samples"):
        return False
    series = run.experiment, run.problem.data, run.problem.split, run.method
    n_kernels, n_samples = run.problem.sizes
    return any(
        tables.at_cap(e) and e["n_kernels"] <= n_kernels and e["n_samples"] <= n_samples
        for e in journal.entries.values()
        if (e["experiment"], e["data"], e["split"], e["method"]) == series
    )


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that temporary files go
    options = arguments()
    source = data.Source(options.data, options.command)
    runs = [run for run in experiments.all_runs(size_of(options)) if not options.only or run.experiment in options.only]
    missing = sorted({run.problem.data for run in runs if not source.has(run.problem.data)})
    if missing:
        print(f"left out, because --data has no files for them: {', '.join(missing)}", file=sys.stderr)
    runs = [run for run in runs if run.problem.data not in missing]
    options.output.mkdir(parents=True, exist_ok=True)
    journal = Journal(options.output / "runs.jsonl")
    pending = [run for run in runs if run.key not in journal.entries]
    seconds = expected_seconds(pending, options.cap) * (QUICK_SHARE if options.quick else 1)
    print(
        f"{len(pending)} of {len(runs)} runs to do, about {max(1, round(seconds / 60))} min, at most "
        f"{round(len(pending) * options.cap / 60)} min; stop and start again as you like",
        file=sys.stderr,
        flush=True,
    )
    with Runner(source, options.command, options.cap) as runner:
        for run in tqdm(pending, unit="run", smoothing=0):
            capped = smaller_was_capped(run, journal)
            journal.add(runner.capped(run) if capped else runner.run(run))
    report.write([journal.entries[run.key] for run in runs], options.output)
    print(options.output / "paper.md")


if __name__ == "__main__":
    main()
