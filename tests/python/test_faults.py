"""What the world does to a run: files that change or grow, links, limits on memory, numbers out of range."""

import gzip
import resource
import subprocess
import time

import numpy as np
import pytest

import conftest
import problems


def gram_files(spicymkl, n=900, count=40):
    random = np.random.default_rng(0)
    X = random.standard_normal((n, count))
    y = np.where(X[:, 0] + random.standard_normal(n) > 0, 1.0, -1.0)
    K = np.array([np.outer(x, x) / n + np.eye(n) / n for x in X.T])
    return spicymkl.save(K, y)


def ended_by_a_sentence(spicymkl, process, *words):
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2, (process.returncode, err)
    assert any(word in conftest.refusal(err) for word in words), err
    assert not (spicymkl.folder / "m.safetensors").exists()


@pytest.mark.parametrize("change", ["truncate", "overwrite"])
def test_a_gram_file_that_changes_while_it_is_used(spicymkl, change):
    inputs = gram_files(spicymkl)
    process = spicymkl.start("train", *inputs, "--alpha", "0.001max", "--tol", 1e-13, "--model", "m.safetensors")
    time.sleep(1)
    assert process.poll() is None, "it ended before the file was changed"
    with open(spicymkl.folder / "K.npy", "r+b") as file:
        if change == "truncate":
            file.truncate(100_000)
        else:
            file.seek(128)
            file.writelines(np.random.default_rng(1).standard_normal(900 * 900).tobytes() for _ in range(40))
    # On a busy machine it may still be reading: then it compares what it reads, and names the file, or it may be looking
    # whether the kernels are Gram matrices, and names the kernel that no longer is one.
    words = ["became shorter"] if change == "truncate" else ["is not symmetric", "is not positive semi-definite"]
    ended_by_a_sentence(spicymkl, process, "K.npy", *words)


def test_a_dangling_link_stays_a_link(spicymkl):
    X, y = problems.classification(n=20)
    table = spicymkl.table("d.csv", X, y)
    (spicymkl.folder / "place").mkdir()
    (spicymkl.folder / "link").symlink_to("place/model.safetensors")
    spicymkl.ok("train", table, "--target", "y", "--model", "link", "--quiet")
    assert (spicymkl.folder / "link").is_symlink()
    assert (spicymkl.folder / "place" / "model.safetensors").is_file()
    spicymkl.ok("inspect", "link")


def test_a_gzip_file_that_is_all_air(spicymkl):
    (spicymkl.folder / "bomb.csv.gz").write_bytes(gzip.compress(b"x,y\n" + b"0,0\n" * 60_000_000, 9))
    spicymkl.refuse(["train", "bomb.csv.gz", "--target", "y"], "bomb.csv.gz", "gunzip")


def test_a_table_of_zeros_is_no_bomb(spicymkl):
    rows = "\n".join(f"{i % 2}," + ",".join(["0"] * 500 + [str(i % 7)]) for i in range(2000))
    names = ",".join(["y"] + [f"x{j}" for j in range(501)])
    (spicymkl.folder / "zeros.csv.gz").write_bytes(gzip.compress((names + "\n" + rows + "\n").encode(), 9))
    spicymkl.ok("generate", "twonorm", "-n", 20, "--seed", 1, "-o", "other.csv")
    done = spicymkl.run("train", "zeros.csv.gz", "--target", "y", "--kernels", '[{"type": "linear"}]', "--quiet")
    assert done.returncode in (0, 1), done.stderr


@pytest.mark.parametrize("megabytes", [500, 700])
def test_little_memory_ends_in_a_sentence(spicymkl, megabytes):
    random = np.random.default_rng(0)
    X = random.standard_normal((300, 40))
    table = spicymkl.table("wide.csv", X, np.where(X[:, 0] > 0, 1, -1))
    line = [conftest.COMMAND, "train", table, "--target", "y", "--kernels", "paper", "--model", "m.safetensors"]
    limit = megabytes * 1000 * 1024

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    done = subprocess.run(
        line, cwd=spicymkl.folder, capture_output=True, text=True, timeout=200, preexec_fn=limited, check=False
    )
    assert done.returncode in (0, 1, 2), done.stderr
    if done.returncode == 2:
        assert "memory" in done.stderr


@pytest.mark.parametrize("options", [["train"], ["path", "-o", "p.csv"], ["cv"]])
def test_constant_targets(spicymkl, options):
    X, _ = problems.regression(n=20)
    table = spicymkl.table("d.csv", X, np.full(20, 3.0))
    spicymkl.refuse([*options, table, "--target", "y", "--loss", "squared"], "nothing to learn", "target")


@pytest.mark.parametrize("value", ["1e308", "-1e308", "1e200"])
def test_numbers_out_of_range(spicymkl, value):
    X, y = problems.regression(n=20)
    table = spicymkl.table("d.csv", X, y)
    cubic = '[{"type": "polynomial", "degree": 3}]'
    spicymkl.ok("train", table, "--target", "y", "--kernels", cubic, "--model", "m.safetensors", "--quiet")
    spicymkl.write("new.csv", f"x1,x2,x3\n0,0,0\n0,{value},0\n")
    spicymkl.refuse(["predict", "m.safetensors", "new.csv"], "line 3", "x2")
    lines = (spicymkl.folder / "d.csv").read_text().splitlines()
    lines[4] = f"0,{value},0,1"
    spicymkl.write("far.csv", "\n".join(lines) + "\n")
    spicymkl.refuse(["train", "far.csv", "--target", "y"], "line 5", "x2")


def test_labels_whose_loss_overflows(spicymkl):
    X, y = problems.regression(n=20)
    inputs = spicymkl.save(problems.kernels(X), 1e200 * y)
    train = ["train", *inputs, "--loss", "squared", "--alpha", 1]
    spicymkl.refuse(train, "labels")
    spicymkl.refuse([*train, "--max-seconds", 1e-6], "labels")
