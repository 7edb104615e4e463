// Ctrl-C, the time limit and the progress of a fit.
#pragma once

#include <nanobind/nanobind.h>

#include "spicymkl/core/watch.hpp"

namespace spicymkl::python {

namespace nb = nanobind;

/// The watch of all that one fit does, from its start. Ctrl-C reaches it while the interpreter's lock is released. What
/// Python raises ends the work as soon as that is safe, and is raised again by `finish`.
class FitWatch {
 public:
  explicit FitWatch(double max_seconds);

  const Watch& watch() const { return watch_; }
  /// Calls `progress` unless it is None; false to stop.
  template <class... Arguments>
  bool show(const nb::object& progress, Arguments... arguments) const {
    if (progress.is_none()) return true;
    return call([&] { progress(arguments...); });
  }
  /// Does `work` without the interpreter's lock, then raises what Python raised meanwhile.
  template <class Work>
  auto run(const Work& work) const {
    const auto without_lock = [&] {
      const nb::gil_scoped_release unlocked;
      return work();
    };
    try {
      auto result = without_lock();
      finish();
      return result;
    } catch (const Stopped&) {
      finish();
      throw;
    }
  }

 private:
  struct State;
  void finish() const;
  bool call(const std::function<void()>& python) const;

  std::shared_ptr<State> state_;
  Watch watch_;
};

void bind_watch(nb::module_& module);

}  // namespace spicymkl::python
