#include "new_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "assumptions.hpp"
#include "core/wording.hpp"
#include "interrupt.hpp"
#include "option_registry.hpp"
#include "progress.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

namespace {

/// The columns to read: at least one, or there would be no rows to count.
Preparation needed(const TableModel& table) {
  const std::vector<Index> first = {0};
  return table.preparation.only(table.used_columns.empty() ? first : table.used_columns);
}

MissingView missing_view_of(const TableInput& input, const Preparation& preparation) {
  if (input.missing_view.empty()) return preparation.views.missing;
  if (!preparation.views.several())
    throw InputError(
        "--missing-view has no effect on a model of one table, whose samples have all of its columns; leave it out");
  return parse_missing_view(input.missing_view);
}

}  // namespace

void add_missing_view_option(CLI::App& app, TableInput& input) {
  app.add_option("--missing-view", input.missing_view,
                 "samples that one of several tables lacks: error, drop or zero (default: as in training)")
      ->group(kRareGroup);
}

namespace {

/// Several targets by the names they had in training, in whatever order. Others are taken in the order of training,
/// unless one has the name of another's.
std::vector<std::string> in_order_of_training(const std::vector<std::string>& learned,
                                              const std::vector<std::string>& given) {
  if (std::ranges::is_permutation(given, learned)) return learned;
  for (std::size_t k = 0; k < given.size(); ++k)
    if (given[k] != learned[k] && std::ranges::find(learned, given[k]) != learned.end())
      throw InputError(
          fmt::format("--target names '{}' in the place of '{}'; give the targets in the order of training ({})",
                      given[k], learned[k], fmt::join(learned, " ")));
  return given;
}

}  // namespace

void name_target(const Model& model, TableInput& input) {
  if (!model.is_survival()) {
    if (input.target.empty()) input.target = target_columns(model);
    else if (input.target.size() == model.targets.size())
      input.target = in_order_of_training(model.targets, input.target);
    return;
  }
  if (input.time.empty()) input.time = model.table->target_name;
  if (input.event.empty()) input.event = model.survival->event_name;
}

void check_target_options(const Model& model, const TableInput& input, const std::string& labels) {
  if (!model.is_survival() && input.survival())
    throw InputError("--time and --event have no effect on a model that did not learn survival times; leave them out");
  if (model.is_survival() && (!input.target.empty() || !labels.empty()))
    throw InputError(fmt::format("{} has no effect on a model of survival times; give --time and --event",
                                 labels.empty() ? "--target" : "--labels"));
}

Table read_new_rows(const Model& model, TableInput input, bool with_target, int threads) {
  if (!model.table)
    throw InputError(
        fmt::format("{}: the model was trained on precomputed kernels and cannot compute them from a table; give "
                    "--gram",
                    input.title()));
  if (with_target) {
    name_target(model, input);
  } else {
    input.target.clear();
    input.time = input.event = "";
  }
  const Preparation preparation = needed(*model.table);
  return read_rows_for(preparation, input, table_options(input, threads), missing_view_of(input, preparation),
                       RowOrder::as_they_come);
}

std::vector<std::string> target_columns(const Model& model) {
  if (!model.targets.empty()) return model.targets;
  return {model.table->target_name};
}

Target truth_of(const Model& model, const Table& table) {
  const auto learned = std::max<Index>(1, std::ssize(model.targets));
  const auto given = std::max<Index>(1, std::ssize(table.target_names));
  if (given != learned)
    throw InputError(
        fmt::format("{}: {} given, but the model has {}{}; {} in the order of training", table.path,
                    counted(given, "target is", "targets are"), counted(learned, "target"),
                    model.targets.empty() ? "" : fmt::format(" ({})", listed(model.targets)),
                    model.table ? "name them by --target" : "give a file of --labels with a column of each"));
  Target truth = known_target(table, model.fits.front().problem.loss, model.classes,
                              model.is_survival() ? model.survival->event_code : 0);
  truth.multi_output = model.fits.size() > 1 ? MultiOutput::each : MultiOutput::joint;
  return truth;
}

void add_strict_option(CLI::App& app, Lenience& lenience) {
  app.add_flag("--strict", lenience.strict,
               "refuse empty cells, categories never seen in training, samples that a table lacks")
      ->group(kRareGroup);
}

void add_device_option(CLI::App& app, std::string& device) {
  app.add_option("--device", device, "where kernels are computed: cpu, cuda or auto")
      ->capture_default_str()
      ->group(kRareGroup);
}

std::unique_ptr<Scorer> score_table(const Model& model, Table table, const Lenience& lenience, int threads,
                                    const std::shared_ptr<const Device>& device) {
  const std::string path = table.path;
  const Preparation preparation = needed(*model.table);
  if (lenience.strict) preparation.refuse_leniency(table);
  if (lenience.strict && !table.remarks.empty())
    throw InputError(fmt::format("{}; add the rows, or leave out --strict", fmt::join(table.remarks, "; ")));
  if (!lenience.silent) say_remarks(table);
  Leniency done;
  Samples fresh = preparation.apply(std::move(table), done);
  if (!lenience.silent) say_leniency(done, path, fresh.columns);
  try {
    return make_table_scorer(model, std::move(fresh), threads, device);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
}

void for_each_batch(const Scorer& scorer, bool quiet, const std::function<void(Index, const Scores&)>& use) {
  constexpr Index kBatch = 2048;
  const Watch watch = command_watch();
  const Progress progress(watch, quiet);
  WatchedTask task(watch, "predicting", scorer.n_rows());
  watch_for_interrupts();
  for (Index first = 0; first < scorer.n_rows(); first += kBatch) {
    if (interrupted()) throw Interrupted();
    const Index count = std::min(kBatch, scorer.n_rows() - first);
    use(first, scorer.scores(first, count));
    task.advance(count);
  }
}

Evaluation evaluate_rows(const Model& model, const Scorer& scorer, const Target& truth, bool quiet) {
  Matrix scores(scorer.n_rows(), model.n_outputs());
  for_each_batch(scorer, quiet, [&](Index first, const Scores& batch) {
    scores.middleRows(first, batch.values.rows()) = batch.values;
  });
  return evaluate(model, truth, scores);
}

}  // namespace spicymkl::cli
