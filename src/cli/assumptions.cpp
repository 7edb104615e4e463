#include "assumptions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/wording.hpp"
#include "say.hpp"

namespace spicymkl::cli {

using Json = nlohmann::ordered_json;

void say_assumptions(const DataSummary& data) {
  say("{}: {}", data.source, assumption_text(data));
  if (const std::string views = views_text(data); !views.empty()) say("{}", views);
  if (const std::string imputed = imputation_text(data); !imputed.empty()) say("{}", imputed);
  for (const std::string& warning : data_warnings(data)) say("warning: {}", warning);
  for (const std::string& remark : identity_remarks(data)) say("warning: {}", remark);
}

Json assumptions_json(const DataSummary& data) {
  Json json = {{"source", data.source},
               {"task", !data.event_name.empty() ? "survival"
                        : data.classes.empty()   ? "regression"
                                                 : "classification"},
               {"target", data.target_name},
               {"n_rows", data.n_rows},
               {"n_columns", data.columns.size()},
               {"n_imputed", data.n_missing()}};
  if (!data.classes.empty()) json["classes"] = data.classes;
  if (data.classes.size() > 2) json["multi_class"] = data.joint_classes ? "joint" : "ovr";
  if (!data.event_name.empty()) {
    json["event"] = data.event_name;
    json["n_events"] = data.n_events;
  }
  if (!data.targets.empty()) json["targets"] = Json::array();
  for (const ColumnSummary& one : data.targets) json["targets"].push_back(one.name);
  if (!data.sources.empty()) {
    json["sources"] = data.sources;
    if (!data.missing_views.empty()) json["missing_views"] = Json::object();
    for (const SourceMissing& source : data.missing_views) json["missing_views"][source.name] = source.share;
  }
  if (!data.dropped.empty()) json["dropped"] = data.dropped;
  if (!data.id_name.empty()) json["id"] = data.id_name;
  if (!data.weight_name.empty()) json["weights"] = data.weight_name;
  if (!data.covariates.empty()) json["covariates"] = data.covariates;
  if (!data.row_index.empty()) json["row_index"] = data.row_index;
  std::vector<std::string> warnings = data_warnings(data);
  for (const std::string& remark : identity_remarks(data)) warnings.push_back(remark);
  if (!warnings.empty()) json["warnings"] = warnings;
  return json;
}

void say_leniency(const Leniency& done, const std::string& path, const std::vector<std::string>& columns) {
  std::vector<std::string> parts;
  if (done.imputed_cells > 0)
    parts.push_back(
        fmt::format("{} imputed in {}", counted(done.imputed_cells, "cell"), counted(done.imputed_columns, "column")));
  for (const UnseenCategories& unseen : done.unseen)
    parts.push_back(
        fmt::format("{} never seen in training in column '{}' (such as '{}', {}), which {} no training row",
                    unseen.texts.size() == 1 ? "1 category" : fmt::format("{} categories", unseen.texts.size()),
                    columns[unseen.column], unseen.texts.front(), counted(unseen.n_cells, "row"),
                    unseen.texts.size() == 1 ? "matches" : "match"));
  if (!parts.empty()) say("{}: {}; --strict of predict and evaluate refuses that", path, fmt::join(parts, "; "));
}

}  // namespace spicymkl::cli
