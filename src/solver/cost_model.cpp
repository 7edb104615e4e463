#include "spicymkl/solver/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/machine_speed.hpp"

namespace spicymkl {

namespace {

// What runs take, as counted on generated data and tables.
constexpr double kNewtonSteps = 12;     // on the samples, of all outer steps together
constexpr double kKinkedSteps = 30;     // the same where the loss has kinks
constexpr double kSetRounds = 4;        // of a working set
constexpr Index kSetSize = 55;          // kernels in it
constexpr double kWeightRounds = 7;     // of Newton's method on the weights
constexpr double kPairSteps = 4;        // per sample and round
constexpr double kColdPairSteps = 300;  // and so many more per sample for first weights that are a guess
constexpr double kSvmSteps = 8;         // or Newton steps per round, where there are no columns
constexpr double kFreeSamples = 0.3;    // part of the samples strictly inside the domain of their dual values
constexpr double kModelSweeps = 100;    // of coordinate descent over the weights, per round
constexpr double kHessians = 3;         // over the weights, of all rounds together
constexpr double kStuck = 0.2;          // chance that Newton on the weights is stuck, and the samples' turn comes
// A penalty that selects keeps about kActiveFactor·M^kActivePower of M kernels.
constexpr double kActiveFactor = 4, kActivePower = 0.4;

double n_of(const ProblemOutline& problem) { return static_cast<double>(problem.n_samples); }
double m_of(const ProblemOutline& problem) { return static_cast<double>(problem.n_kernels); }

/// One reading of one kernel.
double reading_seconds(const ProblemOutline& problem) {
  return kNanosecond * kDenseReading * n_of(problem) * problem.mean_rank;
}

/// Kernels in use: a penalty that selects keeps few of many.
double n_active(const ProblemOutline& problem) {
  return problem.selects ? std::min(m_of(problem), kActiveFactor * std::pow(m_of(problem), kActivePower))
                         : m_of(problem);
}

/// Assembles the matrix of the samples and factors it, or works with the kernels' factors where these are narrow.
double newton_system_seconds(const ProblemOutline& problem) {
  const double n = n_of(problem), rank = n_active(problem) * problem.mean_rank;
  const double whole = n * n * n / 3, flops = 2 * rank < n ? std::min(2 * n * rank * rank, whole) : whole;
  return kNanosecond * kFlop * flops + n_active(problem) * reading_seconds(problem);
}

/// The images K_mρ of all outputs and what a system does with them. Of one output they are next to the reading of the
/// kernels, which is counted elsewhere.
double images_seconds(const ProblemOutline& problem) {
  constexpr double kFlopsPerEntry = 3;
  if (problem.n_outputs == 1) return 0;
  return kNanosecond * kFlop * kFlopsPerEntry * n_active(problem) * n_of(problem) * problem.mean_rank *
         static_cast<double>(problem.n_outputs);
}

/// The duals of support vector machines with the weighted kernel, by pairs or by Newton steps.
double svm_seconds(const ProblemOutline& problem) {
  if (!problem.columns) {
    const double free = kFreeSamples * n_of(problem), steps = kWeightRounds * kSvmSteps;
    return steps * (kNanosecond * kFlop * free * free * free / 3 + reading_seconds(problem));
  }
  const double steps = kWeightRounds * kPairSteps + (problem.warm ? 0 : kColdPairSteps);
  return kNanosecond * kColumnReading * steps * n_of(problem) * n_of(problem);
}

/// How the dual vector follows the weights.
double weight_hessian_seconds(const ProblemOutline& problem) {
  const double free = kFreeSamples * n_of(problem), m = m_of(problem);
  return kNanosecond * kFlop * (free * free * free / 3 + free * free * m + free * m * m + kModelSweeps * m * m);
}

// Of many kernels one in kKernelsPerSample speaks for the others, but no more than kLargestSample: n leave 1/√n
// unknown.
constexpr Index kKernelsPerSample = 16, kLargestSample = 400;
constexpr double kLeftBySample = 4;  // times 1/√n of the Newton steps

}  // namespace

ProblemOutline ProblemOutline::inside_working_set() const {
  ProblemOutline part = *this;
  part.n_kernels = std::min(n_kernels, kSetSize);
  return part;
}

ProblemOutline ProblemOutline::on_samples(Index count) const {
  ProblemOutline part = *this;
  part.n_samples = count;
  part.mean_rank = std::min(mean_rank, static_cast<double>(count));
  return part;
}

ProblemOutline ProblemOutline::from_a_start() const {
  ProblemOutline same = *this;
  same.warm = true;
  return same;
}

ProblemOutline outline_of(const Regularizer& regularizer, bool svm_dual) {
  ProblemOutline outline;
  outline.selects = regularizer.threshold() > 0;
  outline.smooth_dual = regularizer.has_smooth_dual();
  outline.weight_price = regularizer.has_weight_price();
  outline.bounds_norms = regularizer.threshold() > 0 && regularizer.dual_bound() == regularizer.threshold();
  outline.svm_dual = svm_dual;
  return outline;
}

ProblemOutline outline_of(const Problem& problem, bool warm) {
  // Pairs of dual values that move together keep 1ᵀρ = 0, but no other constraint.
  const bool plain = problem.constraints().empty() || problem.constraints().intercept_alone();
  const bool svm_dual = problem.loss().has_svm_dual() && plain && problem.n_outputs() == 1;
  ProblemOutline outline = outline_of(problem.regularizer(), svm_dual);
  outline.smooth_loss = problem.loss().n_constraints() == 0 && !problem.loss().has_auxiliary();
  outline.n_outputs = problem.n_outputs();
  outline.linear_dual = problem.loss().has_linear_dual() && problem.n_outputs() > 1;
  outline.n_samples = problem.n_rows();
  outline.n_kernels = problem.n_kernels();
  for (Index m = 0; m < problem.n_kernels(); ++m) {
    const Index rank = std::min(problem.bank().rank(m), outline.n_samples);
    outline.mean_rank += static_cast<double>(rank) / static_cast<double>(problem.n_kernels());
    outline.matrices = outline.matrices || rank == outline.n_samples;
  }
  outline.smoothable = problem.loss().smoothed(1) != nullptr;
  outline.columns = problem.bank().columns() != nullptr;
  outline.set_columns = outline.columns || problem.bank().subsets().columns;
  outline.mixtures = problem.bank().mixtures() != nullptr;
  outline.assembled = problem.bank().sums() != nullptr;
  outline.work_bytes = problem.bank().work_bytes();
  outline.warm = warm;
  return outline;
}

bool has_room_for_kkt(const ProblemOutline& problem) {
  constexpr double kMatrices = 1.25, kColumns = 12;
  constexpr Index kSmall = 500;  // rows whose matrix always has room (KernelBank::has_room_for)
  const double n = n_of(problem), outputs = static_cast<double>(problem.n_outputs);
  if (kColumns * sizeof(double) * n * outputs * m_of(problem) > problem.work_bytes) return false;
  return !problem.assembled || problem.narrow() || problem.n_samples <= kSmall ||
         kMatrices * sizeof(double) * n * n <= problem.work_bytes;
}

double pass_seconds(const ProblemOutline& problem) { return m_of(problem) * reading_seconds(problem); }

double newton_on_samples_seconds(const ProblemOutline& problem) {
  const double steps = problem.svm_dual ? kKinkedSteps : kNewtonSteps;
  return steps * (pass_seconds(problem) + newton_system_seconds(problem) + images_seconds(problem));
}

double newton_on_weights_seconds(const ProblemOutline& problem) {
  if (problem.linear_dual)
    return kWeightRounds * (pass_seconds(problem) + newton_system_seconds(problem)) +
           kHessians * images_seconds(problem);
  const double round = pass_seconds(problem) + weight_hessian_seconds(problem);
  return kWeightRounds * round + svm_seconds(problem) + kStuck * newton_on_samples_seconds(problem);
}

double method_seconds(const ProblemOutline& problem) {
  const double on_samples = newton_on_samples_seconds(problem);
  if (!problem.allows_newton_on_weights()) return on_samples;
  return std::min(on_samples, newton_on_weights_seconds(problem));
}

double rounds_seconds(const ProblemOutline& problem) { return kSetRounds * pass_seconds(problem); }

double working_set_seconds(const ProblemOutline& problem) {
  return rounds_seconds(problem) + method_seconds(problem.inside_working_set());
}

double kernels_seconds(const ProblemOutline& problem) {
  const double all = method_seconds(problem);
  return problem.selects ? std::min(all, working_set_seconds(problem)) : all;
}

double part_seconds(const ProblemOutline& problem) {
  const ProblemOutline part = problem.on_samples(problem.n_samples / kPart);
  return 2 * pass_seconds(part) + kernels_seconds(part);  // kernels are read and written once
}

double left_after_part(const ProblemOutline& problem) {
  return std::min(1.0, kTooFew * static_cast<double>(kPart) / std::max(n_of(problem), 1.0));
}

Index n_in_sample(Index n_kernels) { return std::min(n_kernels / kKernelsPerSample, kLargestSample); }

double kernel_sample_seconds(const ProblemOutline& problem) {
  ProblemOutline sample = problem;
  sample.n_kernels = n_in_sample(problem.n_kernels);
  return newton_on_samples_seconds(sample);
}

double left_after_kernel_sample(const ProblemOutline& problem) {
  const auto n = static_cast<double>(n_in_sample(problem.n_kernels));
  return std::min(1.0, kLeftBySample / std::sqrt(std::max(n, 1.0)));
}

}  // namespace spicymkl
