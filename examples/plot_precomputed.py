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
# Sequences of 60 letters. Those of the second class have more A and T, and half of them hold the word GGATCC somewhere.
random = np.random.default_rng(0)
y = np.arange(300) % 2
sequences = []
for label in y:
    letters = random.choice(list("ACGT"), 60, p=[0.32, 0.18, 0.18, 0.32] if label else None)
    if label and random.random() < 0.5:
        place = random.integers(0, 54)
        letters[place : place + 6] = list("GGATCC")
    sequences.append("".join(letters))


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
train, test = np.arange(0, 200), np.arange(200, 300)
clf = MKLClassifier("precomputed").fit(K[np.ix_(range(len(K)), train, train)], y[train])
clf.kernel_names_ = np.array([f"words of {length}" for length in lengths])
print(f"accuracy on new sequences: {clf.score(K[np.ix_(range(len(K)), test, train)], y[test]):.2f}")

# %%
KernelWeightsDisplay.from_estimator(clf)
plt.show()
