#include "alike_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.hpp"
#include "spicymkl/model/outputs.hpp"
#include "tiles.hpp"

namespace spicymkl {

namespace {

constexpr double kAlike = 0.9;
constexpr std::size_t kMostPairs = 8;

/// An alike pair and the fit that it was found in.
struct FoundPair {
  AlikeKernels pair;
  const Fit* fit;
};

std::string correlation_cell(double correlation) {
  const double value = std::round(100 * correlation) / 100 + 0.0;  // no -0.00
  const double part = std::min(1.0, std::abs(value));
  return fmt::format("<td class=\"cell{}{}\" style=\"--part:{:.3f}\">{:.2f}</td>", value < 0 ? " minus" : "",
                     part > kStrongColour ? " strong" : "", part, value);
}

std::string correlation_table(const Model& model, const ContributionCorrelation& correlation) {
  std::string html = "<div class=\"scroll\"><table class=\"heat correlation\">\n<thead><tr><th></th>";
  for (std::size_t k = 1; k <= correlation.kernels.size(); ++k) html += fmt::format("<th scope=\"col\">{}</th>", k);
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t a = 0; a < correlation.kernels.size(); ++a) {
    html += fmt::format("<tr><th scope=\"row\" title=\"{0}\">{1}&ensp;{0}</th>",
                        escaped(model.kernel_names[correlation.kernels[a]]), a + 1);
    for (std::size_t b = 0; b < correlation.kernels.size(); ++b)
      html += correlation_cell(correlation.values(static_cast<Index>(a), static_cast<Index>(b)));
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string pairs_list(const Model& model, const std::vector<FoundPair>& found) {
  std::string html = "<ul>\n";
  for (std::size_t k = 0; k < std::min(kMostPairs, found.size()); ++k) {
    const auto& [pair, fit] = found[k];
    html += fmt::format("<li>{} and {}: {:.3f}{}</li>\n", escaped(model.kernel_names[pair.first]),
                        escaped(model.kernel_names[pair.second]), pair.correlation,
                        model.fits.size() > 1 ? fmt::format(" ({})", escaped(fit->title())) : "");
  }
  if (found.size() > kMostPairs) html += fmt::format("<li>and {} more pairs</li>\n", found.size() - kMostPairs);
  return html + "</ul>\n";
}

/// The contributions to all outputs of a fit, one below the other: kernels say the same where they do for every output.
Matrix shares_below_each_other(const Model& model, const TrainingContributions& contributions, std::size_t fit) {
  const std::vector<Output> outputs = outputs_of(model.fits);
  Matrix all(0, model.fits[fit].expansion.scale.size());
  for (std::size_t c = 0; c < outputs.size(); ++c) {
    if (outputs[c].fit != fit) continue;
    const Matrix& shares = contributions.scores.shares[c];
    Matrix more(all.rows() + shares.rows(), all.cols());
    more << all, shares.rowwise() - shares.colwise().mean();
    all = std::move(more);
  }
  return all;
}

std::string caution(const Model& model, const std::vector<FoundPair>& found, double largest) {
  if (found.empty())
    return paragraph(fmt::format(
        "The contributions of the heaviest kernels to the training rows are correlated by at most {:.2f} in size: each "
        "of their weights stands for something of its own. Kernels that were not selected may still say the same as "
        "one "
        "that was.",
        largest));
  return "<div class=\"note caution\">\n" +
         paragraph(fmt::format(
             "Caution: some of the heaviest kernels say nearly the same of the training rows (correlation of their "
             "contributions {:g} or more in size). Other rows may move weight from one to the other, or to a kernel "
             "that was not selected: read the sum of their weights, not each.",
             kAlike)) +
         pairs_list(model, found) + "</div>\n";
}

}  // namespace

std::string alike_part(const Model& model, const TrainingContributions& contributions) {
  if (contributions.rows.empty() || active_kernels(model.fits).size() < 2) return "";
  std::vector<FoundPair> found;
  double largest = 0;
  std::string tables;
  for (std::size_t f = 0; f < model.fits.size(); ++f) {
    const Fit& fit = model.fits[f];
    const ContributionCorrelation correlation =
        contribution_correlation(fit, shares_below_each_other(model, contributions, f));
    if (correlation.kernels.size() < 2) continue;
    for (const AlikeKernels& pair : alike_kernels(correlation, kAlike)) found.push_back({pair, &fit});
    for (const AlikeKernels& pair : alike_kernels(correlation, 0))
      largest = std::max(largest, std::abs(pair.correlation));
    if (f >= kMostFitsShown) continue;
    const std::string table = correlation_table(model, correlation);
    tables += model.fits.size() == 1
                  ? table
                  : fmt::format("<div>\n<h4>{}</h4>\n{}</div>\n", escaped(capital(fit.title())), table);
  }
  if (tables.empty()) return "";
  std::ranges::stable_sort(found, [](const FoundPair& a, const FoundPair& b) {
    return std::abs(a.pair.correlation) > std::abs(b.pair.correlation);
  });
  const std::string what = paragraph(
      fmt::format("Correlation of the contributions of the heaviest kernels, heaviest first, on {} training rows.",
                  contributions.rows.size()));
  return "<div class=\"alike\">\n<h3>Do kernels say the same?</h3>\n" + caution(model, found, largest) +
         (model.fits.size() == 1
              ? what + tables
              : details(model.targets.empty() ? "Class by class" : "Target by target", what + tables)) +
         "</div>\n";
}

}  // namespace spicymkl
