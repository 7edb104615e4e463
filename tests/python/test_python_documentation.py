"""The examples in the docstrings give what they say."""

import doctest
import importlib
import pkgutil

import pytest

import spicymkl

MODULES = sorted(module.name for module in pkgutil.iter_modules(spicymkl.__path__) if module.name != "_core")


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
    assert doctest.testmod(importlib.import_module(f"spicymkl.{name}")).failed == 0


def test_there_are_examples():
    for public in (spicymkl.MKLClassifier, spicymkl.MKLRegressor, spicymkl.Kernelizer, spicymkl.KernelStack):
        assert ">>>" in public.__doc__
