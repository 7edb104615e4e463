"""All that is wrong with a table is reported at once, with the command that would run."""

import shlex

import numpy as np


def messy(spicymkl, n=40):
    rng = np.random.default_rng(0)
    age = [str(value) for value in rng.integers(20, 80, n)]
    age[5] = ""
    weight = [str(value) for value in rng.normal(70, 9, n).round(1)]
    weight[7] = "unknown"
    table = {
        "sample": [f"S{k}" for k in range(n)],
        "colour": [["red", "green", "blue"][k % 3] for k in range(n)],
        "site": [["A", "B"][k % 2] for k in range(n)],
        "age": age,
        "mass": weight,
        "x": rng.normal(size=n).round(4),
        "y": [["no", "yes"][k] for k in rng.integers(0, 2, n)],
    }
    return spicymkl.table("t.csv", table)


def refused(spicymkl, *arguments):
    before = spicymkl.contents()
    done = spicymkl.run(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert spicymkl.contents() == before
    return done.stderr.splitlines()


def test_every_problem_has_its_line_and_the_command_runs(spicymkl):
    messy(spicymkl)
    lines = refused(spicymkl, "train", "t.csv", "--target", "y", "--model", "m")
    assert lines[0] == "spicymkl: t.csv: 5 problems"
    for line, words in zip(
        lines[1:-1],
        [
            ("column 'sample'", "'S0'", "--id sample"),
            ("column 'colour'", "'red'", "3 different strings", "--categorical colour"),
            ("column 'site'", "--categorical site"),
            ("line 9", "column 'mass'", "'unknown'", "--drop mass"),
            ("line 7", "column 'age'", "missing", "--impute median"),
        ],
    ):
        assert all(word in line for word in words), line
    command = lines[-1].removeprefix("this answers them: ")
    assert command.startswith("spicymkl train t.csv --target y --model m")
    assert "--categorical colour,site" in command and "--impute median" in command and "--id sample" in command
    spicymkl.ok(*shlex.split(command)[1:])


def test_the_proposed_command_keeps_what_was_given(spicymkl):
    messy(spicymkl)
    lines = refused(spicymkl, "kernels", "t.csv", "--target", "y", "--drop", "mass", "sample", "--list")
    assert lines[0] == "spicymkl: t.csv: 3 problems"
    command = shlex.split(lines[-1].removeprefix("this answers them: "))
    assert "kernels" in command and "--list" in command
    spicymkl.ok(*command[1:])


def test_unknown_names_are_told_together_with_the_rest(spicymkl):
    messy(spicymkl)
    lines = refused(spicymkl, "train", "t.csv", "--target", "y", "--drop", "a", "mass", "--categorical", "colour,b")
    text = "\n".join(lines)
    assert "there is no column 'a'" in text and "there is no column 'b'" in text
    assert "column 'site'" in text and "--impute" in text
    spicymkl.ok(*shlex.split(lines[-1].removeprefix("this answers them: "))[1:])
    lines = refused(spicymkl, "train", "t.csv", "--target", "Y", "--id", "nobody")
    assert "there is no column 'Y'" in lines[1] and "there is no column 'nobody'" in lines[2]
    assert not lines[-1].startswith("this answers them")


def test_one_problem_is_one_sentence(spicymkl):
    spicymkl.write("t.csv", "a,b,y\n" + "".join(f"{k},{'red' if k % 2 else 'blue'},{k % 2}\n" for k in range(20)))
    spicymkl.refuse(["train", "t.csv", "--target", "y"], "t.csv, line 2, column 'b': 'blue' is not a number")


def test_missing_targets_and_cells_are_told_together(spicymkl):
    spicymkl.write(
        "t.csv", "a,w,y\n" + "".join(f"{k if k != 3 else ''},{k},{k % 2 if k != 8 else ''}\n" for k in range(20))
    )
    lines = refused(spicymkl, "train", "t.csv", "--target", "y", "--weights", "w")
    assert lines[0] == "spicymkl: t.csv: 3 problems"
    assert "line 10" in lines[1] and "target" in lines[1]
    assert "weight" in lines[2] and "line 5" in lines[3] and "--impute" in lines[3]


def test_a_long_list_is_cut(spicymkl):
    names = [f"c{k}" for k in range(40)]
    rows = [",".join([["u", "v"][k % 2]] * 40 + [str(k % 2)]) for k in range(20)]
    spicymkl.write("t.csv", ",".join([*names, "y"]) + "\n" + "\n".join(rows) + "\n")
    lines = refused(spicymkl, "train", "t.csv", "--target", "y", "--header", "yes")
    assert len(lines) == 18 and lines[-2] == "  … and 25 more"
    spicymkl.ok(*shlex.split(lines[-1].removeprefix("this answers them: "))[1:])
