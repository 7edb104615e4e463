// Settings, callback, history and the ways a run may end.
#include "solver/outer/run.hpp"

#include <gtest/gtest.h>

#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

TEST(SettingsTest, DefaultsAreValid) { EXPECT_NO_THROW(check(Settings{})); }

TEST(SettingsTest, BadSettingsAreRefusedByName) {
  const TestProblem test = make_problem({"logistic"}, {"block1"}, {10, 2, 1});
  const auto refuses = [&](const std::string& name, auto change) {
    Settings settings;
    change(settings);
    expect_refused([&] { check(settings); }, name);
    expect_refused([&] { solve(test.problem, settings); }, name);
  };
  for (const double tol : {0.0, -1e-3, std::nan(""), kInfinity}) refuses("tol", [=](Settings& s) { s.tol = tol; });
  for (const int count : {0, -5}) {
    refuses("max_iter", [=](Settings& s) { s.max_iter = count; });
    refuses("max_newton", [=](Settings& s) { s.max_newton = count; });
  }
}

TEST(StatusTest, EveryStatusHasAName) {
  EXPECT_EQ(to_string(Status::converged), "converged");
  EXPECT_EQ(to_string(Status::max_iterations), "max_iterations");
  EXPECT_EQ(to_string(Status::stalled), "stalled");
  EXPECT_EQ(to_string(Status::interrupted), "interrupted");
}

/// The proximal loop on hinge, and the one-step solver on hinge: both have several outer steps.
class RunTest : public testing::TestWithParam<const char*> {
 protected:
  TestProblem test = make_problem_at(0.05, {"hinge"}, {GetParam()}, {30, 8, 12});
  Settings settings;
  RunTest() { settings.tol = 1e-7; }

  void expect_usable(const Result& result) const {
    const RefereeVerdict verdict = referee_verdict(test.naive, result.expansion, result.certificate.dual);
    EXPECT_NEAR(result.certificate.primal, verdict.primal, 1e-9 * verdict.primal);
    EXPECT_NEAR(result.certificate.dual_objective, verdict.dual, 1e-9 * verdict.primal);
    EXPECT_TRUE(std::isfinite(result.certificate.relative_gap));
    EXPECT_FALSE(result.message.empty());
  }
};

TEST_P(RunTest, CallbackSeesEveryRecord) {
  std::vector<Record> seen;
  settings.callback = [&](const Record& record) {
    seen.push_back(record);
    return true;
  };
  const Result result = solve(test.problem, settings);
  ASSERT_EQ(seen.size(), result.history.size());
  for (std::size_t k = 0; k < seen.size(); ++k) {
    EXPECT_EQ(seen[k].iteration, result.history[k].iteration);
    EXPECT_EQ(seen[k].primal, result.history[k].primal);
    EXPECT_EQ(seen[k].gap, result.history[k].gap);
  }
}

TEST_P(RunTest, CallbackDoesNotChangeTheAnswer) {
  const Result plain = solve(test.problem, settings);
  settings.callback = [](const Record&) { return true; };
  EXPECT_EQ(solve(test.problem, settings).expansion.dual, plain.expansion.dual);
}

TEST_P(RunTest, CallbackCanInterruptAtAnyRecord) {
  const int last = solve(test.problem, settings).iterations;
  ASSERT_GE(last, 2);
  for (int stop_at = 0; stop_at < last; ++stop_at) {
    SCOPED_TRACE(stop_at);
    settings.callback = [=](const Record& record) { return record.iteration < stop_at; };
    const Result result = solve(test.problem, settings);
    EXPECT_EQ(result.status, Status::interrupted);
    EXPECT_EQ(result.iterations, stop_at);
    expect_usable(result);
  }
}

TEST_P(RunTest, InterruptedRunCanBeContinued) {
  settings.callback = [](const Record& record) { return record.iteration < 2; };
  const Result interrupted = solve(test.problem, settings);
  settings.callback = {};
  const Result continued = solve(test.problem, settings, interrupted.warm_start);
  EXPECT_EQ(continued.status, Status::converged) << continued.message;
}

TEST_P(RunTest, AnInterruptionLosesNothingOfAGoodStart) {
  settings.tol = 1e-3;
  const Result good = solve(test.problem, settings);
  ASSERT_EQ(good.status, Status::converged);
  settings.tol = 1e-12;
  settings.callback = [](const Record&) { return false; };
  const Result stopped = solve(test.problem, settings, good.warm_start);
  EXPECT_EQ(stopped.status, Status::interrupted);
  EXPECT_LT(stopped.history.front().gap, 0.1);
  EXPECT_LT(stopped.certificate.relative_gap, 0.1);
}

TEST_P(RunTest, IterationLimitEndsWithAUsableModel) {
  for (const int limit : {1, 2}) {
    settings.max_iter = limit;
    const Result result = solve(test.problem, settings);
    EXPECT_EQ(result.status, Status::max_iterations);
    EXPECT_EQ(result.iterations, limit);
    EXPECT_NE(result.message.find("max_iter"), std::string::npos) << result.message;
    expect_usable(result);
  }
}

TEST_P(RunTest, ImpossibleToleranceEndsAsStalledWithAUsableModel) {
  settings.tol = 1e-300;
  const Result result = solve(test.problem, settings);
  EXPECT_TRUE(result.status == Status::stalled || result.certificate.relative_gap == 0) << to_string(result.status);
  EXPECT_LT(result.certificate.relative_gap, 1e-8);
  expect_usable(result);
}

TEST_P(RunTest, HistoryIsConsistent) {
  const Result result = solve(test.problem, settings);
  ASSERT_FALSE(result.history.empty());
  int newton_steps = 0;
  for (std::size_t k = 0; k < result.history.size(); ++k) {
    const Record& record = result.history[k];
    newton_steps += record.newton_steps;
    EXPECT_EQ(record.iteration, static_cast<int>(k));
    EXPECT_GE(record.gap, 0);
    EXPECT_NEAR(record.gap, std::max(0.0, (record.primal - record.dual) / record.primal), 1e-15);
    EXPECT_LE(record.dual, result.certificate.primal * (1 + 1e-12)) << "a bound that the final model breaks";
    EXPECT_GE(record.primal, result.certificate.dual_objective * (1 - 1e-12));
    EXPECT_GE(record.n_active, 0);
    EXPECT_LE(record.n_active, test.problem.n_kernels());
    EXPECT_GT(record.gamma, 0);
    if (k == 0) continue;
    EXPECT_GE(record.seconds, result.history[k - 1].seconds);
    EXPECT_GE(record.dual, result.history[k - 1].dual) << "the best bound is kept";
    EXPECT_GE(record.newton_steps, 1);
  }
  EXPECT_EQ(result.newton_steps, newton_steps);
  EXPECT_EQ(result.iterations, result.history.back().iteration);
  EXPECT_LE(result.history.back().seconds, result.timers.total);
  EXPECT_LE(result.timers.newton + result.timers.passes + result.timers.certificate, result.timers.total * 1.01);
}

INSTANTIATE_TEST_SUITE_P(Each, RunTest, testing::Values("block1", "elasticnet"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
