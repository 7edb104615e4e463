#include "models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/wording.hpp"
#include "interrupt.hpp"
#include "kernels.hpp"
#include "model/decision.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/model/model_file.hpp"
#include "spicymkl/model/outputs.hpp"
#include "spicymkl/model/scores.hpp"

namespace spicymkl::octave {

namespace {

// The bytes are in model.file.safetensors.bytes: so deep that the interpreter does not print them with the model.
constexpr const char* kFile = "file";
constexpr const char* kFormat = "safetensors";
constexpr const char* kBytes = "bytes";

/// Values of the active kernels of each fit as values of every kernel.
template <class Values>
Matrix spread(const std::vector<Fit>& fits, Index n_kernels, const Values& values) {
  Matrix all = Matrix::Zero(n_kernels, std::ssize(fits));
  for (Index f = 0; f < all.cols(); ++f) {
    const Fit& fit = fits[static_cast<std::size_t>(f)];
    all(fit.expansion.kernels, f) = values(fit);
  }
  return all;
}

mxArray* active_of(const Model& model) {
  const std::vector<Index> active = active_kernels(model.fits);
  Eigen::RowVectorXd numbers(std::ssize(active));
  for (Index k = 0; k < numbers.size(); ++k) numbers(k) = static_cast<double>(active[static_cast<std::size_t>(k)] + 1);
  return from_matrix(numbers);
}

template <class Field>
Vector column(const History& history, Field field) {
  Vector values(std::ssize(history));
  for (Index k = 0; k < values.size(); ++k)
    values(k) = static_cast<double>(history[static_cast<std::size_t>(k)].*field);
  return values;
}

mxArray* from_history(const History& history) {
  return NewStruct()
      .set("seconds", column(history, &Record::seconds))
      .set("primal", column(history, &Record::primal))
      .set("dual", column(history, &Record::dual))
      .set("gap", column(history, &Record::gap))
      .set("n_active", column(history, &Record::n_active))
      .array();
}

mxArray* from_histories(const std::vector<History>& histories) {
  if (histories.size() == 1) return from_history(histories.front());
  mxArray* cells = mxCreateCellMatrix(1, histories.size());
  for (std::size_t f = 0; f < histories.size(); ++f) mxSetCell(cells, f, from_history(histories[f]));
  return cells;
}

/// The numbers that the classes are; none unless all are.
std::vector<double> class_numbers(const std::vector<std::string>& classes) {
  std::vector<double> numbers;
  for (const std::string& name : classes) {
    char* end = nullptr;
    numbers.push_back(std::strtod(name.c_str(), &end));
    if (name.empty() || end != name.c_str() + name.size() || !std::isfinite(numbers.back())) return {};
  }
  return numbers;
}

/// The rows of a table as training prepared its own.
Samples prepare(const TableModel& trained, const Numbers& numbers) {
  const Preparation& whole = trained.preparation;
  if (std::ranges::any_of(whole.categories, [](const auto& texts) { return !texts.empty(); }))
    throw InputError(
        "the model has columns of strings, which an array cannot hold; predict with the command or Python");
  if (numbers.shape.size() != 2 || numbers.shape[1] != whole.n_columns())
    throw InputError(fmt::format("X has shape ({}), but the model was trained on {} columns", numbers.shape_text(),
                                 whole.n_columns()));
  const Preparation preparation = whole.only(trained.used_columns);
  const Eigen::Map<const Matrix> all(numbers.data, numbers.shape[0], numbers.shape[1]);
  Table table;
  table.path = "X";
  table.columns = preparation.columns;
  table.categories = preparation.categories;
  table.values = all(Eigen::all, trained.used_columns);
  table.views = preparation.views;
  return preparation.apply(std::move(table));
}

/// The active kernels of new rows, row after row, which is how scores are computed.
std::unique_ptr<Scorer> score_grams(const Model& model, const mxArray* samples) {
  const Grams grams = to_new_rows(samples, model.n_samples);
  const std::vector<Index> active = active_kernels(model.fits);
  const auto given = std::ssize(grams.kernels);
  const bool all = given == model.n_kernels();
  if (!all && given != std::ssize(active))
    throw InputError(
        fmt::format("K holds {}, but the model has {}, {} of them active; give all, or the active ones in order",
                    counted(given, "kernel"), model.n_kernels(), active.size()));
  refuse_not_finite(grams);
  auto rows = std::make_shared<std::vector<Matrix>>();
  std::vector<const double*> kernels;
  for (std::size_t k = 0; k < active.size(); ++k) {
    const double* data = grams.kernels[all ? static_cast<std::size_t>(active[k]) : k];
    rows->push_back(Eigen::Map<const Matrix>(data, grams.n_rows, grams.n_samples).transpose());
  }
  for (const Matrix& kernel : *rows) kernels.push_back(kernel.data());
  return make_gram_scorer(model, std::move(kernels), grams.n_rows, 0, rows);
}

std::unique_ptr<Scorer> make_scorer(const Model& model, const mxArray* samples) {
  if (!model.table) return score_grams(model, samples);
  if (mxIsCell(samples)) throw InputError("the model was trained on a table; give a table X in place of kernels");
  return make_table_scorer(model, prepare(*model.table, to_numbers(samples, "X")), 0);
}

Matrix score_all(const Scorer& scorer, Index n_outputs) {
  constexpr Index kBatch = 2048;
  Matrix scores(scorer.n_rows(), n_outputs);
  for (Index first = 0; first < scorer.n_rows(); first += kBatch) {
    check_interrupted();
    const Index count = std::min(kBatch, scorer.n_rows() - first);
    scores.middleRows(first, count) = scorer.scores(first, count).values;
  }
  return scores;
}

}  // namespace

Matrix weights_of(const std::vector<Fit>& fits, Index n_kernels) {
  return spread(fits, n_kernels, [](const Fit& fit) { return fit.active_weights(); });
}

Matrix scales_of(const std::vector<Fit>& fits, Index n_kernels) {
  return spread(fits, n_kernels, [](const Fit& fit) { return fit.expansion.scale; });
}

Eigen::RowVectorXd intercepts_of(const std::vector<Fit>& fits) {
  const std::vector<Output> outputs = outputs_of(fits);
  Eigen::RowVectorXd row(std::ssize(outputs));
  for (Index c = 0; c < row.size(); ++c) {
    const auto& [fit, output] = outputs[static_cast<std::size_t>(c)];
    row(c) = fits[fit].intercept(output);
  }
  return row;
}

mxArray* from_classes(const std::vector<std::string>& classes, const std::vector<Index>& codes) {
  const std::vector<double> numbers = class_numbers(classes);
  if (numbers.empty()) {
    std::vector<std::string> texts;
    for (const Index code : codes) texts.push_back(classes[static_cast<std::size_t>(code)]);
    return from_texts(texts);
  }
  Vector values(std::ssize(codes));
  for (Index i = 0; i < values.size(); ++i)
    values(i) = numbers[static_cast<std::size_t>(codes[static_cast<std::size_t>(i)])];
  return from_matrix(values);
}

mxArray* from_model(const Model& model, const std::vector<History>& histories) {
  if (!model.targets.empty())
    throw InputError(
        fmt::format("the model has {} targets, which Octave cannot use yet; use it with the command or Python",
                    model.targets.size()));
  const Index M = model.n_kernels();
  const std::vector<Fit>& fits = model.fits;
  NewStruct made;
  made.set("classes", from_classes(model.classes, all_kernels(std::ssize(model.classes))))
      .set("loss", fits.front().problem.loss)
      .set("penalty", fits.front().problem.penalty)
      .set("alpha", row_of(fits, [](const Fit& fit) { return fit.problem.alpha; }))
      .set("kernel_names", from_texts(model.kernel_names))
      .set("kernel_weights", weights_of(fits, M))
      .set("kernel_norms", spread(fits, M, [](const Fit& fit) { return fit.certificate.norms; }))
      .set("active_kernels", active_of(model))
      .set("dual", duals_of(fits))
      .set("coef_scale", scales_of(fits, M))
      .set("intercept", intercepts_of(fits))
      .set("primal_objective", row_of(fits, [](const Fit& fit) { return fit.certificate.primal; }))
      .set("dual_objective", row_of(fits, [](const Fit& fit) { return fit.certificate.dual_objective; }))
      .set("duality_gap", row_of(fits, [](const Fit& fit) { return fit.certificate.relative_gap; }))
      .set("status", model.status())
      .set("n_iter", row_of(fits, [](const Fit& fit) { return static_cast<double>(fit.iterations); }))
      .set("seconds", model.seconds())
      .set("seconds_input", model.seconds_input);
  if (!histories.empty()) made.set("history", from_histories(histories));
  mxArray* format = NewStruct().set(kBytes, from_bytes(spicymkl::to_bytes(model))).array();
  return made.set(kFile, NewStruct().set(kFormat, format).array()).array();
}

Model to_model(const mxArray* value) {
  const std::string wanted = "that spicymkl_train, spicymkl_cv or spicymkl_load gave";
  const mxArray* inside = value;
  std::string what = "model";
  for (const char* name : {kFile, kFormat, kBytes}) {
    if (!mxIsStruct(inside) || mxGetNumberOfElements(inside) != 1)
      refuse_kind(inside, what, what == "model" ? "the struct " + wanted : "as in the struct " + wanted);
    const mxArray* whole = std::exchange(inside, mxGetField(inside, 0, name));
    if (inside == nullptr)
      throw InputError(fmt::format(
          "{} is a struct {}, so that there is no model in it; give the struct {}", what,
          mxGetNumberOfFields(whole) == 0 ? "without fields" : fmt::format("without the field '{}'", name), wanted));
    what += fmt::format(".{}", name);
  }
  return model_from_bytes(to_bytes(inside, what), "model.file");
}

std::vector<mxArray*> predict(const Model& model, const mxArray* samples) {
  const auto scorer = make_scorer(model, samples);
  const Matrix scores = score_all(*scorer, model.n_outputs());
  mxArray* labels =
      model.is_classification() ? from_classes(model.classes, predicted_classes(scores)) : from_matrix(scores);
  return {labels, from_matrix(scores),
          from_matrix(has_probabilities(model) ? probabilities(model, scores) : Matrix(scores.rows(), 0))};
}

}  // namespace spicymkl::octave
