"""Data sets, splits and kernels."""

import csv
import pathlib
import subprocess
import tempfile

import numpy as np

from spicymkl import Kernelizer

UCI = ("liver", "pima", "ionosphere", "wpbc", "sonar")
IDA = ("ringnorm", "splice", "twonorm", "waveform")
GENERATED = ("ringnorm", "twonorm", "waveform")
N_GENERATED = 7400  # rows, as in the published copies


class MissingData(Exception):
    """A data set that is neither in the folder nor can be generated."""


class Source:
    """Where data sets come from: a folder of CSV files, else the command's generator."""

    def __init__(self, folder, command):
        self.folder, self.command = folder, command
        self._last = (None, None)  # name and content of the set read last

    def has(self, name):
        return name in GENERATED or (self.folder is not None and (self.folder / self._file(name)).exists())

    def read(self, name):
        """(X, y)"""
        if self._last[0] != name:
            self._last = (name, self._load(name))
        return self._last[1]

    def _load(self, name):
        if self.folder is not None and (self.folder / self._file(name)).exists():
            return _read(self.folder / self._file(name))
        if name not in GENERATED:
            raise MissingData(f"{name} is not generated: give a folder that has {self._file(name)} by --data")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "data.csv"
            sizes = ["-n", str(N_GENERATED), "--seed", "1"]
            subprocess.run([self.command, "generate", name, *sizes, "-o", str(path)], check=True)
            return _read(path)

    @staticmethod
    def _file(name):
        return "splice_unique.csv" if name == "splice" else f"{name}.csv"


def _read(path):
    """(X, y) without columns that never change: the paper's peers drop one from ionosphere."""
    with open(path, newline="") as lines:
        header, *rows = csv.reader(lines)
    target = header.index("y")
    table = np.array(rows, dtype=float)
    X, y = np.delete(table, target, axis=1), table[:, target]
    return X[:, X.std(axis=0) > 0], np.where(y > 0, 1.0, -1.0)


def split(X, y, n_train, number):
    """Random training and test rows; `n_train` below 1 is a share of all."""
    order = np.random.default_rng(number).permutation(len(y))
    n_train = int(n_train * len(y)) if n_train < 1 else n_train
    train, test = order[:n_train], order[n_train:]
    return (X[train], y[train]), (X[test], y[test])


class Kernels:
    """The Gram matrices of a split, on disk for the command; those of the test rows if asked for."""

    def __init__(self, source, problem, with_test):
        X, y = source.read(problem.data)
        (X, self.y), (X_test, self.y_test) = split(X, y, problem.n_train, problem.split)
        kernelizer = Kernelizer(problem.kernels, n_jobs=1, random_state=problem.split)
        self.folder = tempfile.TemporaryDirectory(prefix="spicymkl-paper-")
        grams = kernelizer.fit_transform(X)
        self.n_kernels = len(grams)
        np.save(self.path("K.npy"), grams)
        np.save(self.path("y.npy"), self.y)
        self._test = kernelizer.transform(X_test) if with_test else None

    def path(self, name):
        return str(pathlib.Path(self.folder.name) / name)

    def accuracy(self, certificate):
        """Share of the test rows that a certificate's model predicts correctly."""
        if self._test is None:
            return None
        scores = np.full(len(self.y_test), certificate["intercept"])
        for kernel in certificate["kernels"]:
            scores += self._test[kernel["index"]] @ np.array(kernel["coef"])
        return float(np.mean(np.where(scores > 0, 1, -1) == self.y_test))

    def close(self):
        self.folder.cleanup()
