"""An option is used, or refused by name with the reason: for every option of every command."""

import json
import re

import numpy as np
import pytest

import problems
from test_manual import commands, options

# Scripts give these always; they promise the same bits or silence, which holds also where nothing is random or printed.
ALWAYS_ACCEPTED = {"--help", "--help-all", "--seed", "--threads", "--quiet"}

T = ["t.csv", "--target", "y"]
N = ["n.csv", "--target", "y"]
C = ["c.csv", "--target", "y"]  # three classes
M = ["n.csv", "--target", "y", "x2"]  # two targets
G = ["--gram", "K.npy", "--labels", "y.npy"]
MADE = ["m.safetensors"]
L = ["l.csv", "--time", "time", "--event", "died"]  # survival times
S = ["a.csv", "b.csv", "--id", "who", "--target", "y"]  # b lacks samples
SHORT = ["--samples", 20, "--kernels", 3, "--loss", "hinge", "--penalty", "block1", "--alpha", 0.05, "--tol", 0.01]

# option: (arguments without it, with it), whose outcomes differ
READING = {
    "--target": (["t.csv"], T),
    "--format": (["t.text", "--target", "y"], ["t.text", "--target", "y", "--format", "csv"]),
    "--header": (T, [*T, "--header", "no"]),
    "--drop": (T, [*T, "--drop", "x2"]),
    "--categorical": (T, [*T, "--categorical", "x3"]),
    "--id": (T, [*T, "--id", "x2"]),
}
KERNELS = {
    "--kernels": (T, [*T, "--kernels", "random:4"]),
    "--groups": (T, [*T, "--groups", "g.json"]),
    "--impute": (["gaps.csv", "--target", "y"], ["gaps.csv", "--target", "y", "--impute", "mean"]),
    "--no-standardize": (T, [*T, "--no-standardize"]),
    "--features": (T, [*T, "--features", "nystrom:2"]),
    "--missing-view": (S, [*S, "--missing-view", "zero"]),
}
SURVIVAL = {"--time": (["l.csv", *L[3:]], L), "--event": (L[:3], L)}
LEARNING = {
    **READING,
    **SURVIVAL,
    **KERNELS,
    "--memory": (T, [*T, "--memory", "-1"]),  # what it changes cannot be seen from outside on few rows
    "--gram": (["--labels", "y.npy"], G),
    "--labels": (["--gram", "K.npy"], G),
    "--weights": (G, [*G, "--weights", "w.npy"]),
    "--psd": (
        ["--gram", "bad.npy", "--labels", "y.npy"],
        ["--gram", "bad.npy", "--labels", "y.npy", "--psd", "clip"],
    ),
    "--covariates": (T, [*T, "--covariates", "x3"]),
    "--task": (T, [*T, "--task", "regression"]),
    "--loss": (T, [*T, "--loss", "hinge"]),
    "--multi-class": (C, [*C, "--multi-class", "ovr"]),
    "--multi-output": (M, [*M, "--multi-output", "each"]),
    "--penalty": (T, [*T, "--penalty", "uniform"]),
    "--l1-ratio": ([*T, "--penalty", "elasticnet"], [*T, "--penalty", "elasticnet", "--l1-ratio", 0.1]),
    "--q": ([*T, "--penalty", "blockq"], [*T, "--penalty", "blockq", "--q", 3]),
    "--epsilon": ([*N, "--loss", "huber"], [*N, "--loss", "huber", "--epsilon", 1]),
    "--quantile": ([*N, "--loss", "quantile"], [*N, "--loss", "quantile", "--quantile", 0.9]),
    "--no-intercept": (T, [*T, "--no-intercept"]),
    "--tol": ([*T, "--solver", "spicy"], [*T, "--solver", "spicy", "--tol", 1e-9]),
    "--max-iter": ([*T, "--solver", "spicy"], [*T, "--solver", "spicy", "--tol", 1e-13, "--max-iter", 1]),
    "--max-seconds": (T, [*T, "--tol", 1e-13, "--max-seconds", 1e-9]),
    "--solver": (T, [*T, "--solver", "onestep"]),
    "--report": (T, [*T, "--report", "out.html"]),
    "--json": (T, [*T, "--json"]),
    "--explain": (T, [*T, "--explain"]),
}
WRITTEN = {
    "--model": (T, [*T, "--model", "out.safetensors"]),
    "--certificate": (T, [*T, "--certificate", "out.json"]),
    "--history": (T, [*T, "--history", "out.csv"]),
}
GRID = {
    "--n-alphas": (T, [*T, "--n-alphas", 2]),
    "--alpha-ratio": ([*T, "--n-alphas", 2], [*T, "--n-alphas", 2, "--alpha-ratio", 0.5]),
    "--alphas": (T, [*T, "--alphas", "0.5max"]),
    "--output": (T, [*T, "--output", "out.csv"]),
}
SAVING = [*T, "--checkpoint", "c", "--solver", "spicy", "--tol", 1e-13, "--max-iter", 1]
FEW = ["-o", "out", "--repeats", 1, "--outer", 2, "--inner", 2, "--stability", 2, "--permutations", 1]
STUDY = (
    {
        option: ([*without, *FEW], [*given, *FEW])
        for option, (without, given) in {
            **{option: case for option, case in LEARNING.items() if option not in ("--report", "--explain")},
            **{option: case for option, case in GRID.items() if option != "--output"},
            "--penalty": (T, [*T, "--penalty", "elasticnet"]),
            "--q": ([*T, "--penalty", "block1"], [*T, "--penalty", "block1", "--q", 3]),
            "--multi-output": (N, [*N, "--multi-output", "each"]),  # of one target, which a study is of
            "--time": (T, [*T, "--time", "x1"]),  # survival times are refused
            "--event": (T, [*T, "--event", "x1"]),
            "--metric": (T, [*T, "--metric", "auc"]),
            "--one-standard-error": (T, [*T, "--one-standard-error"]),
            "--l1-ratios": ([*T, "--penalty", "elasticnet"], [*T, "--penalty", "elasticnet", "--l1-ratios", "0.2,0.8"]),
            "--qs": (T, [*T, "--qs", "1.2,3"]),
            "--threshold": (T, [*T, "--threshold", 0.6]),
            "--false-selections": (T, [*T, "--false-selections", 0.01]),
            "--error-bound": (T, [*T, "--error-bound", "nothing"]),
            "--group": (T, [*T, "--group", "x2"]),
            "--shard": (T, [*T, "--shard", "1/2"]),
        }.items()
    }
    | {
        "--output": ([*T, *FEW], [*T, "--output", "elsewhere", *FEW[2:]]),
        "--covariates": ([*T, *FEW[:-1], 0], [*T, "--covariates", "x3", *FEW[:-1], 0]),
        **{
            option: ([*T, *FEW], [*T, *FEW[:at], value, *FEW[at + 1 :]])
            for option, at, value in (
                ("--repeats", 3, 2),
                ("--outer", 5, 3),
                ("--inner", 7, 3),
                ("--stability", 9, 3),
                ("--permutations", 11, 2),
            )
        },
    }
)
DEVICE = {"--device": (T, [*T, "--device", "quantum"])}  # what it changes cannot be seen from outside without a GPU
EFFECTS = {
    "train": {
        **LEARNING,
        **WRITTEN,
        "--alpha": (T, [*T, "--alpha", "0.5max"]),
        "--test": (T, [*T, "--test", "t.csv"]),
        **DEVICE,
        "--checkpoint": ([*T, *SAVING[5:]], SAVING),
        "--checkpoint-every": (SAVING, [*SAVING, "--checkpoint-every", -1]),
        "--resume": ([*T, "--checkpoint", "old"], [*T, "--checkpoint", "old", "--resume"]),
    },
    "path": {**LEARNING, **GRID, **DEVICE, "--picture": (T, [*T, "--picture", "out.svg"])},
    "cv": {
        **LEARNING,
        **WRITTEN,
        **GRID,
        "--folds": (T, [*T, "--folds", 2]),
        "--folds-csv": (T, [*T, "--folds-csv", "out.csv"]),
        "--metric": (T, [*T, "--metric", "auc"]),
        "--one-standard-error": ([*T, "--json"], [*T, "--json", "--one-standard-error"]),
        "--l1-ratios": ([*T, "--penalty", "elasticnet"], [*T, "--penalty", "elasticnet", "--l1-ratios", "0.2,0.8"]),
        "--qs": ([*T, "--penalty", "blockq"], [*T, "--penalty", "blockq", "--qs", "1.2,3"]),
    },
    "study": STUDY,
    "merge": {"--json": (["made"], ["made", "--json"])},
    "kernels": {
        option: ([*without, "--list"], [*given, "--list"])
        for option, (without, given) in {**READING, **SURVIVAL, **KERNELS, "--json": (T, [*T, "--json"])}.items()
    }
    | {
        "--no-standardize": ([*T, "-o", "out.npy"], [*T, "-o", "out.npy", "--no-standardize"]),
        "--output": ([*T, "--list"], [*T, "--list", "--output", "out.npy"]),
        "--list": ([*T, "-o", "out.npy"], [*T, "-o", "out.npy", "--list"]),
    },
    "predict": {
        "--gram": (["g.safetensors"], ["g.safetensors", "--gram", "K.npy"]),
        "--covariates": (
            ["v.safetensors", "--gram", "K.npy"],
            ["v.safetensors", "--gram", "K.npy", "--covariates", "C.npy"],
        ),
        "--output": ([*MADE, "t.csv"], [*MADE, "t.csv", "--output", "out.csv"]),
        "--contributions": ([*MADE, "t.csv"], [*MADE, "t.csv", "--contributions"]),
        "--id": ([*MADE, "named.csv"], [*MADE, "named.csv", "--id", "who"]),
        "--strict": (["i.safetensors", "gaps.csv"], ["i.safetensors", "gaps.csv", "--strict"]),
        "--device": ([*MADE, "t.csv"], [*MADE, "t.csv", "--device", "quantum"]),
        "--missing-view": (["s.safetensors", *S[:2]], ["s.safetensors", *S[:2], "--missing-view", "drop"]),
        "--format": ([*MADE, "t.text"], [*MADE, "t.text", "--format", "csv"]),
        "--header": ([*MADE, "t.csv"], [*MADE, "t.csv", "--header", "no"]),
        "--survival-at": (["l.safetensors", "l.csv"], ["l.safetensors", "l.csv", "--survival-at", "1,2"]),
    },
    "evaluate": {
        "--gram": (["g.safetensors", "--labels", "y.npy"], ["g.safetensors", *G]),
        "--labels": (["g.safetensors", "--gram", "K.npy"], ["g.safetensors", *G]),
        "--covariates": (["v.safetensors", *G], ["v.safetensors", *G, "--covariates", "C.npy"]),
        "--time": (["l.safetensors", "l.csv"], ["l.safetensors", "l.csv", "--time", "x1"]),
        "--event": (["l.safetensors", "l.csv"], ["l.safetensors", "l.csv", "--event", "x3"]),
        "--target": ([*MADE, "t.csv"], [*MADE, "t.csv", "--target", "x1"]),
        "--format": ([*MADE, "t.text"], [*MADE, "t.text", "--format", "csv"]),
        "--header": ([*MADE, "t.csv"], [*MADE, "t.csv", "--header", "no"]),
        "--report": ([*MADE, "t.csv"], [*MADE, "t.csv", "--report", "out.html"]),
        "--json": ([*MADE, "t.csv"], [*MADE, "t.csv", "--json"]),
        "--id": ([*MADE, "named.csv"], [*MADE, "named.csv", "--id", "nobody"]),
        "--strict": (["i.safetensors", "gaps.csv"], ["i.safetensors", "gaps.csv", "--strict"]),
        "--device": ([*MADE, "t.csv"], [*MADE, "t.csv", "--device", "quantum"]),
        "--missing-view": (["s.safetensors", *S[:2]], ["s.safetensors", *S[:2], "--missing-view", "drop"]),
    },
    "verify": {
        "--time": (["l.safetensors", "l.csv"], ["l.safetensors", "l.csv", "--time", "x1"]),
        "--event": (["l.safetensors", "l.csv"], ["l.safetensors", "l.csv", "--event", "x3"]),
        "--id": ([*MADE, "t.csv"], [*MADE, "t.csv", "--id", "nobody"]),
        "--target": ([*MADE, "t.csv"], [*MADE, "t.csv", "--target", "x1"]),
        "--format": ([*MADE, "t.text"], [*MADE, "t.text", "--format", "csv"]),
        "--header": ([*MADE, "t.csv"], [*MADE, "t.csv", "--header", "no"]),
        "--gram": (["g.safetensors", "--labels", "y.npy"], ["g.safetensors", *G]),
        "--labels": (["g.safetensors", "--gram", "K.npy"], ["g.safetensors", *G]),
        "--weights": (["g.safetensors", *G], ["g.safetensors", *G, "--weights", "w.npy"]),
        "--covariates": (["v.safetensors", *G], ["v.safetensors", *G, "--covariates", "C2.npy"]),
        "--tol": ([*MADE, "t.csv"], [*MADE, "t.csv", "--tol", 1e-15]),
        "--json": ([*MADE, "t.csv"], [*MADE, "t.csv", "--json"]),
    },
    "inspect": {"--json": (MADE, [*MADE, "--json"])},
    "generate": {"--output": (["twonorm", "-n", 5], ["twonorm", "-n", 5, "--output", "out.csv"])},
    "bench": {
        "--table": (SHORT, ["--table", "t.csv", "--target", "y", "--tol", 0.01]),
        "--target": (["--table", "t.csv", "--tol", 0.01], ["--table", "t.csv", "--tol", 0.01, "--target", "y"]),
        "--data": (SHORT, [*SHORT, "--data", "twonorm"]),
        "--samples": (SHORT, [*SHORT, "--samples", 30, "--kernels", 3]),
        "--kernels": (SHORT, [*SHORT, "--samples", 20, "--kernels", 4]),
        "--loss": (SHORT, [*SHORT, "--loss", "squared_hinge"]),
        "--penalty": (SHORT, [*SHORT, "--penalty", "uniform"]),
        "--solver": (SHORT, [*SHORT, "--solver", "spicy"]),
        "--alpha": (SHORT, [*SHORT, "--alpha", 0.1]),
        "--tol": (SHORT, [*SHORT, "--tol", 0.1]),
        "--path": (SHORT[:-4], [*SHORT[:-4], "--path", 2]),
        "--single": (SHORT, [*SHORT, "--single"]),
        "--device": (SHORT, [*SHORT, "--device", "quantum"]),
        "--nystrom": (SHORT, [*SHORT, "--nystrom", 2]),
        "--repeat": (SHORT, [*SHORT, "--repeat", 0]),
        "--max-seconds": (SHORT, [*SHORT, "--max-seconds", -1]),
        "--json": (SHORT, [*SHORT, "--json"]),
    },
    "options": {},
}


