"""
Your own loss
=============
A loss is a small class: its value, the conjugate with two derivatives, and their domain. It then runs in the solver, with a
certificate like every other. Here log cosh(y − z), which is smooth and does not mind outliers.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

from spicymkl import Gaussian, Loss, MKLRegressor


class LogCosh(Loss):
    """ℓ(y, z) = log cosh(y − z), so that ρ = tanh(y − z)."""

    labels = "numbers"

    def value(self, y, z):
        r = abs(y - z)
        return r + math.log1p(math.exp(-2 * r)) - math.log(2)

    def dual_point(self, y, z):
        return math.tanh(y - z)

    def conjugate(self, y, rho):
        entropy = sum(x * math.log(x) for x in (1 + rho, 1 - rho) if x > 0)
        return -y * rho + entropy / 2

    def gradient(self, y, rho):
        return -y + math.atanh(rho)

    def hessian(self, y, rho):
        return 1 / (1 - rho * rho)

    def domain(self, y):
        return -1.0, 1.0


# %%
# A curve with a few gross outliers:
random = np.random.default_rng(0)
x = np.sort(random.uniform(-3, 3, 100))
y = np.sin(2 * x) + 0.1 * random.standard_normal(100)
y[::9] += random.choice([-6, 6], len(y[::9]))

kernels = Gaussian(width=[0.3, 0.5, 1, 2])
robust = MKLRegressor(kernels, loss=LogCosh(), alpha="0.05max", tol=1e-6).fit(x[:, None], y)
plain = MKLRegressor(kernels, loss="squared", alpha="0.05max").fit(x[:, None], y)
print(f"{robust.status_}: relative gap {robust.duality_gap_:.1e}")

# %%
fine = np.linspace(-3, 3, 400)[:, None]
fig, ax = plt.subplots(figsize=(8, 4), layout="constrained")
ax.plot(x, y, ".", color="gray", label="samples")
ax.plot(fine, np.sin(2 * fine), "--", color="black", label="truth")
ax.plot(fine, plain.predict(fine), label="squared loss")
ax.plot(fine, robust.predict(fine), label="log cosh")
ax.legend()
plt.show()
