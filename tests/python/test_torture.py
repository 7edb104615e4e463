"""Hostile random problems, judged in extended precision (tests/torture); `./dev torture` runs as many as one likes."""

import os

import campaign
import numpy as np
import pytest
from attempt import Answer, attempt
from hostile_problem import UNPENALISED_AND_JOINT, random_problem
from judge import verdict
from shrink import program, shrunk

# Each was a failure once: flat optima, steep penalties, kernels much larger than alpha or nearly constant, losses that
# are smooth in name only.
FOUND = [34, 116, 238, 298, 304, 616, 833, 1201, 1871, 1978, 2324, 2748, 3064, 3071, 3362, 3588, 4116, 4782, 4948]
FOUND += [100256, 103447, 300146, 300633, 304214, 308376, 314091, 400809, 403131, 81372]
FOUND += [938, 200788, 202755, 126366, 151943, 154954]


def check(seeds):
    failures, counts, _ = campaign.run(seeds, jobs=os.cpu_count())
    assert not campaign.judgement(failures, counts), failures
    return counts


def test_500_problems():
    counts = check(range(500))
    assert counts["well-posed"] > 200
    assert counts["ill-posed"] > 100


def test_120_problems_with_covariates_and_classes_at_once():
    """No wrong claim, crash or NaN. Losses with kinks beside covariates may stall at a gap of about 1e-3, and say so."""
    seeds = range(UNPENALISED_AND_JOINT, UNPENALISED_AND_JOINT + 120)
    failures, counts, _ = campaign.run(seeds, jobs=os.cpu_count())
    assert all(failure.kind == campaign.FORGIVABLE for failure in failures), failures
    assert counts["well-posed"] > 30 and len(failures) <= 3


def test_problems_that_were_failures_once():
    check(FOUND)


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """A problem that was solved, with its answer."""
    for seed in range(100):
        problem = random_problem(seed)
        answer = attempt(problem, tmp_path_factory.mktemp("solved"))
        if not problem.is_table and verdict(problem, answer) == ("", "well-posed"):
            return problem, answer
    raise AssertionError("no problem was solved")


@pytest.mark.parametrize(
    "change, kind",
    [
        (lambda c: c.update(relative_gap=0.1 * c["relative_gap"]), "claim"),
        (lambda c: c.update(intercept=c["intercept"] + 1), "claim"),
        (lambda c: c.update(dual=(0.5 * np.array(c["dual"])).tolist()), "claim"),
        (lambda c: c.update(primal=None), "nan"),
        (lambda c: c.update(relative_gap=0.5), "status"),
    ],
)
def test_the_judge_sees_what_is_wrong(solved, change, kind):
    problem, answer = solved
    certificate = dict(answer.certificate)
    change(certificate)
    changed = Answer(answer.status, answer.stderr, answer.seconds, certificate)
    assert verdict(problem, changed)[0] == kind


def test_the_judge_sees_crashes_and_hangs(solved):
    problem, _ = solved
    assert verdict(problem, Answer(-11, "", 1.0, None))[0] == "crash"
    assert verdict(problem, Answer(2, "Traceback", 1.0, None))[0] == "crash"
    assert verdict(problem, Answer(None, "", 30.0, None))[0] == "hang"
    assert verdict(problem, Answer(2, "spicymkl: it is too hard", 1.0, None))[0] == "refused"


def test_failures_become_small_programs():
    problem = random_problem(0)
    small = shrunk(problem, lambda candidate: len(candidate.labels) >= 3)
    assert len(small.labels) == 3
    assert small.n_kernels == 1
    names = {}
    exec(program(small).split("with tempfile")[0], names)  # noqa: S102
    assert np.array_equal(names["problem"].labels, small.labels)
