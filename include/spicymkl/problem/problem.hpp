// The MKL problem of Eq. (42): labels, loss, regulariser, bank. Knows what is to be solved, not how.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "spicymkl/bank/bank.hpp"
#include "spicymkl/loss/loss.hpp"
#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

/// minimise  Σ_i s_i ℓ(y_i, z_i) + Σ_m G(‖α_m‖_Km),  z = Σ_m K_m α_m + b·1.
class Problem {
 public:
  /// Bad labels, weights or sizes are an InputError. sample_weights may be empty: all one.
  Problem(std::shared_ptr<const KernelBank> bank, Vector labels, std::shared_ptr<const Loss> loss,
          std::shared_ptr<const Regularizer> regularizer, bool fit_intercept = true, Vector sample_weights = {});

  const KernelBank& bank() const { return *bank_; }
  const Loss& loss() const { return *loss_; }
  const Regularizer& regularizer() const { return *regularizer_; }
  std::shared_ptr<const Regularizer> shared_regularizer() const { return regularizer_; }
  const Vector& labels() const { return labels_; }
  const Vector& sample_weights() const { return sample_weights_; }
  bool fit_intercept() const { return fit_intercept_; }
  Index n_samples() const { return labels_.size(); }
  Index n_kernels() const { return bank_->n_kernels(); }

  /// The same samples and loss over another bank and regulariser.
  Problem with(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const Regularizer> regularizer) const;
  /// The same samples, loss and bank with another regulariser.
  Problem with(std::shared_ptr<const Regularizer> regularizer) const { return with(bank_, std::move(regularizer)); }

  /// The same with another loss.
  Problem with_loss(std::shared_ptr<const Loss> loss) const;

  /// The same kernels and penalty on some of the samples, each counted N/|rows| times, so that alpha keeps its meaning.
  /// `bank` holds the kernels on these samples.
  Problem on_samples(const std::vector<Index>& rows, std::shared_ptr<const KernelBank> bank) const;

  /// Σ s_i ℓ(y_i, z_i)
  double loss_value(ConstVectorRef z) const;
  /// Σ s_i ℓ*(y_i, −ρ_i/s_i)
  double conjugate_value(ConstVectorRef rho) const;
  /// An element of −∂ of loss_value at z.
  Vector dual_point(ConstVectorRef z) const;
  /// ρ moved into the domain of the conjugate and, with an intercept, onto 1ᵀρ = 0: entries are clipped, those that
  /// are no number set to 0, then the heavier side (positive or negative) is scaled down.
  Vector feasible(ConstVectorRef rho) const;
  /// The b that minimises loss_value(f + b·1); 0 without intercept.
  double best_intercept(ConstVectorRef f) const;
  /// The best constant predictor and the dual vector ρ₀ that belongs to it.
  struct Constant {
    double intercept;
    Vector dual;
  };
  const Constant& best_constant() const;
  /// ρ₀ᵀK_mρ₀ of every kernel. Like ρ₀ it does not depend on the regulariser, and is worked out once for all problems
  /// that were made from each other and have the same bank.
  const Vector& constant_forms() const;

 private:
  /// Neighbouring numbers b_lower ≤ b_upper around the minimiser of loss_value(f + b·1).
  Interval intercept_bracket(ConstVectorRef f) const;

  Constant make_constant() const;

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
  bool fit_intercept_;
  Vector sample_weights_;
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
