"""A run that is killed resumes from its checkpoint, to an answer with a proof; a checkpoint of something else is refused."""

import csv
import json
import random
import signal
import time

import numpy as np
import pytest

import problems

KILLS = 5  # of each of five problems


def table(spicymkl, name, loss, classes=2):
    X, _ = problems.classification(n=420, columns=6, seed=3)
    y = X[:, 0] + np.sin(2 * X[:, 1])
    labels = y if classes == 0 else np.searchsorted(np.quantile(y, np.arange(1, classes) / classes), y)
    spicymkl.table(name, X, labels)
    return [name, "--target", "y", "--kernels", "paper", "--loss", loss, "--tol", 1e-4]


def gram(spicymkl):
    X, y = problems.classification(n=380, columns=8, seed=4)
    options = [
        "--loss",
        "hinge",
        "--solver",
        "spicy",
        "--penalty",
        "elasticnet",
        "--l1-ratio",
        0.9,
        "--alpha",
        "0.001max",
    ]
    return [*spicymkl.save(problems.kernels(X), y), *options, "--tol", 1e-8]


PROBLEMS = {
    "two classes": lambda s: table(s, "two.csv", "hinge"),
    "three classes": lambda s: table(s, "three.csv", "logistic", 3),
    "three classes, each": lambda s: [*table(s, "three.csv", "logistic", 3), "--multi-class", "ovr"],
    "numbers": lambda s: table(s, "numbers.csv", "epsilon_insensitive", 0),
    "precomputed": gram,
}


def primal(spicymkl, name):
    """The objective of the stored model, summed over classes, as verify finds it."""
    found = json.loads((spicymkl.folder / name).read_text())
    return sum(fit["primal"] for fit in found.get("classes", [found]))


@pytest.mark.parametrize("problem", PROBLEMS)
def test_killed_at_random_moments(spicymkl, problem):
    inputs = PROBLEMS[problem](spicymkl)
    began = time.monotonic()
    spicymkl.ok("train", *inputs, "--certificate", "whole.json")
    duration = time.monotonic() - began
    before = set(spicymkl.contents())
    arguments = ["train", *inputs, "--checkpoint", "run.checkpoint", "--checkpoint-every", 0, "--resume"]
    arguments += ["--model", "m.safetensors", "--certificate", "c.json"]
    moments = random.Random(problem)
    kills, found = 0, 0
    while kills < KILLS or (found == 0 and kills < 10 * KILLS):
        run = spicymkl.start(*arguments)
        time.sleep(moments.uniform(0.1, 0.9) * duration)
        run.kill()
        _, words = run.communicate()
        assert run.returncode in (-signal.SIGKILL, 0), words
        kills += run.returncode != 0
        found += (spicymkl.folder / "run.checkpoint").exists()
        if run.returncode == 0:  # an idler machine than before: it was over too soon
            duration *= 0.8
        elif not found:  # a busier one: no run has come far enough yet
            duration *= 1.2
    spicymkl.ok(*arguments)
    assert found > 0, "no run lived long enough to leave a checkpoint"
    assert set(spicymkl.contents()) - before == {spicymkl.folder / name for name in ("m.safetensors", "c.json")}
    data = [word for word in inputs[:4] if word != "--target" and word != "y"] if "--gram" not in inputs else inputs[:4]
    spicymkl.ok("verify", "m.safetensors", *(data if "--gram" in inputs else data[:1]))
    tol = float(inputs[inputs.index("--tol") + 1])
    assert primal(spicymkl, "c.json") == pytest.approx(primal(spicymkl, "whole.json"), rel=2 * tol)


@pytest.fixture
def stopped(spicymkl):
    """A run that ended before it met the tolerance, and its arguments."""
    arguments = [
        "train",
        *table(spicymkl, "data.csv", "logistic"),
        "--checkpoint",
        "c",
        "--history",
        "h.csv",
        "--solver",
        "spicy",
    ]
    assert spicymkl.run(*arguments, "--max-iter", 2).returncode == 1
    return arguments


def records(spicymkl):
    return list(csv.DictReader((spicymkl.folder / "h.csv").read_text().splitlines()))


