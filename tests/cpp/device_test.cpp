// Devices: what they refuse, and that fits on them are those of the processor. Banks on devices are among those of
// banks_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "bank/outputs_bank.hpp"
#include "device/make_device_bank.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/kernel/kernel_list.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/devices.hpp"
#include "support/refusal.hpp"
#include "support/table_models.hpp"

namespace spicymkl {
namespace {

/// Refused in a sentence that mentions all of these.
void expect_refused_with(const std::function<void()>& action, const std::vector<std::string>& mentioned) {
  for (const std::string& words : mentioned) ::testing_support::expect_refused(action, words);
}

using testing_support::TestDevice;
namespace host = testing_support::host_device;

class DeviceTest : public testing::TestWithParam<TestDevice> {
 protected:
  void SetUp() override {
    if (!device) GTEST_SKIP() << testing_support::no_device();
  }
  void TearDown() override { host::behaviour() = {}; }

  std::shared_ptr<const Device> device = testing_support::open_device(GetParam());
};

/// Normal numbers, and labels that depend on two of the columns.
struct Data {
  std::shared_ptr<Samples> samples = std::make_shared<Samples>();
  Vector labels;

  Data(Index n, Index n_columns, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    samples->values = Matrix::NullaryExpr(n, n_columns, [&] { return normal(random); });
    for (Index j = 0; j < n_columns; ++j) samples->columns.push_back("x" + std::to_string(j));
    labels =
        (samples->values.col(0).array() + samples->values.col(1).array().square() > 0.7).select(Vector::Ones(n), -1);
  }

