// Where an N×N matrix has no room, Newton systems and solvers give the same answers without one.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <atomic>
#include <random>

#include "bank/low_rank_bank.hpp"
#include "bank/on_the_fly_bank.hpp"
#include "core/named_table.hpp"
#include "problem/quick_bound.hpp"
#include "solver/driver.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/catalogue.hpp"

namespace spicymkl {
namespace {

using testing_support::each_loss;
using testing_support::LossCase;

constexpr Index kRows = 510;         // above the size that is always assembled
constexpr double kLittleRoom = 4e5;  // bytes: an N×N matrix takes 3 MB

struct Fixture {
  std::shared_ptr<Samples> samples = std::make_shared<Samples>();
  std::vector<FittedKernel> kernels;
  Vector labels;

  Fixture() {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    samples->columns = {"a", "b", "c"};
    samples->values = Matrix::NullaryExpr(kRows, 3, [&] { return normal(random); });
    const std::vector<Index> all = {0, 1, 2};
    for (const double width : {0.7, 1.5, 4.0})
      kernels.push_back(
          FittedKernel::fit({"gaussian", {{"width", width}}, all, Normalize::trace, 1e-3, "", ""}, *samples, 1));
    kernels.push_back(FittedKernel::fit({"laplacian", {{"width", 2}}, all, Normalize::center, 0, "", ""}, *samples, 1));
    kernels.push_back(FittedKernel::fit({"linear", {}, all, Normalize::trace, 0, "", ""}, *samples, 1));
    labels = (samples->values.col(0).array() + samples->values.col(1).array().square() > 0.7)
                 .select(Vector::Ones(kRows), -1);
  }

