// Every bank answers every operation as the dense one does.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bank/feature_bank.hpp"
#include "bank/low_rank_bank.hpp"
#include "bank/on_the_fly_bank.hpp"
#include "device/make_device_bank.hpp"
#include "spicymkl/bank/forwarding_bank.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/bank/stored_bank.hpp"
#include "spicymkl/kernel/kernel_list.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/devices.hpp"
#include "support/thread_communicator.hpp"

namespace spicymkl {
namespace {

/// Samples, kernels of many kinds, and their Gram matrices.
struct Fixture {
  std::shared_ptr<Samples> samples = std::make_shared<Samples>();
  std::vector<FittedKernel> kernels;
  std::vector<Matrix> grams;
  Vector labels;

  /// `by_features`: the same kernels by features of all kinds.
  explicit Fixture(Index n, bool by_features = false) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    samples->columns = {"a", "b", "c"};
    samples->values = Matrix::NullaryExpr(n, 3, [&] { return normal(random); });
    for (const auto& [type, columns, normalize, jitter, parameters] :
         std::vector<std::tuple<std::string, std::vector<Index>, Normalize, double, KernelParameters>>{
             {"gaussian", {0}, Normalize::trace, 0, {{"width", 1}}},
             {"gaussian", {0}, Normalize::trace, 0, {{"width", 3}}},
             {"gaussian", {0, 1, 2}, Normalize::trace, 1e-3, {{"width", 1}}},
             {"gaussian", {0, 1, 2}, Normalize::center, 0, {{"width", 2}}},
             {"linear", {0, 1, 2}, Normalize::trace, 0, {}},
             {"polynomial", {1}, Normalize::diagonal, 0, {{"degree", 3}}},
             {"laplacian", {1, 2}, Normalize::none, 0, {{"width", 2}}}}) {
      KernelSpec spec{type, parameters, columns, normalize, jitter, type + std::to_string(kernels.size()), ""};
      if (by_features) {
        spec.jitter = 0;
        spec.features = {.kind = type == "linear"      ? FeatureKind::exact
                                 : type == "laplacian" ? FeatureKind::fourier
                                                       : FeatureKind::nystrom,
                         .rank = 30,
                         .seed = kernels.size()};
      }
      kernels.push_back(FittedKernel::fit(spec, *samples, 1));
      grams.emplace_back(n, n);
      kernels.back().gram(*samples, grams.back(), 1);
    }
    labels =
        (samples->values.col(0).array() + samples->values.col(1).array().square() > 0.7).select(Vector::Ones(n), -1);
  }

  std::shared_ptr<const DenseBank> dense() const {
    std::vector<const double*> pointers;
    for (const Matrix& gram : grams) pointers.push_back(gram.data());
    return std::make_shared<DenseBank>(pointers, samples->n_rows(), std::vector<std::string>{}, 2, nullptr);
  }

  std::shared_ptr<const KernelBank> low_rank(double tolerance) const {
    std::vector<Matrix> factors;
    std::vector<std::string> names;
    Vector missing(static_cast<Index>(kernels.size()));
    for (const FittedKernel& kernel : kernels) {
      factors.push_back(pivoted_cholesky(kernel, *samples, tolerance, samples->n_rows()));
      missing(static_cast<Index>(names.size())) = missing_trace(factors.back(), tolerance);
      names.push_back(kernel.spec().name);
    }
    return std::make_shared<LowRankBank>(factors, missing, samples->n_rows(), names, 2);
  }

