"""The benchmark of the standard workloads, in small."""

import json

from conftest import run_bench


def test_standard_workloads_in_small(tmp_path):
    parts = ["limits", "wrappers", "kernels", "path", "other_programs", "wide_tables", "group_lasso"]
    parts += ["several_outputs"]
    run_bench("standard.py", tmp_path, "--quick", "--repeats", "1", "--only", *parts)
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    assert results["machine"]["threads"] >= 1
    rows = results["rows"]
    assert list(rows) == parts
    for row in rows["limits"] + rows["wrappers"] + rows["kernels"]:
        assert row["status"] == "converged"
        assert row["relative_gap"] <= row["tol"]
    assert {row["solver"] for row in rows["wrappers"]} == {"auto", "silp", "simplemkl", "levelmkl", "hessianmkl"}
    assert {row["penalty"] for row in rows["kernels"]} == {"block1", "elasticnet", "blockq"}
    assert all(row["n_converged"] == 50 for row in rows["path"])
    ours, svc, *_ = rows["other_programs"]
    assert ours["gap"] <= 0.01 < svc["gap"]  # the referee, not the solver: the uniform sum is another model
    (wide,) = rows["wide_tables"]
    assert 0 < wide["seconds_kernels"] + wide["seconds_reading"] < wide["seconds_from_file"]
    for row in rows["group_lasso"]:  # none where celer is not installed
        assert abs(row["objective"] - 1) < 3e-3
    several = [(row["kind"], row["outputs"]) for row in rows["several_outputs"]]
    assert several == [("classes", 2), ("classes", 3), ("targets", 1), ("targets", 3), ("survival", 1)]
    text = (tmp_path / "results" / "standard.md").read_text()
    assert "M=500, N=200, block1, hinge" in text
    assert (tmp_path / "results" / "growth.png").stat().st_size > 0


def test_missing_views_in_small(tmp_path):
    run_bench("views.py", tmp_path, "--repeats", "1", "--shares", "0.2", "-n", "80")
    table = (tmp_path / "results" / "views.md").read_text().splitlines()
    assert table[2].startswith("| 20 % | ") and table[2].count("|") == 9


def test_splits_in_small(tmp_path):
    run_bench("splits.py", tmp_path, "--samples", "60", "--groups", "6", "--width", "5", command=False)
    table = (tmp_path / "results" / "splits.md").read_text().splitlines()
    assert [line.split(",")[1].split()[0] for line in table[2:5]] == ["logistic", "hinge", "squared"]
