"""Several tables of the same samples: sources are files, rows are matched by identity, and views may be missing."""

import json

import numpy as np
import pandas as pd
import pytest

from several_tables import TRAIN, N, lacking, shuffled, sources, write


def proof(spicymkl, files, *options):
    spicymkl.ok("train", *files, *TRAIN, "--categorical", "sex", "--certificate", "c.json", *options)
    return json.loads((spicymkl.folder / "c.json").read_text())


def test_the_order_of_rows_and_of_tables_is_free(spicymkl):
    tables, y = sources()
    first = proof(spicymkl, write(spicymkl, tables, y))
    again = proof(spicymkl, write(spicymkl, shuffled(tables), y, "mixed"))
    assert again["dual"] == first["dual"]
    assert again["primal"] == first["primal"]
    names = [kernel["name"] for kernel in first["kernels"]]
    assert any("rna" in name for name in names) and all("all" not in name for name in names)


def test_a_join_by_hand_gives_the_same_kernels(spicymkl):
    tables, y = sources()
    spicymkl.kernel_list(
        [{"type": "gaussian", "width": 1.5, "columns": "rna:*"}, {"type": "linear", "columns": ["atac:g1"]}]
    )
    several = proof(spicymkl, write(spicymkl, shuffled(tables), y), "--kernels", "kernels.json")
    joined = pd.concat([table.add_prefix(f"{name}:") for name, table in tables.items()], axis=1).join(y)
    joined.to_csv(spicymkl.folder / "joined.csv", index_label="who")
    spicymkl.ok(
        "train",
        "joined.csv",
        *TRAIN,
        "--categorical",
        "clinical:sex",
        "--kernels",
        "kernels.json",
        "--certificate",
        "j.json",
    )
    assert several["dual"] == json.loads((spicymkl.folder / "j.json").read_text())["dual"]


def test_samples_that_a_table_lacks(spicymkl):
    tables, y = sources()
    files = write(spicymkl, lacking(tables), y)
    line = ["train", *files, *TRAIN[:-1], "--categorical", "sex"]
    spicymkl.refuse(line, "of 60 samples, atac.csv lacks 17 (such as who 'p ", "--missing-view zero", "drop")
    assert proof(spicymkl, files, "--missing-view", "zero")["n_samples"] == N
    dropped = proof(spicymkl, files, "--missing-view", "drop")
    kept = {name: table.loc[lacking(tables)["atac"].index] for name, table in tables.items()}
    assert dropped["dual"] == proof(spicymkl, write(spicymkl, kept, y, "kept"))["dual"]
    said = spicymkl.run(*line, "--missing-view", "zero").stderr
    assert "atac.csv lacks 17 of 60 samples: source 'atac' says nothing of them" in said
    assert "'atac' lacks 28 % of the rows" in said


def test_views_that_are_missing_more_often_for_one_class_are_warned_of(spicymkl):
    tables, y = sources()
    cases = y.index[y == "case"]
    files = write(spicymkl, {**tables, "atac": tables["atac"].drop(cases[:20])}, y)
    said = spicymkl.run("train", *files, *TRAIN[:-1], "--categorical", "sex", "--missing-view", "zero").stderr
    assert "warning: " in said and "'atac' is missing for class case" in said


@pytest.mark.parametrize("features", ["none", "nystrom:8", "fourier:8"])
def test_a_missing_view_says_nothing(spicymkl, features):
    """In training, in predictions of new samples, in the proof, and in the report."""
    tables, y = sources()
    files = write(spicymkl, lacking(tables), y)
    spicymkl.ok("train", *files, *TRAIN, "--categorical", "sex", "--missing-view", "zero", "--features", features,
                "--model", "m.safetensors", "--report", "r.html")  # fmt: skip
    assert "holds" in spicymkl.ok("verify", "m.safetensors", *reversed(write(spicymkl, shuffled(lacking(tables)), y)))
    assert "lacks 28 %" in (spicymkl.folder / "r.html").read_text()
    assert "tables rna, atac, clinical; missing view: zero\n" in spicymkl.ok("inspect", "m.safetensors")
    assert json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))["table"]["missing_view"] == "zero"
    fresh, truth = sources(seed=5, n=20)
    fresh["atac"] = fresh["atac"].iloc[::2]
    files = write(spicymkl, fresh, truth, "new")
    shares = spicymkl.predictions("m.safetensors", *files, "--contributions")
    assert shares["who"] == [f"p {i:03}" for i in range(20)]
    of_atac = [name for name in shares if "atac" in name]
    assert of_atac
    for name in of_atac:
        values = np.array(shares[name], dtype=float)
        assert (values[1::2] == 0).all() and (values[::2] != 0).all()
    assert len(spicymkl.predictions("m.safetensors", *files, "--missing-view", "drop")["who"]) == 10
    spicymkl.refuse(["predict", "m.safetensors", *files, "--strict"], "new/atac.csv lacks 10 of 20", "--strict")
    spicymkl.refuse(["predict", "m.safetensors", *files, "--missing-view", "error"], "new/atac.csv lacks 10")
    assert "samples           20" in spicymkl.ok("evaluate", "m.safetensors", *files)


