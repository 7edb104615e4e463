#include "selection_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/named_table.hpp"
#include "pipeline/training_options.hpp"
#include "spicymkl/kernel/kernel_function.hpp"
#include "study_options.hpp"

namespace spicymkl {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kAlphasHelp = "try these instead, separated by commas: 1,0.5 or 1max,0.5max";

std::vector<std::string> metric_choices() {
  std::vector<std::string> names = {"auto"};
  for (const Metric metric : all_metrics()) names.emplace_back(name_of(metric));
  return names;
}

std::string values_help(const char* parameter) {
  return fmt::format("of {}: try these, separated by commas",
                     fmt::join(names_with(regularizer_types(), parameter), ", "));
}

// How a type is called in the JSON text.
std::string type_name(bool) { return "flag"; }
std::string type_name(int) { return "integer"; }
std::string type_name(std::uint64_t) { return "integer"; }
std::string type_name(double) { return "number"; }
std::string type_name(const std::string&) { return "string"; }
std::string type_name(const std::vector<double>&) { return "numbers"; }
std::string type_name(const std::vector<std::string>&) { return "strings"; }

template <class Options>
Json option_json(const Option<Options>& option) {
  std::string command_line = "--" + (option.negation.empty() ? option.name : option.negation);
  std::replace(command_line.begin(), command_line.end(), '_', '-');
  static const Options defaults;
  Json json = {{"name", option.name}};
  std::visit(
      [&](const auto member) {
        json["type"] = type_name(defaults.*member);
        json["default"] = defaults.*member;
      },
      option.member);
  json["choices"] = option.choices;
  json["help"] = option.help;
  json["command_line"] = command_line;
  return json;
}

Json loss_json(const LossType& type) {
  return {{"name", type.name},
          {"description", type.description},
          {"labels", type.labels == LabelKind::real       ? "numbers"
                     : type.labels == LabelKind::survival ? "times"
                                                          : "classes"},
          {"parameters", type.parameters},
          {"log_odds", type.log_odds}};
}

Json penalty_json(const RegularizerType& type) {
  return {{"name", type.name},
          {"description", type.description},
          {"parameters", type.parameters},
          {"selects", std::ranges::count(selecting_penalties(), type.name) > 0}};
}

Json kernel_json(const KernelType& type) {
  Json parameters = Json::object();
  for (const ParameterRule& rule : type.parameters)
    parameters[rule.name] = rule.fallback ? Json(*rule.fallback) : Json();
  return {{"name", type.name}, {"description", type.description}, {"parameters", parameters}};
}

template <class Type>
Json list_json(const std::vector<Type>& types, Json (*one)(const Type&)) {
  Json list = Json::array();
  for (const Type& type : types) list.push_back(one(type));
  return list;
}

/// Options of a table but one: paths and cross-validation have a list of alphas in place of the one of training.
template <class Options>
void add_options(const OptionTable<Options>& table, const std::string& left_out, Json& list) {
  for (const Option<Options>& option : table)
    if (option.name != left_out) list.push_back(option_json(option));
}

}  // namespace

const OptionTable<PathOptions>& path_option_table() {
  using O = PathOptions;
  static const OptionTable<O> table = {
      {"n_alphas", &O::n_alphas, "number of alphas, log-spaced, from alpha_max down"},
      {"alpha_ratio", &O::alpha_ratio, "smallest alpha as a fraction of alpha_max"},
      {"alphas", &O::alphas, kAlphasHelp},
  };
  return table;
}

const OptionTable<CvChoices>& cv_option_table() {
  using O = CvChoices;
  static const OptionTable<O> table = {
      {"folds", &O::folds, "number of parts that the rows are cut into"},
      {"metric", &O::metric, "measure (auto: log_loss or accuracy for classes, rmse for numbers)", metric_choices()},
      {"one_standard_error",
       &O::one_standard_error,
       "choose the largest alpha within one standard error of the best",
       {},
       true},
      {"n_alphas", &O::n_alphas, "number of alphas, log-spaced, from alpha_max down", {}, true},
      {"alpha_ratio", &O::alpha_ratio, "smallest alpha as a fraction of alpha_max", {}, true},
      {"alphas", &O::alphas, kAlphasHelp, {}, true},
      {"l1_ratios", &O::l1_ratios, values_help("l1_ratio"), {}, true},
      {"qs", &O::qs, values_help("q"), {}, true},
  };
  return table;
}

AlphaGrid make_alpha_grid(const PathOptions& options) {
  return options.alphas.empty() ? log_spaced_alphas(options.n_alphas, options.alpha_ratio)
                                : parse_alphas(options.alphas);
}

CvGrid make_cv_grid(const CvChoices& choices, const TrainingPlan& plan, const std::vector<std::string>& kernels) {
  CvGrid grid{make_alpha_grid({choices.n_alphas, choices.alpha_ratio, choices.alphas}), choices.l1_ratios, choices.qs,
              kernels.size() > 1 ? kernels : std::vector<std::string>{}};
  grid.may_end_early = choices.alphas.empty();  // alphas that were asked for are all tried
  check(grid, plan);
  return grid;
}

std::string option_tables_json() {
  Json train = Json::array(), path = Json::array(), cv = Json::array(), study = Json::array();
  for (Json* list : {&train, &path, &cv, &study}) {
    add_options(problem_option_table(), list == &train ? "" : "alpha", *list);
    add_options(kernel_option_table(), list == &cv || list == &study ? "device" : "", *list);
  }
  add_options(path_option_table(), "", path);
  add_options(cv_option_table(), "", cv);
  add_options(cv_option_table(), "folds", study);
  add_options(study_option_table(), "", study);
  return Json{{"train", train},
              {"path", path},
              {"cv", cv},
              {"study", study},
              {"losses", list_json(losses_to_choose(), loss_json)},
              {"penalties", list_json(regularizer_types(), penalty_json)},
              {"kernels", list_json(kernel_types(), kernel_json)}}
      .dump(1);
}

}  // namespace spicymkl
