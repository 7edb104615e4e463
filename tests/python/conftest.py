"""Runs the built command on arrays: what the tests see is what a user gets."""

import csv
import io
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "torture"))
COMMAND = os.environ.get("SPICYMKL", str(ROOT / "build" / "spicymkl"))


def run_bench(script, folder, *options, command=True):
    """Runs a program of bench/, with its results in folder/results; what it printed as progress.

    It works on the built command, or, without one, on the Python package.
    """
    line = [sys.executable, str(ROOT / "bench" / script), *options, "--output", "results"]
    line += ["--command", COMMAND] if command else []
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def refusal(stderr):
    """The one sentence of a refusal, behind what was said of the data."""
    *said, sentence = stderr.splitlines()
    assert all(line.startswith("spicymkl: ") for line in [*said, sentence]), stderr
    return sentence


class Spicymkl:
    """The command, working in a temporary folder."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *arguments):
        line = [COMMAND, *map(str, arguments)]
        return subprocess.run(line, cwd=self.folder, capture_output=True, text=True, check=False)

    def start(self, *arguments):
        """The command at work; whoever starts it waits for it, or kills it."""
        line = [COMMAND, *map(str, arguments)]
        return subprocess.Popen(line, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def save(self, K, y, weights=None):
        np.save(self.folder / "K.npy", K)
        np.save(self.folder / "y.npy", y)
        inputs = ["--gram", "K.npy", "--labels", "y.npy"]
        if weights is not None:
            np.save(self.folder / "w.npy", weights)
            inputs += ["--weights", "w.npy"]
        return inputs

    def ok(self, *arguments):
        """Runs the command, which must end well, and returns what it printed."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def contents(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def refuse(self, arguments, *words):
        """The command must end with status 2 and one sentence that has these words; no file may appear or change.

        Before it may stand what was said of the data: lines of their own.
        """
        before = self.contents()
        done = self.run(*arguments)
        assert done.returncode == 2, done.stderr + done.stdout
        assert done.stdout == ""
        sentence = refusal(done.stderr)
        for word in words:
            assert str(word) in sentence, done.stderr
        assert self.contents() == before

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def table(self, name, columns, y=None, target="y"):
        """Writes a CSV file; `columns` is a dict, or an array whose columns are then called x1, x2, …"""
        if not isinstance(columns, dict):
            columns = {f"x{j + 1}": column for j, column in enumerate(np.asarray(columns).T)}
        columns = columns if y is None else {**columns, target: y}
        rows = zip(*(column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()))
        lines = [",".join(columns)] + [",".join(map(str, row)) for row in rows]
        return self.write(name, "\n".join(lines) + "\n")

    def kernel_list(self, kernels):
        return self.write("kernels.json", json.dumps(kernels))

    def predictions(self, *arguments):
        """The CSV that predict prints, as a dict of columns of text."""
        lines = list(csv.reader(io.StringIO(self.ok("predict", *arguments))))
        return {name: [line[j] for line in lines[1:]] for j, name in enumerate(lines[0])}

    def certificate(self, K, y, *options, weights=None):
        """Trains and returns the certificate; the run must converge."""
        done = self.run("train", *self.save(K, y, weights), "--certificate", "c.json", *options)
        assert done.returncode == 0, done.stderr + done.stdout
        return json.loads((self.folder / "c.json").read_text())


@pytest.fixture
def spicymkl(tmp_path):
    return Spicymkl(tmp_path)


@pytest.fixture(scope="session")
def browser():
    if os.environ.get("SPICYMKL_NO_BROWSER"):
        pytest.skip("SPICYMKL_NO_BROWSER is set: nobody looked at the report")
    from browser import Browser  # the other tests do without it

    opened = Browser()
    yield opened
    opened.close()
