"""The main job on generated data: which of four sources matter, and how well are new samples predicted?"""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMAND = ROOT / "build" / "spicymkl"
FOLDER = ROOT / "demo"


def run(*arguments):
    """Shows the command and runs it; returns what it printed."""
    print("$ spicymkl", *arguments, flush=True)
    return subprocess.run(
        [COMMAND, *map(str, arguments)], cwd=FOLDER, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def accuracy(model):
    return json.loads(run("evaluate", model, "test.csv", "--target", "y", "--json"))["accuracy"]


def weight_by_source(model):
    """Share of the kernel weights that fall on each source; a kernel over all columns is listed as such."""
    kernels = json.loads(run("inspect", model, "--json"))["fits"][0]["kernels"]
    total, shares = sum(k["weight"] for k in kernels), {}
    for kernel in kernels:
        columns = kernel["name"].split(" on ")[-1]
        source = columns.split("_")[0] if "_" in columns else "all columns together"
        shares[source] = shares.get(source, 0) + kernel["weight"] / total
    return sorted(shares.items(), key=lambda item: -item[1])


def main():
    FOLDER.mkdir(exist_ok=True)
    run("generate", "multisource", "-n", 400, "--seed", 1, "-o", "train.csv")
    run("generate", "multisource", "-n", 2000, "--seed", 2, "-o", "test.csv")
    train = ["train", "train.csv", "--target", "y", "--kernels", "auto", "--tol", "1e-4"]
    print(run(*train, "--model", "model.safetensors", "--test", "test.csv", "--report", "report.html"))
    print(run("verify", "model.safetensors", "train.csv"))
    run(*train, "--penalty", "uniform", "--quiet", "--model", "uniform.safetensors")
    learned, uniform = accuracy("model.safetensors"), accuracy("uniform.safetensors")
    print("\nThe labels were made from the sources 'expression' (a linear trend) and 'imaging' (a distance).")
    print("Weight that the model gives to each source:")
    for source, share in weight_by_source("model.safetensors"):
        print(f"  {100 * share:5.1f} %  {source}")
    print(
        f"Accuracy on 2000 new samples: {learned:.3f} with learned weights, {uniform:.3f} with all kernels weighted alike."
    )
    print(f"Pictures of all this are in {FOLDER / 'report.html'}: open it in a browser.")


if __name__ == "__main__":
    main()
