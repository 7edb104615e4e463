"""Multiple kernel learning with proof, in scikit-learn's manner."""

from . import _core, kernels
from ._certificate import certificate
from ._classifier import MKLClassifier
from ._cv import MKLClassifierCV, MKLRegressorCV, MKLSurvivalCV
from ._kernel_stack import KernelStack
from ._kernelizer import Kernelizer
from ._path import MKLPath, alpha_max, mkl_path
from ._persistence import load
from ._regressor import MKLRegressor
from ._sources import SourceTables
from ._step_function import StepFunction
from ._study import MKLStudy
from ._survival import MKLSurvival
from .display import (
    ContributionsDisplay,
    ConvergenceDisplay,
    CVScoresDisplay,
    EffectsDisplay,
    KernelWeightsDisplay,
    PathDisplay,
)
from .kernels import (
    ChiSquared,
    Cosine,
    Gaussian,
    HistogramIntersection,
    Laplacian,
    Linear,
    Matern,
    Overlap,
    Polynomial,
    RationalQuadratic,
)
from .objectives import Loss, Regularizer

__version__: str = _core.__version__

__all__ = [
    "CVScoresDisplay",
    "ChiSquared",
    "ContributionsDisplay",
    "ConvergenceDisplay",
    "Cosine",
    "EffectsDisplay",
    "Gaussian",
    "HistogramIntersection",
    "KernelStack",
    "KernelWeightsDisplay",
    "Kernelizer",
    "Laplacian",
    "Linear",
    "Loss",
    "MKLClassifier",
    "MKLClassifierCV",
    "MKLPath",
    "MKLRegressor",
    "MKLRegressorCV",
    "MKLStudy",
    "MKLSurvival",
    "MKLSurvivalCV",
    "Matern",
    "Overlap",
    "PathDisplay",
    "Polynomial",
    "RationalQuadratic",
    "Regularizer",
    "SourceTables",
    "StepFunction",
    "__version__",
    "alpha_max",
    "certificate",
    "kernels",
    "load",
    "mkl_path",
]
