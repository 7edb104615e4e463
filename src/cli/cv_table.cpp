#include "cv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/csv_text.hpp"
#include "selection/grid_edge.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

const char* alpha_name(const CrossValidation& result) { return result.relative ? "alpha_ratio" : "alpha"; }

/// Whether the points differ in this member, so that it is worth a column.
template <class Value>
bool varies(const CrossValidation& result, Value CvPoint::*member) {
  for (const CvPoint& point : result.points)
    if (point.*member != result.points.front().*member) return true;
  return false;
}

/// Empty where there is none.
std::string number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

std::string marks(const CrossValidation& result, std::size_t p) {
  std::string text;
  if (result.n_scored == 0) return text;
  if (p == result.best) text += "  best";
  if (p == result.one_standard_error) text += "  one standard error";
  if (p == result.chosen) text += "  <- chosen";
  return text;
}

Json edge_json(GridEdge edge) {
  if (edge == GridEdge::none) return nullptr;
  return edge == GridEdge::smallest ? "smallest" : "largest";
}

Json point_json(const CrossValidation& result, const CvPoint& point) {
  return {{"kernels", point.kernels.empty() ? Json() : Json(point.kernels)},
          {alpha_name(result), point.alpha},
          {"l1_ratio", point.l1_ratio},
          {"q", point.q},
          {"mean", point.mean},
          {"standard_error", point.standard_error},
          {"n_active", point.n_active},
          {name_of(result.familiar), point.familiar},
          {"scores", point.scores}};
}

}  // namespace

bool any_score(const CvPoint& point) {
  return std::any_of(point.scores.begin(), point.scores.end(), [](double score) { return !std::isnan(score); });
}

std::string cv_csv(const CrossValidation& result) {
  std::string text = fmt::format("{},l1_ratio,q,kernels,mean,standard_error,{},n_active,chosen", alpha_name(result),
                                 name_of(result.familiar));
  for (std::size_t f = 0; f < result.choice().scores.size(); ++f) text += fmt::format(",fold_{}", f + 1);
  text += "\n";
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const CvPoint& point = result.points[p];
    if (!result.complete && !any_score(point)) continue;
    text += fmt::format("{},{},{},{},{},{},{},{},{}", point.alpha, point.l1_ratio, point.q, csv_cell(point.kernels),
                        number(point.mean), number(point.standard_error), number(point.familiar),
                        number(point.n_active), result.n_scored > 0 && p == result.chosen ? 1 : 0);
    for (const double score : point.scores) text += "," + number(score);
    text += "\n";
  }
  return text;
}

std::string fold_csv(const std::vector<Fold>& folds, const RowNames& rows, Index n_rows) {
  std::vector<std::size_t> fold_of(n_rows, 0);
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (const Index row : folds[f].test) fold_of[row] = f + 1;
  std::string text = rows.ids.empty() ? "row,fold\n" : csv_cell(rows.name) + ",fold\n";
  for (std::size_t i = 0; i < fold_of.size(); ++i)
    text += fmt::format("{},{}\n", rows.ids.empty() ? fmt::format("{}", i + 1) : csv_cell(rows.ids[i]), fold_of[i]);
  return text;
}

Json cv_json(const CrossValidation& result) {
  Json json = {{"metric", name_of(result.metric)},
               {"larger_is_better", larger_is_better(result.metric)},
               {"folds", result.choice().scores.size()},
               {"best", result.best},
               {"one_standard_error", result.one_standard_error},
               {"chosen", result.chosen},
               {"at_edge", edge_json(edge_of(result))},
               {"n_unconverged", result.n_unconverged},
               {"complete", result.complete}};
  json["points"] = Json::array();
  for (const CvPoint& point : result.points) json["points"].push_back(point_json(result, point));
  return json;
}

std::string edge_text(const CrossValidation& result, bool spaced) {
  const GridEdge edge = edge_of(result);
  if (edge == GridEdge::none) return "";
  const double best = result.points[result.best].alpha;
  const std::string alpha = AlphaGrid{{best}, result.relative}.text(0);
  if (edge == GridEdge::smallest)
    return fmt::format("the best alpha is the smallest one tried ({}); go further with {}", alpha,
                       spaced ? fmt::format("--alpha-ratio {:.1g}", best / 10) : "smaller --alphas");
  if (result.relative && best >= 1)
    return fmt::format(
        "the best alpha is the largest one tried ({}), at which {} select no kernel: these kernels may hold nothing of "
        "the target",
        alpha, fmt::join(selecting_penalties(), " and "));
  return fmt::format("the best alpha is the largest one tried ({}); go further with larger --alphas", alpha);
}

std::string cv_text(const CrossValidation& result) {
  const bool ratios = varies(result, &CvPoint::l1_ratio), qs = varies(result, &CvPoint::q);
  const bool kernels = varies(result, &CvPoint::kernels);
  std::string text = fmt::format("{:>12}", result.relative ? "alpha / max" : "alpha");
  if (kernels) text += fmt::format("  {:12}", "kernels");
  if (ratios) text += fmt::format(" {:>9}", "l1_ratio");
  if (qs) text += fmt::format(" {:>6}", "q");
  const bool familiar = result.familiar != result.metric;
  text += fmt::format(" {:>27}", fmt::format("{} +- se", name_of(result.metric)));
  if (familiar) text += fmt::format(" {:>9}", name_of(result.familiar));
  text += fmt::format(" {:>8}\n", "active");
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const CvPoint& point = result.points[p];
    if (!point.complete()) continue;
    text += fmt::format("{:12.5g}", point.alpha);
    if (kernels) text += fmt::format("  {:12}", point.kernels);
    if (ratios) text += fmt::format(" {:9.4g}", point.l1_ratio);
    if (qs) text += fmt::format(" {:6.4g}", point.q);
    text += fmt::format(" {:>27}", fmt::format("{:.5f} +- {:.5f}", point.mean, point.standard_error));
    if (familiar) text += fmt::format(" {:9.4f}", point.familiar);
    text += fmt::format(" {:8.1f}{}\n", point.n_active, marks(result, p));
  }
  const Index left_out = std::ssize(result.points) - result.n_scored;
  if (result.complete && left_out > 0)
    text += fmt::format("{} more {} left out: scores had clearly got worse before {}\n", left_out,
                        left_out == 1 ? "was" : "were", left_out == 1 ? "it" : "them");
  if (result.n_scored > 1)
    text +=
        fmt::format("the score was chosen among {} on the same folds, and so is optimistic: evaluate on other rows\n",
                    result.n_scored);
  return text;
}

}  // namespace spicymkl::cli
