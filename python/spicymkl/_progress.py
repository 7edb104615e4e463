"""The progress bar of a fit, on terminals and in notebooks."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import contextmanager


@contextmanager
def progress(verbose, what: str, tol: float):
    """Gives the function to call after each step, or None if nothing is to be shown."""
    if not verbose:
        yield None
        return
    from tqdm.auto import tqdm

    # From gap 1 to the tolerance on a log scale.
    layout = "{desc} |{bar}| {elapsed}{postfix}"
    with tqdm(total=-math.log10(tol), desc=what, bar_format=layout) as bar:
        yield _shower(bar, tol)


def _shower(bar, tol: float) -> Callable[[int, float, int], None]:
    def show(iteration: int, gap: float, n_active: int) -> None:
        bar.n = min(max(-math.log10(max(gap, tol)), bar.n), bar.total)
        bar.set_postfix_str(f"step {iteration}, gap {gap:.1e}, {n_active} kernels")

    return show
