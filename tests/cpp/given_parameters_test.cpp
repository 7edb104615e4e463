#include "pipeline/given_parameters.hpp"

#include <gtest/gtest.h>

#include "core/named_table.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {
namespace {

/// What is said of the given parameters; empty if all are used.
std::string refusal(const std::string& loss, const std::string& penalty, const std::set<std::string>& names) {
  ProblemDescription problem;
  problem.loss = loss;
  problem.penalty = penalty;
  try {
    refuse_unused(problem, {names, [](const std::string& name) { return "<" + name + ">"; }});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(GivenParameters, ThoseOfThePenaltyAndTheLossAreUsed) {
  EXPECT_EQ(refusal("huber", "mixed", {"l1_ratio", "q", "epsilon", "tol", "alpha"}), "");
  EXPECT_EQ(refusal("quantile", "elasticnet", {"l1_ratio", "quantile"}), "");
  EXPECT_EQ(refusal("epsilon_insensitive", "blockq", {"q", "epsilon"}), "");
}

TEST(GivenParameters, OthersAreRefusedWithTheChoicesThatTakeThem) {
  EXPECT_EQ(refusal("logistic", "block1", {"l1_ratio"}),
            "<l1_ratio> has no effect with the block1 penalty; leave it out, or choose <penalty> elasticnet or mixed");
  EXPECT_EQ(refusal("logistic", "uniform", {"q"}),
            "<q> has no effect with the uniform penalty; leave it out, or choose <penalty> blockq or mixed");
  EXPECT_EQ(
      refusal("squared", "block1", {"epsilon"}),
      "<epsilon> has no effect with the squared loss; leave it out, or choose <loss> epsilon_insensitive or huber");
  EXPECT_EQ(refusal("logistic", "block1", {"quantile"}),
            "<quantile> has no effect with the logistic loss; leave it out, or choose <loss> quantile");
}

TEST(GivenParameters, ALossThatIsNotYetKnownIsNotJudged) {
  EXPECT_EQ(refusal("auto", "block1", {"quantile", "epsilon"}), "");
  EXPECT_NE(refusal("auto", "block1", {"q"}), "");
}

TEST(GivenParameters, EveryLossAndPenaltyTakesWhatItSays) {
  for (const std::string parameter : {"epsilon", "quantile"})
    for (const std::string& loss : names_with(loss_types(), parameter))
      EXPECT_EQ(refusal(loss, "block1", {parameter}), "");
  for (const std::string parameter : {"l1_ratio", "q"})
    for (const std::string& penalty : names_with(regularizer_types(), parameter))
      EXPECT_EQ(refusal("logistic", penalty, {parameter}), "");
  EXPECT_TRUE(names_with(loss_types(), "l1_ratio").empty());
  EXPECT_TRUE(names_with(regularizer_types(), "alpha").empty());  // all of them
}

}  // namespace
}  // namespace spicymkl
