// The library's own tables: options with their defaults, losses, penalties and kernels.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "convert.hpp"
#include "core/closest.hpp"
#include "selection/selection_options.hpp"
#include "spicymkl/version.hpp"

using namespace spicymkl;
using namespace spicymkl::r;

namespace {

std::string shown(const nlohmann::json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string joined(const nlohmann::json& list) {
  std::string text;
  for (const nlohmann::json& one : list) text += (text.empty() ? "" : ", ") + shown(one);
  return text;
}

}  // namespace

// The options of train, path or cv: their names, types, defaults, choices and help.
// [[Rcpp::export]]
Rcpp::DataFrame option_frame(const std::string& table) {
  std::vector<std::string> names, types, defaults, choices, help;
  const auto options = nlohmann::json::parse(option_tables_json()).at(table);
  for (const nlohmann::json& option : options) {
    names.push_back(option.at("name"));
    types.push_back(option.at("type"));
    defaults.push_back(shown(option.at("default")));
    choices.push_back(joined(option.at("choices")));
    help.push_back(option.at("help"));
  }
  return Rcpp::DataFrame::create(Rcpp::_["name"] = to_r(names), Rcpp::_["type"] = to_r(types),
                                 Rcpp::_["default"] = to_r(defaults), Rcpp::_["choices"] = to_r(choices),
                                 Rcpp::_["help"] = to_r(help), Rcpp::_["stringsAsFactors"] = false);
}

// " (did you mean 'tol'?)", or nothing.
// [[Rcpp::export]]
std::string name_meant(SEXP name, SEXP known) { return did_you_mean(text(name, "a name"), strings(known)); }

// Lists of kernels or groups as the library reads them.
// [[Rcpp::export]]
Rcpp::CharacterVector as_json(SEXP value) { return to_r(std::vector<std::string>{to_json(value).dump()}); }

// Numbers as the shortest text that reads back as the same number; missing ones become empty.
// [[Rcpp::export]]
Rcpp::CharacterVector number_texts(const Rcpp::NumericVector& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(std::isnan(number) ? "" : fmt::format("{}", number));
  return to_r(texts);
}

// [[Rcpp::export]]
std::string library_version() { return kVersion; }
