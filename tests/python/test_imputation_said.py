"""Imputed cells are reported by source and class; a warning where they are not spread evenly."""

import json

import numpy as np


def sources(n=200, seed=0):
    rng = np.random.default_rng(seed)
    table = {f"mrna_{k}": rng.normal(size=n).round(4) for k in (1, 2)}
    table |= {f"clin_{k}": rng.normal(size=n).round(4) for k in (1, 2)}
    table["age"] = rng.normal(size=n).round(4)
    return table, rng


def blank(column, rows):
    texts = [str(value) for value in column]
    for row in rows:
        texts[row] = ""
    return texts


def test_an_uneven_source_is_warned_of(spicymkl):
    table, _ = sources()
    y = np.array([0, 1] * 100)
    lacking = np.flatnonzero(y == 1)[:27]
    for name in ("mrna_1", "mrna_2"):
        table[name] = blank(table[name], lacking)
    table["age"] = blank(table["age"], [0, 1, 2, 3])
    spicymkl.table("t.csv", table, y)
    base = ["train", "t.csv", "--target", "y", "--impute", "mean"]
    done = spicymkl.run(*base, "--report", "r.html")
    assert done.returncode == 0
    said = done.stderr
    assert "58 cells imputed by mean" in said
    assert (
        "14 % of 'mrna' (class 0: 0 %, class 1: 27 %)" in said and "2 % of 'age' (class 0: 2 %, class 1: 2 %)" in said
    )
    warning = (
        "27 % of 'mrna' is missing for class 1 and 0 % for class 0: imputed values can make this source look important"
    )
    assert f"spicymkl: warning: {warning}" in said
    assert said.count("warning") == 1
    page = (spicymkl.folder / "r.html").read_text()
    assert "Missing cells by source" in page and "is missing for class 1 and 0 % for class 0" in page
    assert "is missing for class 1" in json.loads(spicymkl.ok(*base, "--json"))["data"]["warnings"][0]
    assert spicymkl.run(*base, "--quiet").stderr == ""


def test_an_even_spread_is_told_without_a_warning(spicymkl):
    table, rng = sources()
    y = np.array([0, 1] * 100)
    table["mrna_1"] = blank(table["mrna_1"], rng.choice(200, 40, replace=False))
    spicymkl.table("t.csv", table, y)
    said = spicymkl.run("train", "t.csv", "--target", "y", "--impute", "median").stderr
    assert "10 % of 'mrna'" in said and "warning" not in said


def test_groups_are_the_sources(spicymkl):
    table, _ = sources()
    y = np.array(["a", "b"] * 100)
    for name in ("mrna_1", "clin_1"):
        table[name] = blank(table[name], np.flatnonzero(y == "b")[:50])
    spicymkl.table("t.csv", table, y)
    spicymkl.write("g.json", json.dumps({"first": ["mrna_1", "clin_1"], "rest": ["mrna_2", "clin_2", "age"]}))
    said = spicymkl.run("train", "t.csv", "--target", "y", "--impute", "median", "--groups", "g.json").stderr
    assert "50 % of 'first' is missing for class b and 0 % for class a" in said and "'rest'" not in said


def test_numbers_too(spicymkl):
    table, _ = sources()
    y = np.linspace(0, 1, 200).round(4)
    table["age"] = blank(table["age"], range(150, 200))
    spicymkl.table("t.csv", table, y)
    said = spicymkl.run("train", "t.csv", "--target", "y", "--impute", "median").stderr
    assert "25 % of 'age' is missing, more often where the target is large (correlation 0.7" in said
