#include "spicymkl/regularizer/regularizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "spicymkl/core/closest.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/regularizer/regularizers.hpp"

namespace spicymkl {

double Regularizer::envelope(double v, double gamma) const {
  // Moreau, Eq. (23): v²/2 minus the optimal value of the prox problem, written without subtracting large squares.
  const double x = prox(v, gamma);
  return x * (v - 0.5 * x) - gamma * value(x);
}

double Regularizer::conjugate_slope(double) const {
  throw std::logic_error(fmt::format("regulariser {} has no smooth dual", name()));
}

double Regularizer::conjugate_curvature(double) const {
  throw std::logic_error(fmt::format("regulariser {} has no smooth dual", name()));
}

namespace {

struct KnownRegularizer {
  std::function<std::unique_ptr<Regularizer>(const RegularizerParameters&)> make;
  std::vector<std::string> parameters = {};  ///< members of RegularizerParameters that it takes beside alpha
};

const std::map<std::string, KnownRegularizer, std::less<>>& known_regularizers() {
  using P = RegularizerParameters;
  static const std::map<std::string, KnownRegularizer, std::less<>> table = {
      {"block1", {[](const P& p) { return std::make_unique<Block1Regularizer>(p.alpha); }}},
      {"elasticnet",
       {[](const P& p) { return std::make_unique<ElasticNetRegularizer>(p.alpha, p.l1_ratio); }, {"l1_ratio"}}},
      {"blockq", {[](const P& p) { return std::make_unique<BlockQRegularizer>(p.alpha, p.q); }, {"q"}}},
      {"uniform", {[](const P& p) { return std::make_unique<UniformRegularizer>(p.alpha); }}},
      {"mixed",
       {[](const P& p) { return std::make_unique<MixedRegularizer>(p.alpha, p.l1_ratio, p.q); }, {"l1_ratio", "q"}}},
  };
  return table;
}

const KnownRegularizer& find_regularizer(std::string_view name) {
  const auto found = known_regularizers().find(name);
  if (found != known_regularizers().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, regularizer] : known_regularizers()) names.push_back(known);
  throw InputError(fmt::format("penalty '{}' is not known{}; choose one of {}", name, did_you_mean(name, names),
                               regularizer_names()));
}

}  // namespace

std::string regularizer_names() {
  std::string names;
  for (const auto& [name, regularizer] : known_regularizers()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::unique_ptr<Regularizer> make_regularizer(std::string_view name, const RegularizerParameters& parameters) {
  return find_regularizer(name).make(parameters);
}

const std::vector<std::string>& regularizer_parameters(std::string_view name) {
  return find_regularizer(name).parameters;
}

std::vector<std::string> regularizers_with(std::string_view parameter) {
  std::vector<std::string> names;
  for (const auto& [name, regularizer] : known_regularizers())
    if (std::ranges::count(regularizer.parameters, parameter) > 0) names.push_back(name);
  return names;
}

}  // namespace spicymkl
