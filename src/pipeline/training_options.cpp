#include "spicymkl/pipeline/training_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "spicymkl/core/closest.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

std::vector<std::string> split_names(const std::string& names) {
  std::vector<std::string> list;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(", ", begin), names.size());
    list.push_back(names.substr(begin, end - begin));
    begin = end + 2;
  }
  return list;
}

std::vector<std::string> losses_and_auto() {
  std::vector<std::string> list = split_names(loss_names());
  list.insert(list.begin(), "auto");
  return list;
}

std::vector<std::string> all_solvers() {
  std::vector<std::string> list;
  for (const auto& [name, kind] : solver_names()) list.emplace_back(name);
  return list;
}

OptionTable<ProblemOptions> make_problem_options() {
  using O = ProblemOptions;
  return {
      {"task",
       &O::task,
       "what the target holds; auto asks where it is open",
       {"auto", "classification", "regression"},
       true},
      {"loss", &O::loss, "auto is logistic for classes, squared for numbers", losses_and_auto()},
      {"penalty", &O::penalty, "block1 selects few kernels", split_names(regularizer_names())},
      {"alpha", &O::alpha, "strength of the penalty (the paper's C), or relative: 0.1max"},
      {"l1_ratio", &O::l1_ratio, "elasticnet, mixed: 1 is block1, 0 is uniform", {}, true},
      {"q", &O::q, "blockq, mixed: exponent > 1", {}, true},
      {"epsilon", &O::epsilon, "epsilon_insensitive: tube; huber: bend", {}, true},
      {"quantile", &O::quantile, "quantile loss: which one", {}, true},
      {"fit_intercept", &O::fit_intercept, "learn an intercept b", {}, true, "no_intercept"},
      {"tol", &O::tol, "relative duality gap to reach"},
      {"max_iter", &O::max_iter, "outer iterations at most", {}, true},
      {"max_seconds", &O::max_seconds, "seconds for the whole command, from its start (0: no limit)", {}, true},
      {"solver", &O::solver,
       "auto takes the quickest of ours; spicy is the paper's loop; from silp on: classical methods for hinge, block1",
       all_solvers(), true},
      {"threads", &O::threads, "threads (0: all cores)", {}, true},
  };
}

OptionTable<KernelOptions> make_kernel_options() {
  using O = KernelOptions;
  return {
      {"kernels", &O::kernels, "auto, paper, random:M, or a JSON list"},
      {"groups", &O::groups, "column groups, .json or .gmt: kernels for each", {}, true},
      {"impute", &O::impute, "fill missing cells in by", {"median", "mean"}, true},
      {"standardize", &O::standardize, "give columns mean 0 and deviation 1", {}, true, "no_standardize"},
      {"seed", &O::seed, "seed of whatever is random", {}, true},
      {"memory", &O::memory, "for kernels, such as 8G or 500M (default: half of what is free)", {}, true},
  };
}

}  // namespace

const OptionTable<ProblemOptions>& problem_option_table() {
  static const auto table = make_problem_options();
  return table;
}

const OptionTable<KernelOptions>& kernel_option_table() {
  static const auto table = make_kernel_options();
  return table;
}

SolverKind parse_solver(const std::string& name) {
  for (const auto& [known, kind] : solver_names())
    if (name == known) return kind;
  throw InputError(fmt::format("solver '{}' is not known{}; choose one of {}", name, did_you_mean(name, all_solvers()),
                               fmt::join(all_solvers(), ", ")));
}

TrainingPlan make_plan(const ProblemOptions& options) {
  TrainingPlan plan;
  check_task(parse_task(options.task), options.loss);
  plan.problem = {.loss = options.loss,
                  .penalty = options.penalty,
                  .alpha = 0,
                  .l1_ratio = options.l1_ratio,
                  .q = options.q,
                  .epsilon = options.epsilon,
                  .quantile = options.quantile,
                  .fit_intercept = options.fit_intercept};
  plan.alpha = options.alpha;
  plan.settings.tol = options.tol;
  plan.settings.max_iter = options.max_iter;
  plan.settings.max_seconds = options.max_seconds;
  plan.settings.solver = parse_solver(options.solver);
  check_threads(options.threads);
  check(plan);
  return plan;
}

void check_threads(int threads) {
  if (threads < 0) throw InputError(fmt::format("threads is {}, but it must be 0 (all cores) or more", threads));
}

TablePlan make_table_plan(const KernelOptions& options, int threads) {
  TablePlan plan;
  if (!options.impute.empty()) plan.impute = parse_impute_method(options.impute);
  plan.kernels = {options.kernels, options.groups, options.standardize, options.seed};
  plan.memory = parse_bytes(options.memory);
  plan.threads = threads;
  return plan;
}

double parse_bytes(const std::string& text) {
  if (text.empty()) return 0;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (unit.ends_with("B")) unit.pop_back();
  if (unit.ends_with("I")) unit.pop_back();
  const std::string units = "KMGT";
  const std::size_t power = unit.empty() ? 0 : units.find(unit) + 1;
  const bool known = unit.empty() || (unit.size() == 1 && power > 0);
  if (error != std::errc() || !known || !(value > 0) || !std::isfinite(value))
    throw InputError(
        fmt::format("memory is '{}', but it must be a number of bytes above 0, such as 8G, 500M or 1000000", text));
  return value * std::pow(1024.0, static_cast<double>(power));
}

}  // namespace spicymkl
