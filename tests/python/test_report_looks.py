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
    text: item.text, symbol: item.pointStyle, colour: item.strokeStyle, dashed: (item.lineDash ?? []).length > 0})) : []]))"""
# Of the cells of maps and matrices: what stands in them, in which colour, on which.
CELLS = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const pixel = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return Array.from(canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
  };
  return Array.from(document.querySelectorAll("td.cell:not(.zero)")).filter((cell) => cell.textContent).map((cell) => {
    const style = getComputedStyle(cell);
    return [cell.textContent, pixel(style.color), pixel(style.backgroundColor)];
  });
})()"""
# Of each chart, the part of its height that is left for what it shows, and how many pixels there are for each bar.
PLOTS = """Object.fromEntries(Object.values(Chart.instances).map((chart) => {
  const room = chart.chartArea.bottom - chart.chartArea.top;
  return [chart.canvas.getAttribute("aria-label"), [room / chart.height, room / Math.max(1, chart.data.labels.length)]];
}))"""
# Of the charts with bars of rows in the background, those of which a bar goes beyond the axis.
BARS_CUT = """Object.values(Chart.instances).filter((chart) => {
  const { min, max } = chart.scales.x;
  return chart.data.datasets.some((line) => line.yAxisID === "rows" && line.data.some(({ x }) => x < min || x > max));
}).map((chart) => chart.canvas.getAttribute("aria-label"))"""

DATA = {
    "two classes": (datasets.load_breast_cancer, lambda y: [["malignant", "benign"][one] for one in y]),
    "ten classes": (datasets.load_digits, lambda y: [f"digit {one}" for one in y]),
    "each of ten": (datasets.load_digits, lambda y: [f"digit {one}" for one in y]),
    "numbers": (lambda: datasets.load_diabetes(scaled=False), list),
}
# Pages of paper. That of ten classes at once has twelve effects, and what each kernel does for each class.
MOST_PAGES = {name: {"train": 7, "evaluate": 6, "cv": 4, "path": 4} for name in DATA}
MOST_PAGES["ten classes"]["cv"] = 6


class Reports(dict):
    """Name → page."""

    def __init__(self, pages, most_pages):
        super().__init__(pages)
        self.most_pages = most_pages


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
    learn = ["train.csv", "--target", "y", *(["--multi-class", "ovr"] if request.param == "each of ten" else [])]
    spicymkl.ok("train", *learn, "--model", "m.safetensors", "--test", "test.csv", "--report", "train.html")
    spicymkl.ok("evaluate", "m.safetensors", "test.csv", "--report", "evaluate.html")
    spicymkl.ok("cv", *learn, "--n-alphas", 4, "--alpha-ratio", 0.03, "--folds", 3, "--report", "cv.html")
    spicymkl.ok("path", *learn, "--n-alphas", 5, "--alpha-ratio", 0.05, "--report", "path.html")
    pages = {name: spicymkl.folder / f"{name}.html" for name in ("train", "evaluate", "cv", "path")}
    return Reports(pages, MOST_PAGES[request.param])


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
            for chart, (part, of_bar) in browser.ask(PLOTS).items():
                assert of_bar > 12 if chart.endswith("heaviest first") else part > 0.35, (name, width, chart)
    browser.emulate()


def contrast(text, ground):
    """Of WCAG 2: 3 is what large or bold text needs, 21 black on white."""
    lighter, darker = sorted((luminance(text), luminance(ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (one / 255 for one in colour)]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))


def test_numbers_on_colour_can_be_read(reports, browser):
    for name, page in reports.items():
        for scheme in ("light", "dark"):
            browser.emulate(scheme=scheme)
            browser.open(page)
            for words, text, ground in browser.ask(CELLS):
                assert contrast(text, ground) > 3, (name, scheme, words)
    browser.emulate()


def test_pages_of_paper_are_filled(reports, browser):
    browser.emulate()
    for name, page in reports.items():
        browser.open(page)
        assert len(re.findall(rb"/Type\s*/Page\b", browser.pdf())) <= reports.most_pages[name], name


def test_bars_of_rows_are_whole(reports, browser):
    """A filled line that leaves its chart is drawn askew: columns of two values showed wedges."""
    browser.emulate()
    for name, page in reports.items():
        browser.open(page)
        assert browser.ask(BARS_CUT) == [], name
