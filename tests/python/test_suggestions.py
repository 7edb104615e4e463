"""Names that are not known propose what was meant, in one sentence of ours."""

import numpy as np
import pytest


@pytest.fixture
def table(spicymkl):
    X = np.random.default_rng(0).standard_normal((20, 2))
    spicymkl.table("t.csv", {"age": X[:, 0], "dose": X[:, 1], "diagnosis": np.where(X[:, 0] > 0, "ill", "well")})
    return spicymkl


T = ["t.csv", "--target", "diagnosis"]


@pytest.mark.parametrize(
    "line, sentence",
    [
        (["trian", "t.csv"], "'trian' is not a command; did you mean train? (see spicymkl --help)"),
        (["Predict"], "'Predict' is not a command; did you mean predict? (see spicymkl --help)"),
        (["cook", "t.csv"], "'cook' is not a command (see spicymkl --help)"),
        (["--verison"], "--verison is not known before a command (see spicymkl --help)"),
        (
            ["train", "t.csv", "--targt", "y"],
            "train does not know --targt; did you mean --target? (see spicymkl train --help)",
        ),
        (
            ["train", *T, "--modell=m.safetensors"],
            "train does not know --modell; did you mean --model? (see spicymkl train --help)",
        ),
        (["predict", "m", "t.csv", "--ouput", "p"], "predict does not know --ouput; did you mean --output?"),
        (["generate", "twonorm", "--otput", "x.csv"], "generate does not know --otput; did you mean --output?"),
        (["inspect", "m", "--frobnicate"], "inspect does not know --frobnicate (see spicymkl inspect --help)"),
        (["inspect", "m", "other.csv"], "inspect has no place for 'other.csv': it takes MODEL"),
        (
            ["train", *T, "other.csv"],
            "t.csv, other.csv are 2 tables, whose rows are matched by a column that they share",
        ),
        (["inspect"], "inspect needs MODEL: model file (see spicymkl inspect --help)"),
        (["generate", "twonorm"], "generate needs --output: CSV file to write"),
        (["train", *T, "--tol"], "--tol needs a value"),
        (["train", *T, "--tol", "small"], "--tol is 'small', but it must be a number"),
        (["train", *T, "--max-iter", "1.5"], "--max-iter is '1.5', but it must be a whole number"),
        (["train", *T, "--seed", "x"], "--seed is 'x', but it must be a whole number, 0 or more"),
        (["train", *T, "--seed", "-1"], "--seed is '-1', but it must be a whole number, 0 or more and below 2^64"),
        (["train", *T, "--seed", "18446744073709551616"], "--seed is '18446744073709551616', but it must be"),
        (["generate", "twonorm", "-o", "x.csv", "--seed", "-1"], "--seed is '-1', but it must be a whole number"),
        (["train", *T, "--tol", "0.1", "--tol", "0.2"], "--tol is given 2 times; give it once"),
        (["path", *T, "--alphas", "1", "--n-alphas", "x"], "--n-alphas is 'x', but it must be a whole number"),
        (
            ["train", *T, "--header", "Yess"],
            "--header is 'Yess', but it must be one of yes, no, auto; did you mean yes?",
        ),
        ([], "which command? Give one of train, predict"),
    ],
)
def test_the_command_line(table, line, sentence):
    table.refuse(line, "spicymkl: " + sentence)


@pytest.mark.parametrize(
    "line, words",
    [
        (["--loss", "logistik"], ["loss 'logistik' is not known (did you mean 'logistic'?); choose one of"]),
        (["--penalty", "blok1"], ["penalty 'blok1' is not known (did you mean 'block1'?)"]),
        (["--solver", "onstep"], ["solver 'onstep' is not known (did you mean 'onestep'?)"]),
        (["--impute", "meen"], ["did you mean 'mean'?"]),
        (["--format", "cvs"], ["did you mean 'csv'?"]),
        (["--kernels", "papr"], ["kernels 'papr' (did you mean 'paper'?)"]),
        (["--kernels", '[{"type": "gausian", "width": 1}]'], ["type 'gausian'", "did you mean 'gaussian'?"]),
        (["--kernels", '[{"type": "linear", "columns": ["agee"]}]'], ["'agee' (did you mean 'age'?)"]),
        (["--drop", "Dose"], ["there is no column 'Dose' (did you mean 'dose'?)"]),
        (["--categorical", "aeg"], ["there is no column 'aeg' (did you mean 'age'?)"]),
        (["--loss", "cauchy"], ["loss 'cauchy' is not known; choose one of"]),
    ],
)
def test_values_of_training(table, line, words):
    table.refuse(["train", *T, *line], *words)


def test_other_values(table):
    for command in ("train", "path", "cv"):
        table.refuse([command, "t.csv", "--target", "Diagnosis"], "no column 'Diagnosis' (did you mean 'diagnosis'?)")
    table.refuse(["cv", *T, "--metric", "acuracy"], "metric 'acuracy' is not known (did you mean 'accuracy'?)")
    table.refuse(["generate", "rignorm", "-o", "x.csv"], "'rignorm' (did you mean 'ringnorm'?)")
    table.refuse(["bench", "--data", "twonrom"], "did you mean 'twonorm'?")
    np.save(table.folder / "K.npy", np.eye(2))
    np.save(table.folder / "y.npy", np.array([0, 1]))
    table.refuse(["train", "--gram", "K.npy", "--labels", "y.npy", "--psd", "clp"], "'clp' (did you mean 'clip'?)")
