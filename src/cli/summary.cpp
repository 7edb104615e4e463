#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/quantity_text.hpp"
#include "core/wording.hpp"
#include "evaluation.hpp"
#include "io/csv_text.hpp"
#include "model/feature_use.hpp"
#include "spicymkl/model/sources.hpp"
#include "spicymkl/selection/survival_metrics.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr Index kMostFits = 20;         // that are described one by one, unless all are asked for
constexpr std::size_t kMostNamed = 10;  // sources and kernels of a model, unless all are asked for

/// Positions of the active kernels, heaviest first.
std::vector<Index> by_weight(const Vector& weights) {
  std::vector<Index> order(weights.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return weights(a) > weights(b); });
  return order;
}

const std::string& kernel_name(const Model& model, const Fit& fit, Index k) {
  return model.kernel_names[fit.expansion.kernels[k]];
}

std::string kernels_text(const Model& model, const Fit& fit, std::size_t most) {
  const Vector weights = fit.active_weights();
  std::string text = fmt::format("  {}\n", counted(weights.size(), "active kernel"));
  std::size_t shown = 0;
  for (const Index k : by_weight(weights)) {
    if (shown++ == most) return text + fmt::format("    … and {} more\n", weights.size() - static_cast<Index>(most));
    text += fmt::format("    {:5.1f} %  {}\n", 100 * weights(k) / weights.sum(), kernel_name(model, fit, k));
  }
  return text;
}

std::vector<std::string> rounded(const Vector& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(fmt::format("{:.6g}", value));
  return texts;
}

/// A source and its part of the weights of one fit.
struct SourcePart {
  const Source* source;
  double share;
};

/// Those with a weight above 0, heaviest first.
std::vector<SourcePart> sources_of(const std::vector<Source>& sources, const Matrix& shares, Index fit) {
  std::vector<SourcePart> parts;
  for (Index s = 0; s < shares.rows(); ++s)
    if (shares(s, fit) > 0) parts.push_back({&sources[s], shares(s, fit)});
  std::ranges::stable_sort(parts, std::greater{}, &SourcePart::share);
  return parts;
}

/// Nothing where every active kernel has a source of its own: the list of kernels then says the same.
std::string sources_text(const std::vector<Source>& sources, Index f, const Fit& fit, std::size_t most) {
  const std::vector<SourcePart> parts = sources_of(sources, weight_shares(sources), f);
  if (parts.size() == fit.expansion.kernels.size()) return "";
  std::string text = fmt::format("  {}\n", counted(std::ssize(parts), "source"));
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (k == most) return text + fmt::format("    … and {} more\n", parts.size() - most);
    text += fmt::format("    {:5.1f} %  {}\n", 100 * parts[k].share, parts[k].source->name);
  }
  return text;
}

/// "age 0.0213, site=B -1.4 (reference site=A)": with several outputs, of each.
std::string covariates_text(const Model& model, const Fit& fit) {
  if (fit.n_covariates == 0) return "";
  const Matrix coef = fit.covariate_coef();
  const std::vector<std::string>& outputs = model.targets.empty() ? model.classes : model.targets;
  std::string text = fmt::format("  {} without a penalty{}\n", counted(fit.n_covariates, "covariate"),
                                 fit.n_outputs() > 1 ? fmt::format(" (for {})", listed(outputs)) : "");
  for (Index j = 0; j < coef.rows(); ++j)
    text += fmt::format("    {}  {}\n", model.covariates.names[j], fmt::join(rounded(coef.row(j)), " "));
  if (model.table)
    for (const std::string& reference : reference_levels(model.table->preparation))
      text += fmt::format("    ({} is the reference)\n", reference);
  return text;
}