@pytest.fixture
def files(spicymkl):
    X, y = problems.classification(n=24)
    X[:, 2] = np.arange(24) % 3
    classes = np.where(y > 0, "up", "down")
    spicymkl.table("t.csv", X[:, :3], classes)
    spicymkl.write("t.text", (spicymkl.folder / "t.csv").read_text())
    spicymkl.table("c.csv", X[:, :3], np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])])
    spicymkl.table("n.csv", X[:, :3], X[:, 0] + 0.3 * X[:, 1] ** 2)
    times = {f"x{j + 1}": X[:, j] for j in range(3)} | {"time": np.exp(X[:, 0]), "died": (X[:, 1] < 0.5).astype(int)}
    spicymkl.table("l.csv", times)
    spicymkl.ok("train", *L, "--model", "l.safetensors", "--quiet")
    spicymkl.write("gaps.csv", re.sub(r"(?m)^[^x,][^,]*,", ",", (spicymkl.folder / "t.csv").read_text(), count=1))
    spicymkl.write("g.json", json.dumps({"first": ["x1", "x2"]}))
    K = problems.kernels(X)
    spicymkl.save(K, y, np.linspace(0.5, 1.5, len(y)))
    np.save(spicymkl.folder / "bad.npy", K - 0.02 * np.eye(24))
    np.save(spicymkl.folder / "C.npy", X[:, 2])
    np.save(spicymkl.folder / "C2.npy", X[:, 1])
    spicymkl.ok("train", *G, "--covariates", "C.npy", "--model", "v.safetensors", "--quiet")
    named = [f"row {i}" for i in range(len(y))]
    spicymkl.table("named.csv", {"who": named, "x1": X[:, 0], "x2": X[:, 1], "x3": X[:, 2]}, classes)
    spicymkl.table("a.csv", {"who": named, "x1": X[:, 0]}, classes)
    spicymkl.table("b.csv", {"who": named[4:], "x2": X[4:, 1], "x3": X[4:, 2]})
    spicymkl.ok("train", *S, "--missing-view", "zero", "--model", "s.safetensors", "--quiet")
    spicymkl.ok("train", *T, "--model", "m.safetensors", "--quiet")
    spicymkl.ok("train", "gaps.csv", "--target", "y", "--impute", "mean", "--model", "i.safetensors", "--quiet")
    spicymkl.ok("train", *G, "--model", "g.safetensors", "--quiet")
    spicymkl.run("train", *T, "--checkpoint", "old", "--solver", "spicy", "--tol", 1e-13, "--max-iter", 1, "--quiet")
    spicymkl.ok("study", *T, "-o", "made", *FEW[2:], "--quiet")
    return spicymkl


