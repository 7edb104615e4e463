#include "bench_table.hpp"

#include <fmt/format.h>

#include "core/stopwatch.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/pipeline/training_input.hpp"
#include "spicymkl/solver/solve.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

/// One way of holding the kernels, and what it cost to make.
struct Contestant {
  std::string name;
  std::shared_ptr<const KernelBank> bank, exact;
  double seconds = 0;

  double bytes() const {
    double sum = 0;
    for (const BankUse& use : bank->use()) sum += use.bytes;
    return sum;
  }
  Result train(const Problem& problem, double tol) const {
    const Problem mine = problem.with(bank, problem.shared_regularizer());
    return exact ? solve_on_exact(mine, exact, {.tol = tol}) : solve(mine, {.tol = tol});
  }
};

Contestant chosen_bank(const std::shared_ptr<const Samples>& samples, const std::vector<FittedKernel>& kernels,
                       int threads) {
  const Stopwatch watch;
  auto bank = make_bank(samples, kernels, {.threads = threads});
  std::shared_ptr<const KernelBank> exact = bank->exact() ? nullptr : make_exact_bank(samples, kernels, threads);
  return {"chosen", std::move(bank), std::move(exact), watch.seconds()};
}

Contestant dense_bank(const Samples& samples, const std::vector<FittedKernel>& kernels, int threads) {
  const Stopwatch watch;
  auto bank = make_dense_bank(samples, kernels, threads);
  return {"dense", std::move(bank), nullptr, watch.seconds()};
}

}  // namespace

Json bench_table(const TableInput& input, double tol, int threads, bool silent) {
  const Stopwatch watch;
  Table table = read_table(input.data.front(), table_options(input, threads));
  const Target target = make_target(table, "auto", Task::automatic, MultiClass::ovr);
  const TrainingTable training = make_training_table(std::move(table), std::nullopt, {.spec = "paper"}, threads);
  const double seconds_reading = watch.seconds();
  const std::vector<Contestant> contestants = {chosen_bank(training.samples, training.kernels, threads),
                                               dense_bank(*training.samples, training.kernels, threads)};
  Json all = Json::array();
  for (const char* loss : {"logistic", "hinge"})
    for (const double alpha : {0.5, 0.05, 0.005})
      for (const Contestant& contestant : contestants) {
        ProblemDescription description;
        description.loss = loss;
        description.alpha = alpha;
        const Problem problem = make_problem(contestant.bank, target, 0, description, {});
        const Result result = contestant.train(problem, tol);
        const double total = seconds_reading + contestant.seconds + result.timers.total;
        all.push_back({{"loss", loss},
                       {"alpha", alpha},
                       {"tol", tol},
                       {"bank", contestant.name},
                       {"bytes", contestant.bytes()},
                       {"seconds_kernels", contestant.seconds},
                       {"seconds", result.timers.total},
                       {"seconds_from_file", total},
                       {"primal", result.certificate.primal},
                       {"relative_gap", result.certificate.relative_gap}});
        if (!silent)
          fmt::print(
              "  {:8} alpha {:<6g} {:6} kernels {:8.4f} s, {:7.1f} MB; training {:8.4f} s; from the file {:8.4f} s; "
              "objective {:.9g}, gap {:.1e}\n",
              loss, alpha, contestant.name, contestant.seconds, 1e-6 * contestant.bytes(), result.timers.total, total,
              result.certificate.primal, result.certificate.relative_gap);
      }
  return all;
}

}  // namespace spicymkl::cli
