"""kernels --list is one short line per kernel, however many columns there are; --json has them all."""

import json

import numpy as np


def test_a_kernel_on_many_columns_is_one_short_line(spicymkl):
    X = np.random.default_rng(0).standard_normal((12, 40))
    table = spicymkl.table("d.csv", X)
    spicymkl.kernel_list(
        [{"type": "linear"}, {"type": "linear", "columns": "1:39"}, {"type": "linear", "columns": [0, 3]}]
    )
    lines = spicymkl.ok("kernels", table, "--kernels", "kernels.json", "--list").splitlines()
    columns = [line.split("\t")[1] for line in lines]
    assert columns == ["all 40 columns", "x2, x3, x4, x5, x6, x7, x8, x9, … (38 columns)", "x1, x4"]
    listed = json.loads(spicymkl.ok("kernels", table, "--kernels", "kernels.json", "--list", "--json"))
    assert [len(kernel["columns"]) for kernel in listed["kernels"]] == [40, 38, 2]
    preset = spicymkl.ok("kernels", table, "--list").splitlines()
    assert max(map(len, preset)) < 100
