"""The study command: honest scores that a loop of one's own agrees with, stable sources, shards that make one whole."""

import csv
import json
import signal
import time

import numpy as np
import pytest
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.model_selection import PredefinedSplit

import problems
from spicymkl import MKLClassifierCV, MKLRegressorCV

SOURCES = {name: f"{name}_*" for name in ("expression", "methylation", "imaging", "clinical")}
SMALL = ["--repeats", 2, "--outer", 3, "--inner", 2, "--stability", 4, "--permutations", 3, "--n-alphas", 5]
RESULTS = [
    "permutations.csv",
    "predictions.csv",
    "scores.csv",
    "selection.csv",
    "sources.csv",
    "stability.csv",
    "study.html",
    "study.json",
]


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def numbers(rows, column):
    return np.array([float(row[column]) for row in rows])


@pytest.fixture
def table(spicymkl):
    X, y = problems.classification(n=48, columns=4)
    return [spicymkl.table("d.csv", X, np.where(y > 0, "up", "down")), "--target", "y"]


def study(spicymkl, *arguments):
    return json.loads(spicymkl.ok("study", *arguments, "--json"))


def test_results(spicymkl, table):
    found = study(spicymkl, *table, "-o", "out", *SMALL)
    folder = spicymkl.folder / "out"
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == sorted([*RESULTS, "study-plan.json"])
    assert json.loads((folder / "study.json").read_text()) == found
    scores = read_csv(folder / "scores.csv")
    assert [(row["repeat"], row["part"]) for row in scores] == [(str(r), str(k)) for r in (1, 2) for k in (1, 2, 3)]
    losses = numbers(scores, "log_loss")
    assert found["scores"]["log_loss"]["mean"] == pytest.approx(losses.mean())
    assert found["scores"]["log_loss"]["deviation"] == pytest.approx(losses.std(ddof=1))
    predicted = read_csv(folder / "predictions.csv")
    assert sorted((int(row["repeat"]), int(row["row"])) for row in predicted) == [
        (repeat, row) for repeat in (1, 2) for row in range(1, 49)
    ]
    shuffles = numbers(read_csv(folder / "permutations.csv"), "log_loss")
    assert len(shuffles) == 4
    assert found["p_value"] == (1 + np.sum(shuffles[1:] <= shuffles[0])) / 4
    sources = read_csv(folder / "sources.csv")
    assert [row["source"] for row in sources] == [source["name"] for source in found["sources"]]
    kernels = read_csv(folder / "selection.csv")
    assert {row["source"] for row in kernels} == {row["source"] for row in sources}
    for level, rows in (("source", sources), ("kernel", kernels)):
        selected = [row[level] for row in rows if row["selected"] == "1"]
        assert selected == found[f"{level}_selection"]["selected"]
        assert all((float(row["frequency"]) >= 0.9) == (row["selected"] == "1") for row in rows)
    for row in read_csv(folder / "stability.csv"):
        assert 0 <= float(row["frequency"]) <= 1
    page = (folder / "study.html").read_text()
    assert "Which sources are stable" in page and "Could it be chance?" in page


def test_true_sources_are_stable_and_others_are_not(spicymkl):
    """The sources that made the target are in nearly every half; the others stay below the threshold of the bound."""
    spicymkl.ok("generate", "multisource", "-n", 400, "--seed", 1, "-o", "m.csv")
    spicymkl.write("g.json", json.dumps(SOURCES))
    options = ["--groups", "g.json", "--repeats", 1, "--permutations", 0, "--stability", 20]
    found = study(spicymkl, "m.csv", "--target", "y", "-o", "out", *options)
    frequency = {source["name"]: source["frequency"] for source in found["sources"]}
    p_value = {source["name"]: source["p_value"] for source in found["sources"]}
    assert found["source_selection"]["expected_false"] <= 1
    for name in ("expression", "imaging"):
        assert frequency[name] > 0.9 and p_value[name] < 0.05
    for name in ("methylation", "clinical"):
        assert frequency[name] < found["source_selection"]["threshold"] and p_value[name] > 0.05