def outcome(spicymkl, command, arguments):
    """Status, what was printed without times, and the files that were written, which are removed again."""
    before = spicymkl.contents()
    done = spicymkl.run(command, *arguments)
    after = spicymkl.contents()
    written = {str(path): data if path.suffix == ".npy" else None for path, data in after.items() if path not in before}
    for path in after:
        if path not in before:
            path.unlink()
    for path, data in before.items():
        path.write_bytes(data)
    printed = re.sub(r'\s*[-+\d.e]+ (s|U|MB|GB)\b|"(seconds|unit)\w*": ?[^,}]*', "", done.stdout)
    return done.returncode, printed, done.stderr, written


CASES = [(command, option, *pair) for command, table in EFFECTS.items() for option, pair in table.items()]


@pytest.mark.parametrize("command, option, without, given", CASES, ids=[f"{case[0]}{case[1]}" for case in CASES])
def test_an_option_has_an_effect(files, command, option, without, given):
    before = outcome(files, command, without)
    assert outcome(files, command, without) == before  # nothing of chance is compared
    assert outcome(files, command, given) != before


def test_every_option_of_every_command_is_listed(spicymkl):
    """A new option comes with a case above: what it changes."""
    for command in commands(spicymkl):
        listed = set(EFFECTS[command]) | ALWAYS_ACCEPTED
        assert set(options(spicymkl, command)) - listed == set(), command


