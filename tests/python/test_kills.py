"""kill -9 at any moment, and two runs at once: what existed stays whole, what follows is not disturbed."""

import json
import os
import random
import re
import signal
import time

import numpy as np
import pytest

import problems

KILLS = int(os.environ.get("SPICYMKL_KILLS", "40"))  # in all
OLD = "what was there before"
RENAMED = re.compile(r"\.\d+-\d+\.part$")  # killed between naming and renaming: the next run removes it


@pytest.fixture
def table(spicymkl):
    X, y = problems.classification(n=150, columns=4, seed=5)
    spicymkl.table("t.csv", X, np.where(y > 0, "up", "down"))
    return ["t.csv", "--target", "y", "--kernels", "paper", "--tol", 1e-4]


FILES = {
    "train": ["m.safetensors", "c.json"],
    "train with a checkpoint": ["m.safetensors", "c.json"],
    "cv": ["m.safetensors", "cv.csv"],
    "path": ["p.csv", "p.svg"],
}
OPTIONS = {
    "train": ["--model", "m.safetensors", "--certificate", "c.json"],
    "train with a checkpoint": ["--model", "m.safetensors", "--certificate", "c.json", "--checkpoint", "run",
                                "--checkpoint-every", 0, "--resume"],
    "cv": ["--model", "m.safetensors", "-o", "cv.csv", "--folds", 3, "--n-alphas", 4],
    "path": ["-o", "p.csv", "--picture", "p.svg", "--n-alphas", 8],
}  # fmt: skip


@pytest.mark.parametrize("command", OPTIONS)
def test_killed(spicymkl, table, command):
    line = [command.split()[0], *table, *OPTIONS[command]]
    began = time.monotonic()
    spicymkl.ok(*line)
    duration = time.monotonic() - began
    whole = {name: (spicymkl.folder / name).read_bytes() for name in FILES[command]}
    for name in FILES[command]:
        spicymkl.write(name, OLD)
    moments = random.Random(command)
    killed = 0
    for _ in range(max(1, KILLS // len(OPTIONS))):
        run = spicymkl.start(*line)
        time.sleep(moments.uniform(0, 1) * duration)
        run.kill()
        _, words = run.communicate()
        killed += run.returncode == -signal.SIGKILL
        assert run.returncode in (-signal.SIGKILL, 0), words
        for name in FILES[command]:
            content = (spicymkl.folder / name).read_bytes()
            assert content == OLD.encode() or len(content) > 0.9 * len(whole[name]), name
        left = {path.name for path in spicymkl.folder.iterdir() if not RENAMED.search(path.name)}
        left -= {"t.csv", *FILES[command]}
        assert left <= {"run", "run.lock"}, left
    assert killed > 0
    # What follows is as if nothing had happened.
    spicymkl.ok(*line)
    assert {path.name for path in spicymkl.folder.iterdir()} == {"t.csv", *FILES[command]}
    if "train" in command:
        found, expected = (json.loads(text) for text in ((spicymkl.folder / "c.json").read_text(), whole["c.json"]))
        assert found["status"] == "converged"
        assert found["primal"] == pytest.approx(expected["primal"], rel=2e-4)
        spicymkl.ok("verify", "m.safetensors", "t.csv")
    elif command == "path":
        assert (spicymkl.folder / "p.svg").read_bytes() == whole["p.svg"]


def long_run(spicymkl, *options):
    """A run that goes on until it is told to stop."""
    X, y = problems.classification(n=300, columns=6, seed=3)
    spicymkl.table("long.csv", X, np.where(y > 0, "up", "down"))
    line = ["train", "long.csv", "--target", "y", "--kernels", "paper", "--solver", "silp", "--loss", "hinge"]
    return [*line, "--tol", 1e-13, "--alpha", "0.001max", "--max-iter", 1000000, *options]


def wait_for(path, run):
    for _ in range(1200):
        if path.exists():
            return
        assert run.poll() is None, run.communicate()[1]
        time.sleep(0.05)
    raise AssertionError(f"{path.name} did not appear")


def test_two_runs_on_one_checkpoint(spicymkl):
    line = long_run(spicymkl, "--checkpoint", "run", "--checkpoint-every", 0, "--resume")
    first = spicymkl.start(*line)
    try:
        wait_for(spicymkl.folder / "run.lock", first)
        for path in ("run", "./run", spicymkl.folder / "run"):
            again = [path if word == "run" else word for word in line]
            done = spicymkl.run(*again)
            assert done.returncode == 2, done.stderr
            assert f"'{path}' is in use by another run (process {first.pid})" in done.stderr
        other = [word if word != "run" else "other" for word in line]
        assert spicymkl.run(*other, "--max-seconds", 1).returncode == 1  # another checkpoint is another matter
    finally:
        first.kill()
        first.communicate()
    # A run that was killed holds nothing.
    assert (spicymkl.folder / "run.lock").exists()
    assert spicymkl.run(*line, "--max-seconds", 1).returncode == 1
    assert not (spicymkl.folder / "run.lock").exists()


def test_an_interrupted_run_gives_its_lock_back(spicymkl):
    run = spicymkl.start(*long_run(spicymkl, "--checkpoint", "run", "--checkpoint-every", 0))
    wait_for(spicymkl.folder / "run", run)
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=60)
    assert run.returncode == 1
    assert {path.name for path in spicymkl.folder.iterdir()} == {"long.csv", "run"}


def test_two_runs_on_one_model(spicymkl, table):
    """The last one that is complete wins; nobody sees a mixture."""
    spicymkl.ok("train", *table, "--model", "m.safetensors", "--quiet")
    runs = [
        spicymkl.start("train", *table, "--alpha", f"0.{k + 1}max", "--model", "m.safetensors", "--quiet")
        for k in range(4)
    ]
    while any(run.poll() is None for run in runs):
        spicymkl.ok("inspect", "m.safetensors")
    for run in runs:
        assert run.communicate()[1] == ""
        assert run.returncode == 0
    spicymkl.ok("verify", "m.safetensors", "t.csv")
    assert {path.name for path in spicymkl.folder.iterdir()} == {"t.csv", "m.safetensors"}
