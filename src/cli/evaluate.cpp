#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "interrupt.hpp"
#include "new_rows.hpp"
#include "spicymkl/model/model_file.hpp"
#include "spicymkl/selection/measure.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

struct EvaluateCommand {
  std::string model;
  TableInput table;
  bool json = false;
  bool quiet = false;
  int threads = 0;
};

Matrix all_scores(const Model& model, const Scorer& scorer, bool quiet) {
  Matrix scores(scorer.n_rows(), static_cast<Index>(model.fits.size()));
  for_each_batch(scorer, quiet, [&](Index first, const Scores& batch) {
    scores.middleRows(first, batch.values.rows()) = batch.values;
  });
  return scores;
}

int run(const EvaluateCommand& command) {
  watch_for_interrupts();
  const Model model = load_model(command.model);
  Table table = read_new_rows(model, command.table, true, command.threads);
  const Target truth = known_target(table, model.fits.front().problem.loss, model.classes);
  const auto scorer = score_table(model, std::move(table), command.threads);
  Json json = {{"n_samples", scorer->n_rows()}};
  std::vector<std::vector<Index>> confusion;
  const Matrix scores = all_scores(model, *scorer, command.quiet || command.json);
  const std::vector<Measurement> measurements = measure(model, truth, scores, &confusion);
  if (model.is_classification()) {
    json["classes"] = model.classes;
    json["confusion"] = confusion;
  }
  for (const auto& [metric, value] : measurements)
    json[std::string(name_of(metric))] = value ? Json(*value) : Json(nullptr);
  if (command.json) {
    fmt::print("{}\n", json.dump());
    return 0;
  }
  fmt::print("{:<18}{}\n", "samples", scorer->n_rows());
  for (const auto& [metric, value] : measurements)
    fmt::print("{:<18}{}\n", name_of(metric), value ? fmt::format("{:.6g}", *value) : "undefined");
  return 0;
}

}  // namespace

void add_evaluate(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<EvaluateCommand>();
  CLI::App* app = program.add_subcommand("evaluate", "compare predictions with the truth");
  app->footer(
      "Classes: accuracy, balanced accuracy, AUC, log-loss; numbers: RMSE, MAE, R2.\n"
      "Example: spicymkl evaluate m.safetensors test.csv --target y");
  app->add_option("MODEL", command->model, "model file")->required();
  app->add_option("DATA", command->table.path, "table with the columns of the training table")->required();
  app->add_option("--target", command->table.target, "column with the truth (default: the name it had in training)");
  add_format_options(*app, command->table);
  app->add_option("--threads", command->threads, "threads (0: all cores)")->capture_default_str();
  app->add_flag("--json", command->json, "print one JSON object instead of text");
  app->add_flag("--quiet", command->quiet, "print no progress");
  app->callback([&chosen, command] { chosen = [command] { return run(*command); }; });
}

}  // namespace spicymkl::cli
