"""Covariates without a penalty: against independent software, through every command, and what is refused."""

import json

import cvxpy as cp
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import problems
import referee
from spicymkl import (
    ContributionsDisplay,
    MKLClassifier,
    MKLClassifierCV,
    MKLRegressor,
    MKLStudy,
    alpha_max,
    certificate,
    load,
    mkl_path,
)
from spicymkl.kernels import Gaussian
from test_references import conic_loss, square_roots

RELATIVE = 1e-5


def adjusted(loss, n=40, seed=3):
    """Kernels, labels, and covariates in units of their own: age in years, income in thousands of cents."""
    X, y = problems.for_loss(loss, n=n, seed=seed)
    random = np.random.default_rng(seed)
    C = np.column_stack([50 + 12 * random.standard_normal(n) + 4 * np.sign(y), 3e5 + 1e4 * random.standard_normal(n)])
    if loss in ("squared", "epsilon_insensitive"):
        y = y + 0.05 * C[:, 0] - 1e-4 * C[:, 1]
    return problems.kernels(X, widths=(0.5, 2)), y, C


def conic_solution(K, y, C, loss, alpha, l1_ratio):
    """Objective, and the coefficients of the covariates, by a conic solver on standardised columns."""
    factors = square_roots(K)
    mean, scale = C.mean(0), C.std(0)
    w, b, b0 = [cp.Variable(f.shape[1]) for f in factors], cp.Variable(C.shape[1]), cp.Variable()
    z = sum(f @ v for f, v in zip(factors, w)) + ((C - mean) / scale) @ b + b0
    penalty = sum(l1_ratio * cp.norm(v) + (1 - l1_ratio) / 2 * cp.sum_squares(v) for v in w)
    value = cp.Problem(cp.Minimize(conic_loss(loss, y, z) + alpha * penalty)).solve(
        solver=cp.CLARABEL, tol_gap_abs=1e-11, tol_gap_rel=1e-11, tol_feas=1e-11
    )
    return value, b.value / scale


def trained(spicymkl, K, y, C, *options):
    np.save(spicymkl.folder / "C.npy", C)
    return spicymkl.certificate(K, y, "--covariates", "C.npy", *options, "--model", "m.safetensors")


@pytest.mark.parametrize("l1_ratio", [1.0, 0.6])
@pytest.mark.parametrize("loss", ["squared", "logistic", "hinge"])
def test_against_a_conic_solver(spicymkl, loss, l1_ratio):
    K, y, C = adjusted(loss)
    penalty = ["--penalty", "block1"] if l1_ratio == 1 else ["--penalty", "elasticnet", "--l1-ratio", l1_ratio]
    c = trained(spicymkl, K, y, C, "--loss", loss, *penalty, "--alpha", 0.1, "--tol", 1e-8)
    value, coef = conic_solution(K, y, C, loss, 0.1, l1_ratio)
    assert c["kernels"], "the test is about kernels and covariates together"
    assert c["primal"] == pytest.approx(value, rel=RELATIVE)
    assert np.array(c["covariate_coef"]) * C.std(0) == pytest.approx(coef * C.std(0), abs=1e-4)
    primal, dual = referee.recompute(c, K, y)
    assert primal == pytest.approx(c["primal"], rel=1e-9) and (primal - dual) / primal < 1.01e-8


def test_the_squared_loss_is_that_of_residuals(spicymkl):
    """Projected off the covariates and the intercept, targets and kernels give the same fit without either."""
    K, y, C = adjusted("squared")
    ours = trained(spicymkl, K, y, C, "--loss", "squared", "--alpha", 0.2, "--tol", 1e-9)
    Q = np.linalg.qr(np.column_stack([np.ones(len(y)), (C - C.mean(0)) / C.std(0)]))[0]
    P = np.eye(len(y)) - Q @ Q.T
    residual = np.array([P @ k @ P for k in K])
    options = ["--loss", "squared", "--alpha", 0.2, "--tol", 1e-9, "--no-intercept", "--psd", "clip"]
    theirs = spicymkl.certificate((residual + residual.transpose(0, 2, 1)) / 2, P @ y, *options)
    assert ours["primal"] == pytest.approx(theirs["primal"], rel=1e-7)
    weights = [{k["index"]: k["weight"] for k in c["kernels"]} for c in (ours, theirs)]
    assert weights[0].keys() == weights[1].keys()
    for index, weight in weights[0].items():
        assert weight == pytest.approx(weights[1][index], rel=1e-3)


