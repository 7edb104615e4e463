"""Sample weights of a table: a column, or a file."""

import json

import numpy as np
import pytest


def rows(n=60, seed=0):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(n, 2)), 4)
    y = np.where(x[:, 0] + 0.7 * rng.normal(size=n) > 0, "yes", "no")
    return {"a": x[:, 0], "b": x[:, 1], "w": rng.integers(1, 4, n), "y": y}


def train(spicymkl, *options):
    spicymkl.ok("train", *options, "--target", "y", "--alpha", "0.5", "--tol", "1e-6", "--model", "m")
    return json.loads(spicymkl.ok("inspect", "m", "--json"))


def test_a_column_a_file_and_repeated_rows_agree(spicymkl):
    table = rows()
    spicymkl.table("t.csv", table)
    bare = {name: column for name, column in table.items() if name != "w"}
    spicymkl.table("bare.csv", bare)
    np.save(spicymkl.folder / "w.npy", table["w"].astype(float))
    spicymkl.write("w.csv", "weight\n" + "\n".join(map(str, table["w"])) + "\n")
    spicymkl.table("often.csv", {name: np.repeat(column, table["w"]) for name, column in bare.items()})
    kernels = ["--kernels", spicymkl.kernel_list([{"type": "linear", "normalize": "none"}]), "--no-standardize"]
    values = [
        train(spicymkl, *source, *kernels)["fits"][0]["primal"]
        for source in (
            ["t.csv", "--weights", "w"],
            ["bare.csv", "--weights", "w.npy"],
            ["bare.csv", "--weights", "w.csv"],
        )
    ]
    assert values[0] == values[1] == values[2]
    assert values[0] == pytest.approx(train(spicymkl, "often.csv", *kernels)["fits"][0]["primal"], rel=1e-5)
    assert values[0] != pytest.approx(train(spicymkl, "bare.csv", *kernels)["fits"][0]["primal"], rel=1e-2)


def test_the_column_is_never_a_feature_and_verify_holds(spicymkl):
    spicymkl.table("t.csv", rows())
    said = spicymkl.run("train", "t.csv", "--target", "y", "--weights", "w", "--model", "m")
    assert "weights 'w'" in said.stderr
    assert json.loads(spicymkl.ok("inspect", "m", "--json"))["table"]["columns"] == ["a", "b"]
    spicymkl.ok("verify", "m", "t.csv")
    spicymkl.ok("verify", "m", "t.csv", "--weights", "w")
    np.save(spicymkl.folder / "other.npy", np.linspace(1, 9, 60))
    assert spicymkl.run("verify", "m", "t.csv", "--weights", "other.npy").returncode == 1


def test_cv_and_path_use_them(spicymkl):
    spicymkl.table("t.csv", rows())
    for command in (["cv", "--folds", "3"], ["path"]):
        base = [command[0], "t.csv", "--target", "y", *command[1:], "--json", "--drop"]
        with_weights = json.loads(spicymkl.ok(*base[:-1], "--weights", "w"))
        without = json.loads(spicymkl.ok(*base, "w"))
        for answer in (with_weights, without):
            answer.pop("data", None)
        assert strip_times(with_weights) != strip_times(without)


def strip_times(value):
    if isinstance(value, dict):
        return {name: strip_times(part) for name, part in value.items() if "seconds" not in name}
    return [strip_times(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("bad, shown", [("0", "is 0"), ("-1", "is -1"), ("", "missing"), ("heavy", "heavy")])
def test_bad_weights_are_refused_with_their_row(spicymkl, bad, shown):
    table = rows()
    table["w"] = [str(value) for value in table["w"]]
    table["w"][6] = bad
    spicymkl.table("t.csv", table)
    spicymkl.refuse(["train", "t.csv", "--target", "y", "--weights", "w", "--model", "m"], "line 8", "'w'", shown)


def test_weights_that_are_nowhere_or_of_another_size_are_refused(spicymkl):
    spicymkl.table("t.csv", rows())
    for command in ("train", "cv", "path"):
        spicymkl.refuse([command, "t.csv", "--target", "y", "--weights", "absent"], "column 'absent'", "file")
    np.save(spicymkl.folder / "short.npy", np.ones(7))
    spicymkl.refuse(["train", "t.csv", "--target", "y", "--weights", "short.npy"], "short.npy", "7 rows", "60 rows")


def test_a_run_with_weights_can_be_resumed(spicymkl):
    spicymkl.table("t.csv", rows())
    base = ["train", "t.csv", "--target", "y", "--weights", "w", "--checkpoint", "c", "--checkpoint-every", "0"]
    spicymkl.run(*base, "--max-iter", "1", "--tol", "1e-9")
    assert spicymkl.run(*base, "--resume", "--tol", "1e-9").returncode == 0


def test_several_columns_are_dropped_in_either_spelling(spicymkl):
    spicymkl.table("t.csv", rows())
    for drop in (["--drop", "a", "w"], ["--drop", "a,w"], ["--drop", "a", "--drop", "w"]):
        spicymkl.ok("train", "t.csv", *drop, "--target", "y", "--model", "m")
        assert json.loads(spicymkl.ok("inspect", "m", "--json"))["table"]["columns"] == ["b"]
    spicymkl.refuse(["train", "--drop", "a", "w", "t.csv", "--target", "y"], "--drop took the file 't.csv'", "first")
