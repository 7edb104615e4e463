"""Tables in markdown. Times are CPU times: seconds of training times the share of a processor that the run had."""

import numpy as np
from methods import METHODS
from published import ITERATIONS, SIMPLEMKL_SVMS, UCI_FACTORS

ORDER = list(METHODS)
TABLE_STRENGTHS = (0.005, 0.05, 0.5)


def markdown(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def number(value):
    """Three significant digits without an exponent."""
    if value is None or not np.isfinite(value):
        return "–"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def select(entries, **wanted):
    return [e for e in entries if all(e[key] == value for key, value in wanted.items())]


def values(entries, column):
    """Of runs that were made."""
    return [e[column] for e in entries if not e.get("skipped") and e.get(column) is not None]


def methods_of(entries):
    present = {e["method"] for e in entries}
    return [m for m in ORDER if m in present]


def cases(entries):
    """(data, alpha), in the order of the runs."""
    return list(dict.fromkeys((e["data"], e["alpha"]) for e in entries))


def size_of(entries, name):
    entry = next(e for e in entries if e["data"] == name)
    return f"{name} (N={entry['n_samples']}, M={entry['n_kernels']})"


def by_case(entries, cell):
    """A row for each data set and C, a column for each method."""
    methods = methods_of(entries)
    rows = []
    for name, alpha in cases(entries):
        here = select(entries, data=name, alpha=alpha)
        runs = {m: select(here, method=m) for m in methods}
        cells = (cell(runs[m], m, name, alpha) if runs[m] else "–" for m in methods)
        rows.append([size_of(entries, name), f"{alpha:g}", *cells])
    return markdown(["set", "C", *(METHODS[m].label for m in methods)], rows)


def stalled(entry):
    return entry.get("status") == "stalled" and not entry["solved"]


def at_cap(entry):
    return not entry["solved"] and not stalled(entry)


def unfinished(entries):
    """How many of the runs ended at the cap, or stalled, as a note."""
    counts = {"capped": sum(map(at_cap, entries)), "stalled": sum(map(stalled, entries))}
    return "".join(f" ({n}/{len(entries)} {what})" for what, n in counts.items() if n)


def uci_times(entries):
    def cell(runs, *_):
        times = [e["cpu"] for e in runs]
        prefix = ">" if any(not e["solved"] for e in runs) else ""
        return f"{prefix}{number(np.mean(times))} ± {number(np.std(times))}{unfinished(runs)}"

    return by_case(entries, cell)


def uci_values(entries, column, digits):
    def cell(runs, *_):
        found = values(runs, column)
        return f"{np.mean(found):.{digits}f} ± {np.std(found):.{digits}f}"

    return by_case(entries, cell)


def iterations(entries):
    """Mean outer iterations, SVMs of the wrapper methods in round brackets, the paper's figures in square ones."""

    def published(method, name, alpha):
        if alpha not in TABLE_STRENGTHS or method not in ITERATIONS[name]:
            return ""
        k = TABLE_STRENGTHS.index(alpha)
        svms = f" ({number(SIMPLEMKL_SVMS[name][k])})" if method == "simplemkl" else ""
        return f" [{number(ITERATIONS[name][method][k])}{svms}]"

    def cell(runs, method, name, alpha):
        prefix = ">" if any(not e["solved"] for e in runs) else ""
        svms = f" ({number(np.mean(values(runs, 'steps')))})" if method == "simplemkl" else ""
        return f"{prefix}{number(np.mean(values(runs, 'iterations')))}{svms}{published(method, name, alpha)}"

    return by_case([e for e in entries if not e["method"].startswith("elast")], cell)


def factors(entries):
    """CPU time of each method over that of SpicyMKL with the hinge loss on the same split: smallest, median, largest."""
    rows = []
    for base in ("spicy_hinge", "auto_hinge"):
        own = {(e["data"], e["alpha"], e["split"]): e["cpu"] for e in select(entries, method=base)}
        for method in methods_of(entries):
            runs = [e for e in select(entries, method=method) if (e["data"], e["alpha"], e["split"]) in own]
            if method == base or not runs:
                continue
            by_problem = {}
            for e in runs:
                by_problem.setdefault((e["data"], e["alpha"]), []).append(
                    e["cpu"] / own[e["data"], e["alpha"], e["split"]]
                )
            ratios = [np.median(r) for r in by_problem.values()]
            said = "{} to {}".format(*UCI_FACTORS[method]) if base == "spicy_hinge" and method in UCI_FACTORS else ""
            slower = f"{sum(r > 1 for r in ratios)} of {len(ratios)}"
            span = [number(np.min(ratios)), number(np.median(ratios)), number(np.max(ratios)) + unfinished(runs)]
            rows.append([METHODS[base].label, METHODS[method].label, *span, slower, said])
    header = ["base", "method", "smallest", "median", "largest", "slower on", "the paper says"]
    return markdown(header, rows)


def proofs(entries):
    """Of the wrapper methods: gap as they see it when they stop, and proved gap of the model at the end of the run."""
    rows = []
    for method in methods_of(entries):
        runs = [e for e in select(entries, method=method) if not e.get("skipped")]
        own, proved = values(runs, "gap"), values(runs, "certified_gap")
        done = sum(e["proved"] for e in runs)
        rows.append(
            [
                METHODS[method].label,
                f"{done} of {len(runs)}",
                number(np.median(own)),
                number(np.median(proved)),
                number(np.max(proved)),
            ]
        )
    return markdown(["method", "proved to 0.01", "own gap, median", "proved gap, median", "proved gap, largest"], rows)


def scaling(entries, column, axis):
    """Median CPU time over the splits."""
    methods = methods_of(entries)
    rows = []
    for name in dict.fromkeys(e["data"] for e in entries):
        of_set = select(entries, data=name)
        for size in sorted({e[column] for e in of_set}):
            here = select(of_set, **{column: size})
            rows.append([name, size, *(scaling_cell(select(here, method=m)) for m in methods)])
    return markdown(["set", axis, *(METHODS[m].label for m in methods)], rows)


def scaling_cell(runs):
    if not runs:
        return "–"
    if sum(not e["solved"] for e in runs) * 2 > len(runs):
        return f">{number(np.median([e['cpu'] for e in runs]))}"
    return number(np.median([e["cpu"] for e in runs])) + unfinished(runs)


def setting(entries):
    """What was run, and how busy the machine was."""
    rows = []
    for experiment, name in dict.fromkeys((e["experiment"], e["data"]) for e in entries):
        runs = select(entries, experiment=experiment, data=name)
        splits = [
            len({e["split"] for e in runs if METHODS[e["method"]].wrapper == wrapper}) for wrapper in (False, True)
        ]
        skipped = sum(bool(e.get("skipped")) for e in runs)
        ends = [sum(map(at_cap, runs)), skipped, sum(map(stalled, runs))]
        caps = " and ".join(sorted({f"{e['cap']:g} s" for e in runs}))
        low, middle, high = np.percentile([e["cpu_share"] for e in runs if not e.get("skipped")], [25, 50, 75])
        busy = f"{middle:.2f} ({low:.2f} to {high:.2f})"
        rows.append([experiment, name, len(runs), *splits, caps, *ends, busy])
    header = ["experiment", "set", "runs", "splits", "splits, wrapper methods", "cap", "capped", "of these not tried"]
    return markdown([*header, "stalled", "share of a processor, median and quartiles"], rows)
