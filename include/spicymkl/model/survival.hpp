// What a model of survival times keeps beside its fit, and what it says of the time to come.
#pragma once

#include <string>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

struct Survival {
  std::string event_name;  ///< of the column of events
  int event_code = 1;      ///< what stands for an event there; one less where there was none
  Vector times, events;    ///< of the training rows; events are 1 and 0
  Vector log_risks;        ///< f of the training rows
  Vector steps;            ///< all different times, increasing
  Vector hazard;           ///< Breslow's estimate at these of the cumulative hazard at log-risk 0

  Index n_events() const { return static_cast<Index>(events.sum()); }
};

/// Breslow's estimate, H(t) = Σ over times τ ≤ t of D/Σ_{at risk at τ} s_j exp f_j, D being the weight of the events at
/// τ. `weights` may be empty: all 1.
void estimate_hazard(const Vector& weights, Survival& survival);

/// The cumulative hazard at some times, at log-risk 0: 0 before the first step, and after the last what it is there.
Vector hazard_at(const Survival& survival, ConstVectorRef times);

/// exp(−H(t)·exp f): a row per log-risk, a column per time.
Matrix survival_probabilities(const Survival& survival, ConstVectorRef log_risks, ConstVectorRef times);

}  // namespace spicymkl
