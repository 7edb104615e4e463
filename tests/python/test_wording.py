"""Numbers as people say them, and one gap per run."""

import re

import numpy as np


def test_one_kernel_is_singular(spicymkl):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 1))
    spicymkl.table("t.csv", X, np.where(X[:, 0] > 0, "a", "b"))
    kernels = spicymkl.kernel_list([{"type": "linear", "columns": ["x1"]}])
    text = spicymkl.ok("train", "t.csv", "--target", "y", "--kernels", kernels, "--report", "r.html")
    assert "1 active kernel\n" in text
    assert ", 1 kernel\n" in text
    assert "1 active kernels" not in (spicymkl.folder / "r.html").read_text()


def test_sizes_are_not_powers_of_ten(spicymkl):
    spicymkl.ok("generate", "ringnorm", "-n", "1200", "--seed", "1", "-o", "t.csv")
    text = spicymkl.ok("train", "t.csv", "--target", "y", "--alpha", "0.5max")
    sizes = re.search(r"kernels kept: (.*)", text).group(1)
    assert re.search(r"\(\d[\d.]* (kB|MB|GB)\)", sizes), sizes
    assert "e+" not in sizes


def test_a_run_has_one_gap(spicymkl):
    """The hinge loss drops idle samples after the last step, which moves the gap of the stored model."""
    spicymkl.ok("generate", "twonorm", "-n", "300", "--seed", "1", "-o", "t.csv")
    text = spicymkl.ok("train", "t.csv", "--target", "y", "--loss", "hinge", "--tol", "0.01")
    gaps = re.findall(r"gap (\d\.\d+e-\d+|0\.\d+)", text)
    assert len(gaps) == 1, text
