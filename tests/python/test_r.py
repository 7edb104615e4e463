"""The R package solves the same problems as the command and Python, and its models go both ways.

It is built by `./dev r`, into build/r; where it is not there, nothing is tested here.
"""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest

import problems
from conftest import ROOT

LIBRARY = ROOT / "build" / "r"

pytestmark = pytest.mark.skipif(
    shutil.which("Rscript") is None or not (LIBRARY / "spicymkl").is_dir(),
    reason="R or its package is not there: ./dev setup --all, then ./dev r",
)


def environment():
    return {**os.environ, "R_LIBS": str(LIBRARY), "OMP_NUM_THREADS": "2"}


def r(folder, code):
    """What R prints."""
    done = subprocess.run(
        ["Rscript", "-e", f"library(spicymkl)\n{code}"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def r_json(folder, code):
    """`code` ends in a list of numeric vectors, which are returned by their names."""
    show = 'for (name in names(out)) cat(name, format(out[[name]], digits = 17), "\\n")'
    lines = r(folder, f"out <- {{ {code} }}\n{show}").splitlines()
    return {name: np.array(values, dtype=float) for name, *values in map(str.split, lines)}


def predictions(folder, path, column):
    with open(folder / path) as file:
        return np.array([float(row[column]) for row in csv.DictReader(file)])


CASES = {
    "regression": ("squared", "block1", {}),
    "robust": ("huber", "elasticnet", {"l1_ratio": 0.3}),
    "classes": ("logistic", "blockq", {"q": 1.7}),
    "margin": ("hinge", "block1", {}),
}


def labels(y, loss):
    return np.where(y > np.median(y), "up", "down") if loss in ("logistic", "hinge") else y


@pytest.mark.parametrize("case", CASES)
def test_one_table_in_three_languages(spicymkl, case):
    spicymkl_package = pytest.importorskip("spicymkl")
    pandas = pytest.importorskip("pandas")
    loss, penalty, shape = CASES[case]
    X, numbers = problems.regression(n=80)
    y = labels(numbers, loss)
    table = spicymkl.table("t.csv", X, y)
    options = ["--loss", loss, "--penalty", penalty, "--alpha", "0.05max", "--tol", "1e-10"]
    options += [part for name, value in shape.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    spicymkl.ok("train", table, "--target", "y", "--model", "c.safetensors", "--certificate", "c.json", *options)
    spicymkl.ok("predict", "c.safetensors", table, "-o", "c.csv")
    column = "score" if loss in ("logistic", "hinge") else "prediction"
    ours = predictions(spicymkl.folder, "c.csv", column)
    objective = json.loads((spicymkl.folder / "c.json").read_text())["primal"]

    arguments = ", ".join(f"{name} = {value}" for name, value in shape.items())
    in_r = r_json(
        spicymkl.folder,
        f"""d <- read.csv("t.csv")
        fit <- spicymkl(y ~ ., d, loss = "{loss}", penalty = "{penalty}", alpha = "0.05max", tol = 1e-10
                        {"," if arguments else ""} {arguments})
        write_spicymkl(fit, "r.safetensors")
        list(primal = fit$primal, gap = fit$gap, link = predict(fit, d, type = "link"),
             of_command = predict(read_spicymkl("c.safetensors"), d, type = "link"))""",
    )
    assert in_r["gap"] <= 1e-10
    assert in_r["primal"] == pytest.approx(objective, rel=1e-9)
    assert in_r["link"] == pytest.approx(ours, abs=1e-9 * np.abs(ours).max())
    assert in_r["of_command"] == pytest.approx(ours, rel=1e-12, abs=1e-12)
    spicymkl.ok("predict", "r.safetensors", table, "-o", "r.csv")
    assert predictions(spicymkl.folder, "r.csv", column) == pytest.approx(in_r["link"], rel=1e-12, abs=1e-12)

    classes = loss in ("logistic", "hinge")
    make = spicymkl_package.MKLClassifier if classes else spicymkl_package.MKLRegressor
    frame = pandas.read_csv(spicymkl.folder / "t.csv")
    estimator = make(loss=loss, penalty=penalty, alpha="0.05max", tol=1e-10, **shape)
    estimator.fit(frame.drop(columns="y"), frame["y"])
    scores = getattr(estimator, "decision_function", estimator.predict)(frame.drop(columns="y"))
    assert estimator.primal_objective_ == pytest.approx(objective, rel=1e-9)
    assert scores == pytest.approx(in_r["link"], abs=1e-9 * np.abs(ours).max())
    from_r = spicymkl_package.load(spicymkl.folder / "r.safetensors")
    loaded = getattr(from_r, "decision_function", from_r.predict)(frame.drop(columns="y"))
    assert loaded == pytest.approx(in_r["link"], rel=1e-12, abs=1e-12)


def test_all_classes_at_once(spicymkl):
    X, numbers = problems.regression(n=80)
    y = np.array(["low", "middle", "up"])[np.digitize(numbers, np.quantile(numbers, [0.3, 0.7]))]
    table = spicymkl.table("t.csv", X, y)
    options = ["--multi-class", "joint", "--alpha", "0.05max", "--tol", "1e-10"]
    spicymkl.ok("train", table, "--target", "y", "--model", "c.safetensors", "--certificate", "c.json", *options)
    spicymkl.ok("predict", "c.safetensors", table, "-o", "c.csv")
    certificate = json.loads((spicymkl.folder / "c.json").read_text())
    in_r = r_json(
        spicymkl.folder,
        """d <- read.csv("t.csv")
        fit <- spicymkl(y ~ ., d, multi_class = "joint", alpha = "0.05max", tol = 1e-10)
        write_spicymkl(fit, "r.safetensors")
        list(primal = fit$primal, weights = coef(fit)[fit$active], intercept = fit$intercept, chance = predict(fit, d),
             link = predict(fit, d, type = "link"), of_command = predict(read_spicymkl("c.safetensors"), d, type = "link"))""",
    )
    assert in_r["primal"] == pytest.approx(certificate["primal"], rel=1e-9)
    weights = [kernel["weight"] for kernel in certificate["kernels"]]
    assert in_r["weights"] == pytest.approx(weights, abs=1e-9 * max(weights))
    assert in_r["intercept"] == pytest.approx(certificate["intercept"], abs=1e-9)
    for part, column in (("link", "score"), ("chance", "probability")):
        names = [f"{column}_{name}" for name in ("low", "middle", "up")]
        ours = np.concatenate([predictions(spicymkl.folder, "c.csv", name) for name in names])
        assert in_r[part] == pytest.approx(ours, abs=1e-9 * np.abs(ours).max())
        if part == "link":
            assert in_r["of_command"] == pytest.approx(ours, rel=1e-12, abs=1e-12)
    spicymkl.ok("predict", "r.safetensors", table, "-o", "r.csv")
    assert predictions(spicymkl.folder, "r.csv", "score_up") == pytest.approx(in_r["link"][160:], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("kind", ["two", "joint", "ovr"])
def test_covariates_are_shown_and_part_of_the_contributions(spicymkl, kind):
    X, numbers = problems.regression(n=80)
    random = np.random.default_rng(3)
    age, site = random.normal(60, 10, 80).round(1), random.choice(["A", "B", "C"], 80)
    score = numbers / numbers.std() + 0.1 * (age - 60) + (site == "B")
    cuts = np.quantile(score, [0.5] if kind == "two" else [0.3, 0.7])
    y = np.array(["low", "middle", "up"])[np.digitize(score, cuts)]
    columns = {f"x{j}": X[:, j] for j in range(X.shape[1])}
    spicymkl.table("t.csv", {**columns, "age": age, "site": site, "y": y})
    way = [] if kind == "two" else ["--multi-class", kind]
    spicymkl.ok(
        "train",
        "t.csv",
        "--target",
        "y",
        "--categorical",
        "site",
        "--covariates",
        "age,site",
        "--model",
        "c.safetensors",
        *way,
    )
    spicymkl.ok("predict", "c.safetensors", "t.csv", "--contributions", "-o", "c.csv")
    fits = json.loads(spicymkl.ok("inspect", "c.safetensors", "--json"))["fits"]
    names = [one["name"] for one in fits[0]["covariates"]]
    assert names == ["age", "site=B", "site=C"]
    in_r = r_json(
        spicymkl.folder,
        """d <- read.csv("t.csv")
        m <- read_spicymkl("c.safetensors")
        rows <- if (is.null(dim(m$covariates))) names(m$covariates) else rownames(m$covariates)
        stopifnot(identical(rows, c("age", "site=B", "site=C")), identical(m$columns$reference, "site=A"))
        stopifnot(is.null(dim(m$covariates)) || identical(colnames(m$covariates), m$classes))
        for (shown in list(capture.output(print(m)), capture.output(print(summary(m)))))
          stopifnot(any(shown == "Covariates, without a penalty (reference: site=A):"), any(grepl("^ *site=C ", shown)))
        parts <- predict(m, d, type = "contributions")
        if (!is.list(parts)) parts <- list(parts)
        stopifnot(identical(tail(colnames(parts[[1]]), 1), "covariates"))
        sums <- mapply(function(part, intercept) rowSums(part) + intercept, parts, m$intercept)
        list(coef = as.vector(t(as.matrix(m$covariates))), off = max(abs(sums - predict(m, d, type = "link"))),
             first = parts[[1]][, "covariates"])""",
    )
    coefs = [one["coef"] for fit in fits for one in fit["covariates"]]
    by_covariate = np.array(coefs).reshape(len(fits), 3).T if kind == "ovr" else np.array(coefs)
    assert in_r["coef"] == pytest.approx(by_covariate.ravel(), rel=1e-12)
    assert in_r["off"] <= 1e-12
    column = "covariates" if kind == "two" else "low: covariates"
    assert in_r["first"] == pytest.approx(predictions(spicymkl.folder, "c.csv", column), rel=1e-9, abs=1e-12)


def test_covariates_beside_precomputed_kernels_are_refused_for_new_rows(spicymkl):
    X, y = problems.regression(n=40)
    np.save(spicymkl.folder / "K.npy", X @ X.T)
    np.save(spicymkl.folder / "y.npy", y)
    np.save(spicymkl.folder / "C.npy", np.arange(40.0)[:, None] % 7)
    given = ["--gram", "K.npy", "--labels", "y.npy", "--covariates", "C.npy"]
    spicymkl.ok("train", *given, "--model", "c.safetensors")
    said = r(
        spicymkl.folder,
        """m <- read_spicymkl("c.safetensors")
        cat(names(m$covariates), length(m$covariates), "\\n")
        cat(tryCatch(predict(m, diag(40)), error = conditionMessage))""",
    )
    assert said.startswith("c0 1")
    assert "the model has 1 covariate beside its precomputed kernels" in said and "predict with the command" in said


def test_what_was_done_to_new_rows_is_said_in_the_words_of_the_command(spicymkl):
    random = np.random.default_rng(0)
    colour, x = random.choice(["red", "green", "blue"], 60), random.normal(size=60).round(3)
    cells = ["" if i == 3 else str(value) for i, value in enumerate(x)]
    y = np.where((colour == "red") ^ (x > 0.3), "yes", "no")
    spicymkl.table("t.csv", {"colour": colour, "x": cells, "y": y})
    spicymkl.ok("train", "t.csv", "--target", "y", "--categorical", "colour", "--impute", "median", "--model", "m")
    spicymkl.write("new.csv", "colour,x\nred,0.1\nmauve,0.4\npuce,\nmauve,0.2\n")
    done = spicymkl.run("predict", "m", "new.csv", "-o", "c.csv")
    in_r = r(
        spicymkl.folder,
        """m <- read_spicymkl("m")
        say <- function(restart) function(condition) {
          cat(trimws(conditionMessage(condition)), "\\n")
          invokeRestart(restart)
        }
        link <- withCallingHandlers(predict(m, read.csv("new.csv"), type = "link"), message = say("muffleMessage"),
                                    warning = say("muffleWarning"))
        cat(format(link, digits = 17), "\\n")""",
    )
    imputed, unseen, scores = in_r.splitlines()
    assert imputed.removeprefix("newdata: ").split(";")[0] in done.stderr
    assert unseen.removeprefix("newdata: ").split(";")[0] in done.stderr
    assert "2 categories never seen in training in column 'colour' (such as 'mauve', 3 rows)" in unseen
    ours = predictions(spicymkl.folder, "c.csv", "score")
    assert np.array(scores.split(), float) == pytest.approx(ours, rel=1e-12, abs=1e-12)


def test_survival_times(spicymkl):
    X, numbers = problems.regression(n=70)
    random = np.random.default_rng(1)
    time = np.round(random.exponential(np.exp(-numbers / numbers.std())), 2)
    columns = {**{f"x{j}": column for j, column in enumerate(X.T)}, "time": time, "dead": (random.random(70) < 0.7) * 1}
    table = spicymkl.table("t.csv", columns)
    options = ["--time", "time", "--event", "dead", "--alpha", "0.05max", "--tol", "1e-9"]
    spicymkl.ok("train", table, *options, "--model", "c.safetensors", "--certificate", "c.json")
    spicymkl.ok("predict", "c.safetensors", table, "--survival-at", "0.5", "-o", "c.csv")
    in_r = r_json(
        spicymkl.folder,
        """d <- read.csv("t.csv")
        Surv <- function(time, event) structure(cbind(time = time, status = event), class = "Surv", type = "right")
        fit <- spicymkl(Surv(time, dead) ~ ., d, alpha = "0.05max", tol = 1e-9)
        write_spicymkl(fit, "r.safetensors")
        list(primal = fit$primal, link = predict(fit, d, type = "link"),
             survival = predict(read_spicymkl("c.safetensors"), d, type = "survival", times = 0.5))""",
    )
    assert in_r["primal"] == pytest.approx(json.loads((spicymkl.folder / "c.json").read_text())["primal"], rel=1e-9)
    ours = predictions(spicymkl.folder, "c.csv", "prediction")
    assert in_r["link"] == pytest.approx(ours, abs=1e-9 * max(1, np.abs(ours).max()))
    assert in_r["survival"] == pytest.approx(predictions(spicymkl.folder, "c.csv", "survival_0.5"), abs=1e-12)
    spicymkl.ok("predict", "r.safetensors", table, "-o", "r.csv")
    assert predictions(spicymkl.folder, "r.csv", "prediction") == pytest.approx(in_r["link"], rel=1e-12, abs=1e-12)


def test_precomputed_kernels_in_three_languages(spicymkl):
    spicymkl_package = pytest.importorskip("spicymkl")
    X, y = problems.regression(n=60)
    K = np.ascontiguousarray(problems.kernels(X, widths=(0.3, 0.5, 1, 2, 3))[:5])
    inputs = spicymkl.save(K, y)
    outputs = ["--model", "c.safetensors", "--certificate", "c.json"]
    spicymkl.ok("train", *inputs, "--alpha", "0.1max", "--tol", "1e-10", *outputs)
    objective = json.loads((spicymkl.folder / "c.json").read_text())["primal"]
    K.tofile(spicymkl.folder / "K.bin")  # symmetric: row after row is column after column
    y.tofile(spicymkl.folder / "y.bin")
    in_r = r_json(
        spicymkl.folder,
        """K <- array(readBin("K.bin", "double", 5 * 60 * 60), c(60, 60, 5)); y <- readBin("y.bin", "double", 60)
        fit <- spicymkl(K, y, kernels = "precomputed", alpha = "0.1max", tol = 1e-10)
        list(primal = fit$primal, weights = coef(fit), link = predict(fit, K),
             of_command = predict(read_spicymkl("c.safetensors"), K))""",
    )
    assert in_r["primal"] == pytest.approx(objective, rel=1e-9)
    estimator = spicymkl_package.MKLRegressor(kernels="precomputed", alpha="0.1max", tol=1e-10).fit(K, y)
    assert estimator.primal_objective_ == pytest.approx(in_r["primal"][0], rel=1e-9)
    assert in_r["link"] == pytest.approx(estimator.predict(K), abs=1e-9 * np.abs(y).max())
    assert in_r["of_command"] == pytest.approx(in_r["link"], abs=1e-9 * np.abs(y).max())


def test_the_page_on_r_runs_as_printed(spicymkl):
    X, y = problems.regression()
    spicymkl.ok("train", spicymkl.table("t.csv", X, y), "--target", "y", "--model", "m.safetensors")
    blocks = re.findall(r"^```r\n(.*?)^```", (ROOT / "docs" / "r.md").read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 3
    printed = r(spicymkl.folder, "\n".join(blocks))
    assert "3 classes (setosa, versicolor, virginica), all at once: 150 samples" in printed
    assert (spicymkl.folder / "iris.safetensors").is_file()


def test_an_interrupt_ends_a_fit_and_not_the_session(tmp_path):
    code = """library(spicymkl)
    set.seed(1); n <- 1500; x <- matrix(rnorm(n * 10), n)
    K <- lapply(1:10, function(m) exp(-outer(x[, m], x[, m], "-")^2))
    y <- rowSums(sin(3 * x)) + rnorm(n)
    cat("ready\\n"); flush(stdout())
    ended <- tryCatch({ repeat spicymkl(K, y, kernels = "precomputed", penalty = "blockq", alpha = "1e-6max", tol = 1e-12,
                                        max_iter = 100000); "finished" },
                      interrupt = function(condition) "interrupted")
    cat(ended, spicymkl(iris[1:4], iris$Sepal.Length)$status, "\\n")"""
    work = subprocess.Popen(
        ["Rscript", "-e", code],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert work.stdout.readline() == "ready\n"
        time.sleep(1.5)
        began = time.monotonic()
        work.send_signal(signal.SIGINT)
        out, errors = work.communicate(timeout=60)
    finally:
        work.kill()
    assert out.split() == ["interrupted", "converged"], errors
    assert time.monotonic() - began < 30
