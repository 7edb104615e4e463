#include "row_shuffle.hpp"

#include <map>
#include <numeric>

#include "core/random_draws.hpp"

namespace spicymkl {

namespace {

std::vector<std::vector<Index>> members(const RowGroups& groups) {
  std::vector<std::vector<Index>> rows(groups.count);
  for (Index row = 0; row < std::ssize(groups.codes); ++row) rows[groups.codes[row]].push_back(row);
  return rows;
}

/// Lets the k-th row of `places` take its place from the k-th of them in another order.
void shuffle_among(const std::vector<Index>& places, RandomDraws& draws, std::vector<Index>& from) {
  std::vector<Index> order = places;
  draws.shuffle(order);
  for (std::size_t k = 0; k < places.size(); ++k) from[places[k]] = order[k];
}

void shuffle_groups(const std::vector<std::vector<Index>>& rows, RandomDraws& draws, std::vector<Index>& from) {
  std::map<std::size_t, std::vector<Index>> by_size;
  for (std::size_t group = 0; group < rows.size(); ++group) by_size[rows[group].size()].push_back(group);
  for (const auto& [size, groups] : by_size) {
    std::vector<Index> order = groups;
    draws.shuffle(order);
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t k = 0; k < size; ++k) from[rows[groups[g]][k]] = rows[order[g]][k];
  }
}

bool equal_targets(const Target& target, Index a, Index b) {
  if (!target.classes.empty()) return target.codes[a] == target.codes[b];
  return target.numbers(a) == target.numbers(b) && (!target.survival() || target.events(a) == target.events(b));
}

}  // namespace

Exchange exchange_of(const Target& target, const RowGroups& groups) {
  if (groups.empty()) return Exchange::rows;
  for (const std::vector<Index>& rows : members(groups))
    for (const Index row : rows)
      if (!equal_targets(target, row, rows.front())) return Exchange::within_groups;
  return Exchange::whole_groups;
}

std::vector<Index> shuffled_rows(Index n_rows, const RowGroups& groups, Exchange exchange, std::uint64_t seed) {
  std::vector<Index> from(n_rows);
  std::iota(from.begin(), from.end(), 0);
  RandomDraws draws(seed);
  if (exchange == Exchange::rows) draws.shuffle(from);
  else if (exchange == Exchange::whole_groups) shuffle_groups(members(groups), draws, from);
  else
    for (const std::vector<Index>& rows : members(groups)) shuffle_among(rows, draws, from);
  return from;
}

}  // namespace spicymkl
