"""The same command prints the same: also what it says of how kernels are kept."""

import json

import numpy as np

import problems


def test_banks_are_listed_in_one_order(spicymkl):
    X, y = problems.classification(n=24)
    X[:, 2] = np.arange(24) % 3
    table = spicymkl.table("t.csv", X, np.where(y > 0, "up", "down"))
    banks = [json.loads(spicymkl.ok("train", table, "--target", "y", "--json"))["bank"] for _ in range(20)]
    assert len(banks[0]) > 1  # or there is no order
    assert all(bank == banks[0] for bank in banks)
