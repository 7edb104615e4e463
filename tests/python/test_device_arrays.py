"""Arrays on a GPU and predictions there. Where there is no GPU a plugin in which the processor plays one takes its place,
and arrays of NumPy say that they lie on it."""

import ctypes

import numpy as np
import pytest

from conftest import ROOT
from spicymkl import MKLClassifier, MKLRegressor, certificate

PLUGIN = ROOT / "build/host-plugin"
CUDA, ROCM = 2, 10  # of DLPack

pytestmark = pytest.mark.skipif(
    not (PLUGIN / "libspicymkl_cuda.so").exists(), reason="the plugin of the tests is not built"
)


class OnDevice:
    """An array of NumPy that says by DLPack that it lies on another device."""

    def __init__(self, values, kind=CUDA):
        self.values, self.kind = values, kind

    shape = property(lambda self: self.values.shape)
    ndim = property(lambda self: self.values.ndim)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, key):
        return OnDevice(self.values[key], self.kind)

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, **_):
        capsule = self.values.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        # DLTensor begins with the pointer to its numbers and the kind of its device.
        ctypes.c_int32.from_address(pointer(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p)).value = self.kind
        return capsule


@pytest.fixture(autouse=True)
def plugin(monkeypatch):
    monkeypatch.setenv("SPICYMKL_PLUGINS", str(PLUGIN))


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(3)
    X, new = random.standard_normal((80, 3)), random.standard_normal((11, 3))
    y = np.where(X[:, 0] + X[:, 1] ** 2 > 0.7, "yes", "no")

    def kernels(rows):
        distances = (rows[:, None] - X[None]) ** 2
        each = [np.exp(-distances[..., j] / width) for j in range(3) for width in (0.5, 4)]
        return np.ascontiguousarray(each)

    return kernels(X), y, kernels(new), X, new


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_kernels_on_a_device_are_read_there(data, loss, number):
    K, y, fresh, *_ = data
    here = MKLClassifier("precomputed", loss=loss, alpha=0.5, tol=1e-4).fit(K.astype(number), y)
    there = MKLClassifier("precomputed", loss=loss, alpha=0.5, tol=1e-4, device="cuda").fit(
        OnDevice(K.astype(number)), y
    )
    assert there.duality_gap_ <= 1e-4
    assert there.primal_objective_ == pytest.approx(here.primal_objective_, rel=2e-4)
    # What it says of its objective, judged by the kernels themselves.
    values, dual, scale = K.astype(number).astype(np.float64), there.dual_, there.coef_scale_
    norms = scale * np.sqrt(np.einsum("i,mij,j->m", dual, values, dual))
    margins = np.where(y == "yes", 1, -1) * (np.einsum("m,mij,j->i", scale, values, dual) + there.intercept_)
    loss_values = np.logaddexp(0, -margins) if loss == "logistic" else np.maximum(1 - margins, 0)
    assert loss_values.sum() + 0.5 * norms.sum() == pytest.approx(there.primal_objective_, rel=1e-6)
    np.testing.assert_allclose(there.decision_function(OnDevice(fresh)), there.decision_function(fresh), rtol=1e-9)
    np.testing.assert_allclose(there.contributions(OnDevice(fresh)), there.contributions(fresh), rtol=1e-9, atol=1e-12)


def test_the_certificate_says_who_proved(data):
    K, y, *_ = data
    model = MKLClassifier("precomputed", device="cuda").fit(OnDevice(K), y)
    assert certificate(model)["computed_on"] == "Test Device"


def test_one_kernel_and_numbers(data):
    K, _, fresh, X, _ = data
    model = MKLRegressor("precomputed", device="cuda").fit(OnDevice(K[2]), X[:, 1])
    np.testing.assert_allclose(model.predict(OnDevice(fresh[2])), model.predict(fresh[2]), rtol=1e-9)


def test_predictions_of_a_table_on_the_device(data):
    _, y, _, X, new = data
    model = MKLClassifier("random:10", device="cuda", random_state=0).fit(X, y)
    there = model.decision_function(new)
    np.testing.assert_allclose(there, model.set_params(device="cpu").decision_function(new), rtol=1e-9, atol=1e-12)


def refusal(match, kernels, y, kind=ValueError, **parameters):
    with pytest.raises(kind, match=match) as caught:
        MKLClassifier("precomputed", **{"device": "cuda"} | parameters).fit(kernels, y)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_read_is_refused_in_a_sentence(data):
    K, y, fresh, *_ = data
    refusal("lie on a GPU, but device is 'cpu'", OnDevice(K), y, device="cpu")
    refusal("no GPU of NVIDIA", OnDevice(K, ROCM), y, TypeError)
    refusal("float64 or float32", OnDevice((100 * K).astype(np.int64)), y)
    refusal("psd='clip' repairs kernels on the processor", OnDevice(K), y, psd="clip")
    refusal("must be square", OnDevice(fresh), y)
    with pytest.raises(ValueError, match="sample weights are 0"):
        MKLClassifier("precomputed", device="cuda").fit(OnDevice(K), y, sample_weight=np.arange(80) % 2)
    model = MKLClassifier("precomputed", device="cuda").fit(OnDevice(K), y)
    with pytest.raises(ValueError, match="must be float64"):
        model.predict(OnDevice(fresh.astype(np.float32)))


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda K: K.__setitem__((1, 3, 4), np.nan), r"'k1' \(number 1\) has nan among its entries"),
        (lambda K: K.__setitem__((2, 3, 4), np.inf), r"'k2' \(number 2\) has inf among its entries"),
        (lambda K: K.__setitem__((0, 70, 4), 0.5 + K[0, 70, 4]), r"'k0' \(number 0\) is not symmetric"),
        (lambda K: K.__setitem__((3, 5, 5), -1), r"'k3' \(number 3\) is not positive semi-definite"),
        (lambda K: K.__setitem__(4, -K[4]), r"'k4' \(number 4\) is not positive semi-definite"),
        (lambda K: K.__setitem__(5, K[5] - 0.9), r"'k5' \(number 5\) is not positive semi-definite"),
    ],
)
def test_matrices_that_are_no_kernels_are_refused(data, harm, said):
    K = data[0].copy()
    harm(K)
    refusal(said, OnDevice(K), data[1])


@pytest.mark.parametrize(("behaviour", "said"), [("lost", "stopped working"), ("full", "memory")])
def test_a_device_that_fails(data, monkeypatch, behaviour, said):
    _, y, _, X, _ = data
    monkeypatch.setenv("SPICYMKL_HOST_DEVICE", behaviour)
    with pytest.raises(ValueError, match=said) as caught:
        MKLClassifier("random:40", device="cuda").fit(np.tile(X, (10, 1)), np.tile(y, 10))
    assert "\n" not in str(caught.value)
