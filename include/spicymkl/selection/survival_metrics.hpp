// How well log-risks order survival times, and what became of rows with high and with low ones.
#pragma once

#include <optional>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Harrell's: of two rows it is known who had the event first if the earlier time is that of an event (who was lost at
/// the very time of an event outlived it). The pair is right if that row has the higher risk; equal risks count half.
struct Concordance {
  Vector pairs;  ///< of each row, those that it is in
  Vector right;  ///< of each row, those of them that are right

  /// The share of all pairs that is right; none where there is no pair.
  std::optional<double> value() const;
  /// Its standard error by the infinitesimal jackknife.
  std::optional<double> error() const;
};

/// `events` are 1 and 0. O(N log N).
Concordance concordance(ConstVectorRef times, ConstVectorRef events, ConstVectorRef risks);

/// The share that has not had the event yet, by Kaplan and Meier: it falls to `share` at `times`.
struct SurvivalCurve {
  std::vector<double> times, share;  ///< of the different times with events
  Index n_rows = 0, n_events = 0;
  double last_time = 0;
};

SurvivalCurve kaplan_meier(ConstVectorRef times, ConstVectorRef events);

/// The curves of `count` groups of rows of about equal size, those with the lowest risks first. Rows of equal risk are
/// in one group: there are fewer groups where that leaves one without rows.
std::vector<SurvivalCurve> curves_by_risk(ConstVectorRef times, ConstVectorRef events, ConstVectorRef risks,
                                          Index count = 3);

}  // namespace spicymkl
