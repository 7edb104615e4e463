#include "learning.hpp"

#include <nlohmann/json.hpp>

#include "options.hpp"
#include "pipeline/input_notes.hpp"
#include "pipeline/table_check.hpp"
#include "spicymkl/kernel/kernel_list.hpp"
#include "spicymkl/report/data_summary.hpp"

namespace spicymkl::r {

namespace {

bool is_table(const Rcpp::List& data) { return data.containsElementNamed("values"); }

Views read_views(const Rcpp::List& given) {
  Views views;
  views.names = strings(given["names"]);
  for (const int place : Rcpp::IntegerVector(given["of_column"])) views.of_column.push_back(place - 1);
  views.missing = parse_missing_view(text(given["missing"], "missing_view"));
  views.present = matrix(given["present"]);
  return views;
}

/// Of a list of N×N matrices, or of an array N×N×M.
std::vector<const double*> grams_of(SEXP kernels, Index n_samples) {
  std::vector<const double*> grams;
  if (TYPEOF(kernels) == REALSXP)
    for (R_xlen_t first = 0; first < Rf_xlength(kernels); first += n_samples * n_samples)
      grams.push_back(REAL(kernels) + first);
  else
    for (SEXP kernel : Rcpp::List(kernels)) grams.push_back(matrix(kernel).data());
  return grams;
}

/// R's matrices are as the library wants them: nothing is copied. R keeps them alive as long as the call lasts.
std::shared_ptr<const DenseBank> read_grams(const Rcpp::List& data, int threads, const Watch& watch) {
  const Index n_samples = Rcpp::as<int>(data["n"]);
  return std::make_shared<DenseBank>(grams_of(data["kernels"], n_samples), n_samples, strings(data["names"]), threads,
                                     nullptr, watch);
}

void check_grams(Learning& learning, const std::vector<std::string>& labels) {
  const GramView of_r{[&](Index m) { return "x: " + labels[m]; }, 1, true, "t(K)"};
  if (learning.psd == PsdMethod::refuse) learning.tolerated = check_gram_matrices(*learning.grams, of_r);
  else check_entries(*learning.grams, of_r);
}

/// The classes in the order of the levels of the factor, the second of two being the one with positive scores.
void order_classes(const std::vector<std::string>& levels, Target& target) {
  if (target.classes.empty() || levels.empty()) return;
  std::vector<Index> place(target.classes.size());
  for (std::size_t c = 0; c < place.size(); ++c)
    place[c] = std::find(levels.begin(), levels.end(), target.classes[c]) - levels.begin();
  for (Index& code : target.codes) code = place[code];
  target.classes = levels;
}

/// What depends on the loss: known by name, or, for auto, when the target is.
void check_loss(const Learning& learning, const std::string& loss, const Rcpp::List& options) {
  TrainingPlan plan = learning.plan;
  plan.problem.loss = loss;
  refuse_unused(plan.problem, given_parameters(options));
  check(plan);
}

/// With two classes, or numbers, there is nothing to choose.
void refuse_idle_multi_class(const Learning& learning) {
  const Target& target = learning.target;
  if (target.n_scores() == 1 && parse_multi_class(learning.problem.multi_class) != MultiClass::automatic)
    throw InputError(fmt::format("multi_class has no effect on {}; leave it out",
                                 target.classes.empty() ? "numbers" : "two classes"));
}

void read_target(Learning& learning, const Rcpp::List& y) {
  const MultiClass several = parse_multi_class(learning.problem.multi_class);
  const std::vector<std::string> levels = strings(y["levels"]);
  std::vector<std::string> texts = strings(y["texts"]);
  if (parse_multi_output(learning.problem.multi_output) != MultiOutput::joint)
    throw InputError(
        "multi_output is 'each', but R learns one target, on which it has no effect; leave it out, or use the command "
        "or Python");
  Task task = parse_task(learning.problem.task);
  if (!levels.empty() && task == Task::automatic) task = Task::classification;
  Table labels = labels_as_table(std::move(texts), "y");
  Table& table = learning.table ? *learning.table : labels;
  if (y.containsElementNamed("events")) {
    table.event_name = "status";  // as Surv() calls it
    table.events = strings(y["events"]);
  }
  if (learning.table) {
    table.target_name = text(y["name"], "the name of y");
    table.target = std::move(labels.target);
    check_table(table, !learning.kernels.impute.empty());
  }
  learning.target = make_target(table, learning.problem.loss, task, several);
  order_classes(levels, learning.target);
}

/// Sources that are missing more often for some classes, and columns that look like the names of rows.
std::vector<std::string> cautions_of(const Table& table, const Target& target, const KernelOptions& options) {
  const std::vector<ColumnGroup> groups = options.groups.empty()
                                              ? groups_of_sources(table.views)
                                              : read_groups(options.groups, table.columns, table.views).groups;
  DataSummary data = summarize(table, target, groups);
  data.impute = options.impute;
  data.from_python = true;  // no options of the command
  std::vector<std::string> cautions = data_warnings(data);
  for (std::string& remark : identity_remarks(data)) cautions.push_back(std::move(remark));
  return cautions;
}

}  // namespace

double max_seconds(const Rcpp::List& options) { return read_options(problem_option_table(), options).max_seconds; }

Table read_table(const Rcpp::List& data) {
  Table table;
  table.path = "x";
  table.values = matrix(data["values"]);
  table.columns = strings(data["columns"]);
  for (SEXP texts : Rcpp::List(data["categories"])) table.categories.push_back(strings(texts));
  if (data.containsElementNamed("views")) table.views = read_views(data["views"]);
  return table;
}

TablePlan Learning::table_plan(double points) const {
  TablePlan rows = make_table_plan(kernels, problem.threads);
  rows.watch = plan.settings.watch;
  if (device) rows.maker = banks_on(device);
  rows.expected_passes = points * expected_passes(plan.problem, plan.settings);
  return rows;
}

TrainingInput Learning::take_input(double points) {
  if (table) {
    const TablePlan rows = table_plan(points);
    return make_training_input(std::move(*table), std::move(target), rows);
  }
  TrainingInput made = make_gram_input(grams, psd, device);
  made.tolerated = std::move(tolerated);
  made.target = std::move(target);
  made.sample_weights = std::move(weights);
  return made;
}

std::unique_ptr<Dataset> Learning::take_dataset(double points) {
  if (table) {
    TablePlan rows = table_plan(points);
    return make_table_dataset(std::move(*table), std::move(target), std::move(rows));
  }
  return make_gram_dataset(grams, std::move(target), std::move(weights), psd);
}

Learning read_learning(const Rcpp::List& data, const Rcpp::List& y, const Rcpp::List& options, const FitWatch& watch) {
  Learning learning;
  learning.problem = read_options(problem_option_table(), options);
  learning.kernels = read_options(kernel_option_table(), options);
  learning.plan = make_plan(learning.problem);
  check_loss(learning, learning.problem.loss, options);
  learning.device = choose_device(learning.kernels.device);
  watch_with(watch.watch(), learning.plan);
  const Vector weights = vector(data["weights"]);
  if (is_table(data)) {
    learning.table_plan(1);  // what is wrong with its options is refused before the data are looked at
    check_kernel_files(learning.kernels.kernels, learning.kernels.groups);
    learning.table = read_table(data);
    learning.table->weights = weights;
    learning.table->weight_name = "weights";
  } else {
    learning.psd = parse_psd_method(text(data["psd"], "psd"));
    learning.weights = weights;
    learning.grams = read_grams(data, learning.problem.threads, watch.watch());
  }
  read_target(learning, y);
  check_loss(learning, learning.target.loss, options);
  refuse_idle_multi_class(learning);
  if (learning.grams) check_grams(learning, strings(data["labels"]));
  else learning.cautions = cautions_of(*learning.table, learning.target, learning.kernels);
  return learning;
}

std::vector<std::string> notes(const TrainingInput& input) {
  return input.table ? input_notes(*input.table) : gram_notes(input);
}

}  // namespace spicymkl::r