  std::vector<FittedKernel> random_kernels_of(Index count) const {
    std::vector<FittedKernel> kernels;
    for (const KernelSpec& spec : random_kernels(*samples, count, 3))
      kernels.push_back(FittedKernel::fit(spec, *samples, 2));
    return kernels;
  }
};

TEST_P(DeviceTest, ItHasANameAndMemory) {
  EXPECT_FALSE(name_of(*device).empty());
  EXPECT_GT(device->total_bytes(), 1e8);
  EXPECT_LE(device->free_bytes(), device->total_bytes());
}

TEST_P(DeviceTest, MemoryIsGivenBack) {
  const double before = device->free_bytes();
  {
    const DeviceMemory memory(device, 1 << 26);
    EXPECT_LE(device->free_bytes(), before - (1 << 26));
  }
  EXPECT_NEAR(device->free_bytes(), before, 1 << 25);
}

TEST_P(DeviceTest, MoreMemoryThanThereIsIsRefused) {
  const double much = 2 * device->total_bytes();
  expect_refused_with([&] { DeviceMemory(device, much); }, {"memory", "device cpu"});
  EXPECT_NO_THROW(DeviceMemory(device, 1000));  // it works on
}

TEST_P(DeviceTest, EveryKernelAsTheProcessorComputesIt) {
  Data data(300, 6, 5);
  data.samples->values.rightCols(2) = data.samples->values.rightCols(2).cwiseAbs().array().round();
  data.samples->categorical = {false, false, false, false, false, true};
  std::vector<FittedKernel> kernels;
  for (const KernelType& type : kernel_types())
    for (const Normalize normalize : {Normalize::none, Normalize::trace, Normalize::diagonal, Normalize::center}) {
      KernelSpec spec;
      spec.type = type.name;
      spec.normalize = normalize;
      spec.jitter = normalize == Normalize::none ? 0.25 : 0;
      spec.columns = type.columns == ColumnKind::categorical    ? std::vector<Index>{5}
                     : type.columns == ColumnKind::non_negative ? std::vector<Index>{4}
                                                                : std::vector<Index>{0, 2, 1, 3};
      if (type.columns == ColumnKind::non_negative) data.samples->values.col(4).array() += 0.5;
      for (const ParameterRule& rule : type.parameters)
        if (!rule.fallback) spec.parameters[rule.name] = 1.7;
      spec.name = type.name;
      kernels.push_back(FittedKernel::fit(spec, *data.samples, 1));
    }
  const auto bank = make_device_bank(device, data.samples, kernels, 8, {.threads = 1});
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const Matrix V = Matrix::NullaryExpr(300, 2, [&] { return normal(random); });
  Matrix got(300, 2), gram(300, 300);
  for (Index m = 0; m < bank->n_kernels(); ++m) {
    bank->products(std::vector<Index>{m}, V, got);
    kernels[static_cast<std::size_t>(m)].gram(*data.samples, gram, 1);
    const Matrix expected = gram * V;
    EXPECT_LE((got - expected).norm(), 1e-12 * (gram.cwiseAbs() * V.cwiseAbs()).norm()) << bank->name(m);
  }
}

/// More samples than a tile of any kernel of the device, and a number that is not a multiple of anything.
TEST_P(DeviceTest, LargeMatrices) {
  const Index n = GetParam() == TestDevice::host ? 301 : 1357;
  const Data data(n, 4, 9);
  const std::vector<FittedKernel> kernels = data.random_kernels_of(5);
  const auto expected = make_dense_bank(*data.samples, kernels, 2);
  const std::vector<Index> set = {4, 0, 3};
  const Vector weights = Vector::LinSpaced(3, 0.3, 2);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const Matrix V = Matrix::NullaryExpr(n, 5, [&] { return normal(random); });
  for (const int number_bytes : {8, 4}) {
    const double tolerance = number_bytes == 8 ? 1e-12 : 1e-6;
    const auto bank = make_device_bank(device, data.samples, kernels, number_bytes, {.threads = 2});
    Matrix products(n, 15), expected_products(n, 15), forms(3, 5), expected_forms(3, 5);
    bank->products(set, V, products);
    expected->products(set, V, expected_products);
    EXPECT_LE((products - expected_products).norm(), tolerance * expected_products.norm());
    bank->quadratic_forms(set, V, forms);
    expected->quadratic_forms(set, V, expected_forms);
    EXPECT_LE((forms - expected_forms).norm(), tolerance * expected_forms.norm());
    bank->weighted_product(set, weights, V, products.leftCols(5));
    expected->weighted_product(set, weights, V, expected_products.leftCols(5));
    EXPECT_LE((products - expected_products).leftCols(5).norm(), tolerance * expected_products.leftCols(5).norm());
    const Vector diagonal = Vector::LinSpaced(n, 1, 2);  // more than what is subtracted
    const auto system = bank->make_newton_system();
    ASSERT_TRUE(system->factor({set, weights, diagonal, 1e-2 * V, 3}));
    Matrix x = V.leftCols(2);
    system->solve(x);
    Matrix image(n, 2);
    bank->weighted_product(set, weights, x, image);
    image += diagonal.asDiagonal() * x + 1e-4 * (V.leftCols(3) * (V.leftCols(3).transpose() * x)) -
             1e-4 * (V.rightCols(2) * (V.rightCols(2).transpose() * x));
    EXPECT_LE((image - V.leftCols(2)).norm(), 1e-7 * V.leftCols(2).norm());
  }
}

TEST_P(DeviceTest, AnIndefiniteSystemIsNotFactored) {
  const Data data(100, 3, 9);
  const auto bank = make_device_bank(device, data.samples, data.random_kernels_of(2), 8, {.threads = 1});
  const auto system = bank->make_newton_system();
  EXPECT_FALSE(system->factor({{}, Vector(0), Vector::Constant(100, -1), Matrix(100, 0), 0}));
  EXPECT_TRUE(system->factor({{}, Vector(0), Vector::Constant(100, 1), Matrix(100, 0), 0}));
}

/// Those of two labels, whose labels are numbers too: some, or all.
std::vector<std::string> losses_to_try(bool all) {
  if (!all) return {"logistic", "hinge", "squared_hinge"};
  std::vector<std::string> names;
  for (const LossType& type : loss_types())
    if (type.labels == LabelKind::two_classes || type.labels == LabelKind::real) names.push_back(type.name);
  return names;
}

constexpr std::array kPenalties = {"block1", "elasticnet", "blockq", "uniform", "mixed"};

TEST_P(DeviceTest, FitsAreThoseOfTheProcessorAndAlikeToTheLastBit) {
  const bool slow = GetParam() == TestDevice::host;
  const Data data(slow ? 90 : 240, 8, 11);
  const std::vector<FittedKernel> kernels = data.random_kernels_of(slow ? 8 : 30);
  const auto dense = make_dense_bank(*data.samples, kernels, 2);
  const auto bank = make_device_bank(device, data.samples, kernels, 8, {.threads = 2});
  for (const std::string& loss : losses_to_try(!slow))
    for (const char* penalty : kPenalties) {
      const auto regularizer = [&] { return make_regularizer(penalty, {.alpha = 0.05}); };
      const Settings settings{.tol = 1e-5};
      const Problem here(dense, data.labels, make_loss(loss), regularizer());
      const Problem there(bank, data.labels, make_loss(loss), regularizer());
      const Result expected = solve(here, settings), got = solve(there, settings), again = solve(there, settings);
      EXPECT_EQ(got.status, Status::converged) << loss << ' ' << penalty;
      EXPECT_NEAR(got.certificate.primal, expected.certificate.primal, 2e-5 * expected.certificate.primal);
      EXPECT_LE(certify(here, got.expansion, dual_bound(here, got.certificate.dual)).relative_gap, 1.01e-5);
      EXPECT_EQ(got.certificate.primal, again.certificate.primal) << loss << ' ' << penalty;
      EXPECT_EQ(got.certificate.dual, again.certificate.dual) << loss << ' ' << penalty;
    }
}

/// Whose labels are neither classes of two nor numbers.
TEST_P(DeviceTest, FitsOfClassesAndSurvivalAreThoseOfTheProcessorToo) {
  const Index n = 90, classes = 3;
  const Data data(n, 4, 11);
  const std::vector<FittedKernel> kernels = data.random_kernels_of(6);
  const std::shared_ptr<const KernelBank> dense = make_dense_bank(*data.samples, kernels, 2);
  const std::shared_ptr<const KernelBank> bank = make_device_bank(device, data.samples, kernels, 8, {.threads = 2});
  for (const char* loss : {"multinomial", "cox"}) {
    const bool survival = loss == std::string("cox");
    Vector labels = Vector::Zero(survival ? n : n * classes);
    for (Index i = 0; i < n; ++i) {
      const double x = data.samples->values(i, 0);
      if (survival) labels(i) = (i % 3 == 2 ? -1 : 1) * std::max(1.0, std::round(30 + 10 * x));  // every third is lost
      else labels((i < classes ? i : x > 0.5 ? 2 : x > -0.5 ? 1 : 0) * n + i) = 1;
    }
    for (const char* penalty : kPenalties) {
      const auto problem = [&](const std::shared_ptr<const KernelBank>& of) {
        return Problem(with_outputs(of, survival ? 1 : classes), labels, make_loss(loss),
                       make_regularizer(penalty, {.alpha = 0.5}), {!survival, Matrix(n, 0)}, Vector::Ones(n));
      };
      const Settings settings{.tol = 1e-5};
      const Result expected = solve(problem(dense), settings), got = solve(problem(bank), settings),
                   again = solve(problem(bank), settings);
      EXPECT_EQ(got.status, Status::converged) << loss << ' ' << penalty;
      EXPECT_NEAR(got.certificate.primal, expected.certificate.primal, 2e-5 * expected.certificate.primal);
      EXPECT_EQ(got.certificate.primal, again.certificate.primal) << loss << ' ' << penalty;
      EXPECT_EQ(got.certificate.dual, again.certificate.dual) << loss << ' ' << penalty;
    }
  }
}

/// Their Newton systems are made of products of few digits, and solved with by conjugate gradients.
TEST_P(DeviceTest, WideFeatures) {
  const bool slow = GetParam() == TestDevice::host;  // and without such products: a few features will do
  const Index n = slow ? 200 : 2600;
  const Data data(n, 8, 13);
  std::vector<FittedKernel> kernels;
  for (KernelSpec& spec : random_kernels(*data.samples, 12, 3)) {
    spec.features = {.kind = FeatureKind::nystrom, .rank = slow ? 5 : 100, .seed = 1};
    kernels.push_back(FittedKernel::fit(std::move(spec), *data.samples, 2));
  }
  const auto here = make_bank(data.samples, kernels, {.threads = 2});
  const auto there = make_bank(data.samples, kernels, {.threads = 2, .maker = banks_on(device)});
  const std::vector<Index> all = all_kernels(12);
  const Vector weights = Vector::LinSpaced(12, 0.01, 3), diagonal = Vector::LinSpaced(n, 0.5, 40);
  const Matrix columns = Matrix::Random(n, 3);
  const auto system = there->make_newton_system();
  ASSERT_TRUE(system->factor({all, weights, diagonal, columns, 3}));
  Matrix rhs(n, 2), x, image(n, 2);
  rhs << data.labels, Vector::Ones(n);
  x = rhs;
  system->solve(x);
  here->weighted_product(all, weights, x, image);
  image += diagonal.asDiagonal() * x + columns * (columns.transpose() * x);
  for (Index p = 0; p < 2; ++p)  // xᵀAx = xᵀb up to the square of the error
    EXPECT_NEAR(x.col(p).dot(image.col(p)), x.col(p).dot(rhs.col(p)), 1e-3 * x.col(p).dot(rhs.col(p)));
  for (const char* penalty : {"block1", "uniform"}) {
    const auto problem = [&](const std::shared_ptr<const KernelBank>& of) {
      return Problem(of, data.labels, make_loss("logistic"), make_regularizer(penalty, {.alpha = 0.05}));
    };
    const Settings settings{.tol = 1e-7};
    const Result expected = solve(problem(here), settings), got = solve(problem(there), settings),
                 again = solve(problem(there), settings);
    EXPECT_EQ(got.status, Status::converged) << penalty;
    EXPECT_NEAR(got.certificate.primal, expected.certificate.primal, 2e-7 * expected.certificate.primal);
    EXPECT_EQ(got.certificate.dual, again.certificate.dual) << penalty;
  }
}

TEST_P(DeviceTest, AnswersAreProvedOnTheProcessorWhereThatTakesAMoment) {
  const Data data(120, 4, 17);
  const std::vector<FittedKernel> kernels = data.random_kernels_of(6);
  const BankOptions options{.threads = 2, .maker = banks_on(device)};
  const auto bank = make_bank(data.samples, kernels, options);
  const auto proof = make_proof_bank(data.samples, kernels, options, *bank);
  EXPECT_EQ(bank->shape().computed_on, name_of(*device));
  ASSERT_NE(proof, nullptr);
  EXPECT_EQ(proof->shape().computed_on, "cpu");
  const Problem problem(bank, data.labels, make_loss("logistic"), make_regularizer("block1", {.alpha = 0.05}));
  const Result result = solve_on_exact(problem, proof, {.tol = 1e-4});
  EXPECT_EQ(result.status, Status::converged);
  const Problem truth = problem.with(proof, problem.shared_regularizer());
  EXPECT_EQ(result.certificate.primal, certify(truth, result.expansion, result.bound).primal);
}

TEST_P(DeviceTest, ManyRowsOnTheDeviceAreProvedThere) {
  auto rows = std::make_shared<Samples>();
  rows->values = Matrix::Zero(200000, 1);  // whose kernel has 4·10¹⁰ entries: nothing is computed
  rows->columns = {"x"};
  const Data data(60, 4, 17);
  const std::vector<FittedKernel> kernels = data.random_kernels_of(2);
  const auto few = make_device_bank(device, data.samples, kernels, 8, {.threads = 2});
  EXPECT_EQ(make_proof_bank(rows, kernels, {.threads = 2, .maker = banks_on(device)}, *few), nullptr);
}

TEST_P(DeviceTest, PredictionsAreThoseOfTheProcessor) {
  const Table table = test::random_table(90, 3, 5), fresh = test::random_table(150, 3, 6);
  for (const char* features : {"none", "nystrom:20"}) {
    KernelChoice kernels;
    kernels.features = parse_feature_choice(features);
    const Model model = test::train_on(table, "logistic", kernels);
    const auto there = make_table_scorer(model, test::prepared(model, fresh), 1, device);
    const Scores expected = test::predict(model, fresh), got = there->scores(0, 150), part = there->scores(37, 70);
    EXPECT_LE((got.values - expected.values).norm(), 1e-11 * expected.values.norm()) << features;
    for (std::size_t f = 0; f < expected.shares.size(); ++f)
      EXPECT_LE((got.shares[f] - expected.shares[f]).norm(), 1e-11 * expected.shares[f].norm()) << features;
    EXPECT_LE((part.values - got.values.middleRows(37, 70)).norm(), 1e-13 * got.values.norm());
    if (GetParam() == TestDevice::cuda) {
      EXPECT_EQ(part.values, got.values.middleRows(37, 70)) << "a row's scores depend on its batch";
    }
  }
}

TEST_P(DeviceTest, WhatSinglePrecisionRoundsIsBounded) {
  const Index n = GetParam() == TestDevice::host ? 130 : 1357;
  const Data data(n, 4, 9);
  const std::vector<FittedKernel> kernels = data.random_kernels_of(6);
  const auto exact = make_dense_bank(*data.samples, kernels, 2);
  const auto bank = make_device_bank(device, data.samples, kernels, 4, {.threads = 2});
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Matrix V = Matrix::NullaryExpr(n, 3, [&] { return normal(random); });
  V.col(1).setOnes();  // in whose form the roundings of one sign add up
  Matrix forms(6, 3), expected(6, 3);
  bank->quadratic_forms(all_kernels(6), V, forms);
  exact->quadratic_forms(all_kernels(6), V, expected);
  for (Index m = 0; m < 6; ++m) {
    EXPECT_LE(bank->missing_trace(m), 1e-7 * bank->trace(m));
    for (Index p = 0; p < 3; ++p)
      EXPECT_LE(std::abs(forms(m, p) - expected(m, p)), bank->missing_trace(m) * V.col(p).squaredNorm()) << m;
  }
  EXPECT_FALSE(bank->exact());
}

/// Kernels that there is no room for: their forms are taken as they are computed.
TEST_P(DeviceTest, FormsOfKernelsThatAreNotKept) {
  const Index n = GetParam() == TestDevice::host ? 130 : 1357;
  const Data data(n, 4, 9);
  const std::vector<FittedKernel> kernels = data.random_kernels_of(6);
  const auto expected = make_dense_bank(*data.samples, kernels, 2);
  const auto bank = make_device_bank(device, data.samples, kernels, 8, {.memory = 1, .threads = 2});
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const Matrix V = Matrix::NullaryExpr(n, 5, [&] { return normal(random); });
  const std::vector<Index> set = {5, 0, 3};
  Matrix forms(3, 5), again(3, 5), expected_forms(3, 5);
  bank->quadratic_forms(set, V, forms);
  bank->quadratic_forms(set, V, again);
  expected->quadratic_forms(set, V, expected_forms);
  EXPECT_LE((forms - expected_forms).norm(), 1e-12 * expected_forms.norm());
  EXPECT_EQ(forms, again);
  const Vector weights = Vector::LinSpaced(3, 0.3, 2);
  Vector diagonal(n), expected_diagonal(n);
  bank->weighted_diagonal(set, weights, diagonal);
  expected->weighted_diagonal(set, weights, expected_diagonal);
  EXPECT_LE((diagonal - expected_diagonal).norm(), 1e-12 * expected_diagonal.norm());
}

INSTANTIATE_TEST_SUITE_P(Each, DeviceTest, testing::Values(TestDevice::host, TestDevice::cuda),
                         [](const auto& info) { return info.param == TestDevice::host ? "host" : "cuda"; });

TEST(DeviceChoice, NamesThatAreNotKnownAreRefused) {
  EXPECT_EQ(choose_device("cpu"), nullptr);
  expect_refused_with([] { choose_device("tpu"); }, {"tpu", "cpu, cuda or auto"});
}

TEST(DeviceChoice, AMissingPluginIsNamedWithTheFoldersThatWereSearched) {
  expect_refused_with([] { load_plugin("libspicymkl_nothing.so"); },
                      {"libspicymkl_nothing.so", "SPICYMKL_PLUGINS", "device cpu"});
}

TEST(DeviceChoice, APluginOfAnotherVersionIsRefused) {
  spicymkl_device_functions other = *host::functions();
  other.version = SPICYMKL_DEVICE_API_VERSION + 1;
  expect_refused_with([&] { checked_version(&other, "lib.so"); }, {"lib.so", "another version"});
  expect_refused_with([&] { checked_version(nullptr, "lib.so"); }, {"lib.so", "another version"});
  EXPECT_EQ(checked_version(host::functions(), "lib.so"), host::functions());
}

TEST(DeviceFailure, NoDeviceIsOneSentence) {
  const DeviceFunctions functions(host::functions(), [](const auto*) {});
  expect_refused_with([&] { Device(functions, 7); }, {"no GPU", "no such device", "device cpu"});
}

TEST(DeviceFailure, ALostDeviceEndsAFitWithOneSentence) {
  const Data data(60, 3, 2);
  const auto device = testing_support::open_host_device();
  const auto bank = make_device_bank(device, data.samples, data.random_kernels_of(3), 8, {.threads = 1});
  const Problem problem(bank, data.labels, make_loss("logistic"), make_regularizer("block1", {.alpha = 0.05}));
  const auto solve_with = [&](int failure) {
    host::behaviour().next_failure = failure;
    solve(problem, {});
  };
  expect_refused_with([&] { solve_with(SPICYMKL_DEVICE_LOST); }, {"Test Device", "stopped working", "device cpu"});
  expect_refused_with([&] { solve_with(SPICYMKL_DEVICE_OUT_OF_MEMORY); }, {"memory of Test Device", "device cpu"});
  EXPECT_EQ(solve(problem, {}).status, Status::converged);
}

}  // namespace
}  // namespace spicymkl
