// Orders of the rows that are as likely as the one they have, where nothing depends on what is shuffled.
#pragma once

#include "selection/group_folds.hpp"

namespace spicymkl {

/// Which rows may change places.
enum class Exchange {
  rows,           ///< any: there are no groups
  within_groups,  ///< those of one group: what differs between groups stays
  whole_groups    ///< groups of one size, as a whole: the target is the same within each group
};

Exchange exchange_of(const Target& target, const RowGroups& groups);

/// Of each row, the row that it takes its place from. `groups` are those of these rows.
std::vector<Index> shuffled_rows(Index n_rows, const RowGroups& groups, Exchange exchange, std::uint64_t seed);

}  // namespace spicymkl