def splits(spicymkl, predictions, scores, X, y, inner):
    """Training and test rows of each part, and the folds by which the model of the part chose alpha."""
    for score in scores:
        test = np.array(
            [
                int(row["row"]) - 1
                for row in predictions
                if (row["repeat"], row["part"]) == (score["repeat"], score["part"])
            ]
        )
        training = np.setdiff1d(np.arange(len(y)), test)
        part = spicymkl.table("part.csv", X[training], y[training])
        seed = ["--seed", score["inner_seed"], "--n-alphas", 2, "--folds", inner, "--folds-csv", "f.csv", "--quiet"]
        spicymkl.ok("cv", part, "--target", "y", *seed)
        yield score, training, test, numbers(read_csv(spicymkl.folder / "f.csv"), "fold").astype(int) - 1


@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_scores_are_those_of_a_loop_around_the_cv_estimator(spicymkl, task):
    X, y = problems.classification(n=60, columns=4)
    noise = np.random.default_rng(1).normal(size=60)
    labels = np.where(y > 0, "up", "down") if task == "classes" else X[:, 0] + 0.5 * X[:, 1] ** 2 + noise
    data = [spicymkl.table("d.csv", X, labels), "--target", "y"]
    study(
        spicymkl, *data, "-o", "out", "--repeats", 1, "--outer", 3, "--inner", 4, "--stability", 0, "--permutations", 0
    )
    scores, predictions = (read_csv(spicymkl.folder / "out" / name) for name in ("scores.csv", "predictions.csv"))
    for score, training, test, folds in splits(spicymkl, predictions, scores, X, labels, 4):
        choice = {"cv": PredefinedSplit(folds), "n_jobs": 1}
        if task == "classes":
            model = MKLClassifierCV(**choice)
        else:
            model = MKLRegressorCV(scoring="neg_root_mean_squared_error", **choice)
        model.fit(X[training], labels[training])
        assert model.best_params_["alpha"] == f"{float(score['alpha_ratio'])!r}max"
        if task == "classes":
            loss = log_loss(labels[test], model.predict_proba(X[test]))
            assert float(score["log_loss"]) == pytest.approx(loss, rel=1e-9)
        else:
            error = np.sqrt(mean_squared_error(labels[test], model.predict(X[test])))
            assert float(score["rmse"]) == pytest.approx(error, rel=1e-9)


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def wait_for_parts(run, parts, count):
    """Until there are more parts than that, or the run is over."""
    while run.poll() is None and len(list(parts.glob("*.json"))) <= count:
        time.sleep(0.01)


def test_shards_make_one_whole(spicymkl, table):
    spicymkl.ok("study", *table, "-o", "whole", *SMALL)
    whole = files(spicymkl.folder / "whole")
    for count in (2, 5):
        folder = f"of {count}"
        for number in reversed(range(1, count + 1)):
            done = spicymkl.run("study", *table, "-o", folder, *SMALL, "--shard", f"{number}/{count}", "--threads", 1)
            assert done.returncode == 0 and ("spicymkl merge" in done.stderr)
            if number == 2:
                parts = spicymkl.folder / folder / "parts"
                missing = spicymkl.run("merge", folder)
                assert missing.returncode == 1 and "score-0001-1" in missing.stderr
                assert not (parts.parent / "study.json").exists()
        assert "p-value of the model" in spicymkl.ok("merge", folder)
        assert files(spicymkl.folder / folder) == whole


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_part_that_was_ended_resumes(spicymkl, table, how):
    options = [*table, "--repeats", 6, *SMALL[2:], "--threads", 1]
    spicymkl.ok("study", *options, "-o", "whole")
    for shard in (["--shard", "1/2"], ["--shard", "2/2"]):
        parts = spicymkl.folder / "killed" / "parts"
        before = len(list(parts.glob("*.json")))
        run = spicymkl.start("study", *options, "-o", "killed", *shard)
        wait_for_parts(run, parts, before + 1)
        run.send_signal(how)
        _, said = run.communicate()
        if how == signal.SIGINT and run.returncode:
            assert run.returncode == 1 and "the same command resumes there" in said
        kept = files(parts)
        spicymkl.ok("study", *options, "-o", "killed", *shard)
        assert kept.items() <= files(parts).items()
    spicymkl.ok("merge", "killed")
    assert files(spicymkl.folder / "killed") == files(spicymkl.folder / "whole")


