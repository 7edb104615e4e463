#include "study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "html.hpp"
#include "page.hpp"
#include "scores_section.hpp"
#include "tiles.hpp"

namespace spicymkl {

namespace {

using Json = Charts::Json;

constexpr std::size_t kMostStudied = 25;  // bars, and rows that are not folded away
constexpr std::size_t kMostPlotted = 60, kMostNamedCurves = 8;

/// Kernels or sources under one name, with what the study says of them.
struct Level {
  std::string one, many;
  std::vector<std::string> names;
  const SelectionSummary& selection;
  const std::vector<UseSummary>& use;
  bool of_sources;
};

Level source_level(const StudyDescription& study, const StudySummary& summary) {
  return {"source", "sources", study.sources, summary.sources, summary.source_use, true};
}

Level kernel_level(const StudyDescription& study, const StudySummary& summary) {
  Level level{"kernel", "kernels", {}, summary.kernels, summary.kernel_use, false};
  for (const RegisteredKernel& kernel : study.kernels) level.names.push_back(kernel.name);
  return level;
}

double frequency_of(const Level& level, Index candidate) {
  return level.selection.any() ? level.selection.frequency(candidate) : 0;
}

/// Those that are ever selected or used, the most frequent first.
std::vector<Index> by_frequency(const Level& level) {
  std::vector<Index> order;
  for (Index k = 0; k < std::ssize(level.names); ++k)
    if (level.use[k].models > 0 || (level.selection.any() && level.selection.frequencies[k].back() > 0))
      order.push_back(k);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::pair(frequency_of(level, a), level.use[a].weight) >
           std::pair(frequency_of(level, b), level.use[b].weight);
  });
  return order;
}

Index n_selected(const Level& level, const StudyDescription& study) {
  Index count = 0;
  if (level.selection.any() && level.selection.point >= 0)
    for (Index k = 0; k < std::ssize(level.names); ++k) count += frequency_of(level, k) >= study.options.threshold;
  return count;
}

std::vector<Tile> tiles_of(const StudyDescription& study, const StudySummary& summary) {
  std::vector<Tile> tiles;
  const Metric familiar = study.classes.empty() ? Metric::r2 : Metric::accuracy;
  for (const MeasureSummary& measure : summary.measures)
    if (measure.metric == study.measures.front() || measure.metric == familiar)
      tiles.push_back({capital(title_of(measure.metric)), fmt::format("{:.3g}", measure.spread.mean),
                       interval_text(measure.spread.interval), ""});
  if (!summary.null_scores.empty())
    tiles.push_back({"p-value of the model", fmt::format("{:.2g}", summary.p_value),
                     fmt::format("{} shuffles", summary.null_scores.size() - 1), ""});
  for (const Level& level : {source_level(study, summary), kernel_level(study, summary)})
    if (level.selection.any())
      tiles.push_back({"Stable " + level.many, fmt::format("{}", n_selected(level, study)),
                       fmt::format("of {}", level.names.size()), ""});
  tiles.push_back({"Rows", fmt::format("{}", study.n_rows),
                   study.group.empty() ? "" : fmt::format("in {} groups", study.n_groups), ""});
  return tiles;
}

/// The mean of each repeat, over its parts.
std::vector<double> repeat_means(const StudyDescription& study, const StudySummary& summary) {
  std::vector<double> means(study.options.repeats, 0);
  for (std::size_t s = 0; s < summary.splits.size(); ++s)
    means[s / study.options.outer] += *summary.splits[s].measures.front() / study.options.outer;
  return means;
}

/// Counts in bins, as the outline of bars: [[x, count], …].
Json histogram(const std::vector<double>& values, double low, double high) {
  constexpr int kBins = 20;
  std::vector<Index> counts(kBins, 0);
  const double width = high > low ? (high - low) / kBins : 1;
  for (const double value : values) ++counts[std::clamp(static_cast<int>((value - low) / width), 0, kBins - 1)];
  Json points = {{low, 0}};
  for (int k = 0; k < kBins; ++k) {
    points.push_back({low + k * width, counts[k]});
    points.push_back({low + (k + 1) * width, counts[k]});
  }
  points.push_back({low + kBins * width, 0});
  return points;
}

