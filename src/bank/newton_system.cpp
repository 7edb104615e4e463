// Newton systems of a bank that has none of its own.
#include <Eigen/Cholesky>
#include <numeric>

#include "core/blas.hpp"
#include "core/conjugate_gradients.hpp"
#include "core/partial_cholesky.hpp"
#include "core/stoppable_cholesky.hpp"
#include "core/symmetric_product.hpp"
#include "dense_sum.hpp"
#include "iterative_system.hpp"
#include "lagged_system.hpp"
#include "rank_system.hpp"
#include "strong_system.hpp"

namespace spicymkl {

namespace {

/// Assembles the N×N matrix; factors it as far as needed and solves by conjugate gradients, or factors it whole. In the
/// dual of a classifier most samples have a large curvature of their own: those at a bound of the hinge loss, those
/// well classified by the logistic loss. The others, and the few directions in which the kernels are large, are what a
/// system of its natural size is about.
class AssembledNewtonSystem final : public NewtonSystem {
 public:
  explicit AssembledNewtonSystem(const KernelBank& bank) : bank_(bank) {}

  bool factor(const NewtonTerms& terms) override {
    matrix_.resize(bank_.n_samples(), bank_.n_samples());
    clear_lower(matrix_, bank_.threads());
    matrix_.diagonal() = terms.diagonal;
    bank_.add_weighted_sum(terms.kernels, terms.weights, matrix_);
    const Index n_subtracted = terms.low_rank.cols() - terms.n_added;
    if (terms.nested != nullptr) terms.nested->add_to(matrix_, bank_.threads());
    bank_.watch().check();
    blas::symmetric_rank_k(+1, terms.low_rank.leftCols(terms.n_added), matrix_, bank_.threads());
    blas::symmetric_rank_k(-1, terms.low_rank.rightCols(n_subtracted), matrix_, bank_.threads());
    iterative_ =
        matrix_.rows() >= kManySamples && partial_.factor(matrix_, terms.diagonal, bank_.threads(), bank_.watch());
    return iterative_ || factor_all();
  }

  bool takes_nested_sums() const override { return true; }

  void solve(MatrixRef rhs) override {
    if (iterative_ && iterate(rhs)) return;
    if (iterative_ && !factor_all()) return;  // the matrix is spent: rhs stays, the steepest descent
    iterative_ = false;
    blas::cholesky_solve(matrix_, rhs);
  }

 private:
  bool factor_all() {
    return stoppable_cholesky(matrix_, bank_.threads(), bank_.watch()) && matrix_.diagonal().allFinite();
  }

  /// All right-hand sides at once: the matrix is read once for them.
  bool iterate(MatrixRef rhs) {
    Matrix solution;
    const bool solved = iterate_conjugate_gradients<Matrix>(
        [&](const Matrix& V, Matrix& out) {
          bank_.watch().check();
          symmetric_product(matrix_, V, out, workspace_, bank_.threads());
        },
        [&](Matrix& V) { partial_.solve(V, bank_.threads()); }, kAccuracy, kMaxSteps, rhs, solution);
    if (solved) rhs = solution;
    return solved;
  }

  static constexpr Index kManySamples = 500;  // below, the factorisation is quick enough
  static constexpr double kAccuracy = 1e-4;   // of a direction: costs one Newton step in four digits
  static constexpr int kMaxSteps = 60;        // more would cost as much as the factorisation

  const KernelBank& bank_;
  Matrix matrix_;
  PartialCholesky partial_;
  bool iterative_ = false;  // else matrix_ holds its Cholesky factor
  std::vector<Matrix> workspace_;
};

std::unique_ptr<NewtonSystem> system_over_samples(const KernelBank& bank) {
  constexpr double kMatrices = 1.25;   // itself, and the columns of its partial factorisation
  constexpr double kWithOlder = 2.25;  // itself, and one of an earlier run
  if (bank.sums() != nullptr && bank.has_room_for(kMatrices)) {
    if (LaggedNewtonSystem::suits(bank) && bank.has_room_for(kWithOlder))
      return std::make_unique<LaggedNewtonSystem>(bank);
    return std::make_unique<AssembledNewtonSystem>(bank);
  }
  return std::make_unique<IterativeNewtonSystem>(bank);
}

/// Chooses at every step: a system of the size of the ranks; conjugate gradients that know the strong kernels, until
/// these have taken too long once; or one of the size of the samples.
class ChoosingNewtonSystem final : public NewtonSystem {
 public:
  explicit ChoosingNewtonSystem(const KernelBank& bank)
      : bank_(bank), whole_(system_over_samples(bank)), strong_(bank) {}

