"""The classical wrapper methods through the command and Python, and the driver of the paper's experiments."""

import json

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


def test_quick_version_of_the_experiments_of_the_paper(spicymkl):
    (spicymkl.folder / "data").mkdir()
    for name, columns in (("liver", 2), ("wpbc", 3)):  # small ones of these names; ringnorm is generated
        spicymkl.table(f"data/{name}.csv", *problems.classification(n=50, columns=columns))

    def run():
        return run_bench("paper/run.py", spicymkl.folder, "--quick", "--data", "data")

    results = spicymkl.folder / "results"
    assert "about" in run()  # how long it will take
    lines = (results / "runs.jsonl").read_text().splitlines()
    runs = [json.loads(line) for line in lines]
    assert {r["experiment"] for r in runs} == {"uci", "evolution", "kernels", "samples"}
    assert {r["method"] for r in runs} >= {*BASELINES, "spicy_hinge", "auto_logistic", "elast05_hinge"}
    for r in runs:
        assert r["solved"] or (r["experiment"], r["method"]) == ("evolution", "silp"), r["key"]
        assert r["certified_gap"] <= 0.0101, r["key"]
    tables = ("setting", "claims", "uci_times", "uci_accuracy", "iterations", "proofs", "kernels", "samples", "paper")
    for name in [*(f"{table}.md" for table in tables), "uci.png", "evolution.png", "kernels.png", "samples.png"]:
        assert (results / name).stat().st_size > 0
    (results / "runs.jsonl").write_text("\n".join(lines[:-3]) + "\n" + lines[-3][:20])  # killed while writing
    assert f"3 of {len(lines)}" in run()
