#include "calibration.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace spicymkl {

namespace {

constexpr Index kBins = 10;

struct BinSums {
  Index n_rows = 0, n_true = 0;
  double probability = 0;
};

}  // namespace

Calibration calibration(const std::vector<Index>& truth, const std::vector<Index>& predicted,
                        ConstMatrixRef probabilities) {
  std::array<BinSums, kBins> sums;
  for (Index i = 0; i < probabilities.rows(); ++i) {
    const Index event = probabilities.cols() == 2 ? 1 : predicted[i];
    const double chance = probabilities(i, event);
    BinSums& bin = sums[std::min(kBins - 1, static_cast<Index>(chance * kBins))];
    ++bin.n_rows;
    bin.n_true += truth[i] == event;
    bin.probability += chance;
  }
  Calibration found;
  for (Index b = 0; b < kBins; ++b) {
    const auto& [n_rows, n_true, probability] = sums[b];
    if (n_rows == 0) continue;
    const auto n = static_cast<double>(n_rows);
    CalibrationBin bin{static_cast<double>(b) / kBins,  static_cast<double>(b + 1) / kBins, n_rows, probability / n,
                       static_cast<double>(n_true) / n, share_interval(n_true, n_rows)};
    found.error += n * std::abs(bin.predicted - bin.observed) / static_cast<double>(probabilities.rows());
    found.bins.push_back(bin);
  }
  return found;
}

}  // namespace spicymkl
