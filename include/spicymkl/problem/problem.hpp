// The MKL problem of Eq. (42): labels, loss, regulariser, bank. Knows what is to be solved, not how.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "spicymkl/bank/bank.hpp"
#include "spicymkl/loss/loss.hpp"
#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

/// What enters predictions without a penalty.
struct Unpenalised {
  Unpenalised(bool fit_intercept = true, Matrix columns = {})  // NOLINT: a bool says it all where there is no column
      : intercept(fit_intercept), covariates(std::move(columns)) {}

  bool intercept;
  Matrix covariates;  ///< a row per row of the kernels; empty: none
};

/// minimise  Σ_i s_i ℓ(y_i, z_i) + Σ_m G(‖α_m‖_Km),  z = Σ_m K_m α_m + C·b, where C has a column of ones for the
/// intercept and one per covariate. Where the bank has K outputs per row, i counts all outputs of all rows, those of
/// one output after those of another, and b is a matrix with a column for each.
class Problem {
 public:
  /// Bad labels, weights or sizes are an InputError. sample_weights, one per row, may be empty: all one.
  Problem(std::shared_ptr<const KernelBank> bank, Vector labels, std::shared_ptr<const Loss> loss,
          std::shared_ptr<const Regularizer> regularizer, Unpenalised unpenalised = {}, Vector sample_weights = {});

  const KernelBank& bank() const { return *bank_; }
  const Loss& loss() const { return *loss_; }
  const Regularizer& regularizer() const { return *regularizer_; }
  std::shared_ptr<const Regularizer> shared_regularizer() const { return regularizer_; }
  const Vector& labels() const { return labels_; }
  const Vector& sample_weights() const { return sample_weights_; }
  bool fit_intercept() const { return unpenalised_->intercept; }
  /// Null where the loss splits over its entries.
  const JointLoss* joint_loss() const { return joint_.get(); }
  /// μ such that Σ s_i ℓ*_i(−ρ_i/s_i) is μ-strongly convex in ρ; 0 where nothing is known.
  double conjugate_convexity() const;
  /// Uᵀρ = 0, which comes with what is not penalised.
  const DualConstraints& constraints() const { return constraints_; }
  Index n_samples() const { return labels_.size(); }
  Index n_rows() const { return bank_->n_rows(); }
  Index n_outputs() const { return bank_->n_outputs(); }
  Index n_kernels() const { return bank_->n_kernels(); }

  /// The same samples and loss over another bank and regulariser.
  Problem with(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const Regularizer> regularizer) const;
  /// The same samples, loss and bank with another regulariser.
  Problem with(std::shared_ptr<const Regularizer> regularizer) const { return with(bank_, std::move(regularizer)); }

  /// The same with another loss.
  Problem with_loss(std::shared_ptr<const Loss> loss) const;

  /// The same kernels and penalty on some of the rows, each counted N/|rows| times, so that alpha keeps its meaning.
  /// `bank` holds the kernels on these rows.
  Problem on_samples(const std::vector<Index>& rows, std::shared_ptr<const KernelBank> bank) const;

  /// Whether these rows alone would be no problem: a class is too rare to be among them, or an event.
  bool lacks_labels(const std::vector<Index>& rows) const;

  /// The places of these rows among all outputs of all rows.
  std::vector<Index> entries(const std::vector<Index>& rows) const;

  /// Σ s_i ℓ(y_i, z_i)
  double loss_value(ConstVectorRef z) const;
  /// The largest of it where each z_i is known up to `reach`.
  double largest_loss_value(ConstVectorRef z, ConstVectorRef reach) const;
  /// Σ s_i ℓ*(y_i, −ρ_i/s_i)
  double conjugate_value(ConstVectorRef rho) const;
  /// An element of −∂ of loss_value at z.
  Vector dual_point(ConstVectorRef z) const;
  /// ρ moved into the domain of the conjugate and onto the constraints: entries are clipped, those that are no number
  /// set to 0; then, where there is nothing but an intercept, the heavier side (positive or negative) is scaled down,
  /// and else entries move as far as they have room. What cannot be moved there becomes 0, which is always feasible.
  Vector feasible(ConstVectorRef rho) const;
  /// C·b, as predictions have it.
  Vector unpenalised_part(ConstMatrixRef b) const;
  /// The b that minimises loss_value(f + C·b), or is as near to it as kinks of the loss allow; a row for each column of
  /// C, a column per output.
  Matrix best_unpenalised(ConstVectorRef f) const;
  /// The best predictor without kernels and the dual vector ρ₀ that belongs to it.
  struct Constant {
    Matrix unpenalised;
    Vector dual;
  };
  const Constant& best_constant() const;
  /// ρ₀ᵀK_mρ₀ of every kernel. Like ρ₀ it does not depend on the regulariser, and is worked out once for all problems
  /// that were made from each other and have the same bank.
  const Vector& constant_forms() const;

 private:
  Constant make_constant() const;
  Problem(const Problem& like, std::shared_ptr<const KernelBank> bank, std::shared_ptr<const Loss> loss,
          std::shared_ptr<const Regularizer> regularizer);

  /// Worked out when it is first asked for. Not by std::call_once: an exception that passes through it, such as lack of
  /// memory, makes the C library load a library first, which ends the program where there is no memory.
  template <class Value>
  struct Lazy {
    std::mutex making;
    std::optional<Value> value;

    template <class Make>
    const Value& get(const Make& make) {
      const std::scoped_lock lock(making);
      if (!value) value = make();
      return *value;
    }
  };

  std::shared_ptr<const KernelBank> bank_;
  Vector labels_;
  std::shared_ptr<const Loss> loss_;
  std::shared_ptr<const Regularizer> regularizer_;
  std::shared_ptr<const Unpenalised> unpenalised_;
  Vector sample_weights_;  // of all outputs
  std::shared_ptr<const JointLoss> joint_;
  DualConstraints constraints_;
  std::shared_ptr<Lazy<Constant>> constant_ = std::make_shared<Lazy<Constant>>();
  std::shared_ptr<Lazy<Vector>> constant_forms_ = std::make_shared<Lazy<Vector>>();
};

/// The smallest alpha at which no kernel is selected: max_m ‖ρ₀‖_Km · alpha/threshold. A regulariser without a
/// threshold selects every kernel at any alpha; there max_m ‖ρ₀‖_Km itself is returned, the natural unit of alpha.
double alpha_max(const Problem& problem);

/// The strength C̃ of the squared block 1-norm formulation (C̃/2)(Σ‖f_m‖)², Eq. (5), with the same solution as block1
/// with strength alpha, where norm_sum = Σ‖f_m*‖. Eq. (6) prints the inverse ratio. An SVM over Σd_mK_m has box bound
/// 1/C̃.
double squared_formulation_strength(double alpha, double norm_sum);

}  // namespace spicymkl
