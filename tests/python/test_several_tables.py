"""Several tables of the same samples: sources are files, rows are matched by identity, and views may be missing."""

import json

import numpy as np
import pandas as pd
import pytest

N, LACKS = 60, 17
TRAIN = ["--id", "who", "--target", "y", "--quiet"]


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


def proof(spicymkl, files, *options):
    spicymkl.ok("train", *files, *TRAIN, "--categorical", "sex", "--certificate", "c.json", *options)
    return json.loads((spicymkl.folder / "c.json").read_text())


# --- the command ---------------------------------------------------------------------------------------------------------


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
    np.testing.assert_allclose(joined.decision_function(fresh), given.decision_function(K_new), rtol=0, atol=1e-9)
    # The same function, whatever the solver did: what the fitted attributes say of these matrices.
    place = {label: row for row, label in enumerate(shuffled(tables)["rna"].index)}
    dual = joined.dual_[[place[label] for label in order]]
    by_attributes = np.einsum("m,mij,j->i", joined.coef_scale_, K_new, dual) + joined.intercept_
    np.testing.assert_allclose(joined.decision_function(fresh), by_attributes, rtol=0, atol=1e-9)


# --- estimators -----------------------------------------------------------------------------------------------------------


def estimator(**options):
    from spicymkl import MKLClassifier

    return MKLClassifier(**{"tol": 1e-8, **options})


def test_frames_are_matched_by_their_index():
    tables, y = sources()
    first = estimator().fit(tables, y)
    mixed = estimator().fit(shuffled(tables), y.sample(frac=1, random_state=8))
    assert mixed.primal_objective_ == pytest.approx(first.primal_objective_, rel=1e-7)
    assert first.source_names_.tolist() == ["rna", "atac", "clinical"]
    assert first.feature_names_in_[[0, 3]].tolist() == ["rna:g1", "atac:g1"]
    in_order = estimator().fit(shuffled(tables), y.loc[shuffled(tables)["rna"].index].to_numpy())
    assert in_order.primal_objective_ == pytest.approx(first.primal_objective_, rel=1e-7)
    frame = first.prediction_frame(shuffled(tables))
    assert frame.index.tolist() == shuffled(tables)["rna"].index.tolist()
    np.testing.assert_allclose(frame["score"].loc[y.index], first.decision_function(tables), atol=1e-9)
    np.testing.assert_allclose(
        first.contribution_frame(tables).sum(axis=1) + first.intercept_, first.decision_function(tables)
    )


def test_arrays_are_matched_by_their_rows():
    tables, y = sources()
    arrays = {name: tables[name].to_numpy() for name in ("rna", "atac")}
    fitted = estimator().fit(arrays, y.to_numpy())
    frames = estimator().fit({name: tables[name] for name in arrays}, y)
    assert fitted.primal_objective_ == pytest.approx(frames.primal_objective_, rel=1e-7)
    assert fitted.feature_names_in_.tolist() == ["rna:x0", "rna:x1", "rna:x2", "atac:x0", "atac:x1"]
    default = estimator().fit({name: pd.DataFrame(array) for name, array in arrays.items()}, y.to_numpy())
    np.testing.assert_array_equal(default.dual_, fitted.dual_)


def test_the_command_and_the_package_agree(spicymkl, tmp_path):
    import spicymkl as package

    tables, y = sources()
    files = write(spicymkl, lacking(tables), y)
    spicymkl.ok("train", *files, *TRAIN, "--categorical", "sex", "--missing-view", "zero", "--model", "m.safetensors")
    loaded = package.load(tmp_path / "m.safetensors")
    assert loaded.missing_view == "zero"
    own = estimator(missing_view="zero", tol=1e-3).fit(lacking(tables), y)
    assert own.primal_objective_ == pytest.approx(loaded.primal_objective_, rel=1e-3)
    by_command = np.array(spicymkl.predictions("m.safetensors", *files)["score"], dtype=float)
    np.testing.assert_allclose(loaded.decision_function(lacking(tables)), by_command, atol=1e-12)
    own.save(tmp_path / "own.safetensors")
    scores = np.array(spicymkl.predictions("own.safetensors", *files, "--id", "who")["score"], dtype=float)
    np.testing.assert_allclose(scores, own.decision_function(lacking(tables)), atol=1e-12)
    assert "holds" in spicymkl.ok("verify", "own.safetensors", *files, "--id", "who")
    own.report(tmp_path / "own.html", lacking(tables), y.loc[package.SourceTables(lacking(tables)).index])
    assert "lacks 28 %" in (tmp_path / "own.html").read_text()


def test_missing_views_of_estimators():
    tables, y = sources()
    some = lacking(tables)
    with pytest.raises(ValueError, match="of 60 samples, 'atac' lacks 17.*missing_view='zero'"):
        estimator().fit(some, y)
    dropped = estimator(missing_view="drop").fit(some, y)
    assert len(dropped.dual_) == N - LACKS
    with pytest.raises(ValueError, match="'atac' lacks 17"):
        dropped.predict(some)
    kept = estimator(missing_view="zero").fit(some, y)
    assert len(kept.dual_) == N
    lacks = ~y.index.isin(some["atac"].index)
    shares = kept.contribution_frame(tables | {"atac": some["atac"]}).loc[y.index]
    of_atac = [name for name in shares if "atac" in name]
    assert (shares.loc[lacks, of_atac] == 0).all(axis=None)
    assert (shares.loc[~lacks, of_atac] != 0).any(axis=None)
    without = kept.decision_function({name: tables[name] for name in ("rna", "clinical")})
    np.testing.assert_allclose(without[lacks], kept.decision_function(some)[lacks], atol=1e-12)
    assert kept.fit(some, y.iloc[:40]).dual_.shape == (40,)


