"""Kernel lists and groups that nest without end, repeat a key or hold an endless entry: one short sentence each."""

import pytest

import problems

DEEP = 200_000


@pytest.fixture
def table(spicymkl):
    X, y = problems.classification(n=20)
    return spicymkl.table("d.csv", X, y)


def refused(spicymkl, arguments, *words):
    spicymkl.refuse(arguments, *words)
    assert len(spicymkl.run(*arguments).stderr) < 600


@pytest.mark.parametrize("levels", [150, 50_000, DEEP])
@pytest.mark.parametrize("opening,closing", [("[", "]"), ('{"a":', "}")])
def test_nesting(spicymkl, table, levels, opening, closing):
    deep = opening * levels + "1" + closing * levels
    train = ["train", table, "--target", "y"]
    spicymkl.write("k.json", '[{"type": "gaussian", "width": ' + deep + "}]")
    refused(spicymkl, [*train, "--kernels", "k.json"], "k.json", "levels")
    spicymkl.write("k.json", deep)
    refused(spicymkl, [*train, "--kernels", "k.json"], "k.json", "levels")
    spicymkl.write("g.json", '{"a": ' + deep + "}")
    refused(spicymkl, [*train, "--groups", "g.json"], "g.json", "levels")


def test_endless_entries_are_cut_in_the_message(spicymkl, table):
    train = ["train", table, "--target", "y", "--kernels", "k.json"]
    long = '"' + "x" * 100_000 + '"'
    for text in (f'[{{"type": "gaussian", "width": {long}}}]', f"[{long}]", f'[{{"type": 1, "name": {long}}}]'):
        spicymkl.write("k.json", text)
        refused(spicymkl, train, "xxx…" if "type" not in text or "width" in text else "type")
    spicymkl.write("k.json", "[" + "x" * 100_000)
    refused(spicymkl, train, "not JSON")


def test_keys_that_occur_twice(spicymkl, table):
    train = ["train", table, "--target", "y"]
    spicymkl.write("k.json", '[{"type": "gaussian", "width": 1, "width": 2}]')
    refused(spicymkl, [*train, "--kernels", "k.json"], "width", "twice")
    refused(spicymkl, [*train, "--groups", '{"a": "x1", "a": "x2"}'], '"a"', "twice")
    spicymkl.write("k.json", '[{"type": "gaussian", "width": 1}, {"type": "gaussian", "width": 2}]')
    spicymkl.ok(*train, "--kernels", "k.json", "--quiet")
