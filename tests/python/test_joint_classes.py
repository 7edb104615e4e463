"""All classes at once: one weight per kernel, proper probabilities, against independent software."""

import json
import pickle

import cvxpy as cp
import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

import problems
from spicymkl import Linear, MKLClassifier, MKLClassifierCV, MKLRegressor, MKLStudy, load, mkl_path
from test_own_functions import Hinge
from test_references import square_roots

RELATIVE = 1e-5


def three_classes(n=36, seed=0):
    X, _ = problems.classification(n=n, seed=seed)
    random = np.random.default_rng(seed)
    codes = np.digitize(X[:, 0] + 0.4 * random.standard_normal(n), [-0.5, 0.5])
    return X, codes


def conic_optimum(K, codes, alpha, l1_ratio, weights=None):
    """min Σ s(log Σ exp z_k − z_y) + alpha Σ (κ‖W_m‖ + (1 − κ)‖W_m‖²/2), Z = Σ L_m W_m + b."""
    factors, n_classes = square_roots(K), codes.max() + 1
    W = [cp.Variable((f.shape[1], n_classes)) for f in factors]
    b = cp.Variable((1, n_classes))
    Z = sum(f @ w for f, w in zip(factors, W)) + np.ones((len(codes), 1)) @ b
    own = cp.sum(cp.multiply(np.eye(n_classes)[codes], Z), axis=1)
    s = np.ones(len(codes)) if weights is None else weights
    loss = s @ (cp.log_sum_exp(Z, axis=1) - own)
    penalty = sum(l1_ratio * cp.norm(w, "fro") + (1 - l1_ratio) / 2 * cp.sum_squares(w) for w in W)
    return cp.Problem(cp.Minimize(loss + alpha * penalty)).solve(solver=cp.CLARABEL)


def referee(K, codes, certificate):
    """Primal, dual and the gap between them, from the certificate file alone."""
    n_classes = certificate["n_outputs"]
    Y = np.eye(n_classes)[codes]
    s = np.array(certificate.get("sample_weights", np.ones(len(codes))))[:, None]
    alpha, kappa = certificate["alpha"], certificate["l1_ratio"]
    Z = np.tile(certificate["intercept"], (len(codes), 1)).astype(float)
    penalty = 0.0
    for kernel in certificate["kernels"]:
        A = np.array(kernel["coef"])
        Z += K[kernel["index"]] @ A
        norm = np.sqrt(np.trace(A.T @ K[kernel["index"]] @ A))
        assert norm == pytest.approx(kernel["norm"], rel=1e-8)
        penalty += alpha * (kappa * norm + (1 - kappa) * norm**2 / 2)
    primal = float((s[:, 0] * (np.logaddexp.reduce(Z, axis=1) - (Y * Z).sum(1))).sum() + penalty)
    rho = np.array(certificate["dual"])
    assert np.abs(rho.sum(0)).max() < 1e-9 * np.abs(rho).sum() and np.abs(rho.sum(1)).max() < 1e-9
    p = Y - rho / s
    assert p.min() > -1e-12
    norms = np.sqrt([np.trace(rho.T @ k @ rho) for k in K])
    entropy = float((s * np.where(p > 0, p * np.log(np.maximum(p, 1e-300)), 0)).sum())
    if kappa == 1:
        assert norms.max() <= alpha * (1 + 1e-9)
        conjugate = 0.0
    else:
        conjugate = float((np.maximum(norms - alpha * kappa, 0) ** 2 / (2 * alpha * (1 - kappa))).sum())
    return primal, -entropy - conjugate


def train(spicymkl, K, codes, *options):
    spicymkl.save(K, codes)
    arguments = ["--gram", "K.npy", "--labels", "y.npy", "--task", "classification", "--multi-class", "joint", *options]
    spicymkl.ok("train", *arguments, "--certificate", "c.json", "--model", "m.safetensors", "--quiet")
    return json.loads((spicymkl.folder / "c.json").read_text())


@pytest.mark.parametrize("l1_ratio", [1.0, 0.6])
def test_against_a_conic_solver(spicymkl, l1_ratio):
    X, codes = three_classes()
    K = problems.kernels(X, widths=(0.5, 2))
    penalty = ["--penalty", "block1"] if l1_ratio == 1 else ["--penalty", "elasticnet", "--l1-ratio", l1_ratio]
    for alpha in (0.5, 0.05):
        c = train(spicymkl, K, codes, *penalty, "--alpha", alpha, "--tol", 1e-7)
        assert c["loss"] == "multinomial" and c["primal"] == pytest.approx(
            conic_optimum(K, codes, alpha, l1_ratio), rel=RELATIVE
        )
        primal, dual = referee(K, codes, c)
        assert primal == pytest.approx(c["primal"], rel=1e-9) and (primal - dual) / primal < 2e-7


