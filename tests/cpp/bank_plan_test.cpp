// The plan of a bank: forms by memory and passes, costs that add up, ranks guessed without the work.
#include "spicymkl/bank/bank_plan.hpp"

#include <gtest/gtest.h>

#include <random>

#include "bank/low_rank_bank.hpp"
#include "core/stopwatch.hpp"
#include "spicymkl/bank/make_bank.hpp"

namespace spicymkl {
namespace {

constexpr Index kRows = 1000;
constexpr double kGram = 8.0 * kRows * kRows;

KernelOutline factor(Index rank) { return {1, 0, rank, true}; }
KernelOutline joint(Index family = 1) { return {10, family, 0, false}; }

Samples normal_rows(Index n, Index d) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Samples samples{{}, Matrix(n, d), {}};
  for (Index j = 0; j < d; ++j) {
    samples.columns.push_back("x" + std::to_string(j));
    for (Index i = 0; i < n; ++i) samples.values(i, j) = normal(random);
  }
  return samples;
}

FittedKernel gaussian(const Samples& samples, std::vector<Index> columns, double width) {
  KernelSpec spec;
  spec.type = "gaussian";
  spec.parameters = {{"width", width}};
  spec.columns = std::move(columns);
  spec.name = "g";
  return FittedKernel::fit(spec, samples, 1);
}

TEST(BankPlan, MemoryDecidesTheForms) {
  const std::vector<KernelOutline> kernels = {factor(20), joint(), joint(), joint()};
  const auto forms = [&](double memory) {
    return plan_bank(kRows, kernels, {.memory = memory, .expected_passes = 100, .threads = 1}).forms;
  };
  using enum KernelForm;
  EXPECT_EQ(forms(100 * kGram), (std::vector{low_rank, dense, dense, dense}));
  // Half of the room is kept for a working set: 5.1 matrices hold two and a half.
  EXPECT_EQ(forms(5.1 * kGram), (std::vector{low_rank, dense, dense, single}));
  EXPECT_EQ(forms(0.1 * kGram), (std::vector{low_rank, on_the_fly, on_the_fly, on_the_fly}));
  EXPECT_EQ(forms(1), (std::vector{on_the_fly, on_the_fly, on_the_fly, on_the_fly})) << "no room for a factor either";
}

TEST(BankPlan, KeepsToTheMemory) {
  std::vector<KernelOutline> kernels;
  for (Index m = 0; m < 50; ++m) kernels.push_back(m % 2 == 0 ? factor(m + 1) : joint(m));
  for (const double memory : {1e3, 1e5, 1e6, 3e6, 1e7, 1e8, 1e9}) {
    const BankPlan plan = plan_bank(kRows, kernels, {.memory = memory, .expected_passes = 100, .threads = 1});
    EXPECT_LE(plan.bytes + plan.working_bytes, memory) << memory;
    EXPECT_EQ(plan.count(KernelForm::low_rank) + plan.count(KernelForm::dense) + plan.count(KernelForm::single) +
                  plan.count(KernelForm::on_the_fly),
              50);
  }
}

TEST(BankPlan, FewPassesAreNotWorthAMatrix) {
  EXPECT_EQ(plan_bank(kRows, {{1, 0, 0, false}}, {.memory = 1e12, .expected_passes = 2}).forms.front(),
            KernelForm::on_the_fly);
  EXPECT_EQ(plan_bank(kRows, {{1, 0, 0, false}}, {.memory = 1e12, .expected_passes = 200}).forms.front(),
            KernelForm::dense);
}

TEST(BankPlan, CostsGrowWithTheWork) {
  const auto plan = [](Index n, std::vector<KernelOutline> kernels, double memory, int threads) {
    return plan_bank(n, std::move(kernels), {.memory = memory, .expected_passes = 100, .threads = threads});
  };
  const BankPlan fly = plan(kRows, {joint()}, 1, 1), larger = plan(10 * kRows, {joint()}, 1, 1);
  EXPECT_NEAR(larger.pass_seconds / fly.pass_seconds, 100, 1);
  EXPECT_LT(fly.build_seconds, 1e-3) << "nothing is computed beforehand";
  const BankPlan stored = plan(kRows, {joint()}, 1e12, 1);
  EXPECT_GT(stored.build_seconds, fly.pass_seconds) << "computing and writing";
  EXPECT_LT(stored.pass_seconds, fly.pass_seconds) << "reading";
  EXPECT_EQ(stored.bytes, kGram);
  // Kernels of one family share the computation of their base.
  EXPECT_LT(plan(kRows, {joint(1), joint(1)}, 1, 1).pass_seconds, plan(kRows, {joint(1), joint(2)}, 1, 1).pass_seconds);
  EXPECT_LT(plan(kRows, {joint()}, 1e12, 4).build_seconds, stored.build_seconds);
  const BankPlan low = plan(kRows, {factor(20)}, 1e12, 1);
  EXPECT_EQ(low.bytes, 8.0 * kRows * 20);
  EXPECT_LT(low.pass_seconds, stored.pass_seconds);
  EXPECT_GT(plan(kRows, {{1, 0, 0, true}}, 1, 1).build_seconds, low.build_seconds) << "a factor that is not found";
}

TEST(BankPlan, MatricesInMemoryCostNothingToBuild) {
  const BankPlan plan = plan_of_matrices(kRows, 3, 1);
  EXPECT_EQ(plan.bytes, 3 * kGram);
  EXPECT_EQ(plan.build_seconds, 0);
  EXPECT_GT(plan.pass_seconds, 0);
  EXPECT_EQ(plan.count(KernelForm::dense), 3);
}

TEST(KernelOutlineTest, GuessesRanksFromAPartOfTheRows) {
  const Samples samples = normal_rows(3000, 6);
  std::vector<FittedKernel> kernels;
  for (Index j = 0; j < 4; ++j)
    for (const double width : {0.5, 1.0, 3.0}) kernels.push_back(gaussian(samples, {j}, width));
  kernels.push_back(gaussian(samples, {0, 1, 2}, 1));
  kernels.push_back(gaussian(samples, {4}, 1e-4));  // no low rank, in spite of its one column
  const auto outlines = outline_kernels(samples, kernels, 1e-10);
  for (std::size_t m = 0; m < 12; ++m) {
    const Index rank = pivoted_cholesky(kernels[m], samples, 1e-10, 128).cols();
    EXPECT_NEAR(static_cast<double>(outlines[m].rank), static_cast<double>(rank), 0.25 * static_cast<double>(rank));
    EXPECT_TRUE(outlines[m].tried);
  }
  EXPECT_EQ(outlines[12].rank, 0);
  EXPECT_FALSE(outlines[12].tried);
  EXPECT_EQ(outlines[13].rank, 0);
  EXPECT_TRUE(outlines[13].tried);
  EXPECT_EQ(outlines[0].family, outlines[1].family) << "same column";
  EXPECT_NE(outlines[0].family, outlines[3].family);
}

TEST(KernelOutlineTest, TakesNoTimeForManyKernels) {
  const Samples samples = normal_rows(150, 5000);
  std::vector<FittedKernel> kernels;
  for (Index j = 0; j < 5000; ++j)
    for (const double width : {0.7, 1.0}) kernels.push_back(gaussian(samples, {j}, width));
  const Stopwatch clock;
  const auto outlines = outline_kernels(samples, kernels, 1e-10);
  EXPECT_LT(clock.seconds(), 5);  // some hundredths of a second on an idle machine
  EXPECT_EQ(outlines.size(), 10000u);
  for (const KernelOutline& outline : outlines) EXPECT_GT(outline.rank, 0);
}

TEST(MakeBankFromPlan, BuildsWhatThePlanSaysWithConfirmedRanks) {
  const auto samples = std::make_shared<const Samples>(normal_rows(200, 3));
  const std::vector<FittedKernel> kernels = {gaussian(*samples, {0}, 1), gaussian(*samples, {0, 1, 2}, 1),
                                             gaussian(*samples, {1}, 2)};
  const double factors = 8.0 * 200 * 40;  // for both
  for (const double memory : {1.0, factors, 1e9}) {
    const BankOptions options{.memory = memory, .expected_passes = 100, .threads = 1};
    const auto bank = make_bank(samples, kernels, options);
    double bytes = 0;
    for (const BankUse& use : bank->use())
      if (use.kind != "on the fly") bytes += use.bytes;
    EXPECT_LE(bytes, memory);
    EXPECT_EQ(bank->n_kernels(), 3);
    Vector forms(3), direct(3);
    const Vector v = Vector::LinSpaced(200, -1, 1);
    bank->quadratic_forms(all_kernels(3), v, forms);
    make_exact_bank(samples, kernels, 1)->quadratic_forms(all_kernels(3), v, direct);
    EXPECT_LE((forms - direct).norm(), 1e-8 * direct.norm()) << memory;
  }
}

TEST(MachineSlowness, IsANumberNearOne) {
  const double slowness = machine_slowness();
  EXPECT_GT(slowness, 0.02);
  EXPECT_LT(slowness, 500);
}

}  // namespace
}  // namespace spicymkl
