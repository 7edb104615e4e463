#include "study_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "io/gzip.hpp"
#include "io/json_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kStudyVersion = 1;

Metric metric_named(const std::string& name) {
  for (const Metric metric : all_metrics())
    if (name_of(metric) == name) return metric;
  throw InputError(fmt::format("there is no metric '{}'", name));
}

Json options_json(const StudyOptions& options) {
  Json json = Json::object();
  for (const auto& option : study_option_table())
    std::visit([&](const auto member) { json[option.name] = options.*member; }, option.member);
  return json;
}

template <class Value>
void read_value(const nlohmann::json& json, Value& value) {
  if constexpr (std::is_same_v<Value, int>) value = count_value(json);
  else json.get_to(value);
}

StudyOptions options_of(const nlohmann::json& json) {
  StudyOptions options;
  for (const auto& option : study_option_table())
    std::visit([&](const auto member) { read_value(json.at(option.name), options.*member); }, option.member);
  return options;
}

StudyDescription description_of(const nlohmann::json& json) {
  StudyDescription description;
  description.identity = json.at("identity").get<RunIdentity>();
  json.at("data").get_to(description.data);
  json.at("target").get_to(description.target);
  description.n_rows = whole_value(json.at("n_rows"));
  json.at("ids").get_to(description.ids);
  if (!description.ids.empty() && std::ssize(description.ids) != description.n_rows)
    throw InputError("its ids are not as many as its rows");
  json.at("classes").get_to(description.classes);
  json.at("group").get_to(description.group);
  description.n_groups = whole_value(json.at("n_groups"));
  description.options = options_of(json.at("options"));
  for (const auto& name : json.at("measures")) description.measures.push_back(metric_named(name.get<std::string>()));
  if (description.measures.empty()) throw InputError("there is no measure");
  json.at("relative").get_to(description.relative);
  json.at("strengths").get_to(description.strengths.values);
  json.at("strengths_relative").get_to(description.strengths.relative);
  json.at("sources").get_to(description.sources);
  for (const auto& kernel : json.at("kernels"))
    description.kernels.push_back(
        {kernel.at("name").get<std::string>(), whole_value(kernel.at("source"), std::ssize(description.sources) - 1)});
  return description;
}

}  // namespace

StudyDescription describe(const Study& study, const Target& target) {
  StudyDescription description;
  description.n_rows = target.n_rows();
  description.classes = target.classes;
  description.group = study.settings().groups.name;
  description.n_groups = study.settings().groups.count;
  description.options = study.settings().options;
  description.measures = study.measures();
  description.relative = study.settings().grid.alphas.relative;
  description.strengths = study.strengths();
  description.kernels = study.kernels().kernels();
  description.sources = study.kernels().sources();
  return description;
}

std::string description_json(const StudyDescription& description) {
  Json json = {{"spicymkl_study", kStudyVersion},  {"data", description.data},
               {"target", description.target},     {"n_rows", description.n_rows},
               {"classes", description.classes},   {"group", description.group},
               {"n_groups", description.n_groups}, {"options", options_json(description.options)}};
  json["measures"] = Json::array();
  for (const Metric metric : description.measures) json["measures"].push_back(name_of(metric));
  json["relative"] = description.relative;
  json["strengths"] = description.strengths.values;
  json["strengths_relative"] = description.strengths.relative;
  json["sources"] = description.sources;
  json["kernels"] = Json::array();
  for (const RegisteredKernel& kernel : description.kernels)
    json["kernels"].push_back({{"name", kernel.name}, {"source", kernel.source}});
  json["ids"] = description.ids;
  json["identity"] = description.identity;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

StudyDescription parse_description(const std::string& text, const std::string& path) {
  const nlohmann::json json = parse_json(text, fmt::format("'{}'", path));
  try {
    if (json.at("spicymkl_study") != kStudyVersion)
      throw InputError(fmt::format("it is one of version {}", shown(json.at("spicymkl_study"))));
    return description_of(json);
  } catch (const std::exception& error) {  // InputErrors, and JSON of another shape
    throw InputError(fmt::format("'{}' is not the description of a study that can be read ({}); give another folder",
                                 path, shortened(error.what())));
  }
}

void check_same_study(const StudyDescription& there, StudyDescription here, const std::string& folder) {
  const auto shown_value = [](const std::string& text) {
    return text.empty() ? std::string("not given") : fmt::format("'{}'", text);
  };
  const auto value = [](const RunIdentity& identity, const std::string& name) {
    const auto found = identity.find(name);
    return found == identity.end() ? std::string() : found->second;
  };
  for (const auto& [name, now] : here.identity)
    if (const std::string then = value(there.identity, name); then != now)
      throw InputError(
          fmt::format("'{}' holds another study: {} was {} there and is {} now; give what was given then, or another "
                      "folder",
                      folder, name, shown_value(then), shown_value(now)));
  here.data = there.data;  // the same rows may be given by another path
  // Earlier versions noted how several classes are learned also where there are not several.
  if (const auto noted = there.identity.find("multi_class");
      noted != there.identity.end() && !here.identity.contains("multi_class"))
    here.identity.insert(*noted);
  if (description_json(there) != description_json(here))
    throw InputError(fmt::format(
        "'{}' holds a study of the same data that another version of this program began; give another folder", folder));
}

std::string fingerprint(const std::string& description_text) {
  return fmt::format("{:08x}", checksum(description_text));
}

}  // namespace spicymkl
