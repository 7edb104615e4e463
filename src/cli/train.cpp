#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "gram_data.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "spicymkl/core/stopwatch.hpp"
#include "spicymkl/io/atomic_file.hpp"
#include "spicymkl/solver/solve.hpp"
#include "summary.hpp"

namespace spicymkl::cli {

namespace {

struct TrainCommand {
  GramInput input;
  TrainingOptions training;
  OutputOptions output;
};

/// Output files are opened before any work, so that a place that cannot be written is refused at once.
struct OutputFiles {
  std::optional<AtomicFile> model, certificate, history;

  explicit OutputFiles(const OutputOptions& options) {
    if (!options.model.empty()) model.emplace(options.model);
    if (!options.certificate.empty()) certificate.emplace(options.certificate);
    if (!options.history.empty()) history.emplace(options.history);
  }

  void write(const Model& trained, const History& records) {
    if (model) model->write(to_bytes(trained));
    if (certificate) certificate->write(certificate_json(trained) + "\n");
    if (history) history->write(history_csv(records));
    for (auto* file : {&model, &certificate, &history})
      if (*file) (*file)->commit();
  }
};

Problem make_problem(const TrainCommand& command, const GramData& data, ProblemDescription& description) {
  description = command.training.problem;
  description.fit_intercept = !command.training.no_intercept;
  description.alpha = 1;  // any: alpha_max does not depend on it
  const auto with_alpha = [&] {
    return Problem(data.bank, data.labels, description.make_loss(), description.make_regularizer(), description.fit_intercept,
                   data.weights);
  };
  const bool relative = command.training.alpha.ends_with("max");
  description.alpha = resolve_alpha(command.training.alpha, relative ? alpha_max(with_alpha()) : 1);
  return with_alpha();
}

int run(const TrainCommand& command) {
  Settings settings = make_settings(command.training);
  const Stopwatch input_clock;
  const GramData data = read_gram_data(command.input, command.training.threads);
  ProblemDescription description;
  const Problem problem = make_problem(command, data, description);
  OutputFiles files(command.output);
  const double seconds_input = input_clock.seconds();

  watch_for_interrupts();
  Model model;
  History history;
  {
    Progress progress(command.output.quiet || command.output.json);
    settings.callback = [&](const Record& record) {
      progress.show(record, settings.tol);
      return true;
    };
    settings.stop_requested = interrupted;
    Result result = solve(problem, settings);
    history = result.history;
    model = make_model(problem, description, settings.tol, std::move(result));
  }
  model.seconds_input = seconds_input;
  files.write(model, history);
  if (command.output.json) fmt::print("{}\n", summary_json(model));
  else if (!command.output.quiet) fmt::print("{}", summary_text(model));
  return model.status == "converged" ? 0 : 1;
}

}  // namespace

void add_train(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* app = program.add_subcommand("train", "learn kernel weights and a predictor");
  app->footer("Example: spicymkl train --gram K.npy --labels y.npy --alpha 0.1max --model m.safetensors");
  add_gram_input(*app, command->input);
  add_training_options(*app, command->training);
  add_output_options(*app, command->output);
  app->callback([&chosen, command] { chosen = [command] { return run(*command); }; });
}

}  // namespace spicymkl::cli
