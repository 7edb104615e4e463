"""Several targets of numbers: at once with one weight per kernel, or each with kernels of its own."""

import json
import pickle

import cvxpy as cp
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import MultiTaskLasso
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import KFold, cross_val_score

import problems
from referee import recompute
from spicymkl import MKLClassifier, MKLRegressor, MKLRegressorCV, MKLStudy, alpha_max, certificate, load, mkl_path
from test_references import square_roots

LOSSES = ["squared", "huber", "epsilon_insensitive"]
NAMES = ["height", "weight", "age"]


def targets(n=30, seed=0):
    """Three targets that share columns, of different units and offsets."""
    X, y = problems.regression(n=n, seed=seed)
    random = np.random.default_rng(seed + 1)
    others = [X[:, 0] - X[:, 2] + 5, 3 * y + np.cos(X[:, 1])]
    return X, np.column_stack([y, *others]) + 0.2 * random.standard_normal((n, 3))


def table(spicymkl, name="t.csv", n=40):
    X, Y = targets(n)
    spicymkl.table(name, {f"x{j + 1}": X[:, j] for j in range(3)} | {k: Y[:, i] for i, k in enumerate(NAMES)})
    frame = pd.read_csv(spicymkl.folder / name)
    return frame[["x1", "x2", "x3"]], frame[NAMES].to_numpy()


def conic_optimum(K, Y, loss, alpha, l1_ratio, weights=None, epsilon=0.1):
    """min Σ s·l(y, z) + alpha Σ (κ‖W_m‖ + (1 − κ)‖W_m‖²/2), Z = Σ L_m W_m + 1bᵀ: objective, and each L_m W_m."""
    factors = square_roots(K)
    W = [cp.Variable((f.shape[1], Y.shape[1])) for f in factors]
    R = Y - sum(f @ w for f, w in zip(factors, W)) - np.ones((len(Y), 1)) @ cp.Variable((1, Y.shape[1]))
    each = {
        "squared": lambda: cp.square(R),
        "huber": lambda: cp.huber(R, epsilon),
        "epsilon_insensitive": lambda: cp.pos(cp.abs(R) - epsilon),
    }[loss]()
    s = np.ones(len(Y)) if weights is None else weights
    penalty = sum(l1_ratio * cp.norm(w, "fro") + (1 - l1_ratio) / 2 * cp.sum_squares(w) for w in W)
    value = cp.Problem(cp.Minimize(cp.sum(s @ each) + alpha * penalty)).solve(solver=cp.CLARABEL)
    return value, np.array([f @ w.value for f, w in zip(factors, W)])


def images(K, model):
    """K_m A_m of every kernel."""
    return np.array([scale * k @ model.dual_ for k, scale in zip(K, model.coef_scale_)])


# --- against independent software -------------------------------------------------------------------------------------


@pytest.mark.parametrize("l1_ratio", [1.0, 0.6])
@pytest.mark.parametrize("loss", LOSSES)
def test_against_a_conic_solver(loss, l1_ratio):
    X, Y = targets()
    K = problems.kernels(X, widths=(0.5, 2))
    penalty = {"penalty": "block1"} if l1_ratio == 1 else {"penalty": "elasticnet", "l1_ratio": l1_ratio}
    for alpha in (0.5, 0.05):
        model = MKLRegressor("precomputed", loss=loss, alpha=alpha, tol=1e-8, **penalty).fit(K, Y)
        objective, parts = conic_optimum(K, Y, loss, alpha, l1_ratio)
        assert model.primal_objective_ == pytest.approx(objective, rel=1e-5)
        if l1_ratio < 1:  # then the functions f_m are unique
            assert np.abs(images(K, model) - parts).max() < 1e-4 * np.abs(parts).max()


