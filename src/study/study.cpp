#include "study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/wording.hpp"
#include "relabelled.hpp"
#include "source_shuffles.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "spicymkl/selection/assessment.hpp"
#include "spicymkl/selection/path.hpp"
#include "task_seed.hpp"

namespace spicymkl {

namespace {

std::vector<Metric> measures_of(const Target& target, Metric first) {
  std::vector<Metric> list = {first};
  for (const Metric metric : all_metrics())
    if (metric != first && suits(metric, target)) list.push_back(metric);
  return list;
}

/// Selection is counted on a finer grid than alpha is chosen from, as far as few kernels are selected.
AlphaGrid strengths_of(const CvGrid& grid) {
  constexpr int kCount = 50;
  constexpr double kWeakest = 0.02;
  return grid.may_end_early ? log_spaced_alphas(kCount, kWeakest) : grid.alphas;
}

/// Under a shuffled target most models are best left empty, and equal scores of empty models would say nothing of how
/// good a score is: the test compares the best models with at least one kernel. Where all strengths are that strong,
/// they stay.
CvGrid leave_out_empty(CvGrid grid) {
  std::vector<double> weaker;
  for (const double alpha : grid.alphas.values)
    if (!grid.alphas.relative || alpha < 1) weaker.push_back(alpha);
  if (!weaker.empty()) grid.alphas.values = std::move(weaker);
  return grid;
}

std::vector<Index> among(const std::vector<Index>& rows, const std::vector<Index>& places) {
  std::vector<Index> chosen;
  for (const Index place : places) chosen.push_back(rows[place]);
  return chosen;
}

double mean_active(const Model& model) {
  double sum = 0;
  for (const Fit& fit : model.fits) sum += static_cast<double>(fit.expansion.kernels.size());
  return sum / static_cast<double>(model.fits.size());
}

}  // namespace

/// One model on some rows, scored on others.
struct Study::Split {
  const Dataset& data;
  const Fold& fold;
  const CvGrid& grid;
  std::uint32_t inner_seed;
  std::optional<std::uint32_t> source_seed;  ///< of the shuffles of sources; none: they are left out
};

Study::Study(const Dataset& data, StudySettings settings)
    : data_(data),
      settings_(std::move(settings)),
      exchange_(exchange_of(data.target(), settings_.groups)),
      kernels_(data.outline(share())),
      measures_(measures_of(data.target(), settings_.choice.metric)),
      strengths_(strengths_of(settings_.grid)),
      without_empty_(leave_out_empty(settings_.grid)) {
  settings_.choice.threads = 1;
  check(settings_.options, settings_.plan.problem.penalty);
  check_rows();
}

namespace {

/// Rows that are not alike: of each class, or those with the event.
struct Stratum {
  std::string name;
  Index rows = 0;
};

std::vector<Stratum> strata_of(const Target& target) {
  if (target.survival()) return {{"the event", static_cast<Index>(target.events.sum())}};
  std::vector<Stratum> strata;
  for (const std::string& name : target.classes) strata.push_back({fmt::format("class '{}'", name)});
  for (const Index code : target.codes) ++strata[code].rows;
  return strata;
}

}  // namespace

/// Whatever the seed, every class must be among the rows that are learned from, and the metric defined on the others.
void Study::check_rows() const {
  const Target& target = data_.target();
  const StudyOptions& options = settings_.options;
  const bool nested = options.repeats > 0 || options.permutations > 0;
  const int most_parts = nested ? std::max(options.outer, options.inner) : 2;
  if (most_parts > target.n_rows() / 2)
    throw InputError(fmt::format("{} parts were asked for, but there are only {} rows; use fewer folds", most_parts,
                                 target.n_rows()));
  const Metric metric = settings_.choice.metric;
  const bool every_part = metric == Metric::auc || metric == Metric::concordance;
  const Index needed = !nested ? 2 : every_part ? std::max(options.outer, options.inner + 1) : 3;
  for (const Stratum& stratum : strata_of(target))
    if (stratum.rows < needed)
      throw InputError(fmt::format(
          "{} has {}, but {} needs at least {}{}; {}give more rows", stratum.name, counted(stratum.rows, "row"),
          nested ? "nested cross-validation" : "dividing the rows into halves", needed,
          every_part && nested
              ? fmt::format(" for {} in every fold", metric == Metric::auc ? "an auc" : "a concordance")
              : "",
          target.survival() ? "use fewer folds, or " : "leave it out, or "));
  if (settings_.groups.empty()) return;
  // Groups are as they are: what cannot be divided is found by dividing.
  if (options.stability > 0) make_folds(target, settings_.groups, 2, 0);
  if (!nested) return;
  for (const Fold& fold : make_folds(target, settings_.groups, options.outer, 0))
    make_folds(target.rows(fold.training), settings_.groups.rows(fold.training), options.inner, 0);
}

int Study::at_once(int threads) const {
  const Index rows = data_.target().n_rows();
  const double dense = sizeof(double) * static_cast<double>(kernels_.kernels().size()) * static_cast<double>(rows) *
                       static_cast<double>(rows);
  const double own = data_.kernel_bytes(rows);
  const double bytes = own > 0 ? own : std::min(dense, settings_.choice.memory);
  return static_cast<int>(std::clamp(default_bank_memory() / bytes, 1.0, static_cast<double>(threads)));
}

SplitResult Study::score_split(const Split& split) const {
  const TrainingPlan& plan = settings_.plan;
  const std::vector<Index>& training = split.fold.training;
  const Target& target = split.data.target();
  std::vector<Fold> folds =
      make_folds(target.rows(training), settings_.groups.rows(training), settings_.options.inner, split.inner_seed);
  for (Fold& fold : folds) fold = {among(training, fold.training), among(training, fold.test)};
  const CrossValidation cv = cross_validate(split.data, folds, plan, split.grid, settings_.choice);
  if (!cv.complete) throw Stopped();
  const auto rows = split.data.learn_from(training, share(), cv.choice().kernels);
  const TrainedModel trained = train_model(rows->input(), chosen_plan(cv, plan));
  if (plan.settings.watch.stop_requested()) throw Stopped();

  const Scores scores = rows->scores(trained.model.fits, split.fold.test);
  const Target truth = target.rows(split.fold.test);
  const Evaluation evaluation = evaluate(trained.model, truth, scores.values);
  SplitResult result;
  result.n_training = std::ssize(training);
  result.n_test = truth.n_rows();
  result.inner_seed = split.inner_seed;
  result.alpha = cv.choice().alpha;
  result.l1_ratio = cv.choice().l1_ratio;
  result.q = cv.choice().q;
  result.kernels = cv.choice().kernels;
  result.n_active = mean_active(trained.model);
  result.converged = trained.model.converged();
  for (const Metric metric : measures_) result.measures.push_back(value_of(metric, evaluation));
  if (!result.measures.front())
    throw InputError(
        fmt::format("{} is not defined on the {} rows of a part, {}", name_of(measures_.front()), truth.n_rows(),
                    truth.survival() ? "of no two of which it is known who had the event first; use fewer folds"
                                     : "whose target is always the same; use fewer folds, or another metric"));
  if (!split.source_seed) return result;
  for (const AssessedMeasure& measure : assess(evaluation).measures)
    if (measure.metric == measures_.front()) result.baseline = measure.baseline.value_or(NAN);
  result.rows = split.fold.test;
  result.scores = scores.values;
  const std::vector<Index> numbers = kernels_.numbers(rows->input());
  result.active = kernel_use(trained.model, numbers);
  result.sources =
      shuffle_sources({trained.model, truth, scores, numbers}, kernels_,
                      {measures_.front(), exchange_, settings_.groups.rows(split.fold.test), *split.source_seed});
  return result;
}

SplitResult Study::score(Index repeat, Index part) const {
  const std::vector<Fold> folds =
      make_folds(data_.target(), settings_.groups, settings_.options.outer, task_seed(settings_.seed, "parts", repeat));
  return score_split({data_, folds[part], settings_.grid, task_seed(settings_.seed, "inner", repeat, part),
                      task_seed(settings_.seed, "sources", repeat, part)});
}

NullResult Study::null(Index shuffle) const {
  const Target& known = data_.target();
  std::unique_ptr<Dataset> relabelled;
  if (shuffle > 0)
    relabelled = make_relabelled(data_, known.rows(shuffled_rows(known.n_rows(), settings_.groups, exchange_,
                                                                 task_seed(settings_.seed, "shuffle", shuffle))));
  const Dataset& data = relabelled ? *relabelled : data_;
  const std::vector<Fold> folds = make_folds(data.target(), settings_.groups, settings_.options.outer,
                                             task_seed(settings_.seed, "null parts", shuffle));
  NullResult result;
  for (Index part = 0; part < std::ssize(folds); ++part) {
    const auto seed = task_seed(settings_.seed, "null inner", shuffle, part);
    result.score += *score_split({data, folds[part], without_empty_, seed, {}}).measures.front() /
                    static_cast<double>(folds.size());
  }
  return result;
}

std::vector<Entry> Study::entries(const std::vector<Index>& rows) const {
  const auto learning = data_.learn_from(rows, share());
  const TrainingInput& input = learning->input();
  TrainingPlan plan = settings_.plan;
  plan.sample_weights = input.sample_weights;
  TargetWalk walk(input.bank, nullptr, input.target, plan, strengths_);
  const std::vector<Index> numbers = kernels_.numbers(input);
  std::map<Index, Index> first;
  Index point = 0;
  while (!walk.finished() && !walk.stopped())
    for (const std::vector<Fit>& fits : walk.next(std::ssize(strengths_.values))) {
      for (const Index kernel : active_kernels(fits))
        if (numbers[kernel] >= 0) first.try_emplace(numbers[kernel], point);
      ++point;
    }
  if (walk.stopped()) throw Stopped();
  std::vector<Entry> entries;
  for (const auto& [kernel, at] : first) entries.push_back({kernel, at});
  return entries;
}

PairResult Study::pair(Index number) const {
  const std::vector<Fold> halves =
      make_folds(data_.target(), settings_.groups, 2, task_seed(settings_.seed, "halves", number));
  return {entries(halves[0].training), entries(halves[0].test)};
}

}  // namespace spicymkl
