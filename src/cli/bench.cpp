#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench_table.hpp"
#include "bench_workload.hpp"
#include "commands.hpp"
#include "core/stopwatch.hpp"
#include "data/generators.hpp"
#include "option_registry.hpp"
#include "option_rules.hpp"
#include "pipeline/training_options.hpp"
#include "selection/selection_options.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/selection/path.hpp"
#include "spicymkl/solver/registered_solver.hpp"
#include "spicymkl/solver/solve.hpp"
#include "spicymkl/version.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

struct BenchCommand {
  TableInput table;
  WorkloadSize size{.data = "ringnorm"};
  std::vector<Index> samples = {200, 1000};
  std::vector<Index> kernels = {1000, 20};
  std::vector<std::string> losses = {"logistic", "hinge"};
  std::vector<std::string> penalties = {"block1", "elasticnet"};
  std::vector<std::string> solvers = {"auto"};
  std::vector<double> alphas = {0.5, 0.05, 0.005};
  std::vector<double> tolerances = {1e-2, 1e-6};
  double cap = 60;
  int repeat = 1;
  std::string device = "cpu";
  Index path = 0;
  bool json = false;
  const CLI::App* app = nullptr;  ///< knows which options were given
};

/// One cell of a workload's table.
struct Case {
  std::string penalty, loss, solver;
  double alpha = 0, tol = 0;

  Problem problem(const BenchWorkload& workload) const {
    return {workload.bank, workload.labels, make_loss(loss), make_regularizer(penalty, {.alpha = alpha})};
  }
};

Settings settings_for(const std::string& solver, double tol) {
  Settings settings{.tol = tol};
  choose_solver(solver, settings);
  return settings;
}

/// The wrapper methods are for block1 with hinge alone.
std::vector<Case> cases_of(const BenchCommand& command) {
  std::vector<Case> cases;
  for (const std::string& penalty : command.penalties)
    for (const std::string& loss : command.losses)
      for (const double tol : command.tolerances)
        for (const double alpha : command.alphas)
          for (const std::string& solver : command.solvers)
            if (!settings_for(solver, tol).registered || (penalty == "block1" && loss == "hinge"))
              cases.push_back({penalty, loss, solver, alpha, tol});
  return cases;
}

/// "part of the samples 0.12 s (30 steps)", …
std::vector<std::string> stages_of(const Result& result) {
  std::vector<std::string> stages;
  for (const Stage& stage : result.stages)
    stages.push_back(fmt::format("{} {:.3f} s ({} steps)", stage.name, stage.seconds, stage.newton_steps));
  return stages;
}

Json measure(const BenchWorkload& workload, const Case& what, double cap) {
  Settings settings = settings_for(what.solver, what.tol);
  settings.max_seconds = cap;
  const Result result = solve_on_exact(what.problem(workload), workload.exact, settings);
  return {{"penalty", what.penalty},
          {"loss", what.loss},
          {"alpha", what.alpha},
          {"tol", what.tol},
          {"solver", what.solver},
          {"status", to_string(result.status)},
          {"seconds", result.timers.total},
          {"units", result.timers.total / workload.unit},
          {"newton_steps", result.newton_steps},
          {"seconds_newton", result.timers.newton},
          {"seconds_passes", result.timers.passes},
          {"seconds_certificate", result.timers.certificate},
          {"stages", stages_of(result)},
          {"n_active", result.expansion.kernels.size()},
          {"relative_gap", result.certificate.relative_gap}};
}

/// The quickest of some runs, with the seconds of all.
Json best_of(int runs, const BenchWorkload& workload, const Case& what, double cap) {
  Json best, seconds = Json::array();
  for (int run = 0; run < runs; ++run) {
    Json row = measure(workload, what, cap);
    seconds.push_back(row["seconds"]);
    if (best.is_null() || row["seconds"] < best["seconds"]) best = std::move(row);
  }
  best["seconds_of_runs"] = std::move(seconds);
  return best;
}

/// A path of decreasing strengths against one fit, from nothing, at its smallest.
Json measure_path(const BenchWorkload& workload, const Case& what, Index n_alphas) {
  const auto family = [&](double alpha) -> std::shared_ptr<const Regularizer> {
    return make_regularizer(what.penalty, {.alpha = alpha});
  };
  const PathSettings settings{.solver = settings_for(what.solver, what.tol)};
  const Stopwatch path_watch;
  const AlphaGrid grid = log_spaced_alphas(static_cast<int>(n_alphas), PathOptions{}.alpha_ratio);
  const Path path = solve_path(what.problem(workload), family, grid, settings, workload.exact);
  const double seconds_path = path_watch.seconds();
  Case last = what;
  last.alpha = path.points.back().alpha;
  std::vector<double> fits;  // the middle one of three counts: a single one is short
  for (int repetition = 0; repetition < 3; ++repetition) fits.push_back(measure(workload, last, 0)["seconds"]);
  std::sort(fits.begin(), fits.end());
  const auto converged = std::count_if(path.points.begin(), path.points.end(),
                                       [](const PathPoint& p) { return p.result.status == Status::converged; });
  return {{"penalty", what.penalty},  {"loss", what.loss},
          {"tol", what.tol},          {"solver", what.solver},
          {"n_alphas", n_alphas},     {"smallest_alpha", last.alpha},
          {"n_converged", converged}, {"seconds_path", seconds_path},
          {"seconds_fit", fits[1]},   {"ratio", seconds_path / fits[1]}};
}

