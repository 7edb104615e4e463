// The scalar root finder, the parallel loop and the equation behind every power of the norm.
#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <thread>

#include "core/monotone_root.hpp"
#include "regularizer/power_root.hpp"
#include "spicymkl/core/nested_sums.hpp"
#include "spicymkl/core/parallel.hpp"

namespace {

using namespace spicymkl;

TEST(MonotoneRootTest, FindsTheRootOfASmoothFunctionToTheLastBits) {
  const auto cubic = [](double x) { return SlopedValue{x * x * x - 2, 3 * x * x}; };
  EXPECT_NEAR(monotone_root(cubic, 0, 10, 5), std::cbrt(2.0), 4e-16);
}

TEST(MonotoneRootTest, StartOutsideTheBracketIsMovedIn) {
  const auto line = [](double x) { return SlopedValue{x - 0.25, 1}; };
  EXPECT_EQ(monotone_root(line, 0, 1, 100), 0.25);
  EXPECT_EQ(monotone_root(line, 0, 1, -100), 0.25);
}

TEST(MonotoneRootTest, CrossesKinksAndFlatPieces) {
  // Zero on [1, 2]; Newton sees slope 0 there and slope 1000 right of it.
  const auto kinked = [](double x) {
    if (x < 1) return SlopedValue{x - 1, 1};
    if (x > 2) return SlopedValue{1000 * (x - 2), 1000};
    return SlopedValue{0, 0};
  };
  for (const double start : {-50.0, 0.0, 1.5, 40.0}) {
    const double root = monotone_root(kinked, -100, 100, start);
    EXPECT_NEAR(kinked(root).value, 0, 1e-12) << root;
  }
}

TEST(MonotoneRootTest, JumpIsBracketedToNeighbouringNumbers) {
  const auto jump = [](double x) { return SlopedValue{x < 0.3 ? -1.0 : 1.0, 0.0}; };
  EXPECT_NEAR(monotone_root(jump, -1, 1, 0.9), 0.3, 1e-15);
}

TEST(MonotoneRootTest, SurvivesADerivativeThatMisleadsNewton) {
  const auto arctangent = [](double x) { return SlopedValue{std::atan(x - 3), 1 / (1 + (x - 3) * (x - 3))}; };
  EXPECT_NEAR(monotone_root(arctangent, -1e6, 1e6, 5e5), 3, 1e-14);
}

TEST(MonotoneRootTest, RootAtAnEndOfTheBracket) {
  const auto line = [](double x) { return SlopedValue{x, 1}; };
  EXPECT_NEAR(monotone_root(line, 0, 1, 0.7), 0, 1e-50);
  EXPECT_NEAR(monotone_root(line, -1, 0, -0.7), 0, 1e-50);
}

TEST(ParallelForTest, CoversEachIndexExactlyOnce) {
  for (const Index n : {0, 1, 2, 3, 7, 16, 1000})
    for (const int threads : {-1, 0, 1, 2, 3, 8, 33}) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(n));
      parallel_for(n, threads, kWorthAThread, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      for (Index i = 0; i < n; ++i)
        ASSERT_EQ(visits[static_cast<std::size_t>(i)], 1) << "n " << n << " threads " << threads << " index " << i;
    }
}

TEST(ParallelForTest, PartsDependOnSizeAndThreadsAlone) {
  const auto parts_of = [](Index n, int threads) {
    std::vector<Index> ends(static_cast<std::size_t>(n), -1);
    parallel_for(n, threads, kWorthAThread,
                 [&](Index begin, Index end) { ends[static_cast<std::size_t>(begin)] = end; });
    return ends;
  };
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(parts_of(101, 7), parts_of(101, 7));
}

TEST(ParallelForTest, LoopsInsideLoopsAndFromSeveralThreadsDoTheirWork) {
  std::atomic<Index> sum = 0;
  std::vector<std::jthread> callers;
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat)
        parallel_for(8, 4, kWorthAThread, [&](Index begin, Index end) {
          for (Index i = begin; i < end; ++i)
            parallel_for(10, 3, kWorthAThread, [&](Index first, Index last) { sum += last - first; });
        });
    });
  callers.clear();
  EXPECT_EQ(sum, 3 * 50 * 8 * 10);
}

