#include "models.hpp"

#include <fmt/format.h>

#include "io/atomic_file.hpp"
#include "learning.hpp"
#include "model/decision.hpp"
#include "spicymkl/model/certificate_json.hpp"
#include "spicymkl/model/model_file.hpp"
#include "spicymkl/model/outputs.hpp"
#include "spicymkl/model/scores.hpp"
#include "spicymkl/model/sources.hpp"

namespace spicymkl::r {

namespace {

using Rcpp::_;

Rcpp::RawVector to_raw(const std::string& bytes) { return {bytes.begin(), bytes.end()}; }

Model from_raw(const Rcpp::RawVector& bytes) {
  return model_from_bytes({reinterpret_cast<const char*>(bytes.begin()), static_cast<std::size_t>(bytes.size())},
                          "the model");
}

/// One value of each fit.
template <class Value>
Rcpp::NumericVector numbers(const Model& model, const Value& value) {
  Rcpp::NumericVector values;
  for (const Fit& fit : model.fits) values.push_back(value(fit));
  return values;
}

template <class Value>
Rcpp::CharacterVector texts(const Model& model, const Value& value) {
  std::vector<std::string> all;
  for (const Fit& fit : model.fits) all.push_back(value(fit));
  return to_r(all);
}

/// Values of the active kernels as one of every kernel: kernels × fits.
template <class Values>
Rcpp::NumericMatrix spread(const Model& model, const Values& values) {
  Matrix all = Matrix::Zero(model.n_kernels(), std::ssize(model.fits));
  for (Index f = 0; f < all.cols(); ++f) {
    const Vector active = values(model.fits[f]);
    const std::vector<Index>& kernels = model.fits[f].expansion.kernels;
    for (Index k = 0; k < std::ssize(kernels); ++k) all(kernels[k], f) = active(k);
  }
  return to_r(all);
}

/// One of each output.
Rcpp::NumericVector intercepts(const Model& model) {
  Rcpp::NumericVector values;
  for (const auto& [fit, output] : outputs_of(model.fits)) values.push_back(model.fits[fit].intercept(output));
  return values;
}

/// Covariates × outputs, in the units of the table.
Rcpp::NumericMatrix covariate_coefs(const Model& model) {
  const std::vector<Output> outputs = outputs_of(model.fits);
  Matrix all(model.covariates.count(), std::ssize(outputs));
  for (Index k = 0; k < all.cols(); ++k)
    all.col(k) = model.fits[outputs[k].fit].covariate_coef().col(outputs[k].output);
  Rcpp::NumericMatrix coefs = to_r(all);
  Rcpp::rownames(coefs) = to_r(model.covariates.names);
  return coefs;
}

Rcpp::List problem_list(const ProblemDescription& problem) {
  Rcpp::List list = Rcpp::List::create(_["loss"] = problem.loss, _["penalty"] = problem.penalty,
                                       _["fit_intercept"] = problem.fit_intercept);
  for (const auto& [name, member] : problem_parameters()) list.push_back(problem.*member, name);
  list.push_back(loss_text(problem), "loss_text");
  list.push_back(penalty_text(problem), "penalty_text");
  return list;
}

/// Times and events of the training rows, and Breslow's estimate of the cumulative hazard at its steps.
Rcpp::List survival_list(const Survival& survival) {
  return Rcpp::List::create(_["time"] = to_r(survival.times), _["event"] = to_r(survival.events),
                            _["steps"] = to_r(survival.steps), _["hazard"] = to_r(survival.hazard));
}

/// The source of every kernel.
Rcpp::CharacterVector source_of_kernel(const Model& model) {
  std::vector<std::string> names(model.kernel_names.size());
  for (const Source& source : kernel_sources(model))
    for (const Index m : source.kernels) names[m] = source.name;
  return to_r(names);
}

Rcpp::List columns_list(const Preparation& preparation) {
  Rcpp::LogicalVector categorical;
  for (Index j = 0; j < preparation.n_columns(); ++j) categorical.push_back(preparation.is_categorical(j));
  return Rcpp::List::create(_["names"] = to_r(preparation.columns), _["categorical"] = categorical,
                            _["sources"] = to_r(preparation.views.names),
                            _["source"] = places(preparation.views.of_column),
                            _["reference"] = to_r(reference_levels(preparation)),
                            _["missing_view"] = std::string(name_of(preparation.views.missing)));
}

template <class Field>
Rcpp::NumericVector column(const History& history, Field field) {
  Rcpp::NumericVector values;
  for (const Record& record : history) values.push_back(static_cast<double>(record.*field));
  return values;
}

Rcpp::List history_list(const std::vector<History>& histories) {
  Rcpp::List list;
  for (const History& history : histories)
    list.push_back(Rcpp::List::create(
        _["seconds"] = column(history, &Record::seconds), _["primal"] = column(history, &Record::primal),
        _["dual"] = column(history, &Record::dual), _["gap"] = column(history, &Record::gap),
        _["n_active"] = column(history, &Record::n_active)));
  return list;
}

/// What was done to new rows that the training rows did not need, with the names of columns.
Rcpp::List leniency_list(const Leniency& done, const std::vector<std::string>& columns) {
  Rcpp::List unseen;
  for (const UnseenCategories& one : done.unseen)
    unseen.push_back(Rcpp::List::create(_["column"] = to_r(std::vector<std::string>{columns[one.column]}),
                                        _["first"] = to_r(std::vector<std::string>{one.texts.front()}),
                                        _["n_texts"] = static_cast<int>(one.texts.size()),
                                        _["n_cells"] = static_cast<int>(one.n_cells)));
  return Rcpp::List::create(_["imputed_cells"] = static_cast<double>(done.imputed_cells),
                            _["imputed_columns"] = static_cast<int>(done.imputed_columns), _["unseen"] = unseen);
}

/// New rows with the columns that the model reads, which are found by name.
Table find_columns(const Preparation& preparation, const Rcpp::List& data) {
  const Table given = read_table(data);
  Table table;
  table.path = "newdata";
  table.columns = preparation.columns;
  table.values.resize(given.rows(), preparation.n_columns());
  for (Index j = 0; j < preparation.n_columns(); ++j) {
    const auto found = std::find(given.columns.begin(), given.columns.end(), preparation.columns[j]);
    if (found == given.columns.end())
      throw InputError(
          fmt::format("newdata: there is no column '{}', which the model needs; give the columns of the training table",
                      preparation.columns[j]));
    const Index from = found - given.columns.begin();
    table.values.col(j) = given.values.col(from);
    table.categories.push_back(given.categories[from]);
  }
  table.views = preparation.views;
  table.views.present = given.views.present;
  return table;
}

/// `strict` refuses what `leniency` would have to say.
Samples prepare(const TableModel& trained, const Rcpp::List& data, bool strict, Rcpp::List& leniency) {
  const std::vector<Index> first = {0};  // without any, there would be no rows to count
  const Preparation preparation = trained.preparation.only(trained.used_columns.empty() ? first : trained.used_columns);
  Table table = find_columns(preparation, data);
  if (strict) preparation.refuse_leniency(table);
  Leniency done;
  Samples samples = preparation.apply(std::move(table), done);
  leniency = leniency_list(done, preparation.columns);
  return samples;
}

/// The kernels that are active in some fit, row after row as the library reads them.
std::unique_ptr<Scorer> gram_scorer(const Model& model, const Rcpp::List& data, int threads) {
  const auto rows = std::make_shared<std::vector<Matrix>>();
  for (SEXP kernel : Rcpp::List(data["kernels"])) rows->push_back(matrix(kernel).transpose());
  std::vector<const double*> grams;
  for (const Matrix& gram : *rows) grams.push_back(gram.data());
  return make_gram_scorer(model, std::move(grams), Rcpp::as<int>(data["n_rows"]), threads, rows);
}

std::unique_ptr<Scorer> make_scorer(const Model& model, const Rcpp::List& data, int threads, bool strict,
                                    Rcpp::List& leniency) {
  if (data.containsElementNamed("kernels")) return gram_scorer(model, data, threads);
  return make_table_scorer(model, prepare(*model.table, data, strict, leniency), threads);
}

/// Of each output, rows × the active kernels of its fit, and what the covariates add, if there are any.
Rcpp::List share_list(const Model& model, const Scores& scores) {
  const std::vector<Output> outputs = outputs_of(model.fits);
  Rcpp::List list;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    Rcpp::List share = Rcpp::List::create(_["kernels"] = places(model.fits[outputs[k].fit].expansion.kernels),
                                          _["values"] = to_r(scores.shares[k]));
    if (model.covariates.count() > 0) share.push_back(to_r(Vector(scores.covariates.col(k))), "covariates");
    list.push_back(share);
  }
  return list;
}

}  // namespace

