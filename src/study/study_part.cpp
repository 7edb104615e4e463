#include "study_part.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using PartJson = nlohmann::ordered_json;
using ReadJson = nlohmann::json;

PartJson entries_json(const std::vector<Entry>& entries) {
  PartJson list = PartJson::array();
  for (const Entry& entry : entries) list.push_back({entry.kernel, entry.point});
  return list;
}

PartJson result_json(const SplitResult& result) {
  PartJson json = {{"n_training", result.n_training}, {"n_test", result.n_test},     {"inner_seed", result.inner_seed},
                   {"alpha", result.alpha},           {"l1_ratio", result.l1_ratio}, {"q", result.q},
                   {"kernels", result.kernels},       {"n_active", result.n_active}, {"converged", result.converged}};
  json["measures"] = PartJson::array();
  for (const auto& value : result.measures) json["measures"].push_back(value ? PartJson(*value) : PartJson());
  json["baseline"] = result.baseline;
  json["rows"] = result.rows;
  json["scores"] = PartJson::array();
  for (const auto& row : result.scores.rowwise()) json["scores"].push_back(std::vector<double>(row.begin(), row.end()));
  json["active"] = PartJson::array();
  for (const KernelUse& use : result.active) json["active"].push_back({use.kernel, use.weight});
  json["sources"] = PartJson::array();
  for (const SourceUse& use : result.sources)
    json["sources"].push_back({use.source, use.weight, use.drop, use.p_value});
  return json;
}

PartJson result_json(const PairResult& result) {
  return {{"first", entries_json(result.first)}, {"second", entries_json(result.second)}};
}

PartJson result_json(const NullResult& result) { return {{"score", result.score}}; }

/// What JSON has no word for is written as null.
double number_of(const ReadJson& json) { return json.is_null() ? NAN : json.get<double>(); }

std::vector<Entry> entries_of(const ReadJson& json, const StudyDescription& study) {
  std::vector<Entry> entries;
  for (const auto& entry : json)
    entries.push_back({whole_value(entry.at(0), std::ssize(study.kernels) - 1),
                       whole_value(entry.at(1), std::ssize(study.strengths.values) - 1)});
  return entries;
}

Matrix scores_of(const ReadJson& json, Index n_rows, Index n_fits) {
  Matrix scores(n_rows, n_fits);
  for (Index i = 0; i < n_rows; ++i)
    for (Index f = 0; f < n_fits; ++f) scores(i, f) = json.at(i).at(f).get<double>();
  return scores;
}

SplitResult split_of(const ReadJson& json, const StudyDescription& study) {
  SplitResult result;
  result.n_training = whole_value(json.at("n_training"));
  result.n_test = whole_value(json.at("n_test"));
  result.inner_seed =
      static_cast<std::uint32_t>(whole_value(json.at("inner_seed"), std::numeric_limits<std::uint32_t>::max()));
  json.at("alpha").get_to(result.alpha);
  json.at("l1_ratio").get_to(result.l1_ratio);
  json.at("q").get_to(result.q);
  json.at("kernels").get_to(result.kernels);
  json.at("n_active").get_to(result.n_active);
  json.at("converged").get_to(result.converged);
  for (const auto& value : json.at("measures"))
    result.measures.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
  if (result.measures.size() != study.measures.size() || !result.measures.front())
    throw InputError("it has other measures");
  result.baseline = number_of(json.at("baseline"));
  result.rows = whole_values(json.at("rows"));
  result.scores = scores_of(json.at("scores"), std::ssize(result.rows), study.n_scores());
  for (const auto& use : json.at("active"))
    result.active.push_back({whole_value(use.at(0), std::ssize(study.kernels) - 1), use.at(1).get<double>()});
  for (const auto& use : json.at("sources"))
    result.sources.push_back({whole_value(use.at(0), std::ssize(study.sources) - 1), use.at(1).get<double>(),
                              number_of(use.at(2)), use.at(3).get<double>()});
  return result;
}

PartResult result_of(const ReadJson& json, const StudyTask& task, const StudyDescription& study) {
  switch (task.kind) {
    case StudyTask::Kind::score:
      return split_of(json, study);
    case StudyTask::Kind::pair:
      return PairResult{entries_of(json.at("first"), study), entries_of(json.at("second"), study)};
    case StudyTask::Kind::null:
      break;
  }
  return NullResult{json.at("score").get<double>()};
}

}  // namespace

PartResult find_part(const Study& study, const StudyTask& task) {
  switch (task.kind) {
    case StudyTask::Kind::score:
      return study.score(task.index, task.part);
    case StudyTask::Kind::pair:
      return study.pair(task.index);
    case StudyTask::Kind::null:
      break;
  }
  return study.null(task.index);
}

std::string part_json(const PartResult& result, const StudyTask& task, const std::string& fingerprint) {
  PartJson json = {{"study", fingerprint}, {"task", task.name()}};
  json["result"] = std::visit([](const auto& one) { return result_json(one); }, result);
  return json.dump() + "\n";
}

std::optional<PartResult> parse_part(const std::string& text, const StudyTask& task, const std::string& fingerprint,
                                     const StudyDescription& study) {
  try {
    const ReadJson json = parse_json(text, task.name());
    if (json.at("study") != fingerprint || json.at("task") != task.name()) return std::nullopt;
    return result_of(json.at("result"), task, study);
  } catch (const std::exception&) {  // damaged: to be done again
    return std::nullopt;
  }
}

}  // namespace spicymkl
