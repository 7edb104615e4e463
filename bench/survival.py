"""Survival times: what Cox's loss costs beside the logistic one, and concordance beside scikit-survival's models.

python bench/survival.py cost           CPU seconds of one thread, 500 samples and 1000 kernels
python bench/survival.py concordance    repeated cross-validation on scikit-survival's breast cancer data
Both print a table in markdown; --quick takes small problems.
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold

from spicymkl import MKLClassifier, MKLSurvival, MKLSurvivalCV

STRENGTHS = ("0.5max", "0.1max", "0.03max")
LIMIT = 3.0  # times the logistic loss


def _problem(n, n_kernels, seed=0):
    """Gaussian kernels on random columns, two classes and survival times of the same hidden score."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, 20))
    score = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3]
    event_time, lost = random.exponential(np.exp(-score)), random.exponential(2.0, n)
    y = np.column_stack([event_time <= lost, np.minimum(event_time, lost)]).astype(float)
    K = np.empty((n_kernels, n, n), dtype=np.float32)
    for k in K:
        columns = random.choice(20, random.integers(1, 6), replace=False)
        squares = (X[:, columns] ** 2).sum(1)
        distances = np.maximum(squares[:, None] + squares - 2 * X[:, columns] @ X[:, columns].T, 0)
        k[:] = np.exp(-distances / (2 * (5 * random.chisquare(1) + 0.1) ** 2)) / n
    return K, np.where(score + 0.7 * random.standard_normal(n) > 0, "yes", "no"), y


def _seconds(make, K, y, alpha):
    began = time.process_time()
    model = make("precomputed", alpha=alpha, n_jobs=1).fit(K, y)
    return time.process_time() - began, len(model.active_kernels_)


def cost(quick, repeats):
    n, n_kernels = (100, 60) if quick else (500, 1000)
    K, classes, times = _problem(n, n_kernels)
    losses = {"logistic": (MKLClassifier, classes), "cox": (MKLSurvival, times)}
    lines = [
        f"CPU seconds of one thread, {n} samples, {n_kernels} kernels, gap 0.001; of {repeats} runs the least:\n",
        "| strength | logistic | kernels | cox | kernels | ratio | limit |",
        "|---" * 7 + "|",
    ]
    base = {name: min(_seconds(make, K, y, "1.01max")[0] for _ in range(repeats)) for name, (make, y) in losses.items()}
    for alpha in STRENGTHS:
        runs = [{name: _seconds(make, K, y, alpha) for name, (make, y) in losses.items()} for _ in range(repeats)]
        least = {name: min(run[name][0] for run in runs) - base[name] for name in losses}
        active = {name: runs[0][name][1] for name in losses}
        lines.append(
            f"| {alpha} | {least['logistic']:.2f} | {active['logistic']} | {least['cox']:.2f} | {active['cox']} | "
            f"{least['cox'] / least['logistic']:.2f} | {LIMIT:g} |"
        )
    lines.append("\nReading and checking the kernels, which both do, is taken off.")
    return "\n".join(lines)


def _coxnet(X, y):
    """Coxnet on standardised columns, its strength chosen by 5 folds."""
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sksurv.linear_model import CoxnetSurvivalAnalysis

    path = CoxnetSurvivalAnalysis(l1_ratio=0.9, alpha_min_ratio=0.02, n_alphas=12).fit(
        StandardScaler().fit_transform(X), y
    )
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y[y.dtype.names[0]]))
    grid = {"coxnetsurvivalanalysis__alphas": [[alpha] for alpha in path.alphas_[1:]]}
    model = make_pipeline(StandardScaler(), CoxnetSurvivalAnalysis(l1_ratio=0.9, fit_baseline_model=False))
    return GridSearchCV(model, grid, cv=folds, error_score=0.5).fit(X, y)


def _forest(X, y):
    from sksurv.ensemble import RandomSurvivalForest

    return RandomSurvivalForest(n_estimators=200, min_samples_leaf=8, random_state=0, n_jobs=1).fit(X, y)


def concordance(quick, repeats):
    import pandas as pd
    from sksurv.datasets import load_breast_cancer
    from sksurv.preprocessing import OneHotEncoder

    frame, y = load_breast_cancer()
    frame = OneHotEncoder().fit_transform(frame).astype(float).reset_index(drop=True)
    genes = [name for name in frame.columns if name.startswith("X")]
    sources = {"genes": frame[genes], "clinical": frame.drop(columns=genes)}
    encoded = frame.to_numpy()

    def ours(part, train, test):
        rows = [{name: sources[name].iloc[index].reset_index(drop=True) for name in part} for index in (train, test)]
        rows = rows if len(part) > 1 else [row[part[0]] for row in rows]
        model = MKLSurvivalCV(n_jobs=1).fit(rows[0], y[train])
        return model.score(rows[1], y[test])

    models = {
        "MKLSurvivalCV, genes and clinical as two sources": lambda a, b: ours(("genes", "clinical"), a, b),
        "MKLSurvivalCV, genes alone": lambda a, b: ours(("genes",), a, b),
        "MKLSurvivalCV, clinical columns alone": lambda a, b: ours(("clinical",), a, b),
        "Coxnet (l1_ratio 0.9), all columns": lambda a, b: _coxnet(encoded[a], y[a]).score(encoded[b], y[b]),
        "random survival forest, all columns": lambda a, b: _forest(encoded[a], y[a]).score(encoded[b], y[b]),
    }
    division = RepeatedStratifiedKFold(n_splits=3 if quick else 5, n_repeats=repeats, random_state=0)
    splits = list(division.split(encoded, y[y.dtype.names[0]]))
    scores = pd.DataFrame({name: [score(*split) for split in splits] for name, score in models.items()})
    n_events = int(y[y.dtype.names[0]].sum())
    lines = [
        f"{len(frame)} patients, {n_events} events; mean and standard deviation over {len(splits)} parts that took no part:\n",
        "| model | concordance |",
        "|---|---|",
    ]
    lines += [f"| {name} | {scores[name].mean():.3f} ± {scores[name].std():.3f} |" for name in models]
    first = next(iter(models))
    lines.append(
        "\nDifference to the first, split by split: mean ± its standard error.\n\n| model | difference |\n|---|---|"
    )
    for name in list(models)[1:]:
        difference = scores[first] - scores[name]
        lines.append(f"| {name} | {difference.mean():+.3f} ± {difference.std() / len(splits) ** 0.5:.3f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("cost", "concordance"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print({"cost": cost, "concordance": concordance}[options.what](options.quick, options.repeats))
