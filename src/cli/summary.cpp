#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace spicymkl::cli {

namespace {

/// Positions of the active kernels, heaviest first.
std::vector<Index> by_weight(const Vector& weights) {
  std::vector<Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return weights(a) > weights(b); });
  return order;
}

}  // namespace

std::string summary_text(const Model& model) {
  constexpr std::size_t kShown = 10;
  std::string text = fmt::format("{}: {}\n", model.status, model.message);
  text += fmt::format("  {} loss, {} penalty, alpha {:.6g}; {} samples, {} kernels\n", model.problem.loss,
                      model.problem.penalty, model.problem.alpha, model.n_samples, model.n_kernels());
  text += fmt::format("  primal {:.10g}, dual {:.10g}, relative gap {:.2e}\n", model.certificate.primal,
                      model.certificate.dual_objective, model.certificate.relative_gap);
  text += fmt::format("  {} outer iterations, {} Newton steps, {:.3f} s (reading and checking {:.3f} s)\n", model.iterations,
                      model.newton_steps, model.seconds, model.seconds_input);
  const Vector weights = model.active_weights();
  text += fmt::format("  {} active kernels\n", weights.size());
  const double total = weights.sum();
  std::size_t shown = 0;
  for (const Index k : by_weight(weights)) {
    if (shown++ == kShown) {
      text += fmt::format("    … and {} more\n", weights.size() - static_cast<Index>(kShown));
      break;
    }
    const auto& name = model.kernel_names[static_cast<std::size_t>(model.expansion.kernels[static_cast<std::size_t>(k)])];
    text += fmt::format("    {:5.1f} %  {}\n", 100 * weights(k) / total, name);
  }
  return text;
}

std::string summary_json(const Model& model) {
  const Vector weights = model.active_weights();
  nlohmann::ordered_json json;
  json["status"] = model.status;
  json["message"] = model.message;
  json["loss"] = model.problem.loss;
  json["penalty"] = model.problem.penalty;
  json["alpha"] = model.problem.alpha;
  json["n_samples"] = model.n_samples;
  json["n_kernels"] = model.n_kernels();
  json["n_active"] = weights.size();
  json["intercept"] = model.expansion.intercept;
  json["primal"] = model.certificate.primal;
  json["dual_objective"] = model.certificate.dual_objective;
  json["relative_gap"] = model.certificate.relative_gap;
  json["iterations"] = model.iterations;
  json["newton_steps"] = model.newton_steps;
  json["seconds"] = model.seconds;
  json["seconds_input"] = model.seconds_input;
  json["kernels"] = nlohmann::ordered_json::array();
  for (const Index k : by_weight(weights)) {
    const Index m = model.expansion.kernels[static_cast<std::size_t>(k)];
    json["kernels"].push_back({{"index", m},
                               {"name", model.kernel_names[static_cast<std::size_t>(m)]},
                               {"weight", weights(k)},
                               {"norm", model.certificate.norms(k)}});
  }
  return json.dump();
}

std::string history_csv(const History& history) {
  std::string text = "iteration,seconds,gamma,newton_steps,primal,dual,gap,n_active\n";
  for (const Record& r : history)
    text += fmt::format("{},{},{},{},{},{},{},{}\n", r.iteration, r.seconds, r.gamma, r.newton_steps, r.primal, r.dual, r.gap,
                        r.n_active);
  return text;
}

}  // namespace spicymkl::cli
