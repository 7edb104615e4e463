#include <fmt/format.h>

#include "functions.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "models.hpp"
#include "notes.hpp"
#include "spicymkl/pipeline/train_model.hpp"

namespace spicymkl::octave {

namespace {

/// One line per outer step.
FitProgress progress_of(const LearningOptions& options, const Target& target) {
  if (!options.verbose) return {};
  return [several = target.n_fits() > 1, &target](Index number, const Record& r) {
    const std::string of = several ? fmt::format("class {}, ", target.positive_class(number)) : "";
    mexPrintf("%s", fmt::format("{}step {}: primal {:.6g}, dual {:.6g}, gap {:.2e}, {} kernels\n", of, r.iteration,
                                r.primal, r.dual, r.gap, r.n_active)
                        .c_str());
    return true;
  };
}

}  // namespace

Outputs train(Arguments arguments) {
  GivenOptions given(arguments[2], "spicymkl_train");
  const LearningOptions options = read_learning_options(given);
  given.finish();
  const Watch watch = make_watch(options.problem.max_seconds);
  TrainingPlan plan = check_options(options);
  refuse_unused(options, {{{"memory"}, options.from_table(), "with precomputed kernels, which are in memory"}});
  watch_with(watch, plan);
  const TrainingInput input = make_input(read_data(arguments[0], arguments[1], options, watch), options, plan, 1);
  TrainedModel trained = train_model(input, plan, progress_of(options, input.target));
  check_interrupted();
  trained.model.seconds_input = watch.seconds() - trained.model.seconds();
  std::vector<std::string> notes = notes_of(input);
  add_unconverged(trained.model.fits, options.problem.tol, notes);
  return {from_model(trained.model, trained.histories), from_texts(notes)};
}

}  // namespace spicymkl::octave
