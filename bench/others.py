"""Programs of others on the same kernels, judged by one referee. Those that are not installed are left out."""

import contextlib
import importlib
import importlib.util
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np

ALPHA = 0.05
GAP = 1e-3  # relative, of linear kernels and group lasso


def gap(kernels, y, model):
    """Relative duality gap, for the block 1-norm problem with hinge loss, of f = Σ K_m coef_m + intercept, proved by ρ once
    it is feasible: within the box, summing to 0, and scaled into every ball ‖ρ‖_Km ≤ alpha."""
    coef, intercept, rho = model
    products = np.einsum("mij,mj->mi", kernels, coef)
    norms = np.sqrt(np.maximum((products * coef).sum(axis=1), 0))
    primal = np.maximum(1 - y * (products.sum(axis=0) + intercept), 0).sum() + ALPHA * norms.sum()
    rho = y * np.clip(y * rho, 0, 1)
    positive, negative = rho[rho > 0].sum(), -rho[rho < 0].sum()
    if min(positive, negative) == 0:
        return 1.0
    rho[rho > 0] *= min(1, negative / positive)
    rho[rho < 0] *= min(1, positive / negative)
    largest = np.sqrt(np.max((kernels @ rho) @ rho))
    return (primal - (y * rho).sum() * min(1, ALPHA / largest)) / primal


def _spicymkl(program, folder, y, n_kernels):
    inputs = ["--gram", folder / "K.npy", "--labels", folder / "y.npy", "--loss", "hinge", "--alpha", str(ALPHA)]
    outputs = ["--tol", "0.01", "--quiet", "--model", folder / "m.st", "--certificate", folder / "c.json"]
    subprocess.run([program, "train", *inputs, *outputs], check=True, capture_output=True)
    certificate = json.loads((folder / "c.json").read_text())
    coef = np.zeros((n_kernels, len(y)))
    for kernel in certificate["kernels"]:
        coef[kernel["index"]] = kernel["coef"]
    return certificate["seconds"], (coef, certificate["intercept"], np.asarray(certificate["dual"]))


def _svc(kernels, y, weights=None):
    """An SVM on a weighted sum, uniform unless weights are given."""
    from sklearn.svm import SVC

    start = time.perf_counter()
    weights = np.ones(len(kernels)) if weights is None else np.asarray(weights, float)
    combined = np.tensordot(weights, kernels, 1)
    scale = len(y) / np.trace(combined)
    svm = SVC(kernel="precomputed", C=1 / ALPHA).fit(scale * combined, y)
    seconds = time.perf_counter() - start
    dual = np.zeros(len(y))
    dual[svm.support_] = svm.dual_coef_[0]
    return seconds, (np.outer(scale * weights, dual), svm.intercept_[0], ALPHA * dual)


def _mklpy(kernels, y):
    algorithms = importlib.import_module("MKLpy.algorithms")
    start = time.perf_counter()
    model = algorithms.EasyMKL(lam=0.1).fit(list(kernels), y)
    seconds = time.perf_counter() - start
    weights = (
        next(iter(model.solution.values())).weights if isinstance(model.solution, dict) else model.solution.weights
    )
    more, fitted = _svc(kernels, y, weights)
    return seconds + more, fitted


def _himalaya(kernels, y):
    ridge = importlib.import_module("himalaya.kernel_ridge")
    start = time.perf_counter()
    model = ridge.MultipleKernelRidgeCV(kernels="precomputed", solver="random_search", random_state=0)
    model.fit(kernels.astype(float), y.astype(float))
    return time.perf_counter() - start


def _kernels(program, folder, n_samples, n_kernels):
    table = folder / "data.csv"
    subprocess.run([program, "generate", "ringnorm", "-n", str(n_samples), "--seed", "1", "-o", table], check=True)
    command = [program, "kernels", table, "--target", "y", "--kernels", f"random:{n_kernels}", "-o", folder / "K.npy"]
    subprocess.run([*command, "--quiet"], check=True, capture_output=True)
    y = np.loadtxt(table, delimiter=",", skiprows=1)[:, -1]
    np.save(folder / "y.npy", y)
    return np.load(folder / "K.npy"), y


