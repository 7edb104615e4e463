// Which losses have the dual of a support vector machine: what they say of themselves, not how many constraints they
// have.
#include <gtest/gtest.h>

#include "spicymkl/solver/cost_model.hpp"
#include "support/problems.hpp"

namespace {

using namespace spicymkl;
using namespace testing_support;

TEST(SvmDual, IsThatOfTheLossesOfSupportVectorMachines) {
  std::vector<std::string> names;
  for (const LossType& type : loss_types())
    if (type.make({})->has_svm_dual()) names.push_back(type.name);
  EXPECT_EQ(names, (std::vector<std::string>{"hinge", "squared_hinge", "huber", "quantile"}));
}

TEST(SvmDual, IsQuadraticBetweenItsBounds) {
  for (const LossType& type : loss_types()) {
    const auto loss = type.make({});
    if (!loss->has_svm_dual()) continue;
    EXPECT_FALSE(loss->has_auxiliary()) << type.name;
    for (const double y : {-1.0, 1.0}) {
      const Interval domain = loss->dual_domain(y);
      EXPECT_TRUE(std::isfinite(domain.lower) || std::isfinite(domain.upper)) << type.name;
      const double first = std::max(domain.lower, -1.0), last = std::min(domain.upper, 1.0);
      const double curvature = loss->smooth_conjugate(y, first, 0).d_rho_rho;
      for (const double part : {0.0, 0.25, 0.5, 1.0}) {
        const double rho = first + part * (last - first);
        EXPECT_EQ(loss->smooth_conjugate(y, rho, 0).d_rho_rho, curvature) << type.name;
        EXPECT_EQ(loss->smooth_conjugate(y, rho, 0).value, loss->conjugate(y, rho)) << type.name;
      }
    }
  }
}

/// The logistic loss with its domain as constraints: two of them, like the hinge loss, but no quadratic.
class ConstrainedLogistic final : public Loss {
 public:
  std::string_view name() const override { return "constrained"; }
  LabelKind labels() const override { return LabelKind::two_classes; }
  double value(double y, double z) const override { return logistic_->value(y, z); }
  double dual_point(double y, double z) const override { return logistic_->dual_point(y, z); }
  double conjugate(double y, double rho) const override { return logistic_->conjugate(y, rho); }
  Interval dual_domain(double y) const override { return logistic_->dual_domain(y); }
  DualTerm smooth_conjugate(double y, double rho, double aux) const override {
    return logistic_->smooth_conjugate(y, rho, aux);
  }
  int n_constraints() const override { return 2; }
  DualTerm constraint(int j, double y, double rho, double) const override {
    return j == 0 ? DualTerm{.value = y * rho - 1, .d_rho = y} : DualTerm{.value = -y * rho, .d_rho = -y};
  }

 private:
  std::unique_ptr<Loss> logistic_ = make_loss("logistic");
};

TEST(SvmDual, ConstraintsAloneDoNotMakeOne) {
  const TestProblem test = make_problem({"hinge"}, {"block1"}, {.n = 20, .m = 3});
  EXPECT_TRUE(outline_of(test.problem, false).allows_newton_on_weights());
  const std::shared_ptr<const KernelBank> bank(std::shared_ptr<void>(), &test.problem.bank());
  const Problem own(bank, test.problem.labels(), std::make_shared<ConstrainedLogistic>(),
                    test.problem.shared_regularizer());
  EXPECT_FALSE(outline_of(own, false).allows_newton_on_weights());
}

}  // namespace
