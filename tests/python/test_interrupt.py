"""Ctrl-C: the best model so far while training, nothing before that, and never a file left over. Progress on a terminal."""

import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import time

import pytest

from conftest import COMMAND

SOON = 5  # seconds; an idle machine takes one
AT_ALL = 120  # seconds, on a machine that is busy with other things


class Terminal:
    """The command with a terminal for its standard error, as a person runs it."""

    def __init__(self, spicymkl, *arguments):
        self.screen = ""
        self.reader, writer = pty.openpty()
        self.process = subprocess.Popen(
            [COMMAND, *map(str, arguments)], cwd=spicymkl.folder, stdout=subprocess.DEVNULL, stderr=writer
        )
        os.close(writer)

    def look(self, seconds):
        """Reads what appears within this time; false at the end."""
        if not select.select([self.reader], [], [], seconds)[0]:
            return True
        try:
            text = os.read(self.reader, 65536).decode(errors="replace")
        except OSError:  # the other side is closed
            return False
        self.screen += text
        return bool(text)

    def wait_for(self, words, seconds=300):
        end = time.monotonic() + seconds
        while words not in self.screen:
            assert self.look(0.1), self.screen
            assert time.monotonic() < end, self.screen

    def interrupt(self):
        self.interrupted = time.monotonic(), work_of(self.process.pid)
        self.process.send_signal(signal.SIGINT)

    def end(self):
        """Waits for the end. It must come soon, or, where others keep the cores busy, after little more work."""
        began, done = self.interrupted
        work = done
        while self.process.poll() is None:
            self.look(0.05)
            assert time.monotonic() < began + AT_ALL, "the command does not end"
            work = work_of(self.process.pid) or work
        assert time.monotonic() < began + SOON or work < done + SOON, "the command does not end soon"
        while self.look(0):
            if not select.select([self.reader], [], [], 0)[0]:
                break
        os.close(self.reader)
        return self.process.returncode


def work_of(process):
    """Seconds of the processor that it has taken; 0 when it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture
def long_training(spicymkl):
    """Arguments of a run that takes minutes."""
    spicymkl.ok("generate", "multisource", "-n", 1200, "--seed", 1, "-o", "data.csv")
    return ["data.csv", "--target", "y", "--kernels", "paper", "--loss", "hinge", "--alpha", "0.01max", "--tol", 1e-11]


def test_training_ends_soon_with_the_best_model_so_far(spicymkl, long_training):
    outputs = ["--model", "m.safetensors", "--certificate", "c.json", "--report", "r.html"]
    run = Terminal(spicymkl, "train", *long_training, *outputs)
    run.wait_for("step ")
    run.interrupt()
    assert run.end() == 1, run.screen
    assert "gap" in run.screen and "active kernels" in run.screen
    inspected = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))
    assert inspected["status"] == "interrupted"
    certificate = json.loads((spicymkl.folder / "c.json").read_text())
    assert 1e-11 < certificate["relative_gap"] < 1 and certificate["kernels"]
    assert spicymkl.run("verify", "m.safetensors", "data.csv").returncode == 1
    spicymkl.ok("verify", "m.safetensors", "data.csv", "--tol", 1.000001 * certificate["relative_gap"])
    assert {path.name for path in spicymkl.contents()} == {"data.csv", "m.safetensors", "c.json", "r.html"}


def test_the_third_time_it_ends_at_once(spicymkl, long_training):
    (spicymkl.folder / "m.safetensors").write_text("precious")
    before = spicymkl.contents()
    run = Terminal(spicymkl, "train", *long_training, "--model", "m.safetensors", "--report", "r.html")
    run.wait_for("training")
    while run.process.poll() is None:  # signals that arrive together are one
        run.interrupt()
        time.sleep(0.01)
    assert run.end() in (-signal.SIGINT, 1)
    if run.process.returncode == -signal.SIGINT:
        assert spicymkl.contents() == before


def test_while_reading_it_ends_at_once_and_while_computing_kernels_with_a_constant(spicymkl, long_training):
    os.mkfifo(spicymkl.folder / "slow.csv")
    before = spicymkl.contents()
    outputs = ["--model", "m.safetensors", "--report", "r.html"]
    reading = Terminal(spicymkl, "train", "slow.csv", "--target", "y", *outputs)
    with open(spicymkl.folder / "slow.csv", "wb", buffering=0) as slow:
        slow.write(b"a,b,y\n")
        time.sleep(0.3)
        reading.interrupt()
        assert reading.end() == -signal.SIGINT
    assert spicymkl.contents() == before
    kernels = [word if word != "paper" else "random:20000" for word in long_training]
    computing = Terminal(spicymkl, "train", *kernels, *outputs)
    time.sleep(0.5)
    computing.interrupt()
    assert computing.end() == 1, computing.screen
    inspected = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))
    assert inspected["status"] == "interrupted" and not inspected["fits"][0]["kernels"]
    assert inspected["fits"][0]["relative_gap"] <= 1


def test_a_path_keeps_the_points_that_are_done_and_a_cross_validation_its_scores(spicymkl, long_training):
    without_alpha = [word for word in long_training if word not in ("--alpha", "0.01max")]
    # Few kernels: all of them fit into the memory that is free, whatever else runs.
    few = [word if word != "paper" else "auto" for word in without_alpha]
    path = Terminal(spicymkl, "path", *few, "-o", "path.csv")
    path.wait_for(" of 50")
    while re.search(r"[1-9]\d* of 50", path.screen) is None:
        assert path.look(0.1), path.screen
    path.interrupt()
    assert path.end() == 1, path.screen
    assert "points that were done are kept" in path.screen
    assert 1 < len((spicymkl.folder / "path.csv").read_text().splitlines()) < 51
    before = spicymkl.contents()
    cv = Terminal(spicymkl, "cv", *without_alpha, "-o", "cv.csv", "--model", "m.safetensors")
    time.sleep(2)  # in the middle of the first folds
    cv.interrupt()
    assert cv.end() == 1, cv.screen
    assert "interrupted, stopped by Ctrl-C" in cv.screen
    assert set(spicymkl.contents()) <= {*before, spicymkl.folder / "cv.csv"}


def test_kernels_and_predictions_end_with_nothing_written(spicymkl):
    spicymkl.ok("generate", "multisource", "-n", 1500, "--seed", 1, "-o", "data.csv")
    before = spicymkl.contents()
    run = Terminal(spicymkl, "kernels", "data.csv", "--target", "y", "--kernels", "random:300", "-o", "K.npy")
    run.wait_for("kernels [")
    run.interrupt()
    assert run.end() == 1
    assert "nothing was written" in run.screen
    assert spicymkl.contents() == before


def test_nothing_is_shown_where_there_is_no_terminal(spicymkl):
    spicymkl.ok("generate", "ringnorm", "-n", 60, "-o", "data.csv")
    done = spicymkl.run("train", "data.csv", "--target", "y")
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1 and "2 classes" in done.stderr  # what was assumed, and no progress
