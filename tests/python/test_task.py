"""Classes or numbers: never guessed in silence."""

import json

import numpy as np
import pytest


def features(n, seed=0):
    return np.round(np.random.default_rng(seed).normal(size=(n, 2)), 4)


def save(spicymkl, y, name="t.csv"):
    return spicymkl.table(name, features(len(y)), y)


@pytest.mark.parametrize("y, different", [([k % 10 for k in range(80)], 10), ([1, 2, 3] * 20, 3)])
def test_few_whole_numbers_are_a_question(spicymkl, y, different):
    save(spicymkl, y)
    spicymkl.refuse(
        ["train", "t.csv", "--target", "y", "--model", "m"],
        f"column 'y': {different} different whole numbers",
        "--task classification or --task regression",
    )
    for command in ("path", "cv"):
        spicymkl.refuse([command, "t.csv", "--target", "y"], "classes or amounts?")


def test_the_answer_settles_it(spicymkl):
    save(spicymkl, [1, 2, 3] * 20)
    base = ["train", "t.csv", "--target", "y", "--json"]
    assert json.loads(spicymkl.ok(*base, "--task", "regression"))["data"]["task"] == "regression"
    classes = json.loads(spicymkl.ok(*base, "--task", "classification"))
    assert classes["data"]["classes"] == ["1", "2", "3"]
    assert json.loads(spicymkl.ok(*base, "--loss", "hinge"))["data"]["task"] == "classification"
    assert json.loads(spicymkl.ok(*base, "--loss", "huber"))["data"]["task"] == "regression"


def test_labels_of_gram_matrices_are_a_question_too(spicymkl):
    x = features(30)
    inputs = spicymkl.save((x @ x.T)[None], np.array([0.0, 1.0, 2.0] * 10))
    spicymkl.refuse(["train", *inputs], "3 different whole numbers", "--task")
    spicymkl.ok("train", *inputs, "--task", "regression")


def test_what_is_not_open_is_not_asked(spicymkl):
    for y in (np.round(np.linspace(0, 3, 40), 2), np.arange(40), ["a", "b"] * 20, [0, 1] * 20):
        save(spicymkl, y)
        spicymkl.ok("train", "t.csv", "--target", "y")


@pytest.mark.parametrize(
    "y, said",
    [
        ([0, 1] * 20, ["2 classes, 0 and 1 (positive: 1)", "--task regression would take numbers"]),
        (["no", "yes"] * 20, ["2 classes, no and yes (positive: yes)"]),
        (
            ["a", "b", "c", "d"] * 10,
            ["4 classes, a, b, c, d (all at once; --multi-class ovr would take each against the rest)"],
        ),
        (np.linspace(0.5, 9.5, 40), ["numbers from 0.5 to 9.5", "--task classification would take classes"]),
    ],
)
def test_what_was_assumed_is_said_in_one_line(spicymkl, y, said):
    save(spicymkl, y)
    done = spicymkl.run("train", "t.csv", "--target", "y", "--report", "r.html")
    assert done.returncode == 0
    line = done.stderr.splitlines()[0]
    page = (spicymkl.folder / "r.html").read_text()
    for words in ["t.csv: 40 rows, 2 columns", "target 'y'", *said]:
        assert words in line
    assert said[0] in page
    assert ("--task" in line) == (len(said) > 1)
    for flag in ("--quiet", "--json"):
        assert spicymkl.run("train", "t.csv", "--target", "y", flag).stderr == ""


@pytest.mark.parametrize("task, loss", [("regression", "logistic"), ("classification", "squared")])
def test_a_contradiction_is_refused_by_name(spicymkl, task, loss):
    save(spicymkl, [0, 1] * 20)
    spicymkl.refuse(["train", "t.csv", "--target", "y", "--task", task, "--loss", loss], loss, task)


def test_an_unknown_task_is_refused(spicymkl):
    save(spicymkl, [0, 1] * 20)
    spicymkl.refuse(["train", "t.csv", "--target", "y", "--task", "clustering"], "clustering")


def test_a_loss_alone_does_not_make_hundreds_of_classes(spicymkl):
    save(spicymkl, [25.0 + k % 214 for k in range(442)])
    base = ["train", "t.csv", "--target", "y", "--loss", "logistic"]
    spicymkl.refuse(base, "214 different numbers", "--task classification")


@pytest.mark.parametrize("names", [("False", "True"), ("0.0", "1.0"), ("1", "2")])
def test_classes_have_the_names_of_the_file(spicymkl, names):
    save(spicymkl, list(names) * 20)
    spicymkl.ok("train", "t.csv", "--target", "y", "--model", "m")
    assert set(spicymkl.predictions("m", "t.csv")["prediction"]) <= set(names)
    assert json.loads(spicymkl.ok("inspect", "m", "--json"))["classes"] == list(names)
