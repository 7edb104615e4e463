"""What differs between the versions of scikit-learn that are supported (1.2 and later)."""

from __future__ import annotations

import sklearn
from sklearn.utils.fixes import parse_version

MODERN = parse_version(sklearn.__version__) >= parse_version("1.6")


class _OneTarget:
    """What most estimators learn."""

    def _takes_several_targets(self) -> bool:
        return False


if MODERN:
    from sklearn.utils.validation import _check_feature_names, _check_n_features, validate_data

    class Tags(_OneTarget):
        """What an estimator accepts."""

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.sparse = self._takes_sparse()
            tags.input_tags.pairwise = self._is_pairwise()
            tags.target_tags.multi_output = self._takes_several_targets()
            return tags

else:

    def validate_data(estimator, X, y=None, **arguments):
        return estimator._validate_data(X, **({} if y is None else {"y": y}), **arguments)

    def _check_feature_names(estimator, X, *, reset):
        estimator._check_feature_names(X, reset=reset)

    def _check_n_features(estimator, X, *, reset):
        estimator._check_n_features(X, reset=reset)

    class Tags(_OneTarget):
        """What an estimator accepts."""

        def _more_tags(self):
            return {
                "pairwise": self._is_pairwise(),
                "multioutput": self._takes_several_targets(),
                "_xfail_checks": {
                    "check_sample_weights_invariance": "kernels are scaled by the rows as they are, as SVC does"
                },
            }


def check_names_and_count(estimator, X) -> None:
    """Refuses, in scikit-learn's words, a frame with other columns than those of the fit.

    Where one side has no names, `validate_data` says so.
    """
    if hasattr(estimator, "feature_names_in_") and all(isinstance(name, str) for name in X.columns):
        _check_feature_names(estimator, X, reset=False)
    _check_n_features(estimator, X, reset=False)