def test_what_is_done_is_not_done_again(spicymkl, table):
    spicymkl.ok("study", *table, "-o", "out", *SMALL)
    parts = sorted((spicymkl.folder / "out" / "parts").iterdir())
    before = {path: path.stat().st_mtime_ns for path in parts}
    parts[0].write_text(parts[0].read_text()[:40])  # damaged: known as such, and done again
    parts[1].unlink()
    whole = files(spicymkl.folder / "out")
    done = spicymkl.run("study", *table, "-o", "out", *SMALL)
    assert f"{len(parts) - 2} done before" in done.stderr
    again = [path for path in parts if path.stat().st_mtime_ns != before[path]]
    assert again == parts[:2]
    assert {name: data for name, data in files(spicymkl.folder / "out").items() if name.parent.name != "parts"} == {
        name: data for name, data in whole.items() if name.parent.name != "parts"
    }


def test_groups_stay_together(spicymkl):
    X, y = problems.classification(n=60)
    site = [f"site {i % 12}" for i in range(60)]
    columns = {"x1": X[:, 0], "x2": X[:, 1], "site": site}
    data = [spicymkl.table("d.csv", columns, np.where(y > 0, "up", "down")), "--target", "y"]
    options = ["--repeats", 2, "--outer", 3, "--inner", 2, "--stability", 2, "--permutations", 1]
    study(spicymkl, *data, "-o", "out", *options, "--group", "site")
    for repeat in ("1", "2"):
        parts = {}
        for row in read_csv(spicymkl.folder / "out" / "predictions.csv"):
            if row["repeat"] == repeat:
                parts.setdefault(site[int(row["row"]) - 1], set()).add(row["part"])
        assert len(parts) == 12 and all(len(part) == 1 for part in parts.values())
    # The identity of the rows may be the group as well, and Gram matrices have a file of groups.
    study(spicymkl, *data, "-o", "by id", *options, "--group", "site", "--id", "site")
    assert (spicymkl.folder / "by id" / "scores.csv").read_bytes() == (
        spicymkl.folder / "out" / "scores.csv"
    ).read_bytes()
    grams = spicymkl.save(problems.kernels(X), y)
    spicymkl.write("sites.txt", "\n".join(site) + "\n")
    study(spicymkl, *grams, "-o", "gram", *options, "--group", "sites.txt")
    spicymkl.write("few.txt", "a\nb\n")
    spicymkl.refuse(["study", *grams, "-o", "new", *SMALL, "--group", "few.txt"], "'few.txt' holds 2 groups", "60 rows")


def test_time_that_is_over(spicymkl, table):
    done = spicymkl.run("study", *table, "-o", "out", *SMALL, "--max-seconds", 1e-9)
    assert done.returncode == 1 and "time limit" in done.stderr