def test_sample_weights_against_a_conic_solver():
    X, Y = targets()
    K = problems.kernels(X, widths=(1,))
    weights = np.linspace(0.3, 2, len(Y))
    model = MKLRegressor("precomputed", alpha=0.2, tol=1e-8).fit(K, Y, sample_weight=weights)
    assert model.primal_objective_ == pytest.approx(conic_optimum(K, Y, "squared", 0.2, 1.0, weights)[0], rel=1e-5)


def test_one_linear_kernel_per_column_is_the_multi_task_lasso():
    random = np.random.default_rng(3)
    X = random.standard_normal((60, 12))
    Y = X[:, :4] @ random.standard_normal((4, 5)) + 0.5 * random.standard_normal((60, 5))
    K = np.einsum("im,jm->mij", X, X)
    for strength in (0.05, 0.3):
        peer = MultiTaskLasso(alpha=strength, tol=1e-12, max_iter=100000).fit(X, Y)
        # It minimises ‖Y − XW‖²/2n + strength Σ‖w_m‖: 2n times that is ours.
        model = MKLRegressor("precomputed", alpha=2 * len(X) * strength, tol=1e-10).fit(K, Y)
        ours = model.coef_scale_[:, None] * (X.T @ model.dual_)
        assert np.abs(ours.T - peer.coef_).max() < 1e-4 * np.abs(peer.coef_).max()
        assert (np.linalg.norm(peer.coef_, axis=0) > 1e-8).tolist() == (model.kernel_weights_ > 0).tolist()
        assert model.intercept_ == pytest.approx(peer.intercept_, rel=1e-4)


@pytest.mark.parametrize("loss", [*LOSSES, "quantile"])
@pytest.mark.parametrize("penalty", ["block1", "elasticnet", "blockq", "uniform", "mixed"])
def test_certificates_are_recomputed(spicymkl, loss, penalty):
    X, Y = targets(n=24)
    K = problems.kernels(X, widths=(1,))
    weights = np.linspace(0.5, 2, len(Y))
    for options, own in (([], None), (["--no-intercept"], None), ([], weights)):
        c = spicymkl.certificate(
            K, Y, "--loss", loss, "--penalty", penalty, "--alpha", "0.1max", "--tol", 1e-6, *options, weights=own
        )
        assert c["n_outputs"] == 3 and c["output_targets"] == ["y0", "y1", "y2"] and len(c["intercept"]) == 3
        assert np.shape(c["dual"]) == np.shape(c["kernels"][0]["coef"]) == Y.shape
        primal, dual = recompute(c, K, Y)
        assert primal == pytest.approx(c["primal"], rel=1e-9) and dual == pytest.approx(c["dual_objective"], rel=1e-8)
        assert (primal - dual) / primal <= 1.1e-6


# --- each by itself ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", LOSSES)
def test_each_equals_fits_of_single_targets(loss):
    X, Y = targets(n=40)
    each = MKLRegressor(loss=loss, multi_output="each", tol=1e-6, n_jobs=2).fit(X, Y)
    assert each.kernel_weights_.shape == (3, len(each.kernel_names_)) and each.dual_.shape == (3, 40)
    assert each.intercept_.shape == (3,) and each.duality_gap_.max() <= 1e-6
    for k in range(3):
        alone = MKLRegressor(loss=loss, tol=1e-6, n_jobs=1).fit(X, Y[:, k])
        assert each.alpha_[k] == pytest.approx(alone.alpha_, rel=1e-12)
        assert each.primal_objective_[k] == pytest.approx(alone.primal_objective_, rel=2e-6)
        assert np.abs(each.predict(X)[:, k] - alone.predict(X)).max() < 2e-2 * Y[:, k].std()


