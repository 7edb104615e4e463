"""Training from a table: what a person with a CSV file does."""

import gzip
import json

import numpy as np
import pytest
from safetensors import safe_open

import pairwise
import problems
import referee

GAUSSIANS = [{"type": "gaussian", "width": [0.5, 2], "columns": "each"}, {"type": "linear"}]


def certificate(spicymkl):
    return json.loads((spicymkl.folder / "c.json").read_text())


def train(spicymkl, table, *options):
    return spicymkl.ok("train", table, "--target", "y", "--model", "m.safetensors", "--certificate", "c.json", *options)


def confirm(c, K, y):
    primal, dual = referee.recompute(c, K, y)
    assert c["primal"] == pytest.approx(primal, rel=1e-9)
    assert c["dual_objective"] == pytest.approx(dual, abs=1e-9 * abs(primal))


def matrices(spicymkl, table, *options):
    spicymkl.ok("kernels", table, "--target", "y", "-o", "K.npy", "--quiet", *options)
    return np.load(spicymkl.folder / "K.npy")


@pytest.mark.parametrize("names", [("no", "yes"), ("0", "1"), ("-1", "+1")])
def test_two_classes_of_any_text(spicymkl, names):
    X, signs = problems.classification()
    table = spicymkl.table("d.csv", X, np.where(signs > 0, names[1], names[0]))
    train(spicymkl, table)
    c = certificate(spicymkl)
    assert c["loss"] == "logistic"
    assert float(c["positive_class"]) == 1 if names[1].endswith("1") else c["positive_class"] == "yes"
    confirm(c, matrices(spicymkl, table), signs)


def test_numbers_are_regressed_on(spicymkl):
    X, y = problems.regression()
    table = spicymkl.table("d.csv", X, y)
    train(spicymkl, table)
    c = certificate(spicymkl)
    assert c["loss"] == "squared" and "positive_class" not in c
    confirm(c, matrices(spicymkl, table), y)


def test_several_classes_are_one_against_the_rest(spicymkl):
    random = np.random.default_rng(0)
    X, y = random.standard_normal((60, 3)), np.repeat(["a", "b", "c"], 20)
    X[:20, 0] += 2
    X[20:40, 1] += 2
    table = spicymkl.table("d.csv", X, y)
    printed = train(spicymkl, table, "--loss", "hinge", "--history", "h.csv")
    assert all(f"class {name}" in printed for name in "abc")
    K = matrices(spicymkl, table)
    classes = certificate(spicymkl)["classes"]
    assert [c["positive_class"] for c in classes] == ["a", "b", "c"]
    for c in classes:
        confirm(c, K, np.where(y == c["positive_class"], 1.0, -1.0))
    history = (spicymkl.folder / "h.csv").read_text().splitlines()
    assert {line.split(",")[0] for line in history} == {"class", "a", "b", "c"}
    predicted = spicymkl.predictions("m.safetensors", table)
    assert np.mean(np.array(predicted["prediction"]) == y) > 0.8
    scores = np.array([predicted[f"score_{name}"] for name in "abc"], float)
    assert [("abc")[k] for k in scores.argmax(0)] == predicted["prediction"]
    assert "holds" in spicymkl.ok("verify", "m.safetensors", table)


def test_missing_cells_are_refused_or_filled_in(spicymkl):
    X, y = problems.classification()
    cells = X.astype(object)
    cells[4, 1], cells[9, 2] = "", "NA"
    table = spicymkl.table("d.csv", cells, y)
    spicymkl.refuse(["train", table, "--target", "y", "--model", "m.safetensors"], "d.csv", "line 6", "x2", "2 cells")
    train(spicymkl, table, "--impute", "median")
    full = X.copy()
    full[4, 1], full[9, 2] = np.median(np.delete(X[:, 1], 4)), np.median(np.delete(X[:, 2], 9))
    expected = certificate(spicymkl)
    train(spicymkl, spicymkl.table("full.csv", full, y))
    assert certificate(spicymkl)["primal"] == pytest.approx(expected["primal"], rel=1e-12)


