"""The command on bad input: status 2, one sentence that names the thing, nothing written."""

import json
import os

import numpy as np
import pytest
from safetensors.numpy import load_file

import problems
from conftest import refusal


@pytest.fixture
def data():
    X, y = problems.classification(n=20)
    return problems.kernels(X), y


def refused(spicymkl, arguments, *words):
    outputs = ["m.safetensors", "c.json", "h.csv"]
    before = set(os.listdir(spicymkl.folder))
    done = spicymkl.run(
        "train", *arguments, "--model", outputs[0], "--certificate", outputs[1], "--history", outputs[2]
    )
    assert done.returncode == 2
    assert done.stdout == ""
    sentence = refusal(done.stderr)
    for word in words:
        assert str(word) in sentence, done.stderr
    assert set(os.listdir(spicymkl.folder)) == before


def with_entry(K, index, value):
    K = K.copy()
    K[index] = value
    return K


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_not_a_number_in_a_kernel(spicymkl, data, value):
    K, y = data
    refused(spicymkl, spicymkl.save(with_entry(K, (2, 3, 5), value), y), "k2", "row 3", "column 5")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_not_a_number_among_labels_and_weights(spicymkl, data, value):
    K, y = data
    refused(spicymkl, spicymkl.save(K, with_entry(y, 4, value)), "sample 4")
    refused(spicymkl, spicymkl.save(K, y, with_entry(np.ones(len(y)), 4, value)), "weight of sample 4")


def test_asymmetric_and_indefinite_kernels(spicymkl, data):
    K, y = data
    refused(spicymkl, spicymkl.save(with_entry(K, (1, 2, 3), 0.7), y), "k1", "not symmetric")
    refused(
        spicymkl,
        spicymkl.save(with_entry(K, 4, K[4] - 0.5 * np.eye(len(y)) / len(y)), y),
        "k4",
        "positive semi-definite",
    )


def test_labels(spicymkl, data):
    K, y = data
    refused(spicymkl, spicymkl.save(K, np.ones_like(y)), "y.npy", "one class", "two classes")
    measured = np.random.default_rng(0).standard_normal(len(y))
    refused(spicymkl, [*spicymkl.save(K, measured), "--loss", "logistic"], "20 different values", "squared")
    refused(spicymkl, spicymkl.save(K, y[:-1]), "19 labels", "20 rows")
    refused(spicymkl, spicymkl.save(K, y[:, None, None]), "shape")


def test_sizes(spicymkl, data):
    K, y = data
    refused(spicymkl, spicymkl.save(K[:, :-1], y), "shape")
    refused(spicymkl, spicymkl.save(K[:0], y), "no Gram matrix")
    refused(spicymkl, spicymkl.save(K[:, :1, :1], y[:1]), "sample")
    inputs = spicymkl.save(K, y)
    np.save(spicymkl.folder / "small.npy", K[0, :5, :5])
    refused(spicymkl, [*inputs, "--gram", "small.npy"], "small.npy", "5 samples")


@pytest.mark.parametrize(
    "options, words",
    [
        (["--alpha", "0"], ["alpha"]),
        (["--alpha", "-1"], ["alpha"]),
        (["--alpha", "some"], ["alpha"]),
        (["--penalty", "elasticnet", "--l1-ratio", "1.5"], ["l1_ratio"]),
        (["--penalty", "elasticnet", "--l1-ratio", "-0.1"], ["l1_ratio"]),
        (["--penalty", "blockq", "--q", "1"], ["q is 1", "block1"]),
        (["--penalty", "blockq", "--q", "0.5"], ["q is 0.5"]),
        (["--penalty", "nothing"], ["nothing", "block1"]),
        (["--loss", "nothing"], ["nothing", "logistic"]),
        (["--loss", "quantile", "--quantile", "1"], ["quantile"]),
        (["--loss", "huber", "--epsilon", "0"], ["epsilon"]),
        (["--tol", "0"], ["tol"]),
        (["--tol", "-1"], ["tol"]),
        (["--max-iter", "0"], ["max_iter"]),
        (["--threads", "-2"], ["threads"]),
        (["--solver", "simplex"], ["simplex", "spicy"]),
        (["--solver", "onestep"], ["onestep", "block1"]),
        (["--nonsense"], ["--nonsense"]),
    ],
)
def test_options(spicymkl, data, options, words):
    refused(spicymkl, [*spicymkl.save(*data), *options], *words)


