#include "fit_file.hpp"

#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProblemDescription, loss, penalty, alpha, l1_ratio, q, epsilon, quantile,
                                   fit_intercept)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Stage, name, seconds, iterations, newton_steps)

namespace {

int count(const nlohmann::json& value) { return static_cast<int>(whole_value(value, std::numeric_limits<int>::max())); }

}  // namespace

nlohmann::json fit_to_file(const Fit& fit, const std::string& names, TensorFile& file) {
  file.tensors[names + "dual"] = Tensor::of(fit.expansion.dual);
  file.tensors[names + "scale"] = Tensor::of(fit.expansion.scale);
  file.tensors[names + "norms"] = Tensor::of(fit.certificate.norms);
  file.tensors[names + "certificate_dual"] = Tensor::of(fit.certificate.dual);
  return {{"positive_class", fit.positive_class},
          {"problem", fit.problem},
          {"active", fit.expansion.kernels},
          {"intercept", fit.expansion.intercept},
          {"primal", fit.certificate.primal},
          {"dual_objective", fit.certificate.dual_objective},
          {"relative_gap", fit.certificate.relative_gap},
          {"status", fit.status},
          {"message", fit.message},
          {"iterations", fit.iterations},
          {"newton_steps", fit.newton_steps},
          {"seconds", fit.seconds},
          {"stages", fit.stages}};
}

Fit fit_from_file(const nlohmann::json& json, const std::string& names, const TensorFile& file) {
  Fit fit;
  fit.positive_class = json.at("positive_class").get<std::string>();
  fit.problem = json.at("problem").get<ProblemDescription>();
  fit.expansion.kernels = whole_values(json.at("active"));
  fit.expansion.intercept = json.at("intercept");
  fit.expansion.dual = file.tensors.at(names + "dual").vector();
  fit.expansion.scale = file.tensors.at(names + "scale").vector();
  fit.certificate.primal = json.at("primal");
  fit.certificate.dual_objective = json.at("dual_objective");
  fit.certificate.relative_gap = json.at("relative_gap");
  fit.certificate.norms = file.tensors.at(names + "norms").vector();
  fit.certificate.dual = file.tensors.at(names + "certificate_dual").vector();
  fit.status = json.at("status").get<std::string>();
  fit.message = json.at("message").get<std::string>();
  fit.iterations = count(json.at("iterations"));
  fit.newton_steps = count(json.at("newton_steps"));
  fit.seconds = json.at("seconds");
  fit.stages = json.value("stages", Stages());  // of a file that was written before they were kept: none
  return fit;
}

void check_fit(const Fit& fit, Index n_samples, Index n_kernels) {
  const auto n_active = std::ssize(fit.expansion.kernels);
  if (fit.expansion.dual.size() != n_samples || fit.certificate.dual.size() != n_samples)
    throw InputError("the length of a dual vector is not the number of samples");
  if (fit.expansion.scale.size() != n_active || fit.certificate.norms.size() != n_active)
    throw InputError("scales and active kernels differ in number");
  if (!is_finite(fit.expansion, fit.certificate)) throw InputError("a number of the model is not finite");
  for (const Index m : fit.expansion.kernels)
    if (m < 0 || m >= n_kernels) throw InputError("an active kernel is not in the list");
}

}  // namespace spicymkl
