"""Predictions against NumPy and the certificate; columns by name; bad input."""

import json

import numpy as np
import pytest

import pairwise
import problems
from model_bytes import with_header

KINDS = ["rbf", "laplacian", "polynomial", "cosine", "chi2", "linear"]


def positive_data(n, seed):
    X = np.random.default_rng(seed).uniform(0.05, 3, (n, 3))
    return X, X[:, 0] + 0.5 * X[:, 1] ** 2 - X[:, 2]


@pytest.fixture
def trained(spicymkl):
    """A model of six kinds of kernels on all columns, its certificate and the training rows."""

    def train(loss, target, *options):
        X, f = positive_data(50, 0)
        table = spicymkl.table("d.csv", X, target(f))
        kernels = spicymkl.kernel_list([{**pairwise.KERNELS[kind][0], "name": kind} for kind in KINDS])
        problem = ["--loss", loss, "--penalty", "elasticnet", "--alpha", "0.02max"]
        outputs = ["--model", "m.safetensors", "--certificate", "c.json"]
        spicymkl.ok(
            "train", table, "--target", "y", "--kernels", kernels, "--no-standardize", *problem, *options, *outputs
        )
        return X, json.loads((spicymkl.folder / "c.json").read_text())

    return train


def recomputed(c, X, new):
    """Scores by scikit-learn's kernels and the coefficients of the certificate."""
    intercept = np.array(c["intercept"], float)  # of several outputs, one for each
    scores = np.zeros((len(new), *intercept.shape)) + intercept
    for kernel in c["kernels"]:
        block = pairwise.normalized(pairwise.KERNELS[kernel["name"]][1], "trace", new, X)
        scores += block @ np.array(kernel["coef"])
    return scores


def numbers(predictions, name):
    return np.array(predictions[name], float)


def test_two_classes(spicymkl, trained):
    X, c = trained("logistic", lambda f: np.where(f > np.median(f), "high", "low"))
    new, _ = positive_data(33, 1)
    p = spicymkl.predictions("m.safetensors", spicymkl.table("new.csv", new))
    assert list(p) == ["prediction", "score", "probability_high", "probability_low"]
    scores = recomputed(c, X, new)
    assert numbers(p, "score") == pytest.approx(scores, abs=1e-10)
    assert numbers(p, "probability_low") == pytest.approx(1 / (1 + np.exp(-scores)), abs=1e-10)
    assert numbers(p, "probability_low") + numbers(p, "probability_high") == pytest.approx(np.ones(33), abs=1e-15)
    assert p["prediction"] == ["low" if score > 0 else "high" for score in scores]


def test_regression(spicymkl, trained):
    X, c = trained("squared", lambda f: f)
    new, _ = positive_data(33, 1)
    p = spicymkl.predictions("m.safetensors", spicymkl.table("new.csv", new))
    assert list(p) == ["prediction"]
    assert numbers(p, "prediction") == pytest.approx(recomputed(c, X, new), abs=1e-10)


def test_several_classes_at_once(spicymkl, trained):
    X, c = trained("logistic", lambda f: np.digitize(f, np.quantile(f, [0.3, 0.7])))
    new, _ = positive_data(33, 1)
    p = spicymkl.predictions("m.safetensors", spicymkl.table("new.csv", new), "--contributions")
    scores = recomputed(c, X, new)
    chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    for k in range(3):
        assert numbers(p, f"score_{k}") == pytest.approx(scores[:, k], abs=1e-10)
        assert numbers(p, f"probability_{k}") == pytest.approx(chances[:, k], abs=1e-10)
        shares = sum(numbers(p, f"{k}: {kernel['name']}") for kernel in c["kernels"])
        assert shares + c["intercept"][k] == pytest.approx(scores[:, k], abs=1e-10)
    assert p["prediction"] == [str(k) for k in scores.argmax(1)]


def test_several_classes_each_against_the_rest(spicymkl, trained):
    X, c = trained("logistic", lambda f: np.digitize(f, np.quantile(f, [0.3, 0.7])), "--multi-class", "ovr")
    new, _ = positive_data(33, 1)
    p = spicymkl.predictions("m.safetensors", spicymkl.table("new.csv", new), "--contributions")
    scores = np.array([recomputed(one, X, new) for one in c["classes"]])
    for k, one in enumerate(c["classes"]):
        assert numbers(p, f"score_{k}") == pytest.approx(scores[k], abs=1e-10)
        shares = sum(numbers(p, f"{k}: {kernel['name']}") for kernel in one["kernels"])
        assert shares + one["intercept"] == pytest.approx(scores[k], abs=1e-10)
    each = 1 / (1 + np.exp(-scores))
    assert numbers(p, "probability_1") == pytest.approx(each[1] / each.sum(0), abs=1e-10)
    assert p["prediction"] == [str(k) for k in scores.argmax(0)]


