// Every kernel against its formula written naively, with every normalisation, on training rows and on new ones.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "core/vector_exp.hpp"
#include "kernel/kernel_json.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"
#include "spicymkl/kernel/standardizer.hpp"

namespace spicymkl {
namespace {

using Row = Eigen::RowVectorXd;
using Formula = std::function<double(const Row&, const Row&)>;

struct Case {
  std::string type;
  KernelParameters parameters;
  Formula formula;
};

double squared(const Row& x, const Row& z) { return (x - z).squaredNorm(); }

double chi(const Row& x, const Row& z) {
  double sum = 0;
  for (Index c = 0; c < x.size(); ++c)
    if (x(c) + z(c) > 0) sum += (x(c) - z(c)) * (x(c) - z(c)) / (x(c) + z(c));
  return sum;
}

double matern(double nu, double d) {
  if (nu == 0.5) return std::exp(-d);
  if (nu == 1.5) return (1 + std::sqrt(3) * d) * std::exp(-std::sqrt(3) * d);
  return (1 + std::sqrt(5) * d + 5 * d * d / 3) * std::exp(-std::sqrt(5) * d);
}

std::vector<Case> cases() {
  std::vector<Case> all = {
      {"linear", {}, [](const Row& x, const Row& z) { return x.dot(z); }},
      {"polynomial", {}, [](const Row& x, const Row& z) { return std::pow(x.dot(z) + 1, 3); }},
      {"polynomial",
       {{"degree", 5}, {"scale", 0.5}, {"offset", 2}},
       [](const Row& x, const Row& z) { return std::pow(0.5 * x.dot(z) + 2, 5); }},
      {"gaussian", {{"width", 0.7}}, [](const Row& x, const Row& z) { return std::exp(-squared(x, z) / 0.98); }},
      {"laplacian", {{"width", 0.7}}, [](const Row& x, const Row& z) { return std::exp(-(x - z).lpNorm<1>() / 0.7); }},
      {"rational_quadratic",
       {{"length", 0.8}, {"shape", 2.5}},
       [](const Row& x, const Row& z) { return std::pow(1 + squared(x, z) / (2 * 2.5 * 0.64), -2.5); }},
      {"rational_quadratic",
       {{"length", 0.8}},
       [](const Row& x, const Row& z) { return 1 / (1 + squared(x, z) / (2 * 0.64)); }},
      {"cosine", {}, [](const Row& x, const Row& z) { return x.dot(z) / (x.norm() * z.norm()); }},
      {"chi_squared", {{"gamma", 0.6}}, [](const Row& x, const Row& z) { return std::exp(-0.6 * chi(x, z)); }},
      {"histogram_intersection", {}, [](const Row& x, const Row& z) { return x.cwiseMin(z).sum(); }},
      {"overlap",
       {},
       [](const Row& x, const Row& z) {
         return static_cast<double>((x.array() == z.array()).count()) / static_cast<double>(x.size());
       }},
  };
  for (const double nu : {0.5, 1.5, 2.5})
    all.push_back({"matern", {{"nu", nu}, {"length", 1.3}}, [nu](const Row& x, const Row& z) {
                     return matern(nu, std::sqrt(squared(x, z)) / 1.3);
                   }});
  return all;
}

/// Non-negative, so that every numeric kernel can take them; categories for overlap.
Samples draw(Index n, Index d, bool categorical, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(0, 2);
  Samples samples{{}, Matrix(n, d), std::vector<bool>(static_cast<std::size_t>(d), categorical)};
  for (Index j = 0; j < d; ++j) samples.columns.push_back("x" + std::to_string(j + 1));
  for (double& value : samples.values.reshaped())
    value = categorical ? std::floor(number(generator) * 1.5) : number(generator);
  return samples;
}

KernelSpec spec_of(const Case& one, Normalize normalize, std::vector<Index> columns = {0, 2, 3}) {
  KernelSpec spec;
  spec.type = one.type;
  spec.parameters = one.parameters;
  spec.columns = std::move(columns);
  spec.normalize = normalize;
  spec.name = "k";
  return spec;
}

Row row_of(const Samples& samples, Index i, const std::vector<Index>& columns) {
  Row row(static_cast<Index>(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) row(static_cast<Index>(c)) = samples.values(i, columns[c]);
  return row;
}

Matrix naive(const Case& one, const Samples& a, const Samples& b, const std::vector<Index>& columns) {
  Matrix K(a.n_rows(), b.n_rows());
  for (Index i = 0; i < K.rows(); ++i)
    for (Index j = 0; j < K.cols(); ++j) K(i, j) = one.formula(row_of(a, i, columns), row_of(b, j, columns));
  return K;
}

/// The normalised cross block by the textbook, from the raw blocks.
Matrix naive_normalized(Normalize normalize, const Matrix& cross, const Matrix& train, const Vector& fresh_diagonal) {
  switch (normalize) {
    case Normalize::none:
      return cross;
    case Normalize::trace:
      return cross / train.trace();
    case Normalize::diagonal:
      return fresh_diagonal.cwiseSqrt().cwiseInverse().asDiagonal() * cross *
             train.diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
    case Normalize::center:
      break;
  }
  Matrix centred = cross;
  centred.colwise() -= cross.rowwise().mean();
  centred.rowwise() -= train.colwise().mean();
  return centred.array() + train.mean();
}

void expect_close(const Matrix& a, const Matrix& b, double tolerance, const std::string& what) {
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance * b.cwiseAbs().maxCoeff()) << what;
}

constexpr Normalize kAll[] = {Normalize::none, Normalize::trace, Normalize::diagonal, Normalize::center};

TEST(FittedKernel, EveryKernelOfTheLibraryHasACase) {
  for (const KernelType& type : kernel_types())
    EXPECT_TRUE(std::ranges::any_of(cases(), [&](const Case& one) { return one.type == type.name; })) << type.name;
}

TEST(FittedKernel, AgreesWithFormulasForEveryNormalization) {
  for (const Case& one : cases()) {
    const bool categorical = one.type == "overlap";
    const Samples train = draw(150, 5, categorical, 1), fresh = draw(37, 5, categorical, 2);
    for (const Normalize normalize : kAll) {
      const KernelSpec spec = spec_of(one, normalize);
      const std::string what = one.type + " " + std::string(normalize_name(normalize));
      const FittedKernel kernel = FittedKernel::fit(spec, train, 2);
      const Matrix raw = naive(one, train, train, spec.columns), raw_cross = naive(one, fresh, train, spec.columns);
      const Vector raw_fresh = naive(one, fresh, fresh, spec.columns).diagonal();
      Matrix gram(150, 150), cross(37, 150), again(150, 150);
      kernel.gram(train, gram, 2);
      kernel.cross(fresh, train, cross, 2);
      kernel.cross(train, train, again, 1);
      expect_close(gram, naive_normalized(normalize, raw, raw, raw.diagonal()), 1e-12, what);
      expect_close(cross, naive_normalized(normalize, raw_cross, raw, raw_fresh), 1e-12, what);
      expect_close(again, gram, 1e-13, what);
      EXPECT_EQ(gram, gram.transpose()) << what;
      const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly).eigenvalues();
      EXPECT_GE(values.minCoeff(), -1e-12 * values.maxCoeff()) << what;
      expect_close(kernel.diagonal(train, train, 1), gram.diagonal(), 1e-12, what);
      if (normalize == Normalize::trace) EXPECT_NEAR(gram.trace(), 1, 1e-13) << what;
      if (normalize == Normalize::diagonal)
        EXPECT_NEAR((gram.diagonal().array() - 1).abs().maxCoeff(), 0, 1e-14) << what;
      if (normalize == Normalize::center)
        EXPECT_LE(gram.colwise().sum().cwiseAbs().maxCoeff(), 1e-11 * raw.cwiseAbs().maxCoeff()) << what;
    }
  }
}

TEST(FittedKernel, EntryByEntryToTwelveDigits) {
  for (const Case& one : cases()) {
    const bool categorical = one.type == "overlap";
    const Samples train = draw(70, 40, categorical, 3);
    const std::vector<Index> columns = all_kernels(40);
    const FittedKernel kernel = FittedKernel::fit(spec_of(one, Normalize::none, columns), train, 1);
    const Matrix expected = naive(one, train, train, columns);
    Matrix gram(70, 70);
    kernel.gram(train, gram, 1);
    for (Index i = 0; i < gram.size(); ++i)
      EXPECT_NEAR(gram.data()[i], expected.data()[i], 1e-12 * std::abs(expected.data()[i])) << one.type;
  }
}

TEST(FittedKernel, SubsetOfTrainingRowsIsTheSameColumns) {
  const std::vector<Index> rows = {4, 0, 17};
  for (const Normalize normalize : kAll) {
    const Samples train = draw(40, 5, false, 1), fresh = draw(9, 5, false, 2);
    const FittedKernel kernel = FittedKernel::fit(spec_of(cases()[3], normalize), train, 1);
    Matrix all(9, 40), some(9, 3);
    kernel.cross(fresh, train, all, 1);
    kernel.cross(fresh, train, rows, some, 1);
    for (Index j = 0; j < 3; ++j)
      expect_close(some.col(j), all.col(rows[static_cast<std::size_t>(j)]), 1e-15, "subset");
  }
}

TEST(FittedKernel, ThreadsDoNotChangeABit) {
  const Samples train = draw(300, 5, false, 1);
  const FittedKernel kernel = FittedKernel::fit(spec_of(cases()[3], Normalize::center), train, 1);
  Matrix one(300, 300), two(300, 300);
  kernel.gram(train, one, 1);
  FittedKernel::fit(kernel.spec(), train, 3).gram(train, two, 3);
  EXPECT_EQ(one, two);
}

TEST(FittedKernel, JitterIsPartOfTheNormalizedKernel) {
  const Samples train = draw(30, 5, false, 1);
  const Case one = cases()[0];
  for (const Normalize normalize : kAll) {
    KernelSpec spec = spec_of(one, normalize);
    spec.jitter = 0.25;
    const FittedKernel kernel = FittedKernel::fit(spec, train, 1);
    Matrix raw = naive(one, train, train, spec.columns), gram(30, 30);
    raw.diagonal().array() += 0.25;
    kernel.gram(train, gram, 1);
    expect_close(gram, naive_normalized(normalize, raw, raw, raw.diagonal()), 1e-12, "jitter");
  }
}

TEST(FittedKernel, JsonKeepsEveryBit) {
  const Samples train = draw(40, 5, false, 1), fresh = draw(9, 5, false, 2);
  for (const Normalize normalize : kAll) {
    KernelSpec spec = spec_of(cases()[3], normalize);
    spec.group = "source";
    const FittedKernel kernel = FittedKernel::fit(spec, train, 1);
    const std::string text = fitted_kernel_to_json(kernel).dump();
    const FittedKernel back = fitted_kernel_from_json(nlohmann::json::parse(text));
    EXPECT_EQ(fitted_kernel_to_json(back).dump(), text);
    Matrix a(9, 40), b(9, 40);
    kernel.cross(fresh, train, a, 1);
    back.cross(fresh, train, b, 1);
    EXPECT_EQ(a, b);
  }
  EXPECT_THROW(fitted_kernel_from_json(nlohmann::json::parse(R"({"name":"k"})")), InputError);
}

TEST(Base, DistancesAreExactForClosePointsFarFromTheOrigin) {
  Samples samples{{"a"}, Matrix(2, 1), {}};
  samples.values << 1e8, 1e8 + 1e-3;
  const std::vector<Index> columns = {0};
  const Points points(samples, columns, Base::squared_distance);
  Matrix out(2, 2);
  base_block(points, 0, points, 0, out);
  const double difference = samples.values(1, 0) - samples.values(0, 0);
  EXPECT_EQ(out(0, 0), 0);
  EXPECT_EQ(out(1, 0), difference * difference);
  EXPECT_EQ(out(0, 1), out(1, 0));
}

TEST(VectorExp, AgreesWithLongDoubleAtEveryLevelAndLength) {
  for (int level = 0; level <= static_cast<int>(simd_level()); ++level) {
    for (const Index n : {1, 7, 8, 19, 1000}) {
      Vector x = Vector::LinSpaced(n, -5, 705), out(n);
      vector_exp(-1, x.data(), out.data(), n, static_cast<SimdLevel>(level));
      for (Index i = 0; i < n; ++i) {
        const long double exact = std::exp(-static_cast<long double>(x(i)));
        EXPECT_LE(std::abs(static_cast<double>((out(i) - exact) / exact)), 4e-16);
      }
    }
    double far[] = {0, 709, 1e300, std::numeric_limits<double>::infinity()};
    vector_exp(-1, far, far, 4, static_cast<SimdLevel>(level));
    EXPECT_EQ(far[0], 1);
    for (int i = 1; i < 4; ++i) EXPECT_EQ(far[i], 0);
  }
}

TEST(Standardizer, FitsTrainingRowsAndLeavesConstantAndCategoricalColumns) {
  Samples train{{"a", "constant", "c"}, Matrix(4, 3), {false, false, true}};
  train.values << 1, 0.1, 0, 3, 0.1, 1, 5, 0.1, 2, 7, 0.1, 0;
  const Standardizer fitted = Standardizer::fit(train);
  EXPECT_DOUBLE_EQ(fitted.mean(0), 4);
  EXPECT_DOUBLE_EQ(fitted.scale(0), std::sqrt(5));
  EXPECT_EQ(fitted.scale(1), 1);
  Samples seen = train;
  fitted.apply(seen);
  EXPECT_EQ(seen.values.col(1), Vector::Zero(4));
  EXPECT_EQ(seen.values.col(2), train.values.col(2));
  EXPECT_NEAR(seen.values.col(0).squaredNorm(), 4, 1e-14);
}

TEST(Standardizer, AValueThatEqualsTheMeanButForRoundingIsZero) {
  Samples train{{"a"}, Matrix(3, 1), {false}};
  train.values << 0.1, 0.2, 0.3;
  const Standardizer fitted = Standardizer::fit(train);
  fitted.apply(train);
  EXPECT_EQ(train.values(1, 0), 0);
  EXPECT_LT(train.values(0, 0), -1);
  EXPECT_GT(train.values(2, 0), 1);
}

// Refusals.

void expect_refused(const std::function<void()>& action, const std::vector<std::string>& parts) {
  try {
    action();
    FAIL() << "not refused: " << parts.front();
  } catch (const InputError& error) {
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << "\n  lacks: " << part;
  }
}

void expect_fit_refused(KernelSpec spec, const Samples& samples, const std::vector<std::string>& parts) {
  expect_refused([&] { FittedKernel::fit(spec, samples, 1); }, parts);
}

KernelSpec named(std::string type, KernelParameters parameters, Normalize normalize = Normalize::trace) {
  return spec_of({std::move(type), std::move(parameters), {}}, normalize, {0, 1});
}

TEST(KernelErrors, NameKernelColumnAndRow) {
  Samples good = draw(5, 2, false, 1), negative = good, zero = good, categorical = good;
  negative.values(3, 1) = -0.5;
  zero.values.setZero();
  categorical.categorical = {false, true};
  expect_fit_refused(named("gausian", {}), good, {"'k'", "gausian", "gaussian"});
  expect_fit_refused(named("gaussian", {{"widht", 1}}), good, {"'k'", "widht", "width"});
  expect_fit_refused(named("linear", {{"width", 1}}), good, {"'k'", "width", "none"});
  expect_fit_refused(named("gaussian", {}), good, {"'k'", "needs", "width"});
  for (const double width : {0.0, -1.0, std::nan("")})
    expect_fit_refused(named("gaussian", {{"width", width}}), good, {"'k'", "width is", "above 0"});
  expect_fit_refused(named("polynomial", {{"degree", 1.5}}), good, {"'k'", "degree is 1.5"});
  expect_fit_refused(named("polynomial", {{"offset", -1}}), good, {"'k'", "offset is -1"});
  expect_fit_refused(named("matern", {{"length", 1}, {"nu", 1}}), good, {"'k'", "nu is 1", "2.5"});
  for (const char* type : {"chi_squared", "histogram_intersection"})
    expect_fit_refused(named(type, {}), negative, {"'k'", "'x2'", "row 4", "-0.5"});
  expect_fit_refused(named("cosine", {}), zero, {"'k'", "x1+x2"});
  expect_fit_refused(named("cosine", {}, Normalize::diagonal), zero, {"'k'", "row 1", "x1+x2"});
  expect_fit_refused(named("linear", {}), zero, {"'k'", "x1+x2", "constant"});
  expect_fit_refused(named("linear", {}, Normalize::diagonal), zero, {"'k'", "row 1", "x1+x2"});
  expect_fit_refused(named("gaussian", {{"width", 1}}, Normalize::center), zero, {"'k'", "x1+x2", "constant"});
  expect_fit_refused(named("overlap", {}), categorical, {"'k'", "'x1'", "numeric"});
  expect_fit_refused(named("linear", {}), categorical, {"'k'", "'x2'", "overlap"});
  KernelSpec none = named("linear", {}), outside = none, jitter = none;
  none.columns.clear();
  outside.columns = {7};
  jitter.jitter = -1;
  expect_fit_refused(none, good, {"'k'", "no column"});
  expect_fit_refused(outside, good, {"'k'", "column 7"});
  expect_fit_refused(jitter, good, {"'k'", "jitter is -1"});
}

TEST(KernelErrors, NewRowsAreCheckedToo) {
  const Samples good = draw(5, 2, false, 1);
  Samples negative = good;
  negative.values(2, 0) = -1;
  Matrix out(5, 5);
  const FittedKernel kernel = FittedKernel::fit(named("chi_squared", {}), good, 1);
  expect_refused([&] { kernel.cross(negative, good, out, 1); }, {"'k'", "'x1'", "row 3"});
}

TEST(SamplesErrors, NameColumnAndRow) {
  const Samples good = draw(5, 2, true, 1);
  EXPECT_NO_THROW(check_samples(good));
  Samples twice = good, missing = good, code = good, names = good;
  twice.columns[1] = "x1";
  missing.values(1, 1) = std::nan("");
  code.values(4, 0) = 0.5;
  names.columns.pop_back();
  expect_refused([&] { check_samples(twice); }, {"'x1'", "twice"});
  expect_refused([&] { check_samples(missing); }, {"'x2'", "row 2"});
  expect_refused([&] { check_samples(code); }, {"'x1'", "row 5"});
  expect_refused([&] { check_samples(names); }, {"2 columns", "1 column"});
}

}  // namespace
}  // namespace spicymkl