Rcpp::List model_list(const Model& model, const std::vector<History>& histories) {
  if (!model.targets.empty())
    throw InputError(fmt::format("the model has {} targets, which R cannot use yet; use it with the command or Python",
                                 model.targets.size()));
  Rcpp::List list;
  const auto add = [&](const char* name, const Rcpp::RObject& value) { list.push_back(value, name); };
  add("classes", to_r(model.classes));
  add("kernels", to_r(model.kernel_names));
  add("source", source_of_kernel(model));
  add("weights", spread(model, [](const Fit& fit) { return fit.active_weights(); }));
  add("norms", spread(model, [](const Fit& fit) { return fit.certificate.norms; }));
  add("scale", spread(model, [](const Fit& fit) { return fit.expansion.scale; }));
  add("dual", to_r(duals_of(model.fits)));
  add("intercept", intercepts(model));
  if (model.covariates.count() > 0) add("covariates", covariate_coefs(model));
  add("alpha", numbers(model, [](const Fit& fit) { return fit.problem.alpha; }));
  add("primal", numbers(model, [](const Fit& fit) { return fit.certificate.primal; }));
  add("dual_objective", numbers(model, [](const Fit& fit) { return fit.certificate.dual_objective; }));
  add("gap", numbers(model, [](const Fit& fit) { return fit.certificate.relative_gap; }));
  add("iterations", numbers(model, [](const Fit& fit) { return fit.iterations; }));
  add("seconds", numbers(model, [](const Fit& fit) { return fit.seconds; }));
  add("seconds_input", Rcpp::wrap(model.seconds_input));
  add("status", texts(model, [](const Fit& fit) { return fit.status; }));
  add("message", texts(model, [](const Fit& fit) { return fit.message; }));
  add("active", places(active_kernels(model.fits)));
  add("problem", problem_list(model.fits.front().problem));
  add("tol", Rcpp::wrap(model.tol));
  add("n_samples", Rcpp::wrap(static_cast<double>(model.n_samples)));
  add("probabilities", Rcpp::wrap(has_probabilities(model)));
  if (model.table) {
    add("columns", columns_list(model.table->preparation));
    add("target", to_r(std::vector<std::string>{model.table->target_name}));
  }
  if (model.survival) add("survival", survival_list(*model.survival));
  add("history", history_list(histories));
  add("model", to_raw(to_bytes(model)));
  return list;
}

}  // namespace spicymkl::r

