#include "prediction_csv.hpp"

#include <fmt/format.h>

#include "io/csv_text.hpp"
#include "model/decision.hpp"
#include "spicymkl/model/outputs.hpp"

namespace spicymkl::cli {

namespace {

void append_row(std::string& text, ConstMatrixRef matrix, Index row) {
  for (Index j = 0; j < matrix.cols(); ++j) fmt::format_to(std::back_inserter(text), ",{}", matrix(row, j));
}

void append_share_names(std::string& text, const Model& model) {
  const std::vector<Output> outputs = outputs_of(model.fits);
  for (Index c = 0; c < std::ssize(outputs); ++c) {
    const std::string of = outputs.size() > 1 ? output_name(model, c) + ": " : "";
    for (const Index m : model.fits[outputs[c].fit].expansion.kernels)
      text += "," + csv_cell(of + model.kernel_names[m]);
    if (model.covariates.count() > 0) text += "," + csv_cell(of + "covariates");
  }
}

}  // namespace

std::string PredictionCsv::header() const {
  const Model& model = model_;
  std::string text = names_.ids.empty() ? "" : csv_cell(names_.name) + ",";
  if (model.targets.empty()) text += "prediction";
  for (std::size_t k = 0; k < model.targets.size(); ++k)
    text += (k == 0 ? "" : ",") + csv_cell("prediction_" + model.targets[k]);
  if (model.classes.size() == 2) text += ",score";
  if (model.classes.size() > 2)
    for (const std::string& name : model.classes) text += "," + csv_cell("score_" + name);
  if (has_probabilities(model))
    for (const std::string& name : model.classes) text += "," + csv_cell("probability_" + name);
  for (const double time : times_) text += fmt::format(",survival_{}", time);
  if (contributions_) append_share_names(text, model);
  return text + "\n";
}

std::string PredictionCsv::rows(Index first, const Scores& scores) const {
  const Model& model = model_;
  const std::vector<Index> classes =
      model.is_classification() ? predicted_classes(scores.values) : std::vector<Index>();
  const Matrix chances = has_probabilities(model) ? probabilities(model, scores.values) : Matrix();
  const Matrix surviving = times_.empty()
                               ? Matrix()
                               : survival_probabilities(*model.survival, scores.values.col(0),
                                                        Eigen::Map<const Vector>(times_.data(), std::ssize(times_)));
  std::vector<std::string> names;
  for (const std::string& name : model.classes) names.push_back(csv_cell(name));
  std::string text;
  for (Index i = 0; i < scores.values.rows(); ++i) {
    if (!names_.ids.empty()) text += csv_cell(names_.ids[first + i]) + ",";
    if (classes.empty()) {
      fmt::format_to(std::back_inserter(text), "{}", scores.values(i, 0));
      append_row(text, scores.values.rightCols(scores.values.cols() - 1), i);
    } else {
      text += names[classes[i]];
      append_row(text, scores.values, i);
    }
    if (chances.size() > 0) append_row(text, chances, i);
    if (surviving.size() > 0) append_row(text, surviving, i);
    if (contributions_)
      for (std::size_t c = 0; c < scores.shares.size(); ++c) {
        append_row(text, scores.shares[c], i);
        if (scores.covariates.size() > 0)
          fmt::format_to(std::back_inserter(text), ",{}", scores.covariates(i, static_cast<Index>(c)));
      }
    text += '\n';
  }
  return text;
}

}  // namespace spicymkl::cli
