#include "spicymkl/selection/survival_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace spicymkl {

namespace {

/// How many of the rows that were added have a rank below a given one (a binary indexed tree).
class RankCounter {
 public:
  explicit RankCounter(Index n_ranks) : tree_(n_ranks + 1, 0) {}

  void add(Index rank) {
    ++total_;
    for (Index k = rank + 1; k < std::ssize(tree_); k += k & -k) ++tree_[k];
  }
  Index below(Index rank) const {
    Index sum = 0;
    for (Index k = rank; k > 0; k -= k & -k) sum += tree_[k];
    return sum;
  }
  Index total() const { return total_; }

 private:
  std::vector<Index> tree_;
  Index total_ = 0;
};

/// Places of `values` among the different ones, from 0 on.
std::vector<Index> ranks_of(ConstVectorRef values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<Index> ranks;
  for (const double value : values) ranks.push_back(std::ranges::lower_bound(sorted, value) - sorted.begin());
  return ranks;
}

/// Rows of equal times, one group after the other.
using TimeGroups = std::vector<std::vector<Index>>;

TimeGroups groups_by_time(ConstVectorRef times) {
  const std::vector<Index> ranks = ranks_of(times);
  TimeGroups groups(ranks.empty() ? 0 : *std::ranges::max_element(ranks) + 1);
  for (Index i = 0; i < std::ssize(ranks); ++i) groups[ranks[i]].push_back(i);
  return groups;
}

}  // namespace

std::optional<double> Concordance::value() const {
  const double all = pairs.sum();  // each pair twice
  if (all == 0) return std::nullopt;
  return right.sum() / all;
}

std::optional<double> Concordance::error() const {
  const std::optional<double> share = value();
  if (!share) return std::nullopt;
  return (right - *share * pairs).norm() / (pairs.sum() / 2);
}

Concordance concordance(ConstVectorRef times, ConstVectorRef events, ConstVectorRef risks) {
  const Index n = times.size();
  const std::vector<Index> ranks = ranks_of(risks);
  const TimeGroups groups = groups_by_time(times);
  Concordance found{Vector::Zero(n), Vector::Zero(n)};
  const auto add = [&](Index row, const RankCounter& others, bool others_should_be_below) {
    const Index below = others.below(ranks[row]), equal = others.below(ranks[row] + 1) - below;
    const Index right = others_should_be_below ? below : others.total() - below - equal;
    found.pairs(row) += static_cast<double>(others.total());
    found.right(row) += static_cast<double>(right) + static_cast<double>(equal) / 2;
  };
  RankCounter outlived(n);  // who is known to have outlived an event
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    for (const Index row : *group)
      if (events(row) == 0) outlived.add(ranks[row]);
    for (const Index row : *group)
      if (events(row) > 0) add(row, outlived, true);
    for (const Index row : *group)
      if (events(row) > 0) outlived.add(ranks[row]);
  }
  RankCounter before(n);  // who had the event before
  for (const std::vector<Index>& group : groups) {
    for (const Index row : group)
      if (events(row) > 0) add(row, before, false);
    for (const Index row : group)
      if (events(row) > 0) before.add(ranks[row]);
    for (const Index row : group)
      if (events(row) == 0) add(row, before, false);
  }
  return found;
}

SurvivalCurve kaplan_meier(ConstVectorRef times, ConstVectorRef events) {
  SurvivalCurve curve;
  curve.n_rows = times.size();
  auto at_risk = static_cast<double>(times.size());
  double share = 1;
  for (const std::vector<Index>& group : groups_by_time(times)) {
    double n_events = 0;
    for (const Index row : group) n_events += events(row);
    curve.last_time = times(group.front());
    if (n_events > 0) {
      share *= 1 - n_events / at_risk;
      curve.times.push_back(curve.last_time);
      curve.share.push_back(share);
      curve.n_events += static_cast<Index>(n_events);
    }
    at_risk -= static_cast<double>(group.size());
  }
  return curve;
}

std::vector<SurvivalCurve> curves_by_risk(ConstVectorRef times, ConstVectorRef events, ConstVectorRef risks,
                                          Index count) {
  std::vector<double> sorted(risks.begin(), risks.end());
  std::ranges::sort(sorted);
  const auto n = std::ssize(sorted);
  std::vector<std::vector<Index>> members(count);
  for (Index i = 0; i < n; ++i) {
    const auto first = std::ranges::lower_bound(sorted, risks(i)) - sorted.begin();
    members[std::min(count * first / n, count - 1)].push_back(i);
  }
  std::vector<SurvivalCurve> curves;
  for (const std::vector<Index>& rows : members)
    if (!rows.empty()) curves.push_back(kaplan_meier(Vector(times(rows)), Vector(events(rows))));
  return curves;
}

}  // namespace spicymkl
