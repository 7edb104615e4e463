"""Kernels of a table: the matrices of scikit-learn, for training rows and for new ones."""

import json

import numpy as np
import pytest

import pairwise

COLUMNS = [0, 2]


def data(n=40, seed=0):
    return np.random.default_rng(seed).uniform(0.05, 3, (n, 3))


def object_of(kind, how):
    names = [f"x{j + 1}" for j in COLUMNS]
    return {**pairwise.KERNELS[kind][0], "columns": names, "normalize": how, "name": f"{kind} {how}"}


@pytest.mark.parametrize("how", pairwise.NORMALIZATIONS)
def test_training_blocks_are_those_of_scikit_learn(spicymkl, how):
    X = data()
    table = spicymkl.table("d.csv", X)
    kernels = spicymkl.kernel_list([object_of(kind, how) for kind in pairwise.KERNELS])
    printed = spicymkl.ok("kernels", table, "--kernels", kernels, "--no-standardize", "-o", "K.npy")
    assert printed.splitlines() == [f"{kind} {how}" for kind in pairwise.KERNELS]
    K = np.load(spicymkl.folder / "K.npy")
    A = X[:, COLUMNS]
    for computed, (kind, (_, kernel)) in zip(K, pairwise.KERNELS.items()):
        expected = pairwise.normalized(kernel, how, A, A)
        assert np.abs(computed - expected).max() <= 1e-12 * np.abs(expected).max(), kind
        assert np.array_equal(computed, computed.T)


@pytest.mark.parametrize("how", pairwise.NORMALIZATIONS)
def test_blocks_of_new_rows_are_those_of_scikit_learn(spicymkl, how):
    """Shares f_m(x) are the coefficients of the certificate times the block: uniform keeps every kernel."""
    X, new = data(), data(n=25, seed=1)
    y = np.where(X[:, 0] > X[:, 2], "up", "down")
    table, fresh = spicymkl.table("d.csv", X, y), spicymkl.table("new.csv", new)
    kernels = spicymkl.kernel_list([object_of(kind, how) for kind in pairwise.KERNELS])
    spicymkl.ok("train", table, "--target", "y", "--kernels", kernels, "--no-standardize", "--penalty", "uniform",
                "--model", "m.safetensors", "--certificate", "c.json")  # fmt: skip
    shares = spicymkl.predictions("m.safetensors", fresh, "--contributions")
    certificate = json.loads((spicymkl.folder / "c.json").read_text())
    assert len(certificate["kernels"]) == len(pairwise.KERNELS)
    for kernel, (kind, (_, function)) in zip(certificate["kernels"], pairwise.KERNELS.items()):
        coef = np.array(kernel["coef"])
        block = pairwise.normalized(function, how, new[:, COLUMNS], X[:, COLUMNS])
        computed = np.array(shares[kernel["name"]], float)
        assert np.abs(computed - block @ coef).max() <= 1e-12 * (np.abs(block) @ np.abs(coef)).max(), kind


def test_presets_see_standardised_columns(spicymkl):
    X = data() * [1, 100, 0.01] + [0, 5, 7]
    table = spicymkl.table("d.csv", X)
    listed = json.loads(spicymkl.ok("kernels", table, "--kernels", "paper", "-o", "K.npy", "--json"))
    K = np.load(spicymkl.folder / "K.npy")
    assert K.shape == (27 * 4, 40, 40) and listed["n_kernels"] == 27 * 4
    Z = (X - X.mean(0)) / X.std(0)
    for k, kernel in zip(K, listed["kernels"]):
        A = Z[:, [int(name[1:]) - 1 for name in kernel["columns"]]]
        if kernel["type"] == "gaussian":
            expected = np.exp(-((A[:, None] - A[None]) ** 2).sum(-1) / (2 * kernel["parameters"]["width"] ** 2))
        else:
            expected = (1 + A @ A.T) ** kernel["parameters"]["degree"]
        assert k == pytest.approx(expected / np.trace(expected), rel=1e-9, abs=1e-15)


def test_random_kernels_follow_the_seed(spicymkl):
    table = spicymkl.table("d.csv", data())
    for seed, output in ((1, "a.npy"), (1, "b.npy"), (2, "c.npy")):
        spicymkl.ok("kernels", table, "--kernels", "random:5", "--seed", seed, "-o", output, "--quiet")
    a, b, c = (np.load(spicymkl.folder / name) for name in ("a.npy", "b.npy", "c.npy"))
    assert np.array_equal(a, b) and not np.array_equal(a, c)
    assert np.trace(a, axis1=1, axis2=2) == pytest.approx(np.ones(5))


