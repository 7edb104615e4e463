// Solvers from outside are chosen by name, checked and called like ours.
#include "spicymkl/solver/registered_solver.hpp"

#include <gtest/gtest.h>

#include "problem/quick_bound.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support/problems.hpp"
#include "support/refusal.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

/// Refuses the squared loss, and gives the best constant for everything else.
class ConstantSolver final : public RegisteredSolver {
 public:
  std::string_view name() const override { return "constant"; }
  void check(std::string_view loss, const Regularizer&, bool) const override {
    if (loss == "squared") throw InputError("solver constant does not solve the squared loss");
  }
  Result solve(const Problem& problem, const Settings&, const WarmStart&) const override {
    Result result;
    result.expansion = constant_expansion(problem);
    result.message = "asked";
    return result;
  }
};

Settings constant_settings() {
  static const bool registered = (register_solver(std::make_shared<ConstantSolver>()), true);
  Settings settings;
  choose_solver(registered ? "constant" : "", settings);
  return settings;
}

TEST(RegisteredSolverTest, IsCalledInPlaceOfOurs) {
  const TestProblem test = make_problem_at(0.1, {"logistic"}, {"block1"}, {20, 3, 1});
  EXPECT_EQ(solve(test.problem, constant_settings()).message, "asked");
  EXPECT_EQ(solve_on_exact(test.problem, bank_of(test.naive.kernels), constant_settings()).message, "asked");
}

TEST(RegisteredSolverTest, SaysWhatItDoesNotSolve) {
  const TestProblem test = make_problem_at(0.1, {"squared"}, {"block1"}, {20, 3, 1});
  expect_refused([&] { solve(test.problem, constant_settings()); }, "constant");
}

TEST(RegisteredSolverTest, NamesAreListedAndTakenOnce) {
  constant_settings();
  const auto names = solver_names();
  EXPECT_EQ(names.front(), "auto");
  EXPECT_EQ(std::ranges::count(names, "constant"), 1);
  EXPECT_THROW(register_solver(std::make_shared<ConstantSolver>()), std::logic_error);
  Settings settings = constant_settings();
  expect_refused([&] { choose_solver("constand", settings); }, "did you mean 'constant'");
  choose_solver("onestep", settings);
  EXPECT_FALSE(settings.registered);
  EXPECT_EQ(settings.solver, SolverKind::onestep);
}

}  // namespace
