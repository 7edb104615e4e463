"""What a fitted estimator says."""

import signal
import subprocess
import sys
import textwrap
import time
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

import referee
from problems import classification, kernels, regression
from spicymkl import MKLClassifier, MKLClassifierCV, MKLRegressor, MKLRegressorCV, alpha_max, certificate, mkl_path


def test_fitted_attributes():
    X, y = classification(60)
    K = kernels(X)
    model = MKLClassifier("precomputed").fit(K, y)
    M, N = len(K), len(y)
    assert model.kernel_weights_.shape == model.kernel_norms_.shape == model.coef_scale_.shape == (M,)
    assert model.dual_.shape == (N,) and model.n_features_in_ == N
    assert np.array_equal(model.active_kernels_, np.flatnonzero(model.kernel_weights_))
    # coef_m = coef_scale_[m]·dual_ are the coefficients, and their norms the norms.
    coef = model.coef_scale_[:, None] * model.dual_
    decision = np.einsum("mij,mj->i", K, coef) + model.intercept_
    assert model.decision_function(K) == pytest.approx(decision, abs=1e-12)
    assert model.kernel_norms_ == pytest.approx(np.sqrt(np.einsum("mij,mi,mj->m", K, coef, coef)), rel=1e-9)
    gap = (model.primal_objective_ - model.dual_objective_) / model.primal_objective_
    assert model.duality_gap_ == pytest.approx(gap, abs=1e-12) and model.duality_gap_ <= model.tol
    assert model.n_iter_ >= 1 and model.status_ == "converged"
    assert {"seconds", "primal", "dual", "gap", "n_active"} == set(model.history_)
    assert all(len(values) == len(model.history_["gap"]) > 0 for values in model.history_.values())


def test_classes_have_a_leading_axis():
    X, y = load_iris(return_X_y=True)
    model = MKLClassifier(multi_class="ovr").fit(X, y)
    M = len(model.kernel_names_)
    assert model.kernel_weights_.shape == model.coef_scale_.shape == (3, M)
    assert model.dual_.shape == (3, 150) and model.intercept_.shape == (3,)
    assert len(model.history_) == 3 and model.status_.tolist() == ["converged"] * 3
    assert not np.array_equal(model.kernel_weights_[0], model.kernel_weights_[1])
    assert model.decision_function(X).shape == model.predict_proba(X).shape == (150, 3)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(150))


def test_classes_that_are_learned_at_once_share_their_kernels():
    X, y = load_iris(return_X_y=True)
    model = MKLClassifier().fit(X, y)
    M = len(model.kernel_names_)
    assert model.kernel_weights_.shape == model.kernel_norms_.shape == model.coef_scale_.shape == (M,)
    assert model.dual_.shape == (150, 3) and model.intercept_.shape == (3,)
    assert isinstance(model.history_, dict) and model.status_ == "converged" and model.duality_gap_ <= model.tol
    assert model.decision_function(X).shape == model.predict_proba(X).shape == (150, 3)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(150))


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.parametrize("classes", [2, 3])
def test_contributions_sum_to_the_decision(classes, multi_class):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < classes], y[y < classes]
    model = MKLClassifier(multi_class=multi_class).fit(X, y)
    shares = model.contributions(X)
    assert shares.shape == ((3, 150) if classes == 3 else (100,)) + (len(model.kernel_names_),)
    total = np.full(shares.shape[:-1], model.intercept_[:, None] if classes == 3 else model.intercept_)
    for m in range(shares.shape[-1]):
        total += shares[..., m]
    assert np.array_equal(total.T, model.decision_function(X))  # every bit
    inactive = np.setdiff1d(np.arange(shares.shape[-1]), model.active_kernels_)
    assert not shares[..., inactive].any()


