"""Progress bars, on terminals and in notebooks."""

from __future__ import annotations

import math
from contextlib import ExitStack, contextmanager


@contextmanager
def progress(verbose, names: list[str], tol: float):
    """Gives the function to call after each step of each of the named fits, or None if nothing is to be shown."""
    if not verbose:
        yield None
        return
    tol = max(tol, 1e-16)  # the library refuses a tol that is not above 0
    bars = {}
    with ExitStack() as stack:

        def show(number: int, step: int, gap: float, n_active: int) -> None:
            if number not in bars:
                stack.close()
                bars[number] = stack.enter_context(_bar(names[number], -math.log10(tol)))
            bar = bars[number]
            # From gap 1 to the tolerance on a log scale.
            bar.n = min(max(-math.log10(max(gap, tol)), bar.n), bar.total)
            bar.set_postfix_str(f"step {step}, gap {gap:.1e}, {n_active} kernels")

        yield show


@contextmanager
def count(verbose, what: str, total: int):
    """Gives the function to call after each point of a path, or None if nothing is to be shown."""
    if not verbose:
        yield None
        return
    with _bar(what, total) as bar:

        def show(point: int, gap: float, n_active: int) -> None:
            bar.n = point
            bar.set_postfix_str(f"point {point} of {total}, gap {gap:.1e}, {n_active} kernels")

        yield show


def _bar(what: str, total: float):
    from tqdm.auto import tqdm

    return tqdm(total=total, desc=what, bar_format="{desc} |{bar}| {elapsed}{postfix}")
