#include "study_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "io/csv_text.hpp"

namespace spicymkl {

namespace {

using TableJson = nlohmann::ordered_json;

std::string cell(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }
std::string cell(const std::optional<double>& value) { return value ? cell(*value) : ""; }

std::string strength_name(bool relative) { return relative ? "alpha_ratio" : "alpha"; }

bool is_selected(const SelectionSummary& selection, Index candidate, const StudyDescription& study) {
  return selection.point >= 0 && selection.frequency(candidate) >= study.options.threshold;
}

/// frequency, both, selected, threshold, bound: empty where nothing was counted.
std::string selection_cells(const SelectionSummary& selection, Index candidate, const StudyDescription& study) {
  if (!selection.any()) return ",,,,,";
  const bool known = selection.point >= 0;
  return fmt::format(",{},{},{},{},{}", selection.frequency(candidate), selection.both[candidate],
                     is_selected(selection, candidate, study) ? 1 : 0, study.options.threshold,
                     known ? cell(selection.bound[selection.point]) : "");
}

constexpr const char* kSelectionColumns = "frequency,both,selected,threshold,expected_false";

TableJson interval_json(const std::optional<ConfidenceInterval>& interval) {
  return interval ? TableJson{interval->low, interval->high} : TableJson();
}

TableJson selection_json(const SelectionSummary& selection, const std::vector<std::string>& names,
                         const StudyDescription& study) {
  if (!selection.any()) return nullptr;
  TableJson json = {{"threshold", study.options.threshold},
                    {"false_selections", study.options.false_selections},
                    {"assumption", study.options.error_bound}};
  json[strength_name(study.strengths.relative)] =
      selection.point < 0 ? TableJson() : TableJson(study.strengths.values[selection.point]);
  json["expected_false"] = selection.point < 0 ? TableJson() : TableJson(selection.bound[selection.point]);
  json["expected_false_without_assumptions"] =
      selection.point < 0 ? TableJson() : TableJson(selection.cautious_bound[selection.point]);
  json["selected"] = TableJson::array();
  for (Index k = 0; k < std::ssize(names); ++k)
    if (is_selected(selection, k, study)) json["selected"].push_back(names[k]);
  json["strengths"] = study.strengths.values;
  json["mean_selected"] = selection.mean_selected;
  json["bound"] = selection.bound;
  json["bound_without_assumptions"] = selection.cautious_bound;
  return json;
}

std::vector<std::string> kernel_names(const StudyDescription& study) {
  std::vector<std::string> names;
  for (const RegisteredKernel& kernel : study.kernels) names.push_back(kernel.name);
  return names;
}

void add_curves(std::string_view level, const SelectionSummary& selection, const std::vector<std::string>& names,
                const StudyDescription& study, std::string& text) {
  for (std::size_t k = 0; k < selection.frequencies.size(); ++k)
    if (selection.frequencies[k].back() > 0)
      for (std::size_t at = 0; at < study.strengths.values.size(); ++at)
        text += fmt::format("{},{},{},{}\n", level, csv_cell(names[k]), study.strengths.values[at],
                            selection.frequencies[k][at]);
}

std::string interval_words(const std::optional<ConfidenceInterval>& interval) {
  return interval ? fmt::format(", 95 % interval {:.4g} to {:.4g}", interval->low, interval->high) : "";
}

/// The sources by how much they matter.
std::string sources_text(const StudyDescription& study, const StudySummary& summary) {
  constexpr std::size_t kMost = 12;
  std::vector<Index> order(study.sources.size());
  std::iota(order.begin(), order.end(), 0);
  const auto frequency = [&](Index k) { return summary.sources.any() ? summary.sources.frequency(k) : 0.0; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::pair(frequency(a), summary.source_use[a].weight) >
           std::pair(frequency(b), summary.source_use[b].weight);
  });
  std::string text = fmt::format("  {:>9} {:>8} {:>9} {:>8}  source\n", "frequency", "weight", "drop", "p");
  for (std::size_t k = 0; k < std::min(kMost, order.size()); ++k) {
    const UseSummary& use = summary.source_use[order[k]];
    text += fmt::format("  {:>9} {:>8} {:>9} {:>8}  {}\n",
                        summary.sources.any() ? fmt::format("{:.2f}", frequency(order[k])) : "",
                        summary.splits.empty() ? "" : fmt::format("{:.1f} %", 100 * use.weight),
                        summary.splits.empty() ? "" : fmt::format("{:.3g}", use.drop),
                        summary.splits.empty() ? "" : fmt::format("{:.3g}", use.p_value), study.sources[order[k]]);
  }
  if (order.size() > kMost) text += fmt::format("  … and {} more\n", order.size() - kMost);
  return text;
}

std::string selection_words(std::string_view what, const SelectionSummary& selection, std::size_t n_candidates,
                            const StudyDescription& study) {
  if (!selection.any()) return "";
  if (selection.point < 0)
    return fmt::format("no strength keeps the expected false {} within {}; raise --false-selections\n", what,
                       study.options.false_selections);
  Index n_selected = 0;
  for (Index k = 0; k < static_cast<Index>(n_candidates); ++k) n_selected += is_selected(selection, k, study);
  return fmt::format("{} of {} {} selected in at least {:g} % of the halves, of which at most {:.2g} expected false\n",
                     n_selected, n_candidates, what, 100 * study.options.threshold, selection.bound[selection.point]);
}

}  // namespace

