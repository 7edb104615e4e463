// With many outputs kernels without influence have no products: nothing that is asked of the terms may change by that.
#include <gtest/gtest.h>

#include "solver/inner/kernel_terms.hpp"
#include "support/joint_problems.hpp"

namespace {

using namespace testing_support;
using spicymkl::KernelTerms;

class SelectiveTermsTest : public testing::TestWithParam<RegularizerCase> {
 protected:
  static constexpr Index kSamples = 10, kCandidates = 12, kSeveral = 4;

  Generator random{5};
  std::vector<Matrix> kernels = random_kernels(normal_matrix(kSamples, 6, random), kCandidates, random);
  spicymkl::OutputsBank outputs{bank_of(kernels), kSeveral};
  std::shared_ptr<const spicymkl::DenseBank> whole = [&] {
    std::vector<Matrix> all;
    for (const Matrix& K : kernels) all.push_back(repeated(K, kSeveral));
    return bank_of(all);
  }();

  Vector vector() { return normal_vector(kSamples * kSeveral, random); }

  Matrix hessian_of(const KernelTerms& terms) const {
    KernelTerms::Hessian H;
    terms.hessian(H, Matrix(kSamples * kSeveral, 0));
    const Matrix added = H.low_rank().leftCols(H.n_added);
    const Matrix subtracted = H.low_rank().rightCols(H.low_rank().cols() - H.n_added);
    Matrix sum = added * added.transpose() - subtracted * subtracted.transpose();
    for (std::size_t k = 0; k < H.kernels.size(); ++k)
      sum += H.weights()(static_cast<Index>(k)) * whole->gram(H.kernels[k]);
    return sum;
  }

  void expect_same(const KernelTerms& few, const KernelTerms& all) const {
    ASSERT_EQ(few.active_kernels(), all.active_kernels());
    EXPECT_NEAR(few.value(), all.value(), 1e-12 * (1 + std::abs(all.value())));
    EXPECT_NEAR(few.movement(), all.movement(), 1e-12 * (1 + all.movement()));
    EXPECT_LE((few.next_predictions() - all.next_predictions()).norm(), 1e-12 * (1 + all.next_predictions().norm()));
    EXPECT_LE((few.next_norms() - all.next_norms()).norm(), 1e-12 * (1 + all.next_norms().norm()));
    EXPECT_LE((hessian_of(few) - hessian_of(all)).norm(), 1e-11 * (1 + hessian_of(all).norm()));
    const Vector bounds = few.dual_norms(), norms = all.dual_norms();
    const std::vector<Index> active = all.active_kernels();
    for (Index m = 0; m < norms.size(); ++m) {
      EXPECT_GE(bounds(m), norms(m) - 1e-12);
      if (std::ranges::find(active, m) != active.end()) EXPECT_NEAR(bounds(m), norms(m), 1e-12);
    }
  }
};

TEST_P(SelectiveTermsTest, AreThoseOfAllKernels) {
  Vector squares(kCandidates);
  const Vector rho = vector();
  outputs.quadratic_forms(spicymkl::all_kernels(kCandidates), rho, squares);
  std::sort(squares.begin(), squares.end());
  // The threshold lies between the norms of two kernels.
  const double middle = 0.5 * (std::sqrt(squares(kCandidates / 2)) + std::sqrt(squares(kCandidates / 2 - 1)));
  const double threshold = GetParam().make()->threshold();
  const auto G = GetParam().with_alpha(threshold > 0 ? middle / threshold : middle).make();
  KernelTerms few(outputs, *G, spicymkl::all_kernels(kCandidates)), all(*whole, *G, spicymkl::all_kernels(kCandidates));
  const std::vector<Index> shifted = {7, 2};
  const Matrix coef = 0.3 * normal_matrix(kSamples * kSeveral, 2, random);
  std::size_t most = 0, least = kCandidates;
  for (KernelTerms* terms : {&few, &all}) {
    terms->set_coefficients(shifted, coef, 0.7);
    terms->place(rho, 0.7);
  }
  for (const double c : {0.4, 1.0, 0.1, 1.0, 0.9, 1.0}) {
    expect_same(few, all);
    const Vector direction = 0.6 * vector();
    few.prepare_line(direction);
    all.prepare_line(direction);
    for (const double t : {0.2, 1.0}) {
      EXPECT_NEAR(few.along(t).value, all.along(t).value, 1e-12 * (1 + std::abs(all.along(t).value)));
      EXPECT_NEAR(few.along(t).slope, all.along(t).slope, 1e-11 * (1 + std::abs(all.along(t).slope)));
    }
    few.move(c);
    all.move(c);
    most = std::max(most, all.active().size());
    least = std::min(least, all.active().size());
    if (c != 0.1) continue;
    expect_same(few, all);
    for (KernelTerms* terms : {&few, &all}) {
      terms->update_coefficients();
      terms->set_gamma(2);
    }
  }
  expect_same(few, all);
  if (G->threshold() > 0) EXPECT_LT(least, most) << "kernels come and go";
}

INSTANTIATE_TEST_SUITE_P(All, SelectiveTermsTest,
                         testing::Values(RegularizerCase{"block1"}, RegularizerCase{"elasticnet"},
                                         RegularizerCase{"uniform"}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
