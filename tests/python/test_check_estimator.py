"""scikit-learn's own checks of estimators."""

import pytest
import sklearn
from sklearn.utils.estimator_checks import parametrize_with_checks

from spicymkl import MKLClassifier, MKLClassifierCV, MKLRegressor, MKLRegressorCV

# Three folds and three strengths: the checks use small data, and many of them.
ESTIMATORS = [MKLClassifier(), MKLRegressor(), MKLClassifierCV(alphas=3, cv=3), MKLRegressorCV(alphas=3, cv=3)]


def _as_svc(estimator):
    """The checks that scikit-learn expects its own SVC to fail; for none other is there an excuse."""
    from sklearn.svm import SVC
    from sklearn.utils._test_common.instance_generator import _get_expected_failed_checks

    return _get_expected_failed_checks(SVC())


MODERN = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 6)


@parametrize_with_checks(ESTIMATORS, **({"expected_failed_checks": _as_svc} if MODERN else {}))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_checks(estimator, check):
    check(estimator)
