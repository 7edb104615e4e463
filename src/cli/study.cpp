#include <fmt/format.h>

#include "commands.hpp"
#include "core/wording.hpp"
#include "input_files.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "option_registry.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "say.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/io/label_file.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "study/run_tasks.hpp"
#include "study_identity.hpp"
#include "study_results.hpp"

namespace spicymkl::cli {

namespace {

struct StudyCommand {
  LearningOptions learning;
  CvChoices choices;
  StudyOptions study;
  OutputOptions output;
  std::string folder;
  std::string group;
  std::string shard;
};

std::vector<OptionRule> rules_of(const StudyCommand& command) {
  const CvChoices& choices = command.choices;
  const StudyOptions& study = command.study;
  const bool nested = study.repeats > 0 || study.permutations > 0;
  std::vector<OptionRule> rules = alpha_rules({choices.n_alphas, choices.alpha_ratio, choices.alphas});
  rules.insert(rules.end(),
               {{{"--l1-ratio"}, choices.l1_ratios.empty(), "with --l1-ratios, which lists the values to try"},
                {{"--q"}, choices.qs.empty(), "with --qs, which lists the values to try"},
                {{"--threshold", "--false-selections", "--error-bound"}, study.stability > 0, "with --stability 0"},
                {{"--outer", "--inner", "--metric", "--one-standard-error", "--l1-ratios", "--qs", "--n-alphas",
                  "--alpha-ratio"},
                 nested,
                 "with --repeats 0 and --permutations 0"}});
  return rules;
}

RowGroups read_groups_of(const StudyCommand& command, const LearningSource& source) {
  if (command.group.empty()) return {};
  if (!source.table) {
    RowGroups groups = make_groups(command.group, read_labels(command.group));
    if (std::ssize(groups.codes) != source.target.n_rows())
      throw InputError(fmt::format("'{}' holds {} groups, one per row, but there are {} rows", command.group,
                                   groups.codes.size(), source.target.n_rows()));
    return groups;
  }
  const Table& table = *source.table;
  const std::vector<std::string>& names = table.groups.empty() ? table.ids : table.groups;
  for (Index row = 0; row < table.rows(); ++row)
    if (names[row].empty())
      throw InputError(
          fmt::format("{}, column '{}': the group is missing; fill it in", table.place(row), command.group));
  return make_groups(command.group, names);
}

/// All that the tasks depend on, but the kernels.
StudySettings settings_of(const StudyCommand& command, const TrainingPlan& plan, CvGrid grid, const Target& target,
                          RowGroups groups) {
  StudySettings settings;
  settings.options = command.study;
  settings.plan = plan;
  settings.grid = std::move(grid);
  settings.choice.metric = choose_metric(command.choices.metric, target);
  settings.choice.one_standard_error = command.choices.one_standard_error;
  const double memory = parse_bytes(command.learning.kernels.memory);
  settings.choice.memory = memory > 0 ? memory : kTaskMemory;
  settings.groups = std::move(groups);
  settings.seed = command.learning.kernels.seed;
  return settings;
}

/// Says what there is to do, and does it. False: stopped.
bool work(const Study& study, const StudyFolder& folder, const StudyCommand& command, const Watch& watch) {
  const std::vector<StudyTask> all = list_tasks(command.study);
  std::vector<StudyTask> open;
  const std::vector<StudyTask> own = tasks_of(all, command.shard.empty() ? Shard{} : parse_shard(command.shard));
  for (const StudyTask& task : own)
    if (!folder.part(task)) open.push_back(task);
  if (!command.output.silent())
    say("{}{}; {}", counted(std::ssize(own), "task"),
        command.shard.empty() ? "" : fmt::format(" in shard {}, of {}", command.shard, all.size()),
        open.size() == own.size() ? "none is done yet" : fmt::format("{} done before", own.size() - open.size()));
  WatchedTask task(watch, "study", std::ssize(own));
  task.set(std::ssize(own) - std::ssize(open));
  return run_tasks(study, open, resolve_threads(command.learning.problem.threads),
                   [&](const StudyTask& done, const PartResult& result) {
                     folder.write_part(done, result);
                     task.advance();
                   });
}

int conclude(const StudyFolder& folder, const StudyCommand& command, const Watch& watch, bool complete) {
  if (!complete) {
    say("interrupted, {}; what is done is in '{}', and the same command resumes there", watch.reason(), command.folder);
    return 1;
  }
  if (command.shard.empty()) return merge_parts(folder, command.folder, command.output);
  if (!command.output.silent())
    say("shard {} is done; when all are, put them together by spicymkl merge {}", command.shard, command.folder);
  return 0;
}

/// Tasks are independent, and each is small: ranks that wait for one another would only slow them down.
void refuse_ranks() {
  if (n_ranks() > 1)
    throw InputError(fmt::format(
        "a study is not spread over ranks, its tasks are: run spicymkl study --shard I/{0} with I from 1 to {0}, each "
        "on its own, and then spicymkl merge DIR",
        n_ranks()));
}

/// A p-value is to speak of the kernels, but shuffled targets also lose what the covariates explain.
void refuse_shuffled_covariates(const StudyCommand& command) {
  if (command.learning.table.covariates.empty() || command.study.permutations == 0) return;
  throw InputError(fmt::format(
      "--covariates and {} permutations: shuffled targets lose what the covariates explain too, so that the p-value "
      "would not be that of the kernels; give --permutations 0, or leave out --covariates",
      command.study.permutations));
}

int run(const StudyCommand& given) {
  refuse_ranks();
  StudyCommand command = given;
  const Watch watch = command_watch(command.learning.problem.max_seconds);
  if (command.learning.from_table()) command.learning.table.group = command.group;
  TrainingPlan plan = check_options(command.learning, rules_of(command));
  const KernelOptions& kernels = command.learning.kernels;
  const bool has_sources = !kernels.groups.empty() || command.learning.table.several();
  CvGrid grid = make_cv_grid(
      command.choices, plan,
      command.learning.from_table() ? presets_to_try(kernels.kernels, has_sources) : std::vector<std::string>{});
  check(command.study, plan.problem.penalty);
  refuse_shuffled_covariates(command);
  check_metric_name(command.choices.metric);
  if (!command.shard.empty()) parse_shard(command.shard);
  if (command.folder.empty()) throw InputError("study needs -o DIR: the folder of its results, which will be made");
  watch_with(watch, plan);
  const UnchangedFiles inputs(command.learning.grams.grams);
  std::optional<StudyFolder> folder;
  bool complete = false;
  {
    const Progress progress(watch, command.output.silent());
    LearningSource source = read_source(command.learning, watch, command.output.silent());
    if (source.target.has_several())
      throw InputError(
          fmt::format("study tells what is found of one target, but {} are given; give one after the other, or use cv, "
                      "which scores several",
                      source.target.names.size()));
    grid.kernels = presets_for(std::move(grid.kernels), source, command.learning);
    RowGroups groups = read_groups_of(command, source);
    const RunIdentity identity = study_identity({command.learning, command.choices, command.study, source, groups});
    const std::vector<std::string> ids = source.table ? source.table->ids : std::vector<std::string>();
    const StudySettings settings = settings_of(command, plan, grid, source.target, std::move(groups));
    const auto data =
        make_dataset(std::move(source), command.learning, plan, static_cast<double>(grid.alphas.values.size()));
    const Study study(*data, settings);
    StudyDescription description = describe(study, data->target());
    description.identity = identity;
    description.ids = ids;
    description.data = request_of(command.learning, "").data;
    description.target = target_text(command.learning.table);
    folder.emplace(command.folder, description);
    watch_for_interrupts(Leaves::what_is_done);
    complete = work(study, *folder, command, watch);
  }
  if (complete) inputs.check();
  return conclude(*folder, command, watch, complete);
}

}  // namespace

void add_study(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<StudyCommand>();
  CLI::App* app = program.add_subcommand("study", "honest scores, stable kernels and p-values over many divisions");
  app->footer(
      "What is done is kept in DIR: a run that ended early resumes. --memory is that of one task.\n"
      "Example: spicymkl study data.csv --target y -o results --repeats 20 --group site");
  add_learning_options(*app, command->learning, {"alpha", "device"});
  app->add_option("-o,--output", command->folder, "folder of the results: tables, study.json, study.html");
  add_options(*app, study_option_table(), command->study);
  app->add_option("--group", command->group, "column of families or sites, never divided (--gram: a file)");
  app->add_option("--shard", command->shard, "do this part of the tasks alone, such as 2/5; see merge");
  add_options(*app, cv_option_table(), command->choices, {"folds"});
  add_print_options(*app, command->output);
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