def test_categorical_columns_get_overlap_kernels(spicymkl):
    X, y = problems.classification()
    table = spicymkl.table("d.csv", {"x": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")}, y)
    spicymkl.refuse(["train", table, "--target", "y"], "d.csv", "line 2", "colour")
    train(spicymkl, table, "--categorical", "colour", "--penalty", "uniform")
    names = [kernel["name"] for kernel in certificate(spicymkl)["kernels"]]
    assert any("overlap" in name for name in names)
    new = spicymkl.table("new.csv", {"colour": ["red", "green"], "x": [0.5, 1.5]})
    spicymkl.refuse(["predict", "m.safetensors", new, "--strict"], "new.csv", "line 3", "colour", "green")
    new = spicymkl.table("new.csv", {"colour": ["red", "blue"], "x": [0.5, 0.5]})
    scores = spicymkl.predictions("m.safetensors", new)["score"]
    assert scores[0] != scores[1]


def test_columns_can_be_dropped_and_named_by_position(spicymkl):
    X, y = problems.classification()
    table = spicymkl.table("d.csv", {"id": np.arange(len(y)), "a": X[:, 0], "b": X[:, 1]}, y)
    train(spicymkl, table, "--drop", "id")
    by_name = certificate(spicymkl)
    spicymkl.ok("train", table, "--target", -1, "--drop", 0, "--certificate", "c.json")
    assert certificate(spicymkl)["dual"] == by_name["dual"]


def test_every_format_gives_the_same_answer(spicymkl):
    X, y = problems.classification()
    folder = spicymkl.folder
    table = spicymkl.table("d.csv", X, y)
    train(spicymkl, table)
    expected = certificate(spicymkl)["dual"]
    text = (folder / "d.csv").read_text()
    (folder / "d.csv.gz").write_bytes(gzip.compress(text.encode()))
    spicymkl.write("d.tsv", text.replace(",", "\t"))
    spicymkl.write("bare.csv", text.split("\n", 1)[1])
    spicymkl.write("d.txt", text)
    spicymkl.write("d.libsvm", problems.libsvm(X, y))
    np.save(folder / "d.npy", np.column_stack([X, y]))
    np.savez(folder / "d.npz", x=X, y=y)
    for arguments in (["d.csv.gz", "--target", "y"], ["d.tsv", "--target", "y"], ["bare.csv", "--target", -1],
                      ["bare.csv", "--target", -1, "--header", "no"], ["d.txt", "--format", "csv", "--target", "y"],
                      ["d.libsvm"], ["d.npy", "--target", 3], ["d.npz", "--target", "y"]):  # fmt: skip
        spicymkl.ok("train", *arguments, "--certificate", "c.json")
        assert certificate(spicymkl)["dual"] == expected, arguments


def test_a_json_list_sees_standardised_columns_unless_told_otherwise(spicymkl):
    X, y = problems.classification()
    X = X * [1, 30, 0.1] + [3, 0, 1]
    table, kernels = spicymkl.table("d.csv", X, y), spicymkl.kernel_list(GAUSSIANS)
    Z = (X - X.mean(0)) / X.std(0)
    for options, A in (([], Z), (["--no-standardize"], X)):
        K = matrices(spicymkl, table, "--kernels", kernels, *options)
        rbf = lambda B, C: np.exp(-((B[:, None] - C[None]) ** 2).sum(-1) / (2 * 0.5**2))
        assert K[0] == pytest.approx(pairwise.normalized(rbf, "trace", A[:, :1], A[:, :1]), rel=1e-9, abs=1e-300)
        train(spicymkl, table, "--kernels", kernels, *options)
        confirm(certificate(spicymkl), K, y)


def test_the_model_keeps_only_what_predictions_need(spicymkl):
    random = np.random.default_rng(3)
    X = random.standard_normal((80, 6))
    y = np.where(X[:, 0] > 0, 1, -1)
    table = spicymkl.table("d.csv", X, y)
    train(spicymkl, table, "--loss", "hinge", "--kernels", spicymkl.kernel_list(GAUSSIANS[:1]), "--alpha", "0.3max")
    shown = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))
    c = certificate(spicymkl)
    with safe_open(spicymkl.folder / "m.safetensors", "np") as file:
        rows, dual = file.get_tensor("rows"), file.get_tensor("dual")
        header = json.loads(file.metadata()["spicymkl"])
    assert rows.shape == (np.count_nonzero(dual), len(shown["table"]["columns_used"]))
    assert rows.shape[0] < 80 and rows.shape[1] < 6
    assert len(header["kernel_names"]) == 12 == shown["n_kernels"]
    assert {kernel["name"] for kernel in shown["fits"][0]["kernels"]} == {kernel["name"] for kernel in c["kernels"]}
    # Centring compares a new row with every training row.
    centred = spicymkl.kernel_list([{"type": "linear", "normalize": "center"}])
    train(spicymkl, table, "--loss", "hinge", "--kernels", centred)
    assert json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))["table"]["rows_kept"] == 80


