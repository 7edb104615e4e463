"""The path command: every row of its CSV is an optimum, and its picture can be looked at."""

import csv
import json
from xml.etree import ElementTree

import numpy as np
import pytest

import problems
import tables


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def path(spicymkl, *options):
    spicymkl.ok("path", *options, "-o", "p.csv", "--quiet")
    return read_csv(spicymkl.folder / "p.csv")


def test_a_point_is_what_train_gives_at_that_alpha(spicymkl):
    X, y = problems.classification(n=60)
    table = spicymkl.table("d.csv", X, y)
    rows = path(spicymkl, table, "--target", "y", "--n-alphas", 8, "--alpha-ratio", 0.02, "--tol", 1e-6)
    assert len(rows) == 8
    alphas = np.array([float(row["alpha"]) for row in rows])
    assert alphas[-1] / alphas[0] == pytest.approx(0.02)
    assert np.allclose(np.diff(np.log(alphas)), np.log(0.02) / 7)
    assert rows[0]["n_active"] == "0" and float(rows[0]["alpha_ratio"]) == 1
    for row in rows:
        trained = json.loads(
            spicymkl.ok("train", table, "--target", "y", "--alpha", row["alpha"], "--tol", 1e-6, "--json")
        )
        assert row["status"] == "converged" and float(row["relative_gap"]) <= 1e-6
        assert float(row["primal"]) == pytest.approx(trained["primal"], rel=1e-6)
        assert float(row["dual_objective"]) <= float(row["primal"]) * (1 + 1e-12)
        weights = {name[len("weight_") :]: float(w) for name, w in row.items() if name.startswith("weight_")}
        assert sum(w > 0 for w in weights.values()) == int(row["n_active"])
        # Between kernels that are much alike a weight may move; their sum may not.
        assert sum(weights.values()) == pytest.approx(sum(k["weight"] for k in trained["kernels"]), rel=1e-2)


@pytest.mark.parametrize("penalty", tables.PENALTIES)
@pytest.mark.parametrize("loss", ["hinge", "squared"])
def test_every_penalty_on_precomputed_kernels(spicymkl, loss, penalty):
    X, y = problems.for_loss(loss)
    inputs = spicymkl.save(problems.kernels(X), y)
    rows = path(spicymkl, *inputs, "--loss", loss, "--penalty", penalty, "--n-alphas", 5)
    assert [row["status"] for row in rows] == ["converged"] * 5
    primal = [float(row["primal"]) for row in rows]
    assert primal == sorted(primal, reverse=True)


def test_given_alphas(spicymkl):
    X, y = problems.classification()
    inputs = spicymkl.save(problems.kernels(X), y)
    rows = path(spicymkl, *inputs, "--alphas", "0.1max,max,0.5max")
    assert [float(row["alpha_ratio"]) for row in rows] == pytest.approx([1, 0.5, 0.1])
    rows = path(spicymkl, *inputs, "--alphas", "0.01,0.2")
    assert [float(row["alpha"]) for row in rows] == [0.2, 0.01]


def test_json_and_text_agree_with_the_csv(spicymkl):
    X, y = problems.classification()
    inputs = [*spicymkl.save(problems.kernels(X), y), "--n-alphas", 4]
    rows = path(spicymkl, *inputs)
    printed = json.loads(spicymkl.ok("path", *inputs, "--json"))
    assert printed["complete"] and printed["n_kernels"] == len(problems.kernels(X))
    assert [point["primal"] for point in printed["points"]] == [float(row["primal"]) for row in rows]
    for point, row in zip(printed["points"], rows):
        assert {f"weight_{name}": w for name, w in point["weights"].items()} == {
            name: float(w) for name, w in row.items() if name.startswith("weight_") and float(w) > 0
        }
    text = spicymkl.ok("path", *inputs)
    assert len([line for line in text.splitlines() if line.strip()[:1].isdigit()]) >= 4


def test_several_classes_have_one_path_or_each_its_own(spicymkl):
    X, _ = problems.classification(n=45)
    y = np.repeat(["a", "b", "c"], 15)
    X[:15, 0] += 2
    X[15:30, 1] += 2
    table = spicymkl.table("d.csv", X, y)
    given = [table, "--target", "y", "--n-alphas", 3, "--picture", "p.svg"]
    rows = path(spicymkl, *given)
    assert len(rows) == 3 and {"intercept_a", "intercept_b", "intercept_c"} <= set(rows[0])
    assert (spicymkl.folder / "p.svg").read_text().count("alpha / alpha_max (decreasing)") == 1
    rows = path(spicymkl, *given, "--multi-class", "ovr")
    assert [row["class"] for row in rows] == ["a"] * 3 + ["b"] * 3 + ["c"] * 3
    assert (spicymkl.folder / "p.svg").read_text().count("alpha / alpha_max (decreasing)") == 3


def test_the_picture_is_a_drawing_with_labels_and_a_legend(spicymkl):
    X, y = problems.classification(n=40)
    table = spicymkl.table("d.csv", {"p<q": X[:, 0], "b&c": X[:, 1], "é" * 60: X[:, 2]}, y)
    rows = path(spicymkl, table, "--target", "y", "--n-alphas", 12, "--picture", "p.svg")
    root = ElementTree.parse(spicymkl.folder / "p.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == space + "svg" and "viewBox" in root.attrib
    texts = ["".join(node.itertext()) for node in root.iter(space + "text")]
    assert any("alpha" in text for text in texts) and "kernel weight" in texts
    curves = list(root.iter(space + "polyline"))
    assert len(curves) == sum(name.startswith("weight_") for name in rows[0])
    names = [name[len("weight_") :] for name in rows[0] if name.startswith("weight_")]
    assert any(name in texts for name in names if "p<q" in name)
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    for curve in curves:
        points = [tuple(map(float, point.split(","))) for point in curve.attrib["points"].split()]
        assert len(points) == 12
        assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    assert "prefers-color-scheme: dark" in (spicymkl.folder / "p.svg").read_text()


def test_bad_input(spicymkl):
    X, y = problems.classification()
    table = spicymkl.table("d.csv", X, y)
    good = ["path", table, "--target", "y", "-o", "p.csv", "--picture", "p.svg"]
    spicymkl.refuse(["path"], "path needs samples")
    spicymkl.refuse(["path", "absent.csv", "--target", "y", "-o", "p.csv"], "absent.csv")
    spicymkl.refuse([*good, "--n-alphas", "0"], "alphas")
    spicymkl.refuse([*good, "--alpha-ratio", "2"], "ratio is 2")
    spicymkl.refuse([*good, "--alphas", "1,0.5max"], "0.5max")
    spicymkl.refuse([*good, "--alphas", "1,-1"], "-1")
    spicymkl.refuse([*good, "--alpha", "1"], "--alpha")
    spicymkl.refuse([*good, "--loss", "nothing"], "nothing")
    spicymkl.refuse([*good[:-1], "absent/p.svg"], "absent/p.svg")
    (spicymkl.folder / "p.csv").write_text("precious")
    spicymkl.refuse([*good, "--tol", "0"], "tol")
    assert (spicymkl.folder / "p.csv").read_text() == "precious"


def test_a_point_that_misses_the_tolerance_is_status_1_and_says_so(spicymkl):
    X, y = problems.classification()
    inputs = spicymkl.save(problems.kernels(X), y)
    done = spicymkl.run("path", *inputs, "--n-alphas", 3, "--tol", "1e-13", "--max-iter", 1, "-o", "p.csv")
    assert done.returncode == 1
    assert {row["status"] for row in read_csv(spicymkl.folder / "p.csv")} - {"converged"}