def test_sample_weights_against_a_conic_solver():
    X, codes = three_classes()
    K = problems.kernels(X, widths=(1,))
    weights = np.linspace(0.3, 2, len(codes))
    clf = MKLClassifier("precomputed", multi_class="joint", alpha=0.1, tol=1e-7).fit(K, codes, sample_weight=weights)
    assert clf.primal_objective_ == pytest.approx(conic_optimum(K, codes, 0.1, 1.0, weights), rel=RELATIVE)


def test_one_linear_kernel_is_logistic_regression():
    X, y = load_iris(return_X_y=True)
    X = X - X.mean(0)
    alpha = 0.7
    clf = MKLClassifier("precomputed", penalty="uniform", multi_class="joint", alpha=alpha, tol=1e-9).fit(
        (X @ X.T)[None], y
    )
    peer = LogisticRegression(C=1 / alpha, tol=1e-10, max_iter=10000).fit(X, y)
    ours = X.T @ clf.dual_ * clf.coef_scale_[0]
    assert np.abs(ours.T - peer.coef_).max() < 1e-4
    assert np.abs(clf.predict_proba((X @ X.T)[None]) - peer.predict_proba(X)).max() < 1e-5


def test_one_weight_per_kernel_and_whole_interface(tmp_path):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    clf = MKLClassifier(multi_class="joint").fit(X, names)
    assert clf.duality_gap_ <= 1e-3 and clf.kernel_weights_.ndim == 1 and clf.score(X, names) > 0.95
    assert clf.dual_.shape == (150, 3) and clf.intercept_.shape == (3,)
    chances = clf.predict_proba(X)
    assert chances.sum(1) == pytest.approx(1) and (chances.argmax(1) == clf.decision_function(X).argmax(1)).all()
    shares = clf.contributions(X)
    assert shares.shape == (3, 150, len(clf.kernel_names_))
    assert shares.sum(2).T + clf.intercept_ == pytest.approx(clf.decision_function(X), abs=1e-9)
    assert len(clf.summary()) == len(clf.kernel_names_)
    clf.save(tmp_path / "m.safetensors")
    again = load(tmp_path / "m.safetensors")
    assert again.multi_class == "joint" and (again.predict_proba(X) == chances).all()
    clf.report(tmp_path / "r.html", X, names)
    assert "versicolor" in (tmp_path / "r.html").read_text()


def test_path_and_cross_validation():
    X, y = load_iris(return_X_y=True)
    path = mkl_path(X, y.astype(str), alphas=4, multi_class="joint")
    assert path.kernel_weights.ndim == 2 and (path.duality_gaps <= 1e-3).all() and path.intercepts.shape == (4, 3)
    cv = MKLClassifierCV(multi_class="joint", alphas=4, cv=3).fit(X, y)
    assert cv.score(X, y) > 0.95 and cv.kernel_weights_.ndim == 1


def test_two_classes_are_as_ever():
    X, y = problems.classification(n=40)
    with pytest.warns(UserWarning, match="has no effect: y has two classes"):
        joint, plain = (MKLClassifier(multi_class=kind).fit(X, y) for kind in ("joint", "ovr"))
    assert (joint.kernel_weights_ == plain.kernel_weights_).all()


def test_command_and_python_agree(spicymkl):
    X, codes = three_classes(n=40)
    texts = np.array(["a", "b", "c"])[codes]
    spicymkl.table("t.csv", X, texts)
    common = ["t.csv", "--target", "y", "--multi-class", "joint"]
    spicymkl.ok("train", *common, "--model", "m.safetensors", "--report", "r.html", "--quiet")
    table = np.genfromtxt(spicymkl.folder / "t.csv", delimiter=",", names=True, dtype=None, encoding=None)
    values = np.column_stack([table[f"x{j + 1}"] for j in range(X.shape[1])])
    clf = MKLClassifier(multi_class="joint").fit(values, texts)
    shown = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))
    assert shown["format_version"] == 3 and len(shown["fits"]) == 1 and shown["fits"][0]["n_outputs"] == 3
    assert shown["fits"][0]["primal"] == pytest.approx(clf.primal_objective_, rel=1e-9)
    spicymkl.ok("predict", "m.safetensors", "t.csv", "--contributions", "-o", "p.csv")
    rows = np.genfromtxt(spicymkl.folder / "p.csv", delimiter=",", names=True, dtype=None, encoding=None)
    scores = np.column_stack([rows[f"score_{name}"] for name in "abc"])
    assert scores == pytest.approx(clf.decision_function(values), abs=1e-9)
    spicymkl.ok("verify", "m.safetensors", "t.csv")
    assert "multinomial" in (spicymkl.folder / "r.html").read_text()
    spicymkl.ok("cv", *common, "--folds", 3, "--n-alphas", 4, "--model", "best.safetensors", "--quiet")
    spicymkl.ok("path", *common, "--n-alphas", 4, "-o", "path.csv", "--quiet")
    spicymkl.ok("evaluate", "best.safetensors", "t.csv")