@pytest.mark.parametrize(
    "text, options, words",
    [
        ("", [], ["d.csv", "empty"]),
        ("x1,x2,y\n", [], ["d.csv", "row"]),
        ("x1,x2,y\n1,2,a\n3,b\n", [], ["d.csv", "line 3"]),
        ("x1,x2,y\n1,2,a\n3,oops,b\n", [], ["d.csv", "line 3", "x2", "oops"]),
        ("x1,x2,y\n1,2,a\n3,inf,b\n", [], ["d.csv", "line 3", "x2"]),
        ("x1,x2,y\n1,2,a\n3,nan,b\n", [], ["d.csv", "line 3", "x2", "missing"]),
        ("x1,x2,y\n1,2,a\n3,4,\n", [], ["d.csv", "line 3", "y", "missing"]),
        ("x1,x2,y\n1,2,a\n3,4,a\n", [], ["d.csv", "y", "one class"]),
        ("x1,x2,y\n1,2,a\n", [], ["d.csv", "2 samples"]),
        ("x1,x2,y\n1,2,3\n3,4,5\n5,6,b\n7,8,9\n", ["--loss", "squared"], ["d.csv", "line 4", "y", "'b'"]),
        ("x1,x2,y\n1,2,1.5\n3,4,2.5\n5,6,3.5\n7,8,9\n", ["--loss", "logistic"], ["d.csv", "y", "4 different"]),
        ("x1,x1,y\n1,2,a\n3,4,b\n", [], ["d.csv", "x1"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--drop", "x9"], ["d.csv", "x9"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--drop", "x1,x2"], ["d.csv", "no column is left"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--impute", "magic"], ["magic", "median"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--format", "pdf"], ["pdf", "csv"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--header", "maybe"], ["maybe"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--memory", "lots"], ["lots", "8G"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--memory", "-3G"], ["-3G"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--kernels", "absent.json"], ["absent.json"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--labels", "y.npy"], ["--labels", "--gram"]),
        ("x1,x2,y\n1,2,a\n3,4,b\n", ["--gram", "K.npy"], ["not both"]),
    ],
)
def test_bad_tables(spicymkl, text, options, words):
    spicymkl.write("d.csv", text)
    spicymkl.write("m.safetensors", "precious")
    outputs = ["--model", "m.safetensors", "--certificate", "c.json", "--history", "h.csv"]
    spicymkl.refuse(["train", "d.csv", "--target", "y", *options, *outputs], *words)


def test_bad_places(spicymkl):
    table = spicymkl.table("d.csv", *problems.classification())
    spicymkl.refuse(["train"], "DATA", "--gram")
    spicymkl.refuse(["train", table], "d.csv", "--target")
    spicymkl.refuse(["train", table, "--target", "nothing"], "d.csv", "nothing", "x1")
    spicymkl.refuse(["train", "absent.csv", "--target", "y", "--model", "m.safetensors"], "absent.csv")
    spicymkl.refuse(["train", ".", "--format", "csv", "--target", "y"], "directory")
    spicymkl.refuse(["train", table, "--target", "y", "--model", "absent/m.safetensors"], "absent/m.safetensors")
    spicymkl.refuse(["train", "d.unknown", "--target", "y"], "d.unknown")
    spicymkl.write("d.libsvm", "1 1:2 2:3\n-1 2:1 1:4\n")
    spicymkl.refuse(["train", "d.libsvm", "--model", "m.safetensors"], "d.libsvm", "line 2")


def test_text_that_is_not_utf8_is_refused_before_the_training(spicymkl):
    (spicymkl.folder / "d.csv").write_bytes(b"x1,y\n1,caf\xe9\n2,the\n3,the\n")
    spicymkl.refuse(["train", "d.csv", "--target", "y", "--model", "m.safetensors"], "d.csv", "UTF-8")
