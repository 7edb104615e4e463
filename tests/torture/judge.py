"""What an answer is worth: claims are checked in extended precision by code that shares nothing with the solver."""

import formulas
import numpy as np
from extended_precision import L, true_gap, true_values, wide
from own_kernels import own_kernels, raw_kernels
from scipy.optimize import linprog

TAME = 1e6  # scales up to this factor from 1 are well-posed
WEAKEST = 1e-4  # and so are strengths down to this part of alpha_max,
NOTHING = 1e-9  # of the loss of predicting 0: predictions are known to some 13 digits, so 4 digits are left of less
ACCURACY = 1e-4  # which are to be solved to this relative gap
ROUNDING = 1e-10  # of an entry of a kernel of a tame table, relative to the largest: narrow Gaussians amplify it


def within(values, largest=TAME):
    values = np.abs(np.asarray(values, dtype=float))
    return bool(np.all((values >= 1 / largest) & (values <= largest)))


def centred(K):
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


def beside(problem, values):
    """What is left of columns beside those that enter without a penalty."""
    U = problem.unpenalised
    scale = np.abs(U).max(axis=0, initial=0)
    Q, _ = np.linalg.qr(U / np.where(scale > 0, scale, 1))
    return values - Q @ (Q.T @ values)


def left_of(problem, K):
    """What is left of a kernel."""
    if problem.covariates is None:
        return K if "--no-intercept" in problem.options else centred(K)
    return beside(problem, beside(problem, np.asarray(K, dtype=float)).T)


def separated(problem):
    """Some coefficients of the covariates tell classes apart in some rows and mistake none."""
    if problem.is_joint:
        return any(separates(problem, np.where(problem.labels == k, 1, -1)) for k in np.unique(problem.labels))
    return separates(problem, problem.labels)


def separates(problem, y):
    signed = y[:, None] * problem.unpenalised
    signed = signed / np.where(np.abs(signed).max(axis=0) > 0, np.abs(signed).max(axis=0), 1)
    bounds = [(-1, 1)] * signed.shape[1]
    best = linprog(-signed.sum(axis=0), A_ub=-signed, b_ub=np.full(len(signed), 1e-9), bounds=bounds)
    return best.status != 0 or -best.fun > 1e-6


def covariates_determined(problem):
    """Their coefficients have a finite optimum that six digits tell from others, and something is left to learn."""
    C = problem.covariates
    if C is None:
        return True
    if "--no-intercept" not in problem.options:
        C = C - C.mean(axis=0)
    sizes = np.linalg.norm(C, axis=0)
    if len(C) <= problem.unpenalised.shape[1] or (sizes <= np.abs(problem.covariates).max() / TAME).any():
        return False
    if np.linalg.svd(C / sizes, compute_uv=False).min() < 1 / TAME:
        return False
    if problem.learns_classes:
        return not separated(problem)
    y = problem.labels - problem.labels.mean()
    return np.abs(beside(problem, problem.labels)).max() > np.abs(y).max() / TAME


def cannot_be_normalized(how, raw):
    """Nothing but rounding is left of a kernel, or of a row of its diagonal."""
    if how == "center":
        return np.abs(centred(raw)).max() <= 1e-9 * np.abs(raw).max()
    return {"diagonal": (np.diag(raw) == 0).any(), "trace": np.trace(raw) == 0}.get(how)


def something_to_learn(problem, grams):
    """False where a constant (0 without an intercept) is an answer, or where a kernel cannot be normalised."""
    y, c = problem.labels, problem.options
    if problem.is_table:
        raw = zip(problem.kernels, raw_kernels(problem))
        if any(cannot_be_normalized(entry["normalize"], K) for entry, K in raw):
            return False
    reach = np.abs(y).max() if "--no-intercept" in c else np.ptp(y) / 2
    if problem.covariates is not None:
        reach = np.abs(beside(problem, y)).max()
    if c.get("--loss") == "epsilon_insensitive" and reach <= c["--epsilon"]:
        return False
    seen = [left_of(problem, K) for K in grams]
    return any(np.abs(part).max() > 1e-12 * np.abs(K).max() for part, K in zip(seen, grams))


