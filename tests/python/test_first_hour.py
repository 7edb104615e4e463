"""What surprised a stranger in the first hour with the command."""

import os
import subprocess

import numpy as np
import pytest

import problems
from conftest import COMMAND


@pytest.fixture
def table(spicymkl):
    X, y = problems.classification(n=40)
    return spicymkl.table("t.csv", X[:, :3], np.where(y > 0, "well", "sick"))


def test_a_log_that_cannot_be_written_costs_no_model(spicymkl, table):
    with open("/dev/full", "w") as full:
        line = [COMMAND, "train", table, "--target", "y", "--model", "m.safetensors"]
        done = subprocess.run(line, cwd=spicymkl.folder, stdout=subprocess.DEVNULL, stderr=full, check=False)
        wrong = subprocess.run([COMMAND, "trian"], stderr=full, check=False)
    assert done.returncode == 0 and wrong.returncode == 2
    spicymkl.ok("inspect", "m.safetensors")


def test_outputs_through_a_link_to_nothing(spicymkl, table):
    os.symlink("z", spicymkl.folder / "link")
    spicymkl.refuse(["train", table, "--target", "y", "--model", "link", "--report", "z"], "same file", "--model")
    os.symlink("a", spicymkl.folder / "b")
    os.symlink("b", spicymkl.folder / "a")
    spicymkl.refuse(["train", table, "--target", "y", "--model", "a"], "link")


@pytest.mark.parametrize("option", ["--model", "--report", "--id", "--weights", "--groups", "--target"])
def test_empty_values(spicymkl, table, option):
    target = [] if option == "--target" else ["--target", "y"]
    spicymkl.refuse(["train", table, *target, option, ""], option, "empty")


def test_a_shuffled_index_is_no_feature(spicymkl):
    X, y = problems.classification(n=40)
    index = np.random.default_rng(0).permutation(80)[:40]
    spicymkl.table("shuffled.csv", {"": index, "a": X[:, 0], "b": X[:, 1]}, y)
    done = spicymkl.run("train", "shuffled.csv", "--target", "y")
    assert done.returncode == 0 and "numbers the rows and is not used" in done.stderr
    assert "x0" not in done.stdout


def test_a_table_model_takes_no_gram_matrices(spicymkl, table):
    spicymkl.ok("train", table, "--target", "y", "--model", "m.safetensors")
    np.save(spicymkl.folder / "K.npy", np.ones((3, 5, 40)))
    spicymkl.refuse(["predict", "m.safetensors", "--gram", "K.npy"], "trained on a table", "--gram")


def test_labels_of_two_columns(spicymkl):
    X, y = problems.classification(n=20)
    inputs = spicymkl.save(problems.kernels(X), y)
    spicymkl.write("two.csv", "\n".join(f"s{i},{'a' if v > 0 else 'b'}" for i, v in enumerate(y)) + "\n")
    spicymkl.refuse(["train", *inputs[:2], "--labels", "two.csv"], "two.csv", "line 1", "one label per line")


def test_too_many_classes_name_the_option(spicymkl):
    X, _ = problems.classification(n=40)
    spicymkl.table("n.csv", X[:, :2], X[:, 2])
    spicymkl.refuse(["train", "n.csv", "--target", "y", "--task", "classification"], "--task regression")
