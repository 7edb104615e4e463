// Sources that lack rows: a kernel is that of the rows that are there, and 0 everywhere else, in every form and bank.
#include "spicymkl/io/views.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/kernel/kernel_list.hpp"
#include "spicymkl/kernel/standardizer.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using testing_support::expect_refused;

/// Three columns of source "a", among them one of categories, and one of source "b"; each lacks some rows.
Samples two_sources(Index n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Samples samples{{"a:x", "a:y", "a:colour", "b:z"}, Matrix(n, 4), {false, false, true, false}};
  samples.views = {{"a", "b"}, {0, 0, 0, 1}, MissingView::zero, Matrix::Ones(n, 2)};
  for (Index i = 0; i < n; ++i) {
    samples.values.row(i) << normal(random), normal(random), static_cast<double>(random() % 3), normal(random);
    samples.views.present(i, 0) = i % 4 != 1;
    samples.views.present(i, 1) = i % 3 != 2;
    for (Index j = 0; j < 4; ++j)
      if (!samples.views.has(i, j)) samples.values(i, j) = 0;
  }
  return samples;
}

/// These rows, as if there had never been others.
Samples alone(const Samples& samples, const std::vector<Index>& rows) {
  Samples part = select_rows(samples, rows);
  part.views = {};
  return part;
}

struct ViewCase {
  std::string type;
  KernelParameters parameters;
  std::vector<Index> columns;
  FeatureSpec features = {};
};

std::vector<ViewCase> cases() {
  return {{"gaussian", {{"width", 1.1}}, {0, 1}},
          {"linear", {}, {0, 1}},
          {"polynomial", {{"degree", 2}}, {1, 3}},  // of both sources
          {"cosine", {}, {0, 1}},
          {"overlap", {}, {2}},
          {"gaussian", {{"width", 0.8}}, {3}},
          {"gaussian", {{"width", 1.1}}, {0, 1}, {FeatureKind::nystrom, 12}},
          {"gaussian", {{"width", 1.1}}, {0, 3}, {FeatureKind::fourier, 12}},
          {"linear", {}, {0, 1}, {FeatureKind::exact, 2}},
          {"overlap", {}, {2}, {FeatureKind::exact, 3}}};
}

std::vector<KernelSpec> specs() {
  std::vector<KernelSpec> specs;
  for (const ViewCase& one : cases())
    for (const Normalize normalize : {Normalize::trace, Normalize::diagonal, Normalize::center, Normalize::none})
      for (const double jitter : {0.0, 0.01}) {
        const bool by_features = one.features.kind != FeatureKind::none;
        if (jitter > 0 && (by_features || normalize == Normalize::center)) continue;
        KernelSpec spec{one.type, one.parameters, one.columns, normalize, jitter, "", ""};
        spec.features = one.features;
        spec.name = one.type + " " + std::string(normalize_name(normalize)) + (jitter > 0 ? " jitter" : "") +
                    std::string(feature_kind_name(one.features.kind));
        specs.push_back(spec);
      }
  return specs;
}

/// What the definition says: the Gram matrix of the rows that are there, with 0 in all others.
Matrix expected_gram(const KernelSpec& spec, const Samples& samples) {
  const std::vector<Index> rows = samples.views.present_rows(spec.columns, samples.n_rows());
  const Samples present = alone(samples, rows);
  Matrix part(present.n_rows(), present.n_rows());
  FittedKernel::fit(spec, present, 1).gram(present, part, 1);
  Matrix whole = Matrix::Zero(samples.n_rows(), samples.n_rows());
  whole(rows, rows) = part;
  return whole;
}

/// NaN where one of them has it.
double difference(const Matrix& a, const Matrix& b) { return (a - b).norm(); }

constexpr double kRounding = 1e-11;

TEST(ViewsTest, PresenceAsksAllSourcesOfTheColumns) {
  const Samples samples = two_sources(12, 1);
  const std::vector<Index> of_a = {0, 2}, of_both = {1, 3};
  const Vector a = samples.views.presence(of_a), both = samples.views.presence(of_both);
  for (Index i = 0; i < 12; ++i) {
    EXPECT_EQ(a(i), i % 4 != 1);
    EXPECT_EQ(both(i), i % 4 != 1 && i % 3 != 2);
  }
  EXPECT_EQ(samples.views.presence(of_a, 2, 3).size(), 0) << "rows 2, 3 and 4 are all there";
  EXPECT_EQ(select_rows(samples, std::vector<Index>{5, 0}).views.present.col(0), Vector({{0.0, 1.0}}));
  EXPECT_EQ(select_columns(samples, std::vector<Index>{3}).views.of_column, std::vector<Index>{1});
}

TEST(ViewsTest, GramIsThatOfTheRowsThatAreThere) {
  const Samples samples = two_sources(150, 2);  // more than a tile
  for (const KernelSpec& spec : specs()) {
    const FittedKernel kernel = FittedKernel::fit(spec, samples, 1);
    Matrix gram(150, 150);
    kernel.gram(samples, gram, 2);
    const Matrix expected = expected_gram(spec, samples);
    EXPECT_LT(difference(gram, expected), kRounding * (1 + expected.cwiseAbs().maxCoeff())) << spec.name;
    EXPECT_LT(difference(kernel.training_diagonal(samples), expected.diagonal()),
              kRounding * (1 + expected.cwiseAbs().maxCoeff()))
        << spec.name;
  }
}

