// A sum of powers of an inner product, Σ p_k (xᵀz)ᵏ with p_k ≥ 0, is an inner product itself: that of the monomials of
// x, each times the root of its coefficient.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

class Monomials {
 public:
  /// How many there are. They may be too many to be listed.
  static double count(Index n_columns, const std::vector<double>& powers);

  Monomials(Index n_columns, const std::vector<double>& powers);
  Index size() const { return size_; }
  /// out(i, ·) = φ(x_i) with φ(x)ᵀφ(z) = Σ p_k (xᵀz)ᵏ.
  void compute(ConstMatrixRef rows, MatrixRef out) const;

 private:
  /// A monomial of the degree below, times a column. (xᵀz)ᵏ has it k!/Π exponents! times: `root` is the root of what
  /// that number is multiplied by.
  struct Step {
    Index below;
    Index column;
    double root;
  };
  struct Degree {
    double root;  // √p_k
    std::vector<Step> steps;
  };

  std::vector<Degree> degrees_;
  Index size_ = 0;
};

}  // namespace spicymkl
