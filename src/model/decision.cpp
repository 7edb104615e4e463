#include "decision.hpp"

#include <algorithm>
#include <cmath>

#include "core/named_table.hpp"

namespace spicymkl {

namespace {

/// 1/(1 + exp(−f)) without overflow, and without losing the small side.
double logistic(double f) { return f >= 0 ? 1 / (1 + std::exp(-f)) : std::exp(f) / (1 + std::exp(f)); }

}  // namespace

bool has_probabilities(const Model& model) {
  return model.is_classification() && std::ranges::all_of(model.fits, [](const Fit& fit) {
           const LossType* type = find_named(loss_types(), fit.problem.loss);
           return type != nullptr && type->log_odds;
         });
}

std::vector<Index> predicted_classes(ConstMatrixRef scores) {
  std::vector<Index> predicted(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i) {
    Index best = 0;
    if (scores.cols() == 1) best = scores(i, 0) > 0 ? 1 : 0;
    else scores.row(i).maxCoeff(&best);
    predicted[i] = best;
  }
  return predicted;
}

Matrix probabilities(const Model& model, ConstMatrixRef scores) {
  if (model.fits.size() == 1 && scores.cols() > 1) {  // softmax
    Matrix each = (scores.colwise() - scores.rowwise().maxCoeff()).array().exp();
    each.array().colwise() /= each.rowwise().sum().array();
    return each;
  }
  if (model.fits.size() > 1) {
    Matrix each = scores.unaryExpr(&logistic);
    for (Index i = 0; i < each.rows(); ++i) {
      const double sum = each.row(i).sum();
      if (sum > 0) each.row(i) /= sum;
      else each.row(i).setConstant(1 / static_cast<double>(each.cols()));  // every class is as good as ruled out
    }
    return each;
  }
  Matrix both(scores.rows(), 2);
  both.col(0) = (-scores.col(0)).unaryExpr(&logistic);
  both.col(1) = scores.col(0).unaryExpr(&logistic);
  return both;
}

}  // namespace spicymkl
