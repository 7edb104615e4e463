// Banks spread over the ranks of a team.
#include <algorithm>

#include "allotment.hpp"
#include "distributed_bank.hpp"
#include "kernel/tiles.hpp"
#include "make_message.hpp"

namespace spicymkl {

namespace {

class SpreadingMaker final : public BankMaker {
 public:
  SpreadingMaker(std::shared_ptr<Team> team, double least_entries)
      : team_(std::move(team)), least_entries_(least_entries) {}

  std::shared_ptr<const KernelBank> make(std::shared_ptr<const Samples> training,
                                         const std::vector<FittedKernel>& kernels, const BankPlan& guess,
                                         const BankOptions& options) const override {
    return spread(std::move(training), kernels, guess, {.exact = false, .work_bytes = 0, .bank = options});
  }

  std::shared_ptr<const KernelBank> make_exact(std::shared_ptr<const Samples> training,
                                               const std::vector<FittedKernel>& kernels, const BankOptions& options,
                                               double work_bytes) const override {
    BankPlan plan;
    plan.n_samples = training->n_rows();
    for (const FittedKernel& kernel : kernels)
      plan.kernels.push_back({.n_columns = std::ssize(kernel.spec().columns),
                              .n_raw = kernel.has_features() ? kernel.features().n_raw() : 0});
    const std::vector<Index> family = families_of(kernels);
    for (std::size_t m = 0; m < kernels.size(); ++m) plan.kernels[m].family = family[m];
    return spread(std::move(training), kernels, plan, {.exact = true, .work_bytes = work_bytes, .bank = options});
  }

  int n_processes() const override { return team_->size(); }
  double default_memory() const override { return team_->free_memory(); }

 private:
  std::shared_ptr<const KernelBank> spread(std::shared_ptr<const Samples> training,
                                           const std::vector<FittedKernel>& kernels, const BankPlan& plan,
                                           const PartOptions& options) const;

  std::shared_ptr<Team> team_;
  double least_entries_;
};

/// Kernels that no message can hold.
std::vector<bool> only_here(const std::vector<FittedKernel>& kernels) {
  std::vector<bool> pinned;
  for (const FittedKernel& kernel : kernels) pinned.push_back(kernel.spec().own_type != nullptr);
  return pinned;
}

std::shared_ptr<const KernelBank> SpreadingMaker::spread(std::shared_ptr<const Samples> training,
                                                         const std::vector<FittedKernel>& kernels, const BankPlan& plan,
                                                         const PartOptions& options) const {
  Spread spread;
  spread.team = team_;
  spread.least_entries = least_entries_;
  spread.number = std::make_shared<RemoteNumber>(team_);
  spread.rank_of = allot(plan, only_here(kernels), team_->size());
  spread.samples = team_->office().known(training);
  const bool known = spread.samples != nullptr;
  if (!known) spread.samples = std::make_shared<RemoteNumber>(team_);
  const MakeOrder order{spread.number->number(), kernels, plan.kernels, spread.rank_of, options};
  Writer body;
  body.put(spread.samples->number());
  body.put(known);
  if (!known) put(*training, body);
  put(order, body);
  const std::vector<Answer> described =
      team_->office().perform(Action::make, body.bytes(), options.exact ? Watch() : options.bank.watch, [&] {
        MakeTask task = make_task_of(order, 0);
        if (!options.exact)
          spread.subset_bytes = plan_bank(plan.n_samples, task.outlines, alone(options.bank)).subset_bytes;
        spread.mine = make_part(training, task.kernels, std::move(task.outlines), std::move(task.places), task.options);
        return describe(spread.mine);
      });
  team_->office().remember(training, spread.samples);
  BankShape shape{training->n_rows(), std::ssize(kernels), options.bank.threads, options.bank.watch,
                  options.exact ? options.work_bytes : spread.subset_bytes};
  shape.one_at_a_time = true;
  Recipe recipe{std::move(training), std::make_shared<const std::vector<FittedKernel>>(kernels), {}};
  return std::make_shared<DistributedBank>(std::move(shape), std::move(spread), std::move(recipe), described);
}

}  // namespace

std::shared_ptr<const BankMaker> spread_over(std::shared_ptr<Team> team, double least_entries) {
  if (team->size() == 1) return nullptr;
  return std::make_shared<SpreadingMaker>(std::move(team), least_entries);
}

}  // namespace spicymkl
