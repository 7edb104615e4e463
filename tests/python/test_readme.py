"""The shell commands of the README run as they are written."""

import os
import re
import stat
import subprocess

import numpy as np

import problems
from conftest import COMMAND, ROOT, Spicymkl

# What the tour must show.
TOUR = ["generate", "train", "inspect", "evaluate", "predict", "verify", "path", "cv", "study"]


def shell_blocks():
    """All sh blocks but that of ./dev, which builds and tests the checkout."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    return [block for block in blocks if "./dev" not in block]


def test_the_whole_tour_runs_as_written(tmp_path):
    script = "".join(shell_blocks())
    assert [command for command in TOUR if f"build/spicymkl {command} " not in script] == []
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "spicymkl").symlink_to(COMMAND)
    X, y = problems.classification(n=40)  # Gram matrices of one's own
    np.save(tmp_path / "K.npy", problems.kernels(X))
    np.save(tmp_path / "y.npy", y)
    np.save(tmp_path / "K_new.npy", problems.kernels(X)[:, :10])
    np.save(tmp_path / "y_new.npy", y[:10])
    tables = Spicymkl(tmp_path)  # and tables
    patients = [f"patient {i}" for i in range(len(y))]
    tables.table("rna.csv", {"patient": patients, "TP53": X[:, 0], "EGFR": X[:, 1]})
    tables.table("atac.csv", {"patient": patients[::-1], "TP53": X[::-1, 2]})
    tables.table("clinical.csv", {"patient": patients, "age": 60 + 5 * X[:, 2], "subtype": np.where(y > 0, "A", "B")})
    done = subprocess.run(["bash", "-euc", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(line.startswith("spicymkl: ") and "warning" not in line for line in done.stderr.splitlines())
    for name in re.findall(r"(?:-o|--model|--report|--picture|--certificate) (\S+)", script):
        assert (tmp_path / name).stat().st_size > 0, name
    assert not (tmp_path / "run.checkpoint").exists()


def test_the_verbs_of_dev_are_those_of_the_readme():
    text = (ROOT / "README.md").read_text() + (ROOT / "CONTRIBUTING.md").read_text()
    shown = subprocess.run([ROOT / "dev"], capture_output=True, text=True, check=True).stdout
    verbs = re.findall(r"^  ([a-z]+) ", shown, re.MULTILINE)
    assert set(re.findall(r"\./dev ([a-z]+)", text)) <= set(verbs)
    assert os.stat(ROOT / "dev").st_mode & stat.S_IXUSR
