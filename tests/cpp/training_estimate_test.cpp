// What a run will take, in numbers and in words.
#include "spicymkl/pipeline/training_estimate.hpp"

#include <gtest/gtest.h>

#include "core/quantity_text.hpp"
#include "pipeline/affordable_columns.hpp"

namespace spicymkl {
namespace {

BankPlan plan_for(Index n, Index alone, Index joint, double memory = 1e10) {
  std::vector<KernelOutline> kernels;
  for (Index j = 0; j < alone; ++j) kernels.push_back({1, j, 20, true});
  for (Index k = 0; k < joint; ++k) kernels.push_back({10, alone, 0, false});
  return plan_bank(n, kernels, {.memory = memory, .threads = 1});
}

double seconds(const BankPlan& plan, const Workload& work = {}, double tol = 1e-3) {
  Settings settings;
  settings.tol = tol;
  return estimate_training(plan, {}, settings, work).seconds;
}

TEST(TrainingEstimateTest, GrowsWithRowsKernelsPointsFoldsAndAccuracy) {
  EXPECT_LT(seconds(plan_for(2000, 20, 5)), 5);
  EXPECT_GT(seconds(plan_for(20000, 20, 5)), 50 * seconds(plan_for(2000, 20, 5)));
  EXPECT_GT(seconds(plan_for(2000, 2000, 5)), seconds(plan_for(2000, 20, 5)));
  const BankPlan plan = plan_for(2000, 20, 5);
  EXPECT_GT(seconds(plan, {.n_points = 50}), 5 * seconds(plan));
  EXPECT_GT(seconds(plan, {.n_points = 30, .n_folds = 5}), seconds(plan, {.n_points = 30}));
  EXPECT_NEAR(seconds(plan, {.n_fits = 3}), 3 * seconds(plan), seconds(plan));
  EXPECT_GT(seconds(plan, {.n_outputs = 3, .classes_at_once = true}), 1.5 * seconds(plan, {.n_fits = 3}));
  const BankPlan many = plan_of_matrices(300, 5000, 1);
  EXPECT_LT(seconds(many, {.n_outputs = 5, .classes_at_once = true}), 0.7 * seconds(many, {.n_fits = 5}))
      << "read once for all classes";
  EXPECT_GT(seconds(plan, {}, 1e-6), seconds(plan));
}

TEST(TrainingEstimateTest, BytesHoldTheKernelsAndTheNewtonMatrix) {
  const Settings settings;
  const double gram = 8.0 * 5000 * 5000;
  const double stored = estimate_training(plan_for(5000, 20, 5), {}, settings, {}).bytes;
  EXPECT_GT(stored, 6 * gram);
  EXPECT_LT(stored, 8 * gram);
  const Workload classes{.n_outputs = 4, .classes_at_once = true};
  EXPECT_NEAR(estimate_training(plan_for(5000, 20, 5), {}, settings, classes).bytes, stored + 6 * gram, 1);
  EXPECT_LT(estimate_training(plan_for(5000, 20, 0), {}, settings, {}).bytes, gram) << "factors alone";
  EXPECT_LT(estimate_training(plan_for(5000, 20, 5, 5e7), {}, settings, {}).bytes, gram) << "multiplied by alone";
}

TEST(TrainingEstimateTest, SaysHowKernelsAreKept) {
  EXPECT_EQ(estimate_text(plan_for(100000, 22, 5, 1e9), {1500, 1.2e9}),
            "100000 rows, 27 kernels: 22 as low-rank factors, 5 computed at every pass; about 1.2 GB and 25 min");
  EXPECT_EQ(estimate_text(plan_of_matrices(300, 1, 1), {3, 2e7}),
            "300 rows, 1 kernel: 1 as a matrix; about 20 MB and 3 s");
}

TEST(TrainingEstimateTest, AdvisesWhatWouldHelp) {
  Settings settings;
  const BankPlan mixed = plan_for(20000, 22, 5, 1e9);
  EXPECT_EQ(estimate_advice(mixed, {100, 1e9}, settings, 1e9, 1e12), "") << "not long";
  const std::string poor = estimate_advice(mixed, {1000, 1e9}, settings, 1e9, 1e12);
  for (const char* way : {"--memory", "--kernels", "rows", "--tol 0.01", "--max-seconds"})
    EXPECT_NE(poor.find(way), std::string::npos) << poor;
  EXPECT_EQ(estimate_advice(mixed, {1000, 1e9}, settings, 1e9, 2e9).find("--memory"), std::string::npos)
      << "there is no such memory";
  EXPECT_EQ(poor.find("ovr"), std::string::npos);
  const Workload classes{.n_outputs = 4, .classes_at_once = true};
  EXPECT_TRUE(estimate_training(mixed, {}, settings, classes).one_by_one_is_quicker);
  EXPECT_FALSE(estimate_training(mixed, {}, settings, {.n_fits = 4}).one_by_one_is_quicker);
  EXPECT_FALSE(estimate_training(plan_of_matrices(300, 5000, 1), {}, settings, classes).one_by_one_is_quicker);
  EXPECT_NE(estimate_advice(mixed, {1000, 1e9, true}, settings, 1e9, 1e12).find("--multi-class ovr"),
            std::string::npos);
  settings.tol = 0.01;
  settings.max_seconds = 60;
  const std::string rest = estimate_advice(plan_for(20000, 22, 0), {1000, 1e9}, settings, 1e10, 1e12);
  for (const char* way : {"--memory", "--kernels", "--tol", "--max-seconds"})
    EXPECT_EQ(rest.find(way), std::string::npos) << rest;
  EXPECT_NE(rest.find("fewer kernels"), std::string::npos);
}

TEST(QuantityText, ReadsLikeSpeech) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(20e6), "20 MB");
  EXPECT_EQ(bytes_text(1234e6), "1.2 GB");
  EXPECT_EQ(bytes_text(999.9e6), "1 GB");
  EXPECT_EQ(duration_text(2.34), "2.3 s");
  EXPECT_EQ(duration_text(1500), "25 min");
  EXPECT_EQ(duration_text(4 * 3600), "4 h");
  EXPECT_EQ(duration_text(4 * 86400), "4 days");
}

