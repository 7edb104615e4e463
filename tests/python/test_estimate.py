"""What a run will take is said before the work begins, and goes into the JSON summary."""

import json
import re
import subprocess
import threading
import time

import numpy as np
import pytest

from conftest import COMMAND


def write_table(path, n_rows, n_columns):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns))
    y = np.where(np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * rng.normal(size=n_rows) > 0, "yes", "no")
    with open(path, "w") as file:
        file.write(",".join([*(f"x{j}" for j in range(n_columns)), "y"]) + "\n")
        file.writelines(",".join(f"{value:.5f}" for value in row) + f",{label}\n" for row, label in zip(X, y))
    return path


LINE = re.compile(r"spicymkl: (\d+) rows, (\d+) kernels: (.*); about (.*) and (.*)")


def announcement(line, seconds):
    """The match of LINE in what the command says on stderr; it is killed then, or after so many seconds."""
    process = subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    limit = threading.Timer(seconds, process.kill)
    limit.start()
    try:
        return next((match for match in map(LINE.match, process.stderr) if match), None)
    finally:
        limit.cancel()
        process.kill()
        process.wait()
        process.stderr.close()


def test_small_runs_are_not_announced(spicymkl, tmp_path):
    table = write_table(tmp_path / "t.csv", 100, 3)
    run = spicymkl.run("train", table, "--target", "y")
    assert run.returncode == 0
    assert "about" not in run.stderr
    estimate = json.loads(spicymkl.run("train", table, "--target", "y", "--json").stdout)["estimate"]
    assert 0 < estimate["seconds"] < 2
    assert 1e6 < estimate["bytes"] < 1e9


def test_estimate_is_right_to_an_order_of_magnitude(spicymkl, tmp_path):
    """Tests run beside others on machines of all kinds: the factor of two is a matter of docs/performance.md."""
    summary = json.loads(
        spicymkl.run("train", write_table(tmp_path / "t.csv", 1500, 10), "--target", "y", "--json").stdout
    )
    took = summary["seconds"] + summary["seconds_input"]
    assert took / 30 < summary["estimate"]["seconds"] < 30 * took
    kept = sum(bank["bytes"] for bank in summary["bank"])
    assert kept < summary["estimate"]["bytes"] < 5 * kept


@pytest.mark.parametrize("command", ["train", "path", "cv"])
def test_long_runs_begin_with_what_they_take(tmp_path, command):
    table = write_table(tmp_path / "t.csv", 20000, 10)
    # The work itself would take minutes; the line comes in a fraction of a second on an idle machine.
    said = announcement([COMMAND, command, table, "--target", "y", "--memory", "100M", "--features", "none"], 30)
    assert said is not None
    assert said.group(1, 2) == ("20000", "27")
    assert said.group(3) == "22 as low-rank factors, 5 computed at every pass"


def test_quiet(tmp_path):
    table = write_table(tmp_path / "t.csv", 20000, 10)
    process = subprocess.Popen(
        [COMMAND, "train", table, "--target", "y", "--memory", "100M", "--quiet"], stderr=subprocess.PIPE
    )
    time.sleep(3)
    process.kill()
    assert process.communicate()[1] == b""
