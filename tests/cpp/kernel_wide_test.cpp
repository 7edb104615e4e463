// Kernels of many columns, which come from matrix products: against sums in extended precision, on tables that make
// such products lose digits.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "kernel/base_sums.hpp"
#include "kernel/own_factor.hpp"
#include "kernel/tiles.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/bank/stored_bank.hpp"

namespace spicymkl {
namespace {

using Long = long double;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;

Samples table(Matrix values, bool categorical = false) {
  Samples samples{{}, std::move(values), std::vector<bool>(static_cast<std::size_t>(0))};
  for (Index j = 0; j < samples.values.cols(); ++j) {
    samples.columns.push_back("x" + std::to_string(j));
    samples.categorical.push_back(categorical);
  }
  return samples;
}

Matrix uniform(Index n, Index d, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> number(0, 2);
  return Matrix::NullaryExpr(n, d, [&] { return number(random); });
}

struct Wide {
  std::string type;
  KernelParameters parameters;
  std::function<Long(const Samples&, Index, const Samples&, Index)> formula;
};

template <class Term>
Long sum(const Samples& a, Index i, const Samples& b, Index j, const Term& term) {
  Long total = 0;
  for (Index c = 0; c < a.n_columns(); ++c) total += term(Long(a.values(i, c)), Long(b.values(j, c)));
  return total;
}

Long product(const Samples& a, Index i, const Samples& b, Index j) {
  return sum(a, i, b, j, [](Long x, Long z) { return x * z; });
}

Long squared(const Samples& a, Index i, const Samples& b, Index j) {
  return sum(a, i, b, j, [](Long x, Long z) { return (x - z) * (x - z); });
}

/// Every kernel, with widths that suit distances of about `scale`.
std::vector<Wide> kernels_for(double scale) {
  const Long width = scale;
  const auto map_distance = [](const auto& map) {
    return [map](const Samples& a, Index i, const Samples& b, Index j) { return map(squared(a, i, b, j)); };
  };
  return {
      {"linear", {}, product},
      {"polynomial",
       {{"degree", 2}, {"scale", 1 / (scale * scale)}},
       [=](const auto& a, Index i, const auto& b, Index j) {
         const Long base = product(a, i, b, j) / (width * width) + 1;
         return base * base;
       }},
      {"gaussian", {{"width", scale}}, map_distance([=](Long d) { return std::exp(-d / (2 * width * width)); })},
      {"matern", {{"length", scale}, {"nu", 0.5}}, map_distance([=](Long d) {
         return std::exp(-std::sqrt(d) / width);
       })},
      {"rational_quadratic", {{"length", scale}}, map_distance([=](Long d) {
         return 1 / (1 + d / (2 * width * width));
       })},
      {"cosine",
       {},
       [](const auto& a, Index i, const auto& b, Index j) {
         return product(a, i, b, j) / std::sqrt(product(a, i, a, i) * product(b, j, b, j));
       }},
      {"laplacian",
       {{"width", scale * scale}},
       [=](const auto& a, Index i, const auto& b, Index j) {
         return std::exp(-sum(a, i, b, j, [](Long x, Long z) { return std::abs(x - z); }) / (width * width));
       }},
      {"chi_squared",
       {{"gamma", 1 / (scale * scale)}},
       [=](const auto& a, Index i, const auto& b, Index j) {
         return std::exp(-sum(a, i, b, j, [](Long x, Long z) { return x + z > 0 ? (x - z) * (x - z) / (x + z) : 0; }) /
                         (width * width));
       }},
      {"histogram_intersection",
       {},
       [](const auto& a, Index i, const auto& b, Index j) {
         return sum(a, i, b, j, [](Long x, Long z) { return std::min(x, z); });
       }},
      {"overlap",
       {},
       [](const auto& a, Index i, const auto& b, Index j) {
         return sum(a, i, b, j, [](Long x, Long z) { return Long(x == z); }) / static_cast<Long>(a.n_columns());
       }},
  };
}

LongMatrix naive(const Wide& kernel, const Samples& a, const Samples& b) {
  LongMatrix K(a.n_rows(), b.n_rows());
  for (Index i = 0; i < K.rows(); ++i)
    for (Index j = 0; j < K.cols(); ++j) K(i, j) = kernel.formula(a, i, b, j);
  return K;
}

LongMatrix normalized(Normalize normalize, const LongMatrix& cross, const LongMatrix& train, const LongMatrix& fresh) {
  LongMatrix K = cross;
  if (normalize == Normalize::trace) K /= train.trace();
  if (normalize == Normalize::diagonal)
    for (Index i = 0; i < K.rows(); ++i)
      for (Index j = 0; j < K.cols(); ++j) K(i, j) /= std::sqrt(fresh(i, i) * train(j, j));
  if (normalize == Normalize::center) {
    K.colwise() -= cross.rowwise().mean();
    K.rowwise() -= train.colwise().mean();
    K.array() += train.mean();
  }
  return K;
}

FittedKernel fitted(const Wide& kernel, Normalize normalize, const Samples& training) {
  KernelSpec spec;
  spec.type = kernel.type;
  spec.parameters = kernel.parameters;
  spec.columns = all_kernels(training.n_columns());
  spec.normalize = normalize;
  spec.name = kernel.type;
  return FittedKernel::fit(std::move(spec), training, 2);
}

double largest_error(const Matrix& computed, const LongMatrix& exact) {
  return static_cast<double>((computed.cast<Long>() - exact).cwiseAbs().maxCoeff() / exact.cwiseAbs().maxCoeff());
}

TEST(WideKernels, AgreeWithSumsInExtendedPrecisionForEveryNormalization) {
  for (const Index d : {63, 64, 200}) {
    for (const Wide& kernel : kernels_for(std::sqrt(static_cast<double>(d)))) {
      const bool categorical = kernel.type == "overlap";
      const auto draw = [&](Index n, unsigned seed) {
        const Matrix values = uniform(n, d, seed);
        return table(categorical ? Matrix((1.5 * values).array().floor()) : values, categorical);
      };
      const Samples train = draw(150, 1), fresh = draw(37, 2);
      const LongMatrix raw = naive(kernel, train, train), raw_fresh = naive(kernel, fresh, fresh);
      const LongMatrix raw_cross = naive(kernel, fresh, train);
      for (const Normalize normalize : {Normalize::none, Normalize::trace, Normalize::diagonal, Normalize::center}) {
        const FittedKernel one = fitted(kernel, normalize, train);
        Matrix gram(150, 150), cross(37, 150);
        one.gram(train, gram, 2);
        one.cross(fresh, train, cross, 2);
        const std::string what = kernel.type + " " + std::string(normalize_name(normalize)) + " " + std::to_string(d);
        EXPECT_LE(largest_error(gram, normalized(normalize, raw, raw, raw)), 1e-12) << what;
        EXPECT_LE(largest_error(cross, normalized(normalize, raw_cross, raw, raw_fresh)), 1e-12) << what;
        EXPECT_EQ(gram, gram.transpose()) << what;
      }
    }
  }
}

/// Columns of size 1e8 that vary by 1, rows that are 1e-7 apart from another, rows that are the same, a row that is far
/// from all others, and rows close to the origin.
Samples hostile(Index n, Index d) {
  Matrix values = uniform(n, d, 5);
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> tiny(-1e-7, 1e-7);
  for (Index j = 0; j < d; j += 3) values.col(j).array() += 1e8;
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < d; ++j)
      values(n - 1 - i, j) = values(i, j) + tiny(random) / std::sqrt(static_cast<double>(d));
  values.row(50) = values.row(3);
  values.row(n / 2) *= -1e3;
  values.row(60).setConstant(1e-3);
  values.row(61).setZero();
  values(61, 0) = 1;
  return table(values);
}

TEST(WideKernels, HostileTablesKeepTwelveDigits) {
  const Samples samples = hostile(300, 150);
  const double far = std::sqrt(150.0);
  for (const double width : {1e-7, far, 1e8 * far}) {
    for (const Wide& kernel : kernels_for(width)) {
      if (kernel.type == "overlap" || kernel.type == "chi_squared" || kernel.type == "histogram_intersection") continue;
      const bool inner = kernel.type == "linear" || kernel.type == "polynomial";
      const LongMatrix exact = naive(kernel, samples, samples);
      Matrix gram(300, 300);
      fitted(kernel, Normalize::none, samples).gram(samples, gram, 2);
      double worst = 0;
      for (Index i = 0; i < 300; ++i)
        for (Index j = 0; j < 300; ++j) {
          const Long scale = inner ? std::sqrt(exact(i, i) * exact(j, j)) : Long(1);
          worst = std::max(worst, static_cast<double>(std::abs(gram(i, j) - exact(i, j)) / scale));
        }
      EXPECT_LE(worst, 1e-12) << kernel.type << " of width " << width;
    }
  }
}

/// Distances themselves, entry by entry.
TEST(WideKernels, HostileDistancesKeepTwelveDigits) {
  const Samples samples = hostile(260, 90);
  const Points points(samples, all_kernels(90), Base::squared_distance);
  Matrix distances(260, 260);
  base_block(points, 0, points, 0, distances);
  for (Index i = 0; i < 260; ++i)
    for (Index j = 0; j < 260; ++j) {
      const Long exact = squared(samples, i, samples, j);
      EXPECT_LE(static_cast<double>(std::abs(distances(i, j) - exact)), 1e-12 * static_cast<double>(exact)) << i << j;
    }
  EXPECT_EQ(distances.diagonal(), Vector::Zero(260));
  const Matrix tile = distances.topLeftCorner(kTile, kTile);
  EXPECT_TRUE(tile == tile.transpose()) << "on the diagonal of a Gram matrix tiles are symmetric";
  EXPECT_EQ(distances(50, 3), 0) << "the same row twice";
}

TEST(WideKernels, OneProductServesAllKernelsOnTheSameColumns) {
  const Samples train = table(uniform(200, 80, 1).array() + 3.0);
  const auto all = kernels_for(9);
  std::vector<FittedKernel> kernels;
  for (std::size_t k = 0; k < 7; ++k) kernels.push_back(fitted(all[k], Normalize::trace, train));
  const std::vector<Index> family = families_of(kernels);
  for (Index k = 0; k < 6; ++k) EXPECT_EQ(family[k], family[0]) << all[k].type;
  EXPECT_NE(family[6], family[0]) << "absolute differences are no product";
  const auto bank = make_dense_bank(train, kernels, 3);
  for (Index k = 0; k < 7; ++k) {
    Matrix alone(200, 200);
    kernels[k].gram(train, alone, 1);
    const Matrix together = std::dynamic_pointer_cast<const DenseBank>(bank)->gram(k);
    EXPECT_LE((together - alone).cwiseAbs().maxCoeff(), 1e-13 * alone.cwiseAbs().maxCoeff()) << all[k].type;
  }
}

TEST(WideKernels, NarrowOnesShareOnlyWhatTheyDidBefore) {
  const Samples train = table(uniform(20, 5, 1));
  const auto all = kernels_for(2);
  const std::vector<FittedKernel> kernels = {fitted(all[0], Normalize::trace, train),
                                             fitted(all[2], Normalize::trace, train),
                                             fitted(all[3], Normalize::trace, train)};
  const std::vector<Index> family = families_of(kernels);
  EXPECT_NE(family[0], family[1]);
  EXPECT_EQ(family[1], family[2]) << "both are functions of the distance";
}

/// What is predicted for a row does not depend on the rows that are predicted with it.
TEST(WideKernels, ARowDoesNotDependOnItsCompany) {
  const Samples train = hostile(200, 100);
  const Samples fresh = table(Matrix(train.values.middleRows(20, 90)));
  for (const Wide& kernel : kernels_for(10)) {
    if (kernel.type == "overlap" || kernel.type == "chi_squared" || kernel.type == "histogram_intersection") continue;
    const FittedKernel one = fitted(kernel, Normalize::none, train);
    Matrix all(90, 200);
    one.cross(fresh, train, all, 1);
    for (const Index first : {0, 31, 89}) {
      const Samples alone = table(Matrix(fresh.values.row(first)));
      Matrix row(1, 200);
      one.cross(alone, train, row, 1);
      EXPECT_EQ(row, all.row(first)) << kernel.type;
    }
  }
}

TEST(WideKernels, SumsAreTheSameBitsInAnyBlock) {
  const Samples samples = table(uniform(140, 150, 3));
  for (const Base base : {Base::squared_distance, Base::l1_distance, Base::inner_product, Base::intersection}) {
    const Points points(samples, all_kernels(150), base);
    Matrix whole(140, 140), one(1, 1), narrow(140, 2);
    sum_base(base, points, 0, points, 0, whole);
    sum_base(base, points, 0, points, 77, narrow);
    EXPECT_EQ(narrow, whole.middleCols(77, 2));
    sum_base(base, points, 131, points, 139, one);
    EXPECT_EQ(one(0, 0), whole(131, 139));
  }
}

TEST(TileSharesTest, EveryTileBelongsToOnePart) {
  for (const Index parts : {1, 2, 7, 40}) {
    const TileShares shares({1, 100, 0.1, 3}, 10, parts);
    for (std::size_t family = 0; family < 4; ++family) {
      EXPECT_EQ(shares.first(family, 0), 0);
      EXPECT_EQ(shares.first(family, parts), 10);
      for (Index part = 0; part < parts; ++part) EXPECT_LE(shares.first(family, part), shares.first(family, part + 1));
    }
  }
  const TileShares two({1, 1}, 10, 2);
  EXPECT_EQ(two.first(0, 1), 10);
  EXPECT_EQ(two.first(1, 1), 0);
}

TEST(TriangleTileTest, WalksColumnByColumn) {
  TriangleTile walk(0, 4);
  for (Index number = 0; number < 10; ++number, walk.advance(4)) {
    const TriangleTile tile(number, 4);
    EXPECT_EQ(std::pair(tile.row, tile.column), std::pair(walk.row, walk.column));
    EXPECT_GE(tile.row, tile.column);
  }
}

TEST(OwnFactor, IsAFactorOfTheGramMatrix) {
  const auto all = kernels_for(3);
  for (const std::size_t k : {std::size_t{0}, std::size_t{5}, std::size_t{9}}) {
    const bool categorical = all[k].type == "overlap";
    const Matrix values = uniform(60, 7, 4);
    const Samples train = table(categorical ? Matrix((1.5 * values).array().floor()) : values, categorical);
    for (const Normalize normalize : {Normalize::none, Normalize::trace, Normalize::diagonal, Normalize::center}) {
      const FittedKernel kernel = fitted(all[k], normalize, train);
      Matrix gram(60, 60);
      kernel.gram(train, gram, 1);
      const Matrix Z = own_factor(kernel, train);
      EXPECT_EQ(Z.cols(), own_factor_width(kernel, train));
      EXPECT_EQ(Z.cols(), categorical ? 21 : 7);
      EXPECT_LE((Z * Z.transpose() - gram).cwiseAbs().maxCoeff(), 1e-13 * gram.cwiseAbs().maxCoeff())
          << all[k].type << " " << normalize_name(normalize);
    }
  }
  const Samples few = table(uniform(60, 3, 4));
  const KernelSpec centred{"polynomial", {{"degree", 3}}, {0, 1, 2}, Normalize::center, 0, "centred", ""};
  EXPECT_EQ(own_factor_width(FittedKernel::fit(centred, few, 1), few), 0) << "centred powers lose digits";
  for (const Normalize normalize : {Normalize::none, Normalize::trace, Normalize::diagonal}) {
    const KernelSpec cubic{"polynomial", {{"degree", 3}}, {0, 1, 2}, normalize, 0, "cubic", ""};
    const FittedKernel kernel = FittedKernel::fit(cubic, few, 1);
    Matrix gram(60, 60);
    kernel.gram(few, gram, 1);
    const Matrix Z = own_factor(kernel, few);
    EXPECT_EQ(Z.cols(), own_factor_width(kernel, few));
    EXPECT_EQ(Z.cols(), 20);
    EXPECT_LE((Z * Z.transpose() - gram).cwiseAbs().maxCoeff(), 1e-13 * gram.cwiseAbs().maxCoeff())
        << normalize_name(normalize);
  }
  const Samples train = table(uniform(60, 7, 4));
  EXPECT_EQ(own_factor_width(fitted(all[2], Normalize::trace, train), train), 0) << "a Gaussian has no such features";
  KernelSpec spec = fitted(all[0], Normalize::trace, train).spec();
  spec.jitter = 0.1;
  EXPECT_EQ(own_factor_width(FittedKernel::fit(spec, train, 1), train), 0) << "a jitter has as many as there are rows";
}

TEST(OwnFactor, LinearKernelsOfMiddlingWidthAreKeptAsTheirColumns) {
  const auto linear = kernels_for(3)[0];
  const auto train = std::make_shared<const Samples>(table(uniform(400, 200, 4)));
  const std::vector<FittedKernel> kernels = {fitted(linear, Normalize::trace, *train)};
  const auto bank = make_bank(train, kernels, {.memory = 1e9, .threads = 2});
  EXPECT_EQ(bank->rank(0), 200);
  EXPECT_TRUE(bank->exact()) << "nothing is left out";
  Matrix gram(400, 400), sum = Matrix::Zero(400, 400);
  kernels[0].gram(*train, gram, 1);
  const std::vector<Index> only = {0};
  bank->add_weighted_sum(only, Vector::Constant(1, 2), sum);
  EXPECT_LE(Matrix((sum - 2 * gram).triangularView<Eigen::Lower>()).cwiseAbs().maxCoeff(), 1e-15);
  Vector column(400);
  bank->weighted_column(only, Vector::Constant(1, 2), 123, column);
  EXPECT_LE((column - 2 * gram.col(123)).cwiseAbs().maxCoeff(), 1e-15);
  const auto few = std::make_shared<const Samples>(select_rows(*train, all_kernels(250)));
  const auto dense = make_bank(few, {fitted(linear, Normalize::trace, *few)}, {.memory = 1e9, .threads = 2});
  EXPECT_EQ(dense->rank(0), 250) << "a matrix is smaller to read";
}

}  // namespace
}  // namespace spicymkl
