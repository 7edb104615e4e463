"""The HTML report, opened in a browser: the charts are there, nothing goes wrong, and names are only names."""

import json
import re

import numpy as np
import pytest
from sklearn.datasets import load_digits

import problems
from pages import text

# For every canvas: the number of different colours on it. An empty one has a single colour.
COLOURS = """Array.from(document.querySelectorAll("canvas")).map((canvas) => {
  const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return new Set(pixels).size;
})"""
CHARTS = """Object.values(Chart.instances).map((chart) => ({
  shows: chart.canvas.getAttribute("aria-label"), type: chart.config.type,
  points: chart.data.datasets.map((data) => data.data.length)}))"""


def charts_of(browser, path):
    """Opens the page and returns its charts by what they show; all must be drawn, and the console must be empty."""
    browser.open(path)
    canvases = browser.ask("document.querySelectorAll('canvas').length")
    charts = browser.ask(CHARTS)
    assert len(charts) == canvases
    assert all(colours > 5 for colours in browser.ask(COLOURS))
    assert browser.console() == []
    assert len({chart["shows"] for chart in charts}) == len(charts)
    return {chart["shows"]: chart for chart in charts}


@pytest.fixture
def two_classes(spicymkl):
    for name, seed in (("train.csv", 1), ("test.csv", 2)):
        spicymkl.ok("generate", "multisource", "-n", 150, "--seed", seed, "-o", name)
    return ["train", "train.csv", "--target", "y", "--model", "m.safetensors", "--report", "r.html"]


def test_training_and_test(spicymkl, two_classes, browser):
    browser.emulate()
    summary = json.loads(spicymkl.ok(*two_classes, "--test", "test.csv", "--json"))
    charts = charts_of(browser, spicymkl.folder / "r.html")
    scores = ["Receiver operating characteristic", "Precision and recall", "Calibration"]
    assert list(charts)[:4] == [*scores, "Kernel weights, heaviest first"]
    assert charts["Kernel weights, heaviest first"]["points"] == [min(25, summary["n_active"])]
    convergence = ["Relative duality gap against time", "Number of active kernels against time"]
    assert list(charts)[-2:] == convergence
    assert sum(name.startswith("Effect of ") for name in charts) == 12
    page = text((spicymkl.folder / "r.html").read_text())
    for kernel in summary["kernels"]:
        assert kernel["name"] in page
    for fact in ("--test test.csv", "150 rows", f"{summary['primal']:.10g}", f"{summary['dual_objective']:.10g}"):
        assert fact in page
    assert f"accuracy {summary['test']['accuracy']:.4g}" in " ".join(page.split())
    evaluated = json.loads(spicymkl.ok("evaluate", "m.safetensors", "test.csv", "--report", "e.html", "--json"))
    assert evaluated == summary["test"]
    assert list(charts_of(browser, spicymkl.folder / "e.html")) == [name for name in charts if name not in convergence]


def test_several_classes_numbers_and_precomputed_kernels(spicymkl, browser):
    X, y = problems.classification(n=60)
    classes = np.array(["a", "b", "c"])[np.arange(60) % 3]
    spicymkl.table("three.csv", X, classes)
    spicymkl.ok("train", "three.csv", "--target", "y", "--test", "three.csv", "--report", "three.html")
    roc = charts_of(browser, spicymkl.folder / "three.html")["Receiver operating characteristic"]
    assert len(roc["points"]) == 4  # three classes and chance
    spicymkl.table("numbers.csv", X, X[:, 0] + 0.1 * X[:, 1])
    spicymkl.ok("train", "numbers.csv", "--target", "y", "--test", "numbers.csv", "--report", "numbers.html")
    assert charts_of(browser, spicymkl.folder / "numbers.html")["Predictions against the truth"]["points"] == [60, 2]
    spicymkl.ok("train", *spicymkl.save(problems.kernels(X), y), "--report", "grams.html")
    assert len(charts_of(browser, spicymkl.folder / "grams.html")) == 3


def test_nothing_selected_and_not_converged(spicymkl, two_classes, browser):
    spicymkl.ok(*two_classes, "--alpha", "2max")
    charts_of(browser, spicymkl.folder / "r.html")
    assert "No kernel has a weight above 0" in text((spicymkl.folder / "r.html").read_text())
    assert spicymkl.run(*two_classes, "--tol", 1e-12, "--max-iter", 1).returncode == 1
    charts_of(browser, spicymkl.folder / "r.html")
    assert "max_iterations" in text((spicymkl.folder / "r.html").read_text())