  std::shared_ptr<const KernelBank> on_the_fly() const {
    return std::make_shared<OnTheFlyBank>(samples, kernels, 1e9, 2);
  }
};

std::shared_ptr<const KernelBank> single_precision(const Fixture& fixture) {
  const Index n = fixture.samples->n_rows();
  auto storage = std::make_shared<std::vector<Eigen::MatrixXf>>();
  std::vector<const float*> pointers;
  std::vector<std::string> names;
  for (const Matrix& gram : fixture.grams) storage->push_back(gram.cast<float>());
  for (std::size_t m = 0; m < storage->size(); ++m) {
    pointers.push_back((*storage)[m].data());
    names.push_back(fixture.kernels[m].spec().name);
  }
  return std::make_shared<SingleBank>(pointers, n, names, 2, storage);
}

/// Answers what every bank must answer, and leaves all else to the defaults.
class ProductsAlone final : public KernelBank {
 public:
  ProductsAlone(std::shared_ptr<const KernelBank> base, const std::vector<Index>& kernels)
      : KernelBank(ForwardingBank(base, kernels).shape()), all_(std::move(base), kernels) {}
  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override { all_.products(set, V, out); }
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override {
    all_.weighted_diagonal(set, weights, out);
  }
  double trace(Index kernel) const override { return all_.trace(kernel); }

 private:
  ForwardingBank all_;
};

/// Over ranks that are threads, which live as long as the bank. What it wraps is asked as it is; sums and columns too.
template <int ranks>
std::shared_ptr<const KernelBank> spread(const Fixture& fixture, BankOptions options, double least_entries = 1e9) {
  struct Kept {
    testing_support::ThreadTeam team{ranks};
    std::shared_ptr<const KernelBank> bank;
    ~Kept() { bank.reset(); }
  };
  auto kept = std::make_shared<Kept>();
  options.maker = spread_over(kept->team.team(), least_entries);
  options.threads = 1;
  kept->bank = make_bank(fixture.samples, fixture.kernels, options);
  return {kept, kept->bank.get()};
}

template <int ranks>
std::shared_ptr<const KernelBank> spread_without_memory(const Fixture& fixture) {
  return spread<ranks>(fixture, {.memory = 1, .expected_passes = 1000});
}

template <int ranks>
std::shared_ptr<const KernelBank> spread_with_memory(const Fixture& fixture) {
  return spread<ranks>(fixture, {.memory = 1e9, .expected_passes = 1000});
}

/// The matrices of subsets too.
template <int ranks>
std::shared_ptr<const KernelBank> all_spread(const Fixture& fixture) {
  return spread<ranks>(fixture, {.memory = 1e9, .expected_passes = 3}, 0);
}

using testing_support::TestDevice;

/// Matrices on a device, as many as fit into so many bytes; null where there is no such device.
template <TestDevice which, int number_bytes = 8, int memory = 1 << 30>
std::shared_ptr<const KernelBank> matrices_on(const Fixture& fixture) {
  const auto device = testing_support::open_device(which);
  if (!device) return nullptr;
  const BankOptions options{.memory = memory, .threads = 2};
  return make_device_bank(device, fixture.samples, fixture.kernels, number_bytes, options);
}

template <TestDevice which>
std::shared_ptr<const KernelBank> copied_to(const Fixture& fixture) {
  const auto device = testing_support::open_device(which);
  return device ? copy_to(device, *fixture.dense()) : nullptr;
}

/// As training on a device makes it.
template <TestDevice which>
std::shared_ptr<const KernelBank> chosen_on(const Fixture& fixture) {
  const auto device = testing_support::open_device(which);
  return device ? make_bank(fixture.samples, fixture.kernels, {.threads = 2, .maker = banks_on(device)}) : nullptr;
}

struct NamedBank {
  std::string name;
  double tolerance;
  std::shared_ptr<const KernelBank> (*make)(const Fixture&);
  bool by_features = false;
};

class BanksTest : public testing::TestWithParam<NamedBank> {
 protected:
  void SetUp() override {
    if (!bank) GTEST_SKIP() << testing_support::no_device();
  }

