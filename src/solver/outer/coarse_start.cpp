#include "coarse_start.hpp"

#include <algorithm>
#include <list>

#include "core/stopwatch.hpp"
#include "recover.hpp"
#include "scales.hpp"
#include "solver/inner/sample_terms.hpp"
#include "working_set.hpp"

namespace spicymkl {

namespace {

constexpr Index kBlock = 8;          // samples taken together: they share cache lines of the Gram matrices
constexpr double kTolerance = 0.02;  // finer than what a small part of the samples shows
constexpr double kPartOfGap = 0.3;   // of the tolerance of the whole: no part needs to be solved better than that
constexpr double kLong = 1;          // seconds after which a model of the whole is kept at every level

double tolerance_of_part(Index n_samples, double tol) {
  return std::max(std::min(kTolerance, kTooFew / static_cast<double>(n_samples)), kPartOfGap * tol);
}

/// Blocks of neighbours, evenly spread.
std::vector<Index> every_fourth_block(Index n) {
  std::vector<Index> rows;
  for (Index first = 0; first < n; first += kPart * kBlock)
    for (Index i = first; i < std::min(first + kBlock, n); ++i) rows.push_back(i);
  return rows;
}

/// The predictor of a part of the samples, as one of the whole problem: its coefficients are 0 on the other samples.
KnownModel model_of_whole(const Problem& problem, const std::vector<Index>& rows, const Result& part) {
  Expansion model = part.expansion;
  Vector dual = Vector::Zero(problem.n_samples());
  dual(problem.entries(rows)) = part.expansion.dual;
  model.dual.swap(dual);  // not resized: Eigen frees twice where memory runs out in a resize
  Vector z = Vector::Zero(problem.n_samples());
  problem.bank().weighted_product(model.kernels, model.scale, model.dual, z);
  z += problem.unpenalised_part(model.unpenalised);
  return {std::move(model), primal_value(problem, std::move(z), part.certificate.norms)};
}

/// Dual values for predictions z that are near those of the solution. Those that belong to z itself are too sure of
/// themselves where the loss turns within less than z is off by: answers of smoother losses, feasible for this one too,
/// may be worth more. One pass over the kernels judges them all.
Vector best_answer(const Problem& problem, const Vector& z, Vector own) {
  std::vector<Vector> answers = {std::move(own)};
  for (std::shared_ptr<const Loss> loss = problem.loss().smoother(); loss; loss = loss->smoother())
    answers.push_back(problem.with_loss(loss).dual_point(z));
  if (answers.size() == 1) return answers.front();
  Matrix joined(z.size(), std::ssize(answers));
  for (Index p = 0; p < joined.cols(); ++p) joined.col(p) = answers[p];
  const std::vector<DualBound> bounds = dual_bounds(std::vector(answers.size(), problem), joined);
  const auto best = std::ranges::max_element(bounds, {}, &DualBound::value);
  return std::move(answers[best - bounds.begin()]);
}

/// The same as a point to start from, with what the samples answer to its predictions.
WarmStart start_with_answers(const Problem& problem, const KnownModel& known) {
  WarmStart start = start_at(known.expansion);
  SampleTerms samples(problem);
  samples.set_penalty(estimate_scales(problem).constraint_gamma);
  start.dual = best_answer(problem, known.primal.predictions, samples.answer(known.primal.predictions));
  start.multipliers = samples.multipliers();
  return start;
}

/// A quarter of the samples of the level above.
struct Level {
  Problem problem;
  std::vector<Index> rows;        // of the level above
  std::vector<Index> whole_rows;  // of the whole problem
};

/// From all samples down to so few that a part of them would not pay.
std::list<Level> levels_of(const Problem& problem) {
  std::list<Level> levels;
  for (const Problem* above = &problem; worth_a_part(outline_of(*above, false)); above = &levels.back().problem) {
    std::vector<Index> rows = every_fourth_block(above->n_rows());
    if (above->lacks_labels(rows)) break;
    const auto bank = above->bank().on_samples(rows);
    if (bank == nullptr) break;
    std::vector<Index> whole_rows = rows;
    if (!levels.empty())
      for (Index& row : whole_rows) row = levels.back().whole_rows[row];
    Problem part = above->on_samples(rows, bank);
    if (std::shared_ptr<const Loss> smoother = above->loss().smoother()) part = part.with_loss(std::move(smoother));
    levels.push_back({std::move(part), std::move(rows), std::move(whole_rows)});
  }
  return levels;
}

/// The model of a level for the whole problem, unless there is no time for it or the one that is known is better.
void keep_known(const Problem& problem, const std::vector<Index>& rows, const Result& part,
                std::optional<KnownModel>& known) {
  const WrapUp wrap_up(problem.bank().watch());
  try {
    KnownModel model = model_of_whole(problem, rows, part);
    if (!known || model.primal.value < known->primal.value) known = std::move(model);
  } catch (const Stopped&) {
  }
}

}  // namespace

WarmStart coarse_start(const Plan& plan, const Problem& problem, const Settings& settings, Stage& stage) {
  Settings coarse = settings;
  coarse.callback = nullptr;
  coarse.checkpoint = nullptr;  // its states belong to another problem
  const Stopwatch clock;
  WarmStart start;
  std::optional<KnownModel> known;  // of the whole problem, should the run be interrupted
  try {
    for (std::list<Level> levels = levels_of(problem); !levels.empty(); levels.pop_back()) {
      const Level& level = levels.back();
      coarse.tol = tolerance_of_part(level.problem.n_rows(), settings.tol);
      const Plan level_plan = plan_for_part(plan, outline_of(level.problem, !start.empty()));
      const Result part = solve_over_kernels(level_plan, level.problem, coarse, start);
      stage.iterations += part.iterations;
      stage.newton_steps += part.newton_steps;
      const bool stopped = part.status == Status::interrupted, last = levels.size() == 1;
      if (stopped || (!last && clock.seconds() > kLong)) keep_known(problem, level.whole_rows, part, known);
      if (stopped) throw Stopped();
      const Problem& above = last ? problem : std::prev(levels.end(), 2)->problem;
      KnownModel model = model_of_whole(above, level.rows, part);
      start = start_with_answers(above, model);
      if (last) known = std::move(model);
    }
  } catch (const Stopped&) {
    start = {};
  }
  start.model = std::move(known);
  stage.seconds += clock.seconds();
  return start;
}

}  // namespace spicymkl
