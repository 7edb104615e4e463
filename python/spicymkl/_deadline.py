"""One clock for everything that a fit does."""

from __future__ import annotations

import time


class Deadline:
    """So many seconds from now; 0 is never."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds if seconds > 0 else None

    def left(self) -> float:
        """As the library's max_seconds: 0 is no limit, and a time that is over is very short."""
        return 0.0 if self._end is None else max(self._end - time.monotonic(), 1e-9)

    @property
    def over(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end
