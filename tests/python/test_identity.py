"""Rows have names: they are kept in what is written and never learned from."""

import csv
import json

import numpy as np
import pytest


def columns(n=40, seed=0):
    x = np.round(np.random.default_rng(seed).normal(size=(n, 2)), 4)
    y = np.where(x[:, 0] + x[:, 1] > 0, "yes", "no")
    return {"patient": [f"P{k:03}" for k in range(n)], "a": x[:, 0], "b": x[:, 1], "y": y}


def model_columns(spicymkl, name="m"):
    return json.loads(spicymkl.ok("inspect", name, "--json"))["table"]["columns"]


def test_predictions_and_contributions_begin_with_the_id(spicymkl):
    spicymkl.table("t.csv", columns())
    spicymkl.ok("train", "t.csv", "--target", "y", "--id", "patient", "--model", "m")
    assert model_columns(spicymkl) == ["a", "b"]
    new = columns(10, seed=1)
    spicymkl.table("new.csv", new)
    for options in ([], ["--contributions"], ["--id", "patient"]):
        answer = spicymkl.predictions("m", "new.csv", *options)
        assert list(answer)[:2] == ["patient", "prediction"]
        assert answer["patient"] == new["patient"]
    del new["patient"]
    spicymkl.table("without.csv", new)
    assert next(iter(spicymkl.predictions("m", "without.csv"))) == "prediction"
    spicymkl.refuse(["predict", "m", "without.csv", "--id", "a"], "'a'", "one role")


def test_a_model_without_an_id_can_name_its_predictions(spicymkl):
    spicymkl.table("t.csv", columns())
    spicymkl.ok("train", "t.csv", "--target", "y", "--drop", "patient", "--model", "m")
    assert next(iter(spicymkl.predictions("m", "t.csv"))) == "prediction"
    assert spicymkl.predictions("m", "t.csv", "--id", "patient")["patient"][:2] == ["P000", "P001"]


def test_fold_assignments_have_the_id(spicymkl):
    names = columns()
    spicymkl.table("t.csv", names)
    spicymkl.ok("cv", "t.csv", "--target", "y", "--id", "patient", "--folds", "4", "--folds-csv", "folds.csv")
    rows = list(csv.DictReader((spicymkl.folder / "folds.csv").open()))
    assert [row["patient"] for row in rows] == names["patient"]
    counts = np.bincount([int(row["fold"]) for row in rows])
    assert counts[0] == 0 and len(counts) == 5 and counts[1:].min() >= 9


def test_the_id_is_known_to_every_command(spicymkl):
    spicymkl.table("t.csv", columns())
    base = ["t.csv", "--target", "y", "--id", "patient"]
    spicymkl.ok("train", *base, "--model", "m")
    spicymkl.ok("path", *base)
    assert "patient" not in spicymkl.ok("kernels", *base, "--list")
    spicymkl.ok("evaluate", "m", "t.csv", "--id", "patient")
    spicymkl.ok("verify", "m", "t.csv", "--id", "patient")
    spicymkl.refuse(["train", "t.csv", "--target", "y", "--drop", "patient", "--id", "y"], "'y'", "one role")
    spicymkl.refuse(["train", "t.csv", "--target", "y", "--drop", "patient", "--id", "nobody"], "nobody")


def test_a_column_that_looks_like_an_id_is_said(spicymkl):
    table = columns()
    table["patient"] = np.random.default_rng(3).permutation(len(table["y"])) + 100
    for name in ("patient_id", "sampleID", "ID"):
        spicymkl.table("t.csv", {name: table["patient"], **{k: v for k, v in table.items() if k != "patient"}})
        done = spicymkl.run("train", "t.csv", "--target", "y", "--report", "r.html")
        assert f"column '{name}' looks like the identity of the rows" in done.stderr and "--id" in done.stderr
        assert "looks like the identity" in (spicymkl.folder / "r.html").read_text()
    spicymkl.table("t.csv", {"humid": table["patient"], "a": table["a"], "y": table["y"]})
    assert "identity" not in spicymkl.run("train", "t.csv", "--target", "y").stderr
    spicymkl.table("t.csv", columns())
    done = spicymkl.run("train", "t.csv", "--target", "y", "--categorical", "patient")
    assert "column 'patient' looks like the identity" in done.stderr
    spicymkl.refuse(["train", "t.csv", "--target", "y"], "column 'patient'", "P000")


@pytest.mark.parametrize("header, first", [("", 0), ("", 1), ("Unnamed: 0", 0)])
def test_a_row_index_is_not_learned_from(spicymkl, header, first):
    table = columns()
    table.pop("patient")
    indexed = {header: np.arange(first, first + 40), **table}
    spicymkl.table("t.csv", indexed)
    done = spicymkl.run("train", "t.csv", "--target", "y", "--model", "m")
    assert done.returncode == 0 and "the unnamed first column numbers the rows and is not used" in done.stderr
    assert model_columns(spicymkl) == ["a", "b"]
    spicymkl.ok("predict", "m", "t.csv")
    spicymkl.ok("verify", "m", "t.csv")
    assert "x0" not in spicymkl.ok("kernels", "t.csv", "--target", "y", "--list")


def test_an_unnamed_column_of_measurements_stays(spicymkl):
    table = columns()
    table.pop("patient")
    spicymkl.table("t.csv", {"": np.arange(40) * 2.5, **table})
    spicymkl.ok("train", "t.csv", "--target", "y", "--model", "m")
    assert model_columns(spicymkl) == ["x0", "a", "b"]


def test_an_unnamed_column_does_not_take_the_name_of_another(spicymkl):
    table = columns()
    spicymkl.table("t.csv", {"": np.arange(40) * 2.5, "x0": table["a"], "y": table["y"]})
    spicymkl.ok("train", "t.csv", "--target", "y", "--model", "m")
    assert model_columns(spicymkl) == ["unnamed_0", "x0"]


def test_messages_name_the_row(spicymkl):
    table = columns()
    table["a"] = [str(value) for value in table["a"]]
    table["a"][4] = ""
    spicymkl.table("t.csv", table)
    spicymkl.refuse(["train", "t.csv", "--target", "y", "--id", "patient"], "line 6", "P004", "--impute")
