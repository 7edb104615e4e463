"""
Thousands of kernels
====================
A working set keeps the cost low: all kernels are read a few times only, however many there are.
"""

import os

import matplotlib.pyplot as plt
import numpy as np

from spicymkl import ConvergenceDisplay, KernelWeightsDisplay, MKLClassifier

# %%
# Two classes of 20 columns, both normal: one is wider than the other, and shifted (ringnorm).
random = np.random.default_rng(0)
y = np.repeat([0, 1], 100)
X = random.standard_normal((200, 20)) * np.where(y == 0, 2, 1)[:, None] + 0.45 * y[:, None]

# %%
# Gaussians of random widths on random columns:
count = int(os.environ.get("EXAMPLE_KERNELS", "3000"))
clf = MKLClassifier(f"random:{count}", random_state=0, tol=1e-4).fit(X, y)
print(f"{count} kernels, {clf.fit_seconds_:.2f} s, gap {clf.duality_gap_:.1e}, {len(clf.active_kernels_)} active")

# %%
# The gap at each step of the working set:
ConvergenceDisplay.from_estimator(clf)
plt.show()

# %%
# What was selected:
KernelWeightsDisplay.from_estimator(clf, top=12)
plt.show()