def test_the_heat_map_has_a_row_a_source_and_a_column_a_parameter(spicymkl):
    X, y = problems.classification(n=40)
    spicymkl.table("data.csv", X, y.astype(int))
    spicymkl.ok("train", "data.csv", "--target", "y", "--kernels", "paper", "--report", "r.html", "--json")
    table = re.search(r'<table class="heat">.*?</table>', (spicymkl.folder / "r.html").read_text(), re.DOTALL)[0]
    rows = re.findall(r"<tr>.*?</tr>", table.split("<tbody>")[1])
    assert len(rows) == X.shape[1] + 1
    assert all(row.count("<td") == 27 + 1 for row in rows)
    shares = [float(share) for share in re.findall(r'class="total">([0-9.]+) %', table)]
    assert sum(shares) == pytest.approx(100, abs=0.1 * len(rows))
    groups = {"first": ["x1", "x2"], "second": ["x3"]}
    spicymkl.write("groups.json", json.dumps(groups))
    spicymkl.ok("train", "data.csv", "--target", "y", "--groups", "groups.json", "--report", "r.html")
    table = re.search(r'<table class="heat">.*?</table>', (spicymkl.folder / "r.html").read_text(), re.DOTALL)[0]
    assert all(f">{name}</th>" in table for name in groups)


HOSTILE = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "\"'&<b>@SCRIPT@",
    "<!--",
    "Ω λ 中",
]


def test_names_are_only_names(spicymkl, browser):
    X, _ = problems.classification(n=40)
    labels = [HOSTILE[k % 2] for k in range(40)]
    quoted = {f'"{name.replace(chr(34), chr(34) * 2)}"': X[:, j % X.shape[1]] for j, name in enumerate(HOSTILE)}
    spicymkl.table("<b>data.csv", quoted, labels)
    done = spicymkl.run(
        "train", "<b>data.csv", "--target", "y", "--test", "<b>data.csv", "--alpha", "0.01max", "--report", "r.html"
    )
    assert done.returncode == 0, done.stderr
    charts_of(browser, spicymkl.folder / "r.html")
    assert browser.ask("window.hacked") is None
    assert browser.ask("document.querySelectorAll('main b, main img').length") == 0
    shown = browser.ask("document.body.textContent")
    assert all(name in shown for name in HOSTILE)
    assert set(
        browser.ask("Array.from(document.querySelectorAll('.confusion thead th'), (cell) => cell.textContent)")
    ) >= set(HOSTILE[:2])


def test_phone_dark_and_paper(spicymkl, two_classes, browser):
    spicymkl.ok(*two_classes, "--kernels", "paper", "--test", "test.csv")
    page = spicymkl.folder / "r.html"
    browser.emulate(width=375)
    charts_of(browser, page)
    assert browser.ask("document.documentElement.scrollWidth") <= 375
    background = "getComputedStyle(document.body).backgroundColor"
    light = browser.ask(background)
    browser.emulate(scheme="dark")
    charts_of(browser, page)
    assert browser.ask(background) != light
    assert browser.pdf().startswith(b"%PDF")
    assert browser.console() == []
    browser.emulate()


def test_the_page_needs_nothing_else_and_keeps_the_licence(spicymkl, two_classes):
    spicymkl.ok(*two_classes)
    page = (spicymkl.folder / "r.html").read_text()
    assert not re.search(r"""(src|href)=["'](?!data:)""", page)
    assert "Permission is hereby granted, free of charge" in page and "Chart.js Contributors" in page


def test_bad_places(spicymkl, two_classes):
    (spicymkl.folder / "m.safetensors").write_text("precious")
    spicymkl.refuse([*two_classes[:-1], "absent/r.html"], "absent/r.html")
    spicymkl.refuse([*two_classes[:-1], "."], "directory")
    spicymkl.refuse([*two_classes, "--test", "absent.csv"], "absent.csv")
    spicymkl.write("other.csv", "a,y\n1,1\n2,-1\n")
    spicymkl.refuse([*two_classes, "--test", "other.csv"], "other.csv", "column")


def test_path_and_cross_validation(spicymkl, two_classes, browser):
    spicymkl.ok("path", *two_classes[1:4], "--n-alphas", 8, "--report", "p.html")
    weights, active = charts_of(browser, spicymkl.folder / "p.html").values()
    assert set(weights["points"]) == {8} and active["points"] == [8]
    summary = json.loads(
        spicymkl.ok("cv", *two_classes[1:4], "--n-alphas", 6, "--folds", 3, "--report", "c.html", "--json")
    )
    charts = charts_of(browser, spicymkl.folder / "c.html")
    lists = [summary["points"][first : first + 6] for first in (0, 6, 12)]
    scored = [sum(point["mean"] is not None for point in part) for part in lists]
    assert charts["Score against alpha"]["points"] == [*scored, 1]  # each of the lists of kernels, the choice
    assert min(scored) > 2
    chosen = summary["points"][summary["chosen"]]
    page = " ".join(text((spicymkl.folder / "c.html").read_text()).split())
    assert summary["metric"] == "log_loss" and f"log-loss {chosen['mean']:.5g}" in page