std::string fit_text(const Model& model, Index f, const std::vector<Source>& sources, std::size_t most) {
  const Fit& fit = model.fits[f];
  std::string text = model.fits.size() > 1 ? fmt::format("{}: ", fit.title()) : "";
  text += fmt::format("{}: {}\n", fit.status, fit.message);
  text += fmt::format("  {} loss, {} penalty, alpha {:.6g}; {}, {}\n", fit.problem.loss, fit.problem.penalty,
                      fit.problem.alpha, counted(model.n_samples, "sample"), counted(model.n_kernels(), "kernel"));
  text += fmt::format("  primal {:.10g}, dual {:.10g}, relative gap {:.2e}{}\n", fit.certificate.primal,
                      fit.certificate.dual_objective, fit.certificate.relative_gap,
                      fit.computed_on == "cpu" ? "" : fmt::format(", computed on {}", fit.computed_on));
  text +=
      fmt::format("  {}, {}, {:.3f} s (reading and checking {:.3f} s)\n", counted(fit.iterations, "outer iteration"),
                  counted(fit.newton_steps, "Newton step"), fit.seconds, model.seconds_input);
  if (!fit.stages.empty()) text += fmt::format("  solved by {}\n", stages_text(fit.stages));
  return text + covariates_text(model, fit) + sources_text(sources, f, fit, most) + kernels_text(model, fit, most);
}

/// Fits of many classes or targets in a few lines.
std::string many_fits_text(const Model& model) {
  const Fit& first = model.fits.front();
  Vector shares = Vector::Zero(model.n_kernels());
  std::vector<Index> n_fits(model.n_kernels(), 0);
  double gap = 0;
  Index n_converged = 0;
  for (const Fit& fit : model.fits) {
    const Vector weights = fit.active_weights();
    if (weights.size() > 0) shares(fit.expansion.kernels) += weights / weights.sum();
    for (const Index m : fit.expansion.kernels) ++n_fits[m];
    gap = std::max(gap, fit.certificate.relative_gap);
    n_converged += fit.converged();
  }
  const std::string kind = model.targets.empty() ? "class" : "target", kinds = kind == "class" ? "classes" : "targets";
  std::string text = fmt::format("{} {}, each with kernels of its own: {} converged, largest relative gap {:.2e}\n",
                                 model.fits.size(), kinds, n_converged, gap);
  text += fmt::format("  {} loss, {} penalty; {}, {}; {:.3f} s (reading and checking {:.3f} s)\n", first.problem.loss,
                      first.problem.penalty, counted(model.n_samples, "sample"), counted(model.n_kernels(), "kernel"),
                      model.seconds(), model.seconds_input);
  text += fmt::format("  mean share of the weight, and in how many {}\n", kinds);
  std::size_t shown = 0;
  for (const Index m : by_weight(shares)) {
    if (shown++ == kMostNamed || n_fits[m] == 0) break;
    text += fmt::format("    {:5.1f} %  {:6}  {}\n", 100 * shares(m) / static_cast<double>(model.fits.size()),
                        n_fits[m], model.kernel_names[m]);
  }
  return text + fmt::format("  inspect lists every {}\n", kind);
}

Json kernels_json(const Model& model, const Fit& fit) {
  const Vector weights = fit.active_weights();
  Json kernels = Json::array();
  for (const Index k : by_weight(weights)) {
    kernels.push_back({{"index", fit.expansion.kernels[k]},
                       {"name", kernel_name(model, fit, k)},
                       {"weight", weights(k)},
                       {"norm", fit.certificate.norms(k)}});
    if (model.table) add_features(*model.table, fit.expansion.kernels[k], kernels.back());
  }
  return kernels;
}

Json sources_json(const std::vector<Source>& sources, const Matrix& shares, Index fit) {
  Json list = Json::array();
  for (const auto& [source, share] : sources_of(sources, shares, fit))
    list.push_back({{"name", source->name},
                    {"n_kernels", source->kernels.size()},
                    {"weight", source->weight(fit)},
                    {"share", share},
                    {"norm", source->norm(fit)}});
  return list;
}

Json stages_json(const Stages& stages) {
  Json list = Json::array();
  for (const Stage& stage : stages)
    list.push_back({{"name", stage.name},
                    {"seconds", stage.seconds},
                    {"iterations", stage.iterations},
                    {"newton_steps", stage.newton_steps}});
  return list;
}

