"""Survival times for tests, and naive formulas of Cox's partial likelihood with Breslow's ties."""

import numpy as np


def survival(n=40, columns=3, seed=0, ties=True):
    """X, times and events; some times are equal."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, columns))
    time = random.exponential(np.exp(-X[:, 0] + 0.4 * X[:, 1] ** 2))
    lost = random.exponential(2.0, n)
    event = (time <= lost).astype(float)
    time = np.minimum(time, lost)
    return X, np.round(time, 1) + 0.1 if ties else time, event


def structured(event, time):
    """As scikit-survival has it."""
    y = np.empty(len(time), dtype=[("event", bool), ("time", float)])
    y["event"], y["time"] = event, time
    return y


def loss(f, time, event, s=None):
    """Σ over events of s_i(log Σ_{at risk} exp g − g_i), g = f + log s."""
    s = np.ones(len(time)) if s is None else s
    g = f + np.log(s)
    return sum(s[i] * (np.logaddexp.reduce(g[time >= time[i]]) - g[i]) for i in np.flatnonzero(event))


def risk_shares(f, time, event, s=None):
    """Of each event i, the softmax p_i of g over those at risk: (events, n)."""
    s = np.ones(len(time)) if s is None else s
    rows = []
    for i in np.flatnonzero(event):
        weights = np.where(time >= time[i], s * np.exp(f - f.max()), 0)
        rows.append(weights / weights.sum())
    return np.array(rows)


def minus_gradient(f, time, event, s=None):
    s = np.ones(len(time)) if s is None else s
    events = np.flatnonzero(event)
    rho = np.where(event > 0, s, 0.0)
    return rho - s[events] @ risk_shares(f, time, event, s)


def conjugate_bound(scale, f, time, event, s=None):
    """Σ s_i Σ_j q_ij log q_ij with q_i = scale·p_i + (1 − scale)·e_i; with weights, Σ scale·ρ_j log s_j beside it."""
    s = np.ones(len(time)) if s is None else s
    events = np.flatnonzero(event)
    q = scale * risk_shares(f, time, event, s)
    q[np.arange(len(events)), events] += 1 - scale
    entropy = np.where(q > 0, q * np.log(np.maximum(q, 1e-300)), 0).sum(1)
    return s[events] @ entropy + scale * (minus_gradient(f, time, event, s) @ np.log(s))


def referee(K, certificate):
    """Primal and dual value from the certificate file alone: the bound that anybody can evaluate."""
    c = certificate
    time, event = np.array(c["time"]), np.array(c["event"])
    s = np.array(c.get("sample_weights", np.ones(len(time))))
    alpha, kappa, q = c["alpha"], c["l1_ratio"], c["q"]
    penalties = {
        "block1": lambda x: alpha * x,
        "elasticnet": lambda x: alpha * (kappa * x + (1 - kappa) * x**2 / 2),
        "blockq": lambda x: alpha * x**q / q,
        "uniform": lambda x: alpha * x**2 / 2,
    }
    f, penalty = np.zeros(len(time)), 0.0
    for kernel in c["kernels"]:
        coef = np.array(kernel["coef"])
        f += K[kernel["index"]] @ coef
        norm = np.sqrt(coef @ K[kernel["index"]] @ coef)
        assert abs(norm - kernel["norm"]) <= 1e-8 * norm
        penalty += penalties[c["penalty"]](norm)
    primal = loss(f, time, event, s) + penalty
    rho, dual = minus_gradient(f, time, event, s), np.array(c["dual"])
    scale = dual @ rho / (rho @ rho)
    assert 0 <= scale <= 1 + 1e-12 and np.abs(dual - scale * rho).max() <= 1e-9 * np.abs(rho).max()
    norms = np.sqrt([max(dual @ k @ dual, 0) for k in K])
    if c["penalty"] == "block1":
        assert norms.max() <= alpha * (1 + 1e-9)
        conjugate = 0.0
    elif c["penalty"] == "elasticnet":
        conjugate = (np.maximum(norms - alpha * kappa, 0) ** 2 / (2 * alpha * (1 - kappa))).sum()
    else:
        r = 2 if c["penalty"] == "uniform" else q / (q - 1)
        conjugate = (alpha ** (1 - r) * norms**r / r).sum()
    return primal, -conjugate_bound(min(scale, 1.0), f, time, event, s) - conjugate


def concordance(time, event, risk):
    """Harrell's, pair by pair."""
    right = pairs = 0.0
    for i in np.flatnonzero(event):
        for j in range(len(time)):
            if time[j] > time[i] or (time[j] == time[i] and not event[j]):
                pairs += 1
                right += 1.0 if risk[i] > risk[j] else 0.5 if risk[i] == risk[j] else 0.0
    return right / pairs


def breslow(time, event, f, s=None):
    """The cumulative baseline hazard at all different times."""
    s = np.ones(len(time)) if s is None else s
    steps = np.unique(time)
    jumps = [(s * event)[time == t].sum() / (s * np.exp(f))[time >= t].sum() for t in steps]
    return steps, np.cumsum(jumps)
