#include "notes.hpp"

#include <fmt/format.h>

namespace spicymkl::octave {

void add_unconverged(const std::vector<Fit>& fits, double tol, std::vector<std::string>& notes) {
  for (const Fit& fit : fits)
    if (!fit.converged())
      notes.push_back(fmt::format("the relative duality gap is {:.2e}, not yet {:g} ({}); {}",
                                  fit.certificate.relative_gap, tol, fit.status,
                                  fit.message.empty() ? "raise max_iter, max_seconds or tol" : fit.message));
}

}  // namespace spicymkl::octave
