"""Everything that kernels= takes."""

import json

import numpy as np
import pytest
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel

import spicymkl as package
from problems import classification, gaussian, kernels
from spicymkl import Gaussian, Kernelizer, Linear, MKLClassifier, MKLClassifierCV, Overlap
from spicymkl.kernels import Kernel, kernel_from_dict


@pytest.fixture(scope="module")
def data():
    return classification(50, columns=4)


ALL = [kernel for kernel in Kernel.__subclasses__() if kernel is not Overlap]


@pytest.mark.parametrize("kernel", ALL, ids=lambda kernel: kernel.__name__)
def test_every_kernel_of_the_library_has_a_class(kernel, data):
    X, y = data
    model = MKLClassifier(kernel(), alpha="0.01max", standardize=False).fit(np.abs(X), y)
    assert model.kernel_names_[0].startswith(kernel.type_name())
    assert model.kernel_weights_[0] > 0
    assert kernel_from_dict(kernel().to_dict()).get_params() == kernel().get_params()


def test_the_classes_are_the_types_that_the_command_knows(spicymkl):
    table = spicymkl.table("x.csv", np.eye(3))
    spicymkl.refuse(
        ["kernels", table, "--kernels", spicymkl.kernel_list([{"type": "?"}]), "-o", "K.npy"],
        *[kernel.type_name() for kernel in Kernel.__subclasses__()],
    )


def test_presets(data):
    X, y = data
    assert len(MKLClassifier("paper").fit(X, y).kernel_names_) == 27 * 5
    one, same, other = (MKLClassifier("random:20", random_state=seed).fit(X, y) for seed in (3, 3, 4))
    assert len(one.kernel_names_) == 20
    assert one.kernel_names_.tolist() == same.kernel_names_.tolist() != other.kernel_names_.tolist()


def test_a_list_multiplies_out(data):
    X, y = data
    model = MKLClassifier(
        [Gaussian(width=[0.5, 1], columns="each"), Linear(columns={"each": [0, 1]}, name="line")]
    ).fit(X, y)
    assert model.kernel_names_.tolist()[:3] == [
        "gaussian(width=0.5) on x0",
        "gaussian(width=1) on x0",
        "gaussian(width=0.5) on x1",
    ]
    assert model.kernel_names_.tolist()[-2:] == ["line on x0", "line on x1"]


def test_values_are_those_of_the_formula(data):
    X, _ = data
    K = Kernelizer([Gaussian(width=0.7, columns=[0, 2], normalize="none")], standardize=False).fit_transform(X)
    assert K[0] == pytest.approx(gaussian(X[:, [0, 2]], 0.7), rel=1e-12)


def test_columns_of_numpy_pandas_and_slices(data):
    X, y = data
    for columns in (np.array([1, 2]), (1, 2), range(1, 3), slice(1, 3), "1:3"):
        assert MKLClassifier(Linear(columns=columns)).fit(X, y).kernel_names_.tolist() == ["linear on x1+x2"]


def test_a_dict_names_sources(data):
    X, y = data
    model = MKLClassifier({"rna": [0, 1], "protein": slice(2, 4)}).fit(X, y)
    assert set(model.kernel_groups_) == {"rna", "protein", ""}


def test_a_gmt_file_names_sources(data, tmp_path):
    X, y = data
    (tmp_path / "sets.gmt").write_text("first\tabout\tx0\tx1\tabsent\nsecond\tabout\tx2\n")
    model = MKLClassifier(str(tmp_path / "sets.gmt")).fit(X, y)
    assert set(model.kernel_groups_) == {"first", "second", ""}


def test_a_json_file_is_a_kernel_list(data, tmp_path):
    X, y = data
    (tmp_path / "k.json").write_text(json.dumps([Linear(columns=[1]).to_dict()]))
    assert MKLClassifier(tmp_path / "k.json").fit(X, y).kernel_names_.tolist() == ["linear on x1"]


