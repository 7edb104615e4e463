"""What a model is worth, what is in it, and whether it holds."""

import json

import numpy as np
import pytest
from sklearn import metrics

import problems


@pytest.fixture
def model(spicymkl):
    def train(X, y, *options):
        spicymkl.ok("train", spicymkl.table("d.csv", X, y), "--target", "y", "--model", "m.safetensors", *options)
        return "m.safetensors"

    return train


def evaluate(spicymkl, *arguments):
    return json.loads(spicymkl.ok("evaluate", "m.safetensors", *arguments, "--json"))


def test_two_classes(spicymkl, model):
    model(*problems.classification(n=60))
    X, y = problems.classification(n=90, seed=5)
    test = spicymkl.table("t.csv", X, y)
    p = spicymkl.predictions("m.safetensors", test)
    found = evaluate(spicymkl, test)
    predicted, chances = np.array(p["prediction"], float), np.array(p["probability_1.0"], float)
    assert found["n_samples"] == 90
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y, predicted))
    assert found["balanced_accuracy"] == pytest.approx(metrics.balanced_accuracy_score(y, predicted))
    assert found["auc"] == pytest.approx(metrics.roc_auc_score(y, np.array(p["score"], float)))
    assert found["log_loss"] == pytest.approx(metrics.log_loss(y, chances))
    assert found["confusion"] == metrics.confusion_matrix(y, predicted).tolist()
    assert "accuracy" in spicymkl.ok("evaluate", "m.safetensors", test)


@pytest.mark.parametrize("how", ["joint", "ovr"])
def test_several_classes(spicymkl, model, how):
    random = np.random.default_rng(0)
    X, y = random.standard_normal((90, 3)), np.tile(["a", "b", "c"], 30)
    X[y == "a", 0] += 1.5
    X[y == "b", 1] += 1.5
    model(X, y, "--multi-class", how)
    found = evaluate(spicymkl, "d.csv")
    p = spicymkl.predictions("m.safetensors", "d.csv")
    chances = np.array([p[f"probability_{name}"] for name in "abc"], float).T
    assert found["accuracy"] == pytest.approx(np.mean(np.array(p["prediction"]) == y))
    assert found["auc"] == pytest.approx(metrics.roc_auc_score(y, chances, multi_class="ovr"))
    assert found["log_loss"] == pytest.approx(metrics.log_loss(y, chances))


def test_a_class_between_two_others_is_told_apart_by_its_probability(spicymkl, model):
    """Scores of classes that are learned at once say nothing across rows: that of the middle class hardly changes."""
    random = np.random.default_rng(3)
    x = np.sort(random.uniform(-3, 3, 120))
    model(x[:, None], np.repeat(["low", "middle", "top"], 40), "--kernels", "paper", "--alpha", "0.01max")
    classes = {one["class"]: one for one in evaluate(spicymkl, "d.csv")["by_class"]}
    assert classes["middle"]["auc"] > 0.9
    choice = ["cv", "d.csv", "--target", "y", "--metric", "auc", "--folds", 3, "--n-alphas", 3]
    assert max(point["mean"] for point in json.loads(spicymkl.ok(*choice, "--json"))["points"]) > 0.9


def test_regression(spicymkl, model):
    model(*problems.regression(n=60))
    X, y = problems.regression(n=40, seed=5)
    test = spicymkl.table("t.csv", X, y, target="truth")
    found = evaluate(spicymkl, test, "--target", "truth")
    predicted = np.array(spicymkl.predictions("m.safetensors", test)["prediction"], float)
    assert found["rmse"] == pytest.approx(metrics.root_mean_squared_error(y, predicted))
    assert found["mae"] == pytest.approx(metrics.mean_absolute_error(y, predicted))
    assert found["r2"] == pytest.approx(metrics.r2_score(y, predicted))


def test_without_probabilities_or_without_one_class(spicymkl, model):
    X, y = problems.classification(n=60)
    model(X, y, "--loss", "hinge")
    found = evaluate(spicymkl, spicymkl.table("t.csv", X[y > 0], y[y > 0]))
    assert "log_loss" not in found and found["auc"] is None