def test_features_and_missing_memory(spicymkl):
    """Kernels that are no matrices: by features, and beyond the memory."""
    X, codes = three_classes(n=300)
    spicymkl.table("t.csv", X, np.array(["a", "b", "c"])[codes])
    common = ["train", "t.csv", "--target", "y", "--multi-class", "joint", "--kernels", "random:20", "--json"]
    exact = json.loads(spicymkl.ok(*common))
    for options in (["--features", "nystrom:40"], ["--memory", "1M"]):
        found = json.loads(spicymkl.ok(*common, *options))
        assert found["relative_gap"] <= 1e-3
    assert found["primal"] == pytest.approx(exact["primal"], rel=2e-3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["c.csv", "--loss", "hinge", "--multi-class", "joint"], "hinge tells two classes apart"),
        (["t.csv", "--multi-class", "joint"], "--multi-class has no effect on two classes"),
        (["n.csv", "--multi-class", "joint"], "--multi-class has no effect on numbers"),
        (["c.csv", "--multi-class", "auto,ovr"], "auto"),
        (["c.csv", "--multi-class", "all"], "joint"),
    ],
)
def test_refusals(spicymkl, arguments, words):
    X, codes = three_classes()
    spicymkl.table("c.csv", X, np.array(["a", "b", "c"])[codes])
    spicymkl.table("t.csv", X, np.where(codes > 0, "p", "q"))
    spicymkl.table("n.csv", X, X[:, 0])
    spicymkl.refuse(["train", *arguments, "--target", "y", "--model", "m.safetensors"], words)


def test_what_leaves_the_choice_to_us_may_be_written_out_where_there_is_none(spicymkl):
    X, codes = three_classes()
    spicymkl.table("t.csv", X, np.where(codes > 0, "p", "q"))
    spicymkl.table("n.csv", X, X[:, 0])
    for name in ("t.csv", "n.csv"):
        assert (
            "multi_class"
            not in json.loads(spicymkl.ok("train", name, "--target", "y", "--multi-class", "auto", "--json"))["data"]
        )
    lines = (spicymkl.folder / "n.csv").read_text().splitlines()
    event = [f"{line},{k % 3 > 0:d}" for k, line in enumerate(lines[1:])]
    (spicymkl.folder / "s.csv").write_text("\n".join([f"{lines[0]},died", *event]).replace("-", "") + "\n")
    spicymkl.ok("train", "s.csv", "--time", "y", "--event", "died", "--multi-class", "auto")


def iris_table(spicymkl):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    spicymkl.table("iris.csv", X, names)
    values = np.loadtxt(spicymkl.folder / "iris.csv", delimiter=",", skiprows=1, usecols=range(X.shape[1]))
    return ["iris.csv", "--target", "y", "--threads", 1], values, names


def trained(spicymkl, *arguments):
    """What the command says, its fits, and the model as an estimator."""
    done = spicymkl.run("train", *arguments, "--model", "m.safetensors")
    assert done.returncode == 0, done.stderr
    fits = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))["fits"]
    return done.stderr, fits, load(spicymkl.folder / "m.safetensors")


