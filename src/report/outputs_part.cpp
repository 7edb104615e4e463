#include "outputs_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "html.hpp"
#include "spicymkl/model/outputs.hpp"

namespace spicymkl {

namespace {

constexpr std::size_t kMostKernels = 25;

/// Of the contributions of each active kernel to each output, the standard deviation over some training rows, as a part
/// of the sum over the kernels: kernels × outputs.
Matrix spread_shares(const std::vector<Matrix>& shares) {
  Matrix spread(shares.front().cols(), std::ssize(shares));
  for (Index k = 0; k < spread.cols(); ++k) {
    const Matrix centred = shares[k].rowwise() - shares[k].colwise().mean();
    spread.col(k) = centred.colwise().norm().transpose();
    if (const double sum = spread.col(k).sum(); sum > 0) spread.col(k) /= sum;
  }
  return spread;
}

}  // namespace

std::string outputs_part(const Model& model, const TrainingContributions& contributions) {
  const bool at_once = model.fits.size() == 1 && model.n_outputs() > 1;
  if (!at_once || contributions.rows.empty() || model.fits.front().expansion.kernels.empty()) return "";
  const Matrix shares = spread_shares(contributions.scores.shares);
  const Vector sums = shares.rowwise().sum();
  std::vector<Index> order(shares.rows());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return sums(a) > sums(b); });
  order.resize(std::min(kMostKernels, order.size()));
  const Index n_shown = std::min(model.n_outputs(), static_cast<Index>(kMostFitsShown));
  std::vector<std::string> head = {"kernel"};
  for (Index k = 0; k < n_shown; ++k) head.push_back(output_name(model, k));
  std::vector<std::vector<std::string>> rows;
  for (const Index place : order) {
    rows.push_back({model.kernel_names[model.fits.front().expansion.kernels[place]]});
    for (Index k = 0; k < n_shown; ++k) rows.back().push_back(percent_text(shares(place, k)));
  }
  const std::string kind = model.fits_are_of();
  const std::string some = n_shown < model.n_outputs()
                               ? fmt::format(" The first {} of {} {} are shown.", n_shown, model.n_outputs(),
                                             model.targets.empty() ? "classes" : "targets")
                               : "";
  return fmt::format("<div class=\"together\">\n<h3>What kernels do for each {}</h3>\n", kind) +
         paragraph(
             fmt::format("A kernel has one weight, but moves one {} more than another: the standard deviation of its "
                         "contribution over {} training rows, in per cent of the sum over the kernels.{}",
                         kind, contributions.rows.size(), some)) +
         "<div class=\"scroll\">" + plain_table(head, rows, 1) + "</div></div>\n";
}

}  // namespace spicymkl