TEST(ParallelForTest, NobodyWaitsForAThreadThatHasNotBegun) {
  // The other threads are all asleep in the first part of a loop; another loop ends without them.
  std::atomic<bool> begun = false, over = false;
  std::jthread busy([&] {
    parallel_for(available_threads() + 4, available_threads() + 4, kWorthAThread, [&](Index, Index) {
      begun = true;
      while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  });
  while (!begun) std::this_thread::yield();
  Index done = 0;
  parallel_for(2, 2, kWorthAThread, [&](Index begin, Index end) {
    static std::mutex adding;
    const std::scoped_lock lock(adding);
    done += end - begin;
  });
  over = true;
  EXPECT_EQ(done, 2);
}

TEST(ThreadsTest, ZeroMeansAllCores) {
  EXPECT_GE(available_threads(), 1);
  EXPECT_EQ(resolve_threads(0), available_threads());
  EXPECT_EQ(resolve_threads(5), 5);
}

TEST(ThreadsTest, ScopeRestoresTheThreadCount) {
  const int before = omp_get_max_threads();
  {
    const ThreadScope scope(before + 3);
    EXPECT_EQ(omp_get_max_threads(), before + 3);
  }
  EXPECT_EQ(omp_get_max_threads(), before);
}

TEST(KernelSetTest, AllKernelsCountsUp) {
  EXPECT_EQ(all_kernels(3), (std::vector<Index>{0, 1, 2}));
  EXPECT_TRUE(all_kernels(0).empty());
}

TEST(NestedSumsTest, IsTheSumOfItsColumns) {
  const NestedSums nested{{4, 0, 2, 5, 1}, {1, 2, 4}, (Vector(3) << 0.5, 2, 0.25).finished()};
  const Matrix columns = nested.columns(6), whole = columns * columns.transpose();
  const Vector v = Vector::LinSpaced(6, -1, 2);
  for (Index e = 0; e < 3; ++e)
    EXPECT_NEAR(nested.sums(v)(e), columns.col(e).dot(v) / std::sqrt(nested.weights(e)), 1e-15);
  EXPECT_LE((nested.product(v) - whole * v).norm(), 1e-14);
  EXPECT_LE((nested.heights(6) - whole.diagonal()).norm(), 1e-15);
  Matrix A = Matrix::Ones(6, 6);
  nested.add_to(A, 2);
  EXPECT_LE((A - Matrix::Ones(6, 6) - whole).triangularView<Eigen::Lower>().toDenseMatrix().norm(), 1e-15);
  EXPECT_EQ(NestedSums().columns(6).cols(), 0);
  EXPECT_EQ(NestedSums().product(v), Vector::Zero(6));
}

TEST(PowerRootTest, SolvesTheEquationOverManyMagnitudes) {
  for (const double q : {1.01, 1.05, 1.3, 1.5, 1.999, 2.0, 2.5, 3.0, 6.0, 20.0})
    for (const double linear : {1e-6, 1.0, 1e6})
      for (const double power : {1e-6, 1.0, 1e6})
        for (const double v : {1e-12, 1e-3, 1.0, 1e3, 1e12}) {
          const double x = power_root(linear, power, q, v);
          // x ≥ 0 may underflow where the power dominates and q − 1 is tiny; then the power alone must be v.
          const double residual = linear * x + power * std::pow(x, q - 1) - v;
          ASSERT_TRUE(std::isfinite(x));
          if (x > 1e-290)
            EXPECT_NEAR(residual / v, 0, 1e-13)
                << "q " << q << " linear " << linear << " power " << power << " v " << v;
        }
}

TEST(PowerRootTest, SpecialCases) {
  EXPECT_EQ(power_root(1, 1, 1.5, 0), 0);
  EXPECT_EQ(power_root(4, 0, 1.5, 8), 2);
  EXPECT_DOUBLE_EQ(power_root(0, 2, 3, 8), 2);
  EXPECT_DOUBLE_EQ(power_root(1, 3, 2, 8), 2);
}

}  // namespace
