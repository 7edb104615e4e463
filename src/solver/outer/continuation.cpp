#include "continuation.hpp"

#include "recover.hpp"

namespace spicymkl {

Result continued(Result earlier, Result later, double tol) {
  keep_better_model(earlier, later, tol);
  for (Record record : later.history) {
    record.iteration = static_cast<int>(earlier.history.size());
    record.seconds += earlier.timers.total;
    earlier.history.push_back(record);
  }
  later.history = std::move(earlier.history);
  later.iterations = later.history.empty() ? 0 : later.history.back().iteration;
  later.newton_steps += earlier.newton_steps;
  later.timers += earlier.timers;
  add(later.stages, earlier.stages);
  later.stages = std::move(earlier.stages);
  return later;
}

}  // namespace spicymkl
