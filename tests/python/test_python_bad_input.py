"""Parameters and data of wrong kinds: refused in words that name them, before any work."""

import re
import subprocess
import sys
import textwrap
import warnings
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold

import spicymkl as package
from problems import classification, kernels, regression
from spicymkl import (
    Gaussian,
    Kernelizer,
    KernelStack,
    MKLClassifier,
    MKLClassifierCV,
    MKLRegressor,
    MKLRegressorCV,
    MKLStudy,
    alpha_max,
    mkl_path,
)
from spicymkl.kernels import Kernel

WRONG = ["x", None, float("nan"), float("inf"), -1, 2**40, 2**70, np.ones(3), [], {}, object(), True, b"x", 1 + 2j]
RIGHT = {
    "alpha": {None, 2**40, 2**70},
    "max_seconds": {2**40, 2**70},
    "covariates": {None},
    "psd": {None},
    "comm": {None},
    "memory": {None, 2**40, 2**70},
    "n_jobs": {None, -1},
    "random_state": {None, 2**40},
    "verbose": {True, 2**40, 2**70},
    "warm_start": {True},
    "standardize": {True},
    "fit_intercept": {True},
    "class_weight": {None},
    "cv": {None},
    "scoring": {None},
    "tol": {2**40, 2**70},
    "name": {"x", None},
    "group": {"x", None},
    "epsilon": {-1, 2**40, 2**70},  # the squared loss does not read it, and a warning says so
    "quantile": {-1, 2**40, 2**70},
    "l1_ratio": {-1, 2**40, 2**70},
    "q": {-1, 2**40, 2**70},
}
ESTIMATORS = (MKLClassifier, MKLRegressor, MKLClassifierCV, MKLRegressorCV, Kernelizer)


def is_right(name, value):
    """Also a list of strengths, no weights of classes, and no covariates."""
    if isinstance(value, list):
        return name == "covariates"
    if isinstance(value, (np.ndarray, dict)):
        return (name, type(value)) in (("alphas", np.ndarray), ("class_weight", dict))
    return any(type(value) is type(right) and value == right for right in RIGHT.get(name, ()))


@pytest.mark.parametrize(("estimator", "name"), [(e, name) for e in ESTIMATORS for name in e().get_params()])
def test_parameters_of_a_wrong_kind_are_refused_by_name(estimator, name):
    X, y = classification(20, columns=2)
    for value in WRONG:
        if is_right(name, value):
            continue
        with pytest.raises(ValueError) as caught:
            estimator(**{name: value}).fit(X, y)
        words = ("cv", "k-fold", "n_splits") if name == "cv" else (name.rstrip("s"),)
        assert any(word in str(caught.value) for word in words), (value, str(caught.value))
        assert "incompatible function arguments" not in str(caught.value)


@pytest.mark.parametrize("kernel", Kernel.__subclasses__(), ids=lambda kernel: kernel.__name__)
def test_kernels_of_a_wrong_kind_are_refused(kernel):
    X, y = classification(20, columns=2)
    for name in kernel().get_params():
        for value in ("x", None, float("nan"), object(), b"x", 1 + 2j):
            if is_right(name, value):
                continue
            with pytest.raises(ValueError, match=f"'x'|{name}" if value == "x" else name):
                MKLClassifier([kernel(**{name: value})]).fit(X, y)


@pytest.mark.parametrize("value", WRONG, ids=lambda value: type(value).__name__)
def test_functions_refuse_parameters_of_a_wrong_kind(value):
    X, y = classification(20, columns=2)
    with pytest.raises(ValueError, match="alphas is"):
        mkl_path(X, y, alphas=value if not isinstance(value, np.ndarray) else -value)
    with pytest.raises(ValueError, match="eps is"):
        mkl_path(X, y, alphas=2, eps=value)
    with pytest.raises(ValueError, match="penalty"):
        alpha_max(X, y, penalty=value)
    with pytest.raises(ValueError, match="n_jobs is") if not is_right("n_jobs", value) else warnings.catch_warnings():
        MKLClassifier(n_jobs=1).fit(X, y).set_params(n_jobs=value).predict(X)


