// What changes with the strength of the penalty: a path, or the scores of a cross-validation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "html.hpp"
#include "path_chart.hpp"
#include "scores_section.hpp"
#include "sections.hpp"
#include "selection/grid_edge.hpp"

namespace spicymkl {

namespace {

using Json = Charts::Json;

constexpr std::size_t kMostLines = 60;  // kernels of a path that are drawn

double ratio(const FitPath& path, const Fit& fit) { return fit.problem.alpha / path.alpha_max; }

/// The kernels of a path by their largest weight on it.
std::vector<Index> by_largest_weight(const FitPath& path, Index n_kernels) {
  Vector largest = Vector::Zero(n_kernels);
  for (const Fit& fit : path.fits) largest = largest.cwiseMax(fit.weights(n_kernels));
  std::vector<Index> kernels = active_kernels(path.fits);
  std::stable_sort(kernels.begin(), kernels.end(), [&](Index a, Index b) { return largest(a) > largest(b); });
  return kernels;
}

std::string fit_name(const FitPath& path) { return path.fits.front().name(); }

Json active_chart(const PathReport& path) {
  Json series = Json::array();
  for (const FitPath& one : path.paths) {
    Json points = Json::array();
    for (const Fit& fit : one.fits) points.push_back({ratio(one, fit), fit.expansion.kernels.size()});
    series.push_back({{"name", path.paths.size() > 1 ? fit_name(one) : "path"}, {"points", std::move(points)}});
  }
  return {{"kind", "lines"},   {"x", "alpha / alpha_max"}, {"y", "active kernels"}, {"log_x", true},
          {"reverse_x", true}, {"from_zero", true},        {"whole_y", true},       {"series", std::move(series)}};
}

std::string path_table(const PathReport& path) {
  std::vector<std::vector<std::string>> rows;
  for (const FitPath& one : path.paths)
    for (const Fit& fit : one.fits)
      rows.push_back({fit_name(one), fit.status, fmt::format("{:.6g}", fit.problem.alpha),
                      fmt::format("{:.4g}", ratio(one, fit)), fmt::format("{}", fit.expansion.kernels.size()),
                      fmt::format("{:.2e}", fit.certificate.relative_gap),
                      fmt::format("{:.8g}", fit.certificate.primal)});
  return details(fmt::format("All {} points", rows.size()),
                 plain_table({path.paths.front().fits.front().target.empty() ? "class" : "target", "status", "alpha",
                              "of alpha_max", "active", "gap", "primal"},
                             rows, 2));
}

/// The points of a cross-validation with the same kernels, l1_ratio and q.
struct Shape {
  std::string kernels;
  double l1_ratio, q;
  bool operator==(const Shape&) const = default;
};

Shape shape_of(const CvPoint& point) { return {point.kernels, point.l1_ratio, point.q}; }

std::vector<Shape> shapes_of(const CrossValidation& cv) {
  std::vector<Shape> shapes;
  for (const CvPoint& point : cv.points)
    if (std::find(shapes.begin(), shapes.end(), shape_of(point)) == shapes.end()) shapes.push_back(shape_of(point));
  return shapes;
}

template <class Value>
Json points_of(const CrossValidation& cv, const Shape& shape, const Value& value) {
  Json points = Json::array();
  for (const CvPoint& point : cv.points)
    if (shape_of(point) == shape && point.complete()) points.push_back({point.alpha, value(point)});
  return points;
}

std::string shape_name(const CrossValidation& cv, const Shape& shape) {
  const std::vector<Shape> shapes = shapes_of(cv);
  const auto differ = [&](auto member) {
    return std::any_of(shapes.begin(), shapes.end(),
                       [&](const Shape& other) { return other.*member != shape.*member; });
  };
  std::vector<std::string> parts;
  if (differ(&Shape::kernels)) parts.push_back(shape.kernels);
  if (differ(&Shape::l1_ratio)) parts.push_back(fmt::format("l1_ratio {:g}", shape.l1_ratio));
  if (differ(&Shape::q)) parts.push_back(fmt::format("q {:g}", shape.q));
  return parts.empty() ? "mean over the folds" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string alpha_axis(const CrossValidation& cv) { return cv.relative ? "alpha / alpha_max" : "alpha"; }

Json score_chart(const CrossValidation& cv) {
  Json series = Json::array();
  const std::vector<Shape> shapes = shapes_of(cv);
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const auto line = [&](const std::string& name, double errors) {
      return Json{{"name", name}, {"colour", k}, {"points", points_of(cv, shapes[k], [&](const CvPoint& point) {
                                                    return point.mean + errors * point.standard_error;
                                                  })}};
    };
    series.push_back(line(shape_name(cv, shapes[k]), 0));
    if (shapes.size() > 1) continue;  // several bands would hide each other
    series.push_back(line("", 1));
    series.back()["look"] = "band";
    series.push_back(line("", -1));
    series.back()["look"] = "edge";
  }
  series.push_back({{"name", "chosen"}, {"look", "marker"}, {"points", {{cv.choice().alpha, cv.choice().mean}}}});
  return {{"kind", "lines"}, {"x", alpha_axis(cv)}, {"y", score_title(cv)},
          {"log_x", true},   {"reverse_x", true},   {"series", std::move(series)}};
}

Json cv_active_chart(const CrossValidation& cv) {
  Json series = Json::array();
  for (const Shape& shape : shapes_of(cv))
    series.push_back({{"name", shape_name(cv, shape)},
                      {"points", points_of(cv, shape, [](const CvPoint& point) { return point.n_active; })}});
  return {{"kind", "lines"},   {"x", alpha_axis(cv)}, {"y", "active kernels"},      {"log_x", true},
          {"reverse_x", true}, {"from_zero", true},   {"series", std::move(series)}};
}

std::string edge_words(GridEdge edge) {
  if (edge == GridEdge::none) return "";
  return fmt::format(" The best alpha is the {} one tried: a wider grid may find a better one.",
                     edge == GridEdge::smallest ? "smallest" : "largest");
}

/// The best of several scores is better than what new rows will give.
std::string optimism_words(const Report& report) {
  const CrossValidation& cv = *report.cv;
  if (cv.n_scored == 1) return "";
  return fmt::format(
      "This score is {} {}, chosen on the same folds, and therefore optimistic: rows that took no part, as in {}, give "
      "an honest one.",
      cv.chosen == cv.best ? "the best of" : "one of", cv.n_scored,
      report.data && report.data->from_python ? "report(path, X_test, y_test)" : "evaluate or train --test");
}

/// Alphas that no choice was made among, because the scores had clearly got worse before them.
std::string left_out_words(const CrossValidation& cv) {
  const Index left_out = std::ssize(cv.points) - cv.n_scored;
  return left_out == 0 ? "" : fmt::format(" {} were left out: scores had clearly got worse before them.", left_out);
}

std::string cv_words(const Report& report) {
  const CrossValidation& cv = *report.cv;
  const CvPoint& chosen = cv.choice();
  return fmt::format(
      "{} folds, {} combinations. Chosen: {} {:.4g}{}, with {} {:.5g} ± {:.2g} (standard error over the folds){}{}. "
      "The model was then trained with it on all rows.{} {}",
      chosen.scores.size(), cv.points.size(), alpha_axis(cv), chosen.alpha,
      shapes_of(cv).size() > 1 ? fmt::format(", {}", shape_name(cv, shape_of(chosen))) : "", score_title(cv),
      chosen.mean, chosen.standard_error,
      cv.chosen == cv.best
          ? ", the best mean"
          : fmt::format("; the best mean is {:.5g}, within one standard error", cv.points[cv.best].mean),
      cv.has_familiar() ? fmt::format("; its {} is {:.4g}", title_of(cv.familiar), chosen.familiar) : "",
      left_out_words(cv) + edge_words(edge_of(cv)), optimism_words(report));
}

std::string cv_table(const CrossValidation& cv) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t p = 0; p < cv.points.size(); ++p) {
    const CvPoint& point = cv.points[p];
    if (!point.complete()) continue;
    rows.push_back({p == cv.chosen ? "chosen"
                    : p == cv.best ? "best"
                                   : "",
                    point.kernels, fmt::format("{:.5g}", point.alpha), fmt::format("{:.4g}", point.l1_ratio),
                    fmt::format("{:.4g}", point.q), fmt::format("{:.5g}", point.mean),
                    fmt::format("{:.2g}", point.standard_error)});
    if (cv.has_familiar()) rows.back().push_back(fmt::format("{:.4g}", point.familiar));
    rows.back().push_back(fmt::format("{:.1f}", point.n_active));
  }
  std::vector<std::string> head = {"", "kernels", alpha_axis(cv), "l1_ratio", "q", score_title(cv), "standard error"};
  if (cv.has_familiar()) head.push_back(std::string(title_of(cv.familiar)));
  head.push_back("active kernels");
  return details(fmt::format("All {} combinations", rows.size()), plain_table(head, rows, 2));
}

}  // namespace

