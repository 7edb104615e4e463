"""
First model
===========
Three lines learn a classifier from many kernels, and say which of them matter and how good the answer provably is.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from spicymkl import EffectsDisplay, KernelWeightsDisplay, MKLClassifier, certificate

data = load_breast_cancer(as_frame=True)
X, X_new, y, y_new = train_test_split(data.data, data.target, random_state=0)

clf = MKLClassifier(alpha="0.05max").fit(X, y)
print(f"accuracy on new rows: {clf.score(X_new, y_new):.3f}")

# %%
# ``kernels="auto"`` made a few kernels for each column and for all columns together. The penalty switched most of them off:
KernelWeightsDisplay.from_estimator(clf)
plt.show()

# %%
# Kernels on a single column are curves: what the score gains or loses at each value, above where the rows lie.
EffectsDisplay.from_estimator(clf)
plt.show()

# %%
# The answer comes with a proof. The optimum lies between the dual and the primal value:
print(f"{clf.dual_objective_:.4f} <= optimum <= {clf.primal_objective_:.4f}, relative gap {clf.duality_gap_:.1e}")

# %%
# It can be computed again from the data, without trusting the solver:
print(certificate(clf, X, y))

# %%
# All of it on one page, the same that the command writes, with how well the new rows are predicted: ``clf.report("report.html",
# X_new, y_new)``.