TABLE_ONLY = {
    "--target": "y",
    "--drop": "x1",
    "--categorical": "x1",
    "--format": "csv",
    "--header": "yes",
    "--kernels": "paper",
    "--groups": "g.json",
    "--impute": "mean",
    "--features": "none",
    "--missing-view": "zero",
    "--id": "x1",
}


@pytest.mark.parametrize("command", ["train", "path", "cv", "study"])
def test_options_of_tables_and_of_gram_matrices(files, command):
    for option, value in TABLE_ONLY.items():
        files.refuse([command, *G, option, value], f"{option} has no effect with --gram", "leave it out")
    files.refuse([command, *G, "--no-standardize"], "--no-standardize has no effect with --gram")
    files.refuse([command, *T, "--psd", "clip"], "--psd has no effect with a table")
    files.refuse([command, *T, "--labels", "y.npy"], "--labels has no effect with a table", "--target")
    files.refuse([command, *T, *G], "not both")


def test_other_options_of_train(files):
    files.refuse(["train", *G, "--test", "t.csv"], "--test has no effect with --gram")
    for command in ("train", "path"):
        files.refuse([command, *G, "--memory", "1G"], "--memory has no effect with --gram")
    files.refuse(["train", *T, "--checkpoint-every", "3"], "--checkpoint-every has no effect without --checkpoint")
    files.refuse(["train", *T, "--resume"], "--resume needs --checkpoint")


