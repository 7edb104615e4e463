"""Attacks the readers: runs the fuzz targets two at a time and prints what came of it.

The corpus of every target grows in build-fuzz/corpus from run to run. What a reader does not bear is saved in
tests/fuzz/findings, where the ordinary tests read it again; the status is then 1.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build-fuzz" / "tests" / "fuzz" / "spicymkl_fuzz"
WORK = ROOT / "build-fuzz"
FINDINGS = Path(__file__).resolve().parent / "findings"

# What a file of a few kilobytes may take, sanitizers included.
SECONDS = 25
MEGABYTES = 2048
MEGABYTES_AT_ONCE = 1024
LONGEST_FILE = 8192


@dataclass
class Outcome:
    target: str
    executions: int = 0
    edges: int = 0
    features: int = 0
    corpus: int = 0
    memory: int = 0
    findings: list = field(default_factory=list)
    log: str = ""


def write_seeds():
    listed = subprocess.run([PROGRAM, "seeds", WORK / "seeds"], capture_output=True, text=True, check=True)
    return listed.stdout.split()


def saved(folder):
    return {path for path in folder.glob("*") if path.is_file()}


def last(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def attack(target, seconds, seed):
    corpus, findings = WORK / "corpus" / target, FINDINGS / target
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    before = saved(findings)
    command = [
        PROGRAM,
        target,
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        f"-timeout={SECONDS}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-malloc_limit_mb={MEGABYTES_AT_ONCE}",
        f"-max_len={LONGEST_FILE}",
        f"-report_slow_units={SECONDS}",
        f"-artifact_prefix={findings}/",
        f"-dict={WORK / 'seeds' / (target + '.dict')}",
        "-print_final_stats=1",
        corpus,
        WORK / "seeds" / target,
        findings,
    ]
    # One thread each: what is looked for are bad files, and threads would get in the way of the other target.
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)
    log = run.stdout + run.stderr
    (WORK / f"{target}.log").write_text(log)
    outcome = Outcome(
        target,
        executions=last(r"stat::number_of_executed_units:\s+(\d+)", log) or last(r"^#(\d+)\s", log),
        edges=last(r"cov: (\d+)", log),
        features=last(r"ft: (\d+)", log),
        corpus=len(saved(corpus)),
        memory=last(r"stat::peak_rss_mb:\s+(\d+)", log),
        findings=sorted(saved(findings) - before),
        log=log,
    )
    if run.returncode != 0 and not outcome.findings:
        outcome.findings = [WORK / f"{target}.log"]  # a finding of an earlier run, or libFuzzer itself has failed
    if not any(findings.iterdir()):
        findings.rmdir()
    return outcome


def cause(outcome):
    """The lines of the log that say what went wrong."""
    telling = re.compile(r"ERROR:|runtime error:|SUMMARY:|terminate called|what\(\)|^\s+#\d+ .*spicymkl", re.MULTILINE)
    return [line for line in outcome.log.splitlines() if telling.search(line)][:12]


def report(outcomes):
    print(f"{'target':<12} {'executions':>11} {'edges':>7} {'features':>9} {'corpus':>7} {'peak MB':>8}  findings")
    for o in outcomes:
        print(
            f"{o.target:<12} {o.executions:>11,} {o.edges:>7,} {o.features:>9,} {o.corpus:>7,} {o.memory:>8,}"
            f"  {len(o.findings) or 'none'}"
        )
    for o in outcomes:
        for path in o.findings:
            print(f"\n{o.target}: {os.path.relpath(path, ROOT)}", *cause(o), sep="\n  ")
            print(f"  again: {os.path.relpath(PROGRAM, ROOT)} {o.target} {os.path.relpath(path, ROOT)}")


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="which readers to attack (default: all)")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    parser.add_argument("--total", type=int, metavar="SECONDS", help="share this time between the targets instead")
    parser.add_argument("--seed", type=int, default=1, help="of the mutations (default: 1; 0: another one every time)")
    parser.add_argument("--jobs", type=int, default=2, help="targets at a time (default: 2)")
    chosen = parser.parse_args()
    known = write_seeds()
    unknown = set(chosen.targets) - set(known)
    if unknown:
        parser.error(f"there is no target {', '.join(sorted(unknown))}; the targets are {', '.join(known)}")
    names = chosen.targets or known
    seconds = max(1, chosen.total * chosen.jobs // len(names)) if chosen.total else chosen.seconds
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        outcomes = list(pool.map(lambda target: attack(target, seconds, chosen.seed), names))
    report(outcomes)
    return 1 if any(o.findings for o in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
