"""spicymkl-mpi over one, two and three ranks: the same answer, one voice, one set of files, and an end of all when one ends."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import faults
import problems
from conftest import COMMAND

MPI_COMMAND = str(pathlib.Path(COMMAND).with_name("spicymkl-mpi"))
KILLS = int(os.environ.get("SPICYMKL_RANK_KILLS", "2"))
LAUNCH = ["mpirun", "--oversubscribe", "--mca", "btl_vader_single_copy_mechanism", "none"]
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
T = ["t.csv", "--target", "y", "--threads", "1", "--memory", "500M"]

small_disk = faults.small_disk

pytestmark = pytest.mark.skipif(
    not os.path.exists(MPI_COMMAND) or shutil.which("mpirun") is None,
    reason="spicymkl-mpi was not built: MPI is not installed (libopenmpi-dev, openmpi-bin)",
)


def start(folder, n_ranks, *arguments):
    line = [*LAUNCH, "-n", str(n_ranks), MPI_COMMAND, *map(str, arguments)]
    return subprocess.Popen(
        line, cwd=folder, env={**os.environ, **AS_ROOT}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(folder, n_ranks, *arguments):
    begun = start(folder, n_ranks, *arguments)
    begun.stdout_text, begun.stderr_text = begun.communicate(timeout=120)
    return begun


def said(stderr):
    """What we said, less what mpirun adds."""
    return [line for line in stderr.splitlines() if line.startswith("spicymkl: ")]


def children(pid):
    """The ranks that an mpirun started, in the order of their numbers."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or (entry / "stat").read_text().rsplit(")", 1)[1].split()[1] != str(pid):
                continue
            variables = (entry / "environ").read_text().split("\0")
            rank = next(v.split("=")[1] for v in variables if v.startswith("OMPI_COMM_WORLD_RANK="))
            if "spicymkl-mpi" in (entry / "cmdline").read_text():
                found.append((int(rank), int(entry.name)))
        except (OSError, StopIteration):
            continue
    return [process for _, process in sorted(found)]


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
    return value


@pytest.fixture
def table(spicymkl):
    X, y = problems.classification(n=90, columns=5, seed=5)
    spicymkl.table("t.csv", X, np.where(y > 0, "up", "down"))
    return spicymkl.folder


@pytest.fixture
def long_run(spicymkl):
    """A training that takes minutes."""
    X, y = problems.classification(n=1500, columns=8, seed=5)
    spicymkl.table("t.csv", X, np.where(y > 0, "up", "down"))
    return [
        *["train", "t.csv", "--target", "y", "--threads", 1, "--memory", "100M", "--kernels", "random:4000"],
        *["--tol", 1e-7, "--loss", "hinge", "--model", "m.safetensors"],
    ]


def answer(text):
    found = json.loads(text)
    return found["primal"], found["dual_objective"]


@pytest.mark.parametrize("options", [["--loss", "logistic"], ["--loss", "hinge"], ["--penalty", "elasticnet"]])
def test_the_same_answer_over_any_number_of_ranks(spicymkl, table, options):
    line = ["train", *T, "--kernels", "random:80", "--tol", 1e-4, "--json", *options]
    expected = answer(spicymkl.ok(*line))
    for n_ranks in (1, 2, 3):
        done = run(table, n_ranks, *line, "--model", f"m{n_ranks}.safetensors")
        assert done.returncode == 0, done.stderr_text
        np.testing.assert_allclose(answer(done.stdout_text), expected, rtol=1e-9)
        assert spicymkl.run("verify", f"m{n_ranks}.safetensors", "t.csv").returncode == 0
    again = run(table, 3, *line, "--model", "again.safetensors")
    assert answer(again.stdout_text) == answer(done.stdout_text), "bit for bit"


