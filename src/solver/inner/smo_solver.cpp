#include "smo_solver.hpp"

#include <algorithm>
#include <cmath>

#include "core/renew.hpp"
#include "weight_hessian.hpp"

namespace spicymkl {

namespace {

constexpr double kShare = 0.4;  // of the memory, for columns; the rest is for the systems of those who work with them
constexpr double kEqualSamples = 1e-12;      // part of a sample's own curvature that is left between two equal samples
constexpr double kTiny = 1e-300;             // in place of a curvature of 0
constexpr double kFiner = 0.25;              // by which violations shrink until the gap is small enough
constexpr double kLeastSum = 0.01;           // part of Σs_i that Σ|ρ_i| is taken to be at least
constexpr Index kLeastSteps = 20000;         // where nobody says how many are too many,
constexpr Index kStepsPerSample = 30;        // and so many more per sample; if that is not enough, it is stuck
constexpr double kGradientRounding = 1e-15;  // of the gradient, relative

}  // namespace

SmoSolver::SmoSolver(const Problem& problem, std::vector<Index> kernels, Vector weights, ConstVectorRef rho)
    : SvmDual(problem, rho),
      kernels_(std::move(kernels)),
      weights_(std::move(weights)),
      diagonal_(rho.size()),
      columns_(rho.size()) {
  const double room = problem.bank().work_bytes() / (sizeof(double) * static_cast<double>(rho.size()));
  if (!problem.bank().has_room_for(1)) most_kept_ = static_cast<Index>(std::max(2.0, kShare * room));
  problem.bank().weighted_diagonal(kernels_, weights_, diagonal_);
  Vector image(rho.size());
  problem.bank().weighted_product(kernels_, weights_, rho_, image);
  set_gradient(image);
}

const Vector& SmoSolver::column(Index i, Index in_use) {
  Vector& column = columns_[i];
  if (column.size() == 0) {
    if (std::ssize(kept_) >= most_kept_) {  // the oldest makes room
      if (kept_.front() == in_use) std::swap(kept_[0], kept_[1]);
      columns_[kept_.front()].resize(0);
      kept_.pop_front();
    }
    kept_.push_back(i);
    renew(column, rho_.size(), 1);
    problem_.bank().weighted_column(kernels_, weights_, i, column);
  }
  return column;
}

void SmoSolver::move(Index i, double change) {
  const double target = std::clamp(rho_(i) + change, lower_(i), upper_(i));
  gradient_(i) += curvature_(i) * (target - rho_(i));
  rho_(i) = target;
}

double SmoSolver::step_pair(double accuracy) {
  Index rising = -1;
  double smallest = HUGE_VAL, largest = -HUGE_VAL;
  for (Index i = 0; i < rho_.size(); ++i) {
    if (can_rise(i) && gradient_(i) < smallest) smallest = gradient_(i), rising = i;
    if (can_fall(i) && gradient_(i) > largest) largest = gradient_(i);
  }
  const double violation = largest - smallest;
  if (!(violation > accuracy)) return violation;
  const Vector& up = column(rising);
  const double own = diagonal_(rising) + curvature_(rising);
  const double least = kEqualSamples * own;
  const auto between = [&](Index j) { return std::max(own + diagonal_(j) + curvature_(j) - 2 * up(j), least); };
  Index falling = -1;
  double best_gain = 0;
  for (Index j = 0; j < rho_.size(); ++j) {
    const double difference = gradient_(j) - smallest;
    if (!can_fall(j) || difference <= 0) continue;
    const double gain = difference * difference / between(j);
    if (gain > best_gain) best_gain = gain, falling = j;
  }
  if (falling < 0) return violation;  // every gain underflows
  const Vector& down = column(falling, rising);
  const double change = std::min({(gradient_(falling) - smallest) / between(falling), upper_(rising) - rho_(rising),
                                  rho_(falling) - lower_(falling)});
  gradient_ += change * (up - down);
  move(rising, change);
  move(falling, -change);
  return violation;
}

double SmoSolver::step_single(double accuracy) {
  Index chosen = -1;
  double best_gain = 0, violation = 0;
  for (Index i = 0; i < rho_.size(); ++i) {
    const double slope = gradient_(i);
    if (slope < 0 ? !can_rise(i) : !can_fall(i)) continue;
    violation = std::max(violation, std::abs(slope));
    const double gain = slope * slope / std::max(diagonal_(i) + curvature_(i), kTiny);
    if (gain > best_gain) best_gain = gain, chosen = i;
  }
  if (!(violation > accuracy) || chosen < 0) return violation;
  const double before = rho_(chosen);
  move(chosen, -gradient_(chosen) / std::max(diagonal_(chosen) + curvature_(chosen), kTiny));
  gradient_ += (rho_(chosen) - before) * column(chosen);
  return violation;
}

Index SmoSolver::step_until(double accuracy, Index max_steps, const std::function<bool()>& stop) {
  constexpr Index kMostSteps = 256, kMostEntries = 400000;  // between two questions
  const Index between = std::clamp<Index>(kMostEntries / rho_.size(), 1, kMostSteps);
  for (; max_steps > 0; --max_steps) {
    if (max_steps % between == 0 && stop && stop()) return 0;
    if (!((problem_.fit_intercept() ? step_pair(accuracy) : step_single(accuracy)) > accuracy)) break;
  }
  return max_steps;
}

bool SmoSolver::minimise(double gap, const std::function<bool()>& stop) {
  return minimise(gap, kLeastSteps + kStepsPerSample * rho_.size(), stop);
}

bool SmoSolver::minimise(double gap, Index max_steps, const std::function<bool()>& stop) {
  // A violation of v at every sample makes a gap between v·Σ|ρ_i| and v·Σs_i, in most cases.
  double accuracy = gap / std::max(rho_.lpNorm<1>(), kLeastSum * problem_.sample_weights().sum());
  const double rounding = kGradientRounding * (1 + gradient_.lpNorm<Eigen::Infinity>());
  for (; max_steps > 0 && accuracy > rounding; accuracy *= kFiner) {
    max_steps = step_until(accuracy, max_steps, stop);
    if (duality_gap() <= gap) return true;
  }
  return false;
}

bool SmoSolver::value_hessian(ConstMatrixRef images, Matrix& H) {
  const std::vector<Index> free = free_samples();
  const double share = static_cast<double>(free.size()) / static_cast<double>(rho_.size());
  if (free.size() < 2 || !problem_.bank().has_room_for(share * share)) return false;
  problem_.bank().watch().check();
  Matrix V = images(free, Eigen::all);
  if (!weight_hessian_factor(hessian(free), V, problem_.fit_intercept(), problem_.bank())) return false;
  H = V.transpose() * V;
  return true;
}

Matrix SmoSolver::hessian(const std::vector<Index>& samples) {
  const auto n = std::ssize(samples);
  Matrix H(n, n);
  for (Index k = 0; k < n; ++k) {
    problem_.bank().watch().check();
    const Index i = samples[k];
    H.col(k) = column(i)(samples);
    H(k, k) += curvature_(i);
  }
  return H;
}

}  // namespace spicymkl