def test_list_writes_nothing(spicymkl):
    table = spicymkl.table("d.csv", data(), np.ones(40))
    before = spicymkl.contents()
    lines = spicymkl.ok("kernels", table, "--target", "y", "--list").splitlines()
    assert all("\t" in line for line in lines) and not any("y" in line.split("\t")[1] for line in lines)
    assert spicymkl.contents() == before


def test_groups_make_kernels_of_their_columns(spicymkl):
    table = spicymkl.table("d.csv", data())
    spicymkl.write("g.gmt", "first\thttp\tx1\tx2\nsecond\thttp\tx3\tabsent\n")
    listed = json.loads(spicymkl.ok("kernels", table, "--groups", "g.gmt", "--list", "--json"))
    assert {kernel.get("group") for kernel in listed["kernels"]} >= {"first", "second"}


@pytest.mark.parametrize(
    "kernels, words",
    [
        ([{"type": "chi_squared", "columns": ["x2"]}], ["d.csv", "x2", "line 4", "-1"]),
        ([{"type": "nothing"}], ["nothing", "gaussian"]),
        ([{"type": "gaussian", "width": 0, "name": "flat"}], ["flat", "width"]),
        ([{"type": "gaussian", "width": 1, "colour": 2, "name": "red"}], ["red", "colour"]),
        ([{"type": "gaussian", "width": 1, "columns": ["x9"], "name": "far"}], ["far", "x9"]),
        ([{"type": "gaussian", "width": 1, "columns": [], "name": "none"}], ["none"]),
        ([{"type": "linear", "columns": ["x3"], "name": "still"}], ["still", "x3", "constant"]),
        ([{"type": "overlap", "columns": ["x1"], "name": "text"}], ["text", "x1"]),
        ([], ["empty"]),
        ({"list": []}, ["kernel list"]),
    ],
)
def test_bad_lists(spicymkl, kernels, words):
    X = data()
    X[2, 1], X[:, 2] = -1, 0
    table = spicymkl.table("d.csv", X)
    arguments = ["kernels", table, "--kernels", spicymkl.kernel_list(kernels), "--no-standardize", "-o", "K.npy"]
    spicymkl.refuse(arguments, *words)


def test_bad_arguments(spicymkl):
    table = spicymkl.table("d.csv", data())
    spicymkl.refuse(["kernels", table], "-o", "--list")
    spicymkl.refuse(["kernels", table, "--kernels", "absent.json", "-o", "K.npy"], "absent.json")
    spicymkl.refuse(["kernels", table, "--kernels", spicymkl.write("bad.json", "[{"), "-o", "K.npy"], "bad.json")
    spicymkl.refuse(["kernels", table, "--kernels", "random:0", "-o", "K.npy"], "random:0")
    spicymkl.refuse(["kernels", table, "--groups", "absent.gmt", "-o", "K.npy"], "absent.gmt")
    spicymkl.refuse(["kernels", table, "-o", "absent/K.npy"], "absent/K.npy")
    spicymkl.refuse(["kernels", "absent.csv", "-o", "K.npy"], "absent.csv")
    spicymkl.write("K.npy", "precious")
    spicymkl.refuse(["kernels", table, "--target", "nothing", "-o", "K.npy"], "nothing", "d.csv")


def test_a_disk_without_space_is_refused_before_writing(spicymkl):
    table = spicymkl.table("wide.csv", np.random.default_rng(0).standard_normal((30000, 1)))
    spicymkl.refuse(["kernels", table, "--kernels", "random:3000", "-o", "K.npy"], "K.npy", "MiB")


def test_json_can_be_given_in_place_of_a_file(spicymkl):
    table = spicymkl.table("x.csv", np.random.default_rng(0).standard_normal((9, 3)))
    names = spicymkl.kernel_list([{"type": "linear", "columns": {"groups": "given"}}])
    spicymkl.ok("kernels", table, "--kernels", names, "--groups", '{"a": [0, 1], "b": 2}', "-o", "A.npy")
    inline = '[{"type": "linear", "columns": [0, 1]}, {"type": "linear", "columns": 2}]'
    spicymkl.ok("kernels", table, "--kernels", inline, "-o", "B.npy")
    assert np.array_equal(np.load(spicymkl.folder / "A.npy"), np.load(spicymkl.folder / "B.npy"))
    spicymkl.refuse(
        ["kernels", table, "--kernels", "[{", "-o", "C.npy"],
        "is not JSON: line 1, column 3: syntax error",
        "expected string literal",
    )
    spicymkl.refuse(["kernels", table, "--groups", "{1}", "-o", "C.npy"], "not JSON")
