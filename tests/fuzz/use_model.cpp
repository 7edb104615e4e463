#include "use_model.hpp"

#include <nlohmann/json.hpp>

#include "io/csv_text.hpp"
#include "io/json_text.hpp"
#include "model/decision.hpp"
#include "small_problem.hpp"
#include "spicymkl/model/certificate_json.hpp"
#include "spicymkl/model/model_file.hpp"
#include "spicymkl/model/scores.hpp"
#include "support.hpp"

namespace spicymkl::fuzz {

namespace {

constexpr Index kMostNumbers = 1'000'000;  // larger models have been read; predicting with them takes its time

/// JSON writes what is not finite as null.
void require_finite(const nlohmann::json& json) {
  require(!json.is_null(), "a number is not finite");
  if (json.is_structured())
    for (const nlohmann::json& part : json) require_finite(part);
}

void prove(const Model& model) {
  for (const Fit& fit : model.fits)
    require(fit.weights(model.n_kernels()).allFinite(), "a weight of a kernel is not finite");
  require_finite(parse_json(certificate_json(model), "the certificate"));
}

void store(const Model& model) {
  const std::string bytes = to_bytes(model);
  require(to_bytes(model_from_bytes(bytes, "stored")) == bytes, "a model changes when it is stored");
}

void check_scores(const Model& model, const Scorer& scorer) {
  const Scores scores = scorer.scores(0, scorer.n_rows());
  require(scores.values.allFinite(), "a prediction is not finite");
  if (model.is_survival()) {
    const Matrix survival = survival_probabilities(*model.survival, scores.values.col(0), model.survival->steps);
    require(survival.minCoeff() >= 0 && survival.maxCoeff() <= 1, "a probability of survival is none");
  }
  if (!model.is_classification()) return;
  for (const Index code : predicted_classes(scores.values))
    require(code >= 0 && code < static_cast<Index>(model.classes.size()), "there is no class of that number");
  if (has_probabilities(model)) require(probabilities(model, scores.values).allFinite(), "a probability is not finite");
}

/// Two rows: zeros, and one beside them; categories that are known and one that is not.
std::string rows_of(const Preparation& preparation) {
  std::string names, first, second;
  for (Index j = 0; j < preparation.n_columns(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    const std::string separator = j == 0 ? "" : ",";
    names += separator + csv_cell(preparation.columns[k]);
    first += separator + (preparation.is_categorical(j) ? csv_cell(preparation.categories[k].front()) : "0");
    second += separator + (preparation.is_categorical(j) ? "unseen" : "0.75");
  }
  return names + "\n" + first + "\n" + second + "\n";
}

void predict_rows(const Model& model) {
  const TableModel& table = *model.table;
  const std::vector<Index> first = {0};
  const Preparation used = table.preparation.only(table.used_columns.empty() ? first : table.used_columns);
  const MemoryFile file(rows_of(used));
  TableOptions options;
  options.format = TableFormat::csv;
  options.header = Header::yes;
  options.threads = 1;
  Leniency done;
  check_scores(model, *make_table_scorer(model, used.apply(used.read(file.path(), options), done), 1));
}

void predict_grams(const Model& model) {
  const auto n_active = static_cast<Index>(active_kernels(model.fits).size());
  constexpr Index kRows = 2;
  if (n_active * kRows * model.n_samples > kMostNumbers) return;
  const auto values = std::make_shared<Matrix>(Matrix::Constant(kRows * model.n_samples, n_active, 0.5));
  std::vector<const double*> kernels;
  for (Index k = 0; k < n_active; ++k) kernels.push_back(values->col(k).data());
  check_scores(model, *make_gram_scorer(model, kernels, kRows, 1, values));
}

}  // namespace

void use_model(const Model& model) {
  require(model.n_samples >= 0 && !model.status().empty(), "a model without a status was accepted");
  accepted([&] { prove(model); });
  accepted([&] { store(model); });
  accepted([&] { model.table ? predict_rows(model) : predict_grams(model); });
}

}  // namespace spicymkl::fuzz