def test_columns_are_found_by_name(spicymkl, trained):
    trained("logistic", lambda f: np.where(f > np.median(f), 1, -1))
    new, _ = positive_data(9, 1)
    expected = spicymkl.predictions("m.safetensors", spicymkl.table("new.csv", new))
    shuffled = {"note": ["some, text"[:4]] * 9, "x3": new[:, 2], "x1": new[:, 0], "y": [1] * 9, "x2": new[:, 1]}
    assert spicymkl.predictions("m.safetensors", spicymkl.table("other.csv", shuffled)) == expected
    spicymkl.refuse(["predict", "m.safetensors", spicymkl.table("less.csv", new[:, :2])], "less.csv", "x3")


def test_a_row_is_predicted_alike_alone_and_in_company(spicymkl, trained):
    trained("logistic", lambda f: np.where(f > np.median(f), 1, -1))
    new, _ = positive_data(5000, 1)
    table = spicymkl.table("new.csv", new)
    whole = spicymkl.ok("predict", "m.safetensors", table, "--contributions", "--threads", 1).splitlines()
    assert spicymkl.ok("predict", "m.safetensors", table, "--contributions", "--threads", 3).splitlines() == whole
    for first, last in ((0, 1), (17, 25), (4990, 5000)):
        part = spicymkl.ok("predict", "m.safetensors", spicymkl.table("part.csv", new[first:last]), "--contributions")
        assert part.splitlines()[1:] == whole[1 + first : 1 + last]


def test_output_file_and_standard_output_are_the_same(spicymkl, trained):
    trained("logistic", lambda f: np.where(f > np.median(f), 1, -1))
    table = spicymkl.table("new.csv", positive_data(9, 1)[0])
    printed = spicymkl.ok("predict", "m.safetensors", table)
    assert spicymkl.ok("predict", "m.safetensors", table, "-o", "p.csv") == ""
    assert (spicymkl.folder / "p.csv").read_text() == printed


def test_imputation_and_standardisation_are_those_of_the_training_rows(spicymkl):
    X, y = problems.classification()
    X = X * [1, 30, 0.1] + [3, 0, 1]
    spicymkl.ok("train", spicymkl.table("d.csv", X, y), "--target", "y", "--impute", "mean", "--model", "m.safetensors",
                "--penalty", "uniform")  # fmt: skip
    new = X[:5].astype(object)
    filled = new.copy()
    new[2, 1], filled[2, 1] = "", X[:, 1].mean()
    a = spicymkl.predictions("m.safetensors", spicymkl.table("new.csv", new))
    b = spicymkl.predictions("m.safetensors", spicymkl.table("filled.csv", filled))
    assert numbers(a, "score") == pytest.approx(numbers(b, "score"), rel=1e-12)


def test_missing_cells_and_bad_values(spicymkl, trained):
    trained("logistic", lambda f: np.where(f > np.median(f), 1, -1))
    new = positive_data(5, 1)[0].astype(object)
    faults = {"": ["line 4", "x2", "missing"], "oops": ["line 4", "x2", "oops"], -1: ["line 4", "x2", "chi2"]}
    for value, words in faults.items():
        cells = new.copy()
        cells[2, 1] = value
        table = spicymkl.table("new.csv", cells)
        spicymkl.refuse(["predict", "m.safetensors", table, "-o", "p.csv"], "new.csv", *words)
        spicymkl.write("p.csv", "precious")
        spicymkl.refuse(["predict", "m.safetensors", table, "-o", "p.csv"], "new.csv", *words)
        (spicymkl.folder / "p.csv").unlink()


