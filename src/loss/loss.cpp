#include "spicymkl/loss/loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "spicymkl/core/closest.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/loss/losses.hpp"

namespace spicymkl {

Interval Loss::smooth_domain(double) const { return {}; }

DualTerm Loss::constraint(int, double, double, double) const { return {}; }

namespace {

struct KnownLoss {
  std::function<std::unique_ptr<Loss>(const LossParameters&)> make;
  std::vector<std::string> parameters = {};  ///< members of LossParameters that it takes
};

const std::map<std::string, KnownLoss, std::less<>>& known_losses() {
  using P = LossParameters;
  static const std::map<std::string, KnownLoss, std::less<>> table = {
      {"logistic", {[](const P&) { return std::make_unique<LogisticLoss>(); }}},
      {"hinge", {[](const P&) { return std::make_unique<HingeLoss>(); }}},
      {"squared_hinge", {[](const P&) { return std::make_unique<SquaredHingeLoss>(); }}},
      {"squared", {[](const P&) { return std::make_unique<SquaredLoss>(); }}},
      {"epsilon_insensitive",
       {[](const P& p) { return std::make_unique<EpsilonInsensitiveLoss>(p.epsilon); }, {"epsilon"}}},
      {"huber", {[](const P& p) { return std::make_unique<HuberLoss>(p.epsilon); }, {"epsilon"}}},
      {"quantile", {[](const P& p) { return std::make_unique<QuantileLoss>(p.quantile); }, {"quantile"}}},
  };
  return table;
}

const KnownLoss& find_loss(std::string_view name) {
  const auto found = known_losses().find(name);
  if (found != known_losses().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, loss] : known_losses()) names.push_back(known);
  throw InputError(
      fmt::format("loss '{}' is not known{}; choose one of {}", name, did_you_mean(name, names), loss_names()));
}

}  // namespace

std::string loss_names() {
  std::string names;
  for (const auto& [name, loss] : known_losses()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::unique_ptr<Loss> make_loss(std::string_view name, const LossParameters& parameters) {
  return find_loss(name).make(parameters);
}

const std::vector<std::string>& loss_parameters(std::string_view name) { return find_loss(name).parameters; }

std::vector<std::string> losses_with(std::string_view parameter) {
  std::vector<std::string> names;
  for (const auto& [name, loss] : known_losses())
    if (std::ranges::count(loss.parameters, parameter) > 0) names.push_back(name);
  return names;
}

}  // namespace spicymkl