def test_hundreds_of_targets(spicymkl):
    """In blocks, side by side; with little memory one after the other, to the same answer."""
    random = np.random.default_rng(0)
    X = random.standard_normal((60, 4))
    Y = np.sin(X) @ random.standard_normal((4, 300)) + 0.3 * random.standard_normal((60, 300))
    np.savez(spicymkl.folder / "t.npz", x=X, y=Y)
    common = ["train", "t.npz", "--target", "y", "--multi-output", "each", "--kernels", "random:20"]
    shown = spicymkl.ok(*common, "--threads", 2, "--model", "m.safetensors")
    assert "300 targets, each with kernels of its own: 300 converged" in shown
    little = json.loads(spicymkl.ok(*common, "--memory", "200K", "--json"))
    model = load(spicymkl.folder / "m.safetensors")
    assert model.multi_output == "each" and len(little["targets"]) == 300 and model.predict(X).shape == (60, 300)
    for k in (0, 299):
        assert little["targets"][k]["target"] == model.target_names_[k] == f"y{k}"
        assert little["targets"][k]["primal"] == pytest.approx(model.primal_objective_[k], rel=2e-3)
    measured = json.loads(spicymkl.ok("evaluate", "m.safetensors", "t.npz", "--json"))
    assert measured["r2"] == pytest.approx(r2_score(Y, model.predict(X)), rel=1e-9)
    verdict = json.loads(spicymkl.ok("verify", "m.safetensors", "t.npz", "--json"))
    assert verdict["holds"] and len(verdict["targets"]) == 300


def test_checkpoint_of_each(spicymkl):
    table(spicymkl)
    common = ["train", "t.csv", "--target", *NAMES, "--multi-output", "each", "--checkpoint", "c", "--threads", 2]
    cut = spicymkl.run(*common, "--max-iter", 1, "--tol", 1e-9)
    assert cut.returncode == 1 and (spicymkl.folder / "c").exists()
    spicymkl.ok(*common, "--resume", "--tol", 1e-9, "--model", "m.safetensors", "--quiet")
    assert (load(spicymkl.folder / "m.safetensors").duality_gap_ <= 1e-9).all()


# --- the whole way ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["joint", "each"])
def test_command_and_python_agree(spicymkl, how):
    X, Y = table(spicymkl)
    common = ["t.csv", "--target", *NAMES, "--multi-output", how]
    shown = json.loads(
        spicymkl.ok("train", *common, "--model", "m.safetensors", "--report", "r.html", "--test", "t.csv", "--json")
    )
    model = MKLRegressor(multi_output=how).fit(X, pd.DataFrame(Y, columns=NAMES))
    assert model.target_names_.tolist() == NAMES
    fits = [shown] if how == "joint" else shown["targets"]
    assert [fit["primal"] for fit in fits] == pytest.approx(np.atleast_1d(model.primal_objective_).tolist(), rel=1e-9)
    spicymkl.ok("predict", "m.safetensors", "t.csv", "--contributions", "-o", "p.csv")
    rows = pd.read_csv(spicymkl.folder / "p.csv")
    assert rows.columns[:3].tolist() == [f"prediction_{name}" for name in NAMES]
    assert rows.iloc[:, :3].to_numpy() == pytest.approx(model.predict(X), abs=1e-9)
    parts = model.contribution_frame(X)
    for k, name in enumerate(NAMES):
        of_target = rows[[column for column in rows if column.startswith(f"{name}: ")]]
        assert of_target.sum(axis=1).to_numpy() + model.intercept_[k] == pytest.approx(model.predict(X)[:, k])
        one = of_target.columns[0]
        assert of_target[one].to_numpy() == pytest.approx(parts[name, one.removeprefix(f"{name}: ")], abs=1e-9)
    measured = json.loads(spicymkl.ok("evaluate", "m.safetensors", "t.csv", "--json"))
    assert measured == shown["test"] and [one["target"] for one in measured["by_target"]] == NAMES
    assert measured["r2"] == pytest.approx(r2_score(Y, model.predict(X)), rel=1e-9)
    each = mean_absolute_error(Y, model.predict(X), multioutput="raw_values")
    assert [one["mae"] for one in measured["by_target"]] == pytest.approx(each.tolist(), rel=1e-9)
    assert "height" in spicymkl.ok("evaluate", "m.safetensors", "t.csv")
    assert json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))["targets"] == NAMES
    spicymkl.ok("verify", "m.safetensors", "t.csv")
    page = (spicymkl.folder / "r.html").read_text()
    assert all(name in page for name in NAMES)