def learnable(problem, grams):
    """Some function of some kernel has a smaller loss than every constant (0 without an intercept)."""
    if problem.is_joint:
        return True
    named = {name: problem.options.get(f"--{name}", 0.5) for name in ("loss", "epsilon", "quantile")}
    losses = formulas.functions({**named, "penalty": "block1"}, L).loss
    y, random = wide(problem.labels), np.random.default_rng(0)
    s = wide(np.ones(len(y)) if problem.weights is None else problem.weights)

    def loss(f):
        if "--no-intercept" in problem.options:
            return (s * losses(y, f)).sum()
        low, high = min((y - f).min(), -1), max((y - f).max(), 1)
        for _ in range(200):
            left, right = low + (high - low) / 3, high - (high - low) / 3
            if (s * losses(y, f + left)).sum() < (s * losses(y, f + right)).sum():
                high = right
            else:
                low = left
        return (s * losses(y, f + low)).sum()

    nothing = loss(0 * y)
    directions = [y - y.mean(), y, *random.standard_normal((4, len(y)))]
    for K in grams:
        for v in directions:
            f = wide(K) @ v
            size = np.abs(f).max()
            more_than_rounding = size > 1e-15 * np.abs(K).max() * np.abs(v).sum()
            steps = [sign * 10.0**k for k in range(-6, 2) for sign in (-1, 1)] if more_than_rounding else []
            if any(loss(step / size * f) < nothing * (1 - 1e-6) for step in steps):
                return True
    return False


def next_to_zero(problem, answer, grams):
    """The model has a value that double precision cannot tell from 0 beside the loss of predicting nothing: no ratio to
    it can be proved. So it is where the labels are fitted exactly by norms x << 1 that cost x^q."""
    if answer.certificate is None:
        return False
    c = answer.certificate
    zero = {name: np.zeros_like(c[name]).tolist() for name in ("intercept", "covariate_coef") if name in c}
    nothing = {**c, "kernels": [], **zero}
    return value(answer.certificate, grams, problem) < NOTHING * value(nothing, grams, problem)


def value(certificate, grams, problem):
    return true_values(certificate, grams, problem.labels, problem.weights)[0]


def penalty_leaves_range(problem, traces):
    """Whether x^q does, at the norm x that fits the labels: for q > 2 the scale of the kernels enters by its power q/2,
    so that a factor of 1e6 becomes one of 1e60 for q = 20."""
    q = problem.options.get("--q", 1)
    if q <= 2:
        return False
    y = problem.labels
    size = np.abs(y).max() if "--no-intercept" in problem.options else np.ptp(y) / 2
    return abs(q * np.log(size / np.sqrt(traces.max()))) > np.log(TAME)


def all_nearly_constant(problem, grams):
    """Every kernel is a constant to six digits, as those of columns far from 0 are, or a function of the covariates: of the
    scales to be told apart, that of what varies is beyond 1e-6."""
    left = centred if problem.covariates is None else lambda K: left_of(problem, K)
    return all(np.trace(left(K)) <= np.trace(K) / TAME for K in grams)


def well_posed(problem, grams):
    """Scales within 1e±6, a strength of at least 1e-4 alpha_max, and something to learn."""
    traces = np.array([np.trace(K) / len(K) for K in grams], dtype=float)
    y = problem.labels
    spread = np.ptp(y)
    if (
        spread == 0
        or not something_to_learn(problem, grams)
        or not covariates_determined(problem)
        or problem.alpha_factor < WEAKEST
        or not within(traces[traces != 0])
    ):
        return False
    if problem.weights is not None and not within(problem.weights):
        return False
    if penalty_leaves_range(problem, traces) or all_nearly_constant(problem, grams):
        return False
    return problem.learns_classes or (within(spread) and np.abs(y).max() <= TAME * min(1, spread))


def numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif value is None or isinstance(value, float):
        yield value


def judged_gap(problem, answer):
    """The true gap, and what rounding in the kernels of a table may have changed in it."""
    c = answer.certificate
    if not problem.is_table:
        return true_gap(c, problem.grams, problem.labels, problem.weights), 0.0
    exact = own_kernels(problem)
    gap = true_gap(c, exact, problem.labels, problem.weights)
    if problem.covariates is None and not problem.is_joint:
        return gap, 10 * abs(gap - true_gap(c, answer.grams, problem.labels, problem.weights))
    # Large coefficients of covariates cancel: primal and dual may move alike, and the gap between them stay.
    primal, dual = true_values(c, exact, problem.labels, problem.weights)
    rounded = true_values(c, answer.grams, problem.labels, problem.weights)
    moved = abs(primal - rounded[0]) + abs(dual - rounded[1])
    return gap, 10 * float(moved / max(abs(primal), L(1e-300)))


def cancellation(X):
    """What centring columns far from 0 costs in digits."""
    deviations = X.std(axis=0)
    varying = np.ptp(X, axis=0) > 0
    return 1 + (np.abs(X).max(axis=0)[varying] / deviations[varying]).max(initial=0) ** 2


def wrong_kernel(problem, answer):
    if answer.grams is None:
        return "the kernels that were trained on cannot be written"
    exact = own_kernels(problem)
    for m, (ours, theirs) in enumerate(zip(exact, answer.grams)):
        # One of both may be 0 where a column varies by its last digits alone.
        largest = max(np.abs(ours).max(), np.abs(theirs).max(), 1e-300)
        if problem.kernels[m]["normalize"] == "center":
            largest = max(largest, 1)
        wrong = float(np.abs(ours - theirs).max() / largest)
        if not wrong <= ROUNDING * cancellation(problem.table):
            return f"kernel {m} is wrong by {wrong:.2g}"
    return None


def verdict(problem, answer):
    """(kind, sentence) of what is wrong with an answer; kind is empty where nothing is."""
    grams = own_kernels(problem) if problem.is_table else problem.grams
    posed = well_posed(problem, grams)
    if answer.status is None:
        return "hang", f"killed after {answer.seconds:.0f} s"
    if answer.status not in (0, 1, 2):
        return "crash", f"ended with status {answer.status}: {answer.stderr[-300:]}"
    if answer.status == 2:
        sentence = answer.stderr.strip().splitlines()[-1:]
        if not sentence or not sentence[0].startswith("spicymkl: ") or "internal" in sentence[0]:
            return "crash", f"refused without a sentence: {answer.stderr[-300:]}"
        return ("refused", sentence[0]) if posed and learnable(problem, grams) else ("", "refused")
    c = answer.certificate
    if c is None:
        return "crash", f"status {answer.status}, but no certificate"
    if any(value is None or not np.isfinite(value) for value in numbers(c)):
        return "nan", "a number of the certificate is not finite"
    if problem.is_table and (sentence := wrong_kernel(problem, answer)):
        return "kernel", sentence
    gap, slack = judged_gap(problem, answer)
    claimed = c["relative_gap"]
    if claimed < 1 and not gap <= claimed * (1 + 1e-9) + 1e-17 + slack:
        return "claim", f"claims a gap of {claimed:.3g}, the true one is {gap:.3g}"
    if (answer.status == 0) != (claimed <= problem.options["--tol"]):
        return "status", f"status {answer.status} with a gap of {claimed:.3g}"
    if answer.status == 1 and not answer.stderr.strip() and not c.get("status"):
        return "status", "not converged, and nothing says why"
    posed = posed and not next_to_zero(problem, answer, grams)
    if posed and claimed > ACCURACY and claimed > problem.options["--tol"]:
        return "unsolved", f"well-posed, but left at a gap of {claimed:.3g}"
    return "", "well-posed" if posed else "ill-posed"
