"""A study of several tables: what the command finds does not depend on the order of rows, and is what Python finds."""

import json

import numpy as np
import pandas as pd
import pytest

from spicymkl import MKLClassifier, MKLStudy

SMALL = {"repeats": 1, "outer": 3, "inner": 2, "stability": 2, "permutations": 2}
OPTIONS = [text for name, value in SMALL.items() for text in (f"--{name}", value)]
LINE = ["--id", "who", "--target", "y", "--missing-view", "zero", "--n-alphas", 4, "--seed", 3, *OPTIONS]


@pytest.fixture
def tables():
    rng = np.random.default_rng(0)
    ids = [f"p {i:02}" for i in range(48)]
    sign = np.where(rng.random(48) < 0.5, 1.0, -1.0)
    rna = pd.DataFrame(rng.normal(size=(48, 2)) + sign[:, None], columns=["g1", "g2"], index=ids)
    atac = pd.DataFrame(rng.normal(size=(48, 2)), columns=["g1", "peak"], index=ids).iloc[5:]
    y = pd.Series(np.where(sign > 0, "case", "control"), index=ids, name="y")
    site = pd.Series([f"site {k % 8}" for k in range(48)], index=ids, name="site")
    return rna, atac, y, site


def write(spicymkl, rna, atac, y, site, folder):
    (spicymkl.folder / folder).mkdir()
    for name, table in (("rna", rna), ("atac", atac), ("labels", pd.concat([y, site], axis=1))):
        table.to_csv(spicymkl.folder / folder / f"{name}.csv", index_label="who")
    return [f"{folder}/{name}.csv" for name in ("rna", "atac", "labels")]


def study(spicymkl, files, out, *options):
    return json.loads(spicymkl.ok("study", *files, *LINE, *options, "-o", out, "--json"))


@pytest.mark.parametrize("options", [["--drop", "site"], ["--group", "site"]])
def test_rows_may_have_any_order(spicymkl, tables, options):
    found = study(spicymkl, write(spicymkl, *tables, "a"), "one", *options)
    assert {source["name"] for source in found["sources"]} == {"rna", "atac"}
    assert sorted(pd.read_csv(spicymkl.folder / "one/predictions.csv")["id"]) == sorted(tables[0].index)
    mixed = [table.sample(frac=1, random_state=k) for k, table in enumerate(tables)]
    again = study(spicymkl, write(spicymkl, *mixed, "b"), "two", *options)
    assert {**again, "data": found["data"]} == found
    for name in ("scores.csv", "predictions.csv", "sources.csv", "stability.csv"):
        assert (spicymkl.folder / "one" / name).read_bytes() == (spicymkl.folder / "two" / name).read_bytes()


def test_samples_that_a_table_lacks_make_another_study(spicymkl, tables):
    atac = tables[1]
    files = write(spicymkl, *tables, "a")
    study(spicymkl, files, "one", "--drop", "site")
    atac.iloc[1:].to_csv(spicymkl.folder / "a/atac.csv", index_label="who")
    spicymkl.refuse(["study", *files, *LINE, "--drop", "site", "-o", "one"], "the data")


def test_a_group_is_in_one_table(spicymkl, tables):
    rna, atac, y, site = tables
    files = write(spicymkl, rna.join(site), atac, y, site, "a")
    line = ["study", *files, *LINE, "-o", "one", "--group"]
    spicymkl.refuse([*line, "site"], "--group rna:site")
    spicymkl.refuse([*line, "sit"], "no table has such a column")


def test_python_finds_the_same(spicymkl, tables):
    rna, atac, y, site = tables
    found = study(spicymkl, write(spicymkl, *tables, "a"), "one", "--group", "site", "--alpha-ratio", 1e-3)
    estimator = MKLClassifier(missing_view="zero")
    ours = MKLStudy(estimator, **SMALL, alphas=4, random_state=3)
    ours.fit({"rna": rna, "atac": atac}, y, groups=site)
    assert ours.p_value_ == found["p_value"]
    assert ours.results_["scores"] == found["scores"]
    assert ours.results_["sources"] == found["sources"]
    pd.testing.assert_frame_equal(ours.predictions_, pd.read_csv(spicymkl.folder / "one/predictions.csv"))
    with pytest.raises(ValueError, match="groups has 3 values"):
        ours.fit({"rna": rna, "atac": atac}, y, groups=["a", "b", "c"])
