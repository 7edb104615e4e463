#include "spicymkl/regularizer/regularizer.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>

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

using Maker = std::function<std::unique_ptr<Regularizer>(const RegularizerParameters&)>;

const std::map<std::string, Maker, std::less<>>& makers() {
  static const std::map<std::string, Maker, std::less<>> table = {
      {"block1", [](const RegularizerParameters& p) { return std::make_unique<Block1Regularizer>(p.alpha); }},
      {"elasticnet",
       [](const RegularizerParameters& p) { return std::make_unique<ElasticNetRegularizer>(p.alpha, p.l1_ratio); }},
      {"blockq", [](const RegularizerParameters& p) { return std::make_unique<BlockQRegularizer>(p.alpha, p.q); }},
      {"uniform", [](const RegularizerParameters& p) { return std::make_unique<UniformRegularizer>(p.alpha); }},
      {"mixed",
       [](const RegularizerParameters& p) { return std::make_unique<MixedRegularizer>(p.alpha, p.l1_ratio, p.q); }},
  };
  return table;
}

}  // namespace

std::string regularizer_names() {
  std::string names;
  for (const auto& [name, maker] : makers()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::unique_ptr<Regularizer> make_regularizer(std::string_view name, const RegularizerParameters& parameters) {
  const auto found = makers().find(name);
  if (found == makers().end())
    throw InputError(fmt::format("penalty '{}' is not known; choose one of {}", name, regularizer_names()));
  return found->second(parameters);
}

}  // namespace spicymkl
