"""Studies of survival times, against scikit-survival's concordance, and the package against the command."""

import numpy as np
import pytest
from sksurv.metrics import concordance_index_censored

from spicymkl import MKLStudy, MKLSurvival
from survival_cases import structured
from test_study import numbers, read_csv

FEW = {"repeats": 1, "outer": 3, "inner": 3, "stability": 4, "permutations": 9}
WORDS = [word for name, value in FEW.items() for word in (f"--{name}", value)]
COX = ["--time", "days", "--event", "died"]


@pytest.fixture
def lives(spicymkl):
    """The first of three columns decides; a third of the rows are lost."""
    random = np.random.default_rng(0)
    X = random.standard_normal((60, 3))
    time = np.round(random.exponential(np.exp(-2 * X[:, 0])), 3) + 0.001
    event = (random.random(60) > 1 / 3).astype(float)
    cells = np.column_stack([X, time, event])
    header = "a,b,c,days,died"
    np.savetxt(spicymkl.folder / "lives.csv", cells, "%.17g", ",", header=header, comments="")
    return X, time, event


def test_scores_are_concordances_of_the_predictions(spicymkl, lives):
    _, time, event = lives
    spicymkl.ok("study", "lives.csv", *COX, "-o", "out", *WORDS, "--quiet")
    scores, predictions = (read_csv(spicymkl.folder / "out" / name) for name in ("scores.csv", "predictions.csv"))
    part, row, risk = (numbers(predictions, name) for name in ("part", "row", "score"))
    assert sorted(row) == list(range(1, 61))
    for score in scores:
        rows = row[part == float(score["part"])].astype(int) - 1
        expected = concordance_index_censored(event[rows] > 0, time[rows], risk[part == float(score["part"])])[0]
        assert float(score["concordance"]) == pytest.approx(expected, abs=1e-12)
        assert float(score["baseline_concordance"]) == 0.5
        assert event[rows].sum() == pytest.approx(event.sum() / 3, abs=1)  # parts have their share of the events
    shuffled = numbers(read_csv(spicymkl.folder / "out" / "permutations.csv"), "concordance")
    assert len(shuffled) == 10 and shuffled[0] > shuffled[1:].max() and shuffled[0] > 0.7
    best = max(read_csv(spicymkl.folder / "out" / "sources.csv"), key=lambda source: float(source["weight"]))
    assert best["source"] == "a"


def test_the_package_finds_what_the_command_finds(spicymkl, lives):
    X, time, event = lives
    spicymkl.ok("study", "lives.csv", *COX, "-o", "out", *WORDS, "--quiet")
    study = MKLStudy(MKLSurvival(), **FEW).fit(X, structured(event, time))
    for frame, name in ((study.scores_, "scores"), (study.permutations_, "permutations")):
        there = numbers(read_csv(spicymkl.folder / "out" / f"{name}.csv"), "concordance")
        np.testing.assert_array_equal(frame["concordance"], there)
    assert study.results_["metric"] == "concordance" and study.p_value_ == pytest.approx(0.1)


def test_bad_input(spicymkl, lives):
    X, time, _ = lives
    few = np.zeros(60)
    few[:3] = 1
    with pytest.raises(ValueError, match="the event has 3 rows, but nested cross-validation needs at least 4"):
        MKLStudy(MKLSurvival(), **FEW).fit(X, structured(few, time))
    spicymkl.refuse(["study", "lives.csv", *COX, "-o", "out", "--metric", "auc"], "'auc' does not suit survival times")
    spicymkl.ok("study", "lives.csv", *COX, "-o", "out", *WORDS, "--quiet")
    other = ["--time", "a", "--event", "died"]
    spicymkl.write("absolute.csv", (spicymkl.folder / "lives.csv").read_text().replace("-", ""))
    spicymkl.refuse(["study", "absolute.csv", *other, "-o", "out", *WORDS], "holds another study")
