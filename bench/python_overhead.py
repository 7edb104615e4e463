#!/usr/bin/env python3
"""What a call from Python costs beside the library's own work, at N samples and M kernels in memory:

    .venv/bin/python bench/python_overhead.py [N M]        after ./dev build

Of five calls, the whole time of each, and the part that the library was not at work.
"""

import sys
import time

import numpy as np

from spicymkl import MKLClassifier, _core

SECONDS = dict.fromkeys(("gram_kernels", "train_model"), 0.0)


def count(name):
    """From now on the seconds of this function of the library are counted."""
    function = getattr(_core, name)

    def counted(*arguments):
        began = time.perf_counter()
        result = function(*arguments)
        SECONDS[name] += time.perf_counter() - began
        return result

    setattr(_core, name, counted)


def problem(n_samples, n_kernels):
    random = np.random.default_rng(1)
    X = random.standard_normal((n_samples, n_kernels))
    y = np.sign(X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * random.standard_normal(n_samples))
    return np.array([np.exp(-((x[:, None] - x) ** 2) / 2) for x in X.T]), y


def main():
    sizes = [int(size) for size in sys.argv[1:]] or [1000, 100]
    K, y = problem(*sizes)
    for name in SECONDS:
        count(name)
    for _ in range(5):
        SECONDS.update(dict.fromkeys(SECONDS, 0.0))
        began = time.perf_counter()
        MKLClassifier("precomputed").fit(K, y)
        whole = time.perf_counter() - began
        checks, training = SECONDS.values()
        print(
            f"{whole:.4f} s, of them {100 * (whole - training - checks) / whole:.2f} % not in the library "
            f"(training {training:.4f} s, checks {checks:.4f} s)"
        )


main()