def test_numpy_scalars_are_parameters():
    X, y = classification(40)
    plain = MKLClassifier(alpha=0.5, max_iter=50, fit_intercept=False, n_jobs=1, tol=1e-4).fit(X, y)
    scalars = MKLClassifier(
        alpha=np.float64(0.5),
        max_iter=np.int64(50),
        fit_intercept=np.bool_(False),
        n_jobs=np.int32(1),
        tol=np.float64(1e-4),
        standardize=np.bool_(True),
    ).fit(X, y)
    assert np.array_equal(plain.dual_, scalars.dual_)


@pytest.mark.parametrize("wrong", [{"tol": 0}, {"tol": -1}, {"max_iter": 0}, {"solver": "?"}, {"max_seconds": -1}])
def test_bad_limits_are_refused_before_kernels_are_computed(wrong):
    def never(A, B):
        raise AssertionError("kernels were computed")

    X, y = classification(20)
    for estimator in (MKLClassifier, MKLClassifierCV):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            estimator(never, **wrong).fit(X, y)
    with pytest.raises(ValueError, match=next(iter(wrong))):
        mkl_path(X, y, kernels=never, **wrong)


def test_bad_grids_are_refused_before_kernels_are_computed():
    def never(A, B):
        raise AssertionError("kernels were computed")

    X, y = classification(20)
    for wrong, words in (
        ({"alphas": ["0.1max", "lots"]}, "lots"),
        ({"alphas": ["0.1max", 0.3]}, "alphas is"),
        ({"alphas": [0.1, -1]}, "alphas is"),
        ({"penalty": "elasticnet", "l1_ratio": [0.5, 2]}, "l1_ratio"),
        ({"l1_ratio": [0.2, 0.8]}, "block1.*does not have it"),
        ({"scoring": "best"}, "scoring"),
    ):
        with pytest.raises(ValueError, match=words):
            MKLClassifierCV(never, **wrong).fit(X, y)


def test_unknown_parameters_of_functions_are_refused_in_their_words():
    X, y = classification(20)
    for function, given, words in (
        (
            mkl_path,
            {"n_alphas": 4},
            r"^mkl_path takes no parameter 'n_alphas' \(did you mean alphas=\?\); beside X and y.* alphas, ",
        ),
        (mkl_path, {"colour": 1}, r"^mkl_path takes no parameter 'colour'; .* parameters of MKLClassifier: kernels, "),
        (alpha_max, {"kernel": "auto"}, r"^alpha_max takes no parameter 'kernel' \(did you mean kernels=\?\)"),
        (mkl_path, {"multi_class": "ovr", "loss": "squared"}, "takes no parameter 'multi_class'.* of MKLRegressor"),
    ):
        with pytest.raises(TypeError, match=words):
            function(X, y, **given)


def test_a_class_of_one_row_is_refused_before_it_decides():
    def never(A, B):
        raise AssertionError("kernels were computed")

    X, y = classification(30)
    labels = np.where(y > 0, "ill", "well").astype(object)
    labels[4] = "solo"
    said = "^class 'solo' has 1 row, but cross-validation needs at least 2 of each class, one to learn from and one to test on"
    for cv in (None, 3, np.int64(3)):
        with pytest.raises(ValueError, match=said):
            MKLClassifierCV(never, cv=cv).fit(X, labels)
    labels[5] = "solo"
    weights = np.ones(30)
    weights[5] = 0
    with pytest.raises(ValueError, match=said):
        MKLClassifierCV(never, cv=2).fit(X, labels, sample_weight=weights)
    labels[5] = "ill"
    for cv in ([(np.arange(20), np.arange(20, 30))], KFold(2), StratifiedKFold(2)):  # as the user wants them
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            MKLClassifierCV([Gaussian(width=1)], alphas=2, cv=cv).fit(X, labels)


def test_a_score_of_two_classes_is_refused_for_three():
    X, _ = classification(30)
    three = np.arange(30) % 3
    with pytest.raises(
        ValueError, match="^scoring='roc_auc' tells two classes apart, but y has 3; use scoring='roc_auc_ovr'"
    ):
        MKLClassifierCV(scoring="roc_auc").fit(X, three)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for scoring, y in (("roc_auc_ovr", three), ("roc_auc_ovo", three), ("roc_auc", three > 0)):
            MKLClassifierCV([Gaussian(width=1)], scoring=scoring, alphas=2, cv=2).fit(X, y)


