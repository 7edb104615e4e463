#include "spicymkl/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "feasible_point.hpp"
#include "sample_loop.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/problem/certificate.hpp"
#include "unpenalised_fit.hpp"

namespace spicymkl {

namespace {

void check_labels(const Vector& y, const Loss& loss) {
  for (Index i = 0; i < y.size(); ++i)
    if (!std::isfinite(y(i)))
      throw InputError(fmt::format("label of sample {} is {}; labels must be finite numbers", i, y(i)));
  if (loss.labels() != LabelKind::two_classes) return;
  for (Index i = 0; i < y.size(); ++i)
    if (y(i) != 1 && y(i) != -1)
      throw InputError(
          fmt::format("label of sample {} is {}, but the {} loss needs labels +1 and -1", i, y(i), loss.name()));
  if (y.minCoeff() == y.maxCoeff())
    throw InputError(fmt::format("all {} labels are {:+}, but the {} loss needs both classes, +1 and -1", y.size(),
                                 y(0), loss.name()));
}

void check_covariates(const Matrix& covariates, Index n) {
  if (covariates.cols() > 0 && covariates.rows() != n)
    throw InputError(fmt::format("there are {} rows of covariates for {} samples", covariates.rows(), n));
  if (!covariates.allFinite()) throw InputError("a covariate is not a finite number; impute it or leave its row out");
}

void check_weights(const Vector& s, Index n) {
  if (s.size() != n) throw InputError(fmt::format("there are {} sample weights for {} samples", s.size(), n));
  for (Index i = 0; i < n; ++i)
    if (!(s(i) > 0 && std::isfinite(s(i))))
      throw InputError(
          fmt::format("weight of sample {} is {}; sample weights must be finite and above 0 (leave out a sample that "
                      "is not to count)",
                      i, s(i)));
}

/// The columns of C, and what the loss itself ignores.
DualConstraints constraints_of(const Unpenalised& unpenalised, const JointLoss* joint, const KernelBank& bank) {
  const Index n = bank.n_rows();
  const bool ones = unpenalised.intercept || (joint != nullptr && joint->ignores_constants());
  Matrix columns(n, (ones ? 1 : 0) + unpenalised.covariates.cols());
  if (ones) columns.col(0).setOnes();
  if (unpenalised.covariates.cols() > 0) columns.rightCols(unpenalised.covariates.cols()) = unpenalised.covariates;
  if (joint == nullptr) return {std::move(columns), bank.n_outputs(), false};
  return {std::move(columns), bank.n_outputs(), joint->ignores_row_shifts(), joint->ignored_entries()};
}

}  // namespace

Problem::Problem(std::shared_ptr<const KernelBank> bank, Vector labels, std::shared_ptr<const Loss> loss,
                 std::shared_ptr<const Regularizer> regularizer, Unpenalised unpenalised, Vector sample_weights)
    : bank_(std::move(bank)),
      labels_(std::move(labels)),
      loss_(std::move(loss)),
      regularizer_(std::move(regularizer)),
      unpenalised_(std::make_shared<const Unpenalised>(std::move(unpenalised))),
      sample_weights_(std::move(sample_weights)) {
  const Index n = bank_->n_rows(), outputs = bank_->n_outputs();
  if (labels_.size() != n * outputs)
    throw InputError(fmt::format("there are {} labels, but the kernels have {} rows{}", labels_.size(), n,
                                 outputs > 1 ? fmt::format(" of {} outputs", outputs) : ""));
  if (n < 2) throw InputError("there is only one sample; at least 2 are needed");
  if (sample_weights_.size() == 0) sample_weights_ = Vector::Ones(n);
  check_labels(labels_, *loss_);
  check_weights(sample_weights_, n);
  check_covariates(unpenalised_->covariates, n);
  Vector repeated = sample_weights_.replicate(outputs, 1);
  sample_weights_.swap(repeated);
  joint_ = loss_->join(labels_, sample_weights_, outputs);
  constraints_ = constraints_of(*unpenalised_, joint_.get(), *bank_);
}

Problem::Problem(const Problem& like, std::shared_ptr<const KernelBank> bank, std::shared_ptr<const Loss> loss,
                 std::shared_ptr<const Regularizer> regularizer)
    : Problem(std::move(bank), like.labels_, std::move(loss), std::move(regularizer), *like.unpenalised_,
              like.sample_weights_.head(like.n_rows())) {}

Problem Problem::with(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const Regularizer> regularizer) const {
  const bool same_bank = bank == bank_;
  Problem problem(*this, std::move(bank), loss_, std::move(regularizer));
  problem.constant_ = constant_;
  if (same_bank) problem.constant_forms_ = constant_forms_;
  return problem;
}

Problem Problem::with_loss(std::shared_ptr<const Loss> loss) const {
  return {*this, bank_, std::move(loss), regularizer_};
}

std::vector<Index> Problem::entries(const std::vector<Index>& rows) const {
  std::vector<Index> places;
  places.reserve(rows.size() * static_cast<std::size_t>(n_outputs()));
  for (Index k = 0; k < n_outputs(); ++k)
    for (const Index row : rows) places.push_back(k * n_rows() + row);
  return places;
}

bool Problem::lacks_labels(const std::vector<Index>& rows) const {
  const Vector part = labels_(entries(rows));
  for (Index k = 0; k < n_outputs(); ++k) {
    const auto output = part.segment(k * std::ssize(rows), std::ssize(rows));
    if (output.minCoeff() == output.maxCoeff()) return true;
  }
  return loss().labels() == LabelKind::survival && part.maxCoeff() < 0;
}

Problem Problem::on_samples(const std::vector<Index>& rows, std::shared_ptr<const KernelBank> bank) const {
  const double times = static_cast<double>(n_rows()) / static_cast<double>(rows.size());
  Unpenalised unpenalised(unpenalised_->intercept);
  if (unpenalised_->covariates.cols() > 0) unpenalised.covariates = unpenalised_->covariates(rows, Eigen::all);
  return {std::move(bank), labels_(entries(rows)), loss_,
          regularizer_,    std::move(unpenalised), times * sample_weights_(rows)};
}

double Problem::conjugate_convexity() const {
  if (joint_) return joint_->conjugate_convexity();
  return loss_->conjugate_convexity() / sample_weights_.maxCoeff();
}

double Problem::loss_value(ConstVectorRef z) const {
  if (joint_) return joint_->value(z);
  return sum_over_samples(*this, [&](Index i) { return sample_weights_(i) * loss_->value(labels_(i), z(i)); });
}

double Problem::largest_loss_value(ConstVectorRef z, ConstVectorRef reach) const {
  if (joint_) return joint_->largest_value(z, reach);
  return sum_over_samples(*this, [&](Index i) {  // a convex function is largest at an end of an interval
    const double y = labels_(i);
    return sample_weights_(i) * std::max(loss_->value(y, z(i) - reach(i)), loss_->value(y, z(i) + reach(i)));
  });
}

double Problem::conjugate_value(ConstVectorRef rho) const {
  if (joint_) return joint_->conjugate(rho);
  return sum_over_samples(*this, [&](Index i) {
    const Interval domain = loss_->dual_domain(labels_(i));
    const double s = sample_weights_(i);
    double r = rho(i) / s;
    // (s·bound)/s may exceed the bound by a rounding error: a ρ_i within s times the domain counts as inside.
    if (rho(i) >= s * domain.lower && rho(i) <= s * domain.upper) r = std::clamp(r, domain.lower, domain.upper);
    return s * loss_->conjugate(labels_(i), r);
  });
}

Vector Problem::dual_point(ConstVectorRef z) const {
  if (joint_) return joint_->dual_point(z);
  Vector rho(z.size());
  for_each_sample(*this, [&](Index i) { rho(i) = sample_weights_(i) * loss_->dual_point(labels_(i), z(i)); });
  return rho;
}

Vector Problem::unpenalised_part(ConstMatrixRef b) const {
  Vector part = Vector::Zero(n_samples());
  constraints_.add_predictions(b, part);
  return part;
}

Vector Problem::feasible(ConstVectorRef rho) const { return feasible_point(*this, rho); }

Matrix Problem::best_unpenalised(ConstVectorRef f) const {
  if (constraints_.n_columns() == 0) return Matrix(0, n_outputs());
  return constraints_.intercept_alone() && !joint_ ? best_intercepts(*this, f)
                                                   : best_coefficients(*this, f).coefficients;
}

const Problem::Constant& Problem::best_constant() const {
  return constant_->get([&] { return make_constant(); });
}

const Vector& Problem::constant_forms() const {
  return constant_forms_->get([&] {
    Vector squares(n_kernels());
    bank_->quadratic_forms(all_kernels(n_kernels()), best_constant().dual, squares);
    return squares;
  });
}

Problem::Constant Problem::make_constant() const {
  const Vector zero = Vector::Zero(n_samples());
  if (constraints_.n_columns() > 0 && (joint_ || !constraints_.intercept_alone())) {
    UnpenalisedFit fit = best_coefficients(*this, zero);
    return {std::move(fit.coefficients), feasible(fit.dual)};
  }
  Matrix best = best_unpenalised(zero);
  if (constraints_.n_columns() == 0) return {std::move(best), feasible(dual_point(zero))};
  // At a kink the dual values jump between the two neighbours; the mixture that sums to zero is a subgradient there.
  Matrix below(1, n_outputs()), above(1, n_outputs());
  for (Index k = 0; k < n_outputs(); ++k) {
    const Interval bracket = intercept_bracket(*this, k, zero);
    below(0, k) = bracket.lower, above(0, k) = bracket.upper;
  }
  Vector dual = dual_point(unpenalised_part(below));
  const Vector low = dual_point(unpenalised_part(above));
  for (Index k = 0; k < n_outputs(); ++k) {
    auto high_of_output = dual.segment(k * n_rows(), n_rows());
    const auto low_of_output = low.segment(k * n_rows(), n_rows());
    const double jump = high_of_output.sum() - low_of_output.sum();
    const double mix = jump > 0 ? std::clamp(high_of_output.sum() / jump, 0.0, 1.0) : 0.0;
    high_of_output += mix * (low_of_output - high_of_output);
  }
  return {std::move(best), feasible(dual)};
}

double alpha_max(const Problem& problem) {
  const Vector& dual = problem.best_constant().dual;
  Vector squares = problem.constant_forms();
  // What rounding leaves of a form that is 0 is no unit to measure alpha by.
  const double unit = rounding_of_forms(dual);
  for (Index m = 0; m < squares.size(); ++m)
    if (squares(m) <= unit * problem.bank().trace(m)) squares(m) = 0;
  const double largest = std::sqrt(squares.maxCoeff());
  const double threshold = problem.regularizer().threshold();
  return threshold > 0 ? largest * problem.regularizer().alpha() / threshold : largest;
}

double squared_formulation_strength(double alpha, double norm_sum) { return alpha / norm_sum; }

}  // namespace spicymkl
