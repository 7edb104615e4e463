// How missing cells are spread over sources and over what is learned. Where a source is missing more often for one
// class than for another, imputed values separate the classes, and the source looks important for that reason alone.
#pragma once

#include "spicymkl/kernel/groups.hpp"
#include "spicymkl/pipeline/target.hpp"

namespace spicymkl {

/// One source with missing cells.
struct SourceMissing {
  std::string name;
  Index n_columns = 0;
  Index n_missing = 0;              ///< cells
  double share = 0;                 ///< of all its cells
  std::vector<double> class_share;  ///< of its cells in the rows of each class; empty for numbers
  double correlation = 0;           ///< for numbers: of a row's missing share with its target; of several, the largest
  double p_value = 1;               ///< that missing cells are spread as evenly as chance would have it

  /// By more than chance, and by enough to matter: p < 0.01, and shares that differ by at least 5 % of the cells.
  bool is_uneven() const;
};

/// Sources are the groups; without groups the columns whose names differ in a last number behind _ . or - alone
/// (mrna_1, mrna_2, …), and every other column by itself. Those without missing cells are left out.
///
/// The test: with m_i the share of the source that row i lacks, X² = (N − 1)·SSB/SST of m over the classes, or
/// (N − 1)·r² with a target of numbers, is close to χ² with K − 1 degrees of freedom, or 1, when rows lack cells
/// whatever their target; of several targets the smallest p counts, times their number. For whole sources it is
/// Pearson's test of the table of classes × missing, up to (N − 1)/N.
std::vector<SourceMissing> missing_by_source(const Table& table, const Target& target,
                                             const std::vector<ColumnGroup>& groups);

/// The same of rows that a source lacks altogether, where columns came from several tables.
std::vector<SourceMissing> missing_views(const Views& views, const Target& target);

}  // namespace spicymkl
