// The working set: no larger than its bank can hold, and the answer is the same.
#include "solver/outer/working_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "spicymkl/bank/forwarding_bank.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

constexpr Index kRoom = 20;

/// All kernels of another bank, with room for few at a time.
class SmallBank final : public ForwardingBank {
 public:
  explicit SmallBank(const KernelBank& base) : ForwardingBank(base, all_kernels(base.n_kernels())) {}

  KernelSubsets subsets() const override {
    return {kRoom, [this](std::vector<Index> kernels) {
              sizes.push_back(static_cast<Index>(kernels.size()));
              return ForwardingBank::subsets().of(std::move(kernels));
            }};
  }

  mutable std::vector<Index> sizes;  ///< of the subsets that were asked for
};

class FullWorkingSetTest : public testing::TestWithParam<std::tuple<const char*, double>> {
 protected:
  TestProblem test =
      make_problem_at(std::get<1>(GetParam()), {std::get<0>(GetParam())}, {"block1"}, {.n = 60, .m = 300, .seed = 11});
  std::shared_ptr<SmallBank> small = std::make_shared<SmallBank>(test.problem.bank());
  Settings settings{.tol = 1e-6};
};

TEST_P(FullWorkingSetTest, ForgetsKernelsWithoutWeight) {
  const Result result = solve(test.problem.with(small, test.problem.shared_regularizer()), settings);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const auto n_active = static_cast<Index>(result.expansion.kernels.size());
  EXPECT_GE(small->sizes.size(), 2u);
  EXPECT_LE(*std::max_element(small->sizes.begin(), small->sizes.end()), std::max(kRoom, 2 * n_active));
  EXPECT_LE(referee_verdict(test.naive, result.expansion, result.certificate.dual).gap, 1.0001e-6);
  const Result free = solve(test.problem, settings);
  EXPECT_NEAR(result.certificate.primal, free.certificate.primal, 2e-6 * free.certificate.primal);
}

INSTANTIATE_TEST_SUITE_P(Losses, FullWorkingSetTest,
                         testing::Combine(testing::Values("logistic", "hinge", "squared"),
                                          testing::Values(0.1, 0.01, 0.001)));

}  // namespace
