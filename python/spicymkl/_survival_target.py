"""Survival times as users pass them: when, and whether that was the event."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

_SHAPES = (
    "a structured array with a boolean field (the event) and a field of numbers (the time), as scikit-survival has it, or "
    "two columns: event, time"
)


class SurvivalTarget(NamedTuple):
    """Of each sample the time, and 1 if that is the time of its event, 0 if the sample was lost then."""

    event: np.ndarray
    time: np.ndarray
    event_name: str = "event"
    time_name: str = "time"

    @property
    def columns(self) -> np.ndarray:
        """(n, 2): event, time."""
        return np.column_stack([self.event, self.time])


def read_survival(y: Any, name: str = "y") -> SurvivalTarget:
    """Refuses what is no survival time, naming the samples."""
    if hasattr(y, "columns") and hasattr(y, "dtypes"):
        target = _of_frame(y, name)
    else:
        values = np.asarray(y)
        target = _of_fields(values, name) if values.dtype.names else _of_array(values, name)
    event = _numbers(target.event, f"{name}, field {target.event_name!r}")
    time = _numbers(target.time, f"{name}, field {target.time_name!r}")
    _refuse(~np.isin(event, (0, 1)), event, f"{name}, field {target.event_name!r}: the event", "0 (lost) or 1 (event)")
    wrong = ~(np.isfinite(time) & (time >= 0))
    _refuse(wrong, time, f"{name}, field {target.time_name!r}: the time", "a finite number, 0 or more")
    return target._replace(event=event, time=time)


def _of_fields(values: np.ndarray, name: str) -> SurvivalTarget:
    fields = values.dtype.names
    flags = [field for field in fields if values.dtype[field].kind == "b"]
    if values.ndim != 1 or len(fields) != 2 or len(flags) != 1:
        raise ValueError(f"{name} has the fields {values.dtype}; it must be {_SHAPES}")
    time = next(field for field in fields if field != flags[0])
    return SurvivalTarget(values[flags[0]], values[time], flags[0], time)


def _of_frame(frame: Any, name: str) -> SurvivalTarget:
    names = list(frame.columns)
    if len(names) != 2:
        raise ValueError(f"{name} has {len(names)} columns; it must be {_SHAPES}")
    flags = [column for column in names if str(frame[column].dtype).lower().startswith("bool")]
    event = flags[0] if len(flags) == 1 else names[0]
    time = next(column for column in names if column != event)
    return SurvivalTarget(np.asarray(frame[event]), np.asarray(frame[time]), str(event), str(time))


def _of_array(values: np.ndarray, name: str) -> SurvivalTarget:
    if values.ndim != 2 or values.shape[1] != 2:
        raise ValueError(f"{name} has shape {values.shape}; it must be {_SHAPES}")
    return SurvivalTarget(values[:, 0], values[:, 1])


def _numbers(values: np.ndarray, place: str) -> np.ndarray:
    try:
        return np.array(values, dtype=np.float64)  # a field of a structured array may lie askew
    except (TypeError, ValueError) as error:
        raise ValueError(f"{place} holds {values.dtype}, but it must hold numbers") from error


def _refuse(wrong: np.ndarray, values: np.ndarray, what: str, needed: str) -> None:
    rows = np.flatnonzero(wrong)
    if len(rows):
        others = f" ({len(rows)} samples in all)" if len(rows) > 1 else ""
        shown = "missing" if np.isnan(values[rows[0]]) else f"{values[rows[0]]:g}"
        raise ValueError(f"{what} of sample {rows[0]} is {shown}{others}, but it must be {needed}")
