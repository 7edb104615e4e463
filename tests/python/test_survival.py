"""Survival times: Cox's partial likelihood over many kernels, against a conic solver, naive formulas and by certificate."""

import json
import pickle

import cvxpy as cp
import numpy as np
import pandas as pd
import pytest

import problems
import survival_cases as naive
from spicymkl import MKLSurvival, MKLSurvivalCV, alpha_max, certificate, load, mkl_path
from survival_cases import structured, survival
from test_references import square_roots

RELATIVE = 1e-5
PENALTIES = {"block1": [], "elasticnet": ["--l1-ratio", 0.6], "blockq": ["--q", 1.5], "uniform": []}


def conic_solution(K, time, event, alpha, l1_ratio, weights=None):
    """The optimum, and each kernel's f_m on the samples."""
    s = np.ones(len(time)) if weights is None else weights
    factors = square_roots(K)
    w = [cp.Variable(f.shape[1]) for f in factors]
    g = sum(f @ v for f, v in zip(factors, w)) + np.log(s)
    terms = [s[i] * (cp.log_sum_exp(g[np.flatnonzero(time >= time[i])]) - g[i]) for i in np.flatnonzero(event)]
    penalty = sum(l1_ratio * cp.norm(v) + (1 - l1_ratio) / 2 * cp.sum_squares(v) for v in w)
    value = cp.Problem(cp.Minimize(sum(terms) + alpha * penalty)).solve(solver=cp.CLARABEL)
    return value, np.array([f @ v.value for f, v in zip(factors, w)])


def save(spicymkl, K, time, event, weights=None):
    np.save(spicymkl.folder / "K.npy", K)
    np.save(spicymkl.folder / "t.npy", time)
    np.save(spicymkl.folder / "e.npy", event.astype(bool))
    if weights is not None:
        np.save(spicymkl.folder / "w.npy", weights)
    return ["--gram", "K.npy", "--time", "t.npy", "--event", "e.npy"] + (
        ["--weights", "w.npy"] if weights is not None else []
    )


def proof(spicymkl, *arguments):
    spicymkl.ok("train", *arguments, "--certificate", "c.json", "--model", "m.safetensors", "--quiet")
    return json.loads((spicymkl.folder / "c.json").read_text())


def test_the_command_evaluates_kernels_as_it_does_tables(spicymkl):
    X, time, event = survival(n=60)
    spicymkl.table("t.csv", {**{f"x{j}": x for j, x in enumerate(X.T)}, "t": time, "e": event.astype(int)})
    kernels = spicymkl.kernel_list([{"type": "linear", "normalize": "none"}])
    spicymkl.ok("train", "t.csv", "--time", "t", "--event", "e", "--kernels", kernels, "--model", "t.safetensors",
                "--no-standardize", "--alpha", 1)  # fmt: skip
    grams = save(spicymkl, (X @ X.T)[None], time, event)
    spicymkl.ok("train", *grams, "--model", "g.safetensors", "--alpha", 1)
    table = json.loads(spicymkl.ok("evaluate", "t.safetensors", "t.csv", "--json"))
    found = json.loads(spicymkl.ok("evaluate", "g.safetensors", *grams, "--json"))
    assert found["concordance"] == pytest.approx(table["concordance"]) and found["n_samples"] == 60
    spicymkl.refuse(["evaluate", "g.safetensors", *grams[:4]], "--time needs --event")
    spicymkl.refuse(["evaluate", "g.safetensors", *grams[:2], "--labels", "t.npy"], "--labels", "--time and --event")


@pytest.mark.parametrize("l1_ratio", [1.0, 0.6])
def test_against_a_conic_solver(l1_ratio):
    X, time, event = survival(n=36)
    K = problems.kernels(X, widths=(0.5, 2))
    for part in (0.5, 0.1):
        options = {"penalty": "block1"} if l1_ratio == 1 else {"penalty": "elasticnet", "l1_ratio": l1_ratio}
        alpha = part * alpha_max(K, structured(event, time), kernels="precomputed", **options)
        model = MKLSurvival("precomputed", alpha=alpha, tol=1e-9, **options).fit(K, structured(event, time))
        value, parts = conic_solution(K, time, event, alpha, l1_ratio)
        assert model.primal_objective_ == pytest.approx(value, rel=RELATIVE)
        ours = np.array([scale * (k @ model.dual_) for scale, k in zip(model.coef_scale_, K)])
        assert np.abs(ours - parts).max() < 1e-4 and model.intercept_ == 0


