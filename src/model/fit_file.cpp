#include "fit_file.hpp"

#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProblemDescription, loss, penalty, alpha, l1_ratio, q, epsilon, quantile,
                                   fit_intercept)

void to_json(nlohmann::json& json, const Stage& stage) {
  json = {{"name", stage.name},
          {"seconds", stage.seconds},
          {"iterations", stage.iterations},
          {"newton_steps", stage.newton_steps}};
}

/// Whoever wrote the file may have put a number where there is no such count: a conversion would be undefined.
void from_json(const nlohmann::json& json, Stage& stage) {
  json.at("name").get_to(stage.name);
  json.at("seconds").get_to(stage.seconds);
  stage.iterations = count_value(json.at("iterations"));
  stage.newton_steps = count_value(json.at("newton_steps"));
}

namespace {

/// A column per output; of one alone, a list.
Tensor by_output(const Vector& values, Index n_outputs) {
  if (n_outputs == 1) return Tensor::of(values);
  return Tensor::of_matrix(Eigen::Map<const Matrix>(values.data(), values.size() / n_outputs, n_outputs));
}

Vector one_output_after_the_other(const Tensor& tensor) {
  if (tensor.shape.size() == 1) return tensor.vector();
  const Matrix values = tensor.matrix();
  return Eigen::Map<const Vector>(values.data(), values.size());
}

/// A file that was written before there were several outputs has an intercept alone.
Matrix unpenalised_from_file(const nlohmann::json& json, const std::string& names, const ProblemDescription& problem,
                             const TensorFile& file) {
  if (const auto found = file.tensors.find(names + "unpenalised"); found != file.tensors.end())
    return found->second.matrix();
  Matrix unpenalised(problem.fit_intercept ? 1 : 0, 1);
  unpenalised.setConstant(json.at("intercept").get<double>());
  return unpenalised;
}

}  // namespace

nlohmann::json fit_to_file(const Fit& fit, const std::string& names, TensorFile& file) {
  file.tensors[names + "dual"] = by_output(fit.expansion.dual, fit.n_outputs());
  file.tensors[names + "scale"] = Tensor::of(fit.expansion.scale);
  file.tensors[names + "norms"] = Tensor::of(fit.certificate.norms);
  file.tensors[names + "certificate_dual"] = by_output(fit.certificate.dual, fit.n_outputs());
  file.tensors[names + "unpenalised"] = Tensor::of_matrix(fit.expansion.unpenalised);
  return {{"positive_class", fit.positive_class},
          {"target", fit.target},
          {"n_outputs", fit.n_outputs()},
          {"n_covariates", fit.n_covariates},
          {"problem", fit.problem},
          {"active", fit.expansion.kernels},
          {"intercept", fit.intercept()},
          {"primal", fit.certificate.primal},
          {"dual_objective", fit.certificate.dual_objective},
          {"relative_gap", fit.certificate.relative_gap},
          {"status", fit.status},
          {"message", fit.message},
          {"iterations", fit.iterations},
          {"newton_steps", fit.newton_steps},
          {"seconds", fit.seconds},
          {"stages", fit.stages},
          {"computed_on", fit.computed_on}};
}

Fit fit_from_file(const nlohmann::json& json, const std::string& names, const TensorFile& file) {
  Fit fit;
  fit.positive_class = json.at("positive_class").get<std::string>();
  fit.target = json.value("target", "");  // of a file that was written before there were several targets: none
  fit.problem = json.at("problem").get<ProblemDescription>();
  fit.expansion.kernels = whole_values(json.at("active"));
  fit.expansion.unpenalised = unpenalised_from_file(json, names, fit.problem, file);
  fit.n_covariates = whole_value(json.value("n_covariates", nlohmann::json(0)));
  fit.expansion.dual = one_output_after_the_other(file.tensors.at(names + "dual"));
  fit.expansion.scale = file.tensors.at(names + "scale").vector();
  fit.certificate.primal = json.at("primal");
  fit.certificate.dual_objective = json.at("dual_objective");
  fit.certificate.relative_gap = json.at("relative_gap");
  fit.certificate.norms = file.tensors.at(names + "norms").vector();
  fit.certificate.dual = one_output_after_the_other(file.tensors.at(names + "certificate_dual"));
  fit.status = json.at("status").get<std::string>();
  fit.message = json.at("message").get<std::string>();
  fit.iterations = count_value(json.at("iterations"));
  fit.newton_steps = count_value(json.at("newton_steps"));
  fit.seconds = json.at("seconds");
  fit.stages = json.value("stages", Stages());  // of a file that was written before they were kept: none
  fit.computed_on = json.value("computed_on", "cpu");
  return fit;
}

void check_fit(const Fit& fit, Index n_samples, Index n_kernels) {
  const auto n_active = std::ssize(fit.expansion.kernels);
  const Index leading = fit.expansion.unpenalised.rows() - fit.n_covariates;
  if (fit.n_outputs() < 1 || fit.n_covariates < 0 || leading < (fit.problem.fit_intercept ? 1 : 0))
    throw InputError("the intercept or coefficients of covariates are missing");
  if (fit.expansion.dual.size() != n_samples * fit.n_outputs() ||
      fit.certificate.dual.size() != n_samples * fit.n_outputs())
    throw InputError("the length of a dual vector is not the number of samples");
  if (fit.expansion.scale.size() != n_active || fit.certificate.norms.size() != n_active)
    throw InputError("scales and active kernels differ in number");
  if (!is_finite(fit.expansion, fit.certificate)) throw InputError("a number of the model is not finite");
  for (const Index m : fit.expansion.kernels)
    if (m < 0 || m >= n_kernels) throw InputError("an active kernel is not in the list");
}

}  // namespace spicymkl
