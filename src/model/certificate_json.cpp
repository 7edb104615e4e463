#include "spicymkl/model/certificate_json.hpp"

#include <nlohmann/json.hpp>

#include "core/named_table.hpp"
#include "feature_use.hpp"

namespace spicymkl {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::vector<double> list(const Vector& v) { return {v.begin(), v.end()}; }

/// Of one output a list of N numbers, of K outputs one of N lists of K.
OrderedJson by_row(const Vector& values, Index n_outputs) {
  if (n_outputs == 1) return list(values);
  const Index n = values.size() / n_outputs;
  OrderedJson rows = OrderedJson::array();
  for (Index i = 0; i < n; ++i) {
    OrderedJson row = OrderedJson::array();
    for (Index k = 0; k < n_outputs; ++k) row.push_back(values(k * n + i));
    rows.push_back(std::move(row));
  }
  return rows;
}

OrderedJson rows_of(const Matrix& values) {
  OrderedJson rows = OrderedJson::array();
  for (Index i = 0; i < values.rows(); ++i) rows.push_back(list(values.row(i)));
  return rows;
}

OrderedJson intercept_json(const Fit& fit) {
  if (fit.n_outputs() == 1) return fit.intercept();
  OrderedJson each = OrderedJson::array();
  for (Index k = 0; k < fit.n_outputs(); ++k) each.push_back(fit.intercept(k));
  return each;
}

/// With one output a number per covariate, with K a list of K.
OrderedJson covariate_coef_json(const Fit& fit) { return by_row(fit.covariate_coef().reshaped(), fit.n_outputs()); }

/// A penalty that does not take l1_ratio or q says which values make it: block1 is l1_ratio 1 and q 1.
OrderedJson problem_json(const ProblemDescription& problem) {
  OrderedJson json = {{"loss", problem.loss}, {"penalty", problem.penalty}, {"alpha", problem.alpha}};
  for (const auto& [name, member] : problem_parameters()) json[name] = problem.*member;
  if (const RegularizerType* type = find_named(regularizer_types(), problem.penalty))
    for (const auto& [name, value] : type->fixed) json[name] = value;
  json["fit_intercept"] = problem.fit_intercept;
  return json;
}

OrderedJson kernels_json(const Model& model, const Fit& fit) {
  OrderedJson kernels = OrderedJson::array();
  const Vector weights = fit.active_weights();
  for (Index k = 0; k < weights.size(); ++k) {
    const Index m = fit.expansion.kernels[k];
    kernels.push_back({{"index", m},
                       {"name", model.kernel_names[m]},
                       {"norm", fit.certificate.norms(k)},
                       {"weight", weights(k)},
                       {"coef", by_row(fit.expansion.scale(k) * fit.expansion.dual, fit.n_outputs())}});
    if (model.table) add_features(*model.table, m, kernels.back());
  }
  return kernels;
}

OrderedJson fit_json(const Model& model, const Fit& fit) {
  OrderedJson json = problem_json(fit.problem);
  if (!fit.positive_class.empty()) json["positive_class"] = fit.positive_class;
  if (!fit.target.empty()) json["target"] = fit.target;
  json["n_samples"] = model.n_samples;
  json["n_kernels"] = model.n_kernels();
  if (model.sample_weights.size() > 0) json["sample_weights"] = list(model.sample_weights);
  if (fit.n_outputs() > 1) {
    json["n_outputs"] = fit.n_outputs();
    if (model.targets.empty()) json["output_classes"] = model.classes;
    else json["output_targets"] = model.targets;
  }
  json["intercept"] = intercept_json(fit);
  if (model.survival) {
    json["time"] = list(model.survival->times);
    json["event"] = std::vector<int>(model.survival->events.begin(), model.survival->events.end());
  }
  if (model.covariates.count() > 0) {
    json["covariate_names"] = model.covariates.names;
    json["covariate_coef"] = covariate_coef_json(fit);
    json["covariates"] = rows_of(model.covariates.values);
  }
  json["dual"] = by_row(fit.certificate.dual, fit.n_outputs());
  json["kernels"] = kernels_json(model, fit);
  json["primal"] = fit.certificate.primal;
  json["dual_objective"] = fit.certificate.dual_objective;
  json["relative_gap"] = fit.certificate.relative_gap;
  json["computed_on"] = fit.computed_on;
  json["status"] = fit.status;
  json["iterations"] = fit.iterations;
  json["newton_steps"] = fit.newton_steps;
  json["seconds"] = fit.seconds;
  json["seconds_input"] = model.seconds_input;
  return json;
}

}  // namespace

std::string certificate_json(const Model& model) {
  if (model.fits.size() == 1) return fit_json(model, model.fits.front()).dump(1);
  OrderedJson fits = OrderedJson::array();
  for (const Fit& fit : model.fits) fits.push_back(fit_json(model, fit));
  return OrderedJson{{model.targets.empty() ? "classes" : "targets", std::move(fits)}}.dump(1);
}

}  // namespace spicymkl
