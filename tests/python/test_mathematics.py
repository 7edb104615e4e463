"""docs/mathematics.md has every equation, section and table that the code cites; what the two pages of the house name exists."""

import re

import pytest

from conftest import ROOT

PAGES = ["docs/mathematics.md", "docs/design.md"]
NUMBERS = r"[\d.]*\d(?:(?:, | and | to )[\d.]*\d)*"
KINDS = {
    "Eq.": r"Eqs?\. ((?:\(\d+\)(?:, | and )?)+)(?! of the \w+ paper)",
    "Section": rf"Sections? ({NUMBERS})",
    "Table": rf"Tables? ({NUMBERS})",
}


def text_of(path):
    """The text of a source file with line ends and the marks of comments as spaces."""
    return re.sub(r"\s*\n\s*(?:///?<?\s*)?", " ", path.read_text())


def sources():
    return [path for folder in ("src", "include") for path in sorted((ROOT / folder).rglob("*.[ch]pp"))]


def numbers_in(pattern, text):
    """The numbers that a text cites; "Sections 3.2 to 3.4" cites both ends."""
    return {number for cited in re.findall(pattern, text) for number in re.findall(r"\d+(?:\.\d+)*", cited)}


def citations(name):
    """number → files that cite it"""
    cited = {}
    for path in sources():
        for number in numbers_in(KINDS[name], text_of(path)):
            cited.setdefault(number, []).append(path.relative_to(ROOT).as_posix())
    return cited


@pytest.mark.parametrize("name", KINDS)
def test_every_citation_is_on_the_page(name):
    page = (ROOT / "docs/mathematics.md").read_text()
    cited = citations(name)
    assert len(cited) >= 2, f"no {name} is cited: does the pattern still fit?"
    for number, files in sorted(cited.items()):
        form = rf"{name} \({number}\)" if name == "Eq." else rf"{name} {re.escape(number)}(?![\d.]*\d)"
        assert re.search(form, page), f"{name} {number}, cited in {files}, is not in docs/mathematics.md"


def files_named(text):
    return set(re.findall(r"`((?:\w[\w.-]*/)+[\w-]+\.\w+)`", text))


@pytest.mark.parametrize("page", PAGES)
def test_files_exist(page):
    named = files_named((ROOT / page).read_text())
    assert len(named) > 20
    missing = [path for path in sorted(named) if not (ROOT / path).exists()]
    assert not missing, f"{page} names files that do not exist: {missing}"


@pytest.mark.parametrize("page", PAGES)
def test_functions_are_where_the_page_says(page):
    """`file` (`function`, `function`): each of them is in that file."""
    text = " ".join((ROOT / page).read_text().split())
    named = re.findall(r"`((?:\w[\w.-]*/)+[\w-]+\.\w+)`(?: \(|, )((?:`\w+`(?:, )?)+)", text)
    assert len(named) > 10
    for path, functions in named:
        code = (ROOT / path).read_text()
        for function in re.findall(r"`(\w+)`", functions):
            assert re.search(rf"\b{function}\b", code), f"{page}: there is no {function} in {path}"


def test_the_code_points_at_nothing_outside_the_repository():
    for path in [*sources(), *sorted((ROOT / "tests").rglob("*.[ch]pp"))]:
        assert "MATH.md" not in path.read_text(), path
