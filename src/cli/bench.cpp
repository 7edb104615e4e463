#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "bench_table.hpp"
#include "commands.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/core/blas.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/stopwatch.hpp"
#include "spicymkl/data/generators.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "spicymkl/kernel/standardizer.hpp"
#include "spicymkl/solver/solve.hpp"
#include "spicymkl/version.hpp"

namespace spicymkl::cli {

namespace {

struct BenchCommand {
  TableInput table;
  std::string data = "ringnorm";
  std::vector<Index> samples = {200, 1000};
  std::vector<Index> kernels = {1000, 20};
  std::vector<double> tolerances = {1e-2, 1e-6};
  std::uint64_t seed = 1;
  int threads = 0;
  bool json = false;
};

struct Workload {
  std::shared_ptr<const KernelBank> bank;
  Vector labels;
};

/// Random-subset Gaussians of unit trace as dense matrices in memory.
Workload make_workload(const BenchCommand& command, Index n_samples, Index n_kernels) {
  GeneratedData data = generate_data(command.data, n_samples, command.seed);
  auto samples = std::make_shared<Samples>();
  samples->columns = data.columns;
  samples->values = std::move(data.values);
  Standardizer::fit(*samples).apply(*samples);
  std::vector<FittedKernel> kernels;
  for (const KernelSpec& spec : random_kernels(*samples, n_kernels, command.seed))
    kernels.push_back(FittedKernel::fit(spec, *samples, command.threads));
  return {make_dense_bank(*samples, kernels, command.threads), data.labels};
}

/// The unit U: one pass of ρᵀK_mρ over all kernels and one Cholesky factorisation, the best of three.
double measure_unit(const Workload& workload) {
  const KernelBank& bank = *workload.bank;
  double best = HUGE_VAL;
  Vector forms(bank.n_kernels());
  for (int repetition = 0; repetition < 3; ++repetition) {
    Matrix matrix = Matrix::Identity(bank.n_samples(), bank.n_samples());
    const Stopwatch watch;
    bank.quadratic_forms(all_kernels(bank.n_kernels()), workload.labels, forms);
    if (!blas::cholesky(matrix, bank.threads())) return best;
    best = std::min(best, watch.seconds());
  }
  return best;
}

nlohmann::ordered_json measure(const Workload& workload, const std::string& loss, const std::string& penalty,
                               double alpha, double tol) {
  const Problem problem(workload.bank, workload.labels, make_loss(loss), make_regularizer(penalty, {.alpha = alpha}));
  const Result result = solve(problem, {.tol = tol});
  return {{"loss", loss},
          {"penalty", penalty},
          {"alpha", alpha},
          {"tol", tol},
          {"status", to_string(result.status)},
          {"seconds", result.timers.total},
          {"newton_steps", result.newton_steps},
          {"n_active", result.expansion.kernels.size()},
          {"relative_gap", result.certificate.relative_gap}};
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

nlohmann::ordered_json machine_data(int threads) {
  return {{"version", kVersion},
          {"processor", system_value("/proc/cpuinfo", "model name")},
          {"cores", available_threads()},
          {"threads", resolve_threads(threads)},
          {"memory", system_value("/proc/meminfo", "MemTotal")},
          {"compiler", __VERSION__}};
}

/// The machine, first thing of the text.
void print_machine(const BenchCommand& command) {
  const auto machine = machine_data(command.threads);
  if (!command.json)
    fmt::print("spicymkl {}, {}, {} of {} cores, {}\n", kVersion, machine["processor"].get<std::string>(),
               machine["threads"].get<int>(), machine["cores"].get<int>(), machine["memory"].get<std::string>());
}

void print_json(const BenchCommand& command, nlohmann::ordered_json rows) {
  if (command.json)
    fmt::print("{}\n",
               nlohmann::ordered_json{{"machine", machine_data(command.threads)}, {"rows", std::move(rows)}}.dump(1));
}

int run_on_table(const BenchCommand& command) {
  print_machine(command);
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const double tol : command.tolerances)
    for (auto& row : bench_table(command.table, tol, command.threads, command.json)) all.push_back(std::move(row));
  print_json(command, std::move(all));
  return 0;
}

int run(const BenchCommand& command) {
  if (!command.table.path.empty()) return run_on_table(command);
  print_machine(command);
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t w = 0; w < std::min(command.samples.size(), command.kernels.size()); ++w) {
    const Workload workload = make_workload(command, command.samples[w], command.kernels[w]);
    const double unit = measure_unit(workload);
    if (!command.json)
      fmt::print("{} samples, {} kernels, {} threads: U = {:.4f} s\n", command.samples[w], command.kernels[w],
                 workload.bank->threads(), unit);
    for (const char* penalty : {"block1", "elasticnet"})
      for (const char* loss : {"logistic", "hinge"})
        for (const double tol : command.tolerances)
          for (const double alpha : {0.5, 0.05, 0.005}) {
            auto row = measure(workload, loss, penalty, alpha, tol);
            row["n_samples"] = command.samples[w];
            row["n_kernels"] = command.kernels[w];
            row["unit"] = unit;
            row["units"] = row["seconds"].get<double>() / unit;
            if (!command.json)
              fmt::print(
                  "  {:10} {:8} tol {:<6g} alpha {:<6g} {:9.4f} s = {:7.2f} U  {:4} Newton steps, {:4} active, {}\n",
                  penalty, loss, tol, alpha, row["seconds"].get<double>(), row["units"].get<double>(),
                  row["newton_steps"].get<int>(), row["n_active"].get<Index>(), row["status"].get<std::string>());
            all.push_back(std::move(row));
          }
  }
  print_json(command, std::move(all));
  return 0;
}

}  // namespace

void add_bench(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<BenchCommand>();
  CLI::App* app = program.add_subcommand("bench", "the yardstick U and training times on this machine");
  app->footer(
      "U: one pass of the quadratic forms over all kernels plus one Cholesky factorisation.\n"
      "Example: spicymkl bench --samples 200 3000 --kernels 6000 20");
  app->add_option("--table", command->table.path, "time the paper's kernels on this table instead");
  app->add_option("--target", command->table.target, "its column to learn");
  app->add_option("--data", command->data, "one of " + generator_names())->capture_default_str();
  app->add_option("--samples", command->samples, "sample sizes, one a workload")->capture_default_str();
  app->add_option("--kernels", command->kernels, "numbers of kernels, one a workload")->capture_default_str();
  app->add_option("--tol", command->tolerances, "relative duality gaps")->capture_default_str();
  app->add_option("--seed", command->seed, "seed")->capture_default_str();
  app->add_option("--threads", command->threads, "threads (0: all cores)")->capture_default_str();
  app->add_flag("--json", command->json, "print one JSON object instead of text");
  app->callback([&chosen, command] { chosen = [command] { return run(*command); }; });
}

}  // namespace spicymkl::cli