def test_the_default_learns_all_classes_at_once_in_the_command_and_in_python(spicymkl):
    table, X, names = iris_table(spicymkl)
    said, fits, by_command = trained(spicymkl, *table)
    assert "3 classes, setosa, versicolor, virginica (all at once; --multi-class ovr would take each against" in said
    assert len(fits) == 1 and fits[0]["n_outputs"] == 3
    assert by_command._model.fits[0].options["loss"] == "multinomial"
    clf = MKLClassifier(n_jobs=1).fit(X, names)
    assert clf.multi_class == "auto" and clf.kernel_weights_.ndim == 1 and clf.dual_.shape == (150, 3)
    assert by_command.primal_objective_ == pytest.approx(clf.primal_objective_, rel=1e-9)
    assert np.abs(by_command.kernel_weights_ - clf.kernel_weights_).max() <= 1e-9
    assert np.abs(by_command.decision_function(X) - clf.decision_function(X)).max() <= 1e-9
    for same in (["--loss", "logistic"], ["--multi-class", "auto"], ["--multi-class", "joint"]):
        assert trained(spicymkl, *table, *same)[2].primal_objective_ == by_command.primal_objective_
    for same in ({"loss": "logistic"}, {"multi_class": "joint"}):
        assert MKLClassifier(n_jobs=1, **same).fit(X, names).primal_objective_ == clf.primal_objective_


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_losses_of_two_classes_learn_each_against_the_rest(spicymkl, loss):
    table, X, names = iris_table(spicymkl)
    said, fits, by_command = trained(spicymkl, *table, "--loss", loss)
    assert f"(each against the rest, as the loss {loss} tells only two apart; --loss logistic would take all at" in said
    assert len(fits) == 3 and by_command._model.fits[0].options["loss"] == loss
    clf = MKLClassifier(loss=loss, n_jobs=1).fit(X, names)
    assert clf.kernel_weights_.shape == (3, len(clf.kernel_names_)) and clf.dual_.shape == (3, 150)
    assert np.abs(by_command.kernel_weights_ - clf.kernel_weights_).max() <= 1e-9
    with pytest.raises(ValueError, match=f"loss {loss} tells two classes apart, but multi_class is joint"):
        MKLClassifier(loss=loss, multi_class="joint").fit(X, names)


def test_the_loss_of_all_classes_goes_by_its_name_too(spicymkl, tmp_path):
    table, X, names = iris_table(spicymkl)
    by_command = trained(spicymkl, *table, "--loss", "multinomial")[2]
    named, plain = MKLClassifier(loss="multinomial", n_jobs=1).fit(X, names), MKLClassifier(n_jobs=1).fit(X, names)
    assert named.primal_objective_ == plain.primal_objective_
    assert np.abs(by_command.kernel_weights_ - named.kernel_weights_).max() <= 1e-9
    assert (named.predict_proba(X) == plain.predict_proba(X)).all()
    assert clone(named).loss == "multinomial"
    named.save(tmp_path / "m.safetensors")
    again = load(tmp_path / "m.safetensors")
    assert again.multi_class == "joint" and (again.predict_proba(X) == named.predict_proba(X)).all()
    assert MKLClassifier(loss="multinomial", multi_class="joint").fit(X, names).kernel_weights_.ndim == 1
    cv = MKLClassifierCV([Linear()], loss="multinomial", alphas=3, cv=3).fit(X, names)
    assert cv.best_score_ == MKLClassifierCV([Linear()], alphas=3, cv=3).fit(X, names).best_score_
    assert mkl_path(X, names, loss="multinomial", alphas=2, kernels=[Linear()]).kernel_weights.shape == (2, 1)
    two = names == names[0]
    assert (
        MKLClassifier(loss="multinomial").fit(X, two).primal_objective_ == MKLClassifier().fit(X, two).primal_objective_
    )
    for y in (names, two):
        with pytest.raises(ValueError, match="loss multinomial learns all classes at once, but multi_class is ovr"):
            MKLClassifier(loss="multinomial", multi_class="ovr").fit(X, y)
    with pytest.raises(ValueError, match="loss is 'multinomial', which learns classes; MKLRegressor learns numbers"):
        MKLRegressor(loss="multinomial").fit(X, X[:, 0])


def test_each_against_the_rest_when_it_is_asked_for(spicymkl):
    table, X, names = iris_table(spicymkl)
    said, fits, by_command = trained(spicymkl, *table, "--multi-class", "ovr")
    assert "setosa, versicolor, virginica (each against the rest)" in said and len(fits) == 3
    clf = MKLClassifier(multi_class="ovr", n_jobs=1).fit(X, names)
    assert clf.status_.tolist() == ["converged"] * 3
    assert np.abs(by_command.kernel_weights_ - clf.kernel_weights_).max() <= 1e-9
    for c, name in enumerate(clf.classes_):  # each is the problem of two classes
        alone = MKLClassifier(n_jobs=1).fit(X, names == name)
        assert clf.primal_objective_[c] == pytest.approx(alone.primal_objective_, rel=1e-9)