TEST(ViewsTest, NewRowsThatASourceLacksAreZero) {
  const Samples training = two_sources(60, 3), fresh = two_sources(20, 4);
  for (const KernelSpec& spec : specs()) {
    const FittedKernel kernel = FittedKernel::fit(spec, training, 1);
    const std::vector<Index> rows = training.views.present_rows(spec.columns, 60);
    const std::vector<Index> new_rows = fresh.views.present_rows(spec.columns, 20);
    const Samples present = alone(training, rows), new_present = alone(fresh, new_rows);
    const FittedKernel known = FittedKernel::fit(spec, present, 1);
    Matrix part(new_present.n_rows(), present.n_rows()), cross(20, 60), expected = Matrix::Zero(20, 60);
    known.cross(new_present, present, part, 1);
    expected(new_rows, rows) = part;
    kernel.cross(fresh, training, cross, 1);
    EXPECT_LT(difference(cross, expected), kRounding * (1 + expected.cwiseAbs().maxCoeff())) << spec.name;
    Vector diagonal = Vector::Zero(20);
    diagonal(new_rows) = known.diagonal(new_present, present, 1);
    EXPECT_LT(difference(kernel.diagonal(fresh, training, 1), diagonal), kRounding * (1 + diagonal.maxCoeff()))
        << spec.name;
  }
}

TEST(ViewsTest, EveryBankKnowsOfIt) {
  const auto samples = std::make_shared<const Samples>(two_sources(150, 5));
  std::vector<FittedKernel> kernels;
  std::vector<Matrix> grams;
  for (const KernelSpec& spec : specs()) {
    kernels.push_back(FittedKernel::fit(spec, *samples, 1));
    grams.push_back(expected_gram(spec, *samples));
  }
  const Vector v = Vector::Random(150);
  for (const auto& bank : {make_bank(samples, kernels, {.expected_passes = 1000}),               // low rank and dense
                           make_bank(samples, kernels, {.memory = 1, .expected_passes = 1000}),  // on the fly
                           make_exact_bank(samples, kernels, 2)}) {
    for (Index m = 0; m < std::ssize(kernels); ++m) {
      const std::vector<Index> one = {m};
      Matrix product(150, 1);
      bank->weighted_product(one, Vector::Ones(1), v, product);
      const Vector expected = grams[m] * v;
      EXPECT_LT(difference(product, expected), 1e-6 * (1e-3 + expected.cwiseAbs().maxCoeff())) << bank->name(m);
      Vector diagonal(150);
      bank->weighted_diagonal(one, Vector::Ones(1), diagonal);
      for (Index i = 0; i < 150; ++i)
        if (grams[m](i, i) == 0) EXPECT_EQ(diagonal(i), 0) << bank->name(m);
    }
  }
}

TEST(ViewsTest, ScalesAndWidthsAreThoseOfTheRowsThatAreThere) {
  const Samples samples = two_sources(90, 6);
  const Standardizer all = Standardizer::fit(samples);
  for (Index j : {0, 1, 3}) {
    const std::vector<Index> rows = samples.views.present_rows(std::vector<Index>{j}, 90);
    const Standardizer some = Standardizer::fit(alone(samples, rows));
    EXPECT_NEAR(all.mean(j), some.mean(j), 1e-14);
    EXPECT_NEAR(all.scale(j), some.scale(j), 1e-14);
  }
  Samples scaled = samples;
  all.apply(scaled);
  EXPECT_EQ(scaled.values(1, 0), 0) << "there is nothing to scale";
  const KernelList list = make_kernel_list("auto", samples, {});
  const std::vector<Index> rows = samples.views.present_rows(std::vector<Index>{0}, 90);
  const Samples only_a = select_columns(alone(samples, rows), std::vector<Index>{0, 1, 2});
  const KernelList alone_list = make_kernel_list("auto:joint", only_a, {});
  std::vector<double> widths, expected;
  for (const KernelSpec& spec : list.kernels) {
    EXPECT_TRUE(spec.group == "a" || spec.group == "b") << spec.name << " crosses the tables";
    if (spec.group == "a" && spec.type == "gaussian") widths.push_back(spec.parameters.at("width"));
  }
  for (const KernelSpec& spec : alone_list.kernels)
    if (spec.type == "gaussian") expected.push_back(spec.parameters.at("width"));
  EXPECT_EQ(widths, expected);
}

TEST(ViewsTest, ASourceWithoutARowIsRefused) {
  Samples samples = two_sources(12, 7);
  samples.views.present.col(1).setZero();
  samples.values.col(3).setZero();
  expect_refused(
      [&] {
        FittedKernel::fit({"linear", {}, {3}, Normalize::trace, 0, "z", ""}, samples, 1);
      },
      "kernel 'z': there is no training row that all of its sources have (columns b:z)");
}

}  // namespace
