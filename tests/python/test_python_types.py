"""A type checker sees the types of the public names."""

import re
import subprocess
import sys

import pytest

pytest.importorskip("mypy")

PROGRAM = """
import numpy as np
import spicymkl
from spicymkl import KernelStack, Kernelizer, MKLClassifier, MKLClassifierCV, MKLRegressor, MKLRegressorCV

X = np.zeros((4, 2))
y = np.zeros(4)
{lines}
"""

# What is revealed, and how its type begins.
ARRAY = "numpy.ndarray["
EXPRESSIONS = {
    "MKLClassifier().fit(X, y)": "spicymkl._classifier.MKLClassifier",
    "MKLRegressor().fit(X, y)": "spicymkl._regressor.MKLRegressor",
    "MKLClassifierCV().fit(X, y)": "spicymkl._cv.MKLClassifierCV",
    "MKLRegressorCV(alphas=3, l1_ratio=[0.1, 0.2]).fit(X, y)": "spicymkl._cv.MKLRegressorCV",
    "MKLClassifier().set_params(tol=1e-2)": "spicymkl._classifier.MKLClassifier",
    "MKLClassifier().predict(X)": ARRAY,
    "MKLClassifier().decision_function(X)": ARRAY,
    "MKLClassifier().predict_proba(X)": ARRAY,
    "MKLClassifier().predict_log_proba(X)": ARRAY,
    "MKLClassifier().contributions(X)": ARRAY,
    "MKLClassifier().prediction_frame(X)": "pandas",
    "MKLClassifier().contribution_frame(X)": "pandas",
    "MKLClassifier().summary()": "pandas",
    "MKLClassifier().report('r.html', X, y)": "None",
    "MKLClassifier().source_names_": ARRAY,
    "MKLClassifier().source_weights_": ARRAY,
    "MKLClassifier().score(X, y)": "float",
    "MKLRegressor().predict(X)": ARRAY,
    "MKLRegressor().score(X, y)": "float",
    "MKLRegressor().save('m')": "None",
    "MKLClassifier().classes_": ARRAY,
    "MKLClassifier().kernel_weights_": ARRAY,
    "MKLClassifier().kernel_norms_": ARRAY,
    "MKLClassifier().active_kernels_": ARRAY,
    "MKLClassifier().kernel_names_": ARRAY,
    "MKLClassifier().kernel_groups_": ARRAY,
    "MKLClassifier().dual_": ARRAY,
    "MKLClassifier().coef_scale_": ARRAY,
    "MKLClassifier().intercept_": "float | " + ARRAY,
    "MKLClassifier().alpha_": "float | " + ARRAY,
    "MKLClassifier().duality_gap_": "float | " + ARRAY,
    "MKLClassifier().primal_objective_": "float | " + ARRAY,
    "MKLClassifier().dual_objective_": "float | " + ARRAY,
    "MKLClassifier().n_iter_": "int | " + ARRAY,
    "MKLClassifier().status_": "str | " + ARRAY,
    "MKLClassifier().history_": "dict[str, " + ARRAY,
    "MKLClassifier().n_features_in_": "int",
    "MKLClassifierCV().best_score_": "float",
    "MKLClassifierCV().best_index_": "int",
    "MKLClassifierCV().best_params_": "dict[str",
    "MKLClassifierCV().cv_results_": "dict[str, " + ARRAY,
    "MKLClassifierCV().at_edge_": "str | None",
    "Kernelizer().fit(X)": "spicymkl._kernelizer.Kernelizer",
    "Kernelizer().fit_transform(X)": ARRAY,
    "Kernelizer().transform(X)": ARRAY,
    "KernelStack({'a': X}).values": ARRAY,
    "KernelStack({'a': X})[0]": "spicymkl._kernel_stack.KernelStack",
    "KernelStack({'a': X}).names": "list[str]",
    "spicymkl.mkl_path(X, y)": "spicymkl._path.MKLPath",
    "spicymkl.mkl_path(X, y).kernel_weights": ARRAY,
    "spicymkl.alpha_max(X, y)": "float",
    "spicymkl.load('m')": "spicymkl._classifier.MKLClassifier | spicymkl._regressor.MKLRegressor",
    "spicymkl.certificate(MKLClassifier())": "dict[str",
    "spicymkl.Gaussian(width=[0.5, 1])": "spicymkl.kernels.Gaussian",
    "spicymkl.Gaussian().to_dict()": "dict[str",
    "spicymkl.__version__": "str",
    "spicymkl.KernelWeightsDisplay.from_estimator(MKLClassifier())": "spicymkl.display.KernelWeightsDisplay",
    "spicymkl.ConvergenceDisplay.from_estimator(MKLClassifier())": "spicymkl.display.ConvergenceDisplay",
    "spicymkl.PathDisplay.from_estimator(MKLClassifier(), X, y)": "spicymkl.display.PathDisplay",
    "spicymkl.CVScoresDisplay.from_estimator(MKLClassifierCV())": "spicymkl._cv_scores_display.CVScoresDisplay",
    "spicymkl.EffectsDisplay.from_estimator(MKLClassifier())": "spicymkl._effects_display.EffectsDisplay",
    "spicymkl.ContributionsDisplay.from_estimator(MKLClassifier(), X)": "spicymkl._contributions_display.Contrib",
}


def test_a_type_checker_sees_real_types(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(lines="\n".join(f"reveal_type({text})" for text in EXPRESSIONS)))
    line = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*line, str(program)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    revealed = [text.replace("builtins.", "") for text in re.findall(r'Revealed type is "(.*)"', done.stdout)]
    assert len(revealed) == len(EXPRESSIONS), done.stdout
    for (text, wanted), got in zip(EXPRESSIONS.items(), revealed):
        if wanted != "pandas":  # whose types are a package of their own
            assert got.startswith(wanted), (text, got)


def test_a_type_checker_sees_mistakes(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(lines="MKLClassifier(tol='x')\nMKLClassifier(alhpa=1)\nMKLRegressor(n_jobs='x')"))
    line = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*line, str(program)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.count("error:") == 3, done.stdout
