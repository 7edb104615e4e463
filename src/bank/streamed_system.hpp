// Newton systems of feature kernels: of the size of the features in use, however many rows there are.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class FeatureBank;

/// By the identity of Woodbury, as FactoredSystem, with features that are computed anew whenever they are needed.
/// Systems that have as many features as half the samples, or columns that are subtracted, go to another.
class StreamedNewtonSystem final : public NewtonSystem {
 public:
  StreamedNewtonSystem(const FeatureBank& bank, std::unique_ptr<NewtonSystem> other)
      : bank_(bank), other_(std::move(other)) {}

  bool factor(const NewtonTerms& terms) override;
  void solve(MatrixRef rhs) override;

 private:
  /// False when D is so small beside UUᵀ, U = [Φ√weights, low rank], that the identity would lose too many digits.
  bool assemble(const NewtonTerms& terms);
  Matrix once(const Matrix& rhs) const;
  /// Matrix · X
  Matrix multiply(const Matrix& X) const;
  /// UᵀV and UW
  Matrix sums(const Matrix& V) const;
  Matrix combine(const Matrix& W) const;

  const FeatureBank& bank_;
  std::unique_ptr<NewtonSystem> other_;
  bool streamed_ = false;  // else the other one has it
  bool refine_ = false;
  std::vector<Index> kernels_;
  Vector roots_;  // √weight, feature by feature
  Vector diagonal_;
  Matrix low_rank_;
  Matrix capacity_;  // Cholesky factor of I + UᵀD⁻¹U
};

}  // namespace spicymkl
