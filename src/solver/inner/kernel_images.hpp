// Products of kernels with the point ρ and the direction Δ of a Newton step, for as many kernels as need them.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// K_mρ and K_mΔ of some candidates, one column each. With one output a product costs no more than a form, and all
/// candidates have theirs. With many outputs a form costs as much as with one, but a product that many times: then
/// kernels without influence are watched by their norms alone.
class KernelImages {
 public:
  KernelImages(const KernelBank& bank, std::vector<Index> candidates);

  /// Whether it pays to have few of them.
  bool selective() const { return selective_; }
  /// Positions among the candidates that have images, and those that have none.
  const std::vector<Index>& held() const { return held_; }
  std::vector<Index> others() const;
  bool holds(Index position) const { return column_[position] >= 0; }

  auto of_point(Index position) const { return points_.col(column_[position]); }
  auto of_direction(Index position) const { return directions_.col(column_[position]); }

  /// These positions and no others, at ρ.
  void place(const std::vector<Index>& positions, ConstVectorRef rho);
  void prepare_line(ConstVectorRef direction);
  /// Further positions, at ρ and for the direction of the line that was prepared.
  void join(const std::vector<Index>& positions, ConstVectorRef rho, ConstVectorRef direction);
  /// ρ ← ρ + cΔ
  void move(double c);
  /// ρ ← cρ
  void scale(double c);
  /// Forgets the images of a position.
  void release(Index position);

  Index kernel(Index position) const { return candidates_[position]; }
  Index n_candidates() const { return std::ssize(candidates_); }
  /// The kernels at these positions.
  std::vector<Index> kernels(const std::vector<Index>& positions) const;

 private:
  void hold(Index position);

  const KernelBank& bank_;
  std::vector<Index> candidates_;
  bool selective_;
  std::vector<Index> held_, kernels_;  // in the order of the columns: positions, and their kernels
  std::vector<Index> column_;          // of a position; −1: it has none
  Matrix points_, directions_;
};

}  // namespace spicymkl