def test_functions(data):
    X, y = data

    def wide(A, B):
        return rbf_kernel(A, B, gamma=0.1) / 50

    functions = MKLClassifier([wide, linear_kernel], tol=1e-8).fit(X[:40], y[:40])
    K = np.array([wide(X, X[:40]), linear_kernel(X, X[:40])])
    rows = X[:40]  # one object: scikit-learn then makes the distance of a row to itself exactly 0
    known = np.array([wide(rows, rows), linear_kernel(rows, rows)])
    grams = MKLClassifier("precomputed", tol=1e-8).fit(known, y[:40])
    assert np.array_equal(functions.decision_function(X), grams.decision_function(K))
    assert functions.kernel_names_.tolist() == ["wide", "linear_kernel"]
    assert functions.contributions(X) == pytest.approx(grams.contributions(K))
    with pytest.raises(ValueError, match=r"gave an array of shape \(50,\)"):
        MKLClassifier(lambda A, B: np.ones(len(A))).fit(X, y)


def test_precomputed_arrays_of_both_precisions_and_any_layout(data):
    X, y = data
    K = kernels(X)
    expected = MKLClassifier("precomputed", tol=1e-6).fit(K, y).decision_function(K)
    for given in (np.asfortranarray(K), np.concatenate([K, K])[: len(K)], K.tolist()):
        assert np.array_equal(MKLClassifier("precomputed", tol=1e-6).fit(given, y).decision_function(given), expected)
    single = MKLClassifier("precomputed", tol=1e-6).fit(K.astype(np.float32), y)
    assert single.decision_function(K) == pytest.approx(expected, abs=1e-3)


def test_active_kernels_are_enough_to_predict(data):
    X, y = data
    K = kernels(X)
    model = MKLClassifier("precomputed").fit(K, y)
    assert 0 < len(model.active_kernels_) < len(K)
    assert np.array_equal(model.decision_function(K[model.active_kernels_]), model.decision_function(K))


@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_faulty_precomputed_kernels_are_named(data, number):
    X, y = data
    K = kernels(X).astype(number)
    for change, words in (
        ({(2, 3, 4): np.nan}, "number 2.*row 3, column 4"),
        ({(2, 3, 4): 9}, "number 2.*not symmetric"),
        ({(2, 3, 3): -9}, "number 2.*not positive semi-definite"),
    ):
        bad = K.copy()
        for place, value in change.items():
            bad[place] = value
        with pytest.raises(ValueError, match=words):
            MKLClassifier("precomputed").fit(bad, y)
    with pytest.raises(ValueError, match="square"):
        MKLClassifier("precomputed").fit(K[:, :, :5], y)
    model = MKLClassifier("precomputed").fit(K, y)
    with pytest.raises(ValueError, match="expecting 50"):
        model.predict(K[:, :, :5])


def test_cross_validation_on_precomputed_kernels(data):
    X, y = data
    K = kernels(X)
    model = MKLClassifierCV("precomputed", alphas=[0.3, 0.1], cv=3).fit(K, y)
    assert model.cv_results_["split_test_scores"].shape == (3, 2)
    assert model.alpha_ in (0.3, 0.1)


def test_what_is_no_kernel_is_refused(data):
    X, y = data
    for kernels_, words in (
        (3, "it must be a preset"),
        ([], "empty list"),
        ({}, "empty dict"),
        ([Gaussian(), linear_kernel], "all be kernel objects, or all be functions"),
        ("nonsense", "neither a preset"),
        ([Gaussian(width=-1)], "width"),
        ([Gaussian(columns="q")], "q"),
        (Overlap(), "categorical"),
    ):
        with pytest.raises(ValueError, match=words):
            MKLClassifier(kernels_).fit(X, y)
    with pytest.raises(ValueError, match="computes them"):
        Kernelizer("precomputed").fit(X)


def test_everything_public_is_there():
    assert all(hasattr(package, name) for name in package.__all__)