def test_the_certificate_is_enough_for_a_referee():
    X, y = regression(50)
    K = kernels(X)
    model = MKLRegressor("precomputed", penalty="elasticnet", tol=1e-6).fit(K, y)
    primal, dual = referee.recompute(certificate(model), K, y)
    assert primal == pytest.approx(model.primal_objective_, rel=1e-9)
    assert dual == pytest.approx(model.dual_objective_, rel=1e-9)
    proof = certificate(model, K, y)
    assert proof["holds"] and proof["relative_gap"] == pytest.approx((primal - dual) / primal, abs=1e-9)
    with pytest.raises(ValueError, match="not the data of the model"):
        certificate(model, K[:5], y)
    assert not certificate(model, K, y + 1)["holds"] or not certificate(model, K, 2 * y)["holds"]


def test_the_certificate_of_classes_and_weights():
    X, y = load_iris(return_X_y=True)
    options = {"class_weight": {0: 1, 1: 2, 2: 3}}
    model = MKLClassifier(multi_class="ovr", **options).fit(X, y, sample_weight=np.linspace(0.5, 1, 150))
    proof = certificate(model, X, y)
    assert proof["holds"] and len(proof["classes"]) == 3
    for part, primal in zip(proof["classes"], model.primal_objective_):
        assert part["primal"] == pytest.approx(primal, rel=1e-9)
    at_once = MKLClassifier(**options).fit(X, y, sample_weight=np.linspace(0.5, 1, 150))
    proof = certificate(at_once, X, y)
    assert proof["holds"] and proof["primal"] == pytest.approx(at_once.primal_objective_, rel=1e-9)


def test_class_weights_are_sample_weights():
    X, y = classification(60)
    y = np.where(np.arange(60) % 3 == 0, 1, y).astype(int)
    options = {"alpha": "0.1max", "tol": 1e-7}
    weighted = MKLClassifier(class_weight={-1: 3.0, 1: 0.5}, **options).fit(X, y)
    samples = MKLClassifier(**options).fit(X, y, sample_weight=np.where(y < 0, 3.0, 0.5))
    assert np.array_equal(weighted.decision_function(X), samples.decision_function(X))
    balanced = MKLClassifier(class_weight="balanced").fit(X, y)
    assert balanced.decision_function(X).mean() < MKLClassifier().fit(X, y).decision_function(X).mean()


@pytest.mark.parametrize("multi_class", ["joint", "ovr"])
@pytest.mark.parametrize("class_weight", ["balanced", {0: 100.0, 1: 1.0, 2: 0.01}])
def test_class_weights_leave_the_default_strength_as_it_is(class_weight, multi_class):
    X, y = load_iris(return_X_y=True)
    weights = np.linspace(0, 1, 150)
    plain, weighted = (
        MKLClassifier(class_weight=c, multi_class=multi_class).fit(X, y, sample_weight=weights)
        for c in (None, class_weight)
    )
    assert weighted.alpha_ == pytest.approx(plain.alpha_, rel=1e-12)
    assert not np.allclose(weighted.dual_, plain.dual_)


def test_samples_of_weight_0_have_no_part_in_balanced_classes():
    X, y = classification(60)
    kept = (np.arange(60) % 4 != 0) | (y > 0)
    without = MKLClassifier(class_weight="balanced").fit(X[kept], y[kept])
    model = MKLClassifier(class_weight="balanced").fit(X, y, sample_weight=kept.astype(float))
    assert model.dual_[kept] == pytest.approx(without.dual_, rel=1e-9)


def test_samples_of_weight_0_are_left_out():
    X, y = classification(60)
    kept = np.arange(60) % 4 != 0
    for data, rows in ((X, lambda K: K[kept]), (kernels(X), lambda K: K[:, kept][:, :, kept])):
        options = {"kernels": "precomputed"} if data.ndim == 3 else {}
        without = MKLClassifier(**options).fit(rows(data), y[kept])
        model = MKLClassifier(**options).fit(data, y, sample_weight=kept.astype(float))
        assert np.array_equal(model.dual_[kept], without.dual_) and not model.dual_[~kept].any()
        new = data if data.ndim == 2 else data[:, :, kept]
        assert np.array_equal(model.decision_function(data), without.decision_function(new))


