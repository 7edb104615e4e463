"""The classical wrapper methods through the command and Python, and the driver of the paper's experiments."""

import json
import pathlib

import numpy as np
import pytest

import problems
import referee
from conftest import run_bench
from spicymkl import MKLClassifier

BASELINES = ["silp", "simplemkl", "levelmkl", "hessianmkl"]


@pytest.fixture
def data():
    X, y = problems.classification(n=60)
    return problems.kernels(X), y


@pytest.mark.parametrize("solver", BASELINES)
def test_command_proves_its_answer(spicymkl, data, solver):
    K, y = data
    options = ["--loss", "hinge", "--alpha", "0.1max", "--tol", 1e-3, "--solver", solver, "--history", "h.csv"]
    certificate = spicymkl.certificate(K, y, *options, "--max-iter", 2000)
    primal, dual = referee.recompute(certificate, K, y)
    assert certificate["primal"] == pytest.approx(primal, rel=1e-9)
    assert (primal - dual) / primal <= 1e-3 * (1 + 1e-6)
    ours = spicymkl.certificate(K, y, "--loss", "hinge", "--alpha", "0.1max", "--tol", 1e-6)
    assert primal == pytest.approx(ours["primal"], rel=2e-3)
    assert len((spicymkl.folder / "h.csv").read_text().splitlines()) == certificate["iterations"] + 2


@pytest.mark.parametrize("solver", BASELINES)
def test_python_agrees_with_our_own_solver(data, solver):
    K, y = data
    arguments = {
        "kernels": "precomputed",
        "loss": "hinge",
        "alpha": "0.1max",
        "tol": 1e-3,
        "max_iter": 2000,
        "n_jobs": 1,
    }
    theirs = MKLClassifier(solver=solver, **arguments).fit(K, y)
    ours = MKLClassifier(**arguments).fit(K, y)
    assert theirs.duality_gap_ <= 1e-3
    assert theirs.primal_objective_ == pytest.approx(ours.primal_objective_, rel=2e-3)
    assert np.mean(theirs.predict(K) == ours.predict(K)) > 0.95


def test_what_they_do_not_solve_is_refused(spicymkl, data):
    inputs = ["train", *spicymkl.save(*data), "--solver", "silp", "--certificate", "c.json"]
    spicymkl.refuse([*inputs, "--loss", "logistic"], "silp", "hinge", "logistic")
    spicymkl.refuse([*inputs, "--loss", "hinge", "--penalty", "elasticnet"], "silp", "block1", "elasticnet")
    spicymkl.refuse([*inputs, "--loss", "hinge", "--no-intercept"], "silp", "intercept")
    spicymkl.refuse([*inputs, "--loss", "hinge", "--max-seconds", "-1"], "max_seconds")


@pytest.mark.parametrize("solver", ["auto", "spicy", *BASELINES])
def test_time_limit_ends_a_run_with_a_certified_model(spicymkl, data, solver):
    inputs = ["train", *spicymkl.save(*data), "--solver", solver, "--certificate", "c.json", "--alpha", "0.01max"]
    done = spicymkl.run(*inputs, "--loss", "hinge", "--max-seconds", "1e-9", "--tol", "1e-7")
    assert done.returncode == 1, done.stderr
    certificate = json.loads((spicymkl.folder / "c.json").read_text())
    assert certificate["status"] == "interrupted"
    primal, dual = referee.recompute(certificate, *data)
    assert certificate["relative_gap"] == pytest.approx((primal - dual) / primal, abs=1e-9)


def test_experiments_of_the_paper_in_miniature(tmp_path):
    def run():
        return run_bench("paper/run.py", tmp_path, "--tiny")

    results = pathlib.Path(tmp_path) / "results"
    assert "about" in run()  # how long it will take
    lines = (results / "runs.jsonl").read_text().splitlines()
    runs = [json.loads(line) for line in lines]
    assert {r["method"] for r in runs} >= {*BASELINES, "spicy_hinge", "auto_logistic", "elast05_hinge"}
    assert all(r["solved"] and r["certified_gap"] <= 0.0101 for r in runs)
    for name in ("kernels.md", "kernels.png", "samples.md", "samples.png", "paper.md"):
        assert (results / name).stat().st_size > 0
    (results / "runs.jsonl").write_text("\n".join(lines[:-3]) + "\n" + lines[-3][:20])  # killed while writing
    assert f"3 of {len(lines)}" in run()
