#include "kernel_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

KernelSpec spec_from_json(const nlohmann::json& json) {
  KernelSpec spec;
  spec.name = json.at("name").get<std::string>();
  spec.type = json.at("type").get<std::string>();
  spec.parameters = json.at("parameters").get<KernelParameters>();
  spec.columns = whole_values(json.at("columns"));
  spec.normalize = parse_normalize(json.at("normalize").get<std::string>(), spec.name);
  spec.jitter = json.at("jitter").get<double>();
  spec.group = json.at("group").get<std::string>();
  if (json.contains("features")) spec.features = features_from_json(json["features"], 0, "kernel '" + spec.name + "'");
  return spec;
}

Normalization normalization_from_json(const nlohmann::json& json, const KernelSpec& spec) {
  Normalization normalization{spec.normalize, 1, {}, 0};
  if (spec.normalize == Normalize::trace) normalization.trace = json.at("trace").get<double>();
  if (!(normalization.trace > 0 && std::isfinite(normalization.trace)))
    throw InputError(
        fmt::format("kernel '{}': the stored trace is {}, but it must be above 0", spec.name, normalization.trace));
  if (spec.normalize == Normalize::center && spec.features.kind == FeatureKind::none) {
    const auto means = json.at("row_means").get<std::vector<double>>();
    normalization.row_means = Eigen::Map<const Vector>(means.data(), std::ssize(means));
    normalization.grand_mean = json.at("grand_mean").get<double>();
  }
  return normalization;
}

}  // namespace

nlohmann::json fitted_kernel_to_json(const FittedKernel& kernel) {
  const KernelSpec& spec = kernel.spec();
  const Normalization& fitted = kernel.normalization();
  nlohmann::json json = {{"type", spec.type},       {"parameters", spec.parameters},
                         {"columns", spec.columns}, {"normalize", normalize_name(spec.normalize)},
                         {"jitter", spec.jitter},   {"name", spec.name},
                         {"group", spec.group}};
  if (fitted.kind == Normalize::trace) json["trace"] = fitted.trace;
  if (kernel.has_features()) {
    json["features"] = features_to_json(spec.features);
    json["missing"] = kernel.features().constants().missing;
  } else if (fitted.kind == Normalize::center) {
    json["row_means"] = std::vector<double>(fitted.row_means.begin(), fitted.row_means.end());
    json["grand_mean"] = fitted.grand_mean;
  }
  return json;
}

FittedKernel fitted_kernel_from_json(const nlohmann::json& json, FeatureConstants features) {
  try {
    KernelSpec spec = spec_from_json(json);
    Normalization normalization = normalization_from_json(json, spec);
    if (spec.features.kind == FeatureKind::none) return FittedKernel(std::move(spec), std::move(normalization));
    features.missing = json.at("missing").get<double>();
    return FittedKernel(std::move(spec), std::move(normalization), std::move(features));
  } catch (const nlohmann::json::exception& error) {
    const std::string name = json.is_object() && json.contains("name") ? json["name"].dump() : "without a name";
    throw InputError(fmt::format("stored kernel {}: {}; the model file is damaged: train again", name, error.what()));
  }
}

}  // namespace spicymkl
