"""
Precomputed kernels
===================
Texts, graphs, sequences: whatever has kernels can be learned from. Here DNA sequences, compared by the words of one to five
letters that they share.
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np

from spicymkl import KernelWeightsDisplay, MKLClassifier

# %%
# Sequences of 60 letters; half of them hold the motif TATAAT somewhere.
random = np.random.default_rng(0)
sequences = ["".join(random.choice(list("ACGT"), 60)) for _ in range(200)]
y = np.arange(200) % 2
for i in np.flatnonzero(y):
    place = random.integers(0, 54)
    sequences[i] = sequences[i][:place] + "TATAAT" + sequences[i][place + 6 :]


def count_words(sequences, length):
    """How often each word occurs in each sequence."""
    words = {"".join(word): j for j, word in enumerate(itertools.product("ACGT", repeat=length))}
    counts = np.zeros((len(sequences), len(words)))
    for i, sequence in enumerate(sequences):
        for start in range(len(sequence) - length + 1):
            counts[i, words[sequence[start : start + length]]] += 1
    return counts


# %%
# One kernel for each length of words, scaled to k(x, x) = 1:
lengths = range(1, 6)
features = [count_words(sequences, length) for length in lengths]
features = [f / np.linalg.norm(f, axis=1, keepdims=True) for f in features]
K = np.array([f @ f.T for f in features])
print("kernels:", K.shape)

# %%
# Training takes the (M, N, N) array as it is, without a copy; predictions take (M, N_new, N).
train, test = np.arange(0, 140), np.arange(140, 200)
clf = MKLClassifier("precomputed", loss="hinge", alpha="0.02max").fit(K[np.ix_(range(len(K)), train, train)], y[train])
clf.kernel_names_ = np.array([f"words of {length}" for length in lengths])
print(f"accuracy on new sequences: {clf.score(K[np.ix_(range(len(K)), test, train)], y[test]):.2f}")

# %%
KernelWeightsDisplay.from_estimator(clf)
plt.show()