def test_bad_input(spicymkl, table):
    study_of = ["study", *table, "-o", "new"]
    spicymkl.refuse(["study", *table], "study needs -o DIR")
    spicymkl.refuse([*study_of, "--shard", "3/2"], "shard is '3/2'", "numbered from 1")
    spicymkl.refuse([*study_of, "--shard", "two"], "two whole numbers such as 2/5")
    spicymkl.refuse([*study_of, "--group", "site"], "there is no column 'site'")
    spicymkl.refuse([*study_of, "--outer", 1], "outer is 1, but it must be 2 or more")
    spicymkl.refuse([*study_of, "--outer", 30], "30 parts were asked for, but there are only 48 rows")
    spicymkl.refuse([*study_of, "--penalty", "uniform"], "--stability 0")
    spicymkl.refuse([*study_of, "--metric", "rmse"], "metric 'rmse' does not suit classes")
    spicymkl.refuse([*study_of, "--stability", 0, "--threshold", 0.8], "--threshold has no effect with --stability 0")
    spicymkl.refuse(
        [*study_of, "--repeats", 0, "--permutations", 0, "--inner", 3],
        "--inner has no effect with --repeats 0 and --permutations 0",
    )
    (spicymkl.folder / "other").mkdir()
    spicymkl.refuse(["merge", "other"], "'other' holds no study")
    spicymkl.refuse(["merge", "nowhere"], "there is no folder 'nowhere'")
    spicymkl.write("other/notes.txt", "mine")
    spicymkl.refuse(["study", *table, "-o", "other"], "holds 'notes.txt' and no study")
    spicymkl.refuse(["study", *table, "-o", "d.csv"], "cannot make the folder 'd.csv'")
    spicymkl.write("other/study-plan.json", "{}")
    spicymkl.refuse(["merge", "other"], "is not the description of a study")
    X, y = problems.classification(n=30)
    spicymkl.table("rare.csv", X[:, :2], ["a", "b"] * 14 + ["c", "c"])
    spicymkl.refuse(["study", "rare.csv", "--target", "y", "-o", "new"], "class 'c' has 2 rows", "at least 3")
    columns = {"x1": X[:, 0], "site": ["a", "b", "c"] * 10}
    spicymkl.table("few.csv", columns, y)
    spicymkl.refuse(["study", "few.csv", "--target", "y", "-o", "new", "--group", "site"], "'site' has 3 groups")
    columns["site"][4] = ""
    spicymkl.table("gap.csv", columns, y)
    spicymkl.refuse(["study", "gap.csv", "--target", "y", "-o", "new", "--group", "site"], "line 6", "group is missing")


def test_intervals_end_where_the_measures_do(spicymkl):
    X, _ = problems.classification(n=36, columns=2)
    spicymkl.table("easy.csv", X, np.where(X[:, 0] > 0, "up", "down"))
    options = ["--repeats", 2, "--outer", 3, "--inner", 2, "--stability", 0, "--permutations", 0]
    found = study(spicymkl, "easy.csv", "--target", "y", "-o", "out", *options)["scores"]
    low, high = found["accuracy"]["interval"]
    assert 0 <= low < high <= 1
    assert found["log_loss"]["interval"][0] >= 0


def test_a_study_of_an_earlier_version_resumes(spicymkl, table):
    """Where there are not several classes, how these are learned was noted all the same."""
    spicymkl.ok("study", *table, "-o", "out", *SMALL, "--shard", "1/2")
    plan = spicymkl.folder / "out" / "study-plan.json"
    description = json.loads(plan.read_text())
    assert "multi_class" not in description["identity"]
    description["identity"]["multi_class"] = "ovr"
    plan.write_text(json.dumps(description, indent=1) + "\n")
    for part in (spicymkl.folder / "out" / "parts").glob("*.json"):  # they are those of another plan now
        part.unlink()
    spicymkl.ok("study", *table, "-o", "out", *SMALL)
    assert json.loads(plan.read_text())["identity"]["multi_class"] == "ovr"


def test_a_folder_holds_one_study(spicymkl, table):
    spicymkl.ok("study", *table, "-o", "out", *SMALL, "--shard", "1/7")
    spicymkl.refuse(["study", *table, "-o", "out", *SMALL, "--seed", 5], "holds another study", "seed was '0' there")
    spicymkl.refuse(["study", *table, "-o", "out", *SMALL, "--drop", "x2"], "holds another study", "the data was")
    # The same rows by another path, and on other threads, are the same study.
    spicymkl.write("copy.csv", (spicymkl.folder / "d.csv").read_text())
    done = spicymkl.run("study", "copy.csv", *table[1:], "-o", "out", *SMALL, "--shard", "1/7", "--threads", 1)
    assert done.returncode == 0 and "none is done yet" not in done.stderr
    X, y = problems.classification(n=48, columns=4, seed=9)
    spicymkl.table("d.csv", X, np.where(y > 0, "up", "down"))
    spicymkl.refuse(["study", *table, "-o", "out", *SMALL], "holds another study", "the data was")
