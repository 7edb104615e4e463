"""The plan of a training, a path or a cross-validation, seen before it (`--explain`) and after it (`stages`)."""

import json
import re

import numpy as np
import pytest

import problems


@pytest.fixture
def table(spicymkl):
    X, y = problems.classification(n=480)
    spicymkl.table("t.csv", X[:, :3], np.where(y > 0, "up", "down"))
    return spicymkl


def test_explain_prints_the_plan_and_trains_nothing(table):
    before = table.contents()
    command = ["train", "t.csv", "--target", "y", "--loss", "hinge", "--model", "m.safetensors", "--report", "r.html"]
    printed = table.ok(*command, "--explain")
    assert table.contents() == before
    assert "480 rows" in printed and "about" in printed
    for stage in ("computing the kernels", "a start from part of the samples", "Newton's method on the kernel weights"):
        assert re.search(rf"{stage} +about \d", printed), printed
    assert "where that gets stuck: the proximal loop" in printed


def test_explain_in_json(table):
    explained = json.loads(table.ok("train", "t.csv", "--target", "y", "--explain", "--json"))
    assert explained["n_samples"] == 480 and explained["estimate"]["bytes"] > 1e6
    assert explained["plan"] == {
        "part_of_samples": True,
        "part_of_kernels": False,
        "working_set": False,
        "methods": ["spicy"],
    }
    seconds = [stage["seconds"] for stage in explained["stages"]]
    assert min(seconds) > 0
    assert sum(seconds) + explained["seconds_kernels"] == pytest.approx(explained["estimate"]["seconds"])
    spicy = json.loads(table.ok("train", "t.csv", "--target", "y", "--explain", "--json", "--solver", "spicy"))
    assert [stage["name"] for stage in spicy["stages"]] == ["spicy"]


def test_explain_of_precomputed_kernels_and_of_a_wrapper_method(spicymkl):
    X, y = problems.classification(n=40)
    spicymkl.save(problems.kernels(X), y)
    kernels = ["--gram", "K.npy", "--labels", "y.npy", "--loss", "hinge", "--explain"]
    assert "the proximal loop" in spicymkl.ok("train", *kernels)
    wrapper = json.loads(spicymkl.ok("train", *kernels, "--solver", "simplemkl", "--json"))
    assert [stage["name"] for stage in wrapper["stages"]] == ["spicy", "simplemkl"]


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("path", ["--n-alphas", 7, "-o", "p.csv", "--picture", "p.svg"], "the times are of 7 points"),
        (
            "cv",
            ["--n-alphas", 4, "--folds", 3, "-o", "c.csv"],
            "of 12 points on each of 3 folds, and of a fit on all rows",
        ),
    ],
)
def test_explain_of_a_path_and_of_a_cross_validation(table, command, options, words):
    before = table.contents()
    printed = table.ok(command, "t.csv", "--target", "y", *options, "--explain")
    assert table.contents() == before
    assert "480 rows" in printed and words in printed
    whole = json.loads(table.ok(command, "t.csv", "--target", "y", *options, "--explain", "--json"))
    one = json.loads(table.ok("train", "t.csv", "--target", "y", "--explain", "--json"))
    assert whole["stages"] and whole["estimate"]["seconds"] > one["estimate"]["seconds"]


def test_explain_of_several_fits_speaks_of_no_classes(table):
    printed = table.ok("train", "t.csv", "--target", "x1", "x2", "--drop", "y", "--multi-output", "each", "--explain")
    assert "the times are of all 2 fits together" in printed and "class" not in printed


def test_explain_refuses_what_training_would(table):
    table.refuse(["train", "t.csv", "--target", "z", "--explain"], "z")
    table.refuse(["train", "t.csv", "--target", "y", "--loss", "logistic", "--solver", "silp", "--explain"], "silp")


def test_stages_that_ran_are_reported(table):
    command = ["train", "t.csv", "--target", "y", "--loss", "hinge"]
    summary = json.loads(table.ok(*command, "--json", "--model", "m.safetensors"))
    stages = summary["stages"]
    assert [stage["name"] for stage in stages][:2] == ["part_of_samples", "weights"]
    assert sum(stage["seconds"] for stage in stages) == pytest.approx(summary["seconds"], rel=0.2, abs=0.01)
    assert sum(stage["newton_steps"] for stage in stages[1:]) == summary["newton_steps"]
    phrase = "a start from part of the samples, Newton's method on the kernel weights"
    assert f"solved by {phrase}" in table.ok(*command)
    assert json.loads(table.ok("inspect", "m.safetensors", "--json"))["fits"][0]["stages"] == stages
    table.ok(*command, "--quiet", "--report", "r.html")
    page = (table.folder / "r.html").read_text()
    assert "Solved by" in page and "a start from part of the samples" in page