def test_targets_are_found_by_name_in_any_order(spicymkl):
    table(spicymkl)
    spicymkl.ok("train", "t.csv", "--target", *NAMES, "--model", "m.safetensors")
    first = spicymkl.ok("evaluate", "m.safetensors", "t.csv")
    assert spicymkl.ok("evaluate", "m.safetensors", "t.csv", "--target", *NAMES[::-1]) == first
    spicymkl.ok("verify", "m.safetensors", "t.csv", "--target", *NAMES[::-1])
    given = ["evaluate", "m.safetensors", "t.csv", "--target", NAMES[1], "x1", NAMES[2]]
    spicymkl.refuse(given, "names 'weight' in the place of 'height'", "height weight age")


def test_targets_of_unlike_size_are_warned_of(spicymkl):
    X, Y = targets(40)
    Y[:, 1] *= 1000
    spicymkl.table("t.csv", {f"x{j + 1}": X[:, j] for j in range(3)} | {k: Y[:, i] for i, k in enumerate(NAMES)})
    train = ["train", "t.csv", "--target", *NAMES, "--model", "m.safetensors"]
    said = spicymkl.run(*train, "--report", "r.html").stderr
    assert "warning: the targets are of unlike size (the deviation of 'weight' is" in said
    assert "learn each by itself (--multi-output each)" in said
    assert "of unlike size" in (spicymkl.folder / "r.html").read_text()
    assert "of unlike size" not in spicymkl.run(*train, "--multi-output", "each").stderr
    with pytest.warns(UserWarning, match='of unlike size .*multi_output="each"'):
        MKLRegressor().fit(X, pd.DataFrame(Y, columns=NAMES))


@pytest.mark.parametrize("how", ["joint", "each"])
def test_path_and_cross_validation(spicymkl, how):
    X, Y = table(spicymkl)
    common = ["t.csv", "--target", *NAMES, "--multi-output", how, "--n-alphas", 4]
    spicymkl.ok("path", *common, "-o", "path.csv", "--report", "path.html", "--picture", "p.svg", "--quiet")
    points = pd.read_csv(spicymkl.folder / "path.csv")
    path = mkl_path(X, Y, alphas=4, multi_output=how)
    if how == "joint":
        assert [f"intercept_{name}" in points for name in NAMES] == [True] * 3 and len(points) == 4
        assert points[[f"intercept_{name}" for name in NAMES]].to_numpy() == pytest.approx(path.intercepts, abs=1e-6)
        assert path.duals.shape == (4, 40, 3)
    else:
        assert points["target"].unique().tolist() == NAMES and len(points) == 12 and path.duals.shape == (3, 4, 40)
    found = json.loads(spicymkl.ok("cv", *common, "--folds", 3, "--model", "m.safetensors", "--json"))
    assert found["metric"] == "r2"
    spicymkl.ok("verify", "m.safetensors", "t.csv")
    cv = MKLRegressorCV(multi_output=how, alphas=4, cv=KFold(3)).fit(X, Y)
    plain = MKLRegressor(multi_output=how, **cv.best_params_)
    assert cv.best_score_ == pytest.approx(cross_val_score(plain, X, Y, cv=KFold(3)).mean(), abs=2e-2)


