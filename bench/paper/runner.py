"""Runs the command, one line of JSON per run, so that a stopped series resumes where it stopped."""

import csv
import json
import os
import subprocess
import time

from data import Kernels
from methods import METHODS

KEPT_POINTS = 400  # of a convergence curve
LEAST_SHARE = 0.1  # of a processor: a run with less was stopped in between, and its time says nothing
MOST_TRIES = 5


class Journal:
    """The runs done so far."""

    def __init__(self, path):
        self.path = path
        self.entries = {}
        if path.exists():
            for line in path.read_text().splitlines():
                try:
                    entry = json.loads(line)
                except json.JSONDecodeError:  # the line that was being written when the series was stopped
                    continue
                self.entries[entry["key"]] = entry

    def add(self, entry):
        self.entries[entry["key"]] = entry
        with open(self.path, "a") as lines:
            lines.write(json.dumps(entry) + "\n")


class Runner:
    """Keeps the kernels of the last run, which the next one mostly shares."""

    def __init__(self, source, command, cap):
        self.source, self.command, self.cap = source, command, cap
        self._kernels, self._problem = None, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._kernels is not None:
            self._kernels.close()

    def kernels(self, run):
        if run.problem != self._problem:
            if self._kernels is not None:
                self._kernels.close()
            self._kernels = Kernels(self.source, run.problem, with_test=run.experiment == "uci")
            self._problem = run.problem
        return self._kernels

    def run(self, run):
        """Everything that the tables and figures need to know of a run."""
        kernels = self.kernels(run)
        outputs = {name: kernels.path(name) for name in ("certificate.json", "history.csv")}
        for _ in range(MOST_TRIES):
            share = self._train(run, kernels, outputs)
            if share >= LEAST_SHARE:
                break
        with open(outputs["certificate.json"]) as file:
            certificate = json.load(file)
        with open(outputs["history.csv"], newline="") as file:
            history = [{k: float(v) for k, v in row.items() if v != ""} for row in csv.DictReader(file)]
        if certificate["status"] == "interrupted" and self.elapsed < 0.9 * self.cap:
            raise RuntimeError(f"{run.key}: the command was stopped from outside before its time was up")
        entry = _identity(run) | _outcome(run, certificate, history)
        entry |= {"n_kernels": kernels.n_kernels, "n_samples": len(kernels.y), "cpu_share": share, "cap": self.cap}
        entry["accuracy"] = kernels.accuracy(certificate)
        if run.experiment == "evolution":
            entry["curve"] = _thin([[r["seconds"], r["gap"], r["n_active"]] for r in history])
        return entry

    def capped(self, run):
        """The entry of a run that is not made, because a smaller one took all the time it may take."""
        n_kernels, n_samples = run.problem.sizes
        sizes = {"n_kernels": n_kernels, "n_samples": n_samples}
        outcome = {"solved": False, "skipped": True, "seconds": self.cap, "cap": self.cap, "cpu_share": 1}
        return _identity(run) | sizes | outcome

    def _train(self, run, kernels, outputs):
        """Trains; returns the share of a processor that the process had, 1 on an idle machine."""
        arguments = ["--gram", kernels.path("K.npy"), "--labels", kernels.path("y.npy"), "--alpha", str(run.alpha)]
        arguments += ["--tol", str(run.tol), *METHODS[run.method].options, "--threads", "1", "--max-iter", "1000000"]
        arguments += ["--max-seconds", str(self.cap), "--quiet"]
        arguments += ["--certificate", outputs["certificate.json"], "--history", outputs["history.csv"]]
        start = time.monotonic()
        process = subprocess.Popen([self.command, "train", *arguments], stderr=subprocess.PIPE, text=True)
        try:
            message = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:  # the series is being stopped, and its runs with it
            process.kill()
            raise
        self.elapsed = time.monotonic() - start  # the limit is one for the whole command
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            raise RuntimeError(f"{run.key}: the command ended with status {process.returncode}: {message.strip()}")
        return min(1.0, (usage.ru_utime + usage.ru_stime) / (time.monotonic() - start))


def _identity(run):
    p = run.problem
    fields = {"key": run.key, "experiment": run.experiment, "data": p.data, "kernels": p.kernels, "split": p.split}
    return fields | {"alpha": run.alpha, "method": run.method, "tol": run.tol}


def _outcome(run, certificate, history):
    """A wrapper method is done when its own gap, as the paper computes it, meets the tolerance, or when the proof of the
    model does: whichever comes first."""
    done = next((k for k, record in enumerate(history) if record["gap"] <= run.tol), None)
    proved = certificate["status"] == "converged"
    wrapper = METHODS[run.method].wrapper
    last = history[done] if wrapper and done is not None else history[-1]
    seconds = last["seconds"] if wrapper and done is not None else certificate["seconds"]
    upto = history[: history.index(last) + 1]
    return {
        "solved": proved or (wrapper and done is not None),
        "seconds": seconds,
        "iterations": int(last["iteration"]),
        "steps": int(sum(record["newton_steps"] for record in upto)),
        "gap": last["gap"],
        "active": int(last["n_active"]) if wrapper else len(certificate["kernels"]),
        "proved": proved,
        "proved_seconds": certificate["seconds"],
        "certified_gap": certificate["relative_gap"],
        "primal": certificate["primal"],
        "status": certificate["status"],
    }


def _thin(points):
    """At most KEPT_POINTS of them, evenly, with the last."""
    step = max(1, len(points) // KEPT_POINTS)
    return points[::step] + ([points[-1]] if (len(points) - 1) % step else [])