@pytest.mark.parametrize("several", [False, True])
def test_precomputed_kernels_of_new_rows(spicymkl, several):
    """The scores are those of the predictions, whatever is learned; a page is written as for tables."""
    random = np.random.default_rng(3)
    X = random.standard_normal((70, 3))
    K = np.stack([np.outer(x, x) for x in X.T] + [X @ X.T])
    truth = X @ random.standard_normal((3, 2)) if several else np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")
    np.save(spicymkl.folder / "new.npy", K[:, 50:, :50])
    np.save(spicymkl.folder / "truth.npy", truth[50:])
    spicymkl.save(K[:, :50, :50], truth[:50])
    spicymkl.ok("train", "--gram", "K.npy", "--labels", "y.npy", "--model", "m.safetensors")
    found = evaluate(spicymkl, "--gram", "new.npy", "--labels", "truth.npy")
    p = spicymkl.predictions("m.safetensors", "--gram", "new.npy")
    assert found["n_samples"] == 20
    if several:
        predicted = np.array([p["prediction_y0"], p["prediction_y1"]], float).T
        assert found["rmse"] == pytest.approx(np.sqrt(((predicted - truth[50:]) ** 2).mean(axis=0)).mean())
    else:
        assert found["accuracy"] == pytest.approx(metrics.accuracy_score(truth[50:], p["prediction"]))
        assert found["auc"] == pytest.approx(metrics.roc_auc_score(truth[50:], np.array(p["score"], float)))
    spicymkl.ok("evaluate", "m.safetensors", "--gram", "new.npy", "--labels", "truth.npy", "--report", "r.html")
    assert "truth.npy: 20 rows" in (spicymkl.folder / "r.html").read_text()


def test_bad_input_of_evaluate_with_kernels(spicymkl, model):
    X, y = problems.classification(n=30)
    spicymkl.save((X @ X.T)[None], y)
    given = ["--gram", "K.npy", "--labels", "y.npy"]
    spicymkl.ok("train", *given, "--model", "g.safetensors")
    spicymkl.refuse(["evaluate", "g.safetensors"], "DATA", "--gram", "--labels")
    spicymkl.refuse(["evaluate", "g.safetensors", "--gram", "K.npy"], "--gram needs --labels")
    spicymkl.refuse(["evaluate", "g.safetensors", spicymkl.table("t.csv", X, y), *given], "a table or --gram, not both")
    spicymkl.refuse(["evaluate", "g.safetensors", "t.csv"], "t.csv", "precomputed kernels", "--gram")
    spicymkl.refuse(["evaluate", "g.safetensors", *given, "--report", "y.npy"], "same file as --labels")
    np.save(spicymkl.folder / "few.npy", y[:-1])
    spicymkl.refuse(["evaluate", "g.safetensors", *given[:3], "few.npy"], "'few.npy' holds 29 labels", "'K.npy'", "30")
    model(X, y)
    spicymkl.refuse(["evaluate", "m.safetensors", *given], "trained on a table")


def test_bad_input_of_evaluate(spicymkl, model):
    X, y = problems.classification()
    model(X, y)
    spicymkl.refuse(["evaluate", "m.safetensors", spicymkl.table("t.csv", X)], "t.csv", "y")
    labels = y.astype(object)
    labels[3] = "other"
    spicymkl.refuse(["evaluate", "m.safetensors", spicymkl.table("t.csv", X, labels)], "t.csv", "line 5", "other")
    labels[3] = ""
    spicymkl.refuse(["evaluate", "m.safetensors", spicymkl.table("t.csv", X, labels)], "t.csv", "line 5")
    spicymkl.refuse(["evaluate", "absent", "t.csv"], "absent")


def test_inspect(spicymkl, model):
    X, y = problems.classification()
    model(X, y, "--impute", "median")
    shown = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))
    assert shown["classes"] == ["-1.0", "1.0"] and shown["n_samples"] == len(y)
    fit = shown["fits"][0]
    assert fit["relative_gap"] <= shown["tol"]
    weights = [kernel["weight"] for kernel in fit["kernels"]]
    assert weights == sorted(weights, reverse=True) and fit["n_active"] == len(weights)
    assert shown["table"]["impute"] == "median" and shown["table"]["standardize"] is True
    text = spicymkl.ok("inspect", "m.safetensors")
    assert all(kernel["name"] in text for kernel in fit["kernels"])
    spicymkl.refuse(["inspect", "absent"], "absent")
    spicymkl.refuse(["inspect", spicymkl.write("noise", "x" * 100)], "noise")


