"""One table of options, losses, penalties and kernels: whatever else names or explains them says the same."""

import inspect
import re

import formulas
import pytest

import spicymkl as package
from conftest import ROOT, Spicymkl
from spicymkl import MKLClassifier, MKLClassifierCV, MKLRegressor, MKLRegressorCV, kernels
from tables import ALL_LOSSES, KERNELS, LOSSES, PENALTIES, TABLES, losses_for

ESTIMATORS = [MKLClassifier, MKLRegressor, MKLClassifierCV, MKLRegressorCV]
OPTIONS = {option["name"]: option for option in TABLES["train"]}


def words(text):
    """Without the breaks of lines."""
    return " ".join(text.split())


@pytest.mark.parametrize("command", ["train", "path", "cv", "study"])
def test_the_help_of_a_command_is_that_of_the_table(command):
    everything = words(Spicymkl(".").ok(command, "--help-all"))
    for option in TABLES[command]:
        assert re.search(rf"{option['command_line']}\b", everything), option["name"]
        assert words(option["help"]) in everything, option["name"]
        for choice in option["choices"]:
            assert choice in everything


# Options whose Python form is another one, which has its own words.
OTHER_WORDS = {"kernels", "loss", "penalty", "max_seconds", "memory"}


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_docstrings_have_the_help_of_the_table(estimator):
    text = words(estimator.__doc__)
    shared = set(inspect.signature(estimator).parameters) & set(OPTIONS) - OTHER_WORDS
    assert {"l1_ratio", "q", "tol", "max_iter", "solver", "fit_intercept", "standardize"} <= shared
    for name in shared:
        explanation = OPTIONS[name]["help"]
        assert words(explanation[0].upper() + explanation[1:]) in text, name


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_docstrings_describe_the_losses_and_the_penalties(estimator):
    text = words(estimator.__doc__)
    mine = losses_for("classes" if issubclass(estimator, MKLClassifier) else "numbers")
    for name in mine:
        assert f"- {name}: {LOSSES[name]['description']}" in text
    assert not any(f"- {name}: " in text for name in set(LOSSES) - set(mine))
    for name, penalty in PENALTIES.items():
        assert f"- {name}: {penalty['description']}" in text


def test_kernel_classes_are_those_of_the_table():
    classes = {cls.type_name(): cls for cls in kernels.Kernel.__subclasses__()}
    assert set(classes) == set(KERNELS)
    common = set(inspect.signature(kernels.Kernel).parameters)
    for name, kernel in KERNELS.items():
        own = {p.name: p.default for p in inspect.signature(classes[name]).parameters.values() if p.name not in common}
        assert set(own) == set(kernel["parameters"]), name
        for parameter, default in kernel["parameters"].items():
            assert own[parameter] == (1 if default is None else default), (name, parameter)
        assert classes[name].__doc__.lower().startswith(kernel["description"].lower()), name
        assert classes[name].__name__ in package.__all__


def test_the_readme_lists_what_there_is():
    text = words((ROOT / "README.md").read_text())
    losses = re.search(r"Losses: ([\w, ]+)\.", text)[1]
    assert losses.split(", ") == list(ALL_LOSSES)
    penalties = re.search(r"Penalties: ([\w, ()]+)\.", text)[1]
    assert [penalty.split(" (")[0] for penalty in penalties.split(", ")] == list(PENALTIES)
    assert re.search(r"Types: ([\w, ]+)\.", text)[1].split(", ") == list(KERNELS)


def test_the_guide_lists_what_there_is():
    text = words((ROOT / "docs" / "guide.rst").read_text())
    listed = re.search(r"Losses: (.*?) for classes; (.*?) for numbers\.", text)
    for names, labels in zip(listed.groups(), ("classes", "numbers")):
        assert re.findall(r"``(\w+)``", names) == losses_for(labels)
    rows = re.findall(r"^``(\w+)`` +(alpha.*?)  +(.*)$", (ROOT / "docs" / "guide.rst").read_text(), re.MULTILINE)
    assert [name for name, _, _ in rows] == list(PENALTIES)
    for name, formula, purpose in rows:
        assert PENALTIES[name]["description"].replace(", which ", ", ") == f"{formula}, {purpose}"


def test_the_reference_lists_every_kernel():
    listed = re.findall(r"^   (\w+)$", (ROOT / "docs" / "api.rst").read_text(), re.MULTILINE)
    assert [cls.__name__ for cls in kernels.Kernel.__subclasses__() if cls.__name__ not in listed] == []


SOURCES = [path for folder in ("src", "include", "python") for path in (ROOT / folder).rglob("*.[chpd]*")]
# Defaults, parts of presets, parameters of the same name, what classical solvers are for: named elsewhere for a reason.
WITH_A_ROLE = {"logistic", "hinge", "squared", "quantile", "block1", "elasticnet", "uniform"}
WITH_A_ROLE |= {"linear", "gaussian", "polynomial", "overlap", "cosine"}


@pytest.mark.parametrize(
    ("names", "home"),
    [(ALL_LOSSES, "loss/{}.cpp"), (PENALTIES, "regularizer/{}.cpp"), (KERNELS, "kernel/functions/{}.cpp")],
)
def test_a_new_one_costs_a_file_and_a_line(names, home):
    """As CONTRIBUTING.md says: its own file names it, its line in a table, and nothing else in the library or the package."""
    assert len(SOURCES) > 300
    plain = [name for name in names if name not in WITH_A_ROLE]
    assert len(plain) >= 2
    for name in plain:
        naming = re.compile(rf'"{name}"|[A-Z]+\({name}\)')
        files = {path for path in SOURCES if path.suffix != ".pyc" and naming.search(path.read_text())}
        own = ROOT / "src" / home.format(name)
        assert {path for path in files if path.suffix != ".def"} == {own}, name
        assert len(files) == 2, name


@pytest.mark.parametrize("names", [LOSSES, PENALTIES, KERNELS], ids=["losses", "penalties", "kernels"])
def test_there_is_no_other_list(names):
    """No file of the library or the package names half of them."""
    for path in SOURCES:
        text = path.read_text() if path.suffix != ".pyc" else ""
        named = {name for name in names if f'"{name}"' in text}
        assert 2 * len(named) < len(names), (path, named)


def test_every_loss_and_penalty_has_its_formulas_in_the_referees():
    assert list(formulas.LOSSES) == list(LOSSES) and list(formulas.PENALTIES) == list(PENALTIES)
    referee = (ROOT / "tests" / "cpp" / "support" / "referee.hpp").read_text()
    assert [name for name in [*LOSSES, *PENALTIES] if f'"{name}"' not in referee] == []
