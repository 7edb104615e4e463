"""Several tables of the same samples in Python: frames and arrays by source, matched by index or by row."""

import numpy as np
import pandas as pd
import pytest

from several_tables import LACKS, TRAIN, N, lacking, shuffled, sources, write


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


def test_samples_without_a_target_are_left_out_with_a_warning():
    tables, y = sources()
    with pytest.warns(
        UserWarning, match="of 60 samples, 10 have no value in y .such as 'p 050'. and are left out"
    ) as said:
        fitted = estimator().fit(tables, y[:50])
    assert said[0].filename == __file__ and fitted._n_training == 50


@pytest.mark.parametrize("several", [True, False])
def test_models_that_impute_predict_with_missing_cells(spicymkl, tmp_path, several):
    """As the command does; an estimator of its own has no imputation, and refuses them."""
    import spicymkl as package

    tables, y = sources()
    tables = {name: table.astype(object) for name, table in tables.items()}
    for row, (name, column) in enumerate([("rna", "g2"), ("clinical", "sex"), ("clinical", "age")]):
        tables[name].loc[tables[name].index[row], column] = None
    if not several:
        tables = {"clinical": tables["clinical"]}
    files = write(spicymkl, tables, y)
    spicymkl.ok("train", *files, *TRAIN, "--categorical", "sex", "--impute", "mean", "--model", "m.safetensors")
    X = tables if several else tables["clinical"]
    X = {name: table.convert_dtypes() for name, table in tables.items()} if several else X.convert_dtypes()
    loaded = package.load(tmp_path / "m.safetensors")
    scores = np.array(spicymkl.predictions("m.safetensors", *files)["score"], dtype=float)
    np.testing.assert_allclose(loaded.decision_function(X), scores, atol=1e-12)
    with pytest.raises(ValueError, match="missing|NaN"):
        loaded.fit(X, y)


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