  std::shared_ptr<const KernelBank> little(const Watch& watch = {}) const {
    return std::make_shared<OnTheFlyBank>(samples, kernels, 0, 2, watch, kLittleRoom);
  }
  Matrix sum(const Vector& weights) const {
    Matrix total = Matrix::Zero(kRows, kRows), gram(kRows, kRows);
    for (std::size_t m = 0; m < kernels.size(); ++m) {
      kernels[m].gram(*samples, gram, 1);
      total += weights(static_cast<Index>(m)) * gram;
    }
    return total;
  }
};

TEST(LittleRoom, OperationsOnTheFlyAgreeWithDenseAlgebra) {
  const Fixture fixture;
  const auto bank = fixture.little();
  const Vector weights = Vector::LinSpaced(5, 0.5, 2);
  const Matrix expected = fixture.sum(weights);
  const std::vector<Index> all = all_kernels(5);
  Vector v = Vector::LinSpaced(kRows, -1, 2), got(kRows);
  for (const bool sparse : {false, true}) {
    if (sparse) v.head(400).setZero();
    bank->weighted_product(all, weights, v, got);
    EXPECT_LE((got - expected * v).norm(), 1e-12 * (expected * v).norm()) << sparse;
    Matrix each(kRows, 5);
    bank->products(all, v, each);
    EXPECT_LE((each * weights - expected * v).norm(), 1e-12 * (expected * v).norm()) << sparse;
  }
  bank->weighted_column(all, weights, 333, got);
  EXPECT_LE((got - expected.col(333)).norm(), 1e-12 * expected.norm());
  bank->weighted_diagonal(all, weights, got);
  EXPECT_LE((got - expected.diagonal()).norm(), 1e-12 * expected.norm());
  Matrix assembled = Matrix::Zero(kRows, kRows);
  bank->add_weighted_sum(all, weights, assembled);
  const Matrix off = (assembled - expected).triangularView<Eigen::Lower>();
  EXPECT_LE(off.norm(), 1e-12 * expected.norm());
}

TEST(LittleRoom, NewtonSystemsAreSolvedByProducts) {
  const Fixture fixture;
  const auto bank = fixture.little();
  ASSERT_FALSE(bank->has_room_for(1));
  const Vector weights = Vector::LinSpaced(5, 20, 100);
  const std::vector<Index> all = all_kernels(5);
  std::srand(1);
  const Matrix low_rank = Matrix::Random(kRows, 3);
  for (const double least : {1.0, 1e-3}) {
    const Vector diagonal = Vector::LinSpaced(kRows, least, 1);
    Matrix A = fixture.sum(weights) + low_rank.leftCols(2) * low_rank.leftCols(2).transpose();
    A.diagonal() += diagonal;
    const Vector small = 1e-2 * low_rank.col(2);
    A -= small * small.transpose();
    Matrix columns(kRows, 3);
    columns << low_rank.leftCols(2), small;
    const auto system = bank->make_newton_system();
    ASSERT_TRUE(system->factor({all, weights, diagonal, columns, 2}));
    const Matrix rhs = Matrix::Random(kRows, 2);
    Matrix got = rhs;
    system->solve(got);
    const Matrix expected = A.llt().solve(rhs);
    EXPECT_LE((got - expected).norm(), 1e-4 * expected.norm()) << least;
  }
}

TEST(LittleRoom, TrainingReachesTheSameAnswer) {
  const Fixture fixture;
  for (const auto& [loss, penalty] : {std::pair{"logistic", "block1"}, {"hinge", "elasticnet"}}) {
    SCOPED_TRACE(std::string(loss) + " " + penalty);
    const auto plenty = make_dense_bank(*fixture.samples, fixture.kernels, 2);
    const Problem problem(plenty, fixture.labels, make_loss(loss), make_regularizer(penalty, {.alpha = 2}));
    const Result expected = solve(problem, {.tol = 1e-3});
    const Problem poor = problem.with(fixture.little(), problem.shared_regularizer());
    const Result got = solve(poor, {.tol = 1e-3});
    EXPECT_EQ(got.status, Status::converged) << got.message;
    EXPECT_NEAR(got.certificate.primal, expected.certificate.primal, 2e-3 * expected.certificate.primal);
    EXPECT_LE(certify(problem, got.expansion, dual_bound(problem, got.certificate.dual)).relative_gap, 1.001e-3);
  }
}

TEST(LittleRoom, PairsOfColumnsStayWhileTheyAreInUse) {
  const Fixture fixture;
  const Problem problem(fixture.little(), fixture.labels, make_loss("hinge"), make_regularizer("block1", {.alpha = 2}));
  const Result got = solve_as({.methods = {Method::weights, Method::spicy}}, problem, {.tol = 1e-3});
  EXPECT_EQ(got.status, Status::converged) << got.message;
}

TEST(LittleRoom, AStopInsideAPassLeavesAProvedModel) {
  const Fixture fixture;
  for (const LossCase& each : each_loss())
    for (const char* penalty : {"block1", "uniform"})
      for (const int moment : {0, 5, 300}) {
        const std::string& loss = each.name;
        SCOPED_TRACE(loss + " " + penalty + " " + std::to_string(moment));
        std::atomic<int> asked = 0;
        const Watch watch = Watch::asking([&] { return ++asked > moment; });
        const Problem problem(fixture.little(watch), fixture.labels, make_loss(loss),
                              make_regularizer(penalty, {.alpha = 2}));
        Settings settings{.tol = 1e-9};
        settings.watch = watch;
        const Result result = solve(problem, settings);
        EXPECT_EQ(result.status, Status::interrupted);
        EXPECT_EQ(result.message, "stopped by the caller");
        ASSERT_TRUE(std::isfinite(result.certificate.relative_gap));
        ASSERT_EQ(result.expansion.dual.size(), kRows);
        const Problem calm = problem.with(fixture.little(), problem.shared_regularizer());
        const Certificate now = certify(calm, result.expansion, dual_bound(calm, result.certificate.dual));
        EXPECT_NEAR(now.primal, result.certificate.primal, 1e-9 * now.primal);
        EXPECT_GE(now.dual_objective, result.certificate.dual_objective - 1e-9 * now.primal);
      }
}

TEST(QuickBound, IsProvedAndFinite) {
  const Fixture fixture;
  const Problem problem(fixture.little(), fixture.labels, make_loss("logistic"),
                        make_regularizer("block1", {.alpha = 2}));
  const Vector rho = problem.best_constant().dual;
  const DualBound quick = quick_dual_bound(problem, rho);
  EXPECT_GT(quick.value(), 0);
  EXPECT_LE(quick.value(), dual_bound(problem, rho).value());
  const Expansion constant = constant_expansion(problem);
  EXPECT_GE(certify(problem, constant, quick).primal, quick.value());
}

TEST(QuickBound, WhatAnApproximationLeavesOutIsAdded) {
  const Fixture fixture;
  const auto exact = make_exact_bank(fixture.samples, fixture.kernels, 2);
  std::vector<Matrix> factors;
  Vector missing(5);
  for (std::size_t m = 0; m < 5; ++m) {
    factors.push_back(pivoted_cholesky(fixture.kernels[m], *fixture.samples, 1e-2, kRows));
    missing(static_cast<Index>(m)) = missing_trace(factors.back(), 1e-2);
  }
  const auto coarse = std::make_shared<LowRankBank>(factors, missing, kRows, std::vector<std::string>(5), 2);
  const Problem truth(exact, fixture.labels, make_loss("logistic"), make_regularizer("block1", {.alpha = 2}));
  const Result found = solve(truth.with(coarse, truth.shared_regularizer()), {.tol = 1e-2});
  const auto carried = carried_certificate(truth, *coarse, found.expansion, found.certificate, found.bound);
  ASSERT_TRUE(carried.has_value());
  const Certificate now = certify(truth, found.expansion, dual_bound(truth, carried->dual));
  EXPECT_GE(carried->primal, now.primal * (1 - 1e-12));
  EXPECT_LE(carried->dual_objective, now.dual_objective * (1 + 1e-12));
  EXPECT_LE(carried->relative_gap, 1);
}

}  // namespace
}  // namespace spicymkl
