#include "cutting_planes.hpp"

#include <coin/ClpSimplex.hpp>
#include <numeric>

#include "wrapper.hpp"

namespace spicymkl {

// Variables d_1 … d_M ≥ 0 and t. Minimise t subject to Σd_m = 1 and t − slope_iᵀd ≥ offset_i.
CuttingPlanes::CuttingPlanes(Index n_weights, double scale) : scale_(scale), lp_(std::make_unique<ClpSimplex>()) {
  const int n = static_cast<int>(n_weights);
  lp_->setLogLevel(0);
  lp_->scaling(0);  // rows are of one scale already, and Clp would scale all of them anew every time
  lp_->resize(0, n + 1);
  lp_->setColumnBounds(n, -COIN_DBL_MAX, COIN_DBL_MAX);
  lp_->setObjectiveCoefficient(n, 1);
  std::vector<int> columns(n);
  std::iota(columns.begin(), columns.end(), 0);
  const std::vector<double> ones(columns.size(), 1.0);
  lp_->addRow(n, columns.data(), ones.data(), 1, 1);
}

CuttingPlanes::~CuttingPlanes() = default;

void CuttingPlanes::add(double offset, const Vector& slope) {
  const int n = static_cast<int>(slope.size());
  std::vector<int> columns(n + 1);
  std::iota(columns.begin(), columns.end(), 0);
  std::vector<double> row(columns.size(), 1.0);
  Eigen::Map<Vector>(row.data(), n) = -slope / scale_;
  lp_->addRow(n + 1, columns.data(), row.data(), offset / scale_, COIN_DBL_MAX);
  offsets_.push_back(offset);
  slopes_.push_back(slope);
}

CuttingPlanes::Minimum CuttingPlanes::minimise() {
  lp_->dual();
  const Index n = slopes_.front().size();
  const Eigen::Map<const Vector> weights(lp_->primalColumnSolution(), n);
  return {scale_ * lp_->objectiveValue(), on_simplex(weights)};
}

}  // namespace spicymkl
