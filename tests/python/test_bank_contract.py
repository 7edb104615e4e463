"""The contract of a bank stays small: what must be written, what may be overridden, and no question about types."""

import re

from conftest import ROOT

HEADER = ROOT / "include/spicymkl/bank/bank.hpp"


def core():
    text = HEADER.read_text()
    return text[text.index("class KernelBank {") :]


def test_three_questions_must_be_answered():
    pure = re.findall(r"virtual [^;{]*?(\w+)\([^;{]*= 0;", core())
    assert pure == ["products", "weighted_diagonal", "trace"]


def test_the_rest_has_defaults_and_is_little():
    """Sixteen questions: problems of several outputs ask one of their own, joint_forms, and mixtures is a capability."""
    assert len(re.findall(r"\bvirtual (?!~)", core())) <= 16


def test_capabilities_are_asked_for_by_query():
    """No bank, and nobody who works with one, looks at the type of another."""
    sources = [path for root in ("src", "include") for path in sorted((ROOT / root).rglob("*.[ch]pp"))]
    assert len(sources) > 200
    curious = [
        path.relative_to(ROOT).as_posix()
        for path in sources
        if re.search(r"\bdynamic_(?:pointer_)?cast\b|\btypeid\b", path.read_text())
    ]
    assert not curious


def test_design_page_lists_the_contract():
    page = (ROOT / "docs/design.md").read_text()
    questions = set(re.findall(r"\bvirtual [^;{]*?(\w+)\(", core())) - {"name", "use", "KernelBank"}
    missing = sorted(name for name in questions if f"`{name}" not in page)
    assert not missing
