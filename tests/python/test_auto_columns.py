"""`auto` on tables with many columns: kernels on single columns stay as far as the budget goes, and what is done is said."""

import json

import numpy as np
import pytest


def write_table(path, X, y):
    names = [f"x{j}" for j in range(X.shape[1])]
    with open(path, "w") as file:
        file.write(",".join([*names, "y"]) + "\n")
        file.writelines(",".join(f"{value:.5f}" for value in row) + f",{label}\n" for row, label in zip(X, y))


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """5,000 columns, of which two matter."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5000))
    y = np.where(X[:, 123] + X[:, 4567] + 0.2 * rng.normal(size=200) > 0, "yes", "no")
    path = tmp_path_factory.mktemp("wide") / "wide.csv"
    write_table(path, X, y)
    return path


def test_two_of_5000_columns_are_found(spicymkl, wide, tmp_path):
    model = tmp_path / "m.safetensors"
    run = spicymkl.run(
        "train", wide, "--target", "y", "--alpha", "0.3max", "--model", model, "--report", tmp_path / "r.html", "--json"
    )
    assert run.returncode == 0, run.stderr
    summary = json.loads(run.stdout)
    assert summary["n_kernels"] > 10000
    heaviest = [kernel["name"] for kernel in summary["kernels"][:4]]
    assert any(name.endswith(" on x4567") for name in heaviest), heaviest
    assert any(name.endswith(" on x123") for name in heaviest), heaviest
    assert summary["seconds"] + summary["seconds_input"] < 60
    # What is written stays small: only the active kernels are in the model and on the page.
    assert model.stat().st_size < 10e6
    assert (tmp_path / "r.html").stat().st_size < 10e6
    inspected = spicymkl.run("inspect", model, "--json")
    assert json.loads(inspected.stdout)["n_kernels"] == summary["n_kernels"]


def test_201_columns_have_kernels_of_their_own(spicymkl, tmp_path):
    rng = np.random.default_rng(1)
    write_table(tmp_path / "t.csv", rng.normal(size=(20, 201)), rng.integers(0, 2, 20))
    run = spicymkl.run("kernels", tmp_path / "t.csv", "--target", "y", "--list")
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == 2 * 201 + 7
    assert "auto" not in run.stderr


def test_named_sources_keep_single_columns_out(spicymkl, tmp_path):
    rng = np.random.default_rng(2)
    write_table(tmp_path / "t.csv", rng.normal(size=(20, 6)), rng.integers(0, 2, 20))
    (tmp_path / "g.json").write_text(json.dumps({"a": ["x0", "x1", "x2"], "b": ["x3", "x4", "x5"]}))
    run = spicymkl.run("kernels", tmp_path / "t.csv", "--target", "y", "--groups", tmp_path / "g.json", "--list")
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == 3 * 7
    assert run.stderr == ""