@pytest.mark.parametrize("command", ["train", "path", "cv"])
def test_parameters_that_the_penalty_or_the_loss_does_not_take(files, command):
    for penalty, option, takers in (
        ("block1", "--l1-ratio", "elasticnet or mixed"),
        ("blockq", "--l1-ratio", "elasticnet or mixed"),
        ("uniform", "--l1-ratio", "elasticnet or mixed"),
        ("block1", "--q", "blockq or mixed"),
        ("elasticnet", "--q", "blockq or mixed"),
        ("uniform", "--q", "blockq or mixed"),
    ):
        files.refuse(
            [command, *T, "--penalty", penalty, option, "0.5"],
            f"{option} has no effect with the {penalty} penalty; leave it out, or choose --penalty {takers}",
        )
    for loss in ("logistic", "hinge", "squared_hinge"):
        files.refuse(
            [command, *T, "--loss", loss, "--quantile", "0.5"],
            f"--quantile has no effect with the {loss} loss; leave it out, or choose --loss quantile",
        )
    files.refuse([command, *N, "--loss", "squared", "--epsilon", "1"], "--epsilon", "squared loss", "huber")
    # The loss is known when the target is.
    files.refuse([command, *T, "--quantile", "0.5"], "--quantile has no effect with the logistic loss")
    files.refuse([command, *N, "--epsilon", "1"], "--epsilon has no effect with the squared loss")


