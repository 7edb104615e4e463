// Checkpoints, and the runs that resume from them.
#include "pipeline/checkpoint.hpp"

#include "../small_problem.hpp"
#include "../support.hpp"
#include "../targets.hpp"
#include "../use_model.hpp"

namespace spicymkl::fuzz {

namespace {

const RunIdentity kIdentity = {{"the content of DATA", "8 rows"}};

/// One class after the other, and survival times with covariates.
const std::vector<TrainingInput>& resumed_inputs() {
  static const std::vector<TrainingInput> inputs = {
      small_input(3, R"([{"type":"gaussian","width":[0.5,2],"columns":["a","b"]},{"type":"linear","columns":"d"}])"),
      small_survival_input(R"([{"type":"gaussian","width":[0.5,2],"columns":["a","b"]}])")};
  return inputs;
}

TrainingPlan short_plan() {
  TrainingPlan plan = small_plan();
  plan.settings.tol = 1e-9;
  plan.settings.max_iter = 3;
  return plan;
}

std::vector<std::string> checkpoint_seeds() {
  std::vector<std::string> seeds;
  for (const TrainingInput& input : resumed_inputs()) {
    const std::size_t most = seeds.size() + 6;
    train_model(input, short_plan(), {}, {}, [&](const std::function<TrainingState()>& state, bool) {
      if (seeds.size() < most) seeds.push_back(checkpoint_bytes(state(), kIdentity));
    });
  }
  seeds.push_back(checkpoint_bytes({}, kIdentity));
  seeds.push_back(checkpoint_bytes({}, {}));
  return seeds;
}

void resume(std::string_view bytes) {
  const MemoryFile file(bytes);
  const TrainingState state = load_checkpoint(file.path(), kIdentity);
  for (const TrainingInput& input : resumed_inputs())
    accepted([&] {
      check_state(state, input);
      use_model(train_model(input, short_plan(), {}, state, {}).model);
    });
}

void read_checkpoint(std::string_view bytes) {
  accepted([&] { resume(bytes); });
  const std::string dangerous = sealed(bytes);
  if (dangerous != bytes) resume(dangerous);
}

}  // namespace

Target checkpoint_target() {
  return {
      "checkpoint",
      checkpoint_seeds,
      {"\\\"current\\\"", "\\\"current_start\\\"", "\\\"fits\\\"", "\\\"0\\\"", "\\\"2\\\"", "\\\"end\\\"",
       "\\\"kernels\\\"", "\\\"intercept\\\"", "\\\"active\\\"", "\\\"status\\\"", "\\\"converged\\\"",
       "\\\"identity\\\"", "\"shape\"", "\"F64\"", "\"data_offsets\"", "null", "-1", "1e308", "9223372036854775807"},
      read_checkpoint};
}

}  // namespace spicymkl::fuzz
