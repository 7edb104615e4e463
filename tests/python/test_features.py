"""Kernels by features: the certificate and the predictions, recomputed in NumPy from what the model file says of φ."""

import json

import numpy as np
import pytest
from sklearn.base import clone

import problems
from model_bytes import taken_apart
from referee import recompute
from spicymkl import MKLClassifier

KERNELS = [
    {"type": "gaussian", "width": [0.7, 2], "columns": "all", "features": {"kind": "nystrom", "rank": 15}},
    {"type": "gaussian", "width": 1, "columns": ["x1"], "features": {"kind": "fourier", "rank": 10, "seed": 3}},
    {"type": "linear", "columns": "all", "features": {"kind": "exact"}},
    {"type": "polynomial", "degree": 2, "offset": 0.5, "columns": ["x2", "x3"], "features": {"kind": "exact"}},
    {
        "type": "gaussian",
        "width": 1,
        "columns": ["x2"],
        "normalize": "center",
        "features": {"kind": "nystrom", "rank": 6},
    },
]


class StoredFeatures:
    """φ of every active kernel of a model, from its file alone."""

    def __init__(self, path):
        outer, self.header, data = taken_apart(path.read_bytes())
        self.tensors = {
            name: np.frombuffer(data[slice(*entry["data_offsets"])]).reshape(entry["shape"])
            for name, entry in outer.items()
            if name != "__metadata__"
        }

    def of(self, k, X):
        kernel = self.header["table"]["active_kernels"][k]
        used = self.tensors["used_columns"].astype(int)
        prepared = ((X - self.tensors["standardize_mean"]) / self.tensors["standardize_scale"])[:, used]
        raw = self.raw(kernel, k, prepared[:, kernel["columns"]])
        if kernel["normalize"] == "center":
            raw = raw - self.tensors[f"features{k}.offset"]
        if kernel["features"]["kind"] == "nystrom":
            raw = raw @ self.tensors[f"features{k}.whitening"]
        return raw / np.sqrt(kernel.get("trace", 1))

    def raw(self, kernel, k, X):
        if kernel["type"] == "polynomial":
            x, z = X.T  # (offset + xx' + zz')²
            linear = np.sqrt(2 * kernel["parameters"]["offset"]) * X
            return np.column_stack(
                [np.full(len(X), kernel["parameters"]["offset"]), linear, x**2, np.sqrt(2) * x * z, z**2]
            )
        if kernel["features"]["kind"] == "exact":
            return X
        points = self.tensors[f"features{k}.points"]
        if kernel["features"]["kind"] == "fourier":
            waves = X @ points
            return np.hstack([np.cos(waves), np.sin(waves)]) / np.sqrt(points.shape[1])
        squares = ((X[:, None] - points[None]) ** 2).sum(-1)
        return np.exp(-squares / (2 * kernel["parameters"]["width"] ** 2))


@pytest.mark.parametrize("loss", ["logistic", "hinge", "squared"])
@pytest.mark.parametrize("penalty", ["uniform", "blockq"])
def test_the_certificate_is_that_of_the_features(spicymkl, loss, penalty):
    X, y = problems.for_loss(loss, n=150)
    spicymkl.table("t.csv", X, y)
    spicymkl.kernel_list(KERNELS)
    line = ["t.csv", "--target", "y", "--task", "regression" if loss == "squared" else "classification"]
    outputs = ["--model", "m.safetensors", "--certificate", "c.json"]
    spicymkl.ok(
        "train", *line, "--kernels", "kernels.json", "--loss", loss, "--penalty", penalty, "--tol", 1e-5, *outputs
    )
    certificate = json.loads((spicymkl.folder / "c.json").read_text())
    stored = StoredFeatures(spicymkl.folder / "m.safetensors")
    assert [kernel["index"] for kernel in certificate["kernels"]] == list(range(6)), "all are active"
    phi = [stored.of(k, X) for k in range(6)]
    primal, dual = recompute(certificate, np.array([part @ part.T for part in phi]), y)
    assert primal == pytest.approx(certificate["primal"], rel=1e-9)
    assert dual == pytest.approx(certificate["dual_objective"], rel=1e-9)
    assert primal - dual <= 1e-5 * primal
    for kernel, part in zip(certificate["kernels"], phi):
        assert kernel["features"]["rank"] == part.shape[1]
        assert 0 <= kernel["features"]["relative_trace_error"] < 1
    assert spicymkl.ok("verify", "m.safetensors", "t.csv").startswith("holds")


