"""New rows with empty cells and new categories are predicted; what was done is said, and --strict refuses."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest


def train(spicymkl, *options, blank=True):
    rng = np.random.default_rng(0)
    n = 60
    colour = np.array(["red", "green", "blue"])[rng.integers(0, 3, n)]
    x = rng.normal(size=n).round(4)
    y = np.where((colour == "red") ^ (x > 0.3), "yes", "no")
    cells = [str(value) for value in x]
    if blank:
        cells[3] = ""
    spicymkl.table("t.csv", {"colour": colour, "x": cells, "z": rng.normal(size=n).round(4), "y": y})
    spicymkl.ok("train", "t.csv", "--target", "y", "--categorical", "colour", "--model", "m", *options)
    return cells


NEW = "colour,x,z,y\nred,0.1,0.2,yes\nmauve,0.4,-0.2,no\npuce,,0.5,no\nmauve,0.2,,yes\n"


def test_a_new_category_matches_nothing_and_empty_cells_are_imputed(spicymkl):
    train(spicymkl, "--impute", "median", "--alpha", "0.01max")
    spicymkl.write("new.csv", NEW)
    done = spicymkl.run("predict", "m", "new.csv")
    assert done.returncode == 0 and done.stdout.count("\n") == 5
    assert "2 cells imputed in 2 columns" in done.stderr
    assert "2 categories never seen in training in column 'colour'" in done.stderr and "'mauve'" in done.stderr
    assert spicymkl.run("predict", "m", "new.csv", "--quiet").stderr == ""
    for command in (["evaluate", "m", "new.csv"], ["train", "t.csv", "--target", "y", "--categorical", "colour"]):
        more = ["--impute", "median", "--test", "new.csv"] if command[0] == "train" else []
        said = spicymkl.run(*command, *more)
        assert said.returncode == 0 and "2 categories never seen" in said.stderr, said.stderr


def test_python_predicts_such_rows_as_the_command_does(spicymkl, tmp_path):
    """Categories that were never seen, written as strings or as numbers, and cells that the model fills in."""
    import spicymkl as package

    random = np.random.default_rng(4)
    ward = random.integers(1, 4, 80)  # 1, 2, 3: their places among the categories are 0, 1, 2
    x = random.normal(size=80).round(3)
    table = pd.DataFrame({"ward": ward, "x": x, "y": np.where((ward == 2) ^ (x > 1), "yes", "no")})
    table.to_csv(tmp_path / "t.csv", index=False)
    spicymkl.ok("train", "t.csv", "--target", "y", "--categorical", "ward", "--model", "m", "--impute", "mean")
    new = pd.DataFrame({"ward": [1, 2, 3, 7, 7], "x": [0.5, np.nan, 0.1, 2, 0.1]})
    new.to_csv(tmp_path / "new.csv", index=False)
    scores = np.array(spicymkl.predictions("m", "new.csv")["score"], float)
    model = package.load(tmp_path / "m")
    for wards in (new.ward, new.ward.astype(float), new.ward.astype(str), new.ward.astype("category")):
        with pytest.warns(UserWarning, match=r"column 'ward': '7' did not occur when the model was fitted \(2 rows\)"):
            np.testing.assert_allclose(model.decision_function(new.assign(ward=wards)), scores, atol=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.decision_function(new[:3])
    with pytest.raises(TypeError, match="'ward' held strings"):
        model.decision_function(new[:3].to_numpy())


def test_a_rare_category_does_not_spoil_a_fold():
    from sklearn.model_selection import cross_val_score

    from spicymkl import MKLClassifier

    random = np.random.default_rng(0)
    X = pd.DataFrame({"x": random.normal(size=60), "site": ["rare"] * 2 + ["a", "b"] * 29})
    with pytest.warns(UserWarning, match="'rare' did not occur"):
        assert np.isfinite(cross_val_score(MKLClassifier(), X, X.x > 0, cv=3)).all()


@pytest.mark.parametrize("normalize", ["none", "trace", "diagonal"])
def test_the_share_of_an_unseen_category_is_zero(spicymkl, normalize):
    kernels = spicymkl.kernel_list(
        [
            {"type": "overlap", "columns": ["colour"], "normalize": normalize, "name": "c"},
            {"type": "linear", "columns": "x"},
        ]
    )
    train(spicymkl, "--kernels", kernels, "--alpha", "0.001max", blank=False)
    spicymkl.write("new.csv", "colour,x\nred,0.1\nmauve,0.1\n")
    shares = [float(value) for value in spicymkl.predictions("m", "new.csv", "--contributions")["c"]]
    assert shares[0] != 0 and shares[1] == 0


def test_the_share_under_centring_is_that_of_value_zero(spicymkl):
    """k(x, z) − mean_z k(x, z) − mean_x k(x, z) + grand mean, with k(x, z) = 0 for all z."""
    spec = {"type": "overlap", "columns": ["colour"], "normalize": "center", "name": "c"}
    train(spicymkl, "--kernels", spicymkl.kernel_list([spec]), "--alpha", "0.001max", blank=False)
    spicymkl.write("new.csv", "colour\nred\nmauve\ngreen\nblue\n")
    shares = dict(
        zip(["red", "mauve", "green", "blue"], map(float, spicymkl.predictions("m", "new.csv", "--contributions")["c"]))
    )
    colours = [line.split(",")[0] for line in (spicymkl.folder / "t.csv").read_text().split()[1:]]
    # f(x) = Σ_z c_z (k(x, z) − r_z) with Σ_z c_z = 0 up to a constant: linear in the column of matches of x
    mean = sum(shares[colour] for colour in colours) / len(colours)
    assert abs(mean) < 1e-9  # centred on the training rows
    assert min(shares.values()) <= shares["mauve"] <= max(shares.values())


def test_strict_refuses_with_the_place(spicymkl):
    train(spicymkl, "--impute", "median", "--alpha", "0.01max")
    spicymkl.write("new.csv", NEW)
    spicymkl.refuse(["predict", "m", "new.csv", "--strict"], "line 3, column 'colour'", "'mauve'", "--strict")
    spicymkl.refuse(["evaluate", "m", "new.csv", "--strict"], "line 3, column 'colour'", "'mauve'")
    spicymkl.write("empty.csv", "colour,x,z,y\nred,0.1,0.2,yes\nred,,0.5,no\n")
    spicymkl.refuse(["predict", "m", "empty.csv", "--strict"], "line 3, column 'x'", "missing")
    spicymkl.write("clean.csv", "colour,x,z,y\nred,0.1,0.2,yes\n")
    spicymkl.ok("predict", "m", "clean.csv", "--strict")


def test_a_model_that_imputed_nothing_refuses_and_says_how(spicymkl):
    train(spicymkl, "--alpha", "0.01max", blank=False)
    spicymkl.write("new.csv", "colour,x,z\nred,0.1,0.2\nred,,0.5\n")
    spicymkl.refuse(["predict", "m", "new.csv"], "line 3, column 'x'", "train the model with --impute median")


def test_with_gram_matrices_they_have_no_meaning(spicymkl):
    x = np.random.default_rng(0).normal(size=(20, 2))
    spicymkl.ok("train", *spicymkl.save((x @ x.T)[None], np.sign(x[:, 0])), "--model", "g")
    np.save(spicymkl.folder / "new.npy", (x[:4] @ x.T)[None])
    spicymkl.refuse(["predict", "g", "--gram", "new.npy", "--strict"], "--strict")
    assert json.loads(spicymkl.ok("inspect", "g", "--json"))["table"] is None