std::string score_chart(const StudyDescription& study, const StudySummary& summary, Charts& charts) {
  const std::vector<double> means = repeat_means(study, summary);
  Json points = Json::array(), splits = Json::array(), constant = Json::array();
  for (std::size_t r = 0; r < means.size(); ++r) {
    points.push_back({r + 1, means[r]});
    constant.push_back({r + 1, summary.baseline});
  }
  for (std::size_t s = 0; s < summary.splits.size(); ++s)
    splits.push_back({s / study.options.outer + 1, *summary.splits[s].measures.front()});
  return charts.figure({{"kind", "points"},
                        {"x", "repeat"},
                        {"y", title_of(study.measures.front())},
                        {"whole_x", true},
                        {"series",
                         {{{"name", "one part"}, {"points", splits}},
                          {{"name", "mean of a repeat"}, {"look", "smooth"}, {"points", points}},
                          {{"name", "best constant answer"}, {"look", "limit"}, {"points", constant}}}}},
                       "Scores by repeat",
                       escaped(fmt::format("{} on rows that took no part, neither in learning nor in the choice of "
                                           "alpha. {} is better.",
                                           capital(title_of(study.measures.front())),
                                           larger_is_better(study.measures.front()) ? "Larger" : "Smaller")));
}

Json alpha_counts(const StudySummary& summary) {
  std::vector<std::pair<double, Index>> counts;
  for (const SplitResult& split : summary.splits) {
    const auto known = std::ranges::find(counts, split.alpha, &std::pair<double, Index>::first);
    if (known == counts.end()) counts.emplace_back(split.alpha, 1);
    else ++known->second;
  }
  std::sort(counts.begin(), counts.end());
  Json points = Json::array();
  for (const auto& [alpha, count] : counts) points.push_back({alpha, count});
  return points;
}

std::string alpha_chart(const StudyDescription& study, const StudySummary& summary, Charts& charts) {
  return charts.figure({{"kind", "lines"},
                        {"x", study.relative ? "alpha / alpha_max" : "alpha"},
                        {"y", "models"},
                        {"log_x", true},
                        {"reverse_x", true},
                        {"from_zero", true},
                        {"whole_y", true},
                        {"series", {{{"name", "models"}, {"points", alpha_counts(summary)}}}}},
                       "How often each alpha was chosen", "How often each alpha was chosen.");
}

std::string scores_part(const StudyDescription& study, const StudySummary& summary, Charts& charts) {
  if (summary.splits.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const MeasureSummary& measure : summary.measures)
    rows.push_back({std::string(title_of(measure.metric)), fmt::format("{:.4g}", measure.spread.mean),
                    interval_text(measure.spread.interval), fmt::format("{:#.2g}", measure.spread.deviation),
                    measure.metric == study.measures.front() ? fmt::format("{:.4g}", summary.baseline) : ""});
  const auto unconverged = std::ranges::count(summary.splits, false, &SplitResult::converged);
  std::string body = paragraph(fmt::format(
      "{} repeats of {} parts: each part was predicted by a model of the others, whose alpha was chosen by {} folds of "
      "their own. The interval allows for rows that the divisions share (Nadeau and Bengio).{}",
      study.options.repeats, study.options.outer, study.options.inner,
      unconverged == 0 ? "" : fmt::format(" {} models did not reach the tolerance.", unconverged)));
  body += plain_table({"measure", "mean", "95 % interval", "deviation over parts", "best constant answer"}, rows, 1);
  body += "<div class=\"charts\">\n" + score_chart(study, summary, charts) + alpha_chart(study, summary, charts) +
          "</div>\n";
  return section("How good models are", body);
}

