#include "factored_system.hpp"

#include "core/blas.hpp"
#include "core/renew.hpp"

namespace spicymkl {

bool FactoredSystem::factor(ConstVectorRef diagonal, Matrix columns, int threads) {
  root_ = diagonal.cwiseSqrt();
  scaled_ = root_.cwiseInverse().asDiagonal() * columns;
  scaled_.transposeInPlace();
  if (!(scaled_.colwise().squaredNorm().maxCoeff() < kLargestRatio)) return false;
  renew(capacity_, scaled_.rows(), scaled_.rows());
  capacity_.setIdentity();
  blas::symmetric_rank_k(1, scaled_, capacity_, threads);
  return blas::cholesky(capacity_, threads) && capacity_.diagonal().allFinite();
}

Vector FactoredSystem::once(const Vector& rhs) const {
  Vector x = rhs.cwiseQuotient(root_);
  Matrix y = scaled_ * x;
  blas::cholesky_solve(capacity_, y);
  x.noalias() -= scaled_.transpose() * y.col(0);
  return x.cwiseQuotient(root_);
}

void FactoredSystem::solve(VectorRef rhs) const {
  const Vector x = once(rhs);
  Vector residual = rhs - root_.cwiseAbs2().cwiseProduct(x);
  residual -= root_.cwiseProduct(scaled_.transpose() * (scaled_ * root_.cwiseProduct(x)));
  rhs = x + once(residual);
}

}  // namespace spicymkl