def test_python_interface(tmp_path):
    X, Y = targets(n=40)
    model = MKLRegressor(warm_start=True).fit(X, Y)
    assert model.predict(X).shape == (40, 3) and model.dual_.shape == (40, 3) and model.kernel_weights_.ndim == 1
    assert model.score(X, Y) == pytest.approx(r2_score(Y, model.predict(X)))
    assert model.contributions(X).shape == (3, 40, len(model.kernel_names_))
    assert len(model.summary()) == len(model.kernel_names_)
    assert model.prediction_frame(X).columns.tolist() == ["prediction_y0", "prediction_y1", "prediction_y2"]
    stored = certificate(model)
    assert stored["n_outputs"] == 3 and certificate(model, X, Y)["holds"]
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == model.predict(X)).all()
    model.save(tmp_path / "m.safetensors")
    loaded = load(tmp_path / "m.safetensors")
    assert loaded.multi_output == "joint" and (loaded.predict(X) == model.predict(X)).all()
    model.report(tmp_path / "r.html", X, Y)
    assert "3 targets" in (tmp_path / "r.html").read_text()
    each = MKLRegressor(multi_output="each").fit(X, pd.DataFrame(Y, columns=NAMES))
    assert each.summary()["target"].unique().tolist() == NAMES and len(certificate(each)["targets"]) == 3
    each.report(tmp_path / "e.html", X, Y)
    assert alpha_max(X, Y) > 0
    with pytest.warns(Warning, match="column-vector"):
        assert clone(model).fit(X, Y[:, :1]).predict(X).shape == (40,)
    model.fit(X, Y[:, 0])  # a start of another size is none
    assert model.predict(X).shape == (40,) and not hasattr(model, "target_names_")
    weights = np.ones(40)
    weights[:5] = 0
    kept = clone(model).fit(X, Y, sample_weight=weights)
    assert kept.dual_.shape == (40, 3) and not kept.dual_[:5].any()


def test_features_little_memory_and_little_time(spicymkl):
    X, Y = targets(n=300)
    np.savez(spicymkl.folder / "t.npz", x=X, y=Y)
    common = ["train", "t.npz", "--target", "y", "--kernels", "random:20", "--json"]
    exact = json.loads(spicymkl.ok(*common))
    for options in (["--features", "nystrom:40"], ["--memory", "1M"]):
        found = json.loads(spicymkl.ok(*common, *options))
        assert found["relative_gap"] <= 1e-3
    assert found["primal"] == pytest.approx(exact["primal"], rel=2e-3)
    assert "300 rows" in spicymkl.ok("train", "t.npz", "--target", "y", "--explain")
    for how in ("joint", "each"):  # out of time: the best there is, certified
        done = spicymkl.run(*common, "--multi-output", how, "--max-seconds", 1e-9)
        assert done.returncode == 1 and "Traceback" not in done.stderr


def test_targets_of_one_of_several_tables(spicymkl):
    X, Y = targets(n=40)
    ids = {"id": [f"s{i}" for i in range(40)]}
    spicymkl.table("a.csv", ids | {"x1": X[:, 0], "x2": X[:, 1]})
    spicymkl.table("b.csv", ids | {"x3": X[:, 2], "u": Y[:, 0], "v": Y[:, 1]})
    common = ["a.csv", "b.csv", "--id", "id", "--target"]
    spicymkl.ok("train", *common, "u", "v", "--model", "m.safetensors", "--quiet")
    spicymkl.ok("verify", "m.safetensors", "a.csv", "b.csv", "--id", "id")
    spicymkl.refuse(["train", *common, "u", "x1"], "a.csv", "b.csv", "one table")
    spicymkl.refuse(["train", *common, "u", "w"], "--target 'w'", "no table has such a column")


def test_a_table_behind_the_targets(spicymkl):
    table(spicymkl)
    spicymkl.ok("train", "--target", "height", "t.csv", "--quiet", "--model", "one.safetensors")
    spicymkl.ok("train", "--target", *NAMES, "t.csv", "--quiet", "--model", "m.safetensors")
    spicymkl.ok("evaluate", "--target", *NAMES, "--quiet", "m.safetensors", "t.csv")
    spicymkl.ok("evaluate", "--target", "height", "one.safetensors", "t.csv")


# --- what is wrong ----------------------------------------------------------------------------------------------------


