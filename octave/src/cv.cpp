#include "functions.hpp"
#include "grid_rules.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "models.hpp"
#include "notes.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "spicymkl/pipeline/train_model.hpp"

namespace spicymkl::octave {

namespace {

std::vector<OptionRule> rules_of(const CvChoices& choices) {
  std::vector<OptionRule> rules = alpha_rules({choices.n_alphas, choices.alpha_ratio, choices.alphas});
  rules.push_back({{"l1_ratio"}, choices.l1_ratios.empty(), "with options.l1_ratios, which lists the values to try"});
  rules.push_back({{"q"}, choices.qs.empty(), "with options.qs, which lists the values to try"});
  return rules;
}

CvGrid make_grid(const CvChoices& choices, const LearningOptions& options, const TrainingPlan& plan) {
  const KernelOptions& kernels = options.kernels;
  return make_cv_grid(
      choices, plan,
      options.from_table() ? presets_to_try(kernels.kernels, !kernels.groups.empty()) : std::vector<std::string>{});
}

/// Lists that are the same for this table are one: then there is nothing to choose.
void drop_same_presets(const LearningData& data, CvGrid& grid) {
  if (!data.table) return;
  grid.kernels = distinct_presets(std::move(grid.kernels), std::ssize(data.table->columns), 0);
  if (grid.kernels.size() == 1) grid.kernels.clear();
}

CvOptions how_to_choose(const CvChoices& choices, const LearningOptions& options, const Target& target) {
  CvOptions how;
  how.metric = choose_metric(choices.metric, target);
  how.one_standard_error = choices.one_standard_error;
  how.threads = options.problem.threads;
  how.memory = parse_bytes(options.kernels.memory);
  return how;
}

template <class Value>
Vector of_points(const CrossValidation& result, const Value& value) {
  Vector column(std::ssize(result.points));
  for (Index p = 0; p < column.size(); ++p) column(p) = value(result.points[static_cast<std::size_t>(p)]);
  return column;
}

Matrix scores_of(const CrossValidation& result) {
  Matrix scores(std::ssize(result.points), std::ssize(result.choice().scores));
  for (Index p = 0; p < scores.rows(); ++p) {
    const std::vector<double>& row = result.points[static_cast<std::size_t>(p)].scores;
    scores.row(p) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), std::ssize(row));
  }
  return scores;
}

/// The fold that tests each row, counted from 1.
Vector fold_numbers(const std::vector<Fold>& folds, Index n_rows) {
  Vector numbers = Vector::Zero(n_rows);
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (const Index row : folds[f].test) numbers(row) = static_cast<double>(f + 1);
  return numbers;
}

mxArray* from_result(const CrossValidation& result, const std::vector<Fold>& folds, Index n_rows) {
  std::vector<std::string> kernels;
  for (const CvPoint& point : result.points) kernels.push_back(point.kernels);
  NewStruct made;
  made.set("metric", std::string(name_of(result.metric)))
      .set(result.relative ? "alpha_ratios" : "alphas", of_points(result, [](const CvPoint& p) { return p.alpha; }))
      .set("l1_ratios", of_points(result, [](const CvPoint& p) { return p.l1_ratio; }))
      .set("qs", of_points(result, [](const CvPoint& p) { return p.q; }))
      .set("kernels", from_texts(kernels))
      .set("mean", of_points(result, [](const CvPoint& p) { return p.mean; }))
      .set("standard_error", of_points(result, [](const CvPoint& p) { return p.standard_error; }))
      .set("scores", scores_of(result))
      .set("n_active", of_points(result, [](const CvPoint& p) { return p.n_active; }))
      .set("familiar_metric", std::string(name_of(result.familiar)))
      .set("familiar", of_points(result, [](const CvPoint& p) { return p.familiar; }))
      .set("best", static_cast<double>(result.best + 1))
      .set("one_standard_error", static_cast<double>(result.one_standard_error + 1))
      .set("chosen", static_cast<double>(result.chosen + 1))
      .set("folds", fold_numbers(folds, n_rows));
  return made.array();
}

}  // namespace

Outputs cv(Arguments arguments) {
  GivenOptions given(arguments[2], "spicymkl_cv");
  CvChoices choices;
  given.read(cv_option_table(), choices);
  const LearningOptions options = read_learning_options(given, {"alpha", "device"});
  given.finish();
  const Watch watch = make_watch(options.problem.max_seconds);
  TrainingPlan plan = check_options(options);
  refuse_unused(options, rules_of(choices));
  CvGrid grid = make_grid(choices, options, plan);
  check_fold_count(choices.folds);
  check_metric_name(choices.metric);
  watch_with(watch, plan);
  LearningData data = read_data(arguments[0], arguments[1], options, watch);
  drop_same_presets(data, grid);
  const CvOptions how = how_to_choose(choices, options, data.target);
  const std::vector<Fold> folds = make_folds(data.target, choices.folds, options.kernels.seed);
  const Index n_rows = data.target.n_rows();
  const auto rows = make_dataset(std::move(data), options, plan, static_cast<double>(grid.alphas.values.size()));
  const CrossValidation result = cross_validate(*rows, folds, plan, grid, how);
  check_interrupted();
  if (!result.complete)
    throw InputError(
        "max_seconds was over before all folds were done, so that nothing can be chosen; raise it, or try fewer alphas "
        "or folds");
  const auto all =
      rows->learn_from(all_kernels(n_rows), {options.problem.threads, how.memory}, result.choice().kernels);
  const TrainedModel trained = train_model(all->input(), chosen_plan(result, plan));
  check_interrupted();
  std::vector<std::string> notes = notes_of(all->input());
  add_unconverged(trained.model.fits, options.problem.tol, notes);
  return {from_model(trained.model, trained.histories), from_result(result, folds, n_rows), from_texts(notes)};
}

}  // namespace spicymkl::octave
