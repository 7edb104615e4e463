"""Calls that write files fail, one after the other: every output is whole or as it was, and a sentence names the file."""

import errno
import subprocess

import pytest

import faults
import test_memory_faults
from conftest import COMMAND, Spicymkl
from faults import Faulty, sentences, some_of
from test_memory_faults import OLD, OUTPUTS, begin, check_files

folder = test_memory_faults.folder  # the same files
small_disk = faults.small_disk

COMMANDS = test_memory_faults.COMMANDS | {
    "generate": ["generate", "twonorm", "-n", 5, "-o", "p.csv"],
    "kernels": ["kernels", "t.csv", "--target", "y", "--kernels", "k.json", "-o", "grams.npy"],
    "evaluate": ["evaluate", "known.safetensors", "t.csv", "--report", "r.html"],
}
WRITING = ["train", "train gram", "predict", "cv", "path", "generate", "kernels", "evaluate"]
CALLS = ["open", "write", "fsync", "linkat", "close", "rename", "mmap", "ftruncate"]
ERRORS = [errno.ENOSPC, errno.EIO]  # in turn
TRIES = 6  # of each call in each command


COUNTS = {}  # of calls, by command and call


def calls(folder, command, call):
    """A command that begins anew, and the calls of it to try."""
    run = Faulty(folder, COMMANDS[command], call)
    if (command, call) not in COUNTS:
        begin(folder)
        COUNTS[command, call], _ = run.count()
    return run, some_of(range(1, COUNTS[command, call] + 1), TRIES)


def complete(folder, command):
    written = [name for name in OUTPUTS if name in COMMANDS[command]]
    return all((folder / name).read_bytes() != OLD for name in written)


@pytest.mark.parametrize("command", WRITING)
@pytest.mark.parametrize("call", CALLS)
def test_calls_that_fail(folder, command, call):
    run, some = calls(folder, command, call)
    inputs = {path.name for path in folder.iterdir()} - {"run"}
    for at in some:
        begin(folder)
        done = run.run(at, ERRORS[at % 2])
        check_files(folder, inputs)
        assert done.returncode in (0, 2), (at, done.stderr)
        if done.returncode == 2:
            assert any(f"'{name}'" in sentences(done.stderr)[-1] or f"{name}:" in sentences(done.stderr)[-1]
                       for name in [*OUTPUTS, *inputs, "run", "run.lock"]), done.stderr  # fmt: skip
        else:
            assert complete(folder, command), (at, done.stderr)


@pytest.mark.parametrize("command", WRITING)
@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_from_then_on(folder, command, call):
    """A disk that is full stays full: what comes first fails, and all that follows."""
    run, some = calls(folder, command, call)
    inputs = {path.name for path in folder.iterdir()} - {"run"}
    for at in some:
        begin(folder)
        done = run.run(at, errno.ENOSPC, on=True)
        check_files(folder, inputs)
        assert done.returncode == 2, (at, done.stderr)
        assert "No space left" in done.stderr


@pytest.mark.parametrize("command", WRITING)
@pytest.mark.parametrize("call", [*(call for call in CALLS if call != "mmap"), "short write"])
def test_signals_and_short_writes_are_no_errors(folder, command, call):
    run, some = calls(folder, command, call.removeprefix("short "))
    for at in some:
        begin(folder)
        done = run.run(at, -1 if call == "short write" else errno.EINTR)
        assert done.returncode == 0, (at, done.stderr)
        assert complete(folder, command)


@pytest.mark.parametrize("error", [-1, errno.EINTR], ids=["in pieces", "interrupted"])
def test_pipes_are_read_to_their_end(folder, error):
    run = Faulty(folder, ["predict", "known.safetensors", "/dev/stdin", "--format", "csv"], "read")
    expected = subprocess.run([COMMAND, "predict", "known.safetensors", "t.csv"], cwd=folder, capture_output=True, text=True, check=True)  # fmt: skip
    done = run.run(at=1, error=error, piped=(folder / "t.csv").read_text())
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected.stdout


@pytest.mark.parametrize("kept", [False, True], ids=["nothing there", "a file there"])
def test_a_disk_that_is_really_full(small_disk, tmp_path, kept):
    tool = Spicymkl(tmp_path)
    tool.ok("generate", "multisource", "-n", 400, "--seed", 1, "-o", "t.csv")
    model = small_disk / "m.safetensors"
    if kept:
        model.write_bytes(OLD)
    lines = {
        "train": ["train", "t.csv", "--target", "y", "--model", model, "--certificate", "disk/c.json", "--max-iter", 1],
        "kernels": ["kernels", "t.csv", "--target", "y", "-o", "disk/K.npy"],
        "generate": ["generate", "multisource", "-n", 4000, "-o", "disk/g.csv"],
    }
    for line in lines.values():
        done = tool.run(*line)
        assert done.returncode == 2, done.stderr
        assert "disk/" in sentences(done.stderr)[-1], done.stderr
        assert [path.name for path in small_disk.iterdir()] == (["m.safetensors"] if kept else [])
        assert not kept or model.read_bytes() == OLD
    # A checkpoint that does not fit ends no run.
    done = tool.run(
        "train", "t.csv", "--target", "y", "--checkpoint", "disk/run", "--checkpoint-every", 0, "--max-iter", 2
    )
    assert done.returncode in (0, 1), done.stderr
