"""Parts of a fit as jobs of joblib: ``joblib.parallel_config`` sends them to threads, processes or machines."""

from __future__ import annotations

import copy
import time
from typing import TYPE_CHECKING, Any

from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_OF_THE_LAST_FIT = ("_model", "_trained", "_facts")


def n_jobs() -> int:
    """How many go on at the same time; 1 unless somebody asked for more by ``joblib.parallel_config``."""
    return effective_n_jobs(None)


def run_parts(estimator: Any, part: Callable[..., Any], works: Iterable[tuple[Any, ...]], watch: _core.Watch) -> list:
    """``part(worker, watch, *work)`` of each work, in whatever process: in their order what it returns.

    The worker is a copy of the estimator with its share of the threads. All have as much time as the watch has left.
    """
    worker = copy.copy(estimator)
    for name in _OF_THE_LAST_FIT:
        worker.__dict__.pop(name, None)
    shares = getattr(get_active_backend()[0], "supports_sharedmem", False)  # processes have threads of their own
    if estimator.n_jobs is None and shares:
        worker.n_jobs = max(1, estimator._threads() // n_jobs())
    left = estimator.max_seconds - watch.seconds if estimator.max_seconds else None
    ends = None if left is None else time.time() + left
    return Parallel()(delayed(_run)(worker, part, work, ends) for work in works)


def _run(worker, part, work, ends):
    """In whatever process; `ends` is by the clock on the wall, which processes share."""
    no_time = 1e-9  # 0 would be no limit
    left = 0.0 if ends is None else max(ends - time.time(), no_time)
    return part(worker, _core.Watch(left), *work)