def test_sample_weights_against_a_conic_solver():
    X, time, event = survival(n=30, seed=1)
    K = problems.kernels(X, widths=(1,))
    weights = np.linspace(0.3, 2, len(time))
    y = np.column_stack([event, time])
    model = MKLSurvival("precomputed", alpha="0.2max", tol=1e-8).fit(K, y, sample_weight=weights)
    value, _ = conic_solution(K, time, event, model.alpha_, 1.0, weights)
    assert model.primal_objective_ == pytest.approx(value, rel=RELATIVE)
    steps, hazard = naive.breslow(time, event, model.predict(K), weights)
    assert (model.unique_times_ == steps).all() and model.cum_baseline_hazard_.y == pytest.approx(hazard, rel=1e-10)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("penalty", PENALTIES)
def test_the_certificate_is_a_proof_that_others_can_evaluate(spicymkl, penalty, weighted):
    X, time, event = survival(n=50, seed=2)
    K = problems.kernels(X)
    weights = np.linspace(0.4, 1.7, len(time)) if weighted else None
    inputs = save(spicymkl, K, time, event, weights)
    for tol in (1e-2, 1e-6):
        options = ["--penalty", penalty, *PENALTIES[penalty], "--alpha", "0.1max", "--tol", tol]
        c = proof(spicymkl, *inputs, *options)
        assert c["loss"] == "cox" and c["fit_intercept"] is False and c["intercept"] == 0 and c["relative_gap"] <= tol
        assert c["time"] == time.tolist() and c["event"] == event.tolist()
        primal, dual = naive.referee(K, c)
        assert primal == pytest.approx(c["primal"], rel=1e-10) and dual == pytest.approx(c["dual_objective"], rel=1e-9)
        assert (primal - dual) / primal <= tol * (1 + 1e-6)
    assert json.loads(spicymkl.ok("verify", "m.safetensors", *inputs, "--json"))["holds"]


def test_random_problems_meet_their_tolerance():
    for seed in range(40):
        random = np.random.default_rng(seed)
        X, time, event = survival(n=int(random.integers(8, 40)), seed=seed, ties=bool(seed % 2))
        if not event.any():
            continue
        model = MKLSurvival(alpha=f"{random.uniform(0.03, 0.9):.3f}max", tol=1e-6).fit(X, structured(event, time))
        assert model.duality_gap_ <= 1e-6, seed


def test_concordance_and_baseline_by_naive_formulas():
    for seed in range(5):
        X, time, event = survival(n=60, seed=seed)
        model = MKLSurvival().fit(X, structured(event, time))
        f = model.predict(X)
        assert model.score(X, structured(event, time)) == pytest.approx(naive.concordance(time, event, f), rel=1e-14)
        assert model.score(X, structured(event, np.full(len(time), 1.0) + time)) == pytest.approx(
            naive.concordance(time, event, f)
        )
        steps, hazard = naive.breslow(time, event, f)
        functions = model.predict_survival_function(X)
        values = model.predict_survival_function(X, return_array=True)
        assert values == pytest.approx(np.exp(-np.outer(np.exp(f), hazard)), rel=1e-9)
        assert functions[3](steps) == pytest.approx(values[3]) and functions[3](0.0) == 1.0
        between = (steps[4] + steps[5]) / 2
        assert functions[3](between) == values[3, 4]
        hazards = model.predict_cumulative_hazard_function(X)
        assert np.exp(-hazards[0](steps)) == pytest.approx(functions[0](steps))
        with pytest.raises(ValueError, match="times must be from 0 to"):
            functions[0](steps[-1] + 1)


def test_no_kernel_is_chance():
    X, time, event = survival()
    model = MKLSurvival(alpha="2max").fit(X, structured(event, time))
    assert len(model.active_kernels_) == 0 and model.score(X, structured(event, time)) == 0.5
    steps, hazard = naive.breslow(time, event, np.zeros(len(time)))  # that of Nelson and Aalen
    assert model.cum_baseline_hazard_(steps) == pytest.approx(hazard)


def test_what_y_may_be():
    X, time, event = survival()
    y = structured(event, time)
    flags = pd.DataFrame({"followed": time, "died": event.astype(bool)})
    wanted = MKLSurvival().fit(X, y).predict(X)
    for other in (np.column_stack([event, time]), flags, pd.DataFrame({"died": event, "followed": time})):
        assert (MKLSurvival().fit(X, other).predict(X) == wanted).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda e, t: structured(np.zeros_like(e), t), "none of the samples has an event"),
        (lambda e, t: structured(e, np.where(np.arange(len(t)) < 2, -1, t)), "sample 0 is -1 .2 samples in all."),
        (lambda e, t: np.column_stack([e, np.where(np.arange(len(t)) == 3, np.nan, t)]), "sample 3 is missing"),
        (lambda e, t: np.column_stack([e * 3, t]), "'event': the event of sample"),
        (lambda e, t: t, "a structured array with a boolean field"),
        (lambda e, t: np.column_stack([e, t, t]), "two columns: event, time"),
        (lambda e, t: structured(e, t)[:-1], "inconsistent numbers of samples"),
        (lambda e, t: None, "requires y"),
    ],
)
def test_bad_y(change, words):
    X, time, event = survival()
    with pytest.raises(ValueError, match=words):
        MKLSurvival().fit(X, change(event, time))