def bad_table(spicymkl):
    X, Y = targets(n=20)
    texts = ["low", "high"] * 10
    holes = [*Y[:6, 1].tolist(), "", *Y[7:, 1].tolist()]
    columns = {"x1": X[:, 0], "x2": X[:, 1], "a": Y[:, 0], "b": Y[:, 1], "flat": [3] * 20, "hole": holes, "text": texts}
    spicymkl.table("t.csv", columns)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a", "flat"], ["target 'flat'", "all 20 rows have the value 3"]),
        (["a", "b", "a"], ["--target names column 'a' twice"]),
        (["a", "2"], ["--target names column 'a' twice"]),
        (["a", "hole"], ["line 8, column 'hole'", "the target is missing (1 cell in all)"]),
        (["a", "nobody"], ["no column 'nobody'"]),
        (["a", "b", "--weights", "b"], ["'b' cannot be both a target and the weights"]),
        (["a", "b", "--drop", "b"], ["'b' cannot be both a target and dropped"]),
        (["a", "b", "--id", "a"], ["'a' cannot be both a target and the identity"]),
        (["a", "b", "--loss", "logistic"], ["several targets are numbers", "loss logistic learns classes"]),
        (["a", "b", "--task", "classification"], ["several targets are numbers", "--task classification"]),
        (["a", "b", "--multi-class", "joint"], ["--multi-class has no effect on numbers"]),
        (["a", "--multi-output", "each"], ["--multi-output has no effect on one target"]),
        (["a", "b", "--multi-output", "all"], ["multi_output 'all'"]),
        (["a", "b", "--solver", "silp"], ["silp"]),
    ],
)
def test_refusals(spicymkl, arguments, words):
    bad_table(spicymkl)
    drop = ["--drop", *{"text", "flat", "hole"}.difference(arguments)]
    if "--drop" in arguments:
        arguments, drop = arguments[:-1], [*drop, "b"]
        arguments.remove("--drop")
    spicymkl.refuse(["train", "t.csv", "--target", *arguments, *drop, "--model", "m.safetensors"], *words)


def test_more_refusals(spicymkl):
    bad_table(spicymkl)
    for command in ("train", "cv", "path"):
        done = spicymkl.run(command, "t.csv", "--target", "a", "text", "--drop", "flat", "hole")
        assert done.returncode == 2
        assert "column 'text': 'low' is not a number" in done.stderr and "several targets are" in done.stderr
    spicymkl.kernel_list([{"type": "linear", "columns": ["x1", "a"]}])
    drop = ["--drop", "text", "flat", "hole"]
    spicymkl.refuse(["train", "t.csv", "--target", "a", "b", *drop, "--kernels", "kernels.json"], "'a'")
    spicymkl.refuse(["study", "t.csv", "--target", "a", "b", *drop, "-o", "d"], "study", "one target", "2 are given")
    spicymkl.ok("train", "t.csv", "--target", "a", "b", *drop, "--model", "m.safetensors", "--quiet")
    spicymkl.refuse(["evaluate", "m.safetensors", "t.csv", "--target", "a"], "1 target is given", "2 targets (a, b)")
    spicymkl.refuse(["verify", "m.safetensors", "t.csv", "--target", "a"], "1 target is given", "2 targets (a, b)")
    spicymkl.write("t.libsvm", "1 1:2\n2 1:3\n")
    spicymkl.refuse(["train", "t.libsvm", "--target", "a", "b"], "a LIBSVM file has one target")


def test_bad_label_files(spicymkl):
    X, Y = targets(n=20)
    K = problems.kernels(X, widths=(1,))
    Y[3, 1] = np.nan
    spicymkl.refuse(["train", *spicymkl.save(K, Y)], "y.npy, row 4, column 'y1'", "the target is missing")
    Y[3, 1] = np.inf
    spicymkl.refuse(["train", *spicymkl.save(K, Y)], "row 4, column 2", "finite")
    spicymkl.refuse(["train", *spicymkl.save(K, Y.astype(str))], "several targets are numbers")
    spicymkl.refuse(["train", *spicymkl.save(K, Y[5:])], "15 labels", "20 rows")


