"""Several classes at once beside each against the rest: accuracy and log-loss by repeated cross-validation.

    bench/joint.py --repeats 3 --data DIR         also the sets of that folder: NAME.csv with a header, y in the last column

Every option but multi_class is the default. Prints the table of docs/classes.md: means over the test parts of all folds, and
the difference of the two with its standard error over the folds, which both learn from alike.
"""

import argparse
import json
import pathlib
import warnings

import numpy as np
from defaults import ROWS, SETS, is_classes, read
from sklearn.metrics import log_loss
from sklearn.model_selection import RepeatedStratifiedKFold

from spicymkl import MKLClassifier

KINDS = ("ovr", "joint")


def several_classes(folder):
    """Name → X, y of the sets with more than two classes; of larger ones some rows."""
    sets = {name: make for name, make in SETS.items()}
    for path in sorted(folder.glob("*.csv")) if folder else []:
        sets[path.stem] = lambda path=path: read(path)
    for name, make in sets.items():
        X, y = make()
        if not is_classes(y) or len(np.unique(y)) < 3 or not np.isfinite(X).all():
            continue
        some = np.random.default_rng(0).permutation(len(y))[:ROWS]
        yield name, X[some], y[some]


def judge(X, y, kind, learn, test):
    model = MKLClassifier(multi_class=kind).fit(X[learn], y[learn])
    chances = model.predict_proba(X[test])
    return {
        "accuracy": float(np.mean(model.classes_[chances.argmax(1)] == y[test])),
        "log_loss": float(log_loss(y[test], chances, labels=model.classes_)),
        "n_active": len(model.active_kernels_),
        "seconds": float(np.sum(model.fit_seconds_)),
    }


def measure(X, y, folds, repeats):
    """Of each kind, what each fold gives."""
    splitter = RepeatedStratifiedKFold(n_splits=folds, n_repeats=repeats, random_state=0)
    splits = list(splitter.split(X, y))
    return {kind: [judge(X, y, kind, *split) for split in splits] for kind in KINDS}


def cell(found, what, scale):
    """The two means, and their difference."""
    ovr, joint = (np.array([fold[what] for fold in found[kind]]) for kind in KINDS)
    change = scale * (joint - ovr)
    error = change.std(ddof=1) / np.sqrt(len(change))
    return f"{scale * ovr.mean():.2f} | {scale * joint.mean():.2f} | {change.mean():+.2f} ± {error:.2f}"


def summary(results):
    lines = [
        "| set | rows, classes | accuracy (%), ovr | joint | difference | log-loss × 100, ovr | joint | difference |",
        "|---" * 8 + "|",
    ]
    lines += [
        f"| {name} | {found['rows']}, {found['classes']} | {cell(found, 'accuracy', 100)} | {cell(found, 'log_loss', 100)} |"
        for name, found in results.items()
    ]
    means = [
        100 * np.mean([[fold[what] for fold in found[kind]] for found in results.values()])
        for what in ("accuracy", "log_loss")
        for kind in KINDS
    ]
    cells = [f"{a:.2f} | {b:.2f} | {b - a:+.2f}" for a, b in (means[:2], means[2:])]
    lines.append(f"| mean | | {cells[0]} | {cells[1]} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, help="a folder of further sets")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="these sets")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="every figure as JSON")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of columns that are constant in a fold
    results = {}
    for name, X, y in several_classes(options.data):
        if options.only and name not in options.only:
            continue
        results[name] = {
            "rows": len(y),
            "classes": len(np.unique(y)),
            **measure(X, y, options.folds, options.repeats),
        }
        print(f"{name}: {cell(results[name], 'accuracy', 100)}; {cell(results[name], 'log_loss', 100)}", flush=True)
        if options.output:
            options.output.write_text(json.dumps(results, indent=1))
    print(summary(results))


if __name__ == "__main__":
    main()
