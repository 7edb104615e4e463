"""Files that are written: where that is possible, and never in the place of one that was read."""

from __future__ import annotations

import errno
import os
from typing import Any


def output_path(path: Any, inputs: dict[str, Any]) -> str:
    """The path as a string; OSError if there can be no such file, ValueError if it is one of the inputs, given by their roles."""
    path = os.fsdecode(path)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), folder)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    for role, other in inputs.items():
        if os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other):
            raise ValueError(f"{path!r} is the same file as {role} ({os.fsdecode(other)!r}); choose another name")
    return path


def kernel_files(kernels: Any) -> dict[str, Any]:
    """The file that the parameter ``kernels`` names, if it does, by its role."""
    return {"kernels": kernels} if isinstance(kernels, (str, os.PathLike)) and os.path.isfile(kernels) else {}
