#include "source_shuffles.hpp"

#include <cmath>
#include <map>

#include "p_value.hpp"
#include "spicymkl/model/outputs.hpp"

namespace spicymkl {

namespace {

constexpr int kShuffles = 399;  // of each source, on every split: twice the smallest p-value is 0.005

/// The score with the rows of f replaced; larger is better.
double score_of(const TestedModel& tested, Metric metric, const Matrix& values) {
  const double value = value_of(metric, evaluate(tested.model, tested.truth, values)).value_or(NAN);
  return larger_is_better(metric) ? value : -value;
}

/// Σ f_m over the kernels of one source: test rows × outputs.
Matrix contribution_of(Index source, const TestedModel& tested, const KernelRegister& kernels) {
  Matrix sum = Matrix::Zero(tested.scores.values.rows(), tested.scores.values.cols());
  const std::vector<Output> outputs = outputs_of(tested.model.fits);
  for (Index c = 0; c < sum.cols(); ++c) {
    const std::vector<Index>& active = tested.model.fits[outputs[c].fit].expansion.kernels;
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Index number = tested.numbers[active[k]];
      if (number >= 0 && kernels.kernels()[number].source == source)
        sum.col(c) += tested.scores.shares[c].col(static_cast<Index>(k));
    }
  }
  return sum;
}

}  // namespace

std::vector<KernelUse> kernel_use(const Model& model, const std::vector<Index>& numbers) {
  std::map<Index, double> weights;
  for (const Fit& fit : model.fits) {
    const Vector active = fit.active_weights();
    const double sum = active.sum() * static_cast<double>(model.fits.size());
    for (Index k = 0; k < active.size(); ++k)
      if (const Index number = numbers[fit.expansion.kernels[k]]; number >= 0) weights[number] += active(k) / sum;
  }
  std::vector<KernelUse> use;
  for (const auto& [kernel, weight] : weights) use.push_back({kernel, weight});
  return use;
}

std::vector<SourceUse> shuffle_sources(const TestedModel& tested, const KernelRegister& kernels,
                                       const ShuffleOptions& options) {
  std::map<Index, double> weights;
  for (const KernelUse& use : kernel_use(tested.model, tested.numbers))
    weights[kernels.kernels()[use.kernel].source] += use.weight;
  const Matrix& values = tested.scores.values;
  const double observed = score_of(tested, options.metric, values);
  std::vector<SourceUse> sources;
  for (const auto& [source, weight] : weights) {
    const Matrix own = contribution_of(source, tested, kernels);
    const Matrix rest = values - own;
    std::vector<double> shuffled;
    double mean = 0;
    for (int k = 0; k < kShuffles; ++k) {
      const auto from = shuffled_rows(values.rows(), options.groups, options.exchange, options.seed + k);
      shuffled.push_back(score_of(tested, options.metric, rest + own(from, Eigen::all)));
      mean += shuffled.back() / kShuffles;
    }
    sources.push_back({source, weight, observed - mean, permutation_p_value(observed, shuffled)});
  }
  return sources;
}

}  // namespace spicymkl
