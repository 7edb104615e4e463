#include "spicymkl/model/model.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "spicymkl/core/error.hpp"
#include "spicymkl/io/safetensors.hpp"

namespace spicymkl {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProblemDescription, loss, penalty, alpha, l1_ratio, q, epsilon, quantile, fit_intercept)

std::shared_ptr<const Loss> ProblemDescription::make_loss() const { return spicymkl::make_loss(loss, {epsilon, quantile}); }

std::shared_ptr<const Regularizer> ProblemDescription::make_regularizer() const {
  return spicymkl::make_regularizer(penalty, {alpha, l1_ratio, q});
}

Vector Model::active_weights() const {
  const auto regularizer = problem.make_regularizer();
  Vector weights(certificate.norms.size());
  for (Index k = 0; k < weights.size(); ++k) weights(k) = regularizer->weight(certificate.norms(k));
  return weights;
}

Model make_model(const Problem& problem, const ProblemDescription& description, double tol, Result result) {
  Model model;
  model.problem = description;
  model.n_samples = problem.n_samples();
  for (Index m = 0; m < problem.n_kernels(); ++m) model.kernel_names.push_back(problem.bank().name(m));
  if ((problem.sample_weights().array() != 1).any()) model.sample_weights = problem.sample_weights();
  model.tol = tol;
  model.expansion = std::move(result.expansion);
  model.certificate = std::move(result.certificate);
  model.status = to_string(result.status);
  model.message = std::move(result.message);
  model.iterations = result.iterations;
  model.newton_steps = result.newton_steps;
  model.seconds = result.timers.total;
  return model;
}

std::string to_bytes(const Model& model) {
  nlohmann::ordered_json header;
  header["format_version"] = Model::kFormatVersion;
  header["problem"] = nlohmann::json(model.problem);
  header["n_samples"] = model.n_samples;
  header["kernel_names"] = model.kernel_names;
  header["active"] = model.expansion.kernels;
  header["intercept"] = model.expansion.intercept;
  header["tol"] = model.tol;
  header["primal"] = model.certificate.primal;
  header["dual_objective"] = model.certificate.dual_objective;
  header["relative_gap"] = model.certificate.relative_gap;
  header["status"] = model.status;
  header["message"] = model.message;
  header["iterations"] = model.iterations;
  header["newton_steps"] = model.newton_steps;
  header["seconds"] = model.seconds;
  header["seconds_input"] = model.seconds_input;
  TensorFile file;
  file.metadata["spicymkl"] = header.dump();
  file.tensors["dual"] = Tensor::of(model.expansion.dual);
  file.tensors["scale"] = Tensor::of(model.expansion.scale);
  file.tensors["norms"] = Tensor::of(model.certificate.norms);
  file.tensors["certificate_dual"] = Tensor::of(model.certificate.dual);
  if (model.sample_weights.size() > 0) file.tensors["sample_weights"] = Tensor::of(model.sample_weights);
  return to_safetensors(file);
}

namespace {

Model parse(const TensorFile& file, const nlohmann::json& header) {
  Model model;
  model.problem = header.at("problem").get<ProblemDescription>();
  model.n_samples = header.at("n_samples");
  model.kernel_names = header.at("kernel_names").get<std::vector<std::string>>();
  model.expansion.kernels = header.at("active").get<std::vector<Index>>();
  model.expansion.intercept = header.at("intercept");
  model.expansion.dual = file.tensors.at("dual").vector();
  model.expansion.scale = file.tensors.at("scale").vector();
  model.tol = header.at("tol");
  model.certificate.primal = header.at("primal");
  model.certificate.dual_objective = header.at("dual_objective");
  model.certificate.relative_gap = header.at("relative_gap");
  model.certificate.norms = file.tensors.at("norms").vector();
  model.certificate.dual = file.tensors.at("certificate_dual").vector();
  model.status = header.at("status");
  model.message = header.at("message");
  model.iterations = header.at("iterations");
  model.newton_steps = header.at("newton_steps");
  model.seconds = header.at("seconds");
  model.seconds_input = header.at("seconds_input");
  if (file.tensors.contains("sample_weights")) model.sample_weights = file.tensors.at("sample_weights").vector();
  return model;
}

}  // namespace

Model load_model(const std::string& path) {
  const TensorFile file = read_safetensors(path);
  const auto text = file.metadata.find("spicymkl");
  if (text == file.metadata.end()) throw InputError(fmt::format("'{}' is a safetensors file, but not a SpicyMKL model", path));
  try {
    const auto header = nlohmann::json::parse(text->second);
    if (const int version = header.at("format_version"); version > Model::kFormatVersion)
      throw InputError(fmt::format("'{}' has model format {}, but this program reads up to {}; use a newer SpicyMKL", path,
                                   version, Model::kFormatVersion));
    return parse(file, header);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("'{}' is a damaged SpicyMKL model: {}", path, error.what()));
  } catch (const std::out_of_range&) {
    throw InputError(fmt::format("'{}' is a damaged SpicyMKL model: a tensor is missing", path));
  }
}

namespace {

/// l1_ratio and q as the penalty uses them: block1 is l1_ratio 1 and q 1, uniform is l1_ratio 0.
std::pair<double, double> effective_exponents(const ProblemDescription& problem) {
  if (problem.penalty == "block1") return {1, 1};
  if (problem.penalty == "elasticnet") return {problem.l1_ratio, 1};
  if (problem.penalty == "blockq") return {1, problem.q};
  if (problem.penalty == "uniform") return {0, 2};
  return {problem.l1_ratio, problem.q};
}

}  // namespace

std::string certificate_json(const Model& model) {
  const auto list = [](const Vector& v) { return std::vector<double>(v.begin(), v.end()); };
  nlohmann::ordered_json json;
  json["loss"] = model.problem.loss;
  json["penalty"] = model.problem.penalty;
  json["alpha"] = model.problem.alpha;
  const auto [l1_ratio, q] = effective_exponents(model.problem);
  json["l1_ratio"] = l1_ratio;
  json["q"] = q;
  json["epsilon"] = model.problem.epsilon;
  json["quantile"] = model.problem.quantile;
  json["fit_intercept"] = model.problem.fit_intercept;
  json["n_samples"] = model.n_samples;
  json["n_kernels"] = model.n_kernels();
  if (model.sample_weights.size() > 0) json["sample_weights"] = list(model.sample_weights);
  json["intercept"] = model.expansion.intercept;
  json["dual"] = list(model.certificate.dual);
  json["kernels"] = nlohmann::ordered_json::array();
  const Vector weights = model.active_weights();
  for (Index k = 0; k < weights.size(); ++k) {
    const Index m = model.expansion.kernels[static_cast<std::size_t>(k)];
    json["kernels"].push_back({{"index", m},
                               {"name", model.kernel_names[static_cast<std::size_t>(m)]},
                               {"norm", model.certificate.norms(k)},
                               {"weight", weights(k)},
                               {"coef", list(model.expansion.scale(k) * model.expansion.dual)}});
  }
  json["primal"] = model.certificate.primal;
  json["dual_objective"] = model.certificate.dual_objective;
  json["relative_gap"] = model.certificate.relative_gap;
  json["status"] = model.status;
  json["iterations"] = model.iterations;
  json["newton_steps"] = model.newton_steps;
  json["seconds"] = model.seconds;
  json["seconds_input"] = model.seconds_input;
  return json.dump(1);
}

}  // namespace spicymkl