/// A table with so many kernels on single columns, a Gaussian and a linear one each, and one on all.
TrainingTable wide_table(Index rows, Index columns) {
  TrainingTable training;
  Samples samples{{}, Matrix(rows, columns), {}};
  KernelSpec all;
  for (Index j = 0; j < columns; ++j) {
    samples.columns.push_back("x" + std::to_string(j));
    for (Index i = 0; i < rows; ++i) samples.values(i, j) = static_cast<double>((i * 7 + j * 3) % 11);
    all.columns.push_back(j);
  }
  training.samples = std::make_shared<const Samples>(std::move(samples));
  const auto add = [&](const char* type, std::vector<Index> on, Index rank) {
    KernelSpec spec;
    spec.type = type;
    if (spec.type == "gaussian") spec.parameters = {{"width", 1}};
    spec.columns = std::move(on);
    spec.name = type;
    training.outlines.push_back({static_cast<Index>(spec.columns.size()), 0, rank, rank > 0});
    training.kernels.push_back(FittedKernel::fit(spec, *training.samples, 1));
  };
  for (Index j = 0; j < columns; ++j) {
    add("gaussian", {j}, 20);
    add("linear", {j}, 1);
  }
  add("gaussian", all.columns, 0);
  return training;
}

TEST(AffordableColumns, AllStayWhereTheyFit) {
  TrainingTable training = wide_table(12, 300);
  keep_affordable_columns(training, {.memory = 1e9, .threads = 1});
  EXPECT_EQ(training.kernels.size(), 601u);
  EXPECT_TRUE(training.remarks.empty());
}

TEST(AffordableColumns, TheDearestGoFirstAndItIsSaid) {
  TrainingTable training = wide_table(12, 300);
  // As many rows as would take days; passes stand for them here.
  keep_affordable_columns(training, {.memory = 30000 + 300 * 12 * 8, .expected_passes = 5e6, .threads = 1});
  EXPECT_LT(training.kernels.size(), 601u);
  EXPECT_EQ(training.kernels.size(), training.outlines.size());
  EXPECT_EQ(training.kernels.back().spec().columns.size(), 300u) << "the kernel on all columns stays";
  ASSERT_EQ(training.remarks.size(), 1u);
  EXPECT_NE(training.remarks.front().find("auto: 300 columns"), std::string::npos) << training.remarks.front();
  EXPECT_NE(training.remarks.front().find("--memory"), std::string::npos) << training.remarks.front();
}

}  // namespace
}  // namespace spicymkl
