"""A smaller problem with the same failure, and the program that shows it."""

import dataclasses

import numpy as np


def rows(problem, keep):
    """The problem on these samples alone."""
    pick = lambda array: None if array is None else array[keep]
    grams = None if problem.grams is None else problem.grams[:, keep][:, :, keep]
    return dataclasses.replace(
        problem,
        grams=grams,
        labels=pick(problem.labels),
        table=pick(problem.table),
        weights=pick(problem.weights),
        covariates=pick(problem.covariates),
    )


def without_kernel(problem, m):
    if problem.is_table:
        return dataclasses.replace(problem, kernels=problem.kernels[:m] + problem.kernels[m + 1 :])
    return dataclasses.replace(problem, grams=np.delete(problem.grams, m, axis=0))


def without_option(problem, name):
    return dataclasses.replace(problem, options={k: v for k, v in problem.options.items() if k != name})


def rounded(problem, digits):
    def shorter(array):
        if array is None:
            return None
        return np.array([float(f"{v:.{digits}g}") for v in np.ravel(array)]).reshape(np.shape(array))

    return dataclasses.replace(
        problem,
        grams=shorter(problem.grams),
        table=shorter(problem.table),
        labels=shorter(problem.labels),
        weights=shorter(problem.weights),
        covariates=shorter(problem.covariates),
    )


def smaller(problem):
    """Simpler problems, the boldest simplification first."""
    n = len(problem.labels)
    part = n // 2
    while part >= 1:
        for start in range(0, n, part):
            keep = np.r_[0:start, min(start + part, n) : n]
            if len(keep) >= 2:
                yield rows(problem, keep)
        part //= 2
    if problem.n_kernels > 1:
        for m in range(problem.n_kernels):
            yield without_kernel(problem, m)
    if problem.weights is not None:
        yield dataclasses.replace(problem, weights=None)
    if problem.covariates is not None:
        yield dataclasses.replace(problem, covariates=None)
    for name in ("--no-intercept", "--solver"):
        if name in problem.options:
            yield without_option(problem, name)
    yield rounded(problem, 3)


def size(problem):
    digits = sum(len(repr(float(v))) for v in np.ravel(problem.labels))
    extras = (problem.weights is not None) + (problem.covariates is not None)
    return (len(problem.labels), problem.n_kernels, len(problem.options), extras, digits)


def shrunk(problem, fails, attempts=300):
    """The smallest problem found that `fails` still says yes to."""
    found = True
    while found and attempts > 0:
        found = False
        for candidate in smaller(problem):
            attempts -= 1
            if attempts <= 0:
                break
            if size(candidate) < size(problem) and fails(candidate):
                problem, found = candidate, True
                break
    return problem


def program(problem):
    """Python that builds the problem, runs the command on it and prints the verdict; runs in tests/torture."""
    fields = []
    for field in dataclasses.fields(problem):
        value = getattr(problem, field.name)
        text = f"np.array({value.tolist()!r})" if isinstance(value, np.ndarray) else repr(value)
        fields.append(f"    {field.name}={text},")
    return "\n".join(
        [
            "import tempfile",
            "import numpy as np",
            "from attempt import attempt",
            "from hostile_problem import Problem",
            "from judge import verdict",
            "",
            "problem = Problem(",
            *fields,
            ")",
            "with tempfile.TemporaryDirectory() as folder:",
            "    print(verdict(problem, attempt(problem, folder)))",
        ]
    )
