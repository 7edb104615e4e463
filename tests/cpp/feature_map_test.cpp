// Kernels by features against what they stand for: the formula of Nyström, the kernel itself, and its spectrum.
#include "spicymkl/kernel/feature_map.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "spicymkl/kernel/fitted_kernel.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using testing_support::expect_refused;

constexpr Index kRows = 300;

/// Two columns of numbers, one of positive numbers, one of categories.
Samples mixed_samples(Index n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Samples samples{{"a", "b", "positive", "colour"}, Matrix(n, 4), {false, false, false, true}};
  for (Index i = 0; i < n; ++i)
    samples.values.row(i) << normal(random), normal(random), std::abs(normal(random)) + 0.1,
        static_cast<double>(random() % 3);
  return samples;
}

struct Case {
  std::string type;
  KernelParameters parameters;
  std::vector<Index> columns = {0, 1};
};

std::vector<Case> every_type() {
  return {{"gaussian", {{"width", 1.2}}},
          {"laplacian", {{"width", 2}}},
          {"matern", {{"length", 1.5}, {"nu", 1.5}}},
          {"rational_quadratic", {{"length", 1}, {"shape", 1}}},
          {"linear", {}},
          {"polynomial", {{"degree", 3}}},
          {"cosine", {}},
          {"chi_squared", {{"gamma", 1}}, {2}},
          {"histogram_intersection", {}, {2}},
          {"overlap", {}, {3}}};
}

KernelSpec spec_of(const Case& one, Normalize normalize, FeatureSpec features = {}) {
  KernelSpec spec{one.type, one.parameters, one.columns, normalize, 0, one.type, ""};
  const KernelType& type = find_kernel_type(one.type, one.type);
  std::erase_if(spec.parameters, [&](const auto& parameter) {
    return std::ranges::none_of(type.parameters, [&](const auto& rule) { return rule.name == parameter.first; });
  });
  spec.features = features;
  return spec;
}

Matrix gram_of(const FittedKernel& kernel, const Samples& samples) {
  Matrix gram(samples.n_rows(), samples.n_rows());
  kernel.gram(samples, gram, 1);
  return gram;
}

Matrix centred(const Matrix& K) {
  const Index n = K.rows();
  const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
  return H * K * H;
}

/// Places of the landmarks among the training rows.
std::vector<Index> landmark_rows(const FittedKernel& kernel, const Samples& samples) {
  std::vector<Index> rows;
  const Matrix& landmarks = kernel.features().constants().points;
  for (Index k = 0; k < landmarks.rows(); ++k)
    for (Index i = 0; i < samples.n_rows(); ++i)
      if (samples.values(i, kernel.spec().columns) == landmarks.row(k)) {
        rows.push_back(i);
        break;
      }
  return rows;
}

TEST(NystromFeatures, AreTheFormulaForEveryKernelAndNormalisation) {
  const Samples samples = mixed_samples(kRows, 1);
  for (const Case& one : every_type())
    for (const Normalize normalize : {Normalize::trace, Normalize::diagonal, Normalize::none, Normalize::center}) {
      SCOPED_TRACE(one.type + " " + std::string(normalize_name(normalize)));
      const Normalize uncentred = normalize == Normalize::center ? Normalize::none : normalize;
      const FittedKernel kernel =
          FittedKernel::fit(spec_of(one, normalize, {.kind = FeatureKind::nystrom, .rank = 12}), samples, 1);
      const Matrix K = gram_of(FittedKernel::fit(spec_of(one, uncentred), samples, 1), samples);
      const std::vector<Index> rows = landmark_rows(kernel, samples);
      ASSERT_EQ(std::ssize(rows), kernel.features().n_raw());
      const Matrix across = K(Eigen::all, rows), inner = K(rows, rows);
      Matrix expected = across * inner.ldlt().solve(across.transpose());
      if (normalize == Normalize::center) expected = centred(expected);
      EXPECT_LE((gram_of(kernel, samples) - expected).norm(), 1e-6 * K.norm());
    }
}

TEST(NystromFeatures, LeaveOutAPositiveSemiDefinitePart) {
  const Samples samples = mixed_samples(kRows, 2);
  const Case gaussian{"gaussian", {{"width", 1}}};
  const FittedKernel kernel =
      FittedKernel::fit(spec_of(gaussian, Normalize::trace, {.kind = FeatureKind::nystrom, .rank = 20}), samples, 1);
  const Matrix left =
      gram_of(FittedKernel::fit(spec_of(gaussian, Normalize::trace), samples, 1), samples) - gram_of(kernel, samples);
  EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix>(left).eigenvalues().minCoeff(), -1e-12);
  EXPECT_NEAR(left.trace(), kernel.features().constants().missing, 1e-9) << "measured on all of the few rows";
}