Json path_chart(const FitPath& path, const std::vector<std::string>& names, std::size_t most) {
  std::vector<Index> kernels = by_largest_weight(path, std::ssize(names));
  kernels.resize(std::min(kernels.size(), most));
  Json series = Json::array();
  for (const Index kernel : kernels) {
    const bool named = series.size() < kMostNamed;
    series.push_back({{"name", named ? names[kernel] : ""}, {"points", Json::array()}});
    if (!named) series.back()["look"] = "faint";
  }
  for (const Fit& fit : path.fits) {
    const Vector weights = fit.weights(std::ssize(names));
    for (std::size_t k = 0; k < kernels.size(); ++k)
      series[k]["points"].push_back({ratio(path, fit), weights(kernels[k])});
  }
  return {{"kind", "lines"}, {"x", "alpha / alpha_max"}, {"y", "kernel weight"},
          {"log_x", true},   {"reverse_x", true},        {"series", std::move(series)}};
}

std::string path_section(const Report& report, Charts& charts) {
  if (!report.path) return "";
  std::string figures;
  for (const FitPath& path : std::span(report.path->paths).first(std::min(kMostFitsShown, report.path->paths.size()))) {
    const std::string of = report.path->paths.size() > 1 ? fmt::format(" of {}", path.fits.front().title()) : "";
    figures += charts.figure(path_chart(path, report.path->kernel_names, kMostLines), "Kernel weights against alpha",
                             escaped(fmt::format("Kernel weights{}. The heaviest {} have a name; alpha_max is {:.5g}.",
                                                 of, kMostNamed, path.alpha_max)),
                             "class=\"chart high\"");
  }
  figures += charts.figure(active_chart(*report.path), "Active kernels against alpha",
                           "Kernels with a weight above 0. Each point has a certificate of its own.");
  return section("Path", "<div class=\"charts\">\n" + figures + "</div>\n" + path_table(*report.path));
}

std::string cv_section(const Report& report, Charts& charts) {
  if (!report.cv) return "";
  const CrossValidation& cv = *report.cv;
  const std::string band = shapes_of(cv).size() == 1 ? ", with one standard error to each side" : "";
  std::string figures = charts.figure(score_chart(cv), "Score against alpha",
                                      fmt::format("Mean {} on rows that were not learned from{}. {} is better.",
                                                  score_title(cv), band, cv.larger_is_better() ? "Larger" : "Smaller"));
  figures += charts.figure(cv_active_chart(cv), "Active kernels against alpha", "Active kernels, mean over the folds.");
  return section("Cross-validation",
                 paragraph(cv_words(report)) + "<div class=\"charts\">\n" + figures + "</div>\n" + cv_table(cv));
}

}  // namespace spicymkl