def test_weights_are_copies_of_samples():
    X, y = regression(30)
    K = kernels(X)
    counts = 1 + np.arange(30) % 3
    rows = np.repeat(np.arange(30), counts)
    weighted = MKLRegressor("precomputed", tol=1e-10, alpha=0.3).fit(K, y, sample_weight=counts)
    repeated = MKLRegressor("precomputed", tol=1e-10, alpha=0.3).fit(K[:, rows][:, :, rows], y[rows])
    assert weighted.predict(K) == pytest.approx(repeated.predict(K[:, :, rows]), abs=1e-5)


def test_bad_weights_are_refused():
    X, y = classification(30)
    for weights in (-np.ones(30), np.zeros(30), np.where(y > 0, 1.0, 0.0), np.full(30, np.nan), np.ones(29)):
        with pytest.raises(ValueError):
            MKLClassifier().fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("penalty", ["block1", "elasticnet"])
def test_alpha_max_is_where_kernels_come_in(penalty):
    X, y = classification(60)
    largest = alpha_max(X, y, penalty=penalty)
    none = MKLClassifier(penalty=penalty, alpha=largest * 1.001, tol=1e-6).fit(X, y)
    some = MKLClassifier(penalty=penalty, alpha=largest * 0.99, tol=1e-6).fit(X, y)
    assert len(none.active_kernels_) == 0 and len(some.active_kernels_) > 0
    assert MKLClassifier(penalty=penalty, alpha="0.5max").fit(X, y).alpha_ == pytest.approx(largest / 2)
    assert MKLClassifier(penalty=penalty).fit(X, y).alpha_ == pytest.approx(0.03 * largest)
    assert none.decision_function(X) == pytest.approx(np.full(60, none.intercept_))


def test_the_path_is_a_row_of_fits():
    X, y = regression(50)
    path = mkl_path(X, y, alphas=6, eps=0.05, tol=1e-8)
    assert path.alphas[0] == pytest.approx(alpha_max(X, y)) and path.alphas[-1] == pytest.approx(0.05 * path.alphas[0])
    assert path.n_active[0] == 0 and path.n_active[-1] > 0
    assert (path.duality_gaps <= 1e-8).all()
    alone = MKLRegressor(alpha=path.alphas[3], tol=1e-8).fit(X, y)
    assert path.kernel_weights[3] == pytest.approx(alone.kernel_weights_, abs=1e-3)
    assert path.intercepts[3] == pytest.approx(alone.intercept_, abs=1e-4)
    assert (
        path.duals.shape == (6, 50) and path.coef_scales.shape == path.kernel_norms.shape == path.kernel_weights.shape
    )
    given = mkl_path(X, y, alphas=[0.1, 0.3])
    assert given.alphas.tolist() == [0.3, 0.1]


def test_the_path_of_several_classes():
    X, y = load_iris(return_X_y=True)
    path = mkl_path(X, y.astype(str), alphas=3, multi_class="ovr")
    assert path.kernel_weights.shape == (3, 3, len(path.kernel_names)) and path.alphas.shape == (3,)
    at_once = mkl_path(X, y.astype(str), alphas=3)
    assert at_once.kernel_weights.shape == (3, len(path.kernel_names)) and at_once.intercepts.shape == (3, 3)


def test_cross_validation_chooses_a_strength():
    X, y = regression(80)
    model = MKLRegressorCV(alphas=["0.001max", "0.1max", "1max"], cv=4).fit(X, y)
    assert model.best_params_["alpha"] != "1max"
    assert model.best_score_ == model.cv_results_["mean_test_score"].max() > 0.5
    assert model.cv_results_["alpha"].tolist() == ["1max", "0.1max", "0.001max"] * 3
    chosen = {name: model.best_params_[name] for name in ("kernels", "alpha")}
    assert list(dict.fromkeys(model.cv_results_["kernels"])) == ["auto:both", "auto:columns", "auto:joint"]
    plain = MKLRegressor(**chosen).fit(X, y)
    assert np.array_equal(model.predict(X), plain.predict(X))


