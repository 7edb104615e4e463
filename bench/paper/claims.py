"""The claims of the paper's experimental section beside what the runs show. Cases are a data set and a C, or a data set and a
size; a method's time in a case is the median over its splits."""

import numpy as np
from methods import WRAPPERS
from published import UCI_FACTORS

from tables import markdown, methods_of, number, select, values

MANY_KERNELS = ("ionosphere", "wpbc", "sonar")
FEW_KERNELS = ("liver", "pima")
BLOCK1 = ["spicy_hinge", "spicy_logistic", "auto_hinge", "auto_logistic", *WRAPPERS]


class Cases:
    """Medians by case and method."""

    def __init__(self, entries, key):
        self.entries, self.key = entries, key
        self.names = list(dict.fromkeys(key(e) for e in entries))

    def largest(self):
        """The largest size in any case, and the cases with the largest size of their set: a set may have fewer rows."""
        of_set = {name: max(size for other, size in self.names if other == name) for name, _ in self.names}
        return max(of_set.values()), list(of_set.items())

    def runs(self, case, method):
        return [e for e in select(self.entries, method=method) if self.key(e) == case]

    def median(self, case, method, column="cpu"):
        runs = self.runs(case, method)
        found = [e["cpu"] for e in runs] if column == "cpu" else values(runs, column)
        return np.median(found) if found else np.nan

    def capped(self, case, method):
        runs = self.runs(case, method)
        return sum(not e["solved"] for e in runs) * 2 > len(runs)

    def count(self, condition, names=None):
        names = self.names if names is None else names
        return f"{sum(bool(condition(case)) for case in names)} of {len(names)} cases"

    def ratio(self, case, slow, fast):
        """Of times on the same splits; the median of them. Not a number where there are none."""
        times = {e["split"]: e["cpu"] for e in self.runs(case, fast)}
        found = [e["cpu"] / times[e["split"]] for e in self.runs(case, slow) if e["split"] in times]
        return np.median(found) if found else np.nan

    def ratios(self, slow, fast, names=None):
        """How many times slower: smallest, largest, median over cases; a run at its cap is at least that slow."""
        names = self.names if names is None else names
        found = np.array([self.ratio(case, slow, fast) for case in names])
        if np.isnan(found).all():
            return "–"
        more = ">" if any(self.capped(case, slow) for case in names) else ""
        span = f"{number(np.nanmin(found))} to {more}{number(np.nanmax(found))}"
        return f"{span} (median {number(np.nanmedian(found))})"

    def spread(self, case, methods, column):
        """Largest difference between the means of methods, over the splits that all of them have; without methods that
        ended at the cap."""
        made = [self.runs(case, method) for method in methods]
        found = [{e["split"]: e[column] for e in runs} for runs in made if all(e["solved"] for e in runs)]
        common = set.intersection(*map(set, found))
        return np.ptp([np.mean([f[split] for split in common]) for f in found]) if common else np.nan


def table(by_experiment):
    rows = []
    if "uci" in by_experiment:
        rows += _uci(Cases(by_experiment["uci"], lambda e: (e["data"], e["alpha"])))
    if "evolution" in by_experiment:
        rows += _evolution(by_experiment["evolution"])
    if "kernels" in by_experiment:
        rows += _kernels(Cases(by_experiment["kernels"], lambda e: (e["data"], e["n_kernels"])))
    if "samples" in by_experiment:
        rows += _samples(Cases(by_experiment["samples"], lambda e: (e["data"], e["n_samples"])))
    return markdown(["the paper says", "plain loop (`--solver spicy`)", "default (`--solver auto`)"], rows)


def _both(label, measure):
    return [label, measure("spicy"), measure("auto")]


