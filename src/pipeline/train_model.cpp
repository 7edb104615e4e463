#include "spicymkl/pipeline/train_model.hpp"

#include <mutex>

#include "core/guarded_parallel.hpp"

namespace spicymkl {

namespace {

/// What an earlier run left of a fit.
struct Beginning {
  WarmStart start;
  History history;
};

Beginning beginning(const TrainingState& earlier, Index number) {
  const auto ended = earlier.fits.find(number);
  if (ended != earlier.fits.end()) return {ended->second.end, ended->second.history};
  if (number == earlier.current) return {earlier.current_start, earlier.current_history};
  return {};
}

/// The record as one of a run that began with `before`.
Record continued(const History& before, Record record) {
  if (before.empty()) return record;
  record.iteration += before.back().iteration;
  record.seconds += before.back().seconds;
  return record;
}

void prepend(const History& before, TrainedFit& trained) {
  if (before.empty()) return;
  for (Record& record : trained.history) record = continued(before, record);
  trained.history.insert(trained.history.begin(), before.begin(), before.end());
  trained.fit.iterations += before.back().iteration;
  trained.fit.seconds += before.back().seconds;
  Stage earlier{kEarlierRun, before.back().seconds, before.back().iteration};
  for (const Record& record : before) earlier.newton_steps += record.newton_steps;
  trained.fit.newton_steps += earlier.newton_steps;
  trained.fit.stages.insert(trained.fit.stages.begin(), earlier);
}

/// Fits of several targets that are solved at the same time, over one bank: on as many threads as there are, unless the
/// matrices that each of them may keep, its kernels and a Newton system, would not fit beside each other.
Index fits_at_once(const TrainingInput& input, const TrainingPlan& plan) {
  const KernelBank& bank = *input.bank;
  const Index n_fits = input.target.n_fits();
  const bool own = plan.problem.own_loss || plan.problem.own_penalty;  // of Python, which does one thing at a time
  if (!input.target.has_several() || own || bank.shape().one_at_a_time) return 1;
  Index at_once = std::min<Index>(n_fits, bank.threads());
  while (at_once > 1 && !bank.has_room_for(static_cast<double>(at_once * (bank.n_kernels() + 2)))) --at_once;
  return at_once;
}

constexpr Index kFitsPerThread = 8;  // of a block, after which a checkpoint may be written

class Training {
 public:
  Training(const TrainingInput& input, TrainingPlan plan, const FitProgress& progress, const StateCallback& checkpoint)
      : input_(input), plan_(std::move(plan)), progress_(progress), checkpoint_(checkpoint) {
    plan_.sample_weights = input.sample_weights;
  }

  /// All fits that the target takes, by number.
  std::map<Index, TrainedFit> run(const TrainingState& earlier) {
    fits_ = earlier.fits;
    const Index n_fits = input_.target.n_fits(), at_once = fits_at_once(input_, plan_);
    if (at_once > 1) return run_in_blocks(earlier, at_once);
    for (Index f = 0; f < n_fits; ++f) {
      if (fits_.contains(f) && fits_.at(f).fit.converged()) continue;
      TrainedFit trained = train(f, beginning(earlier, f));
      fits_[f] = std::move(trained);
      if (checkpoint_) checkpoint_([&] { return TrainingState{fits_, f + 1, {}, {}}; }, f + 1 == n_fits);
    }
    return std::move(fits_);
  }

 private:
  /// The same, some fits at a time, each on a thread of its own.
  std::map<Index, TrainedFit> run_in_blocks(const TrainingState& earlier, Index at_once) {
    const Index n_fits = input_.target.n_fits();
    std::vector<Index> open;
    for (Index f = 0; f < n_fits; ++f)
      if (!fits_.contains(f) || !fits_.at(f).fit.converged()) open.push_back(f);
    WatchedTask task(plan_.settings.watch, "target", n_fits);
    task.set(n_fits - std::ssize(open));
    const Index n_open = std::ssize(open), block = kFitsPerThread * at_once;
    for (Index begin = 0; begin < n_open; begin += block) {
      const Index count = std::min(block, n_open - begin);
      std::vector<TrainedFit> trained(count);
      guarded_parallel(count, static_cast<int>(at_once), [&](Index k) {
        trained[k] = train_beside_others(open[begin + k], earlier);
        task.advance();
      });
      for (Index k = 0; k < count; ++k) fits_[open[begin + k]] = std::move(trained[k]);
      const Index next = begin + count < n_open ? open[begin + count] : n_fits;
      if (checkpoint_) checkpoint_([&] { return TrainingState{fits_, next, {}, {}}; }, next == n_fits);
    }
    return std::move(fits_);
  }