def test_cross_validation_chooses_by_the_probabilities():
    from sklearn.metrics import log_loss

    X, y = load_iris(return_X_y=True)
    y = np.array(["setosa", "versicolor", "virginica"])[y]
    rows = np.r_[0:2, 50:100, 100:150]  # of the first class two rows: a fold trains on one of them, others on both
    test = np.arange(len(rows)) % 4 == 1  # holds a row of the first class
    exact = {"kernels": "auto:joint", "tol": 1e-6}
    model = MKLClassifierCV(**exact, alphas=["0.5max", "0.05max"], cv=[(~test, test)]).fit(X[rows], y[rows])
    for column, alpha in enumerate(("0.5max", "0.05max")):
        alone = MKLClassifier(**exact, alpha=alpha).fit(X[rows][~test], y[rows][~test])
        wanted = -log_loss(y[rows][test], alone.predict_proba(X[rows][test]), labels=alone.classes_)
        assert model.cv_results_["mean_test_score"][column] == pytest.approx(wanted, abs=1e-3)
    lost = np.r_[0:1, 50:100, 100:150]  # the fold that is tested on the only row of a class never saw that class
    first = np.arange(len(lost)) % 4 == 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MKLClassifierCV("auto:joint", alphas=["0.5max", "0.05max"], cv=[(~first, first), (first, ~first)])
        assert np.isfinite(model.fit(X[lost], y[lost]).best_score_)
    hinge = MKLClassifierCV("auto:joint", loss="hinge", alphas=["0.5max", "0.05max"], cv=3).fit(X, y)
    assert hinge.best_score_ == pytest.approx(np.mean(hinge.cv_results_["split_test_scores"][:, hinge.best_index_]))
    assert 0.8 < hinge.best_score_ <= 1, "no probabilities: the accuracy"


def test_cross_validation_leaves_out_what_comes_after_a_decline():
    X, y = classification(80)
    y = np.where(np.random.default_rng(0).random(80) < 0.3, -y, y)  # weak penalties learn these labels by heart
    model = MKLClassifierCV("auto:joint", alphas=12, cv=4).fit(X, y)
    scores = model.cv_results_["split_test_scores"]
    assert np.isnan(scores[:, -1]).any() and np.isfinite(scores[:, : model.best_index_ + 1]).all()
    left_out = np.isnan(scores)
    assert not (left_out[:, :-1] & ~left_out[:, 1:]).any(), "once a fold has ended, it has ended"
    asked_for = MKLClassifierCV("auto:joint", alphas=model.cv_results_["alpha"].tolist(), cv=4).fit(X, y)
    assert np.isfinite(asked_for.cv_results_["split_test_scores"]).all()
    assert asked_for.best_params_ == model.best_params_
    assert np.array_equal(asked_for.cv_results_["split_test_scores"][~left_out], scores[~left_out])


def test_cross_validation_scores_are_those_of_scikit_learn():
    from sklearn.model_selection import KFold, cross_val_score

    X, y = regression(60)
    folds = KFold(3, shuffle=True, random_state=0)
    model = MKLRegressorCV(alphas=[0.5, 0.1], cv=folds, scoring="neg_mean_absolute_error", tol=1e-8).fit(X, y)
    for column, alpha in enumerate((0.5, 0.1)):
        alone = cross_val_score(MKLRegressor(alpha=alpha, tol=1e-8), X, y, cv=folds, scoring="neg_mean_absolute_error")
        assert model.cv_results_["split_test_scores"][:, column] == pytest.approx(alone, abs=1e-4)


def test_cross_validation_chooses_the_shape_of_the_penalty():
    X, y = classification(80)
    model = MKLClassifierCV(penalty="elasticnet", l1_ratio=[0.2, 0.8], alphas=3, cv=3).fit(X, y)
    assert model.cv_results_["l1_ratio"].tolist() == ([0.2] * 3 + [0.8] * 3) * 3
    assert model.best_params_["l1_ratio"] in (0.2, 0.8)
    assert certificate(model, X, y)["holds"]


