#!/usr/bin/env python3
"""Gives the command thousands of hostile random problems and has every answer judged in extended precision.

Ends with status 1 if any claim is wrong, any run crashes, hangs or yields a NaN, or too many well-posed problems are
left unsolved. Failures are shrunk and printed as programs.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import sys
import tempfile
import time

from attempt import attempt
from hostile_problem import random_problem
from judge import verdict
from shrink import program, shrunk

FORGIVABLE = "unsolved"  # up to a share of the well-posed; everything else is a failure whatever its number
SHARE = 1e-3


@dataclasses.dataclass
class Outcome:
    seed: int
    kind: str
    sentence: str
    seconds: float


def judged(problem):
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        answer = attempt(problem, folder)
        return (*verdict(problem, answer), answer.seconds)


def outcome(seed):
    return Outcome(seed, *judged(random_problem(seed)))


def show_failure(failure):
    print(f"seed {failure.seed}: {failure.kind}: {failure.sentence}", flush=True)
    attempts = 10 if failure.kind == "hang" else 300  # each of the former takes half a minute
    small = shrunk(random_problem(failure.seed), lambda problem: judged(problem)[0] == failure.kind, attempts)
    print(f"# run in tests/torture:\n{program(small)}\n", flush=True)


def outcomes(seeds, seconds, jobs):
    """Those of the seeds, until the time is up."""
    end = time.monotonic() + seconds
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        batch = 20 * jobs
        for start in range(0, len(seeds), batch):
            if time.monotonic() > end:
                return
            yield from pool.map(outcome, seeds[start : start + batch])


def run(seeds, seconds=float("inf"), jobs=2, progress=None):
    """(failures, counts by what came of each problem, the longest seconds)"""
    counts, failures, longest = collections.Counter(), [], 0.0
    for done, result in enumerate(outcomes(seeds, seconds, jobs), 1):
        counts[result.kind or result.sentence] += 1
        longest = max(longest, result.seconds)
        if result.kind:
            failures.append(result)
        if progress and done % 100 == 0:
            progress(f"\r{done} problems, {len(failures)} failures")
    return failures, counts, longest


def judgement(failures, counts):
    """The failures that count."""
    unsolved = [failure for failure in failures if failure.kind == FORGIVABLE]
    posed = counts["well-posed"] + len(unsolved)
    too_many = len(unsolved) > SHARE * posed
    return [failure for failure in failures if failure.kind != FORGIVABLE or too_many]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--seed", type=int, default=0, help="of the first problem")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    progress = (lambda text: print(text, end="", file=sys.stderr, flush=True)) if sys.stderr.isatty() else None
    seeds = range(arguments.seed, arguments.seed + arguments.problems)
    start = time.monotonic()
    failures, counts, longest = run(seeds, arguments.seconds, arguments.jobs, progress)
    if progress:
        progress("\r")
    for name, count in counts.most_common():
        print(f"{count:7d}  {name}")
    took = f"{time.monotonic() - start:.0f} s; the longest took {longest:.1f} s"
    print(f"{sum(counts.values())} problems in {took}", flush=True)
    for failure in failures:
        show_failure(failure)
    return 1 if judgement(failures, counts) else 0


if __name__ == "__main__":
    sys.exit(main())
