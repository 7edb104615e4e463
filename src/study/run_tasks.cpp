#include "run_tasks.hpp"

#include <atomic>
#include <mutex>

#include "core/guarded_parallel.hpp"

namespace spicymkl {

bool run_tasks(const Study& study, const std::vector<StudyTask>& tasks, int threads, const PartDone& done) {
  const int workers = std::min(study.at_once(threads), static_cast<int>(std::ssize(tasks)));
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false, failed = false;
  std::mutex handing_over;
  guarded_parallel(workers, workers, [&](Index) {
    try {
      // Tasks take different times: each worker takes the next that nobody has begun.
      for (std::size_t k = next++; k < tasks.size() && !stopped && !failed; k = next++) {
        study.settings().plan.settings.watch.check();
        const PartResult result = find_part(study, tasks[k]);
        const std::scoped_lock lock(handing_over);
        done(tasks[k], result);
      }
    } catch (const Stopped&) {
      stopped = true;
    } catch (...) {
      failed = true;
      throw;
    }
  });
  return !stopped;
}

}  // namespace spicymkl
