// What a bank of factors keeps beside them, where there is room: kernels as matrices, numbers in single precision.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

/// Factors are large: banks of some of the same kernels share them.
using SharedFactor = std::shared_ptr<const Matrix>;

/// Kernels with wide factors as matrices, for sums and columns. Adding a dense matrix reads n²/2 numbers, adding a
/// factor of r columns takes n²·r/2 multiplications: from some r on the former is quicker. A matrix is made when it is
/// first needed, as long as there is room.
class MatricesOfFactors {
 public:
  /// The lower triangle of ZZᵀ; null where the factor is narrow or there is no room.
  const Matrix* find(Index kernel, const Matrix& factor, double work_bytes, int threads);
  /// The same in single precision, without what is above the diagonal: a quarter of the memory. The workspace, empty at
  /// first, is kept from one kernel to the next.
  const float* find_rough(Index kernel, const Matrix& factor, double work_bytes, int threads, RoughMatrix& workspace);
  /// The factor itself in single precision; null where there is no room.
  const float* find_factor(Index kernel, const Matrix& factor, double work_bytes, int threads);
  /// Whether sums in single precision are going to take no more than reading so many matrices.
  static bool make_sums_quick(const std::vector<SharedFactor>& factors, Index n, double work_bytes);
  /// Whether there is room for so many matrices of n samples in double precision.
  static bool have_room(Index n_kernels, Index n, double work_bytes);

 private:
  /// Whether there is room for so many more; if so it is taken.
  bool take(double bytes, double work_bytes);

  std::mutex making_;
  double bytes_ = 0;
  std::map<Index, Matrix> matrices_;
  std::map<Index, std::shared_ptr<const float[]>> rough_, factors_;
};

}  // namespace spicymkl