def test_readers_of_a_model_learn_of_its_features(spicymkl):
    X, y = problems.classification(n=150)
    spicymkl.table("t.csv", X, y)
    spicymkl.kernel_list(KERNELS)
    outputs = ["--model", "m.safetensors", "--certificate", "c.json", "--report", "r.html"]
    spicymkl.ok("train", "t.csv", "--target", "y", "--kernels", "kernels.json", "--penalty", "uniform", *outputs)
    certificate = json.loads((spicymkl.folder / "c.json").read_text())
    features = {kernel["name"]: kernel["features"] for kernel in certificate["kernels"]}
    (fit,) = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))["fits"]
    assert {kernel["name"]: kernel["features"] for kernel in fit["kernels"]} == features
    ranks = [one["rank"] for one in features.values()]
    missing = max(one["relative_trace_error"] for one in features.values())
    said = (
        f"{len(ranks)} active kernels by features of {min(ranks)} to {max(ranks)} numbers per row; "
        f"at most {100 * missing:.2g} % of a trace left out"
    )
    assert said in spicymkl.ok("inspect", "m.safetensors")
    assert said in (spicymkl.folder / "r.html").read_text()
    spicymkl.ok("train", "t.csv", "--target", "y", "--model", "exact.safetensors")
    assert "features" not in spicymkl.ok("inspect", "exact.safetensors")


def test_predictions_are_those_of_the_features(spicymkl):
    X, y = problems.classification(n=200)
    fresh, _ = problems.classification(n=70, seed=5)
    spicymkl.table("t.csv", X, y)
    spicymkl.table("new.csv", fresh, np.ones(70))
    spicymkl.kernel_list(KERNELS)
    outputs = ["--model", "m.safetensors", "--certificate", "c.json"]
    spicymkl.ok("train", "t.csv", "--target", "y", "--kernels", "kernels.json", "--task", "classification", *outputs)
    spicymkl.ok("predict", "m.safetensors", "new.csv", "-o", "p.csv")
    scores = np.genfromtxt(spicymkl.folder / "p.csv", delimiter=",", names=True)["score"]
    certificate = json.loads((spicymkl.folder / "c.json").read_text())
    stored = StoredFeatures(spicymkl.folder / "m.safetensors")
    expected = np.full(70, certificate["intercept"])
    for k, kernel in enumerate(certificate["kernels"]):
        expected += stored.of(k, fresh) @ (stored.of(k, X).T @ np.array(kernel["coef"]))
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)


def test_a_model_keeps_landmarks_in_place_of_rows(spicymkl):
    X, y = problems.classification(n=3000)
    spicymkl.table("t.csv", X, y)
    line = ["train", "t.csv", "--target", "y", "--task", "classification", "--tol", 0.01]
    spicymkl.ok(*line, "--features", "nystrom:20", "--model", "m.safetensors")
    assert StoredFeatures(spicymkl.folder / "m.safetensors").tensors["rows"].shape[0] == 1000
    assert "holds" in spicymkl.ok("verify", "m.safetensors", "t.csv")
    spicymkl.ok("inspect", "m.safetensors")
    spicymkl.ok(*line, "--features", "nystrom:20", "--model", "n.safetensors", "--report", "r.html")
    assert (spicymkl.folder / "r.html").stat().st_size > 10_000
    X[7, 1] += 1
    spicymkl.table("other.csv", X, y)
    assert spicymkl.run("verify", "m.safetensors", "other.csv").returncode == 1


def test_columns_of_a_wide_linear_kernel_are_its_features(spicymkl):
    """Landmarks would cost a product with all columns each, and leave a part out."""
    X = np.random.default_rng(0).standard_normal((120, 300))
    spicymkl.table("t.csv", X, X[:, 0])
    spicymkl.kernel_list([{"type": "linear", "columns": "all"}])
    line = ["train", "t.csv", "--target", "y", "--kernels", "kernels.json", "--features", "nystrom:32"]
    spicymkl.ok(*line, "--certificate", "c.json")
    (kernel,) = json.loads((spicymkl.folder / "c.json").read_text())["kernels"]
    assert kernel["features"]["kind"] == "exact" and kernel["features"]["rank"] == 300