std::string scores_csv(const StudyDescription& study, const StudySummary& summary) {
  std::string text = fmt::format("repeat,part,n_training,n_test,inner_seed,{},l1_ratio,q,kernels,n_active,converged",
                                 strength_name(study.relative));
  for (const Metric metric : study.measures) text += fmt::format(",{}", name_of(metric));
  text += fmt::format(",baseline_{}\n", name_of(study.measures.front()));
  for (std::size_t s = 0; s < summary.splits.size(); ++s) {
    const SplitResult& split = summary.splits[s];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}", s / study.options.outer + 1, s % study.options.outer + 1,
                        split.n_training, split.n_test, split.inner_seed, split.alpha, split.l1_ratio, split.q,
                        csv_cell(split.kernels), split.n_active, split.converged ? 1 : 0);
    for (const auto& value : split.measures) text += fmt::format(",{}", cell(value));
    text += fmt::format(",{}\n", cell(split.baseline));
  }
  return text;
}

std::string predictions_csv(const StudyDescription& study, const StudySummary& summary) {
  const bool named = !study.ids.empty();
  std::string text = named ? "repeat,part,row,id" : "repeat,part,row";
  for (Index f = 0; f < study.n_scores(); ++f)
    text += study.n_scores() > 1 ? fmt::format(",{}", csv_cell("score_" + study.classes[f])) : std::string(",score");
  text += "\n";
  for (std::size_t s = 0; s < summary.splits.size(); ++s) {
    const SplitResult& split = summary.splits[s];
    for (Index i = 0; i < std::ssize(split.rows); ++i) {
      text += fmt::format("{},{},{}", s / study.options.outer + 1, s % study.options.outer + 1, split.rows[i] + 1);
      if (named) text += fmt::format(",{}", csv_cell(study.ids[split.rows[i]]));
      for (const double score : split.scores.row(i)) text += fmt::format(",{}", score);
      text += "\n";
    }
  }
  return text;
}

std::string selection_csv(const StudyDescription& study, const StudySummary& summary) {
  std::string text = fmt::format("kernel,source,{},models,weight\n", kSelectionColumns);
  for (Index k = 0; k < std::ssize(study.kernels); ++k) {
    text += csv_cell(study.kernels[k].name) + "," + csv_cell(study.sources[study.kernels[k].source]);
    text += selection_cells(summary.kernels, k, study);
    if (summary.splits.empty()) text += ",,\n";
    else text += fmt::format(",{},{}\n", summary.kernel_use[k].models, summary.kernel_use[k].weight);
  }
  return text;
}

std::string sources_csv(const StudyDescription& study, const StudySummary& summary) {
  std::string text = fmt::format("source,{},models,weight,drop,p_value\n", kSelectionColumns);
  for (Index k = 0; k < std::ssize(study.sources); ++k) {
    text += csv_cell(study.sources[k]) + selection_cells(summary.sources, k, study);
    const UseSummary& use = summary.source_use[k];
    if (summary.splits.empty()) text += ",,,,\n";
    else text += fmt::format(",{},{},{},{}\n", use.models, use.weight, cell(use.drop), use.p_value);
  }
  return text;
}

