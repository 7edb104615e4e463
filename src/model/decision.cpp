#include "decision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/named_table.hpp"

namespace spicymkl {

namespace {

/// 1/(1 + exp(−f)) without overflow, and without losing the small side.
double logistic(double f) { return f >= 0 ? 1 / (1 + std::exp(-f)) : std::exp(f) / (1 + std::exp(f)); }

/// log(1/(1 + exp(−f)))
double log_logistic(double f) { return std::min(f, 0.0) - std::log1p(std::exp(-std::abs(f))); }

/// log(p_k/(1 − p_k)) of p_k in proportion to exp(logs_k), for all k; digits are kept where p_k is next to 1.
void to_log_odds(Vector& logs) {
  Index most = 0;
  const double largest = logs.maxCoeff(&most);
  const double total = (logs.array() - largest).exp().sum();
  double next = -std::numeric_limits<double>::infinity();
  for (Index k = 0; k < logs.size(); ++k)
    if (k != most) next = std::max(next, logs(k));
  double others = 0;  // of all but the largest
  for (Index k = 0; k < logs.size(); ++k)
    if (k != most) others += std::exp(logs(k) - next);
  for (Index k = 0; k < logs.size(); ++k)
    logs(k) -= k == most ? next + std::log(others) : largest + std::log(total - std::exp(logs(k) - largest));
}

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

Matrix ranking(const Model& model, ConstMatrixRef scores) {
  if (scores.cols() == 1 || !has_probabilities(model)) return scores;
  const bool joint = model.fits.size() == 1;
  Matrix odds(scores.rows(), scores.cols());
  Vector logs(scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    logs = joint ? Vector(scores.row(i)) : Vector(scores.row(i).unaryExpr(&log_logistic));
    to_log_odds(logs);
    odds.row(i) = logs;
  }
  return odds;
}

}  // namespace spicymkl
