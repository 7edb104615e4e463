"""The HTML report, opened in a browser: the charts are there, nothing goes wrong, and names are only names."""

import html
import json
import re

import numpy as np
import pytest

import problems

# For every canvas: the number of different colours on it. An empty one has a single colour.
COLOURS = """Array.from(document.querySelectorAll("canvas")).map((canvas) => {
  const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return new Set(pixels).size;
})"""
CHARTS = """Object.values(Chart.instances).map((chart) => ({
  id: chart.canvas.id, type: chart.config.type,
  points: chart.data.datasets.map((data) => data.data.length)}))"""


def charts_of(browser, path):
    """Opens the page and returns its charts; all of them must be drawn, and the console must be empty."""
    browser.open(path)
    canvases = browser.ask("document.querySelectorAll('canvas').length")
    charts = browser.ask(CHARTS)
    assert len(charts) == canvases
    assert all(colours > 5 for colours in browser.ask(COLOURS))
    assert browser.console() == []
    return charts


def text(page):
    """The words of a page, without tags and scripts."""
    page = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


@pytest.fixture
def two_classes(spicymkl):
    for name, seed in (("train.csv", 1), ("test.csv", 2)):
        spicymkl.ok("generate", "multisource", "-n", 150, "--seed", seed, "-o", name)
    return ["train", "train.csv", "--target", "y", "--model", "m.safetensors", "--report", "r.html"]


def test_training_and_test(spicymkl, two_classes, browser):
    browser.emulate()
    summary = json.loads(spicymkl.ok(*two_classes, "--test", "test.csv", "--json"))
    charts = charts_of(browser, spicymkl.folder / "r.html")
    assert [chart["type"] for chart in charts] == ["line", "line", "bar", "line"]  # gap, active, weights, ROC
    assert charts[2]["points"] == [min(25, summary["n_active"])]
    page = text((spicymkl.folder / "r.html").read_text())
    for kernel in summary["kernels"]:
        assert kernel["name"] in page
    for fact in ("--test test.csv", "150 rows", f"{summary['primal']:.10g}", f"{summary['dual_objective']:.10g}"):
        assert fact in page
    assert f"accuracy {summary['test']['accuracy']:.4g}" in " ".join(page.split())
    evaluated = json.loads(spicymkl.ok("evaluate", "m.safetensors", "test.csv", "--report", "e.html", "--json"))
    assert evaluated == summary["test"]
    assert [chart["type"] for chart in charts_of(browser, spicymkl.folder / "e.html")] == ["bar", "line"]


def test_several_classes_numbers_and_precomputed_kernels(spicymkl, browser):
    X, y = problems.classification(n=60)
    classes = np.array(["a", "b", "c"])[np.arange(60) % 3]
    spicymkl.table("three.csv", X, classes)
    spicymkl.ok("train", "three.csv", "--target", "y", "--test", "three.csv", "--report", "three.html")
    roc = charts_of(browser, spicymkl.folder / "three.html")[-1]
    assert len(roc["points"]) == 4  # three classes and chance
    spicymkl.table("numbers.csv", X, X[:, 0] + 0.1 * X[:, 1])
    spicymkl.ok("train", "numbers.csv", "--target", "y", "--test", "numbers.csv", "--report", "numbers.html")
    assert charts_of(browser, spicymkl.folder / "numbers.html")[-1]["points"] == [60, 2]
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
    weights, active = charts_of(browser, spicymkl.folder / "p.html")
    assert set(weights["points"]) == {8} and active["points"] == [8]
    summary = json.loads(
        spicymkl.ok("cv", *two_classes[1:4], "--n-alphas", 6, "--folds", 3, "--report", "c.html", "--json")
    )
    charts = charts_of(browser, spicymkl.folder / "c.html")
    assert charts[0]["points"] == [6, 6, 6, 1]  # mean, one standard error above and below, the choice
    chosen = summary["points"][summary["chosen"]]
    page = " ".join(text((spicymkl.folder / "c.html").read_text()).split())
    assert f"{summary['metric']} {chosen['mean']:.5g}" in page
