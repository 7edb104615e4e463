#include "many_forms.hpp"

#include <algorithm>
#include <atomic>

#include "core/blas.hpp"
#include "spicymkl/bank/dense_bank.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr double kMostAssembledBytes = 0x1p29;  // of assembled matrices, all threads together

}  // namespace

void quadratic_forms_of_many(const KernelBank& bank, ConstMatrixRef V, MatrixRef out) {
  const Index n = bank.n_samples();
  const double bytes = sizeof(double) * static_cast<double>(n) * static_cast<double>(n) * bank.threads();
  if (bytes > std::min(kMostAssembledBytes, 0.5 * bank.work_bytes()) || V.cols() == 1) {
    for (Index p = 0; p < V.cols(); ++p) bank.quadratic_forms(all_kernels(bank.n_kernels()), V.col(p), out.col(p));
    return;
  }
  const auto* dense = dynamic_cast<const DenseBank*>(&bank);  // its matrices are there already
  const double cost = static_cast<double>(n) * static_cast<double>(n) * (10 + static_cast<double>(V.cols()));
  StopCheck stop(bank.watch());
  std::atomic<bool> stopped = false;  // inside an operation of the bank: an exception must not leave its thread
  parallel_for(bank.n_kernels(), bank.threads(), cost, [&](Index begin, Index end) {
    Matrix kernel(dense ? 0 : n, dense ? 0 : n), products(n, V.cols());
    const Vector one = Vector::Ones(1);
    for (Index m = begin; m < end && !stop.skip(); ++m) {
      if (dense) {
        blas::symmetric_product(dense->gram(m), V, products);
      } else {
        kernel.triangularView<Eigen::Lower>().setZero();
        try {
          bank.add_weighted_sum({&m, 1}, one, kernel);
        } catch (const Stopped&) {
          stopped = true;
          return;
        }
        blas::symmetric_product(kernel, V, products);
      }
      for (Index p = 0; p < V.cols(); ++p) out(m, p) = std::max(V.col(p).dot(products.col(p)), 0.0);
    }
  });
  stop.finish();
  if (stopped) throw Stopped();
}

}  // namespace spicymkl