def test_estimators_warn_of_views_that_go_with_the_class():
    tables, y = sources()
    some = {**tables, "atac": tables["atac"].drop(y.index[y == "case"][:20])}
    with pytest.warns(UserWarning, match="'atac' is missing for class case"):
        estimator(missing_view="zero", tol=1e-3).fit(some, y)


def test_scikit_learn_splits_source_tables():
    from sklearn.model_selection import GridSearchCV, cross_val_score

    from spicymkl import MKLClassifierCV, SourceTables, mkl_path

    tables, y = sources()
    X = SourceTables(lacking(tables))
    assert X.shape == (N, 7) and X.present.sum() == 3 * N - LACKS
    ordered = y.loc[X.index]
    scores = cross_val_score(estimator(missing_view="zero", tol=1e-3), X, ordered, cv=3)
    assert scores.shape == (3,) and scores.mean() > 0.7
    search = GridSearchCV(estimator(missing_view="zero", tol=1e-3), {"alpha": ["0.3max", "0.03max"]}, cv=3)
    assert search.fit(X, ordered).predict(X).shape == (N,)
    chosen = MKLClassifierCV(missing_view="zero", alphas=3, cv=3).fit(lacking(tables), y)
    assert "kernels" not in chosen.best_params_
    assert chosen.predict(X).shape == (N,)
    assert mkl_path(lacking(tables), y, alphas=3, missing_view="zero").kernel_weights.shape[0] == 3


def test_weights_and_pickles():
    import pickle

    tables, y = sources()
    weights = pd.Series(np.linspace(0, 1, N), index=y.index)
    fitted = estimator(missing_view="zero").fit(lacking(tables), y, weights.sample(frac=1, random_state=1))
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.decision_function(lacking(tables)), fitted.decision_function(lacking(tables)))
    in_order = estimator(missing_view="zero").fit(lacking(tables), y, weights)
    np.testing.assert_array_equal(in_order.dual_, fitted.dual_)
    assert fitted.dual_[0] == 0  # a sample of weight 0


class FakeAnnData:
    def __init__(self, frame):
        self.X, self.obs_names, self.var_names = frame.to_numpy(), frame.index, frame.columns


class FakeMuData:
    def __init__(self, tables):
        self.mod = {name: FakeAnnData(table) for name, table in tables.items()}
        self.obs_names = next(iter(tables.values())).index


def test_annotated_data():
    tables, y = sources()
    numbers = {name: tables[name] for name in ("rna", "atac")}
    plain = estimator().fit(numbers, y)
    annotated = estimator().fit(FakeMuData(shuffled(numbers)), y)
    assert annotated.primal_objective_ == pytest.approx(plain.primal_objective_, rel=1e-7)
    np.testing.assert_allclose(
        annotated.decision_function(FakeMuData(numbers)), plain.decision_function(numbers), atol=1e-3
    )
    alone = estimator().fit(FakeAnnData(tables["rna"]), y)
    assert alone.source_names_.tolist() == ["X"]


def test_bad_tables_are_refused():
    from spicymkl import MKLClassifier, SourceTables

    tables, y = sources()
    rna, atac = tables["rna"], tables["atac"]
    fitted = estimator(tol=1e-3).fit({"rna": rna, "atac": atac}, y)
    for X, match in (
        ({}, "empty"),
        ({1: rna}, "called by strings"),
        ({"rna": rna, "atac": atac.to_numpy()}, "'rna' names its rows by an index and 'atac' does not"),
        ({"rna": rna.to_numpy(), "atac": atac.to_numpy()[:5]}, "'rna' has 60, 'atac' has 5 rows"),
        ({"rna": pd.concat([rna, rna.iloc[:1]]), "atac": atac}, "index of 'rna' has 'p 000' twice"),
        ({"rna": rna, "atac": atac.set_axis(range(100, 160))}, "no sample in common"),
        ({"rna": rna.rename(index={"p 003": ""}), "atac": atac}, "empty name"),
        ({"rna": rna["g1"].to_numpy(), "atac": atac}, "'rna' has shape"),
    ):
        with pytest.raises(ValueError, match=match):
            estimator().fit(X, y)
    with pytest.raises(ValueError, match=r"y has 59 values, but the tables have 60 samples.*SourceTables\(X\).index"):
        estimator().fit({"rna": rna, "atac": atac}, y.to_numpy()[:-1])
    with pytest.raises(ValueError, match="y has the sample 'stranger'"):
        estimator().fit({"rna": rna, "atac": atac}, y.rename(index={"p 000": "stranger"}))
    with pytest.raises(ValueError, match="no source 'clinical'; its sources are rna, atac"):
        fitted.predict({"rna": rna, "clinical": atac})
    with pytest.raises(ValueError, match="X lacks the table 'atac'"):
        fitted.predict({"rna": rna})
    with pytest.raises(ValueError, match="the table 'atac' has 1 columns"):
        fitted.predict({"rna": rna, "atac": atac[["peak"]]})
    with pytest.raises(TypeError, match="fitted on the tables rna, atac; X must be a dict"):
        fitted.predict(rna)
    with pytest.raises(TypeError, match="fitted on one"):
        estimator(tol=1e-3).fit(rna, y).predict({"rna": rna})
    with pytest.raises(ValueError, match="kernel functions see one array"):
        MKLClassifier([lambda a, b: a @ b.T]).fit(tables, y)
    with pytest.raises(ValueError, match="missing_view is 'none'"):
        estimator(missing_view="none").fit(tables, y)
    with pytest.warns(UserWarning, match="missing_view='zero' has no effect: X is not several tables"):
        estimator(missing_view="zero", tol=1e-3).fit(rna, y)
    with pytest.raises(TypeError, match="dict from sources to tables"):
        SourceTables([rna, atac])
