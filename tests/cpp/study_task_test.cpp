// The tasks of a study, their seeds, and who does which.
#include "study/study_task.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "study/task_seed.hpp"
#include "support/refusal.hpp"

namespace spicymkl {
namespace {

using testing_support::expect_refused;

StudyOptions small() { return {.repeats = 3, .outer = 2, .stability = 4, .permutations = 5}; }

TEST(StudyTask, AllHaveNamesOfTheirOwn) {
  const std::vector<StudyTask> tasks = list_tasks(small());
  EXPECT_EQ(tasks.size(), 3 * 2 + 4 + 6) << "the target as it is is one of the permutations' tasks";
  std::set<std::string> names;
  for (const StudyTask& task : tasks) names.insert(task.name());
  EXPECT_EQ(names.size(), tasks.size());
  EXPECT_EQ(tasks.front().name(), "score-0001-1");
  EXPECT_EQ(tasks.back().name(), "null-0005");
  StudyOptions none = small();
  none.permutations = none.stability = 0;
  EXPECT_EQ(list_tasks(none).size(), 6);
}

TEST(StudyTask, ShardsAreAPartitionWhateverTheirNumber) {
  const std::vector<StudyTask> tasks = list_tasks(small());
  for (const Index count : {1, 2, 5, 40}) {
    std::size_t total = 0;
    std::set<std::string> names;
    for (Index number = 1; number <= count; ++number)
      for (const StudyTask& task : tasks_of(tasks, {number, count})) {
        names.insert(task.name());
        ++total;
      }
    EXPECT_EQ(names.size(), tasks.size());
    EXPECT_EQ(total, tasks.size());
  }
}

TEST(StudyTask, ShardsAreReadFromText) {
  EXPECT_EQ(parse_shard("2/5").number, 2);
  EXPECT_EQ(parse_shard("2/5").count, 5);
  for (const char* text : {"3/2", "0/2", "-1/2", "1/0"})
    expect_refused([&] { parse_shard(text); }, fmt::format("'{}', but shards are numbered from 1", text));
  for (const char* text : {"2", "a/b", "1/2/3", "1/", "/2", "1 / 2", "", "1.5/2"})
    expect_refused([&] { parse_shard(text); }, "two whole numbers");
}

TEST(TaskSeed, DependsOnEveryArgument) {
  const std::set<std::uint32_t> seeds = {task_seed(0, "inner", 1, 2), task_seed(1, "inner", 1, 2),
                                         task_seed(0, "outer", 1, 2), task_seed(0, "inner", 2, 1),
                                         task_seed(0, "inner", 1, 3)};
  EXPECT_EQ(seeds.size(), 5);
  EXPECT_EQ(task_seed(0, "inner", 1, 2), *seeds.find(task_seed(0, "inner", 1, 2)));
  for (const std::uint32_t seed : seeds) EXPECT_LT(seed, 1U << 31);
}

TEST(StudyOptions, WhatCannotBeDoneIsRefused) {
  const auto refused = [](const auto& change, const char* words, const char* penalty = "block1") {
    StudyOptions options;
    change(options);
    expect_refused([&] { check(options, penalty); }, words);
  };
  check(StudyOptions{}, "block1");
  refused([](StudyOptions& o) { o.outer = 1; }, "outer is 1");
  refused([](StudyOptions& o) { o.repeats = -1; }, "repeats is -1");
  refused([](StudyOptions& o) { o.repeats = o.stability = o.permutations = 0; }, "nothing to do");
  refused([](StudyOptions& o) { o.threshold = 0.5; }, "threshold is 0.5");
  refused([](StudyOptions& o) { o.false_selections = 0; }, "false_selections is 0");
  refused([](StudyOptions& o) { o.error_bound = "all"; }, "error_bound is 'all'");
  refused([](StudyOptions&) {}, "no selection to count", "uniform");
}

}  // namespace
}  // namespace spicymkl
