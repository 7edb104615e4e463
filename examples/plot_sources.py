"""
Which source matters?
=====================
Samples are often described by several sources: here, as in cancer studies, gene expression, micro-RNA and proteins. A dict that
gives each source its columns makes kernels for each of them. Their weights show which sources the prediction needs, and
:class:`~spicymkl.ContributionsDisplay` shows it for every single sample.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from spicymkl import ContributionsDisplay, MKLClassifier

# %%
# Generated data: the outcome depends on a few genes, and on two proteins together: neither alone says anything.
# Micro-RNA is noise.
random = np.random.default_rng(0)
sizes = {"mrna": 20, "mirna": 20, "protein": 6}
names = [f"{source}_{j}" for source, size in sizes.items() for j in range(size)]
X = pd.DataFrame(random.standard_normal((400, len(names))), columns=names)
signal = X[[f"mrna_{j}" for j in range(5)]].sum(axis=1) + 2.5 * X["protein_0"] * X["protein_1"]
y = np.where(signal + 0.5 * random.standard_normal(400) > 0, "relapse", "healthy")
train, test = slice(0, 300), slice(300, 400)

# %%
# Each source is named by its columns; a glob will do. A GMT file of gene sets would do as well.
clf = MKLClassifier({source: f"{source}_*" for source in sizes}, alpha="0.3max").fit(X[train], y[train])
print(f"accuracy on new rows: {clf.score(X[test], y[test]):.2f}")
print(f"{len(clf.active_kernels_)} of {len(clf.kernel_names_)} kernels are active")

# %%
# The weights, added up by source; kernels on all columns together are a source of their own:
print(pd.Series(clf.source_weights_, index=clf.source_names_).round(3).to_string())

# %%
# Kernel by kernel:
print(clf.summary().head(5).round(3).to_string())

# %%
# What each source says of each new sample. The shares, with the intercept, sum to the score.
ContributionsDisplay.from_estimator(clf, X[test], by="source")
plt.show()

# %%
# And of one of them, kernel by kernel:
ContributionsDisplay.from_estimator(clf, X[test][:1])
plt.show()