def test_whole_interface(tmp_path):
    X, time, event = survival(n=80)
    y = structured(event, time)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = MKLSurvival().fit(frame, y)
    assert model.duality_gap_ <= 1e-3 and model.status_ == "converged"
    assert model.contributions(frame).sum(1) == pytest.approx(model.predict(frame))
    assert list(model.prediction_frame(frame).columns) == ["prediction"]
    assert certificate(model, frame, y)["holds"] and certificate(model)["loss"] == "cox"
    model.save(tmp_path / "m.safetensors")
    for again in (load(tmp_path / "m.safetensors"), pickle.loads(pickle.dumps(model))):
        assert isinstance(again, MKLSurvival) and (again.predict(frame) == model.predict(frame)).all()
        assert (again.cum_baseline_hazard_.y == model.cum_baseline_hazard_.y).all()
    model.report(tmp_path / "r.html", frame, y)
    model.report(tmp_path / "t.html")
    tested, trained = ((tmp_path / name).read_text() for name in ("r.html", "t.html"))
    assert "Survival by predicted risk" in tested and "high risk" in tested and "oncordance" in tested
    assert "Survival of the training rows" in trained and "Survival of the training rows" not in tested
    path = mkl_path(frame, y, alphas=5)
    assert path.kernel_weights.shape == (5, len(model.kernel_names_)) and (path.duality_gaps <= 1e-3).all()


def test_cross_validation(tmp_path):
    X, time, event = survival(n=90)
    for y in (structured(event, time), np.column_stack([event, time])):
        model = MKLSurvivalCV(alphas=4, cv=3).fit(X, y)
        shares = [event[model.fold_ == k].mean() for k in range(3)]
        assert max(shares) - min(shares) < 0.04  # stratified
        assert model.best_score_ > 0.55 and model.cv_results_["mean_concordance"].shape == (
            len(model.cv_results_["alpha"]),
        )
    model.report(tmp_path / "r.html")
    assert "Concordance" in (tmp_path / "r.html").read_text()


def test_samples_of_weight_zero_are_left_out():
    X, time, event = survival(n=60)
    weights = np.where(np.arange(60) < 50, 1.0, 0.0)
    y = structured(event, time)
    left, short = MKLSurvival().fit(X, y, sample_weight=weights), MKLSurvival().fit(X[:50], y[:50])
    assert left.predict(X) == pytest.approx(short.predict(X), rel=1e-12)


# --- the command -------------------------------------------------------------------------------------------------------


def write(spicymkl, X, time, event, name="t.csv", codes=(0, 1), **more):
    columns = {f"x{j}": column for j, column in enumerate(X.T)}
    return spicymkl.table(name, {**columns, "days": time, "died": np.where(event > 0, codes[1], codes[0]), **more})


COX = ["--loss", "cox", "--time", "days", "--event", "died"]


def test_command_and_python_agree(spicymkl):
    X, time, event = survival(n=60)
    table = write(spicymkl, X, time, event)
    spicymkl.ok("train", table, *COX, "--model", "m.safetensors", "--report", "r.html", "--quiet")
    model = MKLSurvival().fit(pd.DataFrame(X, columns=["x0", "x1", "x2"]), structured(event, time))
    shown = json.loads(spicymkl.ok("inspect", "m.safetensors", "--json"))
    assert shown["format_version"] == 4 and shown["fits"][0]["loss"] == "cox"
    assert shown["fits"][0]["primal"] == pytest.approx(model.primal_objective_, rel=1e-9)
    assert shown["survival"]["event"] == "died" and shown["survival"]["n_events"] == event.sum()
    assert shown["survival"]["baseline"]["cumulative_hazard"] == pytest.approx(model.cum_baseline_hazard_.y, rel=1e-9)
    assert "survival times with" in spicymkl.ok("inspect", "m.safetensors")
    half = float(np.median(time))
    rows = spicymkl.predictions("m.safetensors", table, "--survival-at", f"0,{half}", "--contributions")
    frame = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    f = np.array(rows["prediction"], dtype=float)
    assert f == pytest.approx(model.predict(frame), abs=1e-9)
    surviving = [function(half) for function in model.predict_survival_function(frame)]
    assert np.array(rows[f"survival_{half:g}"], dtype=float) == pytest.approx(surviving, abs=1e-9)
    assert set(rows["survival_0"]) == {"1"}
    spicymkl.ok("verify", "m.safetensors", table)
    report = json.loads(spicymkl.ok("evaluate", "m.safetensors", table, "--json", "--report", "e.html"))
    assert report["concordance"] == pytest.approx(model.score(frame, structured(event, time)))
    low, high = report["intervals"]["concordance"]
    assert low < report["concordance"] < high and report["baseline"]["concordance"] == 0.5
    assert "Survival by predicted risk" in (spicymkl.folder / "e.html").read_text()
    assert "Survival of the training rows" in (spicymkl.folder / "r.html").read_text()


