"""Gram matrices in several files, as a shell gives them for K*.npy, and labels that are strings."""

import json

import numpy as np
import pytest

import problems


@pytest.fixture
def data(spicymkl):
    X, y = problems.classification(n=24)
    K = problems.kernels(X)
    for k in range(3):
        np.save(spicymkl.folder / f"K{k}.npy", K[k])
        np.save(spicymkl.folder / f"new{k}.npy", K[k, :4])
    np.save(spicymkl.folder / "all.npy", K[:3])
    np.save(spicymkl.folder / "y.npy", y)
    return spicymkl, y


MANY = ["K0.npy", "K1.npy", "K2.npy"]


def primal(spicymkl, *arguments):
    return json.loads(spicymkl.ok("train", *arguments, "--json", "--tol", "1e-8"))["primal"]


def test_one_option_takes_several_files(data):
    spicymkl, _ = data
    expected = primal(spicymkl, "--gram", "all.npy", "--labels", "y.npy")
    assert primal(spicymkl, "--gram", *MANY, "--labels", "y.npy") == expected
    assert primal(spicymkl, "--labels", "y.npy", "--gram", *MANY) == expected
    assert primal(spicymkl, "--gram", "K0.npy", "--gram", "K1.npy", "--gram", "K2.npy", "--labels", "y.npy") == expected
    assert primal(spicymkl, "--gram", "K0.npy", "K1.npy", "--labels", "y.npy", "--gram", "K2.npy") == expected
    for command in ("path", "cv"):
        spicymkl.ok(command, "--gram", *MANY, "--labels", "y.npy", "--n-alphas", 2, "--quiet")


def test_predictions_and_proofs_take_several_files(data):
    spicymkl, _ = data
    spicymkl.ok("train", "--gram", *MANY, "--labels", "y.npy", "--model", "m.safetensors", "--penalty", "uniform")
    new = ["new0.npy", "new1.npy", "new2.npy"]
    table = spicymkl.predictions("m.safetensors", "--gram", *new)
    assert len(table["prediction"]) == 4
    assert spicymkl.predictions("--gram", *new, "--quiet", "m.safetensors") == table
    assert "holds" in spicymkl.ok("verify", "m.safetensors", "--gram", *MANY, "--labels", "y.npy")


def test_a_model_behind_the_list_is_not_taken_for_a_kernel(data):
    spicymkl, _ = data
    spicymkl.ok("train", "--gram", *MANY, "--labels", "y.npy", "--model", "m.safetensors", "--penalty", "uniform")
    hint = ["give MODEL before it", "predict MODEL --gram"]
    spicymkl.refuse(["predict", "--gram", "new0.npy", "new1.npy", "new2.npy", "m.safetensors"], *hint)
    spicymkl.refuse(["predict", "--gram", "new0.npy", "new1.npy"], *hint)
    spicymkl.refuse(["predict", "--gram", "new0.npy", "m.safetensors", "-o", "p.csv"], "needs MODEL", "before --gram")
    spicymkl.refuse(["verify", "--labels", "y.npy", "--gram", *MANY, "m.safetensors"], "give MODEL before it")


@pytest.mark.parametrize("kind", ["U", "S", "object", "bool", "text", "csv"])
def test_labels_are_texts(data, kind):
    spicymkl, y = data
    expected = primal(spicymkl, "--gram", "all.npy", "--labels", "y.npy")
    names = np.where(y > 0, "zürich" if kind != "S" else "zurich", "aarau")
    path = "names.npy"
    if kind in ("text", "csv"):
        path = spicymkl.write(f"names.{'txt' if kind == 'text' else 'csv'}", "\n".join(names) + "\n")
    else:
        np.save(spicymkl.folder / path, {"S": names.astype("S") if kind == "S" else None, "U": names, "bool": y > 0,
                                         "object": names.astype(object)}[kind])  # fmt: skip
    line = ["--gram", "all.npy", "--labels", path]
    if kind == "object":
        spicymkl.refuse(["train", *line], "names.npy", "Python objects", "astype(str)")
        return
    assert primal(spicymkl, *line) == expected
    spicymkl.ok("train", *line, "--model", "m.safetensors", "--quiet")
    classes = {"0", "1"} if kind == "bool" else set(names)
    assert set(spicymkl.predictions("m.safetensors", "--gram", "all.npy")["prediction"]) <= classes
    assert "holds" in spicymkl.ok("verify", "m.safetensors", *line)


def test_several_classes_and_numbers_in_a_text_file(data):
    spicymkl, _ = data
    names = np.array(["red", "green", "blue"])[np.arange(24) % 3]
    np.save(spicymkl.folder / "names.npy", names)
    spicymkl.ok("train", "--gram", "all.npy", "--labels", "names.npy", "--model", "m.safetensors", "--quiet")
    assert set(spicymkl.predictions("m.safetensors", "--gram", "all.npy")["prediction"]) <= {"red", "green", "blue"}
    measured = np.linspace(0, 1, 24) ** 2
    np.save(spicymkl.folder / "n.npy", measured)
    spicymkl.write("n.txt", "\n".join(map(repr, measured.tolist())) + "\n")
    same = [primal(spicymkl, "--gram", "all.npy", "--labels", name, "--loss", "squared") for name in ("n.npy", "n.txt")]
    assert same[0] == same[1]


def test_bad_labels(data):
    spicymkl, _ = data
    line = ["train", "--gram", "all.npy", "--labels"]
    spicymkl.write("short.txt", "a\nb\n")
    spicymkl.refuse([*line, "short.txt"], "short.txt", "2 labels", "24 rows")
    spicymkl.write("header.csv", "class\n" + "a\nb\n" * 12)
    spicymkl.refuse([*line, "header.csv"], "header.csv", "25 labels", "header")
    spicymkl.write("gap.txt", "a\nb\n" * 5 + "\nb\n" + "a\nb\n" * 6)
    spicymkl.refuse([*line, "gap.txt"], "gap.txt", "row 11", "missing")
    np.save(spicymkl.folder / "bytes.npy", np.array([b"\xff\xfe", b"a"] * 12))
    spicymkl.refuse([*line, "bytes.npy"], "bytes.npy", "sample 0", "UTF-8")
    np.save(spicymkl.folder / "wide.npy", np.array([["a", "b"]] * 24))
    spicymkl.refuse([*line, "wide.npy"], "wide.npy", "(24, 2)", "several targets are numbers")
    (spicymkl.folder / "none.txt").write_text("\n")
    spicymkl.refuse([*line, "none.txt"], "none.txt")
