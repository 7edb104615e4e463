// C of a table, its orthogonal form, and what has no optimum.
#include "spicymkl/model/covariates.hpp"

#include <gtest/gtest.h>

#include "pipeline/covariate_check.hpp"
#include "spicymkl/core/error.hpp"
#include "support/problems.hpp"

namespace spicymkl {
namespace {

using testing_support::Generator;
using testing_support::normal_matrix;

Matrix with_ones(const Matrix& C) {
  Matrix all(C.rows(), C.cols() + 1);
  all << Matrix::Ones(C.rows(), 1), C;
  return all;
}

/// Badly scaled, far from 0 and correlated.
Matrix awkward_columns(Index n, Generator& random) {
  Matrix C = normal_matrix(n, 3, random);
  C.col(1) = 1e6 * C.col(1).array() + 1e8;
  C.col(2) = C.col(0) + 1e-3 * C.col(2);
  return C;
}

TEST(CovariateBasis, IsOrthogonalAndGivesTheSamePredictions) {
  Generator random(1);
  const Matrix C = awkward_columns(40, random);
  for (const bool intercept : {true, false}) {
    const CovariateBasis basis(C, intercept);
    ASSERT_EQ(basis.columns().cols(), 3);
    const Matrix gram = basis.columns().transpose() * basis.columns() / 40;
    EXPECT_LT((gram - Matrix::Identity(3, 3)).norm(), 1e-12);
    if (intercept) EXPECT_LT(basis.columns().colwise().sum().norm(), 1e-10);
    const Matrix b = normal_matrix(intercept ? 4 : 3, 2, random);
    const Matrix own = intercept ? with_ones(basis.columns()) : basis.columns();
    const Matrix given = intercept ? with_ones(C) : C;
    const Matrix coefficients = basis.in_user_units(b);
    EXPECT_LT((own * b - given * coefficients).norm(), 1e-6 * (own * b).norm());
    EXPECT_LT((basis.of_columns(coefficients) - b).norm(), 1e-6 * b.norm());
  }
}

TEST(CovariateBasis, LeavesOutWhatRowsCannotTellApart) {
  Generator random(2);
  Matrix C = normal_matrix(20, 4, random);
  C.col(1).setConstant(7);
  C.col(3) = 2 * C.col(0) - 3 * C.col(2) + Vector::Constant(20, 5);
  const CovariateBasis basis(C, true);
  EXPECT_EQ(basis.left_out(), (std::vector<Index>{1, 3}));
  const Matrix b = normal_matrix(3, 1, random);
  const Matrix coefficients = basis.in_user_units(b);
  ASSERT_EQ(coefficients.rows(), 5);
  EXPECT_EQ(coefficients(2, 0), 0);
  EXPECT_EQ(coefficients(4, 0), 0);
  EXPECT_LT((with_ones(C) * coefficients - with_ones(basis.columns()) * b).norm(), 1e-10);
  EXPECT_EQ(CovariateBasis(C, false).left_out(), std::vector<Index>{3});
}

TEST(CovariateTerms, CategoriesBecomeIndicatorsOfAllButTheFirst) {
  const std::vector<std::string> names = {"age", "site"};
  const std::vector<std::vector<std::string>> categories = {{}, {"A", "B", "C"}};
  const auto terms = covariate_terms(names, categories, std::vector<Index>{1, 0});
  ASSERT_EQ(terms.size(), 3u);
  EXPECT_EQ(terms[0].name, "site=B");
  EXPECT_EQ(terms[2].name, "age");
  Samples rows{names, Matrix(3, 2), {false, true}};
  rows.values << 50, 0, 60, 2, 70, 1;
  Matrix expected(3, 3);
  expected << 0, 0, 50, 0, 1, 60, 1, 0, 70;
  EXPECT_EQ(covariate_values(rows, terms), expected);
  rows.values(1, 1) = 3;  // the code of a category that the training rows did not have
  EXPECT_THROW(covariate_values(rows, terms), InputError);
  EXPECT_THROW(covariate_terms(names, {{}, {"A"}}, std::vector<Index>{1}), InputError);
}

struct Check {
  Covariates covariates;
  Target target;

  std::string sentence(const std::string& loss = "logistic") const {
    ProblemDescription problem;
    Target named = target;
    named.loss = problem.loss = loss;
    try {
      check_covariates(covariates, named, problem, [](Index row) { return "row " + std::to_string(row); });
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

/// Two classes that one covariate tells apart but for `overlap`, and another says nothing of.
Check two_classes(double overlap) {
  Generator random(3);
  Check check{{{"x", "z"}, normal_matrix(30, 2, random)}, {}};
  check.target.classes = {"no", "yes"};
  for (Index i = 0; i < 30; ++i) {
    check.target.codes.push_back(i % 2);
    check.covariates.values(i, 0) = (i % 2 == 0 ? -1 : 1) * (1 + std::abs(check.covariates.values(i, 0))) * 40 + 300;
  }
  if (overlap != 0) check.covariates.values(0, 0) = 300 + 40 * overlap;
  return check;
}

TEST(CovariateCheck, SeparationIsSeenAndNearSeparationIsNot) {
  EXPECT_NE(two_classes(0).sentence().find("'x' alone tell class 'yes' from 'no' in all 30 rows"), std::string::npos)
      << two_classes(0).sentence();
  EXPECT_NE(two_classes(0).sentence("hinge"), "");
  EXPECT_EQ(two_classes(1.5).sentence(), "");
  EXPECT_EQ(two_classes(3).sentence(), "");
}

TEST(CovariateCheck, PartsThatAreSeparatedHaveNoOptimumWithTheLogisticLossAlone) {
  Check check = two_classes(3);
  for (Index i = 0; i < 30; ++i) check.covariates.values(i, 0) = i == 5 || i == 7 ? 1 : 0;  // both of class yes
  EXPECT_NE(check.sentence().find("in 2 rows (the first is row 5)"), std::string::npos) << check.sentence();
  EXPECT_EQ(check.sentence("hinge"), "");
}

TEST(CovariateCheck, NumbersThatAreLinearInThemLeaveNothingToLearn) {
  Generator random(4);
  Check check{{{"x", "z"}, normal_matrix(30, 2, random)}, {}};
  check.target.numbers = (3 * check.covariates.values.col(1)).array() - 8;
  EXPECT_NE(check.sentence("squared").find("of the covariates 'z'"), std::string::npos) << check.sentence("squared");
  check.target.numbers(4) += 0.01;
  EXPECT_EQ(check.sentence("squared"), "");
}

}  // namespace
}  // namespace spicymkl
