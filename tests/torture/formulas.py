"""Every loss and penalty by its formulas, in plain NumPy and whatever precision its arguments have.

`c` is a certificate: it names the loss and the penalty and has their parameters. Shares nothing with the solver.
"""

from types import SimpleNamespace

import numpy as np


def xlogx(p):
    return np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0)


def power(x, exponent):
    """x**exponent for x >= 0, without an overflow that the result does not have."""
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        return np.where(x > 0, np.exp(exponent * np.log(np.where(x > 0, x, 1))), 0)


def margin(y, z):
    return np.maximum(1 - y * z, 0)


def one_sided(y, end):
    """The ends of 0 <= y·rho <= end."""
    return np.where(y > 0, 0 * y, -end), np.where(y > 0, end, 0 * y)


def huber(r, e):
    return np.where(np.abs(r) <= e, r**2, e * (2 * np.abs(r) - e))


# Of each loss: l(y, z), l*(y, -r), and the ends of the interval of r on which that is finite.
LOSSES = {
    "logistic": (
        lambda c, y, z: np.logaddexp(0 * z, -y * z),
        lambda c, y, r: xlogx(y * r) + (1 - y * r) * np.log1p(-np.where(y * r < 1, y * r, 0)),
        lambda c, y: one_sided(y, np.abs(y)),
    ),
    "hinge": (
        lambda c, y, z: margin(y, z),
        lambda c, y, r: -y * r,
        lambda c, y: one_sided(y, np.abs(y)),
    ),
    "squared_hinge": (
        lambda c, y, z: margin(y, z) ** 2,
        lambda c, y, r: -y * r + r**2 / 4,
        lambda c, y: one_sided(y, np.inf),
    ),
    "squared": (
        lambda c, y, z: (y - z) ** 2,
        lambda c, y, r: -y * r + r**2 / 4,
        lambda c, y: (-np.inf, np.inf),
    ),
    "epsilon_insensitive": (
        lambda c, y, z: np.maximum(np.abs(y - z) - c.epsilon, 0),
        lambda c, y, r: -y * r + c.epsilon * np.abs(r),
        lambda c, y: (-1, 1),
    ),
    "huber": (
        lambda c, y, z: huber(y - z, c.epsilon),
        lambda c, y, r: -y * r + r**2 / 4,
        lambda c, y: (-2 * c.epsilon, 2 * c.epsilon),
    ),
    "quantile": (
        lambda c, y, z: np.maximum(c.quantile * (y - z), (c.quantile - 1) * (y - z)),
        lambda c, y, r: -y * r,
        lambda c, y: (c.quantile - 1, c.quantile),
    ),
}


def linear_conjugate(c, u):
    return np.where(u <= c.alpha * (1 + c.slack), 0, np.inf)


def elastic_conjugate(c, u):
    if c.l1_ratio == 1:
        return linear_conjugate(c, u)
    return np.maximum(u - c.alpha * c.l1_ratio, 0) ** 2 / (2 * c.alpha * (1 - c.l1_ratio))


def power_conjugate(c, u):
    r = c.q / (c.q - 1)
    return c.alpha * power(u / c.alpha, r) / r


def mixed(c, x):
    return c.alpha * (c.l1_ratio * power(x, c.q) / c.q + (1 - c.l1_ratio) * x**2 / 2)


def mixed_conjugate(c, u):
    """By bisection on the slope in log x: too low a conjugate would flatter the dual, so the search is fine."""
    tiny = np.finfo(u.dtype).tiny
    lower = np.full_like(u, 2 * np.log(tiny))
    upper = np.log(np.maximum(u, tiny) / (c.alpha * (1 - c.l1_ratio)))
    for _ in range(300):
        t = (lower + upper) / 2
        rising = c.alpha * (c.l1_ratio * np.exp((c.q - 1) * t) + (1 - c.l1_ratio) * np.exp(t)) < u
        lower, upper = np.where(rising, t, lower), np.where(rising, upper, t)
    return u * np.exp(t) - mixed(c, np.exp(t))


# Of each penalty: G(x) and G*(u).
PENALTIES = {
    "block1": (lambda c, x: c.alpha * x, linear_conjugate),
    "elasticnet": (lambda c, x: c.alpha * (c.l1_ratio * x + (1 - c.l1_ratio) * x**2 / 2), elastic_conjugate),
    "blockq": (lambda c, x: c.alpha * power(x, c.q) / c.q, power_conjugate),
    "uniform": (lambda c, x: c.alpha * x**2 / 2, lambda c, u: u**2 / (2 * c.alpha)),
    "mixed": (mixed, mixed_conjugate),
}


def functions(certificate, number=np.float64, slack=0.0):
    """The functions of a certificate's problem, for numbers of that type; a norm may exceed its bound by `slack`."""
    names = ("alpha", "l1_ratio", "q", "epsilon", "quantile")
    c = SimpleNamespace(slack=slack, **{name: number(certificate.get(name, 0.5)) for name in names})
    value, conjugate, domain = LOSSES[certificate["loss"]]
    penalty, penalty_conjugate = PENALTIES[certificate["penalty"]]
    return SimpleNamespace(
        loss=lambda y, z: value(c, y, z),
        conjugate=lambda y, r: conjugate(c, y, r),
        domain=lambda y: tuple(end + 0 * y for end in domain(c, y)),
        penalty=lambda x: penalty(c, x),
        penalty_conjugate=lambda u: penalty_conjugate(c, u),
    )