def test_a_table_may_be_left_out_of_a_prediction_if_that_is_asked_for(spicymkl):
    tables, y = sources()
    files = write(spicymkl, tables, y)
    spicymkl.ok("train", *files, *TRAIN, "--categorical", "sex", "--model", "m.safetensors")
    spicymkl.refuse(["predict", "m.safetensors", *files[:1]], "source 'atac'", "atac=FILE", "--missing-view zero")
    line = ["m.safetensors", *files[:1], "--missing-view", "zero"]
    shares = spicymkl.predictions(*line, "--contributions")
    assert all(set(shares[name]) <= {"0", "-0", "0.0"} for name in shares if "atac" in name)
    assert "there is no table 'atac': it says nothing" in spicymkl.run("predict", *line).stderr
    spicymkl.refuse(["predict", "m.safetensors", *files, f"x={files[0]}"], "no source 'x'", "rna, atac, clinical")


def test_every_command_takes_several_tables(spicymkl):
    tables, y = sources()
    files = [
        *write(spicymkl, lacking(tables), y),
        "--id",
        "who",
        "--target",
        "y",
        "--categorical",
        "sex",
        "--missing-view",
        "zero",
    ]
    spicymkl.ok(
        "cv", *files, "--n-alphas", 4, "--folds", 3, "--folds-csv", "folds.csv", "--model", "cv.safetensors", "--quiet"
    )
    assert (spicymkl.folder / "folds.csv").read_text().startswith("who,fold\np 000,")
    assert "holds" in spicymkl.ok("verify", "cv.safetensors", *files[:3])
    spicymkl.ok("path", *files, "--n-alphas", 3, "-o", "path.csv", "--quiet")
    assert "60 rows" in spicymkl.ok("train", *files, "--explain")
    spicymkl.ok("kernels", *files, "-o", "K.npy", "--quiet")
    K = np.load(spicymkl.folder / "K.npy")
    lacks = ~y.index.isin(lacking(tables)["atac"].index)
    assert ((K == 0).all(axis=2) == lacks).all(axis=1).any()  # the rows of the kernels on atac
    tested = spicymkl.ok(
        "train", *files, "--test", "rna=rna.csv", "--test", "atac.csv", "--test", "clinical.csv", "--json"
    )
    assert json.loads(tested)["test"]["n_samples"] == N
    line = ["train", *files, "--solver", "spicy", "--tol", 1e-13, "--checkpoint", "state", "--quiet"]
    spicymkl.run(*line, "--max-iter", 1)
    assert spicymkl.run(*line, "--max-iter", 2, "--resume").returncode == 1  # goes on
    (spicymkl.folder / "atac.csv").write_text((spicymkl.folder / "atac.csv").read_text() + "p 999,1,1\n")
    spicymkl.refuse([*line, "--resume"], "DATA atac")


def test_the_target_alone_in_a_table(spicymkl):
    tables, y = sources()
    files = write(spicymkl, {"rna": tables["rna"], "atac": tables["atac"]}, y)
    y.iloc[:50].to_csv(spicymkl.folder / "labels.csv", index_label="who")
    done = spicymkl.run("train", *files, "labels.csv", *TRAIN[:-1], "--model", "m.safetensors")
    assert done.returncode == 0 and "10 samples without a target are left out: labels.csv lacks them" in done.stderr
    assert "2 sources: rna, atac" in done.stderr  # labels are none
    assert len(spicymkl.predictions("m.safetensors", *files)["who"]) == N
    y.to_csv(spicymkl.folder / "truth.csv", index_label="who")
    assert "samples           60" in spicymkl.ok("evaluate", "m.safetensors", *files, "truth.csv")


