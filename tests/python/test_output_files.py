"""No output is an input or another output, by whatever path or link: refused before any work, nothing written."""

import os
import subprocess

import numpy as np
import pytest

import problems
from conftest import COMMAND

T = ["t.csv", "--target", "y"]
G = ["--gram", "K.npy", "--labels", "y.npy", "--weights", "w.npy"]


@pytest.fixture
def files(spicymkl):
    X, y = problems.classification(n=20)
    spicymkl.table("t.csv", X, np.where(y > 0, "up", "down"))
    spicymkl.table("n.csv", X[:5])
    spicymkl.write("g.json", '{"first": ["x1", "x2"]}')
    spicymkl.kernel_list([{"type": "linear"}])
    spicymkl.save(problems.kernels(X), y, np.ones(len(y)))
    spicymkl.ok("train", *T, "--model", "m.safetensors", "--quiet")
    spicymkl.ok("train", *G, "--model", "g.safetensors", "--quiet")
    return spicymkl


@pytest.mark.parametrize("output", ["--model", "--report", "--certificate", "--history"])
@pytest.mark.parametrize("command", ["train", "cv"])
def test_outputs_of_training(files, command, output):
    files.refuse([command, *T, output, "t.csv"], f"{output} is the same file as DATA ('t.csv'); choose another name")
    files.refuse([command, *T, "--groups", "g.json", output, "g.json"], output, "--groups")
    files.refuse([command, *T, "--kernels", "kernels.json", output, "kernels.json"], output, "--kernels")
    for k, role in enumerate(("--gram", "--labels", "--weights")):
        files.refuse([command, *G, output, G[2 * k + 1]], output, role)


@pytest.mark.parametrize(
    "line, words",
    [
        (["train", *T, "--test", "n.csv", "--model", "n.csv"], ["--model", "--test"]),
        (["train", *T, "--model", "o", "--report", "o"], ["--report", "--model"]),
        (["train", *T, "--model", "o", "--checkpoint", "o"], ["--checkpoint", "--model"]),
        (["train", *T, "--checkpoint", "t.csv", "--resume"], ["--checkpoint", "DATA"]),
        (["train", "--gram", "K.npy", "y.npy", "--labels", "y.npy", "--model", "K.npy"], ["--model", "--gram"]),
        (["cv", *T, "-o", "t.csv"], ["--output", "DATA"]),
        (["cv", *T, "-o", "o", "--model", "o"], ["--model", "--output"]),
        (["path", *T, "-o", "t.csv"], ["--output", "DATA"]),
        (["path", *T, "-o", "o", "--picture", "o"], ["--picture", "--output"]),
        (["path", *T, "--report", "o", "--picture", "o"], ["--report", "--picture"]),
        (["kernels", "t.csv", "-o", "t.csv"], ["--output", "DATA"]),
        (["kernels", "t.csv", "--kernels", "kernels.json", "-o", "kernels.json"], ["--output", "--kernels"]),
        (["predict", "m.safetensors", "n.csv", "-o", "n.csv"], ["--output", "DATA"]),
        (["predict", "m.safetensors", "n.csv", "-o", "m.safetensors"], ["--output", "MODEL"]),
        (["predict", "g.safetensors", "--gram", "K.npy", "-o", "K.npy"], ["--output", "--gram"]),
        (["evaluate", "m.safetensors", "t.csv", "--report", "m.safetensors"], ["--report", "MODEL"]),
        (["evaluate", "m.safetensors", "t.csv", "--report", "t.csv"], ["--report", "DATA"]),
    ],
)
def test_other_outputs(files, line, words):
    files.refuse(line, *words, "the same file", "choose another name")


def test_the_same_file_by_other_names(files):
    os.symlink("t.csv", files.folder / "link.csv")
    os.link(files.folder / "t.csv", files.folder / "twin.csv")
    (files.folder / "sub").mkdir()
    os.symlink(files.folder, files.folder / "here")
    names = ["./t.csv", str(files.folder / "t.csv"), "sub/../t.csv", "here/t.csv", "link.csv", "twin.csv"]
    for name in names:
        files.refuse(["train", *T, "--model", name], "--model is the same file as DATA ('t.csv')")
        files.refuse(["train", name, "--target", "y", "--model", "t.csv"], "--model is the same file as DATA")
    # Two outputs that are not there yet.
    for name in ("./o", "here/o", "sub/../o"):
        files.refuse(["train", *T, "--model", "o", "--certificate", name], "--certificate is the same file as --model")


def test_devices_are_nobody_s_file(files):
    """Two outputs on one device do not collide; that a device is no plain file is another matter."""
    files.refuse(["train", *T, "--model", "/dev/null", "--report", "/dev/null"], "not a plain file")


def test_a_file_on_standard_input_is_an_input(files):
    before = files.contents()
    with open(files.folder / "t.csv") as table:
        line = [COMMAND, "train", "/dev/stdin", "--format", "csv", "--target", "y", "--model", "t.csv"]
        done = subprocess.run(line, cwd=files.folder, stdin=table, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "same file as DATA" in done.stderr
    assert files.contents() == before


def test_an_output_may_replace_a_file_that_is_no_input(files):
    files.ok("train", *T, "--model", "m.safetensors", "--report", "r.html", "--quiet")
    files.ok("train", *T, "--model", "m.safetensors", "--report", "r.html", "--quiet")
    files.ok("predict", "m.safetensors", "n.csv", "-o", "p.csv", "--quiet")


@pytest.mark.parametrize(
    "line",
    [
        ["path", *T, "--picture", "p.png"],
        ["path", *T, "-o", "p.csv.gz"],
        ["train", *T, "--report", "r.PDF"],
        ["predict", "m.safetensors", "n.csv", "-o", "p.csv.gz"],
        ["generate", "twonorm", "-n", 5, "-o", "t.csv.gz"],
        ["kernels", *T, "-o", "K.npz"],
    ],
)
def test_a_name_that_promises_what_is_not_written_is_refused(files, line):
    """A reader that goes by the name, as pandas does with .gz, could not open the file."""
    ending = line[-1].rpartition(".")[2].lower()
    files.refuse(line, f"'{line[-1]}'", f"spicymkl writes no .{ending} files", "choose another ending")
