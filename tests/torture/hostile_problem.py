"""Random problems that nobody would want to meet, each made from one seed."""

from __future__ import annotations

import dataclasses

import formulas
import numpy as np

CLASSIFICATION = ["logistic", "hinge", "squared_hinge"]
LOSSES, PENALTIES = list(formulas.LOSSES), list(formulas.PENALTIES)


@dataclasses.dataclass
class Problem:
    """Gram matrices, or a table with a list of kernels; labels, perhaps weights, and the options of `train`."""

    labels: np.ndarray
    options: dict
    grams: np.ndarray | None = None
    table: np.ndarray | None = None
    kernels: list = dataclasses.field(default_factory=list)
    standardize: bool = True
    weights: np.ndarray | None = None
    alpha_factor: float = 1.0
    covariates: np.ndarray | None = None

    @property
    def is_table(self):
        return self.table is not None

    @property
    def n_kernels(self):
        return len(self.kernels) if self.is_table else len(self.grams)

    @property
    def is_joint(self):
        return "--multi-class" in self.options

    @property
    def learns_classes(self):
        return self.is_joint or self.options["--loss"] in CLASSIFICATION

    @property
    def n_classes(self):
        return len(np.unique(self.labels)) if self.is_joint else 2

    @property
    def unpenalised(self):
        """The columns whose coefficients cost nothing: ones for the intercept, and the covariates."""
        ones = np.ones((len(self.labels), 0 if "--no-intercept" in self.options else 1))
        return ones if self.covariates is None else np.hstack([ones, self.covariates])


def log_uniform(random, low, high):
    return 10.0 ** random.uniform(low, high)


# Gram matrices


def features(random, n):
    F = random.standard_normal((n, random.integers(1, n + 1)))
    return F @ F.T / F.shape[1]


def rank_one(random, n):
    x = random.standard_normal(n)
    return np.outer(x, x)


def gaussian(random, n):
    X = random.standard_normal((n, 2))
    squares = ((X[:, None] - X[None]) ** 2).sum(-1)
    return np.exp(-squares / log_uniform(random, -3, 6))  # from nearly the identity to nearly constant


def steep(random, n):
    Q, _ = np.linalg.qr(random.standard_normal((n, n)))
    return (Q * 10.0 ** -np.linspace(0, random.uniform(4, 20), n)) @ Q.T


def lopsided(random, n):
    K = features(random, n)
    scale = np.ones(n)
    scale[random.integers(n)] = log_uniform(random, 1, 4)
    return K * np.outer(scale, scale)


def slightly_indefinite(random, n):
    K = features(random, n)
    return K - 1e-13 * np.trace(K) / n * np.eye(n)


GRAMS = [
    features, features, rank_one, gaussian, gaussian, steep, lopsided, slightly_indefinite,
    lambda random, n: np.eye(n),
    lambda random, n: np.ones((n, n)),
    lambda random, n: np.zeros((n, n)),
]  # fmt: skip


def random_grams(random, n, reach):
    count = int(random.integers(1, 9)) if random.random() < 0.9 else int(random.integers(20, 80))
    common, each = log_uniform(random, -reach, reach), random.choice([0, reach / 3])
    grams = []
    for _ in range(count):
        if grams and random.random() < 0.15:
            K = grams[random.integers(len(grams))] * random.choice([1, 1, 1 + 1e-12, 7])
        else:
            K = GRAMS[random.integers(len(GRAMS))](random, n) * common * log_uniform(random, -each, each)
        grams.append((K + K.T) / 2)
    return np.array(grams)


# Tables


def random_table(random, n, reach):
    X = random.standard_normal((n, random.integers(1, 7)))
    for j in range(X.shape[1]):
        kind = random.random()
        if kind < 0.1:
            X[:, j] = 3.0
        elif kind < 0.2:
            X[:, j] = X[:, 0]
        elif kind < 0.35:
            X[:, j] = random.integers(0, 3, n)
        elif kind < 0.45:
            X[random.integers(n), j] *= 1e6
    return X * log_uniform(random, -reach, reach) + random.choice([0, log_uniform(random, -reach, reach)])


def random_kernel_list(random, n_columns):
    kernels = []
    for index in range(int(random.integers(1, 9))):
        columns = random.permutation(n_columns)[: random.integers(1, n_columns + 1)]
        entry = {"columns": [f"x{j}" for j in sorted(columns)], "name": f"m{index}"}
        entry["type"] = str(random.choice(["linear", "gaussian", "laplacian", "polynomial"]))
        if entry["type"] in ("gaussian", "laplacian"):
            entry["width"] = log_uniform(random, -2, 2)
        if entry["type"] == "polynomial":
            entry |= {"degree": int(random.integers(2, 5)), "offset": float(random.choice([0, 1, 10])), "scale": 0.5}
        entry["normalize"] = str(random.choice(["none", "trace", "diagonal", "center"]))
        if not any({**entry, "name": ""} == {**other, "name": ""} for other in kernels):  # the same are merged
            kernels.append(entry)
    return kernels


