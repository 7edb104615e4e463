"""Kernels by features against the exact ones: accuracy on new rows and the five strongest kernels, at 5,000 rows.

The kernels are those of --kernels auto, the features have the largest rank that --features auto gives them.
Run from the project's root: .venv/bin/python bench/features.py [TRAIN.csv TEST.csv ...]; without files on generated data.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

COMMAND = pathlib.Path("build/spicymkl").resolve()
LARGEST = "nystrom:256"
GENERATED = ("ringnorm", "twonorm", "waveform", "multisource")


def command(*line):
    return subprocess.run([str(COMMAND), *map(str, line)], capture_output=True, text=True, check=True).stdout


def fit(folder, train, test, loss, features):
    model = folder / "m.safetensors"
    began = time.perf_counter()
    line = ["train", train, "--target", "y", "--loss", loss, "--features", features, "--model", model]
    found = json.loads(command(*line, "--json", "--quiet"))
    seconds = time.perf_counter() - began
    accuracy = json.loads(command("evaluate", model, test, "--json"))["accuracy"]
    strongest = sorted(found["kernels"], key=lambda kernel: -kernel["weight"])[:5]
    return seconds, accuracy, [kernel["name"] for kernel in strongest], [kernel["weight"] for kernel in strongest]


def compare(folder, name, train, test):
    for loss in ("logistic", "hinge"):
        exact = fit(folder, train, test, loss, "none")
        features = fit(folder, train, test, loss, LARGEST)
        same = sum(a == b for a, b in zip(exact[2], features[2]))
        print(
            f"{name:12s} {loss:9s} exact {100 * exact[1]:6.2f} % {exact[0]:6.1f} s, features {100 * features[1]:6.2f} % "
            f"{features[0]:6.1f} s; places of the five strongest that agree: {same} of {len(exact[2])}",
            flush=True,
        )
        if same < len(exact[2]):
            for one in (exact, features):
                print("    ", ", ".join(f"{kernel} {weight:.4g}" for kernel, weight in zip(one[2], one[3])))


def main():
    files = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for train, test in zip(files[::2], files[1::2]):
            compare(folder, pathlib.Path(train).stem, train, test)
        for data in () if files else GENERATED:
            paths = [folder / f"{data}-{part}.csv" for part in ("train", "test")]
            for path, rows, seed in zip(paths, (5000, 20_000), (1, 2)):
                command("generate", data, "-n", rows, "--seed", seed, "-o", path)
            compare(folder, data, *paths)


if __name__ == "__main__":
    main()
