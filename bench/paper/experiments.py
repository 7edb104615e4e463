"""Which runs make up the paper's tables and figures."""

from dataclasses import dataclass, field

from data import IDA, UCI
from methods import OWN, WRAPPERS

STRENGTHS = (0.005, 0.05, 0.5)  # the paper's C
SCALING_STRENGTH = 0.05  # the paper does not say which C its scaling figures have
UCI_METHODS = [name for name in OWN if "elast01" not in name] + WRAPPERS
EVOLUTION_METHODS = [name for name in OWN if "elast" not in name] + WRAPPERS
EVOLUTION_TOLERANCE = 1e-4  # below the paper's 0.01, to show the end of the curves


@dataclass(frozen=True)
class Problem:
    """Kernels that several runs share."""

    data: str
    kernels: str
    n_train: float
    split: int

    @property
    def sizes(self):
        """(M, N) of a problem with random kernels."""
        return int(self.kernels.split(":")[1]), self.n_train


@dataclass(frozen=True)
class Run:
    experiment: str
    problem: Problem
    alpha: float
    method: str
    tol: float = 0.01

    @property
    def key(self):
        p = self.problem
        return f"{self.experiment} {p.data} {p.kernels} n={p.n_train:g} split={p.split} C={self.alpha:g} {self.method}"


@dataclass(frozen=True)
class Size:
    """How much of the paper's experiments to do."""

    splits: int = 10
    wrapper_splits: int = 10
    uci: tuple = UCI
    ida: tuple = IDA
    n_kernels: tuple = (50, 200, 500, 1000, 2000, 4000, 6000)
    n_samples: tuple = (500, 1000, 2000, 3000)
    n_train: int = 200  # when the number of kernels grows
    n_small: int = 20  # kernels when the number of samples grows
    evolution: tuple = ("wpbc",)
    strengths: tuple = field(default=STRENGTHS)

    def splits_of(self, method):
        return range(self.wrapper_splits if method in WRAPPERS else self.splits)


QUICK = Size(
    1,
    1,
    uci=("liver", "wpbc"),
    ida=("ringnorm",),
    n_kernels=(50, 200, 500),
    n_samples=(250, 500),
    strengths=(0.05, 0.5),
)


def _uci(size):
    for name in size.uci:
        for number in range(size.splits):
            problem = Problem(name, "paper", 0.8, number)
            for alpha in size.strengths:
                yield from (Run("uci", problem, alpha, m) for m in UCI_METHODS if number in size.splits_of(m))


def _evolution(size):
    for name in size.evolution:
        problem = Problem(name, "paper", 0.8, 0)
        yield from (Run("evolution", problem, 0.05, m, EVOLUTION_TOLERANCE) for m in EVOLUTION_METHODS)


def _scaling(experiment, size, problems):
    for name in size.ida:
        for number in range(size.splits):
            for kernels, n_train in problems:
                problem = Problem(name, f"random:{kernels}", n_train, number)
                methods = (m for m in [*OWN, *WRAPPERS] if number in size.splits_of(m))
                yield from (Run(experiment, problem, SCALING_STRENGTH, m) for m in methods)


def all_runs(size):
    """In an order in which runs on the same kernels follow one another and sizes grow."""
    runs = [*_uci(size), *_evolution(size)]
    runs += _scaling("kernels", size, [(m, size.n_train) for m in size.n_kernels])
    runs += _scaling("samples", size, [(size.n_small, n) for n in size.n_samples])
    return runs
