#include "spicymkl/selection/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "core/guarded_parallel.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/selection/decline.hpp"
#include "spicymkl/selection/path.hpp"

namespace spicymkl {

namespace {

/// What a grid goes through, without alpha.
struct Shape {
  std::string kernels;
  ProblemDescription problem;
};

std::vector<Shape> shapes(const CvGrid& grid, const ProblemDescription& problem) {
  const std::vector<double> l1_ratios = grid.l1_ratios.empty() ? std::vector{problem.l1_ratio} : grid.l1_ratios;
  const std::vector<double> qs = grid.qs.empty() ? std::vector{problem.q} : grid.qs;
  const std::vector<std::string> kernels = grid.kernels.empty() ? std::vector<std::string>{""} : grid.kernels;
  std::vector<Shape> list;
  for (const std::string& on : kernels)
    for (const double l1_ratio : l1_ratios)
      for (const double q : qs) {
        list.push_back({on, problem});
        list.back().problem.l1_ratio = l1_ratio;
        list.back().problem.q = q;
      }
  return list;
}

/// What one fold says of one point.
struct FoldScore {
  double score = 0;
  double n_active = 0;
  Index n_unconverged = 0;
  double familiar = NAN;
};

/// The work of cross-validation, fold by fold.
class FoldWorker {
 public:
  FoldWorker(const Dataset& data, const std::vector<Fold>& folds, const TrainingPlan& plan, const CvGrid& grid,
             const CvOptions& options)
      : data_(data),
        folds_(folds),
        plan_(plan_to_score(plan)),
        grid_(grid),
        options_(options),
        shapes_(shapes(grid, plan.problem)),
        task_(plan.settings.watch, "cross-validation", std::ssize(folds) * std::ssize(shapes_)) {
    scores_.resize(folds.size(), std::vector<std::optional<FoldScore>>(shapes_.size() * grid.alphas.values.size()));
  }

  const std::vector<Shape>& tried() const { return shapes_; }
  /// [fold][point]; none where the fold ended before it had one.
  const std::vector<std::vector<std::optional<FoldScore>>>& scores() const { return scores_; }

  void run(std::size_t f, const Share& share) {
    try {
      plan_.settings.watch.check();
      score_fold(f, share);
    } catch (const Stopped&) {  // what was scored by then is there
      stopped_ = true;
    }
  }
  bool stopped() const { return stopped_; }

 private:
  void score_fold(std::size_t f, const Share& share) {
    std::unique_ptr<LearningRows> rows;
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
      if (s == 0 || shapes_[s].kernels != shapes_[s - 1].kernels) {
        rows.reset();  // before the next kernels, which get the same memory
        rows = data_.learn_from(folds_[f].training, share, shapes_[s].kernels);
      }
      if (!score_path(f, *rows, s)) return;
      task_.advance();
    }
  }

  /// The path of one shape until it ends or its scores have clearly got worse. False: stopped.
  bool score_path(std::size_t f, const LearningRows& rows, std::size_t shape) {
    const TrainingInput& input = rows.input();
    TrainingPlan plan = plan_;
    plan.problem = shapes_[shape].problem;
    plan.sample_weights = input.sample_weights;
    // Scores do not need the last digits of approximated kernels: no exact certificates here.
    TargetWalk walk(input.bank, nullptr, input.target, plan, grid_.alphas);
    Decline decline(larger_is_better(options_.metric));
    std::size_t next = shape * grid_.alphas.values.size();
    while (!walk.finished() && !walk.stopped() && !(grid_.may_end_early && decline.is_clear())) {
      std::vector<std::vector<Fit>> points = walk.next(kScoredTogether);
      const std::size_t first = next;
      next += points.size();
      if (!points.empty()) score(f, rows, std::move(points), first);
      for (std::size_t p = first; p < next; ++p) decline.add(scores_[f][p]->score);
    }
    if (walk.stopped()) stopped_ = true;
    return !walk.stopped();
  }