def test_grids(files):
    for command in ("path", "cv"):
        for option, value in (("--n-alphas", 3), ("--alpha-ratio", 0.1)):
            files.refuse([command, *T, "--alphas", "1,2", option, value], f"{option} has no effect with --alphas")
        files.refuse([command, *T, "--n-alphas", 1, "--alpha-ratio", 0.1], "--alpha-ratio", "--n-alphas 1")
    files.refuse(["cv", *T, "--penalty", "mixed", "--l1-ratios", "0.1,0.2", "--l1-ratio", 0.3], "--l1-ratio has no")
    files.refuse(["cv", *T, "--penalty", "mixed", "--qs", "1.1,1.2", "--q", 1.3], "--q has no effect with --qs")
    files.refuse(["cv", *T, "--l1-ratios", "0.1,0.2"], "l1_ratio", "block1")
    files.refuse(["cv", *T, "--penalty", "elasticnet", "--qs", "1.1"], "of q", "elasticnet")


def test_predictions_and_proofs(files):
    for option, value in (("--format", "csv"), ("--header", "yes")):
        files.refuse(["predict", "g.safetensors", "--gram", "K.npy", option, value], f"{option} has no effect with")
        for command in ("verify", "evaluate"):
            files.refuse([command, "g.safetensors", *G, option, value], f"{option} has no effect with --gram")
    for command in ("verify", "evaluate"):
        files.refuse([command, "g.safetensors", *G, "--target", "y"], "--target has no effect with --gram", "--labels")
        files.refuse([command, *MADE, "t.csv", "--labels", "y.npy"], "--labels has no effect with a table", "--target")
        files.refuse([command, *MADE, "t.csv", "--covariates", "C.npy"], "--covariates has no effect with a table")
    for option, value in (("--id", "x"), ("--missing-view", "drop"), ("--device", "cpu")):
        files.refuse(["evaluate", "g.safetensors", *G, option, value], f"{option} has no effect with --gram")
    files.refuse(["evaluate", "g.safetensors", *G, "--strict"], "--strict has no effect with --gram")


def test_header_is_for_files_of_lines(files):
    np.save(files.folder / "X.npy", np.random.default_rng(0).standard_normal((10, 3)))
    for command in (["train"], ["kernels", "-o", "out.npy"], ["path"], ["cv"]):
        files.refuse([*command, "X.npy", "--target", 0, "--header", "no"], "--header has no effect", "csv or tsv")


def test_groups_that_the_kernel_list_does_not_ask_for(files):
    files.kernel_list([{"type": "linear"}])
    line = ["train", *T, "--kernels", "kernels.json", "--groups", "g.json"]
    files.refuse(line, "groups have no effect with this kernel list", "given")
    files.refuse(["train", *T, "--kernels", "random:3", "--groups", "g.json"], "no groups")


def test_kernels_and_bench(files):
    files.refuse(["kernels", *T, "--json", "-o", "out.npy", "--list"], "--list has no effect with --json")
    files.refuse(["bench", "--target", "y"], "--target has no effect without --table")
    for option, value in (("--loss", "hinge"), ("--path", 3), ("--samples", 30), ("--max-seconds", 3)):
        files.refuse(["bench", "--table", "t.csv", option, value], f"{option} has no effect with --table")
    files.refuse(["bench", "--path", 3, "--alpha", 1], "--alpha has no effect with --path")
    files.refuse(["bench", "--solver", "silp", "--loss", "logistic"], "nothing to run", "hinge")


