"""Pictures."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_iris

from problems import classification
from spicymkl import (
    ConvergenceDisplay,
    KernelWeightsDisplay,
    MKLClassifier,
    MKLClassifierCV,
    PathDisplay,
    mkl_path,
)

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture
def axes():
    import matplotlib.pyplot as plt

    yield plt.subplots()[1]
    plt.close("all")


@pytest.fixture(scope="module")
def two():
    X, y = classification(60)
    return MKLClassifier().fit(X, y)


@pytest.fixture(scope="module")
def three():
    return MKLClassifier().fit(*load_iris(return_X_y=True))


def test_convergence(two, three, axes):
    display = ConvergenceDisplay.from_estimator(two, ax=axes)
    assert display.ax_ is axes and np.array_equal(display.lines_[0].get_ydata(), two.history_["gap"])
    assert len(ConvergenceDisplay.from_estimator(three).lines_) == 3


def test_weights_as_bars(two, axes):
    display = KernelWeightsDisplay.from_estimator(two, ax=axes, top=3)
    bars = display.ax_.patches
    assert [bar.get_width() for bar in bars] == sorted(two.kernel_weights_, reverse=True)[: len(bars)]
    assert axes.get_yticklabels()[0].get_text() == two.kernel_names_[two.kernel_weights_.argmax()]


def test_weights_as_a_heat_map(two, three):
    grid = KernelWeightsDisplay.from_estimator(two, kind="heatmap").ax_.images[0].get_array()
    assert grid.sum() == pytest.approx(two.kernel_weights_.sum())
    assert KernelWeightsDisplay.from_estimator(three).ax_.images[0].get_array().shape[1] == 3
    with pytest.raises(ValueError, match="heatmap"):
        KernelWeightsDisplay.from_estimator(two, kind="pie")


def test_path(axes):
    X, y = classification(60)
    path = mkl_path(X, y, alphas=4)
    display = PathDisplay.from_path(path, ax=axes)
    assert len(display.lines_) == (path.kernel_weights.max(axis=0) > 0).sum()
    chosen = MKLClassifierCV(alphas=3, cv=3).fit(X, y)
    assert PathDisplay.from_estimator(chosen, X, y, alphas=4).chosen == chosen.alpha_


def test_matplotlib_is_imported_only_when_used():
    code = "import sys, spicymkl; assert 'matplotlib' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
