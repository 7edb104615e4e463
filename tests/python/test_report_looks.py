"""How reports look in a browser: train, evaluate, cv and path, of two classes, ten classes and numbers, on screen, phone and paper."""

import re

import pytest
from sklearn import datasets

PAPER = 688  # pixels between the margins of an A4 page

# Tables that a reader sees and that go beyond their place.
CUT_OFF = """Array.from(document.querySelectorAll("table")).filter((table) => {
  if (table.closest("details:not([open])")) return false;
  return table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right + 1;
}).map((table) => table.className + ": " + table.textContent.slice(0, 40))"""
TILES_OF_ROWS = """Object.values(Array.from(document.querySelectorAll(".tiles > div")).reduce((rows, tile) => {
  const top = Math.round(tile.getBoundingClientRect().top);
  return { ...rows, [top]: (rows[top] ?? 0) + 1 };
}, {}))"""
LEGENDS = """Object.fromEntries(Object.values(Chart.instances).map((chart) => [
  chart.canvas.getAttribute("aria-label"),
  chart.options.plugins.legend.display ? chart.legend.legendItems.map((item) => ({
    text: item.text, symbol: item.pointStyle, colour: item.strokeStyle, dashed: item.lineDash.length > 0})) : []]))"""
# Of each chart, how much of its height is left for what it shows.
PLOTS = """Object.fromEntries(Object.values(Chart.instances).map((chart) => [
  chart.canvas.getAttribute("aria-label"), (chart.chartArea.bottom - chart.chartArea.top) / chart.height]))"""

DATA = {
    "two classes": (datasets.load_breast_cancer, lambda y: [["malignant", "benign"][one] for one in y]),
    "ten classes": (datasets.load_digits, lambda y: [f"digit {one}" for one in y]),
    "numbers": (lambda: datasets.load_diabetes(scaled=False), list),
}


@pytest.fixture(scope="module", params=list(DATA))
def reports(request, tmp_path_factory):
    """The pages of the four commands."""
    from conftest import Spicymkl

    spicymkl = Spicymkl(tmp_path_factory.mktemp("looks"))
    load, target = DATA[request.param]
    data = load()
    names = [str(name).replace(" ", "_") for name in data.feature_names]
    for file, rows in (("train.csv", slice(0, 250)), ("test.csv", slice(250, 440))):
        spicymkl.table(file, dict(zip(names, data.data[rows].T)), target(data.target[rows]))
    learn = ["train.csv", "--target", "y"]
    spicymkl.ok("train", *learn, "--model", "m.safetensors", "--test", "test.csv", "--report", "train.html")
    spicymkl.ok("evaluate", "m.safetensors", "test.csv", "--report", "evaluate.html")
    spicymkl.ok("cv", *learn, "--n-alphas", 4, "--alpha-ratio", 0.03, "--folds", 3, "--report", "cv.html")
    spicymkl.ok("path", *learn, "--n-alphas", 5, "--alpha-ratio", 0.05, "--report", "path.html")
    return {name: spicymkl.folder / f"{name}.html" for name in ("train", "evaluate", "cv", "path")}


def test_nothing_is_cut_off(reports, browser):
    for name, page in reports.items():
        for width, media in ((1200, ""), (1600, ""), (PAPER, "print")):
            browser.emulate(width=width, media=media)
            browser.open(page)
            assert browser.ask(CUT_OFF) == [], (name, width)
        browser.emulate(width=390)
        browser.open(page)
        assert browser.ask("document.documentElement.scrollWidth") <= 390, name
    browser.emulate()


def test_rows_of_tiles_are_about_as_long(reports, browser):
    for name, page in reports.items():
        for width, media in ((1200, ""), (1600, ""), (PAPER, "print")):
            browser.emulate(width=width, media=media)
            browser.open(page)
            rows = browser.ask(TILES_OF_ROWS)
            assert rows and min(rows) >= max(rows) - 1, (name, width, rows)
    browser.emulate()


def test_legends_show_what_is_drawn(reports, browser):
    browser.emulate()
    browser.open(reports["cv"])
    legend = browser.ask(LEGENDS)["Score against alpha"]
    lines = [item for item in legend if item["text"].startswith("auto:")]
    (chosen,) = (item for item in legend if item["text"] == "chosen")
    assert {item["symbol"] for item in lines} == {"line"} and chosen["symbol"] == "rectRot"
    assert len({item["colour"] for item in [*lines, chosen]}) == len(lines) + 1
    browser.open(reports["train"])
    gap = browser.ask(LEGENDS)["Relative duality gap against time"]
    assert [item["text"] for item in gap if item["dashed"]] == ["asked for"]


def test_charts_keep_room_beside_their_legends(reports, browser):
    for name, page in reports.items():
        for width, media in ((1200, ""), (390, ""), (PAPER, "print")):
            browser.emulate(width=width, media=media)
            browser.open(page)
            for chart, part in browser.ask(PLOTS).items():
                assert part > 0.4, (name, width, chart)
    browser.emulate()


def test_pages_of_paper_are_filled(reports, browser):
    most = {"train": 5, "evaluate": 4, "cv": 5, "path": 4}
    browser.emulate()
    for name, page in reports.items():
        browser.open(page)
        assert len(re.findall(rb"/Type\s*/Page\b", browser.pdf())) <= most[name], name
