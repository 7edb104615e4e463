"""One fit over many processes: those of an mpi4py communicator."""

from __future__ import annotations

import sys
from typing import Any

from . import _core

CHUNK = 1 << 30  # bytes of one message: MPI counts in 32 bits


def is_communicator(value: Any) -> bool:
    """Whether it has what is asked of mpi4py below."""
    return all(callable(getattr(value, name, None)) for name in ("Get_rank", "Get_size", "Bcast", "Allreduce", "bcast"))


class Ranks:
    """What the library asks of a communicator."""

    def __init__(self, comm: Any) -> None:
        from mpi4py import MPI

        self._mpi, self._comm = MPI, comm.Dup()  # nobody else's messages are met
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()

    def broadcast(self, view: memoryview, source: int) -> None:
        for first in range(0, len(view), CHUNK):
            self._comm.Bcast([view[first : first + CHUNK], self._mpi.BYTE], root=source)

    def allreduce(self, view: memoryview) -> None:
        for first in range(0, len(view), CHUNK):
            numbers = view[first : first + CHUNK].cast("d")
            self._comm.Allreduce(self._mpi.IN_PLACE, [numbers, self._mpi.DOUBLE], op=self._mpi.SUM)

    def barrier(self) -> None:
        self._comm.Barrier()

    def tell(self, value: Any) -> Any:
        """What rank 0 has, on every rank."""
        return self._comm.bcast(value, root=0)

    def free(self) -> None:
        self._comm.Free()


def fit_over_ranks(estimator: Any, X: Any, y: Any, sample_weight: Any) -> None:
    """Rank 0 fits; the others answer for their kernels, then have the same estimator, or the same exception."""
    ranks = Ranks(estimator.comm)
    try:
        if ranks.rank == 0:
            _lead(ranks, estimator, X, y, sample_weight)
        else:
            _follow(ranks, estimator)
    finally:
        ranks.free()


def _lead(ranks: Ranks, estimator: Any, X: Any, y: Any, sample_weight: Any) -> None:
    estimator._team = _core.Team(ranks)
    try:
        estimator.fit(X, y, sample_weight)
    finally:
        estimator._team.end()
        del estimator._team
        state = {name: value for name, value in estimator.__getstate__().items() if name != "comm"}
        ranks.tell((sys.exc_info()[1], state))


def _follow(ranks: Ranks, estimator: Any) -> None:
    _core.follow(ranks)
    failure, state = ranks.tell(None)
    estimator.__setstate__({**state, "comm": estimator.comm})
    if failure is not None:
        raise failure
