"""No certificate claims more than is true: random problems at the edge of double precision, judged with more digits."""

import json

import numpy as np
import pytest

import exact_judge
import tables

LOSSES, PENALTIES = list(tables.LOSSES), list(tables.PENALTIES)


def random_kernels(random, n, count):
    kernels = []
    for _ in range(count):
        F = random.standard_normal((n, random.integers(1, n)))
        kernels.append(F @ F.T * 10.0 ** random.uniform(-6, 6) / n)
    if random.random() < 0.3:
        kernels.append(kernels[0].copy())
    if random.random() < 0.2:
        kernels.append(np.zeros((n, n)))
    K = np.array(kernels)
    return (K + K.transpose(0, 2, 1)) / 2


def random_problem(seed):
    random = np.random.default_rng(seed)
    n, loss = int(random.integers(6, 25)), LOSSES[seed % len(LOSSES)]
    K = random_kernels(random, n, int(random.integers(1, 6)))
    if loss in tables.losses_for("classes"):
        y = random.permutation(np.where(np.arange(n) < max(1, n // 3), 1.0, -1.0))
    else:
        y = random.standard_normal(n) * 10.0 ** random.uniform(-4, 9) + 10.0 ** random.uniform(-4, 9)
    penalty = random.choice(PENALTIES)
    options = {
        "--loss": loss,
        "--penalty": penalty,
        "--alpha": f"{10.0 ** random.uniform(-6, 0.3):.3g}max",
        "--tol": random.choice([1e-3, 1e-6]),
        "--max-iter": 60,
    }
    q, l1_ratio = random.choice([1.000001, 1.001, 1.01, 1.3, 2, 5, 50]), random.choice([0.05, 0.5, 0.95])
    values = {"q": q, "l1_ratio": l1_ratio, "quantile": 0.3}
    if "epsilon" in tables.LOSSES[loss]["parameters"]:
        values["epsilon"] = 0.1 * np.abs(y).max() * 10.0 ** random.uniform(-6, 0)
    for name in tables.PENALTIES[penalty]["parameters"] + tables.LOSSES[loss]["parameters"]:
        options[f"--{name.replace('_', '-')}"] = values[name]
    weights = 10.0 ** random.uniform(-8, 8) * random.uniform(0.5, 2, n) if random.random() < 0.4 else None
    return K, y, weights, options


@pytest.mark.parametrize("batch", range(10))
def test_claims_hold_in_extended_precision(spicymkl, batch):
    for seed in range(10 * batch, 10 * batch + 10):
        K, y, weights, options = random_problem(seed)
        words = [str(word) for pair in options.items() for word in pair]
        inputs = spicymkl.save(K, y, weights)
        done = spicymkl.run("train", *inputs, *words, "--certificate", "c.json", "--max-seconds", 20, "--quiet")
        if done.returncode == 2 and "nothing to learn" in done.stderr:  # all labels within epsilon of a constant
            continue
        assert done.returncode in (0, 1), (seed, done.returncode, done.stderr)
        c = json.loads((spicymkl.folder / "c.json").read_text())
        assert np.isfinite([c["primal"], c["dual_objective"], c["relative_gap"]]).all(), seed
        assert len(c["dual"]) == len(y), seed
        true = exact_judge.true_gap(c, K, y, weights)
        assert true <= c["relative_gap"] * (1 + 1e-9) + 1e-17, (seed, options)
