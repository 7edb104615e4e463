"""
Path and selection
==================
How strong should the penalty be? The path shows what comes in as it weakens; cross-validation chooses.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1

from spicymkl import KernelWeightsDisplay, MKLRegressorCV, PathDisplay

X, y = make_friedman1(150, n_features=8, noise=1.0, random_state=0)
model = MKLRegressorCV(alphas=10, eps=1e-3, cv=4).fit(X, y)
print(f"chosen: {model.best_params_['alpha']}, R² over the folds {model.best_score_:.3f}")

# %%
# Weights along the path; each point starts from the one before. Columns 0 to 4 matter, the others are noise.
PathDisplay.from_estimator(model, X, y, alphas=15)
plt.show()

# %%
# The scores of cross-validation. Strengths are multiples of the smallest that selects nothing.
ratios = [float(alpha.removesuffix("max")) for alpha in model.cv_results_["alpha"]]
fig, ax = plt.subplots(layout="constrained")
error = model.cv_results_["std_test_score"] / np.sqrt(4)
ax.errorbar(ratios, model.cv_results_["mean_test_score"], error, marker="o")
ax.set(xscale="log", xlabel="alpha / alpha_max", ylabel="R²")
ax.invert_xaxis()
plt.show()

# %%
# The chosen model as a grid: columns by kernel.
KernelWeightsDisplay.from_estimator(model, kind="heatmap")
plt.show()
