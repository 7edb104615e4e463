"""Memory or threads that are refused, at any point of a run, end it in a sentence and leave whole files.

Start-up before main() is not tested: what the dynamic linker, libstdc++, OpenBLAS and libgomp take there is not ours. Of
the tests' budget, each place of the program that takes memory is tried in turn; SPICYMKL_FAULTS=all tries every call.
"""

import json

import numpy as np
import pytest

import problems
from conftest import Spicymkl
from faults import EVERYTHING, Faulty, sentences, some_of

TRIES = 100  # of each command, with memory refused once, and as many with memory refused from then on
OLD = b"what was there before"
TRAIN = ["--model", "m.safetensors", "--certificate", "c.json", "--history", "h.csv", "--report", "r.html"]
COMMANDS = {
    "train": ["train", "t.csv", "--target", "y", "--kernels", "k.json", *TRAIN, "--checkpoint", "run", "--checkpoint-every", 0],
    "train on two threads": ["train", "long.csv", "--target", "y", "--kernels", "k.json", *TRAIN, "--threads", 2],
    "train three classes": ["train", "three.csv", "--target", "y", "--impute", "mean", "--id", "name", *TRAIN],
    "train three classes, each": ["train", "three.csv", "--target", "y", "--impute", "mean", "--id", "name", "--multi-class", "ovr", *TRAIN],
    "train survival": ["train", "survival.csv", "--time", "t", "--event", "died", "--covariates", "u", "--kernels", "k.json", *TRAIN],
    "train several targets": ["train", "targets.csv", "--target", "a", "b", "c", "--kernels", "k.json", *TRAIN],
    "train gram": ["train", "--gram", "K.npy", "--labels", "y.npy", "--psd", "clip", *TRAIN],
    "predict": ["predict", "known.safetensors", "t.csv", "--contributions", "-o", "p.csv"],
    "cv": ["cv", "t.csv", "--target", "y", "--kernels", "k.json", "--n-alphas", 3, "--folds", 2, "-o", "cv.csv", "--json", *TRAIN],
    "path": ["path", "t.csv", "--target", "y", "--n-alphas", 2, "-o", "p.csv", "--picture", "p.svg", "--report", "r.html"],
    "verify": ["verify", "known.safetensors", "t.csv"],
}  # fmt: skip
OUTPUTS = ["m.safetensors", "c.json", "h.csv", "r.html", "p.csv", "cv.csv", "p.svg", "grams.npy"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = Spicymkl(tmp_path_factory.mktemp("faults") / "data")
    made.folder.mkdir()
    X, y = problems.classification(n=24, columns=3)
    made.table("t.csv", X, np.where(y > 0, "up", "down"))
    made.kernel_list([{"type": "gaussian", "width": [0.5, 2], "columns": "each"}, {"type": "polynomial", "degree": 2}])
    (made.folder / "kernels.json").rename(made.folder / "k.json")
    long_X, long_y = problems.classification(n=700, columns=3, seed=2)
    made.table("long.csv", long_X, np.where(long_y > 0, "up", "down"))
    cells = [["" if i == 3 and j == 1 else f"{value:.3g}" for j, value in enumerate(row)] for i, row in enumerate(X)]
    rows = [",".join([f"row{i}", *row, "abc"[i % 3]]) for i, row in enumerate(cells)]
    made.write("three.csv", "name,u,v,w,y\n" + "\n".join(rows) + "\n")
    numbers = [[f"{value:.3g}" for value in row] for row in np.column_stack([X, X @ [[1, 0, 2], [0, 1, 1], [1, 1, 0]]])]
    made.write("targets.csv", "x0,x1,x2,a,b,c\n" + "\n".join(map(",".join, numbers)) + "\n")
    lives = [",".join([*row[:3], f"{i % 5}", f"{1 + 7 * i % 11}", f"{i % 3 > 0:d}"]) for i, row in enumerate(numbers)]
    made.write("survival.csv", "x0,x1,x2,u,t,died\n" + "\n".join(lives) + "\n")
    made.save(problems.kernels(X)[:5], y)
    made.ok("train", "t.csv", "--target", "y", "--kernels", "k.json", "--model", "known.safetensors", "--quiet")
    return made.folder


def begin(folder):
    for path in folder.iterdir():
        if path.name in OUTPUTS or path.name.startswith("run"):
            path.unlink()
    for name in OUTPUTS:
        (folder / name).write_bytes(OLD)


def whole(path):
    """What was written is complete."""
    data = path.read_bytes()
    if path.suffix == ".safetensors":
        length = int.from_bytes(data[:8], "little")
        tensors = json.loads(data[8 : 8 + length])
        ends = [tensor["data_offsets"][1] for name, tensor in tensors.items() if name != "__metadata__"]
        return len(data) == 8 + length + max(ends)
    if path.suffix == ".npy":
        return np.load(path).ndim == 3
    if path.suffix == ".json":
        return isinstance(json.loads(data), dict)
    return data.endswith((b"</html>\n", b"</svg>\n") if path.suffix in (".html", ".svg") else b"\n")


def answer(folder):
    """What must not depend on luck: of the certificate all but times."""
    found = json.loads((folder / "c.json").read_text())
    return {key: value for key, value in found.items() if not key.startswith("seconds")}


def check_files(folder, inputs):
    names = {path.name for path in folder.iterdir()}
    assert names - inputs <= {"run", "run.lock"}, names  # the lock of a run that ended without cleaning up
    for name in OUTPUTS:
        assert (folder / name).read_bytes() == OLD or whole(folder / name), name
    if "run" in names:
        assert int.from_bytes((folder / "run").read_bytes()[:8], "little") > 0


def check_run(done, folder, inputs, words):
    assert done.returncode in (0, 1, 2), (done.returncode, done.stderr)
    if done.returncode == 2:
        assert any(word in sentences(done.stderr)[-1] for word in words), done.stderr
    check_files(folder, inputs)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("on", [False, True], ids=["once", "from then on"])
def test_memory_that_is_refused(folder, command, on):
    run = Faulty(folder, COMMANDS[command], "memory")
    begin(folder)
    inputs = {path.name for path in folder.iterdir()}
    number, places = run.count()
    certified = answer(folder) if "train" in command and "three" not in command else None
    statuses = set()
    for at in range(1, number + 1) if EVERYTHING else some_of(places, TRIES):
        begin(folder)
        done = run.run(at, on=on)
        check_run(done, folder, inputs, ["memory"])
        statuses.add(done.returncode)
        if done.returncode == 0 and certified:
            assert answer(folder) == certified
    assert 2 in statuses


@pytest.mark.parametrize("command", ["train on two threads", "cv", "path"])
@pytest.mark.parametrize("on", [False, True], ids=["once", "from then on"])
def test_threads_that_cannot_be_started(folder, command, on):
    run = Faulty(folder, [*COMMANDS[command]], "thread")
    begin(folder)
    inputs = {path.name for path in folder.iterdir()}
    number, _ = run.count()
    assert number > 0
    for at in range(1, number + 1):
        begin(folder)
        done = run.run(at, on=on)
        check_run(done, folder, inputs, ["thread"])
        if at == 1:
            assert done.returncode == 0, done.stderr  # nobody needs a second thread