def test_one_voice_and_one_set_of_files(spicymkl, table):
    line = ["train", *T, "--kernels", "random:80", "--test", "t.csv"]
    alone = spicymkl.run(*line, "--model", "a.safetensors", "--report", "a.html")
    done = run(table, 3, *line, "--model", "b.safetensors", "--report", "b.html")
    assert done.returncode == 0, done.stderr_text
    assert said(done.stderr_text) == said(alone.stderr)

    def without_times(text):
        return [part for part in text.splitlines() if " s (" not in part]

    assert without_times(done.stdout_text) == without_times(alone.stdout)
    assert sorted(p.name for p in table.iterdir()) == ["a.html", "a.safetensors", "b.html", "b.safetensors", "t.csv"]


@pytest.mark.parametrize(
    "line",
    [
        ["cv", *T, "--kernels", "random:30", "--folds", "3", "--n-alphas", "4", "--json"],
        ["path", *T, "--kernels", "random:30", "--n-alphas", "5", "--json"],
        ["train", *T, "--features", "nystrom:20", "--json"],
        ["train", *T[:-1], "1k", "--kernels", "random:30", "--json"],
        ["train", *T, "--explain", "--json"],
    ],
    ids=["cv", "path", "features", "without memory", "explain"],
)
def test_all_commands(spicymkl, table, line):
    alone, done = spicymkl.run(*line), run(table, 2, *line)
    assert done.returncode == alone.returncode == 0, done.stderr_text + alone.stderr

    def numbers(value, found):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(part, (dict, list)):
                numbers(part, found)
            elif key in ("primal", "alpha", "score", "mean_score", "dual_objective"):
                found.append(part)
        return found

    expected = numbers(json.loads(alone.stdout), [])
    np.testing.assert_allclose(numbers(json.loads(done.stdout_text), []), expected, rtol=1e-8)
    assert expected or "--explain" in line


def test_verify(spicymkl, table):
    spicymkl.ok("train", *T, "--model", "m.safetensors")
    done = run(table, 2, "verify", "m.safetensors", "t.csv", "--threads", 1)
    assert (done.returncode, done.stdout_text) == (0, spicymkl.ok("verify", "m.safetensors", "t.csv", "--threads", 1))


def test_gram_files(spicymkl, table):
    X, y = problems.classification(n=40)
    inputs = spicymkl.save(problems.kernels(X), y)
    done = run(table, 2, "train", *inputs, "--json")
    assert done.returncode == 0, done.stderr_text
    np.testing.assert_allclose(answer(done.stdout_text), answer(spicymkl.ok("train", *inputs, "--json")), rtol=1e-9)
    done = run(table, 2, "train", *inputs)
    assert "the matrices of --gram stay on rank 0" in done.stderr_text
    assert "stay on rank 0" not in run(table, 1, "train", *inputs).stderr_text


def test_a_study_is_refused(table):
    line = ["study", *T, "-o", "results", "--repeats", "1", "--stability", "0", "--permutations", "0"]
    done = run(table, 2, *line)
    assert done.returncode == 2
    (sentence,) = said(done.stderr_text)
    assert "spicymkl study --shard I/2" in sentence and "spicymkl merge" in sentence
    assert not (table / "results").exists()
    assert run(table, 1, *line).returncode == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["train", "nowhere.csv", "--target", "y"], "there is no such file"),
        (["train", *T, "--kernels", "none.json"], "none.json"),
        (["trian"], "train"),
        (["train", *T, "--model", "/no/folder/m.safetensors"], "/no/folder"),
    ],
)
def test_a_mistake_is_one_sentence(table, line, words):
    done = run(table, 3, *line)
    assert done.returncode == 2
    assert len(said(done.stderr_text)) == 1 and words in done.stderr_text
    assert done.stdout_text == ""