TEST(NystromFeatures, OfFullRankAreTheKernel) {
  const Samples samples = mixed_samples(60, 3);
  for (const Case& one : every_type()) {
    SCOPED_TRACE(one.type);
    const FeatureSpec all{.kind = FeatureKind::nystrom, .rank = 60, .tolerance = 1e-9};
    const FittedKernel kernel = FittedKernel::fit(spec_of(one, Normalize::trace, all), samples, 1);
    const Matrix K = gram_of(FittedKernel::fit(spec_of(one, Normalize::trace), samples, 1), samples);
    EXPECT_LE((gram_of(kernel, samples) - K).norm(), 1e-6 * K.norm());
    EXPECT_LE(kernel.features().constants().missing, 1e-8);
  }
}

TEST(NystromFeatures, AreAsFewAsTheToleranceAllows) {
  const Samples samples = mixed_samples(kRows, 4);
  const Case wide{"gaussian", {{"width", 5}}};
  Index before = 0;
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    const FeatureSpec features{.kind = FeatureKind::nystrom, .rank = 200, .tolerance = tolerance};
    const FittedKernel kernel = FittedKernel::fit(spec_of(wide, Normalize::trace, features), samples, 1);
    EXPECT_LE(kernel.features().constants().missing, 1.01 * tolerance);
    EXPECT_GT(kernel.features().width(), before);
    EXPECT_LT(kernel.features().width(), 60);
    before = kernel.features().width();
  }
}

TEST(FourierFeatures, MeetTheKernelOnTheMean) {
  const Samples samples = mixed_samples(100, 5);
  for (const Case& one : std::vector<Case>{{"gaussian", {{"width", 1.2}}},
                                           {"laplacian", {{"width", 2}}},
                                           {"matern", {{"length", 1.5}, {"nu", 0.5}}},
                                           {"matern", {{"length", 1.5}, {"nu", 1.5}}},
                                           {"matern", {{"length", 1.5}, {"nu", 2.5}}}}) {
    SCOPED_TRACE(one.type);
    const Matrix K = gram_of(FittedKernel::fit(spec_of(one, Normalize::none), samples, 1), samples);
    Matrix mean = Matrix::Zero(100, 100);
    constexpr int kDraws = 20;
    for (int seed = 0; seed < kDraws; ++seed) {
      const FeatureSpec features{.kind = FeatureKind::fourier, .rank = 500, .seed = static_cast<std::uint64_t>(seed)};
      mean += gram_of(FittedKernel::fit(spec_of(one, Normalize::none, features), samples, 1), samples) / kDraws;
    }
    // 20·250 frequencies: a standard deviation of at most 1/√(2·5000) = 0.01 per entry.
    EXPECT_LE((mean - K).cwiseAbs().maxCoeff(), 0.05);
    EXPECT_LE((mean - K).norm() / 100, 0.012);
    EXPECT_NEAR(mean.diagonal().minCoeff(), 1, 1e-12);
  }
}

TEST(ExactFeatures, AreTheKernelOnTrainingAndNewRows) {
  const Samples samples = mixed_samples(80, 6), fresh = mixed_samples(30, 7);
  for (const Case& one : std::vector<Case>{{"linear", {}},
                                           {"cosine", {}},
                                           {"overlap", {}, {3}},
                                           {"polynomial", {{"degree", 1}, {"offset", 0.3}}},
                                           {"polynomial", {{"degree", 2}, {"scale", 0.5}}},
                                           {"polynomial", {{"degree", 3}}, {0, 1, 2}},
                                           {"polynomial", {{"degree", 4}, {"offset", 0}}, {0, 1, 2}},
                                           {"polynomial", {{"degree", 7}}, {2}}})
    for (const Normalize normalize : {Normalize::trace, Normalize::diagonal, Normalize::none, Normalize::center}) {
      SCOPED_TRACE(::testing::PrintToString(one.parameters) + one.type + " " + std::string(normalize_name(normalize)));
      const FittedKernel kernel = FittedKernel::fit(spec_of(one, normalize, {.kind = FeatureKind::exact}), samples, 1);
      const FittedKernel plain = FittedKernel::fit(spec_of(one, normalize), samples, 1);
      const Matrix K = gram_of(plain, samples);
      EXPECT_LE((gram_of(kernel, samples) - K).norm(), 1e-13 * K.norm());
      Matrix got(30, 80), expected(30, 80);
      kernel.cross(fresh, samples, got, 1);
      plain.cross(fresh, samples, expected, 1);
      EXPECT_LE((got - expected).norm(), 1e-12 * expected.norm());
      const Vector own = plain.training_diagonal(samples), of_fresh = plain.diagonal(fresh, samples, 1);
      EXPECT_LE((kernel.training_diagonal(samples) - own).norm(), 1e-12 * std::max(1.0, own.norm()));
      EXPECT_LE((kernel.diagonal(fresh, samples, 1) - of_fresh).norm(), 1e-12 * std::max(1.0, of_fresh.norm()));
    }
}

