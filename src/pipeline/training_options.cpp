#include "training_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/named_table.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/device/device.hpp"

namespace spicymkl {

namespace {

std::vector<std::string> losses_and_auto() {
  std::vector<std::string> list = names_of(losses_to_choose());
  list.insert(list.begin(), "auto");
  return list;
}

/// "of elasticnet, mixed: 1 is block1": whose parameter it is, and what.
template <class Type>
std::string help_of(const char* parameter, const std::vector<Type>& types, const char* what) {
  return fmt::format("of {}: {}", fmt::join(names_with(types, parameter), ", "), what);
}

OptionTable<ProblemOptions> make_problem_options() {
  using O = ProblemOptions;
  return {
      {"task",
       &O::task,
       "what the target holds (auto asks where it is open)",
       {"auto", "classification", "regression"},
       true},
      {"loss", &O::loss,
       fmt::format("loss (auto: {} or {}, by the target)", default_loss(LabelKind::two_classes).name,
                   default_loss(LabelKind::real).name),
       losses_and_auto()},
      {"multi_class",
       &O::multi_class,
       "more than two classes: joint, one weight per kernel, or each against the rest (auto: joint where the loss can)",
       {"auto", "joint", "ovr"},
       true},
      {"multi_output",
       &O::multi_output,
       "several targets: joint, one weight per kernel, or each with kernels of its own",
       {"joint", "each"},
       true},
      {"penalty", &O::penalty, "penalty (block1 selects few kernels)", names_of(regularizer_types())},
      {"alpha", &O::alpha, "strength of the penalty (the paper's C), or relative: 0.1max"},
      {"l1_ratio",
       &O::l1_ratio,
       help_of("l1_ratio", regularizer_types(), "1 is block1 or blockq, 0 is uniform"),
       {},
       true},
      {"q", &O::q, help_of("q", regularizer_types(), "exponent > 1"), {}, true},
      {"epsilon", &O::epsilon, help_of("epsilon", loss_types(), "half-width of the tube; where it bends"), {}, true},
      {"quantile", &O::quantile, help_of("quantile", loss_types(), "which quantile to estimate"), {}, true},
      {"fit_intercept", &O::fit_intercept, "learn an intercept b", {}, true, "no_intercept"},
      {"tol", &O::tol, "relative duality gap to reach"},
      {"max_iter", &O::max_iter, "outer iterations at most", {}, true},
      {"max_seconds", &O::max_seconds, "seconds for the whole command, from its start (0: no limit)", {}, true},
      {"solver", &O::solver,
       fmt::format("method (auto: the quickest of ours; spicy: the paper's loop{})",
                   std::ranges::count(solver_names(), "silp") == 0
                       ? ""
                       : "; silp and after it: classical ones, for hinge with block1"),
       solver_names(), true},
      {"threads", &O::threads, "threads (0: all cores)", {}, true},
  };
}

OptionTable<KernelOptions> make_kernel_options() {
  using O = KernelOptions;
  return {
      {"kernels", &O::kernels, "auto (or auto:columns, auto:joint), paper, random:M, or a JSON list"},
      {"groups", &O::groups, "column groups, each with kernels of its own: .json or .gmt", {}, true},
      {"impute", &O::impute, "how missing cells are filled in", {"median", "mean"}, true},
      {"missing_view",
       &O::missing_view,
       "samples that one of several tables lacks (zero: its kernels are 0 there)",
       {"error", "drop", "zero"},
       true},
      {"standardize", &O::standardize, "give columns mean 0 and deviation 1", {}, true, "no_standardize"},
      {"seed", &O::seed, "seed of whatever is random", {}, true},
      {"features",
       &O::features,
       "kernels by features: none, auto (where rows are many), nystrom:R, fourier:R",
       {},
       true},
      {"memory", &O::memory, "for kernels, such as 8G or 500M (default: half of what is free)", {}, true},
      {"device",
       &O::device,
       "where kernels are kept and systems are solved (auto: a GPU where there is one)",
       {"cpu", "cuda", "auto"},
       true},
  };
}

}  // namespace

std::vector<LossType> losses_to_choose() {
  std::vector<LossType> types = loss_types();
  std::erase_if(types, [](const LossType& type) { return type.labels == LabelKind::several_classes; });
  return types;
}

const OptionTable<ProblemOptions>& problem_option_table() {
  static const auto table = make_problem_options();
  return table;
}

const OptionTable<KernelOptions>& kernel_option_table() {
  static const auto table = make_kernel_options();
  return table;
}

TrainingPlan make_plan(const ProblemOptions& options) {
  TrainingPlan plan;
  check_task(parse_task(options.task), options.loss);
  plan.multi_class = parse_multi_class(options.multi_class);
  check_multi_class(plan.multi_class, options.loss);
  plan.multi_output = parse_multi_output(options.multi_output);
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
  choose_solver(options.solver, plan.settings);
  check_threads(options.threads);
  check(plan);
  return plan;
}

void check_threads(int threads) {
  constexpr int kMost = 4096;
  if (threads < 0) throw InputError(fmt::format("threads is {}, but it must be 0 (all cores) or more", threads));
  if (threads > kMost)
    throw InputError(fmt::format("threads is {}, but it must be at most {}; 0 takes all cores", threads, kMost));
}

TablePlan make_table_plan(const KernelOptions& options, int threads) {
  TablePlan plan;
  if (!options.impute.empty()) plan.impute = parse_impute_method(options.impute);
  plan.kernels = {options.kernels, options.groups, options.standardize, options.seed,
                  parse_feature_choice(options.features)};
  plan.memory = parse_bytes(options.memory);
  check_device_name(options.device);
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
