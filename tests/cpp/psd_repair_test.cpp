// Indefinite matrices mended by clip, flip and shift, and the same mending of new rows.
#include "spicymkl/bank/psd_repair.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "spicymkl/bank/gram_check.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

class PsdRepairTest : public testing::Test {
 protected:
  static constexpr Index n = 30;
  Generator random{23};
  std::vector<Matrix> good = random_kernels(random_samples(n, random).X, 2, random);
  Matrix bad = [this] {
    Matrix K = good[0];
    K.diagonal().array() -= 0.5 * K.diagonal().mean();
    return K;
  }();

  PsdRepair mend(PsdMethod method) {
    auto repairs = repair_gram_matrices(*bank_of({good[0], bad, good[1]}), method);
    EXPECT_EQ(repairs.size(), 1u);
    EXPECT_EQ(repairs.at(0).kernel, 1);
    return repairs.at(0);
  }

  /// V f(Λ) Vᵀ by Eigen's own decomposition.
  template <class Map>
  Matrix spectral(Map map) const {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(bad);
    return solver.eigenvectors() * solver.eigenvalues().unaryExpr(map).asDiagonal() * solver.eigenvectors().transpose();
  }
};

TEST_F(PsdRepairTest, ClipIsTheNearestSemidefiniteMatrix) {
  const PsdRepair repair = mend(PsdMethod::clip);
  EXPECT_LT((repair.gram - spectral([](double e) { return std::max(e, 0.0); })).norm(), 1e-12 * bad.norm());
}

TEST_F(PsdRepairTest, FlipTakesAbsoluteEigenvalues) {
  const PsdRepair repair = mend(PsdMethod::flip);
  EXPECT_LT((repair.gram - spectral([](double e) { return std::abs(e); })).norm(), 1e-12 * bad.norm());
}

TEST_F(PsdRepairTest, ShiftRaisesTheSmallestEigenvalueToZero) {
  const PsdRepair repair = mend(PsdMethod::shift);
  const Eigen::SelfAdjointEigenSolver<Matrix> before(bad), after(repair.gram);
  EXPECT_NEAR(after.eigenvalues()(0), 0, 1e-12 * repair.largest);
  EXPECT_NEAR(repair.smallest, before.eigenvalues()(0), 1e-12 * repair.largest);
  EXPECT_LT((Matrix(repair.gram - bad) - Matrix(-repair.smallest * Matrix::Identity(n, n))).norm(), 1e-12 * bad.norm());
}

TEST_F(PsdRepairTest, TrainingRowsCarriedAsNewRowsGiveTheMendedMatrix) {
  const Vector v = normal_vector(n, random);
  for (const PsdMethod method : {PsdMethod::clip, PsdMethod::flip}) {
    const PsdRepair repair = mend(method);
    EXPECT_LT((bad * repair.carry(v) - repair.gram * v).norm(), 1e-11 * bad.norm() * v.norm()) << to_string(method);
  }
  EXPECT_EQ(mend(PsdMethod::shift).carry(v), v);
}

TEST_F(PsdRepairTest, MendedMatricesPassTheCheck) {
  for (const PsdMethod method : {PsdMethod::clip, PsdMethod::flip, PsdMethod::shift})
    EXPECT_NO_THROW(check_gram_matrices(*bank_of({mend(method).gram}))) << to_string(method);
}

TEST_F(PsdRepairTest, GoodAndZeroMatricesAreLeftAlone) {
  const auto bank = bank_of({good[0], good[1], Matrix::Zero(n, n), Matrix::Ones(n, n)});
  EXPECT_TRUE(repair_gram_matrices(*bank, PsdMethod::clip).empty());
}

TEST_F(PsdRepairTest, MatrixWithoutPositiveEigenvaluesIsClippedToZero) {
  const auto repairs = repair_gram_matrices(*bank_of({-good[0]}), PsdMethod::clip);
  ASSERT_EQ(repairs.size(), 1u);
  EXPECT_LT(repairs[0].gram.norm(), 1e-12 * good[0].norm());
}

TEST_F(PsdRepairTest, RoundingIsToleratedAndReported) {
  Matrix K = Matrix::Ones(n, n);
  K(0, 0) -= 1e-8;
  const auto tolerated = check_gram_matrices(*bank_of({good[0], K}));
  ASSERT_EQ(tolerated.size(), 1u);
  EXPECT_EQ(tolerated[0].kernel, 1);
  EXPECT_LT(tolerated[0].relative, 0);
  EXPECT_GT(tolerated[0].relative, -1e-8);
}

TEST_F(PsdRepairTest, MethodsAreKnownByName) {
  for (const auto method : {PsdMethod::refuse, PsdMethod::clip, PsdMethod::flip, PsdMethod::shift})
    EXPECT_EQ(parse_psd_method(to_string(method)), method);
  expect_refused([] { parse_psd_method("fix"); }, "clip");
}

}  // namespace
