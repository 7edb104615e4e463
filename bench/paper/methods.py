"""The methods that the paper compares, as options of the command."""

from dataclasses import dataclass

TOLERANCE = 0.01  # relative duality gap, for all methods


@dataclass(frozen=True)
class Method:
    label: str
    options: tuple
    color: str
    dashed: bool = False  # logistic loss
    wrapper: bool = False


def _block1(loss, solver):
    return ("--loss", loss, "--penalty", "block1", "--solver", solver)


def _elastic(loss, share):
    """`share` is the paper's λ, the share of the squared norm."""
    return ("--loss", loss, "--penalty", "elasticnet", "--l1-ratio", str(1 - share), "--solver", "onestep")


METHODS = {
    "spicy_hinge": Method("SpicyMKL (hinge)", _block1("hinge", "spicy"), "tab:red"),
    "spicy_logistic": Method("SpicyMKL (logistic)", _block1("logistic", "spicy"), "tab:red", dashed=True),
    "auto_hinge": Method("SpicyMKL, working set (hinge)", _block1("hinge", "auto"), "tab:orange"),
    "auto_logistic": Method("SpicyMKL, working set (logistic)", _block1("logistic", "auto"), "tab:orange", dashed=True),
    "elast05_hinge": Method("ElastMKL λ=0.5 (hinge)", _elastic("hinge", 0.5), "tab:pink"),
    "elast05_logistic": Method("ElastMKL λ=0.5 (logistic)", _elastic("logistic", 0.5), "tab:pink", dashed=True),
    "elast01_hinge": Method("ElastMKL λ=0.1 (hinge)", _elastic("hinge", 0.1), "tab:purple"),
    "elast01_logistic": Method("ElastMKL λ=0.1 (logistic)", _elastic("logistic", 0.1), "tab:purple", dashed=True),
    "silp": Method("SILP", _block1("hinge", "silp"), "tab:gray", wrapper=True),
    "simplemkl": Method("SimpleMKL", _block1("hinge", "simplemkl"), "tab:green", wrapper=True),
    "levelmkl": Method("LevelMKL", _block1("hinge", "levelmkl"), "tab:olive", wrapper=True),
    "hessianmkl": Method("HessianMKL", _block1("hinge", "hessianmkl"), "tab:blue", wrapper=True),
}
WRAPPERS = [name for name, method in METHODS.items() if method.wrapper]
OWN = [name for name, method in METHODS.items() if not method.wrapper]