@pytest.mark.parametrize("kernels", ["auto", "paper", "random:20"])
def test_verify_holds_on_the_training_table_alone(spicymkl, model, kernels):
    X, y = problems.classification(n=40)
    model(X, y, "--kernels", kernels, "--seed", 4)
    done = json.loads(spicymkl.ok("verify", "m.safetensors", "d.csv", "--json"))
    assert done["holds"] and done["relative_gap"] <= done["tol"]
    other = spicymkl.run("verify", "m.safetensors", spicymkl.table("roll.csv", X, np.roll(y, 7)))
    assert other.returncode == 1 and "does not hold" in other.stdout
    moved = X.copy()
    moved[5] += 1e-9
    other = spicymkl.run("verify", "m.safetensors", spicymkl.table("moved.csv", moved, y))
    assert other.returncode == 1 and "row 6" in other.stdout
    strict = spicymkl.run("verify", "m.safetensors", "d.csv", "--tol", 1e-14)
    assert strict.returncode == 1


def test_verify_needs_no_kernel_list_file(spicymkl, model):
    X, y = problems.classification(n=40)
    kernels = spicymkl.kernel_list([{"type": "gaussian", "width": [0.5, 2], "columns": "each", "normalize": "center"}])
    model(X, y, "--kernels", kernels)
    (spicymkl.folder / kernels).unlink()
    assert "holds" in spicymkl.ok("verify", "m.safetensors", "d.csv")


def test_bad_input_of_verify(spicymkl, model):
    X, y = problems.classification()
    model(X, y)
    spicymkl.refuse(["verify", "m.safetensors"], "DATA", "--gram")
    spicymkl.refuse(["verify", "m.safetensors", "absent.csv"], "absent.csv")
    spicymkl.refuse(["verify", "m.safetensors", spicymkl.table("short.csv", X[:-1], y[:-1])], "30 samples", "29")
    spicymkl.refuse(["verify", "m.safetensors", spicymkl.table("less.csv", X[:, :2], y)], "less.csv", "x3")


def test_help_fits_a_screen_and_has_an_example(spicymkl):
    for command in ("train", "predict", "evaluate", "inspect", "kernels", "verify", "generate", "path", "cv"):
        text = spicymkl.ok(command, "--help")
        assert "Example: spicymkl " + command in text
        assert len(text.splitlines()) <= 30
        assert max(map(len, text.splitlines())) <= 100, command


def test_sums_by_source(spicymkl, model):
    X, y = problems.classification(n=60)
    groups = {"first": ["x1", "x2"], "second": ["x3"]}
    options = ("--groups", spicymkl.write("groups.json", json.dumps(groups)), "--alpha", "0.01max")
    model(X, y, *options)
    (fit,) = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))["fits"]
    names = {"first": "first", "second": "second", "all": "all columns"}
    sums = {name: np.zeros(2) for name in names.values()}
    for kernel in fit["kernels"]:
        sums[names[kernel["name"].rpartition(" on ")[2]]] += kernel["weight"], kernel["norm"]
    assert {source["name"] for source in fit["sources"]} == {name for name in sums if sums[name].any()}
    for source in fit["sources"]:
        assert [source["weight"], source["norm"]] == pytest.approx(sums[source["name"]])
        assert source["share"] == pytest.approx(source["weight"] / sum(total[0] for total in sums.values()))
    shares = [source["share"] for source in fit["sources"]]
    assert shares == sorted(shares, reverse=True) and len(shares) < len(fit["kernels"])
    lines = [f"{100 * source['share']:5.1f} %  {source['name']}\n" for source in fit["sources"]]
    assert "".join("    " + line for line in lines) in spicymkl.ok("inspect", "m.safetensors")
    train = ["train", "d.csv", "--target", "y", *options]
    assert json.loads(spicymkl.ok(*train, "--json"))["sources"] == fit["sources"]
    assert lines[0] in spicymkl.ok(*train)