# Labels, weights, options


def random_classes(random, n):
    kind = random.random()
    if kind < 0.02:
        return np.ones(n)
    y = np.where(random.random(n) < random.choice([0.5, 0.1]), 1.0, -1.0)
    y[:2] = 1, -1
    return random.permutation(y)


def random_targets(random, n, reach, grams):
    kind = random.random()
    if kind < 0.02:
        return np.full(n, log_uniform(random, -reach, reach))
    if kind < 0.3 and grams is not None:
        y = grams[0] @ random.standard_normal(n)
    elif kind < 0.5:
        y = random.integers(0, 3, n).astype(float)
    else:
        y = random.standard_normal(n)
    y = y / max(np.abs(y).max(), 1e-300)
    if random.random() < 0.15:
        y[random.integers(n)] = log_uniform(random, 1, 4)
    return y * log_uniform(random, -reach, reach) + random.choice([0, 0, log_uniform(random, -reach, reach)])


def random_weights(random, n, reach):
    if random.random() < 0.6:
        return None
    weights = random.uniform(0.5, 2, n)
    if random.random() < 0.3:
        weights[random.integers(n)] *= log_uniform(random, -4, 4)
    return weights * log_uniform(random, -reach, reach)


def random_covariates(random, n):
    """Few columns, far from 0, correlated, binary, and sometimes of ill will."""
    C = random.standard_normal((n, random.integers(1, 4)))
    for j in range(C.shape[1]):
        kind = random.random()
        if kind < 0.25:
            C[:, j] = random.integers(0, 2, n)
        elif kind < 0.3:
            C[:, j] = C[:, 0] if j > 0 else 2.0
        elif kind < 0.5:
            C[:, j] = C[:, 0] + 1e-3 * C[:, j]
    return C * log_uniform(random, -4, 4) + random.choice([0, log_uniform(random, -2, 2)])


def random_options(random, loss, labels, factor):
    penalty = str(random.choice(PENALTIES))
    options = {"--loss": loss, "--penalty": penalty, "--alpha": f"{factor:.6g}max"}
    options["--tol"] = float(random.choice([1e-3, 1e-4, 1e-4, 1e-6, 1e-9]))
    if penalty in ("blockq", "mixed"):
        options["--q"] = float(random.choice([1.000001, 1.001, 1.01, 1.1, 1.3, 1.5, 2, 3, 5, 20, 50, 100]))
    if penalty in ("elasticnet", "mixed"):
        options["--l1-ratio"] = float(random.choice([1e-6, 0.01, 0.3, 0.5, 0.9, 0.99, 0.999999]))
    if loss in ("epsilon_insensitive", "huber"):
        options["--epsilon"] = float(max(np.abs(labels).max(), 1e-300) * log_uniform(random, -6, -0.5))
    if loss == "quantile":
        options["--quantile"] = float(random.choice([0.01, 0.3, 0.5, 0.9]))
    if random.random() < 0.3:
        options["--no-intercept"] = None
    if random.random() < 0.1:
        options["--solver"] = "spicy"
    return options


UNPENALISED_AND_JOINT = 1_000_000  # from this seed on problems have covariates, or several classes at once, or both


def random_codes(random, n):
    """Three classes or more, of which some may be rare."""
    count = int(random.integers(3, min(6, n // 2) + 1))
    codes = np.r_[np.arange(count), np.arange(count), random.integers(0, random.integers(1, count + 1), n)][:n]
    return random.permutation(codes).astype(float)


def random_problem(seed):
    """Half of the problems are tame in their scales and strengths; the others reach for the ends of the range."""
    random = np.random.default_rng(seed)
    wild = random.random() < 0.5
    reach = random.uniform(4, 12) if wild else random.uniform(0, 4)
    n = int(random.integers(2, 40)) if random.random() < 0.95 else int(random.integers(100, 300))
    factor = log_uniform(random, -8, 3) if wild else log_uniform(random, -4, 0.3)
    loss = LOSSES[seed % len(LOSSES)]
    problem = Problem(labels=np.empty(0), options={}, alpha_factor=factor)
    if random.random() < 0.3:
        problem.table = random_table(random, n, reach)
        problem.kernels = random_kernel_list(random, problem.table.shape[1])
        problem.standardize = bool(random.random() < 0.6)
    else:
        problem.grams = random_grams(random, n, reach)
    if loss in CLASSIFICATION:
        problem.labels = random_classes(random, n)
    else:
        problem.labels = random_targets(random, n, reach, problem.grams)
    problem.weights = random_weights(random, n, reach)
    problem.options = random_options(random, loss, problem.labels, factor)
    if seed < UNPENALISED_AND_JOINT:
        return problem
    if loss == "logistic" and n >= 6 and random.random() < 0.6:
        problem.labels = random_codes(random, n)
        problem.options = {k: v for k, v in problem.options.items() if k != "--loss"} | {"--multi-class": "joint"}
    if problem.n_classes == 2 or random.random() < 0.5:
        problem.covariates = random_covariates(random, n)
    return problem
