// Matrices whose columns lie one after the other, as devices take and give them.
#pragma once

#include "core/renew.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// The numbers of a matrix, copied where its columns lie apart.
class PackedIn {
 public:
  explicit PackedIn(ConstMatrixRef values) : apart_(values.cols() > 1 && values.outerStride() != values.rows()) {
    if (apart_) copy_ = values;
    data_ = apart_ ? copy_.data() : values.data();
  }
  const double* data() const { return data_; }

 private:
  bool apart_;
  Matrix copy_;
  const double* data_;
};

/// Memory that is new is given page by page to whoever writes to it first. A device that writes has one thread for
/// that; here are several.
inline void touch(MatrixRef out, int threads) {
  constexpr Index kPage = 4096 / sizeof(double), kMany = Index{1} << 21;
  if (out.size() < kMany || out.outerStride() != out.rows()) return;
  double* numbers = out.data();
  parallel_for(out.size() / kPage, threads, kPage, [&](Index begin, Index end) {
    for (Index page = begin; page < end; ++page) numbers[page * kPage] = 0;
  });
}

/// Room for the numbers of a matrix, copied to it in the end where its columns lie apart.
class PackedOut {
 public:
  explicit PackedOut(MatrixRef target)
      : target_(target), apart_(target.cols() > 1 && target.outerStride() != target.rows()) {
    if (apart_) renew(copy_, target.rows(), target.cols());
  }
  double* data() { return apart_ ? copy_.data() : target_.data(); }
  void finish() {
    if (apart_) target_ = copy_;
  }

 private:
  MatrixRef target_;
  bool apart_;
  Matrix copy_;
};

}  // namespace spicymkl