  TrainedFit train_beside_others(Index number, const TrainingState& earlier) {
    const Beginning from = beginning(earlier, number);
    const bool own_start = from.start.empty() && number < std::ssize(plan_.starts);
    TrainedFit trained = train_fit(input_.bank, input_.exact, input_.target, number, plan_,
                                   own_start ? plan_.starts[number] : from.start);
    prepend(from.history, trained);
    const std::scoped_lock lock(showing_);
    if (progress_ && !trained.history.empty()) progress_(number, trained.history.back());
    return trained;
  }

  TrainedFit train(Index number, const Beginning& from) {
    History history = from.history;
    plan_.settings.callback = [&](const Record& record) {
      history.push_back(continued(from.history, record));
      return !progress_ || progress_(number, history.back());
    };
    if (checkpoint_)
      plan_.settings.checkpoint = [&](const Snapshot& snapshot) {
        checkpoint_([&] { return TrainingState{fits_, number, snapshot(), history}; }, false);
      };
    const bool own_start = from.start.empty() && number < std::ssize(plan_.starts);
    const WarmStart& start = own_start ? plan_.starts[number] : from.start;
    TrainedFit trained = train_fit(input_.bank, input_.exact, input_.target, number, plan_, start);
    prepend(from.history, trained);
    return trained;
  }

  const TrainingInput& input_;
  TrainingPlan plan_;
  const FitProgress& progress_;
  const StateCallback& checkpoint_;
  std::map<Index, TrainedFit> fits_;
  std::mutex showing_;
};

/// f of the training rows, as new rows have it: without the constant that the loss ignores.
Vector log_risks_of(const TrainingInput& input, const Fit& fit) {
  const Expansion& expansion = fit.expansion;
  if (fit.certificate.predictions.size() > 0) {
    const double constant = expansion.unpenalised.rows() > 0 ? expansion.unpenalised(0, 0) : 0;
    return fit.certificate.predictions.array() - constant;
  }
  const KernelBank& bank = input.exact ? *input.exact : *input.bank;
  const WrapUp wrap_up(bank.watch());
  Vector f = Vector::Zero(bank.n_samples());
  try {
    bank.weighted_product(expansion.kernels, expansion.scale, expansion.dual, f);
  } catch (
      const Stopped&) {  // no time is left: the baseline of a model that says it was interrupted is that of no risk
    f.setZero();
  }
  return f;
}

Survival make_survival(const TrainingInput& input, const Fit& fit) {
  Survival survival;
  survival.event_name = input.target.event_name;
  survival.event_code = input.target.event_code;
  survival.times = input.target.numbers;
  survival.events = input.target.events;
  survival.log_risks = log_risks_of(input, fit);
  estimate_hazard(input.sample_weights, survival);
  return survival;
}

}  // namespace

Model make_model(const TrainingInput& input, std::vector<Fit> fits, double tol) {
  Model model;
  model.classes = input.target.classes;
  model.targets = input.target.names;
  model.fits = std::move(fits);
  model.n_samples = input.bank->n_samples();
  model.kernel_names.reserve(static_cast<std::size_t>(input.bank->n_kernels()));
  for (Index m = 0; m < input.bank->n_kernels(); ++m) model.kernel_names.push_back(input.bank->name(m));
  if ((input.sample_weights.array() != 1).any()) model.sample_weights = input.sample_weights;
  model.covariates = input.target.covariates;
  model.tol = tol;
  if (input.table)
    model.table = make_table_model(input.table->target_name, input.table->preparation, input.table->samples,
                                   input.table->kernels, model.fits, input.bank->threads());
  if (input.target.survival()) model.survival = make_survival(input, model.fits.front());
  if (input.repairs) model.repair = make_gram_repair(input.psd, *input.repairs, model.fits);
  return model;
}

TrainedModel train_model(const TrainingInput& input, TrainingPlan plan, const FitProgress& progress) {
  return train_model(input, std::move(plan), progress, {}, {});
}

TrainedModel train_model(const TrainingInput& input, TrainingPlan plan, const FitProgress& progress,
                         const TrainingState& earlier, const StateCallback& checkpoint) {
  const double tol = plan.settings.tol;
  TrainedModel trained;
  std::vector<Fit> fits;
  for (auto& [number, fit] : Training(input, std::move(plan), progress, checkpoint).run(earlier)) {
    fits.push_back(std::move(fit.fit));
    trained.histories.push_back(std::move(fit.history));
    trained.ends.push_back(std::move(fit.end));
  }
  trained.model = make_model(input, std::move(fits), tol);
  return trained;
}

}  // namespace spicymkl
