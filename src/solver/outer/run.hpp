// The book-keeping of one run: clock, history, best dual bound, and the decision to stop.
#pragma once

#include <optional>

#include "core/stopwatch.hpp"
#include "screening.hpp"
#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// What an outer step reports; Run adds time, bound and gap.
struct StepReport {
  double gamma = 0;
  int newton_steps = 0;
  double primal = 0;
  Index n_active = 0;
  std::optional<double> dual = {};  ///< of a method with a problem of its own; else the best bound is taken
};

/// The part that a run plays in a larger one. By default it stands alone.
struct Role {
  bool proves = true;  ///< false: bounds are estimated from what is known, and the run around it proves the answer
  bool has_successor = false;  ///< another method takes over where this one gets stuck, so it need not try for long
};

class Run {
 public:
  /// A run has stalled after `patience` records without a clearly smaller gap.
  Run(const Problem& problem, const Settings& settings, const Role& role = {}, int patience = 12);

  bool running() const { return running_; }
  bool stop_requested() const { return settings_.watch.stop_requested(); }
  /// Repeats `step` as long as the run is running. A stop inside it ends the run.
  template <class Step>
  void repeat(const Step& step) {
    attempt([&] {
      while (running()) step();
    });
  }
  /// A stop inside `step` ends the run.
  template <class Step>
  void attempt(const Step& step) {
    try {
      step();
    } catch (const Stopped&) {
      interrupt();
    }
  }
  /// Does what is left to do at the end of a run that has not converged. After a stop there is little time for it.
  template <class Offer>
  void conclude(const Offer& offer) {
    if (converged()) return;
    const WrapUp wrap_up(settings_.watch), wrap_up_bank(problem_.bank().watch());
    attempt(offer);
  }
  /// The bound that ρ proves, kept if it is the best so far: one pass over all kernels.
  DualBound bound_by(ConstVectorRef rho);
  /// The same; where the caller of the run will prove it, judged by norms of ρ that are known already, without a pass.
  DualBound bound_by(ConstVectorRef rho, const Vector& norms);
  /// The same, reading only what screening leaves.
  DualBound bound_by(ConstVectorRef rho, Screening& screening);
  /// The bound of a feasible ρ whose squared norms have just been computed.
  DualBound bound_from(Vector feasible, Vector squared_norms);
  /// Adds a record, asks the callback, offers the snapshot, and notices when nothing improves any more.
  void record(const StepReport& step, const Snapshot& snapshot);
  /// Relative gap of the last record.
  double gap() const { return history_.empty() ? HUGE_VAL : history_.back().gap; }
  /// The last record's gap is the smallest so far.
  bool progressed() const { return idle_steps_ == 0; }
  /// Records since the smallest gap.
  int idle_steps() const { return idle_steps_; }
  bool converged() const { return result_.status == Status::converged && accepted_; }
  /// Keeps `expansion` if it is the best so far; the run is over when its certificate meets the tolerance.
  void offer(Expansion expansion);
  /// The same; where the caller of the run will prove it, with a primal value that is known already.
  void offer(Expansion expansion, PrimalValue known);
  /// Keeps a model for the case that the run is interrupted before it has a certified one: the best primal value
  /// counts.
  void remember(const Expansion& model, const PrimalValue& primal);
  /// The best constant, with a bound that reads no kernel: what there is to hand back from the first moment on.
  void remember_constant();
  /// The model that a start comes with, if any.
  void remember(const WarmStart& start);
  /// Ends the run because the caller wants it, or the time is up.
  void interrupt();
  /// Ends the run without the tolerance being met.
  void give_up(const std::string& why) { stop(Status::stalled, why); }
  /// The best model offered, with the story of the run.
  Result finish(WarmStart warm_start);

  Timers timers;

 private:
  DualBound keep(DualBound bound);
  /// The one place where a model is accepted: its numbers and its proof are finite, and the primal value is the
  /// smallest. (The gap would not do: beside an optimum of 0 every model has a relative gap of 1.)
  void consider(KnownModel model);
  void offer_constant();
  void stop(Status status, std::string message);
  /// An interrupted run hands back the best model that it knows, at least the constant one.
  void settle();
  bool stalled() const;

  const Problem& problem_;
  const Settings& settings_;
  Role role_;
  int patience_;
  Stopwatch clock_;
  bool running_ = true;
  Result result_;
  History history_;
  DualBound best_dual_;
  std::optional<KnownModel> remembered_;
  std::optional<KnownModel> accepted_;
  int idle_steps_ = 0;         ///< since the smallest gap
  int idle_newton_steps_ = 0;  ///< in these
};

}  // namespace spicymkl