std::string p_value_part(const StudyDescription& study, const StudySummary& summary, Charts& charts) {
  if (summary.null_scores.empty()) return "";
  const double observed = summary.null_scores.front();
  const std::vector<double> shuffled(summary.null_scores.begin() + 1, summary.null_scores.end());
  const auto [low, high] = std::minmax_element(summary.null_scores.begin(), summary.null_scores.end());
  const Json counts = histogram(shuffled, *low, *high);
  double most = 1;
  for (const auto& point : counts) most = std::max(most, point[1].get<double>());
  const std::string how =
      study.group.empty() ? "" : fmt::format(" Rows change places as their groups ('{}') allow.", study.group);
  std::string body = paragraph(fmt::format(
      "p = {:.3g}: how likely the whole way, from kernels to the choice of alpha, scores as well on a target that has "
      "nothing to do with the columns; {} shuffles of the target. Models without kernels are left out on both sides.{}",
      summary.p_value, shuffled.size(), how));
  body += "<div class=\"charts\">\n" +
          charts.figure(
              {{"kind", "lines"},
               {"x", title_of(study.measures.front())},
               {"y", "shuffles"},
               {"from_zero", true},
               {"whole_y", true},
               {"series",
                {{{"name", "shuffled targets"}, {"look", "filled"}, {"points", counts}},
                 {{"name", "the target as it is"}, {"look", "limit"}, {"points", {{observed, 0}, {observed, most}}}}}}},
              "Scores of shuffled targets", "Scores of shuffled targets, and of the target as it is.") +
          "</div>\n";
  return section("Could it be chance?", body);
}

std::string bars(const Level& level, const std::vector<Index>& order, const StudyDescription& study, Charts& charts) {
  Json labels = Json::array(), values = Json::array();
  for (const Index k : order) {
    if (labels.size() == kMostStudied) break;
    labels.push_back(level.names[k]);
    values.push_back(100 * frequency_of(level, k));
  }
  const std::string place = fmt::format("class=\"chart tall\" style=\"--bars:{}\"", labels.size());
  return charts.figure({{"kind", "bars"},
                        {"x", "selected in this share of the halves (%)"},
                        {"unit", "%"},
                        {"x_range", {0, 100}},
                        {"labels", labels},
                        {"series", {{{"name", "frequency"}, {"values", values}}}}},
                       "Selection frequency of " + level.many,
                       fmt::format("How often a half of the rows selects each {}; {:g} % are asked for.", level.one,
                                   100 * study.options.threshold),
                       place);
}

std::string curves(const Level& level, const std::vector<Index>& order, const StudyDescription& study, Charts& charts) {
  Json series = Json::array();
  const std::vector<double>& strengths = study.strengths.values;
  for (const Index k : order) {
    if (series.size() == kMostPlotted) break;
    Json points = Json::array();
    for (std::size_t at = 0; at < strengths.size(); ++at)
      points.push_back({strengths[at], level.selection.frequencies[k][at]});
    const bool named = series.size() < kMostNamedCurves;
    series.push_back({{"name", named ? level.names[k] : ""}, {"look", named ? "smooth" : "faint"}, {"points", points}});
  }
  series.push_back(
      {{"name", "threshold"},
       {"look", "limit"},
       {"points", {{strengths.front(), study.options.threshold}, {strengths.back(), study.options.threshold}}}});
  if (level.selection.point >= 0) {
    const double at = strengths[level.selection.point];
    series.push_back({{"name", "strength that the bound allows"}, {"look", "limit"}, {"points", {{at, 0}, {at, 1}}}});
  }
  return charts.figure(
      {{"kind", "lines"},
       {"x", study.strengths.relative ? "alpha / alpha_max" : "alpha"},
       {"y", "share of the halves"},
       {"log_x", strengths.size() > 1},
       {"reverse_x", true},
       {"y_range", {0, 1}},
       {"series", series}},
      "Stability against strength",
      fmt::format("Share of the halves in which a {} is selected at this strength or a stronger one.", level.one),
      "class=\"chart high\"");
}

