"""Runs the command with calls that fail: the library of tests/faults, preloaded."""

import os
import pathlib
import shutil
import subprocess

import pytest

import conftest

LIBRARY = pathlib.Path(conftest.COMMAND).resolve().parent / "libspicymkl_faults.so"
EVERYTHING = os.environ.get("SPICYMKL_FAULTS") == "all"  # every call, instead of as many as a few minutes allow

# What a run with a fault may take: it is stopped as hanging otherwise.
SECONDS = 60


class Faulty:
    """A command line in a folder, run again and again with another call failing."""

    def __init__(self, folder, line, call):
        if not LIBRARY.exists():
            pytest.fail(f"{LIBRARY} is missing: build the tests (target spicymkl_faults)")
        self.folder, self.line, self.call = folder, [conftest.COMMAND, *map(str, line)], call

    def run(self, at=0, error=0, on=False, count=None, piped=None):
        settings = {"FAULT_CALL": self.call, "FAULT_AT": at, "FAULT_ERRNO": error, "FAULT_ON": int(on)}
        settings |= {"LD_PRELOAD": LIBRARY, "FAULT_COUNT": count or ""}
        return subprocess.run(
            self.line,
            cwd=self.folder,
            env={**os.environ, **{name: str(value) for name, value in settings.items()}},
            input=piped,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def count(self):
        """How many such calls an undisturbed run makes, and the first one of every place in the program."""
        file = self.folder.parent / f"{self.folder.name}.count"
        done = self.run(count=file)
        assert done.returncode == 0, done.stderr
        number, *places = map(int, file.read_text().split())
        file.unlink()
        return number, places


def some_of(items, most):
    """Evenly spaced, with the first and the last."""
    items = list(items)
    if EVERYTHING or len(items) <= most:
        return items
    return [items[round(k * (len(items) - 1) / (most - 1))] for k in range(most)]


def sentences(stderr):
    """All that was said; every line is the command's own, or that of libgomp just before it."""
    # A thread that ends the program may do so between the prefix that another writes for libgomp and its message.
    lines = [line.replace("libgomp: spicymkl: ", "spicymkl: ") for line in stderr.splitlines() if line]
    lines = [line for line in lines if not line.startswith("libgomp: ")]
    assert all(line.startswith("spicymkl: ") for line in lines), stderr
    return lines


@pytest.fixture
def small_disk(tmp_path):
    """A file system of a quarter of a megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place], capture_output=True, check=False
    )
    if not mounted or mounted.returncode != 0:
        pytest.skip("no file system could be mounted: this takes root; nobody looked at a disk that is really full")
    yield place
    subprocess.run(["umount", place], check=True)