def test_all_columns_of_dates_are_named_at_once():
    X, y = classification(30, columns=2)
    frame = pd.DataFrame(X, columns=["a", "b"])
    when = pd.date_range("2020-01-01", periods=30)
    frame["when"] = when
    frame["there"] = when.tz_localize("UTC")
    frame["took"] = when - when[0]
    frame["month"] = when.to_period("M")
    frame["day"] = np.array([date(2020, 1, 1)] * 30, dtype=object)
    frame["both"] = np.array(["a", 1.0] * 15, dtype=object)
    bad = ["when", "there", "took", "month", "day", "both"]
    for estimator in (MKLClassifier(), MKLClassifierCV(), Kernelizer()):
        with pytest.raises(ValueError, match="6 columns.*drop") as caught:
            estimator.fit(frame, y)
        assert all(f"'{name}'" in str(caught.value) for name in bad)
    model = MKLClassifier().fit(frame[["a", "b"]], y)
    with pytest.raises(ValueError, match="'b' .*datetime"):
        model.predict(frame[["a"]].assign(b=when))


def test_dates_of_polars_and_numpy_are_refused():
    X, y = classification(30, columns=2)
    when = np.datetime64("2020-01-01", "ms") + np.arange(30)
    frame = pl.DataFrame({"a": X[:, 0], "when": when, "took": when - when[0]})
    with pytest.raises(ValueError, match=r"'when' \(Datetime.*'took' \(Duration"):
        MKLClassifier().fit(frame, y)
    with pytest.raises(ValueError, match=r"x0 \(datetime64"):
        MKLClassifier().fit(when[:, None], y)
    mixed = X.astype(object)
    mixed[:, 1] = [date(2020, 1, 1)] * 30
    with pytest.raises(ValueError, match=r"a column .*: x1 \(date\)"):
        MKLClassifier().fit(mixed, y)
    with pytest.raises(ValueError, match="y holds dates"):
        MKLRegressor().fit(X, when)


def test_names_of_columns_that_occur_twice_are_refused():
    X, y = classification(30, columns=2)
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        MKLClassifier().fit(pd.DataFrame(X, columns=["a", "a"]), y)


def test_quoted_names_are_escaped():
    X, y = classification(30, columns=2)
    frame = pd.DataFrame({"a": X[:, 0], "\x1b[31mred": pd.date_range("2020-01-01", periods=30)})
    with pytest.raises(ValueError, match="x1b") as caught:
        MKLClassifier().fit(frame, y)
    assert "\x1b" not in str(caught.value)


def test_text_columns_of_a_frame_without_names_are_categories():
    random = np.random.default_rng(0)
    colours = np.array(["red", "blue", "green"])[random.integers(0, 3, 60)]
    frame = pd.DataFrame({0: random.standard_normal(60), 1: colours})
    model = MKLClassifier(alpha="0.01max").fit(frame, colours == "blue")
    assert any(name.startswith("overlap") for name in model.kernel_names_)
    assert model.score(frame, colours == "blue") == 1.0
    with pytest.warns(UserWarning, match="'pink' did not occur"):
        model.predict(frame.replace({1: {"red": "pink"}}))
    with pytest.raises(TypeError, match="'x1' held strings when the model was fitted; X must be a frame"):
        model.predict(np.zeros((3, 2)))


def test_text_with_missing_cells_names_the_cell():
    X, y = classification(30, columns=2)
    colours = np.array(["red", "blue", None] * 10, dtype=object)
    frame = pd.DataFrame({"a": X[:, 0], "colour": pd.Series(colours, dtype=object)})
    with pytest.raises(ValueError, match="column 'colour', row 2"):
        MKLClassifier().fit(frame, y)


def test_a_stack_of_kernels_is_no_table():
    X, y = classification(30, columns=2)
    with pytest.raises(TypeError, match="kernels='precomputed'"):
        MKLClassifier().fit(KernelStack(kernels(X)), y)


