"""Losses and regularisers written in Python, in the C++ solver."""

import math
import pickle

import numpy as np
import pytest

from problems import classification, kernels, regression
from spicymkl import Loss, MKLClassifier, MKLRegressor, Regularizer, certificate


class Logistic(Loss):
    def value(self, y, z):
        return float(np.logaddexp(0, -y * z))

    def dual_point(self, y, z):
        return y / (1 + math.exp(y * z))

    def conjugate(self, y, rho):
        p = y * rho
        return sum(x * math.log(x) for x in (p, 1 - p) if x > 0)

    def gradient(self, y, rho):
        return y * math.log(y * rho / (1 - y * rho))

    def hessian(self, y, rho):
        return 1 / (y * rho * (1 - y * rho))

    def domain(self, y):
        return min(y, 0), max(y, 0)


class Hinge(Loss):
    closed = True

    def value(self, y, z):
        return max(1 - y * z, 0)

    def dual_point(self, y, z):
        return y if y * z < 1 else 0

    def conjugate(self, y, rho):
        return -y * rho

    def gradient(self, y, rho):
        return -y

    def hessian(self, y, rho):
        return 0

    def domain(self, y):
        return min(y, 0), max(y, 0)


class Tube(Loss):
    """epsilon_insensitive in the constrained form: the auxiliary variable is max(−ρ, 0) at the least."""

    labels = "numbers"
    n_constraints = 4
    has_auxiliary = True
    epsilon = 0.2

    def value(self, y, z):
        return max(abs(y - z) - self.epsilon, 0)

    def dual_point(self, y, z):
        return float(np.sign(y - z)) if abs(y - z) > self.epsilon else 0

    def conjugate(self, y, rho):
        return -y * rho + self.epsilon * abs(rho)

    def gradient(self, y, rho):
        return -y

    def hessian(self, y, rho):
        return 0

    def domain(self, y):
        return -1, 1

    def smooth_conjugate(self, y, rho, aux):
        return -y * rho + self.epsilon * (rho + 2 * aux), -y + self.epsilon, 2 * self.epsilon, 0, 0, 0

    def constraint(self, j, y, rho, aux):
        value, d_rho, d_aux = [(-aux, 0, -1), (-rho - aux, -1, -1), (aux - 1, 0, 1), (rho + aux - 1, 1, 1)][j]
        return value, d_rho, d_aux, 0, 0, 0


class ElasticNet(Regularizer):
    def __init__(self, l1_ratio=0.5):
        self.threshold = self.l1_ratio = l1_ratio

    def value(self, x):
        return self.l1_ratio * x + (1 - self.l1_ratio) * x * x / 2

    def conjugate(self, u):
        return max(u - self.l1_ratio, 0) ** 2 / (2 * (1 - self.l1_ratio))

    def prox(self, v, gamma):
        return max(v - gamma * self.l1_ratio, 0) / (1 + gamma * (1 - self.l1_ratio))

    def prox_slope(self, v, gamma):
        return 1 / (1 + gamma * (1 - self.l1_ratio)) if v > gamma * self.l1_ratio else 0


def agree(own, built_in, K, y, ask="decision_function"):
    own.fit(K, y)
    built_in.fit(K, y)
    assert own.status_ == "converged"
    assert own.alpha_ == pytest.approx(built_in.alpha_, rel=1e-12)
    assert own.primal_objective_ == pytest.approx(built_in.primal_objective_, rel=1e-6)
    assert getattr(own, ask)(K) == pytest.approx(getattr(built_in, ask)(K), abs=1e-6)
    assert own.kernel_weights_ == pytest.approx(built_in.kernel_weights_, abs=1e-5)


def test_a_logistic_loss_of_ones_own_gives_the_built_in_answer():
    X, y = classification(40)
    options = {"kernels": "precomputed", "tol": 1e-12}
    agree(MKLClassifier(loss=Logistic(), **options), MKLClassifier(loss="logistic", **options), kernels(X) * 40, y)


def test_an_elastic_net_of_ones_own_gives_the_built_in_answer():
    X, y = classification(40)
    options = {"kernels": "precomputed", "tol": 1e-12, "alpha": "0.3max"}
    own = MKLClassifier(penalty=ElasticNet(0.4), **options)
    agree(own, MKLClassifier(penalty="elasticnet", l1_ratio=0.4, **options), kernels(X) * 40, y)


def test_a_closed_domain_is_kept_by_multipliers():
    X, y = classification(40)
    options = {"kernels": "precomputed", "tol": 1e-7}
    own = MKLClassifier(loss=Hinge(), **options).fit(kernels(X) * 40, y)
    built_in = MKLClassifier(loss="hinge", **options).fit(kernels(X) * 40, y)
    assert own.status_ == "converged"
    assert own.primal_objective_ == pytest.approx(built_in.primal_objective_, rel=1e-6)


def test_a_kink_takes_the_constrained_form():
    X, y = regression(40)
    options = {"kernels": "precomputed", "tol": 1e-6}
    own = MKLRegressor(loss=Tube(), **options).fit(kernels(X), y)
    built_in = MKLRegressor(loss="epsilon_insensitive", epsilon=0.2, **options).fit(kernels(X), y)
    assert own.status_ == "converged"
    assert own.primal_objective_ == pytest.approx(built_in.primal_objective_, rel=1e-5)


def test_models_of_ones_own_are_pickled_and_proved():
    X, y = classification(40)
    model = MKLClassifier(loss=Logistic(), penalty=ElasticNet()).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    assert certificate(again, X, y)["holds"]
    assert not hasattr(model, "predict_proba")
    with pytest.raises(ValueError, match="pickle the estimator"):
        model.save("nowhere.safetensors")


def test_what_a_method_raises_is_raised_by_fit():
    class Broken(Logistic):
        def gradient(self, y, rho):
            raise RuntimeError("no gradient today")

    X, y = classification(30)
    with pytest.raises(RuntimeError, match="no gradient today"):
        MKLClassifier(loss=Broken()).fit(X, y)
    with pytest.raises(ValueError, match="no method 'prox'"):
        MKLClassifier(penalty=Logistic()).fit(X, y)