def test_a_run_goes_on_where_it_was(spicymkl, stopped):
    first = records(spicymkl)
    spicymkl.ok(*stopped, "--resume")
    both = records(spicymkl)
    assert both[: len(first)] == first
    assert min(float(record["gap"]) for record in both[len(first) : len(first) + 2]) <= float(first[-1]["gap"])
    seconds = [float(record["seconds"]) for record in both]
    assert seconds == sorted(seconds)
    assert not (spicymkl.folder / "c").exists()


def test_without_a_checkpoint_the_run_begins_at_the_beginning(spicymkl, stopped):
    (spicymkl.folder / "c").unlink()
    spicymkl.ok(*stopped, "--resume", "--threads", 1)


def test_a_checkpoint_is_not_overwritten_unasked(spicymkl, stopped):
    spicymkl.refuse(stopped, "'c' exists", "--resume")
    spicymkl.refuse(
        [word for word in stopped if word not in ("--checkpoint", "c")] + ["--resume"], "--resume needs --checkpoint"
    )


@pytest.mark.parametrize(
    "options, words",
    [
        (["--alpha", "0.2max"], ["alpha was '0.03max' there and is '0.2max' now"]),
        (["--penalty", "elasticnet"], ["penalty"]),
        (["--no-standardize"], ["standardize"]),
        (["--drop", "x3"], ["drop was not given there and is 'x3' now"]),
    ],
)
def test_other_options_are_refused(spicymkl, stopped, options, words):
    spicymkl.refuse([*stopped, "--resume", *options], "another run", *words)


def test_classes_are_learned_in_the_same_way(spicymkl):
    """By what the choice comes to, not by how it was written; with two classes there is none."""
    run = ["train", *table(spicymkl, "three.csv", "logistic", 3), "--checkpoint", "c", "--resume"]
    assert spicymkl.run(*run, "--max-iter", 1).returncode == 1
    spicymkl.refuse([*run, "--multi-class", "ovr"], "another run", "multi_class was 'joint' there and is 'ovr' now")
    assert spicymkl.run(*run, "--multi-class", "joint", "--max-iter", 1).returncode == 1
    assert b"multi_class" in (spicymkl.folder / "c").read_bytes()
    spicymkl.ok(*run, "--multi-class", "auto")
    two = ["train", *table(spicymkl, "two.csv", "logistic"), "--checkpoint", "two", "--resume"]
    assert spicymkl.run(*two, "--max-iter", 1).returncode == 1
    assert b"multi_class" not in (spicymkl.folder / "two").read_bytes()


def test_other_data_and_kernels_are_refused(spicymkl, stopped):
    at = stopped.index("paper")
    spicymkl.refuse([*stopped[:at], "auto", *stopped[at + 1 :], "--resume"], "another run", "the list of kernels")
    path = spicymkl.folder / "data.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n")
    spicymkl.refuse([*stopped, "--resume"], "another run", "content of DATA")


def damages(whole):
    yield "cut", whole[: len(whole) // 2]
    yield "stub", whole[:5]
    yield "empty", b""
    yield "noise", b"x" * 1000
    yield "flipped", whole[:-9] + bytes([whole[-9] ^ 0x10]) + whole[-8:]


def test_damaged_and_foreign_files_are_refused(spicymkl, stopped):
    whole = (spicymkl.folder / "c").read_bytes()
    for name, content in damages(whole):
        (spicymkl.folder / "c").write_bytes(content)
        spicymkl.refuse([*stopped, "--resume"], "'c'", "checkpoint")
        assert (spicymkl.folder / "c").read_bytes() == content, name
    spicymkl.ok(*[word for word in stopped if word not in ("--checkpoint", "c")], "--model", "m.safetensors")
    (spicymkl.folder / "c").write_bytes((spicymkl.folder / "m.safetensors").read_bytes())
    spicymkl.refuse([*stopped, "--resume"], "not the checkpoint of a training run")


def test_places_that_cannot_be_written(spicymkl):
    arguments = ["train", *table(spicymkl, "data.csv", "logistic")]
    spicymkl.refuse([*arguments, "--checkpoint", "absent/c"], "absent/c")
    spicymkl.refuse([*arguments, "--checkpoint", "."], "directory")