  bool factor(const NewtonTerms& terms) override {
    const Index of_nested = terms.nested != nullptr ? terms.nested->count() : 0;
    const Index rank = total_rank(terms.kernels) + terms.low_rank.cols() + of_nested;
    const double part = static_cast<double>(rank) / static_cast<double>(bank_.n_samples());
    const double worth = ranks_.may_keep(terms.diagonal) ? kWorthIfKept : kWorth;
    of_ranks_ = rank > 0 && part <= worth && bank_.has_room_for(kCopies * part) &&
                terms.n_added == terms.low_rank.cols() && factor_of_ranks(terms);
    if (of_ranks_) return true;
    of_strong_ = strong_pays_ && strong_.suits(terms) && strong_.factor(terms);
    return of_strong_ || whole_->factor(terms);
  }

  bool takes_nested_sums() const override { return whole_->takes_nested_sums(); }

  void solve(MatrixRef rhs) override {
    if (of_ranks_) return ranks_.solve(rhs);
    if (of_strong_ && strong_.solve(rhs)) return;
    if (of_strong_) {
      of_strong_ = strong_pays_ = false;
      if (!whole_->factor(strong_.terms())) return;  // rhs stays, the steepest descent
    }
    whole_->solve(rhs);
  }

  std::shared_ptr<const RoughCholesky> hand_on() const override { return whole_->hand_on(); }
  void take_over(std::shared_ptr<const RoughCholesky> factor) override {
    strong_pays_ = strong_pays_ && factor == nullptr;  // it would not have been made otherwise
    whole_->take_over(std::move(factor));
  }

 private:
  bool factor_of_ranks(const NewtonTerms& terms) {
    if (terms.nested == nullptr) return ranks_.factor(bank_, terms);
    Matrix columns(bank_.n_samples(), terms.low_rank.cols() + terms.nested->count());
    columns << terms.low_rank, terms.nested->columns(bank_.n_samples());
    return ranks_.factor(bank_, {terms.kernels, terms.weights, terms.diagonal, columns, columns.cols()});
  }

  Index total_rank(KernelSet set) const {
    return std::accumulate(set.begin(), set.end(), Index{0}, [&](Index sum, Index m) { return sum + bank_.rank(m); });
  }

  static constexpr double kWorth = 0.5;         // a system of more than half the size is not quicker than the whole,
  static constexpr double kWorthIfKept = 0.95;  // but where its products need not be made anew at every step
  static constexpr double kCopies = 3;          // of the columns, while they are factored

  const KernelBank& bank_;
  std::unique_ptr<NewtonSystem> whole_;
  RankSystem ranks_;
  StrongKernelsSystem strong_;
  bool of_ranks_ = false, of_strong_ = false;  // which one has the present matrix; else whole_
  bool strong_pays_ = true;                    // as far as is known
};

}  // namespace

void NewtonSystem::solve_within(const DualConstraints& constraints, MatrixRef workspace, MatrixRef multipliers) {
  const Matrix& C = constraints.columns();
  // By elimination: with p = A⁻¹r and E = A⁻¹C, δ = (CᵀE)⁻¹Cᵀp and Δ = p − Eδ.
  auto p = workspace.col(0);
  auto E = workspace.middleCols(1, C.cols());
  E = C;
  solve(workspace.leftCols(1 + C.cols()));
  if (C.cols() == 1) multipliers(0, 0) = C.col(0).dot(p) / C.col(0).dot(E.col(0));
  else if (C.cols() > 1) multipliers.col(0) = (C.transpose() * E).ldlt().solve(C.transpose() * p);
  for (Index j = 0; j < C.cols(); ++j) p -= multipliers(j, 0) * E.col(j);
}

std::unique_ptr<NewtonSystem> KernelBank::make_newton_system() const {
  return std::make_unique<ChoosingNewtonSystem>(*this);
}

}  // namespace spicymkl
