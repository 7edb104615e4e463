// Bags of words: which columns count as such, how they are scaled, and what `auto` makes of them.
#include "kernel/sparse_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "spicymkl/kernel/fitted_kernel.hpp"
#include "spicymkl/kernel/kernel_list.hpp"

namespace spicymkl {
namespace {

/// Two measured columns, then `n_words` counts, the first of which are frequent and the last rare.
Samples texts(Index n_rows, Index n_words) {
  std::mt19937 random(3);
  Samples samples;
  samples.values = Matrix::Zero(n_rows, 2 + n_words);
  std::normal_distribution<double> normal;
  for (Index j = 0; j < samples.values.cols(); ++j) {
    samples.columns.push_back("c" + std::to_string(j));
    std::poisson_distribution<int> count(0.5 / (1 + 0.3 * static_cast<double>(j)));
    for (Index i = 0; i < n_rows; ++i) samples.values(i, j) = j < 2 ? 7 + normal(random) : count(random);
    if (j >= 2) samples.values(j % n_rows, j) = 1;  // none is constant
  }
  samples.categorical.assign(samples.columns.size(), false);
  return samples;
}

TEST(SparseCounts, AreManyColumnsThatAreMostlyZeroAndNeverNegative) {
  Samples samples = texts(80, 30);
  EXPECT_EQ(sparse_counts(samples).size(), 30u);
  EXPECT_EQ(sparse_counts(samples).front(), 2);
  samples.values(3, 5) = -1;
  samples.values.col(6).array() += 1;  // seldom 0
  samples.values.col(7).setZero();     // says nothing
  samples.categorical[8] = true;
  EXPECT_EQ(sparse_counts(samples).size(), 26u);
  EXPECT_TRUE(sparse_counts(texts(80, 19)).empty()) << "a few indicators are not a bag of words";
}

TEST(SparseCounts, KeepTheirProportions) {
  const Samples samples = texts(80, 30);
  Standardizer standardizer = Standardizer::fit(samples);
  const std::vector<Index> counts = sparse_counts(samples);
  keep_proportions(counts, standardizer);
  Samples seen = samples;
  standardizer.apply(seen);
  double variance = 0;
  for (const Index j : counts) {
    EXPECT_TRUE((seen.values.col(j) * standardizer.scale(2)).isApprox(samples.values.col(j)));
    variance += (seen.values.col(j).array() - seen.values.col(j).mean()).square().mean();
  }
  EXPECT_NEAR(variance, 30, 1e-9) << "on average as large as a standardised column";
  EXPECT_NEAR(seen.values.col(0).mean(), 0, 1e-12);
}

TEST(SparseCounts, AutoSaysSoAndHasACosineKernel) {
  const Samples samples = texts(80, 30);
  const auto cosines = [](const KernelList& list) {
    std::vector<std::vector<Index>> columns;
    for (const KernelSpec& spec : list.kernels)
      if (spec.type == "cosine") columns.push_back(spec.columns);
    return columns;
  };
  const KernelList list = make_kernel_list("auto", samples, {});
  EXPECT_EQ(cosines(list), std::vector<std::vector<Index>>{sparse_counts(samples)});
  ASSERT_EQ(list.remarks.size(), 1u);
  EXPECT_NE(list.remarks[0].find("30 columns hold counts that are mostly 0, such as 'c2'"), std::string::npos);
  KernelListOptions options;
  options.groups.groups = {{"text", {9, 4, 5}}, {"measured", {0, 1}}};
  EXPECT_EQ(cosines(make_kernel_list("auto", samples, options)).front(), (std::vector<Index>{9, 4, 5}));
  EXPECT_TRUE(make_kernel_list("paper", samples, {}).standardizer->scale.isApprox(Standardizer::fit(samples).scale));
  EXPECT_TRUE(make_kernel_list("auto", texts(80, 10), {}).remarks.empty());
}

TEST(SparseCounts, ARowOfZerosHasACosineOfZero) {
  Samples samples = texts(30, 25);
  samples.values.row(4).setZero();
  KernelSpec spec{.type = "cosine", .name = "k", .columns = sparse_counts(samples)};
  const FittedKernel kernel = FittedKernel::fit(spec, samples, 1);
  Matrix gram(30, 30);
  kernel.gram(samples, gram, 1);
  EXPECT_TRUE(gram.allFinite());
  EXPECT_EQ(gram.row(4).cwiseAbs().maxCoeff(), 0);
  EXPECT_NEAR(gram(3, 3), 1.0 / 29, 1e-15) << "of unit trace over the others";
}

}  // namespace
}  // namespace spicymkl