using namespace spicymkl;
using namespace spicymkl::r;

// [[Rcpp::export]]
Rcpp::List read_model(SEXP path) { return model_list(load_model(text(path, "file")), {}); }

// [[Rcpp::export]]
void write_model(const Rcpp::RawVector& model, SEXP path) {
  write_file(text(path, "file"),
             {reinterpret_cast<const char*>(model.begin()), static_cast<std::size_t>(model.size())});
}

// Scores of new rows, with what was done to them; of classes also the decision and, where the loss has them, the
// probabilities.
// [[Rcpp::export]]
Rcpp::List score_rows(const Rcpp::RawVector& bytes, const Rcpp::List& data, int threads, bool strict,
                      bool contributions) {
  check_threads(threads);
  const Model model = from_raw(bytes);
  Rcpp::List leniency;
  const auto scorer = make_scorer(model, data, threads, strict, leniency);
  const Scores scores = scorer->scores(0, scorer->n_rows());
  Rcpp::List list = Rcpp::List::create(Rcpp::_["link"] = to_r(scores.values), Rcpp::_["leniency"] = leniency);
  if (model.is_classification()) list.push_back(places(predicted_classes(scores.values)), "class");
  if (model.is_classification() && has_probabilities(model))
    list.push_back(to_r(probabilities(model, scores.values)), "probabilities");
  if (contributions) list.push_back(share_list(model, scores), "shares");
  return list;
}

// Rows × times.
// [[Rcpp::export]]
Rcpp::NumericMatrix survival_at(const Rcpp::RawVector& bytes, SEXP log_risks, SEXP times) {
  const Model model = from_raw(bytes);
  return to_r(survival_probabilities(model.survival.value(), vector(log_risks), vector(times)));
}

// [[Rcpp::export]]
Rcpp::CharacterVector model_certificate(const Rcpp::RawVector& bytes) {
  return to_r(std::vector<std::string>{certificate_json(from_raw(bytes))});
}