@pytest.mark.parametrize("as_frame", [pd.DataFrame, pl.DataFrame])
def test_targets_of_frames_are_compared_by_name(tmp_path, as_frame):
    X, Y = targets(n=60)
    y = as_frame({name: Y[:, k] for k, name in enumerate(NAMES)})
    model = MKLRegressor().fit(X, y)
    expected = pytest.approx(model.score(X, y), rel=1e-12)
    model.save(tmp_path / "m.safetensors")
    turned = NAMES[::-1]
    for estimator in (model, load(tmp_path / "m.safetensors")):
        assert estimator.score(X, y[turned]) == expected and estimator.score(X, Y) == expected
        more = as_frame({"id": X[:, 0]} | {name: Y[:, NAMES.index(name)] for name in turned})
        assert estimator.score(X, more) == expected
        pages = []
        for test in (y, y[turned], Y):
            estimator.report(tmp_path / "r.html", X, test)
            pages.append((tmp_path / "r.html").read_text())
        assert pages[0] == pages[1] == pages[2]
        other = as_frame({name.upper(): Y[:, k] for k, name in enumerate(NAMES)})
        with pytest.raises(
            ValueError, match="^y has no column 'height', a target of the model; its columns are 'HEIGHT', "
        ):
            estimator.score(X, other)
        with pytest.raises(ValueError, match="^y_test has no column 'height', a target of the model"):
            estimator.report(tmp_path / "r.html", X, other)
    unnamed = MKLRegressor().fit(X, Y)
    for y in (other, pd.DataFrame(Y), Y):
        assert unnamed.score(X, y) == pytest.approx(expected.expected, rel=1e-9)


def test_bad_input_of_python():
    X, Y = targets(n=20)
    holes = Y.copy()
    holes[4, 2] = np.nan
    with pytest.raises(ValueError, match=r"NaN or infinity: row 4, column 'age' \(1 in all\)"):
        MKLRegressor().fit(X, pd.DataFrame(holes, columns=NAMES))
    with pytest.raises(ValueError, match="target 'y1': all 20 rows have the value 2"):
        MKLRegressor().fit(X, np.column_stack([Y[:, 0], np.full(20, 2.0)]))
    with pytest.raises(ValueError, match="two columns called 'a'"):
        MKLRegressor().fit(X, pd.DataFrame(Y[:, :2], columns=["a", "a"]))
    with pytest.raises(ValueError, match="row 0, column 'y1': 'low' is not a number"):
        MKLRegressor().fit(X, np.column_stack([Y[:, 0].astype(object), ["low"] * 20]))
    with pytest.raises(ValueError, match="multi_output is 'all'"):
        MKLRegressor(multi_output="all").fit(X, Y)
    with pytest.raises(ValueError, match="1d array|bad input shape|shape"):
        MKLClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="one target, but y has 3"):
        MKLStudy(MKLRegressor()).fit(X, Y)
    model = MKLRegressor().fit(X, Y)
    with pytest.raises(ValueError, match="y has 1 targets, but the model 3"):
        certificate(model, X, Y[:, 0])
    with pytest.raises(ValueError, match="y_test has the shape"):
        model.report("r.html", X, Y[:, :2])


def test_covariates_of_several_targets():
    """With the squared loss and no kernel, each target has the regression that it has by itself."""
    random = np.random.default_rng(4)
    X = random.standard_normal((60, 4))
    Y = X[:, :1] * [[2.0, -1.0]] + X[:, 1:3] + 0.1 * random.standard_normal((60, 2))
    C = np.c_[np.ones(60), X[:, :2]]
    coef = np.linalg.lstsq(C, Y, rcond=None)[0]
    for multi_output in ("joint", "each"):
        model = MKLRegressor(covariates=[0, 1], multi_output=multi_output, alpha=1e6, tol=1e-9).fit(X, Y)
        assert model.predict(X) == pytest.approx(C @ coef, abs=1e-6)