TEST(ExactFeatures, OfAPolynomialAreItsMonomials) {
  const Samples samples = mixed_samples(20, 9);
  const auto width = [&](KernelParameters parameters, std::vector<Index> columns) {
    return n_exact_features(spec_of({"polynomial", std::move(parameters), std::move(columns)}, Normalize::none));
  };
  EXPECT_EQ(width({{"degree", 3}}, {0}), 4);
  EXPECT_EQ(width({{"degree", 3}}, {0, 1, 2}), 20);
  EXPECT_EQ(width({{"degree", 3}, {"offset", 0}}, {0, 1, 2}), 10);
  EXPECT_EQ(width({{"degree", 1000}}, {0}), 0) << "coefficients beyond what can be multiplied safely";
  EXPECT_EQ(width({{"degree", 40}}, {0, 1, 2}), 0) << "12,341 are too many";
  const KernelSpec spec = spec_of({"polynomial", {{"degree", 2}, {"scale", 0.5}, {"offset", 3}}}, Normalize::none,
                                  {.kind = FeatureKind::exact});
  const Matrix phi = FittedKernel::fit(spec, samples, 1).features().features(samples, 0, 20);
  const auto x = samples.values.col(0).array(), z = samples.values.col(1).array();
  Matrix expected(20, 6);  // (3 + (x·x′ + z·z′)/2)²
  expected.col(0).setConstant(3);
  expected.col(1) = std::sqrt(3.0) * x;
  expected.col(2) = std::sqrt(3.0) * z;
  expected.col(3) = x.square() / 2;
  expected.col(4) = x * z / std::sqrt(2.0);
  expected.col(5) = z.square() / 2;
  EXPECT_LE((phi - expected).cwiseAbs().maxCoeff(), 1e-14 * expected.cwiseAbs().maxCoeff());
}

TEST(FeatureRefusals, NameTheKernelAndSayWhatToDo) {
  const Samples samples = mixed_samples(50, 8);
  const auto fit = [&](const Case& one, FeatureSpec features, double jitter = 0) {
    KernelSpec spec = spec_of(one, Normalize::trace, features);
    spec.jitter = jitter;
    FittedKernel::fit(std::move(spec), samples, 1);
  };
  const FeatureSpec waves{.kind = FeatureKind::fourier, .rank = 10};
  expect_refused([&] { fit({"polynomial", {{"degree", 2}}}, waves); }, "has no Fourier features");
  expect_refused([&] { fit({"gaussian", {{"width", 1}}}, {.kind = FeatureKind::exact}); }, "has no exact features");
  expect_refused([&] { fit({"polynomial", {{"degree", 50}}, {0, 1, 2}}, {.kind = FeatureKind::exact}); }, "too many");
  expect_refused([&] { fit({"gaussian", {{"width", 1}}}, waves, 0.1); }, "takes no jitter");
}

TEST(FeatureJson, IsReadWrittenAndRefused) {
  using Json = nlohmann::json;
  const auto read = [](const char* text) { return features_from_json(Json::parse(text), 7, "kernel 'k'"); };
  const FeatureSpec given = read(R"({"kind": "nystrom", "rank": 256, "tolerance": 0.01, "seed": 3})");
  EXPECT_EQ(given, (FeatureSpec{FeatureKind::nystrom, 256, 0.01, 3}));
  EXPECT_EQ(features_from_json(features_to_json(given), 0, ""), given);
  EXPECT_EQ(read(R"({"kind": "fourier", "rank": 9})"),
            (FeatureSpec{.kind = FeatureKind::fourier, .rank = 9, .seed = 7}));
  EXPECT_EQ(read(R"({"kind": "exact"})"), (FeatureSpec{.kind = FeatureKind::exact}));
  for (const auto& [text, mentioned] : std::vector<std::pair<const char*, const char*>>{
           {"7", "must be an object"},
           {R"({"rank": 3})", "must be an object"},
           {R"({"kind": "nystroem", "rank": 3})", "nystrom, fourier, exact or none"},
           {R"({"kind": "nystrom"})", "need a \"rank\""},
           {R"({"kind": "nystrom", "rank": 0})", "whole number from 1"},
           {R"({"kind": "nystrom", "rank": 1e9})", "whole number from 1"},
           {R"({"kind": "nystrom", "rank": 3, "tolerance": 2})", "from 0 to 1"},
           {R"({"kind": "fourier", "rank": 3, "tolerance": 0.1})", "have no \"tolerance\""},
           {R"({"kind": "exact", "rank": 3})", "have no \"rank\""}})
    expect_refused([&] { read(text); }, mentioned);
}

TEST(FeatureChoiceText, IsParsedOrRefused) {
  EXPECT_TRUE(parse_feature_choice("auto").automatic);
  EXPECT_EQ(parse_feature_choice("none").features.kind, FeatureKind::none);
  EXPECT_EQ(parse_feature_choice("nystrom:64").features, (FeatureSpec{.kind = FeatureKind::nystrom, .rank = 64}));
  EXPECT_EQ(parse_feature_choice("fourier:8").features, (FeatureSpec{.kind = FeatureKind::fourier, .rank = 8}));
  for (const char* text : {"nystrom", "nystrom:", "nystrom:0", "nystrom:1.5", "nystroem:9", "fourier:99999999", ""})
    expect_refused([&] { parse_feature_choice(text); }, "none, auto, nystrom:R or fourier:R");
}

}  // namespace
