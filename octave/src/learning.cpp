#include "learning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/wording.hpp"
#include "kernels.hpp"
#include "pipeline/input_notes.hpp"
#include "pipeline/table_check.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/device/device.hpp"
#include "spicymkl/kernel/kernel_list.hpp"
#include "spicymkl/loss/loss.hpp"

namespace spicymkl::octave {

namespace {

/// A table and precomputed kernels have options of their own.
std::vector<OptionRule> source_rules(bool table) {
  const char* grams = "with precomputed kernels, which have no columns";
  return {{{"columns", "groups", "impute", "standardize", "no_standardize", "features"}, table, grams},
          {{"missing_view"}, false, "on one table, whose samples have all of its columns"},
          {{"psd"}, !table, "with a table, whose kernels have no negative eigenvalues"}};
}

/// "auto", which leaves the choice to us, may be written out where there is none.
bool leaves_multi_class(const LearningOptions& options) {
  return parse_multi_class(options.problem.multi_class) == MultiClass::automatic;
}

/// Survival times go with one loss, and that with nothing else.
void check_survival(const LearningOptions& options) {
  const std::string own = default_loss(LabelKind::survival).name, &loss = options.problem.loss;
  const bool survival = options.given.names.contains("event");
  if (!survival && loss == own)
    throw InputError(
        fmt::format("the {} loss learns from times and events: give y as times, and {}", own, spelled("event")));
  refuse_unused(options,
                {{{"event"}, loss == "auto" || loss == own, fmt::format("with the {} loss", loss)},
                 {{"task"}, !survival, "on survival times"},
                 {{"multi_class"}, !survival || leaves_multi_class(options), "on survival times"},
                 {{"fit_intercept", "no_intercept"}, !survival, "on survival times, whose loss has no intercept"}});
}

void check_loss(const LearningOptions& options, const std::string& loss) {
  TrainingPlan plan = make_plan(options.problem);
  plan.problem.loss = loss;
  refuse_unused(plan.problem, options.given);
  check(plan);
}

/// Labels as text, which is what the command reads of a file.
std::vector<std::string> to_labels(const mxArray* y) {
  if (mxIsCell(y)) return to_texts(y, "y");
  if (mxIsChar(y)) refuse_kind(y, "y", "an array of numbers, or a cell array of strings");
  const Vector numbers = to_vector(y, "y");
  std::vector<std::string> labels;
  for (Index i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers(i)))
      throw InputError(fmt::format("y: label of sample {} is {}; labels must be finite numbers", i + 1, numbers(i)));
    labels.push_back(fmt::format("{}", numbers(i)));
  }
  return labels;
}

/// What is learned, with sample weights, in the place of a table that has them: checked with it.
void add_labels(const mxArray* y, const LearningOptions& options, const std::string& samples, Table& table) {
  table.target = to_labels(y);
  if (std::ssize(table.target) != table.rows())
    throw InputError(fmt::format("y holds {}, but {} {}", counted(std::ssize(table.target), "label"), samples,
                                 counted(table.rows(), "row")));
  const auto check_count = [&](const std::string& name, const Vector& values, const char* kind) {
    if (values.size() != table.rows())
      throw InputError(fmt::format("{} holds {}, but {} {}", spelled(name), counted(values.size(), kind), samples,
                                   counted(table.rows(), "row")));
  };
  if (options.weights.size() > 0) {
    check_count("weights", options.weights, "weight");
    table.weights = options.weights;
    table.weight_name = spelled("weights");
  }
  if (options.event.size() > 0) {
    check_count("event", options.event, "event");
    table.event_name = "event";
    for (const double event : options.event) table.events.push_back(std::isnan(event) ? "" : fmt::format("{}", event));
  }
}

std::vector<std::string> column_names(const LearningOptions& options, Index count) {
  std::vector<std::string> names = options.columns;
  if (names.empty())
    for (Index j = 0; j < count; ++j) names.push_back(fmt::format("x{}", j));
  if (std::ssize(names) != count)
    throw InputError(fmt::format("{} has {}, but X has {}", spelled("columns"), counted(std::ssize(names), "name"),
                                 counted(count, "column")));
  std::set<std::string> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      throw InputError(
          fmt::format("{} has '{}' twice; every column needs a name of its own", spelled("columns"), name));
  return names;
}

Table read_table(const mxArray* samples, const mxArray* y, const LearningOptions& options) {
  const Numbers numbers = to_numbers(samples, "X");
  if (numbers.shape.size() != 2)
    throw InputError(fmt::format("X has shape ({}), but a table must be N x d; for kernels leave out {}",
                                 numbers.shape_text(), spelled("kernels")));
  if (numbers.size() == 0) throw InputError("X is empty; give a table of N rows and d columns");
  Table table;
  table.path = "X";
  table.target_name = "y";
  table.columns = column_names(options, numbers.shape[1]);
  table.categories.resize(table.columns.size());
  table.values = Eigen::Map<const Matrix>(numbers.data, numbers.shape[0], numbers.shape[1]);
  add_labels(y, options, "X has", table);
  check_table(table, !options.kernels.impute.empty());
  return table;
}

