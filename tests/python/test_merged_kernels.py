"""Kernels of a list that are the same are merged, and it is said."""

import json

import numpy as np
import pytest

TARGET = ["--target", "y", "--categorical", "colour"]


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["size,weight,colour,y"]
    for i in range(60):
        size = rng.normal()
        lines.append(
            f"{size:.4f},{rng.normal():.4f},{['red', 'green', 'blue'][i % 3]},{'yes' if size + (i % 3 == 0) > 0.5 else 'no'}"
        )
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_one_categorical_column_has_one_overlap_kernel(spicymkl, table, tmp_path):
    page = tmp_path / "r.html"
    run = spicymkl.run("train", table, *TARGET, "--report", page)
    assert run.returncode == 0, run.stderr
    said = "2 kernels are the same and were merged: 'overlap on colour', 'overlap on all'"
    assert run.stderr.count(said) == 1
    assert "overlap on all" in page.read_text()
    names = spicymkl.run("kernels", table, *TARGET, "--list").stdout.splitlines()
    assert sum(name.startswith("overlap") for name in names) == 1


def test_quiet_and_json_say_nothing(spicymkl, table):
    for option in ("--quiet", "--json"):
        assert spicymkl.run("train", table, *TARGET, option).stderr == ""


def test_cv_and_path_say_it_once(spicymkl, table):
    for command in ("cv", "path"):
        assert spicymkl.run(command, table, *TARGET).stderr.count("were merged") == 1


def test_lists_of_the_user(spicymkl, table, tmp_path):
    specs = tmp_path / "k.json"
    specs.write_text(
        json.dumps(
            [
                {"type": "gaussian", "width": 1, "columns": "size", "name": "mine"},
                {"type": "gaussian", "width": 1, "columns": ["size"], "name": "again"},
                {"type": "gaussian", "width": 2, "columns": "size"},
            ]
        )
    )
    run = spicymkl.run("train", table, *TARGET, "--kernels", specs)
    assert run.returncode == 0, run.stderr
    assert "2 kernels are the same and were merged: 'mine', 'again'" in run.stderr
    assert "2 kernels" in run.stdout
