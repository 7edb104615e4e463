#include "watch.hpp"

#include <chrono>
#include <optional>
#include <thread>

namespace spicymkl::python {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

}  // namespace

struct FitWatch::State {
  std::thread::id thread = std::this_thread::get_id();
  Clock::time_point last_look = Clock::now();
  std::optional<nb::python_error> error;
  std::atomic<bool> raised = false;

  /// Threads of the library may ask as well: Python's signals are for the thread that called it.
  const char* question() {
    if (!raised && std::this_thread::get_id() == thread && Clock::now() - last_look >= kBetweenLooks) look();
    return raised ? "stopped by Python" : nullptr;
  }

  void look() {
    const nb::gil_scoped_acquire lock;
    last_look = Clock::now();
    if (PyErr_CheckSignals() == 0) return;
    error.emplace();
    raised = true;
  }
};

FitWatch::FitWatch(double max_seconds)
    : state_(std::make_shared<State>()), watch_([state = state_] { return state->question(); }, max_seconds) {}

bool FitWatch::call(const std::function<void()>& python) const {
  if (state_->raised) return false;
  const nb::gil_scoped_acquire lock;
  try {
    python();
  } catch (nb::python_error& error) {
    state_->error.emplace(std::move(error));
    state_->raised = true;
  }
  return !state_->raised;
}

void FitWatch::finish() const {
  if (state_->raised) throw nb::python_error(std::move(*state_->error));
}

void bind_watch(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<FitWatch>(module, "Watch", "Ctrl-C and the time limit of one fit, from its start; 0 seconds: no limit.")
      .def(nb::init<double>(), "max_seconds"_a)
      .def_prop_ro(
          "seconds", [](const FitWatch& self) { return self.watch().seconds(); }, "Since its start.");
}

}  // namespace spicymkl::python
