// Newton systems of the size of the features in use, on a device.
#pragma once

#include "device_feature_bank.hpp"
#include "device_system.hpp"

namespace spicymkl {

/// By the identity of Woodbury. Systems that have as many features as half the samples, or columns that are subtracted,
/// or lose too many digits, are assembled over the samples where the device has room for that, and go to another one
/// where it has not.
class DeviceRankSystem final : public NewtonSystem {
 public:
  /// `bank` must outlive the system.
  DeviceRankSystem(const DeviceFeatureBank& bank, std::unique_ptr<NewtonSystem> other)
      : bank_(bank), other_(std::move(other)), ranks_(bank.device()) {}

  bool factor(const NewtonTerms& terms) override;
  void solve(MatrixRef rhs) override;
  void solve_roughly(MatrixRef rhs) override;

 private:
  /// `how`: one of SPICYMKL_SOLVE_... of device_api.h.
  void solve_by_ranks(MatrixRef rhs, int how);
  enum class Way { ranks, samples, other };

  bool factor_ranks(const NewtonTerms& terms, const DeviceFactors& factors, const Vector& roots);
  bool factor_samples(const NewtonTerms& terms, const DeviceFactors& factors, const Vector& roots);
  /// Opens the system over the samples, if there is room for it.
  bool opens_samples();

  const DeviceFeatureBank& bank_;
  std::unique_ptr<NewtonSystem> other_;
  DeviceSystemHandle ranks_;
  std::unique_ptr<DeviceSystemHandle> samples_;
  Way way_ = Way::other;  // that the last one was factored in
  bool refine_ = false;
};

}  // namespace spicymkl
