// How well classes are distinguished: confusion, each class, ROC and precision-recall curves, calibration.
#pragma once

#include "charts.hpp"
#include "spicymkl/selection/assessment.hpp"

namespace spicymkl {

/// The confusion matrix and a table of the classes beside `measures`.
std::string class_tables(const Evaluation& test, const Assessment& assessment, const std::string& measures);
std::string class_charts(const Evaluation& test, const Assessment& assessment, Charts& charts);

}  // namespace spicymkl