def test_files(spicymkl, data):
    inputs = spicymkl.save(*data)
    folder = spicymkl.folder
    refused(spicymkl, ["--gram", "absent.npy", *inputs[2:]], "absent.npy")
    refused(spicymkl, ["--gram", ".", *inputs[2:]], "directory")
    (folder / "empty.npy").write_bytes(b"")
    refused(spicymkl, ["--gram", "empty.npy", *inputs[2:]], "empty.npy")
    (folder / "text.npy").write_text("this is no array of numbers")
    refused(spicymkl, ["--gram", "text.npy", *inputs[2:]], "text.npy")
    whole = (folder / "K.npy").read_bytes()
    (folder / "cut.npy").write_bytes(whole[: len(whole) // 2])
    refused(spicymkl, ["--gram", "cut.npy", *inputs[2:]], "cut.npy", "truncated")
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999, 999999, 999999), }".ljust(117) + b"\n"
    (folder / "huge.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"x" * 800)
    refused(spicymkl, ["--gram", "huge.npy", *inputs[2:]], "huge.npy", "999999", "truncated")
    np.save(folder / "words.npy", np.array(["a", "b"]))
    refused(spicymkl, ["--gram", "words.npy", *inputs[2:]], "words.npy", "strings")


def test_unwritable_output_is_refused_before_training_and_existing_files_stay(spicymkl, data):
    inputs = spicymkl.save(*data)
    done = spicymkl.run("train", *inputs, "--model", "absent/m.safetensors")
    assert done.returncode == 2
    assert "absent/m.safetensors" in done.stderr
    (spicymkl.folder / "m.safetensors").write_text("precious")
    refusal = spicymkl.run("train", *inputs, "--model", "m.safetensors", "--alpha", "-1")
    assert refusal.returncode == 2
    assert (spicymkl.folder / "m.safetensors").read_text() == "precious"


def test_not_converged_is_status_1_and_the_model_says_so(spicymkl, data):
    inputs = spicymkl.save(*data)
    done = spicymkl.run("train", *inputs, "--tol", "1e-12", "--max-iter", "1", "--certificate", "c.json", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["status"] == "max_iterations"
    assert json.loads((spicymkl.folder / "c.json").read_text())["relative_gap"] > 1e-12


def test_other_number_types_and_memory_orders_give_the_same_answer(spicymkl, data):
    K, y = data
    expected = spicymkl.certificate(K, y, "--tol", 1e-6)["primal"]
    assert spicymkl.certificate(np.asfortranarray(K), y.astype(np.int8), "--tol", 1e-6)["primal"] == expected
    assert spicymkl.certificate(K.astype(np.float32), y, "--tol", 1e-6)["primal"] == pytest.approx(expected, rel=1e-5)


def test_separate_gram_files_are_named_after_their_files(spicymkl, data):
    K, y = data
    spicymkl.save(K, y)
    for m in range(3):
        np.save(spicymkl.folder / f"source{m}.npy", K[m])
    grams = [word for m in range(3) for word in ("--gram", f"source{m}.npy")]
    done = spicymkl.run("train", *grams, "--labels", "y.npy", "--alpha", "0.01max", "--json")
    names = [k["name"] for k in json.loads(done.stdout)["kernels"]]
    assert names and all(name.startswith("source") for name in names)


def test_the_model_is_a_plain_safetensors_file(spicymkl, data):
    inputs = spicymkl.save(*data)
    assert spicymkl.run("train", *inputs, "--model", "m.safetensors", "--certificate", "c.json").returncode == 0
    tensors = load_file(spicymkl.folder / "m.safetensors")
    c = json.loads((spicymkl.folder / "c.json").read_text())
    for scale, kernel in zip(tensors["scale"], c["kernels"]):
        assert scale * tensors["dual"] == pytest.approx(kernel["coef"], abs=0)


def test_a_damaged_or_foreign_model_is_refused(spicymkl, data):
    inputs = spicymkl.save(*data)
    assert spicymkl.run("train", *inputs, "--model", "m.safetensors").returncode == 0
    whole = (spicymkl.folder / "m.safetensors").read_bytes()
    newer = whole.replace(b'\\"format_version\\":1', b'\\"format_version\\":9')
    assert newer != whole
    for name, content in {"cut": whole[:-9], "stub": whole[:5], "noise": b"x" * 100, "newer": newer}.items():
        (spicymkl.folder / name).write_bytes(content)
        done = spicymkl.run("verify", name, *inputs)
        assert done.returncode == 2
        assert name in done.stderr


def test_generated_data_are_reproducible(spicymkl):
    for name in ("ringnorm", "twonorm", "waveform", "multisource"):
        for output in ("a.csv", "b.csv"):
            assert spicymkl.run("generate", name, "-n", 30, "--seed", 3, "-o", output).returncode == 0
        assert (spicymkl.folder / "a.csv").read_text() == (spicymkl.folder / "b.csv").read_text()
        table = np.genfromtxt(spicymkl.folder / "a.csv", delimiter=",", skip_header=1)
        assert len(table) == 30 and set(table[:, -1]) == {-1, 1}
    assert spicymkl.run("generate", "nothing", "-o", "c.csv").returncode == 2
    assert spicymkl.run("generate", "ringnorm", "-n", 1, "-o", "c.csv").returncode == 2


def test_help_names_every_command(spicymkl):
    done = spicymkl.run("--help")
    assert done.returncode == 0
    assert all(command in done.stdout for command in ("train", "verify", "generate"))
