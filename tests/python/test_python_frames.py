"""Where a frame comes in and a frame goes out, its index is kept."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold

from problems import classification, regression
from spicymkl import MKLClassifier, MKLRegressor, MKLRegressorCV


@pytest.fixture
def patients():
    return [f"P{k:03}" for k in range(60)]


def test_predictions_and_contributions_keep_the_index(patients):
    X, y = classification(60)
    frame = pd.DataFrame(X, index=patients, columns=["a", "b", "c"])
    model = MKLClassifier().fit(frame, np.where(y > 0, "ill", "well"))
    predictions = model.prediction_frame(frame)
    assert predictions.index.tolist() == patients
    assert predictions.columns.tolist() == ["prediction", "score", "probability_ill", "probability_well"]
    assert predictions["prediction"].tolist() == model.predict(frame).tolist()
    assert np.array_equal(predictions["score"], model.decision_function(frame))
    shares = model.contribution_frame(frame)
    assert shares.index.tolist() == patients and shares.columns.tolist() == model.kernel_names_.tolist()
    assert np.array_equal(shares.to_numpy(), model.contributions(frame))


def test_single_precision_is_read_as_it_is():
    X, y = classification(80)
    single = X.astype(np.float32)
    expected = MKLClassifier().fit(single.astype(np.float64), y)
    assert expected.primal_objective_ != MKLClassifier().fit(X, y).primal_objective_
    tables = [single, np.asfortranarray(single), single[:, ::-1].copy()[:, ::-1], pd.DataFrame(single)]
    for table in tables:
        model = MKLClassifier().fit(table, y)
        assert model.primal_objective_ == expected.primal_objective_
        assert np.array_equal(model.decision_function(table), expected.decision_function(single.astype(np.float64)))


@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_a_frame_read_from_parquet_goes_straight_into_fit(tmp_path, number):
    X, y = classification(80)
    columns = {"a": X[:, 0].astype(number), "b": X[:, 1].astype(number), "count": np.arange(80) % 7}
    colours = np.array(["red", "green", "blue"])[np.arange(80) % 3]
    pl.DataFrame(columns | {"colour": colours, "y": y}).write_parquet(tmp_path / "t.parquet")
    read = pl.read_parquet(tmp_path / "t.parquet")
    model = MKLClassifier().fit(read.drop("y"), read["y"])
    same = MKLClassifier().fit(pd.DataFrame(columns | {"colour": colours}), y)
    assert model.feature_names_in_.tolist() == ["a", "b", "count", "colour"]
    assert "overlap on colour" in model.kernel_names_.tolist()
    assert model.primal_objective_ == same.primal_objective_
    assert np.array_equal(model.predict(read.drop("y")), same.predict(pd.DataFrame(columns | {"colour": colours})))


def test_the_columns_are_those_of_the_command(spicymkl):
    X, y = load_iris(return_X_y=True)
    frame, names = pd.DataFrame(X, columns=["a", "b", "c", "d"]), np.array(["x", "y", "z"])[y]
    model = MKLClassifier().fit(frame, names)
    model.save(spicymkl.folder / "m.safetensors")
    printed = spicymkl.predictions("m.safetensors", spicymkl.table("rows.csv", dict(frame)))
    made = model.prediction_frame(frame)
    assert set(made.columns) <= set(printed)
    for name in made.columns:
        wanted = printed[name] if name == "prediction" else pytest.approx(np.array(printed[name], float))
        assert made[name].tolist() == wanted


def test_folds_are_those_of_the_rows():
    X, y = regression(60)
    folds = KFold(3, shuffle=True, random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MKLRegressorCV(alphas=2, cv=folds).fit(X, y)
    for number, (_, test) in enumerate(folds.split(X)):
        assert np.array_equal(np.flatnonzero(model.fold_ == number), np.sort(test))


def test_several_classes_and_other_frames(patients):
    X, y = load_iris(return_X_y=True)
    model = MKLClassifier().fit(X, y)
    shares = model.contribution_frame(X[:4])
    assert shares.columns.nlevels == 2 and shares.index.tolist() == [0, 1, 2, 3]
    name = model.kernel_names_[model.active_kernels_[0]]
    assert np.array_equal(shares[(2, name)], model.contributions(X[:4])[2, :, model.active_kernels_[0]])
    X, y = regression(60)
    frame = pl.DataFrame(X)
    assert MKLRegressor().fit(frame, y).prediction_frame(frame).columns.tolist() == ["prediction"]
