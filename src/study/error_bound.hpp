// How many of the selected are expected to be false, after Shah and Samworth, "Variable selection with error control:
// another look at stability selection", JRSS B 75 (2013).
#pragma once

#include <optional>
#include <string>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// What a number of resamplings selected, in all.
struct SelectionCount {
  double mean = 0;       ///< q: selected per half of the rows
  Index candidates = 0;  ///< p
  Index pairs = 0;       ///< B: pairs of halves
};

/// Bounds on E|S ∩ L|: how many are selected in at least the share `threshold` of the 2B halves (S) although a half
/// selects them no more often than one candidate in the mean, q/p of the time (L).
///
/// Theorem 1, without assumptions; the bound of Meinshausen and Bühlmann (2010): q²/((2τ − 1)p).
double bound_without_assumptions(const SelectionCount& count, double threshold);

/// Theorem 2, where the share of pairs that select a candidate of L in both halves has a unimodal distribution. None
/// where the theorem does not apply: q/p above 1/√3, or a threshold too close to 1/2.
std::optional<double> bound_if_unimodal(const SelectionCount& count, double threshold);

/// The smaller of the two; with `assumption` "nothing", the first.
double error_bound(const SelectionCount& count, double threshold, const std::string& assumption);

}  // namespace spicymkl
