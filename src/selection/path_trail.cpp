#include "path_trail.hpp"

#include <algorithm>
#include <cmath>

#include "solver/inner/sample_terms.hpp"

namespace spicymkl {

namespace {

constexpr double kFarthest = 1;  // times the last step: the line is not to be trusted beyond

/// Coefficients of the kernels of `last`, `step` times as far as they have come since `before`; those that would turn
/// round are left out.
WarmStart further(const WarmStart& before, const WarmStart& last, double step) {
  WarmStart next;
  next.newton = last.newton;
  next.unpenalised = last.unpenalised + step * (last.unpenalised - before.unpenalised);
  next.coef.resize(last.coef.rows(), last.coef.cols());
  for (Index k = 0; k < last.coef.cols(); ++k) {
    Vector coef = (1 + step) * last.coef.col(k);
    const auto known = std::ranges::find(before.kernels, last.kernels[k]);
    if (known != before.kernels.end()) coef -= step * before.coef.col(known - before.kernels.begin());
    if (coef.dot(last.coef.col(k)) <= 0) continue;
    next.coef.col(std::ssize(next.kernels)) = coef;
    next.kernels.push_back(last.kernels[k]);
  }
  next.coef.conservativeResize(Eigen::NoChange, std::ssize(next.kernels));
  return next;
}

Vector predictions(const Problem& problem, const WarmStart& at) {
  const KernelBank& bank = problem.bank();
  Vector sum = problem.unpenalised_part(at.unpenalised);
  Matrix image(bank.n_samples(), 1);
  for (Index k = 0; k < at.coef.cols(); ++k) {
    bank.products({&at.kernels[k], 1}, at.coef.col(k), image);
    sum += image.col(0);
  }
  return sum;
}

}  // namespace

void PathTrail::add(double alpha, WarmStart end) {
  before_ = std::move(last_);
  before_.end.newton.reset();
  last_ = {alpha, std::move(end)};
}

WarmStart PathTrail::start_for(const Problem& next, double alpha) const {
  // Where the loss has kinks, ρ and its multipliers do not follow from predictions alone.
  const bool smooth = next.loss().n_constraints() == 0;
  if (!smooth || before_.end.empty() || last_.end.kernels.empty()) return last_.end;
  const double step = std::log(alpha / last_.alpha) / std::log(last_.alpha / before_.alpha);
  WarmStart start = further(before_.end, last_.end, std::clamp(step, 0.0, kFarthest));
  if (start.kernels.empty()) return last_.end;
  start.dual = next.feasible(SampleTerms(next).answer(predictions(next, start)));
  return start;
}

}  // namespace spicymkl