def test_without_kernels_it_is_a_regression_without_a_penalty(spicymkl):
    K, y, C = adjusted("logistic")
    c = trained(spicymkl, K, y, C, "--alpha", "1.0001max", "--tol", 1e-9)
    assert not c["kernels"]
    standard = (C - C.mean(0)) / C.std(0)
    peer = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10000).fit(standard, y)
    assert np.array(c["covariate_coef"]) * C.std(0) == pytest.approx(peer.coef_[0], abs=1e-5)
    assert c["intercept"] + C.mean(0) @ c["covariate_coef"] == pytest.approx(peer.intercept_[0], abs=1e-5)
    below = trained(spicymkl, K, y, C, "--alpha", "0.95max", "--tol", 1e-6)
    assert len(below["kernels"]) == 1, "alpha_max is that of the residuals of the covariates"


@pytest.mark.parametrize("loss", ["huber", "quantile", "squared_hinge", "epsilon_insensitive"])
def test_certificates_of_other_losses_hold(spicymkl, loss):
    K, y, C = adjusted(loss)
    for intercept in ([], ["--no-intercept"]):
        c = trained(spicymkl, K, y, C, "--loss", loss, "--alpha", "0.1max", "--tol", 1e-6, *intercept)
        primal, dual = referee.recompute(c, K, y)
        assert primal == pytest.approx(c["primal"], rel=1e-9) and (primal - dual) / primal < 1.01e-6


