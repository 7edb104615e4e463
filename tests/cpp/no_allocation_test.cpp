// A Newton step allocates nothing: every buffer is there from the first one on.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "solver/inner/newton.hpp"
#include "solver/outer/scales.hpp"
#include "support/problems.hpp"

// The address and thread sanitizers bring a malloc of their own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::atomic<long> allocations{0};
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  ++allocations;
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}
}

namespace {

using namespace spicymkl;
using namespace testing_support;

class NoAllocationTest : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(NoAllocationTest, NewtonStepsAllocateNothing) {
  const auto [loss, threads] = GetParam();
  const TestProblem test =
      make_problem_at(0.05, {loss}, {"block1"}, {.n = 120, .m = 60, .seed = 4, .threads = threads});
  const Scales scales = estimate_scales(test.problem);
  InnerObjective phi(test.problem, all_kernels(60));
  phi.unpenalised = scales.constant.unpenalised;
  phi.samples.set_penalty(scales.constraint_gamma);
  phi.kernels.place(scales.constant.dual, 10 * first_gamma(test.problem));

  std::vector<long> at_step;
  at_step.reserve(1000);
  Settings settings;
  settings.watch = Watch::asking([&] {
    at_step.push_back(allocations);
    return false;
  });
  NewtonMinimizer newton(test.problem, scales.curvature, scales.prediction, settings);
  Timers timers;
  newton.minimise(phi, {}, timers);
  ASSERT_GE(at_step.size(), 5U) << "too easy a problem to tell";
  const Matrix counted = Matrix::Zero(40, 40);
  EXPECT_GT(allocations.load(), at_step.back()) << "an allocation is noticed";
  for (std::size_t step = 2; step < at_step.size(); ++step) EXPECT_EQ(at_step[step], at_step[step - 1]) << step;
}

INSTANTIATE_TEST_SUITE_P(Each, NoAllocationTest,
                         testing::Combine(testing::Values("logistic", "hinge", "squared"), testing::Values(1, 2)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
                         });

}  // namespace

#endif
