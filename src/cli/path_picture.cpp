#include "path_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "spicymkl/model/table_model.hpp"

namespace spicymkl::cli {

namespace {

constexpr double kLeft = 70, kTop = 44, kPlotWidth = 560, kPlotHeight = 300, kLegendWidth = 330, kPanelHeight = 420;
constexpr double kWidth = kLeft + kPlotWidth + kLegendWidth;
constexpr std::size_t kMostNamed = 10;  // as many as there are colours that can be told apart
constexpr std::size_t kLongestName = 42;

// Okabe and Ito's colours, which people who are colour-blind can tell apart, and some more. All are readable on white
// and on black.
constexpr std::array<const char*, kMostNamed> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                                          "#56b4e9", "#8c6bb1", "#a6761d", "#66a61e", "#e7298a"};

constexpr const char* kStyle = R"(<style>
svg { color: #222; font-family: system-ui, sans-serif; font-size: 13px; }
.ground { fill: #fff; }
@media (prefers-color-scheme: dark) { svg { color: #ddd; } .ground { fill: #181818; } }
text { fill: currentColor; }
.frame { fill: none; stroke: currentColor; stroke-opacity: 0.6; }
.grid { stroke: currentColor; stroke-opacity: 0.15; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.other { stroke: currentColor; stroke-opacity: 0.3; stroke-width: 1; }
</style>
)";

std::string shortened(const std::string& text) {
  if (text.size() <= kLongestName) return text;
  // Cut between characters, not within one: bytes 10xxxxxx continue a character of UTF-8.
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else if (static_cast<unsigned char>(c) < 0x20) safe += ' ';
    else safe += c;
  }
  return safe;
}

/// 1, 2 or 5 times a power of ten, so that about five steps reach `largest`.
double tick_step(double largest) {
  const double rough = largest / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power) return factor * power;
  return 10 * power;
}

/// The curves of one path, in the coordinates of its panel.
class Panel {
 public:
  Panel(const PathTable& table, const FitPath& path, double offset) : table_(table), path_(path), offset_(offset) {
    kernels_ = active_kernels(path.fits);
    for (const Fit& fit : path.fits) {
      weights_.push_back(weights_of(fit, kernels_));
      for (const double weight : weights_.back()) largest_ = std::max(largest_, weight);
    }
    first_ = std::log10(path.fits.front().problem.alpha);
    last_ = std::log10(path.fits.back().problem.alpha);
    if (first_ == last_) first_ += 0.5, last_ -= 0.5;
    if (largest_ == 0) largest_ = 1;
    order_by_peak();
  }

  std::string draw() const {
    std::string text =
        fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"15\">{}</text>\n", kLeft, offset_ + 26, title());
    return text + axes() + curves() + legend();
  }

 private:
  void order_by_peak() {
    std::vector<double> peak(kernels_.size(), 0);
    for (const auto& weights : weights_)
      for (std::size_t k = 0; k < weights.size(); ++k) peak[k] = std::max(peak[k], weights[k]);
    for (std::size_t k = 0; k < kernels_.size(); ++k) order_.push_back(k);
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return peak[a] > peak[b]; });
  }

  double x(double log_alpha) const { return kLeft + kPlotWidth * (first_ - log_alpha) / (first_ - last_); }
  double y(double weight) const { return offset_ + kTop + kPlotHeight * (1 - weight / largest_); }

  std::string title() const {
    std::string text = fmt::format("Kernel weights along the path, {} loss, {} penalty",
                                   path_.fits.front().problem.loss, path_.fits.front().problem.penalty);
    if (table_.several()) text += ", class " + path_.fits.front().positive_class;
    return escaped(text);
  }

  std::string axes() const {
    const double bottom = offset_ + kTop + kPlotHeight;
    std::string text;
    const double step = tick_step(largest_);
    for (int k = 0; k * step <= largest_ * 1.0001; ++k) {
      const double at = y(k * step);
      text += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft,
                          kLeft + kPlotWidth, at, at);
      text += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", kLeft - 6, at + 4, k * step);
    }
    for (int power = static_cast<int>(std::floor(last_)); power <= first_; ++power)
      for (const int digit : {1, 2, 5}) {
        const double log_alpha = power + std::log10(digit);
        if (log_alpha < last_ - 1e-9 || log_alpha > first_ + 1e-9) continue;
        const double at = x(log_alpha);
        text += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>", at, at,
                            offset_ + kTop, bottom);
        text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", at, bottom + 18,
                            std::pow(10, power) * digit);
      }
    text += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft, offset_ + kTop,
                        kPlotWidth, kPlotHeight);
    text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">alpha (decreasing)</text>\n",
                        kLeft + kPlotWidth / 2, bottom + 42);
    text += fmt::format("<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">weight</text>\n",
                        offset_ + kTop + kPlotHeight / 2);
    return text;
  }

  std::string curve(std::size_t k, const std::string& attributes) const {
    std::string points;
    for (std::size_t p = 0; p < weights_.size(); ++p)
      fmt::format_to(std::back_inserter(points), "{}{:.1f},{:.1f}", p > 0 ? " " : "",
                     x(std::log10(path_.fits[p].problem.alpha)), y(weights_[p][k]));
    return fmt::format("<polyline {} points=\"{}\"/>\n", attributes, points);
  }

  /// The heaviest last, on top of the others.
  std::string curves() const {
    std::string text;
    for (std::size_t place = order_.size(); place-- > 0;) {
      const bool named = place < kMostNamed;
      text += curve(order_[place],
                    named ? fmt::format("class=\"line\" stroke=\"{}\"", kColours[place]) : "class=\"line other\"");
    }
    return text;
  }

  std::string legend() const {
    const double left = kLeft + kPlotWidth + 16;
    double at = offset_ + kTop + 10;
    std::string text;
    for (std::size_t place = 0; place < std::min(order_.size(), kMostNamed); ++place, at += 22) {
      text += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"3\"/>", left,
                          left + 20, at, at, kColours[place]);
      text += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", left + 27, at + 4,
                          escaped(shortened(table_.kernel_names[kernels_[order_[place]]])));
    }
    if (order_.size() > kMostNamed)
      text += fmt::format("<text x=\"{}\" y=\"{}\" opacity=\"0.7\">and {} more</text>\n", left + 27, at + 4,
                          order_.size() - kMostNamed);
    return text;
  }

  const PathTable& table_;
  const FitPath& path_;
  double offset_;
  std::vector<Index> kernels_;                // ever active
  std::vector<std::vector<double>> weights_;  // [point][kernel]
  std::vector<std::size_t> order_;            // of kernels_, by their largest weight
  double largest_ = 0;
  double first_ = 0, last_ = 0;  // log10 alpha at the left and at the right
};

}  // namespace

std::string path_picture(const PathTable& table) {
  std::string panels;
  double height = 0;
  for (const FitPath& path : table.paths) {
    if (path.fits.empty()) continue;
    panels += Panel(table, path, height).draw();
    height += kPanelHeight;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Kernel "
      "weights against alpha\">\n{}<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
      kWidth, height, kStyle, panels);
}

}  // namespace spicymkl::cli
