#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "evaluation.hpp"
#include "file_roles.hpp"
#include "new_rows.hpp"
#include "option_rules.hpp"
#include "options.hpp"
#include "output_files.hpp"
#include "pipeline/training_options.hpp"
#include "report/request.hpp"
#include "say.hpp"
#include "spicymkl/device/device.hpp"
#include "spicymkl/model/model_file.hpp"

namespace spicymkl::cli {

namespace {

struct EvaluateCommand {
  std::string model;
  TableInput table;
  OutputOptions output;  ///< --report, --json, --quiet
  Lenience lenience;
  int threads = 0;
  std::string device = "cpu";
  const CLI::App* app = nullptr;  ///< knows which options were given
};

std::string page(const EvaluateCommand& command, const Model& model, const Evaluation& evaluation) {
  Report report = begin_evaluation(command_line(*command.app), command.model, command.table.title());
  report.model = &model;
  report.test = evaluation;
  report.test_source = command.table.title();
  report.threads = command.threads;
  return report_html(report);
}

/// All that can be known to be wrong before anything is read.
void check_options(const EvaluateCommand& command) {
  if (command.table.target.size() > 1) refuse_behind(*command.app, "--target", "MODEL");
  refuse_unused(*command.app, format_rules(command.table));
  refuse_unused(*command.app, survival_rules(command.table));
  check_threads(command.threads);
  check_device_name(command.device);
  table_options(command.table, command.threads);
  if (!command.table.missing_view.empty()) parse_missing_view(command.table.missing_view);
  FileRoles files;
  files.add_input("MODEL", command.model);
  files.add_inputs("DATA", command.table.paths());
  files.add_output("--report", command.output.report);
}

int run(const EvaluateCommand& command) {
  check_options(command);
  const Model model = load_model(command.model);
  check_target_options(model, command.table);
  OutputFiles files({{"--report", command.output.report}});
  Table table = read_new_rows(model, command.table, true, command.threads);
  const Target truth = truth_of(model, table);
  const Lenience lenience{command.lenience.strict, command.output.silent()};
  const auto scorer = score_table(model, std::move(table), lenience, command.threads, choose_device(command.device));
  const Evaluation evaluation = evaluate_rows(model, *scorer, truth, command.output.silent());
  files.write("--report", [&] { return page(command, model, evaluation); });
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
      "Example: spicymkl evaluate m.safetensors test.csv --target y");
  app->add_option("MODEL", command->model, "model file")->required();
  add_data(*app, command->table, "table with the columns of the training table; several: NAME=FILE")->required();
  app->add_option("--target", command->table.target,
                  "column with the truth, or several (default: the names they had in training)");
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
  app->parse_complete_callback([command] { take_tables_from_target(command->table); });
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
