"""How times grow with the number of kernels or samples: exponents and a chart."""

import math
import statistics

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

COLORS = {"block1": "tab:red", "elasticnet": "tab:purple", "blockq": "tab:blue"}


def _series(rows, size):
    """{(data, penalty, loss): [(size, seconds)]}, seconds being the geometric mean over the strengths."""
    found = {}
    for row in rows:
        found.setdefault((row["data"], row["penalty"], row["loss"]), {}).setdefault(row[size], []).append(
            row["seconds"]
        )
    return {
        key: sorted((n, statistics.geometric_mean(seconds)) for n, seconds in by_size.items())
        for key, by_size in found.items()
    }


def exponent(points, start):
    """The slope of log seconds against log size from `start` on, by least squares."""
    points = [p for p in points if p[0] >= start]
    if len(points) < 2:
        return math.nan
    x, y = [[math.log(p[i]) for p in points] for i in (0, 1)]
    return statistics.linear_regression(x, y).slope


def text(rows, size, start):
    """A table: seconds by size, and the exponent of growth from `start` on."""
    series = _series(rows, size)
    sizes = sorted({n for points in series.values() for n, _ in points})
    head = ["data", "penalty", "loss", *(f"{size} {n}" for n in sizes), f"exponent from {start} on"]
    lines = [head, ["---"] * len(head)]
    for key, points in series.items():
        lines.append([*key, *(f"{seconds:.3f}" for _, seconds in points), f"{exponent(points, start):.2f}"])
    return (
        "Seconds, geometric mean over the strengths.\n\n"
        + "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
        + "\n"
    )


def chart(kernel_rows, sample_rows, path):
    """Both growths, in seconds, on logarithmic axes."""
    panels = [(kernel_rows, "n_kernels", "kernels (N = 200)"), (sample_rows, "n_samples", "samples (M = 20)")]
    panels = [panel for panel in panels if panel[0]]
    if not panels:
        return
    figure, axes = pyplot.subplots(1, len(panels), figsize=(6 * len(panels), 4.5), squeeze=False)
    for axis, (rows, size, label) in zip(axes[0], panels):
        for (data, penalty, loss), points in _series(rows, size).items():
            if data != "ringnorm":
                continue
            style = "--" if loss == "logistic" else "-"
            axis.loglog(
                *zip(*points), style, color=COLORS[penalty], marker="o", markersize=4, label=f"{penalty}, {loss}"
            )
        sizes = sorted({row[size] for row in rows})
        axis.set_xticks(sizes, sizes, rotation=45)
        axis.set_xticks([], minor=True)
        axis.set_xlabel(label)
        axis.set_ylabel("seconds to a proved gap of 0.01")
        axis.grid(True, which="both", alpha=0.2)
        axis.legend(fontsize=8)
    figure.suptitle("ringnorm, mean over alpha = 0.5, 0.05, 0.005", fontsize=10)
    figure.savefig(path, dpi=110, bbox_inches="tight")
    pyplot.close(figure)
