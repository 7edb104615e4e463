#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "commands.hpp"
#include "file_roles.hpp"
#include "gram_data.hpp"
#include "io/atomic_file.hpp"
#include "new_rows.hpp"
#include "option_registry.hpp"
#include "option_rules.hpp"
#include "pipeline/training_options.hpp"
#include "prediction_csv.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/printable.hpp"
#include "spicymkl/device/device.hpp"
#include "spicymkl/model/model_file.hpp"

namespace spicymkl::cli {

namespace {

struct PredictCommand {
  std::string model;
  TableInput table;
  std::vector<std::string> grams;
  std::string covariates;
  std::string output;
  bool contributions = false;
  std::vector<double> survival_at;
  Lenience lenience;
  bool quiet = false;
  int threads = 0;
  std::string device = "cpu";
  const CLI::App* app = nullptr;  ///< knows which options were given
};

/// A file that appears when it is whole, or stdout.
class TextOutput {
 public:
  explicit TextOutput(const std::string& path) {
    if (!path.empty()) file_.emplace(path);
  }
  void write(const std::string& text) {
    if (file_) return file_->write(text);
    const std::string shown = on_terminal_ ? printable(text) : text;
    if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size()) refuse();
  }
  void commit() {
    if (file_) file_->commit();
    else if (std::fflush(stdout) != 0) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw InputError("cannot write the predictions to standard output; give -o FILE");
  }
  std::optional<AtomicFile> file_;
  bool on_terminal_ = ::isatty(STDOUT_FILENO) != 0;  ///< which must not obey what cells hold
};

/// Rows to predict, and what they are called.
struct NewRows {
  std::unique_ptr<Scorer> scorer;
  RowNames names;
};

NewRows read_rows(const PredictCommand& command, const Model& model) {
  if (!command.grams.empty()) return {score_grams(model, command.grams, command.covariates, command.threads), {}};
  Table table = read_new_rows(model, command.table, false, command.threads);
  RowNames names{table.id_name, table.ids};
  return {score_table(model, std::move(table), {command.lenience.strict, command.quiet}, command.threads,
                      choose_device(command.device)),
          std::move(names)};
}

/// All that can be known to be wrong before anything is read.
void check_options(const PredictCommand& command) {
  refuse_behind(*command.app, "--gram", "MODEL");
  require_one_source(*command.app, command.table.given(), !command.grams.empty(),
                     "rows: give a table (DATA), or --gram with kernels of new rows");
  std::vector<OptionRule> rules = format_rules(command.table);
  rules.push_back({{"--id", "--strict", "--missing-view"}, command.grams.empty(), "with --gram, which has no cells"});
  rules.push_back({{"--device"}, command.grams.empty(), "with --gram, whose kernels are computed already"});
  rules.push_back(
      {{"--covariates"}, !command.grams.empty(), "with a table, where the model finds its columns by name"});
  refuse_unused(*command.app, rules);
  check_threads(command.threads);
  check_device_name(command.device);
  table_options(command.table, command.threads);
  if (!command.table.missing_view.empty()) parse_missing_view(command.table.missing_view);
  FileRoles files;
  files.add_input("MODEL", command.model);
  files.add_inputs("DATA", command.table.paths());
  files.add_inputs("--gram", command.grams);
  files.add_input("--covariates", command.covariates);
  files.add_output("--output", command.output);
}

void check_times(const PredictCommand& command, const Model& model) {
  if (command.survival_at.empty()) return;
  if (!model.is_survival())
    throw InputError("--survival-at has no effect on a model that did not learn survival times; leave it out");
  const Vector& steps = model.survival->steps;
  const double last = steps(steps.size() - 1);
  for (const double time : command.survival_at)
    if (!(time >= 0 && time <= last))
      throw InputError(
          fmt::format("--survival-at {}: the training rows were followed from 0 to {}, and nothing is known of "
                      "other times",
                      time, last));
}

int run(const PredictCommand& command) {
  check_options(command);
  const Model model = load_model(command.model);
  check_times(command, model);
  TextOutput output(command.output);
  const NewRows rows = read_rows(command, model);
  const PredictionCsv csv(model, rows.names, command.contributions, command.survival_at);
  output.write(csv.header());
  for_each_batch(*rows.scorer, command.quiet || command.output.empty(),
                 [&](Index first, const Scores& scores) { output.write(csv.rows(first, scores)); });
  output.commit();
  return 0;
}

}  // namespace

void add_predict(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* app = program.add_subcommand("predict", "predict new rows: labels, scores, probabilities as CSV");
  app->footer(
      "Columns are found by name: their order may differ, and others are passed over. A category\n"
      "never seen in training matches no row; empty cells are imputed if those of training were.\n"
      "Example: spicymkl predict m.safetensors new.csv --contributions -o predictions.csv");
  app->add_option("MODEL", command->model, "model file")->required();
  add_data(*app, command->table, "table with the columns of the training table; several: NAME=FILE");
  add_new_grams(*app, command->grams, command->covariates);
  app->add_option("-o,--output", command->output, "CSV file to write (default: standard output)");
  app->add_flag("--contributions", command->contributions,
                "add the share f_m(x) of each active kernel, and of the covariates");
  app->add_option("--survival-at", command->survival_at,
                  "of survival times: add the probability to be without the event until each of these times: 12,24")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kRareGroup);
  add_id_option(*app, command->table);
  add_missing_view_option(*app, command->table);
  add_strict_option(*app, command->lenience);
  add_device_option(*app, command->device);
  add_format_options(*app, command->table);
  app->add_option("--threads", command->threads, "threads (0: all cores)")->capture_default_str();
  app->add_flag("--quiet", command->quiet, "print no progress");
  command->app = app;
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
