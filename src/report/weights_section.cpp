// Which kernels and sources matter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "alike_part.hpp"
#include "heat_map.hpp"
#include "html.hpp"
#include "outputs_part.hpp"
#include "sections.hpp"
#include "spicymkl/model/sources.hpp"

namespace spicymkl {

namespace {

using Json = Charts::Json;

constexpr std::size_t kMostBars = 25, kMostListed = 500;

const std::string& name_of_kernel(const Model& model, Index kernel) { return model.kernel_names[kernel]; }

/// The active kernels, heaviest first.
std::vector<Index> by_share(const Model& model, const Vector& shares) {
  std::vector<Index> kernels = active_kernels(model.fits);
  std::stable_sort(kernels.begin(), kernels.end(), [&](Index a, Index b) { return shares(a) > shares(b); });
  return kernels;
}

/// What one fit adds to the mean share of the kernels, in per cent.
std::vector<double> bar_lengths(const Model& model, const Fit& fit, const std::vector<Index>& kernels) {
  const Vector shares = weight_shares(model, fit) * (100 / static_cast<double>(model.fits.size()));
  std::vector<double> lengths;
  for (const Index kernel : kernels) lengths.push_back(shares(kernel));
  return lengths;
}

/// Bars of shares of the weight, one series per fit.
std::string bars_figure(Json labels, Json series, std::string_view label, std::string_view caption, Charts& charts) {
  const std::string place =
      fmt::format("class=\"chart tall{}\" style=\"--bars:{}\"", series.size() > 1 ? " with-legend" : "", labels.size());
  return charts.figure({{"kind", "bars"},
                        {"x", "share of the weight (%)"},
                        {"unit", "%"},
                        {"labels", std::move(labels)},
                        {"series", std::move(series)}},
                       label, caption, place);
}

std::string series_name(const Model& model, const Fit& fit) { return model.fits.size() > 1 ? fit.name() : "weight"; }

/// Bars beside each other, one series per fit; of many fits their sum alone.
Json shown_series(const Model& model, const std::function<std::vector<double>(std::size_t fit)>& lengths) {
  if (model.fits.size() <= kMostFitsShown) {
    Json series = Json::array();
    for (std::size_t f = 0; f < model.fits.size(); ++f)
      series.push_back({{"name", series_name(model, model.fits[f])}, {"values", lengths(f)}});
    return series;
  }
  std::vector<double> sums;
  for (std::size_t f = 0; f < model.fits.size(); ++f) {
    const std::vector<double> one = lengths(f);
    sums.resize(one.size(), 0);
    std::ranges::transform(sums, one, sums.begin(), std::plus{});
  }
  return Json::array({{{"name", "weight"}, {"values", sums}}});
}

std::string kernel_bars(const Model& model, std::vector<Index> kernels, Charts& charts) {
  const std::size_t n_active = kernels.size();
  kernels.resize(std::min(kMostBars, n_active));
  Json labels = Json::array();
  for (const Index kernel : kernels) labels.push_back(name_of_kernel(model, kernel));
  Json series = shown_series(model, [&](std::size_t f) { return bar_lengths(model, model.fits[f], kernels); });
  const std::string caption = fmt::format(
      "{} Shares of the sum of all weights{}.",
      n_active == 1                ? "The weight of the only active kernel."
      : kernels.size() == n_active ? fmt::format("The weights of the {} active kernels.", n_active)
                                   : fmt::format("The {} heaviest of {} active kernels.", kernels.size(), n_active),
      model.fits.size() == 1  ? ""
      : model.targets.empty() ? ", averaged over the classes"
                              : ", averaged over the targets");
  return bars_figure(std::move(labels), std::move(series), "Kernel weights, heaviest first", caption, charts);
}

/// Nothing where no source has several active kernels, for the kernels then say the same, or where there is one source.
std::string source_bars(const Model& model, Charts& charts) {
  const std::vector<Source> sources = kernel_sources(model);
  if (std::ranges::none_of(sources, [](const Source& source) { return source.n_active > 1; })) return "";
  const Matrix shares = weight_shares(sources) / static_cast<double>(model.fits.size());
  const Vector sums = shares.rowwise().sum();
  std::vector<Index> order;
  for (Index s = 0; s < sums.size(); ++s)
    if (sums(s) > 0) order.push_back(s);
  if (order.size() < 2) return "";
  std::ranges::stable_sort(order, [&](Index a, Index b) { return sums(a) > sums(b); });
  const std::size_t n_sources = order.size();
  order.resize(std::min(kMostBars, n_sources));
  Json labels = Json::array();
  for (const Index s : order) labels.push_back(sources[s].name);
  Json series = shown_series(model, [&](std::size_t f) {
    std::vector<double> values;
    for (const Index s : order) values.push_back(100 * shares(s, static_cast<Index>(f)));
    return values;
  });
  return bars_figure(std::move(labels), std::move(series), "Weights by source, heaviest first",
                     n_sources == order.size()
                         ? "The same by source: the sum over the kernels of each."
                         : fmt::format("The same by source, the {} heaviest of {}.", order.size(), n_sources),
                     charts);
}

std::string percent_cell(double percent) {
  if (percent == 0) return "";
  if (percent < 0.1) return "&lt;.1";
  return percent < 9.95 ? fmt::format("{:.2g}", percent) : fmt::format("{:.0f}", percent);
}

/// Darker for more; the root makes small shares visible beside large ones.
std::string heat_cell(double share, double largest, const std::string& title) {
  if (std::isnan(share)) return "<td class=\"none\">·</td>";
  const double part = largest > 0 ? std::sqrt(share / largest) : 0;
  return fmt::format("<td class=\"cell{}\" style=\"--part:{:.3f}\" title=\"{}: {:.3g} %\">{}</td>",
                     part > kStrongColour ? " strong" : "", part, escaped(title), 100 * share,
                     percent_cell(100 * share));
}

std::string heat_head(const HeatMap& map) {
  std::string blocks = "<tr><th></th>", values = "<tr><th></th>";
  for (const HeatMap::Block& block : map.blocks)
    blocks += fmt::format("<th class=\"kind\" scope=\"colgroup\" colspan=\"{}\">{}{}</th>", block.n_columns,
                          escaped(block.type),
                          block.parameters.empty() ? "" : fmt::format(" <small>{}</small>", escaped(block.parameters)));
  for (const std::string& column : map.columns) values += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  return blocks + "<th></th></tr>\n" + values + "<th class=\"total\">sum</th></tr>\n";
}

std::string heat_table(const HeatMap& map) {
  const Matrix weights = map.share.array().isNaN().select(0, map.share);
  const double largest = weights.maxCoeff();
  std::string html = "<div class=\"scroll\"><table class=\"heat\">\n<thead>" + heat_head(map) + "</thead>\n<tbody>\n";
  for (Index i = 0; i < std::ssize(map.rows); ++i) {
    const auto row = i;
    html += fmt::format("<tr><th scope=\"row\" title=\"{0}\">{0}</th>", escaped(map.rows[i]));
    for (Index k = 0; k < map.share.cols(); ++k) html += heat_cell(map.share(row, k), largest, map.rows[i]);
    const double sum = weights.row(row).sum();
    html += fmt::format("<td class=\"total\">{}</td></tr>\n", sum > 0 ? percent_text(sum) : "");
  }
  return html + "</tbody></table></div>\n";
}

std::string sources_shown(const HeatMap& map) {
  const Index n_shown = std::ssize(map.rows);
  if (n_shown == map.n_sources) return "";
  const bool all_with_weight = n_shown >= map.n_selected;
  return fmt::format("; the {}{} of {} sources{}", n_shown, all_with_weight ? "" : " heaviest", map.n_sources,
                     all_with_weight ? " that have any" : "");
}

std::string heat_map_part(const Model& model) {
  const std::optional<HeatMap> map = heat_map(model);
  if (!map) return "";
  return "<div class=\"together\">\n<h3>Weights by source and kernel</h3>\n" +
         paragraph(
             fmt::format("Share of the weight in per cent{}. An empty cell is a kernel that was not selected, a dot "
                         "a kernel that was not offered.",
                         sources_shown(*map))) +
         heat_table(*map) + "</div>\n";
}

std::string kernel_table(const Model& model, const std::vector<Index>& kernels, const Vector& shares) {
  std::vector<std::vector<std::string>> rows;
  for (const Index kernel : kernels) {
    if (rows.size() == kMostListed) break;
    rows.push_back({name_of_kernel(model, kernel), fmt::format("{}", kernel), percent_text(shares(kernel))});
  }
  return details(
      rows.size() == kernels.size()
          ? (kernels.size() == 1 ? "The only active kernel" : fmt::format("All {} active kernels", kernels.size()))
          : fmt::format("The {} heaviest of {} active kernels", rows.size(), kernels.size()),
      plain_table({"kernel", "number", "share"}, rows, 1));
}

}  // namespace

std::string weights_section(const Report& report, const TrainingContributions& contributions, Charts& charts) {
  if (!report.model) return "";
  const Model& model = *report.model;
  const Vector shares = weight_shares(model);
  const std::vector<Index> kernels = by_share(model, shares);
  if (kernels.empty())
    return section(
        "Kernel weights",
        paragraph("No kernel has a weight above 0: the model predicts a constant. A smaller alpha selects some."));
  // What is left and what is right is about as long.
  const std::string left = kernel_bars(model, kernels, charts) + alike_part(model, contributions);
  const std::string right = source_bars(model, charts) + heat_map_part(model);
  return section(
      "Kernel weights",
      fmt::format("<div class=\"beside weights\">\n<div>\n{}</div>\n<div>\n{}</div>\n</div>\n", left, right) +
          outputs_part(model, contributions) + kernel_table(model, kernels, shares));
}

}  // namespace spicymkl