def test_a_full_standard_output(table):
    """What rank 0 cannot write ends all ranks with its sentence."""
    line = [*LAUNCH, "-n", "2", "bash", "-c", f'exec "{MPI_COMMAND}" "$@" > /dev/full', "bash", "train", *T]
    done = subprocess.run(
        line, cwd=table, env={**os.environ, **AS_ROOT}, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "standard output" in said(done.stderr)[-1]


@pytest.mark.parametrize("kept", [False, True], ids=["nothing there", "a file there"])
def test_a_full_disk(spicymkl, small_disk, kept):
    """All ranks end with rank 0's sentence; an older model stays, and so does what was learned, in the checkpoint."""
    spicymkl.ok("generate", "multisource", "-n", 1000, "--seed", 1, "-o", "t.csv")
    model = small_disk / "m.safetensors"
    if kept:
        model.write_bytes(b"an older model")
    line = ["train", *T, "--kernels", "random:40", "--checkpoint", "run", "--checkpoint-every", 0]
    begun = start(spicymkl.folder, 2, *line, "--model", model)
    ranks = wait_for(lambda: len(found := children(begun.pid)) == 2 and found)
    wait_for((spicymkl.folder / "run").exists)
    _, err = begun.communicate(timeout=10)
    assert begun.returncode == 2, err
    assert said(err)[-1] == f"spicymkl: cannot write '{model}': No space left on device"
    assert not any(map(is_alive, ranks))
    assert [path.read_bytes() for path in small_disk.iterdir()] == [b"an older model"] * kept
    done = run(spicymkl.folder, 2, *line, "--resume", "--model", "m.safetensors")
    assert done.returncode == 0, done.stderr_text
    assert "resuming from 'run'" in done.stderr_text
    assert spicymkl.run("verify", "m.safetensors", "t.csv").returncode == 0


def test_no_memory_on_one_rank(spicymkl):
    X, y = problems.classification(n=1000, columns=8, seed=5)
    spicymkl.table("t.csv", X, np.where(y > 0, "up", "down"))
    arguments = ["train", *T[:-1], "4G", "--kernels", "random:400"]
    poor = ["bash", "-c", f'ulimit -v 1000000; exec "{MPI_COMMAND}" "$@"', "bash"]
    line = [*LAUNCH, "-n", "1", MPI_COMMAND, *arguments, ":", "-n", "1", *poor, *arguments]
    done = subprocess.run(
        line,
        cwd=spicymkl.folder,
        env={**os.environ, **AS_ROOT},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2, done.stderr
    assert said(done.stderr)[-1].startswith("spicymkl: rank 1: not enough memory"), done.stderr


def test_different_files(spicymkl, table):
    other = table / "other"
    other.mkdir()
    (other / "t.csv").write_text((table / "t.csv").read_text() + "1,2,3,4,5,up\n")
    line = [*LAUNCH]
    for k, folder in enumerate([table, other]):
        line += [":"] * k + ["-n", "1", "--wdir", str(folder), MPI_COMMAND, "train", *T]
    done = subprocess.run(line, env={**os.environ, **AS_ROOT}, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    (sentence,) = said(done.stderr)
    assert "rank 1" in sentence and "'t.csv' is another file" in sentence and "checksum" in sentence


def test_different_options(table):
    line = [*LAUNCH, "-n", "1", MPI_COMMAND, "train", *T, ":", "-n", "1", MPI_COMMAND, "train", *T, "--tol", "0.1"]
    done = subprocess.run(
        line, cwd=table, env={**os.environ, **AS_ROOT}, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert said(done.stderr) == ["spicymkl: ranks were started with different options: give all of them the same"]


def test_a_time_limit_leaves_the_best_model(spicymkl, long_run):
    begun = time.monotonic()
    done = run(spicymkl.folder, 2, *long_run, "--max-seconds", 3)
    assert done.returncode == 1, done.stderr_text
    assert time.monotonic() - begun < 20
    assert "the time limit of 3 s was reached" in done.stdout_text
    assert (spicymkl.folder / "m.safetensors").exists()


def test_a_signal_to_rank_zero_leaves_the_best_model(spicymkl, long_run):
    begun = start(spicymkl.folder, 2, *long_run)
    ranks = wait_for(lambda: len(found := children(begun.pid)) == 2 and found)
    time.sleep(3)
    os.kill(ranks[0], signal.SIGTERM)
    out, err = begun.communicate(timeout=30)
    assert begun.returncode == 1, err
    assert "stopped by SIGTERM" in out
    assert (spicymkl.folder / "m.safetensors").exists()
    assert not any(map(is_alive, ranks))


def test_a_killed_rank_ends_all_and_leaves_the_checkpoint(spicymkl, long_run):
    moments = random.Random(1)
    line = [*long_run, "--checkpoint", "run", "--checkpoint-every", 0, "--resume"]
    for k in range(KILLS):
        begun = start(spicymkl.folder, 2, *line)
        ranks = wait_for(lambda begun=begun: len(found := children(begun.pid)) == 2 and found)
        time.sleep(1 + moments.uniform(0, 3))
        if k == KILLS - 1:
            wait_for((spicymkl.folder / "run").exists)
        os.kill(ranks[k % 2], signal.SIGKILL)
        killed = time.monotonic()
        _, err = begun.communicate(timeout=30)
        assert time.monotonic() - killed < 10
        assert begun.returncode != 0
        assert f"rank {k % 2} has ended" in said(err)[-1], err
        assert not any(map(is_alive, ranks))
        assert not (spicymkl.folder / "m.safetensors").exists()
    done = spicymkl.run(*line, "--max-seconds", 3)
    assert "resuming from 'run'" in done.stderr, "a checkpoint of ranks is one of the command"


PROGRAM = """
import sys
import numpy as np
from mpi4py import MPI
from spicymkl import {estimator}

rng = np.random.default_rng(0)
X = rng.normal(size=(90, 5))
y = np.where(X[:, 0] + X[:, 1] * X[:, 2] > 0, "up", "down") if "Classifier" in "{estimator}" else X[:, 0] ** 2
comm = MPI.COMM_WORLD
if comm.Get_rank() > 0 and "bad" not in sys.argv:
    X, y = None, None  # rank 0 learns
estimator = {estimator}(kernels="random:60", n_jobs=1, tol=1e-6, memory="500M", comm=comm)
if "bad" in sys.argv:
    try:
        estimator.fit(X, y[:-1])
    except ValueError as error:
        print(comm.gather(str(error)))
else:
    estimator.fit(X, y)
    alone = {estimator}(kernels="random:60", n_jobs=1, tol=1e-6, memory="500M")
    X, y = comm.bcast((X, y))
    found = estimator.primal_objective_
    assert abs(found - alone.fit(X, y).primal_objective_) <= 1e-9 * found
    answers = comm.gather((found, list(estimator.kernel_weights_), list(estimator.predict(X))))
    if comm.Get_rank() == 0:
        assert all(one == answers[0] for one in answers), "every rank has the same estimator"
        print("the same on", len(answers))
"""


def run_program(folder, n_ranks, estimator, *arguments):
    (folder / "program.py").write_text(PROGRAM.format(estimator=estimator))
    line = [*LAUNCH, "-n", str(n_ranks), sys.executable, "program.py", *arguments]
    return subprocess.run(
        line, cwd=folder, env={**os.environ, **AS_ROOT}, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize(("n_ranks", "estimator"), [(2, "MKLClassifier"), (3, "MKLRegressor")])
def test_a_communicator_of_mpi4py(tmp_path, n_ranks, estimator):
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    done = run_program(tmp_path, n_ranks, estimator)
    assert (done.returncode, done.stdout.strip()) == (0, f"the same on {n_ranks}"), done.stderr


def test_an_exception_is_raised_on_every_rank(tmp_path):
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    done = run_program(tmp_path, 2, "MKLClassifier", "bad")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("inconsistent numbers of samples") == 2, done.stdout


def test_comm_must_be_a_communicator():
    spicymkl = pytest.importorskip("spicymkl")
    with pytest.raises(ValueError, match="comm is 7, but it must be None, or a communicator of mpi4py"):
        spicymkl.MKLClassifier(comm=7).fit(np.zeros((4, 1)), [0, 1, 0, 1])