  /// Some points at once, so that the kernels of the test rows are computed once. `first` is the number of the first.
  void score(std::size_t f, const LearningRows& rows, std::vector<std::vector<Fit>> points, std::size_t first) {
    std::vector<Fit> fits;
    for (const auto& point : points) fits.insert(fits.end(), point.begin(), point.end());
    const Matrix values = rows.scores(fits, folds_[f].test).values;
    const Target truth = data_.target().rows(folds_[f].test);
    const Index n_scores = truth.n_scores();
    for (Index p = 0; p < std::ssize(points); ++p) {
      Model model;
      model.classes = truth.classes;
      model.fits = std::move(points[p]);
      const Evaluation evaluation = evaluate(model, truth, values.middleCols(p * n_scores, n_scores));
      const auto value = value_of(options_.metric, evaluation);
      if (!value)
        throw InputError(fmt::format(
            "{} is not defined on the {} test rows of fold {}, {}", name_of(options_.metric), truth.n_rows(), f + 1,
            truth.survival() ? "of no two of which it is known who had the event first; use fewer folds"
                             : "whose target is always the same; use fewer folds, or another metric"));
      scores_[f][first + p] = summary(model, *value);
      scores_[f][first + p]->familiar = value_of(familiar_metric(truth), evaluation).value_or(NAN);
    }
  }

  static FoldScore summary(const Model& model, double score) {
    FoldScore fold{score};
    for (const Fit& fit : model.fits) {
      fold.n_active += static_cast<double>(fit.expansion.kernels.size()) / static_cast<double>(model.fits.size());
      if (!fit.converged()) ++fold.n_unconverged;
    }
    return fold;
  }

