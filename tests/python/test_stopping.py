"""Ctrl-C, SIGTERM and the time limit: soon, with a proved model, whatever the command is doing; and what it says meanwhile."""

import json
import pathlib
import re
import signal
import time

import numpy as np
import pytest

from test_interrupt import AT_ALL, SOON, Terminal, work_of


def slow_table(spicymkl, rows=14000, columns=10):
    """Kernels that take long: they do not fit into the memory that `SLOW` gives, and are computed at every pass."""
    random = np.random.default_rng(0)
    X = random.standard_normal((rows, columns))
    y = np.where(X[:, 0] + np.sin(2 * X[:, 1]) + 0.5 * random.standard_normal(rows) > 0, "yes", "no")
    return spicymkl.table("slow.csv", X.round(4), y)


SLOW = ["--target", "y", "--memory", "20M", "--features", "none", "--tol", 1e-6, "--threads", 1]


def stop(process, after, how=signal.SIGINT):
    """Sends the signal after so many seconds; the end must come soon, or, on a busy machine, after little more work."""
    time.sleep(after)
    assert process.poll() is None, process.communicate()
    began, before = time.monotonic(), work_of(process.pid)
    process.send_signal(how)
    work = before
    while process.poll() is None:
        assert time.monotonic() < began + AT_ALL, "the command does not end"
        work = work_of(process.pid) or work
        time.sleep(0.02)
    assert time.monotonic() < began + SOON or work < before + SOON, "the command does not end soon"
    out, words = process.communicate()
    return process.returncode, out, words


def check_model(spicymkl, data, certificate, reason):
    """The model can be read and used, says why it ended, and its gap holds."""
    inspected = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))
    assert inspected["status"] == "interrupted"
    assert reason in inspected["fits"][0]["message"]
    claimed = json.loads((spicymkl.folder / certificate).read_text())["relative_gap"]
    assert 0 < claimed <= 1
    spicymkl.ok("verify", "m.safetensors", data, "--tol", 1.000001 * claimed)
    assert len(spicymkl.predictions("m.safetensors", data)["prediction"]) == inspected["n_samples"]


@pytest.mark.parametrize("after", [0.3, 2, 8])
def test_ctrl_c_while_kernels_are_computed_on_the_fly(spicymkl, after):
    data = slow_table(spicymkl)
    run = spicymkl.start("train", data, *SLOW, "--model", "m.safetensors", "--certificate", "c.json")
    status, _, words = stop(run, after)
    assert status == 1, words
    assert "stopping; the best model so far will be written" in words
    check_model(spicymkl, data, "c.json", "stopped by Ctrl-C")


def test_a_term_signal_says_so(spicymkl):
    data = slow_table(spicymkl, 6000)
    run = spicymkl.start("train", data, *SLOW, "--model", "m.safetensors", "--certificate", "c.json", "--quiet")
    status, out, words = stop(run, 1, signal.SIGTERM)
    assert status == 1 and out == "" and words.count("\n") == 1, words
    check_model(spicymkl, data, "c.json", "stopped by SIGTERM")


@pytest.mark.parametrize("multi_class, n_fits", [("joint", 1), ("ovr", 6)])
def test_the_time_limit_is_one_for_the_whole_command(spicymkl, multi_class, n_fits):
    data = slow_table(spicymkl, 4000)
    table = spicymkl.folder / data
    rows = table.read_text().splitlines()
    classes = ["y", *(f"class{i % 6}" for i in range(len(rows) - 1))]
    table.write_text("\n".join(f"{row.rpartition(',')[0]},{c}" for row, c in zip(rows, classes)) + "\n")
    began = time.monotonic()
    how = ["--multi-class", multi_class, "--max-seconds", 3]
    run = spicymkl.start("train", data, *SLOW, *how, "--model", "m.safetensors", "--json")
    out, words = run.communicate()
    assert run.returncode == 1, words
    assert time.monotonic() - began < 3 + 3 * SOON, "six classes, and one limit for all"
    found = json.loads(out)
    fits = found["classes"] if multi_class == "ovr" else [found]
    assert len(fits) == n_fits
    assert all(fit["status"] == "interrupted" for fit in fits)
    assert {fit["message"].partition(";")[0] for fit in fits} == {"the time limit of 3 s was reached"}
    assert all(0 < fit["relative_gap"] <= 1 for fit in fits)


def test_a_run_goes_on_with_another_time_limit(spicymkl):
    spicymkl.ok("generate", "multisource", "-n", 300, "--seed", 1, "-o", "data.csv")
    arguments = ["train", "data.csv", "--target", "y", "--checkpoint", "c", "--model", "m.safetensors"]
    assert spicymkl.run(*arguments, "--max-iter", 1, "--solver", "spicy", "--max-seconds", 1000).returncode == 1
    spicymkl.ok(*arguments, "--solver", "spicy", "--resume", "--max-seconds", 2000)
    assert not (spicymkl.folder / "c").exists()