def test_warm_start_begins_at_the_last_solution():
    X, y = classification(80)
    K = kernels(X)
    cold = MKLClassifier("precomputed", tol=1e-6, solver="spicy").fit(K, y)
    warm = MKLClassifier("precomputed", tol=1e-6, solver="spicy", warm_start=True).fit(K, y).fit(K, y)
    assert warm.n_iter_ < cold.n_iter_
    assert warm.primal_objective_ == pytest.approx(cold.primal_objective_, rel=1e-5)
    warm.set_params(alpha=cold.alpha_ * 0.9).fit(K, y)
    warm.fit(K[:, :40, :40], y[:40])  # data of another size begin anew


def test_a_missed_tolerance_is_a_warning():
    X, y = classification(60)
    with pytest.warns(ConvergenceWarning, match="relative duality gap is"):
        model = MKLClassifier(loss="hinge", tol=1e-12, max_iter=1, solver="spicy").fit(X, y)
    assert model.status_ == "max_iterations"


def test_bad_parameters_are_refused():
    X, y = classification(30)
    for options, words in (
        ({"alpha": -1}, "alpha"),
        ({"alpha": "lots"}, "alpha"),
        ({"loss": "squared"}, "squared"),
        ({"loss": "?"}, "loss"),
        ({"penalty": "?"}, "penalty|regular"),
        ({"l1_ratio": 2, "penalty": "elasticnet"}, "l1_ratio"),
        ({"tol": 0}, "tol"),
        ({"max_iter": 0}, "max_iter"),
        ({"solver": "?"}, "solver"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"multi_class": "ovo"}, "ovr"),
        ({"memory": "much"}, "memory"),
    ):
        with pytest.raises(ValueError, match=words):
            MKLClassifier(**options).fit(X, y)


def test_threads_do_not_change_the_answer_much_and_runs_not_at_all():
    X, y = classification(100)
    one = MKLClassifier(n_jobs=1, tol=1e-8).fit(X, y)
    assert np.array_equal(one.dual_, MKLClassifier(n_jobs=1, tol=1e-8).fit(X, y).dual_)
    assert MKLClassifier(n_jobs=-1, tol=1e-8).fit(X, y).decision_function(X) == pytest.approx(
        one.decision_function(X), abs=1e-4
    )


def test_progress_is_shown_when_asked_for(capsys):
    X, y = classification(60)
    MKLClassifier().fit(X, y)
    assert capsys.readouterr().err == ""
    MKLClassifier(verbose=1).fit(X, y)
    assert "gap" in capsys.readouterr().err
    mkl_path(X, y, alphas=3, verbose=1)
    assert "point 3 of 3" in capsys.readouterr().err


def test_html_shows_the_proof_and_the_kernels():
    X, y = classification(60)
    model = MKLClassifier()
    assert "duality gap" not in model._repr_html_()
    html = model.fit(X, y)._repr_html_()
    assert "converged" in html and "duality gap" in html
    assert model.kernel_names_[np.argmax(model.kernel_weights_)] in html
    assert "text/html" in model._repr_mimebundle_()


def test_an_interrupt_ends_a_fit():
    script = """
        import numpy as np
        from spicymkl import MKLClassifier
        random = np.random.default_rng(0)
        X = random.standard_normal((1500, 30))
        y = np.sign(X[:, 0] * X[:, 1] + random.standard_normal(1500))
        model = MKLClassifier("random:150", loss="hinge", penalty="blockq", alpha=1e-4, tol=1e-15, max_iter=10**6, verbose=1)
        print("start", flush=True)
        try:
            model.fit(X, y)
        except KeyboardInterrupt:
            print("interrupted")
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "start\n"
    while "step" not in process.stderr.read(40):  # training has begun
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, _ = process.communicate(timeout=120)
    assert out == "interrupted\n"
    assert time.monotonic() - began < 30