  Fixture fixture{150, GetParam().by_features};  // more than one tile
  std::shared_ptr<const KernelBank> bank = GetParam().make(fixture);
  std::shared_ptr<const DenseBank> dense = fixture.dense();
  std::vector<Index> set = {5, 0, 3, 2, 6, 4};
  Vector v = Vector::LinSpaced(150, -1, 2);
  Vector weights = Vector::LinSpaced(6, 0.5, 2);
};

TEST_P(BanksTest, ProductsAndQuadraticForms) {
  Matrix expected(150, 6), got(150, 6);
  dense->products(set, v, expected);
  bank->products(set, v, got);
  for (Index k = 0; k < 6; ++k)
    EXPECT_LE((got - expected).col(k).norm(), GetParam().tolerance * expected.col(k).norm()) << k;
  Vector forms(6), expected_forms(6);
  v.head(40).setZero();
  dense->quadratic_forms(set, v, expected_forms);
  bank->quadratic_forms(set, v, forms);
  for (Index k = 0; k < 6; ++k) EXPECT_NEAR(forms(k), expected_forms(k), GetParam().tolerance * expected_forms(k)) << k;
}

TEST_P(BanksTest, MostlyZeroVectors) {
  v.head(110).setZero();
  Matrix got(150, 6);
  bank->products(set, v, got);
  Vector forms(6);
  bank->quadratic_forms(set, v, forms);
  for (Index k = 0; k < 6; ++k) {
    const Vector expected = dense->gram(set[static_cast<std::size_t>(k)]) * v;
    EXPECT_LE((got.col(k) - expected).norm(), GetParam().tolerance * expected.norm()) << k;
    EXPECT_NEAR(forms(k), v.dot(expected), GetParam().tolerance * v.dot(expected)) << k;
  }
}

TEST_P(BanksTest, ColumnsAndDiagonal) {
  Matrix sum = Matrix::Zero(150, 150);
  for (Index k = 0; k < 6; ++k) sum += weights(k) * dense->gram(set[static_cast<std::size_t>(k)]);
  Vector column(150), diagonal(150);
  for (const Index i : {0, 77, 149}) {
    bank->weighted_column(set, weights, i, column);
    EXPECT_LE((column - sum.col(i)).norm(), GetParam().tolerance * sum.norm()) << i;
  }
  bank->weighted_diagonal(set, weights, diagonal);
  EXPECT_LE((diagonal - sum.diagonal()).norm(), GetParam().tolerance * sum.norm());
}

TEST_P(BanksTest, WeightedProductAndSum) {
  Vector expected(150), got(150);
  dense->weighted_product(set, weights, v, expected);
  bank->weighted_product(set, weights, v, got);
  EXPECT_LE((got - expected).norm(), GetParam().tolerance * expected.norm());
  if (bank->factors() != nullptr) {
    bank->factors()->rough_product(set, weights, v, got);
    EXPECT_LE((got - expected).norm(), (GetParam().tolerance + 1e-5) * expected.norm());
  }
  Matrix sum = Matrix::Ones(150, 150), expected_sum = sum;
  dense->add_weighted_sum(set, weights, expected_sum);
  bank->add_weighted_sum(set, weights, sum);
  if (bank->sums() != nullptr) {
    RoughMatrix rough = RoughMatrix::Ones(150, 150);
    bank->sums()->add_rough_sum(set, weights, rough);
    EXPECT_LT((rough.cast<double>() - sum).triangularView<Eigen::Lower>().toDenseMatrix().cwiseAbs().maxCoeff(),
              1e-5 * expected_sum.cwiseAbs().maxCoeff());
  }
  const Matrix difference = (sum - expected_sum).triangularView<Eigen::Lower>();
  EXPECT_LE(difference.cwiseAbs().maxCoeff(), GetParam().tolerance * expected_sum.cwiseAbs().maxCoeff());
}

TEST_P(BanksTest, NewtonSystem) {
  const Vector diagonal = Vector::LinSpaced(150, 1, 3);
  const Matrix low_rank = Matrix::Random(150, 2);
  Matrix expected = Matrix::Random(150, 1), got = expected;
  const auto system = bank->make_newton_system(), reference = dense->make_newton_system();
  ASSERT_TRUE(system->factor({set, weights, diagonal, low_rank, 2}));
  ASSERT_TRUE(reference->factor({set, weights, diagonal, low_rank, 2}));
  system->solve(got);
  reference->solve(expected);
  EXPECT_LE((got - expected).norm(), 10 * GetParam().tolerance * expected.norm());
}

TEST_P(BanksTest, Mixtures) {
  if (bank->mixtures() == nullptr) GTEST_SKIP() << "it makes none";
  Matrix K = Matrix::Zero(150, 150);
  dense->add_weighted_sum(set, weights, K);
  K = Matrix(K.selfadjointView<Eigen::Lower>());
  const auto mixture = bank->mixtures()->mixture(set, weights);
  Matrix V(150, 2), images(150, 2);
  V << v, v.reverse();
  mixture->product(V, images);
  EXPECT_LE((images - K * V).norm(), GetParam().tolerance * (K * V).norm());
  for (const Index step : {1, 3}) {
    std::vector<Index> some;
    for (Index i = 0; i < 150; i += step) some.push_back((7 * i) % 150);
    const Vector diagonal = Vector::LinSpaced(std::ssize(some), 1, 3);
    Matrix A = K(some, some);
    A.diagonal() += diagonal;
    const Matrix rhs = Matrix::Random(std::ssize(some), 11);
    Matrix got = rhs;
    ASSERT_TRUE(mixture->factor(some, diagonal));
    mixture->solve(got);
    EXPECT_LE((A * got - rhs).norm(), 10 * GetParam().tolerance * rhs.norm());
    EXPECT_FALSE(mixture->factor(some, Vector::Constant(std::ssize(some), -2 * K.trace())));
  }
}

TEST_P(BanksTest, NewtonSystemWithNestedSums) {
  const Vector diagonal = Vector::LinSpaced(150, 1, 3);
  const Matrix low_rank = Matrix::Random(150, 1);
  NestedSums nested{{}, {3, 50, 51, 120}, Vector::LinSpaced(4, 0.2, 0.8)};
  for (Index i = 0; i < 140; ++i) nested.order.push_back((7 * i) % 150);
  Matrix columns(150, 5), expected = Matrix::Random(150, 1), got = expected;
  columns << low_rank, nested.columns(150);
  const auto system = bank->make_newton_system(), reference = dense->make_newton_system();
  if (!system->takes_nested_sums()) GTEST_SKIP() << "they are columns to it";
  ASSERT_TRUE(system->factor({set, weights, diagonal, low_rank, 1, &nested}));
  ASSERT_TRUE(reference->factor({set, weights, diagonal, columns, 5}));
  system->solve(got);
  reference->solve(expected);
  EXPECT_LE((got - expected).norm(), 10 * GetParam().tolerance * expected.norm());
}

TEST_P(BanksTest, Traces) {
  for (Index m = 0; m < bank->n_kernels(); ++m)
    if (GetParam().by_features) EXPECT_GE(bank->trace(m), (1 - 1e-12) * dense->trace(m));
    else EXPECT_NEAR(bank->trace(m), dense->trace(m), GetParam().tolerance * dense->trace(m));
}

TEST_P(BanksTest, SeveralVectorsAtOnce) {
  constexpr Index width = 3;
  Matrix V(150, width);
  V << v, v.cwiseAbs2(), v.reverse();
  for (const Index zeros : {0, 30, 110}) {
    V.topRows(zeros).setZero();
    Matrix images(150, 6 * width), forms(6, width), sum(150, width);
    bank->products(set, V, images);
    bank->quadratic_forms(set, V, forms);
    bank->weighted_product(set, weights, V, sum);
    Matrix expected_sum = Matrix::Zero(150, width);
    for (Index k = 0; k < 6; ++k) {
      const Matrix expected = dense->gram(set[static_cast<std::size_t>(k)]) * V;
      expected_sum += weights(k) * expected;
      EXPECT_LE((images.middleCols(k * width, width) - expected).norm(), GetParam().tolerance * expected.norm()) << k;
      for (Index p = 0; p < width; ++p) {
        const double form = V.col(p).dot(expected.col(p));
        EXPECT_NEAR(forms(k, p), form, GetParam().tolerance * form) << k << ' ' << p;
      }
    }
    EXPECT_LE((sum - expected_sum).norm(), GetParam().tolerance * expected_sum.norm());
  }
}

TEST_P(BanksTest, FormsOfSeveralOutputs) {
  constexpr Index together = 5, blocks = 2;
  Matrix V = Matrix::Random(150, together * blocks);
  for (const Index zeros : {0, 110}) {
    V.topRows(zeros).setZero();
    for (const auto& asked : {bank, bank->subset(all_kernels(bank->n_kernels()))}) {
      Matrix forms(6, blocks);
      asked->joint_forms(set, V, together, forms);
      for (Index k = 0; k < 6; ++k)
        for (Index p = 0; p < blocks; ++p) {
          const auto outputs = V.middleCols(p * together, together);
          const double form = (outputs.transpose() * dense->gram(set[static_cast<std::size_t>(k)]) * outputs).trace();
          EXPECT_NEAR(forms(k, p), form, GetParam().tolerance * form) << k << ' ' << p;
        }
    }
  }
}

TEST_P(BanksTest, SubsetsAnswerForTheirKernels) {
  const KernelSubsets subsets = bank->subsets();
  const auto first = subsets.of({3, 1});
  const auto second = subsets.of({3, 1, 5, 6});
  for (const auto& [subset, kernels] : {std::pair{first, std::vector<Index>{3, 1}}, {second, {3, 1, 5, 6}}}) {
    ASSERT_EQ(subset->n_kernels(), static_cast<Index>(kernels.size()));
    Vector got(subset->n_kernels()), expected(subset->n_kernels());
    subset->quadratic_forms(all_kernels(subset->n_kernels()), v, got);
    dense->quadratic_forms(kernels, v, expected);
    EXPECT_LE((got - expected).norm(), GetParam().tolerance * expected.norm());
    EXPECT_EQ(subset->name(0), bank->name(3));
  }
}

TEST_P(BanksTest, SomeOfTheSamples) {
  const std::vector<Index> rows = {3, 149, 17, 40, 41, 42, 0, 99};
  const auto few = bank->on_samples(rows);
  if (GetParam().name == "products_alone") GTEST_SKIP() << "a bank need not be able to";
  ASSERT_NE(few, nullptr);
  ASSERT_EQ(few->n_samples(), 8);
  Vector padded = Vector::Zero(150);
  padded(rows) = v.head(8);
  Matrix expected(150, 6), got(8, 6);
  dense->products(set, padded, expected);
  few->products(set, v.head(8), got);
  for (Index k = 0; k < 6; ++k)
    EXPECT_LE((got.col(k) - expected.col(k)(rows)).norm(), 10 * GetParam().tolerance * expected.col(k).norm()) << k;
  const auto two_of_them = bank->subset({3, 1})->on_samples(rows);
  Vector forms(2), expected_forms(2);
  two_of_them->quadratic_forms(all_kernels(2), v.head(8), forms);
  dense->quadratic_forms(std::vector<Index>{3, 1}, padded, expected_forms);
  EXPECT_LE((forms - expected_forms).norm(), 10 * GetParam().tolerance * expected_forms.norm());
}

TEST_P(BanksTest, TrainingReachesTheSameObjectiveOnTheExactKernels) {
  for (const char* loss : {"logistic", "hinge"}) {
    const Settings settings{.tol = 1e-7};
    const Problem exact(dense, fixture.labels, make_loss(loss), make_regularizer("block1", {.alpha = 0.5}));
    const Result expected = solve(exact, settings);
    const Result got = solve_on_exact(exact.with(bank, exact.shared_regularizer()), dense, settings);
    const Certificate certificate = certify(exact, got.expansion, dual_bound(exact, got.certificate.dual));
    EXPECT_NEAR(certificate.primal, expected.certificate.primal, 1e-6 * expected.certificate.primal);
    EXPECT_LE(certificate.relative_gap, 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, BanksTest,
    testing::Values(
        NamedBank{"low_rank", 1e-9, [](const Fixture& f) { return f.low_rank(1e-12); }},
        NamedBank{"single_precision", 1e-5, single_precision},
        NamedBank{"on_the_fly", 1e-10, [](const Fixture& f) { return f.on_the_fly(); }},
        NamedBank{"chosen_for_few_passes", 1e-8,
                  [](const Fixture& f) { return make_bank(f.samples, f.kernels, {.expected_passes = 3}); }},
        NamedBank{"chosen_for_many_passes", 1e-8,
                  [](const Fixture& f) { return make_bank(f.samples, f.kernels, {.expected_passes = 1000}); }},
        NamedBank{
            "chosen_without_memory", 1e-8,
            [](const Fixture& f) { return make_bank(f.samples, f.kernels, {.memory = 1, .expected_passes = 1000}); }},
        NamedBank{"forwarding", 1e-10,
                  [](const Fixture& f) -> std::shared_ptr<const KernelBank> {
                    return std::make_shared<ForwardingBank>(f.on_the_fly(), all_kernels(7));
                  }},
        NamedBank{"products_alone", 1e-10,
                  [](const Fixture& f) -> std::shared_ptr<const KernelBank> {
                    return std::make_shared<ProductsAlone>(f.on_the_fly(), all_kernels(7));
                  }},
        NamedBank{"features", 1e-10,
                  [](const Fixture& f) -> std::shared_ptr<const KernelBank> {
                    return std::make_shared<FeatureBank>(f.samples, f.kernels, 2);
                  },
                  true},
        NamedBank{"chosen_features", 1e-10, [](const Fixture& f) { return make_bank(f.samples, f.kernels, {}); }, true},
        NamedBank{"device", 1e-10, matrices_on<TestDevice::host>},
        NamedBank{"device_in_single_precision", 1e-5, matrices_on<TestDevice::host, 4>},
        NamedBank{"device_with_room_for_four", 1e-10, matrices_on<TestDevice::host, 8, 1000000>},
        NamedBank{"device_without_room", 1e-10, matrices_on<TestDevice::host, 8, 1>},
        NamedBank{"device_with_a_copy", 1e-10, copied_to<TestDevice::host>},
        NamedBank{"device_features", 1e-10, chosen_on<TestDevice::host>, true},
        NamedBank{"cuda", 1e-10, matrices_on<TestDevice::cuda>},
        NamedBank{"cuda_in_single_precision", 1e-5, matrices_on<TestDevice::cuda, 4>},
        NamedBank{"cuda_with_room_for_four", 1e-10, matrices_on<TestDevice::cuda, 8, 1000000>},
        NamedBank{"cuda_without_room", 1e-10, matrices_on<TestDevice::cuda, 8, 1>},
        NamedBank{"cuda_with_a_copy", 1e-10, copied_to<TestDevice::cuda>},
        NamedBank{"cuda_features", 1e-10, chosen_on<TestDevice::cuda>, true},
        NamedBank{"over_one_rank", 1e-8, spread_with_memory<1>},
        NamedBank{"over_two_ranks", 1e-8, spread_with_memory<2>},
        NamedBank{"over_three_ranks", 1e-8, spread_with_memory<3>},
        NamedBank{"over_more_ranks_than_kernels", 1e-8, spread_with_memory<9>},
        NamedBank{"over_two_ranks_without_memory", 1e-8, spread_without_memory<2>},
        NamedBank{"over_three_ranks_without_memory", 1e-8, spread_without_memory<3>},
        NamedBank{"subsets_over_two_ranks", 1e-8, all_spread<2>},
        NamedBank{"subsets_over_three_ranks", 1e-8, all_spread<3>},
        NamedBank{"subsets_over_more_ranks_than_kernels", 1e-8, all_spread<9>},
        NamedBank{"features_over_two_ranks", 1e-10, spread_with_memory<2>, true},
        NamedBank{"exact", 1e-10, [](const Fixture& f) { return make_exact_bank(f.samples, f.kernels, 2); }}),
    [](const auto& info) { return info.param.name; });

TEST(LowRankTest, WhatIsMissingBoundsTheFormsFromAbove) {
  const Fixture fixture(150);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const double tolerance : {1e-2, 1e-6, 1e-10}) {
    const auto approximate = fixture.low_rank(tolerance);
    const auto dense = fixture.dense();
    const auto every = all_kernels(dense->n_kernels());
    for (int trial = 0; trial < 20; ++trial) {
      const Vector v = Vector::NullaryExpr(150, [&] { return normal(random); });
      Vector kept(dense->n_kernels()), whole(dense->n_kernels());
      approximate->quadratic_forms(every, v, kept);
      dense->quadratic_forms(every, v, whole);
      for (const Index m : every) {
        const double rounding = 1e-13 * dense->trace(m) * v.squaredNorm();
        EXPECT_GE(whole(m), kept(m) - rounding) << m;
        EXPECT_LE(whole(m), kept(m) + approximate->missing_trace(m) * v.squaredNorm() + rounding) << m;
        EXPECT_LE(dense->trace(m), approximate->trace(m) + approximate->missing_trace(m)) << m;
      }
    }
  }
}

TEST_P(BanksTest, SumsOverASubsetAndOverALargerOneThatSharesItsWork) {
  const std::vector<Index> few = {3, 1}, more = {3, 1, 4, 0, 2};
  const KernelSubsets subsets = bank->subsets();
  const auto first = subsets.of(few);
  const auto second = [&] {
    Matrix once = Matrix::Zero(150, 150);
    first->add_weighted_sum(all_kernels(2), Vector::Ones(2), once);  // so that there is work to share
    return subsets.of(more);
  }();
  for (const auto& [subset, kernels] : {std::pair(first, few), std::pair(second, more)}) {
    const auto count = static_cast<Index>(kernels.size());
    const Vector weights = Vector::LinSpaced(count, 0.3, 2);
    Matrix got = Matrix::Identity(150, 150), expected = got;
    subset->add_weighted_sum(all_kernels(count), weights, got);
    dense->add_weighted_sum(kernels, weights, expected);
    const Matrix difference = (got - expected).triangularView<Eigen::Lower>();
    EXPECT_LE(difference.norm(), 10 * GetParam().tolerance * expected.norm());
  }
}

TEST_P(BanksTest, ABoundFromTheBankHoldsForTheExactKernels) {
  for (const double alpha : {0.05, 0.5}) {
    const Problem exact(dense, fixture.labels, make_loss("logistic"), make_regularizer("block1", {.alpha = alpha}));
    const Vector rho = exact.best_constant().dual;
    const DualBound bound = dual_bound(exact, *bank, rho);
    Vector squares(dense->n_kernels());
    dense->quadratic_forms(all_kernels(dense->n_kernels()), bound.dual(), squares);
    EXPECT_LE(std::sqrt(squares.maxCoeff()), alpha * (1 + 1e-15)) << "feasible for the exact kernels";
    EXPECT_LE(bound.value(), dual_bound(exact, rho).value() + 1e-12);
    EXPECT_NEAR(bound.value(), dual_bound(exact, rho).value(), 1e-4 * std::abs(bound.value()));
  }
}

/// Remembers which kernels' forms were asked for.
struct WatchedForms : ForwardingBank {
  using ForwardingBank::ForwardingBank;
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override {
    asked.insert(asked.end(), set.begin(), set.end());
    ForwardingBank::quadratic_forms(set, V, out);
  }
  mutable std::vector<Index> asked;
};

TEST(LowRankTest, ABoundAsksForTheExactKernelsThatMayReachTheThreshold) {
  const Fixture fixture(150);
  const auto approximate = fixture.low_rank(1e-2);
  const auto dense = fixture.dense();
  const auto every = all_kernels(dense->n_kernels());
  const auto watched = std::make_shared<WatchedForms>(dense, every);
  const auto problem_at = [&](double alpha) {
    return Problem(watched, fixture.labels, make_loss("logistic"), make_regularizer("block1", {.alpha = alpha}));
  };
  const Vector rho = problem_at(1).best_constant().dual;
  Vector squares(dense->n_kernels());
  dense->quadratic_forms(every, rho, squares);
  const Problem problem = problem_at(std::sqrt(0.9 * squares.maxCoeff()));
  watched->asked.clear();
  const DualBound bound = dual_bound(problem, *approximate, rho);
  EXPECT_FALSE(watched->asked.empty());
  EXPECT_LT(watched->asked.size(), every.size());
  const DualBound exact = dual_bound(problem, rho);
  EXPECT_LE(bound.value(), exact.value() + 1e-12);
  EXPECT_NEAR(bound.value(), exact.value(), 1e-4 * std::abs(exact.value()));
}

TEST(LowRankTest, SmallSystemsGiveTheDirectionOfLargeOnes) {
  const Fixture fixture(150);
  const auto factors = fixture.low_rank(1e-12);
  const auto dense = fixture.dense();
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  const auto any = [&](Index rows, Index columns) {
    return Matrix(Matrix::NullaryExpr(rows, columns, [&] { return normal(random); }));
  };
  const std::vector<Index> smooth = {1, 4, 5};  // ranks of 15, 3 and 4 at most
  const Vector weights = any(3, 1).cwiseAbs();
  for (const double own : {1e-12, 1e-3, 4.0}) {  // with the first the identity is useless, and the bank must notice
    const Vector diagonal = Vector::Constant(150, own) + own * any(150, 1).cwiseAbs();
    for (const Index n_added : {4, 2}) {
      const Matrix low_rank = (n_added == 4 ? 1 : 1e-3 * own) * any(150, 4);
      const NewtonTerms terms{smooth, weights, diagonal, low_rank, n_added};
      Matrix whole = diagonal.asDiagonal();
      dense->add_weighted_sum(smooth, weights, whole);
      whole = whole.selfadjointView<Eigen::Lower>();
      whole += terms.low_rank.leftCols(n_added) * terms.low_rank.leftCols(n_added).transpose();
      whole -= terms.low_rank.rightCols(4 - n_added) * terms.low_rank.rightCols(4 - n_added).transpose();
      const auto system = factors->make_newton_system();
      Matrix solution = any(150, 2);
      const Matrix rhs = solution;
      if (!system->factor(terms)) {
        EXPECT_TRUE(own < 1e-3) << "only a singular matrix may be refused";
        continue;
      }
      system->solve(solution);
      for (Index k = 0; k < 2; ++k) EXPECT_GT(solution.col(k).dot(rhs.col(k)), 0) << own << ' ' << n_added;
      if (own >= 1e-3) EXPECT_LE((whole * solution - rhs).norm(), 1e-9 * rhs.norm() / own) << own << ' ' << n_added;
    }
  }
}

TEST(LowRankTest, RanksAreThoseOfTheKernels) {
  const Fixture fixture(150);
  EXPECT_EQ(pivoted_cholesky(fixture.kernels[4], *fixture.samples, 1e-12, 150).cols(), 3) << "linear in three columns";
  EXPECT_EQ(pivoted_cholesky(fixture.kernels[5], *fixture.samples, 1e-12, 150).cols(), 4) << "cubic in one column";
  EXPECT_LE(pivoted_cholesky(fixture.kernels[1], *fixture.samples, 1e-10, 150).cols(), 15)
      << "a smooth function of one";
  EXPECT_EQ(pivoted_cholesky(fixture.kernels[2], *fixture.samples, 1e-10, 20).size(), 0) << "no low rank";
}

TEST(MakeBankTest, MemoryAndPassesDecide) {
  const Fixture fixture(150);
  const auto bytes = [](const KernelBank& bank, const std::string& kind) {
    for (const BankUse& use : bank.use())
      if (use.kind == kind) return use.n_kernels;
    return Index{0};
  };
  const auto many = make_bank(fixture.samples, fixture.kernels, {.expected_passes = 1000});
  EXPECT_GT(bytes(*many, "dense"), 0);
  const auto few = make_bank(fixture.samples, fixture.kernels, {.expected_passes = 2});
  EXPECT_EQ(bytes(*few, "dense"), 0);
  EXPECT_GT(bytes(*few, "low rank"), 3);
  const auto poor = make_bank(fixture.samples, fixture.kernels, {.memory = 1, .expected_passes = 1000});
  EXPECT_EQ(bytes(*poor, "dense"), 0);
}

}  // namespace
}  // namespace spicymkl
