"""The paper's figures, drawn with matplotlib."""

import matplotlib
import numpy as np
from methods import METHODS

from tables import cases, methods_of, select, values

matplotlib.use("Agg")
from matplotlib import pyplot

OPEN = {"markerfacecolor": "white"}  # a run that ended at its cap


def _save(figure, path):
    figure.savefig(path, dpi=110, bbox_inches="tight")
    pyplot.close(figure)
    return path.name


def _style(method):
    look = METHODS[method]
    return {"color": look.color, "linestyle": "--" if look.dashed else "-", "label": look.label}


def uci(entries, path):
    """Bars with mean and standard deviation: one row each for time, accuracy and active kernels, one column per data set."""
    names = list(dict.fromkeys(name for name, _ in cases(entries)))
    strengths = sorted({alpha for _, alpha in cases(entries)})
    methods = methods_of(entries)
    parts = [("cpu", "CPU seconds", True), ("accuracy", "test accuracy", False), ("active", "active kernels", True)]
    figure, axes = pyplot.subplots(len(parts), len(names), figsize=(3.4 * len(names), 8), squeeze=False, sharey="row")
    width = 0.9 / len(methods)
    for row, (column, label, logarithmic) in zip(axes, parts):
        row[0].set_ylabel(label)
        for axis, name in zip(row, names):
            for place, method in enumerate(methods):
                runs = [select(entries, data=name, alpha=alpha, method=method) for alpha in strengths]
                found = [values(r, column) or [np.nan] for r in runs]
                at = np.arange(len(strengths)) + (place - len(methods) / 2 + 0.5) * width
                look = METHODS[method]
                bars = axis.bar(
                    at,
                    [np.mean(f) for f in found],
                    width,
                    yerr=[np.std(f) for f in found],
                    color=look.color,
                    hatch="//" if look.dashed else None,
                    edgecolor="white",
                    label=look.label,
                    error_kw={"linewidth": 0.7},
                )
                for bar, made in zip(bars, runs):
                    if column == "cpu" and any(not e["solved"] for e in made):
                        axis.annotate(
                            "capped",
                            (bar.get_x() + width / 2, bar.get_height()),
                            ha="center",
                            va="top",
                            rotation=90,
                            fontsize=6,
                            color="white",
                        )
            axis.set_xticks(range(len(strengths)), [f"C={alpha:g}" for alpha in strengths])
            if logarithmic:
                axis.set_yscale("log")
            axis.set_title(name if column == "cpu" else "")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.06), ncols=4)
    return _save(figure, path)


def evolution(entries, path):
    """Gap and number of active kernels against the time of one run."""
    figure, (gaps, active) = pyplot.subplots(1, 2, figsize=(11, 4))
    for entry in entries:
        seconds, gap, n_active = np.array(entry["curve"]).T
        seconds = np.maximum(seconds * entry["cpu_share"], 1e-3)
        gaps.plot(seconds, gap, **_style(entry["method"]))
        active.plot(seconds, np.maximum(n_active, 0.5), **_style(entry["method"]))
    gaps.axhline(0.01, color="black", linewidth=0.5)
    for axis, label in ((gaps, "relative duality gap"), (active, "active kernels")):
        axis.set(xscale="log", yscale="log", xlabel="CPU seconds", ylabel=label)
    figure.legend(*gaps.get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncols=4)
    return _save(figure, path)


def scaling(entries, column, label, path):
    """Median and quartiles of the CPU time; a triangle where most runs ended at the cap."""
    names = list(dict.fromkeys(e["data"] for e in entries))
    figure, axes = pyplot.subplots(1, len(names), figsize=(4.2 * len(names), 4.2), squeeze=False, sharey=True)
    for axis, name in zip(axes[0], names):
        for method in methods_of(entries):
            runs = select(entries, data=name, method=method)
            sizes = sorted({e[column] for e in runs})
            times = [[e["cpu"] for e in select(runs, **{column: s})] for s in sizes]
            low, middle, high = (np.array([np.percentile(t, p) for t in times]) for p in (25, 50, 75))
            axis.plot(sizes, middle, marker=".", **_style(method))
            axis.fill_between(sizes, low, high, color=METHODS[method].color, alpha=0.15, linewidth=0)
            at_cap = [
                k for k, s in enumerate(sizes) if np.mean([e["solved"] for e in select(runs, **{column: s})]) < 0.5
            ]
            axis.plot(np.array(sizes)[at_cap], middle[at_cap], "^", color=METHODS[method].color, **OPEN)
        axis.set(xscale="log", yscale="log", title=name, xlabel=label)
        axis.set_xticks(sizes, sizes, rotation=45, fontsize=8)
        axis.minorticks_off()
    axes[0, 0].set_ylabel("CPU seconds")
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="upper center", bbox_to_anchor=(0.5, -0.04), ncols=4)
    return _save(figure, path)
