#include "spicymkl/loss/loss.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>

#include "spicymkl/core/error.hpp"
#include "spicymkl/loss/losses.hpp"

namespace spicymkl {

Interval Loss::smooth_domain(double) const { return {}; }

DualTerm Loss::constraint(int, double, double, double) const { return {}; }

namespace {

using Maker = std::function<std::unique_ptr<Loss>(const LossParameters&)>;

const std::map<std::string, Maker, std::less<>>& makers() {
  static const std::map<std::string, Maker, std::less<>> table = {
      {"logistic", [](const LossParameters&) { return std::make_unique<LogisticLoss>(); }},
      {"hinge", [](const LossParameters&) { return std::make_unique<HingeLoss>(); }},
      {"squared_hinge", [](const LossParameters&) { return std::make_unique<SquaredHingeLoss>(); }},
      {"squared", [](const LossParameters&) { return std::make_unique<SquaredLoss>(); }},
      {"epsilon_insensitive",
       [](const LossParameters& p) { return std::make_unique<EpsilonInsensitiveLoss>(p.epsilon); }},
      {"huber", [](const LossParameters& p) { return std::make_unique<HuberLoss>(p.epsilon); }},
      {"quantile", [](const LossParameters& p) { return std::make_unique<QuantileLoss>(p.quantile); }},
  };
  return table;
}

}  // namespace

std::string loss_names() {
  std::string names;
  for (const auto& [name, maker] : makers()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::unique_ptr<Loss> make_loss(std::string_view name, const LossParameters& parameters) {
  const auto found = makers().find(name);
  if (found == makers().end())
    throw InputError(fmt::format("loss '{}' is not known; choose one of {}", name, loss_names()));
  return found->second(parameters);
}

}  // namespace spicymkl