def test_precomputed_kernels(spicymkl):
    X, y = problems.classification(n=60)
    K = problems.kernels(X)
    inputs = spicymkl.save(K[:, :40, :40], y[:40])
    spicymkl.ok("train", *inputs, "--model", "m.safetensors", "--certificate", "c.json", "--alpha", "0.2max")
    c = json.loads((spicymkl.folder / "c.json").read_text())
    active = [kernel["index"] for kernel in c["kernels"]]
    new = K[:, 40:, :40]
    scores = c["intercept"] + sum(new[kernel["index"]] @ np.array(kernel["coef"]) for kernel in c["kernels"])
    np.save(spicymkl.folder / "all.npy", new)
    np.save(spicymkl.folder / "active.npy", new[sorted(active)])
    for name in ("all.npy", "active.npy"):
        p = spicymkl.predictions("m.safetensors", "--gram", name)
        assert numbers(p, "score") == pytest.approx(scores, abs=1e-12)
        assert p["prediction"] == ["1" if score > 0 else "-1" for score in scores]
    np.save(spicymkl.folder / "few.npy", new[:1] if len(active) > 1 else new[:2])
    spicymkl.refuse(["predict", "m.safetensors", "--gram", "few.npy"], "few.npy", "active")
    np.save(spicymkl.folder / "narrow.npy", new[:, :, :39])
    spicymkl.refuse(["predict", "m.safetensors", "--gram", "narrow.npy"], "narrow.npy", "40")
    broken = new.copy()
    broken[active[0], 7] = np.nan
    np.save(spicymkl.folder / "broken.npy", broken)
    spicymkl.refuse(["predict", "m.safetensors", "--gram", "broken.npy", "-o", "p.csv"], f"k{active[0]}", "row 7")
    spicymkl.refuse(["predict", "m.safetensors", spicymkl.table("d.csv", X)], "precomputed", "--gram")
    spicymkl.refuse(["predict", "m.safetensors"], "DATA", "--gram")


def test_a_libsvm_file_may_have_fewer_or_more_columns(spicymkl):
    X, y = problems.classification()
    spicymkl.write("d.libsvm", problems.libsvm(X, y))
    spicymkl.ok("train", "d.libsvm", "--model", "m.safetensors", "--penalty", "uniform")
    spicymkl.write("few.libsvm", "0 1:0.5\n")
    spicymkl.write("many.libsvm", "0 1:0.5 9:4\n")
    few, many = (spicymkl.predictions("m.safetensors", name) for name in ("few.libsvm", "many.libsvm"))
    assert few == many


def test_a_model_without_any_kernel_predicts_the_intercept(spicymkl):
    X, y = problems.regression()
    table = spicymkl.table("d.csv", X, y)
    spicymkl.ok("train", table, "--target", "y", "--alpha", "2max", "--model", "m.safetensors")
    predicted = numbers(spicymkl.predictions("m.safetensors", table), "prediction")
    assert predicted == pytest.approx(np.full(len(y), y.mean()))


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.update(format_version=7),
        lambda header: header.pop("fits"),
        lambda header: header["fits"].clear(),
        lambda header: header.update(n_samples=49),
        lambda header: header["kernel_names"].pop(),
        lambda header: header["classes"].append("third"),
        lambda header: header["fits"][0]["active"].__setitem__(0, 99),
        lambda header: header["fits"][0]["active"].pop(),
        lambda header: header["table"]["columns"].pop(),
        lambda header: header["table"]["kernels"][0].update(column_set=99),
        lambda header: header["table"]["active_kernels"][0].update(columns=[7]),
        lambda header: header["table"]["active_kernels"][0].update(columns=[-1]),
        lambda header: header["table"]["active_kernels"][0].update(type="nothing"),
        lambda header: header["table"]["active_kernels"].pop(),
    ],
)
def test_damaged_models(spicymkl, trained, change):
    trained("logistic", lambda f: np.where(f > np.median(f), 1, -1))
    table = spicymkl.table("new.csv", positive_data(5, 1)[0])
    whole = (spicymkl.folder / "m.safetensors").read_bytes()
    (spicymkl.folder / "same").write_bytes(with_header(whole, lambda header: None))
    assert spicymkl.ok("predict", "same", table) == spicymkl.ok("predict", "m.safetensors", table)
    (spicymkl.folder / "damaged").write_bytes(with_header(whole, change))
    spicymkl.refuse(["predict", "damaged", table, "-o", "p.csv"], "damaged")


def test_truncated_and_absent_models(spicymkl, trained):
    trained("logistic", lambda f: np.where(f > np.median(f), 1, -1))
    table = spicymkl.table("new.csv", positive_data(5, 1)[0])
    (spicymkl.folder / "cut").write_bytes((spicymkl.folder / "m.safetensors").read_bytes()[:-9])
    spicymkl.refuse(["predict", "cut", table], "cut", "truncated")
    spicymkl.refuse(["predict", "absent", table], "absent")
