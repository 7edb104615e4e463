"""From runs to tables (markdown) and figures."""

import claims
import figures

import tables


def write(entries, folder):
    """Tables and figures of whatever has been run, and one page that shows them all."""
    for entry in entries:
        entry["cpu"] = entry["seconds"] * entry["cpu_share"]
    for entry in entries:
        if entry.get("skipped"):  # takes at least as long as the smaller problem that ended at the cap
            entry["cpu"] = max(e["cpu"] for e in entries if _series(e) == _series(entry) and not e.get("skipped"))
    by_experiment = {e["experiment"]: [x for x in entries if x["experiment"] == e["experiment"]] for e in entries}
    sections = ["# The paper's experiments\n"]
    sections.append("## Runs\n\n" + (folder / _save(folder, "setting.md", tables.setting(entries))).read_text())
    sections.append("## Claims\n\n" + (folder / _save(folder, "claims.md", claims.table(by_experiment))).read_text())
    for experiment, make in PARTS.items():
        if experiment in by_experiment:
            for name, title in make(by_experiment[experiment], folder):
                body = f"![{title}]({name})" if name.endswith(".png") else (folder / name).read_text()
                sections.append(f"## {title}\n\n{body}\n")
    (folder / "paper.md").write_text("\n".join(sections))


def _series(entry):
    """Runs that differ in the size of the problem alone."""
    return entry["experiment"], entry["data"], entry["split"], entry["method"]


def _save(folder, name, text):
    (folder / name).write_text(text)
    return name


def _uci(entries, folder):
    yield figures.uci(entries, folder / "uci.png"), "UCI sets: CPU time, accuracy, active kernels"
    yield _save(folder, "uci_times.md", tables.uci_times(entries)), "UCI sets: CPU seconds"
    yield _save(folder, "uci_accuracy.md", tables.uci_values(entries, "accuracy", 3)), "UCI sets: test accuracy"
    yield _save(folder, "uci_active.md", tables.uci_values(entries, "active", 1)), "UCI sets: active kernels"
    yield (
        _save(folder, "iterations.md", tables.iterations(entries)),
        "UCI sets: outer iterations, (SVMs), [the paper's]",
    )
    yield _save(folder, "factors.md", tables.factors(entries)), "UCI sets: how many times slower than SpicyMKL (hinge)"
    yield _save(folder, "proofs.md", tables.proofs(entries)), "UCI sets: own gap and proved gap"


def _evolution(entries, folder):
    yield figures.evolution(entries, folder / "evolution.png"), "Gap and active kernels against time"


def _scaling(column, axis, name):
    def make(entries, folder):
        yield figures.scaling(entries, column, axis, folder / f"{name}.png"), f"CPU time against the {axis}"
        yield _save(folder, f"{name}.md", tables.scaling(entries, column, axis)), f"CPU seconds by {axis}, median"

    return make


PARTS = {
    "uci": _uci,
    "evolution": _evolution,
    "kernels": _scaling("n_kernels", "number of kernels", "kernels"),
    "samples": _scaling("n_samples", "number of samples", "samples"),
}
