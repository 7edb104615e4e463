// Newton systems on the device.
#pragma once

#include "columns.cuh"

namespace spicymkl::cuda {

/// Of the size of the samples: assembled and factored.
class SampleSystem final : public spicymkl_device_system {
 public:
  SampleSystem(spicymkl_device& of, std::int64_t n);

  void set_diagonal(const double* diagonal);
  void add_matrices(const spicymkl_device_set& set, const double* weights);
  /// roots: one for each column of the factors
  void add_factors(const spicymkl_device_factors& factors, const double* roots);
  void add_columns(const double* U, std::int64_t width, double sign);
  void factor();
  void solve(double* rhs, std::int64_t width);

 private:
  std::int64_t n_;
  Workspace memory_;
  double* matrix_;  // its lower triangle, then its Cholesky factor
};

/// Of the size of the factors' ranks, by the identity of Woodbury:
/// (D + UUᵀ)⁻¹ = D⁻¹ − D⁻¹U(I + UᵀD⁻¹U)⁻¹UᵀD⁻¹.
/// The matrix C = I + UᵀD⁻¹U of wide factors is made by the quick products of few digits that devices have; it then
/// preconditions conjugate gradients whose products with C go over the factors, in double precision.
class RankSystem final : public spicymkl_device_system {
 public:
  explicit RankSystem(spicymkl_device& of) : spicymkl_device_system(of) {}

  void factor(const spicymkl_device_factors& factors, const double* roots, const double* diagonal,
              const double* low_rank, std::int64_t low_rank_width, double limit, double& largest);
  void solve(double* rhs, std::int64_t width, int how);

 private:
  void send(const spicymkl_device_factors& factors, const double* roots, const double* diagonal, const double* low_rank,
            std::int64_t low_rank_width);
  /// C in double precision, or in few digits; returns the largest ratio of UUᵀ to D.
  double assemble(bool rough);
  void add_block(const double* block, std::int64_t rows);
  void add_rough_block(const float* block, std::int64_t rows, std::int64_t stride);
  template <class Number>
  void add_rows(std::int64_t at_once, unsigned long long* largest);
  /// C once more, in double precision, and its factor.
  void factor_in_full();
  std::vector<double> dots(const double* a, const double* b, std::int64_t rows, std::int64_t width);
  /// y ← C⁻¹y, where bᵀD⁻¹b of the right-hand sides b is given for each column.
  void solve_capacity(double* y, std::int64_t width, const std::vector<double>& sizes, double accuracy);
  /// The same for y of `given` by conjugate gradients; false when they take too many steps.
  bool iterate(const double* given, double* y, std::int64_t width, const std::vector<double>& sizes, double accuracy);
  /// out = CV
  void multiply_capacity(const double* V, std::int64_t width, double* out);
  /// x = matrix⁻¹ rhs; both on the device.
  void once(const double* rhs, std::int64_t width, double* x, double accuracy);
  /// out = Uᵀ V, and U W; y has as many rows as U columns.
  void sums(const double* V, std::int64_t width, double* y);
  void combine(const double* y, std::int64_t width, double* out);

  /// Columns of U that lie side by side: scale · matrix.
  struct Block {
    const double* matrix;
    double scale;
    std::int64_t first, width;
  };

  Columns U_{};
  const double* diagonal_ = nullptr;
  const std::int64_t* ends_ = nullptr;  // of U's columns: all
  std::vector<Block> blocks_;
  double* capacity_ = nullptr;  // C, then its Cholesky factor
  bool rough_ = false;          // of few digits
  Workspace pointers_, scales_, diagonals_, low_ranks_, capacities_, all_, vectors_, gradients_, rhs_, weights_,
      rough_sums_;
};

}  // namespace spicymkl::cuda
