"""Runs the built command on arrays: what the tests see is what a user gets."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("SPICYMKL", str(ROOT / "build" / "spicymkl"))


class Spicymkl:
    """The command, working in a temporary folder."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *arguments):
        return subprocess.run([COMMAND, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)

    def save(self, K, y, weights=None):
        np.save(self.folder / "K.npy", K)
        np.save(self.folder / "y.npy", y)
        inputs = ["--gram", "K.npy", "--labels", "y.npy"]
        if weights is not None:
            np.save(self.folder / "w.npy", weights)
            inputs += ["--weights", "w.npy"]
        return inputs

    def certificate(self, K, y, *options, weights=None):
        """Trains and returns the certificate; the run must converge."""
        done = self.run("train", *self.save(K, y, weights), "--certificate", "c.json", *options)
        assert done.returncode == 0, done.stderr + done.stdout
        return json.loads((self.folder / "c.json").read_text())


@pytest.fixture
def spicymkl(tmp_path):
    return Spicymkl(tmp_path)
