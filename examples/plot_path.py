"""
Path and selection
==================
How strong should the penalty be? The path shows what comes in as it weakens; cross-validation chooses.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_friedman1

from spicymkl import CVScoresDisplay, KernelWeightsDisplay, MKLRegressorCV, PathDisplay

X, y = make_friedman1(150, n_features=8, noise=1.0, random_state=0)
model = MKLRegressorCV(alphas=10, eps=1e-3, cv=4).fit(X, y)
print(f"chosen: {model.best_params_['alpha']}, R² over the folds {model.best_score_:.3f}")

# %%
# Weights along the path; each point starts from the one before. Columns 0 to 4 matter, the others are noise.
PathDisplay.from_estimator(model, X, y, alphas=15)
plt.show()

# %%
# The scores of cross-validation, with their spread over the folds. Strengths are multiples of the smallest that selects
# nothing.
CVScoresDisplay.from_estimator(model)
plt.show()

# %%
# The chosen model as a grid: columns by kernel.
KernelWeightsDisplay.from_estimator(model, kind="heatmap")
plt.show()
