#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "gram_data.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

namespace {

struct VerifyCommand {
  std::string model;
  GramInput input;
  double tol = 0;  // 0: the tolerance the model was trained for
  int threads = 0;
  bool json = false;
};

void check_match(const Model& model, const GramData& data) {
  if (model.n_kernels() != data.bank->n_kernels() || model.n_samples != data.bank->n_samples())
    throw InputError(fmt::format("the model was trained on {} kernels of {} samples, but the Gram matrices given are {} of {}",
                                 model.n_kernels(), model.n_samples, data.bank->n_kernels(), data.bank->n_samples()));
}

int run(const VerifyCommand& command) {
  const Model model = load_model(command.model);
  const GramData data = read_gram_data(command.input, command.threads);
  check_match(model, data);
  const Vector& weights = data.weights.size() > 0 ? data.weights : model.sample_weights;
  const Problem problem(data.bank, data.labels, model.problem.make_loss(), model.problem.make_regularizer(),
                        model.problem.fit_intercept, weights);
  const Certificate now = certify(problem, model.expansion, dual_bound(problem, model.certificate.dual));
  const double tol = command.tol > 0 ? command.tol : model.tol;
  const bool holds = now.relative_gap <= tol;
  if (command.json) {
    const nlohmann::ordered_json json = {{"holds", holds},
                                         {"primal", now.primal},
                                         {"dual_objective", now.dual_objective},
                                         {"relative_gap", now.relative_gap},
                                         {"tol", tol}};
    fmt::print("{}\n", json.dump());
  } else {
    fmt::print("{}: primal {:.10g}, dual {:.10g}, relative gap {:.3e} {} {:g}\n", holds ? "holds" : "does not hold",
               now.primal, now.dual_objective, now.relative_gap, holds ? "<=" : ">", tol);
  }
  return holds ? 0 : 1;
}

}  // namespace

void add_verify(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<VerifyCommand>();
  CLI::App* app = program.add_subcommand("verify", "recompute a model's certificate from scratch");
  app->footer("Example: spicymkl verify m.safetensors --gram K.npy --labels y.npy");
  app->add_option("model", command->model, "model file")->required();
  add_gram_input(*app, command->input);
  app->add_option("--tol", command->tol, "relative gap that must hold (default: the model's own tol)")
      ->check(CLI::PositiveNumber);
  app->add_option("--threads", command->threads, "threads (0: all cores)")->capture_default_str();
  app->add_flag("--json", command->json, "print one JSON object instead of text");
  app->callback([&chosen, command] { chosen = [command] { return run(*command); }; });
}

}  // namespace spicymkl::cli
