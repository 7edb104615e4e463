// Several outputs: the bank that stands for them, its Newton systems, and the constraints on their dual values.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "bank/low_rank_bank.hpp"
#include "support/joint_problems.hpp"

namespace {

using namespace testing_support;
using spicymkl::DualConstraints;
using spicymkl::NewtonTerms;
using spicymkl::OutputsBank;

constexpr Index kRows = 12, kOutputs = 3;

class OutputsTest : public testing::Test {
 protected:
  Generator random{3};
  std::vector<Matrix> kernels = random_kernels(normal_matrix(kRows, 6, random), 5, random);
  OutputsBank bank{bank_of(kernels), kOutputs};
};

TEST_F(OutputsTest, AnswersForTheWholeMatrix) {
  const std::vector<Index> set = {3, 0, 4};
  const Vector weights = normal_vector(3, random).cwiseAbs();
  const Matrix V = normal_matrix(kRows * kOutputs, 2, random);
  Matrix products(V.rows(), 6), forms(3, 2), sum(V.rows(), 2);
  Vector diagonal(V.rows());
  bank.products(set, V, products);
  bank.quadratic_forms(set, V, forms);
  bank.weighted_product(set, weights, V, sum);
  bank.weighted_diagonal(set, weights, diagonal);
  Matrix expected_sum = Matrix::Zero(V.rows(), V.rows());
  for (Index k = 0; k < 3; ++k) {
    const Matrix K = repeated(kernels[set[k]], kOutputs);
    expected_sum += weights(k) * K;
    EXPECT_LE((products.middleCols(2 * k, 2) - K * V).norm(), 1e-12 * (K * V).norm());
    for (Index p = 0; p < 2; ++p) EXPECT_NEAR(forms(k, p), V.col(p).dot(K * V.col(p)), 1e-10);
    EXPECT_NEAR(bank.trace(set[k]), K.trace(), 1e-12 * K.trace());
  }
  EXPECT_LE((sum - expected_sum * V).norm(), 1e-12 * sum.norm());
  EXPECT_LE((diagonal - expected_sum.diagonal()).norm(), 1e-12 * diagonal.norm());
  EXPECT_EQ(bank.n_rows(), kRows);
}

TEST_F(OutputsTest, OutputsThatAreZeroHaveImagesThatAreZero) {
  const std::vector<Index> set = {1, 4};
  Vector v = normal_vector(kRows * kOutputs, random);
  v.tail(kRows).setZero();
  for (const bool two : {false, true}) {
    if (two) v.head(kRows).setZero();
    Matrix products = Matrix::Constant(v.size(), 2, 7);
    bank.products(set, v, products);
    for (Index k = 0; k < 2; ++k) {
      const Vector expected = repeated(kernels[set[k]], kOutputs) * v;
      EXPECT_LE((products.col(k) - expected).norm(), 1e-12 * expected.norm());
    }
  }
  Matrix products = Matrix::Constant(v.size(), 2, 7);
  bank.products(set, Vector::Zero(v.size()), products);
  EXPECT_TRUE(products.isZero(0));
}

TEST_F(OutputsTest, FormsAreAsExactAsBoundsTakeThemToBe) {
  constexpr Index n = 200, outputs = 20;
  const Matrix X = normal_matrix(n, 2, random);
  Vector v = normal_vector(n * outputs, random);
  for (Index k = 0; k < outputs; ++k) v.segment(k * n, n).array() -= v.segment(k * n, n).mean();
  for (const double width : {0.5, 10.0, 1e4}) {  // the widest kernel is constant, and nothing is left of the form
    const Matrix K = gaussian_kernel(X, width);
    const OutputsBank wide(bank_of({K}), outputs);
    double expected = 0;
    for (Index k = 0; k < outputs; ++k) expected += std::pow(naive_norm(K, v.segment(k * n, n)), 2);
    Matrix form(1, 1);
    wide.quadratic_forms(spicymkl::all_kernels(1), v, form);
    EXPECT_NEAR(form(0, 0), expected, spicymkl::rounding_of_forms(v) * wide.trace(0)) << width;
  }
}

TEST_F(OutputsTest, SubsetsAndRows) {
  const auto few = bank.subset({2, 1});
  const Vector v = normal_vector(kRows * kOutputs, random);
  Matrix forms(2, 1);
  few->quadratic_forms(spicymkl::all_kernels(2), v, forms);
  EXPECT_NEAR(forms(0, 0), v.dot(repeated(kernels[2], kOutputs) * v), 1e-10);
  EXPECT_NEAR(forms(1, 0), v.dot(repeated(kernels[1], kOutputs) * v), 1e-10);
}

/// (diag + ΣwK + V₊V₊ᵀ − V₋V₋ᵀ)Δ + Uδ = r with UᵀΔ = 0, from one large matrix.
Vector bordered_solution(const Matrix& H, const Matrix& U, const Vector& rhs) {
  const Index n = H.rows(), c = U.cols();
  Matrix whole = Matrix::Zero(n + c, n + c);
  whole << H, U, U.transpose(), Matrix::Zero(c, c);
  Vector right = Vector::Zero(n + c);
  right.head(n) = rhs;
  return Eigen::FullPivLU<Matrix>(whole).solve(right).head(n);
}

Matrix columns_of(const DualConstraints& constraints) {
  const Index n = constraints.n_samples(), c = constraints.n_columns(), outputs = constraints.n_outputs();
  Matrix U = Matrix::Zero(n * outputs, c * outputs + (constraints.rows_sum_to_zero() ? n : 0));
  for (Index k = 0; k < outputs; ++k) {
    U.block(k * n, k * c, n, c) = constraints.columns();
    if (constraints.rows_sum_to_zero()) U.block(k * n, c * outputs, n, n).setIdentity();
  }
  return U;
}

class OutputsNewtonTest : public OutputsTest, public testing::WithParamInterface<std::tuple<bool, bool, Index>> {};

TEST_P(OutputsNewtonTest, SolvesWithinTheConstraints) {
  const auto [rows_sum, same_diagonal, n_columns] = GetParam();
  const std::vector<Index> set = {0, 2, 3};
  const Vector weights = normal_vector(3, random).cwiseAbs();
  const Index n = kRows * kOutputs;
  Vector diagonal = normal_vector(n, random).array().square() + 0.1;
  if (same_diagonal) diagonal = diagonal.head(kRows).replicate(kOutputs, 1).eval();
  diagonal(4) = same_diagonal ? diagonal(4) : 1e12;  // as good as fixed
  const Matrix V = 0.3 * normal_matrix(n, 4, random);
  Matrix H = diagonal.asDiagonal();
  for (Index k = 0; k < 3; ++k) H += weights(k) * repeated(kernels[set[k]], kOutputs);
  H += V.leftCols(3) * V.leftCols(3).transpose() - 0.01 * V.col(3) * V.col(3).transpose();
  Matrix low_rank = V;
  low_rank.col(3) *= 0.1;
  Matrix columns = normal_matrix(kRows, n_columns, random);
  if (n_columns > 0) columns.col(0).setOnes();
  const DualConstraints constraints(columns, kOutputs, rows_sum);
  const auto system = bank.make_newton_system();
  ASSERT_TRUE(system->factor({set, weights, diagonal, low_rank, 3}));
  Matrix workspace(n, 1 + n_columns), multipliers(n_columns, kOutputs);
  const Vector rhs = normal_vector(n, random);
  workspace.col(0) = rhs;
  system->solve_within(constraints, workspace, multipliers);
  const Vector expected = bordered_solution(H, columns_of(constraints), rhs);
  EXPECT_LE((workspace.col(0) - expected).norm(), 1e-8 * expected.norm());
  EXPECT_LE(constraints.violation(workspace.col(0)), 1e-9);
  // With another right-hand side beside it the answer is the same.
  Matrix both(n, 2 + n_columns), first_multipliers(n_columns, kOutputs);
  const Vector other = normal_vector(n, random);
  both.col(0) = rhs;
  both.col(1) = other;
  system->solve_within(constraints, both, first_multipliers);
  EXPECT_LE((both.col(0) - workspace.col(0)).norm(), 1e-8 * expected.norm());
  EXPECT_LE((first_multipliers - multipliers).norm(), 1e-7 * (1 + multipliers.norm()));
  const Vector expected_other = bordered_solution(H, columns_of(constraints), other);
  EXPECT_LE((both.col(1) - expected_other).norm(), 1e-8 * expected_other.norm());
  // What the multipliers of the columns leave is orthogonal to every allowed direction.
  Vector residual = rhs - H * workspace.col(0);
  Vector part = Vector::Zero(n);
  constraints.add_predictions(multipliers, part);
  residual -= part;
  if (!rows_sum) {
    EXPECT_LE(residual.tail(n - 5).norm(), 1e-7 * rhs.norm());
  }
}

TEST_F(OutputsTest, RowsThatAreMoreThanOneBlockOfAnInverse) {
  const Index rows = 100, n = rows * kOutputs;
  const std::vector<Matrix> large = random_kernels(normal_matrix(rows, 6, random), 2, random);
  const OutputsBank of_large(bank_of(large), kOutputs);
  const std::vector<Index> set = {0, 1};
  const Vector weights = Vector::Constant(2, 0.7);
  const Vector diagonal = normal_vector(n, random).array().square() + 0.1, rhs = normal_vector(n, random);
  const Matrix V = 0.3 * normal_matrix(n, 2, random);
  Matrix H = diagonal.asDiagonal();
  for (Index k = 0; k < 2; ++k) H += weights(k) * repeated(large[k], kOutputs);
  H += V * V.transpose();
  const DualConstraints constraints(Matrix::Ones(rows, 1), kOutputs, true);
  const auto system = of_large.make_newton_system();
  ASSERT_TRUE(system->factor({set, weights, diagonal, V, 2}));
  Matrix workspace(n, 2), multipliers(1, kOutputs);
  workspace.col(0) = rhs;
  system->solve_within(constraints, workspace, multipliers);
  const Vector expected = bordered_solution(H, columns_of(constraints), rhs);
  EXPECT_LE((workspace.col(0) - expected).norm(), 1e-8 * expected.norm());
}

/// Enough rows that matrices of them are not always made: by ranks, as matrices where all digits count, and with room
/// for some matrices but not for one for every output. One system after the other.
TEST_F(OutputsTest, SolvesByRanksAndWithLittleRoom) {
  constexpr Index rows = 600, n = rows * kOutputs;
  constexpr double gram = sizeof(double) * rows * rows, plenty = 100 * gram, little = 2 * gram;
  const DualConstraints constraints(Matrix::Ones(rows, 1), kOutputs, true);
  const Vector diagonal = normal_vector(n, random).array().square() + 0.1, rhs = normal_vector(n, random);
  const std::vector<Index> set = {0, 1};
  const Vector weights = Vector::Constant(2, 0.7);
  const Matrix V = 0.3 * normal_matrix(n, 2, random);
  for (const Index rank : {10, 100, 400}) {
    const std::vector<Matrix> factors(2, normal_matrix(rows, rank, random) / std::sqrt(rank));
    for (const double room : {plenty, little}) {
      const OutputsBank whole(
          std::make_shared<spicymkl::LowRankBank>(factors, Vector::Zero(2), rows, std::vector<std::string>(2, "k"), 2,
                                                  spicymkl::Watch{}, room),
          kOutputs);
      const auto system = whole.make_newton_system();
      for (const Index n_added : {0, 2, 0}) {
        SCOPED_TRACE(testing::Message() << "rank " << rank << ", room " << room / gram << ", " << n_added << " added");
        const Matrix added = V.leftCols(n_added);
        ASSERT_TRUE(system->factor({set, weights, diagonal, added, n_added}));
        Matrix workspace(n, 2), multipliers(1, kOutputs), image(n, 1);
        workspace.col(0) = rhs;
        system->solve_within(constraints, workspace, multipliers);
        const Vector found = workspace.col(0);
        EXPECT_LE(constraints.violation(found), 1e-7);
        // Short of the multipliers nothing is left.
        whole.weighted_product(set, weights, found, image);
        Vector residual = rhs - diagonal.cwiseProduct(found) - image.col(0) - added * (added.transpose() * found);
        Vector part = Vector::Zero(n);
        constraints.add_predictions(multipliers, part);
        residual -= part;
        constraints.remove_multipliers(residual);
        EXPECT_LE(residual.norm(), 1e-6 * rhs.norm());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OutputsNewtonTest,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Values(0, 1, 3)));

TEST(DualConstraints, RestoreMovesOntoThem) {
  Generator random(5);
  for (const bool rows_sum : {false, true}) {
    Matrix columns = normal_matrix(kRows, 3, random);
    columns.col(0).setOnes();
    const DualConstraints constraints(columns, kOutputs, rows_sum);
    const Vector before = normal_vector(kRows * kOutputs, random);
    Vector weights = normal_vector(before.size(), random).cwiseAbs();
    weights(7) = 0;
    Vector after = before;
    ASSERT_TRUE(constraints.restore(weights, after));
    EXPECT_LE(constraints.violation(after), 1e-12);
    EXPECT_EQ(after(7), before(7)) << "an entry of weight 0 stays";
    Vector hopeless = before;
    EXPECT_FALSE(constraints.restore(Vector::Zero(before.size()), hopeless));
    EXPECT_EQ(hopeless, before);
  }
}

}  // namespace
