// Newton systems of a bank that has none of its own.
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <numeric>

#include "core/blas.hpp"
#include "core/conjugate_gradients.hpp"
#include "core/partial_cholesky.hpp"
#include "core/renew.hpp"
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
    spent_ = false;
    renew(matrix_, bank_.n_samples(), bank_.n_samples());
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

  void solve(MatrixRef rhs) override { solve_to(kAccuracy, rhs); }
  void solve_roughly(MatrixRef rhs) override { solve_to(kFewDigits, rhs); }

 private:
  void solve_to(double accuracy, MatrixRef rhs) {
    if (spent_ || (iterative_ && iterate(accuracy, rhs))) return;
    spent_ = iterative_ && !factor_all();
    if (spent_) return;  // rhs stays, the steepest descent
    iterative_ = false;
    blas::cholesky_solve(matrix_, rhs);
  }

  bool factor_all() {
    return stoppable_cholesky(matrix_, bank_.threads(), bank_.watch()) && matrix_.diagonal().allFinite();
  }

  /// All right-hand sides at once: the matrix is read once for them.
  bool iterate(double accuracy, MatrixRef rhs) {
    Matrix solution;
    const bool solved = iterate_conjugate_gradients<Matrix>(
        [&](const Matrix& V, Matrix& out) {
          bank_.watch().check();
          symmetric_product(matrix_, V, out, workspace_, bank_.threads());
        },
        [&](Matrix& V) { partial_.solve(V, bank_.threads()); }, accuracy, kMaxSteps, rhs, solution);
    if (solved) rhs = solution;
    return solved;
  }

  static constexpr Index kManySamples = 500;  // below, the factorisation is quick enough
  static constexpr double kAccuracy = 1e-4;   // of a direction: costs one Newton step in four digits
  static constexpr double kFewDigits = 1e-2;
  static constexpr int kMaxSteps = 60;  // more would cost as much as the factorisation

  const KernelBank& bank_;
  Matrix matrix_;
  PartialCholesky partial_;
  bool iterative_ = false;  // else matrix_ holds its Cholesky factor
  bool spent_ = false;      // it is neither the matrix nor a factor
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
    gave_up_ = false;
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
      gave_up_ = !whole_->factor(strong_.terms());
    }
    if (!gave_up_) whole_->solve(rhs);  // else rhs stays, the steepest descent
  }

  void solve_roughly(MatrixRef rhs) override {
    if (of_ranks_ || of_strong_ || gave_up_) solve(rhs);
    else whole_->solve_roughly(rhs);
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
  bool gave_up_ = false;                       // the present matrix has no factor
  bool of_ranks_ = false, of_strong_ = false;  // which one has the present matrix; else whole_
  bool strong_pays_ = true;                    // as far as is known
};

}  // namespace

void NewtonSystem::solve_within(const DualConstraints& constraints, MatrixRef workspace, MatrixRef multipliers,
                                Digits digits) {
  const Matrix& C = constraints.columns();
  // By elimination: with P = A⁻¹R and E = A⁻¹C, δ = (CᵀE)⁻¹CᵀP and Δ = P − Eδ.
  const Index n_sides = workspace.cols() - C.cols();
  auto P = workspace.leftCols(n_sides);
  auto E = workspace.rightCols(C.cols());
  E = C;
  if (digits == Digits::few) solve_roughly(workspace);
  else solve(workspace);
  if (C.cols() == 0) return;
  if (workspace.cols() == 2) {  // an intercept alone, without memory of its own
    multipliers(0, 0) = C.col(0).dot(P.col(0)) / C.col(0).dot(E.col(0));
    P.col(0) -= multipliers(0, 0) * E.col(0);
    return;
  }
  // E that was solved for to few digits leaves CᵀE not quite symmetric: by LU all digits of CᵀΔ = 0 are kept. A part of
  // the rows may lack what a covariate tells apart, whose column is 0 there.
  const Matrix off = (C.transpose() * E).fullPivLu().solve(C.transpose() * P);
  multipliers.col(0) = off.col(0);
  P.noalias() -= E * off;
}

std::unique_ptr<NewtonSystem> KernelBank::make_newton_system() const {
  return std::make_unique<ChoosingNewtonSystem>(*this);
}

}  // namespace spicymkl
