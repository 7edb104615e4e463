"""From what a user gives as ``kernels=`` to what the library reads."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .kernels import Kernel, _plain

PRECOMPUTED = "precomputed"


@dataclass(frozen=True)
class KernelChoice:
    """Exactly one of: precomputed kernels, kernels of a table (spec and groups), functions."""

    precomputed: bool = False
    spec: str = ""
    groups: str = ""
    functions: tuple[Callable, ...] = field(default=())

    @property
    def is_table(self) -> bool:
        return not self.precomputed and not self.functions

    def options(self, standardize, seed, features="none", memory=None, device="cpu") -> dict:
        """Of kernels of a table, by their names in the library."""
        chosen = {"kernels": self.spec, "groups": self.groups, "device": device}
        return {**chosen, "standardize": standardize, "seed": seed, "features": features, "memory": memory}


def choose_kernels(kernels) -> KernelChoice:
    """See the parameter ``kernels`` of MKLClassifier."""
    if isinstance(kernels, (str, os.PathLike)):
        return _from_text(os.fspath(kernels))
    if isinstance(kernels, Mapping):
        if not kernels:
            raise ValueError("kernels is an empty dict; it must give each source its columns")
        return KernelChoice(spec="auto", groups=json.dumps(_plain(kernels)))
    if isinstance(kernels, Kernel) or callable(kernels):
        return _from_list([kernels])
    if isinstance(kernels, (list, tuple)):
        return _from_list(kernels)
    raise ValueError(
        f"kernels is {kernels!r}; it must be a preset ('auto', 'paper', 'random:M'), 'precomputed', a JSON or GMT file, "
        "kernel objects, a dict of sources, or functions"
    )


def _from_text(text: str) -> KernelChoice:
    if text == PRECOMPUTED:
        return KernelChoice(precomputed=True)
    if text.endswith(".gmt"):
        return KernelChoice(spec="auto", groups=text)
    return KernelChoice(spec=text)


def _from_list(kernels) -> KernelChoice:
    if not kernels:
        raise ValueError("kernels is an empty list; give at least one kernel")
    if all(isinstance(kernel, (Kernel, Mapping)) for kernel in kernels):
        return KernelChoice(spec=json.dumps([_entry(kernel) for kernel in kernels]))
    if all(callable(kernel) for kernel in kernels):
        return KernelChoice(functions=tuple(kernels))
    raise ValueError(f"kernels is {kernels!r}; its members must all be kernel objects, or all be functions")


def _entry(kernel) -> dict:
    return kernel.to_dict() if isinstance(kernel, Kernel) else _plain(kernel)


def function_name(function: Callable) -> str:
    """The name of a kernel that is a function."""
    inner = getattr(function, "func", function)  # of a functools.partial
    return getattr(inner, "__name__", type(inner).__name__)
