#include "allotment.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/machine_speed.hpp"

namespace spicymkl {

namespace {

constexpr double kReadings = 5;  // of every kernel, in all passes together
constexpr Index kShare = 8;      // a rank has so many groups at least, where there are enough kernels: they even out

/// Kernels that go to one rank together.
struct Group {
  std::vector<std::size_t> kernels;
  double cost = 0;
};

/// Nanoseconds to compute and read the kernels of a group, which have one base.
double cost_of(const BankPlan& plan, const Group& group) {
  const auto n = static_cast<double>(plan.n_samples);
  double cost = 0;
  bool based = false;
  for (const std::size_t m : group.kernels) {
    const KernelOutline& kernel = plan.kernels[m];
    const auto rank = static_cast<double>(kernel.rank), columns = static_cast<double>(kernel.n_columns);
    if (kernel.n_raw > 0) {
      cost += kReadings * n * static_cast<double>(kernel.n_raw) * (entry_cost(columns) + kFactorReading);
    } else if (kernel.rank > 0) {
      cost += n * rank * (entry_cost(columns) + kFactorEntry * rank / 2 + kReadings * kFactorReading);
    } else {
      cost += n * n / 2 * (kMapping + kReadings * kDenseReading);
      if (!based) cost += n * n / 2 * kBaseColumn * columns;
      based = true;
    }
  }
  return cost;
}

std::vector<Group> groups_of(const BankPlan& plan, const std::vector<bool>& pinned, int n_ranks) {
  const auto most = static_cast<std::size_t>(std::max<Index>(1, std::ssize(plan.kernels) / (kShare * n_ranks)));
  std::vector<Group> groups;
  std::map<Index, std::size_t> open;  // of each family, the group that is being filled
  for (std::size_t m = 0; m < plan.kernels.size(); ++m) {
    if (pinned[m]) continue;
    const auto [place, fresh] = open.try_emplace(plan.kernels[m].family, groups.size());
    if (!fresh && groups[place->second].kernels.size() >= most) place->second = groups.size();
    if (place->second == groups.size()) groups.emplace_back();
    groups[place->second].kernels.push_back(m);
  }
  for (Group& group : groups) group.cost = cost_of(plan, group);
  return groups;
}

}  // namespace

std::vector<int> allot(const BankPlan& plan, const std::vector<bool>& pinned, int n_ranks) {
  std::vector<Group> groups = groups_of(plan, pinned, n_ranks);
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.cost > b.cost; });
  std::vector<int> rank_of(plan.kernels.size(), 0);
  std::vector<double> load(n_ranks, 0);
  Group here;
  for (std::size_t m = 0; m < pinned.size(); ++m)
    if (pinned[m]) here.kernels.push_back(m);
  load[0] = cost_of(plan, here);
  for (const Group& group : groups) {  // the largest first, each to the rank that has least to do
    const auto least = std::min_element(load.begin(), load.end());
    *least += group.cost;
    for (const std::size_t m : group.kernels) rank_of[m] = static_cast<int>(least - load.begin());
  }
  return rank_of;
}

}  // namespace spicymkl
