// A loss that is known as a whole alone: nobody asks it for single entries.
#pragma once

#include <stdexcept>

#include "types.hpp"

namespace spicymkl {

class InseparableLoss : public Loss {
 public:
  double value(double, double) const final { refuse(); }
  double dual_point(double, double) const final { refuse(); }
  double conjugate(double, double) const final { refuse(); }
  Interval dual_domain(double) const final { refuse(); }
  DualTerm smooth_conjugate(double, double, double) const final { refuse(); }

 private:
  [[noreturn]] void refuse() const { throw std::logic_error(std::string(name()) + ": the loss of one entry alone"); }
};

}  // namespace spicymkl