/// The labels of precomputed kernels, in a table that has nothing else.
Table read_labels(const mxArray* y, Index n_samples, const LearningOptions& options) {
  Table labels = labels_as_table(std::vector<std::string>(n_samples), "y");
  add_labels(y, options, "the Gram matrices have", labels);
  check_table(labels, true);
  return labels;
}

void check_grams(LearningData& data) {
  const GramView of_octave{[](Index m) { return fmt::format("kernel {}", m + 1); }, 1, true, "K'"};
  if (data.psd == PsdMethod::refuse) data.tolerated = check_gram_matrices(*data.grams, of_octave);
  else check_entries(*data.grams, of_octave);
}

void read_grams(const mxArray* samples, const LearningOptions& options, const Watch& watch, LearningData& data) {
  const Grams grams = to_grams(samples);
  data.grams = to_bank(grams, options.problem.threads, watch);
  data.psd = parse_psd_method(options.psd);
  check_grams(data);
}

TablePlan table_plan(const LearningOptions& options, const TrainingPlan& plan, double passes) {
  TablePlan rows = make_table_plan(options.kernels, options.problem.threads);
  rows.watch = plan.settings.watch;
  if (const auto device = choose_device(options.kernels.device)) rows.maker = banks_on(device);
  rows.expected_passes = passes * expected_passes(plan.problem, plan.settings);
  return rows;
}

}  // namespace

LearningOptions read_learning_options(GivenOptions& given, const std::vector<std::string>& left_out) {
  LearningOptions options;
  given.read(problem_option_table(), options.problem, left_out);
  given.read(kernel_option_table(), options.kernels, left_out);
  given.read("psd", options.psd);
  given.read("weights", options.weights);
  given.read("event", options.event);
  given.read("columns", options.columns);
  given.read("verbose", options.verbose);
  options.given = {given.names(), spelled};
  return options;
}

void refuse_unused(const LearningOptions& options, const std::vector<OptionRule>& rules) {
  for (const OptionRule& rule : rules)
    for (const std::string& name : rule.options)
      if (!rule.applies && options.given.names.contains(name))
        throw InputError(fmt::format("{} has no effect {}; leave it out", spelled(name), rule.otherwise));
}

TrainingPlan check_options(const LearningOptions& options) {
  parse_missing_view(options.kernels.missing_view);
  parse_psd_method(options.psd);
  refuse_unused(options, source_rules(options.from_table()));
  check_survival(options);
  check_loss(options, options.problem.loss);
  make_table_plan(options.kernels, options.problem.threads);
  if (options.from_table()) check_kernel_files(options.kernels.kernels, options.kernels.groups);
  return make_plan(options.problem);
}

LearningData read_data(const mxArray* samples, const mxArray* y, const LearningOptions& options, const Watch& watch) {
  LearningData data;
  Table labels;
  if (options.from_table()) {
    data.table = read_table(samples, y, options);
  } else {
    read_grams(samples, options, watch, data);
    labels = read_labels(y, data.grams->n_samples(), options);
    data.weights = labels.weights;
  }
  if (parse_multi_output(options.problem.multi_output) != MultiOutput::joint)
    throw InputError(
        "multi_output is 'each', but Octave learns one target, on which it has no effect; leave it out, or use the "
        "command or Python");
  data.target = make_target(data.table ? *data.table : labels, options.problem.loss, parse_task(options.problem.task),
                            parse_multi_class(options.problem.multi_class));
  check_loss(options, data.target.loss);
  refuse_unused(options, {{{"multi_class"},
                           data.target.n_scores() > 1 || leaves_multi_class(options),
                           data.target.classes.empty() ? "on numbers" : "on two classes"}});
  return data;
}

TrainingInput make_input(LearningData data, const LearningOptions& options, const TrainingPlan& plan, double passes) {
  if (data.table)
    return make_training_input(std::move(*data.table), std::move(data.target), table_plan(options, plan, passes));
  TrainingInput input = make_gram_input(std::move(data.grams), data.psd, choose_device(options.kernels.device));
  input.tolerated = std::move(data.tolerated);
  input.target = std::move(data.target);
  input.sample_weights = std::move(data.weights);
  return input;
}

std::unique_ptr<Dataset> make_dataset(LearningData data, const LearningOptions& options, const TrainingPlan& plan,
                                      double passes) {
  if (data.table)
    return make_table_dataset(std::move(*data.table), std::move(data.target), table_plan(options, plan, passes));
  return make_gram_dataset(std::move(data.grams), std::move(data.target), std::move(data.weights), data.psd);
}

std::vector<std::string> notes_of(const TrainingInput& input) {
  return input.table ? input_notes(*input.table) : gram_notes(input);
}

}  // namespace spicymkl::octave
