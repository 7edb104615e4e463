#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "command_line.hpp"
#include "commands.hpp"
#include "evaluation.hpp"
#include "file_roles.hpp"
#include "gram_data.hpp"
#include "new_rows.hpp"
#include "option_registry.hpp"
#include "option_rules.hpp"
#include "options.hpp"
#include "output_files.hpp"
#include "pipeline/training_options.hpp"
#include "report/request.hpp"
#include "say.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/device/device.hpp"
#include "spicymkl/model/model_file.hpp"

namespace spicymkl::cli {

namespace {

struct EvaluateCommand {
  std::string model;
  TableInput table;
  GramInput grams;       ///< in place of the table: kernels of the rows with those learned from, and the truth
  OutputOptions output;  ///< --report, --json, --quiet
  Lenience lenience;
  int threads = 0;
  std::string device = "cpu";
  const CLI::App* app = nullptr;  ///< knows which options were given
};

/// A list of targets leaves one name to what follows it, so that of MODEL and DATA it has taken the first.
void take_model_from_target(EvaluateCommand& command) {
  if (command.table.given() || !command.grams.grams.empty() || command.table.target.size() < 2) return;
  const auto& order = command.app->parse_order();
  const auto behind = std::ranges::adjacent_find(order, [](const CLI::Option* one, const CLI::Option* next) {
    return one->check_name("--target") && next->check_name("MODEL");
  });
  if (behind == order.end()) return;
  command.table.data.push_back(std::exchange(command.model, command.table.target.back()));
  command.table.target.pop_back();
}

/// Rows and what is true of them.
struct TestSet {
  std::string source;
  Target truth;
  std::unique_ptr<Scorer> scorer;
};

TestSet read_grams(const EvaluateCommand& command, const Model& model) {
  GramInput input = command.grams;
  if (model.is_survival()) {
    input.labels = command.table.time;
    input.events = command.table.event;
  }
  auto scorer = score_grams(model, input.grams, input.covariates, command.threads);
  const Table labels = read_labels_of(input, scorer->n_rows());
  return {labels.path, truth_of(model, labels), std::move(scorer)};
}

TestSet read_table(const EvaluateCommand& command, const Model& model) {
  Table table = read_new_rows(model, command.table, true, command.threads);
  Target truth = truth_of(model, table);
  const Lenience lenience{command.lenience.strict, command.output.silent()};
  return {command.table.title(), std::move(truth),
          score_table(model, std::move(table), lenience, command.threads, choose_device(command.device))};
}

std::string page(const EvaluateCommand& command, const Model& model, const std::string& source,
                 const Evaluation& evaluation) {
  Report report = begin_evaluation(command_line(*command.app), command.model, source);
  report.model = &model;
  report.test = evaluation;
  report.test_source = source;
  report.threads = command.threads;
  return report_html(report);
}

/// All that can be known to be wrong before anything is read.
void check_options(const EvaluateCommand& command) {
  refuse_behind(*command.app, "--gram", "MODEL");
  if (command.table.target.size() > 1) refuse_behind(*command.app, "--target", "MODEL");
  const bool table = command.table.given();
  require_one_source(*command.app, table, !command.grams.grams.empty(),
                     "rows: give a table (DATA), or --gram with kernels of new rows and --labels");
  if (!table) check_survival_options(command.table);
  if (!table && command.grams.labels.empty() && !command.table.survival())
    throw InputError("--gram needs --labels: a file with one label for each of the new rows, .npy or .txt");
  refuse_unused(*command.app, format_rules(command.table));
  refuse_unused(*command.app, survival_rules(command.table));
  refuse_unused(*command.app, {{{"--target"}, table, "with --gram, whose samples are labelled by --labels"},
                               {{"--id", "--strict", "--missing-view"}, table, "with --gram, which has no cells"},
                               {{"--device"}, table, "with --gram, whose kernels are computed already"},
                               {{"--labels"}, !table, "with a table, only with --gram (--target names the column)"},
                               {{"--covariates"}, !table, "with a table, where the model finds its columns by name"}});
  check_threads(command.threads);
  check_device_name(command.device);
  table_options(command.table, command.threads);
  if (!command.table.missing_view.empty()) parse_missing_view(command.table.missing_view);
  FileRoles files;
  files.add_input("MODEL", command.model);
  files.add_inputs("DATA", command.table.paths());
  files.add_inputs("--gram", command.grams.grams);
  files.add_input("--labels", command.grams.labels);
  if (!table) {
    files.add_input("--time", command.table.time);
    files.add_input("--event", command.table.event);
  }
  files.add_input("--covariates", command.grams.covariates);
  files.add_output("--report", command.output.report);
}

int run(const EvaluateCommand& command) {
  check_options(command);
  const Model model = load_model(command.model);
  check_target_options(model, command.table, command.grams.labels);
  OutputFiles files({{"--report", command.output.report}});
  const TestSet rows = command.grams.grams.empty() ? read_table(command, model) : read_grams(command, model);
  const Evaluation evaluation = evaluate_rows(model, *rows.scorer, rows.truth, command.output.silent());
  files.write("--report", [&] { return page(command, model, rows.source, evaluation); });
  files.commit();
  if (command.output.json) show_json(evaluation_json(evaluation).dump());
  else show("{}", evaluation_text(evaluation));
  return 0;
}

}  // namespace

void add_evaluate(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<EvaluateCommand>();
  CLI::App* app = program.add_subcommand("evaluate", "compare predictions with the truth");
  app->footer(
      "Classes: accuracy, balanced accuracy, AUC, log-loss; numbers: RMSE, MAE, R2; survival times:\n"
      "concordance; with 95 % intervals.\n"
      "Example: spicymkl evaluate m.safetensors test.csv --target y\n"
      "         spicymkl evaluate m.safetensors --gram K_new.npy --labels y_new.npy");
  app->add_option("MODEL", command->model, "model file")->required();
  add_data(*app, command->table, "table with the columns of the training table; several: NAME=FILE");
  app->add_option("--target", command->table.target,
                  "column with the truth, or several (default: the names they had in training)");
  add_new_grams(*app, command->grams.grams, command->grams.covariates);
  app->add_option("--labels", command->grams.labels,
                  "with --gram: the truth of the new rows: .npy, .txt or .csv; several targets: .npy");
  add_survival_options(*app, command->table);
  add_id_option(*app, command->table);
  add_missing_view_option(*app, command->table);
  add_strict_option(*app, command->lenience);
  add_device_option(*app, command->device);
  add_format_options(*app, command->table);
  app->add_option("--threads", command->threads, "threads (0: all cores)")->capture_default_str();
  add_report_option(*app, command->output);
  app->add_flag("--json", command->output.json, "print one JSON object instead of text");
  app->add_flag("--quiet", command->output.quiet, "print no progress");
  command->app = app;
  app->parse_complete_callback([command] {
    take_model_from_target(*command);
    take_tables_from_target(command->table);
  });
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
