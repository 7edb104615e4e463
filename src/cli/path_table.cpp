#include "path_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/wording.hpp"
#include "io/csv_text.hpp"
#include "spicymkl/model/table_model.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

/// "class", "target": what each path is of.
std::string kind_of(const PathTable& table) {
  return table.paths.front().fits.front().target.empty() ? "class" : "target";
}

Json intercept_json(const Fit& fit) {
  if (fit.n_outputs() == 1) return fit.intercept();
  Json each = Json::array();
  for (Index k = 0; k < fit.n_outputs(); ++k) each.push_back(fit.intercept(k));
  return each;
}

std::string intercept_names(const PathTable& table) {
  if (table.outputs.empty()) return "intercept";
  std::vector<std::string> names;
  for (const std::string& output : table.outputs) names.push_back(csv_cell("intercept_" + output));
  return fmt::format("{}", fmt::join(names, ","));
}

std::string intercepts(const Fit& fit) {
  std::vector<double> each;
  for (Index k = 0; k < fit.n_outputs(); ++k) each.push_back(fit.intercept(k));
  return fmt::format("{}", fmt::join(each, ","));
}

/// The heaviest kernel of a point and its share of all weights.
std::string leader(const Fit& fit, const std::vector<std::string>& names) {
  if (fit.expansion.kernels.empty()) return "";
  const Vector weights = fit.active_weights();
  Index at = 0;
  const double largest = weights.maxCoeff(&at);
  return fmt::format("{:5.1f} %  {}", 100 * largest / weights.sum(), names[fit.expansion.kernels[at]]);
}

Json point_json(const Fit& fit, const PathTable& table, double alpha_max) {
  Json weights = Json::object();
  const Vector active = fit.active_weights();
  for (Index k = 0; k < active.size(); ++k) weights[table.kernel_names[fit.expansion.kernels[k]]] = active(k);
  return {{"alpha", fit.problem.alpha},
          {"alpha_ratio", fit.problem.alpha / alpha_max},
          {"status", fit.status},
          {"relative_gap", fit.certificate.relative_gap},
          {"primal", fit.certificate.primal},
          {"dual_objective", fit.certificate.dual_objective},
          {"n_active", fit.expansion.kernels.size()},
          {"intercept", intercept_json(fit)},
          {"seconds", fit.seconds},
          {"weights", weights}};
}

}  // namespace

Index PathTable::n_points() const {
  Index count = 0;
  for (const FitPath& path : paths) count += std::ssize(path.fits);
  return count;
}

bool PathTable::complete() const {
  return std::all_of(paths.begin(), paths.end(), [](const FitPath& path) { return path.complete; });
}

bool PathTable::converged() const {
  const auto met = [](const FitPath& path) {
    return std::all_of(path.fits.begin(), path.fits.end(), [](const Fit& fit) { return fit.converged(); });
  };
  return complete() && std::all_of(paths.begin(), paths.end(), met);
}

std::vector<Index> PathTable::ever_active() const {
  std::vector<Fit> all;
  for (const FitPath& path : paths) all.insert(all.end(), path.fits.begin(), path.fits.end());
  return active_kernels(all);
}

std::vector<double> weights_of(const Fit& fit, const std::vector<Index>& kernels) {
  std::vector<double> weights(kernels.size(), 0);
  const Vector active = fit.active_weights();
  for (Index k = 0; k < std::ssize(fit.expansion.kernels); ++k) {
    const auto place = std::lower_bound(kernels.begin(), kernels.end(), fit.expansion.kernels[k]);
    if (place != kernels.end() && *place == fit.expansion.kernels[k]) weights[place - kernels.begin()] = active(k);
  }
  return weights;
}

std::string path_csv(const PathTable& table) {
  const std::vector<Index> kernels = table.ever_active();
  std::string text = table.several() ? kind_of(table) + "," : "";
  text += fmt::format("alpha,alpha_ratio,status,relative_gap,primal,dual_objective,n_active,{},seconds",
                      intercept_names(table));
  for (const Index m : kernels) text += "," + csv_cell("weight_" + table.kernel_names[m]);
  text += "\n";
  for (const FitPath& path : table.paths)
    for (const Fit& fit : path.fits) {
      if (table.several()) text += csv_cell(fit.name()) + ",";
      text += fmt::format("{},{},{},{},{},{},{},{},{}", fit.problem.alpha, fit.problem.alpha / path.alpha_max,
                          fit.status, fit.certificate.relative_gap, fit.certificate.primal,
                          fit.certificate.dual_objective, fit.expansion.kernels.size(), intercepts(fit), fit.seconds);
      for (const double weight : weights_of(fit, kernels)) fmt::format_to(std::back_inserter(text), ",{}", weight);
      text += "\n";
    }
  return text;
}

std::string path_json(const PathTable& table) {
  Json list = Json::array();
  for (const FitPath& path : table.paths) {
    Json json = {{"complete", path.complete}, {"alpha_max", path.alpha_max}};
    if (table.several()) json[kind_of(table) == "class" ? "positive_class" : "target"] = path.fits.front().name();
    json["points"] = Json::array();
    for (const Fit& fit : path.fits) json["points"].push_back(point_json(fit, table, path.alpha_max));
    list.push_back(std::move(json));
  }
  Json json = table.several() ? Json{{kind_of(table) == "class" ? "classes" : "targets", list}} : list.front();
  json["n_kernels"] = table.kernel_names.size();
  json["seconds"] = table.seconds;
  return json.dump();
}

std::string path_text(const PathTable& table) {
  std::string text;
  for (const FitPath& path : table.paths) {
    if (path.fits.empty()) continue;
    if (table.several()) text += fmt::format("{}\n", path.fits.front().title());
    text += fmt::format("{:>12} {:>10} {:>7} {:>9} {:>14}   heaviest kernel\n", "alpha", "of max", "active", "gap",
                        "primal");
    for (const Fit& fit : path.fits)
      text += fmt::format("{:12.6g} {:10.4f} {:7} {:9.1e} {:14.8g}   {}{}\n", fit.problem.alpha,
                          fit.problem.alpha / path.alpha_max, fit.expansion.kernels.size(),
                          fit.certificate.relative_gap, fit.certificate.primal, leader(fit, table.kernel_names),
                          fit.converged() ? "" : "  (" + fit.status + ")");
  }
  return text + fmt::format("{}, {:.3f} s\n", counted(std::ssize(table.kernel_names), "kernel"), table.seconds);
}

}  // namespace spicymkl::cli