/// The first value of `key` in a file of "key : value" lines of the kernel, empty where there is none.
std::string system_value(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return {};
}

Json machine_data(int threads) {
  return {{"version", kVersion},
          {"processor", system_value("/proc/cpuinfo", "model name")},
          {"cores", available_threads()},
          {"threads", resolve_threads(threads)},
          {"memory", system_value("/proc/meminfo", "MemTotal")},
          {"compiler", __VERSION__}};
}

/// The machine, first thing of the text.
void print_machine(const BenchCommand& command) {
  const auto machine = machine_data(command.size.threads);
  if (!command.json)
    fmt::print("spicymkl {}, {}, {} of {} cores, {}\n", kVersion, machine["processor"].get<std::string>(),
               machine["threads"].get<int>(), machine["cores"].get<int>(), machine["memory"].get<std::string>());
}

void print_json(const BenchCommand& command, Json rows) {
  if (command.json)
    fmt::print("{}\n", Json{{"machine", machine_data(command.size.threads)}, {"rows", std::move(rows)}}.dump(1));
}

int run_on_table(const BenchCommand& command) {
  print_machine(command);
  Json all = Json::array();
  for (const double tol : command.tolerances)
    for (auto& row : bench_table(command.table, tol, command.size.threads, command.json)) all.push_back(std::move(row));
  print_json(command, std::move(all));
  return 0;
}

void print_case(const Json& row) {
  fmt::print("  {:10} {:8} tol {:<6g} alpha {:<6g} {}{:9.4f} s = {:7.2f} U  {:4} {}, {:4} active, {}\n",
             row["penalty"].get<std::string>(), row["loss"].get<std::string>(), row["tol"].get<double>(),
             row["alpha"].get<double>(),
             row["solver"] == "auto" ? "" : fmt::format("{:10} ", row["solver"].get<std::string>()),
             row["seconds"].get<double>(), row["units"].get<double>(), row["newton_steps"].get<int>(),
             settings_for(row["solver"].get<std::string>(), row["tol"]).registered ? "SVMs" : "Newton steps",
             row["n_active"].get<Index>(), row["status"].get<std::string>());
}

void print_path(const Json& row) {
  fmt::print(
      "  {:10} {:8} tol {:<6g} a path of {} alphas, {} converged {:9.4f} s = {:.2f} fits at its smallest, {:.3g}\n",
      row["penalty"].get<std::string>(), row["loss"].get<std::string>(), row["tol"].get<double>(),
      row["n_alphas"].get<Index>(), row["n_converged"].get<Index>(), row["seconds_path"].get<double>(),
      row["ratio"].get<double>(), row["smallest_alpha"].get<double>());
}

/// All cases of one workload; every row is printed as it is known.
void run_workload(const BenchCommand& command, const WorkloadSize& size, Json& rows) {
  const BenchWorkload workload = make_workload(size);
  if (!command.json)
    fmt::print("{}, {} samples, {} kernels{}{}{}, {} threads: {:.2f} s to the bank, U = {:.4f} s\n", size.data,
               size.n_samples, size.n_kernels, size.single ? " in single precision" : "",
               size.rank > 0 ? fmt::format(" by {} features", size.rank) : "",
               size.device ? " on " + name_of(*size.device) : "", workload.bank->threads(), workload.seconds,
               workload.unit);
  const auto add = [&](Json row, void (*print)(const Json&)) {
    row["data"] = size.data;
    row["n_samples"] = size.n_samples;
    row["n_kernels"] = size.n_kernels;
    row["single"] = size.single;
    row["unit"] = workload.unit;
    row["pass"] = workload.pass;
    row["rank"] = size.rank;
    row["seconds_bank"] = workload.seconds;
    if (!command.json) print(row);
    std::fflush(stdout);
    rows.push_back(std::move(row));
  };
  for (const Case& what : cases_of(command)) {
    if (command.path == 0) add(best_of(command.repeat, workload, what, command.cap), print_case);
    else if (what.alpha == command.alphas.front()) add(measure_path(workload, what, command.path), print_path);
  }
}

