#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "core/stopwatch.hpp"
#include "input_files.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "option_registry.hpp"
#include "output_files.hpp"
#include "path_table.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "selection/selection_options.hpp"

namespace spicymkl::cli {

namespace {

struct PathCommand {
  LearningOptions learning;
  PathOptions path;
  OutputOptions output;
  std::string csv;
  std::string picture;
};

Outputs outputs_of(const PathCommand& command) {
  return {{"--output", command.csv}, {"--picture", command.picture}, {"--report", command.output.report}};
}

PathTable solve(const TrainingInput& input, TrainingPlan plan, const AlphaGrid& grid) {
  plan.sample_weights = input.sample_weights;
  PathTable table;
  for (Index m = 0; m < input.bank->n_kernels(); ++m) table.kernel_names.push_back(input.bank->name(m));
  const Index n_fits = input.target.n_fits();
  if (input.target.joint()) table.outputs = input.target.has_several() ? input.target.names : input.target.classes;
  const std::string of = input.target.has_several() ? "path of target" : "path of class";
  WatchedTask task(plan.settings.watch, n_fits > 1 ? of : "path", n_fits > 1 ? n_fits : 0);
  for (Index f = 0; f < n_fits; ++f) {
    table.paths.push_back(train_path(input.bank, input.exact, input.target, f, plan, grid));
    task.advance();
    if (!table.paths.back().complete) break;
  }
  return table;
}

std::string page(const PathCommand& command, const PathTable& table, const DataSummary& data,
                 const std::vector<std::string>& remarks) {
  TrainingRequest request = request_of(command.learning, "Regularisation path");
  request.remarks = remarks;
  Report report = begin_report(request);
  report.data = data;
  report.path = {table.paths, table.kernel_names, command.learning.problem.tol, table.seconds};
  return report_html(report);
}

std::vector<OptionRule> rules_of(const PathCommand& command) {
  std::vector<OptionRule> rules = alpha_rules(command.path);
  rules.push_back({{"--memory"}, command.learning.from_table(), "with --gram, whose kernels are in memory"});
  return rules;
}

int run(const PathCommand& command) {
  const Watch watch = command_watch(command.learning.problem.max_seconds);
  TrainingPlan plan = check_options(command.learning, rules_of(command));
  const AlphaGrid grid = make_alpha_grid(command.path);
  input_files(command.learning).add_outputs(outputs_of(command));
  watch_with(watch, plan);
  if (command.learning.explain) return explain(command.learning, command.output, plan, std::ssize(grid.values));
  OutputFiles files(outputs_of(command));
  const UnchangedFiles inputs(command.learning.grams.grams);
  PathTable table;
  Index n_fits = 1;
  DataSummary data;
  std::vector<std::string> remarks;
  {
    const Progress progress(watch, command.output.silent());
    LearningSource source = read_source(command.learning, watch, command.output.silent());
    data = source.summary;
    watch_for_interrupts(Leaves::what_is_done);
    const TrainingInput input = make_input(std::move(source), command.learning, plan,
                                           static_cast<double>(grid.values.size()), command.output.silent());
    if (input.table) remarks = input.table->remarks;
    const Stopwatch clock;
    n_fits = input.target.n_fits();
    table = solve(input, plan, grid);
    table.seconds = clock.seconds();
  }
  if (table.empty()) {
    say("{} before the first point was done; nothing was written", watch.reason());
    return 1;
  }
  inputs.check();
  files.write("--output", [&] { return path_csv(table); });
  files.write("--picture", [&] { return path_picture(table.paths, table.kernel_names); });
  files.write("--report", [&] { return page(command, table, data, remarks); });
  files.commit();
  if (command.output.json) show_json(path_json(table));
  else if (!command.output.quiet) show("{}", path_text(table));
  if (!table.complete())
    say("interrupted, {}; the {} of {} points that were done are kept", watch.reason(), table.n_points(),
        std::ssize(grid.values) * n_fits);
  return table.converged() ? 0 : 1;
}

}  // namespace

void add_path(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<PathCommand>();
  CLI::App* app = program.add_subcommand("path", "a whole regularisation path: weights against alpha");
  app->footer(
      "The CSV has one row per alpha, with the weight of every kernel that is ever active.\n"
      "Example: spicymkl path data.csv --target y -o path.csv --picture path.svg");
  add_learning_options(*app, command->learning, {"alpha"});
  add_options(*app, path_option_table(), command->path);
  app->add_option("-o,--output", command->csv, "CSV file to write");
  app->add_option("--picture", command->picture, "SVG file to write: weights against alpha");
  add_explain_option(*app, command->learning)->group(kRareGroup);
  add_report_option(*app, command->output);
  add_print_options(*app, command->output);
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