# Before any file is read: none of the files is there.
ABSENT = ["absent.csv", "--target", "y"]


@pytest.mark.parametrize("command", ["train", "path", "cv", "study"])
@pytest.mark.parametrize(
    "option",
    [
        ["--tol", 0],
        ["--tol", "nan"],
        ["--max-iter", 0],
        ["--max-seconds", -1],
        ["--threads", -1],
        ["--threads", 1000000000],
        ["--memory", "lots"],
        ["--impute", "magic"],
        ["second.csv", "--id", "who", "--missing-view", "magic"],
        ["--format", "xls"],
        ["--kernels", "random:0"],
        ["--kernels", "no.json"],
        ["--groups", "no.gmt"],
        ["--loss", "hinge", "--solver", "simplex"],
        ["--loss", "logistic", "--solver", "silp"],
        ["--penalty", "block1", "--loss", "hinge", "--solver", "onestep"],
        ["--penalty", "elasticnet", "--l1-ratio", 2],
        ["--penalty", "blockq", "--q", 0.5],
        ["--loss", "huber", "--epsilon", 0],
        ["--loss", "quantile", "--quantile", 1],
    ],
)
def test_values_are_checked_before_anything_is_read(spicymkl, command, option):
    done = spicymkl.run(command, *ABSENT, *option)
    assert done.returncode == 2
    assert "absent.csv" not in done.stderr
    assert option[-2].lstrip("-").split("-")[0] in done.stderr or str(option[-1]) in done.stderr


@pytest.mark.parametrize(
    "line, word",
    [
        (["train", *ABSENT, "--alpha", "-1"], "alpha"),
        (["path", *ABSENT, "--n-alphas", 0], "alphas"),
        (["path", *ABSENT, "--alpha-ratio", 2], "ratio"),
        (["cv", *ABSENT, "--folds", 1], "folds"),
        (["cv", *ABSENT, "--metric", "beauty"], "beauty"),
        (["cv", *ABSENT, "--alphas", "1,zero"], "zero"),
        (["cv", *ABSENT, "--penalty", "elasticnet", "--l1-ratios", "0.5,7"], "l1_ratio is 7"),
        (["train", "--gram", "absent.csv", "--labels", "no.npy", "--psd", "fix"], "fix"),
        (["kernels", "absent.csv", "--list", "--threads", -1], "threads"),
        (["kernels", "absent.csv", "--list", "--kernels", "random:x"], "random:x"),
        (["predict", "absent.csv", "absent.csv", "--threads", -1], "threads"),
        (["predict", "absent.csv", "absent.csv", "--format", "xls"], "xls"),
        (["evaluate", "absent.csv", "absent.csv", "--threads", -1], "threads"),
        (["verify", "absent.csv", "absent.csv", "--tol", 0], "tol"),
        (["verify", "absent.csv", "absent.csv", "--threads", -1], "threads"),
        (["bench", "--table", "absent.csv", "--tol", 0], "tol"),
        (["bench", "--tol", 0], "tol"),
        (["bench", "--data", "moons"], "moons"),
        (["bench", "--samples", 1, "--kernels", 1], "samples"),
        (["bench", "--penalty", "lasso"], "lasso"),
    ],
)
def test_values_of_other_options_are_checked_before_anything_is_read(spicymkl, line, word):
    done = spicymkl.run(*line)
    assert done.returncode == 2 and done.stdout == ""
    assert "absent.csv" not in done.stderr
    assert word in done.stderr


def test_what_depends_on_the_target_is_checked_before_kernels_are_computed(files):
    """A list of kernels that cannot be computed would be complained about first."""
    files.kernel_list([{"type": "chi_squared", "columns": ["x1"]}])
    hopeless = ["--kernels", "kernels.json", "--no-standardize"]
    files.refuse(["train", *T, *hopeless], "chi_squared")
    files.refuse(["train", *T, *hopeless, "--solver", "silp"], "silp", "logistic")
    files.refuse(["cv", *T, *hopeless, "--metric", "rmse"], "rmse", "classes")
    files.refuse(["cv", *T, *hopeless, "--folds", 40], "folds is 40", "24 rows")
