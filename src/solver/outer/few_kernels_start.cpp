#include "few_kernels_start.hpp"

#include <algorithm>

#include "core/random_draws.hpp"
#include "core/stopwatch.hpp"
#include "methods.hpp"
#include "regularizer/repeated.hpp"

namespace spicymkl {

namespace {

constexpr double kRoughPart = 0.02;       // relative gap; finer than what a sample of the kernels shows
constexpr std::uint64_t kSampleSeed = 1;  // not every so-manyth: lists have a rhythm, such as width by width

}  // namespace

WarmStart start_from_few_kernels(const Plan& plan, const Problem& problem, const Settings& settings, Stage& stage) {
  const Index n_kernels = problem.n_kernels(), n_few = n_in_sample(n_kernels);
  std::vector<Index> few = Draws<SplitMix64>(kSampleSeed).subset(n_kernels, n_few);
  const auto penalty = std::make_shared<RepeatedRegularizer>(
      problem.shared_regularizer(), static_cast<double>(n_kernels) / static_cast<double>(n_few));
  Settings rough = settings;
  rough.tol = std::max(settings.tol, kRoughPart);
  rough.callback = nullptr;
  rough.checkpoint = nullptr;  // its states belong to another problem
  const Stopwatch clock;
  const Result part = run_methods({plan.methods.front()}, problem.with(problem.bank().subset(std::move(few)), penalty),
                                  rough, {}, false);
  stage.iterations += part.iterations;
  stage.newton_steps += part.newton_steps;
  stage.seconds += clock.seconds();
  if (part.status == Status::interrupted) return {};
  WarmStart start = part.warm_start;
  start.kernels.clear();  // its coefficients are those of the sample
  start.coef.resize(0, 0);
  start.model.reset();
  start.newton.reset();
  return start;
}

}  // namespace spicymkl