# The colours of the first ten series, and the ticks of every axis that a reader sees.
PALETTE = """Array.from({length: 10}, (_, k) => {
  const [canvas, name] = [document.createElement("canvas").getContext("2d"), `--series-${k + 1}`];
  canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  canvas.fillRect(0, 0, 1, 1);
  return Array.from(canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
})"""
TICKS = """Object.fromEntries(Object.values(Chart.instances).map((chart) => [
  chart.canvas.getAttribute("aria-label"), chart.scales.y.ticks.map((tick) => tick.label).filter((text) => text !== null)]))"""


def lab(colour):
    """CIE L*a*b*, in which distances are about those that people see."""
    linear = np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(colour) / 255])
    weights = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(np.array(weights) @ linear / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.fixture
def ten_classes(spicymkl):
    digits = load_digits()
    columns = {f"p{j}": digits.data[:, j] for j in range(64)}
    labels = [f"digit {digit}" for digit in digits.target]
    for name, rows in (("train.csv", slice(0, 300)), ("test.csv", slice(300, 600))):
        spicymkl.table(name, {name: values[rows] for name, values in columns.items()}, labels[rows])
    return ["train", "train.csv", "--target", "y", "--model", "m", "--test", "test.csv", "--report", "r.html"]


def test_ten_classes_can_be_told_apart(spicymkl, ten_classes, browser):
    spicymkl.ok(*ten_classes, "--alpha", "0.01max")
    page = spicymkl.folder / "r.html"
    for scheme in ("light", "dark"):
        browser.emulate(width=1400, scheme=scheme)
        charts = charts_of(browser, page)
        paper = [int(c) for c in re.findall(r"\d+", browser.ask("getComputedStyle(document.body).backgroundColor"))[:3]]
        colours = [lab(colour) for colour in [*browser.ask(PALETTE), paper]]
        distances = [np.linalg.norm(a - b) for k, a in enumerate(colours) for b in colours[:k]]
        assert min(distances) > 25
    assert len(charts["Receiver operating characteristic"]["points"]) == 11
    roc = "Object.values(Chart.instances)[0]"
    assert browser.ask(roc + ".scales.x.type") == "logarithmic"  # in the corner they are told apart
    drawn = browser.ask(roc + ".data.datasets.slice(0, 10).map((data) => data.borderColor)")
    assert len(set(drawn)) == 10
    swatches = (
        "Array.from(document.querySelectorAll('.classes .swatch'), (one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(browser.ask(swatches))) == 10
    # Nothing of the confusion matrix is hidden, and the map of sources says "all", not a list of names.
    assert browser.ask(
        "[...document.querySelectorAll('.scroll:has(.confusion)')].every((e) => e.scrollWidth <= e.clientWidth)"
    )
    rows = browser.ask(
        "Array.from(document.querySelectorAll('.heat:not(.confusion) tbody th'), (cell) => cell.textContent)"
    )
    assert any(re.fullmatch(r"all (\d+ )?columns( in use)?", row) for row in rows)
    browser.emulate()


def test_counts_have_whole_ticks(spicymkl, two_classes, browser):
    browser.emulate()
    spicymkl.ok(*two_classes, "--alpha", "0.7max")
    spicymkl.ok("path", *two_classes[1:4], "--n-alphas", 3, "--alpha-ratio", 0.8, "--report", "p.html")
    shown = {}
    for page in ("r.html", "p.html"):
        browser.open(spicymkl.folder / page)
        shown |= browser.ask(TICKS)
    counted = [ticks for name, ticks in shown.items() if "ctive kernels against" in name]
    assert len(counted) == 2
    for ticks in counted:
        assert len(ticks) >= 2 and all(float(tick) == int(float(tick)) for tick in ticks)


def test_wide_windows_are_used(spicymkl, two_classes, browser):
    spicymkl.ok(*two_classes, "--test", "test.csv")
    browser.emulate(width=1600)
    browser.open(spicymkl.folder / "r.html")
    lefts = "new Set(Array.from(document.querySelectorAll('.charts.three figure'), (e) => e.getBoundingClientRect().left)).size"
    assert browser.ask(lefts) == 3
    assert browser.ask("document.querySelector('main').clientWidth") > 1250
    browser.emulate()
