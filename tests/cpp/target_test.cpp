// How several classes are learned: what nobody asked for is chosen by the loss, in one place.
#include "spicymkl/pipeline/target.hpp"

#include <gtest/gtest.h>

#include "spicymkl/core/error.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "support/problems.hpp"

using namespace spicymkl;

namespace {

Target classes(Index count, const std::string& loss, MultiClass multi_class = MultiClass::automatic) {
  std::vector<std::string> names;
  std::vector<Index> codes;
  for (Index c = 0; c < count; ++c) names.push_back(std::string(1, static_cast<char>('a' + c)));
  for (Index i = 0; i < 4 * count; ++i) codes.push_back(i % count);
  return make_class_target(names, codes, loss, multi_class);
}

}  // namespace

TEST(Target, ClassesAreLearnedAtOnceWhereTheLossCan) {
  EXPECT_EQ(TrainingPlan{}.multi_class, MultiClass::automatic);
  for (const char* loss : {"auto", "logistic", "multinomial"}) {
    const Target target = classes(3, loss);
    EXPECT_TRUE(target.joint() && target.n_fits() == 1 && target.n_outputs() == 3) << loss;
    EXPECT_EQ(target.loss, "multinomial");
    EXPECT_EQ(target.multi_class_was_asked, loss == std::string("multinomial")) << "it has no other way";
  }
  for (const char* loss : {"hinge", "squared_hinge", "one of my own"}) {
    const Target target = classes(3, loss);
    EXPECT_TRUE(!target.joint() && target.n_fits() == 3 && target.n_outputs() == 1) << loss;
    EXPECT_EQ(target.loss, loss);
  }
}

TEST(Target, WhatIsAskedForIsDoneOrRefused) {
  const Target each = classes(3, "auto", MultiClass::ovr);
  EXPECT_TRUE(each.multi_class_was_asked && each.n_fits() == 3);
  EXPECT_EQ(each.loss, "logistic");
  EXPECT_EQ(classes(3, "logistic", MultiClass::joint).loss, "multinomial");
  EXPECT_THROW(classes(3, "hinge", MultiClass::joint), InputError);
  EXPECT_THROW(classes(3, "one of my own", MultiClass::joint), InputError);
  EXPECT_THROW(classes(3, "multinomial", MultiClass::ovr), InputError);
  for (const char* name : {"auto", "joint", "ovr"}) EXPECT_NO_THROW(parse_multi_class(name));
  EXPECT_THROW(parse_multi_class("all"), InputError);
}

TEST(Target, AnOwnLossOfTwoClassesIsNotGivenToAllOfThem) {
  const auto bank = testing_support::bank_of({Matrix::Identity(12, 12)});
  const ProblemDescription own{.loss = "auto", .alpha = 1, .own_loss = make_loss("hinge", {})};
  try {
    make_problem(bank, classes(3, "auto"), 0, own, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("MultiClass::ovr"), std::string::npos) << error.what();
  }
  EXPECT_EQ(make_problem(bank, classes(3, "auto", MultiClass::ovr), 0, own, {}).n_outputs(), 1);
}

TEST(Target, TwoClassesLeaveNothingToChoose) {
  for (const MultiClass way : {MultiClass::automatic, MultiClass::joint, MultiClass::ovr})
    for (const char* loss : {"auto", "logistic", "hinge", "one of my own"}) {
      const Target target = classes(2, loss, way);
      EXPECT_TRUE(!target.joint() && target.n_fits() == 1 && target.n_scores() == 1);
      EXPECT_EQ(target.loss, loss == std::string("auto") ? "logistic" : loss);
      EXPECT_EQ(target.positive_class(0), "b");
    }
}