def test_losses_of_ones_own_learn_each_against_the_rest():
    X, y = load_iris(return_X_y=True)
    clf = MKLClassifier([Linear()], loss=Hinge()).fit(X, y)
    ours = MKLClassifier([Linear()], loss="hinge").fit(X, y)
    assert clf.kernel_weights_.shape == (3, 1)
    assert clf.primal_objective_ == pytest.approx(ours.primal_objective_, rel=2e-3)
    with pytest.raises(ValueError, match="loss python:Hinge tells two classes apart, but multi_class is joint"):
        MKLClassifier([Linear()], loss=Hinge(), multi_class="joint").fit(X, y)


def test_a_loaded_model_learns_again_as_it_was_learned(tmp_path):
    X, y = load_iris(return_X_y=True)
    for options, way in (({}, "joint"), ({"multi_class": "ovr"}, "ovr"), ({"loss": "hinge"}, "ovr")):
        clf = MKLClassifier(alpha=2.0, **options).fit(X, y)
        clf.save(tmp_path / "m.safetensors")
        again = load(tmp_path / "m.safetensors")
        assert again.multi_class == way
        assert again.fit(X, y).primal_objective_ == pytest.approx(clf.primal_objective_, rel=2e-3)


def test_the_default_goes_wherever_estimators_go():
    """Warm starts, class weights, other processes, calibration, pickles, cross-validation, studies."""
    X, y = load_iris(return_X_y=True)
    clf = MKLClassifier(warm_start=True, class_weight="balanced").fit(X, y)
    first = clf.dual_
    assert clf.fit(X, y).n_iter_ <= 2 and clf.dual_ == pytest.approx(first, abs=0.05)
    with parallel_config(backend="loky", n_jobs=2):
        assert MKLClassifierCV("auto:joint", alphas=3, cv=3).fit(X, y).kernel_weights_.ndim == 1
    K = np.stack([X @ X.T, np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))])
    of_kernels = pickle.loads(pickle.dumps(MKLClassifier("precomputed", psd="clip").fit(K, y)))
    assert of_kernels.score(K, y) > 0.95 and of_kernels.kernel_weights_.shape == (2,)
    assert CalibratedClassifierCV(MKLClassifier(), cv=3).fit(X, y).score(X, y) > 0.9
    study = MKLStudy(MKLClassifier("auto:joint"), repeats=1, outer=2, inner=2, stability=2, permutations=0, alphas=3)
    assert len(study.fit(X, y).selection_) > 0


@pytest.mark.parametrize(
    "options",
    [
        ["--penalty", "elasticnet"],
        ["--penalty", "blockq"],
        ["--penalty", "uniform"],
        ["--penalty", "mixed"],
        ["--solver", "spicy"],
        ["--solver", "onestep", "--penalty", "elasticnet"],
        ["--features", "nystrom:20"],
        ["--features", "fourier:20"],
        ["--memory", "100k"],
        ["--device", "auto"],
        ["--no-intercept"],
        ["--covariates", "x1"],
        ["--loss", "hinge", "--solver", "silp"],
    ],
    ids=" ".join,
)
def test_whatever_learned_several_classes_still_does(spicymkl, options):
    table, _, _ = iris_table(spicymkl)
    _, fits, model = trained(spicymkl, *table, *options)
    assert len(fits) == (3 if "hinge" in options else 1)
    assert np.max(model.duality_gap_) <= 1e-3
    spicymkl.ok("verify", "m.safetensors", "iris.csv")
    spicymkl.ok("train", *table, *options, "--explain")


def test_baselines_name_the_loss_that_they_need(spicymkl):
    table, _, _ = iris_table(spicymkl)
    spicymkl.refuse(["train", *table, "--solver", "silp", "--model", "m.safetensors"], "silp", "hinge")


def test_a_study_and_a_bench_of_three_classes(spicymkl):
    table, _, _ = iris_table(spicymkl)
    few = ["--repeats", 1, "--outer", 2, "--inner", 2, "--stability", 2, "--permutations", 0, "--kernels", "auto:joint"]
    spicymkl.ok("study", *table, *few, "-o", "results", "--quiet")
    spicymkl.ok("merge", "results")
    rows = json.loads(spicymkl.ok("bench", "--table", "iris.csv", "--target", "y", "--json"))["rows"]
    assert {row["loss"] for row in rows} == {"logistic", "hinge"}
