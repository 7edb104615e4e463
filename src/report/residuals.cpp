#include "residuals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "density_line.hpp"

namespace spicymkl {

namespace {

using Json = Charts::Json;

constexpr Index kMostResiduals = 2000;  // that are drawn

std::string rows_text(Index step) {
  return step == 1 ? "One point per row." : fmt::format("One point for every {} rows.", step);
}

Json points_of(const Vector& x, const Vector& y, Index step) {
  Json points = Json::array();
  for (Index i = 0; i < x.size(); i += step) points.push_back({x(i), y(i)});
  return points;
}

Json chart_of(const char* x, const char* y, Json points, double from, double to, const Json& limit) {
  const Json series = {{{"name", "rows"}, {"points", std::move(points)}},
                       {{"name", "no error"}, {"points", limit}, {"look", "limit"}}};
  return {{"kind", "points"}, {"x", x}, {"y", y}, {"x_range", {from, to}}, {"legend", false}, {"series", series}};
}

}  // namespace

std::string residual_charts(const Evaluation& test, Charts& charts) {
  const Vector &truth = test.truth, &predicted = test.predicted, residual = truth - predicted;
  const Index step = std::max<Index>(1, test.n_samples / kMostResiduals);
  const double low = std::min(truth.minCoeff(), predicted.minCoeff());
  const double high = std::max(truth.maxCoeff(), predicted.maxCoeff());
  const std::string_view place = "class=\"chart square\"";
  Json against =
      chart_of("truth", "prediction", points_of(truth, predicted, step), low, high, {{low, low}, {high, high}});
  against["y_range"] = {low, high};
  const double first = predicted.minCoeff(), last = predicted.maxCoeff();
  std::string figures = charts.figure(
      std::move(against), "Predictions against the truth",
      fmt::format("<strong>Predictions</strong> against the truth. {} Dashed: no error.", rows_text(step)), place);
  figures += charts.figure(
      chart_of("prediction", "truth − prediction", points_of(predicted, residual, step), first, last,
               {{first, 0}, {last, 0}}),
      "Residuals against predictions",
      "<strong>Residuals</strong> against predictions. A trend says that something was not learned; a funnel, "
      "that errors grow with the prediction.",
      place);
  const Json series = {{{"name", "rows"}, {"points", density_line(density_of(residual))}, {"look", "filled"}}};
  figures += charts.figure(
      {{"kind", "lines"},
       {"x", "truth − prediction"},
       {"y", "rows"},
       {"whole_y", true},
       {"from_zero", true},
       {"legend", false},
       {"series", series}},
      "Distribution of the residuals",
      fmt::format("<strong>How the residuals are spread.</strong> Mean {:.3g}, standard deviation {:.3g}.",
                  residual.mean(), std::sqrt((residual.array() - residual.mean()).square().mean())),
      place);
  return "<div class=\"charts three\">\n" + figures + "</div>\n";
}

}  // namespace spicymkl