/// `shares` are those of the sources.
Json fit_json(const Model& model, Index f, const std::vector<Source>& sources, const Matrix& shares) {
  const Fit& fit = model.fits[f];
  Json json = {{"status", fit.status},
               {"message", fit.message},
               {"loss", fit.problem.loss},
               {"penalty", fit.problem.penalty},
               {"alpha", fit.problem.alpha}};
  if (!fit.positive_class.empty()) json["positive_class"] = fit.positive_class;
  if (!fit.target.empty()) json["target"] = fit.target;
  json["n_samples"] = model.n_samples;
  json["n_kernels"] = model.n_kernels();
  json["n_active"] = fit.expansion.kernels.size();
  if (fit.n_outputs() == 1) {
    json["intercept"] = fit.intercept();
  } else {
    json["n_outputs"] = fit.n_outputs();
    if (!model.targets.empty()) json["output_targets"] = model.targets;
    json["intercept"] = Json::array();
    for (Index k = 0; k < fit.n_outputs(); ++k) json["intercept"].push_back(fit.intercept(k));
  }
  if (fit.n_covariates > 0) json["covariates"] = Json::array();
  for (Index j = 0; j < fit.n_covariates; ++j) {
    const Vector coef = fit.covariate_coef().row(j);
    Json value = coef(0);
    if (coef.size() > 1) value = std::vector<double>(coef.begin(), coef.end());
    json["covariates"].push_back({{"name", model.covariates.names[j]}, {"coef", value}});
  }
  json["primal"] = fit.certificate.primal;
  json["dual_objective"] = fit.certificate.dual_objective;
  json["relative_gap"] = fit.certificate.relative_gap;
  json["computed_on"] = fit.computed_on;
  json["iterations"] = fit.iterations;
  json["newton_steps"] = fit.newton_steps;
  json["seconds"] = fit.seconds;
  json["seconds_input"] = model.seconds_input;
  json["stages"] = stages_json(fit.stages);
  json["sources"] = sources_json(sources, shares, f);
  json["kernels"] = kernels_json(model, fit);
  return json;
}

Json fits_json(const Model& model) {
  const std::vector<Source> sources = kernel_sources(model);
  Json list = Json::array();
  const Matrix shares = weight_shares(sources);
  for (Index f = 0; f < std::ssize(model.fits); ++f) list.push_back(fit_json(model, f, sources, shares));
  return list;
}

Json table_json(const Model& model) {
  if (!model.table) return nullptr;
  const TableModel& table = *model.table;
  const Preparation& preparation = table.preparation;
  Json json = {{"target", table.target_name},
               {"columns", preparation.columns},
               {"columns_used", preparation.only(table.used_columns).columns},
               {"rows_kept", table.kept_rows.size()},
               {"impute", nullptr},
               {"standardize", preparation.standardizer.has_value()}};
  if (preparation.imputer) json["impute"] = name_of(preparation.imputer->method);
  if (preparation.views.several()) {
    json["tables"] = preparation.views.names;
    json["missing_view"] = name_of(preparation.views.missing);
  }
  return json;
}

std::string table_text(const Model& model) {
  if (!model.table) return "trained on precomputed kernels\n";
  const TableModel& table = *model.table;
  const Preparation& preparation = table.preparation;
  const std::string tables = preparation.views.several() ? fmt::format("tables {}; missing view: {}\n",
                                                                       fmt::join(preparation.views.names, ", "),
                                                                       name_of(preparation.views.missing))
                                                         : "";
  return tables +
         fmt::format("target {}; {} of {} columns used, {} of {} training rows kept; {}, {}\n", table.target_name,
                     table.used_columns.size(), preparation.n_columns(), table.kept_rows.size(), model.n_samples,
                     preparation.standardizer ? "standardised" : "not standardised",
                     preparation.imputer ? fmt::format("missing cells by {}", name_of(preparation.imputer->method))
                                         : "no imputation");
}

std::optional<double> training_concordance(const Survival& survival) {
  return concordance(survival.times, survival.events, survival.log_risks).value();
}

std::string survival_text(const Survival& survival) {
  const std::optional<double> ordered = training_concordance(survival);
  return fmt::format(
      "survival times with {} in {} samples (event '{}', code {}), the last after {:g}; concordance on the "
      "training rows {}\n",
      counted(survival.n_events(), "event"), survival.times.size(), survival.event_name, survival.event_code,
      survival.steps(survival.steps.size() - 1), ordered ? fmt::format("{:.3f}", *ordered) : "undefined");
}

Json survival_json(const Model& model) {
  const Survival& survival = *model.survival;
  const std::optional<double> ordered = training_concordance(survival);
  const auto list = [](const Vector& values) { return std::vector<double>(values.begin(), values.end()); };
  return {{"time", model.table ? model.table->target_name : "time"},
          {"event", survival.event_name},
          {"event_code", survival.event_code},
          {"n_events", survival.n_events()},
          {"training_concordance", ordered ? Json(*ordered) : Json(nullptr)},
          {"baseline", {{"times", list(survival.steps)}, {"cumulative_hazard", list(survival.hazard)}}}};
}

}  // namespace

