#include "spicymkl/model/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/named_table.hpp"
#include "fit_file.hpp"
#include "io/json_text.hpp"
#include "io/stored_object.hpp"
#include "spicymkl/core/error.hpp"
#include "survival_file.hpp"
#include "table_model_file.hpp"

namespace spicymkl {

namespace {

using Json = nlohmann::json;

/// Tensors of a model with one fit have plain names; those of class c among several begin with "class<c>.", those of
/// several targets with "target<k>.".
std::string prefix(const Model& model, std::size_t fit, std::size_t n_fits) {
  return n_fits == 1 ? "" : fmt::format("{}{}.", model.fits_are_of(), fit);
}

Index n_scores(const Model& model) {
  if (!model.targets.empty()) return std::ssize(model.targets);
  return model.classes.size() > 2 ? std::ssize(model.classes) : 1;
}

std::string repair_tensor(Index kernel) { return fmt::format("repair{}.dual", kernel); }

Json repair_to_file(const GramRepair& repair, TensorFile& file) {
  std::vector<Index> carried;
  for (const GramRepair::Carried& one : repair.carried) {
    carried.push_back(one.kernel);
    file.tensors[repair_tensor(one.kernel)] = Tensor::of_matrix(one.dual);
  }
  return {{"method", to_string(repair.method)}, {"kernels", repair.kernels}, {"carried", carried}};
}

GramRepair repair_from_file(const Json& json, const TensorFile& file) {
  GramRepair repair;
  repair.method = parse_psd_method(json.at("method").get<std::string>());
  repair.kernels = whole_values(json.at("kernels"));
  for (const Index kernel : whole_values(json.at("carried")))
    repair.carried.push_back({kernel, file.tensors.at(repair_tensor(kernel)).matrix()});
  return repair;
}

/// A file that was tampered with must not lead to reading past the end of anything.
void check(const Model& model) {
  const auto require = [](bool condition, const char* what) {
    if (!condition) throw InputError(what);
  };
  const Index n_scores = spicymkl::n_scores(model);
  require(model.classes.size() != 1 && !model.fits.empty(), "it does not have one fit per class");
  require(model.targets.empty() || (model.classes.empty() && model.targets.size() > 1),
          "it has classes and targets, or a single one of several targets");
  require(model.n_outputs() == n_scores && (model.fits.size() == 1 || std::ssize(model.fits) == n_scores),
          "it does not have one output per class or target");
  for (const Fit& fit : model.fits) {
    check_fit(fit, model.n_samples, model.n_kernels());
    require(fit.n_covariates == model.covariates.count(), "covariates and their coefficients differ in number");
  }
  require(model.covariates.values.cols() == model.covariates.count() &&
              (model.covariates.count() == 0 || model.covariates.values.rows() == model.n_samples),
          "covariates and samples differ in number");
  require(model.sample_weights.size() == 0 || model.sample_weights.size() == model.n_samples,
          "weights and samples differ in number");
  for (const GramRepair::Carried& one : model.repair.carried)
    require(one.dual.rows() == model.n_samples && one.dual.cols() == n_scores,
            "a repaired kernel differs in size from the model");
  for (const Index kernel : model.repair.kernels)
    require(kernel >= 0 && kernel < model.n_kernels(), "a repaired kernel is not in the list");
  for (const Fit& fit : model.fits) {
    const LossType* type = find_named(loss_types(), fit.problem.loss);
    require((type != nullptr && type->labels == LabelKind::survival) == model.is_survival(),
            "its loss and its survival times do not go together");
  }
  if (model.survival) check_survival(*model.survival, model.n_samples);
  if (!model.table) return;
  require(model.table->specs.size() == model.kernel_names.size(), "kernels and their names differ in number");
  require(model.table->active == active_kernels(model.fits), "the active kernels disagree");
  for (const Matrix& sums : model.table->feature_sums)
    require(sums.size() == 0 || sums.cols() == n_scores, "features and fits differ in number");
  require(std::ssize(model.table->preparation.covariates) == model.covariates.count(),
          "covariates and their columns differ in number");
  for (const Index row : model.table->kept_rows) require(row < model.n_samples, "a training row is out of range");
}

/// Every number of a model is finite, and what was written. Models of version 0.1 have no checksum.
void check_tensors(const TensorFile& file, const Json& header) {
  for (const auto& [name, tensor] : file.tensors)
    if (!std::all_of(tensor.values.begin(), tensor.values.end(), [](double value) { return std::isfinite(value); }))
      throw InputError(fmt::format("tensor '{}' has a number that is not finite", shortened(name)));
  if (header.contains("checksum") && header["checksum"] != tensor_checksum(file))
    throw InputError("its numbers have changed since it was written");
}

Model parse(const TensorFile& file, const Json& header) {
  check_tensors(file, header);
  Model model;
  model.classes = header.at("classes").get<std::vector<std::string>>();
  if (header.contains("targets")) model.targets = header["targets"].get<std::vector<std::string>>();
  model.n_samples = whole_value(header.at("n_samples"));
  model.kernel_names = header.at("kernel_names").get<std::vector<std::string>>();
  model.tol = header.at("tol");
  model.seconds_input = header.at("seconds_input");
  const Json& fits = header.at("fits");
  for (std::size_t f = 0; f < fits.size(); ++f)
    model.fits.push_back(fit_from_file(fits[f], prefix(model, f, fits.size()), file));
  if (file.tensors.contains("sample_weights")) model.sample_weights = file.tensors.at("sample_weights").vector();
  if (header.contains("covariates"))
    model.covariates = {header["covariates"].get<std::vector<std::string>>(), file.tensors.at("covariates").matrix()};
  if (header.contains("table")) model.table = table_model_from_file(header["table"], file);
  if (header.contains("survival")) model.survival = survival_from_file(header["survival"], file);
  if (header.contains("repair")) model.repair = repair_from_file(header["repair"], file);
  check(model);
  return model;
}

const StoredKind& stored_model() {
  static const StoredKind kind{"SpicyMKL model", "spicymkl", Model::kFormatVersion,
                               "a safetensors file, but not a SpicyMKL model", "train it again"};
  return kind;
}

Model model_of(const TensorFile& file, const std::string& path) {
  const Json header = stored_header(stored_model(), file, path);
  return read_stored(stored_model(), path, [&] { return parse(file, header); });
}

/// Adds the tensors to the file.
std::string header_text(const Model& model, TensorFile& file, int threads) {
  Json header = Json::object();
  header["format_version"] = model.format_version();
  header["classes"] = model.classes;
  if (!model.targets.empty()) header["targets"] = model.targets;
  header["n_samples"] = model.n_samples;
  header["kernel_names"] = model.kernel_names;
  header["tol"] = model.tol;
  header["seconds_input"] = model.seconds_input;
  Json fits = Json::array();
  for (std::size_t f = 0; f < model.fits.size(); ++f)
    fits.push_back(fit_to_file(model.fits[f], prefix(model, f, model.fits.size()), file));
  header["fits"] = std::move(fits);
  if (model.sample_weights.size() > 0) file.tensors["sample_weights"] = Tensor::of(model.sample_weights);
  if (model.survival) header["survival"] = survival_to_file(*model.survival, file);
  if (model.covariates.count() > 0) {
    header["covariates"] = model.covariates.names;
    file.tensors["covariates"] = Tensor::of_matrix(model.covariates.values);
  }
  std::string text = "{";
  if (model.table) {
    text += "\"table\":";
    append_table_model(*model.table, file, text);
    text += ',';
  }
  if (!model.repair.kernels.empty()) header["repair"] = repair_to_file(model.repair, file);
  header["checksum"] = tensor_checksum(file, threads);
  text += header.dump().erase(0, 1);
  return text;
}

}  // namespace

void write_model(const Model& model, int threads, const std::function<void(std::string_view)>& sink) {
  TensorFile file;
  file.metadata[stored_model().metadata_key] = header_text(model, file, threads);
  write_safetensors(std::move(file), threads, sink);
}

std::string to_bytes(const Model& model) {
  std::string bytes;
  write_model(model, 1, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

Model load_model(const std::string& path) { return model_of(read_safetensors(path), path); }

Model model_from_bytes(std::string_view bytes, const std::string& source) {
  return model_of(parse_safetensors(bytes, source), source);
}

}  // namespace spicymkl
