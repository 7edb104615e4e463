// Ctrl-C and the time limit of a fit.
#pragma once

#include <memory>

#include "spicymkl/core/error.hpp"
#include "spicymkl/core/watch.hpp"

#include <Rcpp.h>

namespace spicymkl::r {

/// The watch of all that one call does, from its start. An interrupt ends the work as soon as that is safe, and is
/// raised again in R when everything has been put away.
class FitWatch {
 public:
  explicit FitWatch(double max_seconds);

  const Watch& watch() const { return watch_; }

  template <class Work>
  auto run(const Work& work) const {
    try {
      auto result = work();
      finish();
      return result;
    } catch (const Stopped&) {
      finish();
      throw InputError("max_seconds was over before there was anything to keep; raise it");
    }
  }

 private:
  struct State;
  /// Raises the interrupt that came meanwhile.
  void finish() const;

  std::shared_ptr<State> state_;
  Watch watch_;
};

}  // namespace spicymkl::r