def test_load_and_save_raise_the_errors_of_python(tmp_path):
    with pytest.raises(FileNotFoundError):
        package.load(tmp_path / "none.safetensors")
    with pytest.raises(IsADirectoryError):
        package.load(tmp_path)
    (tmp_path / "bad.safetensors").write_bytes(b"x" * 100)
    with pytest.raises(ValueError, match=r"bad\.safetensors"):
        package.load(str(tmp_path / "bad.safetensors"))
    X, y = classification(30)
    with pytest.raises(FileNotFoundError, match="none"):
        MKLClassifier().fit(X, y).save(tmp_path / "none" / "m.safetensors")
    with pytest.raises(IsADirectoryError):
        MKLClassifier().fit(X, y).save(tmp_path)
    MKLClassifier().fit(X, y > 0).save(tmp_path / "m.safetensors")
    loaded = package.load(tmp_path / "m.safetensors")
    assert loaded.classes_.dtype == bool and loaded.classes_.tolist() == [False, True]


@pytest.mark.parametrize(
    "classes",
    [
        (1, 2),
        (-1, 1),
        (1.0, 2.0),
        (-1e15, 1e15),
        (0, 2**40),
        (False, True),
        ("01", "02"),
        ("1", str(10**30)),
        ("1_0", "2_0"),
        ("1 ", "2 "),
        ("nan", "x"),
        ("0x1", "2"),
        ("no", "yes"),
    ],
)
def test_classes_of_a_loaded_model_are_what_they_were(tmp_path, classes):
    X, y = classification(30)
    labels = np.array(classes)[(y > 0).astype(int)]
    model = MKLClassifier().fit(X, labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.save(tmp_path / "m.safetensors")
        loaded = package.load(tmp_path / "m.safetensors")
    assert loaded.classes_.tolist() == model.classes_.tolist() and loaded.classes_.dtype.kind == labels.dtype.kind
    assert loaded.score(X, labels) == model.score(X, labels)


def test_strings_in_the_order_of_strings_are_no_numbers(tmp_path):
    X = classification(33)[0]
    labels = np.array(["1", "2", "10"])[np.arange(33) % 3]
    MKLClassifier().fit(X, labels).save(tmp_path / "m.safetensors")
    assert package.load(tmp_path / "m.safetensors").classes_.tolist() == ["1", "10", "2"]


@pytest.mark.parametrize("classes", [("1", "2"), ("1.5", "2.5"), ("False", "True")])
def test_strings_that_a_model_file_does_not_tell_from_numbers_are_said(tmp_path, classes):
    X, y = classification(30)
    for kind in (str, object):
        model = MKLClassifier().fit(X, np.array(classes, dtype=kind)[(y > 0).astype(int)])
        with pytest.warns(UserWarning, match=f"strings such as '{classes[0]}', which a model file does not") as caught:
            model.save(tmp_path / "m.safetensors")
        assert len(caught) == 1 and caught[0].filename == __file__
        assert package.load(tmp_path / "m.safetensors").classes_.dtype.kind in "bif"


def test_targets_follow_the_conventions_of_scikit_learn():
    X, y = classification(40)
    assert MKLClassifier().fit(X, y > 0).classes_.dtype == bool
    assert MKLClassifier().fit(X, np.where(y > 0, 2.0, 1.0)).classes_.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="continuous"):
        MKLClassifier().fit(X, X[:, 0])
    counts = np.arange(40) % 3
    assert MKLRegressor().fit(X, counts).predict(X).dtype == np.float64