def test_auto_takes_features_where_exact_kernels_do_not_fit_and_says_so(spicymkl):
    X, y = problems.classification(n=7000)
    spicymkl.table("t.csv", X, y)
    line = ["train", "t.csv", "--target", "y", "--task", "classification", "--tol", 0.05, "--memory", "5M"]
    done = spicymkl.run(*line)
    assert (
        done.returncode == 0
        and "kernels by features of at most 256" in done.stderr
        and "--features none" in done.stderr
    )
    few = spicymkl.run(*line[:-2], "--max-seconds", 20)
    assert "by features" not in few.stderr, "exact kernels fit"


def test_kernels_without_a_spectrum_take_landmarks_and_it_is_said(spicymkl):
    X, y = problems.classification()
    spicymkl.table("t.csv", X, y)
    line = ["train", "t.csv", "--target", "y", "--task", "classification", "--features"]
    assert (
        "1 kernel without a spectrum: nystrom:9 in place of Fourier features" in spicymkl.run(*line, "fourier:9").stderr
    )
    assert "features" not in spicymkl.run(*line, "nystrom:9").stderr, "as asked"


def test_a_kernel_that_its_features_cut_is_named(spicymkl):
    """A narrow Gaussian on many columns is nearly diagonal: few landmarks see little of it."""
    X = np.random.default_rng(0).standard_normal((200, 20))
    spicymkl.table("t.csv", X, np.where(X[:, 0] > 0, 1, -1))
    features = {"kind": "nystrom", "rank": 40}
    narrow = {"type": "gaussian", "width": 2, "columns": "all", "name": "narrow", "features": features}
    wide = {**narrow, "width": 20, "name": "wide"}
    spicymkl.kernel_list([narrow, wide])
    line = ["train", "t.csv", "--target", "y", "--kernels", "kernels.json", "--penalty", "uniform"]
    done = spicymkl.run(*line, "--model", "m.safetensors", "--report", "r.html")
    phi = StoredFeatures(spicymkl.folder / "m.safetensors").of(0, X)
    missing = 1 - np.sum(phi**2)  # the kernel has a trace of 1
    said = f"features leave out more than half of 1 kernel: narrow ({100 * missing:.0f} % of its trace)"
    assert missing > 0.5 and said in done.stderr and said in (spicymkl.folder / "r.html").read_text()
    spicymkl.kernel_list([wide])
    assert "leave out" not in spicymkl.run(*line).stderr


@pytest.mark.parametrize("features", ["nystrom", "nystrom:0", "fourier:x", "all", "nystrom:99999999"])
def test_what_features_may_be(spicymkl, features):
    X, y = problems.classification()
    spicymkl.table("t.csv", X, y)
    spicymkl.refuse(
        ["train", "t.csv", "--target", "y", "--features", features], "none, auto, nystrom:R or fourier:R", features
    )
    with pytest.raises(ValueError, match="none, auto, nystrom:R or fourier:R"):
        MKLClassifier(features=features).fit(X, y)


def test_lists_with_wrong_features_are_refused(spicymkl):
    X, y = problems.classification()
    spicymkl.table("t.csv", X, y)
    for features, words in (
        ({"kind": "exact"}, "has no exact features"),
        ({"kind": "nystrom"}, 'need a "rank"'),
        ("nystrom:5", "must be an object"),
    ):
        spicymkl.kernel_list([{"type": "gaussian", "width": 1, "features": features}])
        spicymkl.refuse(["train", "t.csv", "--target", "y", "--kernels", "kernels.json"], words)


def test_python_and_the_command_agree(spicymkl):
    X, y = problems.classification(n=120)
    spicymkl.table("t.csv", X, y)
    line = [
        "train",
        "t.csv",
        "--target",
        "y",
        "--task",
        "classification",
        "--features",
        "fourier:12",
        "--alpha",
        "0.1max",
    ]
    spicymkl.ok(*line, "--certificate", "c.json")
    certificate = json.loads((spicymkl.folder / "c.json").read_text())
    model = clone(MKLClassifier(alpha="0.1max", features="fourier:12")).fit(X, y)
    assert model.primal_objective_ == pytest.approx(certificate["primal"], rel=1e-12)
    assert np.abs(model.predict_proba(X)[:, 1] - 1 / (1 + np.exp(-model.decision_function(X)))).max() < 1e-12
    with pytest.warns(UserWarning, match="features"):
        MKLClassifier(kernels="precomputed", features="nystrom:5").fit(problems.kernels(X)[:3], y)