std::vector<OptionRule> rules_of(const BenchCommand& command) {
  const bool table = command.table.given(), path = command.app->count("--path") > 0;
  return {{{"--target"}, table, "without --table"},
          {{"--data", "--samples", "--kernels", "--loss", "--penalty", "--solver", "--alpha", "--path", "--single",
            "--max-seconds", "--repeat", "--device", "--nystrom"},
           !table,
           "with --table, which always runs the same cases"},
          {{"--alpha", "--max-seconds", "--repeat"}, !path, "with --path, which has alphas of its own and no limit"}};
}

/// What is not known or out of range is refused before anything is made.
void check_workloads(const BenchCommand& command) {
  if (command.samples.size() != command.kernels.size())
    throw InputError(fmt::format("--samples has {} sizes and --kernels {}, but each workload takes one of both",
                                 command.samples.size(), command.kernels.size()));
  for (const Index count : command.samples) generate_data(command.size.data, std::min<Index>(count, 2), 0);
  for (const Index count : command.kernels)
    if (count < 1) throw InputError(fmt::format("--kernels has {}, but a workload needs at least 1", count));
  if (command.repeat < 1) throw InputError(fmt::format("--repeat is {}, but at least 1 run is needed", command.repeat));
  if (command.app->count("--nystrom") > 0 && command.size.rank < 1)
    throw InputError(fmt::format("--nystrom is {}, but a kernel has at least 1 feature", command.size.rank));
  if (command.size.rank > 0 && command.size.single)
    throw InputError("--single has no effect with --nystrom, whose features are in double precision");
  if (command.app->count("--path") > 0 && command.path < 1)
    throw InputError(fmt::format("--path is {}, but a path has at least 1 alpha", command.path));
  for (const std::string& loss : command.losses) make_loss(loss);
  for (const double alpha : command.alphas)
    for (const std::string& penalty : command.penalties) make_regularizer(penalty, {.alpha = alpha});
  if (cases_of(command).empty())
    throw InputError("nothing to run: the wrapper methods of --solver are for --penalty block1 with --loss hinge");
}

int run(const BenchCommand& command) {
  refuse_unused(*command.app, rules_of(command));
  check_threads(command.size.threads);
  for (const double tol : command.tolerances) check(Settings{.tol = tol, .max_seconds = command.cap});
  if (command.table.given()) return run_on_table(command);
  check_workloads(command);
  const std::shared_ptr<const Device> device = choose_device(command.device);
  print_machine(command);
  Json rows = Json::array();
  for (std::size_t w = 0; w < command.samples.size(); ++w) {
    WorkloadSize size = command.size;
    size.n_samples = command.samples[w];
    size.n_kernels = command.kernels[w];
    size.device = device;
    run_workload(command, size, rows);
  }
  print_json(command, std::move(rows));
  return 0;
}

}  // namespace

void add_bench(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<BenchCommand>();
  CLI::App* app = program.add_subcommand("bench", "the yardstick U and training times on this machine");
  app->footer(
      "U: one pass of the quadratic forms over all kernels plus one Cholesky factorisation.\n"
      "Example: spicymkl bench --samples 200 3000 --kernels 6000 20");
  app->add_option("--table", command->table.data, "time the paper's kernels on this table instead")->expected(1);
  app->add_option("--target", command->table.target, "its column to learn")->expected(1);
  app->add_option("--data", command->size.data, "one of " + generator_names())->capture_default_str();
  app->add_option("--samples", command->samples, "sample sizes, one per workload")->capture_default_str();
  app->add_option("--kernels", command->kernels, "numbers of kernels, one per workload")->capture_default_str();
  app->add_option("--loss", command->losses, "losses")->capture_default_str();
  app->add_option("--penalty", command->penalties, "penalties")->capture_default_str();
  app->add_option("--solver", command->solvers, "solvers; wrapper methods are for block1 with hinge")
      ->capture_default_str();
  app->add_option("--alpha", command->alphas, "strengths")->capture_default_str();
  app->add_option("--tol", command->tolerances, "relative duality gaps")->capture_default_str();
  app->add_option("--path", command->path, "time a path of so many strengths instead");
  app->add_flag("--single", command->size.single, "kernels in single precision");
  app->add_option("--nystrom", command->size.rank, "kernels by so many features instead");
  app->add_option("--device", command->device, "cpu, cuda or auto")->capture_default_str();
  app->add_option("--repeat", command->repeat, "runs of each case, of which the quickest counts")
      ->capture_default_str();
  app->add_option("--max-seconds", command->cap, "limit of one run")->capture_default_str();
  app->add_option("--seed", command->size.seed, "seed")->check(whole_number())->capture_default_str();
  app->add_option("--threads", command->size.threads, "threads (0: all cores)")->capture_default_str();
  app->add_flag("--json", command->json, "print one JSON object instead of text");
  command->app = app;
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
