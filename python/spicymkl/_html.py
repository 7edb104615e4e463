"""A fitted model in a notebook: scikit-learn's diagram, then the proof and the kernels that matter."""

from __future__ import annotations

from html import escape

import numpy as np
from sklearn.utils import estimator_html_repr

TOP = 10


def with_results(estimator) -> str:
    html = estimator_html_repr(estimator)
    return html + _results(estimator) if hasattr(estimator, "kernel_weights_") else html


def _results(estimator) -> str:
    weights = np.atleast_2d(estimator.kernel_weights_).sum(axis=0)
    n_active = len(estimator.active_kernels_)
    top = [m for m in np.argsort(-weights, kind="stable")[:TOP] if weights[m] > 0]
    rows = "".join(_row(str(estimator.kernel_names_[m]), weights[m] / weights[top[0]], weights[m]) for m in top)
    more = f"<div>and {n_active - len(top)} more</div>" if n_active > len(top) else ""
    return (
        f'<div style="font-family: sans-serif; font-size: 13px; margin-top: 6px"><div>{_proof(estimator)} '
        f"{n_active} of {len(weights)} kernels {'is' if n_active == 1 else 'are'} active.</div><table>{rows}</table>{more}</div>"
    )


def _proof(estimator) -> str:
    gap = float(np.max(estimator.duality_gap_))
    status = sorted(set(np.atleast_1d(estimator.status_).tolist()))
    primal, dual = np.sum(estimator.primal_objective_), np.sum(estimator.dual_objective_)
    return (
        f"<b>{escape(', '.join(status))}</b>: primal {primal:.6g}, dual {dual:.6g}, "
        f"relative duality gap {gap:.2e} (tol {estimator.tol:g})."
    )


def _row(name: str, share: float, weight: float) -> str:
    bar = f'<div style="background: #4c78a8; height: 10px; width: {max(1, round(150 * share))}px"></div>'
    return f'<tr><td style="text-align: left">{escape(name)}</td><td>{bar}</td><td>{weight:.4g}</td></tr>'
