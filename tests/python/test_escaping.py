"""Whatever names and cells of the input hold, a terminal shows it and does not obey it."""

import json
import os
import pty

import pytest

from conftest import COMMAND

ESCAPE = "\x1b]0;title\x07\x1b[31m"
NASTY = f"x{ESCAPE}\x9b2J\x7f\u202e"


def obeyed(text):
    """Characters of a text that a terminal would obey."""
    return [c for c in text if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 or ord(c) in (0x202E, 0x2028)]


@pytest.fixture
def nasty_table(spicymkl):
    rows = [f"{i % 7},{(3 * i) % 5},{'good' if i % 2 else 'bad' + ESCAPE}" for i in range(40)]
    return spicymkl.write("t.csv", "\n".join([f"{NASTY},b,y", *rows]) + "\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "t.csv", "--target", "nothing"),
        ("train", "t.csv", "--target", NASTY, "--drop", NASTY),
        ("train", ESCAPE, "--target", "y"),
        ("train", "t.csv", "--target", "y", f"--{ESCAPE}"),
        ("train", "t.csv", "--target", "y", "--loss", ESCAPE),
        (f"tr{ESCAPE}ain",),
        ("inspect", f"no{ESCAPE}.safetensors"),
    ],
)
def test_errors(spicymkl, nasty_table, arguments):
    done = spicymkl.run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("spicymkl: ")
    assert obeyed(done.stdout + done.stderr) == []


def test_bytes_that_are_not_utf8(spicymkl):
    (spicymkl.folder / "t.csv").write_bytes(b"caf\xe9\x1b[2J,y\n1,0\n2,1\n")
    done = spicymkl.run("train", "t.csv", "--target", "y")
    assert done.returncode == 2
    assert obeyed(done.stderr) == []
    assert "\\xe9" in done.stderr or "UTF-8" in done.stderr


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_results(spicymkl, nasty_table, more):
    runs = [
        ("train", "t.csv", "--target", "y", "--model", "m.safetensors", *more),
        ("cv", "t.csv", "--target", "y", "--folds", "2", *more),
        ("path", "t.csv", "--target", "y", "--n-alphas", "3", *more),
        ("kernels", "t.csv", "--target", "y", "--list", *more),
        ("inspect", "m.safetensors", *more),
        ("evaluate", "m.safetensors", "t.csv", *more),
        ("verify", "m.safetensors", "t.csv", *more),
    ]
    for arguments in runs:
        done = spicymkl.run(*arguments)
        assert done.returncode == 0, done.stderr
        assert obeyed(done.stdout + done.stderr) == [], arguments
        if more:
            names = json.dumps(json.loads(done.stdout), ensure_ascii=False)
            if arguments[0] in ("kernels", "train"):
                assert "\u202e" in names  # escaped, not lost


def test_the_report_shows_control_characters(spicymkl, nasty_table):
    spicymkl.ok("train", "t.csv", "--target", "y", "--report", "r.html")
    page = (spicymkl.folder / "r.html").read_text()
    assert "\x1b" not in page
    assert "\\x1b" in page


def test_predictions_are_escaped_on_a_terminal_alone(spicymkl, nasty_table):
    spicymkl.ok("train", "t.csv", "--target", "y", "--model", "m.safetensors")
    assert ESCAPE in spicymkl.ok("predict", "m.safetensors", "t.csv")  # a program wants the class as it is
    shown = b""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(spicymkl.folder)
        os.execv(COMMAND, [COMMAND, "predict", "m.safetensors", "t.csv", "--quiet"])
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.waitpid(pid, 0)
    assert b"bad" in shown
    assert b"\x1b" not in shown