def _uci(cases):
    def of(names):
        return [case for case in cases.names if case[0] in names]

    def falling(column, method):
        """On how many sets a quantity is smaller at the largest C than at the smallest."""
        sets = list(dict.fromkeys(name for name, _ in cases.names))
        strengths = sorted({alpha for _, alpha in cases.names})
        ends = [[cases.median((s, alpha), method, column) for alpha in (strengths[0], strengths[-1])] for s in sets]
        return f"{sum(last < first for first, last in ends)} of {len(sets)} sets"

    names = {"silp": "SILP", "simplemkl": "SimpleMKL", "levelmkl": "LevelMKL"}
    for method, (low, high) in UCI_FACTORS.items():
        yield _both(
            f"{names[method]} is {low} to {high} times slower (hinge)",
            lambda s, m=method: cases.ratios(m, f"{s}_hinge"),
        )
    yield _both(
        "HessianMKL is slower where M is large (ionosphere, wpbc, sonar)",
        lambda s: cases.ratios("hessianmkl", f"{s}_hinge", of(MANY_KERNELS)),
    )
    yield _both(
        "and need not be where M is small (liver, pima)",
        lambda s: cases.ratios("hessianmkl", f"{s}_hinge", of(FEW_KERNELS)),
    )
    yield _both("faster as C grows: hinge", lambda s: falling("cpu", f"{s}_hinge"))
    yield _both("faster as C grows: logistic", lambda s: falling("cpu", f"{s}_logistic"))
    for loss in ("hinge", "logistic"):
        yield _both(
            f"ElastMKL is faster than SpicyMKL, {loss}: SpicyMKL's time over ElastMKL's",
            lambda s, x=loss: cases.ratios(f"{s}_{x}", f"elast05_{x}"),
        )
    yield _both(
        "logistic is faster than hinge",
        lambda s: cases.count(lambda c: cases.median(c, f"{s}_logistic") < cases.median(c, f"{s}_hinge")),
    )
    yield _both("outer iterations fall as C grows, hinge", lambda s: falling("iterations", f"{s}_hinge"))
    block1 = [m for m in BLOCK1 if m in methods_of(cases.entries)]
    spread = [cases.spread(case, block1, "accuracy") for case in cases.names]
    yield [
        "accuracies of all block 1-norm methods are nearly the same: largest difference in a case, median of them",
        f"{np.nanmax(spread):.3f}, {np.nanmedian(spread):.3f}",
        "",
    ]
    yield [
        "ElastMKL with the logistic loss is the fastest of all",
        cases.count(lambda c: min(methods_of(cases.entries), key=lambda m: cases.median(c, m)) == "elast05_logistic"),
        "",
    ]
    yield [
        "elastic net selects more kernels than block 1-norm, hinge",
        cases.count(lambda c: cases.median(c, "elast05_hinge", "active") > cases.median(c, "spicy_hinge", "active")),
        "",
    ]
    yield [
        "elastic net is sparser with hinge than with logistic",
        cases.count(
            lambda c: cases.median(c, "elast05_hinge", "active") < cases.median(c, "elast05_logistic", "active")
        ),
        "",
    ]


def _evolution(entries):
    for entry in entries:
        if entry["method"] in ("levelmkl", "silp"):
            gaps = np.array([gap for _, gap, _ in entry["curve"]])
            rises = np.mean(np.diff(gaps) > 0)
            said = {
                "levelmkl": "LevelMKL's gap becomes unstable and stays above 0.01 (wpbc)",
                "silp": "SILP's gap fluctuates (wpbc)",
            }[entry["method"]]
            yield [f"{said}: smallest gap, share of steps that raise it", f"{gaps.min():.1e}, {100 * rises:.0f} %", ""]


def _kernels(cases):
    largest, most = cases.largest()
    few = [case for case in cases.names if case[1] < 1000]
    many = [case for case in cases.names if case[1] >= 1000]
    for method, name in (("simplemkl", "SimpleMKL"), ("hessianmkl", "HessianMKL"), ("silp", "SILP")):
        yield _both(
            f"{name} is about 100 times slower at 6000 kernels (here {largest}), hinge",
            lambda s, m=method: cases.ratios(m, f"{s}_hinge", most),
        )
    yield _both(
        f"LevelMKL scales almost like SpicyMKL (here at {largest}), hinge",
        lambda s: cases.ratios("levelmkl", f"{s}_hinge", most),
    )

    def fastest(case, methods):
        return min(methods, key=lambda m: cases.median(case, m))

    yield [
        "HessianMKL is the fastest block 1-norm method for few kernels (here below 1000)",
        cases.count(lambda c: fastest(c, ["spicy_hinge", *WRAPPERS]) == "hessianmkl", few),
        cases.count(lambda c: fastest(c, ["auto_hinge", *WRAPPERS]) == "hessianmkl", few),
    ]
    yield [
        "SpicyMKL is the fastest block 1-norm method from 1000 kernels on, hinge",
        cases.count(lambda c: fastest(c, ["spicy_hinge", *WRAPPERS]) == "spicy_hinge", many),
        cases.count(lambda c: fastest(c, ["auto_hinge", *WRAPPERS]) == "auto_hinge", many),
    ]
    yield [
        "ElastMKL (λ=0.5, logistic) is faster still, from 1000 kernels on",
        cases.ratios("spicy_logistic", "elast05_logistic", many),
        cases.ratios("auto_logistic", "elast05_logistic", many),
    ]


def _samples(cases):
    largest, most = cases.largest()
    for method, name in (("silp", "SILP"), ("hessianmkl", "HessianMKL")):
        yield _both(
            f"with few kernels {name} keeps up (here {largest} samples, 20 kernels): its time over SpicyMKL's, hinge",
            lambda s, m=method: cases.ratios(m, f"{s}_hinge", most),
        )
    yield _both(
        f"ElastMKL is comparable or best ({largest} samples): SpicyMKL's time over its, logistic",
        lambda s: cases.ratios(f"{s}_logistic", "elast05_logistic", most),
    )
