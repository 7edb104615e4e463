"""Three tables of the same samples, which the command and the estimators learn from."""

import numpy as np
import pandas as pd

N, LACKS = 60, 17
TRAIN = ["--id", "who", "--target", "y", "--quiet"]  # of a table that write() wrote


def sources(seed=0, n=N):
    """Three tables with text ids that have spaces; "g1" is a column of two of them."""
    rng = np.random.default_rng(seed)
    ids = [f"p {i:03}" for i in range(n)]
    sign = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    rna = pd.DataFrame(rng.normal(size=(n, 3)) + 0.8 * sign[:, None], columns=["g1", "g2", "g3"], index=ids)
    atac = pd.DataFrame(rng.normal(size=(n, 2)) + 0.8 * sign[:, None], columns=["g1", "peak"], index=ids)
    clinical = pd.DataFrame({"age": rng.normal(60, 5, n), "sex": rng.choice(["f", "m"], n)}, index=ids)
    y = pd.Series(np.where(sign > 0, "case", "control"), index=ids, name="y")
    return {"rna": rna, "atac": atac, "clinical": clinical}, y


def lacking(tables):
    """The same, where atac lacks samples."""
    rows = np.random.default_rng(1).permutation(len(tables["atac"]))[LACKS:]
    return {**tables, "atac": tables["atac"].iloc[rows]}


def write(spicymkl, tables, y, folder=""):
    (spicymkl.folder / folder).mkdir(exist_ok=True)
    for name, table in tables.items():
        table = table.join(y) if name == "clinical" else table
        table.to_csv(spicymkl.folder / folder / f"{name}.csv", index_label="who")
    return [f"{folder}/{name}.csv".lstrip("/") for name in tables]


def shuffled(tables, seed=3):
    return {name: table.sample(frac=1, random_state=seed + k) for k, (name, table) in enumerate(tables.items())}