def test_cv_path_test_rows_and_coding(spicymkl):
    X, time, event = survival(n=90)
    table = write(spicymkl, X, time, event)
    other = write(spicymkl, *survival(n=30, seed=5), name="other.csv")
    common = ["--time", "days", "--event", "died"]  # the loss goes without saying
    found = json.loads(
        spicymkl.ok("cv", table, *common, "--folds", 3, "--n-alphas", 4, "--json", "--model", "b.safetensors")
    )
    assert found["metric"] == "concordance" and found["data"]["task"] == "survival" and found["model"]["loss"] == "cox"
    folds = spicymkl.ok("cv", table, *common, "--folds", 3, "--n-alphas", 2, "--folds-csv", "f.csv", "--quiet")
    assert folds == "" and (spicymkl.folder / "f.csv").exists()
    spicymkl.ok("path", table, *common, "--n-alphas", 4, "-o", "path.csv", "--report", "path.html", "--quiet")
    trained = json.loads(spicymkl.ok("train", table, *common, "--test", other, "--json"))
    assert 0.5 < trained["test"]["concordance"] < 1
    assert "survival times from" in spicymkl.run("train", table, *common).stderr
    spicymkl.ok("train", table, *common, "--explain")
    # 1 and 2 as R's Surv has them, False and True as pandas writes them
    for codes in ((1, 2), ("False", "True")):
        again = json.loads(spicymkl.ok("train", write(spicymkl, X, time, event, "c.csv", codes), *common, "--json"))
        assert again["primal"] == trained["primal"]
    spicymkl.ok(
        "train", write(spicymkl, X, time, event, "c.csv", (1, 2)), *common, "--model", "c.safetensors", "--quiet"
    )
    all_lost = write(spicymkl, X, time, np.zeros_like(event), "lost.csv", (1, 2))
    assert json.loads(spicymkl.ok("evaluate", "c.safetensors", all_lost, "--json"))["concordance"] is None


def test_checkpoint_and_weights(spicymkl):
    X, time, event = survival(n=60)
    table = write(spicymkl, X, time, event, s=np.linspace(0.5, 2, 60))
    common = ["train", table, *COX, "--weights", "s", "--tol", 1e-6]
    done = spicymkl.run(*common, "--max-iter", 1, "--checkpoint", "run.ck", "--model", "part.safetensors")
    assert done.returncode == 1
    part = json.loads(spicymkl.ok("inspect", "part.safetensors", "--json"))
    resumed = json.loads(spicymkl.ok(*common, "--checkpoint", "run.ck", "--resume", "--json"))
    whole = json.loads(spicymkl.ok(*common, "--json"))
    assert resumed["primal"] == pytest.approx(whole["primal"], rel=2e-6) and part["status"] != "converged"


