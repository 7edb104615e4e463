// Tasks of a study: what they find depends on the study and their own number alone, and is what a loop by hand finds.
#include "study/study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "data/generators.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "study/relabelled.hpp"
#include "study/run_tasks.hpp"
#include "study/study_summary.hpp"
#include "study/task_seed.hpp"
#include "support/refusal.hpp"

namespace spicymkl {
namespace {

using testing_support::expect_refused;

constexpr const char* kGroups =
    R"({"expression": "expression_*", "methylation": "methylation_*", "imaging": "imaging_*", "clinical": "clinical_*"})";

Table multisource(Index rows, std::uint64_t seed = 1) {
  const GeneratedData made = generate_data("multisource", rows, seed);
  Table table;
  table.path = "made.csv";
  table.columns = made.columns;
  table.categories.resize(made.columns.size());
  table.values = made.values;
  table.target_name = "y";
  for (const double label : made.labels) table.target.push_back(label > 0 ? "yes" : "no");
  return table;
}

struct Case {
  std::unique_ptr<Dataset> data;
  StudySettings settings;
};

Case make_case(Index rows = 80) {
  const Table table = multisource(rows);
  const Target target = make_target(table, "auto");
  TablePlan plan;
  plan.kernels.groups = kGroups;
  plan.threads = 1;
  Case c{make_table_dataset(table, target, plan), {}};
  c.settings.options = {.repeats = 2, .outer = 3, .inner = 3, .stability = 3, .permutations = 2};
  c.settings.grid = {log_spaced_alphas(5, 0.01), {}, {}};
  c.settings.grid.may_end_early = true;
  c.settings.choice.metric = Metric::log_loss;
  c.settings.choice.memory = 1e9;
  c.settings.seed = 11;
  return c;
}

TEST(Study, TasksFindTheSameWhateverWasDoneBefore) {
  const Case c = make_case();
  const Study study(*c.data, c.settings), other(*c.data, c.settings);
  const StudyDescription description = describe(study, c.data->target());
  const auto text = [&](const Study& by, const StudyTask& task) { return part_json(find_part(by, task), task, "x"); };
  const std::vector<StudyTask> tasks = list_tasks(c.settings.options);
  std::map<std::string, std::string> at_once;
  EXPECT_TRUE(run_tasks(other, tasks, 2, [&](const StudyTask& task, const PartResult& result) {
    at_once[task.name()] = part_json(result, task, "x");
  }));
  ASSERT_EQ(at_once.size(), tasks.size());
  for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) EXPECT_EQ(text(study, *task), at_once[task->name()]);
}

TEST(Study, PartsReadBackAsTheyWere) {
  const Case c = make_case();
  const Study study(*c.data, c.settings);
  const StudyDescription description = describe(study, c.data->target());
  for (const StudyTask& task : {StudyTask{StudyTask::Kind::score, 0, 1}, StudyTask{StudyTask::Kind::pair, 1, 0},
                                StudyTask{StudyTask::Kind::null, 1, 0}}) {
    const std::string text = part_json(find_part(study, task), task, "abc");
    const auto read = parse_part(text, task, "abc", description);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(part_json(*read, task, "abc"), text);
    EXPECT_FALSE(parse_part(text, task, "abd", description)) << "of another study";
    EXPECT_FALSE(parse_part(text.substr(0, text.size() / 2), task, "abc", description)) << "cut off";
    StudyTask next = task;
    ++next.index;
    EXPECT_FALSE(parse_part(text, next, "abc", description)) << "of another task";
  }
  const std::string text = description_json(description);
  EXPECT_EQ(description_json(parse_description(text, "plan.json")), text);
  expect_refused([&] { parse_description("{}", "plan.json"); }, "'plan.json' is not the description of a study");
}

TEST(Study, CountsThatAreNoneAreNotRead) {
  const Case c = make_case();
  const Study study(*c.data, c.settings);
  const StudyDescription description = describe(study, c.data->target());
  const StudyTask task{StudyTask::Kind::score, 0, 1};
  const nlohmann::json good_part = nlohmann::json::parse(part_json(find_part(study, task), task, "abc"));
  const nlohmann::json good_plan = nlohmann::json::parse(description_json(description));
  for (const double value : {1e300, -1.0, 2.5}) {
    nlohmann::json part = good_part, plan = good_plan;
    part["result"]["inner_seed"] = value;
    EXPECT_FALSE(parse_part(part.dump(), task, "abc", description));
    plan["options"]["repeats"] = value;
    expect_refused([&] { parse_description(plan.dump(), "plan.json"); }, "whole number");
  }
}

TEST(Study, AScoreIsThatOfALoopByHand) {
  const Case c = make_case();
  const Study study(*c.data, c.settings);
  const SplitResult found = study.score(1, 2);
  const Target& target = c.data->target();
  const Fold outer = make_folds(target, 3, task_seed(11, "parts", 1))[2];
  std::vector<Fold> inner = make_folds(target.rows(outer.training), 3, found.inner_seed);
  for (Fold& fold : inner)
    for (auto* rows : {&fold.training, &fold.test})
      for (Index& row : *rows) row = outer.training[row];
  CvOptions options = c.settings.choice;
  options.threads = 1;
  const CrossValidation cv = cross_validate(*c.data, inner, c.settings.plan, c.settings.grid, options);
  EXPECT_EQ(found.alpha, cv.choice().alpha);
  const auto rows = c.data->learn_from(outer.training, {1, options.memory}, cv.choice().kernels);
  const Model model = train_model(rows->input(), chosen_plan(cv, c.settings.plan)).model;
  const Evaluation evaluation = evaluate(model, target.rows(outer.test), rows->scores(model.fits, outer.test).values);
  ASSERT_EQ(found.measures.size(), 4);
  EXPECT_EQ(*found.measures[0], *value_of(Metric::log_loss, evaluation));
  EXPECT_EQ(*found.measures[1], *value_of(Metric::accuracy, evaluation));
  EXPECT_EQ(found.n_training + found.n_test, target.n_rows());
  double weight = 0;
  for (const SourceUse& use : found.sources) weight += use.weight;
  EXPECT_NEAR(weight, found.sources.empty() ? 0 : 1, 1e-12);
}

TEST(Study, KernelsAreKnownAgainThoughTheirWidthsFollowTheRows) {
  const Case c = make_case();
  const Study study(*c.data, c.settings);
  std::vector<Index> half;
  for (Index row = 0; row < 80; row += 2) half.push_back(row);
  const auto rows = c.data->learn_from(half, {1, 1e9});
  const std::vector<Index> numbers = study.kernels().numbers(rows->input());
  ASSERT_EQ(numbers.size(), study.kernels().kernels().size());
  Index renamed = 0;
  for (Index m = 0; m < std::ssize(numbers); ++m) {
    EXPECT_EQ(numbers[m], m);
    renamed += rows->input().bank->name(m) != study.kernels().kernels()[m].name;
  }
  EXPECT_GT(renamed, 0);
}

TEST(Study, ATargetIsDealtAnewWithTheSameRows) {
  const Case c = make_case();
  Target other = c.data->target();
  std::reverse(other.codes.begin(), other.codes.end());
  const auto relabelled = make_relabelled(*c.data, other);
  const std::vector<Index> rows = {3, 5, 70};
  EXPECT_EQ(relabelled->learn_from(rows, {1, 1e9}, "")->input().target.codes, other.rows(rows).codes);
  EXPECT_EQ(relabelled->learn_from(rows, {1, 1e9}, "")->input().bank->name(0),
            c.data->learn_from(rows, {1, 1e9}, "")->input().bank->name(0));
}

TEST(Study, CountsEntriesAtTheirStrengthAndAllWeakerOnes) {
  StudyDescription study;
  study.options = {.repeats = 0, .stability = 2, .permutations = 0, .threshold = 0.75, .false_selections = 10};
  study.measures = {Metric::accuracy};
  study.strengths = {{1, 0.5, 0.25}, true};
  study.kernels = {{"k0", 0}, {"k1", 0}, {"k2", 1}};
  study.sources = {"s0", "s1"};
  // Kernel 0 enters everywhere, late in one half; kernel 1 once; kernel 2 in both halves of one pair.
  const std::vector<PartResult> parts = {PairResult{{{0, 1}, {1, 0}}, {{0, 1}}},
                                         PairResult{{{0, 1}, {2, 2}}, {{0, 2}, {2, 1}}}};
  const StudySummary summary = summarize(study, parts);
  EXPECT_EQ(summary.kernels.frequencies[0], (std::vector<double>{0, 0.75, 1}));
  EXPECT_EQ(summary.kernels.frequencies[1], (std::vector<double>{0.25, 0.25, 0.25}));
  EXPECT_EQ(summary.kernels.frequencies[2], (std::vector<double>{0, 0.25, 0.5}));
  EXPECT_EQ(summary.kernels.mean_selected, (std::vector<double>{0.25, 1.25, 1.75}));
  EXPECT_EQ(summary.sources.frequencies[0], (std::vector<double>{0.25, 0.75, 1})) << "its first kernel counts";
  EXPECT_EQ(summary.kernels.point, 2);
  EXPECT_EQ(summary.kernels.both, (std::vector<double>{1, 0, 0.5}));
  study.options.false_selections = bound_without_assumptions({1.25, 3, 2}, 0.75);
  EXPECT_EQ(summarize(study, parts).kernels.point, 1) << "the weakest strength that the bound allows";
  study.options.false_selections = 1e-6;
  EXPECT_EQ(summarize(study, parts).kernels.point, -1);
  EXPECT_EQ(summarize(study, parts).kernels.frequency(0), 0);
}

TEST(Study, RowsThatCannotBeDividedAreRefused) {
  const auto refused = [](const auto& change, const std::string& words, Index rows = 80) {
    Case c = make_case(rows);
    change(c.settings);
    expect_refused([&] { Study(*c.data, c.settings); }, words);
  };
  refused([](StudySettings& s) { s.options.outer = 41; }, "41 parts were asked for, but there are only 80 rows");
  refused(
      [](StudySettings& s) {
        std::vector<std::string> names;
        for (int row = 0; row < 80; ++row) names.push_back(std::to_string(row % 4));
        s.groups = make_groups("site", names);
        s.options.outer = 5;
      },
      "'site' has 4 groups");
  Case rare = make_case();
  Target target = rare.data->target();
  target.classes.push_back("rare");
  target.codes[3] = target.codes[9] = 2;
  const auto relabelled = make_relabelled(*rare.data, target);
  expect_refused([&] { Study(*relabelled, rare.settings); }, "class 'rare' has 2 rows");
  rare.settings.choice.metric = Metric::auc;
  target.codes[12] = 2;
  const auto three = make_relabelled(*rare.data, target);
  expect_refused([&] { Study(*three, rare.settings); }, "needs at least 4 for an auc in every fold");
}

}  // namespace
}  // namespace spicymkl