std::string summary_text(const Model& model, bool every_kernel) {
  std::string text;
  if (every_kernel) {
    text += table_text(model);
    if (model.is_classification()) text += fmt::format("classes {}\n", fmt::join(model.classes, ", "));
    if (!model.targets.empty()) text += fmt::format("targets {}\n", fmt::join(model.targets, ", "));
    if (model.survival) text += survival_text(*model.survival);
  }
  if (const std::string features = model.table ? features_text(*model.table) : ""; !features.empty())
    text += features + "\n";
  const std::vector<Source> sources = kernel_sources(model);
  const auto most = every_kernel ? static_cast<std::size_t>(model.n_kernels()) : kMostNamed;
  if (!every_kernel && std::ssize(model.fits) > kMostFits) return text + many_fits_text(model);
  for (Index f = 0; f < std::ssize(model.fits); ++f) text += fit_text(model, f, sources, most);
  return text;
}

std::string summary_json(const Model& model, const std::vector<BankUse>& bank, const std::optional<Evaluation>& test,
                         const std::optional<TrainingEstimate>& estimate) {
  Json json = model.fits.size() == 1 ? fits_json(model).front()
                                     : Json{{"status", model.status()},
                                            {"seconds", model.seconds()},
                                            {model.targets.empty() ? "classes" : "targets", fits_json(model)}};
  json["bank"] = Json::array();
  for (const BankUse& use : bank)
    json["bank"].push_back({{"kind", use.kind}, {"n_kernels", use.n_kernels}, {"bytes", use.bytes}});
  if (estimate) json["estimate"] = {{"seconds", estimate->seconds}, {"bytes", estimate->bytes}};
  if (test) json["test"] = evaluation_json(*test);
  return json.dump();
}

std::string explanation_json(const Explanation& explanation) {
  Json methods = Json::array(), stages = Json::array();
  for (const Method method : explanation.plan.methods) methods.push_back(to_string(method));
  for (const Stage& stage : explanation.stages) stages.push_back({{"name", stage.name}, {"seconds", stage.seconds}});
  return Json{{"n_samples", explanation.bank.n_samples},
              {"n_kernels", explanation.bank.kernels.size()},
              {"n_fits", explanation.work.n_fits},
              {"estimate", {{"seconds", explanation.estimate.seconds}, {"bytes", explanation.estimate.bytes}}},
              {"seconds_kernels", explanation.kernel_seconds},
              {"plan",
               {{"part_of_samples", explanation.plan.part_of_samples},
                {"part_of_kernels", explanation.plan.part_of_kernels},
                {"working_set", explanation.plan.working_set},
                {"methods", methods}}},
              {"stages", stages}}
      .dump();
}

std::string bank_text(const std::vector<BankUse>& bank) {
  std::string text;
  for (const BankUse& use : bank)
    text += fmt::format("{}{} {} ({})", text.empty() ? "  kernels kept: " : ", ", use.n_kernels, use.kind,
                        bytes_text(use.bytes));
  return text + "\n";
}

std::string inspect_json(const Model& model) {
  Json json = {{"format_version", model.format_version()},
               {"status", model.status()},
               {"classes", model.classes},
               {"targets", model.targets},
               {"n_samples", model.n_samples},
               {"n_kernels", model.n_kernels()},
               {"tol", model.tol},
               {"table", table_json(model)},
               {"fits", fits_json(model)}};
  if (model.survival) json["survival"] = survival_json(model);
  return json.dump();
}

std::string history_csv(const Model& model, const std::vector<History>& histories) {
  const bool several = histories.size() > 1;
  std::string text = several ? model.fits_are_of() + "," : "";
  text += "iteration,seconds,gamma,newton_steps,primal,dual,gap,n_active\n";
  for (std::size_t f = 0; f < histories.size(); ++f)
    for (const Record& r : histories[f]) {
      if (several) text += csv_cell(model.fits[f].name()) + ",";
      text += fmt::format("{},{},{},{},{},{},{},{}\n", r.iteration, r.seconds, r.gamma, r.newton_steps, r.primal,
                          r.dual, r.gap, r.n_active);
    }
  return text;
}

}  // namespace spicymkl::cli
