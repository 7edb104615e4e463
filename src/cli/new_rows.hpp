// Rows to predict: read for a model, scored batch by batch.
#pragma once

#include <functional>

#include "spicymkl/model/scores.hpp"
#include "spicymkl/selection/measure.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

/// --missing-view: what becomes of samples that one of several tables lacks.
void add_missing_view_option(CLI::App& app, TableInput& input);

/// The columns of the target, where the user does not name them: those that the model was trained on.
void name_target(const Model& model, TableInput& input);

/// --time and --event on a model of other targets are an InputError, and so are --target and --labels on one of
/// survival times.
void check_target_options(const Model& model, const TableInput& input, const std::string& labels = "");

/// Reads the columns that the model uses, and the target if asked for: by default the column that the model was trained
/// on. A model that was not trained on a table is an InputError.
Table read_new_rows(const Model& model, TableInput input, bool with_target, int threads);

/// What the columns were called that a model of a table learned.
std::vector<std::string> target_columns(const Model& model);

/// The truth of these rows as the model sees it. Another number of targets than the model has is an InputError.
Target truth_of(const Model& model, const Table& table);

/// What is done with rows that have empty cells, or categories that the training rows did not have, or that a source
/// lacks.
struct Lenience {
  bool strict = false;  ///< they are an InputError
  bool silent = false;  ///< they are not reported
};

/// See Lenience.
void add_strict_option(CLI::App& app, Lenience& lenience);

/// --device, for commands that predict.
void add_device_option(CLI::App& app, std::string& device);

/// Rows that a kernel of the model cannot take are an InputError. With a device, kernels that it knows are computed
/// there.
std::unique_ptr<Scorer> score_table(const Model& model, Table table, const Lenience& lenience, int threads,
                                    const std::shared_ptr<const Device>& device = nullptr);

/// Calls use(first row, scores) for one batch after the other, so that memory does not grow with the rows. Shows
/// progress on a terminal; Ctrl-C ends it with Interrupted.
void for_each_batch(const Scorer& scorer, bool quiet, const std::function<void(Index, const Scores&)>& use);

/// All rows of the scorer against their truth.
Evaluation evaluate_rows(const Model& model, const Scorer& scorer, const Target& truth, bool quiet);

}  // namespace spicymkl::cli