std::string stability_csv(const StudyDescription& study, const StudySummary& summary) {
  std::string text = fmt::format("level,name,{},frequency\n", strength_name(study.strengths.relative));
  add_curves("source", summary.sources, study.sources, study, text);
  add_curves("kernel", summary.kernels, kernel_names(study), study, text);
  return text;
}

std::string permutations_csv(const StudyDescription& study, const StudySummary& summary) {
  std::string text = fmt::format("permutation,{}\n", name_of(study.measures.front()));
  for (std::size_t k = 0; k < summary.null_scores.size(); ++k)
    text += fmt::format("{},{}\n", k, summary.null_scores[k]);
  return text;
}

std::vector<std::pair<std::string, std::string>> study_tables(const StudyDescription& study,
                                                              const StudySummary& summary) {
  return {{"scores.csv", scores_csv(study, summary)},       {"predictions.csv", predictions_csv(study, summary)},
          {"selection.csv", selection_csv(study, summary)}, {"sources.csv", sources_csv(study, summary)},
          {"stability.csv", stability_csv(study, summary)}, {"permutations.csv", permutations_csv(study, summary)}};
}

std::string study_json(const StudyDescription& study, const StudySummary& summary) {
  TableJson json = {{"data", study.data},
                    {"target", study.target},
                    {"n_rows", study.n_rows},
                    {"classes", study.classes},
                    {"group", study.group},
                    {"n_groups", study.n_groups},
                    {"metric", name_of(study.measures.front())},
                    {"larger_is_better", larger_is_better(study.measures.front())},
                    {"repeats", study.options.repeats},
                    {"outer", study.options.outer},
                    {"inner", study.options.inner},
                    {"pairs", study.options.stability},
                    {"permutations", study.options.permutations}};
  json["scores"] = TableJson::object();
  for (const MeasureSummary& measure : summary.measures)
    json["scores"][std::string(name_of(measure.metric))] = {{"mean", measure.spread.mean},
                                                            {"deviation", measure.spread.deviation},
                                                            {"interval", interval_json(measure.spread.interval)},
                                                            {"n_splits", measure.n_scores}};
  json["baseline"] = summary.splits.empty() ? TableJson() : TableJson(summary.baseline);
  json["p_value"] = summary.null_scores.empty() ? TableJson() : TableJson(summary.p_value);
  json["sources"] = TableJson::array();
  for (std::size_t k = 0; k < study.sources.size(); ++k) {
    TableJson source = {{"name", study.sources[k]}};
    source["frequency"] =
        summary.sources.any() ? TableJson(summary.sources.frequency(static_cast<Index>(k))) : TableJson();
    const UseSummary& use = summary.source_use[k];
    for (const auto& [name, value] :
         {std::pair{"models", use.models}, {"weight", use.weight}, {"drop", use.drop}, {"p_value", use.p_value}})
      source[name] = summary.splits.empty() ? TableJson() : TableJson(value);
    json["sources"].push_back(std::move(source));
  }
  json["source_selection"] = selection_json(summary.sources, study.sources, study);
  json["kernel_selection"] = selection_json(summary.kernels, kernel_names(study), study);
  json["options"] = study.identity;
  return json.dump(1, ' ', false, TableJson::error_handler_t::replace) + "\n";
}

std::string study_text(const StudyDescription& study, const StudySummary& summary) {
  std::string text;
  for (const MeasureSummary& measure : summary.measures)
    text += fmt::format("{:17} {:.4f} +- {:.4f}{}{}\n", name_of(measure.metric), measure.spread.mean,
                        measure.spread.deviation, interval_words(measure.spread.interval),
                        measure.metric == study.measures.front()
                            ? fmt::format("; the best constant answer {:.4f}", summary.baseline)
                            : "");
  if (!summary.null_scores.empty())
    text += fmt::format("p-value of the model: {:.3g}, from {} shuffles of the target\n", summary.p_value,
                        summary.null_scores.size() - 1);
  text += selection_words("sources", summary.sources, study.sources.size(), study);
  text += selection_words("kernels", summary.kernels, study.kernels.size(), study);
  return text + sources_text(study, summary);
}

}  // namespace spicymkl
