"""The Octave package against the command and the Python package: the same answers, files and refusals."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
from scipy.io import loadmat, savemat

import spicymkl as package
from problems import classification, kernels, regression
from spicymkl import MKLClassifier, MKLRegressor

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "build" / "octave"

if shutil.which("octave-cli") is None or not (PACKAGE / "spicymkl_mex.mex").exists():
    pytest.skip("the Octave package is not built: ./dev octave builds it", allow_module_level=True)

OCTAVE = ["octave-cli", "-q", "--no-history", "--no-init-file"]


class Octave:
    """Octave with the package, working in the folder of the command."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, code, **inputs):
        """What `code` leaves in the struct `out`; `inputs` are variables."""
        savemat(self.folder / "in.mat", inputs)
        script = f"addpath ('{PACKAGE}'); load ('in.mat'); {code}\nsave ('-v6', 'out.mat', '-struct', 'out');"
        done = subprocess.run([*OCTAVE, "--eval", script], cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return {name: value for name, value in loadmat(self.folder / "out.mat").items() if name[0] != "_"}

    def refusal(self, code, **inputs):
        caught = f"try, {code}; out.text = ''; catch e, out.text = e.message; end"
        return "".join(self.run(caught, **inputs)["text"])


@pytest.fixture
def octave(spicymkl):
    return Octave(spicymkl.folder)


def stacked(K):
    """M×N×N as Octave has it, N×N×M."""
    return np.ascontiguousarray(np.moveaxis(K, 0, 2))


TRAIN = "out = rmfield (spicymkl_train ({}, y(:), options), {{'file', 'history'}});"
SCORE = "m = spicymkl_train ({0}, y(:), options); [~, out.scores] = spicymkl_predict (m, {0});"


@pytest.mark.parametrize("loss", ["logistic", "hinge", "squared"])
def test_one_problem_has_one_answer(spicymkl, octave, loss):
    X, y = (regression if loss == "squared" else classification)(80)
    K = kernels(X)
    arguments = {"loss": loss, "alpha": "0.05max", "tol": 1e-6}
    options = [f"--{name}={value}" for name, value in arguments.items()]
    spicymkl.ok("train", *spicymkl.save(K, y), "--model", "m.safetensors", "--threads", 1, *options)
    by_command = package.load(spicymkl.folder / "m.safetensors")
    kind = MKLRegressor if loss == "squared" else MKLClassifier
    by_python = kind("precomputed", n_jobs=1, **arguments).fit(K, y)
    inputs = {"K": stacked(K), "y": y, "options": {**arguments, "threads": 1}}
    code = TRAIN.format("K") + "m = spicymkl_train (K, y(:), options); [~, out.scores] = spicymkl_predict (m, K);"
    by_octave = octave.run(code, **inputs)
    score = by_python.predict if loss == "squared" else by_python.decision_function
    of_command = by_command.predict if loss == "squared" else by_command.decision_function
    for other, scores in ((by_command, of_command(K)), (by_python, score(K))):
        assert abs(by_octave["primal_objective"].item() / other.primal_objective_ - 1) <= 1e-9
        assert np.abs(by_octave["scores"].ravel() - scores).max() <= 1e-9
        assert np.abs(by_octave["kernel_weights"].ravel() - other.kernel_weights_).max() <= 1e-9


def test_a_table_of_three_classes(spicymkl, octave):
    X, y = classification(90)
    y = np.where(X[:, 0] > 0.3, 2, y > 0).astype(float)
    columns = {f"x{j}": column for j, column in enumerate(X.T)}
    table = spicymkl.table("train.csv", columns, y.astype(int))
    spicymkl.ok("train", table, "--target=y", "--task=classification", "--model=m.safetensors", "--threads=1")
    options = {"kernels": "auto", "task": "classification", "threads": 1}
    found = octave.run(SCORE.format("X") + "spicymkl_save (m, 'octave.safetensors');", X=X, y=y, options=options)
    by_command = package.load(spicymkl.folder / "m.safetensors")
    assert np.abs(found["scores"] - by_command.decision_function(X)).max() <= 1e-9
    printed = spicymkl.predictions("octave.safetensors", table)
    assert np.array_equal(np.array(printed["prediction"], float), by_command.predict(X))


def test_all_classes_at_once(spicymkl, octave):
    X, y = classification(90)
    y = np.where(X[:, 0] > 0.3, 2, y > 0).astype(float)
    K = kernels(X)
    arguments = ["--task=classification", "--multi-class=joint", "--tol=1e-9", "--threads=1"]
    spicymkl.ok("train", *spicymkl.save(K, y), "--model=m.safetensors", *arguments)
    options = {"task": "classification", "multi_class": "joint", "tol": 1e-9, "threads": 1}
    code = (
        "m = spicymkl_train (K, y(:), options); [~, out.scores, out.chances] = spicymkl_predict (m, K);"
        "out.weights = m.kernel_weights; out.primal = m.primal_objective; spicymkl_save (m, 'octave.safetensors');"
        "[~, out.of_command] = spicymkl_predict (spicymkl_load ('m.safetensors'), K);"
    )
    found = octave.run(code, K=stacked(K), y=y, options=options)
    by_command = package.load(spicymkl.folder / "m.safetensors")
    scores = by_command.decision_function(K)
    assert abs(found["primal"].item() / by_command.primal_objective_ - 1) <= 1e-9
    assert np.abs(found["weights"].ravel() - by_command.kernel_weights_).max() <= 1e-9
    assert np.abs(found["scores"] - scores).max() <= 1e-9
    assert np.abs(found["of_command"] - scores).max() <= 1e-12
    assert np.abs(found["chances"] - by_command.predict_proba(K)).max() <= 1e-9
    printed = spicymkl.predictions("octave.safetensors", "--gram", "K.npy")
    assert np.array_equal(np.array(printed["prediction"], float), by_command.predict(K))


def test_model_files_go_both_ways(spicymkl, octave):
    X, y = classification(60)
    K = kernels(X)
    names = np.where(y > 0, "ill", "well")
    by_python = MKLClassifier("precomputed").fit(K, names)
    by_python.save(spicymkl.folder / "python.safetensors")
    code = (
        "m = spicymkl_load ('python.safetensors'); [labels, out.scores] = spicymkl_predict (m, K);"
        "out.ill = strcmp (labels, 'ill'); spicymkl_save (m, 'octave.safetensors');"
    )
    found = octave.run(code, K=stacked(K))
    assert np.array_equal(found["scores"].ravel(), by_python.decision_function(K))
    assert np.array_equal(found["ill"].ravel() == 1, by_python.predict(K) == "ill")
    assert np.array_equal(package.load(spicymkl.folder / "octave.safetensors").dual_, by_python.dual_)
    spicymkl.save(K, y)
    again = spicymkl.predictions("octave.safetensors", "--gram", "K.npy")
    assert again["prediction"] == by_python.predict(K).tolist()


def test_the_page_runs_as_printed(octave):
    blocks = re.findall(r"^```octave\n(.*?)^```", (ROOT / "docs" / "octave.md").read_text(), re.DOTALL | re.MULTILINE)
    found = octave.run("\n".join(blocks) + "\nout = struct ('accuracy', accuracy, 'active', activeset, 'f', f);")
    assert found["accuracy"].item() > 0.95
    assert {1, 2} <= set(found["active"].ravel())
    assert (octave.folder / "model.safetensors").exists()


def test_every_option_of_the_command_is_known(spicymkl, octave):
    """Those of the tables, by name; a field that holds [] is left to its default."""
    tables = json.loads(spicymkl.ok("options"))
    for function in ("train", "path", "cv"):
        fields = "; ".join(f"o.{option['name']} = []" for option in tables[function])
        call = f"o = struct (); {fields}; spicymkl_{function} (cat (3, eye (20), ones (20)), repmat ([1; 2], 10, 1), o)"
        assert octave.refusal(call) == ""


def counted_from_one(said):
    """A sentence of the command, which counts kernels, rows and columns from 0, as Octave has it."""
    said = re.sub(r"kernel 'k\d+' \(number (\d+)\)", lambda m: f"kernel {int(m[1]) + 1}", said)
    said = re.sub(r"\((\d+), (\d+)\)", lambda m: f"({int(m[1]) + 1}, {int(m[2]) + 1})", said)
    return re.sub(r"(diagonal entry) (\d+)", lambda m: f"{m[1]} {int(m[2]) + 1}", said)


def test_refusals_are_those_of_the_command(spicymkl, octave):
    X, y = classification(30)
    K = kernels(X)
    inputs = spicymkl.save(K, y)
    for name, value in [("loss", "hinged"), ("tol", -1), ("alpha", "x"), ("solver", "spycy"), ("q", 3)]:
        said = spicymkl.run("train", *inputs, f"--{name}", value).stderr.strip().removeprefix("spicymkl: ")
        said = said.replace(f"--{name}", f"options.{name}").replace("--penalty", "options.penalty")
        refused = octave.refusal(f"spicymkl_train (K, y(:), struct ('{name}', v))", K=stacked(K), y=y, v=value)
        if name == "solver":  # the wrapper methods are not part of the package
            said, refused = (text.partition("; choose")[0] for text in (said, refused))
        assert refused == said
    for bad, labels in [(-K, y), (K + np.triu(np.ones((30, 30)), 1), y), (K, np.ones(30)), (K, np.arange(30) % 3)]:
        said = spicymkl.run("train", *spicymkl.save(bad, labels)).stderr.strip().removeprefix("spicymkl: ")
        refused = octave.refusal("spicymkl_train (K, y(:))", K=stacked(bad), y=labels.astype(float))
        said = said.replace("--task", "options.task").replace("y.npy, ", "y, ").replace("K^T", "K'")
        said = said.replace("--psd of the command, psd= in Python", "options.psd")
        assert refused == counted_from_one(said)


# Of the C Matrix and MEX interfaces, as MATLAB documents them.
DOCUMENTED = {
    *("mexFunction", "mexPrintf", "mxAddField", "mxArrayToString", "mxCreateCellMatrix", "mxCreateDoubleMatrix"),
    *(
        "mxCreateDoubleScalar",
        "mxCreateNumericArray",
        "mxCreateNumericMatrix",
        "mxCreateString",
        "mxCreateStructMatrix",
    ),
    *("mxFree", "mxGetCell", "mxGetClassID", "mxGetClassName", "mxGetData", "mxGetDimensions", "mxGetField"),
    *("mxGetFieldNameByNumber", "mxGetM", "mxGetNumberOfDimensions", "mxGetNumberOfElements", "mxGetNumberOfFields"),
    *("mxGetPr", "mxGetScalar", "mxIsCell", "mxIsChar", "mxIsComplex", "mxIsDouble", "mxIsEmpty", "mxIsLogical"),
    *("mxIsNumeric", "mxIsSparse", "mxIsStruct", "mxSetCell", "mxSetFieldByNumber", "mxArray", "mxLogical"),
}


def test_the_interface_is_the_one_that_matlab_documents():
    sources = [path.read_text() for path in (ROOT / "octave" / "src").glob("*pp")]
    used = {name for text in sources for name in re.findall(r"\bme?x[A-Z][a-z]\w*", text)}
    assert used <= DOCUMENTED
    included = {name for text in sources for name in re.findall(r"#include <([\w/.]+)>", text)}
    assert "mex.h" in included and not any("oct" in name for name in included)


def test_ctrl_c_ends_a_fit_and_not_octave(octave):
    """The prompt comes back."""
    session = subprocess.Popen(
        [*OCTAVE, "--interactive"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        lines = [
            f"addpath ('{PACKAGE}'); X = randn (1000, 50); K = zeros (1000, 1000, 50);",
            "for m = 1:50, K(:,:,m) = exp (-(X(:,m) - X(:,m)').^2 / 0.1); end",
            "y = sign (randn (1000, 1)); o = struct ('alpha', 1e-4, 'tol', 1e-14, 'max_iter', 1e6, 'penalty', 'elasticnet');",
            "printf ('begins\\n'); fflush (stdout);",
            "spicymkl_train (K, y, o);",
        ]
        session.stdin.write("\n".join(lines) + "\n")
        session.stdin.flush()
        while "begins\n" not in (line := session.stdout.readline()):
            assert line, "Octave ended"
        time.sleep(2)
        began = time.monotonic()
        os.kill(session.pid, signal.SIGINT)
        printed, _ = session.communicate("disp (['al', 'ive']); exit\n", timeout=60)
        assert time.monotonic() - began < 10
        assert "alive" in printed
        assert session.returncode == 0
    finally:
        session.kill()
