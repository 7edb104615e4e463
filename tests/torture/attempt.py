"""One problem given to the command, in a folder of its own: what it answered, and for how long it worked."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("SPICYMKL", str(ROOT / "build" / "spicymkl"))
# Seconds that a problem of this size may take; more under a sanitizer, which is some ten times as slow.
LIMIT = float(os.environ.get("SPICYMKL_TORTURE_LIMIT", "30"))


@dataclasses.dataclass
class Answer:
    status: int | None  # of the process; None where it had to be killed
    stderr: str
    seconds: float
    certificate: dict | None
    grams: np.ndarray | None = None  # of a table, as the command computes them


def save(problem, folder):
    """Writes the inputs; the words that name them."""
    if not problem.is_table:
        np.save(folder / "K.npy", problem.grams)
        np.save(folder / "y.npy", problem.labels)
        words = ["--gram", "K.npy", "--labels", "y.npy"]
        if problem.weights is not None:
            np.save(folder / "w.npy", problem.weights)
            words += ["--weights", "w.npy"]
        if problem.covariates is not None:
            np.save(folder / "C.npy", problem.covariates)
            words += ["--covariates", "C.npy"]
        return words
    columns = {f"x{j}": column for j, column in enumerate(problem.table.T)} | {"y": problem.labels}
    if problem.weights is not None:
        columns["w"] = problem.weights
    if problem.covariates is not None:
        columns |= dict(zip(covariate_names(problem), problem.covariates.T))
    rows = [",".join(columns)] + [",".join(repr(float(v)) for v in row) for row in zip(*columns.values())]
    (folder / "table.csv").write_text("\n".join(rows) + "\n")
    (folder / "kernels.json").write_text(json.dumps(problem.kernels))
    words = ["table.csv", "--target", "y", "--kernels", "kernels.json"]
    return words + ([] if problem.standardize else ["--no-standardize"])


def covariate_names(problem):
    """Their columns in the table."""
    return [] if problem.covariates is None else [f"c{j}" for j in range(problem.covariates.shape[1])]


def run(folder, *words):
    start = time.monotonic()
    try:
        done = subprocess.run([COMMAND, *words], cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False)
        return done.returncode, done.stderr, time.monotonic() - start
    except subprocess.TimeoutExpired:
        return None, "", time.monotonic() - start


def training_words(problem, inputs):
    words = [str(word) for pair in problem.options.items() for word in pair if word is not None]
    if problem.is_joint and not problem.is_table:
        words += ["--task", "classification"]
    if problem.is_table:
        words += ["--task", "classification" if problem.learns_classes else "regression"]
        words += ["--weights", "w"] if problem.weights is not None else []
        words += ["--covariates", ",".join(covariate_names(problem))] if problem.covariates is not None else []
    return ["train", *inputs, *words, "--quiet", "--threads", "1"]


def attempt(problem, folder):
    folder = pathlib.Path(folder)
    inputs = save(problem, folder)
    proof = folder / "proof.json"
    proof.unlink(missing_ok=True)
    status, stderr, seconds = run(folder, *training_words(problem, inputs), "--certificate", proof.name)
    certificate = json.loads(proof.read_text()) if proof.exists() else None
    grams = None
    if certificate and problem.is_table:
        beside = (["w"] if problem.weights is not None else []) + covariate_names(problem)
        drop = ["--drop", ",".join(beside)] if beside else []
        exported = run(folder, "kernels", *inputs, *drop, "-o", "K.npy", "--quiet", "--threads", "1")
        grams = np.load(folder / "K.npy") if exported[0] == 0 else None
    return Answer(status, stderr, seconds, certificate, grams)
