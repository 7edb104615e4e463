"""Losses and regularisers of your own: small classes whose methods run in the solver.

Each method takes and gives plain numbers. The notation is that of the user guide: y is a label, z a prediction, ρ (``rho``) the
dual value of a sample, x ≥ 0 the norm of one kernel's function, u ≥ 0 the norm of the dual vector in one kernel.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

__all__ = ["Loss", "Regularizer"]


class Loss(ABC):
    """A loss ℓ(y, z), convex in z, by its values and by those of ρ ↦ ℓ*(y, −ρ), where ℓ* is its conjugate in z.

    Attributes
    ----------
    labels : {"classes", "numbers"}
        Whether y is −1 or +1, or any number.
    closed : bool
        True if the gradient stays finite at the ends of the domain, as for hinge. The solver then keeps to the domain by
        multipliers, and needs ``conjugate``, ``gradient`` and ``hessian`` outside of it too: the same formulas do. False if the
        gradient grows without bound there, as for logistic, or if there are no ends.

    Notes
    -----
    A conjugate with a kink needs the constrained form of Section 3.4.2 of the paper. Such a class also has the attributes
    ``n_constraints`` and ``has_auxiliary``, and the methods ``smooth_conjugate(y, rho, aux)`` and
    ``constraint(j, y, rho, aux)``, each giving a value and its derivatives by ρ, aux, ρρ, ρ-aux, aux-aux.
    """

    labels = "classes"
    closed = False

    @abstractmethod
    def value(self, y: float, z: float) -> float:
        """ℓ(y, z)."""

    @abstractmethod
    def dual_point(self, y: float, z: float) -> float:
        """The ρ that belongs to a prediction: −∂ℓ/∂z, within the domain."""

    @abstractmethod
    def conjugate(self, y: float, rho: float) -> float:
        """ℓ*(y, −ρ)."""

    @abstractmethod
    def gradient(self, y: float, rho: float) -> float:
        """Its derivative by ρ."""

    @abstractmethod
    def hessian(self, y: float, rho: float) -> float:
        """Its second derivative by ρ."""

    def domain(self, y: float) -> tuple[float, float]:
        """The ends of the interval of ρ on which ℓ*(y, −ρ) is finite; it contains 0."""
        return -math.inf, math.inf


class Regularizer(ABC):
    """A penalty g(x) on the norm x of each kernel's function; the problem has alpha·g.

    g is convex and does not decrease, and g(0) = 0.

    Attributes
    ----------
    threshold : float
        g′(0+). Above 0, kernels are switched off.
    dual_bound : float
        The largest u at which the conjugate is finite.
    """

    threshold = 0.0
    dual_bound = math.inf

    @abstractmethod
    def value(self, x: float) -> float:
        """g(x)."""

    @abstractmethod
    def conjugate(self, u: float) -> float:
        """g*(u) = max over x ≥ 0 of ux − g(x)."""

    @abstractmethod
    def prox(self, v: float, gamma: float) -> float:
        """The x ≥ 0 that minimises gamma·g(x) + (x − v)²/2."""

    @abstractmethod
    def prox_slope(self, v: float, gamma: float) -> float:
        """The derivative of prox by v."""
