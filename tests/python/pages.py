"""What a report says, taken from its page: words, tables, and the numbers behind its charts."""

import html
import json
import re


def text(page):
    """The words of a page, without tags and scripts."""
    page = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


def charts(page):
    """The charts by what they show."""
    data = re.search(r'<script type="application/json" id="charts">(.*?)</script>', page, re.DOTALL)[1]
    by_id = {chart["id"]: chart for chart in json.loads(data)}
    labels = re.findall(r'<canvas id="([^"]*)" role="img" aria-label="([^"]*)"', page)
    assert len(labels) == len(by_id)
    return {html.unescape(label): by_id[id] for id, label in labels}


def series(chart, name):
    (found,) = (series for series in chart["series"] if series["name"] == name)
    return found


def points(chart, name):
    """x and y of a named series."""
    return [list(axis) for axis in zip(*series(chart, name)["points"])]


def looks(chart, look):
    """The points of the one series that looks so."""
    (found,) = (series for series in chart["series"] if series.get("look") == look)
    return found["points"]


def tables(page):
    """Every table as rows of cells, by the heading before it."""
    found = {}
    for heading, table in re.findall(r"<h3>([^<]*)</h3>(?:(?!<h3>).)*?(<table.*?</table>)", page, re.DOTALL):
        rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
        cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]
        found[html.unescape(heading)] = [[" ".join(text(cell).split()) for cell in row] for row in cells]
    return found