  const Dataset& data_;
  const std::vector<Fold>& folds_;
  TrainingPlan plan_;
  const CvGrid& grid_;
  const CvOptions& options_;
  std::vector<Shape> shapes_;
  std::vector<std::vector<std::optional<FoldScore>>> scores_;
  WatchedTask task_;
  std::atomic<bool> stopped_ = false;
};

/// Below this many training rows, the steps of one training run are too small for threads inside it to be worth much.
constexpr Index kFewRows = 1500;

/// How many folds are learned at the same time.
int folds_at_once(const Dataset& data, const std::vector<Fold>& folds, int threads, double memory) {
  const auto n_rows = std::ssize(folds.front().training);
  const auto n_folds = static_cast<int>(folds.size());
  if (n_rows > kFewRows && n_folds < threads) return 1;
  const double bytes = data.kernel_bytes(n_rows);
  const int room = bytes > 0 ? static_cast<int>(std::clamp(memory / bytes, 1.0, 1e6)) : n_folds;
  return std::min({n_folds, threads, room});
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double standard_error_of(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  return n > 1 ? std::sqrt(squares / (n - 1) / n) : 0;
}

std::vector<CvPoint> summarise(const FoldWorker& worker, const CvGrid& grid, Index& n_unconverged) {
  std::vector<CvPoint> points;
  for (const Shape& shape : worker.tried())
    for (const double alpha : grid.alphas.values) {
      CvPoint point{.alpha = alpha,
                    .l1_ratio = shape.problem.l1_ratio,
                    .q = shape.problem.q,
                    .scores = {},
                    .kernels = shape.kernels};
      constexpr FoldScore kNone{NAN, NAN};
      for (const auto& fold : worker.scores()) {
        const FoldScore one = fold[points.size()].value_or(kNone);
        point.scores.push_back(one.score);
        point.n_active += one.n_active / static_cast<double>(worker.scores().size());
        point.familiar += one.familiar / static_cast<double>(worker.scores().size());
        n_unconverged += one.n_unconverged;
      }
      average(point);
      points.push_back(std::move(point));
    }
  return points;
}

std::size_t best_point(const std::vector<CvPoint>& points, Metric metric) {
  constexpr double kRounding = 1e-12;  // of the mean: equal scores of the folds in another order
  std::size_t best = 0;
  while (best < points.size() && !points[best].complete()) ++best;
  for (std::size_t p = best + 1; p < points.size(); ++p) {
    const double gain = (larger_is_better(metric) ? 1 : -1) * (points[p].mean - points[best].mean);
    if (gain > kRounding * std::abs(points[best].mean)) best = p;
  }
  return best;
}

std::size_t one_standard_error_point(const std::vector<CvPoint>& points, std::size_t best) {
  std::size_t point = best;
  for (std::size_t p = 0; p < points.size(); ++p)
    if (CrossValidation::same_shape(points[p], points[best]) && points[p].alpha > points[point].alpha &&
        std::abs(points[p].mean - points[best].mean) <= points[best].standard_error)
      point = p;
  return point;
}

void check_values(const char* name, const std::vector<double>& values, const TrainingPlan& plan,
                  double ProblemDescription::*member) {
  if (values.empty()) return;
  if (std::ranges::count(regularizer_type(plan.problem.penalty).parameters, name) == 0)
    throw InputError(
        fmt::format("there is a grid of {}, which the {} penalty does not have; leave it out, or choose "
                    "another penalty",
                    name, plan.problem.penalty));
  for (const double value : values) {
    ProblemDescription problem = plan.problem.with_alpha(1);
    problem.*member = value;
    problem.make_regularizer();
  }
}

}  // namespace

void average(CvPoint& point) {
  point.mean = mean_of(point.scores);
  point.standard_error = standard_error_of(point.scores, point.mean);
}

std::string CrossValidation::score_name() const {
  return other_score.empty() ? std::string(name_of(metric)) : other_score;
}

bool CrossValidation::larger_is_better() const { return !other_score.empty() || spicymkl::larger_is_better(metric); }

void check(const CvGrid& grid, const TrainingPlan& plan) {
  check_values("l1_ratio", grid.l1_ratios, plan, &ProblemDescription::l1_ratio);
  check_values("q", grid.qs, plan, &ProblemDescription::q);
}

CrossValidation cross_validate(const Dataset& data, const std::vector<Fold>& folds, const TrainingPlan& plan,
                               const CvGrid& grid, const CvOptions& options) {
  check(grid, plan);
  check_folds(folds, data.target().n_rows());
  const int threads = resolve_threads(options.threads);
  const double memory = options.memory > 0 ? options.memory : default_bank_memory();
  const int at_once = options.at_once > 0 ? options.at_once : folds_at_once(data, folds, threads, memory);
  const Share share{at_once > 1 ? 1 : threads, memory / at_once, rank_tolerance_to_score(plan)};

  FoldWorker worker(data, folds, plan, grid, options);
  guarded_parallel(std::ssize(folds), at_once, [&](Index fold) { worker.run(fold, share); });

  CrossValidation result;
  result.metric = options.metric;
  result.familiar = familiar_metric(data.target());
  result.relative = grid.alphas.relative;
  result.points = summarise(worker, grid, result.n_unconverged);
  result.n_scored =
      std::count_if(result.points.begin(), result.points.end(), [](const auto& p) { return p.complete(); });
  result.complete = !worker.stopped();
  if (result.n_scored == 0) return result;
  result.best = best_point(result.points, result.metric);
  result.one_standard_error = one_standard_error_point(result.points, result.best);
  result.chosen = options.one_standard_error ? result.one_standard_error : result.best;
  return result;
}

TrainingPlan plan_to_score(TrainingPlan plan) {
  constexpr double kCoarser = 10, kCoarsest = 0.05;
  plan.settings.tol = std::max(plan.settings.tol, std::min(kCoarser * plan.settings.tol, kCoarsest));
  return plan;
}

double rank_tolerance_to_score(const TrainingPlan& plan) {
  constexpr double kOfTolerance = 0.01;
  return std::max(BankOptions().rank_tolerance, kOfTolerance * plan_to_score(plan).settings.tol);
}

TrainingPlan chosen_plan(const CrossValidation& result, TrainingPlan plan) {
  const CvPoint& point = result.choice();
  plan.alpha = AlphaGrid{{point.alpha}, result.relative}.text(0);
  plan.problem.l1_ratio = point.l1_ratio;
  plan.problem.q = point.q;
  return plan;
}

}  // namespace spicymkl