def test_a_guessed_task_is_said():
    X, _ = classification(30)
    with pytest.warns(UserWarning, match=r"3 different whole numbers.*loss='logistic'"):
        alpha_max(X, np.arange(30) % 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alpha_max(X, np.arange(30) % 3, loss="squared")
        alpha_max(X, np.arange(30) % 2)
        alpha_max(X, np.arange(30) / 7)


@pytest.mark.parametrize("flags", [["-O"], ["-OO"]])
def test_the_package_works_without_docstrings(flags):
    script = """
        import numpy as np, spicymkl
        X = np.random.default_rng(0).standard_normal((40, 2))
        spicymkl.MKLRegressor().fit(X, X[:, 0]).predict(X)
        model = spicymkl.MKLClassifierCV(alphas=3, cv=2).fit(X, X[:, 0] > 0)
        print(model.score(X, X[:, 0] > 0) > 0.8, "max_seconds :" in model.__doc__)
    """
    line = [sys.executable, *flags, "-W", "ignore", "-c", textwrap.dedent(script)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True True\n"


def test_parameters_without_effect_are_said():
    X, y = classification(30)
    K = kernels(X)
    for model, data, name in (
        (MKLClassifier(l1_ratio=0.3), X, "l1_ratio"),
        (MKLClassifier(q=1.2, penalty="elasticnet"), X, "q"),
        (MKLRegressor(epsilon=0.3), X, "epsilon"),
        (MKLRegressor(quantile=0.3, loss="huber"), X, "quantile"),
        (MKLClassifier(psd="clip"), X, "psd"),
        (MKLClassifier("precomputed", memory="1G"), K, "memory"),
        (MKLClassifier("precomputed", standardize=False), K, "standardize"),
        (MKLClassifierCV(l1_ratio=0.3, cv=2, alphas=1), X, "l1_ratio"),
        (MKLClassifier(multi_class="joint"), X, "multi_class"),
        (MKLClassifierCV(multi_class="ovr", cv=2, alphas=3), X, "multi_class"),
        (MKLRegressor(multi_output="each"), X, "multi_output"),
        (MKLRegressorCV(multi_output="each", cv=2, alphas=3), X, "multi_output"),
    ):
        with pytest.warns(UserWarning, match=f"^{name}=.*has no effect") as caught:
            model.fit(data, y)
        mine = [one for one in caught if "has no effect" in str(one.message)]
        assert len(mine) == 1 and mine[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MKLClassifier(l1_ratio=0.3, penalty="elasticnet").fit(X, y)
        MKLClassifier(q=1.2, l1_ratio=0.3, penalty="mixed").fit(X, y)
        MKLRegressor(quantile=0.3, loss="quantile").fit(X, y)
        MKLClassifier().fit(X, y)
        MKLRegressor().fit(X, y)
        for how in ("joint", "ovr"):
            MKLClassifier(multi_class=how, kernels=[Gaussian(width=1)]).fit(X, np.arange(30) % 3)
        for how in ("joint", "each"):
            MKLRegressor(multi_output=how).fit(X, X[:, :2])
        GridSearchCV(MKLClassifier(), {"alpha": [0.1, 1.0]}, cv=2).fit(X, y)
        clone(MKLClassifier(multi_class="auto")).fit(X, y)


def test_a_loaded_model_has_no_parameters_without_effect(tmp_path):
    X, y = regression(30)
    MKLRegressor().fit(X, y).save(tmp_path / "m.safetensors")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        package.load(tmp_path / "m.safetensors").fit(X, y)


def test_genes_that_are_absent_are_said(tmp_path):
    X, y = classification(30, columns=3)
    (tmp_path / "sets.gmt").write_text("first\tabout\tx0\tx1\tTP53\tMYC\nsecond\tabout\tBRCA1\n")
    said = r"3 of 5 group members.*'TP53', 'MYC', 'BRCA1'.*1 group left out \(such as 'second'\)"
    for fit in (
        lambda: MKLClassifier(tmp_path / "sets.gmt").fit(X, y),
        lambda: Kernelizer(tmp_path / "sets.gmt").fit(X),
        lambda: mkl_path(X, y, kernels=tmp_path / "sets.gmt", alphas=2),
    ):
        with pytest.warns(UserWarning, match=said) as caught:
            fit()
        assert len(caught) == 1 and caught[0].filename == __file__


def test_a_column_that_looks_like_an_index_is_said(tmp_path):
    X, y = classification(30, columns=2)
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame.to_csv(tmp_path / "t.csv")
    saved = pd.read_csv(tmp_path / "t.csv")
    with pytest.warns(UserWarning, match=r"'Unnamed: 0'.*looks like an index") as caught:
        MKLClassifier().fit(saved, y)
    assert len(caught) == 1 and caught[0].filename == __file__
    with pytest.warns(UserWarning, match="'patient_id'.*looks like"):
        MKLClassifier([Gaussian(columns=["a"])]).fit(frame.assign(patient_id=[f"P{k}" for k in range(30)]), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MKLClassifier().fit(frame, y)
        MKLClassifier().fit(frame.assign(row=np.arange(30) % 3), y)


@pytest.mark.parametrize("as_frame", [pd.DataFrame, pl.DataFrame])
def test_numbers_that_were_read_as_strings_are_said(as_frame):
    X, y = classification(30, columns=2)
    texts = [f"{value:.3f}" for value in X[:, 0]]
    texts[7] = "n/a"
    frame = as_frame({"a": texts, "b": X[:, 1]})
    repair = r"pd\.to_numeric\(X\['a'\], errors='coerce'\)" if as_frame is pd.DataFrame else r"pl\.col\('a'\)\.cast\("
    said = rf"^column 'a' holds strings.*29 of its 30 different.*'n/a' in row 7; .*{repair}.*category|Categorical"
    for fit in (
        lambda: MKLClassifier().fit(frame, y),
        lambda: MKLClassifierCV(alphas=3, cv=2).fit(frame, y),
        lambda: MKLClassifier().fit({"t": frame, "u": X}, y),
        lambda: Kernelizer().fit(frame),
        lambda: mkl_path(frame, y, alphas=2),
        lambda: alpha_max(frame, y),
        lambda: MKLStudy(MKLClassifier(), repeats=1, outer=2, inner=2, stability=2, permutations=0, alphas=2).fit(
            frame, y
        ),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fit()
        mine = [one for one in caught if re.search(said, str(one.message))]
        assert len(mine) == 1 and mine[0].filename == __file__
        assert len([one for one in caught if "holds strings" in str(one.message)]) == 1


def test_strings_that_are_meant_are_not_said():
    X, y = classification(30, columns=2)
    few = np.array(["1", "2", "low", "high"])[np.arange(30) % 4]
    codes = np.array(["1", "2", "3"])[np.arange(30) % 3]
    for frame in (
        pd.DataFrame({"a": few, "b": X[:, 1]}),
        pd.DataFrame({"a": pd.Categorical(codes), "b": X[:, 1]}),
        pl.DataFrame({"a": codes, "b": X[:, 1]}, schema_overrides={"a": pl.Categorical}),
        pl.DataFrame({"a": codes, "b": X[:, 1]}, schema_overrides={"a": pl.Enum(["1", "2", "3"])}),
    ):
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=".*holds strings")
            MKLClassifier().fit(frame, y)
    with pytest.warns(UserWarning, match="'a' holds strings .* all of its 3 different strings are numbers; .*astype"):
        MKLClassifier().fit(pd.DataFrame({"a": codes, "b": X[:, 1]}), y)


def test_max_seconds_ends_a_fit():
    X, y = classification(400, columns=20)
    slow = {"loss": "hinge", "penalty": "blockq", "alpha": 1e-6, "tol": 1e-15, "max_iter": 10**6}
    with pytest.warns(ConvergenceWarning, match="relative duality gap") as caught:
        model = MKLClassifier("random:50", max_seconds=0.5, **slow).fit(X, y)
    assert model.status_ != "converged" and model.fit_seconds_ < 30
    assert caught[0].filename == __file__
    with pytest.raises(TimeoutError, match="max_seconds=1e-06"):
        MKLClassifierCV(max_seconds=1e-6).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="was over after .* of 10000 alphas"):
        path = mkl_path(X[:60, :3], y[:60], alphas=10000, max_seconds=0.5)
    assert 1 <= len(path.alphas) == len(path.kernel_weights) < 10000


def test_a_cross_validation_that_was_refused_has_not_learned():
    X, y = classification(n=30)
    model = MKLClassifierCV(alphas=2, cv=2)
    with pytest.raises(ValueError, match="alphas is"):
        model.set_params(alphas=[0.1, -1]).fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)
    model.set_params(alphas=2).fit(X, y)
    with pytest.raises(ValueError, match="alphas is"):
        model.set_params(alphas=[0.1, -1]).fit(X, y)
    assert not hasattr(model, "best_params_"), "the choice of an earlier fit is no longer that of the parameters"
