"""Every kernel by every kind of features that it has: the certificate, recomputed in NumPy from φ of the training rows.

φ is made of the formula of the kernel and of what the model file keeps: landmarks and their whitening, frequencies or
categories.
"""

import json
import pathlib
import re

import numpy as np
import pytest

import problems
from model_bytes import taken_apart
from referee import recompute

ROOT = pathlib.Path(__file__).resolve().parents[2]


def squares(X, Z):
    return ((X[:, None] - Z[None]) ** 2).sum(-1)


def matern(X, Z, length, nu):
    u = np.sqrt(2 * nu * squares(X, Z)) / length
    return np.exp(-u) * {0.5: 1, 1.5: 1 + u, 2.5: 1 + u + u**2 / 3}[nu]


def chi_squared(X, Z, gamma):
    return np.exp(-gamma * ((X[:, None] - Z[None]) ** 2 / (X[:, None] + Z[None])).sum(-1))


def cosine(X, Z):
    return X @ Z.T / np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Z, axis=1))


FORMULAS = {
    "linear": lambda X, Z: X @ Z.T,
    "polynomial": lambda X, Z, degree, offset, scale: (offset + scale * X @ Z.T) ** degree,
    "gaussian": lambda X, Z, width: np.exp(-squares(X, Z) / (2 * width**2)),
    "laplacian": lambda X, Z, width: np.exp(-np.abs(X[:, None] - Z[None]).sum(-1) / width),
    "matern": matern,
    "rational_quadratic": lambda X, Z, length, shape: (1 + squares(X, Z) / (2 * shape * length**2)) ** -shape,
    "cosine": cosine,
    "chi_squared": chi_squared,
    "histogram_intersection": lambda X, Z: np.minimum(X[:, None], Z[None]).sum(-1),
    "overlap": lambda X, Z: (X[:, None] == Z[None]).mean(-1),
}
NUMBERS, COLOURS = ["x1", "x2", "x3"], ["c1", "c2"]
KERNELS = [
    {"type": "linear"},
    {"type": "polynomial", "degree": 2, "offset": 0.5},
    {"type": "gaussian", "width": 1},
    {"type": "laplacian", "width": 2},
    *({"type": "matern", "length": 1.5, "nu": nu} for nu in (0.5, 1.5, 2.5)),
    {"type": "rational_quadratic", "length": 1, "shape": 1},
    {"type": "cosine"},
    {"type": "chi_squared", "gamma": 0.5},
    {"type": "histogram_intersection"},
    {"type": "overlap", "columns": COLOURS},
]
HAVE = {
    "nystrom": list(FORMULAS),
    "fourier": ["gaussian", "laplacian", "matern"],
    "exact": ["linear", "cosine", "overlap", "polynomial"],
}
RANKS = {"nystrom": {"rank": 9}, "fourier": {"rank": 12}, "exact": {}}


def with_features(kernel, kind):
    return {"columns": NUMBERS, **kernel, "features": {"kind": kind, **RANKS[kind]}}


class StoredKernel:
    """An active kernel of a model file."""

    def __init__(self, header, tensors, k):
        self.said = header["table"]["active_kernels"][k]
        self.kept = {
            name.partition(".")[2]: values for name, values in tensors.items() if name.startswith(f"features{k}.")
        }

    def gram(self, X):
        """φφᵀ; exact features leave nothing out, so that it is the kernel's own formula."""
        kind, formula = self.said["features"]["kind"], FORMULAS[self.said["type"]]
        parameters = self.said["parameters"]
        if kind == "exact":
            raw = formula(X, X, **parameters)
        elif kind == "fourier":
            waves = X @ self.kept["points"]
            raw = (np.cos(waves) @ np.cos(waves).T + np.sin(waves) @ np.sin(waves).T) / waves.shape[1]
        else:
            phi = formula(X, self.kept["points"], **parameters) @ self.kept["whitening"]
            raw = phi @ phi.T
        return raw / self.said["trace"]


def stored_kernels(path):
    outer, header, data = taken_apart(path.read_bytes())
    tensors = {
        name: np.frombuffer(data[slice(*entry["data_offsets"])]).reshape(entry["shape"])
        for name, entry in outer.items()
        if name != "__metadata__"
    }
    return [StoredKernel(header, tensors, k) for k in range(len(header["table"]["active_kernels"]))]


def write_table(spicymkl, X, colours, y):
    lines = [",".join([*NUMBERS, *COLOURS, "y"])]
    lines += [",".join([*map(repr, map(float, row)), *of_row, str(int(t))]) for row, of_row, t in zip(X, colours, y)]
    (spicymkl.folder / "t.csv").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("kind", "kernel"),
    [(kind, kernel) for kind, types in HAVE.items() for kernel in KERNELS if kernel["type"] in types],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value.values())),
)
def test_the_certificate_of_every_kernel_by_every_kind_of_features(spicymkl, kind, kernel):
    X, y = problems.classification(n=90)
    X = np.abs(X[:, :3]) + 0.1  # some kernels are for numbers that are not negative
    codes = np.random.default_rng(1).integers(0, 3, (90, 2))
    write_table(spicymkl, X, np.array(["blue", "green", "red"])[codes], y)
    kernels = [with_features(kernel, kind)]
    (spicymkl.folder / "kernels.json").write_text(json.dumps({"standardize": False, "kernels": kernels}))
    options = ["--kernels", "kernels.json", "--penalty", "uniform", "--tol", 1e-5, "--categorical", "c1,c2"]
    spicymkl.ok(
        "train",
        "t.csv",
        "--target",
        "y",
        "--task",
        "classification",
        *options,
        "--model",
        "m.safetensors",
        "--certificate",
        "c.json",
    )
    certificate = json.loads((spicymkl.folder / "c.json").read_text())
    (stored,) = stored_kernels(spicymkl.folder / "m.safetensors")
    assert certificate["kernels"][0]["features"]["kind"] == kind
    columns = codes if kernel["type"] == "overlap" else X  # codes are places in the sorted list of categories
    primal, dual = recompute(certificate, stored.gram(columns)[None], y)
    assert primal == pytest.approx(certificate["primal"], rel=1e-9)
    assert dual == pytest.approx(certificate["dual_objective"], rel=1e-9)
    assert primal - dual <= 1e-5 * primal
    assert spicymkl.ok("verify", "m.safetensors", "t.csv").startswith("holds")


def test_every_kernel_is_here():
    known = re.findall(r"^KERNEL\((\w+)\)", (ROOT / "src/kernel/functions/kernels.def").read_text(), re.MULTILINE)
    assert {kernel["type"] for kernel in KERNELS} == set(known) == set(FORMULAS)
