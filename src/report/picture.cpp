// The weights along a path as a drawing of its own, for print and slides: the chart of the page as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/utf8.hpp"
#include "html.hpp"
#include "path_chart.hpp"
#include "resources.hpp"

namespace spicymkl {

namespace {

using Json = Charts::Json;

constexpr double kLeft = 70, kTop = 44, kPlotWidth = 560, kPlotHeight = 300, kLegendWidth = 330, kPanelHeight = 420;
constexpr std::size_t kLongestName = 42;

std::string text_at(double x, double y, std::string_view kind, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kind, x, y, escaped(text));
}

std::string line_at(double x1, double x2, double y1, double y2, std::string_view kind) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, x2, y1,
                     y2);
}

/// 1, 2 or 5 times a power of ten, so that about five steps reach `largest`.
double tick_step(double largest) {
  const double rough = largest / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power) return factor * power;
  return 10 * power;
}

/// A chart of lines over a logarithmic axis that runs down.
class Panel {
 public:
  Panel(const Json& chart, double top) : chart_(chart), top_(top) {
    for (const Json& series : chart["series"])
      for (const Json& point : series["points"]) {
        first_ = std::max(first_, std::log10(point[0].get<double>()));
        last_ = std::min(last_, std::log10(point[0].get<double>()));
        largest_ = std::max(largest_, point[1].get<double>());
      }
    if (first_ <= last_) first_ += 0.5, last_ = first_ - 1;
    if (largest_ == 0) largest_ = 1;
  }

  std::string draw() const {
    return text_at(kLeft, top_ - 18, "title", chart_["title"].get<std::string>()) + axes() + curves();
  }

 private:
  double x(double log_value) const { return kLeft + kPlotWidth * (first_ - log_value) / (first_ - last_); }
  double y(double value) const { return top_ + kPlotHeight * (1 - value / largest_); }

  std::string axes() const {
    const double bottom = top_ + kPlotHeight, right = kLeft + kPlotWidth;
    std::string svg;
    for (double tick = 0; tick <= largest_ * 1.0001; tick += tick_step(largest_))
      svg += line_at(kLeft, right, y(tick), y(tick), "grid") +
             text_at(kLeft - 6, y(tick) + 4, "end", fmt::format("{:.4g}", tick));
    for (int power = static_cast<int>(std::floor(last_)); power <= first_; ++power)
      for (const int digit : {1, 2, 5}) {
        const double tick = power + std::log10(digit);
        if (tick < last_ - 1e-9 || tick > first_ + 1e-9) continue;
        svg += line_at(x(tick), x(tick), top_, bottom, "grid") +
               text_at(x(tick), bottom + 18, "middle", fmt::format("{:g}", std::pow(10, power) * digit));
      }
    svg += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft, top_,
                       kPlotWidth, kPlotHeight);
    svg += text_at(kLeft + kPlotWidth / 2, bottom + 42, "middle", chart_["x"].get<std::string>() + " (decreasing)");
    return svg + fmt::format("<text class=\"middle\" transform=\"translate(18 {}) rotate(-90)\">{}</text>\n",
                             top_ + kPlotHeight / 2, escaped(chart_["y"].get<std::string>()));
  }

  /// With the legend beside them; the heaviest last, on top of the others.
  std::string curves() const {
    const double left = kLeft + kPlotWidth + 16;
    const auto& all = chart_["series"];
    std::size_t n_named = 0;
    std::string svg;
    for (std::size_t k = all.size(); k-- > 0;) {
      const std::string name = all[k]["name"], kind = name.empty() ? "faint" : fmt::format("c{}", k);
      std::string points;
      for (const Json& point : all[k]["points"])
        points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x(std::log10(point[0].get<double>())),
                              y(point[1].get<double>()));
      svg += fmt::format("<polyline class=\"line {}\" points=\"{}\"/>\n", kind, points);
      if (name.empty()) continue;
      const double at = top_ + 10 + 22 * static_cast<double>(k);
      const std::string shown = utf8_prefix(name, kLongestName);
      svg += line_at(left, left + 20, at, at, "line " + kind) + text_at(left + 27, at + 4, "name", shown);
      ++n_named;
    }
    if (n_named == all.size()) return svg;
    return svg + text_at(left + 27, top_ + 14 + 22 * static_cast<double>(n_named), "rest",
                         fmt::format("and {} more", all.size() - n_named));
  }

  const Json& chart_;
  double top_;
  double first_ = -HUGE_VAL, last_ = HUGE_VAL;  // log10 of x at the left and at the right
  double largest_ = 0;
};

}  // namespace

std::string path_picture(const std::vector<FitPath>& paths, const std::vector<std::string>& kernel_names) {
  std::string panels;
  double height = 0;
  for (const FitPath& path : paths) {
    if (path.fits.empty()) continue;
    const Fit& fit = path.fits.front();
    Json chart = path_chart(path, kernel_names, kernel_names.size());
    chart["title"] = fmt::format("Kernel weights along the path, {} loss, {} penalty{}", fit.problem.loss,
                                 fit.problem.penalty, paths.size() > 1 ? ", " + fit.title() : "");
    panels += Panel(chart, height + kTop).draw();
    height += kPanelHeight;
  }
  return filled(resources::picture_svg, {{"WIDTH", fmt::format("{}", kLeft + kPlotWidth + kLegendWidth)},
                                         {"HEIGHT", fmt::format("{}", height)},
                                         {"PANELS", panels}});
}

}  // namespace spicymkl