def test_weights_are_a_column_of_one_table(spicymkl):
    tables, y = sources()
    plain = proof(spicymkl, write(spicymkl, tables, y))
    weighted = {**tables, "atac": tables["atac"].assign(w=np.linspace(0.5, 1.5, N))}
    files = write(spicymkl, shuffled(weighted), y)
    assert proof(spicymkl, files, "--weights", "w", "--model", "m.safetensors")["dual"] != plain["dual"]
    assert "holds" in spicymkl.ok("verify", "m.safetensors", *files)
    assert "holds" in spicymkl.ok("verify", "m.safetensors", *files, "--weights", "w")
    spicymkl.refuse(["verify", "m.safetensors", *files, "--weights", "v"], "no table has such a column")


def test_gene_sets_are_groups_of_each_table(spicymkl):
    tables, y = sources()
    spicymkl.write("sets.gmt", "first\tx\tg1\tg2\tabsent\nsecond\tx\tpeak\n")
    files = [
        *write(spicymkl, tables, y),
        "--id",
        "who",
        "--target",
        "y",
        "--categorical",
        "sex",
        "--groups",
        "sets.gmt",
    ]
    listed = json.loads(spicymkl.ok("kernels", *files, "--list", "--json"))["kernels"]
    columns = {kernel["group"]: kernel["columns"] for kernel in listed}
    assert columns == {
        "first in rna": ["rna:g1", "rna:g2"],
        "first in atac": ["atac:g1"],
        "second in atac": ["atac:peak"],
    }


def test_bad_input_is_one_sentence(spicymkl):
    tables, y = sources()
    rna, _, clinical = write(spicymkl, tables, y)
    by_id = ["--id", "who", "--target", "y", "--categorical", "sex"]
    train = ["train", rna, clinical, *by_id]
    spicymkl.refuse(["train", rna, clinical, "--target", "y"], "2 tables", "--id")
    spicymkl.refuse(
        ["train", rna, clinical, "--id", "whom", "--target", "y"], "rna.csv: there is no column 'whom'", "'who'"
    )
    spicymkl.refuse(["train", rna, clinical, "--id", "who", "--target", "yy"], "--target 'yy'", "no table", "'y'")
    spicymkl.refuse(["train", rna, clinical, "--id", "who", "--categorical", "sex,y"], "Name it by --target")
    spicymkl.refuse([*train, "--drop", "agee"], "--drop 'agee'", "'age'")
    spicymkl.refuse(["train", rna, rna, *by_id], "both called 'rna'", "rna_2=rna.csv")
    spicymkl.refuse(["train", f"a={clinical}", f"b={clinical}", *by_id], "--target a:y", "--drop b:y")
    spicymkl.refuse(
        ["train", clinical, "--target", "y", "--missing-view", "zero"], "--missing-view has no effect on one"
    )
    spicymkl.refuse(["train", f"a={clinical}", "--target", "y"], "one table has no sources")
    spicymkl.refuse([*train, "--weights", "w.csv"], "--weights 'w.csv'", "no table")
    spicymkl.refuse([*train, "--model", rna], "--model is the same file as DATA ('rna.csv')")
    spicymkl.refuse([*train, "--report", clinical], "--report is the same file as DATA ('clinical.csv')")
    text = (spicymkl.folder / rna).read_text()
    spicymkl.write("twice.csv", text + text.splitlines()[3] + "\n")
    spicymkl.refuse(["train", "twice.csv", clinical, *by_id], "twice.csv, line 62", "'p 002'", "line 4")
    spicymkl.write("empty.csv", text + ",1,2,3\n")
    spicymkl.refuse(["train", "empty.csv", clinical, *by_id], "empty.csv, line 62", "'who'", "empty")
    spicymkl.write("gap.csv", text.replace(text.splitlines()[2], "p 001,1,,2"))
    spicymkl.refuse(["train", "gap.csv", clinical, *by_id], "gap.csv, line 3", "'g2'")
    spicymkl.write("other.csv", text.replace("p ", "q "))
    for missing in ("error", "drop", "zero"):
        line = ["train", "other.csv", clinical, *by_id, "--missing-view", missing]
        spicymkl.refuse(line, "other.csv: it has no sample in common", "'q 000'", "'p 000'")
    spicymkl.ok(*train, "--model", "m.safetensors", "--quiet")
    spicymkl.refuse(["predict", "m.safetensors", rna, clinical, "-o", clinical], "same file as DATA")
    spicymkl.ok("train", clinical, *by_id, "--model", "one.safetensors", "--quiet")
    spicymkl.refuse(["predict", "one.safetensors", rna, clinical], "2 tables", "trained on one")
    spicymkl.refuse(["predict", "one.safetensors", clinical, "--missing-view", "zero"], "--missing-view has no effect")
    np.save(spicymkl.folder / "X.npy", np.zeros((3, 2)))
    spicymkl.refuse(["train", "X.npy", clinical, *by_id], "X.npy: there is no column 'who'")