def compare(program, n_samples, n_kernels):
    """A table in markdown and its rows: seconds, and the gap where the answer is one of the same problem."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kernels, y = _kernels(program, folder, n_samples, n_kernels)
        seconds, model = _spicymkl(program, folder, y, n_kernels)
    rows.append({"program": "SpicyMKL", "seconds": seconds, "gap": gap(kernels, y, model)})
    seconds, model = _svc(kernels, y)
    rows.append({"program": "scikit-learn SVC on the uniform sum", "seconds": seconds, "gap": gap(kernels, y, model)})
    with contextlib.suppress(ImportError):
        seconds, model = _mklpy(kernels, y)
        rows.append({"program": "MKLpy EasyMKL", "seconds": seconds, "gap": gap(kernels, y, model)})
    with contextlib.suppress(ImportError):
        rows.append({"program": "himalaya MultipleKernelRidgeCV (another problem)", "seconds": _himalaya(kernels, y)})
    lines = ["| program | seconds | gap of the block 1-norm problem |", "|---|---|---|"]
    lines += [
        f"| {r['program']} | {r['seconds']:.3f} | {r['gap']:.2g} |"
        if "gap" in r
        else f"| {r['program']} | {r['seconds']:.3f} | |"
        for r in rows
    ]
    return f"ringnorm, N={n_samples}, M={n_kernels}, hinge, alpha {ALPHA}:\n\n" + "\n".join(lines) + "\n", rows


def _group_objective(X, y, alpha, groups, coef, intercept):
    """Σ(y − f)² + alpha Σ‖coef_g‖, the problem of linear kernels on groups of columns with the squared loss."""
    residual = y - X @ coef - intercept
    return residual @ residual + alpha * sum(np.linalg.norm(coef[g]) for g in groups)


def _celer(X, y, alpha, width, gap):
    """To the same gap: celer stops where that of its objective, ours over 2N, is below tol·‖y − ȳ‖²/N."""
    group_lasso = importlib.import_module("celer").GroupLasso(
        groups=width, alpha=alpha / (2 * len(y)), tol=gap / (2 * np.square(y - y.mean()).sum()), fit_intercept=True
    )
    start = time.perf_counter()
    group_lasso.fit(X, y)
    return time.perf_counter() - start, group_lasso.coef_, group_lasso.intercept_


def _linear_kernels(X, y, alpha, groups):
    from spicymkl import MKLRegressor, kernels

    linear = [kernels.Linear(columns=g, normalize="none") for g in groups]
    model = MKLRegressor(linear, loss="squared", alpha=alpha, tol=GAP, standardize=False)
    start = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - start
    coef = np.concatenate(
        [scale * (X[:, g].T @ model.dual_) for g, scale in zip(groups, model.coef_scale_, strict=True)]
    )
    return seconds, coef, model.intercept_


def compare_group_lasso(sizes, width, n_groups=50):
    """A table in markdown and its rows: seconds of both, and the objective of celer's answer over that of ours."""
    if importlib.util.find_spec("celer") is None:
        return "Left out: celer is not installed.\n", []
    rows = []
    for n_samples in sizes:
        rng = np.random.default_rng(0)
        X = np.asfortranarray(rng.standard_normal((n_samples, n_groups * width)))
        y = X[:, : 5 * width] @ rng.standard_normal(5 * width)
        y += 0.5 * y.std() * rng.standard_normal(n_samples)
        groups = [slice(g * width, (g + 1) * width) for g in range(n_groups)]
        largest = 2 * max(np.linalg.norm(X[:, g].T @ (y - y.mean())) for g in groups)
        for strength in (0.5, 0.1, 0.02):
            alpha = strength * largest
            ours, *model = _linear_kernels(X, y, alpha, groups)
            objective = _group_objective(X, y, alpha, groups, *model)
            theirs, *peer = _celer(X, y, alpha, width, GAP * objective)
            ratio = _group_objective(X, y, alpha, groups, *peer) / objective
            rows.append(
                {
                    "n_samples": n_samples,
                    "strength": strength,
                    "seconds": ours,
                    "seconds_celer": theirs,
                    "objective": ratio,
                }
            )
    lines = [
        "| samples | strength | SpicyMKL | celer | times as fast | celer's objective over ours |",
        "|---" * 6 + "|",
    ]
    lines += [
        f"| {r['n_samples']} | {r['strength']} | {r['seconds']:.3f} | {r['seconds_celer']:.3f} | "
        f"{r['seconds_celer'] / r['seconds']:.1f} | {r['objective']:.5f} |"
        for r in rows
    ]
    head = f"{n_groups} linear kernels of {width} columns, squared loss, gap {GAP:g}, seconds from arrays to the model:\n\n"
    return head + "\n".join(lines) + "\n", rows