def test_a_second_ctrl_c_keeps_the_model_and_a_third_ends_at_once(spicymkl):
    data = slow_table(spicymkl)
    run = spicymkl.start("train", data, *SLOW, "--model", "m.safetensors", "--certificate", "c.json")
    time.sleep(2)
    run.send_signal(signal.SIGINT)
    time.sleep(0.05)
    status, _, words = stop(run, 0)
    assert status == 1, words
    assert "already stopping" in words
    check_model(spicymkl, data, "c.json", "stopped by Ctrl-C")
    (spicymkl.folder / "m.safetensors").unlink()
    run = spicymkl.start("train", data, *SLOW, "--model", "m.safetensors")
    time.sleep(2)
    for _ in range(3):
        run.send_signal(signal.SIGINT)
        time.sleep(0.05)
    run.communicate()
    assert run.returncode in (-signal.SIGINT, 1)
    assert (spicymkl.folder / "m.safetensors").exists() == (run.returncode == 1)


def test_a_path_says_how_many_points_it_kept(spicymkl):
    spicymkl.ok("generate", "multisource", "-n", 1200, "--seed", 1, "-o", "data.csv")
    arguments = ["path", "data.csv", "--target", "y", "--tol", 1e-9, "--n-alphas", 500, "-o", "p.csv"]
    for limit in (4, 16, 64, 256):  # a busy machine may not have come to the first point
        done = spicymkl.run(*arguments, "--max-seconds", limit)
        if "before the first point" not in done.stderr:
            break
    reason = f"the time limit of {limit} s was reached"
    found = re.search(rf"interrupted, {reason}; the (\d+) of 500 points that were done are kept", done.stderr)
    assert done.returncode == 1 and found, done.stderr
    assert len((spicymkl.folder / "p.csv").read_text().splitlines()) == 1 + int(found[1])


def test_a_cross_validation_keeps_its_scores(spicymkl):
    data = slow_table(spicymkl, 1500)
    arguments = ["cv", data, "--target", "y", "--tol", 1e-8, "--threads", 1, "-o", "cv.csv", "--model", "m.safetensors"]
    run = spicymkl.start(*arguments)
    time.sleep(1)
    began = time.monotonic()
    while run.poll() is None and time.monotonic() < began + 20:
        time.sleep(0.1)
    if run.poll() is not None:
        pytest.skip("a machine that does all of it in 20 s")
    status, _, words = stop(run, 0)
    assert status == 1 and "interrupted, stopped by Ctrl-C" in words, words
    scored = int(re.search(r"(\d+) of 36 points have scores", words)[1])
    assert (spicymkl.folder / "cv.csv").exists() == (scored > 0)
    if scored:
        assert len((spicymkl.folder / "cv.csv").read_text().splitlines()) == 1 + scored
    assert not (spicymkl.folder / "m.safetensors").exists()


def test_progress_from_the_first_second(spicymkl):
    data = slow_table(spicymkl)
    run = Terminal(spicymkl, "train", data, *SLOW, "--model", "m.safetensors")
    run.wait_for("[", seconds=60)
    run.wait_for("of", seconds=60)
    run.interrupt()
    assert run.end() == 1, run.screen
    lines = re.split(r"[\r\n]", run.screen.replace("\x1b[K", ""))
    bars = [line for line in lines if not line.startswith("spicymkl: ")]
    assert any("[" in bar for bar in bars)
    assert max(map(len, bars)) < 80, "a line that wraps is not rewritten"
    assert any("kernels" in line or "rows" in line for line in lines)


def test_off_a_terminal_a_line_now_and_then(spicymkl):
    data = slow_table(spicymkl, 12000)
    run = spicymkl.start("train", data, *SLOW, "--max-seconds", 13)
    _, words = run.communicate()
    lines = [line for line in words.splitlines() if line.startswith("spicymkl: 1")]
    assert 1 <= len(lines) <= 2, words
    quiet = spicymkl.start("train", data, *SLOW, "--max-seconds", 12, "--quiet")
    assert quiet.communicate()[1] == ""


def test_memory_is_kept(spicymkl):
    """14,000 rows: one kernel as a matrix would take 1.5 GB."""
    data = slow_table(spicymkl)
    run = spicymkl.start("train", data, *SLOW, "--max-seconds", 6, "--model", "m.safetensors", "--quiet")
    most = 0  # kilobytes; a process that was forked off this one counts this one's memory as its own until it begins
    while run.poll() is None:
        status = pathlib.Path(f"/proc/{run.pid}/status").read_text()
        if "spicymkl" in status.split("\n")[0] and (peak := re.search(r"VmHWM:\s+(\d+) kB", status)):
            most = max(most, int(peak.group(1)))
        time.sleep(0.05)
    run.communicate()
    assert 0 < most < 300e3
