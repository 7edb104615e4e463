"""Kernels by features against the exact ones: accuracy on new rows and the five strongest kernels, at 5,000 rows.

The kernels are those of --kernels auto, the features have the largest rank that --features auto gives them. Two
neighbouring kernels whose weights differ by less than 3 % may change places: a relative gap of 0.001 does not tell them
apart. Where features leave out more than half of a kernel that is among the five, exact training is repeated without it.
Run from the project's root: .venv/bin/python bench/features.py [--only DATA ...] [TRAIN.csv TEST.csv ...]; without files
on generated data and on the sets of ../shared/data that are large enough, of which the first 5,000 rows, or 4,000, are
trained on.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

COMMAND = pathlib.Path("build/spicymkl").resolve()
LARGEST = "nystrom:256"
GENERATED = ("ringnorm", "twonorm", "waveform", "multisource")
SHARED = {"ringnorm": 5000, "twonorm": 5000, "waveform": 4000}
TIE = 0.03


def command(*line):
    return subprocess.run([str(COMMAND), *map(str, line)], capture_output=True, text=True, check=True)


class Fit:
    """What one training found: seconds, accuracy on new rows, and the weights of the strongest kernels."""

    def __init__(self, folder, train, test, *options):
        model = folder / "m.safetensors"
        began = time.perf_counter()
        done = command("train", train, "--target", "y", *options, "--model", model, "--json")
        self.seconds = time.perf_counter() - began
        self.said = done.stderr
        self.accuracy = json.loads(command("evaluate", model, test, "--json").stdout)["accuracy"]
        kernels = sorted(json.loads(done.stdout)["kernels"], key=lambda kernel: -kernel["weight"])
        self.weights = {kernel["name"]: kernel["weight"] for kernel in kernels}
        self.five = list(self.weights)[:5]

    def __str__(self):
        return f"{100 * self.accuracy:6.2f} % {self.seconds:6.1f} s"

    def strongest(self):
        return ", ".join(f"{name} {self.weights[name]:.4g}" for name in self.five)

    def ties(self, name, other):
        """Whether the weights of two kernels are too close to be told apart."""
        a, b = self.weights.get(name, 0), self.weights.get(other, 0)
        return abs(a - b) <= TIE * max(a, b)


def places(exact, features):
    """How many of the five places are taken by the same kernels, and by kernels that tie with these."""
    pairs = list(zip(exact.five, features.five))
    same = sum(a == b for a, b in pairs)
    tied = sum(a != b and (exact.ties(a, b) or features.ties(a, b)) for a, b in pairs)
    return f"{same} the same and {tied} tied of {len(exact.five)}"


def without(folder, train, cut):
    """A file of the kernels of `auto` but for those that are cut."""
    listed = json.loads(command("kernels", train, "--target", "y", "--list", "--json").stdout)["kernels"]
    kept = [{**kernel, **kernel.pop("parameters")} for kernel in listed if kernel["name"] not in cut]
    path = folder / "kernels.json"
    path.write_text(json.dumps(kept))
    return path


def compare(folder, name, train, test):
    for loss in ("logistic", "hinge"):
        exact = Fit(folder, train, test, "--loss", loss, "--features", "none")
        features = Fit(folder, train, test, "--loss", loss, "--features", LARGEST)
        shown = [("exact", exact), ("features", features)]
        cut = [kernel for kernel in exact.five if f"{kernel} (" in features.said and kernel not in features.five]
        if cut:
            rest = without(folder, train, cut)
            exact = Fit(folder, train, test, "--loss", loss, "--features", "none", "--kernels", rest)
            shown.append((f"exact without {', '.join(cut)}", exact))
        print(f"{name:12s} {loss:9s} {'; '.join(f'{way} {fit}' for way, fit in shown)}; {places(exact, features)}")
        for way, fit in shown:
            print(f"    {way}: {fit.strongest()}", flush=True)


def halves(folder, path, n_train):
    head, *rows = path.read_text().splitlines(keepends=True)
    parts = [folder / f"{path.stem}-{part}.csv" for part in ("train", "test")]
    for part, some in zip(parts, (rows[:n_train], rows[n_train:])):
        part.write_text(head + "".join(some))
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="pairs of TRAIN.csv and TEST.csv")
    parser.add_argument("--only", nargs="+", default=[*GENERATED, "shared"], choices=[*GENERATED, "shared"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for train, test in zip(given.files[::2], given.files[1::2]):
            compare(folder, train.stem, train, test)
        if given.files:
            return
        for data in given.only:
            if data == "shared":
                for one, n_train in SHARED.items():
                    path = pathlib.Path("../shared/data") / f"{one}.csv"
                    compare(folder, f"{one}, shared", *halves(folder, path, n_train))
                continue
            paths = [folder / f"{data}-{part}.csv" for part in ("train", "test")]
            for path, rows, seed in zip(paths, (5000, 20_000), (1, 2)):
                command("generate", data, "-n", rows, "--seed", seed, "-o", path)
            compare(folder, data, *paths)


if __name__ == "__main__":
    main()
