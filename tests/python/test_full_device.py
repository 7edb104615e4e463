"""What is printed and does not arrive is not a success: status 2 and one sentence. A reader who leaves is no matter."""

import signal
import subprocess

import numpy as np
import pytest

import problems
from conftest import COMMAND, refusal

T = ["t.csv", "--target", "y"]
SMALL = ["--samples", "20", "--kernels", "3", "--loss", "hinge", "--penalty", "block1", "--tol", "0.01"]
PRINTING = {
    "train": ["train", *T],
    "train --json": ["train", *T, "--json"],
    "path": ["path", *T, "--n-alphas", "2"],
    "path --json": ["path", *T, "--n-alphas", "2", "--json"],
    "cv": ["cv", *T, "--n-alphas", "2"],
    "cv --json": ["cv", *T, "--n-alphas", "2", "--json"],
    "kernels": ["kernels", *T, "--list"],
    "kernels --json": ["kernels", *T, "--list", "--json"],
    "predict": ["predict", "m.safetensors", "t.csv"],
    "predict, more than a buffer": ["predict", "m.safetensors", "long.csv"],
    "evaluate": ["evaluate", "m.safetensors", "t.csv"],
    "evaluate --json": ["evaluate", "m.safetensors", "t.csv", "--json"],
    "verify": ["verify", "m.safetensors", "t.csv"],
    "verify --json": ["verify", "m.safetensors", "t.csv", "--json"],
    "inspect": ["inspect", "m.safetensors"],
    "inspect --json": ["inspect", "m.safetensors", "--json"],
    "bench": ["bench", *SMALL],
    "bench --json": ["bench", *SMALL, "--json"],
    "options, more than a buffer": ["options"],
    "man": ["man"],
    "completion": ["completion", "bash"],
    "--help": ["--help"],
    "train --help": ["train", "--help"],
    "--version": ["--version"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from conftest import Spicymkl

    made = Spicymkl(tmp_path_factory.mktemp("full"))
    X, y = problems.classification(n=20)
    made.table("t.csv", X, np.where(y > 0, "up", "down"))
    made.table("long.csv", np.tile(X, (500, 1)))
    made.ok("train", *T, "--model", "m.safetensors", "--quiet")
    return made.folder


@pytest.mark.parametrize("line", PRINTING.values(), ids=PRINTING)
def test_a_full_device(folder, line):
    with open("/dev/full", "w") as full:
        done = subprocess.run([COMMAND, *line], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "standard output" in refusal(done.stderr), done.stderr


@pytest.mark.parametrize("line", [PRINTING["inspect"], PRINTING["train"], ["--help"]])
def test_a_closed_descriptor(folder, line):
    """No file that the command opens may take the place of standard output."""
    done = subprocess.run(
        ["bash", "-c", '"$@" >&-', "bash", COMMAND, *line], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "standard output" in done.stderr


def test_files_are_complete_when_nobody_reads_the_summary(folder):
    line = [COMMAND, "train", *T, "--model", "again.safetensors"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(line, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert subprocess.run([COMMAND, "verify", "again.safetensors", "t.csv"], cwd=folder, check=False).returncode == 0


def test_without_anything_to_print_a_full_device_does_not_matter(folder):
    with open("/dev/full", "w") as full:
        done = subprocess.run([COMMAND, "train", *T, "--quiet"], cwd=folder, stdout=full, check=False)
    assert done.returncode == 0


def test_a_reader_who_leaves_ends_the_command_quietly(folder):
    """As with other tools: SIGPIPE, and nothing on standard error."""
    line = [COMMAND, "predict", "m.safetensors", "long.csv"]
    running = subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    running.stdout.read(10)
    running.stdout.close()
    assert running.stderr.read() == b""
    assert running.wait(timeout=60) == -signal.SIGPIPE