# --- the zero view against matrices made by hand --------------------------------------------------------------------------


def by_hand(tables, fresh=None):
    """Kernels on the samples that a table has, normalised there, in matrices that are 0 elsewhere."""
    index = tables["rna"].index
    new = index if fresh is None else fresh["rna"].index
    stacks = []
    for name, columns, kind, normalize in (
        ("rna", ["g1", "g2", "g3"], "gaussian", "trace"),
        ("atac", ["g1", "peak"], "gaussian", "trace"),
        ("atac", ["g1", "peak"], "linear", "center"),
        ("atac", ["peak"], "laplacian", "diagonal"),
    ):
        table = tables[name]
        mean, deviation = table[columns].mean(), table[columns].std(ddof=0)
        Z = ((table[columns] - mean) / deviation).to_numpy()
        other = table if fresh is None else fresh[name]
        X = ((other[columns] - mean) / deviation).to_numpy()
        apart = X[:, None, :] - Z[None, :, :]
        K = np.exp(-(apart**2).sum(axis=2) / (2 * 1.5**2))
        if kind == "laplacian":
            K = np.exp(-np.abs(apart).sum(axis=2) / 1.5)
        if normalize == "trace":
            K = K / len(Z)  # k(x, x) = 1
        if normalize == "center":
            K = (X - Z.mean(axis=0)) @ (Z - Z.mean(axis=0)).T
        whole = np.zeros((len(new), len(index)))
        whole[np.ix_(new.get_indexer(other.index), index.get_indexer(table.index))] = K
        stacks.append(whole)
    return np.array(stacks)


def hand_kernels():
    from spicymkl.kernels import Gaussian, Laplacian, Linear

    return [
        Gaussian(width=1.5, columns="rna:*"),
        Gaussian(width=1.5, columns="atac:*"),
        Linear(columns="atac:*", normalize="center"),
        Laplacian(width=1.5, columns=["atac:peak"], normalize="diagonal"),
    ]


@pytest.mark.parametrize("penalty", ["block1", "uniform"])
def test_the_zero_view_is_a_matrix_with_zeros(penalty):
    from spicymkl import MKLClassifier

    tables, y = sources()
    tables = {name: lacking(tables)[name] for name in ("rna", "atac")}
    options = {"penalty": penalty, "alpha": 0.02, "tol": 1e-12}
    joined = MKLClassifier(hand_kernels(), missing_view="zero", **options).fit(shuffled(tables), y)
    K = by_hand(tables)
    order = tables["rna"].index
    given = MKLClassifier("precomputed", **options).fit(K, y.loc[order])
    assert joined.primal_objective_ == pytest.approx(given.primal_objective_, rel=1e-9)
    fresh, _ = sources(seed=9, n=30)
    fresh = {"rna": fresh["rna"], "atac": fresh["atac"].iloc[5:]}
    K_new = by_hand(tables, fresh)
    # Factors and matrices are solved by different methods: answers within a gap may differ by its root.
    within = np.sqrt(2 * options["tol"] * given.primal_objective_)
    np.testing.assert_allclose(joined.decision_function(fresh), given.decision_function(K_new), rtol=0, atol=within)
    # The same function, whatever the solver did: what the fitted attributes say of these matrices.
    place = {label: row for row, label in enumerate(shuffled(tables)["rna"].index)}
    dual = joined.dual_[[place[label] for label in order]]
    by_attributes = np.einsum("m,mij,j->i", joined.coef_scale_, K_new, dual) + joined.intercept_
    np.testing.assert_allclose(joined.decision_function(fresh), by_attributes, rtol=0, atol=1e-9)
