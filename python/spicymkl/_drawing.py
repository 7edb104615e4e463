"""What all pictures share. matplotlib is imported only when one is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np


def axes_or_new(ax: Any, **size: Any) -> Any:
    """These axes, or those of a new figure."""
    return _pyplot().subplots(**size)[1] if ax is None else ax


def panels(ax: Any, count: int, *, columns: int, width: float, height: float, **options: Any) -> list[Any]:
    """As many axes as asked for: those that were given, or those of a new figure, row by row."""
    if ax is not None:
        given = list(np.ravel(np.array(ax, dtype=object)))
        if len(given) != count:
            raise ValueError(
                f"ax holds {len(given)} axes, but {count} are drawn in; give as many, or None for new ones"
            )
        return given
    columns = min(columns, count)
    rows = -(-count // columns)
    size = (width * columns, height * rows)
    made = _pyplot().subplots(rows, columns, figsize=size, layout="constrained", squeeze=False, **options)[1].ravel()
    for empty in made[count:]:
        empty.remove()
    return list(made[:count])


def shared_legend(axes: list[Any], ax: Any, handles: Any, labels: Any) -> None:
    """Of all panels: beside those of a new figure, inside the last of axes that were given."""
    if ax is None:
        axes[0].figure.legend(handles, labels, loc="outside right upper", fontsize="small")
    else:
        axes[-1].legend(handles, labels, fontsize="small")


def short(name: Any, most: int = 48) -> str:
    name = str(name)
    return name if len(name) <= most else name[: most - 1] + "…"


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install matplotlib") from error
    return plt
