// What the kernels say of the training rows, and which say the same.
#include "spicymkl/model/contributions.hpp"

#include <gtest/gtest.h>

#include "support/table_models.hpp"

namespace spicymkl {
namespace {

using test::predict;
using test::random_table;
using test::train_on;

TEST(Contributions, AreThoseOfPredictionsOfTheTrainingRows) {
  const Table table = random_table(60, 3, 1);
  const Model model = train_on(table, "logistic");
  const Scores direct = predict(model, table);
  for (const Index most : {Index{1000}, Index{7}}) {
    const TrainingContributions some = training_contributions(model, most, 1);
    ASSERT_EQ(std::ssize(some.rows), std::min<Index>(most, 60));
    for (std::size_t f = 0; f < model.fits.size(); ++f)
      for (std::size_t i = 0; i < some.rows.size(); ++i)
        EXPECT_TRUE(some.scores.shares[f].row(static_cast<Index>(i)) == direct.shares[f].row(some.rows[i]));
  }
}

TEST(Contributions, PrecomputedKernelsHaveNone) {
  Model model = train_on(random_table(60, 2, 1), "auto");
  model.table.reset();
  EXPECT_TRUE(training_contributions(model).rows.empty());
}

/// A fit of four kernels, 5, 6, 7 and 8, whose weights are their norms.
Fit four_kernels() {
  Fit fit;
  fit.problem.penalty = "block1";
  fit.problem.alpha = 1;
  fit.expansion.kernels = {5, 6, 7, 8};
  fit.certificate.norms = Vector{{1, 4, 3, 2}};
  return fit;
}

TEST(Contributions, CorrelationsAreThoseOfTheColumns) {
  const Fit fit = four_kernels();
  Matrix shares(4, 4);
  shares.col(0) << 1, 2, 3, 5;
  shares.col(1) << -1, -2, -3, -4;
  shares.col(2).setConstant(0.1);
  shares.col(3) << 1, -1, 1, -1;
  const ContributionCorrelation found = contribution_correlation(fit, shares);
  EXPECT_EQ(found.kernels, (std::vector<Index>{6, 7, 8, 5}));
  // Of (1, 2, 3, 4) and (1, 2, 3, 5): covariance 6.5, norms √5 and √8.75.
  const double expected = 6.5 / std::sqrt(5 * 8.75);
  EXPECT_NEAR(found.values(0, 3), -expected, 1e-14);
  EXPECT_NEAR(found.values(0, 0), 1, 1e-14);
  EXPECT_EQ(found.values(0, 1), 0);
  EXPECT_NEAR(found.values(0, 2), 2 / std::sqrt(5 * 4.0), 1e-14);
  const auto alike = alike_kernels(found);
  ASSERT_EQ(alike.size(), 1U);
  EXPECT_EQ(alike.front().first, 6);
  EXPECT_EQ(alike.front().second, 5);
  EXPECT_NEAR(alike.front().correlation, -expected, 1e-14);
  EXPECT_EQ(contribution_correlation(fit, shares, 2).kernels, (std::vector<Index>{6, 7}));
}

}  // namespace
}  // namespace spicymkl
