// The kernels of a training set, ready to be learned from: the library's TrainingInput without a target.
#pragma once

#include "arrays.hpp"
#include "spicymkl/bank/stored_bank.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/pipeline/training_input.hpp"
#include "spicymkl/report/data_summary.hpp"
#include "watch.hpp"

namespace spicymkl::python {

struct TrainingKernels : TrainingInput {
  DataSummary data;  ///< what a report says of the rows
};

/// A table of the columns of X; `views` where they came from several.
Table to_table(const TableIn& X, const std::vector<std::string>& columns,
               const std::vector<std::vector<std::string>>& categories, const Views* views = nullptr, int threads = 1);

/// What is learned: classes, each row of y then being the place of its own among them, or numbers.
Target to_target(const TrainingPlan& plan, std::vector<std::string> classes, const VectorIn& y);

/// The array itself is read, nothing is copied. Grams that are no kernels are a ValueError.
std::shared_ptr<const DenseBank> to_bank(const GramsIn<double>& grams, const std::vector<std::string>& names,
                                         int threads, const FitWatch& watch);

void bind_training_kernels(nb::module_& module);

}  // namespace spicymkl::python
