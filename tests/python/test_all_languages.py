"""One problem in C++, by the command, in Python, R and Octave: one objective, one predictor.

R and Octave take part where their packages are built: ./dev r, ./dev octave.
"""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest

from conftest import ROOT
from problems import classification, kernels, regression
from spicymkl import MKLClassifier, MKLRegressor

BUILD = ROOT / "build"
PROGRAM = BUILD / "spicymkl_one_problem"
ALPHA, TOL = 0.05, 1e-10

needs_r = pytest.mark.skipif(
    shutil.which("Rscript") is None or not (BUILD / "r" / "spicymkl").is_dir(), reason="the R package is not built"
)
needs_octave = pytest.mark.skipif(
    shutil.which("octave-cli") is None or not (BUILD / "octave" / "spicymkl_mex.mex").exists(),
    reason="the Octave package is not built",
)
needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="the C++ program is not built: ./dev test builds it")


class Problem:
    def __init__(self, spicymkl, loss):
        self.spicymkl, self.loss, self.folder = spicymkl, loss, spicymkl.folder
        X, self.y = (regression if loss == "squared" else classification)(70)
        self.K = np.ascontiguousarray(kernels(X))
        self.inputs = spicymkl.save(self.K, self.y)
        self.K.tofile(self.folder / "K.bin")  # symmetric: row after row is column after column
        self.y.tofile(self.folder / "y.bin")

    def printed(self, *line, **environment):
        """The numbers that a program prints: the objective, the gap, then the predictions."""
        done = subprocess.run(
            list(map(str, line)),
            cwd=self.folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        numbers = np.array(done.stdout.split(), float)
        return numbers[0], numbers[1], numbers[2:]


def by_cpp(problem):
    return problem.printed(PROGRAM, "K.npy", "y.npy", problem.loss, ALPHA, TOL)


def by_command(problem):
    options = ["--loss", problem.loss, "--alpha", ALPHA, "--tol", TOL]
    problem.spicymkl.ok("train", *problem.inputs, *options, "--model", "m.safetensors", "--certificate", "c.json")
    certificate = json.loads((problem.folder / "c.json").read_text())
    column = "prediction" if problem.loss == "squared" else "score"
    printed = problem.spicymkl.predictions("m.safetensors", "--gram", "K.npy")
    return certificate["primal"], certificate["relative_gap"], np.array(printed[column], float)


def by_python(problem):
    kind = MKLRegressor if problem.loss == "squared" else MKLClassifier
    model = kind("precomputed", loss=problem.loss, alpha=ALPHA, tol=TOL).fit(problem.K, problem.y)
    score = model.predict if problem.loss == "squared" else model.decision_function
    return model.primal_objective_, model.duality_gap_, score(problem.K)


def by_r(problem):
    code = f"""library(spicymkl)
    y <- readBin("y.bin", "double", 1e6); n <- length(y)
    K <- readBin("K.bin", "double", 1e7); K <- array(K, c(n, n, length(K) / n^2))
    fit <- spicymkl(K, y, kernels = "precomputed", loss = "{problem.loss}", alpha = {ALPHA}, tol = {TOL})
    cat(format(c(fit$primal, fit$gap, predict(fit, K, type = "link")), digits = 17), sep = "\\n")"""
    return problem.printed("Rscript", "-e", code, R_LIBS=str(BUILD / "r"))


def by_octave(problem):
    code = f"""addpath ('{BUILD / "octave"}');
    y = fread (fopen ('y.bin'), Inf, 'double');  n = numel (y);
    K = reshape (fread (fopen ('K.bin'), Inf, 'double'), n, n, []);
    model = spicymkl_train (K, y, struct ('loss', '{problem.loss}', 'alpha', {ALPHA}, 'tol', {TOL}));
    [~, scores] = spicymkl_predict (model, K);
    printf ('%.17g\\n', model.primal_objective, model.duality_gap, scores);"""
    return problem.printed("octave-cli", "-q", "--no-history", "--no-init-file", "--eval", code)


@pytest.mark.parametrize("loss", ["logistic", "hinge", "squared"])
@pytest.mark.parametrize(
    "solve",
    [
        pytest.param(by_cpp, marks=needs_program),
        by_python,
        pytest.param(by_r, marks=needs_r),
        pytest.param(by_octave, marks=needs_octave),
    ],
)
def test_one_problem_has_one_answer(spicymkl, loss, solve):
    problem = Problem(spicymkl, loss)
    objective, gap, predictions = by_command(problem)
    own_objective, own_gap, own_predictions = solve(problem)
    assert max(gap, own_gap) <= TOL
    assert own_objective == pytest.approx(objective, rel=1e-9)
    assert own_predictions == pytest.approx(predictions, abs=1e-9 * np.abs(predictions).max())