def test_several_tables_and_features(spicymkl):
    X, time, event = survival(n=120, columns=4)
    ids = [f"P{i}" for i in range(120)]
    spicymkl.table("a.csv", {"id": ids, "x0": X[:, 0], "x1": X[:, 1]})
    spicymkl.table("b.csv", {"id": ids[::-1], "x2": X[::-1, 2], "x3": X[::-1, 3]})
    spicymkl.table("clinic.csv", {"id": ids, "days": time, "died": event.astype(int)})
    tables = ["rna=a.csv", "atac=b.csv", "clinic.csv", "--id", "id"]
    found = json.loads(spicymkl.ok("train", *tables, *COX, "--json", "--model", "m.safetensors"))
    assert found["relative_gap"] <= 1e-3
    assert {source["name"] for source in found["sources"]} <= {"rna", "atac", "all sources", "rna, atac"} | {
        f"{s}:{c}" for s in ("rna", "atac") for c in ("x0", "x1", "x2", "x3")
    }
    spicymkl.ok("verify", "m.safetensors", *tables[:3])
    spicymkl.ok("evaluate", "m.safetensors", *tables[:3])
    table = write(spicymkl, X, time, event)
    for options in (["--features", "nystrom:30"], ["--memory", "1M"]):
        found = json.loads(spicymkl.ok("train", table, *COX, "--kernels", "random:20", "--json", *options))
        assert found["relative_gap"] <= 1e-3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["t.csv", "--loss", "cox", "--time", "days"], ["--time needs --event"]),
        (["t.csv", "--event", "died"], ["--event needs --time"]),
        (["t.csv", "--loss", "cox", "--target", "days"], ["--time and --event in place of --target"]),
        (["t.csv", *COX[2:], "--loss", "squared"], ["--time and --event", "squared", "--loss cox"]),
        (["t.csv", *COX, "--target", "x0"], ["--target has no effect"]),
        (["t.csv", *COX, "--no-intercept"], ["--no-intercept has no effect"]),
        (["t.csv", *COX, "--task", "regression"], ["--task has no effect on survival times"]),
        (["t.csv", *COX, "--multi-class", "joint"], ["--multi-class has no effect"]),
        (["t.csv", *COX, "--epsilon", "0.2"], ["--epsilon has no effect"]),
        (["t.csv", "--loss", "cox", "--time", "dayz", "--event", "died"], ["'dayz'", "did you mean 'days'"]),
        (["t.csv", "--loss", "cox", "--time", "days", "--event", "days"], ["'days'", "both"]),
        (["negative.csv", *COX], ["line 4", "'days'", "-2", "2 rows in all"]),
        (["missing.csv", *COX], ["line 3", "'days'", "missing"]),
        (["unknown.csv", *COX], ["line 5", "'died'", "missing"]),
        (["lost.csv", *COX], ["'died'", "none of the 40 rows has an event"]),
        (["codes.csv", *COX], ["'died'", "0, 1 and 2"]),
        (["texts.csv", *COX], ["line 2", "'died'", "'dead'", "0 (lost before the event) and 1 (event)"]),
        (["--gram", "K.npy", "--loss", "cox", "--labels", "y.npy"], ["--time and --event in place of --labels"]),
        (["--gram", "K.npy", "--time", "short.npy", "--event", "y.npy"], ["'short.npy' holds 3 values", "40 rows"]),
    ],
)
def test_refusals(spicymkl, arguments, words):
    X, time, event = survival()
    event = event.astype(int)
    write(spicymkl, X, time, event)
    write(spicymkl, X, np.where(np.arange(40) // 2 == 1, -2, time), event, "negative.csv")
    write(spicymkl, X, ["NA" if i == 1 else t for i, t in enumerate(time)], event, "missing.csv")
    spicymkl.table(
        "unknown.csv", {"x0": X[:, 0], "days": time, "died": ["" if i == 3 else e for i, e in enumerate(event)]}
    )
    write(spicymkl, X, time, 0 * event, "lost.csv")
    spicymkl.table("codes.csv", {"x0": X[:, 0], "days": time, "died": np.arange(40) % 3})
    write(spicymkl, X, time, event, "texts.csv", ("alive", "dead"))
    save(spicymkl, problems.kernels(X, widths=(1,)), time, event)
    np.save(spicymkl.folder / "y.npy", event)
    np.save(spicymkl.folder / "short.npy", time[:3])
    spicymkl.refuse(["train", *arguments, "--model", "m.safetensors"], *words)


def test_refusals_of_other_commands(spicymkl):
    X, time, event = survival()
    table = write(spicymkl, X, time, event)
    spicymkl.ok("train", table, *COX, "--model", "m.safetensors", "--quiet")
    spicymkl.ok("train", table, "--target", "days", "--drop", "died", "--model", "n.safetensors", "--quiet")
    spicymkl.refuse(["evaluate", "m.safetensors", table, "--target", "days"], "--target has no effect", "--time")
    spicymkl.refuse(["evaluate", "n.safetensors", table, "--time", "days"], "--time and --event have no effect")
    spicymkl.refuse(["predict", "n.safetensors", table, "--survival-at", 1], "--survival-at has no effect")
    spicymkl.refuse(["predict", "m.safetensors", table, "--survival-at", 1e6], "followed from 0 to")
    spicymkl.refuse(["cv", table, *COX, "--metric", "auc"], "'auc' does not suit survival times", "concordance")
    one = write(spicymkl, X, time, np.eye(40)[0], "one.csv")
    spicymkl.refuse(["cv", one, *COX], "1 event in 40 rows")
