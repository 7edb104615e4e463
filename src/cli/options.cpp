#include "options.hpp"

#include <fmt/format.h>

#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

void add_gram_input(CLI::App& app, GramInput& input) {
  app.add_option("--gram", input.grams, "Gram matrices: one M x N x N .npy file, or N x N files (repeat)")
      ->allow_extra_args(false);
  app.add_option("--labels", input.labels, "N labels, .npy: classes, or numbers for regression");
  app.add_option("--weights", input.weights, "N sample weights > 0, .npy (default: all 1)");
}

void add_psd_option(CLI::App& app, GramInput& input) {
  app.add_option("--psd", input.psd, "Gram matrices with negative eigenvalues: refuse, or mend by\nclip, flip or shift")
      ->capture_default_str();
}

void add_training_options(CLI::App& app, TrainingOptions& options) {
  ProblemDescription& problem = options.problem;
  app.add_option("--loss", problem.loss,
                 "auto: logistic for classes (texts, or two numbers), squared for numbers; or\n" + loss_names())
      ->capture_default_str();
  app.add_option("--penalty", problem.penalty, "one of " + regularizer_names())->capture_default_str();
  app.add_option("--alpha", options.alpha, "strength (the paper's C), or relative: 0.1max")->capture_default_str();
  app.add_option("--l1-ratio", problem.l1_ratio, "elasticnet, mixed: 1 is block1, 0 is uniform")->capture_default_str();
  app.add_option("--q", problem.q, "blockq, mixed: exponent > 1")->capture_default_str();
  app.add_option("--epsilon", problem.epsilon, "epsilon_insensitive: tube; huber: bend")->capture_default_str();
  app.add_option("--quantile", problem.quantile, "quantile loss: which one")->capture_default_str();
  app.add_flag("--no-intercept", options.no_intercept, "leave out the intercept b");
  app.add_option("--tol", options.tol, "relative duality gap to reach")->capture_default_str();
  app.add_option("--max-iter", options.max_iter, "outer iterations at most")->capture_default_str();
  app.add_option("--solver", options.solver, "auto, spicy or onestep")->capture_default_str();
  app.add_option("--threads", options.threads, "threads (0: all cores)")->capture_default_str();
}

void add_output_options(CLI::App& app, OutputOptions& options) {
  app.add_option("--model", options.model, "write the model to this .safetensors file");
  app.add_option("--certificate", options.certificate, "write the proof as JSON");
  app.add_option("--history", options.history, "write one CSV row an outer iteration");
  app.add_flag("--json", options.json, "print one JSON object instead of text");
  app.add_flag("--quiet", options.quiet, "print no progress and no summary");
}

TrainingPlan make_plan(const TrainingOptions& options) {
  TrainingPlan plan;
  plan.problem = options.problem;
  plan.problem.fit_intercept = !options.no_intercept;
  plan.alpha = options.alpha;
  plan.settings.tol = options.tol;
  plan.settings.max_iter = options.max_iter;
  if (options.solver == "auto") plan.settings.solver = SolverKind::automatic;
  else if (options.solver == "spicy") plan.settings.solver = SolverKind::spicy;
  else if (options.solver == "onestep") plan.settings.solver = SolverKind::onestep;
  else throw InputError(fmt::format("solver '{}' is not known; choose auto, spicy or onestep", options.solver));
  if (options.threads < 0) throw InputError(fmt::format("threads is {}, but it must be 0 or more", options.threads));
  check(plan);
  return plan;
}

}  // namespace spicymkl::cli
