// From scores to classes and probabilities.
#pragma once

#include "spicymkl/model/model.hpp"

namespace spicymkl {

/// Whether the loss is one whose scores are log-odds.
bool has_probabilities(const Model& model);

/// Per row, the place of the predicted class in model.classes: the class of the largest score; of two classes the
/// second when the score is above 0.
std::vector<Index> predicted_classes(ConstMatrixRef scores);

/// rows × classes. Two classes: 1/(1 + exp(−f)); more: exp(f) of every class, learned at once, or 1/(1 + exp(−f)) of
/// every class against the rest, divided by their sum.
Matrix probabilities(const Model& model, ConstMatrixRef scores);

/// rows × outputs, by which rows are put in order, class by class: the log-odds of the probabilities where there are
/// more than two, else the scores. Scores of classes that are learned at once are known up to a number per row.
Matrix ranking(const Model& model, ConstMatrixRef scores);

}  // namespace spicymkl
