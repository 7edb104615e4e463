#include "core/closest.hpp"

#include <gtest/gtest.h>

namespace spicymkl {
namespace {

const std::vector<std::string> kLosses = {"epsilon_insensitive", "hinge", "huber", "logistic", "squared",
                                          "squared_hinge"};

TEST(Closest, SlipsOfTheFingersAreFound) {
  EXPECT_EQ(closest("logistik", kLosses), "logistic");  // a wrong letter
  EXPECT_EQ(closest("logisic", kLosses), "logistic");   // one that is missing
  EXPECT_EQ(closest("hingee", kLosses), "hinge");       // one too many
  EXPECT_EQ(closest("hubre", kLosses), "huber");        // two swapped
  EXPECT_EQ(closest("squared-hinge", kLosses), "squared_hinge");
  EXPECT_EQ(closest("trian", {"path", "train"}), "train");
}

TEST(Closest, NamesThatWereCutShortAreFound) {
  EXPECT_EQ(closest("--tar", {"--task", "--target"}), "--target");
  EXPECT_EQ(closest("elastic", {"block1", "elasticnet"}), "elasticnet");
  EXPECT_EQ(closest("--", {"--task", "--target"}), "");
}

TEST(Closest, UpperAndLowerCaseAreAlike) {
  EXPECT_EQ(closest("Diagnosis", {"age", "diagnosis"}), "diagnosis");
  EXPECT_EQ(closest("hinge", {"Hinge"}), "Hinge");
}

TEST(Closest, TheNearestOfSeveralAndTheFirstOfEquals) {
  EXPECT_EQ(closest("x12", {"x1", "x123", "x12a", "X12"}), "X12");
  EXPECT_EQ(closest("x9", {"x1", "x2"}), "x1");
}

TEST(Closest, WhatIsFarIsNotProposed) {
  EXPECT_EQ(closest("nothing", kLosses), "");
  EXPECT_EQ(closest("", kLosses), "");
  EXPECT_EQ(closest("a", {"b", "c"}), "");
  EXPECT_EQ(closest("abcd", {}), "");
  EXPECT_EQ(closest("y", {"x1", "x2"}), "");
}

TEST(Closest, AHintFitsASentenceOrIsEmpty) {
  EXPECT_EQ(did_you_mean("huberr", kLosses), " (did you mean 'huber'?)");
  EXPECT_EQ(did_you_mean("cauchy", kLosses), "");
}

}  // namespace
}  // namespace spicymkl