std::string bound_words(const Level& level, const StudyDescription& study) {
  const SelectionSummary& selection = level.selection;
  if (selection.point < 0)
    return fmt::format("No strength keeps the expected number of false {} within {:g}.", level.many,
                       study.options.false_selections);
  return fmt::format(
      "At {} {:.3g} a half selects {:.3g} of {} {} in the mean; {} are selected in at least {:g} % of the halves. Of "
      "these, at most {:.2g} are expected to be false ({:.2g} without any assumption).",
      study.strengths.relative ? "alpha / alpha_max" : "alpha", study.strengths.values[selection.point],
      selection.mean_selected[selection.point], level.names.size(), level.many, n_selected(level, study),
      100 * study.options.threshold, selection.bound[selection.point], selection.cautious_bound[selection.point]);
}

std::string level_table(const Level& level, const std::vector<Index>& order, const StudySummary& summary,
                        const StudyDescription& study) {
  std::vector<std::string> head = {level.one};
  if (level.selection.any()) head.insert(head.end(), {"frequency", "in both halves", "stable"});
  if (!summary.splits.empty()) head.insert(head.end(), {"models that use it", "weight"});
  if (!summary.splits.empty() && level.of_sources) head.insert(head.end(), {"loss when shuffled", "p-value"});
  std::vector<std::vector<std::string>> rows;
  for (const Index k : order) {
    const UseSummary& use = level.use[k];
    std::vector<std::string> row = {level.names[k]};
    if (level.selection.any())
      row.insert(row.end(), {percent_text(frequency_of(level, k)), percent_text(level.selection.both[k]),
                             frequency_of(level, k) >= study.options.threshold ? "yes" : ""});
    if (!summary.splits.empty()) row.insert(row.end(), {percent_text(use.models), percent_text(use.weight)});
    if (!summary.splits.empty() && level.of_sources)
      row.insert(row.end(), {fmt::format("{:.3g}", use.drop), fmt::format("{:.3g}", use.p_value)});
    rows.push_back(std::move(row));
  }
  const std::string table = plain_table(head, rows, 1);
  return rows.size() <= kMostStudied ? table : details(fmt::format("All {} {}", rows.size(), level.many), table);
}

std::string level_part(const Level& level, const StudyDescription& study, const StudySummary& summary, Charts& charts) {
  const std::vector<Index> order = by_frequency(level);
  if (order.empty()) return "";
  std::string body;
  if (level.selection.any())
    body += paragraph(bound_words(level, study)) + "<div class=\"charts\">\n" + bars(level, order, study, charts) +
            curves(level, order, study, charts) + "</div>\n";
  body += level_table(level, order, summary, study);
  if (level.of_sources && !summary.splits.empty())
    body +=
        "<p class=\"soft\">Loss when shuffled: how much worse the score gets when the rows of the source are dealt out "
        "anew among the rows that took no part. Its p-value, twice the median over all parts, is of the hypothesis "
        "that the source has nothing to do with the target and the other sources.</p>\n";
  return section(level.of_sources ? "Which sources are stable" : "Which kernels are stable", body);
}

/// "one standard error" for one_standard_error
std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string asked_part(const StudyDescription& study) {
  std::vector<Fact> facts = {{"Data", study.data}};
  if (!study.target.empty()) facts.push_back({"Target", study.target});
  if (!study.group.empty()) facts.push_back({"Groups", study.group});
  for (const auto& [name, value] : study.identity)
    if (!value.empty() && name != "target") facts.push_back({capital(in_words(name)), value});
  return section("What was asked", facts_list(facts));
}

}  // namespace

std::string study_html(const StudyDescription& study, const StudySummary& summary) {
  Charts charts;
  std::string body = tiles_html(tiles_of(study, summary));
  body += scores_part(study, summary, charts);
  body += p_value_part(study, summary, charts);
  body += level_part(source_level(study, summary), study, summary, charts);
  body += level_part(kernel_level(study, summary), study, summary, charts);
  body += asked_part(study);
  return page_html("Study of " + study.data, "", body, charts);
}

}  // namespace spicymkl
