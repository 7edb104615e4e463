// Newton systems of the size of the features in use, on a device.
#pragma once

#include "device_feature_bank.hpp"
#include "device_system.hpp"

namespace spicymkl {

/// By the identity of Woodbury. Systems that have as many features as half the samples, or columns that are subtracted,
/// or lose too many digits, go to another.
class DeviceRankSystem final : public NewtonSystem {
 public:
  /// `bank` must outlive the system.
  DeviceRankSystem(const DeviceFeatureBank& bank, std::unique_ptr<NewtonSystem> other)
      : bank_(bank), other_(std::move(other)), system_(bank.device()) {}

  bool factor(const NewtonTerms& terms) override;
  void solve(MatrixRef rhs) override;

 private:
  bool assemble(const NewtonTerms& terms, const DeviceFactors& factors);

  const DeviceFeatureBank& bank_;
  std::unique_ptr<NewtonSystem> other_;
  DeviceSystemHandle system_;
  bool of_ranks_ = false;  // else the other one has it
  bool refine_ = false;
};

}  // namespace spicymkl