def table(n=90, seed=1, n_classes=2):
    """A frame with age and site beside two columns for kernels."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, 2))
    age, site = 50 + 10 * random.standard_normal(n), random.choice(["A", "B", "C"], n)
    score = np.sin(2 * X[:, 0]) + 0.04 * (age - 50) + 0.7 * (site == "B") + 0.5 * random.standard_normal(n)
    frame = pd.DataFrame({"x1": X[:, 0], "age": age.round(2), "x2": X[:, 1], "site": site})
    edges = np.quantile(score, np.arange(1, n_classes) / n_classes)
    return frame, np.array(["a", "b", "c"])[np.digitize(score, edges)], score


COVARIATES = ["age", "site"]


def write(spicymkl, frame, y, name="t.csv"):
    frame.assign(y=y).to_csv(spicymkl.folder / name, index=False, float_format="%.17g")
    return ["--target", "y", "--categorical", "site", "--covariates", "age,site"]


def test_command_and_python_agree(spicymkl):
    frame, y, _ = table()
    common = write(spicymkl, frame, y)
    files = ["--model", "m.safetensors", "--report", "r.html", "--certificate", "c.json"]
    text = spicymkl.ok("train", "t.csv", *common, *files)
    assert "3 covariates without a penalty" in text and "site=A is the reference" in text
    clf = MKLClassifier(covariates=COVARIATES).fit(frame, y)
    assert clf.covariate_names_.tolist() == ["age", "site=B", "site=C"]
    assert not any("age" in name or "site" in name for name in clf.kernel_names_)
    (fit,) = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))["fits"]
    assert fit["primal"] == pytest.approx(clf.primal_objective_, rel=1e-9)
    assert [c["coef"] for c in fit["covariates"]] == pytest.approx(clf.covariate_coef_, rel=1e-9)
    shown = spicymkl.predictions("m.safetensors", "t.csv", "--contributions")
    scores = np.array(shown["score"], float)
    assert scores == pytest.approx(clf.decision_function(frame), abs=1e-9)
    design = np.column_stack([frame["age"], frame["site"] == "B", frame["site"] == "C"]).astype(float)
    part = design @ clf.covariate_coef_
    assert np.array(shown["covariates"], float) == pytest.approx(part, abs=1e-9)
    assert clf.contributions(frame).sum(1) + clf.intercept_ + part == pytest.approx(scores, abs=1e-9)
    spicymkl.ok("verify", "m.safetensors", "t.csv")
    spicymkl.ok("evaluate", "m.safetensors", "t.csv")
    assert "Covariates" in (spicymkl.folder / "r.html").read_text()
    assert certificate(clf, frame, y)["holds"]
    shuffled = frame[["site", "x2", "age", "x1"]]
    write(spicymkl, shuffled, y, "s.csv")
    assert np.array(spicymkl.predictions("m.safetensors", "s.csv")["score"], float) == pytest.approx(scores, abs=1e-12)


def test_frames_of_contributions_sum_to_the_decision(spicymkl):
    frame, y, score = table()
    common = write(spicymkl, frame, y)
    spicymkl.ok("train", "t.csv", *common, "--model", "m.safetensors")
    shown = spicymkl.predictions("m.safetensors", "t.csv", "--contributions")
    made = load(spicymkl.folder / "m.safetensors").contribution_frame(frame)
    assert made.columns[-1] == "covariates"
    assert made["covariates"].to_numpy() == pytest.approx(np.array(shown["covariates"], float), abs=1e-9)
    regressor = MKLRegressor(covariates=COVARIATES).fit(frame, score)
    assert regressor.contributions(frame).shape == (len(frame), len(regressor.kernel_names_))
    parts = regressor.contribution_frame(frame).sum(axis=1) + regressor.intercept_
    assert parts.to_numpy() == pytest.approx(regressor.predict(frame), abs=1e-9)
    for kind in ("joint", "ovr"):
        X, classes, _ = table(n_classes=3)
        clf = MKLClassifier(covariates=COVARIATES, multi_class=kind).fit(X, classes)
        made = clf.contribution_frame(X)
        for name, intercept, decision in zip("abc", clf.intercept_, clf.decision_function(X).T):
            assert made[name].columns.tolist() == [*clf.kernel_names_, "covariates"]
            assert made[name].sum(axis=1).to_numpy() + intercept == pytest.approx(decision, abs=1e-9)
    plain = MKLRegressor().fit(frame, score)
    assert plain.contribution_frame(frame).columns.tolist() == plain.kernel_names_.tolist()


def test_drawn_contributions_sum_to_the_decision():
    frame, _, score = table()
    model = MKLRegressor(covariates=COVARIATES).fit(frame, score)
    for by in ("kernel", "source"):
        drawn = ContributionsDisplay.from_estimator(model, frame[:1], by=by)
        said = drawn.axes_[0].get_title().rsplit(" ", 1)[1]
        assert float(said) == pytest.approx(model.predict(frame[:1])[0], rel=1e-2)
        assert "covariates" in [label.get_text() for label in drawn.axes_[0].get_yticklabels()]


def test_the_units_do_not_matter(spicymkl):
    frame, y, _ = table()
    years = MKLClassifier(covariates=COVARIATES, tol=1e-8).fit(frame, y)
    days = MKLClassifier(covariates=COVARIATES, tol=1e-8).fit(frame.assign(age=1e6 + 365.25e3 * frame["age"]), y)
    assert years.primal_objective_ == pytest.approx(days.primal_objective_, rel=1e-7)
    assert years.covariate_coef_[0] == pytest.approx(365.25e3 * days.covariate_coef_[0], rel=1e-4)


def test_saved_pickled_and_loaded(tmp_path):
    import pickle

    frame, y, _ = table()
    clf = MKLClassifier(covariates=COVARIATES).fit(frame, y)
    clf.save(tmp_path / "m.safetensors")
    for again in (load(tmp_path / "m.safetensors"), pickle.loads(pickle.dumps(clf))):
        assert list(again.covariates) == COVARIATES
        assert (again.decision_function(frame) == clf.decision_function(frame)).all()
        assert (again.covariate_coef_ == clf.covariate_coef_).all()
        assert certificate(again, frame, y)["holds"]
    clf.report(tmp_path / "r.html", frame, y)
    assert "site=B" in (tmp_path / "r.html").read_text()


def test_columns_by_number_and_kernels_by_number():
    frame, _, score = table()
    X = np.column_stack([frame["x1"], frame["age"], frame["x2"]])
    by_name = MKLRegressor([Gaussian(width=1, columns=[2])], covariates=["x1"]).fit(X, score)
    by_number = MKLRegressor([Gaussian(width=1, columns=["x2"])], covariates=[1]).fit(X, score)
    assert by_name.primal_objective_ == by_number.primal_objective_
    everything = MKLRegressor([Gaussian(width=1)], covariates=[1], standardize=False).fit(X, score)
    apart = MKLRegressor([Gaussian(width=1, columns=[0, 2])], covariates=[1], standardize=False).fit(X, score)
    assert everything.primal_objective_ == apart.primal_objective_


@pytest.mark.parametrize("kind", ["joint", "ovr"])
def test_several_classes(spicymkl, kind):
    frame, y, _ = table(n_classes=3)
    common = write(spicymkl, frame, y)
    spicymkl.ok("train", "t.csv", *common, "--multi-class", kind, "--certificate", "c.json", "--model", "m.safetensors")
    clf = MKLClassifier(covariates=COVARIATES, multi_class=kind).fit(frame, y)
    found = json.loads((spicymkl.folder / "c.json").read_text())
    if kind == "joint":
        assert clf.covariate_coef_.shape == (3, 3)
        assert np.array(found["covariate_coef"]) == pytest.approx(clf.covariate_coef_, abs=1e-9)
        rho, C = np.array(found["dual"]), np.array(found["covariates"])
        assert (np.abs(C.T @ rho) <= 1e-9 * (np.abs(C).T @ np.abs(rho))).all()
    else:
        each = [c["covariate_coef"] for c in found["classes"]]
        assert np.array(each) == pytest.approx(clf.covariate_coef_, abs=1e-9)
    assert ("without a penalty (for a, b, c)" in spicymkl.ok("inspect", "m.safetensors")) == (kind == "joint")
    shown = spicymkl.predictions("m.safetensors", "t.csv")
    scores = np.column_stack([np.array(shown[f"score_{name}"], float) for name in "abc"])
    assert scores == pytest.approx(clf.decision_function(frame), abs=1e-9)
    spicymkl.ok("verify", "m.safetensors", "t.csv")


def test_joint_classes_without_kernels_are_a_multinomial_regression():
    frame, y, _ = table(n=120, n_classes=3)
    clf = MKLClassifier(covariates=COVARIATES, multi_class="joint", alpha="1.0001max", tol=1e-9).fit(frame, y)
    design = np.column_stack([(frame["age"] - 50) / 10, frame["site"] == "B", frame["site"] == "C"]).astype(float)
    peer = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10000).fit(design, y)
    assert clf.predict_proba(frame) == pytest.approx(peer.predict_proba(design), abs=1e-5)


def test_paths_cross_validation_and_studies(spicymkl):
    frame, y, _ = table()
    common = write(spicymkl, frame, y)
    spicymkl.ok("cv", "t.csv", *common, "--folds", 3, "--n-alphas", 3, "--model", "best.safetensors", "--quiet")
    assert json.loads(spicymkl.ok("inspect", "best.safetensors", "--json"))["fits"][0]["covariates"]
    spicymkl.ok("path", "t.csv", *common, "--n-alphas", 3, "-o", "path.csv", "--quiet")
    small = ["--repeats", 1, "--outer", 2, "--inner", 2, "--stability", 2, "--permutations", 0, "--n-alphas", 2]
    spicymkl.ok("study", "t.csv", *common, *small, "-o", "found", "--quiet")
    path = mkl_path(frame, y, alphas=3, covariates=COVARIATES)
    assert path.covariate_coefs.shape == (3, 3) and (path.duality_gaps <= 1e-3).all()
    assert path.alphas[0] == pytest.approx(alpha_max(frame, y, covariates=COVARIATES))
    assert path.alphas[0] < alpha_max(frame, y)
    cv = MKLClassifierCV(covariates=COVARIATES, alphas=3, cv=3).fit(frame, y)
    assert len(cv.covariate_coef_) == 3 and cv.best_params_["kernels"].startswith("auto:")
    study = MKLStudy(
        MKLClassifier(covariates=COVARIATES), repeats=1, outer=2, inner=2, stability=2, permutations=0, alphas=2
    ).fit(frame, y)
    assert len(study.scores_) == 2
    pipe = make_pipeline(FunctionTransformer(), MKLClassifier(covariates=COVARIATES))
    assert cross_val_score(pipe, frame, y, cv=3).mean() > 0.6


def test_cross_validation_on_kernels_judges_with_the_covariates(spicymkl):
    """Where the target is age and noise, and kernels know neither, the folds are predicted by age alone."""
    random = np.random.default_rng(0)
    X, age = random.standard_normal((60, 2)), 50 + 10 * random.standard_normal(60)
    np.save(spicymkl.folder / "C.npy", age)
    source = spicymkl.save(problems.kernels(X), 0.3 * age + 0.1 * random.standard_normal(60))
    spicymkl.ok("cv", *source, "--covariates", "C.npy", "--folds", 3, "--n-alphas", 3, "-o", "cv.csv", "--quiet")
    scores = pd.read_csv(spicymkl.folder / "cv.csv")
    assert scores["r2"].max() > 0.95


def test_precomputed_kernels_of_new_rows(spicymkl):
    K, y, C = adjusted("squared")
    trained(spicymkl, K, y, C, "--loss", "squared", "--alpha", "0.05max")
    np.save(spicymkl.folder / "new.npy", K[:, :7])
    np.save(spicymkl.folder / "Cnew.npy", C[:7])
    shown = spicymkl.predictions("m.safetensors", "--gram", "new.npy", "--covariates", "Cnew.npy")
    c = json.loads((spicymkl.folder / "c.json").read_text())
    z = c["intercept"] + C[:7] @ c["covariate_coef"] + sum(K[k["index"]][:7] @ k["coef"] for k in c["kernels"])
    assert np.array(shown["prediction"], float) == pytest.approx(z, rel=1e-9)
    spicymkl.ok("verify", "m.safetensors", "--gram", "K.npy", "--labels", "y.npy")
    spicymkl.ok("verify", "m.safetensors", "--gram", "K.npy", "--labels", "y.npy", "--covariates", "C.npy")
    np.save(spicymkl.folder / "C2.npy", C + np.arange(len(C))[:, None] % 2 * C.std(0))
    moved = spicymkl.run("verify", "m.safetensors", "--gram", "K.npy", "--labels", "y.npy", "--covariates", "C2.npy")
    assert moved.returncode == 1
    spicymkl.refuse(["predict", "m.safetensors", "--gram", "new.npy"], "2 covariates", "--covariates")


def test_a_checkpoint_resumes(spicymkl):
    frame, y, _ = table()
    common = [*write(spicymkl, frame, y), "--checkpoint", "c.ckpt", "--tol", 1e-8]
    stopped = spicymkl.run(
        "train", "t.csv", *common, "--max-iter", 1, "--model", "part.safetensors", "--solver", "spicy"
    )
    assert stopped.returncode == 1
    options = ["--resume", "--model", "m.safetensors", "--solver", "spicy", "--quiet"]
    other = [word if word != "age,site" else "age" for word in common]
    spicymkl.refuse(["train", "t.csv", *other, *options], "covariates was 'age,site'")
    spicymkl.ok("train", "t.csv", *common, *options)
    spicymkl.ok("verify", "m.safetensors", "t.csv")


def test_missing_cells(spicymkl):
    frame, y, _ = table()
    frame.loc[4, "age"] = np.nan
    common = write(spicymkl, frame, y)
    spicymkl.refuse(["train", "t.csv", *common], "line 6", "age")
    spicymkl.ok("train", "t.csv", *common, "--impute", "median", "--model", "m.safetensors", "--quiet")
    assert len(spicymkl.predictions("m.safetensors", "t.csv")["score"]) == len(y)


def test_several_tables(spicymkl):
    frame, y, _ = table()
    ids = [f"p{i}" for i in range(len(y))]
    frame[["x1", "x2"]].assign(id=ids).to_csv(spicymkl.folder / "genes.csv", index=False)
    frame[["age"]].assign(id=ids, y=y)[::-1].to_csv(spicymkl.folder / "clinical.csv", index=False)
    common = ["genes.csv", "clinical.csv", "--id", "id", "--target", "y", "--model", "m.safetensors", "--quiet"]
    spicymkl.ok("train", *common, "--covariates", "age")
    (fit,) = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))["fits"]
    assert [c["name"] for c in fit["covariates"]] == ["clinical:age"]
    assert {source["name"] for source in fit["sources"]} == {"genes"}
    spicymkl.ok("verify", "m.safetensors", "genes.csv", "clinical.csv")


def bad_frame():
    frame, y, score = table()
    frame["years"] = frame["age"] / 2 + 3
    frame["one"] = 1.0
    frame["rare"] = ((y == "b") & (np.arange(len(y)) % 9 == 0)).astype(float)
    frame["same"] = np.where(y == "b", 2.5, -1.0)
    return frame, y, score


@pytest.mark.parametrize(
    ("covariates", "words"),
    [
        ("age,years", ["'years' is a linear combination of 'age' and the intercept", "90 rows"]),
        ("one", ["'one' is 1 in all 90 rows"]),
        ("y", ["'y' cannot be a covariate: it is the target"]),
        ("agee", ["no column 'agee'", "did you mean 'age'"]),
        ("age,age", ["'age' is named twice"]),
        ("same", ["'same' alone tell class 'b' from 'a' in all 90 rows"]),
        ("age,rare", ["'rare' alone tell class 'b' from 'a' in", "the first is t.csv, line", "logistic"]),
    ],
)
def test_refusals(spicymkl, covariates, words):
    frame, y, _ = bad_frame()
    common = write(spicymkl, frame, y)[:-1]
    for command in ("train", "cv"):
        spicymkl.refuse([command, "t.csv", *common, covariates, "--model", "m.safetensors"], *words)


def test_more_refusals(spicymkl):
    frame, y, score = bad_frame()
    frame["twice"] = 2 * score + frame["age"]
    common = write(spicymkl, frame, score, "n.csv")
    spicymkl.refuse(["train", "n.csv", *common[:-1], "age,twice"], "nothing is left to learn", "'age', 'twice'")
    spicymkl.table("one.csv", frame[["x1"]].to_numpy(), y)
    spicymkl.refuse(["train", "one.csv", "--target", "y", "--covariates", "x1"], "every column is a covariate")
    common = write(spicymkl, frame, y)
    spicymkl.refuse(["train", "t.csv", *common, "--loss", "hinge", "--solver", "silp"], "takes no covariates")
    spicymkl.refuse(["study", "t.csv", *common, "-o", "found"], "--permutations 0")
    listed = spicymkl.kernel_list([{"type": "gaussian", "width": 1, "columns": ["x1", "age"]}])
    spicymkl.refuse(["train", "t.csv", *common, "--kernels", listed], "column 'age' is a covariate")
    spicymkl.ok("train", "t.csv", *common, "--model", "m.safetensors", "--quiet")
    write(spicymkl, frame.assign(site=["D"] + ["A"] * (len(y) - 1)), y, "new.csv")
    spicymkl.refuse(["predict", "m.safetensors", "new.csv", "-o", "p.csv"], "'site', line 2", "no coefficient")
    spicymkl.refuse(
        ["predict", "m.safetensors", "t.csv", "--covariates", "C.npy", "-o", "p.csv"], "--covariates has no"
    )


def test_refusals_in_python():
    frame, y, score = bad_frame()
    for estimator in (MKLClassifier(covariates=["age", "years"]), MKLClassifierCV(covariates=["age", "years"])):
        with pytest.raises(ValueError, match="linear combination of 'age'"):
            estimator.fit(frame, y)
    with pytest.raises(ValueError, match="row 0 of X|the first is row"):
        MKLClassifier(covariates=["rare"]).fit(frame, y)
    with pytest.raises(ValueError, match="names columns of a table"):
        MKLClassifier("precomputed", covariates=["age"]).fit(np.eye(len(y))[None], y)
    with pytest.raises(ValueError, match="covariates is 'age'"):
        MKLClassifier(covariates="age").fit(frame, y)
    with pytest.raises(ValueError, match="counted from 0"):
        MKLRegressor(covariates=[77]).fit(frame[["x1", "x2"]], score)
    with pytest.raises(ValueError, match="permutations=0"):
        MKLStudy(MKLClassifier(covariates=["age"])).fit(frame[["x1", "age"]], y)
